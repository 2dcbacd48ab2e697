import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { view } from '../../solana/account-data.js';
import { addressAt } from '../../solana/base58.js';
import { notify } from '../../solana/rpc/notify.js';
import { composeSnapshot, decodeMint, type PoolSnapshot, readPool, type SolPrice } from '../decode.js';
import { POOL } from '../layout.js';
import type { PoolAddresses } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import type { TrackedPool } from './accounts.js';
import type { Decoded } from './admit.js';
import type { Coverage } from './coverage.js';
import { type History, type Version, versionAt } from './history.js';
import type { SlotChain } from './slot-chain.js';
import type { PoolChange } from './tracker.js';

/** One version of each account, in the order of the tracked accounts. */
export type Versions = readonly (Version | undefined)[];

type Five = readonly [Version, Version, Version, Version, Version];

const isWhole = (versions: Versions): boolean => {
  for (let index = 0; index < 5; index++) if (versions[index] === undefined) return false;
  return true;
};

const newestSlotOf = (versions: Versions): number => {
  let newest = 0;
  for (let index = 0; index < 5; index++) {
    const { slot } = versions[index] as Version;
    if (slot > newest) newest = slot;
  }
  return newest;
};

const NONE: Versions = [undefined, undefined, undefined, undefined, undefined];

/** Composes snapshots. Decodes nothing twice, except the mint when an epoch begins. */
export class Composer {
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  #addresses: PoolAddresses | undefined;
  #vaultsOf: Uint8Array | undefined;
  #token: PoolSnapshot['token'] | undefined;
  #tokenOf: Uint8Array | undefined;
  #tokenEpoch = -1n;

  constructor(pool: TrackedPool, deployment: Deployment) {
    this.#pool = pool;
    this.#deployment = deployment;
  }

  compose(versions: Versions, slot: number): FetchedPoolSnapshot {
    const [pool, config, mint, feed, clock] = versions as unknown as Five;
    const { epoch, unixTimestamp } = clock.decoded as Decoded['clock'];
    const snapshot: { -readonly [TField in keyof FetchedPoolSnapshot]?: FetchedPoolSnapshot[TField] } =
      composeSnapshot(
        readPool(view(pool.data)),
        { slot: BigInt(slot), epoch, unixTimestamp },
        this.#tokenAt(mint.data, epoch),
        feed.decoded as SolPrice,
        this.#deployment.rules,
        { pool: pool.data, protocolConfig: config.data },
      );
    snapshot.addresses = this.#addressesOf(pool, mint.owner as Address);
    return snapshot as FetchedPoolSnapshot;
  }

