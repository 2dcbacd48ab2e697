import type { HeavenClient } from '../../client.js';
import { type AnyHeavenError, isHeavenError } from '../../errors.js';
import { assertAbortSignal, assertHas, inputError, invalidInput } from '../../input.js';
import type { PoolLocator } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { followPool, type PoolFollower, subscriptionsOf } from './follow-pool.js';
import { type Failure, newestOnly } from './newest-only.js';
import { createSharedReader } from './shared-reader.js';
import type { PoolWatchEvent } from './steps.js';

/** How {@link watchPools} is ended and observed. */
export interface WatchPoolsOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Told of the state of each pool's connection, for logs and metrics. */
  readonly observe?: ((event: PoolWatchEvent, locator: PoolLocator) => void) | undefined;
}

/** A pool's new snapshot, or why it can't be watched: it is then no longer among the watched ones. */
export type PoolNews =
  | { readonly locator: PoolLocator; readonly snapshot: FetchedPoolSnapshot; readonly error?: undefined }
  | { readonly locator: PoolLocator; readonly snapshot?: undefined; readonly error: AnyHeavenError };

/** The snapshots of many pools as they change. It can be iterated over once. */
export interface PoolsWatch extends AsyncIterable<PoolNews> {
  /** How many pools are watched. */
  readonly size: number;
  /** Watches one more pool. Nothing happens if it is watched already. */
  add(locator: PoolLocator): void;
  /** Watches a pool no longer; nothing of it comes afterwards. Returns whether it was watched. */
  remove(locator: PoolLocator): boolean;
  /** The newest snapshot of a pool, or `undefined` before the first. It updates every slot, also while the iterator is quiet. */
  latest(locator: PoolLocator): FetchedPoolSnapshot | undefined;
  /** Whether `latest` of a pool is kept up to date, as in {@link PoolWatch}. */
  isLive(locator: PoolLocator): boolean;
  /** The next news that the caller has not seen. The first call begins the watch. */
  next(): Promise<IteratorResult<PoolNews, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<PoolNews, undefined>>;
  [Symbol.asyncIterator](): PoolsWatch;
}

interface Watched {
  readonly locator: PoolLocator;
  follower?: PoolFollower | undefined;
  error?: AnyHeavenError | undefined;
}

/**
 * Watches many pools in one loop, with {@link watchPool}'s guarantees for each. Accounts that pools share (clock, price feed, config)
 * have one subscription, and pools are read some 48 per call. Pools can be added and removed while the loop runs.
 *
 * A slow reader gets the newest snapshot of each pool that changed. A pool that can't be watched gives its `error` once and is
 * removed; the others go on.
 * @throws {HeavenError} from the iterator: `invalid-input` (also for a client without `rpcSubscriptions`). From `add`: `invalid-input`
 * @example
 * ```ts
 * const watch = watchPools(client, [{ configVersion: 2, mint }], { abortSignal });
 * for await (const { locator, snapshot, error } of watch) {
 *   if (error !== undefined) console.error(locator.mint, error.code);
 *   else console.log(locator.mint, computeBuy(toSwapState(snapshot), 1_000_000_000n).amountOut);
 * }
 * ```
 */
export function watchPools(
  client: HeavenClient,
  locators: readonly PoolLocator[],
  { abortSignal, observe }: WatchPoolsOptions = {},
): PoolsWatch {
  const stop = new AbortController();
  const pools = new Map<string, Watched>();
  const reader = createSharedReader(client, stop.signal);
  let hasBegun = false;

  const hasEnded = () => stop.signal.aborted;
  const end = (failure?: Failure) => {
    if (hasEnded()) return;
    stop.abort(OVER);
    reader.stop();
    for (const { follower } of pools.values()) follower?.stop();
    news.end(failure);
  };

  const follow = (key: string, watched: Watched) => {
    const { locator } = watched;
    watched.follower = followPool(client, locator, {
      read: reader.read,
      observe: observe === undefined ? undefined : (event) => observe(event, locator),
      offer: () => news.offer(watched),
      end: ({ error }) => {
        if (!isHeavenError(error)) return end({ error });
        watched.error = error;
        pools.delete(key);
        news.offer(watched);
      },
    });
  };

  const add = (locator: PoolLocator) => {
    assertHas(locator, 'mint', 'locator', 'a pool locator, such as { configVersion: 2, mint }');
    if (hasEnded()) throw inputError('locator', 'This watch has ended. Begin another with watchPools.');
    const key = keyOf(locator);
    if (pools.has(key)) return;
    const watched: Watched = { locator };
    pools.set(key, watched);
    if (hasBegun) follow(key, watched);
  };

  const begin = () => {
    try {
      assertAbortSignal(abortSignal, 'abortSignal');
      if (abortSignal?.aborted) return end();
      abortSignal?.addEventListener('abort', () => end(), { once: true, signal: stop.signal });
      subscriptionsOf(client);
      if (!Array.isArray(locators)) throw invalidInput('locators', locators, 'an array of pool locators');
      for (const locator of locators) add(locator);
      hasBegun = true;
      for (const [key, watched] of [...pools]) follow(key, watched);
    } catch (error) {
      end({ error });
    }
  };

  const news = newestOnly<Watched, PoolNews>(
    begin,
    ({ locator, follower, error }) =>
      error === undefined
        ? { locator, snapshot: follower?.latest() as FetchedPoolSnapshot }
        : { locator, error },
    end,
  );
  return {
    get size() {
      return pools.size;
    },
    add,
    remove: (locator) => {
      assertHas(locator, 'mint', 'locator', 'a pool locator, such as { configVersion: 2, mint }');
      const key = keyOf(locator);
      const watched = pools.get(key);
      if (watched === undefined) return false;
      watched.follower?.stop();
      news.forget(watched);
      return pools.delete(key);
    },
    latest: (locator) => pools.get(keyOf(locator))?.follower?.latest(),
    isLive: (locator) => pools.get(keyOf(locator))?.follower?.isUpToDate() === true,
    next: news.next,
    return: news.return,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const keyOf = ({ configVersion, mint, pool }: PoolLocator) => `${configVersion} ${mint} ${pool ?? ''}`;

/** Why the signal of a watch fires. A reason of one's own is much cheaper than the default. */
const OVER = 'over';
