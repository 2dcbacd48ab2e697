import { describe, expect, test } from 'vitest';
import {
  computeBuy,
  computeBuyExactOut,
  type QuoteInitialBuyInput,
  quoteInitialBuy,
  type SwapState,
} from '../../src/index.js';
import { findProtocolConfigAddress } from '../../src/program/index.js';
import { createFeeBrackets, createSampleConfig, createSlotFeeBrackets } from '../../src/testing/index.js';
import { U64_MAX } from '../support/amounts.js';
import { expectRefusal, heavenError } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

// A launch begins with A = 10^18 token units and B = 35 * 10^9 virtual lamports. The cost of t units is the least
//   net with floor(A * net / (B + net)) >= t, then the least
//   in  with in - sum(floor(in * bps / 10000)) >= net, each fee rounded down by itself.
// The figures below were found by search, in another language (Python integers), without the closed form.

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

/** Lets a config of version 1 begin without its 50 % window. */
const switchOffSchedule = async () =>
  ledger.updateConfig(await configOf(1), ({ slotOffsetBasedFees }) => ({
    slotOffsetBasedFees: {
      ...slotOffsetBasedFees,
      creatorTradingFee: { ...slotOffsetBasedFees.creatorTradingFee, enabled: 0 },
    },
  }));

/** What lamports are worth, exactly, then as the nearest number. */
const usd = (lamports: bigint, price = PRICE) => {
  const digits = (lamports * price).toString().padStart(18, '0');
  return Number(`${digits.slice(0, -17)}.${digits.slice(-17)}`);
};

const NO_FEES = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };

interface Golden {
  readonly percent: string;
  readonly tokens: bigint;
  readonly net: bigint;
  readonly cost: bigint;
  readonly protocol: bigint;
  readonly creator: bigint;
}

const golden = (
  percent: string,
  tokens: bigint,
  net: bigint,
  cost: bigint,
  protocol: bigint,
  creator: bigint,
): Golden => ({ percent, tokens, net, cost, protocol, creator });

const expectGolden = async (configVersion: number, expected: Golden) => {
  const { percent, tokens, net, cost, protocol, creator } = expected;
  const result = await quote({ configVersion, initialPurchasePercent: percent });
  // What the figures say of themselves.
  expect(cost - protocol - creator).toBeGreaterThanOrEqual(net);
  expect(result).toEqual({
    costLamports: cost,
    costSol: Number(cost) / 1e9,
    costUsd: usd(cost),
    tokenAmount: tokens,
    tokenAmountUi: Number(tokens) / 1e9,
    details: {
      leastLamports: cost,
      fees: { ...NO_FEES, protocol, creator },
      totalFee: protocol + creator,
      // 35 SOL at $82.0175991 are $2870.6159685, rounded down to millionths
      marketCapUsd: 2_870.615968,
      slot: ledger.slot,
    },
  });
};

describe('what it costs', () => {
  test.each([
    golden('0.0000001', 1_000_000_000n, 36n, 71n, 0n, 35n),
    golden('0.1', 1_000_000_000_000_000n, 35_035_036n, 71_500_071n, 715_000n, 35_750_035n),
    golden('1', 10_000_000_000_000_000n, 353_535_354n, 721_500_721n, 7_215_007n, 360_750_360n),
    golden('5', 50_000_000_000_000_000n, 1_842_105_264n, 3_759_398_495n, 37_593_984n, 1_879_699_247n),
    golden('50', 500_000_000_000_000_000n, 35_000_000_000n, 71_428_571_427n, 714_285_714n, 35_714_285_713n),
  ])('$percent % of a community launch, in the 50 % window', async (expected) => {
    await expectGolden(1, expected);
  });

  test.each([
    golden('0.0000001', 1_000_000_000n, 36n, 36n, 0n, 0n),
    golden('0.1', 1_000_000_000_000_000n, 35_035_036n, 35_424_707n, 354_247n, 35_424n),
    golden('1', 10_000_000_000_000_000n, 353_535_354n, 357_467_495n, 3_574_674n, 357_467n),
    golden('5', 50_000_000_000_000_000n, 1_842_105_264n, 1_862_593_794n, 18_625_937n, 1_862_593n),
    golden('50', 500_000_000_000_000_000n, 35_000_000_000n, 35_389_282_103n, 353_892_821n, 35_389_282n),
  ])('$percent % of a community launch, the schedule switched off', async (expected) => {
    await switchOffSchedule();
    await expectGolden(1, expected);
  });

  test.each([
    golden('0.1', 1_000_000_000_000_000n, 35_035_036n, 35_750_036n, 357_500n, 357_500n),
    golden('1', 10_000_000_000_000_000n, 353_535_354n, 360_750_360n, 3_607_503n, 3_607_503n),
    golden('5', 50_000_000_000_000_000n, 1_842_105_264n, 1_879_699_248n, 18_796_992n, 18_796_992n),
    golden('50', 500_000_000_000_000_000n, 35_000_000_000n, 35_714_285_714n, 357_142_857n, 357_142_857n),
  ])('$percent % of a creator launch', async (expected) => {
    await expectGolden(2, expected);
  });

  test('at a market cap from $100k on, the next bracket counts', async () => {
    await switchOffSchedule();
    // 35 * 3000 = $105,000: 25 + 10 basis points of 354777073 are 886942 + 354777, which leaves 353535354.
    ledger.setSolPrice(3_000);
    const { costLamports, details, costUsd } = await quote();
    expect(details).toMatchObject({
      marketCapUsd: 105_000,
      fees: { protocol: (costLamports * 25n) / 10_000n, creator: costLamports / 1_000n },
    });
    expect(costLamports).toBe(LEAST_AT_35_BPS);
    expect(costUsd).toBe(usd(LEAST_AT_35_BPS, 300_000_000_000n));
  });

  test('in USD, at the price', async () => {
    // 0.721500721 SOL at $82.0175991
    expect((await quote()).costUsd).toBe(Number('59.1757568853389511'));
    ledger.setSolPrice('0.00000001');
    expect(await quote()).toMatchObject({ costLamports: 721_500_721n, costUsd: 7.21500721e-9 });
    ledger.setSolPrice(100);
    expect(await quote()).toMatchObject({ costLamports: 721_500_721n, costUsd: 72.1500721 });
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
    // B = 1000, half of A = 1000000: net 1000; in 1020 leaves 1020 - 10 - 10, in 1019 leaves 1019 - 10 - 10
    expect(await quote({ configVersion: 2, initialPurchasePercent: 50 })).toMatchObject({
      costLamports: 1_020n,
      tokenAmount: 500_000n,
      tokenAmountUi: 500,
    });
  });
});

