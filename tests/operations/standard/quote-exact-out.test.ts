import { expect, test } from 'vitest';

import {
  buildProSell,
  computeBuy,
  computeBuyExactOut,
  computeSell,
  fetchPoolSnapshot,
  quoteBuyExactOut,
  quoteProBuyExactOut,
  quoteProSellExactOut,
  quoteSellExactOut,
  toSwapState,
} from '../../../src/index.js';
import { client, ledger, locatorOf, termsOf, useLedger } from '../../support/ledger.js';
import { fc } from '../../support/properties.js';

// Of both kinds of pool.

useLedger();

const proTerms = () => {
  const { mint, pool, configVersion } = ledger.pools.pro;
  return { mint, pool, configVersion, slippageBps: 50 };
};

test('the most that an exact-out buy takes has the slippage added, also where that buys no more', async () => {
  // A unit costs more than a millionth of the pool: half a percent more buys none.
  ledger.setReserves(ledger.pools.creator.pool, { tokenA: 1_000_000n });
  const { maxLamportSpend, details } = await quoteBuyExactOut(client, { ...termsOf(), amountOut: 10n });
  const { amountIn } = computeBuyExactOut(
    toSwapState(await fetchPoolSnapshot(client, locatorOf(termsOf()))),
    10n,
  );
  expect(details.amountOut).toBe(10n);
  expect(maxLamportSpend).toBe((amountIn * 10_050n + 9_999n) / 10_000n);
});

test('a buy: the least lamports and the slippage, for the tokens as the minimum, in one call', async () => {
  const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf()));
  const quote = await quoteBuyExactOut(client, { ...termsOf(), amountOut: 123_456_789n, snapshot });
  const { amountIn: least } = computeBuyExactOut(toSwapState(snapshot), 123_456_789n);
  expect(quote).toMatchObject({
    minimumOut: 123_456_789n,
    slippageBps: 50,
    maxLamportSpend: (least * 10_050n + 9_999n) / 10_000n,
  });
  expect(ledger.requests.length).toBe(1);
  // In UI units: tokens of a buy, SOL of a sell.
  const { decimals } = snapshot.token;
  const buy = await quoteBuyExactOut(client, { ...termsOf(), amountOutUi: '1000' });
  expect(buy.minimumOut).toBe(1_000n * 10n ** BigInt(decimals));
  const sell = await quoteSellExactOut(client, { ...termsOf(), amountOutUi: '0.25' });
  expect(sell).toMatchObject({ minimumOut: 250_000_000n, minimumOutUi: 0.25 });
});

test('the built trade takes at most the maximum, even if the price moved, and fails beyond it', async () => {
  const { pool, mint, configVersion } = ledger.pools.pro;
  const payer = ledger.pools.creator.creator;
  const snapshot = await fetchPoolSnapshot(client, { pool, mint, configVersion });
  const quote = await quoteProSellExactOut(client, { ...proTerms(), amountOut: 1_000_000n, snapshot });
  const build = () =>
    buildProSell(client, { payer, pool, quoteResponse: quote, encodedUserDefinedEventData: '' });
  // A price that is worse by less than the slippage, and one by more.
  ledger.setReserves(pool, { tokenB: (snapshot.reserveB * 9_960n) / 10_000n });
  const near = await build();
  expect(near.amountIn).toBe(quote.amountIn);
  expect(near.amountOut).toBeGreaterThanOrEqual(1_000_000n);
  expect(near.warnings.map(({ code }) => code)).not.toContain('minimum-not-reached');
  ledger.setReserves(pool, { tokenB: (snapshot.reserveB * 9_900n) / 10_000n });
  expect((await build()).warnings.map(({ code }) => code)).toContain('minimum-not-reached');
});

test('of any size in any pool: what is asked for is the minimum, and what is paid at most gives it', async () => {
  const { configVersion, mint } = ledger.pools.community;
  const locators = [termsOf(), { configVersion, mint }, proTerms()];
  const snapshots = await Promise.all(
    locators.map((locator) => fetchPoolSnapshot(client, locatorOf(locator))),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...snapshots),
      fc.bigInt({ min: 1n, max: 10_000_000n }),
      fc.nat({ max: 300 }),
      async (snapshot, amountOut, slippageBps) => {
        const { mint, pool } = snapshot.addresses;
        const { configVersion, kind } = snapshot;
        const input = { configVersion, mint, amountOut, slippageBps, snapshot };
        const state = toSwapState(snapshot);
        const buy = await (kind === 'pro'
          ? quoteProBuyExactOut(client, { ...input, pool })
          : quoteBuyExactOut(client, input));
        const bought = computeBuy(state, buy.maxLamportSpend).amountOut;
        expect([buy.minimumOut, buy.details.amountOut]).toEqual([amountOut, bought]);
        expect(bought).toBeGreaterThanOrEqual(amountOut);
        const sell = await (kind === 'pro'
          ? quoteProSellExactOut(client, { ...input, pool })
          : quoteSellExactOut(client, input));
        expect(sell.minimumOut).toBe(amountOut);
        expect(computeSell(state, sell.amountIn).amountOut).toBeGreaterThanOrEqual(amountOut);
      },
    ),
    { numRuns: 200 },
  );
});

test('takes the least if the slippage would cross a fee bracket and give less', async () => {
  const snapshot = await fetchPoolSnapshot(client, locatorOf(termsOf()));
  const state = toSwapState(snapshot);
  // 50 and 100 basis points, each rounded down: 0 and 1 of 199 lamports, 1 and 2 of 200.
  const [before, after] = [computeBuy(state, 199n), computeBuy(state, 200n)];
  expect([before.totalFee, after.totalFee]).toEqual([1n, 3n]);
  const { amountOut } = before;
  expect(after.amountOut).toBeLessThan(amountOut);
  const quote = await quoteBuyExactOut(client, { ...termsOf(), slippageBps: 1, amountOut, snapshot });
  expect(quote).toMatchObject({ maxLamportSpend: 199n, minimumOut: amountOut });
});
