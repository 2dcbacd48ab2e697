import { describe, expect, test } from 'vitest';

import { getPoolInfo } from '../../../src/index.js';
import { findProtocolConfigAddress, SOL_USD_FEED_ADDRESS } from '../../../src/program/index.js';
import type { EmbeddedLedger } from '../../../src/testing/index.js';
import { STRANGER } from '../../support/addresses.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger, useLedger } from '../../support/ledger.js';

useLedger();

type PoolName = keyof EmbeddedLedger['pools'];
type State = Parameters<Parameters<EmbeddedLedger['updatePool']>[1]>[0];

const infoOf = (name: PoolName) => {
  const { mint, pool, kind } = ledger.pools[name];
  return getPoolInfo(client, kind === 'pro' ? { mint, pool } : { mint });
};

const update = (name: PoolName, fields: Partial<State>) =>
  ledger.updatePool(ledger.pools[name].pool, () => fields);

// The whole records are in the golden answers.

test('the record is the same for a price with another number of decimals', async () => {
  const info = await infoOf('creator');
  const feed = ledger.getAccount(SOL_USD_FEED_ADDRESS)!;
  // $82.0175991, with 8 decimals, is written with 10.
  const data = Uint8Array.from(feed.data);
  const view = new DataView(data.buffer);
  view.setUint8(138, 10);
  view.setBigUint64(216, 820_175_991_000n, true);
  ledger.setAccount(SOL_USD_FEED_ADDRESS, { ...feed, data });
  expect(await infoOf('creator')).toEqual(info);
});

test.each([
  // slots behind the launch, price: creator fee 50 % up to 5 slots, 10 % up to 15, then 0.1 %; the protocol takes 1 % more.
  [5n, 82, 51],
  [6n, 82, 11],
  [16n, 82, 1.1],
  // 35 SOL and all of the tokens: $99,995 and $100,030. The bound of $99,999 is in between.
  [100n, 2_857, 1.1],
  [100n, 2_858, 0.35],
])('fees in percent %s slots after a launch, at $%i per SOL', async (offset, price, pct) => {
  update('launching', { createdAtSlot: ledger.slot });
  ledger.setSlot(ledger.slot + offset);
  ledger.setSolPrice(price);
  expect(await infoOf('launching')).toMatchObject({
    currentSolPriceUsd: price,
    currentMarketCapUsd: 35 * price,
    currentBuyFeePct: pct,
    currentSellFeePct: pct,
  });
});

describe('creator fees', () => {
  test('collected are those claimed by anybody, and those unclaimed', async () => {
    ledger.setSolPrice(2);
    update('community', {
      creatorTradingFees: 1_000_000_001n,
      creatorTradingFeesClaimedByCreator: 2_000_000_020n,
      creatorTradingFeesClaimedByOthers: 3_000_000_300n,
    });
    expect(await infoOf('community')).toMatchObject({
      currentCreatorFeeClaimByCreator: 2.00000002,
      currentCreatorFeeCollectedSol: 6.000000321,
      currentCreatorFeeCollectedUsd: 12.000000642,
    });
  });

  // As the program numbers them.
  const STATUSES = ['Unclaimed', 'Submitted', 'Processed', 'Unknown'];
  const DISTRIBUTIONS = ['Community', 'Creator', 'Blocked', 'Shared', 'Unknown'];
  const [UNCLAIMED, PROCESSED] = [0, 2];
  const [COMMUNITY, CREATOR] = [0, 1];

  test('have a status and a distribution in words', async () => {
    for (const [creatorTradingFeeClaimStatus, word] of STATUSES.entries()) {
      update('community', { creatorTradingFeeClaimStatus });
      expect((await infoOf('community')).currentCreatorFeeClaimStatus).toBe(word);
    }
    for (const [creatorTradingFeeDistribution, word] of DISTRIBUTIONS.entries()) {
      update('community', { creatorTradingFeeDistribution });
      expect((await infoOf('community')).currentCreatorFeeDistribution).toBe(word);
    }
  });

  // More of them are in tests/transaction/claim.test.ts.
  type Obstacle = readonly [reason: string, message: RegExp] | undefined;
  test.each<readonly [number, number, number, number, Obstacle]>([
    // status, distribution, volume, threshold, why not
    [PROCESSED, CREATOR, 100_000, 100_000, undefined],
    [PROCESSED, CREATOR, 99_999.996, 100_000, ['volume-below-threshold', /99999.99 USD, .* from 100000 USD/]],
    [UNCLAIMED, CREATOR, 250_000, 100_000, ['not-processed', /until the claim status is Processed/]],
    [PROCESSED, COMMUNITY, 250_000, 100_000, ['community', /go to the community/]],
  ])(
    'with status %i and distribution %i at $%d of $%d can be claimed, or not: %j',
    async (creatorTradingFeeClaimStatus, creatorTradingFeeDistribution, volume, threshold, obstacle) => {
      update('creator', {
        creatorTradingFeeClaimStatus,
        creatorTradingFeeDistribution,
        tradingVolumeUsd: volume,
        creatorTradingFeeTradingVolumeThreshold: threshold,
      });
      const info = await infoOf('creator');
      expect(info).toMatchObject({
        isCreatorFeeClaimable: obstacle === undefined,
        currentTradingVolumeUsd: volume,
        tradingVolumeThresholdUsd: threshold,
      });
      const [reason, message] = obstacle ?? [];
      const said = { creatorFees: { reason, message: expect.stringMatching(message ?? '') } };
      expect(info.details).toEqual(obstacle && said);
    },
  );
});

