import { bridgeStoreToAsyncIterable, type ReactiveState, type ReactiveStreamSource } from '@solana/kit';
import { createElement, useSyncExternalStore } from 'react';
import { renderToString } from 'react-dom/server';
import { derived, get } from 'svelte/store';
import { beforeEach, describe, expect, test } from 'vitest';
import { computed, effectScope, onScopeDispose, shallowRef, watchEffect } from 'vue';

import {
  createPoolStore,
  type LivePoolFacts,
  type PoolStore,
  toReactiveStore,
  trackedAccounts,
} from '../../src/index.js';
import { turn } from '../support/clock.js';
import { client, ledger, useLedger } from '../support/ledger.js';

// The stores in the hands of the real packages. React in a browser is in tests/consumer.

useLedger();
// Derived addresses are cached from here on: what follows needs no thread, and so no time.
beforeEach(async () => void (await trackedAccounts(ledger.pools.creator)));

const settled = async () => {
  for (let k = 0; k < 5; k++) await turn();
};
const poolStore = (): PoolStore => {
  const { mint, configVersion } = ledger.pools.creator;
  return createPoolStore(client, { mint, configVersion });
};
const setPrice = async (usd: string) => {
  ledger.setSlot(ledger.slot + 1n);
  ledger.setSolPrice(usd);
  await settled();
};

test('React renders the state on a server', () => {
  using store = poolStore();
  const Pool = () => {
    const { status } = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
    return createElement('p', null, status);
  };
  expect(renderToString(createElement(Pool))).toBe('<p>idle</p>');
  expect(ledger.requests).toEqual([]);
});

test('a store is a Svelte store', async () => {
  using store = poolStore();
  const price = derived(store, ({ data }) => data?.info.currentSolPriceUsd);
  const seen: unknown[] = [];
  const unsubscribe = price.subscribe((value) => seen.push(value));
  await settled();
  await setPrice('300');
  expect(seen.at(0)).toBeUndefined();
  expect(seen.at(-1)).toBe(300);
  expect(get(price)).toBe(300);
  unsubscribe();
  await settled();
  expect(ledger.subscriptions.count).toBe(0);
});

test('a store that Svelte renders on a server reads nothing', async () => {
  using store = poolStore();
  expect(get(store).status).toBe('loading');
  await settled();
  expect([ledger.requests.length, ledger.subscriptions.opened]).toEqual([0, 0]);
});

test('a store keeps a ref of Vue up to date, until its scope ends', async () => {
  const store = poolStore();
  const scope = effectScope();
  const seen: unknown[] = [];
  scope.run(() => {
    const state = shallowRef(store.getSnapshot());
    onScopeDispose(store.subscribe((next) => (state.value = next)));
    const price = computed(() => state.value.data?.info.currentSolPriceUsd);
    watchEffect(() => seen.push(price.value), { flush: 'sync' });
  });
  await settled();
  await setPrice('300');
  expect(seen.at(0)).toBeUndefined();
  expect(seen.at(-1)).toBe(300);
  scope.stop();
  await settled();
  expect(ledger.subscriptions.count).toBe(0);
});

describe("a store as one of kit's", () => {
  const setUp = () => {
    const store = poolStore();
    const source: ReactiveStreamSource<LivePoolFacts> = { reactiveStore: () => toReactiveStore(store) };
    const reactive = source.reactiveStore();
    const states: ReactiveState<LivePoolFacts>[] = [];
    const unsubscribe = reactive.subscribe(() => states.push(reactive.getState()));
    return { store, reactive, states, unsubscribe };
  };

  test('connects, and goes back to idle', async () => {
    const { store, reactive, states, unsubscribe } = setUp();
    expect(reactive.getState()).toEqual({ status: 'idle', data: undefined, error: undefined });
    reactive.connect();
    await settled();
    expect(states.map(({ status }) => status)).toEqual(['loading', 'loaded']);
    expect(reactive.getState()).toBe(states.at(-1));
    expect(reactive.getState().data).toBe(store.getSnapshot().data);
    reactive.reset();
    await settled();
    expect(reactive.getState().status).toBe('idle');
    expect(ledger.subscriptions.count).toBe(0);
    unsubscribe();
    reactive.connect();
    expect(states.map(({ status }) => status)).toEqual(['loading', 'loaded', 'idle']);
    store.dispose();
  });

  test('connecting again takes the place of the connection before', async () => {
    const { store, reactive } = setUp();
    reactive.connect();
    reactive.connect();
    reactive.reset();
    await settled();
    expect(ledger.subscriptions.count).toBe(0);
    store.dispose();
  });

  test('shows a lost connection as an error that keeps the value', async () => {
    const { store, reactive } = setUp();
    reactive.connect();
    await settled();
    ledger.subscriptions.dropAll();
    await settled();
    expect(reactive.getState()).toMatchObject({ status: 'error', error: { code: 'rpc-failed' } });
    expect(reactive.getState().data?.info.classification).toBe('Creator');
    store.dispose();
  });

  test("ends with the caller's signal, and says its reason", async () => {
    const { store, reactive } = setUp();
    const controller = new AbortController();
    reactive.withSignal(controller.signal).connect();
    await settled();
    controller.abort('enough');
    await settled();
    expect(reactive.getState()).toMatchObject({ status: 'error', error: 'enough' });
    expect(ledger.subscriptions.count).toBe(0);
    reactive.withSignal(controller.signal).connect();
    expect(reactive.getState().status).toBe('error');
    reactive.withSignal(new AbortController().signal).connect();
    await settled();
    expect(reactive.getState().status).toBe('loaded');
    store.dispose();
  });

  // kit's function needs it, and Node 20 has it not.
  test.skipIf(!('withResolvers' in Promise))("is what kit's own functions take", async () => {
    const { store, reactive } = setUp();
    const controller = new AbortController();
    reactive.withSignal(controller.signal).connect();
    for await (const { info } of bridgeStoreToAsyncIterable(reactive, controller.signal)) {
      expect(info.classification).toBe('Creator');
      break;
    }
    reactive.reset();
    store.dispose();
  });
});
