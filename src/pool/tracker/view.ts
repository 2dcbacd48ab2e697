import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { addressAt } from '../../solana/base58.js';
import { notify } from '../../solana/rpc/notify.js';
import {
  composeSnapshot,
  type DecodedPool,
  decodeMint,
  type PoolSnapshot,
  type SolPrice,
} from '../decode.js';
import { POOL } from '../layout.js';
import type { PoolAddresses } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import type { TrackedPool } from './accounts.js';
import type { Decoded } from './admit.js';
import type { createCoverage } from './coverage.js';
import { type History, type Version, versionAt } from './history.js';
import type { PoolChange } from './tracker.js';

/** A version of each account, in the order of the tracked accounts. */
export type Versions = readonly (Version | undefined)[];

interface Composed {
  readonly versions: Versions;
  readonly slot: number;
  readonly snapshot: FetchedPoolSnapshot;
}

type Five = readonly [Version, Version, Version, Version, Version];

const isWhole = (versions: Versions): boolean => {
  for (let index = 0; index < 5; index++) if (versions[index] === undefined) return false;
  return true;
};

/** Composes snapshots, and remembers the last of each kind. Nothing is decoded twice, but for the mint when an epoch begins. */
export function createComposer(
  { pool, protocolConfig, mint }: TrackedPool,
  { programAddress, rules }: Deployment,
) {
  let addresses: PoolAddresses | undefined;
  let vaultsOf: Uint8Array | undefined;
  let token:
    | { readonly of: Uint8Array; readonly epoch: bigint; readonly value: PoolSnapshot['token'] }
    | undefined;
  /** The last two, the newer one first: of the newest accounts, and of the complete slot. */
  let newer: Composed | undefined;
  let older: Composed | undefined;

  const addressesOf = ({ data }: Version, tokenProgram: Address): PoolAddresses => {
    if (
      addresses === undefined ||
      vaultsOf === undefined ||
      addresses.tokenProgram !== tokenProgram ||
      // Before the first read, and once forks have undone all that was known, nothing vouches for the vaults of an update.
      !hasSameVaults(data, vaultsOf)
    ) {
      vaultsOf = data;
      addresses = {
        programAddress,
        pool,
        protocolConfig,
        mint,
        tokenProgram,
        tokenAVault: addressAt(data, POOL.tokenAVault),
        tokenBVault: addressAt(data, POOL.tokenBVault),
      };
    }
    return addresses;
  };

  const tokenOf = (data: Uint8Array, epoch: bigint) => {
    if (token === undefined || token.of !== data || token.epoch !== epoch)
      token = { of: data, epoch, value: decodeMint(data, epoch) };
    return token.value;
  };

  return (versions: Versions, asOf: number | undefined): FetchedPoolSnapshot | undefined => {
    if (!isWhole(versions)) return undefined;
    let slot = asOf ?? 0;
    for (let index = 0; index < 5; index++) {
      const version = versions[index] as Version;
      if (version.slot > slot) slot = version.slot;
    }
    if (newer !== undefined && newer.versions === versions && newer.slot === slot) return newer.snapshot;
    if (older !== undefined && older.versions === versions && older.slot === slot) return older.snapshot;
    const [poolVersion, config, mintVersion, feed, clockVersion] = versions as unknown as Five;
    const { epoch, unixTimestamp } = clockVersion.decoded as Decoded['clock'];
    const snapshot: { -readonly [TField in keyof FetchedPoolSnapshot]?: FetchedPoolSnapshot[TField] } =
      composeSnapshot(
        poolVersion.decoded as DecodedPool,
        { slot: BigInt(slot), epoch, unixTimestamp },
        tokenOf(mintVersion.data, epoch),
        feed.decoded as SolPrice,
        rules,
        { pool: poolVersion.data, protocolConfig: config.data },
      );
    snapshot.addresses = addressesOf(poolVersion, mintVersion.owner as Address);
    const whole = snapshot as FetchedPoolSnapshot;
    older = newer;
    newer = { versions, slot, snapshot: whole };
    return whole;
  };
}

function hasSameVaults(data: Uint8Array, known: Uint8Array): boolean {
  for (let k = POOL.tokenAVault; k < POOL.tokenAVault + 64; k++) if (data[k] !== known[k]) return false;
  return true;
}

const NONE: Versions = [undefined, undefined, undefined, undefined, undefined];

/** What is shown of the histories: the newest of all, and the state as of the newest complete slot. */
export function createViews(
  histories: readonly History[],
  coverage: ReturnType<typeof createCoverage>,
  compose: ReturnType<typeof createComposer>,
) {
  const listeners = new Set<(change: PoolChange) => void>();
  let latest = NONE;
  let settled = NONE;
  let isLive = false;
  let settledAt = -1;

  const isDoubtful = ({ doubt }: History, { slot }: Version): boolean =>
    doubt !== undefined && doubt <= coverage.head() && slot < doubt;

  const isWholeAt = (head: number): boolean => {
    for (let index = 0; index < histories.length; index++) {
      const shown = settled[index];
      if (shown === undefined || shown.slot > head || isDoubtful(histories[index] as History, shown))
        return false;
    }
    return true;
  };

  return {
    latest: () => compose(latest, undefined),
    snapshot: () => compose(settled, isLive ? coverage.head() : undefined),
    isLive: () => isLive,
    /** Finds what is shown now, and tells what changed. `touched`: the only account of which anything came since the last time. */
    settle: (newestSlot: number, touched?: number): void => {
      const isOff = coverage.hasOff() ? coverage.isOff : undefined;
      const head = coverage.head();
      const latestBefore = latest;
      const settledBefore = settled;
      const wasLive = isLive;
      const only = isOff === undefined && head === settledAt ? touched : undefined;
      settledAt = head;
      latest = pick(histories, latest, undefined, isOff, only);
      settled = head < 0 || newestSlot <= head ? latest : pick(histories, settled, head, isOff, only);
      isLive = head >= 0 && coverage.isJoined() && isWholeAt(head);
      if (listeners.size === 0) return;
      const tell = (change: PoolChange) => {
        for (const listener of [...listeners]) notify(listener, change);
      };
      if (changeBetween(latestBefore, latest)) tell('latest');
      if (changeBetween(settledBefore, settled)) tell('snapshot');
      if (isLive !== wasLive) tell('isLive');
    },
    onChange: (listener: (change: PoolChange) => void): (() => void) => {
      const mine = (change: PoolChange) => listener(change);
      listeners.add(mine);
      return () => void listeners.delete(mine);
    },
  };
}

/** The versions that are shown: the same array as before if they are the same. */
function pick(
  histories: readonly History[],
  before: Versions,
  upTo: number | undefined,
  isOff: ((slot: number) => boolean) | undefined,
  only: number | undefined,
): Versions {
  let now: (Version | undefined)[] | undefined;
  for (let index = only ?? 0; index <= (only ?? histories.length - 1); index++) {
    const history = histories[index] as History;
    const shown = versionAt(history, upTo, isOff) ?? firstOn(history, isOff);
    if (shown === before[index]) continue;
    now ??= [...before];
    now[index] = shown;
  }
  return now ?? before;
}

/** Before anything is complete, what there is. */
const firstOn = ({ versions }: History, isOff: ((slot: number) => boolean) | undefined) =>
  versions.find(({ slot }) => isOff?.(slot) !== true);

/** Whether a quote may differ, for another reason than the time that went by. */
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
  const { opensAt } = poolNow.decoded as DecodedPool;
  return time.epoch !== timeNow.epoch || time.unixTimestamp < opensAt !== timeNow.unixTimestamp < opensAt;
}
