import { beforeEach, describe, expect, test } from 'vitest';

import { getLpBalance, quoteProAddLiquidity, quoteProRemoveLiquidity } from '../../../src/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import { encodeMint } from '../../../src/testing/index.js';
import { STRANGER } from '../../support/addresses.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger } from '../../support/ledger.js';
import {
  accumulate,
  allow,
  locator,
  positionOf,
  pro,
  setLiquidity,
  setPosition,
  useProPool,
} from './support.js';

useProPool();

describe('an LP balance', () => {
  const balance = (user = pro.creator) => getLpBalance(client, { pool: pro.pool, user });

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

  test('adds what has accrued to what is stored, and takes off what was paid', async () => {
    const held = { lpTokenBalance: 400_000_000_000n, rewardDebt: 40_000n };
    await setPosition({ ...held, pendingFees: 1_234_567n });
    accumulate(250n);
    expect(await balance()).toMatchObject({
      ...held,
      // 400e9 * 250 / 1e9 = 100000
      pendingFees: 1_294_567n,
      details: { storedPendingFees: 1_234_567n, accumulatedFeePerLpToken: 250n },
    });
  });

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
  ])('from %s', async (_, given, deposit, limits) => {
    expect(await quoteAdd(given)).toEqual({ ...deposit, ...limits, warnings: [] });
    expect(ledger.requests).toHaveLength(1);
  });

  test.each([
    ['neither side', {}, 'invalid-input', { field: 'maxTokenA' }, 0],
    ['nothing of B', { maxTokenA: 5n, maxTokenB: 0n }, 'zero-amount', { field: 'maxTokenB' }, 0],
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
    quoteProRemoveLiquidity(client, { ...locator(), slippageBps: 50, lpTokensToBurn });
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
    expect(await quoteRemove(lpTokensToBurn)).toEqual({ lpTokensToBurn, ...expected, warnings: [] });
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
