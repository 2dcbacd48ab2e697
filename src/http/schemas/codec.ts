import type { Base64EncodedWireTransaction } from '@solana/kit';

import { toSnakeCase } from '../../case.js';
import type { HeavenError } from '../../errors.js';
import { inputError, invalidInput, type UnknownNames, unknownNames } from '../../input.js';
import { invalidFraction } from '../../math/slippage.js';
import { DECIMAL, invalidAmount, scaleDecimal } from '../../math/units.js';
import { assertAddress, isValidAddress } from '../../solana/addresses.js';
import { JsonDecimal } from '../json.js';

// The codecs of the interface's JSON. The service decodes requests and the remote client encodes them with the same codec; the
// remote client also decodes answers. Texts for the OpenAPI document are in a module that only the document loads.

/** What is wrong with a JSON value, and where: `quote_response.mint`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** The unknown names of an object that may have none, and the known ones. */
  readonly unknown?: { readonly found: UnknownNames; readonly known: Names };
}

/** A value's range, for the document. The functions enforce it. */
export interface Limits {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly format?: 'uint64' | 'int64';
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly contentEncoding?: 'base64';
}

/** A codec's structure, for the document. */
export type Structure =
  | { readonly kind: LeafKind; readonly limits: Limits }
  | {
      readonly kind: 'list';
      readonly item: Codec<unknown>;
      readonly minItems?: number | undefined;
      readonly maxItems?: number | undefined;
    }
  | {
      readonly kind: 'optional';
      readonly present: Codec<unknown>;
      readonly fallback?: number | boolean | string | undefined;
    }
  | { readonly kind: 'object'; readonly shape: Shape; readonly isStrict: boolean };

type LeafKind = 'address' | 'integer' | 'amount' | 'number' | 'boolean' | 'string';

export interface Codec<TValue> {
  readonly of: Structure;
  /** The value. `undefined` for a missing optional field, and if it adds a problem. */
  readonly decode: (json: unknown, path: string, problems: Problem[]) => TValue | undefined;
  /** The JSON of a caller's value. Throws if it has the wrong type; the service checks its range. */
  readonly encode: (value: unknown, field: string) => unknown;
  /** The JSON of a field that callers may leave out but requests must have. */
  readonly whenLeftOut?: unknown;
}

export interface OptionalCodec<TValue> extends Codec<TValue> {
  readonly of: Extract<Structure, { kind: 'optional' }>;
}

/** The codecs of an object's fields, by their names in JSON. */
type Names = Readonly<Record<string, unknown>>;

/** The codecs of an object's fields, by their names in the SDK. */
export type Shape = Readonly<Record<string, Codec<unknown>>>;

export interface ObjectCodec<TValue, TShape extends Shape = Shape> extends Codec<TValue> {
  readonly of: { readonly kind: 'object'; readonly shape: TShape; readonly isStrict: boolean };
  /** The fields' names in JSON. */
  readonly names: Names;
}

/** What a codec decodes to. */
export type Decoded<TCodec> = TCodec extends Codec<infer TValue> ? TValue : never;

/** What an object with these fields decodes to. A missing optional field has no key. */
export type Fields<TShape> = {
  readonly [TField in keyof TShape as TShape[TField] extends OptionalCodec<unknown>
    ? never
    : TField]: Decoded<TShape[TField]>;
} & {
  readonly [TField in keyof TShape as TShape[TField] extends OptionalCodec<unknown>
    ? TField
    : never]?: Decoded<TShape[TField]>;
};

/** Decodes a JSON value, or reports everything that is wrong with it. */
export function decode<TValue>(
  codec: Codec<TValue>,
  json: unknown,
): { readonly value: TValue } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const value = codec.decode(json, '', problems);
  return value === undefined || problems.length > 0 ? { problems } : { value };
}

// ---------------------------------------------------------------- single values

type Refuse = (message: string) => undefined;

const leaf = <TValue>(
  kind: LeafKind,
  read: (json: unknown, refuse: Refuse) => TValue | undefined,
  write: (value: unknown, field: string) => unknown,
  limits: Limits = {},
): Codec<TValue> => ({
  of: { kind, limits },
  decode: (json, path, problems) => {
    const refuse = (message: string) => void problems.push({ path, message });
    return json === undefined || json === null ? refuse('is missing') : read(json, refuse);
  },
  encode: write,
});

/** Passes a caller's value of the right type through unchanged. */
const only = (isRight: (value: unknown) => boolean, kind: string) => (value: unknown, field: string) => {
  if (isRight(value)) return value;
  throw invalidInput(field, value, kind);
};

const isBigint = (value: unknown) => typeof value === 'bigint';
const isText = (value: unknown): value is string => typeof value === 'string';

