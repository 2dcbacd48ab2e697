import {
  type Address,
  addCodecSizePrefix,
  type Codec,
  getAddressCodec,
  getArrayCodec,
  getBytesCodec,
  getDiscriminatedUnionCodec,
  getF64Codec,
  getI128Codec,
  getNullableCodec,
  getStructCodec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  isAddress,
  type NumberCodec,
  padRightCodec,
  transformCodec,
} from '@solana/kit';

import { HeavenError } from '../errors.js';
import { describe } from '../math/integers.js';

/**
 * The program's types, declared as plain data: from one declaration come the TypeScript type ({@link TypeOf}), the
 * codec ({@link codecOf}), the check of a caller's value ({@link assertMatches}) and the IDL. Plain literals cost
 * nothing to load and shake out of a bundle.
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

type TypeOfFields<TFields> = {
  readonly [TField in keyof TFields as TFields[TField] extends PaddingSchema ? never : TField]: TypeOf<
    TFields[TField]
  >;
};

/** The TypeScript type of a schema. */
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
                        [TVariant in keyof TVariants]: { readonly kind: TVariant } & TypeOfFields<
                          TVariants[TVariant]
                        >;
                      }[keyof TVariants]
                    : TSchema extends { readonly fields: infer TFields }
                      ? TypeOfFields<TFields>
                      : never;

const codecs = new WeakMap<object, Codec<unknown>>();

/** The Borsh codec of a schema, made once. */
export const codecOf = <const TSchema extends Schema>(schema: TSchema): Codec<TypeOf<TSchema>> =>
  codecFor(schema) as Codec<TypeOf<TSchema>>;

/** {@link codecOf} for a schema whose type is not known at compile time. */
export function codecFor(schema: Schema): Codec<unknown> {
  if (typeof schema === 'string') return anyCodec(schema) as Codec<unknown>;
  let codec = codecs.get(schema);
  if (codec === undefined) {
    codec = anyCodec(schema) as Codec<unknown>;
    codecs.set(schema, codec);
  }
  return codec;
}

function anyCodec(schema: Schema) {
  switch (schema) {
    case 'bool':
      return transformCodec(
        flagCodec(),
        (value: boolean) => (value ? 1 : 0),
        (flag) => flag === 1,
      );
    case 'u8':
      return getU8Codec();
    case 'u16':
      return getU16Codec();
    case 'u32':
      return getU32Codec();
    case 'u64':
      return getU64Codec();
    case 'i128':
      return getI128Codec();
    case 'f64':
      return getF64Codec();
    case 'pubkey':
      return getAddressCodec();
    case 'string':
      return textCodec();
  }
  if ('fields' in schema) return fieldsCodec(schema.fields);
  if ('vec' in schema) return getArrayCodec(codecFor(schema.vec));
  if ('option' in schema)
    return getNullableCodec(codecFor(schema.option), { prefix: flagCodec() as NumberCodec });
  if ('array' in schema) return getArrayCodec(codecFor(schema.array), { size: schema.length });
  if ('values' in schema) return getU8Codec();
  if ('variants' in schema) {
    return getDiscriminatedUnionCodec(
      Object.entries(schema.variants).map(([variant, fields]) => [variant, fieldsCodec(fields)] as const),
      { discriminator: 'kind' },
    );
  }
  throw new Error('Padding has no codec of its own: it belongs behind a field.');
}

/** Borsh knows 0 and 1 as a flag, and nothing else. */
const flagCodec = () =>
  transformCodec(
    getU8Codec(),
    (flag: bigint | number) => flag,
    (flag) => {
      if (flag > 1) throw new RangeError(`${flag} is no flag`);
      return flag;
    },
  );

/** UTF-8 as it is: kit's codec drops NUL characters and a leading byte order mark when it reads. */
const textCodec = () =>
  transformCodec(
    addCodecSizePrefix(getBytesCodec(), getU32Codec()),
    (text: string) => new TextEncoder().encode(text),
    (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)),
  );

function fieldsCodec(fields: StructSchema['fields']): Codec<unknown> {
  const entries: [string, Codec<unknown>][] = [];
  for (const [name, schema] of Object.entries(fields)) {
    const last = entries.at(-1);
    if (typeof schema === 'object' && 'padding' in schema && last)
      last[1] = padRightCodec(last[1], schema.padding);
    else entries.push([name, codecFor(schema)]);
  }
  return getStructCodec(entries as never) as Codec<unknown>;
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

const MOST_REMEMBERED = 4096;
const validAddresses = new Set<string>();

/** Whether it is a base58 address of 32 bytes. Those that are, are remembered (bounded): the check costs some 8 microseconds. */
export function isValidAddress(value: unknown): value is Address {
  if (typeof value !== 'string') return false;
  if (validAddresses.has(value)) return true;
  if (!isAddress(value)) return false;
  if (validAddresses.size >= MOST_REMEMBERED) validAddresses.clear();
  validAddresses.add(value);
  return true;
}

/**
 * Refuses what is not a base58 address of 32 bytes.
 *
 * @throws {HeavenError} `invalid-address`
 */
export function assertAddress(value: unknown, field: string): asserts value is Address {
  if (isValidAddress(value)) return;
  throw new HeavenError(
    'invalid-address',
    `${field} must be a base58 address of 32 bytes; got ${describe(value)}.`,
    { field, value },
  );
}
