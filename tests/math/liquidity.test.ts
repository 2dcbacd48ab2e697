import { describe, expect, test } from 'vitest';
import { computeDeposit, computeWithdrawal, isHeavenError, type LiquidityState } from '../../src/index.js';
import { computeInitialLpTokens, computePendingFees } from '../../src/math/liquidity.js';
import { U64_MAX } from '../support/amounts.js';
import { heavenError } from '../support/errors.js';
import { fc } from '../support/properties.js';

const runs = { numRuns: 2_000 };

/** 4 tokens of A per lamport, and 2 LP tokens per lamport. */
const ROUND: LiquidityState = { reserveA: 4_000n, reserveB: 1_000n, lpSupply: 2_000n };
/** Nothing divides evenly. */
const ODD: LiquidityState = { reserveA: 1_000n, reserveB: 333n, lpSupply: 577n };

describe('a deposit', () => {
  test.each([
    ['of token A', ROUND, { maxTokenA: 400n }, { tokenA: 400n, tokenB: 100n, lpTokens: 200n }],
    ['of SOL', ROUND, { maxTokenB: 100n }, { tokenA: 400n, tokenB: 100n, lpTokens: 200n }],
    // 3 units of A are worth 1.5 LP tokens: 1 is given, for 2 units of A and, rounded up, 1 lamport.
    ['of less than its maximum', ROUND, { maxTokenA: 3n }, { tokenA: 2n, tokenB: 1n, lpTokens: 1n }],
    // 100 * 577 / 1000 = 57.7; 57 * 1000 / 577 = 98.8; 57 * 333 / 577 = 32.9.
    ['with remainders', ODD, { maxTokenA: 100n }, { tokenA: 99n, tokenB: 33n, lpTokens: 57n }],
    // 10 * 577 / 333 = 17.3; 17 * 1000 / 577 = 29.5; 17 * 333 / 577 = 9.8.
    ['with remainders, of SOL', ODD, { maxTokenB: 10n }, { tokenA: 30n, tokenB: 10n, lpTokens: 17n }],
  ])('%s', (_, state, most, deposit) => {
    expect(computeDeposit(state, most)).toEqual(deposit);
  });

  const SCARCE: LiquidityState = { reserveA: 10n, reserveB: 1_000n, lpSupply: 100n };
  test.each([
    ['of neither side', ROUND, {}, 'invalid-input', { field: 'maxTokenA' }],
    ['of no token A', ROUND, { maxTokenA: 0n }, 'zero-amount', { field: 'maxTokenA' }],
    ['of no SOL', ROUND, { maxTokenA: 5n, maxTokenB: 0n }, 'zero-amount', { field: 'maxTokenB' }],
    ['of a negative amount', ROUND, { maxTokenA: -1n }, 'invalid-amount', { field: 'maxTokenA' }],
    ['over 64 bits', ROUND, { maxTokenB: U64_MAX + 1n }, 'amount-out-of-range', { field: 'maxTokenB' }],
    ['under an LP token', ROUND, { maxTokenA: 1n }, 'output-is-zero', { field: 'maxTokenA', amountIn: 1n }],
    ['of too little SOL', SCARCE, { maxTokenB: 9n }, 'output-is-zero', { field: 'maxTokenB', amountIn: 9n }],
    ['of too much token A', ROUND, { maxTokenB: U64_MAX }, 'amount-out-of-range', { field: 'tokenA' }],
    ['of too much SOL', SCARCE, { maxTokenA: U64_MAX }, 'amount-out-of-range', { field: 'tokenB' }],
  ])('rejects %s', (_, state, most, code, context) => {
    expect(() => computeDeposit(state, most)).toThrow(heavenError(code, context));
  });

  test('is rejected if the LP tokens exceed 64 bits, and accepted one below', () => {
    const state = { reserveA: 1n, reserveB: 1n, lpSupply: U64_MAX / 2n };
    expect(() => computeDeposit(state, { maxTokenA: 2n })).toThrow(heavenError('amount-out-of-range'));
    expect(computeDeposit(state, { maxTokenA: 1n }).lpTokens).toBe(U64_MAX / 2n);
  });
});