/** Found by counting up from 353535354. */
const LEAST_AT_35_BPS = 354_777_073n;

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
      },
    });
  });

  test('buying all tokens throws, and the error says how many can be bought', async () => {
    const all = 1_000_000_000_000_000_000n;
    const MOST = 999_999_996_127_849_391n;
    await expect(quote({ initialPurchasePercent: '99.9999996127849391' })).resolves.toMatchObject({
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
      value,
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
    [1_000_000_000n, 71n],
    [50_000_000_000_000_000n, 3_759_398_495n],
    // A unit more than 1 %: the golden cost buys 10000000013011428, so it suffices.
    [10_000_000_000_000_001n, 721_500_721n],
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
    // of 721500721 lamports
    [undefined, 721_500_721n],
    [null, 721_500_721n],
    [0, 721_500_721n],
    ['0.000', 721_500_721n],
    // 3607503.605, rounded up
    [0.005, 725_108_225n],
    ['0.005', 725_108_225n],
    ['5e-3', 725_108_225n],
    // 72150.0721
    [0.0001, 721_572_872n],
    // less than a lamport
    ['0.0000000000000001', 721_500_722n],
    // 72150072.1
    [0.1, 793_650_794n],
    [0.5, 1_082_251_082n],
    [1, 1_443_001_442n],
    ['1.0', 1_443_001_442n],
  ])('of %s', async (slippage, costLamports) => {
    expect(await quote({ slippage })).toMatchObject({
      costLamports,
      costSol: Number(costLamports) / 1e9,
      costUsd: usd(costLamports),
      tokenAmount: 10_000_000_000_000_000n,
      details: { leastLamports: 721_500_721n },
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
    [`0.${'0'.repeat(32)}1`, 'too-many-decimals'],
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
    await expectRefusal(quote({ configVersion: 3 }), 'pool-kind-mismatch', {
      asked: 'standard',
      found: 'pro',
    });
    await expect(quote({ configVersion: 3 })).rejects.toThrow(
      'Config version 3 is for pro pools. A launch uses 1 (community) or 2 (creator).',
    );
  });

  test('fees that leave nothing', async () => {
    ledger.updateConfig(await configOf(1), ({ slotOffsetBasedFees }) => ({
      slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee: createSlotFeeBrackets([5, 9_900]) },
    }));
    await expectRefusal(quote(), 'fees-exceed-amount', { feeBps: 10_000n });
  });
});

describe('for any fees and any share', () => {
  const rates = fc
    .tuple(...Array.from({ length: 5 }, () => fc.integer({ min: 0, max: 1_900 })))
    .map((bps) => bps as [number, number, number, number, number]);
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
  const bySlot = fc.boolean();

  test('the cost buys the tokens, and one lamport less does not', async () => {
    const { initialTokenAAmount: reserveA } = createSampleConfig(1);
    const config = await configOf(1);
    await fc.assert(
      fc.asyncProperty(rates, share, bySlot, async (bps, units, scheduled) => {
        const names = [
          'protocolTradingFee',
          'liquidityProviderTradingFee',
          'creatorTradingFee',
          'creatorTradingFeeProtocolFee',
          'reflectionTradingFee',
        ] as const;
        ledger.updateConfig(config, ({ marketCapBasedFees, slotOffsetBasedFees }) => ({
          marketCapBasedFees: {
            ...marketCapBasedFees,
            ...Object.fromEntries(names.map((name, k) => [name, createFeeBrackets([U64_MAX, bps[k]!, 77])])),
          },
          slotOffsetBasedFees: {
            ...slotOffsetBasedFees,
            creatorTradingFee: scheduled
              ? createSlotFeeBrackets([0, 500, 33], [9, 7_000])
              : createSlotFeeBrackets(),
          },
        }));
        const [protocol, liquidityProvider, creator, creatorProtocol, reflection] = bps.map(BigInt) as [
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
        ];
        const buyFees = {
          protocol,
          liquidityProvider,
          creator: scheduled ? 500n : creator,
          creatorProtocol,
          reflection,
        };
        const launch: SwapState = { reserveA, reserveB: 35_000_000_000n, buyFees, sellFees: NO_FEES };
        const { costLamports, tokenAmount } = await quote({ initialPurchasePercent: percentText(units) });
        expect(tokenAmount).toBe((reserveA * units) / 10n ** 16n);
        expect(computeBuy(launch, costLamports).amountOut).toBeGreaterThanOrEqual(tokenAmount);
        for (let less = 1n; less <= 8n && less < costLamports; less++) {
          expect(computeBuy(launch, costLamports - less).amountOut).toBeLessThan(tokenAmount);
        }
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
