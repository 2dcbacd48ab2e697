import { expect, test } from 'vitest';

import { assertTradable, type PoolSnapshot, toSpotPrice, toUsdValue } from '../../src/core.js';
import { expectRefusal } from '../support/errors.js';

/** 50 SOL against 2,000,000 tokens of 6 decimals, and a SOL at $80. */
const pool = {
  reserveA: 2_000_000_000_000n,
  reserveB: 50_000_000_000n,
  token: { decimals: 6 },
  solPrice: { answer: 8_000_000_000n, decimals: 8, updatedAt: 0n },
};

test('the spot price is the ratio of the reserves, in SOL and in dollars', () => {
  const { solPerToken, usdPerToken, usdPerSol } = toSpotPrice(pool);
  expect(solPerToken).toBeCloseTo(0.000_025, 15);
  expect(usdPerToken).toBeCloseTo(0.002, 15);
  expect(usdPerSol).toBe(80);
  expect(toSpotPrice({ ...pool, token: { decimals: 9 } }).solPerToken).toBeCloseTo(0.025, 12);
});

test('an amount is worth its price in dollars', () => {
  expect(toUsdValue(pool, 1_500_000_000n, 'SOL')).toBeCloseTo(120, 9);
  expect(toUsdValue(pool, 500_000_000n, 'token')).toBeCloseTo(1, 9);
  expect(toUsdValue(pool, -500_000_000n, 'token')).toBeCloseTo(-1, 9);
  expect(toUsdValue(pool, 0n, 'token')).toBe(0);
});

test('a pool that is closed, or not open yet, is rejected before there is an amount', async () => {
  const open = { isSwapEnabled: true, opensAt: 100n, unixTimestamp: 100n } as PoolSnapshot;
  expect(() => assertTradable(open)).not.toThrow();
  await expectRefusal(() => assertTradable({ ...open, isSwapEnabled: false }), 'operation-disabled:swap', {});
  await expectRefusal(() => assertTradable({ ...open, unixTimestamp: 99n }), 'pool-not-open', {
    opensAt: 100n,
    now: 99n,
  });
});
