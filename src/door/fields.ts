import type { Address } from '@solana/kit';
import * as z from 'zod/mini';

import { assertAbortSignal, assertFields, assertPositiveU64, assertU64, invalidInput } from '../input.js';
import { slippageOf } from '../math/slippage.js';
import { assertUiAmount, toNativeAmount, type UiAmount } from '../math/units.js';
import { assertConfigVersion } from '../program/addresses.js';
import { assertAddress } from '../solana/addresses.js';
import { assertMatches, assertText } from '../solana/codec.js';
import { addressOf, type TransactionWallet } from '../solana/wallet.js';
import type { Shape } from './door.js';
import { type Assert, by } from './issues.js';

// The schemas of the fields that operations take. Each is checked by the function that other code calls for such a value, so both throw
// the same error. A field's kind says how JSON writes it; its limits are for the interface's document.

/** What a value is in JSON. */
export type Kind = 'address' | 'integer' | 'number' | 'amount' | 'shown' | 'boolean' | 'string';

/** How JSON writes a value, and the range that the document states. */
export interface JsonForm {
  readonly kind: Kind;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly format?: 'uint64' | 'int64';
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

/** The JSON form of each schema of a single value. */
export const jsonForms = /* @__PURE__ */ z.registry<JsonForm>();

/** What a request must state although a local call may leave it out: the value to send for a caller who did, if there is one. */
export const inRequests = /* @__PURE__ */ z.registry<{ readonly whenLeftOut?: string }>();

/** The values that the document names as defaults. */
export const defaults = /* @__PURE__ */ z.registry<{ readonly value: number | boolean | string }>();

/** A single value that a function checks. */
export const checkedBy = <TValue>(assert: Assert, json?: JsonForm) => {
  const schema = z.custom<TValue>().check(by(assert));
  return json === undefined ? schema : schema.register(jsonForms, json);
};

/** A value that may be left out, as `undefined` or `null`. */
export const optional = <TSchema extends z.ZodMiniType>(present: TSchema) =>
  z.pipe(
    z.nullish(present),
    z.transform((value) => (value ?? undefined) as z.output<TSchema> | undefined),
  );

/** {@link optional}, with a note in a registry. */
const noted = <TSchema extends z.ZodMiniType, TNote>(
  present: TSchema,
  registry: { readonly add: (schema: z.ZodMiniType, note: TNote) => unknown },
  note: TNote,
) => {
  const schema = optional(present);
  registry.add(schema, note);
  return schema;
};

/** {@link optional}, with the default that the document names. The operation itself applies it. */
export const withDefault = <TSchema extends z.ZodMiniType>(
  present: TSchema,
  value: number | boolean | string,
) => noted(present, defaults as never, { value });

/** {@link optional} in a local call, but not in a request. */
export const neededInRequests = <TSchema extends z.ZodMiniType>(
  present: TSchema,
  request: { readonly whenLeftOut?: string } = {},
) => noted(present, inRequests as never, request);

/** An object whose unknown fields are rejected: a misspelt optional field would otherwise go unnoticed. */
export const strict = <const TShape extends Shape>(shape: TShape) => {
  // Loose, so that the check sees the unknown fields.
  const object = z.looseObject(shape) as unknown as z.ZodMiniObject<TShape, z.core.$strip>;
  return object.check(by((value: object, field) => assertFields(value, field, shape)));
};

/** The most items of a list, for the document. The operation says what is wrong with more. */
export const mostItems = /* @__PURE__ */ z.registry<{ readonly maxItems: number }>();

export const listOf = <TSchema extends z.ZodMiniType>(item: TSchema, maxItems: number) => {
  const schema = z.array(item) as unknown as z.ZodMiniType<
    readonly z.output<TSchema>[],
    readonly z.input<TSchema>[]
  >;
  mostItems.add(schema as never, { maxItems });
  return schema;
};

// ---------------------------------------------------------------- single values

export const address = () => checkedBy<Address>(assertAddress, { kind: 'address' });

/** A wallet: its address or a signer. A request has the address. */
export const wallet = () => checkedBy<TransactionWallet>(addressOf, { kind: 'address' });

/** A native amount. */
export const u64 = () => checkedBy<bigint>(assertU64, { kind: 'integer', format: 'uint64' });

/** A native amount that is not 0. */
export const positive = () =>
  checkedBy<bigint>(assertPositiveU64, { kind: 'integer', format: 'uint64', minimum: 1 });

/** Basis points from 0 to 10000. */
export const slippage = () => checkedBy<number>(slippageOf, { kind: 'number', maximum: 10_000 });

export const version = () => checkedBy<number>(assertConfigVersion, { kind: 'number', maximum: 65_535 });

/** A number of one of the program's types. */
export const programNumber = (type: 'u16' | 'u32', maximum = 65_535) =>
  checkedBy<number>((value: unknown, field) => assertMatches(type, value, field), {
    kind: 'number',
    maximum,
  });

/** A market cap in the program's units. */
export const marketCap = () =>
  checkedBy<bigint>((value: unknown, field) => assertMatches('u64', value, field), {
    kind: 'integer',
    format: 'int64',
  });

/** An amount above 0 in UI units. The token's decimals may not be known yet. */
export const uiAmount = () => checkedBy<UiAmount>(assertUiAmount, { kind: 'amount', exclusiveMinimum: 0 });

/** SOL. */
export const sol = (limits: Omit<JsonForm, 'kind'> = {}) =>
  checkedBy<UiAmount>((value: UiAmount, field) => toNativeAmount(value, 9, field), {
    kind: 'amount',
    ...limits,
  });

export const flag = () =>
  checkedBy<boolean>((value: unknown, field) => assertMatches('bool', value, field), { kind: 'boolean' });

export const text = () => checkedBy<string>(assertText, { kind: 'string' });

/** A number for display. Its value is compared with the exact amount, not checked here. */
export const shown = () => checkedBy<number>(() => {}, { kind: 'shown' });

/** One of these words. */
export const oneOf = <const TText extends string>(values: readonly TText[]) =>
  checkedBy<TText>(
    (value: unknown, field) => {
      if (!values.includes(value as TText))
        throw invalidInput(
          field,
          value,
          values
            .map((each) => `'${each}'`)
            .join(', ')
            .replace(/, ([^,]*)$/, ' or $1'),
        );
    },
    { kind: 'string', enum: values },
  );

/** A value of local calls. */
export const local = <TValue>(assert: Assert = () => {}) => checkedBy<TValue>(assert);

export const abortSignal = () => optional(local<AbortSignal>(assertAbortSignal));
