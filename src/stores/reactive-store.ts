import type { ReactiveState, ReactiveStreamStore } from '@solana/kit';

import { notify } from '../solana/rpc/notify.js';
import { IDLE, type Store, type StoreState } from './store.js';

/**
 * Turns a store into a kit reactive store, for bindings that take those: `connect` subscribes, `reset` unsubscribes. `ready`
 * becomes kit's `loaded`, and so does `stale` unless it has an error. `store` itself does not change.
 * @example
 * ```ts
 * const quotes = createQuoteStore(client);
 * const source = { reactiveStore: () => toReactiveStore(quotes) }; // a ReactiveStreamSource of kit
 * source.reactiveStore().connect();
 * ```
 */
export function toReactiveStore<TData>(store: Store<TData>): ReactiveStreamStore<TData> {
  let state: ReactiveState<TData> = IDLE;
  let disconnect = () => {};
  const entries = new Set<{ readonly callback: () => void }>();

  const set = (next: ReactiveState<TData>) => {
    if (next === state) return;
    state = next;
    for (const { callback } of [...entries]) notify(callback, undefined);
  };
  const connect = (signal?: AbortSignal) => {
    disconnect();
    const giveUp = () => {
      disconnect();
      set({ status: 'error', data: state.data, error: signal?.reason });
    };
    if (signal?.aborted) return giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    const unsubscribe = store.subscribe((next) => set(kitStateOf(next)));
    disconnect = () => {
      disconnect = () => {};
      signal?.removeEventListener('abort', giveUp);
      unsubscribe();
    };
  };
  return {
    connect: () => connect(),
    getState: () => state,
    reset: () => {
      disconnect();
      set(IDLE);
    },
    subscribe: (callback) => {
      const entry = { callback };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    withSignal: (signal) => ({ connect: () => connect(signal) }),
  };
}

function kitStateOf<TData>(state: StoreState<TData>): ReactiveState<TData> {
  if (state.status === 'ready') return { status: 'loaded', data: state.data, error: undefined };
  if (state.status !== 'stale') return state;
  const { data, error } = state;
  return error === undefined ? { status: 'loaded', data, error } : { status: 'error', data, error };
}
