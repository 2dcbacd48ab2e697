import type { Signature } from '@solana/kit';
import { isHeavenError } from '../base/errors.js';
import { assertCall, assertFunction } from '../base/input.js';
import { assertAsNamed } from '../pool/explained.js';

import { AddressWatch, type HistoryWatch, type HistoryWatchOptions } from './address-watch.js';
import type { HistoryClient } from './signatures.js';
import { resolveSource, type TradeSource } from './trade-source.js';
import type { Trade } from './trades.js';

/** Which trades {@link watchTrades} watches. */
export interface WatchTradesInput extends TradeSource, HistoryWatchOptions {
  /** Starts after this trade: the newest that you have. Default: start now. */
  readonly from?: Signature | Trade | null | undefined;
}

/**
 * Watches trades as they happen: an async iterable that yields each trade once, oldest first, at `confirmed` (or `finalized`, if that is
 * the client's commitment: a `processed` trade can still be dropped). It starts with the first `next()`, and ends when you leave the
 * loop, call `return()` or abort the signal.
 *
 * With `from`, it first yields what happened since. After a lost connection it reconnects with growing pauses, then lists what happened
 * meanwhile and yields it in order. Every 20 seconds it also lists transactions, in case notifications were lost: such a trade is yielded
 * late, and `place` says where it belongs.
 *
 * Trades queue up for a slow reader.
 * @throws {HeavenError} from the iterator: `invalid-input` (also for a client without `rpcSubscriptions`), `invalid-address`,
 * `history-incomplete` (the node does not know `from`, or does not return a transaction that it
 * reported, or there are more than 100,000 to catch up with), and those of {@link listTrades} when the first read fails
 * @example
 * ```ts
 * const { trades } = await listTrades(client, { pool });
 * for await (const trade of watchTrades(client, { pool, from: trades[0], abortSignal })) {
 *   console.log(trade.side, trade.user, trade.price?.solPerToken);
 * }
 * ```
 */
export function watchTrades(client: HistoryClient, input: WatchTradesInput): HistoryWatch<Trade> {
  assertCall(client, input, {
    from: 1,
    mint: 1,
    pool: 1,
    configVersion: 1,
    wallet: 1,
    abortSignal: 1,
    observe: assertFunction,
  });
  return new AddressWatch(
    client,
    async () => {
      const { address, named, tradesIn } = await resolveSource(client.deployment, input);
      await assertAsNamed(client, named, input).catch((error: unknown) => {
        // It may be created later.
        if (!isHeavenError(error, 'pool-not-found')) throw error;
      });
      return { address, itemsIn: tradesIn, isWanted: () => true };
    },
    input?.from,
    input ?? {},
  );
}
