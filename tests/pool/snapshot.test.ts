import { describe, expect, test } from 'vitest';

import {
  computeMarketCap,
  createHeavenClient,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  toSwapState,
} from '../../src/index.js';
import { FeeConfigurationMode } from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { U64_MAX } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

const snapshotOf = (name: keyof EmbeddedLedger['pools']) => {
  const { configVersion, mint, pool, kind } = ledger.pools[name];
  return fetchPoolSnapshot(client, { configVersion, mint, ...(kind === 'pro' ? { pool } : {}) });
};

describe('market cap', () => {
  // The two published examples, at $180 per SOL with 1,000,000,000 tokens.
  test.each([
    // 35 SOL and all tokens: 35 * 180
    [1_000_000_000_000_000_000n, 35_000_000_000n, 6_300_000_000n],
    // 115 SOL and 35/115 = 30.43 % of the tokens: 115 * 180 * 115/35 = 68014.2857
    [304_347_826_086_956_522n, 115_000_000_000n, 68_014_285_714n],
  ])('of %s units and %s lamports', async (tokenA, tokenB, microUsd) => {
    ledger.setReserves(ledger.pools.community.pool, { tokenA, tokenB });
    ledger.setSolPrice(180);
    expect(computeMarketCap(await snapshotOf('community'))).toBe(microUsd);
  });
});

describe('fees by market cap', () => {
  // With as many tokens in the pool as exist, the market cap is reserveB at the price; at $1 per SOL, 99999 SOL are
  // $99,999: the bound of the published configs, which includes it.
  const at = async (lamports: bigint) => {
    ledger.setSolPrice(1);
    ledger.setReserves(ledger.pools.community.pool, { tokenA: 1_000_000_000_000_000_000n, tokenB: lamports });
    return toSwapState(await snapshotOf('community')).buyFees.protocol;
  };

  test('up to and including a bound, floored to whole dollars', async () => {
    expect(await at(99_999_000_000_000n)).toBe(100n);
    expect(await at(99_999_999_999_999n)).toBe(100n);
    expect(await at(100_000_000_000_000n)).toBe(25n);
  });

  test('a pro pool in global mode takes all fees from its config', async () => {
    ledger.updatePool(ledger.pools.pro.pool, () => ({ feeConfigurationMode: FeeConfigurationMode.Global }));
    const { buyFees } = toSwapState(await snapshotOf('pro'));
    expect(buyFees).toEqual({
      protocol: 30n,
      liquidityProvider: 0n,
      creator: 0n,
      creatorProtocol: 0n,
      reflection: 0n,
    });
  });
});

// Schedules by slot, and those by market cap at any bound, are in schedules.test.ts.
test('the address of a pool is checked before the node is asked, and null is none', async () => {
  const { configVersion, mint } = ledger.pools.creator;
  const malformed = fetchPoolSnapshot(client, { configVersion, mint, pool: 'x' as never });
  await expectRefusal(malformed, 'invalid-address', { field: 'pool' });
  expect(ledger.requests).toEqual([]);
  expect((await fetchPoolSnapshot(client, { configVersion, mint, pool: null })).addresses.pool).toBe(
    ledger.pools.creator.pool,
  );
});

test('the snapshot speaks of its own slot unless told otherwise', async () => {
  const { mint, configVersion } = ledger.pools.launching;
  const quote = () => quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 0 });
  const now = await quote();
  expect(now.details.fees.creator).toBe(500_000_000n);
  ledger.setSlot(ledger.slot + 14n);
  const later = await quote();
  expect(later.details.fees.creator).toBe(1_000_000n);
  expect(later.minimumOut).toBeGreaterThan(now.minimumOut);
});

