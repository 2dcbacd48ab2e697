import {
  type Address,
  addEncoderSizePrefix,
  type Encoder,
  getAddressDecoder,
  getAddressEncoder,
  getArrayEncoder,
  getBooleanEncoder,
  getBytesEncoder,
  getDiscriminatedUnionEncoder,
  getF64Encoder,
  getI128Encoder,
  getNullableEncoder,
  getStructEncoder,
  getU8Encoder,
  getU16Encoder,
  getU32Encoder,
  getU64Encoder,
  padRightEncoder,
  transformEncoder,
} from '@solana/kit';

import { HeavenError } from '../errors.js';
import { describe } from '../input.js';
import { assertAddress } from './addresses.js';

/**
 * The program's types, declared as plain data: from one declaration come the TypeScript type ({@link TypeOf}), the
 * Borsh bytes ({@link encoderFor}, {@link readValue}), the check of a caller's value ({@link assertMatches}) and the IDL.
 * Plain literals cost nothing to load and shake out of a bundle.
 */
export type Schema =
  | Primitive
  | StructSchema
  | EnumSchema
  | UnionSchema
  | { readonly vec: Schema }
  | { readonly option: Schema }
  | { readonly array: Schema; readonly length: number }
  | PaddingSchema;

type Primitive = 'bool' | 'u8' | 'u16' | 'u32' | 'u64' | 'i128' | 'f64' | 'pubkey' | 'string';

/** Bytes without a meaning behind a field: written as zeros, skipped when read. */
interface PaddingSchema {
  readonly padding: number;
}

export interface StructSchema {
  readonly name: string;
  readonly fields: { readonly [field: string]: Schema };
}

/** One byte whose values have names. */
export interface EnumSchema {
  readonly name: string;
  readonly values: { readonly [variant: string]: number };
}

/** One byte that says which of the variants follows. */
export interface UnionSchema {
  readonly name: string;
  readonly variants: { readonly [variant: string]: { readonly [field: string]: Schema } };
}

/** The fields that mean something. */
type FieldNames<TFields> = {
  [TField in keyof TFields]: TFields[TField] extends PaddingSchema ? never : TField;
}[keyof TFields];

/** The TypeScript type of a schema. Its fields are spelled out here, as an editor would show the schema otherwise. */
export type TypeOf<TSchema> = TSchema extends 'bool'
  ? boolean
  : TSchema extends 'u8' | 'u16' | 'u32' | 'f64'
    ? number
    : TSchema extends 'u64' | 'i128'
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
                : TSchema extends { readonly values: infer TValues }
                  ? TValues[keyof TValues]
                  : TSchema extends { readonly variants: infer TVariants }
                    ? {
                        [TVariant in keyof TVariants]: {
                          readonly [TField in
                            | 'kind'
                            | FieldNames<TVariants[TVariant]>]: TField extends keyof TVariants[TVariant]
                            ? TypeOf<TVariants[TVariant][TField]>
                            : TVariant;
                        };
                      }[keyof TVariants]
                    : TSchema extends { readonly fields: infer TFields }
                      ? {
                          readonly [TField in keyof TFields as TFields[TField] extends PaddingSchema
                            ? never
                            : TField]: TypeOf<TFields[TField]>;
                        }
                      : never;

const encoders = new WeakMap<object, Encoder<unknown>>();

/** The Borsh encoder of a schema, made once. */
export function encoderFor(schema: Schema): Encoder<unknown> {
  if (typeof schema === 'string') return anyEncoder(schema) as Encoder<unknown>;
  let encoder = encoders.get(schema);
  if (encoder === undefined) {
    encoder = anyEncoder(schema) as Encoder<unknown>;
    encoders.set(schema, encoder);
  }
  return encoder;
}

