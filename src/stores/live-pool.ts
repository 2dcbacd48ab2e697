import type { HeavenClient } from '../client.js';
import { fetchPoolSnapshot } from '../pool/fetch.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { followPool, type PoolFollower } from '../pool/watch/follow-pool.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { type Fresh, keepFresh } from './fresh.js';
import type { StoreState } from './store.js';

/** A pool or a token's pools, followed for a store until it is stopped. */
export interface Live<T> {
  readonly state: () => StoreState<T>;
  /** What is newest. It updates every slot, also while the state is the same. */
  readonly latest: () => T | undefined;
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

/** Follows a pool: by subscriptions if the client has them, and by reads as far as they say nothing. */
export function followLive(
  client: HeavenClient,
  locator: PoolLocator,
  maxAgeMs: number,
  changed: () => void,
): Live<FetchedPoolSnapshot> {
  const stopped = new AbortController();
  const abortSignal = stopped.signal;
  let follower: PoolFollower | undefined;

  const start = () => {
    if (client.rpcSubscriptions === undefined) return void fresh.read();
    // It may be there yet, if another read than its own has failed.
    follower?.stop();
    const own = followPool(client, locator, {
      read: (addresses) => fetchAccounts(client, addresses, { abortSignal }),
      observe: (event) => {
        if (event.type === 'disconnected' || event.type === 'reread-failed') fresh.doubt(event.error);
      },
      offer: () => {
        const latest = own.latest();
        if (latest !== undefined) fresh.hear(latest);
      },
      end: ({ error }) => {
        follower = undefined;
        fresh.fail(error);
      },
    });
    follower = own;
  };
  const fresh: Fresh<FetchedPoolSnapshot> = keepFresh<FetchedPoolSnapshot>(
    {
      start,
      read: (abortSignal) => fetchPoolSnapshot(client, { ...locator, abortSignal }),
      heard: () => {
        const latest = follower?.isUpToDate() === true ? follower.latest() : undefined;
        return latest !== undefined && latest.slot > (fresh.state().data?.slot ?? 0n) ? latest : undefined;
      },
      isOlder: (snapshot, known) => snapshot.slot < known.slot,
      changed,
    },
    maxAgeMs,
  );

  fresh.begin();
  return {
    state: fresh.state,
    latest: () => {
      const { data } = fresh.state();
      const latest = follower?.latest();
      return latest !== undefined && (data === undefined || latest.slot > data.slot) ? latest : data;
    },
    refresh: fresh.refresh,
    stop: () => {
      fresh.stop();
      stopped.abort('over');
      follower?.stop();
    },
  };
}
