import { beforeEach, describe, expect, test } from 'vitest';

import { getLpBalance, quoteProAddLiquidity, quoteProRemoveLiquidity } from '../../../src/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { encodeMint } from '../../../src/testing/index.js';
import { STRANGER } from '../../support/addresses.js';
import { U64_MAX } from '../../support/amounts.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger } from '../../support/ledger.js';
import { allow, locator, positionOf, pro, setLiquidity, setPosition, useProPool } from './support.js';

useProPool();

describe('an LP balance', () => {
  const balance = (user = pro.creator) => getLpBalance(client, { pool: pro.pool, user });
  const accumulate = (accumulatedFeePerLpToken: bigint) =>
    ledger.updatePool(pro.pool, ({ reserve }) => ({ reserve: { ...reserve, accumulatedFeePerLpToken } }));

  test('is all zero without a position', async () => {
    accumulate(250n);
    expect(await balance(STRANGER)).toEqual({
      lpTokenBalance: 0n,
      rewardDebt: 0n,
      pendingFees: 0n,
      lpPositionAddress: await positionOf(STRANGER),
      exists: false,
      details: {
        storedPendingFees: 0n,
        accumulatedFeePerLpToken: 250n,
        feePerLpTokenUnit: 1_000_000_000n,
        lpSupply: 400_000_000_000n,
      },
    });
  });

  test.each([
    // 400e9 * 250 / 1e9 = 100 000 000 / 1000
    // 400e9 * 300000 / 1e9 = 120 000 000
    ['all that a claim pays', 400_000_000_000n, 0n, 1_234_567n, 300_000n, 121_234_567n],
    ['what accrued is added', 400_000_000_000n, 0n, 1_234_567n, 250n, 1_334_567n],
    ['what was paid is taken off', 400_000_000_000n, 40_000n, 1_234_567n, 250n, 1_294_567n],
    ['never under 0', 400_000_000_000n, 2_000_000n, 1_234_567n, 250n, 0n],
    // 3 * 999999999 / 1e9 = 2.99
    ['rounded down', 3n, 0n, 0n, 999_999_999n, 2n],
    ['no LP tokens, no more fees', 0n, 0n, 7n, U64_MAX, 7n],
  ])(
    'pending fees: %s',
    async (_, lpTokenBalance, rewardDebt, storedPendingFees, accumulated, pendingFees) => {
      await setPosition({ lpTokenBalance, rewardDebt, pendingFees: storedPendingFees });
      accumulate(accumulated);
      expect(await balance()).toMatchObject({
        lpTokenBalance,
        rewardDebt,
        pendingFees,
        details: { storedPendingFees, accumulatedFeePerLpToken: accumulated },
      });
    },
  );

  test('rejects an account of the exchange that is not a position', async () => {
    const address = await positionOf(STRANGER);
    const data = encodeMint({ decimals: 6, supply: 1n });
    ledger.setAccount(address, { owner: HEAVEN_PROGRAM_ADDRESS, data });
    await expectRefusal(balance(STRANGER), 'rpc-wrong-account', { address });
  });
});