function anyEncoder(schema: Schema) {
  switch (schema) {
    case 'bool':
      return getBooleanEncoder();
    case 'u8':
      return getU8Encoder();
    case 'u16':
      return getU16Encoder();
    case 'u32':
      return getU32Encoder();
    case 'u64':
      return getU64Encoder();
    case 'i128':
      return getI128Encoder();
    case 'f64':
      return getF64Encoder();
    case 'pubkey':
      return getAddressEncoder();
    case 'string':
      return transformEncoder(addEncoderSizePrefix(getBytesEncoder(), getU32Encoder()), (text: string) =>
        new TextEncoder().encode(text),
      );
  }
  if ('fields' in schema) return fieldsEncoder(schema.fields);
  if ('vec' in schema) return getArrayEncoder(encoderFor(schema.vec));
  if ('option' in schema) return getNullableEncoder(encoderFor(schema.option));
  if ('array' in schema) return getArrayEncoder(encoderFor(schema.array), { size: schema.length });
  if ('values' in schema) return getU8Encoder();
  if ('variants' in schema) {
    return getDiscriminatedUnionEncoder(
      Object.entries(schema.variants).map(([variant, fields]) => [variant, fieldsEncoder(fields)] as const),
      { discriminator: 'kind' },
    );
  }
  throw new Error('Padding has no encoder of its own: it belongs behind a field.');
}

function fieldsEncoder(fields: StructSchema['fields']): Encoder<unknown> {
  const entries: [string, Encoder<unknown>][] = [];
  for (const [name, schema] of Object.entries(fields)) {
    const last = entries.at(-1);
    if (typeof schema === 'object' && 'padding' in schema && last)
      last[1] = padRightEncoder(last[1], schema.padding);
    else entries.push([name, encoderFor(schema)]);
  }
  return getStructEncoder(entries as never) as Encoder<unknown>;
}

/** Bytes that are read one value after another. */
interface Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
}

/**
 * A value out of its Borsh bytes, and where it ends. Numbers are read straight off the bytes: kit's decoders copy them for
 * each field, which takes most of the time of an account with 1,500 of them.
 *
 * @throws RangeError, TypeError or kit's errors for bytes that are cut short or malformed
 */
export function readValue(
  schema: Schema,
  bytes: Uint8Array,
  offset = 0,
): readonly [value: unknown, end: number] {
  const cursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset };
  const value = read(schema, cursor);
  if (cursor.offset > bytes.length) throw new RangeError('Its padding is cut short.');
  return [value, cursor.offset];
}

function read(schema: Schema, cursor: Cursor): unknown {
  const { bytes, view, offset } = cursor;
  switch (schema) {
    case 'bool':
      return readFlag(cursor);
    case 'u8':
      cursor.offset += 1;
      return view.getUint8(offset);
    case 'u16':
      cursor.offset += 2;
      return view.getUint16(offset, true);
    case 'u32':
      cursor.offset += 4;
      return view.getUint32(offset, true);
    case 'u64':
      cursor.offset += 8;
      return view.getBigUint64(offset, true);
    case 'i128':
      cursor.offset += 16;
      return (view.getBigInt64(offset + 8, true) << 64n) + view.getBigUint64(offset, true);
    case 'f64':
      cursor.offset += 8;
      return view.getFloat64(offset, true);
    case 'pubkey':
      cursor.offset += 32;
      return getAddressDecoder().decode(bytes, offset);
    case 'string': {
      const start = offset + 4;
      const end = start + view.getUint32(offset, true);
      if (end > bytes.length) throw new RangeError('The text is cut short.');
      cursor.offset = end;
      // kit's decoder drops NUL characters and a leading byte order mark.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(start, end));
    }
  }
  if ('fields' in schema) return readFields(schema.fields, cursor, {});
  if ('vec' in schema) return readItems(schema.vec, read('u32', cursor) as number, cursor);
  if ('option' in schema) return readFlag(cursor) ? read(schema.option, cursor) : null;
  if ('array' in schema) return readItems(schema.array, schema.length, cursor);
  if ('variants' in schema) {
    const variants = Object.entries(schema.variants);
    const index = read('u8', cursor) as number;
    const [kind, fields] = variants[index] ?? [];
    if (fields === undefined) throw new RangeError(`${index} is none of ${variants.length} variants.`);
    return readFields(fields, cursor, { kind });
  }
  return read('u8', cursor);
}

/** Borsh knows 0 and 1 as a flag, and nothing else. */
function readFlag(cursor: Cursor): boolean {
  const flag = read('u8', cursor) as number;
  if (flag > 1) throw new RangeError(`${flag} is no flag.`);
  return flag === 1;
}

