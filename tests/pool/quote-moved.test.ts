import { describe, expect, test } from 'vitest';

import {
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  hasQuoteMoved,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

/** The community pool with its SOL reserve changed by parts per million. */
async function poolAt(partsPerMillion: bigint): Promise<FetchedPoolSnapshot> {
  const snapshot = await fetchPoolSnapshot(client, ledger.pools.community);
  return { ...snapshot, reserveB: snapshot.reserveB + (snapshot.reserveB * partsPerMillion) / 1_000_000n };
}

const buyAt = async (partsPerMillion: bigint, slippageBps = 100) =>
  await quoteBuy(client, {
    ...ledger.pools.community,
    snapshot: await poolAt(partsPerMillion),
    lamports: 1_000_000n,
    slippageBps,
  });
const buyExactOutAt = async (partsPerMillion: bigint, slippageBps = 100) =>
  await quoteBuyExactOut(client, {
    ...ledger.pools.community,
    snapshot: await poolAt(partsPerMillion),
    amountOut: 1_000_000_000_000n,
    slippageBps,
  });

describe.each([
  ['an amount in', buyAt],
  ['an exact amount out', buyExactOutAt],
])('a quote of %s', (_, quoteAt) => {
  test('has moved by more than 0.1 %, up or down', async () => {
    const seen = await quoteAt(0n);
    expect(hasQuoteMoved(seen, seen)).toBe(false);
    expect(hasQuoteMoved(seen, await quoteAt(900n))).toBe(false);
    expect(hasQuoteMoved(seen, await quoteAt(-900n))).toBe(false);
    expect(hasQuoteMoved(seen, await quoteAt(1_200n))).toBe(true);
    expect(hasQuoteMoved(seen, await quoteAt(-1_200n))).toBe(true);
    expect(hasQuoteMoved(seen, await quoteAt(1_200n), { toleranceBps: 20 })).toBe(false);
  });

  test('has moved when the trade would fail, however little that takes', async () => {
    const seen = await quoteAt(0n, 1);
    expect(hasQuoteMoved(seen, await quoteAt(90n, 1))).toBe(false);
    expect(hasQuoteMoved(seen, await quoteAt(200n, 1))).toBe(true);
    // In the user's favor.
    expect(hasQuoteMoved(seen, await quoteAt(-200n, 1))).toBe(false);
  });
});

test('the tolerance and the minimum are exact', async () => {
  const seen = await buyAt(0n, 50);
  const giving = (amountOut: bigint, of = seen) => ({ ...of, details: { ...of.details, amountOut } });
  const { amountOut } = seen.details;
  expect(hasQuoteMoved(seen, giving((amountOut * 9_991n) / 10_000n))).toBe(false);
  expect(hasQuoteMoved(seen, giving((amountOut * 9_989n) / 10_000n))).toBe(true);
  expect(hasQuoteMoved(seen, giving((amountOut * 10_011n) / 10_000n))).toBe(true);
  const strict = await buyAt(0n, 0);
  expect(hasQuoteMoved(strict, giving(amountOut - 1n, strict))).toBe(true);

  const exact = await buyExactOutAt(0n, 0);
  const { amountIn } = exact.details;
  const taking = (lamports: bigint) => ({ ...exact, details: { ...exact.details, amountIn: lamports } });
  expect(hasQuoteMoved(exact, taking((amountIn * 9_992n) / 10_000n))).toBe(false);
  expect(hasQuoteMoved(exact, taking((amountIn * 9_988n) / 10_000n))).toBe(true);
  // One lamport more than is paid, and the trade would fail.
  expect(hasQuoteMoved(exact, taking(amountIn + 1n))).toBe(true);
});

test('two different trades can not be compared', async () => {
  const seen = await buyAt(0n);
  const other = await buyExactOutAt(0n);
  await expectRefusal(() => hasQuoteMoved(seen, other), 'invalid-input', { field: 'now' });
  const sell = await quoteSell(client, {
    ...ledger.pools.community,
    amountIn: 1_000_000_000_000n,
    slippageBps: 100,
  });
  await expectRefusal(() => hasQuoteMoved(seen, sell), 'invalid-input', { field: 'now' });
  await expectRefusal(() => hasQuoteMoved(seen, seen, { toleranceBps: -1 }), 'invalid-input', {
    field: 'toleranceBps',
  });
});
