import { describe, expect, test } from 'vitest';
import { computeBuyExactOut, type QuoteInitialBuyInput, quoteInitialBuy } from '../../src/index.js';
import { findProtocolConfigAddress } from '../../src/program/index.js';
import { createFeeBrackets, createSlotFeeBrackets } from '../../src/testing/index.js';
import { U64_MAX } from '../support/amounts.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

// A launch begins with A = 10^18 token units and B = 35 * 10^9 virtual lamports. t units cost the least lamports with
// floor(A * lamports / (B + lamports)) >= t; there is no fee. The figures below were found by search, in another language
// (Python integers), without the closed form. Two are recorded mainnet launches (docs/protocol.md, "Initial purchase").

/** The sample price of $82.0175991. */
const PRICE = 8_201_759_910n;

useLedger();

const quote = (change: object = {}) =>
  quoteInitialBuy(client, {
    configVersion: 1,
    initialPurchasePercent: 1,
    ...change,
  } as QuoteInitialBuyInput);

const configOf = (version: number) => findProtocolConfigAddress({ version });

/** What lamports are worth, exactly, then as the nearest number. */
const usd = (lamports: bigint, price = PRICE) => {
  const digits = (lamports * price).toString().padStart(18, '0');
  return Number(`${digits.slice(0, -17)}.${digits.slice(-17)}`);
};

const NO_FEES = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };

describe('what it costs', () => {
  describe.each([1, 2])('with config version %i', (configVersion) => {
    test.each([
      ['0.0000000000000001', 1n, 1n],
      ['0.0000001', 1_000_000_000n, 36n],
      ['0.1', 1_000_000_000_000_000n, 35_035_036n],
      ['1', 10_000_000_000_000_000n, 353_535_354n],
      ['5', 50_000_000_000_000_000n, 1_842_105_264n],
      ['50', 500_000_000_000_000_000n, 35_000_000_000n],
      // Recorded launches.
      ['1.5', 15_000_000_000_000_000n, 532_994_924n],
      ['7.8947368421052631', 78_947_368_421_052_631n, 3_000_000_000n],
    ])('%s % of the tokens', async (percent, tokens, cost) => {
      expect(await quote({ configVersion, initialPurchasePercent: percent })).toEqual({
        costLamports: cost,
        costSol: Number(cost) / 1e9,
        costUsd: usd(cost),
        tokenAmount: tokens,
        tokenAmountUi: Number(`${tokens}e-9`),
        details: {
          leastLamports: cost,
          fees: NO_FEES,
          totalFee: 0n,
          // 35 SOL at $82.0175991 are $2870.6159685, rounded down to millionths
          marketCapUsd: 2_870.615968,
          slot: ledger.slot,
          warnings: [],
        },
      });
    });
  });

  test('whatever the fees of trades are, in a launch window or by market cap', async () => {
    const { costLamports } = await quote();
    ledger.updateConfig(await configOf(1), ({ marketCapBasedFees, slotOffsetBasedFees }) => ({
      marketCapBasedFees: {
        ...marketCapBasedFees,
        protocolTradingFee: createFeeBrackets([U64_MAX, 9_900, 9_900]),
      },
      slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee: createSlotFeeBrackets([5, 9_900]) },
    }));
    expect((await quote()).costLamports).toBe(costLamports);
  });

  test('in USD, at the price', async () => {
    // 0.353535354 SOL at $82.0175991
    expect((await quote()).costUsd).toBe(Number('28.9961209320485814'));
    ledger.setSolPrice('0.00000001');
    expect(await quote()).toMatchObject({ costLamports: 353_535_354n, costUsd: 3.53535354e-9 });
    ledger.setSolPrice(100);
    expect(await quote()).toMatchObject({ costLamports: 353_535_354n, costUsd: 35.3535354 });
  });

  test('takes one call, for three accounts', async () => {
    await quote();
    expect(ledger.requests.map(({ method }) => method)).toEqual(['getMultipleAccounts']);
    expect(ledger.requests[0]?.params[0]).toHaveLength(3);
  });

  test('follows the config: other reserves and decimals', async () => {
    ledger.updateConfig(await configOf(2), () => ({
      initialTokenAAmount: 1_000_000n,
      initialTokenBAmount: 0.000001,
      tokenADecimals: 3,
    }));
    // B = 1000, half of A = 1000000
    expect(await quote({ configVersion: 2, initialPurchasePercent: 50 })).toMatchObject({
      costLamports: 1_000n,
      tokenAmount: 500_000n,
      tokenAmountUi: 500,
    });
  });
});