describe('a deposit quote', () => {
  const quoteAdd = (change: object) =>
    quoteProAddLiquidity(client, { ...locator(), slippageBps: 50, ...change });
  beforeEach(() => setLiquidity(1_000_003n, 2_000_007n, 1_000_000n));

  test.each([
    [
      // 1000 * 1000000 / 1000003 = 999.99 LP tokens, which are 999.003 of A and 1998.007 of B; B and 0.5 % are 2008.995
      'token A only',
      { maxTokenA: 1_000n },
      { lpTokens: 999n, tokenA: 1_000n, tokenB: 1_999n },
      // 999 / 1000999 of the pool
      { maxTokenA: 1_000n, maxTokenB: 2_009n, minLpTokens: 994n, sharePct: 0.0998 },
    ],
    [
      // 1000 * 1000000 / 2000007 = 499.99 LP tokens, which are 499.001 of A and 998.003 of B; A and 0.5 % are 502.5
      'token B only',
      { maxTokenB: 1_000n },
      { lpTokens: 499n, tokenA: 500n, tokenB: 999n },
      { maxTokenA: 503n, maxTokenB: 1_000n, minLpTokens: 496n, sharePct: 0.049875 },
    ],
    [
      'both, limited by token B',
      { maxTokenA: 1_000n, maxTokenB: 1_000n },
      { lpTokens: 499n, tokenA: 500n, tokenB: 999n },
      { maxTokenA: 1_000n, maxTokenB: 1_000n, minLpTokens: 496n, sharePct: 0.049875 },
    ],
    [
      // 99 LP tokens, which are 99.0003 of A and 198.0007 of B
      'both, limited by token A',
      { maxTokenA: 100n, maxTokenB: 1_000n },
      { lpTokens: 99n, tokenA: 100n, tokenB: 199n },
      { maxTokenA: 100n, maxTokenB: 1_000n, minLpTokens: 98n, sharePct: 0.009899 },
    ],
  ])('from %s', async (_, given, deposit, limits) => {
    expect(await quoteAdd(given)).toEqual({ ...deposit, ...limits });
    expect(ledger.requests).toHaveLength(1);
  });

  test.each([
    ['neither side', {}, 'invalid-input', { field: 'maxTokenA' }, 0],
    ['nothing of B', { maxTokenA: 5n, maxTokenB: 0n }, 'zero-amount', { field: 'maxTokenB' }, 0],
    ['too little of A', { maxTokenA: 1n }, 'output-is-zero', { field: 'maxTokenA', amountIn: 1n }, 1],
    ['too little of B', { maxTokenB: 2n }, 'output-is-zero', { field: 'maxTokenB', amountIn: 2n }, 1],
    ['another mint', { maxTokenA: 5n, mint: STRANGER }, 'pool-mismatch:mint', { asked: STRANGER }, 1],
    ['another version', { maxTokenA: 5n, configVersion: 2 }, 'pool-mismatch:configVersion', { asked: 2 }, 1],
  ])('rejects %s', async (_, change, code, context, calls) => {
    await expectRefusal(quoteAdd(change), code, context);
    expect(ledger.requests).toHaveLength(calls);
  });

  test('rejects if deposits are off, and for an empty pool', async () => {
    setLiquidity(0n, 0n, 0n);
    await expectRefusal(quoteAdd({ maxTokenA: 5n }), 'insufficient-liquidity');
    allow({ depositLiquidity: 0 });
    await expectRefusal(quoteAdd({ maxTokenA: 5n }), 'operation-disabled:deposit', { pool: pro.pool });
  });
});

describe('a withdrawal quote', () => {
  const quoteRemove = (lpTokensToBurn: bigint) =>
    quoteProRemoveLiquidity(client, {
      ...locator(),
      slippageBps: 50,
      lpTokensToBurn,
    });
  beforeEach(() => setLiquidity(1_000_003n, 2_000_007n, 1_000_000n));

  test.each([
    // 999.002 of A and 1998.007 of B; less 0.5 % they are 994.005 and 1988.01
    [999n, { tokenA: 999n, tokenB: 1_998n, minTokenA: 994n, minTokenB: 1_988n, sharePct: 0.0999 }],
    // 1000.003 and 2000.007; 995 and 1990
    [1_000n, { tokenA: 1_000n, tokenB: 2_000n, minTokenA: 995n, minTokenB: 1_990n, sharePct: 0.1 }],
    // All: 995002.985 and 1990006.965
    [
      1_000_000n,
      { tokenA: 1_000_003n, tokenB: 2_000_007n, minTokenA: 995_002n, minTokenB: 1_990_006n, sharePct: 100 },
    ],
  ])('of %s LP tokens', async (lpTokensToBurn, expected) => {
    expect(await quoteRemove(lpTokensToBurn)).toEqual({ lpTokensToBurn, ...expected });
    expect(ledger.requests).toHaveLength(1);
  });

  test('rejects more than there are, nothing, and withdrawals that are off', async () => {
    await expectRefusal(quoteRemove(0n), 'zero-amount', { field: 'lpTokensToBurn' });
    expect(ledger.requests).toEqual([]);
    const context = { requested: 1_000_001n, available: 1_000_000n };
    await expectRefusal(quoteRemove(1_000_001n), 'insufficient-balance:lp-tokens', context);
    allow({ removeLiquidity: 0 });
    await expectRefusal(quoteRemove(5n), 'operation-disabled:withdraw', { pool: pro.pool });
  });
});
