import { assertWhole, inputError, invalidInput } from '../input.js';
import { oldestFirst, tradeKey } from './order.js';
import { tradePriceOf } from './trade-price.js';
import type { ParsedTradePrice, Trade } from './trades.js';

/**
 * Which price of a trade a candle shows.
 *
 * - `before-fees`: what the curve exchanged. A buy and a sell in quick succession have about the same price,
 *   unless the token has a transfer fee: how much of a sell that takes is unknown.
 * - `after-fees`: what the user paid or received, the `price` of {@link ParsedTrade}. Buys are then higher than sells, by both fees.
 */
export type CandlePrices = 'before-fees' | 'after-fees';

/** How {@link createCandleSeries} divides time, and which prices it shows. */
export interface CandleOptions {
  /** The length of a candle in whole seconds. Candles start at multiples of it in Unix time. */
  readonly intervalSeconds: number;
  /** Starts with the candle that contains this time, in Unix seconds. Default: that of the first trade. */
  readonly from?: bigint | undefined;
  /** Default `before-fees`. */
  readonly prices?: CandlePrices | undefined;
}

/** What was traded in a candle. Counts only what the transactions prove. */
export interface CandleVolume {
  /** What buyers paid and sellers received, in lamports, including the exchange's fees. */
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
  readonly open: ParsedTradePrice;
  readonly high: ParsedTradePrice;
  readonly low: ParsedTradePrice;
  readonly close: ParsedTradePrice;
}

/** An interval without a trade whose price is proven. */
export interface GapCandle extends Interval {
  readonly kind: 'gap';
  /** The last price before it. `undefined` if none is known. */
  readonly previousClose: ParsedTradePrice | undefined;
}

/** An interval of time. `kind` says whether it had a priced trade. */
export type Candle = TradedCandle | GapCandle;

/** Candles that grow with each trade. Created by {@link createCandleSeries}. */
export interface CandleSeries {
  /** All candles so far, oldest first, without holes. When a candle changes, a new object replaces it; the array stays the same. */
  readonly candles: readonly Candle[];
  /** The number of trades without a `blockTime`. They belong to no candle. */
  readonly untimed: number;
  /**
   * Adds a trade. Adding the newest one takes the same short time however many there are. A late one changes its
   * candle. One that was added before changes nothing. Trades of one slot count in the order of the calls.
   *
   * @returns The index of the first new or changed candle, or `undefined` if there is none.
   * @throws {HeavenError} `invalid-input` (it would take more than 100,000 candles)
   */
  add(trade: Trade): number | undefined;
  /**
   * Adds trades in any order, as {@link toCandles} takes them. Those that were added before change nothing.
   *
   * @returns The index of the first new or changed candle, or `undefined` if there is none.
   * @throws {HeavenError} `invalid-input` (it would take more than 100,000 candles)
   */
  addAll(trades: readonly Trade[]): number | undefined;
  /**
   * Adds empty candles up to the one that contains this time, in Unix seconds, so a live chart moves on while nobody trades. Without
   * `from`, it does nothing before the first trade.
   *
   * @throws {HeavenError} `invalid-input` (it would take more than 100,000 candles)
   */
  fillTo(time: bigint): void;
}

/** More than a chart shows; less than a page's memory. */
const MOST_CANDLES = 100_000;

/** A candle, and the slots of its first and last prices. */
interface Bucket {
  readonly candle: Candle;
  readonly openSlot: bigint;
  readonly closeSlot: bigint;
}

/**
 * Creates candles for a live chart: add past trades oldest first, then each new one. A new trade never recomputes the older candles.
 *
 * @throws {HeavenError} `invalid-input` (intervalSeconds, from, prices)
 * @example
 * ```ts
 * const series = createCandleSeries({ intervalSeconds: 60 });
 * const { trades } = await listTrades(client, { pool, limit: 100 });
 * for (const trade of [...trades].reverse()) {
 *   const changed = series.add(trade);
 *   if (changed !== undefined) console.log(series.candles.slice(changed));
 * }
 * ```
 */