  #addressesOf({ data }: Version, tokenProgram: Address): PoolAddresses {
    if (
      this.#addresses === undefined ||
      this.#vaultsOf === undefined ||
      this.#addresses.tokenProgram !== tokenProgram ||
      // Before the first read, or after forks have undone everything known, nothing confirms the vaults of an update.
      !hasSameVaults(data, this.#vaultsOf)
    ) {
      const { pool, protocolConfig, mint } = this.#pool;
      this.#vaultsOf = data;
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

function hasSameVaults(data: Uint8Array, known: Uint8Array): boolean {
  for (let k = POOL.tokenAVault; k < POOL.tokenAVault + 64; k++) if (data[k] !== known[k]) return false;
  return true;
}

/** What callers see of the histories: the newest of everything, and the state as of the newest complete slot. */
export class Views {
  readonly #histories: readonly History[];
  readonly #coverage: Coverage;
  readonly #composer: Composer;
  /** Created with the first listener. */
  #listeners: Set<(change: PoolChange) => void> | undefined;
  #latest = NONE;
  #settled = NONE;
  #settledAt = -1;
  /** The snapshots composed from `#latest` and `#settled`. */
  #latestSnapshot: FetchedPoolSnapshot | undefined;
  #settledSnapshot: FetchedPoolSnapshot | undefined;
  #settledSlot = -1;
  isLive = false;

  constructor(histories: readonly History[], coverage: Coverage, composer: Composer) {
    this.#histories = histories;
    this.#coverage = coverage;
    this.#composer = composer;
  }

  get latest(): FetchedPoolSnapshot | undefined {
    if (this.#latestSnapshot === undefined && isWhole(this.#latest))
      this.#latestSnapshot = this.#composer.compose(this.#latest, newestSlotOf(this.#latest));
    return this.#latestSnapshot;
  }

  get snapshot(): FetchedPoolSnapshot | undefined {
    if (!isWhole(this.#settled)) return undefined;
    const newest = newestSlotOf(this.#settled);
    const slot = this.isLive ? Math.max(this.#coverage.head, newest) : newest;
    if (this.#settledSnapshot !== undefined && this.#settledSlot === slot) return this.#settledSnapshot;
    this.#settledSnapshot =
      this.#settled === this.#latest && slot === newest
        ? this.latest
        : this.#composer.compose(this.#settled, slot);
    this.#settledSlot = slot;
    return this.#settledSnapshot;
  }

  /** Updates what callers see, and reports what changed. `touched`: the only account that was updated since the last call. */
  settle(newestSlot: number, touched?: number): void {
    const coverage = this.#coverage;
    const chain = coverage.chain.hasOff ? coverage.chain : undefined;
    const head = coverage.head;
    const latest = this.#latest;
    const settled = this.#settled;
    const wasLive = this.isLive;
    const only = chain === undefined && head === this.#settledAt ? touched : undefined;
    this.#settledAt = head;
    this.#latest = pick(this.#histories, latest, undefined, chain, only);
    this.#settled =
      head < 0 || newestSlot <= head ? this.#latest : pick(this.#histories, settled, head, chain, only);
    this.isLive = head >= 0 && coverage.isJoined && this.#isWholeAt(head);
    if (this.#latest !== latest) this.#latestSnapshot = undefined;
    if (this.#settled !== settled) this.#settledSnapshot = undefined;
    if (this.#listeners === undefined || this.#listeners.size === 0) return;
    if (changeBetween(latest, this.#latest)) this.#tell('latest');
    if (changeBetween(settled, this.#settled)) this.#tell('snapshot');
    if (this.isLive !== wasLive) this.#tell('isLive');
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    this.#listeners ??= new Set();
    const mine = (change: PoolChange) => listener(change);
    this.#listeners.add(mine);
    return () => void this.#listeners?.delete(mine);
  }

  #tell(change: PoolChange): void {
    for (const listener of [...(this.#listeners ?? [])]) notify(listener, change);
  }

  #isWholeAt(head: number): boolean {
    for (let index = 0; index < this.#histories.length; index++) {
      const shown = this.#settled[index];
      if (shown === undefined || shown.slot > head) return false;
      const { doubt } = this.#histories[index] as History;
      if (doubt !== undefined && doubt <= head && shown.slot < doubt) return false;
    }
    return true;
  }
}

/** Picks the versions to show. Returns the same array as before if they are the same. */
function pick(
  histories: readonly History[],
  before: Versions,
  upTo: number | undefined,
  chain: SlotChain | undefined,
  only: number | undefined,
): Versions {
  let now: (Version | undefined)[] | undefined;
  for (let index = only ?? 0; index <= (only ?? histories.length - 1); index++) {
    const history = histories[index] as History;
    const shown = versionAt(history, upTo, chain) ?? firstOn(history, chain);
    if (shown === before[index]) continue;
    now ??= [...before];
    now[index] = shown;
  }
  return now ?? before;
}

/** The first version there is, while nothing is complete. */
const firstOn = ({ versions }: History, chain: SlotChain | undefined) =>
  versions.find(({ slot }) => chain?.isOff(slot) !== true);

/** Whether a quote may differ for a reason other than the passage of time. */
export function changeBetween(before: Versions, now: Versions): boolean {
  if (before === now || !isWhole(now)) return false;
  if (!isWhole(before)) return true;
  const [pool, config, mint, feed, clock] = before as unknown as Five;
  const [poolNow, configNow, mintNow, feedNow, clockNow] = now as unknown as Five;
  if (pool !== poolNow || config !== configNow || mint !== mintNow) return true;
  const price = feed.decoded as SolPrice;
  const priceNow = feedNow.decoded as SolPrice;
  if (price.answer !== priceNow.answer || price.decimals !== priceNow.decimals) return true;
  const time = clock.decoded as Decoded['clock'];
  const timeNow = clockNow.decoded as Decoded['clock'];
  const opensAt = view(poolNow.data).getBigUint64(POOL.openAt, true);
  return time.epoch !== timeNow.epoch || time.unixTimestamp < opensAt !== timeNow.unixTimestamp < opensAt;
}
