import type { Address } from '@solana/kit';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../../base/errors.js';
import { inputError } from '../../base/input.js';
import type { HeavenClient, HeavenRpcSubscriptions } from '../../client.js';
import { invalidAccount } from '../../solana/account-data.js';
import { MAX_SLOTS_AHEAD } from '../../solana/limits.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../solana/programs.js';
import { accountAt, type RawAccount } from '../../solana/rpc/accounts.js';
import { notify } from '../../solana/rpc/notify.js';
import { backOffMs } from '../../solana/timing.js';
import { decodeClock } from '../decode.js';
import type { PoolLocator } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { type AccountUpdate, trackedAccounts } from '../tracker/accounts.js';
import { createPoolTracker, type PoolTracker } from '../tracker/tracker.js';
import { AccountHub, type AccountListener } from './account-hub.js';
import type { Failure } from './loop.js';

/** What happens to the connection of a {@link watchPool}. `type` says which event it is. */
export type PoolWatchEvent =
  /** All subscriptions are active. */
  | { readonly type: 'connected' }
  /** A subscription was lost or could not be opened. The watch retries by itself; until `connected`, changes may be missed. */
  | { readonly type: 'disconnected'; readonly error: AnyHeavenError }
  /** A notification was malformed or far ahead. It is skipped, and the watch reads the accounts again. */
  | { readonly type: 'bad-notification'; readonly address: Address; readonly error: AnyHeavenError }
  /** The watch read the accounts again. `reason` says why. */
  | { readonly type: 'reread'; readonly reason: PoolRereadReason; readonly slot: bigint }
  /** Reading them again failed. The watch retries by itself. */
  | { readonly type: 'reread-failed'; readonly reason: PoolRereadReason; readonly error: AnyHeavenError };

/**
 * Why the accounts were read again: the subscriptions began after the last read, a notification was malformed, the last read was older
 * than the subscriptions, or a notification was more than 300 slots ahead of everything known.
 */
export type PoolRereadReason = 'connected' | 'bad-notification' | 'behind' | 'ahead';

/** What a {@link PoolFollower} calls. */
export interface FollowOptions {
  readonly read: (addresses: readonly Address[]) => Promise<readonly (RawAccount | undefined)[]>;
  readonly observe: ((event: PoolWatchEvent) => void) | undefined;
  /** There is a snapshot that the caller should see. */
  readonly offer: () => void;
  /** The pool can't be followed, or no longer. Nothing is called after this. */
  readonly end: (failure: Failure) => void;
}

/** A read that is wanted. The first read has no reason. */
interface WantedRead {
  readonly reason: PoolRereadReason | undefined;
  /** The read must be at least this new. */
  readonly leastSlot: bigint;
}

/** How long the first read waits for the subscriptions. If they are active by then, one read is enough. */
const FIRST_READ_AFTER_MS = 1_000;
/** How many reads in a row bad notifications cause at once. Later ones wait: otherwise a faulty node keeps the watch reading. */
const REREADS_AT_ONCE = 3;

/** Follows a pool until it is stopped: subscribes to its accounts, and reads them at the start and whenever something may be missing. */
export class PoolFollower implements AccountListener {
  readonly #client: HeavenClient;
  readonly #options: FollowOptions;
  /** Set once the addresses are known, before the first event. */
  #tracker!: PoolTracker;
  /** The pool's first. */
  #addresses!: readonly Address[];
  #unsubscribe: (() => void) | undefined;
  readonly #subscribed = new Set<Address>();
  #connection: 'pending' | 'up' | 'down' = 'pending';
  /** The newest clock of the present connection. */
  #tick: bigint | undefined;
  /** The slot of a notification far ahead of everything known, until the clock continues from what is known. */
  #ahead: bigint | undefined;
  #reading: WantedRead | undefined;
  #wanted: WantedRead | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** The accounts whose last notification was bad, and the reads since all were good. */
  readonly #refused = new Set<Address>();
  #rereads = 0;
  /** The updates that arrived during the read in progress. They count, even if they come from the same slot. */
  readonly #meanwhile = new Map<Address, AccountUpdate>();
  #hasBegunReading = false;
  #hasRead = false;
  #hasEnded = false;
  #isNews = false;

  constructor(client: HeavenClient, locator: PoolLocator, options: FollowOptions) {
    this.#client = client;
    this.#options = options;
    this.#start(locator).catch((error) => this.#end(error));
  }

