import { getLpBalance } from './data/lp-balance.js';
import { getPoolInfo } from './data/pool-info.js';
import { getPoolState } from './data/pool-state.js';
import { getProtocolConfigState } from './data/protocol-config-state.js';
import { buildProAddLiquidity } from './pro/add-liquidity.js';
import { buildProBuy } from './pro/buy.js';
import { buildProClaimCreatorFees } from './pro/claim-creator-fees.js';
import { buildProClaimLpFees } from './pro/claim-lp-fees.js';
import { buildProCreate } from './pro/create.js';
import { quoteProBuy } from './pro/quote-buy.js';
import { quoteProSell } from './pro/quote-sell.js';
import { buildProRemoveLiquidity } from './pro/remove-liquidity.js';
import { buildProSell } from './pro/sell.js';
import { buildProSetLpFee } from './pro/set-lp-fee.js';
import { buildProSetMarketCapCreatorFee } from './pro/set-market-cap-creator-fee.js';
import { buildProSetReflectionFee } from './pro/set-reflection-fee.js';
import { buildProSetSlotCreatorFee } from './pro/set-slot-creator-fee.js';
import { buildProToggleDeposit } from './pro/toggle-deposit.js';
import { buildProToggleSwap } from './pro/toggle-swap.js';
import { buildProToggleWithdraw } from './pro/toggle-withdraw.js';
import { buildProTransferLp } from './pro/transfer-lp.js';
import { buildProUpdateCreatorFeeReceiver } from './pro/update-creator-fee-receiver.js';
import { buildBuy } from './standard/buy.js';
import { buildClaimCreatorTradingFees } from './standard/claim-creator-trading-fees.js';
import { buildCreateStandardLiquidityPool } from './standard/create-standard-liquidity-pool.js';
import { quoteBuy } from './standard/quote-buy.js';
import { quoteInitialBuy } from './standard/quote-initial-buy.js';
import { quoteSell } from './standard/quote-sell.js';
import { buildSell } from './standard/sell.js';

// The one list of the documented operations. The clients, the HTTP interface and its document, and the checks of the guides
// derive from it. To add an operation: its path and its function here, and its contract in `http/schemas`.

/** The documented path of each operation. Without the functions, which the remote client must not load. */
export const paths = {
  getPoolInfo: '/data/pool-info',
  getProtocolConfigState: '/data/protocol-config-state',
  getPoolState: '/data/pool-state',
  quoteBuy: '/quote/buy',
  quoteSell: '/quote/sell',
  quoteInitialBuy: '/quote/initial-buy',
  buildBuy: '/tx/buy',
  buildSell: '/tx/sell',
  buildClaimCreatorTradingFees: '/tx/claim-creator-trading-fees',
  buildCreateStandardLiquidityPool: '/tx/create-standard-liquidity-pool',
  getLpBalance: '/data/lp-balance',
  quoteProBuy: '/quote/pro/buy',
  quoteProSell: '/quote/pro/sell',
  buildProBuy: '/tx/pro/buy',
  buildProSell: '/tx/pro/sell',
  buildProCreate: '/tx/pro/create',
  buildProAddLiquidity: '/tx/pro/add-liquidity',
  buildProRemoveLiquidity: '/tx/pro/remove-liquidity',
  buildProClaimCreatorFees: '/tx/pro/claim-creator-fees',
  buildProClaimLpFees: '/tx/pro/claim-lp-fees',
  buildProToggleSwap: '/tx/pro/toggle-swap',
  buildProToggleDeposit: '/tx/pro/toggle-deposit',
  buildProToggleWithdraw: '/tx/pro/toggle-withdraw',
  buildProSetReflectionFee: '/tx/pro/set-reflection-fee',
  buildProSetLpFee: '/tx/pro/set-lp-fee',
  buildProSetMarketCapCreatorFee: '/tx/pro/set-market-cap-creator-fee',
  buildProSetSlotCreatorFee: '/tx/pro/set-slot-creator-fee',
  buildProUpdateCreatorFeeReceiver: '/tx/pro/update-creator-fee-receiver',
  buildProTransferLp: '/tx/pro/transfer-lp',
} as const satisfies Readonly<Record<string, `/${'data' | 'quote' | 'tx'}/${string}`>>;

export type OperationName = keyof typeof paths;
export type OperationPath = (typeof paths)[OperationName];
/** An operation that makes a transaction. */
export type BuilderName = Extract<OperationName, `build${string}`>;
/** An operation that reads or quotes. */
export type ReaderName = Exclude<OperationName, BuilderName>;

