export {
  type ClientConfig,
  createClient,
  type Deployment,
  type HeavenClient,
  type HeavenRpc,
  type RequestOptions,
} from './client.js';
export { type GetPoolInfoInput, getPoolInfo, type PoolInfo } from './data/pool-info.js';
export { type GetPoolStateInput, getPoolState } from './data/pool-state.js';
export { type GetProtocolConfigStateInput, getProtocolConfigState } from './data/protocol-config-state.js';
export {
  type AnyHeavenError,
  HeavenError,
  type HeavenErrorCode,
  type HeavenErrorContexts,
  isHeavenError,
} from './errors.js';
export { applySlippage, applySlippageToMaximum } from './math/slippage.js';
export { computeBuy, computeBuyExactOut, computeSell, computeSellExactOut } from './math/swap.js';
export type {
  FeeAmounts,
  FeeRates,
  PerFeeType,
  Reserves,
  SwapResult,
  SwapState,
  TransferFee,
} from './math/types.js';
export { toNativeAmount, toUiAmount, type UiAmount } from './math/units.js';
export { decodePoolSnapshot, type PoolAccounts, type PoolSnapshot, type SolPrice } from './pool/decode.js';
export {
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  type PoolAddresses,
  type PoolLocator,
} from './pool/fetch.js';
export { marketCapMicroUsd } from './pool/market-cap.js';
export type {
  BuyAmount,
  BuyQuote,
  DetailedBuyQuote,
  DetailedSellQuote,
  QuoteDetails,
  SellAmount,
  SellQuote,
} from './pool/quote.js';
export { swapStateOf } from './pool/swap-state.js';
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
export type { Warning } from './warnings.js';
