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

const IN_WORDS = {
  blocked: "The protocol has blocked this pool's creator fees. Wait until it unblocks them.",
  community:
    'The creator fees of this pool go to the community: nobody can claim them for the creator while the distribution mode is Community.',
  'not-processed':
    "The protocol has not processed the pool's creator fee claim yet. Wait until the claim status is Processed.",
} as const;

/** An obstacle for people, and what to do about it. */
export function obstacleInWords(obstacle: CreatorFeeObstacle, pool: CreatorFeeState): string {
  if (obstacle !== 'volume-below-threshold') return IN_WORDS[obstacle];
  // In whole cents, rounded down, so that it never reads as the threshold.
  const volume = Math.floor(pool.tradingVolumeUsd * 100) / 100;
  return `The pool's trading volume is ${volume} USD, and its creator fees can be claimed from ${pool.creatorTradingFeeTradingVolumeThreshold} USD on. Wait until it has traded that much.`;
}
