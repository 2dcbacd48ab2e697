import { describe, expect, test } from 'vitest';
import {
  computeBuy,
  computeBuyExactOut,
  computeSell,
  computeSellExactOut,
  type FeeRates,
  isHeavenError,
  maximumAfterSlippage,
  minimumAfterSlippage,
  type SwapState,
  toNativeAmount,
  toUiAmount,
} from '../../src/index.js';
import { U64_MAX } from '../support/amounts.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

const noFees: FeeRates = {
  protocol: 0n,
  liquidityProvider: 0n,
  creator: 0n,
  creatorProtocol: 0n,
  reflection: 0n,
};
const runs = { numRuns: 2_000 };

const bps = fc.bigInt(0n, 1_900n);
const rates: fc.Arbitrary<FeeRates> = fc.record({
  protocol: bps,
  liquidityProvider: bps,
  creator: bps,
  creatorProtocol: bps,
  reflection: bps,
});
/** Evenly over the orders of magnitude, so that tiny and huge amounts both come. */
const upTo = (bits: number) =>
  fc.integer({ min: 1, max: bits }).chain((size) => fc.bigInt(1n, 2n ** BigInt(size) - 1n));
const reserves = { reserveA: upTo(62), reserveB: upTo(58) };
const states: fc.Arbitrary<SwapState> = fc.record({ ...reserves, buyFees: rates, sellFees: rates });
const transferFee = fc.record({ basisPoints: fc.bigInt(1n, 10_000n), maximum: upTo(60) });
const windowFill = fc.constantFrom(undefined, 'worse-price' as const, 'reversal-at-start' as const);
const windowedStates: fc.Arbitrary<SwapState> = fc.record({
  ...reserves,
  buyFees: rates,
  sellFees: rates,
  windowReserves: fc.option(fc.record(reserves), { nil: undefined }),
  windowFill,
  transferFee: fc.option(transferFee, { nil: undefined }),
});

/** The result, or nothing where the pool rightly refuses. */
function attempt<TResult>(compute: () => TResult): TResult | undefined {
  try {
    return compute();
  } catch (error) {
    if (isHeavenError(error)) return undefined;
    throw error;
  }
}

const sum = (fees: FeeRates) => Object.values(fees).reduce((total, fee) => total + fee, 0n);
const kinds = (fees: FeeRates) => Object.values(fees).filter((fee) => fee > 0n).length;

