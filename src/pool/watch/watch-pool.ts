import { assertCall, assertFunction } from '../../base/input.js';
import type { HeavenClient } from '../../program/client.js';
import { fetchAccounts } from '../../solana/rpc/accounts.js';
import { Watch } from '../../solana/rpc/watch.js';
import type { PoolLocator } from '../addresses.js';
import type { FetchedPoolSnapshot } from '../check.js';
import { LivePool, type PoolWatchEvent } from './live-pool.js';

/** How to stop and observe {@link watchPool}. */
export interface WatchPoolOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Called when the connection or `isLive` changes, for logs and metrics. */
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
 * It yields what the first read returned, then a snapshot when the pool, its config, its mint or the SOL price changes, an epoch
 * begins, or `isLive` turns true. While the connection is lost or the accounts are read again, it yields nothing: act on what it yields
 * without checking `isLive`. Other slots only update `latest`. A slow reader gets the newest snapshot, and never one older than the last.
 *
 * It reconnects with growing pauses. Watches that use the same `rpcSubscriptions` share subscriptions.
 * @throws {HeavenError} from the iterator: `invalid-input` (also for a client without `rpcSubscriptions`), `invalid-address`,
 * those of {@link fetchPoolSnapshot} when the first read fails, and `pool-not-found`, `pool-mismatch`,
 * `unsupported-mint` or `invalid-account-data` when the pool is gone or has become one that this library doesn't support
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
  options: WatchPoolOptions = {},
): PoolWatch {
  assertCall(client, options, { abortSignal: 1, observe: assertFunction }, 'options');
  return new SinglePoolWatch(client, locator, options);
}

class SinglePoolWatch extends Watch<FetchedPoolSnapshot> implements PoolWatch {
  readonly #pool: LivePool;

  constructor(client: HeavenClient, locator: PoolLocator, { abortSignal, observe }: WatchPoolOptions) {
    super(abortSignal);
    this.#pool = new LivePool(client, locator, {
      read: (addresses, minContextSlot = 0n) =>
        fetchAccounts(client, addresses, { abortSignal: this.over, minContextSlot }),
      observe,
      onNews: () => this.wake(),
      onEnd: (error) => this.end({ error }),
    });
    Object.freeze(this);
  }

  get latest(): FetchedPoolSnapshot | undefined {
    return this.#pool.latest;
  }

  get isLive(): boolean {
    return this.#pool.isLive;
  }

  protected async *items(): AsyncGenerator<FetchedPoolSnapshot, void> {
    this.over.addEventListener('abort', () => this.#pool.stop());
    this.#pool.start();
    while (!this.over.aborted) {
      const snapshot = this.#pool.take();
      if (snapshot === undefined) await this.idle();
      else yield snapshot;
    }
  }
}