type Named<TName extends string> = Readonly<Record<TName, (...given: never) => Promise<unknown>>>;

// Two tables rather than one spread into another, which esbuild would keep in every bundle. The clients show these texts.

/** The operations that read or quote. */
export const readers = {
  /** A pool's state in a person's terms. See {@link getPoolInfo}. */
  getPoolInfo,
  /** The whole account of a protocol config. See {@link getProtocolConfigState}. */
  getProtocolConfigState,
  /** The whole account of a pool. See {@link getPoolState}. */
  getPoolState,
  /** What `maxSolSpend` buys in a standard pool now, and the least that must arrive. See {@link quoteBuy}. */
  quoteBuy,
  /** What `amountInUi` tokens give in a standard pool now, and the least that must arrive. See {@link quoteSell}. */
  quoteSell,
  /** What a purchase costs in the transaction that launches a token. See {@link quoteInitialBuy}. */
  quoteInitialBuy,
  /** A user's liquidity in a pro pool, and its fees. See {@link getLpBalance}. */
  getLpBalance,
  /** What `maxSolSpend` buys in a pro pool now, and the least that must arrive. See {@link quoteProBuy}. */
  quoteProBuy,
  /** What `amountInUi` tokens give in a pro pool now, and the least that must arrive. See {@link quoteProSell}. */
  quoteProSell,
} as const satisfies Named<ReaderName>;

/** Every builder of a transaction. */
export const builders = {
  /** The unsigned transaction of a quoted buy in a standard pool. See {@link buildBuy}. */
  buildBuy,
  /** The unsigned transaction of a quoted sell in a standard pool. See {@link buildSell}. */
  buildSell,
  /** The unsigned transaction that claims a standard pool's creator fees. See {@link buildClaimCreatorTradingFees}. */
  buildClaimCreatorTradingFees,
  /** The transaction that launches a token, which the new mint has signed. See {@link buildCreateStandardLiquidityPool}. */
  buildCreateStandardLiquidityPool,
  /** The unsigned transaction of a quoted buy in a pro pool. See {@link buildProBuy}. */
  buildProBuy,
  /** The unsigned transaction of a quoted sell in a pro pool. See {@link buildProSell}. */
  buildProSell,
  /** The unsigned transaction that creates a pro pool. See {@link buildProCreate}. */
  buildProCreate,
  /** The unsigned transaction of a deposit into a pro pool. See {@link buildProAddLiquidity}. */
  buildProAddLiquidity,
  /** The unsigned transaction of a withdrawal from a pro pool. See {@link buildProRemoveLiquidity}. */
  buildProRemoveLiquidity,
  /** The unsigned transaction that claims a pro pool's creator fees. See {@link buildProClaimCreatorFees}. */
  buildProClaimCreatorFees,
  /** The unsigned transaction that claims the fees of a user's liquidity. See {@link buildProClaimLpFees}. */
  buildProClaimLpFees,
  /** The unsigned transaction that switches swaps on or off. See {@link buildProToggleSwap}. */
  buildProToggleSwap,
  /** The unsigned transaction that switches deposits on or off. See {@link buildProToggleDeposit}. */
  buildProToggleDeposit,
  /** The unsigned transaction that switches withdrawals on or off. See {@link buildProToggleWithdraw}. */
  buildProToggleWithdraw,
  /** The unsigned transaction that sets a pro pool's reflection fee by market cap. See {@link buildProSetReflectionFee}. */
  buildProSetReflectionFee,
  /** The unsigned transaction that sets a pro pool's liquidity provider fee by market cap. See {@link buildProSetLpFee}. */
  buildProSetLpFee,
  /** The unsigned transaction that sets a pro pool's creator fee by market cap. See {@link buildProSetMarketCapCreatorFee}. */
  buildProSetMarketCapCreatorFee,
  /** The unsigned transaction that sets a pro pool's creator fee by slot. See {@link buildProSetSlotCreatorFee}. */
  buildProSetSlotCreatorFee,
  /** The unsigned transaction that moves a pool's creator fees to another receiver. See {@link buildProUpdateCreatorFeeReceiver}. */
  buildProUpdateCreatorFeeReceiver,
  /** The unsigned transaction that moves liquidity to another user. See {@link buildProTransferLp}. */
  buildProTransferLp,
} as const satisfies Named<BuilderName>;

/** Every operation's function. */
export type Operations = typeof readers & typeof builders;
