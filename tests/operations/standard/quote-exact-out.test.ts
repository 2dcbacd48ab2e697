import { expect, test } from 'vitest';

import {
  buildProSell,
  buildSell,
  computeBuy,
  computeBuyExactOut,
  computeSell,
  computeSellExactOut,
  explainError,
  fetchPoolSnapshot,
  quoteBest,
  quoteBuy,
  quoteBuyExactOut,
  quoteProBuyExactOut,
  quoteProSellExactOut,
  quoteSell,
  quoteSellExactOut,
  toSwapState,
} from '../../../src/index.js';
import { U64_MAX } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
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

test('the built trade takes all of the input, even if the price moved, and fails beyond the slippage', async () => {
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

test('of any size in any pool: what is asked for, or the slippage less, is the minimum; what is paid gives it', async () => {
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
      fc.constantFrom(undefined, 'input' as const, 'output' as const),
      async (snapshot, amountOut, slippageBps, slippageOn) => {
        const { mint, pool } = snapshot.addresses;
        const { configVersion, kind } = snapshot;
        const isPro = kind === 'pro';
        const amount = { amountOut, slippageBps, slippageOn, snapshot };
        const input = { configVersion, mint, ...(isPro ? { pool } : {}), ...amount } as never;
        const state = toSwapState(snapshot);
        const [buy, sell] = await Promise.all([
          (isPro ? quoteProBuyExactOut : quoteBuyExactOut)(client, input),
          (isPro ? quoteProSellExactOut : quoteSellExactOut)(client, input),
        ]);
        for (const [{ details, minimumOut }, paid, exactIn, exactOut] of [
          [buy, buy.maxLamportSpend, computeBuy, computeBuyExactOut],
          [sell, sell.amountIn, computeSell, computeSellExactOut],
        ] as const) {
          const { amountIn: leastAmountIn } = exactOut(state, amountOut);
          const given = exactIn(state, paid).amountOut;
          expect(details).toMatchObject({ leastAmountIn, amountIn: paid, amountOut: given });
          expect(given).toBeGreaterThanOrEqual(amountOut);
          const most = (leastAmountIn * BigInt(10_000 + slippageBps) + 9_999n) / 10_000n;
          if (slippageOn === 'output') expect(paid).toBe(leastAmountIn);
          else expect([leastAmountIn, most]).toContain(paid);
          const kept = BigInt(10_000 - (slippageOn === 'output' ? slippageBps : 0));
          expect(minimumOut).toBe((amountOut * kept) / 10_000n);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('says what is paid and received at the present price, with the slippage on either side', async () => {
  // 30.43 % of the tokens and 115 SOL; 1.1 % of fees. The least lamports were found by search.
  const ask = { ...termsOf('community'), amountOutUi: 1_000_000, slippageBps: 1_200 };
  const leastAmountIn = 383_319_278n;
  expect(await quoteBuyExactOut(client, ask)).toMatchObject({
    maxLamportSpend: 429_317_592n,
    minimumOut: 1_000_000_000_000_000n,
    details: { leastAmountIn, amountIn: 429_317_592n, amountOut: 1_119_558_578_829_911n },
  });
  expect(await quoteBuyExactOut(client, { ...ask, slippageOn: 'output' })).toMatchObject({
    maxLamportSpend: leastAmountIn,
    minimumOut: 880_000_000_000_000n,
    details: { leastAmountIn, amountIn: leastAmountIn },
  });
  const wrong = quoteBuyExactOut(client, { ...ask, slippageOn: 'both' as never });
  await expectRefusal(wrong, 'invalid-input', { field: 'slippageOn' });
  const exactIn = { mint: ask.mint, side: 'buy', maxSolSpend: 1, slippageBps: 50, slippageOn: 'output' };
  await expectRefusal(quoteBest(client, exactIn as never), 'invalid-input', { field: 'slippageOn' });
});

test('the slippage ends at what the pool takes', async () => {
  // All lamports but the virtual ones: 1,558.777720473 - 162 SOL, less 1.5 %. The figures are from a search with Python's integers.
  const ask = { ...termsOf(), slippageBps: 100, amountOut: 1_375_826_054_667n };
  const quote = await quoteSellExactOut(client, ask);
  expect(quote).toMatchObject({
    amountIn: 896_072_424_006_278_796n,
    minimumOut: ask.amountOut,
    details: { leastAmountIn: 896_072_424_000_105_958n, amountOut: ask.amountOut },
  });
  const payer = ledger.pools.creator.creator;
  expect(await buildSell(client, { payer, quoteResponse: quote })).toMatchObject({
    amountIn: quote.amountIn,
  });
  const more = quoteSellExactOut(client, { ...ask, amountOut: ask.amountOut + 1n });
  await expectRefusal(more, 'insufficient-liquidity', {
    requested: ask.amountOut + 1n,
    available: ask.amountOut,
  });
  // Some 2.2 times the tokens in the pool; twice as much is beyond 64 bits.
  ledger.setReserves(ledger.pools.creator.pool, { tokenA: 2n ** 62n, tokenB: 10n ** 12n });
  const huge = { ...ask, amountOut: 677_000_000_000n, slippageBps: 10_000 };
  expect((await quoteSellExactOut(client, huge)).amountIn).toBe(U64_MAX - 2n ** 62n);
});

test.each([
  ['buy', quoteBuy, { lamports: 10n ** 9n }, 'output-is-zero'],
  ['sell', quoteSell, { amountIn: 10n ** 15n }, 'output-is-zero'],
  ['exact buy', quoteBuyExactOut, { amountOut: 10n ** 9n }, 'insufficient-liquidity'],
  ['exact sell', quoteSellExactOut, { amountOut: 10n ** 6n }, 'insufficient-liquidity'],
] as const)('a transfer fee of 100 %% is named: %s', async (_, quote, amount, code) => {
  const { mint, tokenProgram } = ledger.pools.creator;
  const fee = { epoch: 0n, basisPoints: 10_000, maximum: U64_MAX };
  const transferFee = { older: fee, newer: fee };
  ledger.setMint(mint, tokenProgram, { decimals: 9, supply: 10n ** 18n, transferFee });
  const ask = quote(client, { ...termsOf(), ...amount } as never);
  const error = await expectRefusal(ask, code, { transferFeeBps: 10_000n });
  expect(error.message).toMatch(/transfer fee is 100 %/);
  expect(explainError(error).message).toMatch(/keeps all of each transfer/);
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
