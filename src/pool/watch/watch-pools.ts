import { type AnyHeavenError, isHeavenError } from '../../base/errors.js';
import { assertCall, assertFunction, assertHas, inputError, invalidInput } from '../../base/input.js';
import type { HeavenClient } from '../../program/client.js';
import { AccountBatches } from '../../solana/rpc/account-batches.js';
import { fetchAccounts, type RawAccount } from '../../solana/rpc/accounts.js';
import { Connection } from '../../solana/rpc/connection.js';
import { Watch } from '../../solana/rpc/watch.js';
import type { PoolLocator } from '../addresses.js';
import type { FetchedPoolSnapshot } from '../check.js';
import { LivePool, type PoolWatchEvent } from './live-pool.js';

/** How long a read waits for those of other pools to join it. */
const GATHER_MS = 5;

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

interface WatchedPool {
  readonly locator: PoolLocator;
  readonly live: LivePool;
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
  options: WatchPoolsOptions = {},
): PoolsWatch {
  assertCall(client, options, { abortSignal: 1, observe: assertFunction }, 'options');
  return new ManyPoolsWatch(client, locators, options);
}

class ManyPoolsWatch extends Watch<PoolUpdate> implements PoolsWatch {
  readonly #client: HeavenClient;
  readonly #locators: readonly PoolLocator[];
  readonly #observe: WatchPoolsOptions['observe'];
  readonly #pools = new Map<string, WatchedPool>();
  /** Those with news that the caller has not seen. */
  readonly #changed = new Set<WatchedPool>();
  readonly #batches: AccountBatches<readonly (RawAccount | undefined)[]>;
  /** What any pool has asked for: no call may answer with less. */
  #leastSlot = 0n;
  #hasBegun = false;

  constructor(
    client: HeavenClient,
    locators: readonly PoolLocator[],
    { abortSignal, observe }: WatchPoolsOptions,
  ) {
    super(abortSignal);
    this.#client = client;
    this.#locators = locators;
    this.#observe = observe;
    this.#batches = new AccountBatches({
      gatherMs: GATHER_MS,
      call: (addresses) =>
        fetchAccounts(client, addresses, { abortSignal: this.over, minContextSlot: this.#leastSlot }),
    });
    Object.freeze(this);
  }

  get size(): number {
    return this.#pools.size;
  }

  add(locator: PoolLocator): void {
    const key = keyOf(locator);
    if (this.over.aborted)
      throw inputError('locator', 'This watch has ended. Begin another with watchPools.');
    if (this.#pools.has(key)) return;
    const live = new LivePool(this.#client, locator, {
      read: async (addresses, minContextSlot = 0n) => {
        if (minContextSlot > this.#leastSlot) this.#leastSlot = minContextSlot;
        const { response, indexes } = await this.#batches.read(addresses);
        return indexes.map((index) => response[index]);
      },
      observe: (event) => this.#observe?.(event, locator),
      onNews: () => this.#offer(watched),
      onEnd: (error) => {
        if (!isHeavenError(error)) return this.end({ error });
        watched.error = error;
        this.#pools.delete(key);
        this.#offer(watched);
      },
    });
    const watched: WatchedPool = { locator, live };
    this.#pools.set(key, watched);
    if (this.#hasBegun) live.start();
  }

  remove(locator: PoolLocator): boolean {
    const key = keyOf(locator);
    const watched = this.#pools.get(key);
    if (watched === undefined) return false;
    watched.live.stop();
    this.#changed.delete(watched);
    return this.#pools.delete(key);
  }

  latest(locator: PoolLocator): FetchedPoolSnapshot | undefined {
    return this.#pools.get(keyOf(locator))?.live.latest;
  }

  isLive(locator: PoolLocator): boolean {
    return this.#pools.get(keyOf(locator))?.live.isLive === true;
  }

  protected async *items(): AsyncGenerator<PoolUpdate, void> {
    // Without subscriptions, the watch fails, not each pool.
    Connection.of(this.#client);
    if (!Array.isArray(this.#locators))
      throw invalidInput('locators', this.#locators, 'an array of pool locators');
    for (const locator of this.#locators) this.add(locator);
    this.#hasBegun = true;
    this.over.addEventListener('abort', () => {
      this.#batches.stop();
      for (const { live } of this.#pools.values()) live.stop();
    });
    for (const { live } of [...this.#pools.values()]) live.start();
    for (;;) {
      await this.idle();
      for (const watched of this.#changed) {
        if (this.over.aborted) return;
        this.#changed.delete(watched);
        const { locator, live, error } = watched;
        const snapshot = live.take();
        if (error !== undefined) yield { locator, error };
        else if (snapshot !== undefined) yield { locator, snapshot };
      }
      if (this.over.aborted) return;
    }
  }

  #offer(watched: WatchedPool): void {
    this.#changed.add(watched);
    this.wake();
  }
}

function keyOf(locator: PoolLocator): string {
  assertHas(locator, 'mint', 'locator', 'a pool locator, such as { configVersion: 2, mint }');
  const { configVersion, mint, pool } = locator;
  return [configVersion, mint, pool ?? ''].map(String).join(' ');
}
