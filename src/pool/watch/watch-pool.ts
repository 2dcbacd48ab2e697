import type { Address } from '@solana/kit';

import { assertSignal, type Deployment, type HeavenClient, notify } from '../../client.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../../errors.js';
import { CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS } from '../../program/constants.js';
import { invalidAccount, openAccount } from '../../solana/account-data.js';
import { decodeClock, decodeMint, decodePoolSnapshot, decodeSolPrice, type PoolAccounts } from '../decode.js';
import {
  assertOwned,
  type FetchedPoolSnapshot,
  fetchAccounts,
  type PoolLocator,
  type RawAccount,
  type SnapshotAddresses,
  snapshotAddresses,
  snapshotFrom,
} from '../fetch.js';
import { CONFIG, POOL } from '../layout.js';
import { backOffMs, listenToAccounts } from './account-subscriptions.js';

/** How {@link watchPool} is ended and observed. */
export interface WatchPoolOptions {
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
  /** Told of the state of the connection, for logs and metrics. */
  readonly observe?: ((event: WatchEvent) => void) | undefined;
}

/** What happens to the connection of a {@link watchPool}, told apart by `type`. */
export type WatchEvent =
  /** All subscriptions are there. */
  | { readonly type: 'connected' }
  /** A subscription is lost, or could not be had. It is tried again by itself; until `connected`, changes go unseen. */
  | { readonly type: 'disconnected'; readonly error: AnyHeavenError }
  /** A notification was not what it should be. It is left out, and the accounts are read anew. */
  | { readonly type: 'bad-notification'; readonly address: Address; readonly error: AnyHeavenError }
  /** The accounts were read anew, and why. */
  | { readonly type: 'reread'; readonly reason: RereadReason; readonly slot: bigint }
  /** Reading them anew failed. It is tried again by itself. */
  | { readonly type: 'reread-failed'; readonly reason: RereadReason; readonly error: AnyHeavenError };

/** The subscriptions began after the last read, a notification was bad, or the last read was of too old a slot. */
export type RereadReason = 'connected' | 'bad-notification' | 'behind';

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
 * Watches a pool: an async iterable of its snapshots, the first of them read in one call, the others made of the node's
 * account notifications (pool, config, mint, price feed, clock). It begins with the first `next()`, and ends when the loop is
 * left, `return()` is called or the signal fires.
 *
 * A snapshot comes when the pool, its config, its mint or the SOL price changes, or an epoch begins; a slot that changes
 * nothing else only moves `latest` on. Who is slow gets the newest, not all. No snapshot is of an older slot than one before.
 *
 * A lost connection is begun anew with growing pauses, and the accounts are read again. Over one `rpcSubscriptions` there is
 * one subscription per account, whatever the number of watches.
 *
 * @param options `signal` ends the watch: the loop then ends without an error. `observe` is told of the state of the connection.
 * @throws {HeavenError} from the iterator: `invalid-input` (also for a client without `rpcSubscriptions`), `invalid-address`,
 * those of {@link fetchPoolSnapshot} when the first read fails, and `pool-not-found` or `account-owner-mismatch` when the pool
 * is gone
 * @example
 * ```ts
 * const watch = watchPool(client, { configVersion: 2, mint }, { signal });
 * for await (const snapshot of watch) {
 *   console.log(computeBuy(swapStateOf(snapshot), 1_000_000_000n).amountOut);
 * }
 * ```
 */
