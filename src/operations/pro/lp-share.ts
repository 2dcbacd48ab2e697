import { assertHas } from '../../base/input.js';
import { computePendingFees } from '../../math/liquidity.js';
import { assertPoolKind, type PoolSnapshot } from '../../pool/decode.js';
import { toUiNumber } from '../../pool/quote.js';
import { SOL_DECIMALS } from '../../pool/quote-amounts.js';
import { decodeLiquidityPoolState } from '../../program/accounts.js';
import type { LpBalance } from '../data/lp-balance.js';
import { sharePct } from './liquidity.js';

/** A user's share of a pro pool, at a snapshot of the pool. */
export interface LpShare {
  /** The share of the pool in percent. For display. */
  readonly sharePct: number;
  /** Token units of the share, rounded down. */
  readonly tokenA: bigint;
  /** Lamports of the share, rounded down. */
  readonly tokenB: bigint;
  /** What both sides are worth at the price of the pool and the price feed. For display. */
  readonly valueUsd: number;
  /** Lamports of fees that a claim would pay at the snapshot ([assumption A8](/protocol#assumptions)). */
  readonly pendingFees: bigint;
}

/**
 * Computes what a user's LP tokens stand for in a pro pool, and the fees that they have earned by a snapshot. With a snapshot that
 * follows the pool, such as that of {@link watchPool}, both stay current without another read.
 *
 * @param balance What {@link getLpBalance} returned for this pool.
 * @throws {HeavenError} `invalid-input`, `pool-mismatch`, `invalid-account-data`
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { pool, mint, configVersion: 3 });
 * const { sharePct, valueUsd, pendingFees } = toLpShare(snapshot, await getLpBalance(client, { pool, user }));
 * ```
 */
export function toLpShare(snapshot: PoolSnapshot, balance: LpBalance): LpShare {
  assertHas(snapshot, 'data', 'snapshot', 'a pool snapshot');
  assertHas(balance, 'details', 'balance', 'what getLpBalance returns');
  const { kind, data, solPrice } = snapshot;
  assertPoolKind('pro', kind);
  const { reserve, lpToken } = decodeLiquidityPoolState(data.pool);
  const { lpTokenBalance, rewardDebt, details } = balance;
  const supply = lpToken.supply.total;
  const part = (amount: bigint) => (supply === 0n ? 0n : (lpTokenBalance * amount) / supply);
  const tokenB = part(reserve.tokenB);
  // The pool's fees per LP token only grow, so the newer of the two is the higher.
  const accumulated =
    reserve.accumulatedFeePerLpToken > details.accumulatedFeePerLpToken
      ? reserve.accumulatedFeePerLpToken
      : details.accumulatedFeePerLpToken;
  return {
    sharePct: sharePct(lpTokenBalance, supply),
    tokenA: part(reserve.tokenA),
    tokenB,
    // The pool's price makes both sides worth the same.
    valueUsd: toUiNumber(2n * tokenB * solPrice.answer, SOL_DECIMALS + solPrice.decimals),
    pendingFees: computePendingFees(
      { lpTokenBalance, rewardDebt, pendingFees: details.storedPendingFees },
      accumulated,
    ),
  };
}
