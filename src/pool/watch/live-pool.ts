import type { Address } from '@solana/kit';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../../base/errors.js';
import type { HeavenClient } from '../../program/client.js';
import { faultIn, invalidAccount } from '../../solana/account-data.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../solana/programs.js';
import { accountAt, type RawAccount } from '../../solana/rpc/accounts.js';
import { type AccountListener, type AccountNotification, Connection } from '../../solana/rpc/connection.js';
import { notify } from '../../solana/rpc/notify.js';
import { backOffMs } from '../../solana/timing.js';
import type { PoolLocator } from '../addresses.js';
import type { FetchedPoolSnapshot } from '../check.js';
import { decodeClock } from '../decode.js';
import { explained, type ReadAccounts } from '../explained.js';
import { POOL } from '../layout.js';
import { trackedAccounts } from '../tracker/accounts.js';
import { type RejectedUpdate, Tracker } from '../tracker/tracker.js';
import { Versions } from '../tracker/versions.js';

/** What happens in a {@link watchPool}. `type` says which event it is. */
export type PoolWatchEvent =
  /** All subscriptions are active. */
  | { readonly type: 'connected' }
  /** `isLive` is now true: from `slot` on, no change is missed. The iterator yields the newest snapshot. */
  | { readonly type: 'live'; readonly slot: bigint }
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

/** What a {@link LivePool} calls. */
export interface LivePoolOptions {
  readonly read: ReadAccounts;
  readonly observe: ((event: PoolWatchEvent) => void) | undefined;
  /** There may be a snapshot to {@link LivePool.take}. */
  readonly onNews: () => void;
  /** The pool can't be followed, or no longer. Nothing is called after this. */
  readonly onEnd: (error: unknown) => void;
}

/** How long the first read waits for the subscriptions. If they are active by then, one read is enough. */
const FIRST_READ_AFTER_MS = 1_000;
/** How many reads in a row bad notifications cause at once. Later ones wait: otherwise a faulty node keeps the watch reading. */
const REREADS_AT_ONCE = 3;

/** A tracker that a connection keeps live until it is stopped: it reads the accounts at the start, and whenever updates are missing. */
export class LivePool implements AccountListener {
  readonly #client: HeavenClient;
  readonly #locator: PoolLocator;
  readonly #options: LivePoolOptions;
  readonly #versions = new Versions();
  /** Set once the addresses are known, before the first event. */
  #tracker!: Tracker;
  #pool!: Address;
  #addresses: readonly Address[] = [];
  #stopListening: (() => void) | undefined;
  readonly #subscribed = new Set<Address>();
  #isDown = false;
  /** Why the next read is wanted. */
  #wanted: PoolRereadReason | 'start' | undefined = 'start';
  #isReading = false;
  /** Until the next read begins. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** The accounts whose last notification was bad, and the reads since all were good. */
  readonly #bad = new Set<Address>();
  #rereads = 0;
  #hasNews = false;
  #hasBegun = false;
  #wasLive = false;
  #hasEnded = false;

  constructor(client: HeavenClient, locator: PoolLocator, options: LivePoolOptions) {
    this.#client = client;
    this.#locator = locator;
    this.#options = options;
  }

  start(): void {
    this.#follow().catch((error) => this.#end(error));
  }

  get latest(): FetchedPoolSnapshot | undefined {
    return this.#versions.hasRead ? this.#tracker.snapshot : undefined;
  }

  /** Whether no change is being missed. */
  get isLive(): boolean {
    return this.#isCurrent && !this.#hasEnded && this.#versions.isLive;
  }

