import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import type { SwapState } from '../../math/types.js';
import { view } from '../../solana/account-data.js';
import { addressAt } from '../../solana/addresses.js';
import { notify } from '../../solana/rpc/notify.js';
import {
  composeSnapshot,
  decodeMint,
  PoolReader,
  type PoolSnapshot,
  type SolPrice,
  type Surroundings,
} from '../decode.js';
import { POOL } from '../layout.js';
import type { PoolAddresses } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { toSwapState } from '../swap-state.js';
import type { TrackedPool } from './accounts.js';
import type { Decoded, PoolIdentity } from './admit.js';
import type { Coverage } from './coverage.js';
import { type History, type Version, versionAt } from './history.js';
import type { SlotChain } from './slot-chain.js';
import type { PoolChange } from './tracker.js';

/** Which of an account's versions callers see: the newest, or the one as of the newest complete slot. */
type Shown = 'latest' | 'settled';

/** What a snapshot takes from the accounts other than the pool's, which change less often. */
interface Around extends Surroundings {
  /** The newest of their slots. */
  readonly newestSlot: number;
  readonly tokenProgram: Address;
}

/** Composes snapshots. Decodes nothing twice, except the mint when an epoch begins. */
export class Composer {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  #addresses: PoolAddresses | undefined;
  #identity: PoolIdentity | undefined;
  #token: PoolSnapshot['token'] | undefined;
  #tokenOf: Uint8Array | undefined;
  #tokenEpoch = -1n;

  constructor(pool: TrackedPool, deployment: Deployment) {
    this.#pool = pool;
    this.#deployment = deployment;
  }

  around(config: Version, mint: Version, feed: Version, clock: Version): Around {
    const { epoch, unixTimestamp } = clock.decoded as Decoded['clock'];
    return {
      newestSlot: Math.max(config.slot, mint.slot, feed.slot, clock.slot),
      epoch,
      unixTimestamp,
      token: this.#tokenAt(mint.data, epoch),
      tokenProgram: mint.owner as Address,
      solPrice: feed.decoded as SolPrice,
      protocolConfig: config.data,
    };
  }

  compose(pool: Version, reader: PoolReader, around: Around): FetchedPoolSnapshot {
    const snapshot: { -readonly [TField in keyof FetchedPoolSnapshot]?: FetchedPoolSnapshot[TField] } =
      composeSnapshot(reader, around);
    snapshot.addresses = this.#addressesOf(pool, around.tokenProgram);
    return snapshot as FetchedPoolSnapshot;
  }

  #addressesOf({ data, decoded }: Version, tokenProgram: Address): PoolAddresses {
    if (
      this.#addresses === undefined ||
      this.#identity !== decoded ||
      this.#addresses.tokenProgram !== tokenProgram
    ) {
      const { pool, protocolConfig, mint } = this.#pool;
      this.#identity = decoded as Decoded['pool'];
      this.#addresses = {
        programAddress: this.#deployment.programAddress,
        pool,
        protocolConfig,
        mint,
        tokenProgram,
        tokenAVault: addressAt(data, POOL.tokenAVault),
        tokenBVault: addressAt(data, POOL.tokenBVault),
      };
    }
    return this.#addresses;
  }

  #tokenAt(data: Uint8Array, epoch: bigint): PoolSnapshot['token'] {
    if (this.#token === undefined || this.#tokenOf !== data || this.#tokenEpoch !== epoch) {
      this.#token = decodeMint(data, epoch);
      this.#tokenOf = data;
      this.#tokenEpoch = epoch;
    }
    return this.#token;
  }
}

/** A state that callers see: one version of each account, and the snapshot that they make. */
class Sight {
  readonly #shown: Shown;
  readonly #histories: readonly History[];
  readonly #composer: Composer;
  /** How many accounts have a version. */
  #known = 0;
  #around: Around | undefined;
  #snapshot: FetchedPoolSnapshot | undefined;
  #snapshotSlot = -1;
  /** The versions at the last call of {@link hasChanged}. */
  #told: Versions = [];

  constructor(shown: Shown, histories: readonly History[], composer: Composer) {
    this.#shown = shown;
    this.#histories = histories;
    this.#composer = composer;
  }

  get isWhole(): boolean {
    return this.#known === this.#histories.length;
  }

  /** The newest slot of the versions. Only if there is one of each account. */
  get newestSlot(): number {
    const { slot } = this.#pool();
    const { newestSlot } = this.#surroundings();
    return slot > newestSlot ? slot : newestSlot;
  }

