import type { HeavenClient } from '../client.js';
import { type PoolInfo, poolInfoOf } from '../data/pool-info.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { type FreshnessOptions, maxAgeOf } from './fresh.js';
import { followLive, type Live } from './live-pool.js';
import { createStore, keepingData, LOADING, type Store } from './store.js';

/** A pool's current state. */
export interface LivePoolFacts {
  /** The exact state that quotes are computed from. Quote functions accept it as `snapshot`. */
  readonly snapshot: FetchedPoolSnapshot;
  /** The same facts for display. */
  readonly info: PoolInfo;
}

/** What {@link createPoolStore} returns. */
export interface PoolStore extends Store<LivePoolFacts> {}

/**
 * Follows a pool: a {@link Store} of its snapshot and its facts for display, updated whenever the pool changes.
 *
 * It follows the pool with the client's `rpcSubscriptions`. Without them, it reads the pool every `maxAgeMs / 2`.
 * @throws {HeavenError} `invalid-input` for bad options; other errors are in the state
 * @example
 * ```ts
 * const pool = createPoolStore(client, { configVersion: 2, mint });
 * const unsubscribe = pool.subscribe(({ data }) => console.log(data?.info.currentMarketCapUsd));
 * ```
 */
export function createPoolStore(
  client: HeavenClient,
  locator: PoolLocator,
  options: FreshnessOptions = {},
): PoolStore {
  const maxAgeMs = maxAgeOf(options);
  return createStore<LivePoolFacts>((set, get) => {
    let live: Live<FetchedPoolSnapshot> | undefined;
    const show = () => {
      const state = live?.state();
      if (state === undefined) return;
      if (state.data === undefined)
        return set(state.status === 'error' ? state : keepingData<LivePoolFacts>(LOADING, get()));
      const snapshot = live?.latest() ?? state.data;
      const known = get().data;
      set({
        ...state,
        data: known?.snapshot === snapshot ? known : { snapshot, info: poolInfoOf(snapshot) },
      });
    };
    return {
      start: () => {
        live = followLive(client, locator, maxAgeMs, show);
        show();
        return () => {
          live?.stop();
          live = undefined;
        };
      },
      refresh: async () => await live?.refresh(),
    };
  });
}
