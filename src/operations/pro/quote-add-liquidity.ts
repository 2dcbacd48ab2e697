import type { HeavenWarning } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { abortSignal, optional, positive, slippage } from '../../input/fields.js';
import { proPool } from '../../input/quotes.js';
import { assertDepositLimits, computeDeposit, type LiquidityDeposit } from '../../math/liquidity.js';
import { boundedAfterSlippage, minimumAfterSlippage } from '../../math/slippage.js';
import { highSlippage, inWords } from '../../pool/doubts.js';
import { fetchPoolState } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import {
  assertDepositEnabled,
  liquidityOf,
  type ProPoolLocator,
  sharePct,
  tokenWarnings,
} from './liquidity.js';

/** The most to deposit, on either side or both. */
export interface QuoteProAddLiquidityInput extends ProPoolLocator, RequestOptions {
  /** The most native units of token A. Pass this, `maxTokenB`, or both. */
  readonly maxTokenA?: bigint | null | undefined;
  /** The most lamports. */
  readonly maxTokenB?: bigint | null | undefined;
  /** Whole basis points, 0 to 10000. */
  readonly slippageBps: number;
}

/** What a deposit takes and gives, and the limits to build it with. */
export interface AddLiquidityQuote extends LiquidityDeposit {
  /** For the builder: the amount that you passed, or what the other side takes plus the slippage. */
  readonly maxTokenA: bigint;
  readonly maxTokenB: bigint;
  /** For the builder: the LP tokens minus the slippage. */
  readonly minLpTokens: bigint;
  /** The deposit's share of the pool, in percent. For display. */
  readonly sharePct: number;
  readonly warnings: readonly HeavenWarning[];
}

const quoteProAddLiquidityFields = /* @__PURE__ */ fieldsOf<QuoteProAddLiquidityInput>()(() => ({
  documented: {},
  local: {
    ...proPool(),
    maxTokenA: optional(positive()),
    maxTokenB: optional(positive()),
    slippageBps: slippage(),
    abortSignal: abortSignal(),
  },
}));

/**
 * Quotes a deposit into a pro pool from either side or both, at the pool's ratio ([assumption A8](/protocol#assumptions)).
 * One call to the node.
 *
 * @throws {HeavenError} `token-not-transferable`, `operation-disabled`, `output-is-zero`, `invalid-input`, `invalid-amount`, `zero-amount`,
 * `invalid-slippage`, `insufficient-liquidity`, `pool-not-found`, `pool-mismatch`,
 * and the `rpc-…` codes
 * @example
 * ```ts
 * const quote = await quoteProAddLiquidity(client, { pool, mint, configVersion: 3, maxTokenB: 1_000_000_000n, slippageBps: 50 });
 * ```
 */
export async function quoteProAddLiquidity(
  client: HeavenClient,
  input: QuoteProAddLiquidityInput,
): Promise<AddLiquidityQuote> {
  const [checked, ignored] = checkInput(client, input, quoteProAddLiquidityFields);
  const { slippageBps, maxTokenA, maxTokenB } = checked;
  assertDepositLimits({ maxTokenA, maxTokenB });
  const found = await fetchPoolState(client, 'pro', checked, [checked.mint]);
  const { state } = found;
  assertDepositEnabled(state);
  const warnings = await tokenWarnings(found, false);
  const liquidity = liquidityOf(state);
  const deposit = computeDeposit(liquidity, { maxTokenA, maxTokenB });
  const minLpTokens = minimumAfterSlippage(deposit.lpTokens, slippageBps);
  return {
    ...deposit,
    maxTokenA: maxTokenA ?? boundedAfterSlippage(deposit.tokenA, slippageBps),
    maxTokenB: maxTokenB ?? boundedAfterSlippage(deposit.tokenB, slippageBps),
    minLpTokens,
    sharePct: sharePct(deposit.lpTokens, liquidity.lpSupply + deposit.lpTokens),
    warnings: [
      ...(await inWords([highSlippage(slippageBps, minLpTokens, `${deposit.lpTokens} LP tokens`)])),
      ...warnings,
      ...ignored,
    ],
  };
}
