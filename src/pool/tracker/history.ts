import type { Address } from '@solana/kit';

import type { PoolAccounts } from '../decode.js';
import type { SlotChain } from './slot-chain.js';

/** An account as of a slot. */
export interface Version {
  readonly slot: number;
  /** The order of writes within the slot. If undefined, this is the account at the end of the slot. */
  readonly writeVersion: bigint | undefined;
  readonly owner: Address | undefined;
  readonly data: Uint8Array;
  readonly decoded: unknown;
  /** How many versions arrived before this one. */
  readonly arrival: number;
  readonly isRead: boolean;
}

/** The versions of one account. */
export interface History {
  readonly name: keyof PoolAccounts;
  readonly address: Address;
  /** Oldest first. Only the last one of each slot is kept. */
  versions: Version[];
  /** The version that callers see as the newest. */
  latest: Version | undefined;
  /** The version that callers see as of the newest complete slot. */
  settled: Version | undefined;
  /** The slot of a rejected update. From then on, the account's state is unknown until another update arrives. */
  doubt: number | undefined;
}

export const createHistory = (name: keyof PoolAccounts, address: Address): History => ({
  name,
  address,
  versions: [],
  latest: undefined,
  settled: undefined,
  doubt: undefined,
});

/** Whether an equally new or newer version of the same slot is known, or the history begins later. */
export function isStale({ versions }: History, slot: number, writeVersion: bigint | undefined): boolean {
  let index = versions.length - 1;
  while (index >= 0 && (versions[index] as Version).slot > slot) index--;
  const before = versions[index];
  if (before === undefined) return versions.length > 0;
  if (before.slot < slot) return false;
  if (writeVersion === undefined) return false;
  return before.writeVersion === undefined || before.writeVersion >= writeVersion;
}

/** Inserts a version that is not stale. */
export function insert(history: History, version: Version): void {
  const { versions } = history;
  const { slot } = version;
  if (history.doubt === slot) history.doubt = undefined;
  let index = versions.length;
  while (index > 0 && (versions[index - 1] as Version).slot > slot) index--;
  const isSame = index > 0 && (versions[index - 1] as Version).slot === slot;
  if (isSame) versions[index - 1] = version;
  else if (index === versions.length) versions.push(version);
  else versions.splice(index, 0, version);
}

/** Replaces everything that is not newer with a read. `begun`: the number of arrivals before the read began. */
export function rebase(history: History, read: Version, begun: number, newestSlot: number): void {
  const newer = history.versions.filter(
    ({ slot, arrival, isRead }) =>
      slot <= newestSlot && (slot > read.slot || (slot === read.slot && !isRead && arrival >= begun)),
  );
  const isReplaced = newer[0]?.slot === read.slot;
  history.versions = isReplaced ? newer : [read, ...newer];
  if (history.doubt !== undefined && history.doubt <= read.slot) history.doubt = undefined;
}

/** Returns the newest version on the fork, up to a slot if one is given. */
export function versionAt(
  { versions }: History,
  upTo: number | undefined,
  chain: SlotChain | undefined,
): Version | undefined {
  for (let index = versions.length - 1; index >= 0; index--) {
    const version = versions[index] as Version;
    if (upTo !== undefined && version.slot > upTo) continue;
    if (chain === undefined || !chain.isOff(version.slot)) return version;
  }
  return undefined;
}

/** Removes everything before the newest version up to a slot: no fork can go back that far. */
export function prune({ versions }: History, slot: number): void {
  let index = versions.length - 1;
  while (index > 0 && (versions[index] as Version).slot > slot) index--;
  if (index > 0) versions.splice(0, index);
}

/** Removes versions on other forks, up to a slot. */
export function dropOff({ versions }: History, chain: SlotChain, upTo: number): void {
  for (let index = versions.length - 1; index >= 0; index--) {
    const { slot } = versions[index] as Version;
    if (slot <= upTo && chain.isOff(slot)) versions.splice(index, 1);
  }
}
