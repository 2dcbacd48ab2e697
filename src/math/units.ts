import { HeavenError } from '../base/errors.js';
import { assertWhole, describe } from '../base/input.js';
import { U64_MAX } from '../base/integers.js';

/** A human-readable amount with the token's decimals applied. A string is exact; a number is taken digit by digit. */
export type UiAmount = number | string;

/** How a UI amount is written: its whole part, its fraction and its exponent. */
export const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The error for what is not a UI amount. */
const invalidAmount = (field: string, value: unknown) =>
  new HeavenError(
    'invalid-amount',
    `${field} must be a non-negative decimal number such as 1.5 or '1.5'; got ${describe(value)}.`,
    { field, value },
  );

function decimalParts(amount: UiAmount, field: string) {
  const text = typeof amount === 'number' ? String(amount) : amount;
  const parts = typeof text === 'string' ? DECIMAL.exec(text) : null;
  if (parts === null) {
    throw invalidAmount(field, amount);
  }
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  return { whole, fraction, exponent: Number(exponent) };
}

/** A mint keeps its decimals in one byte. */
const assertDecimals = (decimals: number) => assertWhole('decimals', decimals, [0, 255]);

/** Rejects what is not a UI amount above 0, before the token's decimals are known. */
export function assertUiAmount(amount: UiAmount, field: string): void {
  const { whole, fraction } = decimalParts(amount, field);
  if (!/[1-9]/.test(whole + fraction)) {
    throw new HeavenError('zero-amount', `${field} must not be 0.`, { field });
  }
}

/**
 * A UI amount in native units, through its decimal digits and never through float arithmetic.
 * @param amount `1.5`, `'1.5'` or `'15e-1'`.
 * @param field The name that an error gives to the amount.
 * @throws {HeavenError} `invalid-amount` (not a non-negative decimal number, or too many decimals),
 * `amount-out-of-range` (over 2^64 - 1)
 * @example
 * ```ts
 * toNativeAmount('1.5', 9); // 1500000000n
 * ```
 */
export const toNativeAmount = (amount: UiAmount, decimals: number, field = 'amount'): bigint =>
  scaleDecimal(amount, decimals, field, U64_MAX);

/** A decimal number times a power of ten, exactly, up to `most`. */
export function scaleDecimal(amount: UiAmount, decimals: number, field: string, most: bigint): bigint {
  assertDecimals(decimals);
  const { whole, fraction, exponent } = decimalParts(amount, field);
  const digits = (whole + fraction).replace(/^0+/, '');
  const scale = decimals + exponent - fraction.length;
  const kept = scale < 0 ? digits.slice(0, scale) : digits;
  if (scale < 0 && /[1-9]/.test(digits.slice(scale))) {
    throw new HeavenError(
      'invalid-amount',
      `${field} is ${describe(amount)}, but can have at most ${decimals} decimals. Round it first.`,
      { field, value: amount, decimals },
    );
  }
  // A number with more digits than the largest amount is out of range. Don't compute it.
  const zeros = Math.max(scale, 0);
  const isLong = kept.length + zeros > most.toString().length;
  const scaled = kept === '' ? 0n : isLong ? most + 1n : BigInt(kept) * 10n ** BigInt(zeros);
  if (scaled > most) {
    throw new HeavenError('amount-out-of-range', `${field} is ${describe(amount)}, which is too large.`, {
      field,
      value: amount,
    });
  }
  return scaled;
}

/**
 * A native amount, or a change of one, as an exact decimal string without trailing zeros.
 * @param amount Native units. A change may be negative.
 * @throws {HeavenError} `invalid-amount` (not a bigint), `invalid-input` (decimals that no token has)
 * @example
 * ```ts
 * toUiAmount(1_500_000_000n, 9); // '1.5'
 * toUiAmount(-5_000n, 9); // '-0.000005'
 * ```
 */
export function toUiAmount(amount: bigint, decimals: number): string {
  assertDecimals(decimals);
  if (typeof amount !== 'bigint') {
    throw new HeavenError(
      'invalid-amount',
      `amount must be native units as a bigint; got ${describe(amount)}.`,
      { field: 'amount', value: amount },
    );
  }
  return withPoint(amount, decimals);
}

/** {@link toUiAmount} of values that are known to be right. */
function withPoint(amount: bigint, decimals: number): string {
  if (amount < 0n) return `-${withPoint(-amount, decimals)}`;
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Native units, for a person. */
export const inUnits = (amount: bigint): string => `${amount} native unit${amount === 1n ? '' : 's'}`;

/** Lamports in SOL, for a person. */
export const inSol = (lamports: bigint): string => `${toUiAmount(lamports, 9)} SOL`;
