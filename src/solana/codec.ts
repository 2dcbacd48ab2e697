import {
  type Address,
  addCodecSizePrefix,
  type Codec,
  createCodec,
  getAddressCodec,
  getArrayCodec,
  getBooleanCodec,
  getF64Codec,
  getNullableCodec,
  getStructCodec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getUnitCodec,
  mergeBytes,
  padRightCodec,
  transformCodec,
} from '@solana/kit';

import { HeavenError } from '../errors.js';
import { describe, invalidInput } from '../input.js';
import { assertAddress } from './addresses.js';

/**
 * The program's types, declared as plain data: from one declaration come the TypeScript type ({@link TypeOf}), the
 * Borsh bytes by kit's codecs ({@link writeValue}, {@link readValue}), the check of a caller's value ({@link assertMatches}) and the IDL.
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

/**
 * The Borsh bytes of a value that {@link assertMatches} has accepted.
 * @param start Bytes to put before them, such as a discriminator.
 */
export const writeValue = (
  schema: Schema,
  value: unknown,
  start: Uint8Array = new Uint8Array(),
): Uint8Array => mergeBytes([start, codecOf(schema).encode(value) as Uint8Array]);

/** A value from its Borsh bytes, and where it ends. */
export const readValue = (
  schema: Schema,
  bytes: Uint8Array,
  offset = 0,
): readonly [value: unknown, end: number] => codecOf(schema).read(bytes, offset);

// biome-ignore lint/suspicious/noExplicitAny: a schema is data, so the compiler doesn't know what its codec is of
type AnyCodec = Codec<any>;

const codecs = new WeakMap<object, AnyCodec>();

/** kit's codec of a schema, cached. */
function codecOf(schema: Schema): AnyCodec {
  if (typeof schema === 'string') return primitiveCodec(schema);
  const key = 'fields' in schema ? schema.fields : schema;
  let codec = codecs.get(key);
  if (codec === undefined) {
    codec = compositeCodec(schema);
    codecs.set(key, codec);
  }
  return codec;
}

function primitiveCodec(schema: Primitive): AnyCodec {
  switch (schema) {
    case 'bool':
      return getBooleanCodec({ size: flagCodec() });
    case 'u8':
      return getU8Codec();
    case 'u16':
      return getU16Codec();
    case 'u32':
      return getU32Codec();
    case 'u64':
      return getU64Codec();
    case 'f64':
      return getF64Codec();
    case 'pubkey':
      return getAddressCodec();
    case 'string':
      return addCodecSizePrefix(textCodec(), getU32Codec());
  }
}

function compositeCodec(schema: Exclude<Schema, Primitive>): AnyCodec {
  if ('padding' in schema) return padRightCodec(getUnitCodec(), schema.padding);
  if ('vec' in schema) return getArrayCodec(codecOf(schema.vec), { requireSizePrefix: true });
  if ('array' in schema) return getArrayCodec(codecOf(schema.array), { size: schema.length });
  if ('option' in schema) return getNullableCodec(codecOf(schema.option), { prefix: flagCodec() });
  return structCodec(schema.fields);
}

/** Padding belongs to the field before it, so that it has no value of its own. */
function structCodec(fields: StructSchema['fields']): AnyCodec {
  const padded: [name: string, codec: AnyCodec][] = [];
  for (const [name, schema] of Object.entries(fields)) {
    const before = padded.at(-1);
    if (typeof schema === 'object' && 'padding' in schema && before !== undefined)
      before[1] = padRightCodec(before[1], schema.padding);
    else padded.push([name, codecOf(schema)]);
  }
  return getStructCodec(padded);
}

/** Borsh knows 0 and 1 as a flag, and nothing else. Kit takes any number. */
const flagCodec = () =>
  transformCodec(
    getU8Codec(),
    (flag: number | bigint) => flag,
    (flag) => {
      if (flag > 1) throw new RangeError(`${flag} is not a flag.`);
      return flag;
    },
  );

/** Kit's own codec drops NUL characters and a leading byte order mark, and takes malformed UTF-8. */
const textCodec = (): Codec<string> =>
  createCodec({
    getSizeFromValue: (text: string) => new TextEncoder().encode(text).length,
    write: (text: string, bytes, offset) => {
      const written = new TextEncoder().encode(text);
      bytes.set(written, offset);
      return offset + written.length;
    },
    read: (bytes, offset) => [
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.slice(offset)),
      bytes.length,
    ],
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
