import type { Address } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../../base/errors.js';
import { assertFunction, assertHas, assertNames, invalidInput } from '../../base/input.js';
import { U64_MAX } from '../../base/integers.js';
import type { SwapState } from '../../math/types.js';
import { type Deployment, type DeploymentConfig, deploymentOf } from '../../program/deployment.js';
import { assertShape, invalidAccount, view } from '../../solana/account-data.js';
import { accountAt, assertOwned } from '../../solana/rpc/accounts.js';
import { notify } from '../../solana/rpc/notify.js';
import { MAX_SLOTS_AHEAD } from '../../solana/timing.js';
import { MINT } from '../../solana/token-layout.js';
import { locatePriceAndClock } from '../addresses.js';
import { assertPoolOf, type FetchedPoolSnapshot, poolAddresses, snapshotFrom } from '../check.js';
import {
  assertPoolKind,
  assertSameVersion,
  composeSnapshot,
  configVersionIn,
  decodeMint,
  plausibleKindOf,
  poolVersionOf,
  type SolPrice,
  solPriceIn,
  timeIn,
} from '../decode.js';
import { CLOCK, CONFIG, FEED, POOL } from '../layout.js';
import { toSwapState } from '../swap-state.js';
import {
  type AccountUpdate,
  accountsOf,
  assertTracked,
  type TrackedAccount,
  type TrackedPool,
} from './accounts.js';
import { type Version, Versions } from './versions.js';

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
 *
 * At `processed`, one slot can have two states: a block that the network drops, and a slot that isn't over when you read it. The last
 * update stays until one of the same or a later slot, or a `load` of either, replaces it. A `load` counts as the end of its slot: later
 * updates of that slot with a `writeVersion` are `stale`. `isLive` tells of neither.
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
  return new Tracker(pool, options, new Versions());
}

const SHAPES = { pool: POOL, protocolConfig: CONFIG, mint: MINT, priceFeed: FEED, clock: CLOCK };

/** Says what the {@link Versions} of a pool's accounts mean, and which updates can't be theirs. */
export class Tracker implements PoolTracker {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  readonly #onReject: PoolTrackerOptions['onReject'];
  readonly #accounts: readonly TrackedAccount[];
  readonly #versions: Versions;
  /** Of the newest versions, once somebody asks. */
  #snapshot: FetchedPoolSnapshot | undefined;
  readonly #listeners = new Set<(change: PoolChange) => void>();
  #wasLive = false;

  constructor(pool: TrackedPool, { deployment, onReject }: PoolTrackerOptions, versions: Versions) {
    this.#pool = pool;
    this.#deployment = deploymentOf(deployment);
    this.#onReject = onReject;
    this.#accounts = accountsOf(pool, this.#deployment);
    this.#versions = versions;
    Object.freeze(this);
  }

  get snapshot(): FetchedPoolSnapshot | undefined {
    this.#snapshot ??= this.#compose();
    return this.#snapshot;
  }

  get isLive(): boolean {
    return this.#versions.isLive;
  }

  swapState(options?: { readonly slot?: bigint | undefined }): SwapState | undefined {
    const { snapshot } = this;
    return snapshot && toSwapState(snapshot, options);
  }

