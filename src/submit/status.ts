import type { Commitment } from '@solana/kit';

import { isHeavenError } from '../base/errors.js';
import type { HeavenClient, HeavenSubmitRpc } from '../program/client.js';
import { isCommitment } from '../solana/commitment.js';
import { invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import type { Submission } from './node.js';

/** What the client's node knows about a transaction. */
export interface StatusReading {
  readonly blockHeight: bigint;
  /** `undefined` if it does not know the transaction. */
  readonly status: TransactionStatus | undefined;
  /** Whether the transaction has not landed and no longer can. */
  readonly hasExpired: boolean;
}

interface TransactionStatus {
  readonly slot: bigint;
  readonly err: unknown;
  readonly level: Commitment;
}

/** A request of the poll that takes longer gives way to the next one. */
export const MAX_POLL_MS = 10_000;
/** Nodes keep the statuses of the last 300 blocks in memory; a transaction can land in 150 of them. */
const BLOCKS_AT_HAND = 150n;
const NO_HISTORY = -32_011;

/** The height and slot of a node. */
export async function readEpoch(
  client: Pick<HeavenClient<HeavenSubmitRpc>, 'rpc' | 'timeoutMs'>,
  level: { readonly commitment: Commitment },
  options: RequestOptions,
): Promise<{ readonly blockHeight: bigint; readonly absoluteSlot: bigint }> {
  const method = 'getEpochInfo';
  const epoch: unknown = await send(client, method, client.rpc.getEpochInfo(level), options);
  const { blockHeight, absoluteSlot } = Object(epoch) as Readonly<Record<string, unknown>>;
  if (typeof blockHeight !== 'bigint' || blockHeight < 0n || typeof absoluteSlot !== 'bigint')
    throw invalidResponse(method, 'it has no block height or no slot');
  return { blockHeight, absoluteSlot };
}

/**
 * Asks a node what became of a transaction. It has expired if, in this order, the block height is past the last one, the block hash
 * is no longer valid (a service may have named too low a height), and the node doesn't know the transaction. Several machines may
 * answer behind one address: an answer counts only if its slot is not before that of the previous one.
 */
export async function readStatus(
  { client, signature, blockhash, lastValidBlockHeight }: Submission,
  abortSignal: AbortSignal,
): Promise<StatusReading> {
  const { rpc, timeoutMs, commitment } = client;
  const limits = { rpc, timeoutMs: Math.min(timeoutMs, MAX_POLL_MS) };
  const options = { abortSignal };
  // The height of a fork that may be dropped proves nothing.
  const level = { commitment: commitment === 'finalized' ? 'finalized' : 'confirmed' } as const;
  const { blockHeight, absoluteSlot } = await readEpoch(limits, level, options);

  /** The slot of the answers that prove that it can't land any later. */
  let closedAt: bigint | undefined;
  if (blockHeight > lastValidBlockHeight) {
    const method = 'isBlockhashValid';
    const request = rpc.isBlockhashValid(blockhash, level);
    const { slot, value } = inContext(method, await send(limits, method, request, options));
    if (typeof value !== 'boolean') throw invalidResponse(method, 'it is neither true nor false');
    if (!value && slot >= absoluteSlot) closedAt = slot;
  }

  const askForStatus = async (searchTransactionHistory: boolean) => {
    const method = 'getSignatureStatuses';
    const request = rpc.getSignatureStatuses([signature], { searchTransactionHistory });
    const { slot, value } = inContext(method, await send(limits, method, request, options));
    const status = statusIn(value);
    const hasExpired = closedAt !== undefined && slot >= closedAt && status === undefined;
    return { slot, reading: { blockHeight, status, hasExpired } };
  };
  try {
    return (await askForStatus(closedAt !== undefined)).reading;
  } catch (error) {
    const lacksHistory = isHeavenError(error, 'rpc-failed') && error.context.rpcCode === NO_HISTORY;
    if (!lacksHistory) throw error;
    const { slot, reading } = await askForStatus(false);
    // No more blocks than slots have passed since that height.
    const height = blockHeight + slot - absoluteSlot;
    if (reading.hasExpired && height > lastValidBlockHeight + BLOCKS_AT_HAND) throw error;
    return reading;
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
  if (typeof slot !== 'bigint' || err === undefined || !isCommitment(level))
    throw invalidResponse(method, 'its status has no slot, no level, or does not say whether it failed');
  return { slot, err, level };
}
