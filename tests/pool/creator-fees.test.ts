import { expect, test } from 'vitest';

import { creatorFeeObstacle, getPoolInfo, getPoolState } from '../../src/index.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../../src/program/index.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

const { Creator, Community, Blocked } = CreatorTradingFeeDistribution;
const { Processed } = CreatorTradingFeeClaimStatus;
const UNPROCESSED = 0;

test.each([
  // distribution, volume, threshold, status, obstacle
  [Creator, 100, 100, Processed, undefined],
  [Creator, 0, 0, UNPROCESSED, undefined],
  [Creator, 99, 100, Processed, 'volume-below-threshold'],
  [Creator, 100, 100, UNPROCESSED, 'not-processed'],
  [Community, 99, 100, Processed, 'community'],
  [Blocked, 99, 100, Processed, 'blocked'],
] as const)(
  'the obstacle to a claim: distribution %i, volume %d of %d, status %i',
  async (creatorTradingFeeDistribution, tradingVolumeUsd, threshold, creatorTradingFeeClaimStatus, obstacle) => {
    const { pool, mint } = ledger.pools.creator;
    ledger.updatePool(pool, () => ({
      creatorTradingFeeDistribution,
      tradingVolumeUsd,
      creatorTradingFeeTradingVolumeThreshold: threshold,
      creatorTradingFeeClaimStatus,
    }));
    expect(creatorFeeObstacle(await getPoolState(client, { mint }))).toBe(obstacle);
    const { isCreatorFeeClaimable } = await getPoolInfo(client, { mint });
    expect(isCreatorFeeClaimable).toBe(obstacle === undefined);
  },
);