  /** Shows another version of an account. */
  show(history: History, version: Version | undefined): void {
    if (history[this.#shown] === undefined) this.#known++;
    if (version === undefined) this.#known--;
    history[this.#shown] = version;
    this.#snapshot = undefined;
    if (history.name !== 'pool') this.#around = undefined;
  }

  /** The versions' snapshot, as of a slot. Only if there is one of each account. */
  snapshotAt(slot: number): FetchedPoolSnapshot {
    if (this.#snapshot === undefined || this.#snapshotSlot !== slot) {
      this.#snapshot = this.#composer.compose(this.#pool(), this.readerAt(slot), this.#surroundings());
      this.#snapshotSlot = slot;
    }
    return this.#snapshot;
  }

  /** The same, decoded only as far as it is read. */
  readerAt(slot: number): PoolReader {
    return new PoolReader(this.#pool().data, BigInt(slot), this.#surroundings());
  }

  /** Whether a quote may differ since the last call, for a reason other than the passage of time. */
  hasChanged(): boolean {
    const before = this.#told;
    this.#told = this.#versions();
    return isWhole(this.#told) && (!isWhole(before) || changeBetween(before, this.#told));
  }

  #pool(): Version {
    return (this.#histories[0] as History)[this.#shown] as Version;
  }

  #surroundings(): Around {
    if (this.#around === undefined) {
      const [, config, mint, feed, clock] = this.#versions() as Five;
      this.#around = this.#composer.around(config, mint, feed, clock);
    }
    return this.#around;
  }

  #versions(): Versions {
    return this.#histories.map((history) => history[this.#shown]);
  }
}

/** What callers see of the histories: the newest of everything, and the state as of the newest complete slot. */
export class Views {
  readonly #histories: readonly History[];
  readonly #coverage: Coverage;
  readonly #latest: Sight;
  readonly #settled: Sight;
  /** Created with the first listener. */
  #listeners: Set<(change: PoolChange) => void> | undefined;
  #settledAt = -1;
  isLive = false;

  constructor(histories: readonly History[], coverage: Coverage, composer: Composer) {
    this.#histories = histories;
    this.#coverage = coverage;
    this.#latest = new Sight('latest', histories, composer);
    this.#settled = new Sight('settled', histories, composer);
  }

  get latest(): FetchedPoolSnapshot | undefined {
    const latest = this.#latest;
    return latest.isWhole ? latest.snapshotAt(latest.newestSlot) : undefined;
  }

  get snapshot(): FetchedPoolSnapshot | undefined {
    const settled = this.#settled;
    if (!settled.isWhole) return undefined;
    const slot = this.#settledSlot();
    const isLatest = this.#histories.every((history) => history.settled === history.latest);
    return isLatest && slot === settled.newestSlot ? this.latest : settled.snapshotAt(slot);
  }

  swapState(of: 'latest' | 'snapshot', slot: bigint | undefined): SwapState | undefined {
    const sight = of === 'latest' ? this.#latest : this.#settled;
    if (!sight.isWhole) return undefined;
    const reader = sight.readerAt(of === 'latest' ? sight.newestSlot : this.#settledSlot());
    return toSwapState(reader, { slot: slot ?? reader.slot });
  }

  #settledSlot(): number {
    const { newestSlot } = this.#settled;
    return this.isLive ? Math.max(this.#coverage.head, newestSlot) : newestSlot;
  }

  /** Updates what callers see, and reports what changed. `touched`: the only account that was updated since the last call. */
  settle(newestSlot: number, touched?: History): void {
    const { chain, head } = this.#coverage;
    if (touched !== undefined && head === this.#settledAt && !chain.hasOff) this.#look(touched, newestSlot);
    else for (const history of this.#histories) this.#look(history, newestSlot);
    this.#settledAt = head;
    const wasLive = this.isLive;
    this.isLive = head >= 0 && this.#coverage.isJoined && this.#isWholeAt(head);
    if (this.#listeners === undefined || this.#listeners.size === 0) return;
    if (this.#latest.hasChanged()) this.#tell('latest');
    if (this.#settled.hasChanged()) this.#tell('snapshot');
    if (this.isLive !== wasLive) this.#tell('isLive');
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    if (this.#listeners === undefined || this.#listeners.size === 0) {
      this.#latest.hasChanged();
      this.#settled.hasChanged();
    }
    this.#listeners ??= new Set();
    const mine = (change: PoolChange) => listener(change);
    this.#listeners.add(mine);
    return () => void this.#listeners?.delete(mine);
  }

  /** Picks an account's versions again. */
  #look(history: History, newestSlot: number): void {
    const { chain, head } = this.#coverage;
    const fork = chain.hasOff ? chain : undefined;
    const latest = versionAt(history, undefined, fork);
    const settled =
      head < 0 || newestSlot <= head ? latest : (versionAt(history, head, fork) ?? firstOn(history, fork));
    if (latest !== history.latest) this.#latest.show(history, latest);
    if (settled !== history.settled) this.#settled.show(history, settled);
  }

  #tell(change: PoolChange): void {
    for (const listener of [...(this.#listeners ?? [])]) notify(listener, change);
  }

  #isWholeAt(head: number): boolean {
    for (let index = 0; index < this.#histories.length; index++) {
      const { settled, doubt } = this.#histories[index] as History;
      if (settled === undefined || settled.slot > head) return false;
      if (doubt !== undefined && doubt <= head && settled.slot < doubt) return false;
    }
    return true;
  }
}

/** The first version there is, while nothing is complete. */
const firstOn = ({ versions }: History, chain: SlotChain | undefined) =>
  versions.find(({ slot }) => chain?.isOff(slot) !== true);

/** One version of each account, in the order of the histories. */
type Versions = readonly (Version | undefined)[];

type Five = readonly [Version, Version, Version, Version, Version];

const isWhole = (versions: Versions): versions is Five =>
  versions.length === 5 && versions.every((version) => version !== undefined);

function changeBetween(before: Five, now: Five): boolean {
  const [pool, config, mint, feed, clock] = before;
  const [poolNow, configNow, mintNow, feedNow, clockNow] = now;
  if (pool !== poolNow || config !== configNow || mint !== mintNow) return true;
  const price = feed.decoded as SolPrice;
  const priceNow = feedNow.decoded as SolPrice;
  if (price.answer !== priceNow.answer || price.decimals !== priceNow.decimals) return true;
  const time = clock.decoded as Decoded['clock'];
  const timeNow = clockNow.decoded as Decoded['clock'];
  const opensAt = view(poolNow.data).getBigUint64(POOL.openAt, true);
  return time.epoch !== timeNow.epoch || time.unixTimestamp < opensAt !== timeNow.unixTimestamp < opensAt;
}