describe('sandwich-resistant mode', () => {
  const windowOf = (slots: number, slot: bigint) =>
    ledger.updatePool(ledger.pools.community.pool, ({ reserve }) => ({
      reserve: {
        ...reserve,
        leaderSlotWindow: slots,
        snapshotSlot: slot,
        // Half the tokens for the same SOL: a buy at this price gets less.
        snapshotA: reserve.tokenA / 2n,
        snapshotB: reserve.tokenB,
      },
    }));

  describe('the price impact', () => {
    const ofPool = () => {
      const { mint, configVersion } = ledger.pools.creator;
      return { mint, configVersion, slippageBps: 0 };
    };
    const warningsOf = async (quote: Promise<DetailedBuyQuote | DetailedSellQuote>) =>
      (await quote).details.warnings.filter(({ code }) => code === 'price-impact');
    const buy = (maxSolSpend: number, change: object = {}) =>
      warningsOf(quoteBuy(client, { ...ofPool(), maxSolSpend, ...change }));
    const sell = (amountInUi: number) => warningsOf(quoteSell(client, { ...ofPool(), amountInUi }));

    test('is warned of over 5 %', async () => {
      // Of 83 and 84 SOL 1.5 % are fees: 81.755 / (1558.777720473 + 81.755) = 4.98 %, 82.74 / (1558.777720473 + 82.74) = 5.04 %
      expect(await buy(83)).toEqual([]);
      const [warning, ...others] = await buy(84);
      expect(others).toEqual([]);
      expect(warning?.message).toContain(' 5.0405 % ');
      // 5.4 / (103.927583151068173 + 5.4) = 4.94 %, 5.5 / (103.927583151068173 + 5.5) = 5.03 %
      expect([await sell(5_400_000), await sell(5_500_000)]).toMatchObject([[], [{}]]);
    });

    test('is warned of past the limit that is set', async () => {
      expect(await buy(84, { maxPriceImpactBps: 504.05 })).toEqual([]);
      expect(await buy(84, { maxPriceImpactBps: 504.04 })).toHaveLength(1);
      expect(await buy(1, { maxPriceImpactBps: 0 })).toHaveLength(1);
      expect(await buy(84, { maxPriceImpactBps: null })).toHaveLength(1);
    });

    test.each([-1, Number.NaN, '60'])('may not have the limit %s', async (maxPriceImpactBps) => {
      const before = ledger.requests.length;
      await expectRefusal(buy(1, { maxPriceImpactBps }), 'invalid-input', { field: 'maxPriceImpactBps' });
      expect(ledger.requests.length).toBe(before);
    });
  });

  test('windows begin at multiples of their length', async () => {
    // 4 slots for each leader: 411354048 to 411354051, and to 411354055
    windowOf(1, 411_354_048n);
    const one = await snapshotOf('community');
    expect(toSwapState(one, { slot: 411_354_051n }).windowReserves).toBeDefined();
    expect(toSwapState(one, { slot: 411_354_052n }).windowReserves).toBeUndefined();
    windowOf(2, 411_354_050n);
    const two = await snapshotOf('community');
    for (const slot of [411_354_048n, 411_354_055n])
      expect(toSwapState(two, { slot }).windowReserves).toBeDefined();
    for (const slot of [411_354_047n, 411_354_056n])
      expect(toSwapState(two, { slot }).windowReserves).toBeUndefined();
  });

  test('a pool without the mode, or never traded, has no window', async () => {
    windowOf(1, ledger.slot);
    const traded = await snapshotOf('community');
    expect(toSwapState(traded).windowReserves).toBeDefined();
    for (const lacking of ['reserveA', 'reserveB'])
      expect(
        toSwapState({ ...traded, window: { ...traded.window, [lacking]: 0n } }).windowReserves,
      ).toBeUndefined();
    ledger.updatePool(ledger.pools.community.pool, () => ({ featureFlags: { sandwichResistantMode: 0 } }));
    expect(toSwapState(await snapshotOf('community')).windowReserves).toBeUndefined();
    ledger.setSlot(0n);
    ledger.setSolPrice(80);
    expect(toSwapState(await snapshotOf('launching')).windowReserves).toBeUndefined();
  });
});