function readItems(schema: Schema, count: number, cursor: Cursor): unknown[] {
  const items: unknown[] = [];
  for (let index = 0; index < count; index++) items.push(read(schema, cursor));
  return items;
}

function readFields(
  fields: StructSchema['fields'],
  cursor: Cursor,
  object: Record<string, unknown>,
): Record<string, unknown> {
  for (const name in fields) {
    const schema = fields[name] as Schema;
    if (typeof schema === 'object' && 'padding' in schema) cursor.offset += schema.padding;
    else object[name] = read(schema, cursor);
  }
  return object;
}

const INTEGER_BITS = { u8: 8n, u16: 16n, u32: 32n, u64: 64n } as const;

/**
 * Refuses a value that does not fit its schema, naming the field by its path.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `amount-out-of-range`
 */
export function assertMatches(schema: Schema, value: unknown, path: string): void {
  const refuse: (expected: string) => never = (expected) => {
    throw new HeavenError('invalid-input', `${path} must be ${expected}; got ${describe(value)}.`, {
      field: path,
      value,
    });
  };
  switch (schema) {
    case 'bool':
      if (typeof value !== 'boolean') refuse('true or false');
      return;
    case 'string':
      assertText(value, path);
      return;
    case 'pubkey':
      assertAddress(value, path);
      return;
    case 'f64':
      if (typeof value !== 'number') refuse('a number');
      return;
    case 'i128':
      if (typeof value !== 'bigint') refuse('a bigint');
      return;
    case 'u64':
    case 'u32':
    case 'u16':
    case 'u8': {
      const fits = schema === 'u64' ? typeof value === 'bigint' : Number.isInteger(value);
      if (!fits || (value as bigint | number) < 0) {
        const message = `${path} must be a non-negative ${schema === 'u64' ? 'bigint' : 'whole number'}; got ${describe(value)}.`;
        throw new HeavenError('invalid-amount', message, { field: path, value });
      }
      if (BigInt(value as bigint | number) >> INTEGER_BITS[schema] !== 0n) {
        const message = `${path} is ${describe(value)}, which does not fit into ${INTEGER_BITS[schema]} bits.`;
        throw new HeavenError('amount-out-of-range', message, { field: path, value });
      }
      return;
    }
  }
  if ('padding' in schema) return;
  if ('option' in schema) {
    if (value !== null) assertMatches(schema.option, value, path);
    return;
  }
  if ('vec' in schema || 'array' in schema) {
    if (!Array.isArray(value)) refuse('an array');
    if ('array' in schema && value.length !== schema.length) refuse(`an array of ${schema.length} items`);
    const item = 'vec' in schema ? schema.vec : schema.array;
    for (const [index, entry] of value.entries()) assertMatches(item, entry, `${path}[${index}]`);
    return;
  }
  if ('values' in schema) {
    if (!Object.values(schema.values).includes(value as number)) {
      refuse(
        `one of ${Object.entries(schema.values)
          .map(([name, number]) => `${number} (${name})`)
          .join(', ')}`,
      );
    }
    return;
  }
  if (typeof value !== 'object' || value === null) refuse('an object');
  const object = value as { readonly [field: string]: unknown; readonly kind?: unknown };
  if ('variants' in schema) {
    const fields = Object.hasOwn(schema.variants, String(object.kind))
      ? schema.variants[String(object.kind)]
      : undefined;
    if (!fields) refuse(`an object whose kind is one of ${Object.keys(schema.variants).join(', ')}`);
    assertFields(fields, object, path);
    return;
  }
  assertFields(schema.fields, object, path);
}

function assertFields(
  fields: StructSchema['fields'],
  object: { readonly [field: string]: unknown },
  path: string,
): void {
  for (const [name, schema] of Object.entries(fields))
    assertMatches(schema, object[name], path ? `${path}.${name}` : name);
}

/** Refuses a string that has no UTF-8 form, and anything that is not a string. */
export function assertText(value: unknown, field: string): asserts value is string {
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) {
    throw new HeavenError(
      'invalid-input',
      `${field} must be a string${typeof value === 'string' ? ' without half surrogate pairs' : ''}; got ${describe(value)}.`,
      { field, value },
    );
  }
}
