import { toUiAmount } from '../math/units.js';
import { assertRounding, digitsFrom } from './amount.js';
import {
  parseDecimal,
  type Rounding,
  withDecimals,
  withShownDigits,
  withSignificantDigits,
} from './decimal.js';
import { type FormatOptions, localize } from './localize.js';

/** How a price is written. */
export interface FormatPriceOptions extends FormatOptions {
  /** How many significant digits, 1 to 100. Default 4. */
  readonly digits?: number | undefined;
  /** Which way digits are dropped. Default `nearest`: a price is a figure, nothing that is held. */
  readonly rounding?: Rounding | undefined;
  /**
   * Counts the zeros behind the point in subscript from four on: `0.0₄152` is 0.0000152. Screen readers don't read subscripts: pass false for an
   * `aria-label`. Default true.
   */
  readonly subscript?: boolean | undefined;
  /** `1.14 M` from a million on. Default true. */
  readonly compact?: boolean | undefined;
}

/**
 * A price for a person to read: four significant digits, small ones with their zeros counted.
 *
 * @param price A number, or a string of decimal digits. In whichever unit: it is not written.
 * @throws {HeavenError} `invalid-amount` (not a finite decimal number), `invalid-input`
 * @example
 * ```ts
 * formatPrice(0.0000152); // '0.0₄152'
 * formatPrice(0.0000152, { subscript: false }); // '0.0000152'
 * formatPrice('81.97512'); // '81.98'
 * ```
 */
export function formatPrice(price: number | string, options: FormatPriceOptions = {}): string {
  return figure(price, 'price', options, 'nearest');
}

/** How dollars are written. */
export interface FormatUsdOptions extends FormatPriceOptions {
  /** Which way digits are dropped. Default `down`: never more than there is. */
  readonly rounding?: Rounding | undefined;
}

/**
 * Dollars for a person to read: two decimals from a dollar on, compact from a million, and four significant digits below a dollar, with the
 * zeros of the smallest counted as in {@link formatPrice}.
 *
 * @param usd Dollars: a number, or a string of decimal digits. A `bigint` is in millionths of a dollar, as {@link computeMarketCap}
 * and {@link toMicroUsd} return it.
 * @throws {HeavenError} `invalid-amount` (not a finite decimal number), `invalid-input`
 * @example
 * ```ts
 * formatUsd(123.036); // '$123.03'
 * formatUsd(123_036_000n); // '$123.03'
 * formatUsd(0.001246); // '$0.001246'
 * ```
 */
export function formatUsd(usd: number | string | bigint, options: FormatUsdOptions = {}): string {
  const dollars = typeof usd === 'bigint' ? toUiAmount(usd, 6) : usd;
  return figure(dollars, 'usd', options, 'down', 'usd');
}

/** How a percentage is written. */
export interface FormatBpsOptions extends FormatOptions {
  /** Which way digits are dropped. Default `nearest`. */
  readonly rounding?: Rounding | undefined;
}

/**
 * Basis points as a percentage for a person to read, with two decimals at most; less than those show is written with one significant digit.
 *
 * @param bps Basis points, 100 of which are a percent. May be negative, and may have a fraction.
 * @throws {HeavenError} `invalid-amount` (not a finite decimal number), `invalid-input`
 * @example
 * ```ts
 * formatBps(150); // '1.5%'
 * formatBps(-9, { sign: 'always' }); // '−0.09%'
 * formatBps(320, { sign: 'always' }); // '+3.2%'
 * ```
 */
export function formatBps(bps: number | bigint, options: FormatBpsOptions = {}): string {
  const { rounding = 'nearest' } = options;
  assertRounding(rounding);
  const { units, scale } = parseDecimal(typeof bps === 'bigint' ? String(bps) : bps, 'bps');
  const percent = { units, scale: scale + 2 };
  const short = withDecimals(percent, 2, rounding);
  const value = short.units === 0n ? withSignificantDigits(percent, 1, rounding) : short;
  return localize(percent, value, rounding, { ...options, unit: 'percent' });
}

/** A price or an amount of money. */
function figure(
  value: number | string,
  field: string,
  options: FormatPriceOptions,
  roundingByDefault: Rounding,
  unit?: 'usd',
): string {
  const { rounding = roundingByDefault, compact = true, subscript = true } = options;
  assertRounding(rounding);
  const digits = digitsFrom(options.digits, 4);
  const exact = parseDecimal(value, field);
  const style = { ...options, compact, subscript, unit, minimumDecimals: unit === undefined ? 0 : 2 };
  const isDollars = unit === 'usd' && withDecimals(exact, 0, 'down').units !== 0n;
  const shown = isDollars ? withDecimals(exact, 2, rounding) : withShownDigits(exact, digits, rounding);
  return localize(exact, shown, rounding, style);
}
