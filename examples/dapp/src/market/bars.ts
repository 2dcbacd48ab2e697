import { type FetchedPoolSnapshot, type Trade, toCandles, toSpotPrice } from 'heaven-pools';
import type { UTCTimestamp } from 'lightweight-charts';

/** More than fit on a wide screen. */
const MOST_BARS = 600;
const DAY = 86_400;

/** A candle in SOL per whole token. */
export interface Bar {
  readonly time: UTCTimestamp;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** SOL. */
  readonly volume: number;
  /** Nothing was traded: the bar is flat at the price before it. */
  readonly isGap: boolean;
}

interface Ratio {
  readonly lamports: bigint;
  readonly tokenUnits: bigint;
}

const priceIn = (decimals: number, { lamports, tokenUnits }: Ratio) =>
  (Number(lamports) / Number(tokenUnits)) * 10 ** (decimals - 9);

/** The latest bars. Each opens where the one before it closed. */
export function toBars(
  trades: readonly Trade[],
  decimals: number,
  seconds: number,
  now: bigint,
): readonly Bar[] {
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
    const close = priceIn(decimals, last);
    const open = bars.at(-1)?.close ?? (isGap ? close : priceIn(decimals, candle.open));
    const reached = isGap
      ? [open, close]
      : [open, ...[candle.high, candle.low].map((one) => priceIn(decimals, one))];
    bars.push({
      time: Number(candle.start) as UTCTimestamp,
      open,
      high: Math.max(...reached),
      low: Math.min(...reached),
      close,
      volume: Number(candle.volume.lamports) / 1e9,
      isGap,
    });
  }
  return bars.some(({ isGap }) => !isGap) ? bars : [];
}

/** How the price changed in the last 24 hours, or since the oldest known trade. */
export function priceChange(trades: readonly Trade[], snapshot: FetchedPoolSnapshot) {
  const { unixTimestamp: now, token } = snapshot;
  const since = now - BigInt(DAY);
  const candles = toCandles(trades, { intervalSeconds: 300, from: since < 0n ? 0n : since, to: now });
  const [first] = candles;
  const known = candles.find((candle) => candle.kind === 'traded' || candle.previousClose !== undefined);
  const then = known?.kind === 'traded' ? known.open : known?.previousClose;
  if (known === undefined || then === undefined) return undefined;
  const percent = (toSpotPrice(snapshot).solPerToken / priceIn(token.decimals, then) - 1) * 100;
  return { percent, seconds: known === first ? DAY : Number(now - known.start) };
}

/** A span of time in one unit. */
export function span(seconds: number): string {
  const of = (size: number, unit: string) => `${Math.max(Math.floor(seconds / size), 0)} ${unit}`;
  if (seconds < 60) return of(1, 's');
  if (seconds < 3_600) return of(60, 'min');
  return seconds < 2 * DAY ? of(3_600, 'h') : of(DAY, 'd');
}
