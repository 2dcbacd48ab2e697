import {
  computeDeposit,
  computePendingFees,
  type DepositLimits,
  type LiquidityDeposit,
  type LiquidityState,
} from '../../../math/liquidity.js';
import type { UserLpPosition } from '../../../program/accounts.js';
import type { ProtocolRules } from '../../../program/rules.js';

export function depositUnder(
  { depositRounding }: ProtocolRules,
  state: LiquidityState,
  limits: DepositLimits,
): LiquidityDeposit {
  const deposit = computeDeposit(state, limits);
  if (depositRounding === 'up') return deposit;
  const share = (reserve: bigint) => (deposit.lpTokens * reserve) / state.lpSupply;
  return { ...deposit, tokenA: share(state.reserveA), tokenB: share(state.reserveB) };
}

export function pendingFeesUnder(
  { feePerLpTokenUnit }: ProtocolRules,
  position: UserLpPosition,
  accumulated: bigint,
): bigint {
  if (feePerLpTokenUnit === 1_000_000_000n) return computePendingFees(position, accumulated);
  const earned = (position.lpTokenBalance * accumulated) / feePerLpTokenUnit;
  const pending = position.pendingFees + earned - position.rewardDebt;
  return pending > 0n ? pending : 0n;
}
