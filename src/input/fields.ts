import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import {
  assertAbortSignal,
  assertFields,
  assertPositiveU64,
  assertU64,
  invalidInput,
} from '../base/input.js';
import { slippageOf } from '../math/slippage.js';
import { assertUiAmount, toNativeAmount, type UiAmount } from '../math/units.js';
import { SOL_DECIMALS } from '../pool/quote-amounts.js';
import { assertConfigVersion } from '../program/addresses.js';
import { type AddressInput, addressOf, assertAddress } from '../solana/addresses.js';
import { assertMatches, assertText, type Schema, type TypeOf } from '../solana/codec.js';
import { type TransactionWallet, walletAt } from '../solana/wallet.js';
import type { Checked, Field, Keywords, Kind, ListField, Rechecked, Shape, ValueField } from './field.js';
import { type Assert, by } from './issues.js';

// The schemas of the fields that operations take. Each is checked by the function that other code calls for such a value, so both throw
// the same error.

/** A single value that a function checks. Without a kind, only a local call can have it. */
export function checkedBy<TValue>(assert: Assert<TValue>): Checked<TValue, TValue>;
export function checkedBy<TValue>(
  assert: Assert<TValue>,
  kind: Kind,
  keywords?: Keywords,
): Checked<TValue, TValue> & ValueField;
export function checkedBy(assert: Assert<unknown>, kind?: Kind, keywords?: Keywords): object {
  return { schema: z.unknown().check(by(assert)), kind, keywords };
}

/** A value that another replaces. Not zod's transform, which refuses a promise in its own words. */
const replacing = (replace: (value: unknown) => unknown) =>
  z.unknown().check((payload) => {
    payload.value = replace(payload.value);
  });

/** A value, or `undefined` for one that is left out. */
type Optional<TSchema extends z.ZodMiniType> = z.ZodMiniPipe<
  z.ZodMiniOptional<z.ZodMiniNullable<TSchema>>,
  z.ZodMiniTransform<z.output<TSchema> | undefined>
>;

/** A value that may be left out, as `undefined` or `null`. */
export function optional<TField extends Checked>(present: TField) {
  const given = z.optional(replacing((value) => value ?? undefined));
  const schema: z.ZodMiniType = z.pipe(given, z.optional(present.schema));
  return { present, schema: schema as Optional<TField['schema']> };
}

/** A value that a local call may leave out, mostly for another one, and that a request must have. */
export function requiredInRequests<TField extends Checked>(present: TField) {
  const { schema } = optional(present);
  return { ...present, schema } as Rechecked<TField, typeof schema>;
}

/** The checks of an object's fields. */
export const schemasOf = <TShape extends Readonly<Record<string, Checked>>>(shape: TShape) =>
  Object.fromEntries(Object.entries(shape).map(([field, { schema }]) => [field, schema])) as {
    [TField in keyof TShape]: TShape[TField]['schema'];
  };

/** An object whose other fields are dropped. */
export const object = <const TShape extends Shape>(shape: TShape, name?: string) => ({
  ...{ shape, isStrict: false, name },
  schema: z.object(schemasOf(shape)),
});

/** An object whose unknown fields are rejected: a misspelt optional field would otherwise go unnoticed. */
export const strict = <const TShape extends Shape>(shape: TShape, name?: string) => ({
  ...{ shape, isStrict: true, name },
  // Names come first: a misspelt one would otherwise be reported as another that is missing.
  schema: z.pipe(
    z.unknown().check(
      by((value: unknown, field) => {
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          assertFields(value, field, shape);
      }),
    ),
    z.object(schemasOf(shape)),
  ) as unknown as ReturnType<typeof object<TShape>>['schema'],
});

/** A list that is not changed. */
export function listOf<TField extends Field>(item: TField, limits: Omit<ListField, 'item'> = {}) {
  const { assertCount } = limits;
  const items = z.array(item.schema);
  const list = assertCount === undefined ? items : z.pipe(z.unknown().check(by(assertCount)), items);
  type List = z.ZodMiniType<readonly z.output<TField['schema']>[], readonly z.input<TField['schema']>[]>;
  return { ...limits, item, schema: list as unknown as List };
}

// ---------------------------------------------------------------- single values

/** An address, or an object that has one. Nothing reads that object again. */
export const address = () => ({
  kind: 'pubkey' as const,
  schema: replacing(addressOf).check(by(assertAddress)) as z.ZodMiniType as z.ZodMiniType<
    Address,
    AddressInput
  >,
});

/** A wallet. A signer stays attached to the instructions. */
export const wallet = () => ({
  kind: 'pubkey' as const,
  schema: z.pipe(
    z.pipe(
      z.transform((value: TransactionWallet) => ({ value, address: addressOf(value) as Address })),
      checkedBy<{ readonly value: TransactionWallet; readonly address: Address }>((read, field) =>
        assertAddress(read.address, field),
      ).schema,
    ),
    z.transform(({ address, value }) => walletAt(address, value)),
  ),
});

/** A native amount, or a slot. */
export const u64 = () => checkedBy<bigint>(assertU64, 'u64');

/** A native amount that is not 0. */
export const positive = () => checkedBy<bigint>(assertPositiveU64, 'positive');

/** Basis points from 0 to 10000. */
export const slippage = () => checkedBy<number>(slippageOf, 'bps');

export const version = () => checkedBy<number>(assertConfigVersion, 'u16');

/** A value of one of the program's types, or of a narrower kind. */
export const programValue = <TSchema extends Schema & Kind>(schema: TSchema, kind: Kind = schema) =>
  checkedBy<TypeOf<TSchema>>((value: unknown, field) => assertMatches(schema, value, field), kind);

export const flag = () => programValue('bool');

/** An amount above 0 in UI units. The token's decimals may not be known yet. */
export const uiAmount = () => checkedBy<UiAmount>(assertUiAmount, 'positiveAmount');

/** SOL. */
export const sol = () =>
  checkedBy<UiAmount>((value: UiAmount, field) => toNativeAmount(value, SOL_DECIMALS, field), 'amount');

export const text = () => checkedBy<string>(assertText, 'text');

/** A value that the operation itself checks. */
export const unchecked = <TValue>() => ({ schema: z.unknown() as z.ZodMiniType<TValue, TValue> });

/** A number for display, which is compared with the exact amount. */
export const shown = () => ({ ...unchecked<number>(), kind: 'f64' as const });

/** One of these words, which an error names as `expected`. */
export const oneOf = <const TText extends string>(
  values: readonly TText[],
  expected = `one of ${values.join(', ')}`,
) =>
  checkedBy<TText>(
    (value: unknown, field) => {
      if (!values.includes(value as TText)) throw invalidInput(field, value, expected);
    },
    'text',
    { enum: values },
  );

export const abortSignal = () => optional(checkedBy<AbortSignal>(assertAbortSignal));
