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
import type { Shape } from './door.js';
import { formOf, type LeafForm, type Limits, type ListForm, withForm } from './forms.js';
import { type Assert, by } from './issues.js';

// The schemas of the fields that operations take. Each is checked by the function that other code calls for such a value, so both throw
// the same error.

/** A single value that a function checks. Without a form, only a local call can have it. */
export function checkedBy<TValue>(assert: Assert<TValue>, form?: LeafForm) {
  const schema = z.custom<TValue>().check(by(assert));
  return form === undefined ? schema : withForm(schema, form);
}

/** A value that may be left out, as `undefined` or `null`. */
export function optional<TSchema extends z.ZodMiniType>(present: TSchema) {
  const schema = z.pipe(
    z.nullish(present),
    z.transform((value) => (value ?? undefined) as z.output<TSchema> | undefined),
  );
  return withForm(schema, { kind: 'optional', present });
}

/** A value that a local call may leave out, mostly for another one, and that a request must have. */
export function requiredInRequests<TSchema extends z.ZodMiniType>(present: TSchema) {
  return withForm(optional(present), formOf(present));
}

/** An object whose other fields are dropped. */
export const object = <const TShape extends Shape>(shape: TShape, name?: string) =>
  withForm(z.object(shape), { kind: 'object', shape, isStrict: false, name });

/** An object whose unknown fields are rejected: a misspelt optional field would otherwise go unnoticed. */
export function strict<const TShape extends Shape>(shape: TShape, name?: string) {
  // Loose, so that the check sees the unknown fields.
  const object = z.looseObject(shape) as unknown as z.ZodMiniObject<TShape, z.core.$strip>;
  const checked = object.check(by((value: object, field) => assertFields(value, field, shape)));
  return withForm(checked, { kind: 'object', shape, isStrict: true, name });
}

/** A list that is not changed. */
export function listOf<TSchema extends z.ZodMiniType>(
  item: TSchema,
  limits: Omit<ListForm, 'kind' | 'item'> = {},
) {
  const { assertCount } = limits;
  const items = z.array(item);
  const list = assertCount === undefined ? items : z.pipe(z.unknown().check(by(assertCount)), items);
  type List = z.ZodMiniType<readonly z.output<TSchema>[], readonly z.input<TSchema>[]>;
  return withForm(list as unknown as List, { ...limits, kind: 'list', item });
}

// ---------------------------------------------------------------- single values

/** An address, or an object that has one. Nothing reads that object again. */
export const address = () =>
  withForm(
    z.pipe(
      z.transform((value: AddressInput) => addressOf(value) as Address),
      checkedBy<Address>(assertAddress),
    ),
    { kind: 'address' },
  );

/** A wallet. A signer stays attached to the instructions. */
export const wallet = () =>
  withForm(
    z.pipe(
      z.pipe(
        z.transform((value: TransactionWallet) => ({ value, address: addressOf(value) as Address })),
        checkedBy<{ readonly value: TransactionWallet; readonly address: Address }>((read, field) =>
          assertAddress(read.address, field),
        ),
      ),
      z.transform(({ address, value }) => walletAt(address, value)),
    ),
    { kind: 'address' },
  );

/** A native amount, or a slot. */
export const u64 = () => checkedBy<bigint>(assertU64, { kind: 'integer', format: 'uint64' });

/** A native amount that is not 0. */
export const positive = () =>
  checkedBy<bigint>(assertPositiveU64, { kind: 'integer', format: 'uint64', minimum: 1 });

/** Basis points from 0 to 10000. */
export const slippage = () => checkedBy<number>(slippageOf, { kind: 'small', maximum: 10_000 });

export const version = () => checkedBy<number>(assertConfigVersion, { kind: 'small', maximum: 65_535 });

const PROGRAM_FORMS: Readonly<Partial<Record<string, LeafForm>>> = {
  bool: { kind: 'flag' },
  u8: { kind: 'small', maximum: 255 },
  u16: { kind: 'small', maximum: 65_535 },
  u32: { kind: 'small', maximum: 4_294_967_295 },
  u64: { kind: 'integer', format: 'uint64' },
  f64: { kind: 'number' },
  pubkey: { kind: 'address' },
};

/** A value of one of the program's types. */
export const programValue = <TSchema extends Schema>(schema: TSchema, limits?: Limits) => {
  const form = typeof schema === 'string' ? PROGRAM_FORMS[schema] : undefined;
  return checkedBy<TypeOf<TSchema>>(
    (value: unknown, field) => assertMatches(schema, value, field),
    form && { ...form, ...limits },
  );
};

export const flag = () => programValue('bool');

/** An amount above 0 in UI units. The token's decimals may not be known yet. */
export const uiAmount = () => checkedBy<UiAmount>(assertUiAmount, { kind: 'amount', exclusiveMinimum: 0 });

/** SOL. */
export const sol = () =>
  checkedBy<UiAmount>((value: UiAmount, field) => toNativeAmount(value, SOL_DECIMALS, field), {
    kind: 'amount',
  });

export const text = () => checkedBy<string>(assertText, { kind: 'text' });

/** A value that the operation itself checks. */
export const unchecked = <TValue>() => z.custom<TValue>();

/** A number for display, which is compared with the exact amount. */
export const shown = () => withForm(unchecked<number>(), { kind: 'number' });

/** One of these words, which an error names as `expected`. */
export const oneOf = <const TText extends string>(
  values: readonly TText[],
  expected = `one of ${values.join(', ')}`,
) =>
  checkedBy<TText>(
    (value: unknown, field) => {
      if (!values.includes(value as TText)) throw invalidInput(field, value, expected);
    },
    { kind: 'text', enum: values },
  );

export const abortSignal = () => optional(checkedBy<AbortSignal>(assertAbortSignal));
