import type { Address } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../../base/errors.js';
import { assertFunction, assertHas, assertNames, invalidInput } from '../../base/input.js';
import { U64_MAX } from '../../base/integers.js';
import type { SwapState } from '../../math/types.js';
import { type Deployment, type DeploymentConfig, deploymentOf } from '../../program/deployment.js';
import { view } from '../../solana/account-data.js';
import { MAX_SLOTS_AHEAD } from '../../solana/limits.js';
import { accountAt } from '../../solana/rpc/accounts.js';
import { notify } from '../../solana/rpc/notify.js';
import { type FetchedPoolSnapshot, poolAddresses, snapshotFrom } from '../check.js';
import { composeSnapshot, decodeClock, decodeMint, decodeSolPrice, type SolPrice } from '../decode.js';
import { POOL } from '../layout.js';
import { toSwapState } from '../swap-state.js';
import {
  type AccountUpdate,
  accountsOf,
  assertTracked,
  type TrackedAccount,
  type TrackedPool,
} from './accounts.js';
import { assertUpdate } from './check-update.js';

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

/** What changed in a tracker. */
export type PoolChange = 'snapshot' | 'isLive';

/** How {@link createPoolTracker} reads accounts and reports problems. */
export interface PoolTrackerOptions {
  /** A client's `deployment`, for clusters other than mainnet. */
  readonly deployment?: DeploymentConfig | undefined;
  /** Called with each rejected update. */
  readonly onReject?: ((rejected: RejectedUpdate) => void) | undefined;
}

/** The state of a pool, kept up to date by account updates from one stream. */
export interface PoolTracker {
  /** The newest version of each account; `undefined` until all five are known. Accounts written in one slot may arrive one by one. */
  readonly snapshot: FetchedPoolSnapshot | undefined;
  /**
   * Whether `snapshot` is up to date: all accounts are known, and the stream continues from the last `load` without a gap or a rejected
   * update. While it is false, don't trade: `load` the accounts again.
   */
  readonly isLive: boolean;
  /**
   * Returns {@link toSwapState} of `snapshot`. `undefined` until all five accounts are known.
   * @param options `slot`: the slot in which the trade is expected to land. Default: the snapshot's.
   * @throws {HeavenError} `invalid-amount`, `amount-out-of-range` (`slot` is not a valid slot), `invalid-account-data` (as `toSwapState`)
   */
  swapState(options?: { readonly slot?: bigint | undefined }): SwapState | undefined;
  /**
   * Applies an update. Updates may repeat and come in any order: the newest slot and write version win. Bad data never throws. An update
   * more than 300 slots ahead of everything known is rejected and counts as a gap: updates are missing.
   */
  apply(update: AccountUpdate): UpdateOutcome;
  /**
   * Loads the five accounts as one call read them, at the start, after a gap, and when `isLive` turns false. Their slot is the clock's.
   * Updates of later slots are kept.
   * @throws {HeavenError} the same as {@link fetchPoolSnapshot} for missing or wrong accounts; the tracker is then unchanged
   */
  load(accounts: readonly (AccountRead | undefined)[]): void;
  /** Tells the tracker that updates may be missing. Call it when a connection is lost, and again when the next one is up. */
  gap(): void;
  /**
   * Calls the listener on each change, until you call the returned function. `snapshot` changes when the pool, config, mint, price or
   * epoch does, not as time passes.
   */
  onChange(listener: (change: PoolChange) => void): () => void;
}

/**
 * Tracks a pool from account updates of your own stream (Geyser or WebSocket), without a call. Its snapshots
 * are the same as {@link fetchPoolSnapshot}'s: pass them to quotes and builders.
 * @param pool What {@link trackedAccounts} returns.
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const tracker = createPoolTracker(await trackedAccounts({ configVersion: 2, mint }));
 * tracker.onChange(() => {
 *   const state = tracker.swapState();
 *   if (tracker.isLive && state !== undefined) console.log(computeBuy(state, 1_000_000_000n).amountOut);
 * });
 * ```
 */
export function createPoolTracker(pool: TrackedPool, options: PoolTrackerOptions = {}): PoolTracker {
  assertTracked(pool);
  assertNames(options, 'options', { deployment: 1, onReject: assertFunction });
  return new Tracker(pool, options);
}

/** An account as of a slot. */
type Version = Pick<AccountUpdate, 'data' | 'owner' | 'slot' | 'writeVersion'>;

/** One of the pool's accounts, and what is known of it. */
interface KnownAccount {
  readonly account: TrackedAccount;
  version: Version | undefined;
}

/** {@link PoolTracker}, with what {@link LivePool} needs to know when to read. */
export class Tracker implements PoolTracker {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  readonly #onReject: PoolTrackerOptions['onReject'];
  readonly #accounts: readonly KnownAccount[];
  /** Of the newest versions, once somebody asks. */
  #snapshot: FetchedPoolSnapshot | undefined;
  #hasLoaded = false;
  /** The slot of the newest read since updates were last missing. */
  #readSlot: bigint | undefined;
  /** The stream has everything from this slot on: the first clock's since the last gap, or the one after a rejected update. */
  #streamFrom: bigint | undefined;
  readonly #listeners = new Set<(change: PoolChange) => void>();
  #wasLive = false;

