import { assertNames } from '../base/input.js';
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

/** How to write a price. */
export interface FormatPriceOptions extends FormatOptions {
  /** The number of significant digits, 1 to 100. Default 4. */
  readonly digits?: number | undefined;
  /** How to round dropped digits. Default `nearest`: a price is a figure, not a holding. */
  readonly rounding?: Rounding | undefined;
  /**
   * Counts four or more zeros after the decimal point in subscript: `0.0₄152` is 0.0000152. Screen readers don't read subscripts: pass
   * false for an `aria-label`. Default true.
   */
  readonly subscript?: boolean | undefined;
  /** Writes `1.14 M` from a million on. Default true. */
  readonly compact?: boolean | undefined;
}

/**
 * Formats a price for people: four significant digits, and a subscript that counts the zeros of small prices.
 *
 * @param price A number, or a string of decimal digits, in any unit. The unit is not written.
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

/** How to write dollars. */
export interface FormatUsdOptions extends FormatPriceOptions {
  /** How to round dropped digits. Default `down`: never shows more than there is. */
  readonly rounding?: Rounding | undefined;
}

/**
 * Formats dollars for people: two decimals from one dollar on, compact from a million, and four significant digits below a dollar. A
 * subscript counts the zeros of very small amounts, as in {@link formatPrice}.
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

/** How to write a percentage. */
export interface FormatBpsOptions extends FormatOptions {
  /** How to round dropped digits. Default `nearest`. */
  readonly rounding?: Rounding | undefined;
}

/**
 * Formats basis points as a percentage for people, with at most two decimals. A smaller percentage gets one significant digit.
 *
 * @param bps Basis points: 100 are one percent. May be negative or fractional.
 * @throws {HeavenError} `invalid-amount` (not a finite decimal number), `invalid-input`
 * @example
 * ```ts
 * formatBps(150); // '1.5%'
 * formatBps(-9, { sign: 'always' }); // '−0.09%'
 * formatBps(320, { sign: 'always' }); // '+3.2%'
 * ```
 */
export function formatBps(bps: number | bigint, options: FormatBpsOptions = {}): string {
  assertNames(options, 'options', { rounding: 1, locale: 1, sign: 1 });
  const { rounding = 'nearest' } = options;
  assertRounding(rounding);
  const { units, scale } = parseDecimal(typeof bps === 'bigint' ? String(bps) : bps, 'bps');
  const percent = { units, scale: scale + 2 };
  const short = withDecimals(percent, 2, rounding);
  const value = short.units === 0n ? withSignificantDigits(percent, 1, rounding) : short;
  return localize(percent, value, rounding, { ...options, unit: 'percent' });
}

/** Formats a price or an amount of money. */
function figure(
  value: number | string,
  field: string,
  options: FormatPriceOptions,
  roundingByDefault: Rounding,
  unit?: 'usd',
): string {
  assertNames(options, 'options', { digits: 1, rounding: 1, subscript: 1, compact: 1, locale: 1, sign: 1 });
  const { rounding = roundingByDefault, compact = true, subscript = true } = options;
  assertRounding(rounding);
  const digits = digitsFrom(options.digits, 4);
  const exact = parseDecimal(value, field);
  const style = { ...options, compact, subscript, unit, minimumDecimals: unit === undefined ? 0 : 2 };
  const isDollars = unit === 'usd' && withDecimals(exact, 0, 'down').units !== 0n;
  const shown = isDollars ? withDecimals(exact, 2, rounding) : withShownDigits(exact, digits, rounding);
  return localize(exact, shown, rounding, style);
}