export function createCandleSeries(options: CandleOptions): CandleSeries {
  const { prices = 'before-fees', from } = options;
  const length = intervalOf(options.intervalSeconds);
  if (prices !== 'before-fees' && prices !== 'after-fees')
    throw invalidInput('prices', prices, "'before-fees' or 'after-fees'");
  if (from !== undefined) assertTime('from', from);
  const startOf = (time: bigint) => time - (((time % length) + length) % length);

  const first = from === undefined ? undefined : startOf(from);
  const buckets: Bucket[] = [];
  const candles: Candle[] = [];
  const known = new Set<string>();
  let untimed = 0;
  /** The last price before the first candle, if trades before it were added. */
  let lead: { readonly slot: bigint; readonly price: ParsedTradePrice } | undefined;

  const set = (index: number, bucket: Bucket) => {
    buckets[index] = bucket;
    candles[index] = bucket.candle;
  };
  const closeBefore = (index: number) => (index === 0 ? lead?.price : closeOf(candles[index - 1]));
  /** Gives the gaps from an index on the last price before them. */
  const carry = (from: number) => {
    for (let index = from; candles[index]?.kind === 'gap'; index++) {
      const bucket = buckets[index] as Bucket;
      set(index, {
        ...bucket,
        candle: { ...(bucket.candle as GapCandle), previousClose: closeBefore(index) },
      });
    }
  };
  /** Returns the index of the candle that starts at a time. Creates it, and those in between. */
  const reach = (start: bigint): number => {
    const begin = candles[0]?.start ?? first ?? start;
    const end = candles.at(-1)?.start ?? begin;
    const span = ((start > end ? start : end) - (start < begin ? start : begin)) / length + 1n;
    if (span > MOST_CANDLES) {
      throw inputError(
        'intervalSeconds',
        `These trades take ${span} candles of ${length} seconds, and a series holds ${MOST_CANDLES}. Choose a longer interval, or a later from.`,
        options.intervalSeconds,
      );
    }
    if (start < begin) {
      const missing = Number((begin - start) / length);
      const gaps = Array.from({ length: missing }, (_, index) =>
        gapAt(start + BigInt(index) * length, undefined),
      );
      prepend(buckets, gaps);
      prepend(
        candles,
        gaps.map(({ candle }) => candle),
      );
    }
    let next = (candles.at(-1)?.start ?? begin - length) + length;
    for (; next <= start; next += length) set(candles.length, gapAt(next, closeBefore(candles.length)));
    return Number((start - (candles[0] as Candle).start) / length);
  };

  const add = (trade: Trade): number | undefined => {
    const key = tradeKey(trade);
    if (known.has(key)) return undefined;
    if (trade.blockTime === undefined) {
      known.add(key);
      untimed++;
      return undefined;
    }
    const start = startOf(trade.blockTime);
    const price = tradePrice(trade, prices);
    if (first !== undefined && start < first) {
      known.add(key);
      if (price === undefined || (lead !== undefined && trade.slot < lead.slot)) return undefined;
      lead = { slot: trade.slot, price };
      carry(0);
      return candles[0]?.kind === 'gap' ? 0 : undefined;
    }
    const before = candles.length;
    const isEarlier = before > 0 && start < (candles[0] as Candle).start;
    const index = reach(start);
    known.add(key);
    set(index, withTrade(buckets[index] as Bucket, trade, price));
    carry(index + 1);
    return isEarlier ? 0 : Math.min(index, before);
  };

  return {
    candles,
    get untimed() {
      return untimed;
    },
    add,
    addAll: (trades) => {
      let least: number | undefined;
      for (const trade of oldestFirst(trades)) {
        const changed = add(trade);
        if (changed !== undefined) least = Math.min(least ?? changed, changed);
      }
      return least;
    },
    fillTo: (time) => {
      assertTime('time', time);
      const start = startOf(time);
      const last = candles.at(-1)?.start;
      if (last === undefined ? first !== undefined && start >= first : start > last) reach(start);
    },
  };
}

/** Options of {@link toCandles}. */
export interface ToCandlesOptions extends CandleOptions {
  /** Ends with the candle that contains this time, in Unix seconds. Default: that of the last trade. */
  readonly to?: bigint | undefined;
}

/**
 * Computes candles from trades, oldest first, without holes: an interval without trades is a `gap`. Prices are exact ratios, with a
 * float beside them. A trade whose price is not proven is counted, but does not affect prices.
 *
 * The trades may be newest first, as {@link listTrades} returns them, oldest first or mixed, and may repeat. Trades of one slot
 * keep the list's order. Those without a `blockTime` are left out.
 *
 * @param options With `from`, trades before it only give the first gap its price.
 * @throws {HeavenError} `invalid-input` (also if it would take more than 100,000 candles)
 * @example
 * ```ts
 * const { trades } = await listTrades(client, { pool, limit: 100 });
 * for (const candle of toCandles(trades, { intervalSeconds: 300 })) {
 *   if (candle.kind === 'traded') console.log(candle.start, candle.open.solPerToken, candle.close.solPerToken);
 * }
 * ```
 */