describe('a percentage', () => {
  test.each([
    [0.1, 1_000_000_000_000_000n],
    ['0.1', 1_000_000_000_000_000n],
    [0.3, 3_000_000_000_000_000n],
    [1e-7, 1_000_000_000n],
    ['1e-7', 1_000_000_000n],
    ['5e0', 50_000_000_000_000_000n],
    [2.675, 26_750_000_000_000_000n],
    [1.005, 10_050_000_000_000_000n],
    ['0.00000000000001', 100n],
    ['33.33333333333333', 333_333_333_333_333_300n],
    ['12.5000000000000000000000', 125_000_000_000_000_000n],
    ['010', 100_000_000_000_000_000n],
    ['0.000000000000001', 10n],
    ['33.333333333333333', 333_333_333_333_333_330n],
    // JavaScript writes it 33.333333333333336.
    [100 / 3, 333_333_333_333_333_360n],
    ['0.00000000000000019', 1n],
  ])('%s is %s units', async (initialPurchasePercent, tokenAmount) => {
    expect(await quote({ initialPurchasePercent })).toMatchObject({
      tokenAmount,
      tokenAmountUi: Number(tokenAmount) / 1e9,
    });
  });

  test.each([0, '0', '0.000', '0e5'])('%s buys nothing for nothing', async (initialPurchasePercent) => {
    expect(await quote({ initialPurchasePercent, slippage: 0.5 })).toEqual({
      costLamports: 0n,
      costSol: 0,
      costUsd: 0,
      tokenAmount: 0n,
      tokenAmountUi: 0,
      details: {
        leastLamports: 0n,
        fees: NO_FEES,
        totalFee: 0n,
        marketCapUsd: 2_870.615968,
        slot: ledger.slot,
        warnings: [],
      },
    });
  });

  test('buying all tokens throws, and the error says how many can be bought', async () => {
    const all = 1_000_000_000_000_000_000n;
    const MOST = 999_999_998_102_646_198n;
    await expect(quote({ initialPurchasePercent: '99.9999998102646198' })).resolves.toMatchObject({
      tokenAmount: MOST,
    });
    for (const initialPurchasePercent of [100, '100', '100.00']) {
      await expectRefusal(quote({ initialPurchasePercent }), 'insufficient-liquidity', {
        requested: all,
        available: MOST,
      });
    }
  });

  test('almost all of the tokens cost more than exists, which is not an invalid amount', async () => {
    await expectRefusal(quote({ initialPurchasePercent: '99.99999999999999' }), 'insufficient-liquidity');
    const state = {
      reserveA: 10n ** 18n,
      reserveB: 35_000_000_000n,
      buyFees: { ...NO_FEES, protocol: 100n },
      sellFees: NO_FEES,
    };
    expect(() => computeBuyExactOut(state, 10n ** 18n - 1n)).toThrow(heavenError('insufficient-liquidity'));
  });

  test.each([
    [100.0000001, 'invalid-input'],
    ['100.00000000000001', 'invalid-input'],
    [101, 'invalid-input'],
    ['1e30', 'invalid-input'],
    [1e21, 'invalid-input'],
    [-1, 'invalid-amount'],
    [Number.NaN, 'invalid-amount'],
    [Number.POSITIVE_INFINITY, 'invalid-amount'],
    ['x', 'invalid-amount'],
    ['', 'invalid-amount'],
    ['1 %', 'invalid-amount'],
    [null, 'invalid-amount'],
    [undefined, 'invalid-amount'],
    [1n, 'invalid-amount'],
    [{}, 'invalid-amount'],
  ])('%s is rejected, before any call to the node', async (value, code) => {
    await expectRefusal(quote({ initialPurchasePercent: value }), code, {
      field: 'initialPurchasePercent',
      value: value ?? undefined,
    });
    await expect(quote({ initialPurchasePercent: value })).rejects.toThrow(/initialPurchasePercent/);
    expect(ledger.requests).toEqual([]);
  });

  test.each([1e30, '1e999', '9'.repeat(400)])('out of all bounds is rejected (%#)', async (value) => {
    const field = 'initialPurchasePercent';
    await expect(quote({ initialPurchasePercent: value })).rejects.toMatchObject({ context: { field } });
    expect(ledger.requests).toEqual([]);
  });
});

