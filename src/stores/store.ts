/// <reference lib="esnext.disposable" preserve="true" />
import type { AnyHeavenError } from '../errors.js';
import { notify } from '../solana/rpc/notify.js';

/**
 * What a store knows, told apart by `status`. The fields are those of kit's reactive stores.
 *
 * - `idle`: nobody has subscribed yet, or there is nothing to ask for.
 * - `loading`: an answer is on its way. `data` is the last one, if it still makes sense: dim it.
 * - `ready`: `data` is up to date.
 * - `stale`: `data` answers what was asked, but it may be out of date. `error` says why, if that is known.
 * - `error`: there is no answer, and `error` says why.
 */
export type StoreState<TData> =
  | { readonly status: 'idle'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'loading'; readonly data: TData | undefined; readonly error: undefined }
  | { readonly status: 'ready'; readonly data: TData; readonly error: undefined }
  | { readonly status: 'stale'; readonly data: TData; readonly error: AnyHeavenError | undefined }
  | { readonly status: 'error'; readonly data: undefined; readonly error: AnyHeavenError };

/**
 * A value that changes, and those who listen to it: what React's `useSyncExternalStore`, Svelte's `$store` and Vue's `shallowRef`
 * take as it is. Its functions need no `this`.
 *
 * Nothing runs before the first subscriber, and all of it stops after the last one. Whoever subscribes later starts it again.
 */
export interface Store<TData> extends Disposable {
  /**
   * Calls the listener at once with the state, and again after each change. A listener that throws doesn't keep the others from
   * being called.
   * @returns The function that ends it.
   */
  readonly subscribe: (listener: (state: StoreState<TData>) => void) => () => void;
  /** The state. The same object until something changes. */
  readonly getSnapshot: () => StoreState<TData>;
  /** The state on a server and during hydration: always the same `idle` one. */
  readonly getServerSnapshot: () => StoreState<TData>;
  /** Asks again, now. It never rejects: the state tells what came of it. Resolves at once while nobody is subscribed. */
  readonly refresh: () => Promise<void>;
  /** Ends the store for good: it reads nothing more, and calls no listener again. */
  readonly dispose: () => void;
}

/** The one `idle` state: a server and a page that hydrates have the same. */
export const IDLE = /* @__PURE__ */ Object.freeze({ status: 'idle', data: undefined, error: undefined });

/** Nothing is known yet. */
export const LOADING = /* @__PURE__ */ Object.freeze({
  status: 'loading',
  data: undefined,
  error: undefined,
});

/** A state, with what was known before if it is only loading: for a store that always asks for the same. */
export const keepingData = <TData>(
  next: StoreState<TData>,
  { data }: StoreState<TData>,
): StoreState<TData> =>
  next.status === 'loading' && next.data === undefined && data !== undefined ? { ...next, data } : next;

/** What is done while a store has subscribers. */
export interface StoreWork {
  /** The first subscriber came. What it returns stops what it started. */
  readonly start: () => () => void;
  readonly refresh: () => Promise<void>;
}

/** The base of all stores: who listens, and when the work runs. `work` is given how to change the state. */
export function createStore<TData>(
  work: (set: (state: StoreState<TData>) => void, get: () => StoreState<TData>) => StoreWork,
): Store<TData> {
  let state: StoreState<TData> = IDLE;
  let stop: (() => void) | undefined;
  let isDisposed = false;
  const listeners = new Set<{ readonly listener: (state: StoreState<TData>) => void }>();

  const set = (next: StoreState<TData>) => {
    if (isDisposed || next === state) return;
    state = next;
    for (const entry of [...listeners]) {
      // A listener may change the state: whoever comes after it hears of the newest only.
      if (state !== next) return;
      if (listeners.has(entry)) notify(entry.listener, next);
    }
  };
  const { start, refresh } = work(set, () => state);

  const halt = () => {
    const end = stop;
    if (end === undefined) return;
    stop = undefined;
    end();
    // Nobody keeps it up to date from here on.
    const { status, data } = state;
    if (status === 'ready') set({ status: 'stale', data, error: undefined });
    else if (status === 'loading') set(IDLE);
  };
  const dispose = () => {
    if (isDisposed) return;
    listeners.clear();
    halt();
    isDisposed = true;
  };
  return {
    subscribe: (listener) => {
      const entry = { listener };
      if (!isDisposed) {
        stop ??= start();
        listeners.add(entry);
      }
      notify(listener, state);
      return () => {
        // A page that renders twice, or swaps one part for another, subscribes again within the same task.
        if (listeners.delete(entry) && listeners.size === 0)
          queueMicrotask(() => {
            if (listeners.size === 0) halt();
          });
      };
    },
    getSnapshot: () => state,
    getServerSnapshot: () => IDLE,
    refresh: async () => {
      if (stop !== undefined) await refresh();
    },
    dispose,
    [Symbol.dispose]: dispose,
  };
}
