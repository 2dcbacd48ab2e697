import type { Address, GetTransactionApi, Rpc, Signature } from '@solana/kit';
import { HeavenError, isHeavenError } from '../base/errors.js';
import { inputError } from '../base/input.js';
import { withoutFullStop } from '../base/text.js';
import type { HeavenClient, HeavenHistoryRpc } from '../program/client.js';
import { invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { backOffMs, pause } from '../solana/timing.js';
import { type ParsedTransaction, parseTransaction } from './parse-transaction.js';
import type { TransactionResponse } from './recorded-transaction.js';

const LIST = 'getSignaturesForAddress';
const READ = 'getTransaction';
/** The most transactions that a node lists in one call. */
export const MAX_LISTED = 1_000;
/** How often to try a call that the node can't answer yet, or rejects for now. */
const TRIES = 5;
const MAX_WAIT_MS = 10_000;

/** The client that history functions take. */
export type HistoryClient = HeavenClient<HeavenHistoryRpc>;

/** A transaction that a node lists. */
export interface ListedTransaction {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly hasFailed: boolean;
}

/** A transaction and its slot. */
export type InSlot = Pick<ListedTransaction, 'signature' | 'slot'>;

/** Where a list begins or ends, exclusive. */
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
export const levelOf = ({ commitment }: Pick<HeavenClient, 'commitment'>) =>
  commitment === 'finalized' ? commitment : 'confirmed';

interface ListRequest {
  readonly address: Address;
  readonly before?: Cursor | undefined;
  readonly until?: Cursor | undefined;
  readonly limit: number;
}

/** Lists the transactions that name an address, newest first, in one call. */
export async function listSignatures(
  client: HistoryClient,
  { address, before, until, limit }: ListRequest,
  options: RequestOptions,
): Promise<readonly ListedTransaction[]> {
  const request = client.rpc.getSignaturesForAddress(address, {
    commitment: levelOf(client),
    limit,
    ...(before === undefined ? {} : { before: before.signature }),
    ...(until === undefined ? {} : { until: until.signature }),
  });
  const response: unknown = await patiently(() => send(client, LIST, request, options), options);
  if (!Array.isArray(response) || response.length > limit)
    throw invalidResponse(LIST, `it is not a list of at most ${limit} transactions`);
  const listed = response.map(listedTransaction);
  // A node that does not know where to stop continues to the beginning.
  const stop = until?.slot;
  if (until !== undefined && stop !== undefined && listed.some(({ slot }) => slot < stop))
    throw unknownCursor(until);
  return listed;
}

function listedTransaction(entry: unknown, index: number): ListedTransaction {
  const { signature, slot, err } = Object(entry) as Readonly<Record<string, unknown>>;
  if (!isSignatureText(signature) || typeof slot !== 'bigint')
    throw invalidResponse(LIST, `entry ${index} has no signature or no slot`);
  return { signature, slot, hasFailed: err !== null && err !== undefined };
}

/**
 * Returns a transaction's rank among those of the address in its slot, from 1: what stands in for its index if the node doesn't say that.
 *
 * @param listed Where the transaction is listed. What follows in its slot is added, and then something of another slot.
 */
export async function rankOf(
  client: HistoryClient,
  address: Address,
  transaction: InSlot,
  listed: InSlot[],
  options: RequestOptions,
): Promise<number> {
  const index = listed.indexOf(transaction);
  for (;;) {
    const other = listed.findIndex(({ slot }, at) => at > index && slot !== transaction.slot);
    if (other > 0) return other - index;
    const page = await listSignatures(client, { address, before: listed.at(-1), limit: 100 }, options);
    listed.push(...(page.length > 0 ? page : [{ ...transaction, slot: -1n }]));
  }
}

export const unknownCursor = ({ signature }: Cursor) =>
  new HeavenError(
    'history-incomplete',
    `The RPC node does not know the transaction ${signature}, so it can't list what comes before or after it. Use a node with the whole history, and a signature of a transaction that has landed.`,
    { reason: 'unknown-cursor', signature },
  );

/** Reads what a transaction did. Returns `undefined` if the node does not know it. */
export async function readTransaction(
  client: Omit<HeavenClient, 'rpc'> & { readonly rpc: Rpc<GetTransactionApi> },
  signature: Signature,
  options: RequestOptions,
): Promise<ParsedTransaction | undefined> {
  const request = client.rpc.getTransaction(signature, {
    commitment: levelOf(client),
    encoding: 'base64',
    maxSupportedTransactionVersion: 1,
  });
  const response: TransactionResponse | null | undefined = await send(client, READ, request, options);
  if (response === null || response === undefined) return undefined;
  const transaction = parsedOrInvalid(response, client.deployment);
  if (transaction.signature === signature) return transaction;
  throw invalidResponse(READ, 'it is another transaction than the one that was asked for');
}

function parsedOrInvalid(
  response: TransactionResponse,
  { programAddress }: HeavenClient['deployment'],
): ParsedTransaction {
  try {
    return parseTransaction(response, { programAddress });
  } catch (cause) {
    const reason = isHeavenError(cause) ? withoutFullStop(cause.message) : 'it cannot be read';
    throw invalidResponse(READ, reason, cause);
  }
}

/** {@link readTransaction} for one that the node reported, but may lack for a moment: then throws `history-incomplete`. */
export async function readReported(
  client: HistoryClient,
  signature: Signature,
  options: RequestOptions,
): Promise<ParsedTransaction> {
  const transaction = await readTransaction(client, signature, options);
  if (transaction !== undefined) return transaction;
  throw new HeavenError(
    'history-incomplete',
    `The RPC node lists ${signature} and does not return it, so trades could be missing. Use another node, or one with the whole history. To go on without it, pass its signature: ${signature}.`,
    { reason: 'not-returned', signature },
  );
}

/** Retries what a node rejects for now, or does not have yet. */
export async function patiently<T>(work: () => Promise<T>, { abortSignal }: RequestOptions): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const isLimit = isHeavenError(error, 'rpc-rate-limited');
      const isMissing = isHeavenError(error, 'history-incomplete');
      if (failures + 1 >= TRIES || !(isLimit || isMissing)) throw error;
      const asked = isLimit ? (error.context.retryAfterSeconds ?? 0) * 1_000 : 0;
      if (asked > MAX_WAIT_MS) throw error;
      await pause(Math.max(asked, backOffMs(failures)), abortSignal ?? new AbortController().signal);
    }
  }
}