  get latest(): FetchedPoolSnapshot | undefined {
    return this.#hasRead ? this.#tracker.snapshot : undefined;
  }

  /** Whether no change is being missed. */
  get isLive(): boolean {
    return this.#isIdle && !this.#hasEnded && this.#connection === 'up' && this.#tracker.isLive;
  }

  stop(): void {
    this.#hasEnded = true;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
  }

  async #start(locator: PoolLocator): Promise<void> {
    const { deployment, commitment } = this.#client;
    const rpcSubscriptions = subscriptionsOf(this.#client);
    const tracked = await trackedAccounts(locator, deployment);
    if (this.#hasEnded) return;
    this.#addresses = tracked.accounts.map(({ address }) => address);
    this.#tracker = createPoolTracker(tracked, {
      deployment,
      onReject: ({ address, error, slot }) => this.#refuse(address, error, slot),
    });
    this.#tracker.onChange((change) => {
      this.#isNews ||= change === 'snapshot';
    });
    this.#unsubscribe = AccountHub.of(rpcSubscriptions, commitment).listen(this.#addresses, this);
    // An observer may have ended the watch.
    if (this.#hasEnded) return this.#unsubscribe();
    if (!this.#hasBegunReading)
      this.#timer = setTimeout(() => this.#want(undefined, 0n, 'now'), FIRST_READ_AFTER_MS);
  }

  up(address: Address): void {
    if (this.#hasEnded) return;
    this.#subscribed.add(address);
    if (this.#subscribed.size < this.#addresses.length) return;
    this.#connection = 'up';
    this.#refused.clear();
    this.#rereads = 0;
    this.#gap();
    this.#observe({ type: 'connected' });
    if (this.#hasBegunReading) this.#want('connected', this.latest?.slot ?? 0n, 'now');
    else this.#want(undefined, 0n, 'now');
  }

  down(address: Address, error: AnyHeavenError): void {
    if (this.#hasEnded) return;
    this.#subscribed.delete(address);
    this.#gap();
    if (this.#connection === 'down') return;
    this.#connection = 'down';
    this.#observe({ type: 'disconnected', error });
    if (!this.#hasBegunReading) this.#want(undefined, 0n, 'now');
  }

  #gap(): void {
    this.#tracker.gap();
    this.#tick = undefined;
  }

  update(address: Address, account: RawAccount | undefined, slot: bigint): void {
    if (this.#hasEnded) return;
    if (account === undefined) {
      this.#refuse(address, invalidAccount('notification', 'it has no base64 data', address), slot);
      return;
    }
    const { data, owner, lamports } = account;
    const update = { address, data, owner, lamports, slot };
    this.#isNews = false;
    const outcome = this.#tracker.apply(update);
    if (outcome === 'rejected') return;
    if (this.#refused.delete(address) && this.#refused.size === 0) this.#forgive();
    if (outcome === 'applied' && this.#reading !== undefined) this.#meanwhile.set(address, update);
    if (this.#isNews && this.#hasRead) this.#options.offer();
    if (address !== CLOCK_SYSVAR_ADDRESS) return;
    if (outcome === 'applied') this.#ahead = undefined;
    if (this.#connection === 'up') this.#tick = slot;
    this.#join();
  }

  /** All accounts have good notifications again. A read that waits need not wait longer. */
  #forgive(): void {
    this.#rereads = 0;
    if (this.#failures === 0) this.#begin();
  }

  /** A notification can't be used: what it was about has to be read. */
  #refuse(address: Address, error: AnyHeavenError, slot: bigint): void {
    const newest = this.latest?.slot;
    const isAhead = newest !== undefined && slot > newest + MAX_SLOTS_AHEAD;
    if (isAhead) this.#ahead = slot;
    this.#refused.add(address);
    this.#observe({ type: 'bad-notification', address, error });
    if (!this.#hasBegunReading) return;
    if (isAhead) this.#want('ahead', 0n);
    else this.#want('bad-notification', slot);
  }

  /** The node that was read may be behind the one that notifies: if so, what happened in between is missing. */
  #join(): void {
    if (this.#tick !== undefined && this.#isIdle && !this.#tracker.isLive)
      this.#want('behind', this.#tick - 1n);
  }

  get #isIdle(): boolean {
    return this.#reading === undefined && this.#wanted === undefined;
  }

  /** Reads the accounts: `now`, or after the pause if reads failed or too many notifications were bad. */
  #want(reason: PoolRereadReason | undefined, leastSlot: bigint, when?: 'now'): void {
    if (this.#hasEnded) return;
    const { reason: before = reason, leastSlot: least = 0n } = this.#wanted ?? {};
    this.#wanted = { reason: before, leastSlot: least > leastSlot ? least : leastSlot };
    if (this.#reading === undefined) this.#schedule(when);
  }

  #schedule(when?: 'now'): void {
    const pauses = Math.max(this.#failures, this.#rereads - REREADS_AT_ONCE + 1);
    if (when === 'now' || pauses <= 0) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), backOffMs(pauses - 1));
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#hasEnded || this.#reading !== undefined || this.#wanted === undefined) return;
    const wanted = this.#wanted;
    this.#reading = wanted;
    this.#wanted = undefined;
    this.#hasBegunReading = true;
    if (this.#refused.size > 0) this.#rereads++;
    this.#meanwhile.clear();
    this.#options
      .read(this.#addresses)
      .then(
        (accounts) => this.#load(accounts, wanted),
        (error: unknown) => this.#failed(wanted, error),
      )
      .catch((error) => this.#end(error));
  }

  #load(accounts: readonly (RawAccount | undefined)[], wanted: WantedRead): void {
    if (this.#hasEnded) return;
    let slot: bigint;
    try {
      slot = this.#assertReached(accountAt(accounts, CLOCK_SYSVAR_ADDRESS), wanted.leastSlot);
      this.#tracker.load(accounts);
    } catch (error) {
      this.#failed(wanted, error);
      return;
    }
    for (const update of this.#meanwhile.values()) this.#tracker.apply(update);
    this.#reading = undefined;
    this.#hasRead = true;
    this.#failures = 0;
    if (wanted.reason !== undefined) this.#observe({ type: 'reread', reason: wanted.reason, slot });
    if (this.#hasEnded) return;
    this.#options.offer();
    if (this.#wanted === undefined) this.#join();
    else this.#schedule();
  }

  /** Runs before any other check: a missing pool means nothing if the node is behind. */
  #assertReached(clock: RawAccount | undefined, leastSlot: bigint): bigint {
    // Without a clock, the tracker reports what is wrong.
    if (clock === undefined) return 0n;
    const { slot } = decodeClock(clock.data);
    const ahead = (this.#ahead ?? 0n) - MAX_SLOTS_AHEAD;
    const asked = leastSlot > ahead ? leastSlot : ahead;
    if (slot >= asked) return slot;
    throw new HeavenError(
      'rpc-behind',
      `The RPC node is behind: the pool was to be read of slot ${asked} or later. Use another node if it stays so.`,
      { method: 'getMultipleAccounts', minContextSlot: asked },
    );
  }

  #failed({ reason, leastSlot }: WantedRead, error: unknown): void {
    if (this.#hasEnded) return;
    this.#reading = undefined;
    if (reason === undefined || !isHeavenError(error) || isGone(error, this.#addresses[0] as Address)) {
      this.#end(error);
      return;
    }
    this.#failures++;
    this.#observe({ type: 'reread-failed', reason, error });
    this.#want(reason, leastSlot);
  }

  #observe(event: PoolWatchEvent): void {
    if (!this.#hasEnded) notify(this.#options.observe, event);
  }

  #end(error: unknown): void {
    if (this.#hasEnded) return;
    this.stop();
    this.#options.end({ error });
  }
}

/** Returns the client's subscriptions, and throws if it has none. */
export function subscriptionsOf({ rpcSubscriptions }: HeavenClient): HeavenRpcSubscriptions {
  if (rpcSubscriptions !== undefined) return rpcSubscriptions;
  throw inputError(
    'rpcSubscriptions',
    "Watching needs subscriptions. Make them with kit: createHeavenClient({ …, rpcSubscriptions: createSolanaRpcSubscriptions('wss://…') }).",
  );
}

/** Whether an error says that the pool itself is gone. */
const isGone = (error: AnyHeavenError, pool: Address): boolean =>
  error.code === 'pool-not-found' ||
  // It belongs to another program now.
  (error.code === 'invalid-account-data' &&
    error.context.found !== undefined &&
    error.context.address === pool);
