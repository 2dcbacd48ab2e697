import type { LiquidityPoolState } from '../program/accounts.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../program/types.js';

/** The fields of a pool that decide whether its creator fees can be claimed. */
type ClaimState = Pick<
  LiquidityPoolState,
  | 'creatorTradingFeeClaimStatus'
  | 'creatorTradingFeeDistribution'
  | 'creatorTradingFeeTradingVolumeThreshold'
  | 'tradingVolumeUsd'
>;

/** Returns why a pool's creator fees can't be claimed, or `undefined` if they can. */
export function claimObstacle(
  pool: ClaimState,
): 'blocked' | 'community' | 'volume-below-threshold' | 'not-processed' | undefined {
  const threshold = pool.creatorTradingFeeTradingVolumeThreshold;
  if (pool.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Blocked) return 'blocked';
  if (pool.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Community) return 'community';
  if (!(pool.tradingVolumeUsd >= threshold)) return 'volume-below-threshold';
  const isProcessed = pool.creatorTradingFeeClaimStatus === CreatorTradingFeeClaimStatus.Processed;
  return isProcessed || threshold === 0 ? undefined : 'not-processed';
}
