import type { computeDeposit, LiquidityDeposit } from '../../../math/liquidity.js';
import type { computeBuy, computeSell } from '../../../math/swap.js';
import type { SwapState } from '../../../math/types.js';
import type { PoolSnapshot } from '../../../pool/decode.js';

/**
 * What a scripted instruction does: it succeeds without doing anything, or fails with a custom error number or one of the
 * runtime's error names.
 */
export type ScriptedOutcome = 'success' | { readonly custom: number } | { readonly runtime: string };

/**
 * How the emulated exchange deviates from this library's understanding of the program. Each entry replaces one thing; the
 * rest stays as assumed.
 */
export interface ExchangeBehavior {
  /**
   * A4: what a buy's fees are taken from. `sol` (default): from the SOL, before the curve. `tokens`: all of the SOL goes
   * through the curve, and each fee is a share of the tokens that come out, rounded down. As with a sell, the fees leave the
   * reserve with the rest and stay in the vault; the pool's counters and the event then count them in token units. Does not
   * affect an initial purchase.
   */
  readonly buyFees?: 'sol' | 'tokens';
  /**
   * A12: the fees of a pro pool that is created without a reflection or LP fee list: the brackets of the config (default), or
   * no fee of that kind.
   */
  readonly omittedFees?: 'none' | 'config';
  /** The reserves and rates of a trade. */
  readonly toSwapState?: (snapshot: PoolSnapshot, options: { readonly slot: bigint }) => SwapState;
  /** What a buy returns, if neither of `buyFees` describes it. */
  readonly computeBuy?: typeof computeBuy;
  readonly computeSell?: typeof computeSell;
  /** What a deposit takes and gives. */
  readonly computeDeposit?: (...input: Parameters<typeof computeDeposit>) => LiquidityDeposit;
  /**
   * Scripts instructions instead of running the model: the exchange's by instruction name, such as
   * `create_standard_liquidity_pool`, and other programs' by program address.
   */
  readonly scripted?: { readonly [instructionOrProgram: string]: ScriptedOutcome };
}
