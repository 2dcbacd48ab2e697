import { isDeepStrictEqual } from 'node:util';

import { describe, expect, test } from 'vitest';
import {
  type AnyHeavenError,
  computeBuy,
  computeBuyExactOut,
  computeSell,
  computeSellExactOut,
  type FeeRates,
  HeavenError,
  isHeavenError,
  type SwapResult,
  type SwapState,
} from '../../src/index.js';
import { computeInitialPurchase, NO_FEES } from '../../src/math/swap.js';
import { U64_MAX } from '../support/amounts.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

const FREE = { buyFees: NO_FEES, sellFees: NO_FEES };
const FUNCTIONS = { computeBuy, computeSell, computeBuyExactOut, computeSellExactOut };
const SIDES = [
  [computeBuy, computeBuyExactOut],
  [computeSell, computeSellExactOut],
] as const;

// ---------------------------------------------------------------- any pool

/** Rates of at most so many basis points each, or none at all. */
const ratesUpTo = (most: bigint): fc.Arbitrary<FeeRates> => {
  const bps = fc.bigInt(0n, most);
  const some = { protocol: bps, liquidityProvider: bps, creator: bps, creatorProtocol: bps, reflection: bps };
  return fc.option(fc.record(some), { nil: NO_FEES, freq: 9 });
};
/** Evenly over the orders of magnitude, so that tiny and huge amounts both come. */
const upTo = (bits: number) =>
  fc.integer({ min: 1, max: bits }).chain((size) => fc.bigInt(1n, 2n ** BigInt(size) - 1n));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const statesWith = (
  reserveA: fc.Arbitrary<bigint>,
  reserveB: fc.Arbitrary<bigint>,
  basisPoints: fc.Arbitrary<bigint>,
  maximum: fc.Arbitrary<bigint>,
  rates = ratesUpTo(1_900n),
): fc.Arbitrary<SwapState> =>
  fc
    .record({
      reserveA,
      reserveB,
      buyFees: rates,
      sellFees: rates,
      windowReserves: maybe(fc.record({ reserveA, reserveB })),
      transferFee: maybe(fc.record({ basisPoints, maximum })),
      virtual: maybe(reserveB),
    })
    .map(({ virtual, ...state }) =>
      virtual === undefined
        ? state
        : { ...state, virtualReserveB: virtual < state.reserveB ? virtual : state.reserveB },
    );
const anyBps = fc.bigInt(0n, 10_000n);
const states = statesWith(upTo(62), upTo(58), anyBps, upTo(60));
/** Where fees may be over 100 %. */
const expensiveStates = statesWith(upTo(62), upTo(58), anyBps, upTo(60), ratesUpTo(5_000n));
/** Amounts of all sizes, and some that fill a pool. */
const amounts = fc.oneof(
  { weight: 19, arbitrary: upTo(64) },
  { weight: 1, arbitrary: upTo(40).map((less) => U64_MAX - less) },
);

// Thousands of trades, each of which takes less time than an `expect` or the stack of an error. So these are only for what is wrong.

