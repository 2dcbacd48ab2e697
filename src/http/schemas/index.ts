import type { Address } from '@solana/kit';
import { isHeavenError } from '../../base/errors.js';
import { outsideText } from '../../base/text.js';
import type { LazyFields } from '../../input/check-input.js';
import type { Field, ObjectField, Shape } from '../../input/field.js';
import { getLpBalanceFields } from '../../operations/data/lp-balance.js';
import { getPoolInfoFields, type PoolInfo } from '../../operations/data/pool-info.js';
import { getPoolStateFields } from '../../operations/data/pool-state.js';
import { getProtocolConfigStateFields } from '../../operations/data/protocol-config-state.js';
import { buildProAddLiquidityFields } from '../../operations/pro/add-liquidity.js';
import { buildProBuyFields } from '../../operations/pro/buy.js';
import { buildProClaimCreatorFeesFields } from '../../operations/pro/claim-creator-fees.js';
import { buildProClaimLpFeesFields } from '../../operations/pro/claim-lp-fees.js';
import { type BuiltProCreate, buildProCreateFields } from '../../operations/pro/create.js';
import { setFeeFields, toggleFields } from '../../operations/pro/creator-operation.js';
import { quoteProBuyFields } from '../../operations/pro/quote-buy.js';
import { quoteProSellFields } from '../../operations/pro/quote-sell.js';
import { buildProRemoveLiquidityFields } from '../../operations/pro/remove-liquidity.js';
import { buildProSellFields } from '../../operations/pro/sell.js';
import { buildProSetSlotCreatorFeeFields } from '../../operations/pro/set-slot-creator-fee.js';
import { buildProTransferLpFields } from '../../operations/pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiverFields } from '../../operations/pro/update-creator-fee-receiver.js';
import { buildBuyFields } from '../../operations/standard/buy.js';
import { buildClaimCreatorTradingFeesFields } from '../../operations/standard/claim-creator-trading-fees.js';
import {
  type BuiltLaunch,
  buildCreateStandardLiquidityPoolFields,
} from '../../operations/standard/create-standard-liquidity-pool.js';
import { quoteBuyFields } from '../../operations/standard/quote-buy.js';
import { quoteInitialBuyFields } from '../../operations/standard/quote-initial-buy.js';
import { quoteSellFields } from '../../operations/standard/quote-sell.js';
import { buildSellFields } from '../../operations/standard/sell.js';
import type { OperationName, Operations } from '../../operations.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { BuiltTransaction } from '../../transaction/assemble.js';
import { fieldPath } from '../names.js';
import * as answers from './answers.js';
import * as compare from './compare.js';
import type { Answered, FromService, ServiceDetails } from './details.js';
import { type Decoded, decode, decoderOf } from './json.js';

export type FunctionInput<TName extends OperationName> = Parameters<Operations[TName]>[1];
type FunctionResult<TName extends OperationName> = Awaited<ReturnType<Operations[TName]>>;

/** Fields that only work locally, because a request can't carry them. */
type LocalOnly =
  | 'before'
  | 'after'
  | 'lifetime'
  | 'tip'
  | 'dontFront'
  | 'wrapSol'
  | 'snapshot'
  | 'stalePriceSeconds'
  | 'maxPriceImpactBps'
  | 'lamports'
  | 'amountIn'
  | 'tokenAmount'
  | 'mintSigner'
  | 'signingOrder';

type Carried<TName, TInput> = {
  readonly [TField in keyof TInput as Exclude<
    TField,
    LocalOnly | (TName extends 'getPoolInfo' ? 'configVersion' : never)
  >]: TInput[TField];
};

/** An operation's input over HTTP: the function's input without fields that a request can't carry. */
export type RemoteInput<TName extends OperationName> = Carried<TName, InUiUnits<FunctionInput<TName>>>;

/** An input whose addresses are plain, as an answer repeats them. */
export type PlainInput<TInput> = {
  readonly [TField in keyof TInput]: AddressInput extends TInput[TField]
    ? Extract<TInput[TField], Address | null | undefined>
    : TInput[TField];
};

/** A request has the amount of a quote in UI units. */
type InUiUnits<TInput> = TInput extends
  | { readonly lamports: bigint }
  | { readonly amountIn: bigint }
  | { readonly tokenAmount: bigint }
  ? never
  : TInput;

type Documented<TName, TResult> = TName extends 'buildCreateStandardLiquidityPool'
  ? Pick<BuiltLaunch, 'tx' | 'mint'>
  : TName extends 'buildProCreate'
    ? Pick<BuiltProCreate, 'tx' | 'pool'>
    : TName extends `build${string}`
      ? Pick<BuiltTransaction, 'tx'>
      : Omit<TResult, 'details'>;

/** The documented fields of a result, and the details of it that the client passes on. */
type WithDetails<TName, TResult, TDocumented> = TName extends `build${string}`
  ? FromService<TDocumented>
  : TName extends `quote${string}`
    ? TResult extends { readonly details: infer TDetails }
      ? TDocumented & { readonly details?: ServiceDetails<TDetails> | undefined }
      : never
    : TDocumented;

