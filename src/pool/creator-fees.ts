import type { LiquidityPoolState } from '../program/accounts.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../program/types.js';

/** The fields of a pool that decide whether its creator fees can be claimed. */
type CreatorFeeState = Pick<
  LiquidityPoolState,
  | 'creatorTradingFeeClaimStatus'
  | 'creatorTradingFeeDistribution'
  | 'creatorTradingFeeTradingVolumeThreshold'
  | 'tradingVolumeUsd'
>;

/** Why nobody can claim a pool's creator fees now. */
export type CreatorFeeObstacle = 'blocked' | 'community' | 'volume-below-threshold' | 'not-processed';

/**
 * Why a pool's creator fees can't be claimed, or `undefined` if they can: the protocol has blocked them, they go to the community, the
 * pool has too little trading volume so far, or the protocol has not processed the claim yet.
 */
export function creatorFeeObstacle(pool: CreatorFeeState): CreatorFeeObstacle | undefined {
  const threshold = pool.creatorTradingFeeTradingVolumeThreshold;
  if (pool.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Blocked) return 'blocked';
  if (pool.creatorTradingFeeDistribution === CreatorTradingFeeDistribution.Community) return 'community';
  if (!(pool.tradingVolumeUsd >= threshold)) return 'volume-below-threshold';
  const isProcessed = pool.creatorTradingFeeClaimStatus === CreatorTradingFeeClaimStatus.Processed;
  return isProcessed || threshold === 0 ? undefined : 'not-processed';
}
