import type { ParsedTradePrice, Trade } from './trades.js';

/**
 * Which price of a trade a candle shows.
 *
 * - `before-fees`: what the curve exchanged. A buy and a sell right after each other have about the same price.
 * - `after-fees`: what the user paid or received, as in {@link ParsedTrade}'s `price`. Buys lie above sells by twice the fees.
 */
export type CandlePrices = 'before-fees' | 'after-fees';

/** How {@link toCandles} divides time. */
export interface CandleOptions {
  /** The length of a candle in whole seconds. Candles begin at multiples of it in Unix time. */
  readonly intervalSeconds: number;
  /** Leaves out earlier trades, and begins with the candle that holds this time. Unix seconds. Default: the first trade. */
  readonly from?: bigint | undefined;
  /** Leaves out trades at this time and later, and ends before it. Unix seconds. Default: the last trade. */
  readonly to?: bigint | undefined;
  /** Default `before-fees`. */
  readonly prices?: CandlePrices | undefined;
}

/** What was traded in a candle, as far as the transactions prove it. */
export interface CandleVolume {
  /** What buyers paid and sellers received, all fees of the exchange included. */
  readonly lamports: bigint;
  /** What buyers received and sellers gave, in native units of the token. */
  readonly tokenUnits: bigint;
}

interface CandleTime {
  /** When it begins, in Unix seconds. */
  readonly start: bigint;
  readonly volume: CandleVolume;
  /** How many trades it holds, `unpriced` ones included. */
  readonly trades: number;
  /** How many of them have no proven price: they move no price. */
  readonly unpriced: number;
}

/** A candle with at least one trade whose price is proven. The prices are exact ratios. */
export interface TradedCandle extends CandleTime {
  readonly kind: 'traded';
  readonly open: ParsedTradePrice;
  readonly high: ParsedTradePrice;
  readonly low: ParsedTradePrice;
  readonly close: ParsedTradePrice;
}

/** An interval without any trade whose price is proven. */
export interface GapCandle extends CandleTime {
  readonly kind: 'gap';
  /** The last price before it, or `undefined` if there is none. */
  readonly previousClose: ParsedTradePrice | undefined;
}

/** An interval of time in which trades happened, or not. */
export type Candle = TradedCandle | GapCandle;

/** Candles that grow with each trade. */
export interface CandleSeries {
  /** All candles so far, oldest first, without holes. */
  readonly candles: readonly Candle[];
  /** Trades without a `blockTime`, which belong to no candle. */
  readonly untimed: number;
  /**
   * Takes a trade in. One that is newer than all before takes the same short time however many there are.
   *
   * @returns The index of the first candle that is new or changed, or `undefined` if none is.
   */
  add(trade: Trade): number | undefined;
}

/** First cut: see {@link toCandles}. */
export function createCandleSeries(options: CandleOptions): CandleSeries {
  return { candles: [], untimed: 0, add: () => (options === undefined ? 0 : undefined) };
}

/** Candles of trades, oldest first. */
export function toCandles(trades: readonly Trade[], options: CandleOptions): readonly Candle[] {
  const series = createCandleSeries(options);
  for (const trade of trades) series.add(trade);
  return series.candles;
}
