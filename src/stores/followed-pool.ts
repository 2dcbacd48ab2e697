import type { HeavenClient } from '../client.js';
import type { AnyHeavenError } from '../errors.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { type FollowOptions, followPool } from '../pool/watch/follow-pool.js';

/** How to follow a pool for a store, and what to call. */
export interface FollowedPoolOptions extends Omit<FollowOptions, 'observe'> {
  /** The subscriptions are lost, or one of the follower's reads failed. */
  readonly doubt: (error: AnyHeavenError) => void;
  /** How long one of the follower's reads confirms the pool. */
  readonly confirmedMs: number;
}

/** A pool that is followed for a store, and whether its snapshot can be trusted. */
export interface FollowedPool {
  /** Returns the newest snapshot, unless the store's own reads may have seen a change that the subscriptions missed. */
  readonly latest: () => FetchedPoolSnapshot | undefined;
  /** Whether no change is being missed. */
  readonly isUpToDate: () => boolean;
  /** Whether the snapshot is confirmed: no change is being missed, or the follower has just read the pool. */
  readonly isConfirmed: () => boolean;
  /** Notes that the store has read the pool itself. */
  readonly noteRead: () => void;
  readonly stop: () => void;
}

/**
 * Follows a pool for a store. The node may reject or never answer one of its subscriptions while the others work: notifications
 * then confirm nothing.
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
