// The launch section: what happens when. Loaded on demand.
import type { Address, TransactionPartialSigner } from '@solana/kit';
import type { WalletAccount } from '@wallet-standard/base';
import { type GrindProgress, inspectTransaction, refreshLifetime } from 'heaven-pools';

import type { Connection } from './connection.js';
import { byId, isBusy, setBusy, setText, show } from './dom.js';
import { formatAmount, formatBps, formatSol, formatUsd } from './format.js';
import {
  addLastSignature,
  buildLaunch,
  fetchTerms,
  type LaunchField,
  LaunchProblem,
  type LaunchReview,
  type LaunchTerms,
  quotePurchase,
  readLaunch,
  readPurchase,
  reviewLaunch,
  suffixOn,
} from './launch.js';
import { renderLaunchResult, renderLaunchReview } from './launch-card.js';
import { ExpiredError, explain, Problem } from './messages.js';
import { checksInWords, readSigned, type SignedTransaction, sendAndFollow } from './send.js';
import { nameOf, orAborted, signWithWallet, type UsableWallet, versionFor } from './wallets.js';

/** What the section needs of the page. */
export interface LaunchHost {
  connection(): Connection | undefined;
  signer(): { readonly wallet: UsableWallet; readonly account: WalletAccount } | undefined;
  /** Lets the user trade in a pool. */
  openPool(address: Address): void;
  /** The wallet's SOL has changed. */
  onSpent(): void;
}

type Phase = 'edit' | 'building' | 'review' | 'signing' | 'sending';

let host: LaunchHost;
let phase: Phase = 'edit';
let review: LaunchReview | undefined;
let running = new AbortController();
let quoting = new AbortController();
/** A mint that was found and not sent yet: the search need not be repeated. */
let mint: { readonly on: Connection; readonly signer: TransactionPartialSigner } | undefined;
let terms: { readonly on: Connection; readonly read: Promise<LaunchTerms> } | undefined;
/** Whether the review shows what the wallet made of the launch. It is not sent. */
let isChanged = false;

const FIELDS: Readonly<Record<LaunchField, HTMLInputElement>> = {
  name: byId('launch-name'),
  symbol: byId('launch-symbol'),
  uri: byId('launch-uri'),
  purchase: byId('launch-purchase'),
};
const buildButton = byId<HTMLButtonElement>('launch-build');
const stopButton = byId<HTMLButtonElement>('launch-stop');
const signButton = byId<HTMLButtonElement>('launch-sign');
const cancelButton = byId<HTMLButtonElement>('launch-cancel');

/** Starts the section. Call it once. */
export function startLaunchPanel(given: LaunchHost): void {
  host = given;
  byId('launch-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void build();
  });
  for (const [field, input] of Object.entries(FIELDS)) {
    input.addEventListener('input', () => {
      showFieldProblem(field as LaunchField, undefined);
      show(byId('launch-problem'), undefined);
      if (field === 'purchase') askForCost();
    });
  }
  stopButton.addEventListener('click', () => {
    endLaunch();
    buildButton.focus();
  });
  signButton.addEventListener('click', () => void sign());
  cancelButton.addEventListener('click', cancel);
  byId('launch-again').addEventListener('click', () => {
    byId('launch-result').hidden = true;
    FIELDS.name.focus();
  });
  byId('launch-trade').addEventListener('click', () => {
    const { pool } = byId('launch-trade').dataset;
    if (pool !== undefined) host.openPool(pool as Address);
  });
}

/** Ends what is under way, such as for another account. What a wallet or a node answers after that is left alone. */
export function endLaunch(isDone = false): void {
  const wasSending = phase === 'sending' && !isDone;
  running.abort();
  review = undefined;
  isChanged = false;
  setPhase('edit');
  if (wasSending)
    show(
      byId('launch-problem'),
      'You stopped waiting. The launch was sent and may still happen: look at your balance in a while, before you launch again.',
    );
}

function setPhase(next: Phase): void {
  phase = next;
  byId<HTMLFieldSetElement>('launch-fields').disabled = next !== 'edit';
  setBusy(
    buildButton,
    next === 'edit' ? undefined : next === 'building' ? 'Building…' : 'Under review below',
  );
  stopButton.hidden = next !== 'building';
  if (next !== 'building') show(byId('launch-progress'), undefined);
  setBusy(
    signButton,
    next === 'signing' ? 'Waiting for your wallet…' : next === 'sending' ? 'Sending…' : undefined,
  );
  byId('launch-review').hidden = next === 'edit' || next === 'building';
  setText(cancelButton, next === 'sending' ? 'Stop waiting' : next === 'signing' ? 'Cancel' : 'Change it');
}

