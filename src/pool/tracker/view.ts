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
  const recent: { versions: Versions; slot: bigint; snapshot: FetchedPoolSnapshot }[] = [];

  const addressesOf = (data: Uint8Array, tokenProgram: Address): PoolAddresses => {
    if (
      addresses === undefined ||
      vaultsOf === undefined ||
      addresses.tokenProgram !== tokenProgram ||
      !hasSameVaults(data, vaultsOf)
    ) {
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
    vaultsOf = data;
    return addresses;
  };

  const tokenOf = (data: Uint8Array, epoch: bigint) => {
    if (token === undefined || token.of !== data || token.epoch !== epoch)
      token = { of: data, epoch, value: decodeMint(data, epoch) };
    return token.value;
  };

  return (versions: Versions, asOf: bigint | undefined): FetchedPoolSnapshot | undefined => {
    if (!isWhole(versions)) return undefined;
    const [poolVersion, config, mintVersion, feed, clockVersion] = versions as unknown as Five;
    let slot = asOf ?? 0n;
    for (const version of versions) if ((version as Version).slot > slot) slot = (version as Version).slot;
    for (const known of recent) if (known.versions === versions && known.slot === slot) return known.snapshot;
    const { epoch, unixTimestamp } = clockVersion.decoded as Decoded['clock'];
    const snapshot: { -readonly [TField in keyof FetchedPoolSnapshot]?: FetchedPoolSnapshot[TField] } =
      composeSnapshot(
        poolVersion.decoded as DecodedPool,
        { slot, epoch, unixTimestamp },
        tokenOf(mintVersion.data, epoch),
        feed.decoded as SolPrice,
        rules,
        { pool: poolVersion.data, protocolConfig: config.data },
      );
    snapshot.addresses = addressesOf(poolVersion.data, mintVersion.owner as Address);
    const whole = snapshot as FetchedPoolSnapshot;
    if (recent.push({ versions, slot, snapshot: whole }) > 2) recent.shift();
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

  const isDoubtful = ({ doubt }: History, { slot }: Version): boolean =>
    doubt !== undefined && doubt <= coverage.head() && slot < doubt;

  const isWholeAt = (head: bigint): boolean => {
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
    /** Finds what is shown now, and tells what changed. */
    settle: (newestSlot: bigint): void => {
      const isOff = coverage.hasOff() ? coverage.isOff : undefined;
      const head = coverage.head();
      const before = { latest, settled, isLive };
      latest = pick(histories, latest, undefined, isOff);
      settled = head < 0n || newestSlot <= head ? latest : pick(histories, settled, head, isOff);
      isLive = head >= 0n && coverage.isJoined() && isWholeAt(head);
      if (listeners.size === 0) return;
      const tell = (change: PoolChange) => {
        for (const listener of [...listeners]) notify(listener, change);
      };
      if (changeBetween(before.latest, latest)) tell('latest');
      if (changeBetween(before.settled, settled)) tell('snapshot');
      if (isLive !== before.isLive) tell('isLive');
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
  upTo: bigint | undefined,
  isOff: ((slot: bigint) => boolean) | undefined,
): Versions {
  let now: (Version | undefined)[] | undefined;
  for (let index = 0; index < histories.length; index++) {
    const history = histories[index] as History;
    const shown = versionAt(history, upTo, isOff) ?? firstOn(history, isOff);
    if (shown === before[index]) continue;
    now ??= [...before];
    now[index] = shown;
  }
  return now ?? before;
}

/** Before anything is complete, what there is. */
const firstOn = ({ versions }: History, isOff: ((slot: bigint) => boolean) | undefined) =>
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
