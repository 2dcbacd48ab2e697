import { describe, expect, test } from 'vitest';

import { fetchPoolSnapshot, quoteBuy, quoteSell, toPriceCurve } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

describe('the price curve', () => {
  test('has the average price of a quote, at each size that can be traded', async () => {
    const { community } = ledger.pools;
    const snapshot = await fetchPoolSnapshot(client, community);
    const unit = 10 ** (snapshot.token.decimals - 9);
    for (const side of ['buy', 'sell'] as const) {
      const curve = toPriceCurve(snapshot, side, { points: 6 });
      expect(curve.length).toBeGreaterThan(2);
      for (const { amountIn, solPerToken } of curve) {
        const terms = { ...community, snapshot, slippageBps: 0 };
        const { details } =
          side === 'buy'
            ? await quoteBuy(client, { ...terms, lamports: amountIn })
            : await quoteSell(client, { ...terms, amountIn });
        const [sol, tokens] = side === 'buy' ? [amountIn, details.amountOut] : [details.amountOut, amountIn];
        expect(solPerToken).toBeCloseTo((Number(sol) / Number(tokens)) * unit, 12);
      }
      const prices = curve.map(({ solPerToken }) => solPerToken);
      // The more you trade, the worse the price.
      expect([...prices].sort((a, b) => (side === 'buy' ? a - b : b - a))).toEqual(prices);
    }
  });

  test('is spaced evenly on a logarithmic scale, up to the reserve', async () => {
    const snapshot = await fetchPoolSnapshot(client, ledger.pools.community);
    const sizes = toPriceCurve(snapshot, 'buy', { points: 6 }).map(({ amountIn }) => Number(amountIn));
    const reserve = Number(snapshot.reserveB);
    expect(sizes).toHaveLength(6);
    for (const [index, size] of sizes.entries())
      expect(size / (reserve * 10 ** (index - 5))).toBeCloseTo(1, 6);
    expect(toPriceCurve(snapshot, 'buy')).toHaveLength(41);
  });

  test('leaves out what can not be traded', async () => {
    const snapshot = await fetchPoolSnapshot(client, ledger.pools.community);
    expect(toPriceCurve(snapshot, 'sell', { amountsIn: [0n, 1n, 2n ** 63n] })).toEqual([]);
    expect(toPriceCurve(snapshot, 'buy', { amountsIn: [0n, 1_000_000_000n] })).toHaveLength(1);
  });

  test('rejects another side and too many points', async () => {
    const snapshot = await fetchPoolSnapshot(client, ledger.pools.community);
    await expectRefusal(() => toPriceCurve(snapshot, 'swap' as 'buy'), 'invalid-input', { field: 'side' });
    await expectRefusal(() => toPriceCurve(snapshot, 'buy', { points: 1 }), 'invalid-input', {
      field: 'points',
    });
  });
});
