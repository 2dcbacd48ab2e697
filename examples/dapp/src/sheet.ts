// The sheet over the page: the user reviews and signs any transaction here, and follows it until it lands. Loaded on demand.
import { type Address, getAbortablePromise } from '@solana/kit';
import type { WalletAccount } from '@wallet-standard/base';
import { type BuiltTransaction, inspectTransaction, refreshLifetime } from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, closesBeside, isBusy, setBusy, setText, show } from './dom.js';
import { ExpiredError, explain } from './messages.js';
import type { Reviewed } from './review.js';
import { checksInWords, readSigned, type SignedTransaction, sendAndFollow } from './send.js';
import { type ReceiptView, type ReviewView, renderReceipt, renderReview } from './sheet-view.js';
import { nameOf, signWithWallet, type UsableWallet } from './wallets.js';

/** One transaction to review, and its callbacks. */
export interface Operation {
  readonly connection: Connection;
  readonly wallet: UsableWallet;
  readonly account: WalletAccount;
  /** In texts: "nothing was traded", "look again before you trade". */
  readonly done: string;
  readonly noun: string;
  /** What the sheet shows of it. */
  view(reviewed: Reviewed): ReviewView;
  /** Reads and simulates a transaction again, such as one with a fresh block hash. */
  review(built: BuiltTransaction, signal: AbortSignal): Promise<Reviewed>;
  /** Why it must be rebuilt before it is signed. The notice is shown on the new review. */
  outdated?(): string | undefined;
  rebuild?(notice: string): Promise<void>;
  /** A notice about changes while the user reads. */
  moved?(): string | undefined;
  /** A signer that signs after the wallet, and only the transaction that the wallet was given. */
  readonly lastSigner?: {
    readonly address: Address;
    /** What the user does meanwhile, if anything. */
    readonly status?: string;
    sign(signed: SignedTransaction, built: BuiltTransaction): Promise<SignedTransaction>;
  };
  /** Whether a transaction that the wallet changed may be sent after another confirmation. */
  readonly canSendChanged: boolean;
  /** Called before sending: from here on, it may land. */
  onSending?(): void;
  /** It has landed. */
  receipt(signed: SignedTransaction, slot: bigint, landedAfterMs: number): Promise<ReceiptView>;
  /** The sheet was left. `mayHappen`: it was sent, and may still land. */
  onLeft(mayHappen: string | undefined): void;
}

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
  reviewed: Reviewed;
  /** The signed transaction if the wallet changed it. */
  altered?: SignedTransaction | undefined;
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

/** Opens the sheet with a reviewed transaction. */
export function openSheet(of: Operation, first: Reviewed, notice?: string): void {
  running.abort();
  running = new AbortController();
  session = { of, signal: running.signal, reviewed: first };
  consent.checked = false;
  byId('review').hidden = false;
  byId('result').hidden = true;
  setPhase('review');
  render(session, notice);
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
  byId('review-title').focus();
}

function render({ of, reviewed, altered }: Session, notice?: string): void {
  renderReview(reviewed, {
    ...of.view(reviewed),
    owner: of.account.address as Address,
    isModel: of.connection.model !== undefined,
    notice,
    alteredLabel:
      altered === undefined
        ? undefined
        : of.canSendChanged
          ? 'Send what the wallet signed'
          : 'Ask the wallet again',
  });
}

/** Shows changes while the user reads. */
export function renderMoved(): void {
  if (phase !== 'review' || session?.altered !== undefined) return;
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
    let signed = own.altered;
    if (signed === undefined || !of.canSendChanged) {
      const outdated = of.outdated?.();
      if (outdated !== undefined) {
        setBusy(signButton, 'Quoting again…');
        await of.rebuild?.(outdated);
        return;
      }
      signed = await askWallet(own);
      if (signed === undefined || signal.aborted) return;
    }
    if (of.lastSigner !== undefined) {
      if (of.lastSigner.status !== undefined) tellStatus(of.lastSigner.status);
      signed = await getAbortablePromise(of.lastSigner.sign(signed, own.reviewed.built), signal);
    }
    if (signal.aborted) return;
    await send(own, signed);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ExpiredError) await renew(own);
    else showProblem(error);
  }
}

