// The page has one price: that of the pool after a trade, before fees. Header, chart, table and list of trades all show it.
import { type FetchedPoolSnapshot, type Trade, toSpotPrice } from 'heaven-pools';
import type { UTCTimestamp } from 'lightweight-charts';

const MOST_BARS = 600n;
const SIDES = ['buy', 'sell'] as const;
export const DAY = 86_400;

/** A candle in SOL per whole token. */
export interface Bar {
  time: UTCTimestamp;
  open: number;
  high: number;
  low: number;
  close: number;
  /** In SOL. */
  volume: number;
  /** On which sides the reader traded. */
  own: readonly Trade['side'][];
}

/** What a pool starts with: the whole supply, beside virtual SOL. */
export type Start = Record<'tokens' | 'lamports', bigint>;

/** The purchase in a launch logs no event: it moved what the pool had at the start. */
export const withLaunch = (trades: readonly Trade[], { initial }: { initial: Start }): readonly Trade[] =>
  trades.map((trade) => {
    const { event, unproven, amountIn = 0n, amountOut = 0n } = trade;
    if (event !== undefined || unproven.length > 0) return trade;
    const reserves = { baseReserve: initial.tokens - amountOut, quoteReserve: initial.lamports + amountIn };
    return { ...trade, event: { ...reserves, totalCreatorTradingFees: 0n, totalFeePaid: 0n } };
  });

/** The pool's price after a trade, in SOL per whole token. `undefined` if the trade logged no event. */
export const priceAfter = ({ event, decimals }: Trade): number | undefined =>
  event && decimals !== undefined && event.baseReserve > 0n
    ? (Number(event.quoteReserve) / Number(event.baseReserve)) * 10 ** (decimals - 9)
    : undefined;

/** The price before a trade: its reserves have the same product. The first trade that is known moves the price, too. */
export function priceBefore(trade: Trade): number | undefined {
  const { event, side, amountIn = 0n, amountOut = 0n } = trade;
  const after = event?.baseReserve ?? 0n;
  const before = side === 'buy' ? after + amountOut : after - amountIn;
  const price = priceAfter(trade);
  return price && price * (Number(after) / Number(before)) ** 2;
}

/**
 * The latest bars, without holes. Each opens where the one before it closed, and the last one ends at the price now. None if nothing was
 * traded in that time.
 *
 * @param trades The newest first.
 */
export function toBars(
  trades: readonly Trade[],
  seconds: number,
  snapshot: FetchedPoolSnapshot,
  reader?: string,
): Bar[] {
  const length = BigInt(seconds);
  const startOf = (time: bigint) => time - (time % length);
  const timed = trades.filter(({ blockTime }) => blockTime !== undefined).reverse();
  const byStart = new Map<bigint, Trade[]>();
  for (const trade of timed) {
    const start = startOf(trade.blockTime as bigint);
    byStart.set(start, [...(byStart.get(start) ?? []), trade]);
  }
  const pricesOf = (some: readonly Trade[]) => some.flatMap((trade) => priceAfter(trade) ?? []);
  const end = startOf(snapshot.unixTimestamp);
  const most = end - length * MOST_BARS;
  const oldest = startOf(timed[0]?.blockTime ?? end);
  const first = oldest > most ? oldest : most;
  const earlier = timed.filter(({ blockTime = 0n }) => blockTime < first);
  const known = timed.find(priceAfter);
  let price = pricesOf(earlier).at(-1) ?? (known && priceBefore(known));
  const bars: Bar[] = [];
  for (let start = first; start <= end && price !== undefined; start += length) {
    const traded = byStart.get(start) ?? [];
    const prices: number[] = [price, ...pricesOf(traded)];
    if (start === end) prices.push(toSpotPrice(snapshot).solPerToken);
    bars.push({
      time: Number(start) as UTCTimestamp,
      open: price,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) as number,
      volume: traded.reduce((sum, trade) => sum + solOf(trade), 0),
      own: SIDES.filter((side) => traded.some((trade) => trade.user === reader && trade.side === side)),
    });
    price = prices.at(-1);
  }
  return bars.some(({ high, low, volume }) => volume > 0 || high > low) ? bars : [];
}

const solOf = ({ side, amountIn = 0n, amountOut = 0n }: Trade) =>
  Number(side === 'buy' ? amountIn : amountOut) / 1e9;

/** How the price changed in the last 24 hours, or since the oldest known trade: in percent, and in how many hours. */
export function priceChange(trades: readonly Trade[], snapshot: FetchedPoolSnapshot) {
  const { unixTimestamp: now } = snapshot;
  const timed = trades.filter((trade) => trade.blockTime !== undefined && priceAfter(trade) !== undefined);
  const yesterday = timed.find(({ blockTime = 0n }) => blockTime <= now - BigInt(DAY));
  const first = yesterday ?? timed.at(-1);
  const before = yesterday ? priceAfter(yesterday) : first && priceBefore(first);
  if (before === undefined || first?.blockTime === undefined) return undefined;
  const percent = (toSpotPrice(snapshot).solPerToken / before - 1) * 100;
  return { percent, hours: Math.max(1, Math.min(24, Math.round(Number(now - first.blockTime) / 3_600))) };
}
