import { assertNames, assertWhole, inputError } from '../base/input.js';
import { toUiAmount } from '../math/units.js';
import { parseDecimal, type Rounding, withShownDigits } from './decimal.js';
import { type FormatOptions, localize } from './localize.js';

/** How to write an amount. */
export interface FormatAmountOptions extends FormatOptions {
  /**
   * The number of significant digits, 1 to 100, or `all`. Digits before the decimal point are never dropped. Default 6; pages show SOL
   * totals with 4.
   */
  readonly digits?: number | 'all' | undefined;
  /** How to round dropped digits. Default `down`: never shows more than there is. Use `up` for what a user has to provide. */
  readonly rounding?: Rounding | undefined;
  /** Writes `1.14 M` from a million on, with three digits. Default true, or false with `digits: 'all'`. */
  readonly compact?: boolean | undefined;
}

/** Returns the requested number of significant digits. */
export function digitsFrom(digits: number | 'all' | undefined, byDefault: number): number {
  if (digits === 'all') return Number.POSITIVE_INFINITY;
  const count = digits ?? byDefault;
  assertWhole('digits', count, [1, 100], "a whole number from 1 to 100 or 'all'");
  return count;
}

/** Throws for an unknown kind of rounding. */
export function assertRounding(rounding: Rounding): void {
  if (rounding === 'down' || rounding === 'up' || rounding === 'nearest') return;
  throw inputError('rounding', "rounding must be 'down', 'up' or 'nearest'.", rounding);
}

/**
 * Formats a native amount for people: six significant digits, grouped, compact from a million on. The digits come from the `bigint` and
 * are truncated, never rounded up, so it never shows more than there is. Use `rounding: 'up'` for what must be provided, such as a
 * maximum spend.
 *
 * @param amount In native units. Changes may be negative.
 * @param options For a screen reader, or on hover, `digits: 'all'` writes every digit.
 * @throws {HeavenError} `invalid-amount`, `invalid-input`
 * @example
 * ```ts
 * formatAmount(98_415_310_987n, 6); // '98,415.3'
 * formatAmount(98_415_310_987n, 6, { digits: 'all', locale: 'de' }); // '98.415,310987'
 * formatAmount(-1_299_999_999n, 9, { digits: 4, sign: 'always' }); // '−1.299'
 * formatAmount(1_200_000_001n, 9, { digits: 4, rounding: 'up' }); // '1.201'
 * ```
 */
export function formatAmount(amount: bigint, decimals: number, options: FormatAmountOptions = {}): string {
  assertNames(options, 'options', { digits: 1, rounding: 1, compact: 1, locale: 1, sign: 1 });
  const { digits, rounding = 'down', compact = digits !== 'all' } = options;
  assertRounding(rounding);
  const exact = parseDecimal(toUiAmount(amount, decimals), 'amount');
  const shown = withShownDigits(exact, digitsFrom(digits, 6), rounding);
  return localize(exact, shown, rounding, { ...options, compact });
}