describe('a withdrawal', () => {
  test.each([
    ['of a tenth', ROUND, 200n, { tokenA: 400n, tokenB: 100n }],
    ['of all', ODD, 577n, { tokenA: 1_000n, tokenB: 333n }],
    // 57 * 1000 / 577 = 98.8; 57 * 333 / 577 = 32.9.
    ['with remainders', ODD, 57n, { tokenA: 98n, tokenB: 32n }],
    ['of one LP token', ROUND, 1n, { tokenA: 2n, tokenB: 0n }],
  ])('%s', (_, state, lpTokens, withdrawal) => {
    expect(computeWithdrawal(state, lpTokens)).toEqual(withdrawal);
  });

  test.each([
    ['of nothing', 0n, 'zero-amount', { field: 'lpTokens' }],
    ['of a negative amount', -1n, 'invalid-amount', {}],
    ['in numbers', 5 as never, 'invalid-amount', {}],
    ['over 64 bits', U64_MAX + 1n, 'amount-out-of-range', {}],
    ['of more than all', 2_001n, 'insufficient-balance:lp-tokens', { requested: 2_001n, available: 2_000n }],
  ])('rejects %s', (_, lpTokens, code, context) => {
    expect(() => computeWithdrawal(ROUND, lpTokens)).toThrow(heavenError(code, context));
  });
});

test.each(['reserveA', 'reserveB', 'lpSupply'] as const)('a pool whose %s is 0 is empty', (field) => {
  const empty = { ...ROUND, [field]: 0n };
  expect(() => computeDeposit(empty, { maxTokenA: 1_000n })).toThrow(heavenError('insufficient-liquidity'));
  expect(() => computeWithdrawal(empty, 1n)).toThrow(heavenError('insufficient-liquidity'));
});

describe('the first LP tokens', () => {
  test.each([
    [1n, 3n, 1n],
    [2n, 2n, 2n],
    [1_000n, 333n, 577n],
    [400_000_000_000_000n, 100_000_000_000n, 6_324_555_320_336n],
    [U64_MAX, U64_MAX - 1n, U64_MAX - 1n],
  ])('of %s and %s are %s', (tokenA, tokenB, lpTokens) => {
    expect(computeInitialLpTokens(tokenA, tokenB)).toBe(lpTokens);
    expect(computeInitialLpTokens(tokenB, tokenA)).toBe(lpTokens);
  });

  test.each([
    ['no token A', 0n, 1n, 'zero-amount', { field: 'tokenA' }],
    ['no SOL', 1n, 0n, 'zero-amount', { field: 'tokenB' }],
    ['a negative amount', 1n, -1n, 'invalid-amount', { field: 'tokenB' }],
    ['more than 64 bits', U64_MAX + 1n, 1n, 'amount-out-of-range', { field: 'tokenA' }],
  ])('of %s are rejected', (_, tokenA, tokenB, code, context) => {
    expect(() => computeInitialLpTokens(tokenA, tokenB)).toThrow(heavenError(code, context));
  });
});

describe('pending fees', () => {
  const position = { lpTokenBalance: 3_000_000_000n, rewardDebt: 0n, pendingFees: 0n };
  const largest = { lpTokenBalance: U64_MAX, pendingFees: U64_MAX };
  test.each([
    ['none', {}, 0n, 0n],
    ['those stored', { pendingFees: 7n }, 0n, 7n],
    // 3 LP tokens of 9 decimals, 2 lamports each.
    ['those accrued since', {}, 2n, 6n],
    ['less the reward debt', { pendingFees: 7n, rewardDebt: 5n }, 2n, 8n],
    ['rounded down', { lpTokenBalance: 999_999_999n }, 1n, 0n],
    ['rounded down before the debt', { lpTokenBalance: 1_999_999_999n, rewardDebt: 1n }, 1n, 0n],
    ['never under 0', { rewardDebt: 100n }, 2n, 0n],
    ['of the largest figures', largest, U64_MAX, U64_MAX + U64_MAX ** 2n / 10n ** 9n],
  ])('%s', (_, change, accumulated, pending) => {
    expect(computePendingFees({ ...position, ...change }, accumulated)).toBe(pending);
  });
});

// ---------------------------------------------------------------- properties

/** Evenly over the orders of magnitude, so that tiny and huge amounts both come. */
const upTo = (bits: number) =>
  fc.integer({ min: 1, max: bits }).chain((size) => fc.bigInt(1n, 2n ** BigInt(size) - 1n));
