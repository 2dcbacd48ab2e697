import type { Address, Signature } from '@solana/kit';

import type { HeavenClient, HeavenHistoryRpc } from '../client.js';
import { HeavenError, isHeavenError } from '../errors.js';
import { inputError } from '../input.js';
import { pause } from '../solana/pause.js';
import { backOffMs } from '../solana/rpc/back-off.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { type ParsedTransaction, parseWithAccounts, type TransactionResponse } from './parse-transaction.js';

// Validates what a node says about an address's transactions, which comes from outside.

const LIST = 'getSignaturesForAddress';
const READ = 'getTransaction';
/** The most transactions that a node lists in one call. */
export const MOST_LISTED = 1_000;
/** How often to try a call that the node can't answer yet, or rejects for now. */
const TRIES = 5;
const MOST_WAIT_MS = 10_000;

/** The client that history functions take. */
export type HistoryClient = HeavenClient<HeavenHistoryRpc>;

/** A transaction that a node lists. */
export interface ListedTransaction {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly hasFailed: boolean;
  /** Unix seconds. */
  readonly blockTime: bigint | undefined;
}

/** Where a list begins and ends, both exclusive. If the slot is known, more can be checked. */
export interface Cursor {
  readonly signature: Signature;
  readonly slot?: bigint | undefined;
}

/** Returns a cursor from a page's `next`, a signature, or anything that came from a transaction. */
export function cursorOf(value: unknown, field: string): Cursor | undefined {
  if (value === undefined || value === null) return undefined;
  if (isSignatureText(value)) return { signature: value };
  const { signature, slot } = Object(value) as { readonly signature?: unknown; readonly slot?: unknown };
  if (isSignatureText(signature)) return { signature, slot: typeof slot === 'bigint' ? slot : undefined };
  throw inputError(field, `${field} must be a signature in base58, or an object that has one.`, value);
}

export const isSignatureText = (value: unknown): value is Signature =>
  typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value);

/** A `processed` transaction can still be dropped: nothing below `confirmed` is history. */
export const levelOf = ({ commitment }: Pick<HistoryClient, 'commitment'>) =>
  commitment === 'finalized' ? commitment : 'confirmed';

interface ListRequest {
  readonly address: Address;
  readonly before: Cursor | undefined;
  readonly until: Cursor | undefined;
  readonly limit: number;
  /** The signatures on earlier pages. This page's are added. */
  readonly listed: Set<string>;
}

/** Lists the transactions that name an address, newest first, in one call. */
export async function listSignatures(
  client: HistoryClient,
  request: ListRequest,
  options: RequestOptions,
): Promise<readonly ListedTransaction[]> {
  const { address, before, until, limit } = request;
  const asked = client.rpc.getSignaturesForAddress(address, {
    commitment: levelOf(client),
    limit,
    ...(before === undefined ? {} : { before: before.signature }),
    ...(until === undefined ? {} : { until: until.signature }),
  });
  const response: unknown = await patiently(() => send(client, LIST, asked, options), options);
  return listedIn(response, request);
}

function listedIn(
  response: unknown,
  { before, until, limit, listed }: ListRequest,
): readonly ListedTransaction[] {
  if (!Array.isArray(response)) throw invalidResponse(LIST, 'it is not a list');
  if (response.length > limit) throw invalidResponse(LIST, `it lists more than ${limit} transactions`);
  for (const cursor of [before, until]) if (cursor !== undefined) listed.add(cursor.signature);
  let last = before?.slot;
  return response.map((entry: unknown, index) => {
    const { signature, slot, err, blockTime } = Object(entry) as Readonly<Record<string, unknown>>;
    if (!isSignatureText(signature)) throw invalidResponse(LIST, `entry ${index} has no signature`);
    if (typeof slot !== 'bigint' || slot < 0n) throw invalidResponse(LIST, `entry ${index} has no slot`);
    if (listed.has(signature)) throw invalidResponse(LIST, `it lists ${signature} where it doesn't belong`);
    if (last !== undefined && slot > last)
      throw invalidResponse(LIST, `entry ${index} is newer than the one before it`);
    // If a node does not know where to stop, it continues to the beginning.
    if (until?.slot !== undefined && slot < until.slot) throw unknownCursor(until);
    listed.add(signature);
    last = slot;
    return {
      signature,
      slot,
      hasFailed: err !== null && err !== undefined,
      blockTime: blockTimeIn(LIST, blockTime),
    };
  });
}

