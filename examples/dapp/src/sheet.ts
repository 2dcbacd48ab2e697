// The sheet over the page: the user reviews and signs any transaction here, and follows it until it lands. Loaded on demand.
import type { Address, Blockhash } from '@solana/kit';
import type { WalletAccount } from '@wallet-standard/base';
import {
  type BuiltTransaction,
  type ChangedTransaction,
  describeSteps,
  inspectTransaction,
  type LastSigner,
  type ReviewTransactionOptions,
  reviewTransaction,
  type SignAndSubmitEvent,
  signAndSubmitTransaction,
  submitTransaction,
  type TransactionLifetime,
  type TransactionReview,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, closesBeside, isBusy, setBusy, setText, show } from './dom.js';
import { explain, Problem } from './messages.js';
import {
  checksInWords,
  type Landed,
  type ReceiptView,
  type ReviewView,
  renderReceipt,
  renderReview,
  type Shown,
} from './sheet-view.js';
import { nameOf, signerOf, type UsableWallet } from './wallets.js';

/** One transaction to review, and its callbacks. */
export interface Operation extends Pick<ReviewTransactionOptions, 'quote' | 'recipients'> {
  readonly connection: Connection;
  readonly wallet: UsableWallet;
  readonly account: WalletAccount;
  /** In texts: "nothing was traded", "look again before you trade". */
  readonly done: string;
  readonly noun: string;
  readonly token: { readonly mint: Address; readonly decimals: number; readonly symbol: string };
  /** Addresses that the user knows, besides the wallet. */
  readonly known: Readonly<Record<Address, string>>;
  /** What the sheet shows of it. */
  view(review: TransactionReview): ReviewView;
  /** Why it must be rebuilt before it is signed. The notice is shown on the new review. */
  outdated?(): string | undefined;
  rebuild?(notice: string): Promise<void>;
  /** A notice about changes while the user reads. */
  moved?(): string | undefined;
  /** A signer that signs after the wallet, and what the user does meanwhile. */
  readonly lastSigner?: LastSigner & { readonly status: string };
  /** Whether a transaction that the wallet changed may be sent after another confirmation. */
  readonly canSendChanged: boolean;
  /** Called before sending: from here on, it may land. */
  onSending?(): void;
  /** It has landed. */
  receipt(): Promise<ReceiptView>;
  /** The sheet was left. `mayHappen`: it was sent, and may still land. */
  onLeft(mayHappen: string | undefined): void;
}

/** A placeholder: the block hash is fetched when the user signs. */
export const NO_LIFETIME: TransactionLifetime = {
  blockhash: '11111111111111111111111111111111' as Blockhash,
  lastValidBlockHeight: 0n,
};

type Phase = 'closed' | 'review' | 'signing' | 'sending' | 'done';

const sheet = byId<HTMLDialogElement>('sheet');
const signButton = byId<HTMLButtonElement>('sign');
const cancelButton = byId<HTMLButtonElement>('cancel');
const consent = byId<HTMLInputElement>('consent');
const problemPlace = byId('review-problem');

/** An operation in the sheet, until it is left. */
interface Session {
  readonly of: Operation;
  readonly signal: AbortSignal;
  review: TransactionReview;
  /** What the wallet signed if it changed the transaction, and the user may send it. */
  changed?: ChangedTransaction | undefined;
}

let phase: Phase = 'closed';
let session: Session | undefined;
let running = new AbortController();
/** The action of the receipt's second button. */
let open: (() => void) | undefined;

const tellStatus = (text: string) => setText(byId('review-status'), text);

function setPhase(next: Phase): void {
  phase = next;
  setBusy(
    signButton,
    next === 'signing' ? 'Confirm in your wallet…' : next === 'sending' ? 'Sending…' : undefined,
  );
  setText(cancelButton, next === 'sending' ? 'Stop waiting' : next === 'signing' ? 'Cancel' : 'Change it');
  consent.disabled = next !== 'review';
}

function showProblem(error: unknown): void {
  setPhase('review');
  tellStatus('');
  show(problemPlace, explain(error).message);
  problemPlace.focus();
}

const ownerOf = ({ account }: Operation) => account.address as Address;

/** The words of an operation's steps. */
const wordsOf = (of: Operation) => ({
  names: { [ownerOf(of)]: 'your wallet', ...of.known },
  decimals: { [of.token.mint]: of.token.decimals },
});

const reviewOf = (of: Operation, built: BuiltTransaction, abortSignal: AbortSignal) => {
  const { quote, recipients } = of;
  const options = { owner: ownerOf(of), quote, recipients, abortSignal, ...wordsOf(of) };
  return reviewTransaction(of.connection.client, built, options);
};

/** Opens the sheet with a transaction once it is reviewed, unless `wanted` fires before. */
export async function openSheet(
  of: Operation,
  built: BuiltTransaction,
  wanted: AbortSignal,
  notice?: string,
): Promise<void> {
  const review = await reviewOf(of, built, wanted);
  if (wanted.aborted) return;
  running.abort();
  running = new AbortController();
  session = { of, signal: running.signal, review };
  consent.checked = false;
  byId('review').hidden = false;
  byId('result').hidden = true;
  setPhase('review');
  render(session, notice);
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
  byId('review-title').focus();
}

function render({ of, review }: Session, notice?: string, changed?: Shown['changed']): void {
  renderReview(review, { ...of.view(review), of, notice, changed });
}

/** Shows changes while the user reads. */
export function renderMoved(): void {
  if (phase !== 'review' || session?.changed !== undefined) return;
  const text = session?.of.moved?.();
  if (text !== undefined) show(byId('review-notice'), text);
}

