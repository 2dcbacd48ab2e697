import type { Address } from '@solana/kit';
import type * as z from 'zod/mini';
import { getLpBalanceDoor } from '../../data/lp-balance.js';
import { getPoolInfoDoor, type PoolInfo } from '../../data/pool-info.js';
import { getPoolStateDoor } from '../../data/pool-state.js';
import { getProtocolConfigStateDoor } from '../../data/protocol-config-state.js';
import type { Door, Shape } from '../../door/door.js';
import { formOf, type ObjectForm } from '../../door/forms.js';
import type { OperationName, Operations } from '../../operations.js';
import type { BuyQuote, DetailedBuyQuote, DetailedSellQuote, SellQuote } from '../../pool/quote.js';
import { buildProAddLiquidityDoor } from '../../pro/add-liquidity.js';
import { buildProBuyDoor } from '../../pro/buy.js';
import { buildProClaimCreatorFeesDoor } from '../../pro/claim-creator-fees.js';
import { buildProClaimLpFeesDoor } from '../../pro/claim-lp-fees.js';
import { type BuiltProCreate, buildProCreateDoor } from '../../pro/create.js';
import { setFeeDoor, toggleDoor } from '../../pro/creator-operation.js';
import { quoteProBuyDoor } from '../../pro/quote-buy.js';
import { quoteProSellDoor } from '../../pro/quote-sell.js';
import { buildProRemoveLiquidityDoor } from '../../pro/remove-liquidity.js';
import { buildProSellDoor } from '../../pro/sell.js';
import { buildProSetSlotCreatorFeeDoor } from '../../pro/set-slot-creator-fee.js';
import { buildProTransferLpDoor } from '../../pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiverDoor } from '../../pro/update-creator-fee-receiver.js';
import type { AddressInput } from '../../solana/addresses.js';
import { buildBuyDoor } from '../../standard/buy.js';
import { buildClaimCreatorTradingFeesDoor } from '../../standard/claim-creator-trading-fees.js';
import {
  type BuiltLaunch,
  buildCreateStandardLiquidityPoolDoor,
} from '../../standard/create-standard-liquidity-pool.js';
import { quoteBuyDoor } from '../../standard/quote-buy.js';
import { quoteInitialBuyDoor } from '../../standard/quote-initial-buy.js';
import { quoteSellDoor } from '../../standard/quote-sell.js';
import { buildSellDoor } from '../../standard/sell.js';
import type { BuiltTransaction } from '../../transaction/assemble.js';
import * as answers from './answers.js';
import * as compare from './compare.js';
import { type Codec, codecOf, type Decoded, decode } from './json.js';

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
      : TResult extends DetailedBuyQuote
        ? BuyQuote
        : TResult extends DetailedSellQuote
          ? SellQuote
          : TResult extends { readonly details: unknown }
            ? { readonly [TField in keyof TResult as Exclude<TField, 'details'>]: TResult[TField] }
            : TResult;

/** An operation's result over HTTP: the documented fields of the function's result. */
export type RemoteResult<TName extends OperationName> = Documented<TName, FunctionResult<TName>>;

/** An operation's answer: the documented fields of its result. A pool's record is wrapped. */
export type RemoteAnswer<TName extends OperationName> = TName extends 'getPoolInfo'
  ? { readonly data: PoolInfo }
  : RemoteResult<TName>;

/** What an operation takes and what it answers. */
export interface Contract<TName extends OperationName> {
  /** The operation's own door. */
  readonly door: Door;
  readonly answer: () => z.ZodMiniType<RemoteAnswer<TName>>;
  /** Checks an answer against its request, using everything that the answer repeats. */
  readonly compare?: compare.Compare<
    PlainInput<RemoteInput<TName>>,
    RemoteAnswer<TName>,
    RemoteResult<TName>
  >;
}

// Not destructured: a bundler would then keep an object of all exports of the module.
const answer = answers.builtTransaction;

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
  buildBuy: { door: buildBuyDoor, answer },
  buildSell: { door: buildSellDoor, answer },
  buildClaimCreatorTradingFees: { door: buildClaimCreatorTradingFeesDoor, answer },
  buildCreateStandardLiquidityPool: {
    door: buildCreateStandardLiquidityPoolDoor,
    answer: answers.builtLaunch,
    compare: compare.launch,
  },
  getLpBalance: { door: getLpBalanceDoor, answer: answers.lpBalanceAnswer, compare: compare.lpBalance },
  quoteProBuy: { door: quoteProBuyDoor, answer: answers.buyQuoteAnswer, compare: compare.buyQuote },
  quoteProSell: { door: quoteProSellDoor, answer: answers.sellQuoteAnswer, compare: compare.sellQuote },
  buildProBuy: { door: buildProBuyDoor, answer, compare: compare.proTrade },
  buildProSell: { door: buildProSellDoor, answer, compare: compare.proTrade },
  buildProCreate: { door: buildProCreateDoor, answer: answers.builtProPool, compare: compare.proCreate },
  buildProAddLiquidity: { door: buildProAddLiquidityDoor, answer },
  buildProRemoveLiquidity: { door: buildProRemoveLiquidityDoor, answer },
  buildProClaimCreatorFees: { door: buildProClaimCreatorFeesDoor, answer },
  buildProClaimLpFees: { door: buildProClaimLpFeesDoor, answer },
  buildProToggleSwap: { door: toggleDoor, answer },
  buildProToggleDeposit: { door: toggleDoor, answer },
  buildProToggleWithdraw: { door: toggleDoor, answer },
  buildProSetReflectionFee: { door: setFeeDoor, answer },
  buildProSetLpFee: { door: setFeeDoor, answer },
  buildProSetMarketCapCreatorFee: { door: setFeeDoor, answer },
  buildProSetSlotCreatorFee: { door: buildProSetSlotCreatorFeeDoor, answer },
  buildProUpdateCreatorFeeReceiver: { door: buildProUpdateCreatorFeeReceiverDoor, answer },
  buildProTransferLp: { door: buildProTransferLpDoor, answer },
};

interface Answer {
  readonly codec: Codec<unknown>;
  readonly shape: Shape;
}

const made = /* @__PURE__ */ new Map<OperationName, Answer>();

function answerOf(name: OperationName): Answer {
  let answer = made.get(name);
  if (answer === undefined) {
    const schema: z.ZodMiniType = contract[name].answer();
    answer = { codec: codecOf(schema), shape: (formOf(schema) as ObjectForm).shape };
    made.set(name, answer);
  }
  return answer;
}

/** The documented fields of an operation's answer. */
export const answerShape = (name: OperationName): Shape => answerOf(name).shape;

/** Decodes an operation's answer, or reports everything that is wrong with it. */
export const decodeAnswer = <TName extends OperationName>(
  name: TName,
  json: unknown,
): Decoded<RemoteAnswer<TName>> => decode(answerOf(name).codec as Codec<RemoteAnswer<TName>>, json);
