import type { HeavenClient } from './client.js';
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

/** The documented functions. */
const functions = {
  getPoolInfo,
  getProtocolConfigState,
  getPoolState,
  quoteBuy,
  quoteSell,
  quoteInitialBuy,
  buildBuy,
  buildSell,
  buildClaimCreatorTradingFees,
  buildCreateStandardLiquidityPool,
  getLpBalance,
  quoteProBuy,
  quoteProSell,
  buildProBuy,
  buildProSell,
  buildProCreate,
  buildProAddLiquidity,
  buildProRemoveLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProToggleSwap,
  buildProToggleDeposit,
  buildProToggleWithdraw,
  buildProSetReflectionFee,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetSlotCreatorFee,
  buildProUpdateCreatorFeeReceiver,
  buildProTransferLp,
} as const;

type Functions = typeof functions;

/** The documented functions with their client already given. */
export type LocalClient = {
  readonly [TName in keyof Functions]: Functions[TName] extends (
    client: HeavenClient,
    input: infer TInput,
  ) => infer TResult
    ? (input: TInput) => TResult
    : never;
};

/**
 * The documented functions bound to a client: the counterpart of `createRemoteClient`, so that one line decides whether quotes
 * and transactions are computed here or by a service. A bundle then holds all of them; the functions themselves shake out.
 *
 * @example
 * ```ts
 * const heaven = createLocalClient(createClient({ rpcUrl }));
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export const createLocalClient = (client: HeavenClient): LocalClient =>
  Object.fromEntries(
    Object.entries(functions).map(([name, call]) => [name, (input: never) => call(client, input)]),
  ) as unknown as LocalClient;
