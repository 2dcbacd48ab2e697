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
  | 'getEpochInfo'
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

/** What the client's node knows about a transaction. */
export interface Look {
  readonly blockHeight: bigint;
  /** `undefined` if it does not know the transaction. */
  readonly status: TransactionStatus | undefined;
  /** Whether the transaction has not landed and no longer can. */
  readonly hasExpired: boolean;
}

export interface TransactionStatus {
  readonly slot: bigint;
  readonly err: unknown;
  readonly level: Commitment;
}

/** A request of the poll that takes longer gives way to the next one. */
const MOST_POLL_MS = 10_000;
/** Nodes keep the statuses of the last 300 blocks in memory; a transaction can land in 150 of them. */
const BLOCKS_AT_HAND = 150n;
const NO_HISTORY = -32_011;

/**
 * Asks a node what became of a transaction. It has expired if, in this order, the block height is past the last one, the block hash
 * is no longer valid (a service may have named too low a height), and the node doesn't know the transaction. Several machines may
 * answer behind one address: the last two answers count only from the slot of that height on.
 */
export async function lookAt(
  rpc: HeavenSubmitRpc,
  { signature, blockhash, lastValidBlockHeight, commitment, timeoutMs }: Sending,
  abortSignal: AbortSignal,
): Promise<Look | { readonly method: SubmitMethod; readonly error: AnyHeavenError }> {
  const limits = { timeoutMs: Math.min(timeoutMs, MOST_POLL_MS) };
  // The height of a fork that may be dropped proves nothing.
  const level = { commitment: commitment === 'finalized' ? 'finalized' : 'confirmed' } as const;
  let method: SubmitMethod = 'getEpochInfo';
  try {
    const epoch: unknown = await send(limits, method, rpc.getEpochInfo(level), { abortSignal });
    const { blockHeight, absoluteSlot } = Object(epoch) as Readonly<Record<string, unknown>>;
    if (typeof blockHeight !== 'bigint' || blockHeight < 0n || typeof absoluteSlot !== 'bigint')
      throw invalidResponse(method, 'it has no block height or no slot');

    let isPast = false;
    if (blockHeight > lastValidBlockHeight) {
      method = 'isBlockhashValid';
      const request = rpc.isBlockhashValid(blockhash, level);
      const { slot, value } = inContext(method, await send(limits, method, request, { abortSignal }));
      if (typeof value !== 'boolean') throw invalidResponse(method, 'it is neither true nor false');
      isPast = !value && slot >= absoluteSlot;
    }

    method = 'getSignatureStatuses';
    const ask = async (searchTransactionHistory: boolean) => {
      const request = rpc.getSignatureStatuses([signature], { searchTransactionHistory });
      const response = await send(limits, 'getSignatureStatuses', request, { abortSignal });
      const { slot, value } = inContext(method, response);
      const status = statusIn(value);
      return { blockHeight, status, hasExpired: isPast && status === undefined && slot >= absoluteSlot };
    };
    try {
      return await ask(isPast);
    } catch (error) {
      const hasNone = isHeavenError(error, 'rpc-failed') && error.context.rpcCode === NO_HISTORY;
      if (!hasNone || blockHeight > lastValidBlockHeight + BLOCKS_AT_HAND) throw error;
      return await ask(false);
    }
  } catch (error) {
    return { method, error: ours(error) };
  }
}

/** A response's value and the slot that it is from. */
function inContext(method: string, response: unknown): { readonly slot: bigint; readonly value: unknown } {
  const { context, value } = Object(response) as Readonly<Record<string, unknown>>;
  const { slot } = Object(context) as Readonly<Record<string, unknown>>;
  if (typeof slot !== 'bigint') throw invalidResponse(method, 'it names no slot');
  return { slot, value };
}

/** Returns the one status in a response, which may contain anything. */
function statusIn(statuses: unknown): TransactionStatus | undefined {
  const method = 'getSignatureStatuses';
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
