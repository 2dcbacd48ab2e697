import type { computeDeposit, LiquidityDeposit } from '../../../math/liquidity.js';
import type { computeBuy, computeSell } from '../../../math/swap.js';
import type { SwapState } from '../../../math/types.js';
import type { PoolSnapshot } from '../../../pool/decode.js';
import type { findLpPositionAddress, findProPoolAddress } from '../../../program/addresses.js';

/**
 * What an instruction does when a test says so: nothing (it succeeds), or a failure with a custom error number or one of
 * the runtime's names.
 */
export type ScriptedOutcome = 'success' | { readonly custom: number } | { readonly runtime: string };

/**
 * How the emulated exchange behaves where it is not to be as this library understands the program. Each entry replaces one
 * thing; what is left out stays as assumed.
 */
export interface ExchangeBehaviour {
  /** A1: where the program expects a pro pool. */
  readonly findProPoolAddress?: typeof findProPoolAddress;
  /** A2: where the program expects an LP position. */
  readonly findLpPositionAddress?: typeof findLpPositionAddress;
  /** A3: whether the program reads the price accounts behind the list of this instruction (`pro_buy`, …). */
  readonly readsPrice?: (instruction: string) => boolean;
  /** A5, A6, A7: reserves and rates of a trade. */
  readonly toSwapState?: (snapshot: PoolSnapshot, options: { readonly slot: bigint }) => SwapState;
  /** A4: what a buy gives. */
  readonly computeBuy?: typeof computeBuy;
  readonly computeSell?: typeof computeSell;
  /** A8: what a deposit takes and gives. */
  readonly computeDeposit?: (...input: Parameters<typeof computeDeposit>) => LiquidityDeposit;
  /** A8: how many LP tokens a unit of `accumulatedFeePerLpToken` is for. Default 1e9. */
  readonly feePerLpTokenUnit?: bigint;
  /**
   * Scripts instructions in place of the model: of the exchange by their name, such as
   * `create_standard_liquidity_pool`, and of other programs by the program's address.
   */
  readonly scripted?: { readonly [instructionOrProgram: string]: ScriptedOutcome };
}
