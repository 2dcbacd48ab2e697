import type { Address } from '@solana/kit';
import { assertNumber, invalidInput } from '../../base/input.js';
import { outsideText } from '../../base/text.js';
import type { Field, Shape } from '../../input/field.js';
import { address, checkedBy, listOf, object, oneOf, optional, u64 } from '../../input/fields.js';
import type { PoolInfo } from '../../operations/data/pool-info.js';
import type { BuilderName, OperationName, Operations } from '../../operations/index.js';
import type { BuiltProCreate } from '../../operations/pro/create.js';
import type { BuiltLaunch } from '../../operations/standard/create-standard-liquidity-pool.js';
import type { BuiltTransaction } from '../../transaction/built.js';
import { inSdkNames } from '../names.js';

// The `details` of the answers. The remote client trusts none of them: numbers and lists are bounded, and texts cleaned. Anything malformed
// makes the whole answer invalid, which is safer than to drop it: nobody would see a dropped warning, nor that the service is broken.

/**
 * A warning in the words of a service, cleaned and shortened. It may be false, and a service may keep silent: the checks of
 * `assertTransactionMatches` and `reviewTransaction` are this library's own.
 */
export interface ServiceWarning {
  /** A short word: one of this library's, or one that it doesn't know. */
  readonly code: string;
  /** What it means, for people: at most 500 characters. */
  readonly message: string;
  /** Marks what a service says. This library's own warnings don't have it. */
  readonly source?: 'service';
}

/** What a service says of a transaction. */
export interface ServiceTransactionDetails {
  /** The bytes of the transaction, as counted here. */
  readonly size?: number | undefined;
  /** Who must sign it, as read here. */
  readonly requiredSigners?: readonly Address[] | undefined;
  /** The last block height at which it can land, which only the service knows. */
  readonly lastValidBlockHeight?: bigint | undefined;
}

/** A builder's answer: its warnings are among its details. */
export type Answered<TBuilt> = TBuilt & {
  readonly details?:
    | (ServiceTransactionDetails & { readonly warnings?: readonly ServiceWarning[] | undefined })
    | undefined;
};

/** A transaction from a service, with the service's warnings where the local builder has its own. */
export type FromService<TBuilt> = TBuilt & {
  readonly warnings?: readonly ServiceWarning[] | undefined;
  readonly details?: ServiceTransactionDetails | undefined;
};

/** A result's details from a service, any of which it may leave out. */
export type ServiceDetails<TDetails> = {
  readonly [TField in keyof TDetails]?:
    | (TField extends 'warnings' ? readonly ServiceWarning[] : TDetails[TField])
    | undefined;
};

type FunctionResult<TName extends OperationName> = Awaited<ReturnType<Operations[TName]>>;

/** A builder's transaction, and the address that it creates. */
type Built<TName> = TName extends 'buildCreateStandardLiquidityPool'
  ? Pick<BuiltLaunch, 'tx' | 'mint'>
  : TName extends 'buildProCreate'
    ? Pick<BuiltProCreate, 'tx' | 'pool'>
    : Pick<BuiltTransaction, 'tx'>;

/** A result's documented fields. Not an account's bytes: the client has read them. */
type Documented<TResult> = Omit<TResult, 'details' | 'data'>;

/** An operation's result over HTTP: the documented fields of the function's result, and what the service says of it. */
export type RemoteResult<TName extends OperationName> = TName extends BuilderName
  ? FromService<Built<TName>>
  : [TName, FunctionResult<TName>] extends [`quote${string}`, { readonly details: infer TDetails }]
    ? Documented<FunctionResult<TName>> & { readonly details?: ServiceDetails<TDetails> | undefined }
    : Documented<FunctionResult<TName>>;

/** An operation's answer: its result as JSON has it. */
export type RemoteAnswer<TName extends OperationName> = TName extends 'getPoolInfo'
  ? { readonly data: Documented<PoolInfo> }
  : TName extends BuilderName
    ? Answered<Built<TName>>
    : RemoteResult<TName>;

const code = () =>
  checkedBy<string>((value: string, field) => {
    if (!/^[a-z][a-z\d-]{0,39}$/.test(value)) throw invalidInput(field, outsideText(value), 'a short word');
  }, 'text');

const words = () =>
  ({ kind: 'text' as const, check: (said: string) => inSdkNames(outsideText(said, 500)) }) satisfies Field;

export const small = () => checkedBy<number>(() => {}, 'small');

/** A number for display. */
export const figure = () =>
  checkedBy<number>((value: unknown, field) => assertNumber(field, value, [0, Number.MAX_VALUE]), 'f64');

const warning = () => ({ code: code(), message: words() });

const MOST_WARNINGS = { maxItems: 32, of: 'warnings' } as const;

export const warnings = () => listOf(object(warning(), 'Warning'), MOST_WARNINGS);

/** Warnings that keep the mark of a service's. */
export const markedWarnings = () =>
  listOf(object({ ...warning(), source: optional(oneOf(['service'])) }), MOST_WARNINGS);

const perFee = (name: string) =>
  object(
    { protocol: u64(), liquidityProvider: u64(), creator: u64(), creatorProtocol: u64(), reflection: u64() },
    name,
  );

export const quoteDetails = () => ({
  amountIn: u64(),
  amountOut: u64(),
  fees: perFee('FeeAmounts'),
  feeRates: perFee('FeeRates'),
  totalFee: u64(),
  transferFee: u64(),
  priceBefore: figure(),
  priceAfter: figure(),
  priceImpactBps: figure(),
  marketCapUsd: figure(),
  solPriceUsd: figure(),
  slot: u64(),
  warnings: warnings(),
});

export const initialBuyDetails = () => ({
  leastLamports: u64(),
  fees: perFee('FeeAmounts'),
  totalFee: u64(),
  marketCapUsd: figure(),
  slot: u64(),
  warnings: warnings(),
});

/** Without the words of what each instruction does: they prove nothing, and the bytes say it. */
export const transactionDetails = () => ({
  warnings: warnings(),
  size: small(),
  requiredSigners: listOf(address(), { maxItems: 256, of: 'addresses' }),
  lastValidBlockHeight: u64(),
});

/** Details of which an answer has any. */
export function given<const TFields extends Shape>(fields: TFields) {
  const each = Object.entries(fields).map(([name, field]) => [name, optional(field)]);
  type Given = { readonly [TName in keyof TFields]: ReturnType<typeof optional<TFields[TName]>> };
  return { details: optional(object(Object.fromEntries(each) as Given)) };
}
