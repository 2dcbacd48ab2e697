import type { Address } from '@solana/kit';

import type { Deployment, DeploymentConfig } from '../../client.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../../errors.js';
import { assertHas, assertWhole, invalidInput } from '../../input.js';
import { notify } from '../../solana/rpc/notify.js';
import { type FetchedPoolSnapshot, snapshotFrom } from '../snapshot.js';
import {
  assertTracked,
  deploymentOf,
  readAddresses,
  type TrackedAccount,
  type TrackedPool,
} from './accounts.js';
import { Coverage } from './coverage.js';
import { type History, isStale, type Version, versionAt } from './history.js';
import { AccountStore, MOST_SLOTS_AHEAD, MOST_SLOTS_APART } from './store.js';
import { Composer, Views } from './view.js';

/** An account as a stream sends it. */
export interface AccountUpdate {
  readonly address: Address;
  /** Don't change the bytes afterwards: snapshots refer to them. */
  readonly data: Uint8Array;
  /** The program that owns the account. Without it, only the data is checked. */
  readonly owner?: Address | undefined;
  /** The slot in which it was written. */
  readonly slot: bigint;
  /** The order of writes within a slot. Without it, the update is taken as the account at the end of the slot. */
  readonly writeVersion?: bigint | undefined;
  /** An account with 0 lamports is gone: the update is rejected. */
  readonly lamports?: bigint | undefined;
}

/** An account as a node returns it. */
export type AccountRead = Pick<AccountUpdate, 'address' | 'data'> & { readonly owner: Address };

/** An update that can't be the account it says it is. */
export interface RejectedUpdate {
  readonly address: Address;
  readonly slot: bigint;
  readonly error: AnyHeavenError;
}

/**
 * What an update did: it was `applied`; it is `stale`, since something as new is known; its address is `untracked`; or it was
 * `rejected`, which `onReject` hears the reason of.
 */
export type UpdateOutcome = 'applied' | 'stale' | 'untracked' | 'rejected';

/** What of a tracker changed: what `latest` or `snapshot` is quoted from, or `isLive`. */
export type PoolChange = 'latest' | 'snapshot' | 'isLive';

/** How {@link createPoolTracker} reads its stream. */
export interface PoolTrackerOptions {
  /** A client's `deployment`, for other clusters than mainnet. */
  readonly deployment?: DeploymentConfig | undefined;
  /**
   * What completes a slot. `clock`: the clock's update of a slot completes the slots before it, which holds for one connection that
   * sends slots in order. `call`: only `complete`. Default `clock`.
   */
  readonly completedBy?: 'clock' | 'call' | undefined;
  /** How many slots back a fork can be undone, 0 to 512. Default 32. At `confirmed` and `finalized`, 0 saves memory. */
  readonly forkDepth?: number | undefined;
  /** Hears of updates that are rejected. */
  readonly onReject?: ((rejected: RejectedUpdate) => void) | undefined;
}

/** The state of a pool, kept by account updates from any source. */
export interface PoolTracker {
  /** The newest of each account, which may mix slots; `undefined` until all five are known. */
  readonly latest: FetchedPoolSnapshot | undefined;
  /** While `isLive`, the five accounts as of the newest complete slot. Otherwise nothing vouches for it. */
  readonly snapshot: FetchedPoolSnapshot | undefined;
  /** Whether `snapshot` is the state at the end of one slot, and no update up to that slot is missing. */
  readonly isLive: boolean;
  /** Takes an update: in any order, twice, from several sources. Never throws for what a stream sends. */
  apply(update: AccountUpdate): UpdateOutcome;
  /**
   * Takes the five accounts as one call read them: where a tracker begins, and goes on after a gap. Their slot is the clock's. Read at
   * `confirmed` or `finalized`: a read at `processed` may come from the middle of a slot. If an update named a slot that lies far in the
   * future, a second and newer read forgets it, unless the stream has gone there too.
   * @throws {HeavenError} those of {@link fetchPoolSnapshot} for accounts that are missing or wrong; nothing has changed then
   */
  load(accounts: readonly (AccountRead | undefined)[]): void;
  /**
   * Says that every update of the slots up to `slot` was applied. The first call, and the first after `gap`, says where the stream
   * begins: every update of the slots behind it will come. With `parent`, slots on other forks are undone.
   */
  complete(slot: bigint, parent?: bigint): void;
  /** Undoes a slot that was given up. */
  dropSlot(slot: bigint): void;
  /**
   * Says that updates may have been missed. Call it when a connection is lost, and again when its successor is up. `resumesAt`: the
   * stream sends everything from this slot on, as after a replay.
   */
  gap(resumesAt?: bigint): void;
  /** Calls a function on each change. `latest` and `snapshot` change with the pool, config, mint, price or epoch, not with time alone. Returns a function that ends it. */
  onChange(listener: (change: PoolChange) => void): () => void;
}