/** An address. A caller may also give a kit signer, which is sent as its address. */
export const address = leaf(
  'address',
  (json, refuse) => {
    if (!isText(json)) return refuse('must be a string');
    return isValidAddress(json) ? json : refuse('must be a base58 address of 32 bytes');
  },
  (value, field) => {
    const given: unknown =
      typeof value === 'object' && value !== null && 'address' in value ? value.address : value;
    assertAddress(given, field);
    return given;
  },
);

/** Far above 64 bits, so that values that are too large are reported with their field. */
const MOST_INTEGER = 2n ** 128n;

/** A whole number in any notation: `50.0`, `5e1` or a string of digits. */
function integerFrom(json: unknown, refuse: Refuse): bigint | undefined {
  let value = json;
  if (json instanceof JsonDecimal || (isText(json) && /^\d+$/.test(json))) {
    try {
      value = scaleDecimal(String(json), 0, 'integer', MOST_INTEGER);
    } catch {}
  }
  if (typeof value !== 'bigint') return refuse('must be a whole number');
  return value < 0n ? refuse('must not be negative') : value;
}

/** Any integer from 0, with all of its digits. */
export const integer = (limits?: Limits) => leaf('integer', integerFrom, only(isBigint, 'a bigint'), limits);

/** An integer that a function also accepts as a `number`. */
export const flexibleInteger = (limits?: Limits) =>
  leaf(
    'integer',
    integerFrom,
    only((value) => isBigint(value) || Number.isSafeInteger(value), 'a bigint'),
    limits,
  );

/** An integer that a function accepts as a `number`. */
export const smallInteger = (maximum?: number) =>
  leaf(
    'integer',
    (json, refuse) => {
      const value = integerFrom(json, refuse);
      if (value === undefined) return undefined;
      return value > Number.MAX_SAFE_INTEGER ? refuse('is too large') : Number(value);
    },
    only(Number.isFinite, 'a number'),
    maximum === undefined ? {} : { maximum },
  );

/** The digits of a decimal number or string. */
function digitsFrom(json: unknown, refuse: Refuse): string | undefined {
  const isNumber = isBigint(json) || json instanceof JsonDecimal || (isText(json) && DECIMAL.test(json));
  return isNumber ? String(json) : refuse('must be a number');
}

const decimal = (refusal: (field: string, value: unknown) => HeavenError, limits?: Limits) =>
  leaf(
    'amount',
    digitsFrom,
    (value, field) => {
      const written = typeof value === 'number' ? String(value) : value;
      if (!isText(written) || !DECIMAL.test(written)) throw refusal(field, value);
      return new JsonDecimal(written.replace(/^0+(?=\d)/, ''));
    },
    limits,
  );

/** A UI amount, read digit by digit. */
export const uiAmount = (limits?: Limits) => decimal(invalidAmount, limits);

/** A launch's slippage. */
export const fraction = (limits?: Limits) => decimal(invalidFraction, limits);

/** A number for display only. */
export const shownNumber = leaf(
  'number',
  (json, refuse) => {
    const written = digitsFrom(json, refuse);
    return written === undefined ? undefined : Number(written);
  },
  only(Number.isFinite, 'a number'),
);

export const flag = leaf(
  'boolean',
  (json, refuse) => (typeof json === 'boolean' ? json : refuse('must be true or false')),
  only((value) => typeof value === 'boolean', 'true or false'),
);

const textWhere = <TText extends string>(
  isRight: (value: string) => value is TText,
  what: string,
  limits?: Limits,
) =>
  leaf(
    'string',
    (json, refuse) => (isText(json) && isRight(json) ? json : refuse(`must be ${what}`)),
    only(isText, 'a string'),
    limits,
  );

export const text = textWhere(isText, 'a string');

/** An integer in a string, for callers whose JSON rounds integers. */
export const digits = textWhere((value): value is string => /^\d{1,20}$/.test(value), 'a string of digits', {
  pattern: '^\\d{1,20}$',
});

/** A transaction in base64, with kit's type. */
export const wireTransaction = textWhere(
  (value): value is Base64EncodedWireTransaction => isText(value),
  'a string',
  { contentEncoding: 'base64' },
);

/** One of these strings. */
export const oneOf = <const TText extends string>(values: readonly TText[]): Codec<TText> =>
  textWhere((value): value is TText => values.some((each) => each === value), `one of ${values.join(', ')}`, {
    enum: values,
  });

// ---------------------------------------------------------------- what holds others

