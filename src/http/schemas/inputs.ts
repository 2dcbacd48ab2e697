import type { KeyOf } from '../../base/input.js';
import type { LazyFields } from '../../input/check-input.js';
import { getLpBalanceFields } from '../../operations/data/lp-balance.js';
import { getPoolInfoFields } from '../../operations/data/pool-info.js';
import { getPoolStateFields } from '../../operations/data/pool-state.js';
import { getProtocolConfigStateFields } from '../../operations/data/protocol-config-state.js';
import type { OperationName, Operations } from '../../operations/index.js';
import { buildProAddLiquidityFields } from '../../operations/pro/add-liquidity.js';
import { buildProBuyFields } from '../../operations/pro/buy.js';
import { buildProClaimCreatorFeesFields } from '../../operations/pro/claim-creator-fees.js';
import { buildProClaimLpFeesFields } from '../../operations/pro/claim-lp-fees.js';
import { buildProCreateFields } from '../../operations/pro/create.js';
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
import { buildCreateStandardLiquidityPoolFields } from '../../operations/standard/create-standard-liquidity-pool.js';
import { quoteBuyFields } from '../../operations/standard/quote-buy.js';
import { quoteInitialBuyFields } from '../../operations/standard/quote-initial-buy.js';
import { quoteSellFields } from '../../operations/standard/quote-sell.js';
import { buildSellFields } from '../../operations/standard/sell.js';

/** The fields of the input of every operation. */
export const inputFields = {
  getPoolInfo: getPoolInfoFields,
  getProtocolConfigState: getProtocolConfigStateFields,
  getPoolState: getPoolStateFields,
  quoteBuy: quoteBuyFields,
  quoteSell: quoteSellFields,
  quoteInitialBuy: quoteInitialBuyFields,
  buildBuy: buildBuyFields,
  buildSell: buildSellFields,
  buildClaimCreatorTradingFees: buildClaimCreatorTradingFeesFields,
  buildCreateStandardLiquidityPool: buildCreateStandardLiquidityPoolFields,
  getLpBalance: getLpBalanceFields,
  quoteProBuy: quoteProBuyFields,
  quoteProSell: quoteProSellFields,
  buildProBuy: buildProBuyFields,
  buildProSell: buildProSellFields,
  buildProCreate: buildProCreateFields,
  buildProAddLiquidity: buildProAddLiquidityFields,
  buildProRemoveLiquidity: buildProRemoveLiquidityFields,
  buildProClaimCreatorFees: buildProClaimCreatorFeesFields,
  buildProClaimLpFees: buildProClaimLpFeesFields,
  buildProToggleSwap: toggleFields,
  buildProToggleDeposit: toggleFields,
  buildProToggleWithdraw: toggleFields,
  buildProSetReflectionFee: setFeeFields,
  buildProSetLpFee: setFeeFields,
  buildProSetMarketCapCreatorFee: setFeeFields,
  buildProSetSlotCreatorFee: buildProSetSlotCreatorFeeFields,
  buildProUpdateCreatorFeeReceiver: buildProUpdateCreatorFeeReceiverFields,
  buildProTransferLp: buildProTransferLpFields,
} satisfies Readonly<Record<OperationName, LazyFields>>;

export type FunctionInput<TName extends OperationName> = Parameters<Operations[TName]>[1];

/**
 * The `local` fields, which no request can carry. Named here and not derived from {@link inputFields}, because the published types
 * would then hold all of those declarations, half a megabyte. `tests/types/remote-input.test-d.ts` doesn't compile when the two differ.
 */
type LocalField =
  | 'after'
  | 'before'
  | 'dontFront'
  | 'feeWarningBps'
  | 'lifetime'
  | 'maxPriceImpactBps'
  | 'mintSigner'
  | 'signingOrder'
  | 'snapshot'
  | 'stalePriceSeconds'
  | 'tip'
  | 'tokenAmount';

/** The fields that a request can carry, and those that are about the call itself. */
export type RemoteField<TName extends OperationName> = Exclude<
  KeyOf<FunctionInput<TName>>,
  LocalField | (TName extends 'getPoolInfo' ? 'configVersion' : never)
>;

type RequiredField<TInput> = {
  readonly [TField in keyof TInput]-?: object extends Pick<TInput, TField> ? never : TField;
}[keyof TInput];

/** Of the ways to give an input, those that need no other fields. */
type WithOnly<TInput, TFields> = TInput extends unknown
  ? RequiredField<TInput> extends TFields
    ? Pick<TInput, Extract<keyof TInput, TFields>>
    : never
  : never;

/** An operation's input over HTTP: the function's input without fields that a request can't carry. */
export type RemoteInput<TName extends OperationName> = WithOnly<FunctionInput<TName>, RemoteField<TName>>;