/** Slots of one account that wait for their completion, beyond `forkDepth`. */
const MOST_WAITING = 128;

/**
 * Tracks a pool by account updates from a stream of your own (Geyser, WebSocket, several at once), without kit and without a call.
 * It decodes only what changed. The snapshots are those of {@link fetchPoolSnapshot}: quotes and builders take them.
 * @param pool What {@link trackedAccounts} returns.
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const tracker = createPoolTracker(await trackedAccounts({ configVersion: 2, mint }));
 * tracker.onChange(() => {
 *   if (!tracker.isLive || tracker.snapshot === undefined) return;
 *   console.log(computeBuy(toSwapState(tracker.snapshot), 1_000_000_000n).amountOut);
 * });
 * ```
 */
export function createPoolTracker(pool: TrackedPool, options: PoolTrackerOptions = {}): PoolTracker {
  return new Tracking(pool, options);
}

/** A {@link PoolTracker} that also knows when a read began. */
export class Tracking implements PoolTracker {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  readonly #store: AccountStore;
  readonly #coverage: Coverage;
  readonly #views: Views;
  readonly #isClocked: boolean;
  /** The most versions of an account. */
  readonly #most: number;
  readonly #onReject: PoolTrackerOptions['onReject'];
  /** The slot of the last read, if that was far behind what is known, and whether the stream sent anything far ahead of it since. */
  #farRead: number | undefined;
  #isFarHeard = false;

  constructor(pool: TrackedPool, options: PoolTrackerOptions) {
    const { completedBy = 'clock', forkDepth = 32 } = options;
    assertTracked(pool);
    assertOptions(completedBy, forkDepth);
    this.#pool = pool;
    this.#deployment = deploymentOf(options.deployment);
    this.#store = new AccountStore(pool, this.#deployment);
    const { histories } = this.#store;
    this.#coverage = new Coverage(histories, forkDepth);
    this.#views = new Views(histories, this.#coverage, new Composer(pool, this.#deployment));
    this.#isClocked = completedBy === 'clock';
    this.#most = forkDepth + MOST_WAITING;
    this.#onReject = options.onReject;
  }

  get latest(): FetchedPoolSnapshot | undefined {
    return this.#views.latest;
  }

  get snapshot(): FetchedPoolSnapshot | undefined {
    return this.#views.snapshot;
  }

  get isLive(): boolean {
    return this.#views.isLive;
  }

  /** How many updates came so far. */
  get arrivals(): number {
    return this.#store.arrivals;
  }