test('a config counts the market cap of a migration in thousands of USD', async () => {
  ledger.updateConfig(ledger.pools.community.protocolConfig, () => ({ migrationMarketCapThreshold: 65_535 }));
  expect((await infoOf('community')).migrationMarketCapThreshold).toBe(65_535_000);
});

describe('which pool', () => {
  test('a config version narrows it down to one config', async () => {
    const { mint } = ledger.pools.creator;
    // The pool, the mint, the price feed, the clock, and the three configs that may be the pool's, or one of them.
    await getPoolInfo(client, { mint });
    expect((await getPoolInfo(client, { mint, configVersion: 2 })).protocolConfigVersion).toBe(2);
    expect(ledger.requests.map(({ params: [addresses] }) => (addresses as unknown[]).length)).toEqual([7, 5]);
    const other = getPoolInfo(client, { mint, configVersion: 1 });
    await expectRefusal(other, 'pool-mismatch:configVersion', { found: 2, asked: 1 });
  });

  test('a pool of an unpublished config version needs its version', async () => {
    const version = 7;
    const protocolConfig = await findProtocolConfigAddress({ version });
    const { pool, protocolConfig: published, mint } = ledger.pools.community;
    ledger.setAccount(protocolConfig, ledger.getAccount(published));
    ledger.updateConfig(protocolConfig, () => ({ version }));
    ledger.updatePool(pool, ({ info }) => ({
      info: { ...info, protocolConfigVersion: version },
      protocolConfig,
    }));
    const context = { asked: '1 or 2 or 3', found: version };
    await expectRefusal(getPoolInfo(client, { mint }), 'pool-mismatch:configVersion', context);
    expect(await getPoolInfo(client, { mint, configVersion: version })).toMatchObject({
      classification: 'Unknown',
      protocolConfigVersion: version,
    });
  });

  test('a pool that is none, or of another token', async () => {
    const { mint } = ledger.pools.creator;
    await expectRefusal(getPoolInfo(client, { mint, pool: STRANGER }), 'pool-not-found');
    await expectRefusal(getPoolInfo(client, { mint, pool: ledger.pools.pro.pool }), 'pool-mismatch:mint');
    const wallet = ledger.pools.creator.creator;
    await expectRefusal(getPoolInfo(client, { mint, pool: wallet }), 'invalid-account-data:found');
  });

  test('a config that does not exist', async () => {
    ledger.setAccount(ledger.pools.creator.protocolConfig, undefined);
    await expectRefusal(infoOf('creator'), 'account-not-found');
    // Only the pool's own config has to be there.
    expect((await infoOf('community')).classification).toBe('Community');
  });
});
