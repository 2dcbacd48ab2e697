import * as z from 'zod/mini';
import { toCamelCase, toSnakeCase } from '../../base/case.js';
import { describe, hasNoField, inputError, unknownNames } from '../../base/input.js';
import { JsonDecimal } from '../../base/json.js';
import {
  type Form,
  formOf,
  type LeafForm,
  type Limits,
  type ListForm,
  type ObjectForm,
} from '../../door/forms.js';
import { by, errorOf } from '../../door/issues.js';
import { DECIMAL, scaleDecimal } from '../../math/units.js';
import { type AddressInput, isValidAddress, plainAddress } from '../../solana/addresses.js';

// The codecs of the interface's JSON, made from the forms of the doors' schemas: the service decodes requests, and the remote client
// encodes them and decodes answers. A codec reads what JSON says; the doors check the values.

/** A codec between JSON, as `parseJson` reads it, and a value. */
export type Codec<TValue> = z.ZodMiniType<TValue, unknown>;

/** What is wrong with a JSON value, and where: `quote_response.mint`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export type Decoded<TValue> = { readonly value: TValue } | { readonly problems: readonly Problem[] };

const MISSING = 'is missing';
const NOT_OBJECT = 'must be an object';

/** A hostile list has thousands of problems. */
const MOST_PROBLEMS = 20;

/**
 * Decodes a JSON value, or reports what is wrong with it.
 *
 * @throws {HeavenError} the door's error for a list that is too long, of which no item is decoded
 */
export function decode<TValue>(codec: Codec<TValue>, json: unknown): Decoded<TValue> {
  const decoded = z.safeDecode(codec, json);
  if (decoded.success) return { value: decoded.data };
  const { issues } = decoded.error;
  const tooLong = issues.find((issue) => issue.code === 'custom' && issue.params !== undefined);
  if (tooLong !== undefined)
    throw errorOf([
      { ...tooLong, path: tooLong.path.map((part) => (typeof part === 'string' ? toCamelCase(part) : part)) },
    ]);
  // The unknown names of the first object stand for those of all.
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys');
  const problems = issues
    .filter((issue) => issue === unknown || issue.code !== 'unrecognized_keys')
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => ({
      path: path.join('.'),
      message: path.length === 0 && message === MISSING ? NOT_OBJECT : message,
    }));
  return { problems };
}

/**
 * Encodes a value that a door has let in.
 *
 * @throws {HeavenError} `invalid-input` for a number that JSON can't carry
 */
export function encode<TValue>(codec: Codec<TValue>, value: TValue): unknown {
  const encoded = z.safeEncode(codec, value, { reportInput: true });
  if (encoded.success) return encoded.data;
  const [{ path, message, input }] = encoded.error.issues as [z.core.$ZodIssue];
  const field = toCamelCase(path.join('.'));
  throw inputError(field, `${field} ${message}; got ${describe(input)}.`, input);
}

/** The codec of a schema that has a form. Fields have the names of the interface. */
export const codecOf = <TValue>(schema: z.ZodMiniType<TValue>): Codec<TValue> =>
  codecOfForm(formOf(schema)) as Codec<TValue>;

function codecOfForm(form: Form): z.ZodMiniType {
  switch (form.kind) {
    case 'optional':
      return z.nullish(codecOf(form.present));
    case 'list':
      return listCodec(form);
    case 'object':
      return objectCodec(form);
    default:
      return leafCodec(form);
  }
}

// ---------------------------------------------------------------- single values

type Refuse = (message: string) => never;

const leafCodec = (form: LeafForm) =>
  z.codec(z.unknown(), z.unknown(), {
    decode: (json, { issues }) => {
      const refuse: Refuse = (message) => {
        issues.push({ code: 'custom', message, input: json });
        return z.NEVER;
      };
      return json === undefined || json === null ? refuse(MISSING) : READERS[form.kind](json, refuse, form);
    },
    encode: (value, { issues }) => {
      if (value === undefined || value === null) return value;
      if (form.kind === 'address') return plainAddress(value as AddressInput);
      if (form.kind === 'amount') return new JsonDecimal(String(value).replace(/^0+(?=\d)/, ''));
      // The only kind that the doors don't check.
      if (form.kind === 'number' && !Number.isFinite(value))
        issues.push({ code: 'custom', message: 'must be a number', input: value });
      return value;
    },
  });