/** An operation's result over HTTP: the documented fields of the function's result, and what the service says of it. */
export type RemoteResult<TName extends OperationName> = WithDetails<
  TName,
  FunctionResult<TName>,
  Documented<TName, FunctionResult<TName>>
>;

/** An operation's answer: its result as JSON has it. */
export type RemoteAnswer<TName extends OperationName> = TName extends 'getPoolInfo'
  ? { readonly data: Omit<PoolInfo, 'details'> }
  : TName extends `build${string}`
    ? Answered<Documented<TName, FunctionResult<TName>>>
    : RemoteResult<TName>;

/** What an operation takes and what it answers. */
export interface Contract<TName extends OperationName> {
  /** The fields of its input. */
  readonly fields: LazyFields;
  readonly answer: () => Field<RemoteAnswer<TName>> & ObjectField;
  /** Checks an answer against its request, using everything that the answer repeats. */
  readonly compare: compare.Compare<PlainInput<RemoteInput<TName>>, RemoteAnswer<TName>, RemoteResult<TName>>;
}

/** The answer of a builder that creates nothing. */
const built = { answer: answers.builtTransaction, compare: compare.transaction };

/** The JSON of every operation. */
export const contract: { readonly [TName in OperationName]: Contract<TName> } = {
  getPoolInfo: { fields: getPoolInfoFields, answer: answers.poolInfoAnswer, compare: ({ data }) => data },
  getProtocolConfigState: {
    fields: getProtocolConfigStateFields,
    answer: answers.protocolConfigAnswer,
    compare: compare.protocolConfigState,
  },
  getPoolState: { fields: getPoolStateFields, answer: answers.poolStateAnswer, compare: compare.poolState },
  quoteBuy: { fields: quoteBuyFields, answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteSell: { fields: quoteSellFields, answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  quoteInitialBuy: {
    fields: quoteInitialBuyFields,
    answer: answers.initialBuyAnswer,
    compare: compare.initialBuy,
  },
  buildBuy: { fields: buildBuyFields, ...built },
  buildSell: { fields: buildSellFields, ...built },
  buildClaimCreatorTradingFees: { fields: buildClaimCreatorTradingFeesFields, ...built },
  buildCreateStandardLiquidityPool: {
    fields: buildCreateStandardLiquidityPoolFields,
    answer: answers.builtLaunch,
    compare: compare.launch,
  },
  getLpBalance: { fields: getLpBalanceFields, answer: answers.lpBalanceAnswer, compare: compare.lpBalance },
  quoteProBuy: { fields: quoteProBuyFields, answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteProSell: { fields: quoteProSellFields, answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  buildProBuy: { fields: buildProBuyFields, ...built },
  buildProSell: { fields: buildProSellFields, ...built },
  buildProCreate: { fields: buildProCreateFields, answer: answers.builtProPool, compare: compare.proCreate },
  buildProAddLiquidity: { fields: buildProAddLiquidityFields, ...built },
  buildProRemoveLiquidity: { fields: buildProRemoveLiquidityFields, ...built },
  buildProClaimCreatorFees: { fields: buildProClaimCreatorFeesFields, ...built },
  buildProClaimLpFees: { fields: buildProClaimLpFeesFields, ...built },
  buildProToggleSwap: { fields: toggleFields, ...built },
  buildProToggleDeposit: { fields: toggleFields, ...built },
  buildProToggleWithdraw: { fields: toggleFields, ...built },
  buildProSetReflectionFee: { fields: setFeeFields, ...built },
  buildProSetLpFee: { fields: setFeeFields, ...built },
  buildProSetMarketCapCreatorFee: { fields: setFeeFields, ...built },
  buildProSetSlotCreatorFee: { fields: buildProSetSlotCreatorFeeFields, ...built },
  buildProUpdateCreatorFeeReceiver: { fields: buildProUpdateCreatorFeeReceiverFields, ...built },
  buildProTransferLp: { fields: buildProTransferLpFields, ...built },
};

/** Makes something once for each operation, when it is first needed. */
export function perOperation<TMade>(make: (name: OperationName) => TMade): (name: OperationName) => TMade {
  const made = new Map<OperationName, TMade>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const created = make(name);
    made.set(name, created);
    return created;
  };
}

const answerOf = /* @__PURE__ */ perOperation((name) => contract[name].answer());

const decoderFor = /* @__PURE__ */ perOperation((name) => decoderOf<unknown>(answerOf(name)));

/** The documented fields of an operation's answer. */
export const answerShape = (name: OperationName): Shape => answerOf(name).shape;

/** Decodes and checks an operation's answer, or reports what is wrong with it. */
export function decodeAnswer<TName extends OperationName>(
  name: TName,
  json: unknown,
): Decoded<RemoteAnswer<TName>> {
  const decoded = decode(decoderFor(name), json);
  if ('problems' in decoded) return decoded;
  try {
    return { value: answerOf(name).check(decoded.value, '') as RemoteAnswer<TName> };
  } catch (error) {
    if (!isHeavenError(error)) throw error;
    const { field = '' } = error.context as { readonly field?: string };
    const message = outsideText(error.message.slice(field.length + 1)).replace(/\.$/, '');
    return { problems: [{ path: fieldPath(field), message }] };
  }
}
