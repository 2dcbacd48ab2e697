import type { Address } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../../errors.js';
import { assertHas, invalidInput } from '../../input.js';
import type { SwapState } from '../../math/types.js';
import { type Deployment, type DeploymentConfig, deploymentOf } from '../../program/deployment.js';
import { invalidAccount } from '../../solana/account-data.js';
import { notify } from '../../solana/rpc/notify.js';
import type { SnapshotAddresses } from '../locate.js';
import { type FetchedPoolSnapshot, snapshotFrom } from '../snapshot.js';
import { toSwapState } from '../swap-state.js';
import { assertTracked, type TrackedPool } from './accounts.js';
import { admit, type Known } from './admit.js';
import { type KnownAccount, PoolState, type Version } from './state.js';

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
   * Whether `snapshot` is up to date: all accounts are known, the stream continues from the last `load` without a gap, and nothing was
   * rejected since without a newer good version. While it is false, don't trade: `load` the accounts again.
   */
  readonly isLive: boolean;
  /**
   * Returns the same as {@link toSwapState} of `snapshot`, in less time: it decodes only what a quote needs. `undefined` until all five
   * accounts are known.
   * @param options `slot`: the slot in which the trade is expected to land. Default: the snapshot's.
   * @throws {HeavenError} `invalid-amount`, `amount-out-of-range` (`slot` is not a valid slot)
   */
  swapState(options?: { readonly slot?: bigint | undefined }): SwapState | undefined;
  /**
   * Applies an update. Updates may repeat and come in any order: the newest slot and write version win. Bad data never throws. An update
   * more than 300 slots ahead of everything known is rejected: updates are missing, so read the accounts again.
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

/** An update this far ahead of everything known means that updates are missing: 300 slots of 200 ms are a minute. */
export const MOST_SLOTS_AHEAD = 300;