const states: fc.Arbitrary<LiquidityState> = fc.record({
  reserveA: upTo(62),
  reserveB: upTo(58),
  lpSupply: upTo(60),
});
const maximum = fc.option(upTo(58), { nil: undefined });
const maxima = fc
  .record({ maxTokenA: maximum, maxTokenB: maximum })
  .filter(({ maxTokenA, maxTokenB }) => maxTokenA !== undefined || maxTokenB !== undefined);

/** The deposit, where the pool does not rightly refuse. */
function depositIn(state: LiquidityState, most: Parameters<typeof computeDeposit>[1]) {
  try {
    return computeDeposit(state, most);
  } catch (error) {
    if (isHeavenError(error, 'output-is-zero') || isHeavenError(error, 'amount-out-of-range'))
      return undefined;
    throw error;
  }
}

/** Neither reserve stands for less per LP token than before. */
function expectNoLoss(before: LiquidityState, after: LiquidityState): void {
  expect(before.reserveA * after.lpSupply <= after.reserveA * before.lpSupply).toBe(true);
  expect(before.reserveB * after.lpSupply <= after.reserveB * before.lpSupply).toBe(true);
}

describe('for any pool', () => {
  test('a deposit is the largest within its maxima, takes its share rounded up, and gains nothing when withdrawn', () => {
    let accepted = 0;
    fc.assert(
      fc.property(states, maxima, (state, most) => {
        const deposit = depositIn(state, most);
        if (deposit === undefined) return;
        accepted++;
        const after = {
          reserveA: state.reserveA + deposit.tokenA,
          reserveB: state.reserveB + deposit.tokenB,
          lpSupply: state.lpSupply + deposit.lpTokens,
        };
        expectNoLoss(state, after);
        const { tokenA, tokenB } = computeWithdrawal(after, deposit.lpTokens);
        expect(tokenA <= deposit.tokenA && tokenB <= deposit.tokenB).toBe(true);
        expect(deposit.tokenA <= (most.maxTokenA ?? U64_MAX)).toBe(true);
        expect(deposit.tokenB <= (most.maxTokenB ?? U64_MAX)).toBe(true);
        // One unit less of either side would be under the LP tokens' share of it.
        expect((deposit.tokenA - 1n) * state.lpSupply < deposit.lpTokens * state.reserveA).toBe(true);
        expect((deposit.tokenB - 1n) * state.lpSupply < deposit.lpTokens * state.reserveB).toBe(true);
        const next = deposit.lpTokens + 1n;
        const exceeds = (limit: bigint | undefined, reserve: bigint) =>
          limit !== undefined && next * reserve > limit * state.lpSupply;
        expect(exceeds(most.maxTokenA, state.reserveA) || exceeds(most.maxTokenB, state.reserveB)).toBe(true);
      }),
      runs,
    );
    expect(accepted).toBeGreaterThan(runs.numRuns / 5);
  });

  test('a withdrawal never lowers the value of an LP token, nor pays more than there is', () => {
    fc.assert(
      fc.property(states, fc.bigInt(1n, 1_000_000n), (state, perMillion) => {
        const lpTokens = (state.lpSupply * perMillion) / 1_000_000n || 1n;
        const { tokenA, tokenB } = computeWithdrawal(state, lpTokens);
        const after = {
          reserveA: state.reserveA - tokenA,
          reserveB: state.reserveB - tokenB,
          lpSupply: state.lpSupply - lpTokens,
        };
        expectNoLoss(state, after);
        expect((tokenA + 1n) * state.lpSupply > lpTokens * state.reserveA).toBe(true);
        expect((tokenB + 1n) * state.lpSupply > lpTokens * state.reserveB).toBe(true);
        if (after.lpSupply === 0n) expect(after).toEqual({ reserveA: 0n, reserveB: 0n, lpSupply: 0n });
      }),
      runs,
    );
  });

  test('the first LP tokens are the exact integer root', () => {
    fc.assert(
      fc.property(upTo(64), upTo(64), (tokenA, tokenB) => {
        const root = computeInitialLpTokens(tokenA, tokenB);
        const product = tokenA * tokenB;
        expect(root * root <= product && product < (root + 1n) ** 2n).toBe(true);
      }),
      runs,
    );
  });

  test('the root is exact around every square', () => {
    fc.assert(
      fc.property(upTo(32), (root) => {
        expect(computeInitialLpTokens(root * root, 1n)).toBe(root);
        if (root > 1n) expect(computeInitialLpTokens(root * root - 1n, 1n)).toBe(root - 1n);
      }),
      runs,
    );
  });
});