  /** The newest snapshot, if there is news: the first read's in any case, later ones while nothing is known to be missing. */
  take(): FetchedPoolSnapshot | undefined {
    const { latest } = this;
    if (!this.#hasNews || latest === undefined || (this.#hasBegun && !this.#isCurrent)) return undefined;
    this.#hasNews = false;
    this.#hasBegun = true;
    return latest;
  }

  stop(): void {
    this.#hasEnded = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
  }

  async #follow(): Promise<void> {
    const { deployment } = this.#client;
    const connection = Connection.of(this.#client);
    const tracked = await trackedAccounts(this.#locator, deployment);
    if (this.#hasEnded) return;
    this.#pool = tracked.pool;
    this.#addresses = tracked.accounts.map(({ address }) => address);
    const onReject = ({ address, error, slot }: RejectedUpdate) =>
      this.#reject(address, error, this.#versions.isFarAhead(slot) ? 'ahead' : 'bad-notification');
    this.#tracker = new Tracker(tracked, { deployment, onReject }, this.#versions);
    this.#tracker.onChange((change) => {
      this.#hasNews ||= change === 'snapshot';
    });
    this.#stopListening = connection.listenToAccounts(this.#addresses, this);
    // An observer may have ended the watch.
    if (this.#hasEnded) this.#stopListening();
    else if (this.#wanted === 'start') this.#timer = setTimeout(() => this.#beginRead(), FIRST_READ_AFTER_MS);
  }

  up(address: Address): void {
    this.#subscribed.add(address);
    if (!this.#isUp) return;
    this.#isDown = false;
    this.#bad.clear();
    this.#rereads = 0;
    this.#versions.miss();
    this.#observe({ type: 'connected' });
    this.#wanted ??= 'connected';
    this.#beginRead();
  }

  down(address: Address, error: AnyHeavenError): void {
    this.#subscribed.delete(address);
    if (this.#isDown) return;
    this.#isDown = true;
    this.#observe({ type: 'disconnected', error });
    if (this.#wanted === 'start') this.#beginRead();
    this.#update();
  }

  notification(address: Address, update: AccountNotification | undefined): void {
    const hadStream = this.#versions.hasStream;
    if (update === undefined) {
      this.#versions.miss();
      const error = invalidAccount('notification', 'it has no base64 data', address);
      this.#reject(address, error, 'bad-notification');
    } else if (this.#tracker.apply(update) !== 'rejected') {
      // The node may have begun to notify in the middle of this slot: the read under way has to reach it.
      if (this.#isReading && !hadStream && this.#versions.hasStream) this.#versions.miss(update.slot);
      if (this.#bad.delete(address) && this.#bad.size === 0) {
        this.#rereads = 0;
        // A read that waits need not wait longer.
        if (this.#failures === 0) this.#beginRead();
      }
      this.#readIfBehind();
    }
    this.#update();
  }

  get #isUp(): boolean {
    return this.#subscribed.size === this.#addresses.length;
  }

  /** Whether nothing is known to be missing. */
  get #isCurrent(): boolean {
    return this.#isUp && !this.#isReading && this.#wanted === undefined;
  }

  /** Tells of what has changed, and when the pool becomes live. */
  #update(): void {
    const { isLive } = this;
    if (isLive && !this.#wasLive) {
      this.#hasNews = true;
      this.#observe({ type: 'live', slot: this.#versions.newestSlot });
    }
    this.#wasLive = isLive;
    if (this.#hasNews && !this.#hasEnded) this.#options.onNews();
  }

  /** A notification can't be used: what it was about has to be read. */
  #reject(address: Address, error: AnyHeavenError, reason: PoolRereadReason): void {
    this.#bad.add(address);
    this.#observe({ type: 'bad-notification', address, error });
    this.#want(reason);
  }

  /** The node that was read may be behind the one that notifies: if so, what happened in between is missing. */
  #readIfBehind(): void {
    if (this.#isCurrent && this.#versions.isBehind) this.#want('behind');
  }

  /** Reads the accounts, after a pause if reads failed or too many notifications were bad. */
  #want(reason: PoolRereadReason | 'start'): void {
    this.#wanted ??= reason;
    if (this.#hasEnded || this.#isReading || this.#timer !== undefined) return;
    const pauses = Math.max(this.#failures, this.#rereads - REREADS_AT_ONCE + 1);
    if (pauses <= 0) this.#beginRead();
    else this.#timer = setTimeout(() => this.#beginRead(), backOffMs(pauses - 1));
  }

  #beginRead(): void {
    const reason = this.#wanted;
    if (this.#hasEnded || this.#isReading || reason === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = undefined;
    this.#isReading = true;
    if (this.#bad.size > 0) this.#rereads++;
    this.#versions.beginRead();
    this.#read(reason).catch((error) => this.#end(error));
  }

  async #read(reason: PoolRereadReason | 'start'): Promise<void> {
    const leastSlot = reason === 'start' ? 0n : this.#versions.leastSlot;
    let pool: RawAccount | undefined;
    try {
      const accounts = await this.#options.read(this.#addresses, leastSlot);
      pool = accountAt(accounts, this.#pool);
      // Before any other check: a missing pool means nothing if the node is behind.
      const slot = reachedSlot(accountAt(accounts, CLOCK_SYSVAR_ADDRESS), leastSlot);
      this.#tracker.load(accounts);
      this.#failures = 0;
      if (reason !== 'start') this.#observe({ type: 'reread', reason, slot });
    } catch (error) {
      if (reason === 'start' || !isHeavenError(error) || isFinal(error, this.#pool, pool))
        // Nothing else is read meanwhile.
        return this.#end(await explained(this.#client, this.#locator, error, this.#options.read));
      this.#failures++;
      this.#observe({ type: 'reread-failed', reason, error });
      this.#wanted ??= reason;
    }
    this.#isReading = false;
    if (this.#wanted === undefined) this.#readIfBehind();
    else this.#want(this.#wanted);
    this.#update();
  }

  #observe(event: PoolWatchEvent): void {
    if (!this.#hasEnded) notify(this.#options.observe, event);
  }

  #end(error: unknown): void {
    if (this.#hasEnded) return;
    this.stop();
    this.#options.onEnd(error);
  }
}

/** The slot of a read. */
function reachedSlot(clock: RawAccount | undefined, leastSlot: bigint): bigint {
  // Without a clock, the tracker reports what is wrong.
  if (clock === undefined) return 0n;
  const { slot } = decodeClock(clock.data);
  if (slot >= leastSlot) return slot;
  throw new HeavenError(
    'rpc-behind',
    `The RPC node is behind: the pool was to be read of slot ${leastSlot} or later. Use another node if it stays so.`,
    { method: 'getMultipleAccounts', minContextSlot: leastSlot },
  );
}

/** Whether reading again won't help: the pool is gone, or has become one that this library can't follow. */
function isFinal({ code, context }: AnyHeavenError, address: Address, pool: RawAccount | undefined): boolean {
  if (['pool-not-found', 'pool-mismatch', 'unsupported-mint'].includes(code)) return true;
  if (code !== 'invalid-account-data' || pool === undefined || context.address !== address) return false;
  // It belongs to another program now, or is whole. The end of one that is cut short is missing.
  return context.found !== undefined || faultIn(POOL, pool.data) === undefined;
}