/** A field that may be missing or `null`. The function then doesn't get it. */
export const optional = <TValue>(
  present: Codec<TValue>,
  fallback?: number | boolean | string,
): OptionalCodec<TValue> => ({
  of: { kind: 'optional', present, fallback },
  decode: (json, path, problems) =>
    json === undefined || json === null ? undefined : present.decode(json, path, problems),
  encode: present.encode,
});

/** A hostile list has thousands of problems. */
const MOST_PROBLEMS = 20;

/** A list, or with `length` one of exactly this length. */
export const list = <TValue>(
  item: Codec<TValue>,
  { length, maxItems = length, what = 'a list' }: { length?: number; maxItems?: number; what?: string } = {},
): Codec<readonly TValue[]> => ({
  of: { kind: 'list', item, minItems: length, maxItems },
  decode: (json, path, problems) => {
    if (!Array.isArray(json)) {
      problems.push({ path, message: (json ?? undefined) === undefined ? 'is missing' : `must be ${what}` });
      return undefined;
    }
    const items: TValue[] = [];
    for (const [index, each] of json.entries()) {
      if (problems.length >= MOST_PROBLEMS) return undefined;
      const decoded = item.decode(each, `${path}.${index}`, problems);
      if (decoded !== undefined) items.push(decoded);
    }
    if (length !== undefined && json.length !== length)
      problems.push({ path, message: `must have ${length} items` });
    return items;
  },
  encode: (value, field) => {
    if (!Array.isArray(value)) throw invalidInput(field, value, 'a list');
    return value.map((each: unknown, index) => item.encode(each, `${field}[${index}]`));
  },
});

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonDecimal);

/** An object whose other fields are dropped. */
export const object = <TShape extends Shape>(shape: TShape) => objectWith(shape, false);

/** An object without other fields, because a misspelt optional field would otherwise go unnoticed. */
export const strict = <TShape extends Shape>(shape: TShape) => objectWith(shape, true);

function objectWith<TShape extends Shape>(
  shape: TShape,
  isStrict: boolean,
): ObjectCodec<Fields<TShape>, TShape> {
  const fields = Object.entries(shape).map(([field, codec]) => ({ field, name: toSnakeCase(field), codec }));
  const names = Object.fromEntries(fields.map(({ name, codec }) => [name, codec]));
  return {
    of: { kind: 'object', shape, isStrict },
    names,
    decode: (json, path, problems) => {
      if (!isObject(json)) {
        const isMissing = path !== '' && (json ?? undefined) === undefined;
        problems.push({ path, message: isMissing ? 'is missing' : 'must be an object' });
        return undefined;
      }
      const prefix = path === '' ? '' : `${path}.`;
      const value: Record<string, unknown> = {};
      for (const { field, name, codec } of fields) {
        const item = codec.decode(
          Object.hasOwn(json, name) ? json[name] : undefined,
          prefix + name,
          problems,
        );
        if (item !== undefined) value[field] = item;
      }
      const isFirst = !problems.some(({ unknown }) => unknown);
      const found = isStrict && isFirst ? unknownNames(json, names) : undefined;
      if (found !== undefined && found.count > 0) {
        const message = `has no field ${found.names.join(', ')}`;
        problems.push({ path, message, unknown: { found, known: names } });
      }
      return value as Fields<TShape>;
    },
    encode: (value, at) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw invalidInput(at, value, 'an object');
      const json: Record<string, unknown> = {};
      for (const [field, item] of Object.entries(value)) {
        if (item === undefined) continue;
        const path = at === '' ? field : `${at}.${field}`;
        const codec = Object.hasOwn(shape, field) ? shape[field] : undefined;
        if (codec === undefined) throw cannotBeSent(path, item);
        json[toSnakeCase(field)] = item === null ? null : codec.encode(item, path);
      }
      for (const { name, codec } of fields) {
        if (codec.whenLeftOut !== undefined) json[name] ??= codec.whenLeftOut;
      }
      return json;
    },
  };
}

/** The error for a field that a request can't carry. */
export const cannotBeSent = (field: string, value: unknown) =>
  inputError(
    field,
    `${field} can't be sent to a service. Check its name, leave it out, or build locally.`,
    value,
  );

/** An object whose fields must also be consistent. May convert the object. */
export const checked = <TValue, TShape extends Shape, TResult>(
  inner: ObjectCodec<TValue, TShape>,
  finish: (value: TValue, refuse: (name: string, message: string) => undefined) => TResult | undefined,
): ObjectCodec<TResult, TShape> => ({
  ...inner,
  decode: (json, path, problems) => {
    const before = problems.length;
    const value = inner.decode(json, path, problems);
    if (value === undefined || problems.length > before) return undefined;
    return finish(value, (name, message) => void problems.push({ path: name, message }));
  },
});
