import type { HeavenClient } from '../client.js';
import { assertInput, assertPositiveU64 } from '../input.js';
import { computeWithdrawal, type LiquidityWithdrawal } from '../math/liquidity.js';
import { minimumAfterSlippage, slippageOf } from '../math/slippage.js';
import { fetchPoolState } from '../pool/state.js';
import { REQUEST_FIELDS, type RequestOptions } from '../solana/rpc/send.js';
import {
  assertLocator,
  assertWithdrawEnabled,
  liquidityOf,
  type ProPoolLocator,
  sharePct,
} from './liquidity.js';

/** A withdrawal from a pro pool to quote. */
export interface QuoteProRemoveLiquidityInput extends ProPoolLocator, RequestOptions {
  /** LP tokens to burn, native units. */
  readonly lpTokensToBurn: bigint;
  /** Whole basis points, 0 to 10000. */
  readonly slippageBps: number;
}

/** What a withdrawal pays, and the limits to build it with. */
export interface RemoveLiquidityQuote extends LiquidityWithdrawal {
  readonly lpTokensToBurn: bigint;
  /** For the builder: the amounts minus the slippage. */
  readonly minTokenA: bigint;
  readonly minTokenB: bigint;
  /** The share of the pool that is withdrawn, in percent. For display. */
  readonly sharePct: number;
}

/**
 * Quotes a withdrawal from a pro pool ([assumption A8](/protocol#assumptions)). One call to the node. For a token with a
 * Token-2022 transfer fee, less than `tokenA` arrives.
 *
 * @throws {HeavenError} `withdraw-disabled`, `insufficient-lp-tokens`, `invalid-amount`, `zero-amount`,
 * `invalid-slippage`, `insufficient-liquidity`, `pool-not-found`, `pool-kind-mismatch`, `pool-mint-mismatch`,
 * `config-version-mismatch`, and the `rpc-…` codes
 * @example
 * ```ts
 * const quote = await quoteProRemoveLiquidity(client, { pool, mint, configVersion: 3, lpTokensToBurn, slippageBps: 50 });
 * ```
 */
export async function quoteProRemoveLiquidity(
  client: HeavenClient,
  input: QuoteProRemoveLiquidityInput,
): Promise<RemoveLiquidityQuote> {
  assertInput(client, input, REQUEST_FIELDS, {
    pool: 1,
    mint: 1,
    configVersion: 1,
    lpTokensToBurn: 1,
    slippageBps: 1,
  });
  const { lpTokensToBurn, slippageBps } = input;
  slippageOf(slippageBps);
  assertLocator(input);
  assertPositiveU64(lpTokensToBurn, 'lpTokensToBurn');
  const { state } = await fetchPoolState(client, 'pro', input);
  assertWithdrawEnabled(state);
  const liquidity = liquidityOf(state);
  const withdrawal = computeWithdrawal(liquidity, lpTokensToBurn);
  return {
    ...withdrawal,
    lpTokensToBurn,
    minTokenA: minimumAfterSlippage(withdrawal.tokenA, slippageBps),
    minTokenB: minimumAfterSlippage(withdrawal.tokenB, slippageBps),
    sharePct: sharePct(lpTokensToBurn, liquidity.lpSupply),
  };
}