describe('a Token-2022 transfer fee', () => {
  const taxed = (olderEpoch: bigint, newerEpoch: bigint) =>
    ledger.setMint(ledger.pools.community.mint, ledger.pools.community.tokenProgram, {
      decimals: 9,
      supply: 1_000_000_000_000_000_000n,
      transferFee: {
        older: { epoch: olderEpoch, basisPoints: 150, maximum: U64_MAX },
        newer: { epoch: newerEpoch, basisPoints: 300, maximum: 1_000_000_000n },
      },
    });

  test('is the newer one from its epoch on', async () => {
    const epoch = ledger.slot / 432_000n;
    taxed(0n, epoch + 1n);
    expect((await snapshotOf('community')).token.transferFee).toEqual({
      basisPoints: 150n,
      maximum: U64_MAX,
    });
    taxed(0n, epoch);
    expect((await snapshotOf('community')).token.transferFee).toEqual({
      basisPoints: 300n,
      maximum: 1_000_000_000n,
    });
    expect((await snapshotOf('creator')).token.transferFee).toBeUndefined();
  });

  test('is in the quote for both sides, and in its details', async () => {
    const { mint, configVersion } = ledger.pools.community;
    const untaxed = await quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 0 });
    taxed(0n, 10_000n);
    const buy = await quoteBuy(client, { configVersion, mint, maxSolSpend: 1, slippageBps: 0 });
    const gross = untaxed.details.amountOut;
    expect(buy.details.transferFee).toBe((gross * 150n + 9_999n) / 10_000n);
    expect(buy.minimumOut).toBe(gross - buy.details.transferFee);
    expect(buy.details.warnings.map(({ code }) => code)).toEqual(['transfer-fee', 'mint-rights']);
    const sell = await quoteSell(client, { configVersion, mint, amountInUi: 1000, slippageBps: 0 });
    // 985 of the 1000 tokens reach the vault: 115e9 * 985e9 / (304347826086956522 + 985e9) = 372188, fees 3721 + 372.
    expect(sell.details).toMatchObject({ transferFee: 15_000_000_000n, amountOut: 372_188n - 3_721n - 372n });
  });
});

describe('a quote from a given snapshot', () => {
  const locatorOf = (name: 'community' | 'launching') => {
    const { configVersion, mint } = ledger.pools[name];
    return { configVersion, mint };
  };
  const proLocator = () => {
    const { configVersion, mint, pool } = ledger.pools.pro;
    return { configVersion, mint, pool };
  };

  // What a builder calls with a snapshot is in tests/clients/round-trips.test.ts.
  test('equals the fetched quote, without a call to the node', async () => {
    const quotes = [
      (given: object) =>
        quoteBuy(client, { ...locatorOf('community'), maxSolSpend: '1.5', ...given } as never),
      (given: object) =>
        quoteSell(client, { ...locatorOf('community'), amountInUi: '1000', ...given } as never),
      (given: object) => quoteProBuy(client, { ...proLocator(), maxSolSpend: '1.5', ...given } as never),
      (given: object) => quoteProSell(client, { ...proLocator(), amountInUi: '1000', ...given } as never),
    ];
    for (const [index, quote] of quotes.entries()) {
      const snapshot = await fetchPoolSnapshot(client, index < 2 ? locatorOf('community') : proLocator());
      const fetched = await quote({ slippageBps: 50 });
      const calls = ledger.requests.length;
      expect(await quote({ slippageBps: 50, snapshot })).toEqual(fetched);
      expect(ledger.requests).toHaveLength(calls);
    }
  });

  test('is rejected for another pool', async () => {
    const community = await fetchPoolSnapshot(client, locatorOf('community'));
    const pro = await fetchPoolSnapshot(client, proLocator());
    const buy = (change: object, snapshot: FetchedPoolSnapshot = community) =>
      quoteBuy(client, { ...locatorOf('community'), maxSolSpend: 1, slippageBps: 50, snapshot, ...change });
    const mismatch = (attempt: Promise<unknown>, field: string) =>
      expectRefusal(attempt, 'quote-mismatch', { field });
    await mismatch(buy({ mint: ledger.pools.pro.mint }), 'mint');
    await mismatch(buy({ configVersion: 2 }), 'configVersion');
    const { configVersion, mint } = ledger.pools.pro;
    await expectRefusal(buy({ configVersion, mint }, pro), 'pool-mismatch:kind');
    const proBuy = { ...proLocator(), maxSolSpend: 1, slippageBps: 50, snapshot: pro };
    await mismatch(quoteProBuy(client, { ...proBuy, pool: ledger.pools.creator.pool }), 'pool');
    const elsewhere = createHeavenClient({
      rpc: ledger.rpc,
      deployment: { programAddress: ledger.pools.pro.creator },
    });
    await mismatch(quoteProBuy(elsewhere, proBuy), 'programId');
  });
});