const READERS: {
  readonly [TKind in LeafForm['kind']]: (json: unknown, refuse: Refuse, limits: Limits) => unknown;
} = {
  address: (json, refuse) => {
    if (typeof json !== 'string') return refuse('must be a string');
    return isValidAddress(json) ? json : refuse('must be a base58 address of 32 bytes');
  },
  integer: integerFrom,
  small: (json, refuse) => {
    const value = integerFrom(json, refuse);
    return value > Number.MAX_SAFE_INTEGER ? refuse('is too large') : Number(value);
  },
  amount: digitsFrom,
  number: (json, refuse) => Number(digitsFrom(json, refuse)),
  flag: (json, refuse) => (typeof json === 'boolean' ? json : refuse('must be true or false')),
  text: (json, refuse, { enum: words, pattern }) => {
    const isRight =
      typeof json === 'string' &&
      (words === undefined || words.includes(json)) &&
      (pattern === undefined || new RegExp(pattern).test(json));
    if (isRight) return json;
    return refuse(
      `must be ${words ? `one of ${words.join(', ')}` : pattern ? 'a string of digits' : 'a string'}`,
    );
  },
};

/** Far above 64 bits, so that values that are too large are reported with their field. */
const MOST_INTEGER = 2n ** 128n;

/** A whole number in any notation: `50.0`, `5e1` or a string of digits. */
function integerFrom(json: unknown, refuse: Refuse): bigint {
  let value = json;
  if (json instanceof JsonDecimal || (typeof json === 'string' && /^\d+$/.test(json))) {
    try {
      value = scaleDecimal(String(json), 0, 'integer', MOST_INTEGER);
    } catch {}
  }
  if (typeof value !== 'bigint') return refuse('must be a whole number');
  return value < 0n ? refuse('must not be negative') : value;
}

/** The digits of a decimal number or string. */
function digitsFrom(json: unknown, refuse: Refuse): string {
  const isNumber =
    typeof json === 'bigint' ||
    json instanceof JsonDecimal ||
    (typeof json === 'string' && DECIMAL.test(json));
  return isNumber ? String(json) : refuse('must be a number');
}

// ---------------------------------------------------------------- what holds others

const missingOr = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    (input ?? undefined) === undefined ? MISSING : message,
});

function listCodec({ item, length, of, assertCount }: ListForm) {
  const list = z.array(codecOf(item), missingOr(`must be a list${of === undefined ? '' : ` of ${of}`}`));
  if (length !== undefined) return list.check(z.length(length, `must have ${length} items`));
  if (assertCount === undefined) return list;
  const check = by(assertCount);
  const counted = z.codec(z.unknown(), z.unknown(), {
    decode: (json, payload) => {
      check(payload);
      return json;
    },
    encode: (value) => value,
  });
  return z.pipe(counted, list);
}

const isObject = (json: unknown) =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonDecimal);

type Fields = Readonly<Record<string, unknown>>;

function objectCodec({ shape, isStrict }: ObjectForm) {
  const names = Object.keys(shape).map((field) => [field, toSnakeCase(field)] as const);
  const codecs = Object.fromEntries(
    names.map(([field, name]) => [name, codecOf(shape[field] as z.ZodMiniType)]),
  );
  const hasUnknown = ({ input }: { readonly input?: unknown }) =>
    unknownNames(input as object, codecs)
      .names.map((name) => hasNoField(name, codecs))
      .join(', ');
  const json = isStrict ? z.strictObject(codecs, { error: hasUnknown }) : z.object(codecs);
  const renamed = z.codec(json, z.unknown(), {
    decode: (value: Fields) => {
      const fields = names.map(([field, name]) => [field, value[name]] as const);
      return Object.fromEntries(fields.filter(([, item]) => item !== undefined && item !== null));
    },
    encode: (value) => Object.fromEntries(names.map(([field, name]) => [name, (value as Fields)[field]])),
  });
  return z.pipe(z.custom<Fields>(isObject, missingOr(NOT_OBJECT)), renamed);
}
