import type { HeavenClient } from '../client.js';
import { type PoolInfo, poolInfoOf } from '../data/pool-info.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { type FreshnessOptions, maxAgeOf } from './fresh.js';
import { followLive, type Live } from './live-pool.js';
import { createStore, keepingData, LOADING, type Store } from './store.js';

/** A pool as it is now. */
export interface LivePoolFacts {
  /** What quotes are computed from, exact. A quote function takes it as `snapshot`. */
  readonly snapshot: FetchedPoolSnapshot;
  /** The same for display. */
  readonly info: PoolInfo;
}

/** What {@link createPoolStore} returns. */
export interface PoolStore extends Store<LivePoolFacts> {}

/**
 * Follows a pool: a {@link Store} of its snapshot and its facts for display, new whenever the pool moves.
 *
 * It follows the pool with the client's `rpcSubscriptions`. Without them it reads the pool, and again after half of `maxAgeMs`.
 * @throws {HeavenError} `invalid-input` for bad options; all else is in the state
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