// Fields

function showFieldProblem(field: LaunchField, message: string | undefined): void {
  if (message === undefined) FIELDS[field].removeAttribute('aria-invalid');
  else FIELDS[field].setAttribute('aria-invalid', 'true');
  show(byId(`launch-${field}-problem`), message);
}

/** Shows a problem at its field, or below the form, and goes there. */
function showProblem(error: unknown): void {
  if (error instanceof LaunchProblem) {
    showFieldProblem(error.launchField, error.message);
    FIELDS[error.launchField].focus();
    return;
  }
  show(byId('launch-problem'), explain(error).message);
  byId('launch-problem').focus();
}

async function termsOn(connection: Connection): Promise<LaunchTerms> {
  if (terms?.on !== connection) terms = { on: connection, read: fetchTerms(connection) };
  try {
    return await terms.read;
  } catch (error) {
    terms = undefined;
    throw error;
  }
}

const TYPING_MS = 300;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Tells what the purchase costs, once nothing is typed for a moment. */
function askForCost(): void {
  clearTimeout(typing);
  quoting.abort();
  quoting = new AbortController();
  setText(byId('launch-cost'), '');
  if (FIELDS.purchase.value.trim() === '') return;
  const { signal } = quoting;
  typing = setTimeout(() => void showCost(signal), TYPING_MS);
}

async function showCost(signal: AbortSignal): Promise<void> {
  const connection = host.connection();
  if (connection === undefined) return;
  try {
    const known = await termsOn(connection);
    const amount = readPurchase(FIELDS.purchase.value, known);
    if (amount === 0n) return;
    const { costLamports, costUsd } = await quotePurchase(connection, known, amount, signal);
    if (signal.aborted) return;
    const share = formatBps(Number((amount * 1_000_000n) / known.supply) / 100);
    setText(
      byId('launch-cost'),
      `At most ${formatSol(costLamports)} (${formatUsd(costUsd)}), for ${share} of the supply. That is 1 % more than it costs now.`,
    );
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof LaunchProblem) showFieldProblem(error.launchField, error.message);
    else showFieldProblem('purchase', explain(error).message);
  }
}

// Building

async function build(): Promise<void> {
  if (phase !== 'edit') return;
  byId('launch-result').hidden = true;
  show(byId('launch-problem'), undefined);
  const connection = host.connection();
  if (connection === undefined) {
    showProblem(new Problem(undefined, 'Not connected yet. Try again in a moment, or check Network.'));
    return;
  }
  running = new AbortController();
  const { signal } = running;
  setPhase('building');
  try {
    const known = await termsOn(connection);
    if (signal.aborted) return;
    const { name, symbol, uri, purchase } = FIELDS;
    const typed = { name: name.value, symbol: symbol.value, uri: uri.value, purchase: purchase.value };
    const input = readLaunch(typed, known);
    const signer = host.signer();
    if (signer === undefined) throw new Problem(undefined, 'Connect a wallet first, at the top of the page.');
    const payer = signer.account.address as Address;
    const built = await buildLaunch(connection, known, input, {
      payer,
      transactionVersion: versionFor(signer.wallet),
      mint: mint?.on === connection ? mint.signer : undefined,
      onProgress: progressShower(suffixOn(connection)),
      abortSignal: signal,
    });
    if (built.mintSigner !== undefined) mint = { on: connection, signer: built.mintSigner };
    show(byId('launch-progress'), `Found ${built.mint}.`);
    const made = await reviewLaunch(connection, { input, terms: known, built }, payer, signal);
    if (signal.aborted) return;
    review = made;
    setPhase('review');
    renderReview();
    byId('launch-review-title').focus();
  } catch (error) {
    if (signal.aborted) return;
    endLaunch();
    showProblem(error);
  }
}

const PROGRESS_MS = 1_000;

/** Tells how the search goes, but not so often that a screen reader does nothing else. */
function progressShower(suffix: string): (progress: GrindProgress) => void {
  const { signal } = running;
  let last = Number.NEGATIVE_INFINITY;
  return ({ attempts, expectedAttempts }) => {
    const now = performance.now();
    if (signal.aborted || now - last < PROGRESS_MS) return;
    last = now;
    show(
      byId('launch-progress'),
      `Searching for an address of the token that ends in ${suffix}: ${formatAmount(BigInt(attempts), 0)} tried, ${formatAmount(BigInt(expectedAttempts), 0)} on average.`,
    );
  };
}

function renderReview(notice?: string): void {
  const signer = host.signer();
  if (review === undefined || signer === undefined) return;
  renderLaunchReview(review, {
    owner: signer.account.address as Address,
    isModel: host.connection()?.model !== undefined,
    notice,
    isChanged,
  });
}

