import type { HeavenClient } from '../client.js';
import type { AnyHeavenError } from '../errors.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { type FollowOptions, followPool } from '../pool/watch/follow-pool.js';

/** What follows a pool for a store, and who hears of it. */
export interface FollowedPoolOptions extends Omit<FollowOptions, 'observe'> {
  /** The subscriptions are lost, or a read of the follower's failed. */
  readonly doubt: (error: AnyHeavenError) => void;
  /** How long a read of the follower's confirms the pool. */
  readonly confirmedMs: number;
}

/** A pool that is followed for a store, and how far it may be relied on. */
export interface FollowedPool {
  /** The newest snapshot, unless the store's own reads may have seen a change that the subscriptions missed. */
  readonly latest: () => FetchedPoolSnapshot | undefined;
  /** Whether no change is missed. */
  readonly isUpToDate: () => boolean;
  /** Whether the snapshot is confirmed: no change is missed, or the follower has just read the pool. */
  readonly isConfirmed: () => boolean;
  /** Notes that the store has read the pool itself. */
  readonly noteRead: () => void;
  readonly stop: () => void;
}

/**
 * Follows a pool for a store. One of its subscriptions may be refused or never answered while the others go on: their notifications
 * confirm nothing.
 */
export function followForStore(
  client: HeavenClient,
  locator: PoolLocator,
  { doubt, confirmedMs, ...options }: FollowedPoolOptions,
): FollowedPool {
  let rereadAt = Number.NEGATIVE_INFINITY;
  let isOutread = false;
  const follower = followPool(client, locator, {
    ...options,
    observe: (event) => {
      if (event.type === 'reread') {
        rereadAt = performance.now();
        isOutread = false;
      } else if (event.type === 'disconnected' || event.type === 'reread-failed') {
        rereadAt = Number.NEGATIVE_INFINITY;
        doubt(event.error);
      }
    },
  });
  const { isUpToDate, stop } = follower;
  return {
    latest: () => (isOutread && !isUpToDate() ? undefined : follower.latest()),
    isUpToDate,
    isConfirmed: () => isUpToDate() || performance.now() - rereadAt < confirmedMs,
    noteRead: () => {
      if (!isUpToDate()) isOutread = true;
    },
    stop,
  };
}
