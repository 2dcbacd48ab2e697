import type { Address } from '@solana/kit';
import type { OperationName, Operations } from '../../operations.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, SellQuote } from '../../pool/quote.js';
import type { BuiltProCreate } from '../../pro/create.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { BuiltLaunch } from '../../standard/create-standard-liquidity-pool.js';
import type { BuiltTransaction } from '../../transaction/assemble.js';
import type { Codec, ObjectCodec } from './codec.js';
import * as compare from './compare.js';
import * as data from './data.js';
import * as quotes from './quotes.js';
import * as transactions from './transactions.js';

type FunctionInput<TName extends OperationName> = Parameters<Operations[TName]>[1];
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
      : TResult extends DetailedBuyQuote
        ? BuyQuote
        : TResult extends DetailedSellQuote
          ? SellQuote
          : TResult extends { readonly details: unknown }
            ? { readonly [TField in keyof TResult as Exclude<TField, 'details'>]: TResult[TField] }
            : TResult;

/** An operation's result over HTTP: the documented fields of the function's result. */
export type RemoteResult<TName extends OperationName> = Documented<TName, FunctionResult<TName>>;

/** A codec for every field of an operation's input. */
type ShapeOf<TName extends OperationName> = {
  readonly [TField in Exclude<keyof RemoteInput<TName>, 'abortSignal'>]: Codec<unknown>;
};

/** An operation's JSON: a request decodes to the function's input, an answer to the documented fields of its result. */
export interface Contract<TName extends OperationName> {
  readonly request: ObjectCodec<FunctionInput<TName>> & { readonly of: { readonly shape: ShapeOf<TName> } };
  readonly answer: ObjectCodec<RemoteResult<TName>>;
  /** Checks an answer against its request, using everything that the answer repeats. */
  readonly compare?: compare.Compare<PlainInput<RemoteInput<TName>>, RemoteResult<TName>>;
}

// Not destructured: a bundler would then keep an object of all exports of the module.
const answer = transactions.transactionAnswer;

/** The JSON of every operation. */
export const contract: { readonly [TName in OperationName]: Contract<TName> } = {
  getPoolInfo: { request: data.poolInfoRequest, answer: data.poolInfoAnswer },
  getProtocolConfigState: {
    request: data.protocolConfigStateRequest,
    answer: data.protocolConfigAnswer,
    compare: compare.protocolConfigState,
  },
  getPoolState: {
    request: data.poolStateRequest,
    answer: data.poolStateAnswer,
    compare: compare.poolState,
  },
  quoteBuy: { request: quotes.quoteBuyRequest, answer: quotes.buyQuote, compare: compare.buyQuote },
  quoteSell: { request: quotes.quoteSellRequest, answer: quotes.sellQuote, compare: compare.sellQuote },
  quoteInitialBuy: {
    request: quotes.quoteInitialBuyRequest,
    answer: quotes.initialBuyAnswer,
    compare: compare.initialBuy,
  },
  buildBuy: { request: transactions.buyRequest, answer },
  buildSell: { request: transactions.sellRequest, answer },
  buildClaimCreatorTradingFees: { request: transactions.claimCreatorTradingFeesRequest, answer },
  buildCreateStandardLiquidityPool: {
    request: transactions.createStandardLiquidityPoolRequest,
    answer: transactions.launchAnswer,
    compare: compare.launch,
  },
  getLpBalance: { request: data.lpBalanceRequest, answer: data.lpBalanceAnswer, compare: compare.lpBalance },
  quoteProBuy: { request: quotes.quoteProBuyRequest, answer: quotes.buyQuote, compare: compare.buyQuote },
  quoteProSell: { request: quotes.quoteProSellRequest, answer: quotes.sellQuote, compare: compare.sellQuote },
  buildProBuy: { request: transactions.proBuyRequest, answer, compare: compare.proTrade },
  buildProSell: { request: transactions.proSellRequest, answer, compare: compare.proTrade },
  buildProCreate: {
    request: transactions.proCreateRequest,
    answer: transactions.proCreateAnswer,
    compare: compare.proCreate,
  },
  buildProAddLiquidity: { request: transactions.proAddLiquidityRequest, answer },
  buildProRemoveLiquidity: { request: transactions.proRemoveLiquidityRequest, answer },
  buildProClaimCreatorFees: { request: transactions.proClaimCreatorFeesRequest, answer },
  buildProClaimLpFees: { request: transactions.proClaimLpFeesRequest, answer },
  buildProToggleSwap: { request: transactions.proToggleRequest, answer },
  buildProToggleDeposit: { request: transactions.proToggleRequest, answer },
  buildProToggleWithdraw: { request: transactions.proToggleRequest, answer },
  buildProSetReflectionFee: { request: transactions.proSetFeeRequest, answer },
  buildProSetLpFee: { request: transactions.proSetFeeRequest, answer },
  buildProSetMarketCapCreatorFee: { request: transactions.proSetFeeRequest, answer },
  buildProSetSlotCreatorFee: { request: transactions.proSetSlotFeeRequest, answer },
  buildProUpdateCreatorFeeReceiver: { request: transactions.proUpdateCreatorFeeReceiverRequest, answer },
  buildProTransferLp: { request: transactions.proTransferLpRequest, answer },
};
