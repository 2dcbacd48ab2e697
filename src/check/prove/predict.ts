import { isHeavenError } from '../../errors.js';
import { BPS } from '../../math/integers.js';
import { computeBuy, computeSell } from '../../math/swap.js';
import { transferFeeOf } from '../../math/transfer-fee.js';
import type { FeeAmounts, FeeRates, SwapState } from '../../math/types.js';
import type { PoolSnapshot } from '../../pool/decode.js';
import { toSwapState } from '../../pool/swap-state.js';
import { choicesOf, type ProofChoice, type ProofQuestionId, rulesOf } from './questions.js';

/** The amounts that a trade moves, in native units: token units, and lamports on the SOL side. */
export interface TradeOutcome {
  /** What leaves the wallet. */
  readonly amountIn: bigint;
  /** What arrives in the wallet. */
  readonly amountOut: bigint;
  /** The token's own transfer fee. */
  readonly transferFee: bigint;
  readonly reserveAAfter: bigint;
  readonly reserveBAfter: bigint;
  /** In lamports. `undefined` if it is unknown how the pool counts them. */
  readonly fees: FeeAmounts | undefined;
}

export type Side = 'buy' | 'sell';

const NO_FEES: FeeRates = {
  protocol: 0n,
  liquidityProvider: 0n,
  creator: 0n,
  creatorProtocol: 0n,
  reflection: 0n,
};

/**
 * A buy by the alternative to [assumption A4](/protocol#assumptions): all lamports go through the curve, and the fees are taken
 * from the tokens that come
 * out. Those fees may or may not stay in the pool's reserve, hence two outcomes.
 */
export function buyWithTokenFees(state: SwapState, amountIn: bigint): readonly [TradeOutcome, TradeOutcome] {
  const { reserveAAfter, reserveBAfter } = computeBuy({ ...state, buyFees: NO_FEES }, amountIn);
  const gross = state.reserveA - reserveAAfter;
  const feesInTokens = Object.values(state.buyFees).reduce((sum, bps) => sum + (gross * bps) / BPS, 0n);
  const net = gross - feesInTokens;
  const transferFee = transferFeeOf(net, state.transferFee);
  const fees = feesInTokens === 0n ? NO_FEES : undefined;
  const outcome = { amountIn, amountOut: net - transferFee, transferFee, reserveBAfter, fees };
  return [
    { ...outcome, reserveAAfter },
    { ...outcome, reserveAAfter: reserveAAfter + feesInTokens },
  ];
}

/** A trade, and the pool right before it in the same slot. */
interface TradeToPredict {
  readonly snapshot: PoolSnapshot;
  readonly side: Side;
  readonly amountIn: bigint;
}

/** The outcomes of a trade under some answers: several if the answers leave something open, none if it fails. */
export function tradeUnder(
  choice: ProofChoice,
  { snapshot, side, amountIn }: TradeToPredict,
): readonly TradeOutcome[] {
  const state = swapStateUnder(choice, snapshot);
  const outcomes = ifPossible(() => {
    if (side === 'sell') return [computeSell(state, amountIn)];
    return choice.A4 === 'tokens' ? buyWithTokenFees(state, amountIn) : [computeBuy(state, amountIn)];
  });
  return outcomes ?? [];
}

/** What is computed, or `undefined` if the pool can't make such a trade. */
export function ifPossible<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (isHeavenError(error, 'insufficient-liquidity') || isHeavenError(error, 'fees-exceed-amount'))
      return undefined;
    throw error;
  }
}

/** Reserves and rates under some answers. */
export const swapStateUnder = (choice: ProofChoice, snapshot: PoolSnapshot): SwapState =>
  toSwapState({ ...snapshot, rules: rulesOf(choice) });

/** The questions that a trade's outcome can depend on. */
export function questionsOfTrade(
  side: Side,
  { kind, feeSource, isSandwichResistant }: PoolSnapshot,
): readonly ProofQuestionId[] {
  return [
    ...(side === 'buy' ? (['A4'] as const) : []),
    ...(kind === 'pro' ? (['A5'] as const) : []),
    ...(feeSource === 'local' ? (['A6'] as const) : []),
    ...(isSandwichResistant ? (['A7.length', 'A7.fill'] as const) : []),
  ];
}

/** A combination of answers and what it predicts. */
export interface Predicted<T> {
  readonly choice: ProofChoice;
  readonly value: T;
}

/** What every combination of answers predicts for a trade. */
export const outcomesOf = (
  questions: readonly ProofQuestionId[],
  trade: TradeToPredict,
): readonly Predicted<readonly TradeOutcome[]>[] =>
  choicesOf(questions).map((choice) => ({ choice, value: tradeUnder(choice, trade) }));

/**
 * Leaves out the questions whose answers never make a difference.
 *
 * @param keyOf Returns the same key for values that can't be distinguished.
 */
export function withoutIrrelevant<T>(
  predicted: readonly Predicted<T>[],
  questions: readonly ProofQuestionId[],
  keyOf: (value: T) => string,
): readonly Predicted<T>[] {
  return questions.reduce((left, id) => withoutIfSame(left, id, keyOf), predicted);
}

function withoutIfSame<T>(
  predicted: readonly Predicted<T>[],
  id: ProofQuestionId,
  keyOf: (value: T) => string,
): readonly Predicted<T>[] {
  const merged = new Map<string, Predicted<T>>();
  for (const { choice, value } of predicted) {
    const { [id]: _, ...others } = choice;
    const key = JSON.stringify(others);
    const same = merged.get(key);
    if (same === undefined) merged.set(key, { choice: others, value });
    else if (keyOf(same.value) !== keyOf(value)) return predicted;
  }
  return [...merged.values()];
}
