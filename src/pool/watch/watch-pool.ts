import type { HeavenClient } from '../../client.js';
import { assertAbortSignal } from '../../input.js';
import { fetchAccounts } from '../../solana/rpc/accounts.js';
import type { PoolLocator } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { followPool, type PoolFollower } from './follow-pool.js';
import { type Failure, newestOnly } from './newest-only.js';
import type { PoolWatchEvent } from './steps.js';

/** How to stop and observe {@link watchPool}. */
export interface WatchPoolOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Called when the state of the connection changes, for logs and metrics. */
  readonly observe?: ((event: PoolWatchEvent) => void) | undefined;
}

/** The snapshots of a pool as it changes. You can iterate over it once. */
export interface PoolWatch extends AsyncIterable<FetchedPoolSnapshot> {
  /** The newest snapshot, or `undefined` before the first. It updates every slot, even while the iterator yields nothing. */
  readonly latest: FetchedPoolSnapshot | undefined;
  /** Whether `latest` is up to date: false before the first read, while changes may be missed, and after the end. */
  readonly isLive: boolean;
  /** Returns the next snapshot that the caller has not seen. The first call starts the watch. */
  next(): Promise<IteratorResult<FetchedPoolSnapshot, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<FetchedPoolSnapshot, undefined>>;
  [Symbol.asyncIterator](): PoolWatch;
}

/**
 * Watches a pool: an async iterable of its snapshots, from one read and the node's account notifications. It starts with the
 * first `next()`, and ends when you leave the loop, call `return()` or abort the signal.
 *
 * It yields a snapshot when the pool, its config, its mint or the SOL price changes, or an epoch begins. Other slots only update
 * `latest`. A slow reader gets the newest snapshot, and never one older than the last.
 *
 * It reconnects with growing pauses. Watches that use the same `rpcSubscriptions` share subscriptions.
 * @throws {HeavenError} from the iterator: `invalid-input` (also for a client without `rpcSubscriptions`), `invalid-address`,
 * those of {@link fetchPoolSnapshot} when the first read fails, and `pool-not-found` or `account-owner-mismatch` when the pool
 * is gone
 * @example
 * ```ts
 * const watch = watchPool(client, { configVersion: 2, mint }, { abortSignal });
 * for await (const snapshot of watch) {
 *   console.log(computeBuy(toSwapState(snapshot), 1_000_000_000n).amountOut);
 * }
 * ```
 */
export function watchPool(
  client: HeavenClient,
  locator: PoolLocator,
  { abortSignal, observe }: WatchPoolOptions = {},
): PoolWatch {
  const stop = new AbortController();
  let follower: PoolFollower | undefined;

  const hasEnded = () => stop.signal.aborted;
  const end = (failure?: Failure) => {
    if (hasEnded()) return;
    stop.abort(OVER);
    follower?.stop();
    snapshots.end(failure);
  };

  const start = () => {
    assertAbortSignal(abortSignal, 'abortSignal');
    if (abortSignal?.aborted) return end();
    abortSignal?.addEventListener('abort', () => end(), { once: true, signal: stop.signal });
    follower = followPool(client, locator, {
      read: (addresses) => fetchAccounts(client, addresses, { abortSignal: stop.signal }),
      observe,
      offer: () => snapshots.offer(ONLY),
      end,
    });
  };

  const snapshots = newestOnly(
    () => {
      try {
        start();
      } catch (error) {
        end({ error });
      }
    },
    (_: typeof ONLY) => follower?.latest() as FetchedPoolSnapshot,
    end,
  );
  return {
    get latest() {
      return follower?.latest();
    },
    get isLive() {
      return follower?.isUpToDate() === true && !hasEnded();
    },
    next: snapshots.next,
    return: snapshots.return,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The key of the only pool in this watch. */
const ONLY = 'pool';
/** Why the signal of a watch fires. A custom reason is much cheaper than the default one. */
const OVER = 'over';
