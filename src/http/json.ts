import { LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * JSON text as a value, without losing a digit: an integer becomes a `bigint`, any other number keeps its text.
 *
 * @throws {SyntaxError} for malformed JSON, and for an object that names a key twice with different values
 */
export const parseJson = (text: string): unknown =>
  // So long an integer is none that anybody means, and costs time to convert.
  parse(text, null, (digits) => (/^-?\d{1,40}$/.test(digits) ? BigInt(digits) : new LosslessNumber(digits)));

/** A value as JSON text: a `bigint` becomes an integer with all its digits. */
export const stringifyJson = (value: unknown): string => stringify(value) ?? 'null';

/** {@link stringifyJson} for callers whose JSON rounds integers: those over 2^53 become strings of digits. */
export const stringifyJsonWithStrings = (value: unknown): string =>
  stringify(value, (_, item) =>
    typeof item === 'bigint' && item > Number.MAX_SAFE_INTEGER ? String(item) : item,
  ) ?? 'null';

/** A JSON number that is no integer, as it was written. */
export { LosslessNumber as JsonDecimal };
