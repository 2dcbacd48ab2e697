import type { Address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createClient,
  createTradesStore,
  type HeavenClient,
  type HeavenNodeRpc,
  listTrades,
  type StoreState,
  type TradeList,
  type TradesStore,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

let ledger: EmbeddedLedger;
let client: HeavenClient<HeavenNodeRpc>;
let reading: HeavenClient<HeavenNodeRpc>;
let mint: Address;
const stores: TradesStore[] = [];

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  mint = ledger.pools.creator.mint;
  await trade(10);
  client = createClient<HeavenNodeRpc>({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  reading = createClient<HeavenNodeRpc>({ rpc: ledger.rpc });
  // Derived addresses are cached from here on: what follows needs no thread, and so no time.
  await all();
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
const trade = (count: number) => runSampleTrades(ledger, { count, seconds: count, seed: seed++ });

const pass = async (ms: number) => {
  for (let k = 0; k < 30; k++) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(ms);
  for (let k = 0; k < 30; k++) await new Promise((resolve) => setImmediate(resolve));
};

function watched(over: HeavenClient<HeavenNodeRpc>, options?: Parameters<typeof createTradesStore>[2]) {
  const store = createTradesStore(over, { mint }, options);
  stores.push(store);
  const states: StoreState<TradeList>[] = [];
  const unsubscribe = store.subscribe((state) => states.push(state));
  const signatures = () => (store.getSnapshot().data?.trades ?? []).map(({ signature }) => signature);
  return { store, states, unsubscribe, signatures };
}
/** All trades there are, newest first. */
const all = async () =>
  (await listTrades(reading, { mint, limit: 1000 })).trades.map(({ signature }) => signature);

describe('a trades store', () => {
  test('has what listTrades lists, and each new trade once, newest first', async () => {
    const { store, signatures } = watched(client, { limit: 5 });
    await pass(1_000);
    expect(signatures()).toEqual((await all()).slice(0, 5));
    expect(store.getSnapshot()).toMatchObject({ status: 'ready', data: { hasOlder: true } });
    await trade(3);
    await pass(1_000);
    expect(signatures()).toEqual((await all()).slice(0, 8));
    await store.refresh();
    expect(signatures()).toEqual((await all()).slice(0, 8));
  });

  test('of a pool without trades: has the first one', async () => {
    const fresh = await createEmbeddedLedger();
    const { mint: other } = fresh.pools.community;
    const over = createClient<HeavenNodeRpc>({ rpc: fresh.rpc, rpcSubscriptions: fresh.rpcSubscriptions });
    const store = createTradesStore(over, { mint: other });
    stores.push(store);
    store.subscribe(() => {});
    await pass(1_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'ready', data: { trades: [], hasOlder: false } });
    await runSampleTrades(fresh, { pool: fresh.pools.community, count: 2, seconds: 2 });
    await pass(1_000);
    expect(store.getSnapshot().data?.trades).toHaveLength(2);
  });

  test('adds older trades at the end until there are none, one page at a time', async () => {
    const { store, signatures } = watched(client, { limit: 4 });
    await pass(1_000);
    await Promise.all([store.loadOlder(), store.loadOlder()]);
    expect(signatures()).toEqual((await all()).slice(0, 8));
    for (let k = 0; k < 5; k++) await store.loadOlder();
    expect(signatures()).toEqual(await all());
    expect(store.getSnapshot().data?.hasOlder).toBe(false);
  });

  test('keeps at most its limit, and finds dropped trades again', async () => {
    const { store, signatures } = watched(client, { limit: 4, maxTrades: 6 });
    await pass(1_000);
    await trade(4);
    await pass(1_000);
    expect(signatures()).toEqual((await all()).slice(0, 6));
    expect(store.getSnapshot().data?.hasOlder).toBe(true);
    await store.loadOlder();
    expect(signatures()).toHaveLength(6);
  });

  test('without subscriptions: asks for new ones after half of the time', async () => {
    const { signatures } = watched(reading, { limit: 5, maxAgeMs: 8_000 });
    await pass(100);
    await trade(2);
    await pass(4_000);
    expect(signatures()).toEqual((await all()).slice(0, 7));
  });

  test('starts over if more has happened than a page holds', async () => {
    const { store, signatures } = watched(reading, { limit: 5 });
    await pass(100);
    await trade(9);
    const refreshed = store.refresh();
    await pass(0);
    await refreshed;
    expect(signatures()).toEqual((await all()).slice(0, 5));
    await store.loadOlder();
    expect(signatures()).toEqual((await all()).slice(0, 10));
  });

  test('is stale during a lost connection, and misses nothing', async () => {
    const { store, signatures } = watched(client, { limit: 5 });
    await pass(1_000);
    ledger.subscriptions.dropAll();
    await pass(0);
    expect(store.getSnapshot().status).toBe('stale');
    await trade(2);
    await pass(5_000);
    expect(store.getSnapshot().status).toBe('ready');
    expect(signatures()).toEqual((await all()).slice(0, 7));
  });

  test('rejects bad options, and says what is wrong with a source', async () => {
    await expectRefusal(() => createTradesStore(client, { mint }, { limit: 0 }), 'invalid-input');
    await expectRefusal(
      () => createTradesStore(client, { mint }, { limit: 50, maxTrades: 10 }),
      'invalid-input',
    );
    mint = 'abc' as Address;
    const { store } = watched(client);
    await pass(100);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'invalid-address' } });
  });
});
