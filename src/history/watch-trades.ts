import type { Signature } from '@solana/kit';

import { describe, inputError } from '../input.js';
import type { HistoryClient } from './signatures.js';
import { resolveSource, type TradeSource } from './trade-source.js';
import type { Trade } from './trades.js';
import { type HistoryWatch, type HistoryWatchOptions, watchHistory } from './watch-history.js';

/** Which trades {@link watchTrades} watches. */
export interface WatchTradesInput extends TradeSource, HistoryWatchOptions {
  /** Goes on behind this trade: the newest that you have. Default: what happens from now on. */
  readonly from?: Signature | Trade | null | undefined;
}

/**
 * Watches trades as they happen: an async iterable of each trade once, oldest first, at `confirmed` (or `finalized`, if that is the
 * client's commitment: what is only `processed` can be dropped again). It begins with the first `next()`, and ends when the loop
 * is left, `return()` is called or the signal fires.
 *
 * With `from`, it first gives what happened since. A lost connection reconnects with growing pauses; what happened meanwhile is
 * listed and comes in its place. The node is also asked every 20 seconds for what its notifications left out, and again for the last
 * 30 seconds: a trade that it tells late comes late, and is not lost. `slot` says where it belongs.
 *
 * Trades wait for a slow reader.
 * @throws {HeavenError} from the iterator: `invalid-input` (also for a client without `rpcSubscriptions`), `invalid-address`,
 * `history-cursor-unknown` (the node does not know `from`), `history-incomplete` (it does not give a transaction that it tells of, or
 * more than 100,000 are to be caught up with), and those of {@link listTrades} when the first read fails
 * @example
 * ```ts
 * const { trades } = await listTrades(client, { pool });
 * for await (const trade of watchTrades(client, { pool, from: trades[0], abortSignal })) {
 *   console.log(trade.side, trade.user, trade.price?.solPerToken);
 * }
 * ```
 */
export function watchTrades(client: HistoryClient, input: WatchTradesInput): HistoryWatch<Trade> {
  return watchHistory(
    client,
    async () => {
      if (typeof input !== 'object' || input === null)
        throw inputError('input', `The input must be an object; got ${describe(input)}.`, input);
      const { address, tradesIn } = await resolveSource(client.deployment, input);
      return { address, itemsIn: tradesIn, isWanted: () => true };
    },
    input?.from,
    input ?? {},
  );
}