  apply(update: AccountUpdate): UpdateOutcome {
    assertHas(update, 'address', 'update', 'an account update');
    const account = this.#accounts.find(({ address }) => address === update.address);
    if (account === undefined) return 'untracked';
    const { name } = account;
    const { data, slot, writeVersion, owner = this.#versions.of(name)?.owner } = update;
    let outcome: UpdateOutcome = 'stale';
    let isNews = false;
    try {
      this.#assertSlot(update);
      if (this.#versions.isNews(name, update)) {
        this.#assertIts(account, { ...update, owner });
        isNews = this.#put(name, { data, owner, slot, writeVersion });
        outcome = 'applied';
      }
      if (name === 'clock') this.#versions.hear(slot);
    } catch (error) {
      this.#reject(update, error);
      outcome = 'rejected';
    }
    this.#emit(isNews);
    return outcome;
  }

  load(accounts: readonly (AccountRead | undefined)[]): void {
    if (!Array.isArray(accounts))
      throw invalidInput('accounts', accounts, 'the five accounts as they were read');
    const { configVersion, pool, mint, protocolConfig, kind } = this.#pool;
    const addresses = [pool, mint, ...locatePriceAndClock(this.#deployment), protocolConfig] as const;
    const at = (address: Address) => accountAt(accounts, address);
    const { slot } = snapshotFrom(
      addresses.map(at),
      addresses,
      { configVersions: [configVersion], pool: kind === 'standard' ? undefined : pool },
      this.#deployment,
    );
    const read = this.#accounts.map(({ name, address }) => [name, at(address) as AccountRead] as const);
    this.#versions.load(slot, read);
    this.#snapshot = undefined;
    this.#emit(true);
  }

  gap(): void {
    this.#versions.miss();
    this.#emit(false);
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    // The same function may listen twice.
    const mine = (change: PoolChange) => listener(change);
    this.#listeners.add(mine);
    return () => void this.#listeners.delete(mine);
  }

  #assertSlot({ address, slot }: AccountUpdate): void {
    if (!isSlot(slot)) throw invalidInput('slot', slot, 'a slot as a bigint');
    if (!this.#versions.isFarAhead(slot)) return;
    const expected = `at most ${this.#versions.newestSlot + MAX_SLOTS_AHEAD}`;
    const reason = `its slot is ${slot}, and must be ${expected}`;
    throw new HeavenError(
      'rpc-wrong-account',
      `The update of ${address} is too far ahead: ${reason}. Read the accounts again.`,
      { account: 'update', address, reason, field: 'slot', found: slot, expected },
    );
  }

  /** Throws if an update can't be the account's that it is for. */
  #assertIts({ name, address, owners }: TrackedAccount, { data, owner, lamports }: AccountUpdate): void {
    const shape = SHAPES[name];
    if (lamports === 0n) throw invalidAccount(shape.name, 'it has no lamports: it is gone', address);
    if (owner !== undefined) assertOwned({ address, data, owner }, shape.name, address, owners);
    assertShape(shape, data, address);
    const { configVersion, kind } = this.#pool;
    if (name === 'pool') {
      const found = plausibleKindOf(data, address);
      assertPoolKind(kind ?? found, found);
      assertSameVersion(configVersion, poolVersionOf(data));
      assertPoolOf(this.#pool, data);
    } else if (name === 'protocolConfig') {
      assertSameVersion(configVersion, configVersionIn(data, address));
    } else if (name === 'mint') {
      if (owner === undefined)
        throw invalidAccount(shape.name, 'its owner, the token program, is not known: give it', address);
      // It checks the transfer fees of this epoch and of all later ones.
      decodeMint(data, 0n);
    } else if (name === 'priceFeed') {
      const clock = this.#versions.of('clock');
      solPriceIn(data, clock === undefined ? U64_MAX : timeIn(clock.data).unixTimestamp, address);
    }
  }

  /** The snapshot of the newest versions, once there is one of each account. */
  #compose(): FetchedPoolSnapshot | undefined {
    const { all } = this.#versions;
    if (all === undefined) return undefined;
    const { pool, protocolConfig, mint, priceFeed, clock } = all;
    const { epoch, unixTimestamp } = timeIn(clock.data);
    const { programAddress } = this.#deployment;
    const snapshot = composeSnapshot(pool.data, protocolConfig.data, {
      slot: this.#versions.newestSlot,
      epoch,
      unixTimestamp,
      token: decodeMint(mint.data, epoch),
      solPrice: priceIn(priceFeed),
    });
    const tokenProgram = mint.owner as Address;
    return { ...snapshot, addresses: poolAddresses(this.#pool, pool.data, { programAddress, tokenProgram }) };
  }

  /** Takes a newer version. Returns whether a quote may differ for a reason other than the passage of time. */
  #put(name: TrackedAccount['name'], version: Version): boolean {
    const before = this.#versions.of(name);
    this.#versions.put(name, version);
    this.#snapshot = undefined;
    const { all } = this.#versions;
    return (
      all !== undefined &&
      (before === undefined || essenceOf(name, before, all.pool) !== essenceOf(name, version, all.pool))
    );
  }

  /** A rejected update may have been real: it is missing, and so is what came before one far ahead. */
  #reject({ address, slot }: AccountUpdate, error: unknown): void {
    if (!isHeavenError(error)) throw error;
    this.#versions.miss(isSlot(slot) && !this.#versions.isFarAhead(slot) ? slot : undefined);
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

const isSlot = (slot: unknown): slot is bigint => typeof slot === 'bigint' && slot >= 0n && slot <= U64_MAX;

/** The price in a feed, whose time was checked when it arrived. */
const priceIn = ({ data }: Version): SolPrice => solPriceIn(data, U64_MAX);

/** What a quote depends on in an account, other than the passage of time: the epoch, and whether the pool is open, but no slot. */
function essenceOf(name: TrackedAccount['name'], version: Version, pool: Version): unknown {
  if (name === 'priceFeed') {
    const { answer, decimals } = priceIn(version);
    return `${answer} ${decimals}`;
  }
  if (name !== 'clock') return version;
  const { epoch, unixTimestamp } = timeIn(version.data);
  return `${epoch} ${unixTimestamp < view(pool.data).getBigUint64(POOL.openAt, true)}`;
}
