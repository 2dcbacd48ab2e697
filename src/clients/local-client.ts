import type { HeavenClient } from '../client.js';
import { getLpBalance } from '../data/lp-balance.js';
import { getPoolInfo } from '../data/pool-info.js';
import { getPoolState } from '../data/pool-state.js';
import { getProtocolConfigState } from '../data/protocol-config-state.js';
import { builders } from '../operations.js';
import { quoteProBuy } from '../pro/quote-buy.js';
import { quoteProSell } from '../pro/quote-sell.js';
import { quoteBuy } from '../standard/quote-buy.js';
import { quoteInitialBuy } from '../standard/quote-initial-buy.js';
import { quoteSell } from '../standard/quote-sell.js';

/** The documented functions. In a function, as esbuild keeps what is spread at the top of a module. */
const documented = () => ({
  getPoolInfo,
  getProtocolConfigState,
  getPoolState,
  quoteBuy,
  quoteSell,
  quoteInitialBuy,
  getLpBalance,
  quoteProBuy,
  quoteProSell,
  ...builders,
});

type Functions = ReturnType<typeof documented>;

/** A function with its client already given. */
type Bound<TName extends keyof Functions> = Functions[TName] extends (
  client: HeavenClient,
  input: infer TInput,
) => infer TResult
  ? (input: TInput) => TResult
  : never;

/** The documented functions with their client already given. */
// Written out, as only a declared field has a text for an editor to show.
export interface LocalClient {
  /** A pool's state in a person's terms. See {@link getPoolInfo}. */
  readonly getPoolInfo: Bound<'getPoolInfo'>;
  /** The whole account of a protocol config. See {@link getProtocolConfigState}. */
  readonly getProtocolConfigState: Bound<'getProtocolConfigState'>;
  /** The whole account of a pool. See {@link getPoolState}. */
  readonly getPoolState: Bound<'getPoolState'>;
  /** What `maxSolSpend` buys in a standard pool now, and the least that must arrive. See {@link quoteBuy}. */
  readonly quoteBuy: Bound<'quoteBuy'>;
  /** What `amountInUi` tokens give in a standard pool now, and the least that must arrive. See {@link quoteSell}. */
  readonly quoteSell: Bound<'quoteSell'>;
  /** What a purchase costs in the transaction that launches a token. See {@link quoteInitialBuy}. */
  readonly quoteInitialBuy: Bound<'quoteInitialBuy'>;
  /** A user's liquidity in a pro pool, and its fees. See {@link getLpBalance}. */
  readonly getLpBalance: Bound<'getLpBalance'>;
  /** What `maxSolSpend` buys in a pro pool now, and the least that must arrive. See {@link quoteProBuy}. */
  readonly quoteProBuy: Bound<'quoteProBuy'>;
  /** What `amountInUi` tokens give in a pro pool now, and the least that must arrive. See {@link quoteProSell}. */
  readonly quoteProSell: Bound<'quoteProSell'>;
  /** The unsigned transaction of a quoted buy in a standard pool. See {@link buildBuy}. */
  readonly buildBuy: Bound<'buildBuy'>;
  /** The unsigned transaction of a quoted sell in a standard pool. See {@link buildSell}. */
  readonly buildSell: Bound<'buildSell'>;
  /** The unsigned transaction that claims a standard pool's creator fees. See {@link buildClaimCreatorTradingFees}. */
  readonly buildClaimCreatorTradingFees: Bound<'buildClaimCreatorTradingFees'>;
  /** The transaction that launches a token, which the new mint has signed. See {@link buildCreateStandardLiquidityPool}. */
  readonly buildCreateStandardLiquidityPool: Bound<'buildCreateStandardLiquidityPool'>;
  /** The unsigned transaction of a quoted buy in a pro pool. See {@link buildProBuy}. */
  readonly buildProBuy: Bound<'buildProBuy'>;
  /** The unsigned transaction of a quoted sell in a pro pool. See {@link buildProSell}. */
  readonly buildProSell: Bound<'buildProSell'>;
  /** The unsigned transaction that creates a pro pool. See {@link buildProCreate}. */
  readonly buildProCreate: Bound<'buildProCreate'>;
  /** The unsigned transaction of a deposit into a pro pool. See {@link buildProAddLiquidity}. */
  readonly buildProAddLiquidity: Bound<'buildProAddLiquidity'>;
  /** The unsigned transaction of a withdrawal from a pro pool. See {@link buildProRemoveLiquidity}. */
  readonly buildProRemoveLiquidity: Bound<'buildProRemoveLiquidity'>;
  /** The unsigned transaction that claims a pro pool's creator fees. See {@link buildProClaimCreatorFees}. */
  readonly buildProClaimCreatorFees: Bound<'buildProClaimCreatorFees'>;
  /** The unsigned transaction that claims the fees of a user's liquidity. See {@link buildProClaimLpFees}. */
  readonly buildProClaimLpFees: Bound<'buildProClaimLpFees'>;
  /** The unsigned transaction that switches swaps on or off. See {@link buildProToggleSwap}. */
  readonly buildProToggleSwap: Bound<'buildProToggleSwap'>;
  /** The unsigned transaction that switches deposits on or off. See {@link buildProToggleDeposit}. */
  readonly buildProToggleDeposit: Bound<'buildProToggleDeposit'>;
  /** The unsigned transaction that switches withdrawals on or off. See {@link buildProToggleWithdraw}. */
  readonly buildProToggleWithdraw: Bound<'buildProToggleWithdraw'>;
  /** The unsigned transaction that sets a pro pool's reflection fee by market cap. See {@link buildProSetReflectionFee}. */
  readonly buildProSetReflectionFee: Bound<'buildProSetReflectionFee'>;
  /** The unsigned transaction that sets a pro pool's liquidity provider fee by market cap. See {@link buildProSetLpFee}. */
  readonly buildProSetLpFee: Bound<'buildProSetLpFee'>;
  /** The unsigned transaction that sets a pro pool's creator fee by market cap. See {@link buildProSetMarketCapCreatorFee}. */
  readonly buildProSetMarketCapCreatorFee: Bound<'buildProSetMarketCapCreatorFee'>;
  /** The unsigned transaction that sets a pro pool's creator fee by slot. See {@link buildProSetSlotCreatorFee}. */
  readonly buildProSetSlotCreatorFee: Bound<'buildProSetSlotCreatorFee'>;
  /** The unsigned transaction that moves a pool's creator fees to another receiver. See {@link buildProUpdateCreatorFeeReceiver}. */
  readonly buildProUpdateCreatorFeeReceiver: Bound<'buildProUpdateCreatorFeeReceiver'>;
  /** The unsigned transaction that moves liquidity to another user. See {@link buildProTransferLp}. */
  readonly buildProTransferLp: Bound<'buildProTransferLp'>;
}

/**
 * The documented functions bound to a client: the counterpart of `createRemoteClient`, so that one line decides whether quotes
 * and transactions are computed here or by a service. A bundle then holds all of them; the functions themselves shake out.
 *
 * @example
 * ```ts
 * const heaven = createLocalClient(client);
 * const quote = await heaven.quoteBuy({ configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export const createLocalClient = (client: HeavenClient): LocalClient =>
  Object.fromEntries(
    Object.entries(documented()).map(([name, call]) => [name, (input: never) => call(client, input)]),
  ) as unknown as LocalClient;
