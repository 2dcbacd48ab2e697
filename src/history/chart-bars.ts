import { assertWhole, invalidInput } from '../input.js';
import type { Candle } from './candles.js';
import type { ParsedTradePrice } from './trades.js';

/** A candle as chart libraries take it: floats, in SOL per whole token. */
export interface ChartBar {
  /** The start time, in Unix seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** SOL. */
  readonly volume: number;
  /** The number of trades in it. */
  readonly trades: number;
  /** Whether nothing was traded at a known price. The bar is then flat at the price before it. */
  readonly isGap: boolean;
}

/** Options of {@link toChartBars}. */
export interface ChartBarsOptions {
  /**
   * What a bar opens at. `previous-close`, the default, leaves no jumps between bars and gives a bar with a single trade a body, as
   * on most trading pages. `first-trade` is the candle's own `open`.
   */
  readonly opensAt?: 'previous-close' | 'first-trade' | undefined;
}

/**
 * Converts candles to bars for a chart. Gaps before the first known price are left out.
 *
 * For a live chart, convert only the candles that are visible, and one more before them for the first bar's `open`.
 *
 * @param candles Oldest first, from {@link toCandles} or a {@link CandleSeries}.
 * @param decimals The token's decimals.
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const { token } = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { trades } = await listTrades(client, { pool, limit: 100 });
 * const bars = toChartBars(toCandles(trades, { intervalSeconds: 300 }), token.decimals);
 * console.log(bars.at(-1)?.close);
 * ```
 */
export function toChartBars(
  candles: readonly Candle[],
  decimals: number,
  { opensAt = 'previous-close' }: ChartBarsOptions = {},
): readonly ChartBar[] {
  if (!Array.isArray(candles)) throw invalidInput('candles', candles, 'an array of candles');
  assertWhole('decimals', decimals, [0, 255]);
  if (opensAt !== 'previous-close' && opensAt !== 'first-trade')
    throw invalidInput('opensAt', opensAt, "'previous-close' or 'first-trade'");
  const toPrice = (price: ParsedTradePrice) => toSolPerToken(price, decimals);
  const bars: ChartBar[] = [];
  for (const candle of candles as readonly Candle[]) {
    const { start, volume, trades } = candle;
    const common = { time: Number(start), volume: Number(volume.lamports) / 1e9, trades };
    if (candle.kind === 'gap') {
      if (candle.previousClose === undefined) continue;
      const close = toPrice(candle.previousClose);
      bars.push({ ...common, open: close, high: close, low: close, close, isGap: true });
      continue;
    }
    const before = opensAt === 'previous-close' ? bars.at(-1)?.close : undefined;
    const open = before ?? toPrice(candle.open);
    bars.push({
      ...common,
      open,
      high: Math.max(toPrice(candle.high), open),
      low: Math.min(toPrice(candle.low), open),
      close: toPrice(candle.close),
      isGap: false,
    });
  }
  return bars;
}

/** Converts an exact price to SOL per whole token, for display. */
export const toSolPerToken = (
  { lamports, tokenUnits }: Pick<ParsedTradePrice, 'lamports' | 'tokenUnits'>,
  decimals: number,
): number => (Number(lamports) / Number(tokenUnits)) * 10 ** (decimals - 9);