export function watchPool(
  client: HeavenClient,
  locator: PoolLocator,
  { signal, observe }: WatchPoolOptions = {},
): PoolWatch {
  const stop = new AbortController();
  let tracker: PoolTracker | undefined;
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUpToDate = () => false;

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
    assertSignal(signal, 'signal');
    if (signal?.aborted) return end();
    signal?.addEventListener('abort', () => end(), { once: true, signal: stop.signal });
    const { rpcSubscriptions, deployment, commitment } = client;
    if (rpcSubscriptions === undefined) {
      throw new HeavenError(
        'invalid-input',
        "Watching needs subscriptions. Make them with kit: createClient({ …, rpcSubscriptions: createSolanaRpcSubscriptions('wss://…') }).",
        { field: 'rpcSubscriptions' },
      );
    }
    const { configVersion, mint, pool } = locator;
    const source = { configVersions: [configVersion], mint, pool: pool ?? undefined };
    const addresses = await snapshotAddresses(deployment, source);
    if (hasEnded()) return;
    const tracked = trackPool(deployment, addresses);
    tracker = tracked;

    let hasRead = false;
    let isReading = false;
    let wanted: WantedRead | undefined;
    let readFailures = 0;
    let readSlot = 0n;
    /** The newest slot of any notification, good or bad. */
    let heardSlot = 0n;
    const badInARow = new Map<Address, number>();

    const subscribed = new Set(addresses);
    const up = new Set<Address>();
    let connection: 'pending' | 'up' | 'down' = 'pending';
    /** The clock's first slot since the connection is up. */
    let firstTick: bigint | undefined;
    /** Whether the last read is of so late a slot that the notifications go on from it without a gap. */
    let isJoined = false;

    isUpToDate = () => isJoined && !isReading && wanted === undefined && !hasEnded();

    /** Reads, after a delay if there is one. A read that waits already is not put off. */
    const wantRead = (reason: RereadReason | undefined, leastSlot: bigint, delayMs = 0) => {
      wanted = {
        reason: wanted?.reason ?? reason,
        leastSlot: wanted !== undefined && wanted.leastSlot > leastSlot ? wanted.leastSlot : leastSlot,
      };
      if (isReading || (timer !== undefined && delayMs > 0)) return;
      clearTimer();
      if (delayMs > 0) timer = setTimeout(read, delayMs);
      else read();
    };

    const read = () => void readWanted().catch((error) => end({ error }));

    const readWanted = async () => {
      clearTimer();
      if (wanted === undefined) return;
      const { reason, leastSlot } = wanted;
      wanted = undefined;
      hasRead = true;
      isReading = true;
      const begun = tracked.beginRead();
      const outcome = await readPool(client, addresses, source, leastSlot, stop.signal).catch((error) => ({
        error: error as unknown,
      }));
      isReading = false;
      if (hasEnded()) return;
      if ('error' in outcome) {
        const { error } = outcome;
        if (reason === undefined || !isHeavenError(error) || isGone(error, addresses[0]))
          return end({ error });
        notify(observe, { type: 'reread-failed', reason, error });
        if (!hasEnded()) wantRead(reason, leastSlot, backOffMs(readFailures++));
        return;
      }
      const isWantedAgain = wanted !== undefined;
      readFailures = 0;
      readSlot = outcome.snapshot.slot;
      for (const { account, slot, error } of tracked.take(outcome, begun))
        refuse(account.address, error, slot);
      if (reason !== undefined) notify(observe, { type: 'reread', reason, slot: readSlot });
      if (hasEnded()) return;
      snapshots.offer();
      if (isWantedAgain && !isReading) read();
      else join();
    };

    /** The read node may be behind the one that notifies: what happened between the two is then read. */
    const join = () => {
      if (isJoined || firstTick === undefined || isReading || wanted !== undefined) return;
      if (readSlot + 1n >= firstTick) isJoined = true;
      else wantRead('behind', firstTick - 1n);
    };

    const refuse = (address: Address, error: AnyHeavenError, slot: bigint) => {
      notify(observe, { type: 'bad-notification', address, error });
      if (hasEnded()) return;
      const before = badInARow.get(address) ?? 0;
      badInARow.set(address, before + 1);
      if (hasRead) wantRead('bad-notification', slot, before === 0 ? 0 : backOffMs(before - 1));
    };

    const disconnect = () => {
      isJoined = false;
      firstTick = undefined;
    };

    unsubscribe = listenToAccounts(rpcSubscriptions, commitment, [...subscribed], {
      up: (address) => {
        if (hasEnded()) return;
        up.add(address);
        if (up.size < subscribed.size) return;
        connection = 'up';
        disconnect();
        notify(observe, { type: 'connected' });
        if (hasEnded()) return;
        if (hasRead) wantRead('connected', heardSlot);
        else wantRead(undefined, 0n);
      },
      down: (address, error) => {
        if (hasEnded()) return;
        up.delete(address);
        disconnect();
        if (connection === 'down') return;
        connection = 'down';
        notify(observe, { type: 'disconnected', error });
        if (!hasEnded() && !hasRead) wantRead(undefined, 0n);
      },
      update: (address, account, slot) => {
        if (hasEnded()) return;
        if (slot > heardSlot) heardSlot = slot;
        try {
          if (account === undefined) throw invalidAccount('notification', 'it has no base64 data', address);
          const isNews = tracked.update(account, slot);
          if (isNews !== undefined) badInARow.delete(address);
          if (isNews) snapshots.offer();
        } catch (error) {
          if (!isHeavenError(error)) return end({ error });
          return refuse(address, error, slot);
        }
        if (address === CLOCK_SYSVAR_ADDRESS && connection === 'up') {
          firstTick ??= slot;
          join();
        }
      },
    });
    if (hasEnded()) return unsubscribe();
    if (!hasRead) timer = setTimeout(() => wantRead(undefined, 0n), FIRST_READ_AFTER_MS);
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
      return isUpToDate();
    },
    next: snapshots.next,
    return: snapshots.return,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** How long the first read waits for the subscriptions: when it comes after them, one read is enough. */
