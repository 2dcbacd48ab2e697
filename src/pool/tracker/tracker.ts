import type { Address } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../../errors.js';
import { assertHas, assertWhole, invalidInput } from '../../input.js';
import type { SwapState } from '../../math/types.js';
import { type Deployment, type DeploymentConfig, deploymentOf } from '../../program/deployment.js';
import { notify } from '../../solana/rpc/notify.js';
import { type FetchedPoolSnapshot, snapshotFrom } from '../snapshot.js';
import { assertTracked, readAddresses, type TrackedPool } from './accounts.js';
import { Coverage } from './coverage.js';
import { type History, isStale, type Version, versionAt } from './history.js';
import { AccountStore, MOST_SLOTS_AHEAD, MOST_SLOTS_APART } from './store.js';
import { Composer, Views } from './view.js';

/** An account as a stream sends it. */
export interface AccountUpdate {
  readonly address: Address;
  /** The account's data. Don't change the bytes afterwards: snapshots refer to them. */
  readonly data: Uint8Array;
  /** The program that owns the account. Without it, only the data is checked. */
  readonly owner?: Address | undefined;
  /** The slot in which it was written. */
  readonly slot: bigint;
  /** The order of writes within a slot. Without it, the update counts as the account at the end of the slot. */
  readonly writeVersion?: bigint | undefined;
  /** The account's lamports. With 0 the account no longer exists, and the update is rejected. */
  readonly lamports?: bigint | undefined;
}

/** An account as a node returns it. */
export type AccountRead = Pick<AccountUpdate, 'address' | 'data'> & { readonly owner: Address };

/** An update that can't be the account it claims to be. */
export interface RejectedUpdate {
  readonly address: Address;
  readonly slot: bigint;
  readonly error: AnyHeavenError;
}

/**
 * What happened to an update: it was `applied`; it is `stale`, because an equally new one is known; its address is `untracked`; or it
 * was `rejected`, and `onReject` received the reason.
 */
export type UpdateOutcome = 'applied' | 'stale' | 'untracked' | 'rejected';

/** Which state of a tracker to quote from, and for which slot. */
export interface SwapStateOptions {
  readonly of?: 'latest' | 'snapshot' | undefined;
  readonly slot?: bigint | undefined;
}

/** What changed in a tracker: `isLive`, or the state that `latest` or `snapshot` is quoted from. */
export type PoolChange = 'latest' | 'snapshot' | 'isLive';

/** How {@link createPoolTracker} reads the stream. */
export interface PoolTrackerOptions {
  /** A client's `deployment`, for clusters other than mainnet. */
  readonly deployment?: DeploymentConfig | undefined;
  /**
   * What completes a slot. `clock`: the clock's update in a slot completes the slots before it, which is correct for one connection that
   * sends slots in order. `call`: only a call to `complete`. Default `clock`.
   */
  readonly completedBy?: 'clock' | 'call' | undefined;
  /** How many slots back a fork can be undone, 0 to 512. Default 32. At `confirmed` and `finalized`, 0 saves memory. */
  readonly forkDepth?: number | undefined;
  /** Called with each rejected update. */
  readonly onReject?: ((rejected: RejectedUpdate) => void) | undefined;
}

/** The state of a pool, kept up to date by account updates from any source. */
export interface PoolTracker {
  /** The newest version of each account, which may mix slots; `undefined` until all five are known. */
  readonly latest: FetchedPoolSnapshot | undefined;
  /** While `isLive`, the five accounts as of the newest complete slot. Otherwise it may be wrong or out of date. */
  readonly snapshot: FetchedPoolSnapshot | undefined;
  /** Whether `snapshot` is the state at the end of one slot, with no update up to that slot missing. */
  readonly isLive: boolean;
  /**
   * Returns the same as {@link toSwapState} of `latest` or `snapshot`, in less time: it decodes only what a quote needs. `undefined`
   * until all five accounts are known.
   * @param options `of`: `latest` (default) or `snapshot`. `slot`: the slot in which the trade is expected to land. Default: the state's.
   * @throws {HeavenError} `invalid-input`, `invalid-amount`, `amount-out-of-range` (an option is wrong)
   */
  swapState(options?: SwapStateOptions): SwapState | undefined;
  /** Applies an update. Updates may come in any order, more than once and from several sources. Bad data from a stream never throws. */
  apply(update: AccountUpdate): UpdateOutcome;
  /**
   * Loads the five accounts as one call read them, at the start and after a gap. Their slot is the clock's. Read at
   * `confirmed` or `finalized`: a read at `processed` may come from the middle of a slot. If an update named a slot in the far
   * future, a second, newer read discards that slot, unless the stream has reached it too.
   * @throws {HeavenError} the same as {@link fetchPoolSnapshot} for missing or wrong accounts; the tracker is then unchanged
   */
  load(accounts: readonly (AccountRead | undefined)[]): void;
  /**
   * Tells the tracker that every update up to `slot` was applied. The first call, and the first after `gap`, marks where the stream
   * begins: every update of later slots will arrive. With `parent`, slots on other forks are undone.
   */
  complete(slot: bigint, parent?: bigint): void;
  /** Undoes a slot that the cluster dropped. */
  dropSlot(slot: bigint): void;
  /**
   * Tells the tracker that updates may be missing. Call it when a connection is lost, and again when the new one is up. `resumesAt`: the
   * stream sends everything from this slot on, as after a replay.
   */
  gap(resumesAt?: bigint): void;
  /**
   * Calls the listener on each change, until you call the returned function. `latest` and `snapshot` change when the pool, config, mint,
   * price or epoch does, not as time passes.
   */
  onChange(listener: (change: PoolChange) => void): () => void;
}

