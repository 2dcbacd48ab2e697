import type { HeavenWarning } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { abortSignal, positive, slippage } from '../../input/fields.js';
import { proPool } from '../../input/quotes.js';
import { computeWithdrawal, type LiquidityWithdrawal } from '../../math/liquidity.js';
import { minimumAfterSlippage } from '../../math/slippage.js';
import { highSlippage, inWords } from '../../pool/doubts.js';
import { fetchPoolState } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import {
  assertWithdrawEnabled,
  liquidityOf,
  type ProPoolLocator,
  sharePct,
  tokenWarnings,
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
  readonly warnings: readonly HeavenWarning[];
}

const quoteProRemoveLiquidityFields = /* @__PURE__ */ fieldsOf<QuoteProRemoveLiquidityInput>()(() => ({
  documented: {},
  local: { ...proPool(), lpTokensToBurn: positive(), slippageBps: slippage(), abortSignal: abortSignal() },
}));

/**
 * Quotes a withdrawal from a pro pool ([assumption A8](/protocol#assumptions)). One call to the node. For a token with a
 * Token-2022 transfer fee, less than `tokenA` arrives.
 *
 * @throws {HeavenError} `token-not-transferable`, `operation-disabled`, `insufficient-balance`, `invalid-amount`, `zero-amount`,
 * `invalid-slippage`, `insufficient-liquidity`, `pool-not-found`, `pool-mismatch`,
 * and the `rpc-…` codes
 * @example
 * ```ts
 * const quote = await quoteProRemoveLiquidity(client, { pool, mint, configVersion: 3, lpTokensToBurn, slippageBps: 50 });
 * ```
 */
export async function quoteProRemoveLiquidity(
  client: HeavenClient,
  input: QuoteProRemoveLiquidityInput,
): Promise<RemoveLiquidityQuote> {
  const [checked, ignored] = checkInput(client, input, quoteProRemoveLiquidityFields);
  const { lpTokensToBurn, slippageBps } = checked;
  const found = await fetchPoolState(client, 'pro', checked, [checked.mint]);
  const { state } = found;
  assertWithdrawEnabled(state);
  const warnings = await tokenWarnings(found, true);
  const liquidity = liquidityOf(state);
  const withdrawal = computeWithdrawal(liquidity, lpTokensToBurn);
  const { tokenA, tokenB } = withdrawal;
  const minTokenA = minimumAfterSlippage(tokenA, slippageBps);
  const minTokenB = minimumAfterSlippage(tokenB, slippageBps);
  const both = (a: bigint, b: bigint) => `${a} token units and ${b} lamports`;
  return {
    ...withdrawal,
    lpTokensToBurn,
    minTokenA,
    minTokenB,
    sharePct: sharePct(lpTokensToBurn, liquidity.lpSupply),
    warnings: [
      ...(await inWords([highSlippage(slippageBps, both(minTokenA, minTokenB), both(tokenA, tokenB))])),
      ...warnings,
      ...ignored,
    ],
  };
}
