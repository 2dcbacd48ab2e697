import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64Encoder,
  type Signature,
  type TransactionPartialSigner,
} from '@solana/kit';
import { HeavenError, isHeavenError } from '../base/errors.js';
import { assertFunction, assertHas, assertNames, inputError, invalidInput } from '../base/input.js';
import type { HeavenClient, HeavenSubmitRpc } from '../program/client.js';
import {
  type AcceptedFee,
  assertAcceptedFee,
  assertSignatures,
  assertSignedTransactionMatches,
  readSignedTransaction,
  type SignedTransaction,
} from '../review/assert-signed-transaction-matches.js';
import { readWireTransaction } from '../solana/message.js';
import { notify } from '../solana/rpc/notify.js';
import { wireTextOf } from '../solana/wire-text.js';
import { assertBuilt, type BuiltTransaction } from '../transaction/built.js';
import { refreshLifetime } from '../transaction/refresh-lifetime.js';
import type { BuiltTrade } from '../transaction/trade.js';
import type { SubmitEvent } from './node.js';
import { type DeclinedError, type Requote, renew, type TradeQuote } from './requote.js';
import { assertSignedBy, assertSubmittable, notSigned, signatureOf } from './signed-by.js';
import {
  type SubmitOptions,
  type SubmitResult,
  type SubmittableTransaction,
  submitTransaction,
} from './submit-transaction.js';

/** Asks a wallet for its signature. Takes the transaction's bytes, and returns the signed transaction. */
export type SignTransactionBytes = (
  transaction: Uint8Array<ArrayBuffer>,
) => Promise<SubmittableTransaction | undefined>;

/** Who signs after the wallet, and only what the wallet was given: a kit signer, or a second wallet. */
export type LastSigner =
  | TransactionPartialSigner
  | { readonly address: Address; readonly sign: SignTransactionBytes };

/** A step of {@link signAndSubmitTransaction}: that a new quote is signed instead, who is asked to sign, then `signed`, then those of {@link submitTransaction}. */
export type SignAndSubmitEvent =
  | { readonly type: 'requoted'; readonly quote: TradeQuote }
  | { readonly type: 'asking'; readonly signer: Address }
  /** All signatures are there and checked. It is sent next: from here on, it may land. */
  | { readonly type: 'signed'; readonly signed: SignedTransaction }
  | SubmitEvent;

/** Who signs, and how {@link submitTransaction} sends it. */
export interface SignAndSubmitOptions
  extends Omit<SubmitOptions, 'lastValidBlockHeight' | 'blockhash' | 'mayBeUnderWay' | 'observe'> {
  /** Asks the wallet of the builder's `payer`. What it throws, such as a rejection by the user, is thrown unchanged. */
  readonly sign: SignTransactionBytes;
  /**
   * Who signs after the wallet, in this order, such as a sponsor. Default: the `mintSigner` of a launch that the wallet signs first; name
   * it too if you name a sponsor.
   */
  readonly lastSigner?: LastSigner | readonly LastSigner[] | undefined;
  /**
   * A priority fee that a wallet may set itself. Some set theirs in place of the builder's, however often they are asked. Default: none, so
   * that the result is `changed`.
   */
  readonly acceptFee?: AcceptedFee | undefined;
  /** Called with each step. */
  readonly observe?: ((event: SignAndSubmitEvent) => void) | undefined;
}

/** {@link SignAndSubmitOptions} for a trade whose quote is made again before the wallet is asked, if it is old. */
export interface RequoteOptions<TBuilt extends BuiltTrade, TQuote extends TradeQuote>
  extends SignAndSubmitOptions {
  readonly requote: Requote<TQuote, TBuilt>;
}

/** The wallet signed another transaction than it was given. Nothing was sent. */
export interface ChangedTransaction<TBuilt extends BuiltTransaction = BuiltTransaction> {
  readonly status: 'changed';
  /**
   * What the wallet signed. To send it anyway, show it to the user with {@link inspectTransaction}, and pass it to
   * {@link submitTransaction} with `built.lifetime`.
   */
  readonly tx: Base64EncodedWireTransaction;
  /** `undefined` if a sponsor, who has not signed yet, pays the fees. */
  readonly signature: Signature | undefined;
  /** How it differs. */
  readonly error: HeavenError<'transaction-mismatch'>;
  /** What the wallet was given. */
  readonly built: TBuilt;
}

/** The quote was old, and the new one, or what was built from it, was worse and not accepted. Nobody was asked to sign. */
export interface DeclinedQuote<
  TBuilt extends BuiltTransaction = BuiltTransaction,
  TQuote extends TradeQuote = TradeQuote,
> {
  readonly status: 'declined';
  /** The new quote. */
  readonly quote: TQuote;
  /** How it is worse: the quote (`quote-mismatch`), or what was built from it (`transaction-mismatch`). */
  readonly error: DeclinedError;
  /** What was made from the quote that the user saw. */
  readonly built: TBuilt;
}