/** How many slots of one account may wait for completion, beyond `forkDepth`. */
const MOST_WAITING = 128;

/**
 * Tracks a pool from account updates of your own stream (Geyser, WebSocket, several at once), without kit and without a call.
 * It decodes only what changed. Its snapshots are the same as {@link fetchPoolSnapshot}'s: pass them to quotes and builders.
 * @param pool What {@link trackedAccounts} returns.
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const tracker = createPoolTracker(await trackedAccounts({ configVersion: 2, mint }));
 * tracker.onChange(() => {
 *   const state = tracker.swapState({ of: 'snapshot' });
 *   if (tracker.isLive && state !== undefined) console.log(computeBuy(state, 1_000_000_000n).amountOut);
 * });
 * ```
 */
export function createPoolTracker(pool: TrackedPool, options: PoolTrackerOptions = {}): PoolTracker {
  return new Tracking(pool, options);
}

/** A {@link PoolTracker} that can also be told when a read began. */
export class Tracking implements PoolTracker {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  readonly #store: AccountStore;
  readonly #coverage: Coverage;
  readonly #views: Views;
  readonly #isClocked: boolean;
  /** The maximum number of versions of an account. */
  readonly #most: number;
  readonly #onReject: PoolTrackerOptions['onReject'];
  /** The slot of the last read, if it was far behind what is known, and whether the stream sent anything far ahead of it since. */
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

  swapState({ of = 'latest', slot }: SwapStateOptions = {}): SwapState | undefined {
    if (of !== 'latest' && of !== 'snapshot') throw invalidInput('of', of, "'latest' or 'snapshot'");
    return this.#views.swapState(of, slot);
  }

  /** How many updates have arrived. */
  get arrivals(): number {
    return this.#store.arrivals;
  }

  apply(update: AccountUpdate): UpdateOutcome {
    assertHas(update, 'address', 'update', 'an account update');
    const store = this.#store;
    const history = store.historyOf(update.address);
    if (history === undefined) return 'untracked';
    const coverage = this.#coverage;
    const { chain } = coverage;
    const { writeVersion, data } = update;
    let slot: number;
    let version: Version;
    try {
      slot = slotNumber(update.slot, 'slot');
      assertNotFarAhead(update, slot, store.newestSlot);
    } catch (error) {
      return this.#reject(history, update.slot, error);
    }
    if (chain.isOff(slot) || isStale(history, slot, writeVersion)) return 'stale';
    try {
      version = store.versionOf(history, update, slot, false);
    } catch (error) {
      return this.#reject(history, update.slot, error, slot);
    }
    if (this.#farRead !== undefined && slot > this.#farRead + MOST_SLOTS_APART) this.#isFarHeard = true;
    const isTick = history.name === 'clock' && this.#isClocked && slot > 0;
    if (isTick && (coverage.isOpen || slot - 1 > coverage.head)) {
      // A stream that skips this many slots has missed some, or its clock is wrong.
      const isJump = !coverage.isOpen && slot - 1 > coverage.head + MOST_SLOTS_APART;
      coverage.complete(slot - 1, undefined);
      if (isJump) coverage.lose();
      this.#settle();
    }
    const head = coverage.head;
    const before = slot <= head ? versionAt(history, head, chain) : undefined;
    const isHeld = store.put(history, version, this.#most, head);
    // A slot that counted as complete was not, and it is unknown what else is missing.
    const isLate =
      slot <= head &&
      versionAt(history, head, chain) === version &&
      !(before !== undefined && isSame(before.data, data));
    if (!isHeld || (isLate && coverage.isJoined)) coverage.lose();
    this.#settle(history);
    return 'applied';
  }

  /** `begun`: the number of arrivals before the read began. Later updates for the slot of the read are kept. */
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

  #settle(touched?: History): void {
    this.#views.settle(this.#store.newestSlot, touched);
  }

  /** `believed`: the slot, if it can be right. */
  #reject(history: History, slot: bigint, error: unknown, believed?: number): 'rejected' {
    if (!isHeavenError(error)) throw error;
    if (believed !== undefined && (history.doubt === undefined || believed > history.doubt))
      history.doubt = believed;
    notify(this.#onReject, { address: history.address, slot, error });
    this.#settle();
    return 'rejected';
  }

  /**
   * Discards slots far ahead of a read once two reads in a row agree that no such slot exists and the stream sent nothing that far ahead
   * between them. Reads from a node that lags behind a healthy stream change nothing.
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

  /** Checks the kept updates again, now that more is known about the pool. */
  #recheck(): void {
    for (const history of this.#store.histories) {
      for (const version of history.versions.filter(({ isRead }) => !isRead)) {
        const { slot, data, owner } = version;
        try {
          this.#store.decode(history, data, owner, false);
        } catch (error) {
          history.versions.splice(history.versions.indexOf(version), 1);
          this.#reject(history, BigInt(slot), error, slot);
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

/** Returns the slot as a number: comparing big integers costs more than the rest of placing an update. */
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

const sourceOf = ({ configVersion, pool, kind }: TrackedPool) => ({
  configVersions: [configVersion],
  pool: kind === 'standard' ? undefined : pool,
});
