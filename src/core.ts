/**
 * What works without kit: the exchange's arithmetic, quotes from raw account data, units and formats. It loads in a few milliseconds. The
 * main entry point exports all of it too.
 *
 * @module heaven-pools/core
 */

export {
  type AnyHeavenError,
  HeavenError,
  type HeavenErrorCode,
  type HeavenErrorContexts,
  isHeavenError,
  type TransactionMismatchKind,
} from './base/errors.js';
export { sanitizeText, shortenAddress } from './base/text.js';
export { type FormatAmountOptions, formatAmount } from './format/amount.js';
export type { Rounding } from './format/decimal.js';
export {
  type FormatBpsOptions,
  type FormatPriceOptions,
  type FormatUsdOptions,
  formatBps,
  formatPrice,
  formatUsd,
} from './format/figure.js';
export type { FormatOptions } from './format/localize.js';
export { parseAmount, parseBps } from './format/parse.js';
export {
  computeDeposit,
  computeWithdrawal,
  type DepositLimits,
  type LiquidityDeposit,
  type LiquidityState,
  type LiquidityWithdrawal,
} from './math/liquidity.js';
export { maximumAfterSlippage, minimumAfterSlippage } from './math/slippage.js';
export { computeBuy, computeBuyExactOut, computeSell, computeSellExactOut } from './math/swap.js';
export type {
  FeeAmounts,
  FeeRates,
  PerFeeType,
  PoolReserves,
  SwapResult,
  SwapState,
  TransferFee,
} from './math/types.js';
export { toNativeAmount, toUiAmount, type UiAmount } from './math/units.js';
export { toMicroUsd } from './math/usd.js';
export {
  decodePoolSnapshot,
  type PoolAccountNames,
  type PoolAccounts,
  type PoolSnapshot,
  type SolPrice,
} from './pool/decode.js';
export { computeMarketCap } from './pool/market-cap.js';
export { assertTradable } from './pool/quote.js';
export { type SpotPrice, toSpotPrice, toUsdValue } from './pool/spot-price.js';
export { toSwapState } from './pool/swap-state.js';
