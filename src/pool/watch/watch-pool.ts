import type { HeavenClient, HeavenRpcSubscriptions } from '../../client.js';
import { assertAbortSignal, inputError } from '../../input.js';
import { fetchAccounts } from '../../solana/rpc/accounts.js';
import { notify } from '../../solana/rpc/notify.js';
import { type PoolLocator, snapshotAddresses, sourceOf } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { backOffMs, listenToAccounts } from './account-subscriptions.js';
import { type Failure, newestOnly } from './newest-only.js';
import { createWatchSteps, type PoolWatchEvent, type WatchStep, type WatchSteps } from './steps.js';

/** How {@link watchPool} is ended and observed. */
export interface WatchPoolOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Told of the state of the connection, for logs and metrics. */
  readonly observe?: ((event: PoolWatchEvent) => void) | undefined;
}

/** The snapshots of a pool as it changes. It can be iterated over once. */
export interface PoolWatch extends AsyncIterable<FetchedPoolSnapshot> {
  /** The newest snapshot, or `undefined` before the first. It goes with each slot, also while the iterator is quiet. */
  readonly latest: FetchedPoolSnapshot | undefined;
  /** Whether `latest` is kept up to date: false before the first read, while changes may go unseen, and after the end. */
  readonly isLive: boolean;
  /** The next snapshot that the caller has not seen. The first call begins the watch. */
  next(): Promise<IteratorResult<FetchedPoolSnapshot, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<FetchedPoolSnapshot, undefined>>;
  [Symbol.asyncIterator](): PoolWatch;
}

/**
 * Watches a pool: an async iterable of its snapshots, from one read and the node's account notifications. It begins with the
 * first `next()`, and ends when the loop is left, `return()` is called or the signal fires.
 *
 * A snapshot comes when the pool, its config, its mint or the SOL price changes, or an epoch begins; other slots only update
 * `latest`. A slow reader gets the newest snapshot, never an older one than before.
 *
 * A lost connection reconnects with growing pauses. Watches over one `rpcSubscriptions` share its subscriptions.
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
  let tracker: WatchSteps | undefined;
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const hasEnded = () => stop.signal.aborted;
  const clearTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };

  const end = (failure?: Failure) => {
    if (hasEnded()) return;
    stop.abort(OVER);
    unsubscribe?.();
    clearTimer();
    snapshots.end(failure);
  };

  const start = async () => {
    assertAbortSignal(abortSignal, 'abortSignal');
    if (abortSignal?.aborted) return end();
    abortSignal?.addEventListener('abort', () => end(), { once: true, signal: stop.signal });
    const { deployment, commitment } = client;
    const rpcSubscriptions = subscriptionsOf(client);
    const source = sourceOf(locator);
    const addresses = await snapshotAddresses(deployment, source);
    if (hasEnded()) return;
    const tracked = createWatchSteps(deployment, addresses, source);
    tracker = tracked;

    const perform = (steps: readonly WatchStep[]) => {
      for (const step of steps) {
        // An observer may end the watch.
        if (hasEnded()) return;
        if (step.do === 'notify') notify(observe, step.event);
        else if (step.do === 'offer') snapshots.offer();
        else if (step.do === 'end') end(step);
        else readSoon(step.failures);
      }
    };
    /** A read that waits already is not put off. */
    const readSoon = (failures: number | undefined) => {
      if (timer !== undefined && failures !== undefined) return;
      clearTimer();
      if (failures === undefined) beginRead();
      else timer = setTimeout(beginRead, backOffMs(failures));
    };
    const beginRead = () => void read().catch((error) => end({ error }));
    const read = async () => {
      clearTimer();
      if (!tracked.beginRead()) return;
      const steps = await fetchAccounts(client, addresses, { abortSignal: stop.signal }).then(
        (accounts) => () => tracked.read(accounts),
        (error: unknown) => () => tracked.readFailed(error),
      );
      if (!hasEnded()) perform(steps());
    };
    const unlessEnded =
      <TArguments extends readonly unknown[]>(steps: (...given: TArguments) => readonly WatchStep[]) =>
      (...given: TArguments) => {
        if (!hasEnded()) perform(steps(...given));
      };

    unsubscribe = listenToAccounts(rpcSubscriptions, commitment, [...new Set(addresses)], {
      up: unlessEnded(tracked.up),
      down: unlessEnded(tracked.down),
      update: unlessEnded(tracked.update),
    });
    if (hasEnded()) return unsubscribe();
    if (!tracked.hasRead()) timer = setTimeout(() => perform(tracked.firstRead()), FIRST_READ_AFTER_MS);
  };

  const snapshots = newestOnly(
    () => void start().catch((error) => end({ error })),
    () => tracker?.latest() as FetchedPoolSnapshot,
    end,
  );
  return {
    get latest() {
      return tracker?.latest();
    },
    get isLive() {
      return tracker?.isUpToDate() === true && !hasEnded();
    },
    next: snapshots.next,
    return: snapshots.return,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function subscriptionsOf({ rpcSubscriptions }: HeavenClient): HeavenRpcSubscriptions {
  if (rpcSubscriptions !== undefined) return rpcSubscriptions;
  throw inputError(
    'rpcSubscriptions',
    "Watching needs subscriptions. Make them with kit: createClient({ …, rpcSubscriptions: createSolanaRpcSubscriptions('wss://…') }).",
  );
}

/** How long the first read waits for the subscriptions: when it comes after them, one read is enough. */
const FIRST_READ_AFTER_MS = 1_000;
/** Why the signal of a watch fires. A reason of one's own is much cheaper than the default. */
const OVER = 'over';
