import { type FetchedPoolSnapshot, type Trade, toCandles, toSpotPrice } from 'heaven-pools';
import type { UTCTimestamp } from 'lightweight-charts';

const MOST_BARS = 600;
const DAY = 86_400n;

/** A candle in SOL per whole token. */
export interface Bar {
  time: UTCTimestamp;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** Nothing was traded: the bar is flat at the price before it. */
  isGap: boolean;
}

/** The latest bars. Each opens where the one before it closed. */
export function toBars(trades: readonly Trade[], decimals: number, seconds: number, now: bigint): Bar[] {
  const priceOf = ({ lamports, tokenUnits }: { lamports: bigint; tokenUnits: bigint }) =>
    (Number(lamports) / Number(tokenUnits)) * 10 ** (decimals - 9);
  const from = now - BigInt(seconds * MOST_BARS);
  const bars: Bar[] = [];
  for (const candle of toCandles(trades, {
    intervalSeconds: seconds,
    from: from < 0n ? 0n : from,
    to: now,
  })) {
    const isGap = candle.kind === 'gap';
    const last = isGap ? candle.previousClose : candle.close;
    if (last === undefined) continue;
    const close = priceOf(last);
    const open = bars.at(-1)?.close ?? (isGap ? close : priceOf(candle.open));
    const reached = isGap ? [] : [priceOf(candle.high), priceOf(candle.low)];
    const [high, low] = [Math.max(open, close, ...reached), Math.min(open, close, ...reached)];
    const volume = Number(candle.volume.lamports) / 1e9;
    bars.push({ time: Number(candle.start) as UTCTimestamp, open, high, low, close, volume, isGap });
  }
  return bars.some(({ isGap }) => !isGap) ? bars : [];
}

/** How the price changed in the last 24 hours, or since the oldest known trade: in percent, and in how many hours. */
export function priceChange(trades: readonly Trade[], snapshot: FetchedPoolSnapshot) {
  const { unixTimestamp: now } = snapshot;
  const first = trades
    .filter(({ blockTime = 0n, price }) => blockTime >= now - DAY && price?.solPerToken)
    .at(-1);
  if (first?.blockTime === undefined || first.price?.solPerToken === undefined) return undefined;
  const percent = (toSpotPrice(snapshot).solPerToken / first.price.solPerToken - 1) * 100;
  return { percent, hours: Math.round(Number(now - first.blockTime) / 3_600) };
}
