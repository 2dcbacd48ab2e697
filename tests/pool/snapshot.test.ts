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
import { U64_MAX } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, locatorOf, termsOf, useLedger } from '../support/ledger.js';

useLedger();

/** As `termsOf`, of the pro pool. */
const proTerms = () => {
  const { configVersion, mint, pool } = ledger.pools.pro;
  return { configVersion, mint, pool, slippageBps: 50 };
};
const snapshotOf = (name: 'community' | 'creator' | 'launching') =>
  fetchPoolSnapshot(client, locatorOf(termsOf(name)));

// The two published examples, at $180 per SOL with 1,000,000,000 tokens.
test.each([
  // 35 SOL and all tokens: 35 * 180
  [1_000_000_000_000_000_000n, 35_000_000_000n, 6_300_000_000n],
  // 115 SOL and 35/115 = 30.43 % of the tokens: 115 * 180 * 115/35 = 68014.2857
  [304_347_826_086_956_522n, 115_000_000_000n, 68_014_285_714n],
])('the market cap of %s units and %s lamports', async (tokenA, tokenB, microUsd) => {
  ledger.setReserves(ledger.pools.community.pool, { tokenA, tokenB });
  ledger.setSolPrice(180);
  expect(computeMarketCap(await snapshotOf('community'))).toBe(microUsd);
});

test('a fee bracket reaches up to and including its bound, floored to whole dollars', async () => {
  // With as many tokens in the pool as exist, the market cap is reserveB at the price; at $1 per SOL, 99999 SOL are
  // $99,999: the bound of the published configs, which includes it.
  ledger.setSolPrice(1);
  for (const [tokenB, fee] of [
    [99_999_000_000_000n, 100n],
    [99_999_999_999_999n, 100n],
    [100_000_000_000_000n, 25n],
  ] as const) {
    ledger.setReserves(ledger.pools.community.pool, { tokenA: 1_000_000_000_000_000_000n, tokenB });
    expect(toSwapState(await snapshotOf('community')).buyFees.protocol).toBe(fee);
  }
});

// Schedules by slot, and those by market cap at any bound, are in schedules.test.ts.
test('the address of a pool is checked before the node is asked', async () => {
  const malformed = fetchPoolSnapshot(client, { ...locatorOf(termsOf()), pool: 'x' as never });
  await expectRefusal(malformed, 'invalid-address', { field: 'pool' });
  expect(ledger.requests).toEqual([]);
});

test('the snapshot speaks of its own slot unless told otherwise', async () => {
  const quote = () => quoteBuy(client, { ...termsOf('launching'), maxSolSpend: 1 });
  const now = await quote();
  expect(now.details.fees.creator).toBe(500_000_000n);
  ledger.setSlot(ledger.slot + 14n);
  const later = await quote();
  expect(later.details.fees.creator).toBe(1_000_000n);
  expect(later.minimumOut).toBeGreaterThan(now.minimumOut);
});