describe('an amount of tokens', () => {
  test.each([
    // What the percentage of the same tokens costs.
    [1_000_000_000n, 36n],
    [50_000_000_000_000_000n, 1_842_105_264n],
    // A unit more than 1 %: the same lamports could buy some units more.
    [10_000_000_000_000_001n, 353_535_354n],
    [0n, 0n],
  ])('of %d units', async (tokenAmount, costLamports) => {
    expect(await quote({ initialPurchasePercent: undefined, tokenAmount })).toMatchObject({
      tokenAmount,
      costLamports,
    });
    expect(ledger.requests).toHaveLength(1);
  });

  test('quotes the same as its percentage', async () => {
    const asked = { initialPurchasePercent: null, tokenAmount: 12_345_678_900_000_000n, slippageBps: 100 };
    expect(await quote(asked)).toEqual(
      await quote({ initialPurchasePercent: '1.23456789', slippageBps: 100 }),
    );
  });

  test('is rejected if it is invalid, or if a percentage is given too', async () => {
    const tokenAmount = 1n;
    await expectRefusal(quote({ tokenAmount }), 'invalid-input', { field: 'tokenAmount' });
    for (const [value, code] of [
      [-1n, 'invalid-amount'],
      [1, 'invalid-amount'],
      ['1', 'invalid-amount'],
      [U64_MAX + 1n, 'amount-out-of-range'],
    ] as const) {
      await expectRefusal(quote({ initialPurchasePercent: undefined, tokenAmount: value }), code, {
        field: 'tokenAmount',
      });
    }
    expect(ledger.requests).toEqual([]);
    const all = { initialPurchasePercent: undefined, tokenAmount: 1_000_000_000_000_000_000n };
    await expectRefusal(quote(all), 'insufficient-liquidity', { requested: all.tokenAmount });
  });
});

describe('slippage', () => {
  test.each([
    // of 353535354 lamports
    [undefined, 353_535_354n],
    [null, 353_535_354n],
    [0, 353_535_354n],
    ['0.000', 353_535_354n],
    // 1767676.77, rounded up
    [0.005, 355_303_031n],
    ['0.005', 355_303_031n],
    ['5e-3', 355_303_031n],
    // 35353.5354
    [0.0001, 353_570_708n],
    // less than a lamport
    ['0.0000000000000001', 353_535_355n],
    // 35353535.4
    [0.1, 388_888_890n],
    [0.5, 530_303_031n],
    [1, 707_070_708n],
    ['1.0', 707_070_708n],
  ])('of %s', async (slippage, costLamports) => {
    expect(await quote({ slippage })).toMatchObject({
      costLamports,
      costSol: Number(costLamports) / 1e9,
      costUsd: usd(costLamports),
      tokenAmount: 10_000_000_000_000_000n,
      details: { leastLamports: 353_535_354n },
    });
  });

  test.each([
    [1.0000001, 'invalid-slippage'],
    [1.01, 'invalid-slippage'],
    ['1e30', 'invalid-slippage'],
    [2, 'invalid-slippage'],
    [50, 'invalid-slippage'],
    [-0.1, 'invalid-slippage'],
    [-1, 'invalid-slippage'],
    [Number.NaN, 'invalid-slippage'],
    ['', 'invalid-slippage'],
    ['abc', 'invalid-slippage'],
    ['1e300', 'invalid-slippage'],
    ['0.5 %', 'invalid-slippage'],
    [{}, 'invalid-slippage'],
    [`0.${'0'.repeat(32)}1`, 'invalid-amount:decimals'],
  ])('of %s is rejected', async (value, code) => {
    const error: unknown = await quote({ slippage: value }).catch((caught: unknown) => caught);
    expect(error).toEqual(heavenError(code, { field: 'slippage', value }));
    if (code === 'invalid-slippage') expect((error as Error).message).toContain('such as 0.005');
    expect(ledger.requests).toEqual([]);
  });
});

