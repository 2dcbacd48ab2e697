import type { Address } from '@solana/kit';
import * as z from 'zod/mini';
import { toSnakeCase } from '../../base/case.js';
import { outsideText } from '../../base/text.js';
import type { Door } from '../../input/check-input.js';
import type { Field, ObjectField, Shape } from '../../input/field.js';
import { errorOf } from '../../input/issues.js';
import { getLpBalanceDoor } from '../../operations/data/lp-balance.js';
import { getPoolInfoDoor, type PoolInfo } from '../../operations/data/pool-info.js';
import { getPoolStateDoor } from '../../operations/data/pool-state.js';
import { getProtocolConfigStateDoor } from '../../operations/data/protocol-config-state.js';
import { buildProAddLiquidityDoor } from '../../operations/pro/add-liquidity.js';
import { buildProBuyDoor } from '../../operations/pro/buy.js';
import { buildProClaimCreatorFeesDoor } from '../../operations/pro/claim-creator-fees.js';
import { buildProClaimLpFeesDoor } from '../../operations/pro/claim-lp-fees.js';
import { type BuiltProCreate, buildProCreateDoor } from '../../operations/pro/create.js';
import { setFeeDoor, toggleDoor } from '../../operations/pro/creator-operation.js';
import { quoteProBuyDoor } from '../../operations/pro/quote-buy.js';
import { quoteProSellDoor } from '../../operations/pro/quote-sell.js';
import { buildProRemoveLiquidityDoor } from '../../operations/pro/remove-liquidity.js';
import { buildProSellDoor } from '../../operations/pro/sell.js';
import { buildProSetSlotCreatorFeeDoor } from '../../operations/pro/set-slot-creator-fee.js';
import { buildProTransferLpDoor } from '../../operations/pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiverDoor } from '../../operations/pro/update-creator-fee-receiver.js';
import { buildBuyDoor } from '../../operations/standard/buy.js';
import { buildClaimCreatorTradingFeesDoor } from '../../operations/standard/claim-creator-trading-fees.js';
import {
  type BuiltLaunch,
  buildCreateStandardLiquidityPoolDoor,
} from '../../operations/standard/create-standard-liquidity-pool.js';
import { quoteBuyDoor } from '../../operations/standard/quote-buy.js';
import { quoteInitialBuyDoor } from '../../operations/standard/quote-initial-buy.js';
import { quoteSellDoor } from '../../operations/standard/quote-sell.js';
import { buildSellDoor } from '../../operations/standard/sell.js';
import type { OperationName, Operations } from '../../operations.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { BuiltTransaction } from '../../transaction/assemble.js';
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
  /** The operation's own door. */
  readonly door: Door;
  readonly answer: () => Field<RemoteAnswer<TName>> & ObjectField;
  /** Checks an answer against its request, using everything that the answer repeats. */
  readonly compare: compare.Compare<PlainInput<RemoteInput<TName>>, RemoteAnswer<TName>, RemoteResult<TName>>;
}

/** The answer of a builder that creates nothing. */
const built = { answer: answers.builtTransaction, compare: compare.transaction };

/** The JSON of every operation. */
export const contract: { readonly [TName in OperationName]: Contract<TName> } = {
  getPoolInfo: { door: getPoolInfoDoor, answer: answers.poolInfoAnswer, compare: ({ data }) => data },
  getProtocolConfigState: {
    door: getProtocolConfigStateDoor,
    answer: answers.protocolConfigAnswer,
    compare: compare.protocolConfigState,
  },
  getPoolState: { door: getPoolStateDoor, answer: answers.poolStateAnswer, compare: compare.poolState },
  quoteBuy: { door: quoteBuyDoor, answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteSell: { door: quoteSellDoor, answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  quoteInitialBuy: {
    door: quoteInitialBuyDoor,
    answer: answers.initialBuyAnswer,
    compare: compare.initialBuy,
  },
  buildBuy: { door: buildBuyDoor, ...built },
  buildSell: { door: buildSellDoor, ...built },
  buildClaimCreatorTradingFees: { door: buildClaimCreatorTradingFeesDoor, ...built },
  buildCreateStandardLiquidityPool: {
    door: buildCreateStandardLiquidityPoolDoor,
    answer: answers.builtLaunch,
    compare: compare.launch,
  },
  getLpBalance: { door: getLpBalanceDoor, answer: answers.lpBalanceAnswer, compare: compare.lpBalance },
  quoteProBuy: { door: quoteProBuyDoor, answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteProSell: { door: quoteProSellDoor, answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  buildProBuy: { door: buildProBuyDoor, ...built },
  buildProSell: { door: buildProSellDoor, ...built },
  buildProCreate: { door: buildProCreateDoor, answer: answers.builtProPool, compare: compare.proCreate },
  buildProAddLiquidity: { door: buildProAddLiquidityDoor, ...built },
  buildProRemoveLiquidity: { door: buildProRemoveLiquidityDoor, ...built },
  buildProClaimCreatorFees: { door: buildProClaimCreatorFeesDoor, ...built },
  buildProClaimLpFees: { door: buildProClaimLpFeesDoor, ...built },
  buildProToggleSwap: { door: toggleDoor, ...built },
  buildProToggleDeposit: { door: toggleDoor, ...built },
  buildProToggleWithdraw: { door: toggleDoor, ...built },
  buildProSetReflectionFee: { door: setFeeDoor, ...built },
  buildProSetLpFee: { door: setFeeDoor, ...built },
  buildProSetMarketCapCreatorFee: { door: setFeeDoor, ...built },
  buildProSetSlotCreatorFee: { door: buildProSetSlotCreatorFeeDoor, ...built },
  buildProUpdateCreatorFeeReceiver: { door: buildProUpdateCreatorFeeReceiverDoor, ...built },
  buildProTransferLp: { door: buildProTransferLpDoor, ...built },
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
  const checked = z.safeParse(answerOf(name).schema, decoded.value);
  if (checked.success) return { value: checked.data as RemoteAnswer<TName> };
  const problems = checked.error.issues.slice(0, 1).map((issue) => ({
    path: issue.path.map((part) => toSnakeCase(String(part))).join('.'),
    message: outsideText(errorOf([{ ...issue, path: [] }]).message).replace(/\.$/, ''),
  }));
  return { problems };
}
