import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64Encoder,
  type Signature,
  type TransactionPartialSigner,
} from '@solana/kit';
import { HeavenError, isHeavenError } from '../base/errors.js';
import { assertHas, inputError, invalidInput } from '../base/input.js';
import type { HeavenClient, HeavenSubmitRpc } from '../client.js';
import {
  assertSignatures,
  assertSignedTransactionMatches,
  readSignedTransaction,
  type SignedTransaction,
} from '../review/assert-signed-transaction-matches.js';
import { readWireTransaction } from '../solana/message.js';
import { notify } from '../solana/rpc/notify.js';
import { wireTextOf } from '../solana/wire-text.js';
import type { BuiltTransaction } from '../transaction/assemble.js';
import { refreshLifetime } from '../transaction/refresh-lifetime.js';
import type { SubmitEvent } from './node.js';
import { assertCanExpire, assertSignedBy, notSigned, signatureOf } from './signed-by.js';
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

/** A step of {@link signAndSubmitTransaction}: who is asked to sign, then `signed`, then those of {@link submitTransaction}. */
export type SignAndSubmitEvent =
  | { readonly type: 'asking'; readonly signer: Address }
  /** All signatures are there and checked. It is sent next: from here on, it may land. */
  | { readonly type: 'signed'; readonly signed: SignedTransaction }
  | SubmitEvent;

/** Who signs, and how {@link submitTransaction} sends it. */
export interface SignAndSubmitOptions
  extends Omit<SubmitOptions, 'lastValidBlockHeight' | 'blockhash' | 'mayBeUnderWay' | 'observe'> {
  /** Asks the fee payer's wallet. What it throws, such as a rejection by the user, is thrown unchanged. */
  readonly sign: SignTransactionBytes;
  /** Who signs after the wallet. Default: the `mintSigner` of a launch that the wallet signs first. */
  readonly lastSigner?: LastSigner | undefined;
  /** Called with each step. */
  readonly observe?: ((event: SignAndSubmitEvent) => void) | undefined;
}

/** The wallet signed another transaction than it was given. Nothing was sent. */
export interface ChangedTransaction<TBuilt extends BuiltTransaction = BuiltTransaction> {
  readonly status: 'changed';
  /**
   * What the wallet signed. To send it anyway, show it to the user with {@link inspectTransaction}, and pass it to {@link
   * submitTransaction} with `built.lifetime`.
   */
  readonly tx: Base64EncodedWireTransaction;
  readonly signature: Signature;
  /** How it differs. */
  readonly error: HeavenError<'transaction-mismatch'>;
  /** What the wallet was given. */
  readonly built: TBuilt;
}

/** No node can say what happened. It may have landed, or may still land. */
export interface UnknownSubmission {
  readonly status: 'outcome-unknown';
  /**
   * Look for it before you sign another transaction, or pass `signed.tx`, with `built.lifetime` and `mayBeUnderWay: true`, to {@link
   * submitTransaction}.
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

const METHOD = 'signAndSubmitTransaction';

/**
 * Takes a built transaction from the wallet to its outcome. Gives it a fresh block hash, since users take their time
 * to review, lets the wallet sign, and checks what comes back with {@link assertSignedTransactionMatches}. What the wallet
 * changed is not sent but returned as `changed`. Then the last signer signs, if there is one, and
 * {@link submitTransaction} follows the transaction until it has `landed`, `failed` or `expired`.
 *
 * After `expired`, call it again with the same transaction.
 *
 * @param built A builder's result that nobody has signed yet.
 * @returns The outcome, with what was signed.
 * @throws {HeavenError} `transaction-not-signed` (the wallet returned nothing, or something that the fee payer has not
 * signed), `transaction-mismatch` (a later signature is missing or not valid), `invalid-transaction` (somebody has signed before),
 * `invalid-input`, and the `rpc-…` codes: nothing was sent. `aborted`: if its context has a `signature`, it may still land.
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
export async function signAndSubmitTransaction<
  TBuilt extends BuiltTransaction & { readonly mintSigner?: TransactionPartialSigner | undefined },
>(
  client: HeavenClient<HeavenSubmitRpc>,
  built: TBuilt,
  options: SignAndSubmitOptions,
): Promise<SignAndSubmitResult<TBuilt>> {
  assertHas(options, 'sign', 'options', 'an object with sign, a function that asks the wallet');
  const { sign, lastSigner = built.mintSigner, observe, ...sending } = options;
  const { abortSignal } = sending;
  if (typeof sign !== 'function') throw invalidInput('sign', sign, 'a function that asks the wallet');
  const fresh = await refreshLifetime(client, built, { abortSignal });
  const payer = fresh.requiredSigners[0] as Address;
  assertCanExpire(readWireTransaction(fresh.tx), 'built');
  if (lastSigner !== undefined) assertLastSigner(lastSigner, fresh);
  const { programAddress } = client.deployment;

  notify(observe, { type: 'asking', signer: payer });
  const answer = await untilAborted(sign(bytesOf(fresh.tx)), abortSignal);
  const tx = textOf(answer, payer);
  const wire = readWireTransaction(tx);
  if (wire.signatures[0]?.address !== payer) throw notSigned(payer, 'missing');
  await assertSignedBy(wire, payer);
  const signature = signatureOf(wire);
  const missingSigners = lastSigner === undefined ? [] : [lastSigner.address];
  let read: ReturnType<typeof readSignedTransaction>;
  try {
    read = readSignedTransaction(tx, fresh, { missingSigners, programAddress });
  } catch (error) {
    if (!isHeavenError(error, 'transaction-mismatch')) throw error;
    return { status: 'changed', tx, signature, error, built: fresh };
  }
  // The payer's signature is valid. If another is not, nobody could send this.
  let signed = await assertSignatures(read);
  if (lastSigner !== undefined) {
    notify(observe, { type: 'asking', signer: lastSigner.address });
    const last = await untilAborted(signLast(lastSigner, signed), abortSignal);
    const complete = textOf(last, lastSigner.address);
    signed = await assertSignedTransactionMatches(complete, fresh, { programAddress });
  }
  notify(observe, { type: 'signed', signed });
  try {
    const result = await submitTransaction(client, signed.tx, { ...sending, ...fresh.lifetime, observe });
    return { ...result, signed, built: fresh };
  } catch (error) {
    if (!isHeavenError(error, 'outcome-unknown')) throw error;
    return { status: 'outcome-unknown', signature, error, signed, built: fresh };
  }
}

const bytesOf = (tx: string) => Uint8Array.from(getBase64Encoder().encode(tx));

function assertLastSigner({ address }: LastSigner, { requiredSigners: [, ...others] }: BuiltTransaction) {
  if (others.includes(address)) return;
  throw inputError(
    'lastSigner',
    `The transaction needs no signature from ${address} after the wallet's. Leave lastSigner out.`,
    address,
  );
}

/** Waits for a signature. A wallet's dialog may stay open forever. */
function untilAborted<T>(work: Promise<T>, abortSignal: AbortSignal | undefined): Promise<T> {
  if (abortSignal === undefined) return work;
  return new Promise((resolve, reject) => {
    const message = `${METHOD} was aborted by the caller. Nothing was sent.`;
    const abort = () => reject(new HeavenError('aborted', message, { method: METHOD }));
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