describe('a launch rejects', () => {
  test.each([1.5, '1', -1, 65_536, undefined])('config version %s', async (configVersion) => {
    await expectRefusal(quote({ configVersion }), 'invalid-input', { field: 'configVersion' });
    expect(ledger.requests).toEqual([]);
  });

  test('a config version that does not exist', async () => {
    await expectRefusal(quote({ configVersion: 9 }), 'account-not-found', {
      account: 'ProtocolConfig',
      address: await configOf(9),
    });
  });

  test('the config of pro pools', async () => {
    await expectRefusal(quote({ configVersion: 3 }), 'pool-mismatch:kind', {
      asked: 'standard',
      found: 'pro',
    });
    await expect(quote({ configVersion: 3 })).rejects.toThrow(
      'Config version 3 is for pro pools. A launch uses 1 (community) or 2 (creator).',
    );
  });
});

describe('for any share', () => {
  /** In 10^-14 %: from a hundred units to 99.9999 % of the tokens. */
  const share = fc.oneof(
    fc.bigInt(1n, 99_999_900_000_000_00n),
    fc.bigInt(1n, 1_000_000n),
    fc.integer({ min: 1, max: 999_999 }).map((k) => BigInt(k) * 10n ** 10n),
  );
  const percentText = (units: bigint) => {
    const digits = units.toString().padStart(15, '0');
    return `${digits.slice(0, -14)}.${digits.slice(-14)}`;
  };

  test('the cost buys the tokens, and one lamport less does not', async () => {
    const reserveA = 10n ** 18n;
    const reserveB = 35_000_000_000n;
    await fc.assert(
      fc.asyncProperty(share, async (units) => {
        const { costLamports, tokenAmount } = await quote({ initialPurchasePercent: percentText(units) });
        const bought = (lamports: bigint) => (reserveA * lamports) / (reserveB + lamports);
        expect(tokenAmount).toBe((reserveA * units) / 10n ** 16n);
        expect(bought(costLamports)).toBeGreaterThanOrEqual(tokenAmount);
        expect(bought(costLamports - 1n)).toBeLessThan(tokenAmount);
      }),
      { numRuns: 150 },
    );
  });

  test('more tokens never cost less, and slippage never takes away', async () => {
    await fc.assert(
      fc.asyncProperty(share, share, fc.integer({ min: 0, max: 10_000 }), async (one, other, bps) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        const [cheap, dear] = await Promise.all([
          quote({ initialPurchasePercent: percentText(less) }),
          quote({ initialPurchasePercent: percentText(more), slippage: bps / 10_000 }),
        ]);
        const { costLamports, details } = dear;
        expect(cheap.costLamports).toBeLessThanOrEqual(details.leastLamports);
        const extra = details.leastLamports * BigInt(bps);
        expect((costLamports - details.leastLamports) * 10_000n).toBeGreaterThanOrEqual(extra);
        expect((costLamports - details.leastLamports - 1n) * 10_000n).toBeLessThan(extra);
      }),
      { numRuns: 50 },
    );
  });
});
