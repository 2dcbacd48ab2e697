import { HeavenError } from './errors.js';
import { U64_MAX } from './integers.js';
import { nearestName } from './nearest-name.js';
import { describe, describeKey, shortened } from './shown.js';
import { type HeavenWarning, warnIf } from './warnings.js';

export { describe } from './shown.js';

/** An `invalid-input` error in words of its own. Leave `value` out if it may be the secret of a node or a service. */
export const inputError = (field: string, message: string, ...value: readonly [] | readonly [unknown]) =>
  new HeavenError('invalid-input', message, value.length === 0 ? { field } : { field, value: value[0] });

/** The `invalid-input` error for a value that is not what it must be: `timeoutMs must be a number over 0; got -1.` */
export const invalidInput = (field: string, value: unknown, expected: string) =>
  inputError(field, `${field} must be ${expected}; got ${describe(value)}.`, value);

/** The error for what a builder returned, once its bytes or bigints are lost. */
export const throughJson = (field: string) =>
  inputError(
    field,
    `${field} lacks bytes or bigints that it had, as if it went through JSON. Keep the object itself, or build again. Where only text can pass, pass its tx.`,
  );

/** {@link invalidInput} for what should be a signer, a hash or a transaction, in place of which people pass keys. */
export const invalidIdentity = (field: string, value: unknown, expected: string) =>
  inputError(field, `${field} must be ${expected}; got ${describeKey(value)}.`, value);

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
    const message = `${field} is ${describe(value)}, more than fits into 64 bits.`;
    throw new HeavenError('amount-out-of-range', message, { field, value });
  }
}

/** Rejects what is not a `bigint` from 1 to 2^64 - 1. */
export function assertPositiveU64(value: bigint, field: string): void {
  assertU64(value, field);
  if (value === 0n) throw new HeavenError('zero-amount', `${field} must not be 0.`, { field });
}

/** Rejects what is not an object, such as options that are missing. */
export function assertObject(value: unknown, field: string, expected = 'an object'): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(field, value, expected);
}

/** Whether it is an error, of any realm: a test runner's `fetch` throws those of another. */
export const isError = (value: unknown): value is Error =>
  /^\[object (Error|DOMException)]$/.test(Object.prototype.toString.call(value));

/** Whether it is a `Uint8Array`, of any realm: a test's window and a `vm` have classes of their own. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Object(value)[Symbol.toStringTag] === 'Uint8Array';

/** Rejects what is not a client. Every function that takes one starts here or with `checkInput`. */
export const assertClient = (client: unknown, field = 'client'): void =>
  assertHas(client, 'deployment', field, 'a client made with createHeavenClient');

/** A check of an option that may be left out, as `undefined` or `null`. */
export const given =
  (assert: (value: unknown, field: string) => void) =>
  (value: unknown, field: string): void => {
    if (value !== undefined && value !== null) assert(value, field);
  };

/** {@link assertClient} and {@link assertNames}. */
export function assertCall<TInput extends object>(
  client: unknown,
  input: TInput,
  known: FieldsOf<TInput>,
  field = 'input',
): void {
  assertClient(client);
  assertNames(input, field, known);
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

/** Rejects an option that is given and is not a function. Its value is not shown: a URL there may contain a key. */
export function assertFunction(value: unknown, field: string, expected = 'a function'): void {
  if (typeof (value ?? assertFunction) !== 'function')
    throw inputError(field, `${field} must be ${expected}; got a value of type ${typeof value}.`);
}

/** Computes from a caller's argument. If something in it is missing or of another type, the error names the argument. */
export function computeFrom<T>(field: string, expected: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new HeavenError('invalid-input', `${field} must be ${expected}.`, { field }, { cause });
  }
}

/** Rejects a value that is not an abort signal. */
export function assertAbortSignal(signal: AbortSignal | null | undefined, field: string): void {
  if (signal === undefined || signal === null || typeof signal.addEventListener === 'function') return;
  throw invalidInput(field, signal, 'an AbortSignal');
}

// ---------------------------------------------------------------- names

// One rule for unknown names of an operation's input, in the SDK and over HTTP: nested ones are rejected, and so is one at the top that
// resembles a known name. Others at the top are ignored, and a warning names them, and all those of a quote: a service may say more in it.
// Other functions have no warnings to name them in, so they reject every unknown name.

