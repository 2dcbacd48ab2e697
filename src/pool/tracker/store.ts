import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { invalidAccount } from '../../solana/account-data.js';
import { ACCOUNT_NAMES, addressesOf, type TrackedPool } from './accounts.js';
import { admit, type Decoded, type Known, type PoolIdentity } from './admit.js';
import { createHistory, type History, insert, rebase, type Version } from './history.js';
import type { AccountRead, AccountUpdate } from './tracker.js';

/** A slot this far ahead of everything known, more than two days, is not believed. */
export const MOST_SLOTS_AHEAD = 1_000_000;
/** Two slots farther apart than this, about half a minute, can't both be current. */
export const MOST_SLOTS_APART = 150;

/** The histories of a pool's accounts. Every version is checked before it is stored. */
export class AccountStore implements Known {
  readonly histories: readonly History[];
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  #arrivals = 0;
  #newestSlot = -1;

  constructor(pool: TrackedPool, deployment: Deployment) {
    this.#pool = pool;
    this.#deployment = deployment;
    const addresses = addressesOf(pool, deployment);
    this.histories = ACCOUNT_NAMES.map((name) => createHistory(name, addresses[name]));
  }

  get arrivals(): number {
    return this.#arrivals;
  }

  /** The newest slot of all updates, or -1. */
  get newestSlot(): number {
    return this.#newestSlot;
  }

  pool(): PoolIdentity | undefined {
    return this.histories[POOL]?.versions[0]?.decoded as Decoded['pool'] | undefined;
  }

  now(): bigint | undefined {
    const versions = this.histories[CLOCK]?.versions ?? [];
    return (versions[versions.length - 1]?.decoded as Decoded['clock'] | undefined)?.unixTimestamp;
  }

  tokenProgram(): Address | undefined {
    return this.histories[MINT]?.versions[0]?.owner;
  }

  /** The history of an account, if it is one of this pool's. */
  historyOf(address: Address): History | undefined {
    const { histories } = this;
    for (let index = 0; index < histories.length; index++)
      if (histories[index]?.address === address) return histories[index];
    return undefined;
  }

  /** Decodes an account. A read is checked on its own; an update must also agree with what is known. */
  decode(
    { name, address }: History,
    data: Uint8Array,
    owner: Address | undefined,
    isRead: boolean,
  ): Decoded[keyof Decoded] {
    return admit(this.#pool, this.#deployment, name, { address, data, owner }, isRead ? undefined : this);
  }

  versionOf(history: History, update: Omit<AccountUpdate, 'slot'>, slot: number, isRead: boolean): Version {
    const { writeVersion, data, lamports } = update;
    const { name, address } = history;
    if (lamports === 0n) throw invalidAccount(name, 'it has no lamports: it is gone', address);
    const owner = update.owner ?? (name === 'mint' ? this.tokenProgram() : undefined);
    const decoded = this.decode(history, data, owner, isRead);
    return { slot, writeVersion, owner, data, decoded, arrival: this.#arrivals++, isRead };
  }

  /** Stores a version. Returns false if that left no room for the state as of the slot `needed`. */
  put(history: History, version: Version, most: number, needed: number): boolean {
    insert(history, version);
    if (version.slot > this.#newestSlot) this.#newestSlot = version.slot;
    if (history.versions.length <= most) return true;
    history.versions.shift();
    return (history.versions[0] as Version).slot <= needed;
  }

  /** Removes every version after this slot. */
  forgetAfter(slot: number): void {
    for (const history of this.histories) {
      history.versions = history.versions.filter((version) => version.slot <= slot);
      if (history.doubt !== undefined && history.doubt > slot) history.doubt = undefined;
    }
    this.#newestSlot = slot;
  }

  /** Replaces what is older with a read. `begun`: the number of arrivals before the read began. */
  rebase(accounts: readonly AccountRead[], slot: number, begun: number): void {
    const read = this.histories.map((history) =>
      this.versionOf(
        history,
        accounts.find(({ address }) => address === history.address) as AccountRead,
        slot,
        true,
      ),
    );
    this.#newestSlot = slot;
    for (const [index, history] of this.histories.entries()) {
      rebase(history, read[index] as Version, begun, slot + MOST_SLOTS_AHEAD);
      const last = history.versions[history.versions.length - 1] as Version;
      if (last.slot > this.#newestSlot) this.#newestSlot = last.slot;
    }
  }
}

const POOL = /* @__PURE__ */ ACCOUNT_NAMES.indexOf('pool');
const MINT = /* @__PURE__ */ ACCOUNT_NAMES.indexOf('mint');
const CLOCK = /* @__PURE__ */ ACCOUNT_NAMES.indexOf('clock');
