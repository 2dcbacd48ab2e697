import {
  assertAbortSignal,
  assertFields,
  assertObject,
  assertPositiveU64,
  assertU64,
  invalidInput,
} from '../base/input.js';
import { slippageOf } from '../math/slippage.js';
import { assertUiAmount, toNativeAmount, type UiAmount } from '../math/units.js';
import { SOL_DECIMALS } from '../pool/quote-amounts.js';
import { assertConfigVersion } from '../program/addresses.js';
import { type AddressInput, addressIn } from '../solana/addresses.js';
import { assertMatches, assertText, type Schema, type TypeOf } from '../solana/codec.js';
import { type TransactionWallet, walletAt } from '../solana/wallet.js';
import type {
  Checked,
  CheckedShape,
  Field,
  InputOf,
  InputsOf,
  Keywords,
  Kind,
  ListField,
  OutputOf,
  OutputsOf,
  Shape,
  ValueField,
} from './field.js';

// The fields that operations take. Each is checked by the function that other code calls for such a value, so both throw the same error.

/** Rejects a value that is wrong with this library's error, which names the field. */
type Assert<TValue> = (value: TValue, field: string) => unknown;

/** A single value that a function checks. Without a kind, only a local call can have it. */
export function checkedBy<TValue>(assert: Assert<TValue>): Checked<TValue, TValue>;
export function checkedBy<TValue>(
  assert: Assert<TValue>,
  kind: Kind,
  keywords?: Keywords,
): Checked<TValue, TValue> & ValueField;
export function checkedBy(assert: Assert<unknown>, kind?: Kind, keywords?: Keywords): object {
  const check = (value: unknown, field: string) => {
    assert(value, field);
    return value;
  };
  return { check, kind, keywords };
}

/** A value that may be left out, as `undefined` or `null`. */
export const optional = <TField extends Checked>(present: TField) => ({
  present,
  check: (value: InputOf<TField> | null | undefined, field: string) =>
    value === undefined || value === null ? undefined : (present.check(value, field) as OutputOf<TField>),
});

/** A value that a local call may leave out, mostly for another one, and that a request must have. */
export const requiredInRequests = <TField extends Checked>(present: TField) => ({
  ...present,
  check: optional(present).check,
});

/** Checks the fields of an object in their order, and drops its others. */
export function checkFields<TShape extends CheckedShape>(
  shape: TShape,
  value: unknown,
  field = '',
): OutputsOf<TShape> {
  assertObject(value, field);
  const checked: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(shape)) {
    const given = (value as Readonly<Record<string, unknown>>)[name];
    const output = inner.check(given, field === '' ? name : `${field}.${name}`);
    if (output !== undefined) checked[name] = output;
  }
  return checked as OutputsOf<TShape>;
}

/** An object whose other fields are dropped. */
export const object = <const TShape extends Shape>(shape: TShape, name?: string) => ({
  ...{ shape, isStrict: false, name },
  check: (value: InputsOf<TShape>, field: string) => checkFields(shape, value, field),
});

/** An object whose unknown fields are rejected: a misspelt optional field would otherwise go unnoticed. */
export const strict = <const TShape extends Shape>(shape: TShape, name?: string) => ({
  ...{ shape, isStrict: true, name },
  check: (value: InputsOf<TShape>, field: string) => {
    // Names come first: a misspelt one would otherwise be reported as another that is missing.
    assertObject(value, field);
    assertFields(value, field, shape);
    return checkFields(shape, value, field);
  },
});

/** A list that is not changed. */
export const listOf = <TField extends Field>(item: TField, limits: Omit<ListField, 'item'> = {}) => ({
  ...limits,
  item,
  check: (value: readonly InputOf<TField>[], field: string) => {
    limits.assertCount?.(value, field);
    if (!Array.isArray(value)) throw invalidInput(field, value, 'a list');
    return value.map((each, index) => item.check(each, `${field}[${index}]`) as OutputOf<TField>);
  },
});

// ---------------------------------------------------------------- single values

/** An address, or an object that has one. Nothing reads that object again. */
export const address = () => ({
  kind: 'pubkey' as const,
  check: (value: AddressInput, field: string) => addressIn(value, field),
});

/** A wallet. A signer stays attached to the instructions. */
export const wallet = () => ({
  kind: 'pubkey' as const,
  check: (value: TransactionWallet, field: string) => walletAt(addressIn(value, field), value),
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
export const unchecked = <TValue>() => checkedBy<TValue>(() => {});

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
