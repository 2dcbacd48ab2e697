import type { Signature } from '@solana/kit';

import { assertAbortSignal, assertCall, assertWhole } from '../base/input.js';
import { assertAsNamed } from '../pool/explained.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import {
  type Cursor,
  cursorOf,
  type HistoryClient,
  type ListedTransaction,
  listSignatures,
  MAX_LISTED,
  patiently,
  rankOf,
  readReported,
  readTransaction,
  unknownCursor,
} from './signatures.js';
import { resolveSource, type TradeSource } from './trade-source.js';
import type { Trade } from './trades.js';

/** What {@link listTrades} lists. */
export interface ListTradesInput extends TradeSource, RequestOptions {
  /** Only transactions older than this one: a page's `next`, a signature, or a trade. */
  readonly before?: Signature | Trade | null | undefined;
  /** Only transactions newer than this one: a trade or a signature. A signature that the node does not know may go unnoticed. */
  readonly until?: Signature | Trade | null | undefined;
  /** Trades per page, from 1 to 1000. A page never splits a transaction, so it may have a few more. Default 25. */
  readonly limit?: number | null | undefined;
  /** How many transactions to read concurrently, from 1 to 16. Default 4. */
  readonly concurrency?: number | null | undefined;
}

/** Transactions that were checked but contain no requested trade. */
export interface LeftOutTransactions {
  /** Failed transactions: nothing in them happened. They are not read. */
  readonly failed: number;
  /** Transactions that did something else. */
  readonly unrelated: number;
}

/** A page of trades, newest first. */
export interface TradePage {
  readonly trades: readonly Trade[];
  /** Pass this as `before` for the next page. `undefined` on the last page, which a page with fewer than `limit` trades need not be. */
  readonly next: Signature | undefined;
  readonly leftOut: LeftOutTransactions;
}

/** What {@link listTrades} returns. Await it for one page, or iterate over the trades of this page and all that follow. */
export interface TradeList extends Promise<TradePage>, AsyncIterable<Trade> {}

const DEFAULT_LIMIT = 25;
/** The most transactions that a page reads and lists, so that a page of a token with few trades ends. */
const maxReadFor = (limit: number) => 2 * limit + 50;
const maxListedFor = (limit: number) => 10 * limit + 1_000;

/**
 * Lists past trades, newest first: `await` returns one page, `for await` yields the trades of all pages. It lists the transactions of the
 * pool (or the token, or the wallet), and reads those that succeeded. A page of a pool takes `limit` calls and one or two more (one more
 * from a node that doesn't say each transaction's index). When rate limited, it waits as long as the node says, up to 10 seconds.
 *
 * If the first page has no trade, one more call checks that the pool is a pool, and the token a token.
 *
 * It relies on the node's list: its order, and that nothing is missing from it. It lists nothing below `confirmed`.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `pool-not-found`, `invalid-account-data` (an address is of something else),
 * `account-not-found` (the exchange is not on this network), `history-incomplete` (the node does not know `before` or `until`,
 * or lists a transaction that it does not return), `rpc-invalid-response`, and the other `rpc-…` codes
 * @example
 * ```ts
 * const { trades, next } = await listTrades(client, { pool, limit: 50 });
 * if (next !== undefined) await listTrades(client, { pool, limit: 50, before: next });
 * for await (const { side, user, price } of listTrades(client, { pool })) console.log(side, user, price?.solPerToken);
 * ```
 */
export function listTrades(client: HistoryClient, input: ListTradesInput): TradeList {
  const first = readPage(client, input);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; page = await readPage(client, { ...input, before: page.next })) {
        yield* page.trades;
        if (page.next === undefined) return;
      }
    },
  });
}

async function readPage(client: HistoryClient, input: ListTradesInput): Promise<TradePage> {
  assertCall(client, input, {
    before: 1,
    until: 1,
    limit: 1,
    concurrency: 1,
    mint: 1,
    pool: 1,
    configVersion: 1,
    wallet: 1,
    abortSignal: 1,
  });
  const { address, named, tradesIn } = await resolveSource(client.deployment, input);
  const { abortSignal } = input;
  const limit = input.limit ?? DEFAULT_LIMIT;
  const concurrency = input.concurrency ?? 4;
  assertWhole('limit', limit, [1, 1_000]);
  assertWhole('concurrency', concurrency, [1, 16]);
  assertAbortSignal(abortSignal, 'abortSignal');
  const until = cursorOf(input.until, 'until');

  const trades: Trade[] = [];
  const leftOut = { failed: 0, unrelated: 0 };
  const options = { abortSignal };
  const read = ({ signature }: ListedTransaction) =>
    patiently(() => readReported(client, signature, options), options);
  let before = cursorOf(input.before, 'before');
  let listed = 0;
  let readCount = 0;
  const isFull = () => trades.length >= limit || readCount >= maxReadFor(limit);
  while (!isFull() && listed < maxListedFor(limit)) {
    const count = Math.min(MAX_LISTED, Math.max(DEFAULT_LIMIT, 2 * (limit - trades.length)));
    const entries = await listSignatures(client, { address, before, until, limit: count }, options);
    // A node may return fewer than requested: only an empty list is the end.
    if (entries.length === 0) {
      if (listed === 0 && before !== undefined) await assertKnown(client, before, options);
      before = undefined;
      break;
    }
    listed += entries.length;
    const slots = [...entries];
    for (let index = 0; index < entries.length && !isFull(); ) {
      const room = Math.min(concurrency, limit - trades.length, maxReadFor(limit) - readCount);
      const batch = entries.slice(index, index + room);
      index += batch.length;
      before = batch.at(-1);
      const succeeded = batch.filter(({ hasFailed }) => !hasFailed);
      leftOut.failed += batch.length - succeeded.length;
      readCount += succeeded.length;
      for (const [at, transaction] of (await Promise.all(succeeded.map(read))).entries()) {
        const transactionIndex =
          transaction.transactionIndex ??
          (await rankOf(client, address, succeeded[at] as ListedTransaction, slots, options));
        const found = tradesIn({ ...transaction, transactionIndex });
        if (found.length === 0) leftOut.unrelated++;
        // The list goes back in time, so reverse the trades of one transaction too.
        trades.push(...[...found].reverse());
      }
    }
  }
  // Somebody who goes on from a trade has the right address.
  if (trades.length === 0 && !input.before && !input.until) await assertAsNamed(client, named, options);
  return { trades, next: before?.signature, leftOut };
}

/** Throws if the node does not know the cursor: such a node lists nothing. */
async function assertKnown(client: HistoryClient, cursor: Cursor, options: RequestOptions): Promise<void> {
  if ((await readTransaction(client, cursor.signature, options)) === undefined) throw unknownCursor(cursor);
}