const FIRST_READ_AFTER_MS = 1_000;
/** Why the signal of a watch fires. A reason of one's own is much cheaper than the default. */
const OVER = 'over';

interface Failure {
  readonly error: unknown;
}

/** Something to read. Without a reason it is the first. */
interface WantedRead {
  readonly reason: RereadReason | undefined;
  /** The slot that it has to be of, at least. */
  readonly leastSlot: bigint;
}

/** What was read of a pool. */
interface PoolRead {
  readonly snapshot: FetchedPoolSnapshot;
  readonly accounts: PoolAccounts;
}

async function readPool(
  client: HeavenClient,
  addresses: SnapshotAddresses,
  {
    configVersions,
    pool,
  }: { readonly configVersions: readonly number[]; readonly pool: Address | undefined },
  leastSlot: bigint,
  abortSignal: AbortSignal,
): Promise<PoolRead> {
  const read = await fetchAccounts(client, addresses, { abortSignal });
  const [, mint, priceFeed, clock] = read as readonly RawAccount[];
  // Before all else: that a node which is behind has no such pool says nothing.
  if (leastSlot > 0n && (clock === undefined || decodeClock(clock.data).slot < leastSlot)) {
    throw new HeavenError(
      'rpc-behind',
      `The RPC node is behind: the pool was to be read of slot ${leastSlot} or later. Use another node if it stays so.`,
      { method: 'getMultipleAccounts', minContextSlot: leastSlot },
    );
  }
  const snapshot = snapshotFrom(
    read,
    addresses,
    { isStandard: pool === undefined, configVersions },
    client.deployment,
  );
  const { data } = snapshot;
  return {
    snapshot,
    accounts: {
      ...data,
      mint: (mint as RawAccount).data,
      priceFeed: (priceFeed as RawAccount).data,
      clock: (clock as RawAccount).data,
    },
  };
}

/** Whether an error says that the pool itself is no more. */
const isGone = (error: AnyHeavenError, pool: Address): boolean =>
  error.code === 'pool-not-found' ||
  (error.code === 'account-owner-mismatch' && error.context.address === pool);

interface Notified {
  readonly account: RawAccount;
  readonly slot: bigint;
  /** How many notifications came before it. */
  readonly count: number;
}

/** The newest state of a pool: the last read, and what was notified since. */
interface PoolTracker {
  readonly latest: () => FetchedPoolSnapshot | undefined;
  /** What {@link PoolTracker.take} needs to know of the time at which a read begins. */
  readonly beginRead: () => number;
  /**
   * Takes over what was read, but for accounts that were notified of a later slot, or of the same one while it was read. Gives
   * the notifications that are no good.
   */
  readonly take: (
    read: PoolRead,
    begun: number,
  ) => readonly (Notified & { readonly error: AnyHeavenError })[];
  /**
   * Takes over a notification, and says whether it is news: more than that time went by. `undefined` if it is left out, as
   * something newer is known.
   *
   * @throws {HeavenError} for a notification that is no good; nothing has changed then
   */
  readonly update: (account: RawAccount, slot: bigint) => boolean | undefined;
}

