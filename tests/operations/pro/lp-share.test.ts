import { describe, expect, test } from 'vitest';

import {
  buildProSetSlotCreatorFee,
  fetchPoolSnapshot,
  getLpBalance,
  getPoolState,
  toLpShare,
  toProFeeSettings,
  toSlotFeeConfiguration,
} from '../../../src/index.js';
import { createFeeBrackets, createSlotFeeBrackets } from '../../../src/testing/index.js';
import { STRANGER } from '../../support/addresses.js';
import { CATCH_ALL } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger, locatorOf } from '../../support/ledger.js';
import {
  accumulate,
  brackets,
  locator,
  own,
  pro,
  schedule,
  setLiquidity,
  setPosition,
  slotBrackets,
  useProPool,
} from './support.js';

useProPool();

describe('a share of a pool', () => {
  const snapshot = () => fetchPoolSnapshot(client, locator());
  const balance = (user = pro.creator) => getLpBalance(client, { pool: pro.pool, user });

  test('is its part of both sides, rounded down, and what that is worth', async () => {
    setLiquidity(1_000_000_001n, 3_000_000_001n, 9n);
    await setPosition({ lpTokenBalance: 2n });
    ledger.setSolPrice(100);
    expect(toLpShare(await snapshot(), await balance())).toEqual({
      // 2 / 9
      sharePct: 22.222222,
      // 2000000002 / 9 = 222222222.4
      tokenA: 222_222_222n,
      // 6000000002 / 9 = 666666666.9
      tokenB: 666_666_666n,
      // twice 0.666666666 SOL at $100
      valueUsd: 133.3333332,
      pendingFees: 0n,
    });
  });

  test('is nothing for who has none', async () => {
    const nothing = { sharePct: 0, tokenA: 0n, tokenB: 0n, valueUsd: 0, pendingFees: 0n };
    expect(toLpShare(await snapshot(), await balance(STRANGER))).toEqual(nothing);
  });

  test('earns fees with each snapshot, and never less than at the time of the balance', async () => {
    await setPosition({ lpTokenBalance: 400_000_000_000n, rewardDebt: 40_000n, pendingFees: 1_234_567n });
    accumulate(250n);
    const [before, held] = [await snapshot(), await balance()];
    // 400e9 * 250 / 1e9 = 100000
    expect(toLpShare(before, held).pendingFees).toBe(1_294_567n);
    accumulate(1_000n);
    // 400e9 * 1000 / 1e9 = 400000
    expect(toLpShare(await snapshot(), held).pendingFees).toBe(1_594_567n);
    expect(toLpShare(before, await balance()).pendingFees).toBe(1_594_567n);
  });

  test('is only of a pro pool', async () => {
    const standard = await fetchPoolSnapshot(client, locatorOf(ledger.pools.creator));
    const [held, context] = [await balance(), { asked: 'pro', found: 'standard' }];
    await expectRefusal(() => toLpShare(standard, held), 'pool-mismatch:kind', context);
  });
});

test('the fee settings of a pool are those that its account counts, as the setters take them', async () => {
  const two = createFeeBrackets([100_000_000_000n, 300, 400], [CATCH_ALL, 100, 200]);
  ledger.updatePool(pro.pool, ({ marketCapBasedFees, slotOffsetBasedFees }) => ({
    marketCapBasedFees: {
      ...marketCapBasedFees,
      liquidityProviderTradingFee: createFeeBrackets([CATCH_ALL, 20]),
      reflectionTradingFee: createFeeBrackets(),
      creatorTradingFee: two,
    },
    slotOffsetBasedFees: {
      ...slotOffsetBasedFees,
      creatorTradingFee: {
        ...createSlotFeeBrackets([5, 5_000, 4_000], [15, 1_000]),
        maxSlotOffset: 20,
        maxFeeBps: 6_000,
        enabled: 0,
      },
    },
  }));
  expect(toProFeeSettings(await getPoolState(client, { pool: pro.pool }))).toEqual({
    lpFee: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 20, sellFeeBps: 20 }],
    reflectionFee: [],
    marketCapCreatorFee: brackets,
    slotCreatorFee: { brackets: slotBrackets, maxSlotOffset: 20, maxFeeBps: 6_000, enabled: false },
  });
});

test('a slot schedule of brackets alone ends with them', async () => {
  expect(toSlotFeeConfiguration(slotBrackets)).toEqual(schedule);
  const rising = [
    { slotOffsetUpperbound: 3, buyFeeBps: 100, sellFeeBps: 700 },
    { slotOffsetUpperbound: 9, buyFeeBps: 600, sellFeeBps: 200 },
  ];
  expect(toSlotFeeConfiguration(rising)).toMatchObject({ maxSlotOffset: 9, maxFeeBps: 700, enabled: true });
  const off = { brackets: [], maxSlotOffset: 0, maxFeeBps: 0, enabled: false };
  expect(toSlotFeeConfiguration([])).toEqual(off);
  await buildProSetSlotCreatorFee(client, { ...own(), ...off });
});