// Signing

async function sign(): Promise<void> {
  const [at, signer] = [host.connection(), host.signer()];
  if (phase !== 'review' || isBusy(signButton)) return;
  if (review === undefined || at === undefined || signer === undefined) return;
  const { signal } = running;
  const owner = signer.account.address as Address;
  show(byId('launch-review-problem'), undefined);
  try {
    setPhase('signing');
    tellStatus(`Look at ${nameOf(signer.wallet)}: it asks for your signature.`);
    // As late as can be: a block hash lives 150 blocks, and people take their time over a wallet's question.
    const built = await refreshLifetime(at.client, review.built, { abortSignal: signal });
    if (signal.aborted) return;
    review = { ...review, built };
    const bytes = Uint8Array.from(atob(built.tx), (letter) => letter.charCodeAt(0));
    const answer = await orAborted(signWithWallet(signer.wallet, signer.account, bytes, at.chain), signal);
    const signed = await readSigned(built, answer, signer.account, [built.mint]);
    if (signal.aborted) return;
    if (signed.isChanged) return await showChanged(at, signed, owner, signal);
    const complete = await addLastSignature(signed, built);
    if (signal.aborted) return;
    setPhase('sending');
    // From here on it may exist.
    mint = undefined;
    const { slot } = await orAborted(send(at, complete, signal), signal);
    showResult(at, complete, slot);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ExpiredError) return await refresh(at, owner, signal);
    setPhase('review');
    tellStatus('');
    show(byId('launch-review-problem'), explain(error).message);
    byId('launch-review-problem').focus();
  }
}

const tellStatus = (text: string) => setText(byId('launch-review-status'), text);

async function send(at: Connection, signed: SignedTransaction, signal: AbortSignal) {
  if (review === undefined) throw new Error('Nothing is under review.');
  const added = signed.added.length === 0 ? '' : `Your wallet added ${checksInWords(signed.added.length)}. `;
  tellStatus(`${added}Sending…`);
  return await sendAndFollow(at, signed, review.built, {
    signal,
    onStatus: (status) =>
      tellStatus(
        status === 'sent'
          ? `${added}Sent. Waiting until the cluster confirms it…`
          : 'The node does not answer. The launch may be under way: the page keeps asking.',
      ),
  });
}

/** The block hash was too old. The same launch gets a fresh one, and is signed again. */
async function refresh(at: Connection, owner: Address, signal: AbortSignal): Promise<void> {
  if (review === undefined) return;
  try {
    const built = await refreshLifetime(at.client, review.built, { abortSignal: signal });
    const made = await reviewLaunch(at, { ...review, built }, owner, signal);
    if (signal.aborted) return;
    review = made;
    isChanged = false;
    setPhase('review');
    renderReview(
      'It took too long: the cluster no longer takes that transaction, and nothing was launched. This is the same one with a fresh block hash. Sign it again.',
    );
    byId('launch-review-title').focus();
  } catch (error) {
    if (signal.aborted) return;
    setPhase('review');
    show(byId('launch-review-problem'), explain(error).message);
    byId('launch-review-problem').focus();
  }
}

/** The mint's key signs nothing but the launch, so that what the wallet made of it can only be looked at. */
async function showChanged(
  at: Connection,
  { tx }: SignedTransaction,
  owner: Address,
  signal: AbortSignal,
): Promise<void> {
  if (review === undefined) return;
  const inspection = await inspectTransaction(tx, { client: at.client, owner, abortSignal: signal });
  if (signal.aborted) return;
  isChanged = true;
  setPhase('review');
  const { inspection: asked } = review;
  review = { ...review, inspection };
  renderReview(
    'Your wallet changed the launch before it signed it, so it was not sent. The steps below are what it signed. You can ask it again, or use another wallet.',
  );
  review = { ...review, inspection: asked };
  byId('launch-review').querySelector('details')?.setAttribute('open', '');
  byId('launch-review-title').focus();
}

function showResult(at: Connection, signed: SignedTransaction, slot: bigint): void {
  const done = review;
  endLaunch(true);
  if (done === undefined) return;
  for (const input of Object.values(FIELDS)) input.value = '';
  askForCost();
  renderLaunchResult(at, done, signed, slot);
  byId('launch-trade').dataset.pool = done.built.pool;
  byId('launch-result').hidden = false;
  byId('launch-result-title').focus();
  host.onSpent();
}

function cancel(): void {
  const wasSending = phase === 'sending';
  endLaunch();
  if (wasSending) {
    byId('launch-problem').focus();
    host.onSpent();
  } else FIELDS.name.focus();
}
