import type { HeavenClient } from '../../client.js';
import { type AnyHeavenError, isHeavenError } from '../../errors.js';
import { assertAbortSignal, assertHas, inputError, invalidInput } from '../../input.js';
import type { PoolLocator } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { followPool, type PoolFollower, subscriptionsOf } from './follow-pool.js';
import { type Failure, newestOnly } from './newest-only.js';
import { createSharedReader } from './shared-reader.js';
import type { PoolWatchEvent } from './steps.js';

/** How to stop and observe {@link watchPools}. */
export interface WatchPoolsOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Called when the state of a pool's connection changes, for logs and metrics. */
  readonly observe?: ((event: PoolWatchEvent, locator: PoolLocator) => void) | undefined;
}

/** A pool's new snapshot, or why it can't be watched: it is then removed from the watch. */
export type PoolUpdate =
  | { readonly locator: PoolLocator; readonly snapshot: FetchedPoolSnapshot; readonly error?: undefined }
  | { readonly locator: PoolLocator; readonly snapshot?: undefined; readonly error: AnyHeavenError };

/** The snapshots of many pools as they change. You can iterate over it once. */
export interface PoolsWatch extends AsyncIterable<PoolUpdate> {
  /** How many pools are watched. */
  readonly size: number;
  /** Adds a pool to the watch. Does nothing if it is already watched. */
  add(locator: PoolLocator): void;
  /** Stops watching a pool; the iterator yields nothing more for it. Returns whether it was watched. */
  remove(locator: PoolLocator): boolean;
  /** Returns a pool's newest snapshot, or `undefined` before the first. It updates every slot, even while the iterator yields nothing. */
  latest(locator: PoolLocator): FetchedPoolSnapshot | undefined;
  /** Whether `latest` of a pool is up to date, as in {@link PoolWatch}. */
  isLive(locator: PoolLocator): boolean;
  /** Returns the next news that the caller has not seen. The first call starts the watch. */
  next(): Promise<IteratorResult<PoolUpdate, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<PoolUpdate, undefined>>;
  [Symbol.asyncIterator](): PoolsWatch;
}

interface Watched {
  readonly locator: PoolLocator;
  follower?: PoolFollower | undefined;
  error?: AnyHeavenError | undefined;
}

/**
 * Watches many pools in one loop, with {@link watchPool}'s guarantees for each. Accounts that pools share (clock, price feed, config)
 * use one subscription, and one call reads about 48 pools. You can add and remove pools while the loop runs.
 *
 * A slow reader gets the newest snapshot of each pool that changed. A pool that can't be watched yields its `error` once and is
 * removed; the others continue.
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

  const news = newestOnly<Watched, PoolUpdate>(
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

/** Why the signal of a watch fires. A custom reason is much cheaper than the default one. */
const OVER = 'over';
