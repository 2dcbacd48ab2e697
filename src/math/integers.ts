import { HeavenError } from '../errors.js';

export const BPS = 10_000n;
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Refuses what is not a `bigint` from 0 to 2^64 - 1. */
export function assertU64(value: bigint, field: string): void {
  if (typeof value !== 'bigint' || value < 0n) {
    throw new HeavenError(
      'invalid-amount',
      `${field} must be a whole, non-negative number of native units as a bigint; got ${describe(value)}.`,
      { field, value },
    );
  }
  if (value > U64_MAX) {
    throw new HeavenError('amount-out-of-range', `${field} is ${value}, more than fits into 64 bits.`, {
      field,
      value,
    });
  }
}

/** Refuses what is not a `bigint` from 1 to 2^64 - 1. */
export function assertPositiveU64(value: bigint, field: string): void {
  assertU64(value, field);
  if (value === 0n) throw new HeavenError('zero-amount', `${field} must not be 0.`, { field });
}

/** A value for an error message: short, and never throwing itself. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Promise) return 'a promise: await it';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** Refuses what lacks a member that it must have: another kind of object, or a promise. */
export function assertHas(value: unknown, member: string, field: string, what: string): void {
  if (typeof value === 'object' && value !== null && member in value) return;
  throw new HeavenError('invalid-input', `${field} must be ${what}; got ${describe(value)}.`, {
    field,
    value,
  });
}
