import { base58 } from '@scure/base';
import {
  type Address,
  addEncoderSizePrefix,
  type Encoder,
  getAddressEncoder,
  getArrayEncoder,
  getBooleanEncoder,
  getF64Encoder,
  getNullableEncoder,
  getStructEncoder,
  getU8Encoder,
  getU16Encoder,
  getU32Encoder,
  getU64Encoder,
  getUnitEncoder,
  getUtf8Encoder,
  mergeBytes,
  padRightEncoder,
} from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { describe, invalidInput } from '../base/input.js';
import { view } from './account-data.js';
import { assertAddress } from './addresses.js';

/**
 * The program's types, declared as plain data: from one declaration come the TypeScript type ({@link TypeOf}), the
 * Borsh bytes ({@link writeValue} by kit's encoders, {@link readValue}), the check of a caller's value ({@link assertMatches}) and the IDL.
 * Plain literals cost nothing to load and shake out of a bundle.
 */
export type Schema =
  | Primitive
  | StructSchema
  | { readonly vec: Schema }
  | { readonly option: Schema }
  | { readonly array: Schema; readonly length: number }
  | PaddingSchema;

type Primitive = 'bool' | 'u8' | 'u16' | 'u32' | 'u64' | 'f64' | 'pubkey' | 'string';

/** Meaningless bytes after a field: written as zeros, skipped when read. */
interface PaddingSchema {
  readonly padding: number;
}

export interface StructSchema {
  readonly fields: { readonly [field: string]: Schema };
}

/** The TypeScript type of a schema; `unknown` of any schema, whose type has no end. Its fields are spelled out here, as an editor would show the schema otherwise. */
export type TypeOf<TSchema> = [Schema] extends [TSchema]
  ? unknown
  : TSchema extends 'bool'
    ? boolean
    : TSchema extends 'u8' | 'u16' | 'u32' | 'f64'
      ? number
      : TSchema extends 'u64'
        ? bigint
        : TSchema extends 'pubkey'
          ? Address
          : TSchema extends 'string'
            ? string
            : TSchema extends { readonly vec: infer TItem }
              ? readonly TypeOf<TItem>[]
              : TSchema extends { readonly option: infer TItem }
                ? TypeOf<TItem> | null
                : TSchema extends { readonly array: infer TItem }
                  ? readonly TypeOf<TItem>[]
                  : TSchema extends { readonly fields: infer TFields }
                    ? {
                        readonly [TField in keyof TFields as TFields[TField] extends PaddingSchema
                          ? never
                          : TField]: TypeOf<TFields[TField]>;
                      }
                    : never;

/**
 * The Borsh bytes of a value that {@link assertMatches} has accepted.
 * @param start Bytes to put before them, such as a discriminator.
 */
export const writeValue = (
  schema: Schema,
  value: unknown,
  start: Uint8Array = new Uint8Array(),
): Uint8Array => mergeBytes([start, encoderOf(schema).encode(value) as Uint8Array]);

/** A value from its Borsh bytes, and where it ends. */
export function readValue(
  schema: Schema,
  bytes: Uint8Array,
  offset = 0,
): readonly [value: unknown, end: number] {
  const cursor = { bytes, data: view(bytes), at: offset };
  return [readerOf(schema)(cursor), cursor.at];
}

type Composite = Exclude<Schema, Primitive>;

/** What is made of a schema, once. Wrappers around the same fields share it. */
function oncePerSchema<TMade>(make: (schema: Composite) => TMade): (schema: Composite) => TMade {
  const made = new WeakMap<object, TMade>();
  return (schema) => {
    const key = 'fields' in schema ? schema.fields : schema;
    const result = made.get(key) ?? make(schema);
    made.set(key, result);
    return result;
  };
}

// ---------------------------------------------------------------- reading

// Not kit's decoders: they copy the bytes of each number, which takes most of the time of a whole account.

interface Cursor {
  readonly bytes: Uint8Array;
  readonly data: DataView;
  at: number;
}

type Reader = (cursor: Cursor) => unknown;

/** Moves on, and returns where the bytes start that were passed. */
function pass(cursor: Cursor, size: number): number {
  const start = cursor.at;
  cursor.at = start + size;
  if (cursor.at > cursor.bytes.length) throw new RangeError('The data ends too early.');
  return start;
}

const readU32 = (cursor: Cursor) => cursor.data.getUint32(pass(cursor, 4), true);

/** Borsh knows 0 and 1 as a flag, and nothing else. */
function readFlag(cursor: Cursor): boolean {
  const flag = cursor.data.getUint8(pass(cursor, 1));
  if (flag > 1) throw new RangeError(`${flag} is not a flag.`);
  return flag === 1;
}

/** Kit's decoder takes ten times as long, and a pool has a dozen addresses. */
function readAddress(cursor: Cursor): Address {
  const start = pass(cursor, 32);
  return base58.encode(cursor.bytes.subarray(start, start + 32)) as Address;
}

/** Kit's decoder drops NUL characters and a leading byte order mark, and takes malformed UTF-8. */
function readText(cursor: Cursor): string {
  const size = readU32(cursor);
  const start = pass(cursor, size);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
    cursor.bytes.slice(start, start + size),
  );
}

const PRIMITIVE_READERS: Readonly<Record<Primitive, Reader>> = {
  bool: readFlag,
  u8: (cursor) => cursor.data.getUint8(pass(cursor, 1)),
  u16: (cursor) => cursor.data.getUint16(pass(cursor, 2), true),
  u32: readU32,
  u64: (cursor) => cursor.data.getBigUint64(pass(cursor, 8), true),
  f64: (cursor) => cursor.data.getFloat64(pass(cursor, 8), true),
  pubkey: readAddress,
  string: readText,
};