export function toCandles(trades: readonly Trade[], options: ToCandlesOptions): readonly Candle[] {
  if (!Array.isArray(trades)) throw invalidInput('trades', trades, 'an array of trades');
  const series = createCandleSeries(options);
  const { to } = options;
  if (to !== undefined) assertTime('to', to);
  const length = BigInt(options.intervalSeconds);
  const isWanted = ({ blockTime }: Trade) =>
    to === undefined || blockTime === undefined || blockTime / length <= to / length;
  series.addAll(trades.filter(isWanted));
  if (to !== undefined) series.fillTo(to);
  return series.candles;
}

function intervalOf(seconds: unknown): bigint {
  assertWhole('intervalSeconds', seconds, [1, 31_536_000], 'a whole number of seconds from 1 to 31536000');
  return BigInt(seconds);
}

function assertTime(field: string, time: unknown): void {
  if (typeof time !== 'bigint' || time < 0n)
    throw invalidInput(field, time, 'a time in Unix seconds as a bigint');
}

/** Inserts items at the start of a list. Some engines can't pass that many as arguments. */
function prepend<T>(list: T[], items: readonly T[]): void {
  list.reverse();
  for (let index = items.length - 1; index >= 0; index--) list.push(items[index] as T);
  list.reverse();
}

const closeOf = (candle: Candle | undefined): ParsedTradePrice | undefined =>
  candle?.kind === 'traded' ? candle.close : candle?.previousClose;

const gapAt = (start: bigint, previousClose: ParsedTradePrice | undefined): Bucket => ({
  candle: {
    kind: 'gap',
    start,
    volume: { lamports: 0n, tokenUnits: 0n, isComplete: true },
    trades: 0,
    unpriced: 0,
    previousClose,
  },
  openSlot: 0n,
  closeSlot: 0n,
});

/** Returns what a trade exchanged, in the user's terms: lamports and token units, whichever way they went. */
const amountsOf = ({ side, amountIn, amountOut }: Trade) =>
  side === 'buy'
    ? { lamports: amountIn, tokenUnits: amountOut }
    : { lamports: amountOut, tokenUnits: amountIn };

/** Returns a trade's price, if it is proven. */
function tradePrice(trade: Trade, prices: CandlePrices): ParsedTradePrice | undefined {
  if (prices === 'after-fees') return trade.price;
  const { lamports, tokenUnits } = amountsOf(trade);
  const { side, totalFee, transferFee, decimals } = trade;
  if (lamports === undefined || tokenUnits === undefined) return undefined;
  if (totalFee === undefined || transferFee === undefined) return undefined;
  const curve = side === 'buy' ? lamports - totalFee : lamports + totalFee;
  return tradePriceOf(curve, tokenUnits + transferFee, decimals);
}

const isLess = (a: ParsedTradePrice, b: ParsedTradePrice) =>
  a.lamports * b.tokenUnits < b.lamports * a.tokenUnits;

function withTrade(
  { candle, openSlot, closeSlot }: Bucket,
  trade: Trade,
  price: ParsedTradePrice | undefined,
): Bucket {
  const { lamports, tokenUnits } = amountsOf(trade);
  const { slot } = trade;
  const interval = {
    start: candle.start,
    volume: {
      lamports: candle.volume.lamports + (lamports ?? 0n),
      tokenUnits: candle.volume.tokenUnits + (tokenUnits ?? 0n),
      isComplete: candle.volume.isComplete && lamports !== undefined && tokenUnits !== undefined,
    },
    trades: candle.trades + 1,
    unpriced: candle.unpriced + (price === undefined ? 1 : 0),
  };
  if (price === undefined) return { candle: { ...candle, ...interval }, openSlot, closeSlot };
  if (candle.kind === 'gap') {
    const prices = { open: price, high: price, low: price, close: price };
    return { candle: { kind: 'traded', ...interval, ...prices }, openSlot: slot, closeSlot: slot };
  }
  const { open, high, low, close } = candle;
  return {
    candle: {
      kind: 'traded',
      ...interval,
      open: slot < openSlot ? price : open,
      high: isLess(high, price) ? price : high,
      low: isLess(price, low) ? price : low,
      close: slot >= closeSlot ? price : close,
    },
    openSlot: slot < openSlot ? slot : openSlot,
    closeSlot: slot >= closeSlot ? slot : closeSlot,
  };
}
