/// <reference lib="esnext.disposable" preserve="true" />
import type { AnyHeavenError } from '../errors.js';
import { notify } from '../solana/rpc/notify.js';

/**
 * The state of a store. `status` says how much is known. Its fields are named as in kit's reactive stores.
 *
 * - `idle`: nobody has subscribed yet, or there is nothing to load.
 * - `loading`: an answer is on its way. `data` is the previous one if it still makes sense: show it dimmed.
 * - `ready`: `data` is up to date.
 * - `stale`: `data` answers the request, but may be out of date. `error` says why, if known.
 * - `error`: there is no answer, and `error` says why.
 */
export type StoreState<TData> =
  | { readonly status: 'idle'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'loading'; readonly data: TData | undefined; readonly error: undefined }
  | { readonly status: 'ready'; readonly data: TData; readonly error: undefined }
  | { readonly status: 'stale'; readonly data: TData; readonly error: AnyHeavenError | undefined }
  | { readonly status: 'error'; readonly data: undefined; readonly error: AnyHeavenError };

/**
 * A value that changes, and its listeners. React's `useSyncExternalStore`, Svelte's `$store` and Vue's `shallowRef`
 * accept it unchanged. Its functions need no `this`.
 *
 * Nothing runs before the first subscriber, and everything stops after the last one. A later subscriber starts it again.
 */
export interface Store<TData> extends Disposable {
  /**
   * Calls the listener at once with the state, and again after each change. If a listener throws, the others are still
   * called.
   * @returns A function that unsubscribes.
   */
  readonly subscribe: (listener: (state: StoreState<TData>) => void) => () => void;
  /** Returns the state: the same object until something changes. */
  readonly getSnapshot: () => StoreState<TData>;
  /** Returns the state on a server and during hydration: always the same `idle` one. */
  readonly getServerSnapshot: () => StoreState<TData>;
  /** Loads again, now. It never rejects: the state shows the result. Resolves at once while nobody is subscribed. */
  readonly refresh: () => Promise<void>;
  /** Ends the store for good: it reads nothing more and calls no listener again. */
  readonly dispose: () => void;
}

/** The only `idle` state: a server and a page that hydrates share it. */
export const IDLE = /* @__PURE__ */ Object.freeze({ status: 'idle', data: undefined, error: undefined });

/** Nothing is known yet. */
export const LOADING = /* @__PURE__ */ Object.freeze({
  status: 'loading',
  data: undefined,
  error: undefined,
});

/** Returns a state that keeps the previous data while loading, for a store that always loads the same thing. */
export const keepingData = <TData>(
  next: StoreState<TData>,
  { data }: StoreState<TData>,
): StoreState<TData> =>
  next.status === 'loading' && next.data === undefined && data !== undefined ? { ...next, data } : next;

/** What a store does while it has subscribers. */
export interface StoreWork {
  /** Called for the first subscriber. The returned function stops everything that this one started. */
  readonly start: () => () => void;
  readonly refresh: () => Promise<void>;
}

/** Creates the base of all stores, which manages the listeners and the work. `work` receives the function that changes the state. */
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
      // A listener may change the state: those after it only receive the newest.
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
    // From here on, nothing keeps it up to date.
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
        // A page that renders twice, or swaps one part for another, resubscribes within the same task.
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
