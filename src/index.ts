/**
 * The SDK: quotes, unsigned transactions and pool data, computed locally. It runs in browsers and in Node. A bundle contains
 * only the functions that you import.
 *
 * @module heaven-pools
 */

export { docsUrlOf } from './base/docs-url.js';
export type { HeavenWarning } from './base/warnings.js';
export {
  createFailoverTransport,
  type FailoverConfig,
  type FailoverTransport,
  type RpcNodeFailure,
  type RpcNodeState,
} from './client/failover.js';
export { createLocalClient, type LocalClient } from './client/local-client.js';
export {
  type HeavenFunctions,
  type HeavenPluginClient,
  type HeavenPluginConfig,
  heaven,
} from './client/plugin.js';
export {
  type SharedMethod,
  type SharedReadEvent,
  type SharedReadsConfig,
  shareReads,
} from './client/share-reads.js';
export * from './core.js';
export { type ExplainedError, explainError } from './format/explain-error.js';
export type { HistoryWatch, HistoryWatchEvent, HistoryWatchOptions } from './history/address-watch.js';
export {
  type Candle,
  type CandleVolume,
  type GapCandle,
  type ToCandlesOptions,
  type TradedCandle,
  toCandles,
} from './history/candles.js';
export {
  type LeftOutTransactions,
  type ListTradesInput,
  listTrades,
  type TradeList,
  type TradePage,
} from './history/list-trades.js';
export {
  type ParsedTransaction,
  parseTransaction,
  type TransactionInstruction,
} from './history/parse-transaction.js';
export {
  type Position,
  type PositionOptions,
  type PositionSide,
  toPosition,
} from './history/position.js';
export type { TransactionResponse } from './history/recorded-transaction.js';
export type { TradeSource } from './history/trade-source.js';
export type { ParsedTrade, ParsedTradePrice, Trade } from './history/trades.js';
export {
  type NewPool,
  type WatchNewPoolsOptions,
  watchNewPools,
} from './history/watch-new-pools.js';
export {
  type WatchTradesInput,
  watchTrades,
} from './history/watch-trades.js';
export { type GetLpBalanceInput, getLpBalance, type LpBalance } from './operations/data/lp-balance.js';
export {
  type CreatorFeeReason,
  type GetPoolInfoInput,
  getPoolInfo,
  type PoolInfo,
  type PoolInfoDetails,
} from './operations/data/pool-info.js';
export { type GetPoolStateInput, getPoolState, type PoolState } from './operations/data/pool-state.js';
export {
  type GetProtocolConfigStateInput,
  getProtocolConfigState,
} from './operations/data/protocol-config-state.js';
export type { BuilderName } from './operations/index.js';
export { type BuildProAddLiquidityInput, buildProAddLiquidity } from './operations/pro/add-liquidity.js';
export type { SlotFeeConfiguration } from './operations/pro/brackets.js';
export { type BuildProBuyInput, buildProBuy } from './operations/pro/buy.js';
export {
  type BuildProClaimCreatorFeesInput,
  buildProClaimCreatorFees,
} from './operations/pro/claim-creator-fees.js';
export { type BuildProClaimLpFeesInput, buildProClaimLpFees } from './operations/pro/claim-lp-fees.js';
export {
  type BuildProCreateInput,
  type BuiltProCreate,
  buildProCreate,
  type ProPoolFeatures,
} from './operations/pro/create.js';
export type {
  BuildProSetFeeInput,
  BuildProToggleInput,
  CreatorOperationOptions,
} from './operations/pro/creator-operation.js';
export {
  type ProFeeSettings,
  toProFeeSettings,
  toSlotFeeConfiguration,
} from './operations/pro/fee-settings.js';
export type { ProPoolLocator } from './operations/pro/liquidity.js';
export { type LpShare, toLpShare } from './operations/pro/lp-share.js';
export {
  type AddLiquidityQuote,
  type QuoteProAddLiquidityInput,
  quoteProAddLiquidity,
} from './operations/pro/quote-add-liquidity.js';
export { type QuoteProBuyInput, quoteProBuy } from './operations/pro/quote-buy.js';
export {
  type QuoteProExactOutInput,
  quoteProBuyExactOut,
  quoteProSellExactOut,
} from './operations/pro/quote-exact-out.js';
export {
  type QuoteProRemoveLiquidityInput,
  quoteProRemoveLiquidity,
  type RemoveLiquidityQuote,
} from './operations/pro/quote-remove-liquidity.js';
export { type QuoteProSellInput, quoteProSell } from './operations/pro/quote-sell.js';
export {
  type BuildProRemoveLiquidityInput,
  buildProRemoveLiquidity,
} from './operations/pro/remove-liquidity.js';
export { type BuildProSellInput, buildProSell } from './operations/pro/sell.js';
export { buildProSetLpFee } from './operations/pro/set-lp-fee.js';
export { buildProSetMarketCapCreatorFee } from './operations/pro/set-market-cap-creator-fee.js';
export { buildProSetReflectionFee } from './operations/pro/set-reflection-fee.js';
export {
  type BuildProSetSlotCreatorFeeInput,
  buildProSetSlotCreatorFee,
} from './operations/pro/set-slot-creator-fee.js';
export { buildProToggleDeposit } from './operations/pro/toggle-deposit.js';
export { buildProToggleSwap } from './operations/pro/toggle-swap.js';
export { buildProToggleWithdraw } from './operations/pro/toggle-withdraw.js';
export { type BuildProTransferLpInput, buildProTransferLp } from './operations/pro/transfer-lp.js';
export {
  type BuildProUpdateCreatorFeeReceiverInput,
  buildProUpdateCreatorFeeReceiver,
} from './operations/pro/update-creator-fee-receiver.js';
export { type BuildBuyInput, buildBuy } from './operations/standard/buy.js';
export {
  type BuildClaimCreatorTradingFeesInput,
  buildClaimCreatorTradingFees,
} from './operations/standard/claim-creator-trading-fees.js';
export {
  type BuildCreateStandardLiquidityPoolInput,
  type BuiltLaunch,
  buildCreateStandardLiquidityPool,
  type MintSignerSource,
  type SigningOrder,
} from './operations/standard/create-standard-liquidity-pool.js';
export {
  type GrindMintAddressInput,
  type GrindProgress,
  grindMintAddress,
} from './operations/standard/grind-mint-address.js';
export { type QuoteBuyInput, quoteBuy } from './operations/standard/quote-buy.js';
export {
  type QuoteExactOutInput,
  quoteBuyExactOut,
  quoteSellExactOut,
} from './operations/standard/quote-exact-out.js';
export {
  type InitialBuyQuote,
  type QuoteInitialBuyInput,
  quoteInitialBuy,
} from './operations/standard/quote-initial-buy.js';
export { type QuoteSellInput, quoteSell } from './operations/standard/quote-sell.js';
export { type BuildSellInput, buildSell } from './operations/standard/sell.js';
export type { PoolAddresses, PoolLocator } from './pool/addresses.js';
export type { FetchedPoolSnapshot } from './pool/check.js';
export { type FeeSchedule, type FeeStep, toFeeSchedule } from './pool/fee-schedule.js';
export type {
  BuyQuote,
  DetailedBuyQuote,
  DetailedSellQuote,
  ExactOutBuyQuote,
  ExactOutDetails,
  ExactOutSellQuote,
  QuoteDetails,
  SellQuote,
} from './pool/quote.js';
export type {
  BuyAmount,
  ExactOutAmount,
  FeeWarningOptions,
  QuoteTerms,
  SellAmount,
  SlippageOn,
} from './pool/quote-amounts.js';
export type { GivenSnapshot } from './pool/read.js';
export { fetchPoolSnapshot } from './pool/read.js';
export {
  type AccountUpdate,
  type TrackedAccount,
  type TrackedPool,
  type TrackedPoolAccounts,
  trackedAccounts,
} from './pool/tracker/accounts.js';
export {
  type AccountRead,
  createPoolTracker,
  type PoolChange,
  type PoolTracker,
  type PoolTrackerOptions,
  type RejectedUpdate,
  type UpdateOutcome,
} from './pool/tracker/tracker.js';
export type { PoolRereadReason, PoolWatchEvent } from './pool/watch/live-pool.js';
export {
  type PoolWatch,
  type WatchPoolOptions,
  watchPool,
} from './pool/watch/watch-pool.js';
export {
  type PoolsWatch,
  type PoolUpdate,
  type WatchPoolsOptions,
  watchPools,
} from './pool/watch/watch-pools.js';
export type { LiquidityPoolState, ProtocolConfig } from './program/accounts.js';
export {
  type ClientConfig,
  createHeavenClient,
  type Deployment,
  type DeploymentConfig,
  type HeavenClient,
  type HeavenHistoryRpc,
  type HeavenNodeRpc,
  type HeavenRpc,
  type HeavenRpcSubscriptions,
  type HeavenSubmitRpc,
  type Verification,
} from './program/client.js';
export type { HeavenProgramError } from './program/error-codes.js';
export {
  explainTransactionFailure,
  type FailedTransaction,
  type FailedTransactionResponse,
  type TransactionFailure,
} from './program/errors.js';
export { type HeavenEvent, type LoggedEvent, type ParsedLogs, parseLogs } from './program/events.js';
export { MAX_FEE_BRACKETS, MAX_MARKET_CAP_BOUND, MAX_SLOT_FEE_BRACKETS } from './program/types.js';
export { type FindPoolsInput, type FoundPool, findPools } from './reads/find-pools.js';
export { findPoolsAt } from './reads/find-pools-at.js';
export type { TokenAccountBalance, UnreadableAccount } from './reads/listed-tokens.js';
export {
  type MaximumSpend,
  type MaximumSpendInput,
  maximumSpend,
  type SpendBreakdown,
} from './reads/maximum-spend.js';
export {
  type GetTokenMetadataInput,
  getTokenMetadata,
  type MetadataProblem,
  type TokenDescription,
} from './reads/token-metadata/get-token-metadata.js';
export {
  type GetWalletBalancesInput,
  getWalletBalances,
  type SolBalance,
  type TokenBalance,
  type WalletBalances,
} from './reads/wallet-balances.js';
export {
  type AcceptedFee,
  type AddedAssertion,
  type AssertSignedTransactionMatchesOptions,
  assertSignedTransactionMatches,
  type GivenTransaction,
  type SignedTransaction,
} from './review/assert-signed-transaction-matches.js';
export {
  type AssertSponsorableOptions,
  assertSponsorable,
  type SponsorableTransaction,
} from './review/assert-sponsorable.js';
export {
  type AssertTransactionMatchesOptions,
  assertTransactionMatches,
  type MatchedTransaction,
  type TransactionIntent,
} from './review/assert-transaction-matches.js';
export type { SimulatedBalanceChange, SimulatedTokenBalanceChange } from './review/balances.js';
export type { AmountAtMost, DebitAsset, InstructionEffect } from './review/effects.js';
export { type InspectTransactionOptions, inspectTransaction } from './review/inspect.js';
export type {
  InspectedInstruction,
  InspectionWarning,
  TransactionCredit,
  TransactionDebit,
  TransactionInspection,
} from './review/inspection.js';
export type { AccountOwnership } from './review/ownership.js';
export {
  type ReviewTransactionOptions,
  reviewTransaction,
  type TransactionCosts,
  type TransactionReview,
  type UnavailableSimulation,
} from './review/review-transaction.js';
export {
  type FailedSimulation,
  type SimulatedTradeComparison,
  type SimulateOptions,
  type Simulation,
  type SuccessfulSimulation,
  simulate,
} from './review/simulate.js';
export type { StepProgram } from './review/step.js';
export { type BuildTradeInput, buildTrade } from './route/build-trade.js';
export { type QuoteBestInput, type QuoteBestOptions, quoteBest } from './route/quote-best.js';
export {
  type QuoteManyBuy,
  type QuoteManyOptions,
  type QuoteManyRequest,
  type QuoteManySell,
  type QuoteOutcome,
  type QuoteOutcomes,
  quoteMany,
} from './route/quote-many.js';
export type { BestQuote, LowerReason, OtherPool } from './route/rank-pools.js';
export type { KnownPool, LeftOutPool, PoolOfToken, TokenPools } from './route/token-market.js';
export type { Side, TradeAmount } from './route/trade-quoter.js';
export type { AddressInput } from './solana/addresses.js';
export type { ComputeBudget, TransactionFees } from './solana/compute-budget.js';
export type { InstructionPosition } from './solana/logs.js';
export type { LookupTables } from './solana/lookup-table.js';
export type { TransactionAccount } from './solana/message.js';
export type { RequestOptions } from './solana/rpc/send.js';
export { METADATA_LIMITS } from './solana/token-metadata.js';
export type { TransactionWallet } from './solana/wallet.js';
export type { SubmitEvent, SubmitMethod } from './submit/node.js';
export type { ChangedBuild, Requote, TradeQuote } from './submit/requote.js';
export type { SenderContext, TransactionSender } from './submit/sender.js';
export {
  type ChangedTransaction,
  type DeclinedQuote,
  type LastSigner,
  type RequoteOptions,
  type SignAndSubmitEvent,
  type SignAndSubmitOptions,
  type SignAndSubmitResult,
  type SignTransactionBytes,
  signAndSubmitTransaction,
  type UnknownSubmission,
} from './submit/sign-and-submit-transaction.js';
export {
  type ExpiredSubmission,
  type FailedSubmission,
  type LandedSubmission,
  type SubmitOptions,
  type SubmitResult,
  type SubmittableTransaction,
  submitTransaction,
} from './submit/submit-transaction.js';
export {
  type SubmitUntilCertainEvent,
  type SubmitUntilCertainOptions,
  submitUntilCertain,
} from './submit/submit-until-certain.js';
export type { TransactionOptions } from './transaction/assemble.js';
export type { BuiltTransaction } from './transaction/built.js';
export type { ClaimOptions, CreatorFeeClaimOptions } from './transaction/creator-fee-claim.js';
export type { EventDataOptions } from './transaction/event-data.js';
export {
  type KeepLifetimeOptions,
  type KeptLifetime,
  type KeptLifetimeEvent,
  keepLifetime,
} from './transaction/keep-lifetime.js';
export type { TransactionLifetime } from './transaction/lifetime.js';
export {
  type PreparedTradeData,
  patchTrade,
  type TradePatch,
} from './transaction/prepared/patch.js';
export { type PreparedTrade, type PrepareOptions, prepareTrade } from './transaction/prepared/prepare.js';
export { type PreparedSigner, signPrepared } from './transaction/prepared/sign-prepared.js';
export type { SignedBytes } from './transaction/prepared/signed-bytes.js';
export {
  type PriorityFee,
  type PriorityFeePercentile,
  type PriorityFeeSuggestion,
  type SuggestPriorityFeeOptions,
  suggestPriorityFee,
} from './transaction/priority-fee.js';
export { type RefreshLifetimeOptions, refreshLifetime } from './transaction/refresh-lifetime.js';
export type { SellOptions } from './transaction/sale.js';
export type { LandingOptions, TransactionTip } from './transaction/tip.js';
export type { BuiltTrade, ProTradeOptions, TradeOptions, TradeSettings } from './transaction/trade.js';
export type { RentOptions, RentPayer, WrapSol } from './transaction/wrapped-sol.js';
