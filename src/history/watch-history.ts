import type { Address } from '@solana/kit';

import { assertAbortSignal } from '../base/input.js';
import { subscriptionsOf } from '../pool/watch/follow-pool.js';
import { AddressFollower, type FollowedAddress, type HistoryWatchEvent } from './follow-address.js';
import type { ParsedTransaction } from './parse-transaction.js';
import {
  type Cursor,
  cursorOf,
  type HistoryClient,
  listSignatures,
  patiently,
  readTransaction,
  unknownCursor,
} from './signatures.js';
import type { QueuedTransaction } from './transaction-queue.js';

/** How to stop and observe {@link watchTrades} and {@link watchNewPools}. */
export interface HistoryWatchOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Called when the state of the connection changes, for logs and metrics. */
  readonly observe?: ((event: HistoryWatchEvent) => void) | undefined;
}

/** Items as they happen, oldest first. You can iterate over it once. */
export interface HistoryWatch<TItem> extends AsyncIterable<TItem> {
  /** Whether items arrive as they happen: false before the first connection, while it is lost, and after the end. */
  readonly isLive: boolean;
  /** Returns the next item. The first call starts the watch. */
  next(): Promise<IteratorResult<TItem, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<TItem, undefined>>;
  [Symbol.asyncIterator](): HistoryWatch<TItem>;
}

/** What to watch. */
export interface Watched<TItem> extends Pick<FollowedAddress, 'address' | 'isWanted'> {
  readonly itemsIn: (transaction: ParsedTransaction) => readonly TItem[];
}

/** Watches an address's transactions, and yields what happened in them. */
export class Watcher<TItem> implements HistoryWatch<TItem> {
  readonly #client: HistoryClient;
  readonly #options: HistoryWatchOptions;
  readonly #stop = new AbortController();
  readonly #items: AsyncGenerator<TItem, undefined>;
  #follower: AddressFollower | undefined;

  /**
   * @param resolve Checks the input. Called with the first `next()`.
   * @param from The transaction after which the watch starts, as the caller gave it.
   */
  constructor(
    client: HistoryClient,
    resolve: () => Promise<Watched<TItem>>,
    from: unknown,
    options: HistoryWatchOptions,
  ) {
    this.#client = client;
    this.#options = options;
    this.#items = this.#run(resolve, from);
  }

  get isLive(): boolean {
    return this.#follower?.isLive === true && !this.#stop.signal.aborted;
  }

  next(): Promise<IteratorResult<TItem, undefined>> {
    return this.#items.next();
  }

  async return(): Promise<IteratorResult<TItem, undefined>> {
    this.#stop.abort();
    await this.#items.return(undefined);
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#run(resolve: () => Promise<Watched<TItem>>, from: unknown): AsyncGenerator<TItem, undefined> {
    const { abortSignal, observe } = this.#options;
    const stop = this.#stop.signal;
    assertAbortSignal(abortSignal, 'abortSignal');
    if (abortSignal?.aborted) return;
    abortSignal?.addEventListener('abort', () => this.#stop.abort(), { once: true, signal: stop });
    try {
      subscriptionsOf(this.#client);
      const cursor = cursorOf(from, 'from');
      const { address, isWanted, itemsIn } = await resolve();
      const start = await this.#startOf(address, cursor);
      this.#follower = new AddressFollower(this.#client, { address, isWanted, observe }, start, stop);
      for await (const transaction of this.#follower.transactions()) yield* itemsIn(transaction);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      this.#stop.abort();
    }
  }

  /** Returns the transaction after which the watch begins, or `undefined` if the address has none yet. */
  async #startOf(address: Address, from: Cursor | undefined): Promise<QueuedTransaction | undefined> {
    const options = { abortSignal: this.#stop.signal };
    if (from === undefined) {
      const [newest] = await listSignatures(this.#client, { address, limit: 1 }, options);
      return newest;
    }
    // A node whose history begins later would list only what it has, as if that were everything.
    return await patiently(async () => {
      const found = await readTransaction(this.#client, from.signature, options);
      if (found === undefined) throw unknownCursor(from);
      return { signature: from.signature, slot: found.slot };
    }, options);
  }
}
