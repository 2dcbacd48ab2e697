import { toCamelCase, toSnakeCase } from '../base/case.js';
import { JsonDecimal } from '../base/json.js';
import { DECIMAL, scaleDecimal } from '../math/units.js';
import { type AddressInput, isValidAddress, plainAddress } from '../solana/addresses.js';
import type { StructSchema } from '../solana/codec.js';

// What a field is in JSON. `fields.ts` has its check in the SDK, which is all that a local call loads.

/** A field as a local call checks it. */
export interface Checked<TOutput = unknown, TInput = unknown> {
  /**
   * Checks a value, and returns what the operation gets of it.
   *
   * @param field The field's whole path, such as `brackets[0].buyFeeBps`.
   * @throws {HeavenError} the field's own error
   */
  check(value: TInput, field: string): TOutput;
}

/** Fields of a local call, by name. */
export type CheckedShape = Readonly<Record<string, Checked>>;

/** What a caller may pass. */
export type InputOf<TField> = TField extends { check(value: infer TInput, field: string): unknown }
  ? TInput
  : never;

/** What an operation gets. */
export type OutputOf<TField extends Checked> = ReturnType<TField['check']>;

/** An object as a caller may pass it. */
export type InputsOf<TShape extends CheckedShape> = {
  readonly [TName in keyof TShape as undefined extends InputOf<TShape[TName]> ? never : TName]: InputOf<
    TShape[TName]
  >;
} & {
  readonly [TName in keyof TShape as undefined extends InputOf<TShape[TName]> ? TName : never]?: InputOf<
    TShape[TName]
  >;
};

/** An object as an operation gets it. */
export type OutputsOf<TShape extends CheckedShape> = {
  readonly [TName in keyof TShape]: OutputOf<TShape[TName]>;
};

/** A field that JSON can carry, too. */
export type Field<TOutput = unknown, TInput = unknown> = Checked<TOutput, TInput> & InJson;

/** The fields of an object that JSON can carry. */
export type Shape = Readonly<Record<string, Field>>;

/** What JSON has of a field: a value, or what holds others. */
type InJson = ValueField | { readonly present: Field } | ListField | ObjectField;

/** A value that holds no others. */
export interface ValueField {
  readonly kind: Kind;
  /** What its JSON Schema has besides that of the kind. */
  readonly keywords?: Keywords | undefined;
}

export interface ListField {
  readonly item: Field;
  /** The number of items, if it is always the same. */
  readonly length?: number;
  readonly maxItems?: number;
  /** Rejects a list of more than {@link maxItems}, before anybody looks at an item. */
  readonly assertCount?: (value: unknown, field: string) => void;
  /** What a list holds, for an error: `brackets`. */
  readonly of?: string;
}

export interface ObjectField {
  readonly shape: Shape;
  /** Whether unknown fields are rejected. */
  readonly isStrict: boolean;
  /** A name for documents. */
  readonly name?: string | undefined;
  /** The program's type that it is, which documents name. */
  readonly declared?: StructSchema | undefined;
}

/** Keywords of JSON Schema. They document a value's range, which the check in the SDK enforces. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: 'uint64' | 'int64';
  /** Text for what a `number` can't hold. */
  readonly maximum?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly contentEncoding?: 'base64';
}

/** Rejects a value with a message. */
export type Refuse = (message: string) => never;

/** How JSON holds values. */
interface Base {
  /** Reads what JSON says. The check in the SDK judges the value. */
  readonly read: (json: unknown, refuse: Refuse, keywords: Keywords) => unknown;
  /** Writes a checked value that JSON doesn't hold as it is. */
  readonly write?: (value: unknown, refuse: Refuse, keywords: Keywords) => unknown;
}

const BASES = {
  address: {
    read: (json, refuse) => {
      if (typeof json !== 'string') return refuse('must be a string');
      return isValidAddress(json) ? json : refuse('must be a base58 address of 32 bytes');
    },
    write: (value) => plainAddress(value as AddressInput),
  },
  /** A `bigint` in the SDK. */
  integer: { read: integerFrom },
  /** An integer that is a `number` in the SDK. */
  small: {
    read: (json, refuse) => {
      const value = integerFrom(json, refuse);
      return value > Number.MAX_SAFE_INTEGER ? refuse('is too large') : Number(value);
    },
  },
  amount: {
    read: digitsFrom,
    write: (value) => new JsonDecimal(String(value).replace(/^0+(?=\d)/, '')),
  },
  number: {
    read: (json, refuse) => Number(digitsFrom(json, refuse)),
    // The only one that its field's check lets through unseen.
    write: (value, refuse) => (Number.isFinite(value) ? value : refuse('must be a number')),
  },
  flag: {
    read: (json, refuse) => (typeof json === 'boolean' ? json : refuse('must be true or false')),
  },
  text: {
    read: (json, refuse, { enum: words, pattern }) => {
      const isRight =
        typeof json === 'string' &&
        (words === undefined || words.includes(json)) &&
        (pattern === undefined || new RegExp(pattern).test(json));
      // One word may be a field's name: `fee_payer`.
      if (isRight) return words ? toCamelCase(json) : json;
      return refuse(
        `must be ${words ? `one of ${words.join(', ')}` : pattern ? 'a string of digits' : 'a string'}`,
      );
    },
    write: (value, _, { enum: words }) => (words ? toSnakeCase(String(value)) : value),
  },
} satisfies Readonly<Record<string, Base>>;

/**
 * The kinds of values, by the names of the program's types where it has one, and how JSON holds them. What JSON Schema says of each is in
 * `scripts/json-schema.ts`, because only the document needs it.
 */
const KINDS = {
  pubkey: 'address',
  bool: 'flag',
  u8: 'small',
  u16: 'small',
  u32: 'small',
  u64: 'integer',
  f64: 'number',
  int64: 'integer',
  positive: 'integer',
  integer: 'integer',
  small: 'small',
  bps: 'small',
  loadedBytes: 'small',
  transactionVersion: 'small',
  amount: 'amount',
  positiveAmount: 'amount',
  text: 'text',
  base64: 'text',
} satisfies Readonly<Record<string, keyof typeof BASES>>;

export type Kind = keyof typeof KINDS;

/** How JSON holds a value: the name of that, its reader and writer. */
export function inJson({ kind }: ValueField) {
  const base = KINDS[kind];
  const how: Base = BASES[base];
  return { base, ...how };
}

/** Far above 64 bits, so that values that are too large are reported with their field. */
const MAX_INTEGER = 2n ** 128n;

/** A whole number in any notation: `50.0`, `5e1` or a string of digits. */
function integerFrom(json: unknown, refuse: Refuse): bigint {
  let value = json;
  if (json instanceof JsonDecimal || (typeof json === 'string' && /^\d+$/.test(json))) {
    try {
      value = scaleDecimal(String(json), 0, 'integer', MAX_INTEGER);
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
  return isNumber ? String(json) : refuse('must be a decimal number such as 1.5');
}
