import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  type Commitment,
  isSolanaError,
  type ReadonlyUint8Array,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit';

import type { HeavenSubmitRpc } from '../client.js';
import { type AnyHeavenError, isHeavenError } from '../errors.js';
import { explainTransactionFailure, type TransactionFailure } from '../program/errors.js';
import { COMMITMENTS } from '../solana/commitment.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import { explainMissingMethod } from '../solana/rpc/missing-method.js';
import { send } from '../solana/rpc/send.js';

/** A step of {@link submitTransaction}. `type` says which. `node` is 0 for the client's node, and from 1 for those in `rpcs`. */
export type SubmitEvent =
  /** The node accepted the transaction. */
  | { readonly type: 'sent'; readonly node: number }
  /** The node accepted it again. */
  | { readonly type: 'resent'; readonly node: number }
  /** The node did not accept it, at least for now: its simulation failed, or the node rejects the call. */
  | { readonly type: 'rejected'; readonly node: number; readonly error: TransactionFailure | AnyHeavenError }
  /** The node gave no valid answer. After `sendTransaction`, the transaction may be in flight. */
  | {
      readonly type: 'no-answer';
      readonly node: number;
      readonly method: SubmitMethod;
      readonly error: AnyHeavenError;
    }
  /** Your `send` resolved. */
  | { readonly type: 'sender-accepted' }
  /** Your `send` rejected, threw, or took too long (`rpc-timeout`). The transaction may still be in flight. */
  | { readonly type: 'sender-failed'; readonly error: unknown }
  /** What the node reports about the transaction. Without `confirmationStatus`, the node does not know it. */
  | {
      readonly type: 'status';
      readonly node: number;
      readonly blockHeight: bigint;
      readonly confirmationStatus: Commitment | undefined;
    };

/** The methods that {@link submitTransaction} calls. */
export type SubmitMethod =
  | 'sendTransaction'
  | 'getBlockHeight'
  | 'isBlockhashValid'
  | 'getSignatureStatuses'
  | 'getTransaction';

/** What to send, and until when. */
export interface Sending {
  readonly tx: Base64EncodedWireTransaction;
  readonly signature: Signature;
  readonly blockhash: Blockhash;
  readonly messageBytes: ReadonlyUint8Array;
  /** The program of each instruction, in order. */
  readonly programs: readonly Address[];
  /** The exchange's program address. */
  readonly programAddress: Address;
  readonly lastValidBlockHeight: bigint;
  readonly commitment: Commitment;
  readonly timeoutMs: number;
}

/** How a node responded to a transaction. Only after `rejected` is it certain that it was not forwarded. */
export type Taken =
  | { readonly how: 'accepted' }
  | { readonly how: 'lost'; readonly error: AnyHeavenError }
  /** `isFinal` is false if a later try may succeed as the node catches up. */
  | {
      readonly how: 'rejected';
      readonly error: TransactionFailure | AnyHeavenError;
      readonly isFinal: boolean;
    };

/** JSON-RPC codes: a signature, the request, its method or its params are invalid. A later try gives the same result. */
const REFUSED_CALLS: readonly unknown[] = [-32_003, -32_600, -32_601, -32_602];
const REFUSED_CALLERS: readonly unknown[] = [401, 403];

/** Sends a transaction to a node once. */
export async function sendTo(
  rpc: HeavenSubmitRpc,
  { tx, signature, programs, programAddress, commitment, timeoutMs }: Sending,
  skipPreflight: boolean,
  abortSignal: AbortSignal,
): Promise<Taken> {
  const method = 'sendTransaction';
  try {
    const request = rpc.sendTransaction(tx, {
      encoding: 'base64',
      // The SDK resends it, and must not do so past the last height.
      maxRetries: 0n,
      preflightCommitment: commitment,
      skipPreflight,
    });
    const given = await send({ timeoutMs }, method, request, { abortSignal });
    if (given !== signature) throw invalidResponse(method, 'it is the signature of another transaction');
    return { how: 'accepted' };
  } catch (thrown) {
    const error = ours(thrown);
    const { cause } = error;
    if (isNamed(cause, 'AlreadyProcessed', SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED))
      return { how: 'accepted' };
    if (isHeavenError(error, 'rpc-failed')) {
      const { rpcCode, status } = error.context;
      if (rpcCode === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE) {
        const failure = explainTransactionFailure(
          { err: cause, instructionPrograms: programs },
          { programAddress },
        );
        // A node that does not know the blockhash may just be behind.
        const isFinal = !isNamed(
          cause,
          'BlockhashNotFound',
          SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
        );
        return { how: 'rejected', error: failure ?? error, isFinal };
      }
      if (REFUSED_CALLS.includes(rpcCode) || REFUSED_CALLERS.includes(status)) {
        const refusal = explainMissingMethod(error, method) as AnyHeavenError;
        return { how: 'rejected', error: refusal, isFinal: true };
      }
    }
    return { how: 'lost', error };
  }
}

/** Whether an RPC failed with this transaction error: the cause of a kit error, or the node's own wording. */
function isNamed(error: unknown, name: string, code: Parameters<typeof isSolanaError>[1]): boolean {
  if (!(error instanceof Error)) return false;
  const isThis = isSolanaError(error) && (error.context as { readonly err?: unknown }).err === name;
  return isThis || isSolanaError(error, code) || isNamed(error.cause, name, code);
}

