import { expect, test } from 'vitest';

import {
  computeBuy,
  computeSell,
  estimateSlippageRoom,
  fetchPoolSnapshot,
  minimumAfterSlippage,
  type PoolSnapshot,
  suggestSlippage,
  toSwapState,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

const sol = (amount: bigint) => ({ reserveB: amount * 1_000_000_000n }) as PoolSnapshot;

test('the room is how far others can move the price first', () => {
  // 1 / sqrt(0.75) - 1 and 1 - sqrt(0.75), of 100 SOL.
  expect(estimateSlippageRoom(sol(100n), 'buy', 2_500)).toBeCloseTo(15.470_053_8, 6);
  expect(estimateSlippageRoom(sol(100n), 'sell', 2_500)).toBeCloseTo(13.397_459_6, 6);
  expect(estimateSlippageRoom(sol(100n), 'buy', 0)).toBe(0);
  expect(estimateSlippageRoom(sol(100n), 'buy', 10_000)).toBe(Number.POSITIVE_INFINITY);
  expect(estimateSlippageRoom(sol(100n), 'sell', 10_000)).toBe(100);
});

test.each(['buy', 'sell'] as const)('a small %s succeeds after others used the room', async (side) => {
  const snapshot = await fetchPoolSnapshot(client, ledger.pools.community);
  const state = toSwapState(snapshot);
  const room = BigInt(Math.round(estimateSlippageRoom(snapshot, side, 300) * 1e9));
  const own = side === 'buy' ? 1_000_000n : 1_000_000_000_000n;
  const compute = side === 'buy' ? computeBuy : computeSell;
  const minimum = minimumAfterSlippage(compute(state, own).amountOut, 300);
  const afterOthers = (lamports: bigint) => {
    const theirs = side === 'buy' ? lamports : (lamports * state.reserveA) / state.reserveB;
    const { reserveAAfter: reserveA, reserveBAfter: reserveB } = compute(state, theirs);
    return compute({ ...state, reserveA, reserveB }, own).amountOut;
  };
  expect(afterOthers(room)).toBeGreaterThanOrEqual(minimum);
  expect(afterOthers((room * 11n) / 10n)).toBeLessThan(minimum);
});

test('the suggestion is the least slippage that leaves room, up to 3 %', () => {
  // For a buy, 0.25 SOL take 0.25 %, 0.5 %, 1 % and 1.5 % of the reserve.
  expect(suggestSlippage(sol(100n), 'buy')).toBe(50);
  expect(suggestSlippage(sol(99n), 'buy')).toBe(100);
  expect(suggestSlippage(sol(30n), 'buy')).toBe(200);
  expect(suggestSlippage(sol(20n), 'buy')).toBe(300);
  expect(suggestSlippage(sol(1n), 'buy')).toBe(300);
  // 0.249561 SOL of sells move the price by 0.5 %, and 0.250185 SOL of buys.
  expect(suggestSlippage({ reserveB: 99_700_000_000n } as PoolSnapshot, 'sell')).toBe(100);
  expect(suggestSlippage({ reserveB: 99_700_000_000n } as PoolSnapshot, 'buy')).toBe(50);
  expect(suggestSlippage(sol(100n), 'buy', { roomSol: 1 })).toBe(200);
  expect(suggestSlippage(sol(1n), 'buy', { roomSol: 0 })).toBe(50);
});

test('suggests for the sample pools', async () => {
  expect(suggestSlippage(await fetchPoolSnapshot(client, ledger.pools.community), 'buy')).toBe(50);
  // 35 SOL: 1 % leaves 0.18 SOL, 2 % leaves 0.36.
  expect(suggestSlippage(await fetchPoolSnapshot(client, ledger.pools.launching), 'buy')).toBe(200);
});

test('rejects what is neither a side nor a slippage', async () => {
  await expectRefusal(() => suggestSlippage(sol(1n), 'swap' as 'buy'), 'invalid-input', { field: 'side' });
  await expectRefusal(() => estimateSlippageRoom(sol(1n), 'buy', 10_001), 'invalid-slippage', {});
  await expectRefusal(() => suggestSlippage(sol(1n), 'buy', { roomSol: -1 }), 'invalid-input', {
    field: 'roomSol',
  });
});