  constructor(pool: TrackedPool, { deployment, onReject }: PoolTrackerOptions) {
    this.#pool = pool;
    this.#deployment = deploymentOf(deployment);
    this.#onReject = onReject;
    this.#accounts = accountsOf(pool, this.#deployment).map((account) => ({
      account,
      version: undefined,
    }));
    // Frozen, it survives the proxies that frameworks put around a page's state.
    Object.freeze(this);
  }

  get snapshot(): FetchedPoolSnapshot | undefined {
    this.#snapshot ??= this.#compose();
    return this.#snapshot;
  }

  get isLive(): boolean {
    return this.#streamFrom !== undefined && !this.isBehind;
  }

  /** Whether the stream runs, but continues no read. */
  get isBehind(): boolean {
    if (this.#streamFrom === undefined) return false;
    return this.#readSlot === undefined || this.#streamFrom > this.#readSlot + 1n;
  }

  get hasLoaded(): boolean {
    return this.#hasLoaded;
  }

  /** The slot that a read must reach so that nothing is missing. While no stream runs, the newest slot known. */
  get leastSlot(): bigint {
    return this.#streamFrom === undefined ? this.#newestSlot : this.#streamFrom - 1n;
  }

  /** Whether updates are missing before one of this slot. */
  isFarAhead(slot: bigint): boolean {
    return this.#hasLoaded && slot > this.#newestSlot + MAX_SLOTS_AHEAD;
  }

  swapState(options?: { readonly slot?: bigint | undefined }): SwapState | undefined {
    const { snapshot } = this;
    return snapshot && toSwapState(snapshot, options);
  }

  apply(update: AccountUpdate): UpdateOutcome {
    assertHas(update, 'address', 'update', 'an account update');
    const known = this.#accounts.find(({ account }) => account.address === update.address);
    if (known === undefined) return 'untracked';
    let outcome: UpdateOutcome = 'stale';
    let isNews = false;
    try {
      assertSlot(update.slot);
      if (this.isFarAhead(update.slot)) throw farAhead(update, this.#newestSlot);
      if (!isAsNew(known.version, update)) {
        isNews = this.#put(known, this.#versionOf(known, update));
        outcome = 'applied';
      }
      if (known.account.name === 'clock') this.#streamFrom ??= update.slot;
    } catch (error) {
      this.#reject(known, update.slot, error);
      outcome = 'rejected';
    }
    this.#emit(isNews);
    return outcome;
  }

  load(accounts: readonly (AccountRead | undefined)[]): void {
    if (!Array.isArray(accounts))
      throw invalidInput('accounts', accounts, 'the five accounts as they were read');
    const read = this.#accounts.map(({ account }) => accountAt(accounts, account.address));
    const slot = this.#assertRead(read);
    for (const [index, known] of this.#accounts.entries()) {
      const { data, owner } = read[index] as AccountRead;
      if (!this.#isNewer(known.version, slot)) this.#put(known, { data, owner, slot });
    }
    this.#hasLoaded = true;
    if (this.#readSlot === undefined || slot > this.#readSlot) this.#readSlot = slot;
    this.#emit(true);
  }

  gap(): void {
    this.#readSlot = undefined;
    this.#streamFrom = undefined;
    this.#emit(false);
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    // The same function may listen twice.
    const mine = (change: PoolChange) => listener(change);
    this.#listeners.add(mine);
    return () => void this.#listeners.delete(mine);
  }

  /** Whether all accounts are known. */
  get #isWhole(): boolean {
    return this.#accounts.every(({ version }) => version !== undefined);
  }

  #latest(name: TrackedAccount['name']): Version | undefined {
    return this.#accounts.find(({ account }) => account.name === name)?.version;
  }

  /** The newest slot of all versions, or -1. */
  get #newestSlot(): bigint {
    return this.#accounts.reduce((newest, { version }) => {
      const slot = version?.slot ?? -1n;
      return slot > newest ? slot : newest;
    }, -1n);
  }

  /** The snapshot of the newest versions, once there is one of each account. */
  #compose(): FetchedPoolSnapshot | undefined {
    if (!this.#isWhole) return undefined;
    const versions = this.#accounts.map(({ version }) => version) as unknown as Five<Version>;
    const [pool, protocolConfig, mint, priceFeed, clock] = versions;
    const { epoch, unixTimestamp } = decodeClock(clock.data);
    const snapshot = composeSnapshot(pool.data, protocolConfig.data, {
      slot: this.#newestSlot,
      epoch,
      unixTimestamp,
      token: decodeMint(mint.data, epoch),
      solPrice: priceOn(priceFeed),
    });
    const { programAddress } = this.#deployment;
    const tokenProgram = mint.owner as Address;
    return { ...snapshot, addresses: poolAddresses(this.#pool, pool.data, { programAddress, tokenProgram }) };
  }

  /** Checks an update against what is known. */
  #versionOf(known: KnownAccount, update: Omit<AccountUpdate, 'address'>): Version {
    const tokenProgram = this.#latest('mint')?.owner;
    assertUpdate(this.#pool, known.account, update, {
      tokenProgram,
      clock: this.#latest('clock')?.data,
    });
    const { data, slot, writeVersion } = update;
    const owner = update.owner ?? (known.account.name === 'mint' ? tokenProgram : undefined);
    return { data, owner, slot, writeVersion };
  }

  /** Takes a newer version. Returns whether a quote may differ for a reason other than the passage of time. */
  #put(known: KnownAccount, version: Version): boolean {
    const before = known.version;
    known.version = version;
    this.#snapshot = undefined;
    if (!this.#isWhole) return false;
    if (before === undefined) return true;
    const { name } = known.account;
    if (name === 'clock') return this.#isNewTime(before, version);
    if (name === 'priceFeed') return isNewPrice(before, version);
    return true;
  }

  /** Whether another epoch begins, or the pool opens. */
  #isNewTime(before: Version, now: Version): boolean {
    const { data } = this.#latest('pool') as Version;
    const opensAt = view(data).getBigUint64(POOL.openAt, true);
    const [old, current] = [decodeClock(before.data), decodeClock(now.data)];
    return old.epoch !== current.epoch || old.unixTimestamp < opensAt !== current.unixTimestamp < opensAt;
  }

  /** Checks accounts that were read, in the tracker's order. Returns their slot. */
  #assertRead([pool, config, mint, feed, clock]: readonly (AccountRead | undefined)[]): bigint {
    const { configVersion, kind } = this.#pool;
    const addresses = this.#accounts.map(({ account }) => account.address) as unknown as Five<Address>;
    const [poolAddress, configAddress, mintAddress, feedAddress, clockAddress] = addresses;
    const { slot } = snapshotFrom(
      [pool, mint, feed, clock, config],
      [poolAddress, mintAddress, feedAddress, clockAddress, configAddress],
      { configVersions: [configVersion], pool: kind === 'standard' ? undefined : this.#pool.pool },
      this.#deployment,
    );
    return slot;
  }

  /** Whether a version stays when an earlier slot is read. Before the first read, nothing told whether it was far ahead. */
  #isNewer(version: Version | undefined, readSlot: bigint): boolean {
    if (version === undefined || version.slot <= readSlot) return false;
    return this.#hasLoaded || version.slot <= readSlot + MAX_SLOTS_AHEAD;
  }

  /** A rejected update may have been real: it is missing, and so is what came before one far ahead. */
  #reject({ account: { address } }: KnownAccount, slot: bigint, error: unknown): void {
    if (!isHeavenError(error)) throw error;
    this.#readSlot = undefined;
    if (!isSlot(slot) || this.isFarAhead(slot)) this.#streamFrom = undefined;
    else if (this.#streamFrom === undefined || this.#streamFrom <= slot) this.#streamFrom = slot + 1n;
    notify(this.#onReject, { address, slot, error });
  }

  #emit(isNews: boolean): void {
    const { isLive } = this;
    const isTurn = isLive !== this.#wasLive;
    this.#wasLive = isLive;
    for (const listener of [...this.#listeners]) {
      if (isNews) notify(listener, 'snapshot');
      if (isTurn) notify(listener, 'isLive');
    }
  }
}

