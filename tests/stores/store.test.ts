import { describe, expect, test, vi } from 'vitest';

import { createStore, IDLE, type StoreState } from '../../src/stores/store.js';
import { turn } from '../support/clock.js';

const ready = (data: number): StoreState<number> => ({ status: 'ready', data, error: undefined });

/** A store, and what its work was told to do. */
function setUp() {
  const calls: string[] = [];
  let set = (_: StoreState<number>) => {};
  const store = createStore<number>((setState) => {
    set = setState;
    return {
      start: () => {
        calls.push('start');
        return () => void calls.push('stop');
      },
      refresh: async () => void calls.push('refresh'),
    };
  });
  return { store, calls, set: (state: StoreState<number>) => set(state) };
}

describe('the base of all stores', () => {
  test('calls a listener at once and after each change, with the state that getSnapshot returns', () => {
    const { store, set } = setUp();
    const seen: unknown[] = [];
    store.subscribe((state) => seen.push(state, store.getSnapshot() === state));
    const next = ready(1);
    set(next);
    set(next);
    expect(seen).toEqual([IDLE, true, next, true]);
    expect(store.getSnapshot()).toBe(next);
    expect(store.getServerSnapshot()).toBe(store.getServerSnapshot());
    expect(store.getServerSnapshot().status).toBe('idle');
  });

  test('runs while somebody is subscribed, and while a subscription is renewed at once', async () => {
    const { store, calls } = setUp();
    expect(calls).toEqual([]);
    // React in StrictMode.
    store.subscribe(() => {})();
    const unsubscribe = store.subscribe(() => {});
    await turn();
    expect(calls).toEqual(['start']);
    const unsubscribeOther = store.subscribe(() => {});
    unsubscribe();
    unsubscribe();
    await turn();
    expect(calls).toEqual(['start']);
    unsubscribeOther();
    await turn();
    expect(calls).toEqual(['start', 'stop']);
    store.subscribe(() => {});
    expect(calls).toEqual(['start', 'stop', 'start']);
  });

  test('is idle or stale after the last subscriber', async () => {
    const { store, set } = setUp();
    const unsubscribe = store.subscribe(() => {});
    set(ready(1));
    unsubscribe();
    await turn();
    expect(store.getSnapshot()).toEqual({ status: 'stale', data: 1, error: undefined });
    store.subscribe(() => {})();
    set({ status: 'loading', data: 1, error: undefined });
    await turn();
    expect(store.getSnapshot()).toBe(IDLE);
  });

  test('keeps one subscription per call, also of the same listener', () => {
    const { store, set } = setUp();
    const listener = vi.fn();
    const unsubscribe = store.subscribe(listener);
    store.subscribe(listener);
    unsubscribe();
    set(ready(1));
    expect(listener).toHaveBeenCalledTimes(3);
  });

  test('a throwing listener does not affect the others', () => {
    const { store, set } = setUp();
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    const seen: unknown[] = [];
    store.subscribe(() => {
      throw new Error('mine');
    });
    store.subscribe(({ data }) => seen.push(data));
    set(ready(1));
    expect(seen).toEqual([undefined, 1]);
    expect(complain).toHaveBeenCalledTimes(2);
    complain.mockRestore();
  });

  test('skips a state that a listener has replaced', () => {
    const { store, set } = setUp();
    store.subscribe(({ data }) => {
      if (data === 1) set(ready(2));
    });
    const seen: unknown[] = [];
    store.subscribe(({ data }) => seen.push(data));
    set(ready(1));
    expect(seen).toEqual([undefined, 2]);
  });

  test('does not call a listener that another one unsubscribed', () => {
    const { store, set } = setUp();
    const seen: unknown[] = [];
    store.subscribe(({ data }) => data === 1 && unsubscribe());
    const unsubscribe = store.subscribe(({ data }) => seen.push(data));
    set(ready(1));
    expect(seen).toEqual([undefined]);
  });

  test('never restarts once disposed of', async () => {
    const { store, calls, set } = setUp();
    const listener = vi.fn();
    {
      using own = store;
      own.subscribe(listener);
      await own.refresh();
    }
    expect(calls).toEqual(['start', 'refresh', 'stop']);
    set(ready(1));
    store.subscribe(listener)();
    await store.refresh();
    store.dispose();
    await turn();
    expect(calls).toEqual(['start', 'refresh', 'stop']);
    expect(listener.mock.calls.map(([state]) => state.status)).toEqual(['idle', 'idle']);
  });
});
