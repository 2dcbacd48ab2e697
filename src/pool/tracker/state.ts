import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { view } from '../../solana/account-data.js';
import { addressAt } from '../../solana/addresses.js';
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
import { accountsOf, type TrackedAccount, type TrackedPool } from './accounts.js';
import type { Decoded, Known, PoolIdentity } from './admit.js';

/** An account as of a slot. */
export interface Version {
  readonly slot: number;
  /** The order of writes within the slot. If undefined, this is the account at the end of the slot. */
  readonly writeVersion: bigint | undefined;
  readonly owner: Address | undefined;
  readonly data: Uint8Array;
  readonly decoded: Decoded[keyof Decoded];
}

/** One of the pool's accounts, and what is known of it. */
export interface KnownAccount {
  readonly account: TrackedAccount;
  version: Version | undefined;
  /** The slot of a rejected update. It may have been real, so the account is unknown until a version is as new. */
  doubt: number | undefined;
}

/**
 * The newest version of each of a pool's accounts, and the snapshot that they make. It decodes nothing twice, except the mint when
 * an epoch begins. A class: with ten thousand pools, closures for each would not fit into a processor's cache.
 */
export class PoolState implements Known {
  readonly accounts: readonly KnownAccount[];
  readonly #pool: TrackedPool;
  readonly #deployment: Deployment;
  #missing = 5;
  #newestSlot = -1;
  #surroundings: (Surroundings & { readonly tokenProgram: Address }) | undefined;
  #snapshot: FetchedPoolSnapshot | undefined;
  #addresses: PoolAddresses | undefined;
  #addressesOf: PoolIdentity | undefined;
  #token: PoolSnapshot['token'] | undefined;
  #tokenOf: Uint8Array | undefined;
  #tokenEpoch = -1n;

  constructor(pool: TrackedPool, deployment: Deployment) {
    this.#pool = pool;
    this.#deployment = deployment;
    this.accounts = accountsOf(pool, deployment).map((account) => ({
      account,
      version: undefined,
      doubt: undefined,
    }));
  }

  get identity(): PoolIdentity | undefined {
    return this.accounts[0]?.version?.decoded as PoolIdentity | undefined;
  }
  get tokenProgram(): Address | undefined {
    return this.accounts[2]?.version?.owner;
  }
  get now(): bigint | undefined {
    return (this.accounts[4]?.version?.decoded as Decoded['clock'] | undefined)?.unixTimestamp;
  }

  /** Whether all five accounts are known. */
  get isWhole(): boolean {
    return this.#missing === 0;
  }
  get isDoubted(): boolean {
    return this.accounts.some(({ doubt }) => doubt !== undefined);
  }
  /** The newest slot of all versions, or -1. */
  get newestSlot(): number {
    return this.#newestSlot;
  }

  accountAt(address: Address): KnownAccount | undefined {
    const { accounts } = this;
    for (let k = 0; k < accounts.length; k++)
      if (accounts[k]?.account.address === address) return accounts[k];
    return undefined;
  }

  /** Takes a newer version. Returns whether a quote may differ for a reason other than the passage of time. */
  put(known: KnownAccount, version: Version): boolean {
    const before = known.version;
    const { name } = known.account;
    if (before === undefined) this.#missing--;
    known.version = version;
    if (known.doubt !== undefined && known.doubt <= version.slot) known.doubt = undefined;
    if (version.slot > this.#newestSlot) this.#newestSlot = version.slot;
    this.#snapshot = undefined;
    if (name !== 'pool') this.#surroundings = undefined;
    if (!this.isWhole) return false;
    if (before === undefined || (name !== 'clock' && name !== 'priceFeed')) return true;
    return name === 'clock'
      ? this.#isNewTime(before.decoded as Decoded['clock'], version.decoded as Decoded['clock'])
      : isNewPrice(before.decoded as SolPrice, version.decoded as SolPrice);
  }

  /** Replaces all versions. */
  replace(versions: readonly Version[]): void {
    this.#newestSlot = -1;
    for (const [index, known] of this.accounts.entries()) this.put(known, versions[index] as Version);
  }

  /** Only if all accounts are known. */
  get snapshot(): FetchedPoolSnapshot {
    if (this.#snapshot === undefined) {
      const { epoch, unixTimestamp, tokenProgram } = this.#around();
      const time = { epoch, unixTimestamp };
      const snapshot: { -readonly [TField in keyof FetchedPoolSnapshot]?: FetchedPoolSnapshot[TField] } =
        composeSnapshot(this.reader, time);
      snapshot.addresses = this.#addressesWith(tokenProgram);
      this.#snapshot = snapshot as FetchedPoolSnapshot;
    }
    return this.#snapshot;
  }

  /** The snapshot, decoded only as far as it is read. Only if all accounts are known. */
  get reader(): PoolReader {
    return new PoolReader(this.#versionOf(0).data, BigInt(this.#newestSlot), this.#around());
  }

  #versionOf(index: number): Version {
    return this.accounts[index]?.version as Version;
  }

  #around(): Surroundings & { readonly tokenProgram: Address } {
    if (this.#surroundings === undefined) {
      const mint = this.#versionOf(2);
      const { epoch, unixTimestamp } = this.#versionOf(4).decoded as Decoded['clock'];
      this.#surroundings = {
        epoch,
        unixTimestamp,
        token: this.#tokenAt(mint.data, epoch),
        tokenProgram: mint.owner as Address,
        solPrice: this.#versionOf(3).decoded as SolPrice,
        protocolConfig: this.#versionOf(1).data,
      };
    }
    return this.#surroundings;
  }

  #tokenAt(data: Uint8Array, epoch: bigint): PoolSnapshot['token'] {
    if (this.#token === undefined || this.#tokenOf !== data || this.#tokenEpoch !== epoch) {
      this.#token = decodeMint(data, epoch);
      this.#tokenOf = data;
      this.#tokenEpoch = epoch;
    }
    return this.#token;
  }

  #addressesWith(tokenProgram: Address): PoolAddresses {
    if (this.#addresses?.tokenProgram !== tokenProgram || this.#addressesOf !== this.identity) {
      const { data } = this.#versionOf(0);
      const { pool, protocolConfig, mint } = this.#pool;
      this.#addressesOf = this.identity;
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

  /** Whether another epoch begins, or the pool opens. */
  #isNewTime(before: Decoded['clock'], now: Decoded['clock']): boolean {
    const opensAt = view(this.#versionOf(0).data).getBigUint64(POOL.openAt, true);
    return before.epoch !== now.epoch || before.unixTimestamp < opensAt !== now.unixTimestamp < opensAt;
  }
}

const isNewPrice = (before: SolPrice, now: SolPrice): boolean =>
  before.answer !== now.answer || before.decimals !== now.decimals;