/** One for each account, in the order of {@link accountsOf}. */
type Five<T> = readonly [T, T, T, T, T];

/** The price in a feed, whose time was checked when it arrived. */
const priceOn = ({ data }: Version): SolPrice => decodeSolPrice(data, U64_MAX);

function isNewPrice(before: Version, now: Version): boolean {
  const [old, current] = [priceOn(before), priceOn(now)];
  return old.answer !== current.answer || old.decimals !== current.decimals;
}

const isSlot = (slot: unknown): slot is bigint => typeof slot === 'bigint' && slot >= 0n && slot <= U64_MAX;

function assertSlot(slot: unknown): void {
  if (!isSlot(slot)) throw invalidInput('slot', slot, 'a slot as a bigint');
}

/** Whether a version is at least as new as a write. */
function isAsNew(known: Version | undefined, { slot, writeVersion }: AccountUpdate): boolean {
  if (known === undefined || known.slot !== slot) return known !== undefined && known.slot > slot;
  if (writeVersion === undefined) return false;
  return known.writeVersion === undefined || known.writeVersion >= writeVersion;
}

function farAhead({ address, slot }: AccountUpdate, newest: bigint): HeavenError {
  const most = newest + MAX_SLOTS_AHEAD;
  return new HeavenError(
    'rpc-wrong-account',
    `The update of ${address} is of slot ${slot}, and must be of slot ${most} at most: the newest slot known is ${newest}. Read the accounts again.`,
    {
      account: 'update',
      address,
      reason: `its slot is ${slot}, and must be ${most} at most`,
      field: 'slot',
      found: slot,
      expected: `at most ${most}`,
    },
  );
}
