import * as z from 'zod/mini';
import { assertAbortSignal, assertFields, assertPositiveU64, assertU64, invalidInput } from '../input.js';
import { slippageOf } from '../math/slippage.js';
import { assertUiAmount, toNativeAmount, type UiAmount } from '../math/units.js';
import { SOL_DECIMALS } from '../pool/quote-amounts.js';
import { assertConfigVersion } from '../program/addresses.js';
import { type AddressInput, addressIn, plainAddress } from '../solana/addresses.js';
import { assertMatches, assertText, type Schema, type TypeOf } from '../solana/codec.js';
import type { TransactionWallet } from '../solana/wallet.js';
import type { Shape } from './door.js';
import { type Assert, by } from './issues.js';

// The schemas of the fields that operations take. Each is checked by the function that other code calls for such a value, so both throw
// the same error.

/** A single value that a function checks. */
export const checkedBy = <TValue>(assert: Assert) => z.custom<TValue>().check(by(assert));

/** A value that may be left out, as `undefined` or `null`. */
export const optional = <TSchema extends z.ZodMiniType>(present: TSchema) =>
  z.pipe(
    z.nullish(present),
    z.transform((value) => (value ?? undefined) as z.output<TSchema> | undefined),
  );

/** An object whose unknown fields are rejected: a misspelt optional field would otherwise go unnoticed. */
export const strict = <const TShape extends Shape>(shape: TShape) => {
  // Loose, so that the check sees the unknown fields.
  const object = z.looseObject(shape) as unknown as z.ZodMiniObject<TShape, z.core.$strip>;
  return object.check(by((value: object, field) => assertFields(value, field, shape)));
};

/** A list that is not changed. */
export const listOf = <TSchema extends z.ZodMiniType>(item: TSchema) =>
  z.array(item) as unknown as z.ZodMiniType<readonly z.output<TSchema>[], readonly z.input<TSchema>[]>;

// ---------------------------------------------------------------- single values

/** An address, or an object that has one. */
export const address = () => z.pipe(checkedBy<AddressInput>(addressIn), z.transform(plainAddress));

/** A wallet. A signer stays one. */
export const wallet = () => checkedBy<TransactionWallet>(addressIn);

/** A native amount. */
export const u64 = () => checkedBy<bigint>(assertU64);

/** A native amount that is not 0. */
export const positive = () => checkedBy<bigint>(assertPositiveU64);

/** Basis points from 0 to 10000. */
export const slippage = () => checkedBy<number>(slippageOf);

export const version = () => checkedBy<number>(assertConfigVersion);

/** A value of one of the program's types. */
export const programValue = <TSchema extends Schema>(schema: TSchema) =>
  checkedBy<TypeOf<TSchema>>((value: unknown, field) => assertMatches(schema, value, field));

export const flag = () => programValue('bool');

/** An amount above 0 in UI units. The token's decimals may not be known yet. */
export const uiAmount = () => checkedBy<UiAmount>(assertUiAmount);

/** SOL. */
export const sol = () =>
  checkedBy<UiAmount>((value: UiAmount, field) => toNativeAmount(value, SOL_DECIMALS, field));

export const text = () => checkedBy<string>(assertText);

/** A value that the operation itself checks. */
export const unchecked = <TValue>() => z.custom<TValue>();

/** A number for display, which is compared with the exact amount. */
export const shown = () => unchecked<number>();

/** One of these words, which an error names as `expected`. */
export const oneOf = <const TText extends string>(values: readonly TText[], expected: string) =>
  checkedBy<TText>((value: unknown, field) => {
    if (!values.includes(value as TText)) throw invalidInput(field, value, expected);
  });

export const abortSignal = () => optional(checkedBy<AbortSignal>(assertAbortSignal));
