export {
  type ClientConfig,
  createClient,
  type Deployment,
  type HeavenClient,
  type HeavenRpc,
  type HeavenRpcSubscriptions,
  type RequestOptions,
} from './client.js';
export * from './core.js';
export { type GetLpBalanceInput, getLpBalance, type LpBalance } from './data/lp-balance.js';
export { type GetPoolInfoInput, getPoolInfo, type PoolInfo } from './data/pool-info.js';
export { type GetPoolStateInput, getPoolState } from './data/pool-state.js';
export { type GetProtocolConfigStateInput, getProtocolConfigState } from './data/protocol-config-state.js';
export { createLocalClient, type LocalClient } from './local-client.js';
export {
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  type PoolAddresses,
  type PoolLocator,
} from './pool/fetch.js';
export type {
  BuyAmount,
  BuyQuote,
  DetailedBuyQuote,
  DetailedSellQuote,
  QuoteDetails,
  SellAmount,
  SellQuote,
} from './pool/quote.js';
export { type BuildProAddLiquidityInput, buildProAddLiquidity } from './pro/add-liquidity.js';
export type { SlotFeeConfiguration } from './pro/brackets.js';
export { type BuildProBuyInput, buildProBuy } from './pro/buy.js';
export { type BuildProClaimCreatorFeesInput, buildProClaimCreatorFees } from './pro/claim-creator-fees.js';
export { type BuildProClaimLpFeesInput, buildProClaimLpFees } from './pro/claim-lp-fees.js';
export {
  type BuildProCreateInput,
  type BuiltProCreate,
  buildProCreate,
  type ProPoolFeatures,
} from './pro/create.js';
export type { CreatorOperationOptions } from './pro/creator-operation.js';
export type { ProPoolLocator } from './pro/liquidity.js';
export {
  type AddLiquidityQuote,
  type QuoteProAddLiquidityInput,
  quoteProAddLiquidity,
} from './pro/quote-add-liquidity.js';
export { type QuoteProBuyInput, quoteProBuy } from './pro/quote-buy.js';
export {
  type QuoteProRemoveLiquidityInput,
  quoteProRemoveLiquidity,
  type RemoveLiquidityQuote,
} from './pro/quote-remove-liquidity.js';
export { type QuoteProSellInput, quoteProSell } from './pro/quote-sell.js';
export { type BuildProRemoveLiquidityInput, buildProRemoveLiquidity } from './pro/remove-liquidity.js';
export { type BuildProSellInput, buildProSell } from './pro/sell.js';
export type { SetFeeInput } from './pro/set-fee.js';
export { buildProSetLpFee } from './pro/set-lp-fee.js';
export { buildProSetMarketCapCreatorFee } from './pro/set-market-cap-creator-fee.js';
export { buildProSetReflectionFee } from './pro/set-reflection-fee.js';
export {
  type BuildProSetSlotCreatorFeeInput,
  buildProSetSlotCreatorFee,
} from './pro/set-slot-creator-fee.js';
export type { ToggleInput } from './pro/toggle.js';
export { buildProToggleDeposit } from './pro/toggle-deposit.js';
export { buildProToggleSwap } from './pro/toggle-swap.js';
export { buildProToggleWithdraw } from './pro/toggle-withdraw.js';
export { type BuildProTransferLpInput, buildProTransferLp } from './pro/transfer-lp.js';
export {
  type BuildProUpdateCreatorFeeReceiverInput,
  buildProUpdateCreatorFeeReceiver,
} from './pro/update-creator-fee-receiver.js';
export {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  type LiquidityPoolState,
  type ProtocolConfig,
} from './program/accounts.js';
export {
  explainTransactionFailure,
  type FailedTransaction,
  getHeavenProgramError,
  type HeavenProgramError,
  type TransactionFailure,
} from './program/errors.js';
export { type HeavenEvent, type ParsedLogs, parseLogs } from './program/events.js';
export { type BuildBuyInput, buildBuy } from './standard/buy.js';
export {
  type BuildClaimCreatorTradingFeesInput,
  buildClaimCreatorTradingFees,
} from './standard/claim-creator-trading-fees.js';
export {
  type BuildCreateStandardLiquidityPoolInput,
  type BuiltLaunch,
  buildCreateStandardLiquidityPool,
  type MintSignerSource,
} from './standard/create-standard-liquidity-pool.js';
export {
  type GrindMintAddressInput,
  type GrindProgress,
  grindMintAddress,
} from './standard/grind-mint-address.js';
export { type QuoteBuyInput, quoteBuy } from './standard/quote-buy.js';
export {
  type InitialBuyQuote,
  type QuoteInitialBuyInput,
  quoteInitialBuy,
} from './standard/quote-initial-buy.js';
export { type QuoteSellInput, quoteSell } from './standard/quote-sell.js';
export { type BuildSellInput, buildSell } from './standard/sell.js';
export type { BuiltTransaction, Lifetime, TransactionOptions } from './transaction/assemble.js';
export type { TradeOptions } from './transaction/trade.js';
export type { Wallet } from './transaction/wallet.js';
export type { WrapSol } from './transaction/wrapped-sol.js';
export { createFailoverTransport, type FailoverConfig, type NodeFailure } from './upstream/failover.js';
export {
  type ReadEvent,
  type SharedMethod,
  type SharedReadsConfig,
  shareReads,
} from './upstream/share-reads.js';
export type { Warning } from './warnings.js';
