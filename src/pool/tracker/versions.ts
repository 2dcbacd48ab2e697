import { MAX_SLOTS_AHEAD } from '../../solana/timing.js';
import type { PoolAccounts } from '../decode.js';
import { ACCOUNT_NAMES, type AccountUpdate } from './accounts.js';

/** An account as of a slot. Without a write version, it is what the slot ends with. */
export type Version = Pick<AccountUpdate, 'data' | 'owner' | 'slot' | 'writeVersion'>;
type ByName<T> = Record<keyof PoolAccounts, T>;

/** The newest version of each of a pool's accounts, and whether updates may be missing. What the bytes mean is not its concern. */
export class Versions {
  readonly #known: Partial<ByName<Version>> = {};
  /** The accounts that were updated since the last read began. */
  #meanwhile: Set<keyof PoolAccounts> | undefined;
  #hasRead = false;
  /** The slot of the newest read since updates were last missing. */
  #readSlot: bigint | undefined;
  /** The stream has everything from this slot on: the first clock's since the last gap, or the one after a rejected update. */
  #streamFrom: bigint | undefined;

  of(name: keyof PoolAccounts): Version | undefined {
    return this.#known[name];
  }

  /** By name, once each is known. */
  get all(): ByName<Version> | undefined {
    return ACCOUNT_NAMES.every((name) => this.#known[name]) ? (this.#known as ByName<Version>) : undefined;
  }

  /** The newest slot of all versions, or -1. */
  get newestSlot(): bigint {
    return Object.values(this.#known).reduce((newest, { slot }) => (slot > newest ? slot : newest), -1n);
  }

  get hasRead(): boolean {
    return this.#hasRead;
  }

  get hasStream(): boolean {
    return this.#streamFrom !== undefined;
  }

  /** Whether the stream runs, but continues no read. */
  get isBehind(): boolean {
    if (this.#streamFrom === undefined) return false;
    return this.#readSlot === undefined || this.#streamFrom > this.#readSlot + 1n;
  }

  get isLive(): boolean {
    return this.hasStream && !this.isBehind;
  }

  /** The slot that a read must reach so that nothing is missing. While no stream runs, the newest slot known. */
  get leastSlot(): bigint {
    return this.#streamFrom === undefined ? this.newestSlot : this.#streamFrom - 1n;
  }

  /** Whether updates are missing before one of this slot. */
  isFarAhead(slot: bigint): boolean {
    return this.#hasRead && slot > this.newestSlot + MAX_SLOTS_AHEAD;
  }

  /** Whether an update is newer than what is known. */
  isNews(name: keyof PoolAccounts, { slot, writeVersion }: AccountUpdate): boolean {
    const known = this.#known[name];
    if (known?.slot !== slot) return known === undefined || slot > known.slot;
    if (writeVersion === undefined) return true;
    return known.writeVersion !== undefined && writeVersion > known.writeVersion;
  }

  put(name: keyof PoolAccounts, version: Version): void {
    this.#known[name] = version;
    this.#meanwhile?.add(name);
  }

  /** The stream has reached a slot. */
  hear(slot: bigint): void {
    this.#streamFrom ??= slot;
  }

  /** Updates may be missing: of this slot, or of any if it is left out. */
  miss(slot?: bigint): void {
    this.#readSlot = undefined;
    if (slot === undefined) this.#streamFrom = undefined;
    else if (this.#streamFrom === undefined || this.#streamFrom <= slot) this.#streamFrom = slot + 1n;
  }

  /** Updates from now on count as newer than the next read, even if they come from the same slot. */
  beginRead(): void {
    this.#meanwhile = new Set();
  }

  /** Takes what was read as of a slot, unless something newer is known. */
  load(
    slot: bigint,
    read: readonly (readonly [keyof PoolAccounts, Pick<Version, 'data' | 'owner'>])[],
  ): void {
    for (const [name, { data, owner }] of read) {
      const known = this.#known[name];
      const isNewer =
        known !== undefined &&
        (known.slot > slot || (known.slot === slot && this.#meanwhile?.has(name) === true)) &&
        // Before the first read, a version far ahead can't be checked.
        (this.#hasRead || known.slot <= slot + MAX_SLOTS_AHEAD);
      if (!isNewer) this.#known[name] = { data, owner, slot };
    }
    this.#meanwhile = undefined;
    this.#hasRead = true;
    if (this.#readSlot === undefined || slot > this.#readSlot) this.#readSlot = slot;
  }
}