/**
 * Tracks a pool from account updates of your own stream (Geyser or WebSocket), without a call. It decodes only what changed. Its
 * snapshots are the same as {@link fetchPoolSnapshot}'s: pass them to quotes and builders.
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
  return new Tracker(pool, options);
}

class Tracker implements PoolTracker {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  readonly #onReject: PoolTrackerOptions['onReject'];
  readonly #state: PoolState;
  #hasLoaded = false;
  /** The slot of the newest read since the last gap. */
  #readSlot: number | undefined;
  /** The slot of the first clock since the last gap. The stream sends everything from there on. */
  #streamFrom: number | undefined;
  /** Created with the first listener. */
  #listeners: Set<(change: PoolChange) => void> | undefined;
  #wasLive = false;

  constructor(pool: TrackedPool, { deployment, onReject }: PoolTrackerOptions) {
    this.#pool = pool;
    this.#deployment = deploymentOf(deployment);
    this.#onReject = onReject;
    this.#state = new PoolState(pool, this.#deployment);
  }

  get snapshot(): FetchedPoolSnapshot | undefined {
    return this.#state.isWhole ? this.#state.snapshot : undefined;
  }

  get isLive(): boolean {
    return (
      this.#readSlot !== undefined &&
      this.#streamFrom !== undefined &&
      this.#streamFrom <= this.#readSlot + 1 &&
      !this.#state.isDoubted
    );
  }

  swapState({ slot }: { readonly slot?: bigint | undefined } = {}): SwapState | undefined {
    if (!this.#state.isWhole) return undefined;
    const { reader } = this.#state;
    return toSwapState(reader, { slot: slot ?? reader.slot });
  }

  apply(update: AccountUpdate): UpdateOutcome {
    assertHas(update, 'address', 'update', 'an account update');
    const known = this.#state.accountAt(update.address);
    if (known === undefined) return 'untracked';
    let slot: number | undefined;
    let isNews: boolean;
    try {
      slot = slotNumber(update.slot);
      if (this.#hasLoaded) assertNotFarAhead(update, slot, this.#state.newestSlot);
      const isStale = isAsNew(known.version, slot, update.writeVersion);
      const version = isStale ? undefined : this.#versionOf(known, update, slot, this.#state);
      if (known.account.name === 'clock') this.#streamFrom ??= slot;
      if (version === undefined) return 'stale';
      isNews = this.#state.put(known, version);
    } catch (error) {
      this.#reject(known, update.slot, error, slot ?? this.#state.newestSlot);
      this.#tell(false);
      return 'rejected';
    }
    this.#tell(isNews);
    return 'applied';
  }

  load(accounts: readonly (AccountRead | undefined)[]): void {
    if (!Array.isArray(accounts))
      throw invalidInput('accounts', accounts, 'the five accounts as they were read');
    const state = this.#state;
    const found = state.accounts.map(({ account }) =>
      accounts.find((read: AccountRead | undefined) => read?.address === account.address),
    );
    const slot = this.#assertRead(found);
    const read = state.accounts.map((known, index) =>
      this.#versionOf(known, found[index] as AccountRead, slot, undefined),
    );
    const before = state.accounts.map(({ version }) => version);
    state.replace(read);
    for (const [index, known] of state.accounts.entries()) {
      if (known.doubt !== undefined && known.doubt > slot + MOST_SLOTS_AHEAD) known.doubt = undefined;
      this.#keep(known, before[index], slot);
    }
    this.#hasLoaded = true;
    if (this.#readSlot === undefined || slot > this.#readSlot) this.#readSlot = slot;
    this.#tell(true);
  }

  gap(): void {
    this.#readSlot = undefined;
    this.#streamFrom = undefined;
    this.#tell(false);
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    if (this.#listeners === undefined || this.#listeners.size === 0) this.#wasLive = this.isLive;
    this.#listeners ??= new Set();
    const mine = (change: PoolChange) => listener(change);
    this.#listeners.add(mine);
    return () => void this.#listeners?.delete(mine);
  }

  #versionOf(
    { account }: KnownAccount,
    {
      data,
      owner: given,
      writeVersion,
      lamports,
    }: Pick<AccountUpdate, 'data' | 'owner' | 'writeVersion' | 'lamports'>,
    slot: number,
    known: Known | undefined,
  ): Version {
    if (lamports === 0n)
      throw invalidAccount(account.name, 'it has no lamports: it is gone', account.address);
    const decoded = admit(this.#pool, account, data, given, known);
    const owner = given ?? (account.name === 'mint' ? known?.tokenProgram : undefined);
    return { slot, writeVersion, owner, data, decoded };
  }

  /** Checks accounts that were read, in the tracker's order. Returns their slot. */
  #assertRead([pool, config, mint, feed, clock]: readonly (AccountRead | undefined)[]): number {
    const [, configAddress, , feedAddress, clockAddress] = this.#state.accounts.map(
      ({ account }) => account.address,
    );
    const { configVersion, kind } = this.#pool;
    const addresses = [this.#pool.pool, this.#pool.mint, feedAddress, clockAddress, configAddress];
    const snapshot = snapshotFrom(
      [pool, mint, feed, clock, config],
      addresses as unknown as SnapshotAddresses,
      { configVersions: [configVersion], pool: kind === 'standard' ? undefined : this.#pool.pool },
      this.#deployment,
    );
    return slotNumber(snapshot.slot);
  }

  /** Keeps what is newer than a read, unless it can't be right. Before the first read, little was known to check it against. */
  #keep(known: KnownAccount, version: Version | undefined, readSlot: number): void {
    if (version === undefined || version.slot <= readSlot) return;
    if (!this.#hasLoaded && version.slot > readSlot + MOST_SLOTS_AHEAD) return;
    try {
      this.#state.put(known, this.#versionOf(known, version, version.slot, this.#state));
    } catch (error) {
      this.#reject(known, BigInt(version.slot), error, version.slot);
    }
  }

  #reject(known: KnownAccount, slot: bigint, error: unknown, doubt: number): void {
    if (!isHeavenError(error)) throw error;
    if (known.doubt === undefined || doubt > known.doubt) known.doubt = doubt;
    notify(this.#onReject, { address: known.account.address, slot, error });
  }

  #tell(isNews: boolean): void {
    if (this.#listeners === undefined || this.#listeners.size === 0) return;
    const { isLive } = this;
    const isTurn = isLive !== this.#wasLive;
    this.#wasLive = isLive;
    for (const listener of [...this.#listeners]) {
      if (isNews) notify(listener, 'snapshot');
      if (isTurn) notify(listener, 'isLive');
    }
  }
}

/** Returns the slot as a number: comparing big integers costs more than the rest of placing an update. */
function slotNumber(slot: unknown): number {
  if (typeof slot !== 'bigint' || slot < 0n || slot > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidInput('slot', slot, 'a slot as a bigint');
  return Number(slot);
}

/** Whether a version is at least as new as a write. */
function isAsNew(known: Version | undefined, slot: number, writeVersion: bigint | undefined): boolean {
  if (known === undefined || known.slot !== slot) return known !== undefined && known.slot > slot;
  if (writeVersion === undefined) return false;
  return known.writeVersion === undefined || known.writeVersion >= writeVersion;
}

function assertNotFarAhead({ address }: AccountUpdate, slot: number, newest: number): void {
  if (slot <= newest + MOST_SLOTS_AHEAD) return;
  const most = newest + MOST_SLOTS_AHEAD;
  throw new HeavenError(
    'rpc-wrong-account',
    `The update of ${address} is of slot ${slot}, and must be of slot ${most} at most: the newest slot known is ${newest}. Read the accounts again.`,
    {
      account: 'update',
      address,
      reason: `its slot is ${slot}, and must be ${most} at most`,
      field: 'slot',
      found: BigInt(slot),
      expected: `at most ${most}`,
    },
  );
}
