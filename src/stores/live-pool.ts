import type { HeavenClient } from '../client.js';
import { fetchPoolSnapshot } from '../pool/fetch.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { type FollowedPool, followForStore } from './followed-pool.js';
import { confirmedMs, type Fresh, keepFresh } from './fresh.js';
import type { StoreState } from './store.js';

/** A pool or a token's pools, followed for a store until it is stopped. */
export interface Live<T> {
  readonly state: () => StoreState<T>;
  /** Returns the newest value. It updates every slot, even while the state stays the same. */
  readonly latest: () => T | undefined;
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

interface Shared {
  readonly live: Live<FetchedPoolSnapshot>;
  readonly listeners: Set<{ readonly changed: () => void }>;
}

/** Stores of a client that follow the same thing at the same time share one follower. */
const sharedByClient = /* @__PURE__ */ new WeakMap<HeavenClient, Map<string, Shared>>();

/** Follows a pool: by subscription if the client has them, and by reads while those are silent. */
export function followLive(
  client: HeavenClient,
  locator: PoolLocator,
  maxAgeMs: number,
  changed: () => void,
): Live<FetchedPoolSnapshot> {
  const { configVersion, mint, pool } = locator;
  const key = `${configVersion} ${mint} ${pool ?? ''} ${maxAgeMs}`;
  const byKey = sharedByClient.get(client) ?? new Map<string, Shared>();
  sharedByClient.set(client, byKey);
  let shared = byKey.get(key);
  // A failed one shows its old error, so a new store reads for itself.
  if (shared === undefined || shared.live.state().status === 'error') {
    const listeners: Shared['listeners'] = new Set();
    const tell = () => {
      for (const one of [...listeners]) if (listeners.has(one)) one.changed();
    };
    shared = { listeners, live: followUnshared(client, locator, maxAgeMs, tell) };
    byKey.set(key, shared);
  }
  const joined = shared;
  const { live, listeners } = joined;
  const own = { changed };
  listeners.add(own);
  return {
    ...live,
    stop: () => {
      if (!listeners.delete(own) || listeners.size > 0) return;
      if (byKey.get(key) === joined) byKey.delete(key);
      live.stop();
    },
  };
}

function followUnshared(
  client: HeavenClient,
  locator: PoolLocator,
  maxAgeMs: number,
  changed: () => void,
): Live<FetchedPoolSnapshot> {
  const stopped = new AbortController();
  const abortSignal = stopped.signal;
  let follower: FollowedPool | undefined;

  const start = () => {
    if (client.rpcSubscriptions === undefined) return void fresh.read();
    // A follower may still be running, if a read other than its own has failed.
    follower?.stop();
    const own = followForStore(client, locator, {
      read: (addresses) => fetchAccounts(client, addresses, { abortSignal }),
      doubt: (error) => fresh.doubt(error),
      confirmedMs: confirmedMs(maxAgeMs),
      offer: () => {
        const latest = own.latest();
        if (latest !== undefined && (own.isConfirmed() || fresh.state().data === undefined))
          fresh.hear(latest);
        else changed();
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
      read: async (abortSignal) => {
        const snapshot = await fetchPoolSnapshot(client, { ...locator, abortSignal });
        follower?.noteRead();
        return snapshot;
      },
      heard: () => {
        const latest = follower?.isUpToDate() === true ? follower.latest() : undefined;
        return latest !== undefined && latest.slot > (fresh.state().data?.slot ?? 0n) ? latest : undefined;
      },
      slotOf: ({ slot }) => slot,
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
