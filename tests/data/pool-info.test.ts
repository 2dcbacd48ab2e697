import { type Address, getAddressDecoder } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { type GetPoolInfoInput, getPoolInfo, getProtocolConfigState } from '../../src/index.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { createSampleConfig, createSamplePoolFields, type EmbeddedLedger } from '../../src/testing/index.js';
import { capturedAccount, hasCapturedAccounts, withCapturedAccounts } from '../support/captured.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

type PoolName = keyof EmbeddedLedger['pools'];
type State = Parameters<Parameters<EmbeddedLedger['updatePool']>[1]>[0];

const infoOf = (name: PoolName) => {
  const { mint, pool, kind } = ledger.pools[name];
  return getPoolInfo(client, kind === 'pro' ? { mint, pool } : { mint });
};

const update = (name: PoolName, fields: Partial<State>) =>
  ledger.updatePool(ledger.pools[name].pool, () => fields);

/** The requests to the node: the method, and how many accounts. */
const requests = () =>
  ledger.requests.map(({ method, params: [addresses] }) => [method, (addresses as unknown[]).length]);

describe('the whole record', () => {
  // The pool, the mint, the price feed, the clock, and the configs that may be the pool's.
  const ONE_CALL = [['getMultipleAccounts', 7]];

  test('of a community pool', async () => {
    const { creator } = ledger.pools.community;
    expect(await infoOf('community')).toEqual({
      classification: 'Community',
      creator,
      currentBaseReserve: Number('304347826.086956522'),
      currentQuoteReserve: 115,
      // 100 (protocol, under $100k) + 10 (creator) basis points
      currentBuyFeePct: 1.1,
      currentSellFeePct: 1.1,
      currentCreatorFeeClaimByCreator: 0,
      currentCreatorFeeClaimStatus: 'Unclaimed',
      currentCreatorFeeCollectedSol: 0,
      currentCreatorFeeCollectedUsd: 0,
      currentCreatorFeeDistribution: 'Community',
      currentCreatorFeeRecipient: creator,
      // 115000000000 * 10^18 / 304347826086956522 lamports at $82.0175991, rounded down to millionths
      currentMarketCapUsd: 30_990.935659,
      currentSolPriceUsd: 82.0175991,
      currentTradingVolumeUsd: 0,
      isCreatorFeeClaimable: false,
      isMigrated: false,
      migrationMarketCapThreshold: 100_000,
      protocolConfigVersion: 1,
      tradingVolumeThresholdUsd: 0,
    });
    expect(requests()).toEqual(ONE_CALL);
  });

  test('of a creator pool', async () => {
    const { creator } = ledger.pools.creator;
    expect(await infoOf('creator')).toEqual({
      classification: 'Creator',
      creator,
      currentBaseReserve: Number('103927583.151068173'),
      currentQuoteReserve: 1_558.777720473,
      // 50 (protocol, from $100k on) + 100 (creator) basis points
      currentBuyFeePct: 1.5,
      currentSellFeePct: 1.5,
      currentCreatorFeeClaimByCreator: 13_688.215097851,
      currentCreatorFeeClaimStatus: 'Processed',
      // 420891248646 unclaimed + 13688215097851 claimed = 14109106346497 lamports
      currentCreatorFeeCollectedSol: 14_109.106346497,
      // 14109.106346497 * 82.0175991
      currentCreatorFeeCollectedUsd: Number('1157195.0279862566353527'),
      currentCreatorFeeDistribution: 'Creator',
      currentCreatorFeeRecipient: creator,
      // 1558777720473 * 925699119637156028 / 103927583151068173 lamports at $82.0175991
      currentMarketCapUsd: 1_138_754.915736,
      currentSolPriceUsd: 82.0175991,
      currentTradingVolumeUsd: 101_237.13940687699,
      isCreatorFeeClaimable: true,
      isMigrated: true,
      migrationMarketCapThreshold: 100_000,
      protocolConfigVersion: 2,
      tradingVolumeThresholdUsd: 100_000,
    });
    expect(requests()).toEqual(ONE_CALL);
  });

  test('is the same for a price with another number of decimals', async () => {
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

  test('of a pro pool, by its mint and its address', async () => {
    const { creator } = ledger.pools.pro;
    expect(await infoOf('pro')).toEqual({
      classification: 'Pro',
      creator,
      // 6 decimals
      currentBaseReserve: 400_000_000,
      currentQuoteReserve: 400,
      // 30 (protocol, of the config) + 20 (liquidity providers) + 100 or 150 (creator, under $100k) + 10 (reflection)
      currentBuyFeePct: 1.6,
      currentSellFeePct: 2.1,
      currentCreatorFeeClaimByCreator: 0,
      currentCreatorFeeClaimStatus: 'Processed',
      currentCreatorFeeCollectedSol: 1.5,
      // 1.5 x 82.0175991
      currentCreatorFeeCollectedUsd: 123.02639865,
      currentCreatorFeeDistribution: 'Creator',
      currentCreatorFeeRecipient: creator,
      // 400 SOL for 400,000,000 of 1,000,000,000 tokens: 1000 SOL
      currentMarketCapUsd: 82_017.5991,
      currentSolPriceUsd: 82.0175991,
      currentTradingVolumeUsd: 0,
      isCreatorFeeClaimable: true,
      isMigrated: false,
      migrationMarketCapThreshold: 0,
      protocolConfigVersion: 3,
      tradingVolumeThresholdUsd: 0,
    });
    expect(requests()).toEqual(ONE_CALL);
  });

  test('names the receiver if it is not the creator', async () => {
    update('community', { creatorTradingFeeReceiver: SYSTEM_PROGRAM_ADDRESS });
    expect(await infoOf('community')).toMatchObject({
      creator: ledger.pools.community.creator,
      currentCreatorFeeRecipient: SYSTEM_PROGRAM_ADDRESS,
    });
  });
});

describe('fees in percent', () => {
  // Creator fee 50 % up to 5 slots behind the launch, 10 % up to 15, then 0.1 %; the protocol fee of 1 % comes on top.
  test.each([
    [0n, 51],
    [5n, 51],
    [6n, 11],
    [15n, 11],
    [16n, 1.1],
    [1_000n, 1.1],
  ])('%s slots after a launch', async (offset, pct) => {
    const launchSlot = ledger.slot;
    update('launching', { createdAtSlot: launchSlot });
    ledger.setSlot(launchSlot + offset);
    expect(await infoOf('launching')).toMatchObject({ currentBuyFeePct: pct, currentSellFeePct: pct });
  });

  test.each([
    // 35 SOL and all of the tokens: $99,995 and $100,030. The bound of $99,999 is in between.
    [2_857, 99_995, 1.1],
    [2_858, 100_030, 0.35],
  ])('at $%i per SOL', async (price, marketCap, pct) => {
    ledger.setSlot(ledger.slot + 100n);
    ledger.setSolPrice(price);
    expect(await infoOf('launching')).toMatchObject({
      currentSolPriceUsd: price,
      currentMarketCapUsd: marketCap,
      currentBuyFeePct: pct,
      currentSellFeePct: pct,
    });
  });
});

describe('creator fees', () => {
  test.each([
    // unclaimed, claimed by the creator, claimed by others: claimed by the creator, and all in SOL, and at $2
    [0n, 0n, 0n, 0, 0, 0],
    [1n, 0n, 0n, 0, 1e-9, 2e-9],
    [0n, 1_500_000_000n, 0n, 1.5, 1.5, 3],
    [0n, 0n, 250_000_000n, 0, 0.25, 0.5],
    [1_000_000_001n, 2_000_000_020n, 3_000_000_300n, 2.00000002, 6.000000321, 12.000000642],
  ])('%s unclaimed, %s and %s claimed', async (unclaimed, byCreator, byOthers, claimed, sol, usd) => {
    ledger.setSolPrice(2);
    update('community', {
      creatorTradingFees: unclaimed,
      creatorTradingFeesClaimedByCreator: byCreator,
      creatorTradingFeesClaimedByOthers: byOthers,
    });
    expect(await infoOf('community')).toMatchObject({
      currentCreatorFeeClaimByCreator: claimed,
      currentCreatorFeeCollectedSol: sol,
      currentCreatorFeeCollectedUsd: usd,
    });
  });

  const { Unclaimed, Submitted, Processed } = CreatorTradingFeeClaimStatus;
  const { Community, Creator, Blocked, Shared } = CreatorTradingFeeDistribution;

  test.each([
    ['Unclaimed', Unclaimed, 0],
    ['Submitted', Submitted, 1],
    ['Processed', Processed, 2],
    ['Unknown', 3, 3],
    ['Unknown', 255, 255],
  ])('the claim status %s (%i)', async (name, creatorTradingFeeClaimStatus, onChain) => {
    expect(creatorTradingFeeClaimStatus).toBe(onChain);
    update('community', { creatorTradingFeeClaimStatus });
    expect((await infoOf('community')).currentCreatorFeeClaimStatus).toBe(name);
  });

  test.each([
    ['Community', Community, 0],
    ['Creator', Creator, 1],
    ['Blocked', Blocked, 2],
    ['Shared', Shared, 3],
    ['Unknown', 4, 4],
  ])('the distribution %s (%i)', async (name, creatorTradingFeeDistribution, onChain) => {
    expect(creatorTradingFeeDistribution).toBe(onChain);
    update('community', { creatorTradingFeeDistribution });
    expect((await infoOf('community')).currentCreatorFeeDistribution).toBe(name);
  });

  test.each([
    // status, distribution, volume, threshold
    [Processed, Creator, 100_000, 100_000, true],
    [Processed, Creator, 99_999.99, 100_000, false],
    [Processed, Creator, 250_000, 100_000, true],
    [Submitted, Creator, 250_000, 100_000, false],
    [Unclaimed, Creator, 250_000, 100_000, false],
    [Unclaimed, Creator, 0, 0, true],
    [Submitted, Community, 0, 0, false],
    [Processed, Community, 0, 0, false],
    [Processed, Community, 250_000, 100_000, false],
    [Processed, Shared, 100_000, 100_000, true],
    [Processed, Blocked, 250_000, 100_000, false],
    [Unclaimed, Blocked, 0, 0, false],
    [Processed, Creator, Number.NaN, 100_000, false],
  ])(
    'status %i, distribution %i, $%d of $%d: claimable %s',
    async (creatorTradingFeeClaimStatus, creatorTradingFeeDistribution, tradingVolumeUsd, creatorTradingFeeTradingVolumeThreshold, isCreatorFeeClaimable) => {
      update('creator', {
        creatorTradingFeeClaimStatus,
        creatorTradingFeeDistribution,
        tradingVolumeUsd,
        creatorTradingFeeTradingVolumeThreshold,
      });
      expect(await infoOf('creator')).toMatchObject({
        isCreatorFeeClaimable,
        currentTradingVolumeUsd: tradingVolumeUsd,
        tradingVolumeThresholdUsd: creatorTradingFeeTradingVolumeThreshold,
      });
    },
  );
});

describe('migration', () => {
  test.each([
    // The config counts in thousands of USD, in two bytes.
    [0, 0],
    [1, 1_000],
    [100, 100_000],
    [65_535, 65_535_000],
  ])('a threshold of %i is $%i', async (migrationMarketCapThreshold, usd) => {
    ledger.updateConfig(ledger.pools.community.protocolConfig, () => ({ migrationMarketCapThreshold }));
    expect((await infoOf('community')).migrationMarketCapThreshold).toBe(usd);
  });

  test.each([
    [0, false],
    [1, true],
  ])('a flag of %i', async (isMigrated, shown) => {
    update('community', { isMigrated });
    expect((await infoOf('community')).isMigrated).toBe(shown);
  });
});

describe('which pool', () => {
  test('a config version narrows it down to one config', async () => {
    const { mint } = ledger.pools.creator;
    expect((await getPoolInfo(client, { mint, configVersion: 2 })).protocolConfigVersion).toBe(2);
    expect(requests()).toEqual([['getMultipleAccounts', 5]]);
    await expectRefusal(getPoolInfo(client, { mint, configVersion: 1 }), 'pool-mismatch:configVersion', {
      found: 2,
      asked: 1,
    });
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
    await expectRefusal(getPoolInfo(client, { mint }), 'pool-mismatch:configVersion', { found: version });
    expect(await getPoolInfo(client, { mint, configVersion: version })).toMatchObject({
      classification: 'Unknown',
      protocolConfigVersion: version,
    });
  });

  test.each([
    ['a mint that is no address', { mint: 'x' }, 'invalid-address', { field: 'mint' }],
    ['a missing mint', { mint: undefined }, 'invalid-address', { field: 'mint' }],
    ['a pool that is no address', { pool: 'x' }, 'invalid-address', { field: 'pool' }],
    ['a bad config version', { configVersion: 1.5 }, 'invalid-input', { field: 'configVersion' }],
    ['a mint without a pool', { mint: SYSTEM_PROGRAM_ADDRESS }, 'pool-not-found', {}],
    ['a pool that is none', { pool: SYSTEM_PROGRAM_ADDRESS }, 'pool-not-found', {}],
  ])('%s', async (_, change, code, context) => {
    const input = { mint: ledger.pools.creator.mint, ...change } as GetPoolInfoInput;
    await expectRefusal(getPoolInfo(client, input), code, context);
  });

  test('a pool of another token', async () => {
    const { pool } = ledger.pools.pro;
    const { mint } = ledger.pools.creator;
    await expectRefusal(getPoolInfo(client, { mint, pool }), 'pool-mismatch:mint');
  });

  test('a config that does not exist', async () => {
    ledger.setAccount(ledger.pools.creator.protocolConfig, undefined);
    await expectRefusal(infoOf('creator'), 'account-not-found');
    // Only the pool's own config has to be there.
    expect((await infoOf('community')).classification).toBe('Community');
  });
});

describe('a protocol config', () => {
  test.each([1, 2, 3] as const)('version %i, whole', async (version) => {
    expect(await getProtocolConfigState(client, { version })).toEqual(createSampleConfig(version));
    expect(requests()).toEqual([['getMultipleAccounts', 1]]);
  });

  test.each([0, 4, 65_535])('version %i does not exist', async (version) => {
    const address = await findProtocolConfigAddress({ version });
    await expectRefusal(getProtocolConfigState(client, { version }), 'account-not-found', {
      account: 'ProtocolConfig',
      address,
    });
  });

  test.each([-1, 1.5, 65_536, Number.NaN, '1', 1n, null, undefined])(
    'version %s is invalid',
    async (version) => {
      await expectRefusal(getProtocolConfigState(client, { version: version as number }), 'invalid-input', {
        field: 'version',
      });
      expect(ledger.requests).toEqual([]);
    },
  );

  test('of another program, or another account, is rejected', async () => {
    const { protocolConfig, pool } = ledger.pools.creator;
    const account = ledger.getAccount(protocolConfig)!;
    ledger.setAccount(protocolConfig, { ...account, owner: SYSTEM_PROGRAM_ADDRESS });
    await expectRefusal(getProtocolConfigState(client, { version: 2 }), 'rpc-wrong-account', {
      address: protocolConfig,
    });
    ledger.setAccount(protocolConfig, ledger.getAccount(pool));
    await expectRefusal(getProtocolConfigState(client, { version: 2 }), 'rpc-wrong-account', {
      account: 'ProtocolConfig',
    });
  });
});

describe.skipIf(!hasCapturedAccounts)(`the captured LIGHT/SOL accounts${withCapturedAccounts}`, () => {
  beforeEach(() => {
    for (const name of ['light_sol_pool', 'protocol_config_v2', 'light_mint', 'chainlink_sol_usd']) {
      const { address, owner, data } = capturedAccount(name);
      ledger.setAccount(address, { owner, data });
    }
  });

  test('pool info, every figure by hand', async () => {
    const { data } = capturedAccount('light_sol_pool');
    const addressAt = (offset: number): Address => getAddressDecoder().decode(data, offset);
    expect(await getPoolInfo(client, { mint: capturedAccount('light_mint').address })).toEqual({
      classification: 'Creator',
      creator: addressAt(8),
      // 103927583151068173 units of 9 decimals, 1558777720473 lamports
      currentBaseReserve: Number('103927583.151068173'),
      currentQuoteReserve: 1_558.777720473,
      // from $100k on: 50 + 100 basis points; launched 51,939,153 slots ago, and without a slot schedule
      currentBuyFeePct: 1.5,
      currentSellFeePct: 1.5,
      // 13688215097851 lamports
      currentCreatorFeeClaimByCreator: 13_688.215097851,
      currentCreatorFeeClaimStatus: 'Processed',
      // 420891248646 + 13688215097851 + 0 = 14109106346497 lamports
      currentCreatorFeeCollectedSol: 14_109.106346497,
      // 14109106346497 * 8201759900 / 10^17
      currentCreatorFeeCollectedUsd: Number('1157195.026575346000703'),
      currentCreatorFeeDistribution: 'Creator',
      currentCreatorFeeRecipient: addressAt(2272),
      // 1558777720473 * 925699119637156028 / 103927583151068173 = 13884275182791 lamports, * 8201759900 / 10^17
      currentMarketCapUsd: 1_138_754.914347,
      currentSolPriceUsd: 82.017599,
      currentTradingVolumeUsd: 101_237.13940687699,
      isCreatorFeeClaimable: true,
      isMigrated: true,
      migrationMarketCapThreshold: 100_000,
      protocolConfigVersion: 2,
      tradingVolumeThresholdUsd: 100_000,
    });
    expect(requests()).toHaveLength(1);
  });

  test('protocol config 2, read byte by byte', async () => {
    const { address, owner, data } = capturedAccount('protocol_config_v2');
    expect(owner).toBe(HEAVEN_PROGRAM_ADDRESS);
    expect(await findProtocolConfigAddress({ version: 2 })).toBe(address);
    const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const u8 = (offset: number) => bytes.getUint8(offset);
    const u16 = (offset: number) => bytes.getUint16(offset, true);
    const u32 = (offset: number) => bytes.getUint32(offset, true);
    const u64 = (offset: number) => bytes.getBigUint64(offset, true);
    const f64 = (offset: number) => bytes.getFloat64(offset, true);
    const every = <T>(length: number, make: (index: number) => T) =>
      Array.from({ length }, (_, k) => make(k));
    const marketCapGroup = (at: number) => ({
      brackets: every(4, (k) => ({
        marketCapUpperBound: u64(at + 16 * k),
        buyFeeBps: u32(at + 16 * k + 8),
        sellFeeBps: u32(at + 16 * k + 12),
      })),
      count: u8(at + 64),
    });
    const slotGroup = (at: number) => ({
      brackets: every(42, (k) => ({
        buyFeeBps: u16(at + 6 * k),
        sellFeeBps: u16(at + 6 * k + 2),
        slotOffsetUpperbound: u16(at + 6 * k + 4),
      })),
      maxSlotOffset: u16(at + 252),
      maxFeeBps: u16(at + 254),
      count: u8(at + 256),
      enabled: u8(at + 257),
    });
    const groups = <T>(make: (index: number) => T) => ({
      protocolTradingFee: make(0),
      liquidityProviderTradingFee: make(1),
      creatorTradingFee: make(2),
      creatorTradingFeeProtocolFee: make(3),
      reflectionTradingFee: make(4),
    });
    const config = await getProtocolConfigState(client, { version: 2 });
    expect(config).toEqual({
      createPoolFee: u64(8),
      initialTokenBAmount: f64(16),
      initialTokenAAmount: u64(24),
      unstakedWsolReserve: u64(32),
      totalSolSpent: u64(40),
      totalMsolReceived: u64(48),
      totalRealizedProfit: u64(56),
      poolCount: u64(64),
      maxSupplyPerWallet: u64(72),
      creatorTradingFeeTradingVolumeThreshold: f64(80),
      marketCapBasedFees: groups((k) => marketCapGroup(88 + 72 * k)),
      bufferBps: u16(448),
      autoStakingThresholdBps: u16(450),
      version: u16(452),
      protocolConfigStateBump: u8(454),
      allowCreatePool: u8(455),
      supportedPoolType: u8(456),
      defaultLeaderSlotWindow: u8(457),
      autoStakingEnabled: u8(458),
      leaderSlotWindow: u8(459),
      sandwichResistenceEnabled: u8(460),
      tokenADecimals: u8(461),
      migrationMarketCapThreshold: u16(462),
      maxCreatorTradingFee: u32(472),
      slotOffsetBasedFees: groups((k) => slotGroup(476 + 262 * k)),
    });
    // And the figures that the launches of this version are published with.
    expect(config).toMatchObject({
      initialTokenBAmount: 35,
      initialTokenAAmount: 1_000_000_000_000_000_000n,
      creatorTradingFeeTradingVolumeThreshold: 100_000,
      migrationMarketCapThreshold: 100,
      maxCreatorTradingFee: 3_999,
      maxSupplyPerWallet: 18_446_744_073_709_551_615n,
    });
  });
});

test('sample pools cover each classification', async () => {
  const versions = Object.values(await createSamplePoolFields()).map(({ configVersion }) => configVersion);
  expect([...new Set(versions)].sort()).toEqual([1, 2, 3]);
});
