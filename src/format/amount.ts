import { assertWhole, inputError } from '../input.js';
import { toUiAmount } from '../math/units.js';
import { parseDecimal, type Rounding, withShownDigits } from './decimal.js';
import { type FormatOptions, localize } from './localize.js';

/** How an amount is written. */
export interface FormatAmountOptions extends FormatOptions {
  /**
   * How many significant digits, 1 to 100, or `all`. Digits before the point are never dropped. Default 6; for sums of SOL a page shows 4.
   */
  readonly digits?: number | 'all' | undefined;
  /** Which way digits are dropped. Default `down`: never more than there is. `up` is for what a user has to provide. */
  readonly rounding?: Rounding | undefined;
  /** `1.14 M` from a million on, with three digits. Default true, and false with `digits: 'all'`. */
  readonly compact?: boolean | undefined;
}

/** How many significant digits are asked for. */
export function digitsFrom(digits: number | 'all' | undefined, byDefault: number): number {
  if (digits === 'all') return Number.POSITIVE_INFINITY;
  const count = digits ?? byDefault;
  assertWhole('digits', count, [1, 100], "a whole number from 1 to 100 or 'all'");
  return count;
}

/** Refuses another way of rounding. */
export function assertRounding(rounding: Rounding): void {
  if (rounding === 'down' || rounding === 'up' || rounding === 'nearest') return;
  throw inputError('rounding', "rounding must be 'down', 'up' or 'nearest'.", rounding);
}

/**
 * A native amount for a person to read: six significant digits, grouped, compact from a million on. The digits come from the `bigint` and
 * are cut off, never rounded up, so that no more is shown than there is; `rounding: 'up'` is for what must be provided, such as a
 * largest spend.
 *
 * @param amount Native units. A change may be negative.
 * @param options For a screen reader, or on hover, `digits: 'all'` writes all of them.
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
  const { digits, rounding = 'down', compact = digits !== 'all' } = options;
  assertRounding(rounding);
  const exact = parseDecimal(toUiAmount(amount, decimals), 'amount');
  const shown = withShownDigits(exact, digitsFrom(digits, 6), rounding);
  return localize(exact, shown, rounding, { ...options, compact });
}