describe('the price impact', () => {
  const warningsOf = async (quote: Promise<DetailedBuyQuote | DetailedSellQuote>) =>
    (await quote).details.warnings.filter(({ code }) => code === 'price-impact');
  const buy = (maxSolSpend: number, change: object = {}) =>
    warningsOf(quoteBuy(client, { ...termsOf(), maxSolSpend, ...change }));
  const sell = (amountInUi: number) => warningsOf(quoteSell(client, { ...termsOf(), amountInUi }));

  test('is warned of over 5 %', async () => {
    // Of 83 and 84 SOL 1.5 % are fees: 81.755 / (1558.777720473 + 81.755) = 4.98 %, 82.74 / (1558.777720473 + 82.74) = 5.04 %
    expect(await buy(83)).toEqual([]);
    expect(await buy(84)).toEqual([{ code: 'price-impact', message: expect.stringContaining(' 5.0405 % ') }]);
    // 5.4 / (103.927583151068173 + 5.4) = 4.94 %, 5.5 / (103.927583151068173 + 5.5) = 5.03 %
    expect([await sell(5_400_000), await sell(5_500_000)]).toMatchObject([[], [{}]]);
  });

  test('is warned of past the limit that is set', async () => {
    expect(await buy(84, { maxPriceImpactBps: 504.05 })).toEqual([]);
    expect(await buy(84, { maxPriceImpactBps: 504.04 })).toHaveLength(1);
    expect(await buy(1, { maxPriceImpactBps: 0 })).toHaveLength(1);
    expect(await buy(84, { maxPriceImpactBps: null })).toHaveLength(1);
  });
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
  const setFee = (newerEpoch: bigint) => {
    const { mint, tokenProgram } = ledger.pools.community;
    const older = { epoch: 0n, basisPoints: 150, maximum: U64_MAX };
    const newer = { epoch: newerEpoch, basisPoints: 300, maximum: 1_000_000_000n };
    const transferFee = { older, newer };
    ledger.setMint(mint, tokenProgram, { decimals: 9, supply: 1_000_000_000_000_000_000n, transferFee });
  };

  test('is the newer one from its epoch on', async () => {
    const epoch = ledger.slot / 432_000n;
    const feeOf = async (name: 'community' | 'creator') => (await snapshotOf(name)).token.transferFee;
    setFee(epoch + 1n);
    expect(await feeOf('community')).toEqual({ basisPoints: 150n, maximum: U64_MAX });
    setFee(epoch);
    expect(await feeOf('community')).toEqual({ basisPoints: 300n, maximum: 1_000_000_000n });
    expect(await feeOf('creator')).toBeUndefined();
  });

  test('is in the quote for both sides, and in its details', async () => {
    const terms = { ...termsOf('community'), slippageBps: 0 };
    const untaxed = await quoteBuy(client, { ...terms, maxSolSpend: 1 });
    setFee(10_000n);
    const buy = await quoteBuy(client, { ...terms, maxSolSpend: 1 });
    const gross = untaxed.details.amountOut;
    expect(buy.details.transferFee).toBe((gross * 150n + 9_999n) / 10_000n);
    expect(buy.minimumOut).toBe(gross - buy.details.transferFee);
    expect(buy.details.warnings.map(({ code }) => code)).toEqual(['transfer-fee', 'transfer-fee']);
    const sell = await quoteSell(client, { ...terms, amountInUi: 1000 });
    // 985 of the 1000 tokens reach the vault: 115e9 * 985e9 / (304347826086956522 + 985e9) = 372188, fees 3721 + 372.
    expect(sell.details).toMatchObject({ transferFee: 15_000_000_000n, amountOut: 372_188n - 3_721n - 372n });
  });
});

describe('a quote from a given snapshot', () => {
  // What a builder calls with a snapshot is in tests/clients/round-trips.test.ts.
  test.each([
    ['a buy', quoteBuy, termsOf, { maxSolSpend: '1.5' }],
    ['a sell', quoteSell, termsOf, { amountInUi: '1000' }],
    ['a pro buy', quoteProBuy, proTerms, { maxSolSpend: '1.5' }],
    ['a pro sell', quoteProSell, proTerms, { amountInUi: '1000' }],
  ] as const)(
    'of %s equals the fetched quote, without a call to the node',
    async (_, quote, terms, amount) => {
      const snapshot = await fetchPoolSnapshot(client, locatorOf(terms()));
      const quoted = (given: object) => quote(client, { ...terms(), ...amount, ...given } as never);
      const fetched = await quoted({});
      const calls = ledger.requests.length;
      expect(await quoted({ snapshot })).toEqual(fetched);
      expect(ledger.requests).toHaveLength(calls);
    },
  );

  test('is rejected for another pool', async () => {
    const community = await snapshotOf('community');
    const pro = await fetchPoolSnapshot(client, locatorOf(proTerms()));
    const buy = (change: object, snapshot: FetchedPoolSnapshot = community) =>
      quoteBuy(client, { ...termsOf('community'), maxSolSpend: 1, snapshot, ...change });
    const mismatch = (attempt: Promise<unknown>, field: string) =>
      expectRefusal(attempt, 'quote-mismatch', { field });
    await mismatch(buy({ mint: ledger.pools.pro.mint }), 'mint');
    await mismatch(buy({ configVersion: 2 }), 'configVersion');
    const { configVersion, mint } = ledger.pools.pro;
    await expectRefusal(buy({ configVersion, mint }, pro), 'pool-mismatch:kind');
    const proBuy = { ...proTerms(), maxSolSpend: 1, snapshot: pro };
    await mismatch(quoteProBuy(client, { ...proBuy, pool: ledger.pools.creator.pool }), 'pool');
    const deployment = { programAddress: ledger.pools.pro.creator };
    const elsewhere = createHeavenClient({ rpc: ledger.rpc, deployment });
    await mismatch(quoteProBuy(elsewhere, proBuy), 'programId');
  });
});
