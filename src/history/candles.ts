import { assertNames, assertWhole, inputError, invalidInput } from '../base/input.js';
import { oldestFirst } from './order.js';
import { type ParsedTradePrice, type Trade, tradePriceOf } from './trades.js';

/** How {@link toCandles} divides time. */
export interface ToCandlesOptions {
  /** The length of a candle in whole seconds. Candles start at multiples of it in Unix time. Default 60. */
  readonly intervalSeconds?: number | undefined;
  /** Starts with the candle that contains this time, in Unix seconds. Default: that of the first trade. */
  readonly from?: bigint | undefined;
  /** Ends with the candle that contains this time, in Unix seconds. Default: that of the last trade. */
  readonly to?: bigint | undefined;
}

/** What was traded in a candle. Counts only what the transactions prove. */
export interface CandleVolume {
  /** What buyers paid, including the exchange's fees, and sellers received, after them, in lamports. */
  readonly lamports: bigint;
  /** What buyers received and sellers gave, in native units of the token. */
  readonly tokenUnits: bigint;
  /** Whether every trade is counted: `false` if a transaction does not prove an amount. */
  readonly isComplete: boolean;
}

interface Interval {
  /** The start time, in Unix seconds. */
  readonly start: bigint;
  readonly volume: CandleVolume;
  /** The number of trades in it, including unpriced ones. */
  readonly trades: number;
  /** How many of those have no proven price. They don't affect prices. */
  readonly unpriced: number;
}

/** A candle with at least one trade whose price is proven. */
export interface TradedCandle extends Interval {
  readonly kind: 'traded';
  /** The first price: what the pool exchanged, before fees, in lamports for token units. */
  readonly open: ParsedTradePrice;
  /** The highest price, before fees. */
  readonly high: ParsedTradePrice;
  /** The lowest price, before fees. */
  readonly low: ParsedTradePrice;
  /** The last price, before fees. */
  readonly close: ParsedTradePrice;
}

/** An interval without a trade whose price is proven. */
export interface GapCandle extends Interval {
  readonly kind: 'gap';
  /** The last price before it, before fees. `undefined` if none is known. */
  readonly previousClose: ParsedTradePrice | undefined;
}

/** An interval of time. `kind` says whether it had a priced trade. */
export type Candle = TradedCandle | GapCandle;

/** More than a chart shows; less than a page's memory. */
const MAX_CANDLES = 100_000;

/**
 * Computes candles from trades, oldest first, without holes: an interval without trades is a `gap`. Prices are exact ratios before
 * fees, with a float beside them. A trade whose price is not proven is counted, but does not affect prices.
 *
 * The trades may be in any order and repeat: they are sorted by their `place`. Those without one, stored by an earlier version, are taken
 * as the first of their slot, in the list's order; a list of one slot as newest first. Those without a `blockTime` are left out.
 *
 * @param options With `from`, trades before it only give the first gap its price.
 * @throws {HeavenError} `invalid-input` (also if it would take more than 100,000 candles)
 * @example
 * ```ts
 * const { trades } = await listTrades(client, { pool, limit: 100 });
 * for (const candle of toCandles(trades)) {
 *   if (candle.kind === 'traded') console.log(candle.start, candle.open.solPerToken, candle.close.solPerToken);
 * }
 * ```
 */
