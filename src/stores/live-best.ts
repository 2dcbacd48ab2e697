import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { createSharedReader } from '../pool/watch/shared-reader.js';
import { MOST_SLOTS_APART } from '../pool/watch/steps.js';
import { noneOf } from '../route/rank-pools.js';
import {
  type Candidates,
  findCandidates,
  isRead,
  type ReadPool,
  type RefusedPool,
  readMarket,
  type Search,
  type TokenMarket,
} from '../route/token-market.js';
import { type FollowedPool, followForStore } from './followed-pool.js';
import { confirmedMs, type Fresh, isOfNode, keepFresh, shownError } from './fresh.js';
import type { Live } from './live-pool.js';

/** Follows the pools of a token that a trade may use: by subscription if the client has them, and by reads while those are silent. */
export function followBest(
  client: HeavenClient,
  search: Search,
  maxAgeMs: number,
  changed: () => void,
): Live<TokenMarket> {
  const stopped = new AbortController();
  const reader = createSharedReader(client, stopped.signal);
  const followed = new Map<Address, FollowedPool>();
  let candidates: Candidates | undefined;
  let isTelling = false;
  let droppedAt = Number.NEGATIVE_INFINITY;
  /** The pools that the last read refused, and whether the one before did not: its node may have been wrong once. */
  let refused: ReadonlySet<Address> = new Set();
  let isDoubtful = false;

  const read = async (abortSignal: AbortSignal): Promise<TokenMarket> => {
    const options = { abortSignal };
    if (candidates === undefined) {
      candidates = await findCandidates(client, search, options);
      refused = new Set(candidates.refused.map(({ pool }) => pool));
    }
    const market = await readMarket(client, search.mint, candidates, options);
    for (const one of followed.values()) one.noteRead();
    assertSome(market);
    const before = refused;
    refused = new Set(market.pools.filter((one) => !isRead(one)).map(({ pool }) => pool));
    isDoubtful = [...refused].some((pool) => !before.has(pool));
    return market;
  };
  const assertSome = ({ pools }: TokenMarket) => {
    if (!pools.some(isRead)) throw noneOf(search.mint, pools as readonly RefusedPool[]);
  };
  /** Combines the known state with what the subscriptions report. If two slots can't both be right, the subscriptions win. */
  const newest = ({ pools, leftOut }: TokenMarket): TokenMarket => {
    const newer = pools.map((one) => {
      const follower = followed.get(one.pool);
      const snapshot = follower?.latest();
      if (snapshot === undefined || !isRead(one)) return one;
      const isMadeUp = follower?.isUpToDate() && snapshot.slot + MOST_SLOTS_APART < one.snapshot.slot;
      return isMadeUp || snapshot.slot > one.snapshot.slot ? { ...one, snapshot } : one;
    });
    return { pools: newer, leftOut };
  };
  /** Whether every pool that was read has a follower that `says` so. Nobody follows a refused pool: a second read decides. */
  const areAll = ({ pools }: TokenMarket, says: (follower: FollowedPool) => boolean) =>
    !isDoubtful &&
    pools.filter(isRead).every(({ pool }) => {
      const follower = followed.get(pool);
      return follower !== undefined && says(follower);
    });
  /** One notification, such as a new SOL price, changes several pools: report them together. */
  const tellSoon = () => {
    if (isTelling) return;
    isTelling = true;
    queueMicrotask(() => {
      isTelling = false;
      const { data } = fresh.state();
      if (data === undefined) return;
      if (areAll(data, (one) => one.isConfirmed())) fresh.hear(newest(data));
      else changed();
    });
  };
  /** A pool can't be followed, or no longer. A read decides whether it is gone: the node may have been wrong once. */
  const drop = (address: Address, caught: unknown) => {
    const { data } = fresh.state();
    const error = shownError(caught);
    if (data === undefined || isOfNode(error)) return fresh.doubt(error);
    try {
      assertSome({
        ...data,
        pools: data.pools.map((one) =>
          one.pool === address ? { pool: address, kind: one.kind, error } : one,
        ),
      });
    } catch (none) {
      return fresh.fail(none);
    }
    fresh.doubt(error);
    const now = performance.now();
    // If the node keeps contradicting itself, the next check is soon enough.
    if (now - droppedAt >= confirmedMs(maxAgeMs)) void fresh.read();
    droppedAt = now;
  };
  const follow = ({ pool, kind, snapshot }: ReadPool) => {
    const { configVersion } = snapshot;
    const locator = {
      configVersion,
      mint: search.mint,
      pool: kind === 'pro' ? pool : undefined,
    };
    const own = followForStore(client, locator, {
      read: reader.read,
      confirmedMs: confirmedMs(maxAgeMs),
      doubt: (error) => {
        // All pools lose the same connection at once.
        if (fresh.state().status !== 'stale') fresh.doubt(error);
      },
      offer: tellSoon,
      end: ({ error }) => {
        followed.delete(pool);
        drop(pool, error);
      },
    });
    followed.set(pool, own);
  };
  const followAll = (market: TokenMarket) => {
    if (client.rpcSubscriptions === undefined) return;
    const read = new Map(market.pools.filter(isRead).map((pool) => [pool.pool, pool]));
    for (const [pool, follower] of [...followed]) {
      if (read.has(pool)) continue;
      follower.stop();
      followed.delete(pool);
    }
    for (const [pool, one] of read) if (!followed.has(pool)) follow(one);
  };

  const fresh: Fresh<TokenMarket> = keepFresh<TokenMarket>(
    {
      start: () => void fresh.read(),
      read,
      heard: () => {
        const { data } = fresh.state();
        if (data === undefined || !areAll(data, (one) => one.isUpToDate())) return undefined;
        const market = newest(data);
        return slotOf(market) > slotOf(data) ? market : undefined;
      },
      slotOf,
      changed: () => {
        changed();
        const { status, data } = fresh.state();
        if (status === 'ready' && !stopped.signal.aborted) followAll(data);
      },
    },
    maxAgeMs,
  );
  fresh.begin();
  return {
    state: fresh.state,
    latest: () => {
      const { data } = fresh.state();
      return data && newest(data);
    },
    refresh: async () => {
      candidates = undefined;
      await fresh.refresh();
    },
    stop: () => {
      fresh.stop();
      stopped.abort('over');
      reader.stop();
      for (const one of followed.values()) one.stop();
    },
  };
}

/** The slot that every pool has at least reached. */
const slotOf = ({ pools }: TokenMarket): bigint =>
  pools
    .filter(isRead)
    .reduce((least, { snapshot: { slot } }) => (least < 0n || slot < least ? slot : least), -1n);