const readerOf = (schema: Schema): Reader =>
  typeof schema === 'string' ? PRIMITIVE_READERS[schema] : compositeReader(schema);

const compositeReader = /* @__PURE__ */ oncePerSchema((schema): Reader => {
  if ('padding' in schema) return (cursor) => void pass(cursor, schema.padding);
  if ('fields' in schema) return structReader(schema.fields);
  if ('option' in schema) {
    const read = readerOf(schema.option);
    return (cursor) => (readFlag(cursor) ? read(cursor) : null);
  }
  const [read, length] =
    'vec' in schema ? [readerOf(schema.vec), undefined] : [readerOf(schema.array), schema.length];
  return (cursor) => {
    const items: unknown[] = [];
    for (let left = length ?? readU32(cursor); left > 0; left--) items.push(read(cursor));
    return items;
  };
});

function structReader(fields: StructSchema['fields']): Reader {
  const readers = Object.entries(fields).map(([name, schema]) => ({
    name,
    read: readerOf(schema),
    hasValue: typeof schema === 'string' || !('padding' in schema),
  }));
  return (cursor) => {
    const struct: Record<string, unknown> = {};
    for (const { name, read, hasValue } of readers) {
      const value = read(cursor);
      if (hasValue) struct[name] = value;
    }
    return struct;
  };
}

// ---------------------------------------------------------------- writing

// biome-ignore lint/suspicious/noExplicitAny: a schema is data, so the compiler doesn't know what its encoder is of
type AnyEncoder = Encoder<any>;

const ENCODERS: Readonly<Record<Primitive, () => AnyEncoder>> = {
  bool: getBooleanEncoder,
  u8: getU8Encoder,
  u16: getU16Encoder,
  u32: getU32Encoder,
  u64: getU64Encoder,
  f64: getF64Encoder,
  pubkey: getAddressEncoder,
  string: () => addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder()),
};

const encoderOf = (schema: Schema): AnyEncoder =>
  typeof schema === 'string' ? ENCODERS[schema]() : compositeEncoder(schema);

const compositeEncoder = /* @__PURE__ */ oncePerSchema((schema): AnyEncoder => {
  if ('padding' in schema) return padRightEncoder(getUnitEncoder(), schema.padding);
  if ('vec' in schema) return getArrayEncoder(encoderOf(schema.vec));
  if ('array' in schema) return getArrayEncoder(encoderOf(schema.array), { size: schema.length });
  if ('option' in schema) return getNullableEncoder(encoderOf(schema.option));
  return getStructEncoder(
    Object.entries(schema.fields).map(([name, field]) => [name, encoderOf(field)] as const),
  );
});

/** Rejects a value that does not fit its schema, naming the field by its path. */
export function assertMatches(schema: Schema, value: unknown, path: string): void {
  const must = (holds: boolean, expected: string) => {
    if (!holds) throw invalidInput(path, value, expected);
  };
  switch (schema) {
    case 'bool':
      must(typeof value === 'boolean', 'true or false');
      break;
    case 'string':
      assertText(value, path);
      break;
    case 'pubkey':
      assertAddress(value, path);
      break;
    case 'f64':
      must(typeof value === 'number', 'a number');
      break;
    case 'u64':
    case 'u32':
    case 'u16':
    case 'u8':
      assertUnsigned(schema, value, path);
  }
  if (typeof schema === 'string' || 'padding' in schema) return;
  if ('option' in schema) {
    if (value !== null) assertMatches(schema.option, value, path);
    return;
  }
  if ('vec' in schema || 'array' in schema) {
    must(Array.isArray(value), 'an array');
    const items = value as readonly unknown[];
    if ('array' in schema) must(items.length === schema.length, `an array of ${schema.length} items`);
    const item = 'vec' in schema ? schema.vec : schema.array;
    for (const [index, entry] of items.entries()) assertMatches(item, entry, `${path}[${index}]`);
    return;
  }
  must(typeof value === 'object' && value !== null, 'an object');
  const object = value as { readonly [field: string]: unknown };
  for (const [name, field] of Object.entries(schema.fields))
    assertMatches(field, object[name], path ? `${path}.${name}` : name);
}

function assertUnsigned(schema: 'u8' | 'u16' | 'u32' | 'u64', value: unknown, path: string): void {
  const isWhole = schema === 'u64' ? typeof value === 'bigint' : Number.isInteger(value);
  if (!isWhole || (value as bigint | number) < 0) {
    const message = `${path} must be a non-negative ${schema === 'u64' ? 'bigint' : 'whole number'}; got ${describe(value)}.`;
    throw new HeavenError('invalid-amount', message, { field: path, value });
  }
  const bits = BigInt(schema.slice(1));
  if (BigInt(value as bigint | number) >> bits === 0n) return;
  const message = `${path} is ${describe(value)}, which does not fit into ${bits} bits.`;
  throw new HeavenError('amount-out-of-range', message, { field: path, value });
}

/** Rejects a string that has no UTF-8 form, and anything that is not a string. */
export function assertText(value: unknown, field: string): asserts value is string {
  const isText = typeof value === 'string';
  if (isText && !/\p{Surrogate}/u.test(value)) return;
  throw invalidInput(field, value, `a string${isText ? ' without half surrogate pairs' : ''}`);
}