function trackPool(
  { programAddress, chainlinkProgram }: Deployment,
  [poolAddress, mintAddress, feedAddress, , configAddress]: SnapshotAddresses,
): PoolTracker {
  let current: PoolRead | undefined;
  let readSlot = 0n;
  let newestSlot = 0n;
  let count = 0;
  /** The last good notification of each account, while no read is newer. */
  const notified = new Map<Address, Notified>();

  /** The state with another account in it, and whether that is news. Only what the account changes is decoded. */
  const withAccount = (
    { snapshot, accounts }: PoolRead,
    account: RawAccount,
    slot: bigint,
  ): PoolRead & { readonly isNews: boolean } => {
    const { address, data } = account;
    const decoded = (changed: Partial<PoolAccounts>) => {
      const next = { ...accounts, ...changed };
      const { addresses } = snapshot;
      return {
        snapshot: { ...decodePoolSnapshot(next, addresses), slot, addresses },
        accounts: next,
        isNews: true,
      };
    };
    switch (address) {
      case poolAddress:
        assertOwned(account, POOL.name, address, [programAddress]);
        assertSamePool(data, accounts.pool, address);
        return decoded({ pool: data });
      case configAddress:
        assertOwned(account, CONFIG.name, address, [programAddress]);
        return decoded({ protocolConfig: data });
      case mintAddress:
        assertOwned(account, 'Mint', address, [snapshot.addresses.tokenProgram]);
        return decoded({ mint: data });
      case feedAddress: {
        assertOwned(account, 'Chainlink feed', address, [chainlinkProgram]);
        const solPrice = decodeSolPrice(data, snapshot.unixTimestamp, address);
        const { answer, decimals } = snapshot.solPrice;
        return {
          snapshot: { ...snapshot, slot, solPrice },
          accounts: { ...accounts, priceFeed: data },
          isNews: solPrice.answer !== answer || solPrice.decimals !== decimals,
        };
      }
      default: {
        assertOwned(account, 'Clock', address, [SYSVAR_PROGRAM_ADDRESS]);
        const { epoch, unixTimestamp } = decodeClock(data);
        const hasEpochBegun = epoch !== snapshot.epoch;
        const hasOpened = snapshot.unixTimestamp < snapshot.opensAt && unixTimestamp >= snapshot.opensAt;
        const token = hasEpochBegun ? decodeMint(accounts.mint, epoch) : snapshot.token;
        return {
          snapshot: { ...snapshot, slot, epoch, unixTimestamp, token },
          accounts: { ...accounts, clock: data },
          isNews: hasEpochBegun || hasOpened,
        };
      }
    }
  };

  const apply = (before: PoolRead, notification: Notified): boolean => {
    const { account, slot } = notification;
    const newest = slot > newestSlot ? slot : newestSlot;
    const { isNews, ...next } = withAccount(before, account, newest);
    current = next;
    newestSlot = newest;
    notified.set(account.address, notification);
    return isNews;
  };

  return {
    latest: () => current?.snapshot,
    beginRead: () => count,
    take: (read, begun) => {
      readSlot = read.snapshot.slot;
      if (readSlot > newestSlot) newestSlot = readSlot;
      current = { ...read, snapshot: { ...read.snapshot, slot: newestSlot } };
      const refused: (Notified & { readonly error: AnyHeavenError })[] = [];
      for (const notification of [...notified.values()]) {
        const isKnown = notification.count < begun;
        if (notification.slot < readSlot || (notification.slot === readSlot && isKnown)) continue;
        try {
          apply(current, notification);
        } catch (error) {
          if (!isHeavenError(error)) throw error;
          notified.delete(notification.account.address);
          refused.push({ ...notification, error });
        }
      }
      return refused;
    },
    update: (account, slot) => {
      const known = notified.get(account.address)?.slot ?? 0n;
      if (slot < known || slot < readSlot) return undefined;
      const notification = { account, slot, count: count++ };
      if (current !== undefined) return apply(current, notification);
      notified.set(account.address, notification);
      return false;
    },
  };
}

/** What no pool ever changes: its kind and config version, its vaults and config, its mints. */
const fixedRanges = () =>
  [
    [POOL.protocolConfigVersion, POOL.type + 1],
    [POOL.tokenAVault, POOL.protocolConfig + 32],
    [POOL.tokenAMint, POOL.tokenAMint + 32],
    [POOL.tokenBMint, POOL.tokenBMint + 32],
  ] as const;

/** Refuses the data of another pool than the one that was read and checked. */
function assertSamePool(data: Uint8Array, known: Uint8Array, address: Address): void {
  openAccount(POOL, data, address);
  for (const [from, to] of fixedRanges()) {
    for (let offset = from; offset < to; offset++) {
      if (data[offset] !== known[offset]) {
        throw invalidAccount(POOL.name, `it is another pool's: byte ${offset} never changes`, address);
      }
    }
  }
}

/** An async iterator that has the newest value, and nothing older, for the one who asks next. */
function newestOnly<T>(start: () => void, newest: () => T, stop: () => void) {
  let hasStarted = false;
  let hasEnded = false;
  let hasNews = false;
  let failure: Failure | undefined;
  const waiting: {
    readonly resolve: (result: IteratorResult<T, undefined>) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  const done = { done: true, value: undefined } as const;

  return {
    offer: () => {
      const first = waiting.shift();
      if (first === undefined) hasNews = true;
      else first.resolve({ done: false, value: newest() });
    },
    end: (reason: Failure | undefined) => {
      hasEnded = true;
      failure = reason;
      for (const { resolve, reject } of waiting.splice(0)) {
        if (failure === undefined) resolve(done);
        else reject(failure.error);
        failure = undefined;
      }
    },
    next: (): Promise<IteratorResult<T, undefined>> => {
      if (!hasStarted && !hasEnded) {
        hasStarted = true;
        start();
      }
      if (failure !== undefined) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (hasEnded) return Promise.resolve(done);
      if (hasNews) {
        hasNews = false;
        return Promise.resolve({ done: false, value: newest() });
      }
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: (): Promise<IteratorResult<T, undefined>> => {
      stop();
      failure = undefined;
      return Promise.resolve(done);
    },
  };
}
