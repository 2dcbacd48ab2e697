import type { Address } from '@solana/kit';
import { HeavenError } from '../errors.js';
import { describe, invalidInput } from '../input.js';
import { view } from './account-data.js';
import { addressAt, assertAddress, bytesOfAddress } from './addresses.js';

/**
 * The program's types, declared as plain data: from one declaration come the TypeScript type ({@link TypeOf}), the
 * Borsh bytes ({@link writeValue}, {@link readValue}), the check of a caller's value ({@link assertMatches}) and the IDL.
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
  readonly name: string;
  readonly fields: { readonly [field: string]: Schema };
}

/** The TypeScript type of a schema. Its fields are spelled out here, as an editor would show the schema otherwise. */
export type TypeOf<TSchema> = TSchema extends 'bool'
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

/** In bytes. A string has its length before it. */
const SIZES = { bool: 1, u8: 1, u16: 2, u32: 4, u64: 8, f64: 8, pubkey: 32, string: 4 } as const;

/** Bytes that are read or written one value after another. */
interface Cursor {
  bytes: Uint8Array;
  view: DataView;
  offset: number;
}

/** Moves a cursor past its next bytes, and returns where they begin. */
function pass(cursor: Cursor, size: number): number {
  const { offset } = cursor;
  cursor.offset += size;
  return offset;
}

/**
 * The Borsh bytes of a value that {@link assertMatches} has accepted.
 * @param start Bytes to put before them, such as a discriminator.
 */
export function writeValue(schema: Schema, value: unknown, start: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(64);
  const cursor: Cursor = { bytes, view: view(bytes), offset: 0 };
  writeBytes(start, cursor);
  write(schema, value, cursor);
  return cursor.bytes.slice(0, cursor.offset);
}

/** {@link pass}, with room for what is written there: zeros. */
function reserve(cursor: Cursor, size: number): number {
  const offset = pass(cursor, size);
  if (cursor.offset > cursor.bytes.length) {
    const larger = new Uint8Array(2 * cursor.offset);
    larger.set(cursor.bytes);
    cursor.bytes = larger;
    cursor.view = view(larger);
  }
  return offset;
}

function writeBytes(bytes: ArrayLike<number>, cursor: Cursor): void {
  const offset = reserve(cursor, bytes.length);
  cursor.bytes.set(bytes, offset);
}

/** Writes a value. Ignore what it returns. */
function write(schema: Schema, value: unknown, cursor: Cursor): unknown {
  switch (schema) {
    case 'pubkey':
      return writeBytes(bytesOfAddress(value as Address), cursor);
    case 'string': {
      const text = new TextEncoder().encode(value as string);
      write('u32', text.length, cursor);
      return writeBytes(text, cursor);
    }
  }
  if (typeof schema === 'string') {
    const offset = reserve(cursor, SIZES[schema]);
    const { view } = cursor;
    switch (schema) {
      case 'bool':
        return view.setUint8(offset, value ? 1 : 0);
      case 'u8':
        return view.setUint8(offset, value as number);
      case 'u16':
        return view.setUint16(offset, value as number, true);
      case 'u32':
        return view.setUint32(offset, value as number, true);
      case 'u64':
        return view.setBigUint64(offset, value as bigint, true);
      case 'f64':
        return view.setFloat64(offset, value as number, true);
    }
  }
  if ('padding' in schema) return void reserve(cursor, schema.padding);
  if ('fields' in schema) return writeFields(schema.fields, value as object, cursor);
  if ('option' in schema) {
    write('bool', value !== null, cursor);
    return value === null ? undefined : write(schema.option, value, cursor);
  }
  const items = value as readonly unknown[];
  if ('vec' in schema) write('u32', items.length, cursor);
  for (const item of items) write('vec' in schema ? schema.vec : schema.array, item, cursor);
  return undefined;
}

function writeFields(fields: StructSchema['fields'], object: object, cursor: Cursor): void {
  for (const name in fields)
    write(fields[name] as Schema, (object as Readonly<Record<string, unknown>>)[name], cursor);
}

/** A value from its Borsh bytes, and where it ends. */
export function readValue(
  schema: Schema,
  bytes: Uint8Array,
  offset = 0,
): readonly [value: unknown, end: number] {
  const cursor = { bytes, view: view(bytes), offset };
  const value = read(schema, cursor);
  if (cursor.offset > bytes.length) throw new RangeError('Its padding is cut short.');
  return [value, cursor.offset];
}

function read(schema: Schema, cursor: Cursor): unknown {
  if (typeof schema === 'string') {
    const { bytes, view } = cursor;
    const offset = pass(cursor, SIZES[schema]);
    switch (schema) {
      case 'bool': {
        // Borsh knows 0 and 1 as a flag, and nothing else.
        const flag = view.getUint8(offset);
        if (flag > 1) throw new RangeError(`${flag} is not a flag.`);
        return flag === 1;
      }
      case 'u8':
        return view.getUint8(offset);
      case 'u16':
        return view.getUint16(offset, true);
      case 'u32':
        return view.getUint32(offset, true);
      case 'u64':
        return view.getBigUint64(offset, true);
      case 'f64':
        return view.getFloat64(offset, true);
      case 'pubkey':
        return addressAt(bytes, offset);
      case 'string': {
        const start = pass(cursor, view.getUint32(offset, true));
        if (cursor.offset > bytes.length) throw new RangeError('The text is cut short.');
        // kit's decoder drops NUL characters and a leading byte order mark.
        const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        return decoder.decode(bytes.subarray(start, cursor.offset));
      }
    }
  }
  if ('padding' in schema) return void pass(cursor, schema.padding);
  if ('fields' in schema) return readFields(schema.fields, cursor);
  if ('option' in schema) return read('bool', cursor) ? read(schema.option, cursor) : null;
  const count = 'vec' in schema ? (read('u32', cursor) as number) : schema.length;
  const item = 'vec' in schema ? schema.vec : schema.array;
  const items: unknown[] = [];
  for (let index = 0; index < count; index++) items.push(read(item, cursor));
  return items;
}

function readFields(fields: StructSchema['fields'], cursor: Cursor): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const name in fields) {
    const schema = fields[name] as Schema;
    const value = read(schema, cursor);
    if (typeof schema === 'string' || !('padding' in schema)) object[name] = value;
  }
  return object;
}

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
  const bits = BigInt(8 * SIZES[schema]);
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
