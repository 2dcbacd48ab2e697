import { createSolanaRpcFromTransport } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  createClient,
  createPoolStore,
  createQuoteStore,
  getPoolInfo,
  type HeavenRpc,
  quoteBuy,
  trackedAccounts,
} from '../../src/index.js';
import { turn } from '../support/clock.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();
// Derived addresses are cached from here on: what follows needs no thread, and so no time.
beforeEach(async () => void (await trackedAccounts(ledger.pools.creator)));

const locator = () => {
  const { mint, configVersion } = ledger.pools.creator;
  return { mint, configVersion };
};
const settled = async () => {
  for (let k = 0; k < 5; k++) await turn();
};

describe('a pool store', () => {
  test("has a read's facts, and new ones when the pool moves", async () => {
    using store = createPoolStore(client, locator());
    const seen: unknown[] = [];
    store.subscribe(({ status }) => seen.push(status));
    await settled();
    const first = store.getSnapshot().data;
    expect(first?.info).toEqual(await getPoolInfo(client, locator()));
    ledger.setSlot(ledger.slot + 1n);
    ledger.setSolPrice('300');
    await settled();
    const { data } = store.getSnapshot();
    expect(data?.info.currentSolPriceUsd).toBe(300);
    expect(data?.info).toEqual(await getPoolInfo(client, locator()));
    expect(new Set(seen)).toEqual(new Set(['loading', 'ready']));
  });

  test('has a snapshot that quotes without a call', async () => {
    using store = createPoolStore(client, locator());
    store.subscribe(() => {});
    await settled();
    const input = { ...locator(), maxSolSpend: '1', slippageBps: 50 };
    const read = await quoteBuy(client, input);
    const before = ledger.requests.length;
    expect(await quoteBuy(client, { ...input, snapshot: store.getSnapshot().data?.snapshot })).toEqual(read);
    expect(ledger.requests).toHaveLength(before);
  });

  test('shares what it follows with the other stores of the client', async () => {
    using pool = createPoolStore(client, locator());
    using other = createPoolStore(client, locator());
    using quotes = createQuoteStore(client, {
      ...locator(),
      side: 'buy',
      maxSolSpend: '1',
      slippageBps: 50,
    });
    const before = ledger.requests.length;
    const leave = pool.subscribe(() => {});
    await settled();
    const alone = ledger.requests.length - before;
    other.subscribe(() => {});
    quotes.subscribe(() => {});
    expect(other.getSnapshot()).toEqual(pool.getSnapshot());
    expect(quotes.getSnapshot().status).toBe('ready');
    await settled();
    expect(ledger.requests.length - before).toBe(alone);
    // The remaining subscribers continue.
    leave();
    await settled();
    ledger.setSlot(ledger.slot + 1n);
    ledger.setSolPrice('300');
    await settled();
    expect(pool.getSnapshot().status).toBe('stale');
    expect(other.getSnapshot().data?.info.currentSolPriceUsd).toBe(300);
  });

  test('completes its refresh when another store of the pool refreshes in the meantime', async () => {
    const held: (() => void)[] = [];
    const transport = (async (call: never) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return await ledger.transport(call);
    }) as typeof ledger.transport;
    const slow = createClient({ rpc: createSolanaRpcFromTransport(transport) as HeavenRpc });
    using first = createPoolStore(slow, locator());
    using second = createPoolStore(slow, locator());
    first.subscribe(() => {});
    second.subscribe(() => {});
    await settled();
    held.shift()?.();
    await settled();
    let isOver = false;
    const refreshed = first.refresh().then(() => {
      isOver = true;
    });
    await settled();
    const other = second.refresh();
    await settled();
    expect([isOver, first.getSnapshot().status]).toEqual([false, 'loading']);
    ledger.setSolPrice('300');
    for (const answer of held.splice(0)) answer();
    await refreshed;
    expect(first.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { info: { currentSolPriceUsd: 300 } },
    });
    await other;
  });

  test('reads the pool when asked to, without subscriptions too', async () => {
    using store = createPoolStore(createClient({ rpc: ledger.rpc }), locator());
    store.subscribe(() => {});
    await settled();
    ledger.setSolPrice('300');
    await store.refresh();
    expect(store.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { info: { currentSolPriceUsd: 300 } },
    });
  });

  test('reads at once if another store of the pool shows an error', async () => {
    const { pool } = ledger.pools.creator;
    const account = ledger.getAccount(pool);
    using first = createPoolStore(client, locator());
    using second = createPoolStore(client, locator());
    using third = createPoolStore(client, locator());
    ledger.setAccount(pool, undefined);
    const leave = first.subscribe(() => {});
    await settled();
    expect(first.getSnapshot()).toMatchObject({ error: { code: 'pool-not-found' } });
    ledger.setAccount(pool, account);
    second.subscribe(() => {});
    await settled();
    expect(second.getSnapshot().status).toBe('ready');
    // The failed one goes; what the second follows is still shared.
    leave();
    await settled();
    const before = ledger.requests.length;
    third.subscribe(() => {});
    expect(third.getSnapshot()).toEqual(second.getSnapshot());
    await settled();
    expect(ledger.requests).toHaveLength(before);
  });

  test('names the missing pool, and throws only for bad options', async () => {
    using store = createPoolStore(client, { ...locator(), configVersion: 1 });
    store.subscribe(() => {});
    await settled();
    expect(store.getSnapshot()).toMatchObject({
      status: 'error',
      error: { code: 'config-version-mismatch' },
    });
    await expectRefusal(() => createPoolStore(client, locator(), { maxAgeMs: 0 }), 'invalid-input');
  });
});