describe('any pool', () => {
  test('the product of the reserves never falls', () => {
    fc.assert(
      fc.property(windowedStates, upTo(60), (state, amount) => {
        for (const trade of [
          attempt(() => computeBuy(state, amount)),
          attempt(() => computeSell(state, amount)),
        ]) {
          if (!trade) continue;
          expect(trade.reserveAAfter * trade.reserveBAfter).toBeGreaterThanOrEqual(
            state.reserveA * state.reserveB,
          );
          expect(trade.reserveAAfter).toBeGreaterThanOrEqual(0n);
          expect(trade.reserveBAfter).toBeGreaterThanOrEqual(0n);
        }
      }),
      runs,
    );
  });

  test('fees are each rounded down by themselves, sum up, and leave with the rest of the amount', () => {
    fc.assert(
      fc.property(states, upTo(60), (state, amount) => {
        const buy = attempt(() => computeBuy(state, amount));
        if (buy) {
          for (const kind of Object.keys(noFees) as (keyof FeeRates)[]) {
            expect(buy.fees[kind]).toBe((amount * state.buyFees[kind]) / 10_000n);
          }
          expect(buy.totalFee).toBe(sum(buy.fees));
          expect(buy.reserveBAfter - state.reserveB).toBe(amount - buy.totalFee);
          expect(state.reserveA - buy.reserveAAfter).toBe(buy.amountOut);
        }
        const sell = attempt(() => computeSell(state, amount));
        if (sell) {
          expect(sell.totalFee).toBe(sum(sell.fees));
          expect(state.reserveB - sell.reserveBAfter).toBe(sell.amountOut + sell.totalFee);
          expect(sell.reserveAAfter - state.reserveA).toBe(amount);
        }
      }),
      runs,
    );
  });

  test('more in never gives less out with a single kind of fee', () => {
    fc.assert(
      fc.property(windowedStates, bps, upTo(60), upTo(60), (state, fee, a, b) => {
        const single = {
          ...state,
          buyFees: { ...noFees, creator: fee },
          sellFees: { ...noFees, protocol: fee },
        };
        const [less, more] = a < b ? [a, b] : [b, a];
        for (const compute of [computeBuy, computeSell]) {
          const [first, second] = [
            attempt(() => compute(single, less)),
            attempt(() => compute(single, more)),
          ];
          if (first && second) expect(second.amountOut).toBeGreaterThanOrEqual(first.amountOut);
        }
      }),
      runs,
    );
  });

  test('with several kinds of fee, more in loses at most one lamport per further kind to rounding', () => {
    // Each fee is rounded down by itself, so all of them can tick up at the same lamport: 200 lamports at 50 + 100 basis
    // points leave 197, and 199 leave 198.
    fc.assert(
      fc.property(states, upTo(58), upTo(58), (state, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const [firstBuy, secondBuy] = [
          attempt(() => computeBuy(state, less)),
          attempt(() => computeBuy(state, more)),
        ];
        if (firstBuy && secondBuy) {
          const lost = firstBuy.reserveBAfter - secondBuy.reserveBAfter;
          expect(lost).toBeLessThanOrEqual(BigInt(Math.max(0, kinds(state.buyFees) - 1)));
        }
        const [firstSell, secondSell] = [
          attempt(() => computeSell(state, less)),
          attempt(() => computeSell(state, more)),
        ];
        if (firstSell && secondSell) {
          const lost = firstSell.amountOut - secondSell.amountOut;
          expect(lost).toBeLessThanOrEqual(BigInt(Math.max(0, kinds(state.sellFees) - 1)));
        }
      }),
      runs,
    );
  });

  test('a round trip never gains', () => {
    fc.assert(
      fc.property(windowedStates, upTo(60), (state, amount) => {
        const buy = attempt(() => computeBuy(state, amount));
        if (buy && buy.amountOut > 0n) {
          const after = { ...state, reserveA: buy.reserveAAfter, reserveB: buy.reserveBAfter };
          const back = attempt(() => computeSell(after, buy.amountOut));
          if (back) expect(back.amountOut).toBeLessThanOrEqual(amount);
        }
        const sell = attempt(() => computeSell(state, amount));
        if (sell && sell.amountOut > 0n) {
          const after = { ...state, reserveA: sell.reserveAAfter, reserveB: sell.reserveBAfter };
          const back = attempt(() => computeBuy(after, sell.amountOut));
          if (back) expect(back.amountOut).toBeLessThanOrEqual(amount);
        }
      }),
      runs,
    );
  });

  test('exact out reaches the target with the least input', () => {
    fc.assert(
      fc.property(windowedStates, upTo(60), (state, target) => {
        for (const [exactOut, exactIn] of [
          [computeBuyExactOut, computeBuy],
          [computeSellExactOut, computeSell],
        ] as const) {
          const trade = attempt(() => exactOut(state, target));
          if (!trade) continue;
          expect(trade.amountOut).toBeGreaterThanOrEqual(target);
          expect(exactIn(state, trade.amountIn)).toEqual(trade);
          // Several fees ticking at once can make a smaller amount worth more: look well below, not only one step.
          for (let less = trade.amountIn - 1n; less > 0n && less >= trade.amountIn - 12n; less--) {
            expect(attempt(() => exactIn(state, less))?.amountOut ?? 0n).toBeLessThan(target);
          }
        }
      }),
      runs,
    );
  });

  test('exact out finds any amount that an exact-in trade can give', () => {
    fc.assert(
      fc.property(windowedStates, upTo(60), (state, amountIn) => {
        for (const [exactOut, exactIn] of [
          [computeBuyExactOut, computeBuy],
          [computeSellExactOut, computeSell],
        ] as const) {
          const trade = attempt(() => exactIn(state, amountIn));
          if (!trade || trade.amountOut === 0n) continue;
          const found = exactOut(state, trade.amountOut);
          expect(found.amountIn).toBeLessThanOrEqual(amountIn);
          expect(found.amountOut).toBeGreaterThanOrEqual(trade.amountOut);
        }
      }),
      runs,
    );
  });

  test('a small pool gives exactly what a search of every input finds', () => {
    const small = fc.record({
      reserveA: fc.bigInt(1n, 300n),
      reserveB: fc.bigInt(1n, 300n),
      buyFees: rates,
      sellFees: rates,
      windowReserves: fc.option(fc.record({ reserveA: fc.bigInt(1n, 300n), reserveB: fc.bigInt(1n, 300n) }), {
        nil: undefined,
      }),
      windowFill,
      transferFee: fc.option(fc.record({ basisPoints: fc.bigInt(1n, 9_000n), maximum: fc.bigInt(0n, 20n) }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(small, fc.bigInt(1n, 60n), (state, target) => {
        for (const [exactOut, exactIn] of [
          [computeBuyExactOut, computeBuy],
          [computeSellExactOut, computeSell],
        ] as const) {
          let least: bigint | undefined;
          for (let amount = 1n; amount < 3_000n && least === undefined; amount++) {
            if ((attempt(() => exactIn(state, amount))?.amountOut ?? 0n) >= target) least = amount;
          }
          const found = attempt(() => exactOut(state, target))?.amountIn;
          if (least !== undefined) expect(found).toBe(least);
          else expect(found === undefined || found >= 3_000n).toBe(true);
        }
      }),
      { numRuns: 600 },
    );
  });

  describe('in a window that began at 1000 : 1000, after a sell that left 1250 : 800', () => {
    const state: SwapState = {
      reserveA: 1_250n,
      reserveB: 800n,
      buyFees: noFees,
      sellFees: noFees,
      windowReserves: { reserveA: 1_000n, reserveB: 1_000n },
    };

    test('a buy gets the worse of both prices', () => {
      // 1250 * 100 / 900 = 138, and 1000 * 100 / 1100 = 90
      expect(computeBuy(state, 100n).amountOut).toBe(90n);
    });

    test('a sell continues along the curve', () => {
      // 800 * 100 / 1350 = 59
      expect(computeSell(state, 100n).amountOut).toBe(59n);
    });

    test("can't buy more than the window began with", () => {
      expect(() => computeBuyExactOut(state, 1_025n)).toThrow(/give at most 999 native units, not 1025/);
    });
  });

  test('the price impact is that of the curve', () => {
    const state = { reserveA: 1_000_000n, reserveB: 1_000_000n, buyFees: noFees, sellFees: noFees };
    // 10000 in gives 1000000*10000/1010000 = 9900: 1 % worse than the 10000 of the price before.
    expect(computeBuy(state, 10_000n)).toMatchObject({ amountOut: 9_900n, priceImpactBps: 100 });
    expect(computeSell(state, 10_000n)).toMatchObject({ amountOut: 9_900n, priceImpactBps: 100 });
  });

  /** As the docstring defines it, in whole fractions: hundredths of a basis point, rounded up. */
  const impactOf = (amountIn: bigint, out: bigint, reserveIn: bigint, reserveOut: bigint) => {
    const spot = amountIn * reserveOut;
    const worse = (spot - out * reserveIn) * 1_000_000n;
    return Number(worse / spot + (worse % spot === 0n ? 0n : 1n)) / 100;
  };

  test('the price impact is exact at any size', () => {
    fc.assert(
      fc.property(windowedStates, upTo(60), (state, amountIn) => {
        const { reserveA, reserveB } = state;
        const bought = attempt(() => computeBuy(state, amountIn));
        if (bought) {
          const [net, out] = [bought.reserveBAfter - reserveB, reserveA - bought.reserveAAfter];
          expect(bought.priceImpactBps).toBe(impactOf(net, out, reserveB, reserveA));
        }
        const sold = attempt(() => computeSell(state, amountIn));
        if (sold && sold.reserveAAfter > reserveA) {
          const [received, gross] = [sold.reserveAAfter - reserveA, reserveB - sold.reserveBAfter];
          expect(sold.priceImpactBps).toBe(impactOf(received, gross, reserveA, reserveB));
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('the price impact is exact at whole hundredths, and right beside them', () => {
    // out = in * reserve / (reserve + in) with in / (reserve + in) = hundredths / 1,000,000, all of it exact.
    const free = { buyFees: noFees, sellFees: noFees };
    for (let hundredths = 1n; hundredths < 1_000_000n; hundredths += 997n) {
      const [scale, amountIn] = [10n ** 12n, hundredths * 10n ** 12n];
      const reserveB = (1_000_000n - hundredths) * scale;
      for (const beside of [-1n, 0n, 1n]) {
        const state = { ...free, reserveA: 10n ** 18n, reserveB: reserveB + beside };
        const { priceImpactBps, reserveAAfter } = computeBuy(state, amountIn);
        expect(priceImpactBps).toBe(
          impactOf(amountIn, state.reserveA - reserveAAfter, state.reserveB, state.reserveA),
        );
      }
    }
  });
});

describe('the available amount in an error', () => {
  const trades = { computeBuy, computeSell, computeBuyExactOut, computeSellExactOut };
  const withVirtual = fc
    .tuple(windowedStates, upTo(58), fc.boolean())
    .map(([state, virtual, isVirtual]) =>
      isVirtual ? { ...state, virtualReserveB: virtual < state.reserveB ? virtual : state.reserveB } : state,
    );

  test.each(Object.entries(trades))('%s succeeds with the available amount of its error', (_, compute) => {
    fc.assert(
      fc.property(withVirtual, upTo(64), (state, amount) => {
        try {
          compute(state, amount);
        } catch (error) {
          if (!isHeavenError(error, 'insufficient-liquidity')) return;
          const { available } = error.context;
          if (available > 0n) expect(() => compute(state, available)).not.toThrow();
        }
      }),
      { numRuns: 10_000 },
    );
  });

  test('is the most that a sell can take before the virtual lamports', () => {
    // 50000 * n / (1000000000 + n) <= 15000 up to n = 428612246 (one more gives 15001), for the 15000 lamports that are there.
    const state: SwapState = {
      reserveA: 1_000_000_000n,
      reserveB: 50_000n,
      virtualReserveB: 35_000n,
      buyFees: noFees,
      sellFees: { ...noFees, protocol: 100n },
    };
    const available = 428_612_246n;
    expect(() => computeSell(state, 10n ** 9n)).toThrow(
      expect.objectContaining({ context: { requested: 10n ** 9n, available } }),
    );
    expect(computeSell(state, available)).toMatchObject({ reserveBAfter: 35_000n, totalFee: 150n });
    expect(() => computeSell(state, available + 1n)).toThrow();
    // 150 lamports of fees are taken from the 15000.
    expect(() => computeSellExactOut(state, 14_851n)).toThrow(
      expect.objectContaining({ context: { requested: 14_851n, available: 14_850n } }),
    );
  });
});

describe('a token with a transfer fee', () => {
  // 1 % of each transfer, at most 500 units.
  const state: SwapState = {
    reserveA: 1_000_000n,
    reserveB: 1_000_000n,
    buyFees: noFees,
    sellFees: noFees,
    transferFee: { basisPoints: 100n, maximum: 500n },
  };

  test('a buyer receives what remains of the transfer', () => {
    // The vault sends 9900; 99 are withheld. Of 90909, 500 are.
    expect(computeBuy(state, 10_000n)).toMatchObject({
      amountOut: 9_801n,
      transferFee: 99n,
      reserveAAfter: 990_100n,
    });
    expect(computeBuy(state, 100_000n)).toMatchObject({ amountOut: 90_409n, transferFee: 500n });
  });

  test('what reaches the vault is sold', () => {
    // 10000 less 100 is 9900: 1000000*9900/1009900 = 9802.9
    expect(computeSell(state, 10_000n)).toMatchObject({
      amountOut: 9_802n,
      transferFee: 100n,
      reserveAAfter: 1_009_900n,
    });
    // 101 less 2 (1.01 rounded up)
    expect(computeSell(state, 101n)).toMatchObject({ transferFee: 2n, reserveAAfter: 1_000_099n });
  });

  test('a fee of everything leaves nothing', () => {
    const all = { ...state, transferFee: { basisPoints: 10_000n, maximum: U64_MAX } };
    expect(computeBuy(all, 10_000n).amountOut).toBe(0n);
    expect(computeSell(all, 10_000n)).toMatchObject({ amountOut: 0n, reserveAAfter: state.reserveA });
  });
});

describe('limits', () => {
  const state: SwapState = {
    reserveA: 1_000_000_000n,
    reserveB: 50_000n,
    virtualReserveB: 35_000n,
    buyFees: { ...noFees, creator: 5_000n },
    sellFees: noFees,
  };

  test.each([
    ['a buy of nothing', () => computeBuy(state, 0n), 'zero-amount'],
    ['a negative buy', () => computeBuy(state, -1n), 'invalid-amount'],
    ['a buy in numbers', () => computeBuy(state, 1 as never), 'invalid-amount'],
    ['a buy over 64 bits', () => computeBuy(state, U64_MAX + 1n), 'amount-out-of-range'],
    ['a buy that fills the pool', () => computeBuy(state, U64_MAX), undefined],
    [
      'a buy with fees of 100 %',
      () => computeBuy({ ...state, buyFees: { ...noFees, creator: 10_000n } }, 100n),
      'fees-exceed-amount',
    ],
    [
      'a sell with fees over 100 %',
      () => computeSell({ ...state, sellFees: { ...noFees, creator: 20_000n } }, 10_000_000n),
      'fees-exceed-amount',
    ],
    ['a sell into virtual SOL', () => computeSell(state, 1_000_000_000n), 'insufficient-liquidity'],
    ['a sell that overfills the pool', () => computeSell(state, U64_MAX), 'insufficient-liquidity'],
    [
      'an exact buy of the whole reserve',
      () => computeBuyExactOut(state, 1_000_000_000n),
      'insufficient-liquidity',
    ],
    ['an exact sell into virtual SOL', () => computeSellExactOut(state, 15_001n), 'insufficient-liquidity'],
    ['an exact sell of all real SOL', () => computeSellExactOut(state, 15_000n), undefined],
    [
      'an exact buy with fees of 100 %',
      () => computeBuyExactOut({ ...state, buyFees: { ...noFees, creator: 10_000n } }, 1n),
      'fees-exceed-amount',
    ],
    [
      'an exact buy with fees of 99.99 %',
      () => computeBuyExactOut({ ...state, buyFees: { ...noFees, creator: 9_999n } }, 1n),
      undefined,
    ],
    ['a trade in an empty pool', () => computeBuy({ ...state, reserveA: 0n }, 1n), 'insufficient-liquidity'],
  ])('%s', (_, compute, code) => {
    if (code === undefined) expect(compute).not.toThrow();
    else expect(compute).toThrow(expect.objectContaining({ name: 'HeavenError', code }));
  });
});

describe('slippage', () => {
  test('is exact for every whole basis point', () => {
    for (let slippageBps = 0; slippageBps <= 10_000; slippageBps++) {
      // 10^9 divides by 10^4, so the floor has nothing to hide.
      expect(minimumAfterSlippage(1_000_000_000n, slippageBps)).toBe(100_000n * BigInt(10_000 - slippageBps));
      expect(maximumAfterSlippage(1_000_000_000n, slippageBps)).toBe(100_000n * BigInt(10_000 + slippageBps));
    }
  });

  test('rounds a minimum down and a maximum up', () => {
    expect(minimumAfterSlippage(3n, 1)).toBe(2n);
    expect(maximumAfterSlippage(3n, 1)).toBe(4n);
  });

  test('a minimum never exceeds the amount', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX), fc.integer({ min: 0, max: 10_000 }), (amount, slippageBps) => {
        expect(minimumAfterSlippage(amount, slippageBps)).toBeLessThanOrEqual(amount);
      }),
    );
  });

  test.each([-1, 10_001, 12.5, Number.NaN, Number.POSITIVE_INFINITY, '50', null, undefined, 50n])(
    'rejects %s',
    (slippageBps) => {
      expect(() => minimumAfterSlippage(1n, slippageBps as never)).toThrow(
        expect.objectContaining({ code: 'invalid-slippage' }),
      );
    },
  );
});

describe('units', () => {
  test.each([
    ['1.5', 9, 1_500_000_000n],
    [1.5, 9, 1_500_000_000n],
    [0.1, 9, 100_000_000n],
    [1e-7, 9, 100n],
    ['1e-9', 9, 1n],
    [1e21, 0, undefined],
    ['15e-1', 6, 1_500_000n],
    ['0', 9, 0n],
    ['00012.50', 1, 125n],
    ['1.10000000000000000000', 1, 11n],
    ['18446744073.709551615', 9, U64_MAX],
    ['18446744073709551615', 0, U64_MAX],
    ['123456789.123456789', 9, 123_456_789_123_456_789n],
    [4.35, 2, 435n],
  ])('%s with %i decimals', (amount, decimals, native) => {
    if (native !== undefined) expect(toNativeAmount(amount, decimals)).toBe(native);
    else
      expect(() => toNativeAmount(amount, decimals)).toThrow(
        expect.objectContaining({ code: 'amount-out-of-range' }),
      );
  });

  test.each([
    [Number.NaN, 'invalid-amount'],
    [Number.POSITIVE_INFINITY, 'invalid-amount'],
    [-1, 'invalid-amount'],
    ['-0', 'invalid-amount'],
    ['', 'invalid-amount'],
    ['.5', 'invalid-amount'],
    ['1.', 'invalid-amount'],
    ['1,5', 'invalid-amount'],
    [' 1', 'invalid-amount'],
    ['0x10', 'invalid-amount'],
    ['1e9999', 'invalid-amount'],
    [1n, 'invalid-amount'],
    [null, 'invalid-amount'],
    [{}, 'invalid-amount'],
    ['0.0000000001', 'invalid-amount:decimals'],
    ['1e-10', 'invalid-amount:decimals'],
    ['1e-999', 'invalid-amount:decimals'],
    ['18446744073.709551616', 'amount-out-of-range'],
    ['1e999', 'amount-out-of-range'],
    ['9'.repeat(100_000), 'amount-out-of-range'],
  ])('rejects %s', (amount, code) => {
    expect(() => toNativeAmount(amount as never, 9, 'maxSolSpend')).toThrow(
      heavenError(code, { field: 'maxSolSpend' }),
    );
  });

  test.each([
    [-5_000n, '-0.000005'],
    [-1n, '-0.000000001'],
    [-1_500_000_000n, '-1.5'],
    [-2_000_000_000n, '-2'],
  ])('a change of %s is %s', (change, text) => expect(toUiAmount(change, 9)).toBe(text));

  test.each([1.5, '1', undefined, null])('no UI amount of %s', (amount) => {
    expect(() => toUiAmount(amount as never, 9)).toThrow(expect.objectContaining({ code: 'invalid-amount' }));
  });

  test('there and back loses nothing', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        expect(toNativeAmount(toUiAmount(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });
});