function blockTimeIn(method: string, value: unknown): bigint | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'bigint' && value > 0n && value < 2n ** 40n) return value;
  throw invalidResponse(method, 'a block time is not a time');
}

export const unknownCursor = ({ signature }: Cursor) =>
  new HeavenError(
    'history-cursor-unknown',
    `The RPC node does not know the transaction ${signature}, so it can't list what comes before or after it. Use a node with the whole history, and a signature of a transaction that has landed.`,
    { signature },
  );

export const incomplete = (signature: Signature, why: string) =>
  new HeavenError(
    'history-incomplete',
    `${why}, so trades could be missing. Use another node, or one with the whole history. To go on without it, pass its signature: ${signature}.`,
    { signature },
  );

/** A transaction to read, and what is already known about it. */
interface ToRead extends Cursor, Partial<Omit<ListedTransaction, keyof Cursor>> {}

/** Reads what a transaction did. Returns `undefined` if the node does not know it. */
export async function readTransaction(
  client: HistoryClient,
  { signature, slot, hasFailed, blockTime }: ToRead,
  address: Address | undefined,
  options: RequestOptions,
): Promise<ParsedTransaction | undefined> {
  const request = client.rpc.getTransaction(signature, {
    commitment: levelOf(client),
    encoding: 'base64',
    maxSupportedTransactionVersion: 1,
  });
  const response: unknown = await send(client, READ, request, options);
  if (response === null || response === undefined) return undefined;
  const wrong = (reason: string, cause?: unknown) =>
    invalidResponse(READ, `${reason} (transaction ${signature})`, cause);
  let read: ReturnType<typeof parseWithAccounts>;
  try {
    const { programAddress } = client.deployment;
    read = parseWithAccounts(response as TransactionResponse, { programAddress });
  } catch (cause) {
    throw wrong(isHeavenError(cause) ? cause.message.replace(/\.$/, '') : 'it cannot be read', cause);
  }
  const { parsed, accounts } = read;
  if (parsed.signature !== signature) throw wrong('it is another transaction');
  if (parsed.slot === undefined || (slot !== undefined && parsed.slot !== slot))
    throw wrong(`it says slot ${parsed.slot}, and the list says ${slot}`);
  if (address !== undefined && !accounts.includes(address)) throw wrong(`it does not name ${address}`);
  if (hasFailed !== undefined && hasFailed !== (parsed.error !== undefined))
    throw wrong('it and the list differ on whether it failed');
  const time = blockTimeIn(READ, parsed.blockTime);
  if (blockTime !== undefined && time !== undefined && time !== blockTime)
    throw wrong('it and the list differ on when it was');
  return { ...parsed, blockTime: time ?? blockTime };
}

/** {@link readTransaction} for one that must exist. A node that lists it may still lack it for a moment. */
export const readListed = (
  client: HistoryClient,
  listed: ToRead,
  address: Address,
  options: RequestOptions,
): Promise<ParsedTransaction> =>
  patiently(async () => {
    const transaction = await readTransaction(client, listed, address, options);
    if (transaction !== undefined) return transaction;
    throw incomplete(listed.signature, `The RPC node lists ${listed.signature} and does not give it`);
  }, options);

/** Retries what a node rejects for now, or does not have yet. */
async function patiently<T>(work: () => Promise<T>, { abortSignal }: RequestOptions): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const isLimit = isHeavenError(error, 'rpc-rate-limited');
      if (failures + 1 >= TRIES || !(isLimit || isHeavenError(error, 'history-incomplete'))) throw error;
      const asked = isLimit ? (error.context.retryAfterSeconds ?? 0) * 1_000 : 0;
      if (asked > MOST_WAIT_MS) throw error;
      await pause(Math.max(asked, backOffMs(failures)), abortSignal ?? new AbortController().signal);
    }
  }
}

/** Reads several concurrently, and yields them in order. */
export async function* inOrder<TItem, TResult>(
  items: readonly TItem[],
  atOnce: () => number,
  read: (item: TItem) => Promise<TResult>,
): AsyncGenerator<TResult> {
  const reading: Promise<TResult>[] = [];
  for (let next = 0; ; ) {
    for (; reading.length < atOnce() && next < items.length; next++) {
      const result = read(items[next] as TItem);
      // Awaited later, or never.
      result.catch(() => {});
      reading.push(result);
    }
    const first = reading.shift();
    if (first === undefined) return;
    yield await first;
  }
}
