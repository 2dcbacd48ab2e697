// Sends a signed transaction and follows it until it is confirmed, has failed, or can't arrive any more.
import {
  type Base64EncodedWireTransaction,
  getBase58Decoder,
  getBase64Decoder,
  getTransactionDecoder,
  isSolanaError,
  type ReadonlyUint8Array,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  signatureBytes,
  verifySignature,
} from '@solana/kit';
import {
  assertSignedTransactionMatches,
  type BuiltTransaction,
  explainTransactionFailure,
  isHeavenError,
} from 'heaven-pools';

import { type Connection, TIMEOUT_MS } from './connection.js';
import { Problem } from './messages.js';

/** The block hash is too old: a fresh one and a new signature will do. */
export class ExpiredError extends Error {
  override readonly name = 'ExpiredError';
}

export interface SignedTransaction {
  readonly tx: Base64EncodedWireTransaction;
  readonly signature: Signature;
  /** Whether the wallet signed something else than it was given, apart from the assertions that wallets add. */
  readonly isChanged: boolean;
}

/** Looks at what the wallet gave back: whether it signed, and what. */
export async function readSigned(
  built: BuiltTransaction,
  signed: ReadonlyUint8Array,
  account: { readonly publicKey: ReadonlyUint8Array },
): Promise<SignedTransaction> {
  const wrong = new Problem(
    undefined,
    'The wallet gave back something that is not signed by it. Nothing was sent.',
  );
  let transaction: ReturnType<ReturnType<typeof getTransactionDecoder>['decode']>;
  try {
    transaction = getTransactionDecoder().decode(signed);
  } catch {
    throw wrong;
  }
  const { messageBytes, signatures } = transaction;
  const [first] = Object.values(signatures);
  const [payer] = Object.keys(signatures);
  if (first === null || first === undefined || payer !== built.requiredSigners[0]) throw wrong;
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(account.publicKey), 'Ed25519', false, [
    'verify',
  ]);
  if (!(await verifySignature(key, signatureBytes(first), messageBytes))) throw wrong;
  return {
    tx: getBase64Decoder().decode(signed) as Base64EncodedWireTransaction,
    signature: getBase58Decoder().decode(first) as Signature,
    isChanged: await isOther(signed, built),
  };
}

/** The assertions that Phantom and Solflare add only make a transaction fail; whatever else is changed has to be looked at. */
async function isOther(signed: ReadonlyUint8Array, built: BuiltTransaction): Promise<boolean> {
  try {
    await assertSignedTransactionMatches(signed, built);
    return false;
  } catch (error) {
    if (isHeavenError(error, 'transaction-mismatch')) return true;
    throw error;
  }
}

const POLL_MS = 1_000;

export interface FollowOptions {
  /** Stops following. What is sent may still arrive. */
  readonly signal: AbortSignal;
  /** Told each time the node is asked. */
  readonly onStatus: (status: 'sent' | 'no-answer') => void;
}

/**
 * Sends it, again and again while it is under way, as a node may lose it.
 *
 * @throws {ExpiredError} if it never arrived and can't any more
 * @throws {Problem} if it arrived and failed
 */
export async function sendAndFollow(
  { rpc, client }: Connection,
  { tx, signature }: SignedTransaction,
  { lifetime, instructions }: BuiltTransaction,
  { signal, onStatus }: FollowOptions,
): Promise<{ readonly slot: bigint }> {
  const within = () => ({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  const send = (skipPreflight: boolean) =>
    rpc
      .sendTransaction(tx, {
        encoding: 'base64',
        skipPreflight,
        preflightCommitment: client.commitment,
        maxRetries: 0n,
      })
      .send(within());
  try {
    await send(false);
  } catch (error) {
    if (hasCause(error, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) throw new ExpiredError();
    // The node has it, and only its answer was lost.
    if (!hasCause(error, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) {
      // What a node refuses has no effect. Of a send without an answer that is not known: it may be under way.
      if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
        throw failed(explainTransactionFailure(error)?.message);
      if (isSolanaError(error) && error.context.__code < 0) throw error;
    }
  }
  // The height first: what is not known after the last height at which it could arrive will never arrive.
  const look = async (options: typeof within) => {
    const height = await rpc.getBlockHeight({ commitment: client.commitment }).send(options());
    const { value } = await rpc.getSignatureStatuses([signature]).send(options());
    return { height, status: value[0] };
  };
  for (;;) {
    const looked = await look(within).catch(() => undefined);
    signal.throwIfAborted();
    const known = looked?.status;
    onStatus(looked === undefined ? 'no-answer' : 'sent');
    if (known && (known.confirmationStatus === 'confirmed' || known.confirmationStatus === 'finalized')) {
      if (known.err === null) return { slot: known.slot };
      const instructionPrograms = instructions.map(({ programAddress }) => programAddress);
      throw failed(explainTransactionFailure({ err: known.err, instructionPrograms })?.message);
    }
    if (looked && !known && looked.height > lifetime.lastValidBlockHeight) throw new ExpiredError();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
    if (!known) await send(true).catch(() => {});
  }
}

const failed = (why = 'The cluster gave no reason.') =>
  new Problem(
    undefined,
    // In a build for production kit has numbers for its texts.
    `The transaction failed, and nothing was traded. ${why.replace(/Solana error #(\d+);.*$/s, 'error $1.')}`,
  );

function hasCause(error: unknown, code: Parameters<typeof isSolanaError>[1]): boolean {
  return error instanceof Error && (isSolanaError(error, code) || hasCause(error.cause, code));
}
