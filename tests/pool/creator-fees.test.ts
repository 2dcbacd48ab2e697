import { expect, test } from 'vitest';

import { getPoolInfo } from '../../src/index.js';
import { CreatorTradingFeeClaimStatus, CreatorTradingFeeDistribution } from '../../src/program/index.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

const { Creator, Community, Blocked } = CreatorTradingFeeDistribution;
const { Processed } = CreatorTradingFeeClaimStatus;
const UNPROCESSED = 0;

test.each([
  // distribution, volume, threshold, status, claimable
  [Creator, 100, 100, Processed, true],
  [Creator, 0, 0, UNPROCESSED, true],
  [Creator, 99, 100, Processed, false],
  [Creator, 100, 100, UNPROCESSED, false],
  [Community, 99, 100, Processed, false],
  [Blocked, 99, 100, Processed, false],
] as const)(
  'whether creator fees can be claimed: distribution %i, volume %d of %d, status %i',
  async (creatorTradingFeeDistribution, tradingVolumeUsd, threshold, creatorTradingFeeClaimStatus, isClaimable) => {
    const { pool, mint } = ledger.pools.creator;
    ledger.updatePool(pool, () => ({
      creatorTradingFeeDistribution,
      tradingVolumeUsd,
      creatorTradingFeeTradingVolumeThreshold: threshold,
      creatorTradingFeeClaimStatus,
    }));
    const { isCreatorFeeClaimable } = await getPoolInfo(client, { mint });
    expect(isCreatorFeeClaimable).toBe(isClaimable);
  },
);