/** No node can say what happened. It may have landed, or may still land. */
export interface UnknownSubmission {
  readonly status: 'outcome-unknown';
  /**
   * Look for it before you sign another transaction, or pass `signed.tx`, with `built.lifetime` and `mayBeUnderWay: true`, to
   * {@link submitTransaction}.
   */
  readonly signature: Signature;
  readonly error: HeavenError<'outcome-unknown'>;
}

/** What became of a transaction, from the wallet to the cluster. `status` says which it is. */
export type SignAndSubmitResult<TBuilt extends BuiltTransaction = BuiltTransaction> =
  | ((SubmitResult | UnknownSubmission) & {
      /** What was sent, with what the wallet added. */
      readonly signed: SignedTransaction;
      /** The transaction with the block hash that it was signed with. */
      readonly built: TBuilt;
    })
  | ChangedTransaction<TBuilt>;

/** A built transaction; a launch's may have a mint that signs last. */
interface SignableTransaction extends BuiltTransaction {
  readonly mintSigner?: TransactionPartialSigner | undefined;
}

const METHOD = 'signAndSubmitTransaction';

/** The same for a trade whose quote is made again before the wallet is asked, if it is old. */
export async function signAndSubmitTransaction<TBuilt extends BuiltTrade, TQuote extends TradeQuote>(
  client: HeavenClient<HeavenSubmitRpc>,
  built: TBuilt,
  options: RequoteOptions<TBuilt, TQuote>,
): Promise<SignAndSubmitResult<TBuilt> | DeclinedQuote<TBuilt, TQuote>>;
/**
 * Takes a built transaction from the wallet to its outcome. Gives it a fresh block hash, since users take their time
 * to review, lets the wallet sign, and checks what comes back with {@link assertSignedTransactionMatches}. What the wallet
 * changed is not sent but returned as `changed`. Then the last signers sign, if there are any, and
 * {@link submitTransaction} follows the transaction until it has `landed`, `failed` or `expired`.
 *
 * A `feePayer` may sign after the wallet, as `lastSigner`, or before it: in `built`, which then keeps its block hash, or within `sign`,
 * on the fresh one.
 *
 * With `requote`, a quote that is older than you allow is made again first. A worse one goes to the wallet only if you accept it, and so
 * does a transaction that differs in more than the trade's amounts; otherwise the result is `declined`.
 *
 * After `expired`, call it again with the same transaction.
 *
 * @param built A builder's result that nobody but a sponsor has signed yet.
 * @returns The outcome, with what was signed.
 * @throws {HeavenError} `transaction-not-signed` (the wallet returned nothing, or something that it has not
 * signed, or another has to sign too), `transaction-mismatch` (another signature is gone or not valid), `invalid-transaction` (somebody but a sponsor has signed before),
 * `quote-mismatch` (`requote` made another trade), `invalid-input`, and the `rpc-…` codes: nothing was sent. `aborted`: if its context has a `signature`, it may still land.
 * Otherwise, whatever `sign` throws
 * @example
 * ```ts
 * const wallet = await createPracticeWallet({ guards: 'phantom' }); // in a page: the user's
 * const built = await buildBuy(client, { ...input, payer: wallet.address });
 * const result = await signAndSubmitTransaction(client, built, { sign: wallet.signTransaction });
 * if (result.status === 'landed') console.log(result.signature, result.signed.added.length);
 * else if (result.status === 'expired') console.log('It took too long, and nothing happened. Sign it again.');
 * else console.error(result.error.message);
 * ```
 */