/** Cancels everything in progress. Later responses of a wallet or a node are ignored. */
export function closeSheet(): void {
  if (phase === 'closed') return;
  const [left, wasSending] = [session?.of, phase === 'sending'];
  running.abort();
  session = undefined;
  setPhase('closed');
  sheet.close();
  left?.onLeft(
    wasSending && left !== undefined
      ? `You stopped waiting. The ${left.noun} was sent and may still happen: look at your balance in a while, before you try again.`
      : undefined,
  );
}

async function sign(): Promise<void> {
  if (phase !== 'review' || isBusy(signButton) || session === undefined) return;
  const own = session;
  const { of, signal } = own;
  if (!byId('review-consent').hidden && !consent.checked) {
    show(problemPlace, 'Tick the box above first: it says what you may lose.');
    consent.focus();
    return;
  }
  show(problemPlace, undefined);
  try {
    const outdated = own.changed === undefined ? of.outdated?.() : undefined;
    if (outdated === undefined) return await signAndSend(own);
    setBusy(signButton, 'Quoting again…');
    await of.rebuild?.(outdated);
  } catch (error) {
    if (!signal.aborted) showProblem(error);
  }
}

async function signAndSend(own: Session): Promise<void> {
  const { of, signal, review, changed } = own;
  const { client, chain } = of.connection;
  let [added, sentAt] = [0, 0];
  const sending = () => {
    setPhase('sending');
    of.onSending?.();
    sentAt = performance.now();
    tellStatus(`${addedInWords(added)}Sending…`);
  };
  const observe = (event: SignAndSubmitEvent) => {
    if (event.type === 'asking')
      tellStatus(
        event.signer === of.lastSigner?.address
          ? of.lastSigner.status
          : `Look at ${nameOf(of.wallet)}: it asks for your signature.`,
      );
    else if (event.type === 'signed') {
      added = event.signed.added.length;
      sending();
    } else if (event.type === 'no-answer')
      tellStatus(`The node does not answer. The ${of.noun} may be under way: the page keeps asking.`);
    else if (event.type !== 'rejected')
      tellStatus(`${addedInWords(added)}Sent. Waiting until the cluster confirms it…`);
  };
  if (changed === undefined) setPhase('signing');
  else sending();
  const options = { abortSignal: signal, observe };
  const outcome =
    changed === undefined
      ? await signAndSubmitTransaction(client, review.built, {
          sign: signerOf(of.wallet, of.account, chain),
          lastSigner: of.lastSigner,
          ...options,
        })
      : await submitTransaction(client, changed.tx, { ...changed.built.lifetime, ...options });
  if (signal.aborted) return;
  if (outcome.status === 'changed') await showChanged(own, outcome);
  else if (outcome.status === 'expired') await renew(own);
  else if (outcome.status === 'landed')
    await showReceipt(own, { ...outcome, added, landedAfterMs: performance.now() - sentAt });
  else if (outcome.status === 'failed')
    throw new Problem(
      undefined,
      // In production builds, kit's messages are numbers.
      `The transaction failed, and nothing was ${of.done}. ${outcome.error.message.replace(/Solana error #(\d+);.*$/s, 'error $1.')}`,
    );
  else throw outcome.error;
}

const addedInWords = (count: number) => (count === 0 ? '' : `Your wallet added ${checksInWords(count)}. `);

async function showReceipt(own: Session, landed: Landed): Promise<void> {
  // From here on, closing the sheet only closes the receipt.
  phase = 'done';
  const receipt = await own.of.receipt();
  if (session !== own) return;
  open = receipt.open?.act;
  renderReceipt(receipt, own.of.connection, landed);
  byId('review').hidden = true;
  byId('result').hidden = false;
  sheet.scrollTop = 0;
  byId('result-title').focus();
}

/** The block hash expired: the same transaction gets a fresh one when it is signed again. */
async function renew(own: Session): Promise<void> {
  const { of, signal } = own;
  const review = await reviewOf(of, own.review.built, signal);
  Object.assign(own, { review, changed: undefined });
  setPhase('review');
  render(
    own,
    `It took too long: the cluster no longer takes that transaction, and nothing was ${of.done}. This is the same one with a fresh block hash. Sign it again.`,
  );
  renderMoved();
  byId('review-title').focus();
}

/** Some wallets change what they sign. Show the change before sending. */
async function showChanged(own: Session, changed: ChangedTransaction): Promise<void> {
  const { of, signal } = own;
  const { client } = of.connection;
  const inspection = await inspectTransaction(changed.tx, {
    client,
    owner: ownerOf(of),
    abortSignal: signal,
  });
  if (of.canSendChanged) own.changed = changed;
  setPhase('review');
  render(
    own,
    of.canSendChanged
      ? 'Your wallet changed the transaction before it signed it. Nothing is sent yet. Look at each step below: this is what it signed.'
      : `Your wallet changed the ${of.noun} before it signed it, so it was not sent. The steps below are what it signed. Ask it again, or use another wallet.`,
    { inspection, steps: describeSteps(inspection, wordsOf(of)) },
  );
  byId('review').querySelector('details')?.setAttribute('open', '');
  byId('review-title').focus();
}

signButton.addEventListener('click', () => void sign());
for (const id of ['cancel', 'review-close']) byId(id).addEventListener('click', closeSheet);
byId('again').addEventListener('click', (event) => {
  // The second half of a double click on "Confirm" would close the receipt unread.
  if (event.detail < 2) closeSheet();
});
byId('result-open').addEventListener('click', () => {
  const act = open;
  closeSheet();
  act?.();
});
closesBeside(sheet, closeSheet);
sheet.addEventListener('cancel', (event) => {
  // Escape closes it like the buttons.
  event.preventDefault();
  closeSheet();
});