type Fields = Readonly<Record<string, unknown>>;

/**
 * Every field of an input except those of other lists, so that the compiler rejects a list that lacks one. A function in place of a 1
 * checks the value, which may be left out: {@link assertNames} calls it.
 */
export type FieldsOf<TInput, TOthers = unknown> = {
  readonly [TField in Exclude<KeyOf<TInput>, keyof TOthers>]: unknown;
};
/** The keys of every member of a union. */
export type KeyOf<TInput> = TInput extends unknown ? keyof TInput : never;

/** A hostile body has thousands of names. */
const MAX_NAMES = 5;

/** The first unknown names of an object, shortened, and how many it has. A field that is `undefined` counts as left out. */
export interface UnknownNames {
  readonly names: readonly string[];
  readonly count: number;
}

/** The unknown names of an object: those in neither list. Quick, because every quote calls this. */
export function unknownNames(object: object, known: Fields, more: Fields = {}): UnknownNames {
  const names: string[] = [];
  let count = 0;
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(known, name) || Object.hasOwn(more, name)) continue;
    if ((object as Fields)[name] === undefined) continue;
    count += 1;
    if (count <= MAX_NAMES) names.push(shortened(name));
  }
  return { names, count };
}

/** The unknown names at the top of an input, and those of the quote in it. */
export function withNamesOfQuote(
  top: UnknownNames,
  field: string,
  quote: unknown,
  known: Fields | undefined,
): UnknownNames {
  if (known === undefined || typeof quote !== 'object' || quote === null) return top;
  const { names, count } = unknownNames(quote, known);
  const all = [...top.names, ...names.map((name) => `${field}.${name}`)];
  return { names: all.slice(0, MAX_NAMES), count: top.count + count };
}

/** What is wrong with an unknown name: `has no field slipageBps; did you mean slippageBps?` */
export function hasNoField(name: string, known: Fields): string {
  const fields = Object.keys(known);
  const nearest = nearestName(name, fields);
  return `has no field ${name}${nearest === undefined ? `: it takes ${fields.join(', ')}` : `; did you mean ${nearest}?`}`;
}

/** What is wrong if an unknown name has a word in common with a field that is missing, such as `configVersion` with `version`. */
export function hasInstead(missing: string, { names }: UnknownNames): string | undefined {
  const words = RegExp(`${missing.match(/[A-Za-z][a-z]{2,}/g)}`.replaceAll(',', '|'), 'i');
  const name = names.find((given) => words.test(given));
  return name && `has no field ${name}; did you mean ${missing}?`;
}

/** The names that resemble known ones, and that of who opens accounts, which not every builder takes: ignored, the wrong wallet would pay. */
export const misspelt = ({ names }: UnknownNames, known: Fields): readonly string[] =>
  names.filter(
    (name) =>
      nearestName(name, Object.keys(known)) !== undefined ||
      ('payer' in known && /^rent_?payer$/i.test(name)),
  );

/** A warning that names the unknown fields that were ignored. */
export function ignoredFields({ names, count }: UnknownNames): readonly HeavenWarning[] {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const message = `Ignored unknown fields: ${names.join(', ')}${more}. Check their names.`;
  return warnIf(count > 0, 'ignored-fields', message);
}

/** Rejects an argument that is not an object, or has an unknown field, or one that fails its check in `known`. */
export function assertNames<TObject extends object>(
  value: TObject,
  field: string,
  known: FieldsOf<TObject>,
): void {
  assertObject(value, field);
  assertFields(value, field, known);
  for (const name in known) {
    const check = (known as Fields)[name];
    if (typeof check === 'function') check((value as Fields)[name], name);
  }
}

/** {@link assertNames} without a guess at what was meant, which weighs more than all that uses this. */
export function assertKnown<TObject extends object>(
  value: TObject,
  field: string,
  known: FieldsOf<TObject>,
): void {
  assertObject(value, field);
  for (const name in value)
    if (!(name in known))
      throw inputError(name, `${field} has no field ${name}: it takes ${Object.keys(known)}`);
}

/** Rejects an object that has an unknown field. */
export function assertFields<TObject extends object>(
  object: TObject,
  field: string,
  known: FieldsOf<TObject>,
): void {
  const [name] = unknownNames(object, known).names;
  if (name !== undefined) throw inputError(`${field}.${name}`, `${field} ${hasNoField(name, known)}`);
}
