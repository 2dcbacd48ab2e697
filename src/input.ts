import { HeavenError } from './errors.js';
import { U64_MAX } from './math/integers.js';

/** An `invalid-input` error in words of its own. Leave `value` out if it may be a secret. */
export const inputError = (field: string, message: string, ...value: readonly [] | readonly [unknown]) =>
  new HeavenError('invalid-input', message, value.length === 0 ? { field } : { field, value: value[0] });

/** The `invalid-input` error for a value that is not what it must be: `timeoutMs must be a number over 0; got -1.` */
export const invalidInput = (field: string, value: unknown, expected: string) =>
  inputError(field, `${field} must be ${expected}; got ${describe(value)}.`, value);

/** Rejects what is not a `bigint` from 0 to 2^64 - 1. */
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

/** Rejects what is not a `bigint` from 1 to 2^64 - 1. */
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

/** Rejects an object that lacks a required member: another kind of object, or a promise. */
export function assertHas(value: unknown, member: string, field: string, what: string): void {
  if (typeof value === 'object' && value !== null && member in value) return;
  throw invalidInput(field, value, what);
}

/** Rejects what is not a number from `least` to `most`, described as `expected`. */
export function assertNumber(
  field: string,
  value: unknown,
  [least, most]: readonly [least: number, most: number],
  expected = `a number from ${least} to ${most}`,
): asserts value is number {
  if (!(typeof value === 'number' && value >= least && value <= most))
    throw invalidInput(field, value, expected);
}

/** Rejects what is not a whole number from `least` to `most`, described as `expected`. */
export function assertWhole(
  field: string,
  value: unknown,
  [least, most]: readonly [least: number, most: number],
  expected = `a whole number from ${least} to ${most}`,
): asserts value is number {
  if (!(Number.isInteger(value) && (value as number) >= least && (value as number) <= most))
    throw invalidInput(field, value, expected);
}

/** The most milliseconds that a timer waits: it fires at once for more. */
export const MAX_TIMER_MS = 0x7fff_ffff;

/** Rejects a time that a timer can't wait. */
export const assertMilliseconds = (field: string, value: unknown): void =>
  assertNumber(field, value, [Number.MIN_VALUE, MAX_TIMER_MS], 'a number of milliseconds over 0');

/** Rejects a value that is not an abort signal. */
export function assertAbortSignal(signal: AbortSignal | null | undefined, field: string): void {
  if (signal === undefined || signal === null || typeof signal.addEventListener === 'function') return;
  throw invalidInput(field, signal, 'an AbortSignal');
}
