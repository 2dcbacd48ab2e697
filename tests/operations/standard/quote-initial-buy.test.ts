import { describe, expect, test } from 'vitest';
import { type QuoteInitialBuyInput, quoteInitialBuy, toUiAmount } from '../../../src/index.js';
import { findProtocolConfigAddress } from '../../../src/program/index.js';
import { createFeeBrackets, createSlotFeeBrackets } from '../../../src/testing/index.js';
import { LAUNCHES } from '../../mainnet/facts.js';
import { U64_MAX } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger, useLedger } from '../../support/ledger.js';

// A launch begins with A = 10^18 token units and B = 35 * 10^9 virtual lamports. t units cost the least lamports with
// floor(A * lamports / (B + lamports)) >= t; there is no fee. The figures below were found by search, in another language
// (Python integers), without the closed form; two more are of launches on mainnet.

/** The sample price of $82.0175991. */
const PRICE = 8_201_759_910n;

useLedger();

const DEFAULTS = { configVersion: 1, initialPurchasePercent: 1 };
const quote = (change: object = {}) =>
  quoteInitialBuy(client, { ...DEFAULTS, ...change } as QuoteInitialBuyInput);

const configOf = (version: number) => findProtocolConfigAddress({ version });

/** What lamports are worth, exactly, then as the nearest number. */
const usd = (lamports: bigint, price = PRICE) => {
  const digits = (lamports * price).toString().padStart(18, '0');
  return Number(`${digits.slice(0, -17)}.${digits.slice(-17)}`);
};

const NO_FEES = { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n };

describe('what it costs', () => {
  describe.each([1, 2])('with config version %i', (configVersion) => {
    test.each<readonly [percent: string, tokenAmount: bigint, cost: bigint]>([
      ['0.000', 0n, 0n],
      ['0.0000000000000001', 1n, 1n],
      ['0.0000001', 1_000_000_000n, 36n],
      ['1', 10_000_000_000_000_000n, 353_535_354n],
      ['50', 500_000_000_000_000_000n, 35_000_000_000n],
      // Of 10^18 units, 16 decimals are all digits of a percentage.
      ...LAUNCHES.map(([tokens, lamports]) => [toUiAmount(tokens, 16), tokens, lamports] as const),
    ])('%s % of the tokens', async (percent, tokenAmount, cost) => {
      expect(await quote({ configVersion, initialPurchasePercent: percent })).toMatchObject({
        costLamports: cost,
        costUsd: usd(cost),
        tokenAmount,
        // 35 SOL at $82.0175991 are $2870.6159685, rounded down to millionths
        details: { leastLamports: cost, fees: NO_FEES, marketCapUsd: 2_870.615968 },
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
    ['1e-7', 1_000_000_000n],
    [2.675, 26_750_000_000_000_000n],
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

  test('of less than one unit throws', async () => {
    const context = { field: 'initialPurchasePercent' };
    for (const initialPurchasePercent of ['0.000000000000000099', 1e-17]) {
      const { message } = await expectRefusal(quote({ initialPurchasePercent }), 'zero-amount', context);
      expect(message).toMatch(/0\.0{16}/);
    }
  });

  test('buying all tokens throws, and the error says how many can be bought', async () => {
    const all = 1_000_000_000_000_000_000n;
    const MOST = 999_999_998_102_646_198n;
    await expect(quote({ initialPurchasePercent: '99.9999998102646198' })).resolves.toMatchObject({
      tokenAmount: MOST,
    });
    for (const initialPurchasePercent of [100, '100', '100.00']) {
      const call = quote({ initialPurchasePercent });
      const error = await expectRefusal(call, 'insufficient-liquidity', { requested: all, available: MOST });
      expect(error.message).toContain('but the pool can trade at most 99.99999981.');
    }
  });

  test('almost all of the tokens cost more than exists, which is not an invalid amount', async () => {
    await expectRefusal(quote({ initialPurchasePercent: '99.99999999999999' }), 'insufficient-liquidity');
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

  test('is rejected if it is invalid, or if a percentage is given too', async () => {
    const tokenAmount = 1n;
    await expectRefusal(quote({ tokenAmount }), 'invalid-input', { field: 'tokenAmount' });
    expect(ledger.requests).toEqual([]);
    const all = { initialPurchasePercent: undefined, tokenAmount: 1_000_000_000_000_000_000n };
    await expectRefusal(quote(all), 'insufficient-liquidity', { requested: all.tokenAmount });
  });
});

describe('slippage', () => {
  test.each([
    // of 353535354 lamports
    [0, 353_535_354n],
    // 1767676.77, rounded up
    [0.005, 355_303_031n],
    // 35353.5354
    [0.0001, 353_570_708n],
    // less than a lamport
    ['0.0000000000000001', 353_535_355n],
    [0.5, 530_303_031n],
    [1, 707_070_708n],
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
    [{ slippageBps: 999 }, undefined],
    [
      { slippageBps: 1_000 },
      /^With a slippage of 10 % .* up to 388888890 lamports\. Choose less slippage\.$/,
    ],
    [{ slippage: '0.5' }, / 50 % .* Choose less slippage\.$/],
    // A percent or two, or basis points, typed as a fraction.
    [{ slippage: 0.5001 }, / 50\.01 % .* slippage is 0\.5001, a fraction: 1 is 100 %\. Pass slippageBps/],
    [{ slippage: 1 }, / 100 % .* a fraction/],
  ])('of %o warns of %s', async (slippage, message) => {
    const { warnings } = (await quote(slippage)).details;
    const found = warnings.filter(({ code }) => code === 'spend-too-high');
    expect(found).toEqual(
      message === undefined ? [] : [{ code: 'spend-too-high', message: expect.stringMatching(message) }],
    );
  });

  test.each([
    [1.0000001, 'invalid-slippage'],
    [`0.${'0'.repeat(32)}1`, 'invalid-amount:decimals'],
  ])('of %s is rejected', async (value, code) => {
    await expectRefusal(quote({ slippage: value }), code, { field: 'slippage', value });
    expect(ledger.requests).toEqual([]);
  });
});