export async function signAndSubmitTransaction<TBuilt extends SignableTransaction>(
  client: HeavenClient<HeavenSubmitRpc>,
  built: TBuilt,
  options: SignAndSubmitOptions,
): Promise<SignAndSubmitResult<TBuilt>>;
export async function signAndSubmitTransaction(
  client: HeavenClient<HeavenSubmitRpc>,
  built: SignableTransaction,
  options: SignAndSubmitOptions & { readonly requote?: Requote },
): Promise<SignAndSubmitResult | DeclinedQuote> {
  assertHas(options, 'sign', 'options', 'an object with sign, a function that asks the wallet');
  assertNames(options, 'options', {
    sign: 1,
    lastSigner: 1,
    acceptFee: 1,
    requote: 1,
    observe: assertFunction,
    abortSignal: 1,
    rpcs: 1,
    send: assertFunction,
    skipPreflight: 1,
  });
  assertBuilt(built);
  const { sign, lastSigner, requote, acceptFee, observe, ...sending } = options;
  const { abortSignal } = sending;
  if (acceptFee !== undefined) assertAcceptedFee(acceptFee);
  if (typeof sign !== 'function') throw invalidInput('sign', sign, 'a function that asks the wallet');
  let current = built;
  if (requote) {
    const { quote, declined, ...requoted } = await untilAborted(
      () => renew(client, built as BuiltTrade, requote, { abortSignal }),
      abortSignal,
    );
    if (declined) return { status: 'declined', quote, error: declined, built };
    if (quote) notify(observe, { type: 'requoted', quote });
    current = requoted.built;
  }
  const [first] = readWireTransaction(current.tx).signatures;
  const feePayer = first?.address;
  // A sponsor's signature covers the block hash.
  const isSponsored = feePayer !== current.payer && first?.signature !== undefined;
  const fresh = isSponsored ? current : await refreshLifetime(client, current, { abortSignal });
  const given = readWireTransaction(fresh.tx);
  const lastSigners = [lastSigner ?? built.mintSigner ?? []].flat();
  assertSubmittable(given, 'built');
  if (isSponsored) await assertSignedBy(given, first.address);
  const payer = walletOf(fresh, feePayer);
  for (const signer of lastSigners) assertLastSigner(signer, payer, fresh);
  const { programAddress } = client.deployment;

  notify(observe, { type: 'asking', signer: payer });
  const answer = await untilAborted(() => sign(bytesOf(fresh.tx)), abortSignal);
  const tx = textOf(answer, payer);
  const wire = readWireTransaction(tx);
  if (wire.signatures[0]?.address !== feePayer) throw notSigned(payer, 'missing');
  await assertSignedBy(wire, payer);
  const missingSigners = lastSigners.map(({ address }) => address);
  let read: ReturnType<typeof readSignedTransaction>;
  try {
    read = readSignedTransaction(tx, fresh, { missingSigners, acceptFee, programAddress });
  } catch (error) {
    if (!isHeavenError(error, 'transaction-mismatch')) throw error;
    const signature = wire.signatures[0]?.signature && signatureOf(wire);
    return { status: 'changed', tx, signature, error, built: fresh };
  }
  // One that was there and is gone is the wallet's doing.
  const lacking = wire.signatures.find(
    ({ address, signature }, index) =>
      signature === undefined &&
      given.signatures[index]?.signature === undefined &&
      !missingSigners.includes(address),
  );
  if (lacking) throw notSigned(lacking.address, 'missing');
  // The wallet's signature is valid. If another is not, nobody could send this.
  let signed = await assertSignatures(read);
  for (const [index, signer] of lastSigners.entries()) {
    notify(observe, { type: 'asking', signer: signer.address });
    const answered = textOf(await untilAborted(() => signLast(signer, signed), abortSignal), signer.address);
    const later = { missingSigners: missingSigners.slice(index + 1), acceptFee, programAddress };
    signed = await assertSignedTransactionMatches(answered, fresh, later);
  }
  notify(observe, { type: 'signed', signed });
  try {
    const result = await submitTransaction(client, signed.tx, { ...sending, ...fresh.lifetime, observe });
    return { ...result, signed, built: fresh };
  } catch (error) {
    if (!isHeavenError(error, 'outcome-unknown')) throw error;
    const signature = signatureOf(readWireTransaction(signed.tx));
    return { status: 'outcome-unknown', signature, error, signed, built: fresh };
  }
}

const bytesOf = (tx: string) => Uint8Array.from(getBase64Encoder().encode(tx));

/** Whose wallet is asked: the payer's, unless a sponsor leaves nothing for it to pay in the trade of another. */
const walletOf = ({ payer, requiredSigners }: BuiltTransaction, feePayer: Address | undefined): Address =>
  requiredSigners.includes(payer) ? payer : (requiredSigners.find((signer) => signer !== feePayer) ?? payer);

function assertLastSigner({ address }: LastSigner, wallet: Address, { requiredSigners }: BuiltTransaction) {
  if (address !== wallet && requiredSigners.includes(address)) return;
  throw inputError(
    'lastSigner',
    `The transaction needs no signature from ${address} after the wallet's. Leave lastSigner out.`,
    address,
  );
}

/** Waits for a person, whose dialog may stay open forever. */
function untilAborted<T>(ask: () => Promise<T>, abortSignal: AbortSignal | undefined): Promise<T> {
  if (!abortSignal) return ask();
  return new Promise((resolve, reject) => {
    const message = `${METHOD} was aborted by the caller. Nothing was sent.`;
    const abort = () => reject(new HeavenError('aborted', message, { method: METHOD }));
    if (abortSignal.aborted) return abort();
    const work = ask();
    const stopListening = () => abortSignal.removeEventListener('abort', abort);
    abortSignal.addEventListener('abort', abort);
    if (abortSignal.aborted) abort();
    Promise.resolve(work).then(resolve, reject).finally(stopListening);
  });
}

/** The transaction that a signer returned: a copy that nobody else can change. */
function textOf(answer: SubmittableTransaction | undefined, signer: Address): Base64EncodedWireTransaction {
  try {
    const tx = wireTextOf(answer);
    readWireTransaction(tx);
    return tx;
  } catch (cause) {
    throw notSigned(signer, 'missing', cause);
  }
}

/** The transaction with the last signature. The caller checks it: a second wallet may return anything. */
async function signLast(
  lastSigner: LastSigner,
  { tx, transaction }: SignedTransaction,
): Promise<SubmittableTransaction | undefined> {
  if ('sign' in lastSigner) return await lastSigner.sign(bytesOf(tx));
  type Signable = Parameters<TransactionPartialSigner['signTransactions']>[0][number];
  const [added] = await lastSigner.signTransactions([transaction as Signable]);
  return { ...transaction, signatures: { ...transaction.signatures, ...added } };
}