  apply(update: AccountUpdate): UpdateOutcome {
    assertHas(update, 'address', 'update', 'an account update');
    const store = this.#store;
    const index = indexOf(store.tracked, update.address);
    if (index < 0) return 'untracked';
    const history = store.histories[index] as History;
    const coverage = this.#coverage;
    const { chain } = coverage;
    const { writeVersion, data } = update;
    let slot: number;
    let version: Version;
    try {
      slot = slotNumber(update.slot, 'slot');
      assertNotFarAhead(update, slot, store.newestSlot);
    } catch (error) {
      return this.#reject(index, update, error);
    }
    if (chain.isOff(slot) || isStale(history, slot, writeVersion)) return 'stale';
    try {
      version = store.versionOf(index, update, slot, false);
    } catch (error) {
      return this.#reject(index, update, error, slot);
    }
    if (this.#farRead !== undefined && slot > this.#farRead + MOST_SLOTS_APART) this.#isFarHeard = true;
    const isTick = index === CLOCK && this.#isClocked && slot > 0;
    if (isTick && (coverage.isOpen || slot - 1 > coverage.head)) {
      // A stream that skips so many slots has missed some, or its clock is wrong.
      const isJump = !coverage.isOpen && slot - 1 > coverage.head + MOST_SLOTS_APART;
      coverage.complete(slot - 1, undefined);
      if (isJump) coverage.lose();
      this.#settle();
    }
    const head = coverage.head;
    const before = slot <= head ? versionAt(history, head, chain) : undefined;
    const isHeld = store.put(index, version, this.#most, head);
    // What was complete was not, and nobody knows what else is missing.
    const isLate =
      slot <= head &&
      versionAt(history, head, chain) === version &&
      !(before !== undefined && isSame(before.data, data));
    if (!isHeld || (isLate && coverage.isJoined)) coverage.lose();
    this.#settle(index);
    return 'applied';
  }

  /** `begun`: the arrivals before the read began. What came since for the slot of the read is kept. */
  load(accounts: readonly (AccountRead | undefined)[], begun = this.arrivals): void {
    if (!Array.isArray(accounts))
      throw invalidInput('accounts', accounts, 'the five accounts as they were read');
    const addresses = readAddresses(this.#pool, this.#deployment);
    const found = addresses.map((address) => accounts.find((account) => account?.address === address));
    const snapshot = snapshotFrom(found, addresses, sourceOf(this.#pool), this.#deployment);
    const slot = slotNumber(snapshot.slot, 'slot');
    this.#forgetFuture(slot);
    this.#coverage.beforeRead(slot);
    this.#store.rebase(found as readonly AccountRead[], slot, begun);
    this.#coverage.afterRead(slot);
    this.#recheck();
    this.#settle();
  }

  complete(slot: bigint, parent?: bigint): void {
    const completed = slotNumber(slot, 'slot');
    if (parent !== undefined && !(typeof parent === 'bigint' && parent >= 0n && parent < slot))
      throw invalidInput('parent', parent, `a slot before ${slot} as a bigint`);
    this.#coverage.complete(completed, parent === undefined ? undefined : Number(parent));
    this.#settle();
  }

  dropSlot(slot: bigint): void {
    this.#coverage.dropSlot(slotNumber(slot, 'slot'));
    this.#settle();
  }

  gap(resumesAt?: bigint): void {
    this.#coverage.gap(resumesAt === undefined ? undefined : slotNumber(resumesAt, 'resumesAt'));
    this.#settle();
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    return this.#views.onChange(listener);
  }

  #settle(touched?: number): void {
    this.#views.settle(this.#store.newestSlot, touched);
  }

  #reject(
    index: number,
    { address, slot }: Omit<RejectedUpdate, 'error'>,
    error: unknown,
    believed?: number,
  ): 'rejected' {
    if (!isHeavenError(error)) throw error;
    const history = this.#store.histories[index] as History;
    if (believed !== undefined && (history.doubt === undefined || believed > history.doubt))
      history.doubt = believed;
    notify(this.#onReject, { address, slot, error });
    this.#settle();
    return 'rejected';
  }

  /**
   * Forgets slots far ahead of a read, once two reads in a row agree that there is no such slot and the stream sent nothing so far ahead
   * between them. Of a node that lags behind a healthy stream, reads change nothing.
   */
  #forgetFuture(slot: number): void {
    const newest = Math.max(this.#store.newestSlot, this.#coverage.head);
    const isFar = newest > slot + MOST_SLOTS_APART;
    const isConfirmed = this.#farRead !== undefined && slot > this.#farRead && !this.#isFarHeard;
    if (isFar && isConfirmed) {
      this.#store.forgetAfter(slot + MOST_SLOTS_APART);
      if (this.#coverage.head > slot + MOST_SLOTS_APART) this.#coverage.beginAgain(slot);
    }
    this.#farRead = isFar && !isConfirmed ? slot : undefined;
    this.#isFarHeard = false;
  }

  /** What of the stream was kept is checked again, now that more is known of the pool. */
  #recheck(): void {
    const { tracked, histories } = this.#store;
    for (const [index, history] of histories.entries()) {
      for (const version of history.versions.filter(({ isRead }) => !isRead)) {
        const { slot, data, owner } = version;
        const { address } = tracked[index] as TrackedAccount;
        try {
          this.#store.decode(index, address, data, owner, false);
        } catch (error) {
          history.versions.splice(history.versions.indexOf(version), 1);
          this.#reject(index, { address, slot: BigInt(slot) }, error, slot);
        }
      }
    }
  }
}

function assertOptions(completedBy: unknown, forkDepth: unknown): void {
  assertWhole('forkDepth', forkDepth, [0, 512]);
  if (completedBy !== 'clock' && completedBy !== 'call')
    throw invalidInput('completedBy', completedBy, "'clock' or 'call'");
}

/** A slot as the number that it is within: comparing big integers costs more than all else about an update's place. */
function slotNumber(slot: unknown, field: string): number {
  if (typeof slot !== 'bigint' || slot < 0n || slot > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidInput(field, slot, 'a slot as a bigint');
  return Number(slot);
}

function assertNotFarAhead({ address }: AccountUpdate, slot: number, newest: number): void {
  if (newest < 0 || slot <= newest + MOST_SLOTS_AHEAD) return;
  throw new HeavenError(
    'implausible-account',
    `The update of ${address} can't be right: its slot is ${slot}, and must be at most ${newest + MOST_SLOTS_AHEAD}. Check its source.`,
    {
      account: 'update',
      address,
      field: 'slot',
      found: BigInt(slot),
      expected: `at most ${newest + MOST_SLOTS_AHEAD}`,
    },
  );
}

function isSame(data: Uint8Array, other: Uint8Array): boolean {
  if (data.length !== other.length) return false;
  for (let index = 0; index < data.length; index++) if (data[index] !== other[index]) return false;
  return true;
}

function indexOf(tracked: readonly TrackedAccount[], address: Address): number {
  for (let index = 0; index < tracked.length; index++) if (tracked[index]?.address === address) return index;
  return -1;
}

const sourceOf = ({ configVersion, pool, kind }: TrackedPool) => ({
  configVersions: [configVersion],
  pool: kind === 'standard' ? undefined : pool,
});

const CLOCK = 4;
