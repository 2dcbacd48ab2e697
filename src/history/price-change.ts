import { assertWhole, invalidInput } from '../input.js';
import type { PoolSnapshot } from '../pool/decode.js';
import { toSpotPrice } from '../pool/spot-price.js';
import { tradePrice } from './candles.js';
import { toSolPerToken } from './chart-bars.js';
import type { Trade } from './trades.js';

/** How a pool's price has changed. For display. */
export interface PriceChange {
  /** The price then, in SOL per whole token. */
  readonly from: number;
  /** The spot price now, in SOL per whole token. */
  readonly to: number;
  /** The change in percent: 5 is up by 5 %. */
  readonly percent: number;
  /** The time that it covers, in seconds: what was asked, or the age of the oldest known trade if that is less. */
  readonly seconds: number;
}

/**
 * Computes how a pool's price has changed, such as in the last 24 hours: from the last trade before then, or from the oldest known one,
 * to the spot price now. Fees are left out on both ends.
 *
 * @param trades Newest first, as {@link listTrades} returns them and a trades store keeps them.
 * @param snapshot The pool now.
 * @param seconds Default 86400: 24 hours.
 * @returns `undefined` if no trade has a known time and price.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { trades } = await listTrades(client, { pool, limit: 100 });
 * const change = toPriceChange(trades, snapshot);
 * if (change) console.log(`${change.percent.toFixed(2)} % in ${change.seconds / 3_600} h`);
 * ```
 */
export function toPriceChange(
  trades: readonly Trade[],
  snapshot: PoolSnapshot,
  seconds = 86_400,
): PriceChange | undefined {
  if (!Array.isArray(trades)) throw invalidInput('trades', trades, 'an array of trades');
  assertWhole('seconds', seconds, [1, Number.MAX_SAFE_INTEGER]);
  const { unixTimestamp: now, token } = snapshot;
  const since = now - BigInt(seconds);
  let then: { readonly blockTime: bigint; readonly from: number } | undefined;
  for (const trade of trades as readonly Trade[]) {
    const { blockTime } = trade;
    const price = tradePrice(trade, 'before-fees') ?? trade.price;
    if (blockTime === undefined || price === undefined) continue;
    then = { blockTime, from: toSolPerToken(price, token.decimals) };
    if (blockTime <= since) break;
  }
  if (then === undefined) return undefined;
  const { blockTime, from } = then;
  const { solPerToken: to } = toSpotPrice(snapshot);
  const age = blockTime <= since ? seconds : Math.max(Number(now - blockTime), 0);
  return { from, to, percent: (to / from - 1) * 100, seconds: age };
}
