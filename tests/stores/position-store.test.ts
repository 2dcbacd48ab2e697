import type { Address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  computeSell,
  createClient,
  createPositionStore,
  fetchPoolSnapshot,
  type HeavenClient,
  type HeavenNodeRpc,
  listTrades,
  type PositionStore,
  toPosition,
  toSwapState,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

let ledger: EmbeddedLedger;
let client: HeavenClient<HeavenNodeRpc>;
let reading: HeavenClient<HeavenNodeRpc>;
let mint: Address;
let wallet: Address;
const stores: PositionStore[] = [];

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  ({ mint } = ledger.pools.creator);
  client = createClient<HeavenNodeRpc>({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  reading = createClient<HeavenNodeRpc>({ rpc: ledger.rpc });
  await trade();
  const { trades } = await listTrades(reading, { mint, limit: 100 });
  // Somebody who holds something.
  wallet = trades.map(({ user }) => user).find((user) => toPosition(trades, user).held > 0n) as Address;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});

afterEach(async () => {
  for (const store of stores.splice(0)) store.dispose();
  await pass(0);
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect([left, ledger.subscriptions.count]).toEqual([0, 0]);
});

let seed = 1;
const trade = () => runSampleTrades(ledger, { count: 10, seconds: 10, seed: seed++ });
const pass = async (ms: number) => {
  for (let k = 0; k < 30; k++) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(ms);
  for (let k = 0; k < 30; k++) await new Promise((resolve) => setImmediate(resolve));
};
function watched(input: object, options?: Parameters<typeof createPositionStore>[2]): PositionStore {
  const store = createPositionStore(client, { wallet, mint, ...input }, options);
  stores.push(store);
  store.subscribe(() => {});
  return store;
}
const own = async () => (await listTrades(reading, { mint, wallet, limit: 1000 })).trades;

describe('a position store', () => {
  test('has the position from the trades, and the worth of a sale of all of it now', async () => {
    const { configVersion } = ledger.pools.creator;
    const store = watched({ configVersion });
    await pass(1_000);
    const trades = await own();
    const plain = toPosition(trades, wallet, { mint });
    expect(plain.held).toBeGreaterThan(0n);
    const sale = async () =>
      computeSell(toSwapState(await fetchPoolSnapshot(reading, ledger.pools.creator)), plain.held).amountOut;
    const value = await sale();
    expect(store.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { isComplete: true, position: { ...plain, value, unrealizedPnl: value - plain.cost } },
    });
    expect(store.getSnapshot().data?.trades).toHaveLength(trades.length);

    // The pool moves, without a trade of the wallet.
    const { reserveB } = await fetchPoolSnapshot(reading, ledger.pools.creator);
    ledger.setSlot(ledger.slot + 1n);
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: reserveB * 2n });
    await pass(1_000);
    const after = await sale();
    expect(after).toBeGreaterThan(value);
    expect(store.getSnapshot().data?.position.value).toBe(after);
  });

  test('has no value without a pool, and knows the trades that follow', async () => {
    const store = watched({});
    await pass(1_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'ready', data: { position: { value: undefined } } });
    await trade();
    await store.refresh();
    await pass(1_000);
    expect(store.getSnapshot().data?.position).toEqual(toPosition(await own(), wallet, { mint }));
  });

  test('says when it does not know every trade', async () => {
    for (let k = 0; k < 4 && (await own()).length < 2; k++) await trade();
    const store = watched({}, { limit: 1 });
    await pass(1_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'ready', data: { isComplete: false } });
  });

  test('shows an unknown pool as stale, and keeps the position', async () => {
    const store = watched({ configVersion: 2, pool: ledger.pools.creator.mint });
    await pass(1_000);
    const { status, data, error } = store.getSnapshot();
    expect([status, data?.position.value]).toEqual(['stale', undefined]);
    expect(error?.code).toBe('account-owner-mismatch');
    expect(data?.position.held).toBeGreaterThan(0n);
  });

  test('rejects bad options when it is created, and shows bad input in its state', async () => {
    await expectRefusal(() => createPositionStore(client, { wallet, mint }, { limit: 0 }), 'invalid-input', {
      field: 'limit',
    });
    const store = watched({ mint: 'token' });
    await pass(0);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'invalid-address' } });
  });
});
