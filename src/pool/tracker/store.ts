import type { Deployment } from '../../client.js';
import { invalidAccount } from '../../solana/account-data.js';
import { type TrackedPool, trackedAccountsOf } from './accounts.js';
import { createGate, type Decoded, type Known } from './admit.js';
import { createHistory, type History, insert, rebase, type Version } from './history.js';
import type { AccountRead, AccountUpdate } from './tracker.js';

/** Farther ahead of everything known than this, a slot is not believed: more than two days. */
export const MOST_SLOTS_AHEAD = 1_000_000;

/** A read stands for itself. */
const NOTHING: Known = { pool: () => undefined, now: () => undefined, tokenProgram: () => undefined };

/** The histories of a pool's accounts. Nothing comes in unchecked. */
export function createStore(pool: TrackedPool, deployment: Deployment) {
  const tracked = trackedAccountsOf(pool, deployment);
  const admit = createGate(pool, deployment);
  const histories: readonly History[] = tracked.map(createHistory);
  const [poolHistory, , mintHistory, , clockHistory] = histories as [
    History,
    History,
    History,
    History,
    History,
  ];
  let arrivals = 0;
  let newestSlot = -1;

  const tokenProgram = () => mintHistory.versions[0]?.owner;
  /** What an update has to agree with. Asked for as it is needed: of ten thousand trackers, little is in a processor's cache. */
  const known: Known = {
    pool: () => poolHistory.versions[0]?.data,
    now: () =>
      (clockHistory.versions[clockHistory.versions.length - 1]?.decoded as Decoded['clock'] | undefined)
        ?.unixTimestamp,
    tokenProgram,
  };
  const decode = (
    index: number,
    { address, data, owner }: Pick<AccountUpdate, 'address' | 'data' | 'owner'>,
    isRead: boolean,
  ) => admit(tracked[index] as (typeof tracked)[number], { address, data, owner }, isRead ? NOTHING : known);

  const versionOf = (
    index: number,
    update: Omit<AccountUpdate, 'slot'>,
    slot: number,
    isRead: boolean,
  ): Version => {
    const { address, writeVersion, data, lamports } = update;
    if (lamports === 0n)
      throw invalidAccount(tracked[index]?.name as string, 'it has no lamports: it is gone', address);
    const owner = update.owner ?? (index === MINT ? tokenProgram() : undefined);
    const decoded = decode(index, { address, data, owner }, isRead);
    return { slot, writeVersion, owner, data, decoded, arrival: arrivals++, isRead };
  };

  return {
    tracked,
    histories,
    decode,
    versionOf,
    arrivals: () => arrivals,
    newestSlot: () => newestSlot,
    /** Puts a version in its place. False if that left no room for the state as of the slot `needed`. */
    put: (index: number, version: Version, most: number, needed: number): boolean => {
      const history = histories[index] as History;
      insert(history, version);
      if (version.slot > newestSlot) newestSlot = version.slot;
      if (history.versions.length <= most) return true;
      history.versions.shift();
      return (history.versions[0] as Version).slot <= needed;
    },
    rebase: (accounts: readonly AccountRead[], slot: number, begun: number): void => {
      const read = tracked.map(({ address }, index) =>
        versionOf(index, accounts.find((account) => account.address === address) as AccountRead, slot, true),
      );
      newestSlot = slot;
      for (const [index, history] of histories.entries()) {
        rebase(history, read[index] as Version, begun, slot + MOST_SLOTS_AHEAD);
        const last = history.versions[history.versions.length - 1] as Version;
        if (last.slot > newestSlot) newestSlot = last.slot;
      }
    },
  };
}

const MINT = 2;