/** The signed transaction, or `undefined` if the wallet changed it: the change is shown first. */
async function askWallet(own: Session): Promise<SignedTransaction | undefined> {
  const { of, signal } = own;
  setPhase('signing');
  tellStatus(`Look at ${nameOf(of.wallet)}: it asks for your signature.`);
  // As late as possible: a block hash lives for 150 blocks, and users take their time in the wallet.
  const built = await refreshLifetime(of.connection.client, own.reviewed.built, { abortSignal: signal });
  if (signal.aborted) return undefined;
  own.reviewed = { ...own.reviewed, built };
  const bytes = Uint8Array.from(atob(built.tx), (letter) => letter.charCodeAt(0));
  // A wallet's dialog may stay open forever.
  const answer = await getAbortablePromise(
    signWithWallet(of.wallet, of.account, bytes, of.connection.chain),
    signal,
  );
  const others = of.lastSigner === undefined ? [] : [of.lastSigner.address];
  const signed = await readSigned(built, answer, others);
  if (signal.aborted) return undefined;
  if (!signed.isChanged) return signed;
  await showAltered(own, signed);
  return undefined;
}

async function send(own: Session, signed: SignedTransaction): Promise<void> {
  const { of, signal, reviewed } = own;
  setPhase('sending');
  of.onSending?.();
  const added = signed.added.length === 0 ? '' : `Your wallet added ${checksInWords(signed.added.length)}. `;
  tellStatus(`${added}Sending…`);
  const sentAt = performance.now();
  const { slot } = await getAbortablePromise(
    sendAndFollow(of.connection, signed, reviewed.built, {
      signal,
      done: of.done,
      onStatus: (status) =>
        tellStatus(
          status === 'sent'
            ? `${added}Sent. Waiting until the cluster confirms it…`
            : `The node does not answer. The ${of.noun} may be under way: the page keeps asking.`,
        ),
    }),
    signal,
  );
  const took = performance.now() - sentAt;
  // From here on, closing the sheet only closes the receipt.
  phase = 'done';
  const receipt = await of.receipt(signed, slot, took);
  if (session !== own) return;
  open = receipt.open?.act;
  renderReceipt(receipt, of.connection, signed);
  byId('review').hidden = true;
  byId('result').hidden = false;
  sheet.scrollTop = 0;
  byId('result-title').focus();
}

/** The block hash expired: the same transaction gets a fresh one, and is signed again. */
async function renew(own: Session): Promise<void> {
  const { of, signal } = own;
  try {
    const built = await refreshLifetime(of.connection.client, own.reviewed.built, { abortSignal: signal });
    const again = await of.review(built, signal);
    if (signal.aborted) return;
    Object.assign(own, { reviewed: again, altered: undefined });
    setPhase('review');
    render(
      own,
      `It took too long: the cluster no longer takes that transaction, and nothing was ${of.done}. This is the same one with a fresh block hash. Sign it again.`,
    );
    renderMoved();
    byId('review-title').focus();
  } catch (error) {
    if (!signal.aborted) showProblem(error);
  }
}

/** Some wallets change what they sign. Show the change before sending. */
async function showAltered(own: Session, signed: SignedTransaction): Promise<void> {
  const { of, signal, reviewed } = own;
  const inspection = await inspectTransaction(signed.tx, {
    client: of.connection.client,
    owner: of.account.address as Address,
    abortSignal: signal,
  });
  if (signal.aborted) return;
  own.altered = signed;
  setPhase('review');
  const shown = { ...reviewed, inspection, trial: { unknown: 'Your wallet changed it.' } };
  if (of.canSendChanged) own.reviewed = shown;
  render(
    { ...own, reviewed: shown },
    of.canSendChanged
      ? 'Your wallet changed the transaction before it signed it. Nothing is sent yet. Look at each step below: this is what it signed.'
      : `Your wallet changed the ${of.noun} before it signed it, so it was not sent. The steps below are what it signed. Ask it again, or use another wallet.`,
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