/** The result, or the error of a pool that refuses. */
function outcomeOf<TResult>(compute: () => TResult): TResult | AnyHeavenError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return compute();
  } catch (error) {
    if (isHeavenError(error)) return error;
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The result, or nothing where the pool rightly refuses. */
function attempt<TResult extends object>(compute: () => TResult): TResult | undefined {
  const outcome = outcomeOf(compute);
  return outcome instanceof HeavenError ? undefined : outcome;
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
function expectAtLeast(actual: bigint, least: bigint): void {
  if (actual < least) expect(actual).toBeGreaterThanOrEqual(least);
}

// ---------------------------------------------------------------- the rules, said again in the plainest way

const sum = (fees: FeeRates) => Object.values(fees).reduce((total, fee) => total + fee, 0n);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const roundedUp = (dividend: bigint, divisor: bigint) =>
  dividend / divisor + (dividend % divisor === 0n ? 0n : 1n);

/** Each fee by itself, rounded down. */
const feesOn = (amount: bigint, rates: FeeRates) => {
  const fees = Object.entries(rates).map(([name, rate]) => [name, (amount * rate) / 10_000n]);
  return Object.fromEntries(fees) as FeeRates;
};

/** What Token-2022 withholds of a transfer: rounded up, and limited. */
const withheldFrom = (amount: bigint, { transferFee }: SwapState) =>
  transferFee === undefined
    ? 0n
    : smaller(roundedUp(amount * transferFee.basisPoints, 10_000n), transferFee.maximum);

/** Constant product, at the worse of the reserves now and when the window began. */
function curve(
  amountIn: bigint,
  state: SwapState,
  from: 'reserveA' | 'reserveB',
  to: 'reserveA' | 'reserveB',
) {
  const given = [state, state.windowReserves ?? state].map(
    (reserves) => (reserves[to] * amountIn) / (reserves[from] + amountIn),
  );
  return smaller(given[0] as bigint, given[1] as bigint);
}

/** How far the average price is below the price before: hundredths of a basis point, rounded up. */
const impactOf = (amountIn: bigint, out: bigint, reserveIn: bigint, reserveOut: bigint) =>
  Number(roundedUp((amountIn * reserveOut - out * reserveIn) * 1_000_000n, amountIn * reserveOut)) / 100;

type Outcome = SwapResult | 'fees-exceed-amount' | 'insufficient-liquidity';

function expectedBuy(state: SwapState, amountIn: bigint): Outcome {
  const { reserveA, reserveB } = state;
  const fees = feesOn(amountIn, state.buyFees);
  const net = amountIn - sum(fees);
  if (sum(state.buyFees) >= 10_000n) return 'fees-exceed-amount';
  if (reserveB + net > U64_MAX) return 'insufficient-liquidity';
  const out = curve(net, state, 'reserveB', 'reserveA');
  const transferFee = withheldFrom(out, state);
  return {
    amountIn,
    amountOut: out - transferFee,
    fees,
    totalFee: sum(fees),
    transferFee,
    reserveAAfter: reserveA - out,
    reserveBAfter: reserveB + net,
    priceImpactBps: impactOf(net, out, reserveB, reserveA),
  };
}

function expectedSell(state: SwapState, amountIn: bigint): Outcome {
  const { reserveA, reserveB, virtualReserveB = 0n } = state;
  const transferFee = withheldFrom(amountIn, state);
  const received = amountIn - transferFee;
  const gross = curve(received, state, 'reserveA', 'reserveB');
  if (reserveA + received > U64_MAX || gross > reserveB - virtualReserveB) return 'insufficient-liquidity';
  const fees = feesOn(gross, state.sellFees);
  if (sum(state.sellFees) >= 10_000n) return 'fees-exceed-amount';
  return {
    amountIn,
    amountOut: gross - sum(fees),
    fees,
    totalFee: sum(fees),
    transferFee,
    reserveAAfter: reserveA + received,
    reserveBAfter: reserveB - gross,
    priceImpactBps: received === 0n ? 0 : impactOf(received, gross, reserveA, reserveB),
  };
}

describe('any pool', () => {
  test.each([
    ['buy', computeBuy, expectedBuy],
    ['sell', computeSell, expectedSell],
  ] as const)('a %s follows the rules to the last unit', (_, trade, expected) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(states, expensiveStates), amounts, (state, amount) => {
        const outcome = expected(state, amount);
        seen.add(typeof outcome === 'string' ? outcome : 'traded');
        const found = outcomeOf(() => trade(state, amount));
        expectEqual(found instanceof HeavenError ? found.code : found, outcome);
      }),
      { numRuns: 10_000 },
    );
    expect([...seen].sort()).toEqual(['fees-exceed-amount', 'insufficient-liquidity', 'traded']);
  });

  test('the product of the reserves never falls, and a round trip never gains', () => {
    fc.assert(
      fc.property(states, upTo(60), (state, amount) => {
        for (const [there, back] of [
          [computeBuy, computeSell],
          [computeSell, computeBuy],
        ] as const) {
          const first = attempt(() => there(state, amount));
          if (first === undefined) continue;
          const { reserveAAfter: reserveA, reserveBAfter: reserveB, amountOut } = first;
          expectAtLeast(reserveA * reserveB, state.reserveA * state.reserveB);
          if (amountOut === 0n) continue;
          const second = attempt(() => back({ ...state, reserveA, reserveB }, amountOut));
          if (second) expectAtLeast(amount, second.amountOut);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('exact out finds the least input for any amount that exact in can give', () => {
    fc.assert(
      fc.property(states, upTo(60), (state, amountIn) => {
        for (const [exactIn, exactOut] of SIDES) {
          const target = attempt(() => exactIn(state, amountIn))?.amountOut;
          if (target === undefined || target === 0n) continue;
          const found = exactOut(state, target);
          expectEqual(found, exactIn(state, found.amountIn));
          expectAtLeast(amountIn, found.amountIn);
          expectAtLeast(found.amountOut, target);
          // Several fees that tick at once can make a smaller amount worth more: look well below, not only one step.
          for (let less = found.amountIn - 1n; less > 0n && less >= found.amountIn - 12n; less--) {
            expectAtLeast(target - 1n, attempt(() => exactIn(state, less))?.amountOut ?? 0n);
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('a small pool gives exactly what a search of every input finds', () => {
    const small = fc.bigInt(1n, 300n);
    const smallStates = statesWith(small, small, fc.bigInt(1n, 9_000n), fc.bigInt(0n, 20n));
    fc.assert(
      fc.property(smallStates, fc.bigInt(1n, 60n), (state, target) => {
        for (const [exactIn, exactOut] of SIDES) {
          let least: bigint | undefined;
          for (let amount = 1n; amount < 500n && least === undefined; amount++) {
            if ((attempt(() => exactIn(state, amount))?.amountOut ?? 0n) >= target) least = amount;
          }
          const found = attempt(() => exactOut(state, target))?.amountIn;
          if (least !== undefined) expectEqual(found, least);
          else if (found !== undefined) expectAtLeast(found, 500n);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each(Object.entries(FUNCTIONS))('%s takes the amount that its error calls available', (_, compute) => {
    fc.assert(
      fc.property(states, amounts, (state, requested) => {
        const error = outcomeOf(() => compute(state, requested));
        if (!(error instanceof HeavenError)) return;
        if (!isHeavenError(error, 'insufficient-liquidity'))
          return expectEqual(error.code, 'fees-exceed-amount');
        const { available } = error.context;
        expectEqual(error.context, { requested, available });
        expectAtLeast(requested - 1n, available);
        if (available > 0n) compute(state, available);
      }),
      { numRuns: 4_000 },
    );
  });

  test('the purchase in a launch pays no fee, and the least lamports that buy its tokens', () => {
    fc.assert(
      fc.property(upTo(62), upTo(50), upTo(62), (reserveA, reserveB, amountOut) => {
        fc.pre(amountOut < reserveA);
        const cost = roundedUp(reserveB * amountOut, reserveA - amountOut);
        fc.pre(reserveB + cost <= U64_MAX);
        expect(computeInitialPurchase({ reserveA, reserveB }, amountOut)).toMatchObject({
          amountIn: cost,
          amountOut,
          totalFee: 0n,
          reserveAAfter: reserveA - amountOut,
          reserveBAfter: reserveB + cost,
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

test('the price impact is exact at whole hundredths, and right beside them', () => {
  // out = in * reserve / (reserve + in) with in / (reserve + in) = hundredths / 1,000,000, all of it exact.
  for (let hundredths = 1n; hundredths < 1_000_000n; hundredths += 997n) {
    const [scale, amountIn] = [10n ** 12n, hundredths * 10n ** 12n];
    const reserveB = (1_000_000n - hundredths) * scale;
    for (const beside of [-1n, 0n, 1n]) {
      const state = { ...FREE, reserveA: 10n ** 18n, reserveB: reserveB + beside };
      const { priceImpactBps, reserveAAfter } = computeBuy(state, amountIn);
      expect(priceImpactBps).toBe(
        impactOf(amountIn, state.reserveA - reserveAAfter, state.reserveB, state.reserveA),
      );
    }
  }
});

// ---------------------------------------------------------------- figures by hand

describe('worked examples', () => {
  const million = { ...FREE, reserveA: 1_000_000n, reserveB: 1_000_000n };
  // 1 % of each transfer, at most 500 units.
  const taxed = { ...million, transferFee: { basisPoints: 100n, maximum: 500n } };
  // A window that began at 1000 : 1000, after a sell that left 1250 : 800.
  const windowReserves = { reserveA: 1_000n, reserveB: 1_000n };
  const windowed = { ...FREE, reserveA: 1_250n, reserveB: 800n, windowReserves };
  const sellFees = { ...NO_FEES, protocol: 50n, creator: 100n };
  const uneven = { ...FREE, reserveA: 3n, reserveB: 300n, sellFees };
  const half = { ...FREE, reserveA: 3n, reserveB: 2n ** 62n, buyFees: { ...NO_FEES, creator: 5_000n } };
  const onePercent = { ...NO_FEES, protocol: 100n };
  const charged = { buyFees: onePercent, sellFees: onePercent };
  const virtual = { ...charged, reserveA: 10n ** 9n, reserveB: 50_000n, virtualReserveB: 35_000n };

  type Compute = (state: SwapState, amount: bigint) => SwapResult;
  test.each<[string, Compute, SwapState, amount: bigint, Partial<SwapResult>]>([
    // 1000000 * 10000 / 1010000 = 9900: 1 % worse than the 10000 of the price before.
    ['a buy', computeBuy, million, 10_000n, { amountOut: 9_900n, priceImpactBps: 100 }],
    ['a sell', computeSell, million, 10_000n, { amountOut: 9_900n, priceImpactBps: 100 }],
    // 1250 * 100 / 900 = 138, and 1000 * 100 / 1100 = 90: the worse of both.
    ['a buy in a window', computeBuy, windowed, 100n, { amountOut: 90n }],
    // 800 * 100 / 1350 = 59, and 1000 * 100 / 1100 = 90.
    ['a sell in a window', computeSell, windowed, 100n, { amountOut: 59n }],
    // The vault sends 9900, of which 99 are withheld. Of 90909, 500 are.
    ['a buy of a taxed token', computeBuy, taxed, 10_000n, { amountOut: 9_801n, transferFee: 99n }],
    ['a large buy of it', computeBuy, taxed, 100_000n, { amountOut: 90_409n, transferFee: 500n }],
    // 9900 reach the vault: 1000000 * 9900 / 1009900 = 9802.9.
    ['a sell of it', computeSell, taxed, 10_000n, { amountOut: 9_802n, reserveAAfter: 1_009_900n }],
    // 1.01 of 101, rounded up.
    ['a small sell of it', computeSell, taxed, 101n, { transferFee: 2n, reserveAAfter: 1_000_099n }],
    // The next step of the curve nets less: 300 * 6 / 9 = 200 leaves 200 - 1 - 2 = 197, though 199 would leave 198. 300 * 7 / 10 = 210 leaves 207.
    ['a sell of one step more', computeSellExactOut, uneven, 198n, { amountIn: 7n, amountOut: 207n }],
    // 2 * 2^62 / (3 - 2) = 2^63 is left of 2^64 - 1 at 50 %, rounded down.
    ['all that 64 bits can hold', computeBuyExactOut, half, 2n, { amountIn: U64_MAX, amountOut: 2n }],
    // 50000 * n / (1000000000 + n) <= 15000 up to this n (one more gives 15001), for the 15000 lamports that are there.
    ['all real lamports', computeSell, virtual, 428_612_246n, { reserveBAfter: 35_000n, totalFee: 150n }],
    // 150 lamports of fees are taken from the 15000.
    ['all of them but the fees', computeSellExactOut, virtual, 14_850n, { amountOut: 14_850n }],
  ])('%s', (_, compute, state, amount, expected) => expect(compute(state, amount)).toMatchObject(expected));

  const empty = { ...FREE, reserveA: 1_000n, reserveB: 1_000n, virtualReserveB: 1_000n };
  const short = { ...empty, virtualReserveB: 1_001n };
  const fullOfA = { ...FREE, reserveA: 2n ** 63n, reserveB: 1_000n };
  const fullOfB = { ...FREE, reserveA: 1_000n, reserveB: 2n ** 63n };
  const launch = { ...charged, reserveA: 10n ** 18n, reserveB: 35_000_000_000n };
  test.each<[string, Compute, SwapState, requested: bigint, available: bigint]>([
    ['a sell for virtual lamports', computeSell, empty, 500n, 0n],
    ['an exact sell for virtual lamports', computeSellExactOut, empty, 500n, 0n],
    ['a sell for less than those', computeSell, short, 500n, 0n],
    ['an exact sell for less than those', computeSellExactOut, short, 500n, 0n],
    // 501 * 2^63 / 499 fits into 64 bits, but not on top of the 2^63 in the pool; 900 * 2^63 / 100 doesn't fit at all.
    ['a buy over 64 bits of the pool', computeBuyExactOut, fullOfB, 501n, 499n],
    ['a sell over 64 bits of the pool', computeSellExactOut, fullOfA, 501n, 499n],
    ['a buy over 64 bits', computeBuyExactOut, fullOfB, 900n, 499n],
    ['a sell over 64 bits', computeSellExactOut, fullOfA, 900n, 499n],
    ['a buy of more than the window began with', computeBuyExactOut, windowed, 1_025n, 999n],
    ['a sell for more than the real lamports', computeSell, virtual, 10n ** 9n, 428_612_246n],
    ['a sell for one more', computeSell, virtual, 428_612_247n, 428_612_246n],
    ['an exact sell for one more', computeSellExactOut, virtual, 14_851n, 14_850n],
    // What 2^64 - 1 lamports, less those in the pool and 1 % of fees, give.
    ['almost all tokens of a launch', computeBuyExactOut, launch, 10n ** 18n - 1n, 999_999_998_083_481_008n],
    ['all tokens', computeBuyExactOut, million, 1_000_000n, 999_999n],
    ['all lamports', computeSellExactOut, million, 1_000_000n, 999_999n],
  ])('%s: not enough', (_, compute, state, requested, available) => {
    expect(() => compute(state, requested)).toThrow(
      heavenError('insufficient-liquidity', { requested, available }),
    );
  });
});

describe('limits', () => {
  const charging = (creator: bigint) => {
    const fees = { ...NO_FEES, creator };
    return { reserveA: 1_000_000_000n, reserveB: 50_000n, buyFees: fees, sellFees: fees };
  };
  const state = charging(5_000n);
  const all = Object.values(FUNCTIONS);

  test.each([
    [0n, 'zero-amount'],
    [-1n, 'invalid-amount'],
    [1 as never, 'invalid-amount'],
    [U64_MAX + 1n, 'amount-out-of-range'],
  ])('an amount of %s', (amount, code) => {
    const fields = ['amountIn', 'amountIn', 'amountOut', 'amountOut'];
    for (const [index, compute] of all.entries())
      expect(() => compute(state, amount)).toThrow(heavenError(code, { field: fields[index] }));
  });

  test.each(['reserveA', 'reserveB'])('a pool without %s', (side) => {
    const expected = heavenError('insufficient-liquidity', { requested: 1n, available: 0n });
    for (const compute of all) expect(() => compute({ ...state, [side]: 0n }, 1n)).toThrow(expected);
  });

  test('no spend buys the whole reserve', () => {
    expect(computeBuy(state, U64_MAX).amountOut).toBeLessThan(1_000_000_000n);
  });

  test.each([
    ['a buy at 100 %', computeBuy, 10_000n, 100n],
    ['an exact buy at 100 %', computeBuyExactOut, 10_000n, 1n],
    ['a sell at 100 %', computeSell, 10_000n, 10_000_000n],
    ['an exact sell at 100 %', computeSellExactOut, 10_000n, 1n],
    ['a sell over 100 %', computeSell, 20_000n, 10_000_000n],
  ])('fees that leave nothing: %s', (_, compute, feeBps, amount) => {
    expect(() => compute(charging(feeBps), amount)).toThrow(heavenError('fees-exceed-amount', { feeBps }));
  });

  test('100 % in five parts, whose rounding leaves a few lamports', () => {
    const part = 2_000n;
    const fees = {
      protocol: part,
      liquidityProvider: part,
      creator: part,
      creatorProtocol: part,
      reflection: part,
    };
    const divided = { ...state, buyFees: fees, sellFees: fees };
    // Of 4 lamports each fee takes 0.
    for (const [compute, amount] of [
      [computeBuy, 4n],
      [computeBuy, 10_004n],
      [computeSell, 80_000n],
    ] as const)
      expect(() => compute(divided, amount)).toThrow(heavenError('fees-exceed-amount', { feeBps: 10_000n }));
  });

  test('fees that leave a ten-thousandth', () => {
    expect(computeBuyExactOut(charging(9_999n), 1n).amountOut).toBeGreaterThanOrEqual(1n);
  });
});
