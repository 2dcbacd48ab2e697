import { HeavenError } from '../base/errors.js';
import { describe } from '../base/input.js';
import { DECIMAL } from '../math/units.js';

/** A decimal number: `units` times 10 to the power of `-scale`, exactly. */
export interface Decimal {
  readonly units: bigint;
  /** 0 or more. */
  readonly scale: number;
}

/**
 * How to round dropped digits: `down` toward zero, so no more is shown than there is; `up` away from zero, for what a user has to
 * provide; `nearest`, with halves away from zero.
 */
export type Rounding = 'down' | 'up' | 'nearest';

/** More than any displayed number has. */
const MAX_CHARACTERS = 400;

/** Parses a number or a string of digits, either one with a sign, exactly as written. */
export function parseDecimal(value: number | string, field: string): Decimal {
  const text = typeof value === 'number' ? String(value) : value;
  const sign = typeof text === 'string' && text.startsWith('-') ? 1 : 0;
  const parts = typeof text === 'string' ? DECIMAL.exec(text.slice(sign)) : null;
  if (parts === null || text.length > MAX_CHARACTERS) {
    throw new HeavenError(
      'invalid-amount',
      `${field} must be a decimal number such as -1.5 or '1.5'; got ${describe(value)}.`,
      { field, value },
    );
  }
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction) * (sign === 1 ? -1n : 1n);
  return scale < 0 ? { units: digits * 10n ** BigInt(-scale), scale: 0 } : { units: digits, scale };
}

/** Drops this many digits at the end of the number. */
function dropDigits(units: bigint, count: number, rounding: Rounding): bigint {
  const divisor = 10n ** BigInt(count);
  const kept = units / divisor;
  const dropped = units % divisor;
  const size = dropped < 0n ? -dropped : dropped;
  const isRaised = rounding === 'up' ? size > 0n : rounding === 'nearest' && size * 2n >= divisor;
  return isRaised ? kept + (units < 0n ? -1n : 1n) : kept;
}

/** Returns how many digits a number has, without its sign. */
export const digitsOf = (units: bigint): number => (units < 0n ? -units : units).toString().length;

/** Rounds a number to at most this many decimals. */
export const withDecimals = ({ units, scale }: Decimal, most: number, rounding: Rounding): Decimal =>
  scale <= most ? { units, scale } : { units: dropDigits(units, scale - most, rounding), scale: most };

/** Rounds a number to at most this many significant digits. */
export function withSignificantDigits({ units, scale }: Decimal, most: number, rounding: Rounding): Decimal {
  const excess = units === 0n ? 0 : digitsOf(units) - most;
  if (excess <= 0) return { units, scale };
  const kept = dropDigits(units, excess, rounding);
  return excess <= scale
    ? { units: kept, scale: scale - excess }
    : { units: kept * 10n ** BigInt(excess - scale), scale: 0 };
}

/** Rounds to at most this many significant digits, but keeps all digits before the decimal point: those show the magnitude. */
export function withShownDigits(value: Decimal, most: number, rounding: Rounding): Decimal {
  const kept = withSignificantDigits(value, most, rounding);
  return kept.scale === 0 ? withDecimals(value, 0, rounding) : kept;
}