/** `send` and the checks throw nothing else, unless the RPC is not kit's. */
function ours(error: unknown): AnyHeavenError {
  if (isHeavenError(error)) return error;
  throw error;
}

/** What a node knows about a transaction. */
export interface Look {
  readonly blockHeight: bigint;
  /** Whether the transaction's last height is past, and its blockhash is no longer valid. */
  readonly isPast: boolean;
  /** `undefined` if it does not know the transaction. */
  readonly status: TransactionStatus | undefined;
}

export interface TransactionStatus {
  readonly slot: bigint;
  readonly err: unknown;
  readonly level: Commitment;
}

/** Nodes keep the statuses of the last 300 blocks in memory; a transaction can land in 150 of them. */
const BLOCKS_AT_HAND = 150n;
const NO_HISTORY = -32_011;

/**
 * Asks a node for the block height, then for the transaction's status. In this order, a transaction that is unknown
 * once its last height is past can no longer land. It also asks whether the blockhash itself is still valid, because the last height
 * comes from a node or a service that may have given one that is too low.
 */
export async function lookAt(
  rpc: HeavenSubmitRpc,
  { signature, blockhash, lastValidBlockHeight, commitment, timeoutMs }: Sending,
  abortSignal: AbortSignal,
): Promise<Look | { readonly method: SubmitMethod; readonly error: AnyHeavenError }> {
  let method: SubmitMethod = 'getBlockHeight';
  try {
    // The height of a fork that may be dropped proves nothing.
    const level = commitment === 'finalized' ? 'finalized' : 'confirmed';
    const heightRequest = rpc.getBlockHeight({ commitment: level });
    const blockHeight: unknown = await send({ timeoutMs }, method, heightRequest, { abortSignal });
    if (typeof blockHeight !== 'bigint' || blockHeight < 0n)
      throw invalidResponse(method, 'it is not a block height');
    method = 'isBlockhashValid';
    const isPast =
      blockHeight > lastValidBlockHeight &&
      !(await isValid(rpc, { blockhash, level, timeoutMs }, abortSignal));
    method = 'getSignatureStatuses';
    const ask = async (searchTransactionHistory: boolean) => {
      const request = rpc.getSignatureStatuses([signature], { searchTransactionHistory });
      return statusIn(await send({ timeoutMs }, 'getSignatureStatuses', request, { abortSignal }));
    };
    try {
      // Machines that take turns behind one address could always give one machine's height and the status of another that may
      // be behind: one more request reaches the first.
      return { blockHeight, isPast, status: (await ask(isPast)) ?? (isPast ? await ask(true) : undefined) };
    } catch (error) {
      const hasNone = isHeavenError(error, 'rpc-failed') && error.context.rpcCode === NO_HISTORY;
      if (!hasNone || blockHeight > lastValidBlockHeight + BLOCKS_AT_HAND) throw error;
      return { blockHeight, isPast, status: await ask(false) };
    }
  } catch (error) {
    return { method, error: ours(error) };
  }
}

/** Whether a transaction with this blockhash can still land, according to the node. Skips RPCs without the method. */
async function isValid(
  rpc: HeavenSubmitRpc,
  {
    blockhash,
    level,
    timeoutMs,
  }: Pick<Sending, 'blockhash' | 'timeoutMs'> & { readonly level: 'confirmed' | 'finalized' },
  abortSignal: AbortSignal,
): Promise<boolean> {
  const method = 'isBlockhashValid';
  try {
    const request = rpc.isBlockhashValid(blockhash, { commitment: level });
    const response: unknown = await send({ timeoutMs }, method, request, { abortSignal });
    const { value } = Object(response) as { readonly value?: unknown };
    if (typeof value !== 'boolean') throw invalidResponse(method, 'it is neither true nor false');
    return value;
  } catch (error) {
    if (isHeavenError(explainMissingMethod(error, method), 'rpc-method-unsupported')) return false;
    throw error;
  }
}

/** Returns the one status in the response, which may contain anything. */
function statusIn(response: unknown): TransactionStatus | undefined {
  const method = 'getSignatureStatuses';
  const statuses: unknown = (response as { readonly value?: unknown } | null)?.value;
  if (!Array.isArray(statuses) || statuses.length !== 1)
    throw invalidResponse(method, 'it does not hold one status');
  const [given] = statuses as readonly unknown[];
  if (given === null) return undefined;
  const { slot, err, confirmations, confirmationStatus } = Object(given) as Readonly<Record<string, unknown>>;
  // Old nodes leave the level out, and mark finality with null confirmations.
  const level = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed');
  if (typeof slot !== 'bigint' || err === undefined || !COMMITMENTS.includes(level))
    throw invalidResponse(method, 'its status has no slot, no level, or does not say whether it failed');
  return { slot, err, level: level as Commitment };
}

/** Whether a level is at least as high as the requested one. */
export const hasReached = (level: Commitment, asked: Commitment): boolean =>
  COMMITMENTS.indexOf(level) >= COMMITMENTS.indexOf(asked);
