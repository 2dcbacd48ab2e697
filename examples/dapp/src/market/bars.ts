import { type FetchedPoolSnapshot, type Trade, toCandles, toSpotPrice } from 'heaven-pools';
import type { UTCTimestamp } from 'lightweight-charts';

/** More than fit on a wide screen. */
const MOST_BARS = 600;
const DAY = 86_400;

/** A candle in SOL per whole token. */
export interface Bar {
  time: UTCTimestamp;
  open: number;
  high: number;
  low: number;
  close: number;
  /** SOL. */
  volume: number;
  /** Nothing was traded: the bar is flat at the price before it. */
  isGap: boolean;
}

/** The candles of a span of time, up to now. */
const candlesOf = (trades: readonly Trade[], intervalSeconds: number, span: number, now: bigint) => {
  const from = now - BigInt(span);
  return toCandles(trades, { intervalSeconds, from: from < 0n ? 0n : from, to: now });
};

const priceIn = (decimals: number, { lamports, tokenUnits }: { lamports: bigint; tokenUnits: bigint }) =>
  (Number(lamports) / Number(tokenUnits)) * 10 ** (decimals - 9);

/** The latest bars. Each opens where the one before it closed. */
export function toBars(trades: readonly Trade[], decimals: number, seconds: number, now: bigint): Bar[] {
  const bars: Bar[] = [];
  for (const candle of candlesOf(trades, seconds, seconds * MOST_BARS, now)) {
    const isGap = candle.kind === 'gap';
    const last = isGap ? candle.previousClose : candle.close;
    if (last === undefined) continue;
    const close = priceIn(decimals, last);
    const open = bars.at(-1)?.close ?? (isGap ? close : priceIn(decimals, candle.open));
    const reached = isGap ? [] : [candle.high, candle.low].map((price) => priceIn(decimals, price));
    const [high, low] = [Math.max(open, close, ...reached), Math.min(open, close, ...reached)];
    const volume = Number(candle.volume.lamports) / 1e9;
    bars.push({ time: Number(candle.start) as UTCTimestamp, open, high, low, close, volume, isGap });
  }
  return bars.some(({ isGap }) => !isGap) ? bars : [];
}

/** How the price changed in the last 24 hours, or since the oldest known trade: in percent, and in how many hours. */
export function priceChange(trades: readonly Trade[], snapshot: FetchedPoolSnapshot) {
  const { unixTimestamp: now, token } = snapshot;
  for (const candle of candlesOf(trades, 300, DAY, now)) {
    const then = candle.kind === 'gap' ? candle.previousClose : candle.open;
    if (then === undefined) continue;
    const percent = (toSpotPrice(snapshot).solPerToken / priceIn(token.decimals, then) - 1) * 100;
    return { percent, hours: Math.round(Number(now - candle.start) / 3_600) };
  }
  return undefined;
}