export function toCandles(trades: readonly Trade[], options: ToCandlesOptions = {}): readonly Candle[] {
  assertNames(options, 'options', { intervalSeconds: 1, from: 1, to: 1 });
  const { intervalSeconds = 60 } = options;
  assertWhole(
    'intervalSeconds',
    intervalSeconds,
    [1, 31_536_000],
    'a whole number of seconds from 1 to 31536000',
  );
  const length = BigInt(intervalSeconds);
  const startOf = (time: bigint) => time - (time % length);
  const from = timeOf('from', options.from);
  const to = timeOf('to', options.to);
  const first = from === undefined ? undefined : startOf(from);
  const last = to === undefined ? undefined : startOf(to);

  /** The last price before the first candle. */
  let previousClose: ParsedTradePrice | undefined;
  const byStart = new Map<bigint, Sums>();
  for (const trade of oldestFirst(trades)) {
    if (trade.blockTime === undefined) continue;
    const start = startOf(trade.blockTime);
    if (last !== undefined && start > last) continue;
    if (first !== undefined && start < first) previousClose = executionPrice(trade) ?? previousClose;
    else {
      const sums = byStart.get(start) ?? noSums();
      byStart.set(start, sums);
      addTo(sums, trade);
    }
  }
  const starts = [...byStart.keys()].sort((a, b) => Number(a - b));
  const begin = first ?? starts[0];
  const end = last ?? starts.at(-1);
  if (begin === undefined || end === undefined) return [];
  assertFew((end - begin) / length + 1n, intervalSeconds);

  const candles: Candle[] = [];
  for (let start = begin; start <= end; start += length) {
    const { prices, ...rest } = byStart.get(start) ?? noSums();
    candles.push(
      prices === undefined
        ? { kind: 'gap', start, ...rest, previousClose }
        : { kind: 'traded', start, ...rest, ...prices },
    );
    previousClose = prices?.close ?? previousClose;
  }
  return candles;
}

const noSums = () => ({
  volume: { lamports: 0n, tokenUnits: 0n, isComplete: true },
  trades: 0,
  unpriced: 0,
  prices: undefined as Pick<TradedCandle, 'open' | 'high' | 'low' | 'close'> | undefined,
});
type Sums = ReturnType<typeof noSums>;

/** Adds the next trade to its candle. */
function addTo(sums: Sums, trade: Trade): void {
  const { volume, prices } = sums;
  const { lamports, tokenUnits } = amountsOf(trade);
  volume.lamports += lamports ?? 0n;
  volume.tokenUnits += tokenUnits ?? 0n;
  volume.isComplete &&= lamports !== undefined && tokenUnits !== undefined;
  sums.trades++;
  const price = executionPrice(trade);
  if (price === undefined) sums.unpriced++;
  else {
    const { open, high, low } = prices ?? { open: price, high: price, low: price };
    sums.prices = {
      open,
      high: isLess(high, price) ? price : high,
      low: isLess(price, low) ? price : low,
      close: price,
    };
  }
}

function timeOf(field: string, time: unknown): bigint | undefined {
  if (time === undefined || (typeof time === 'bigint' && time >= 0n)) return time;
  throw invalidInput(field, time, 'a time in Unix seconds as a bigint');
}

function assertFew(count: bigint, intervalSeconds: number): void {
  if (count <= MAX_CANDLES) return;
  throw inputError(
    'intervalSeconds',
    `These trades take ${count} candles of ${intervalSeconds} seconds, and at most ${MAX_CANDLES} are made. Choose a longer interval, or a later from.`,
    intervalSeconds,
  );
}

/** Returns what a trade exchanged, in the user's terms: lamports and token units, whichever way they went. */
const amountsOf = ({ side, amountIn, amountOut }: Trade) =>
  side === 'buy'
    ? { lamports: amountIn, tokenUnits: amountOut }
    : { lamports: amountOut, tokenUnits: amountIn };

/**
 * Returns what the curve exchanged, before fees, if it is proven: a buy and a sell in quick succession have about the same price, unless
 * the token has a transfer fee, as how much of a sell that takes is unknown.
 */
function executionPrice(trade: Trade): ParsedTradePrice | undefined {
  const { lamports, tokenUnits } = amountsOf(trade);
  const { side, totalFee, transferFee, decimals } = trade;
  if (lamports === undefined || tokenUnits === undefined) return undefined;
  if (totalFee === undefined || transferFee === undefined) return undefined;
  const curve = side === 'buy' ? lamports - totalFee : lamports + totalFee;
  return tradePriceOf(curve, tokenUnits + transferFee, decimals);
}

const isLess = (a: ParsedTradePrice, b: ParsedTradePrice) =>
  a.lamports * b.tokenUnits < b.lamports * a.tokenUnits;
