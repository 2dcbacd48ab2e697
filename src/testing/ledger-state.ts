import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import type { UiAmount } from '../math/units.js';
import { FEED } from '../pool/layout.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  encodeLiquidityPoolState,
  encodeProtocolConfig,
  encodeUserLpPosition,
  type LiquidityPoolState,
  type ProtocolConfig,
  type UserLpPosition,
} from '../program/accounts.js';
import { findLpPositionAddress } from '../program/addresses.js';
import {
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SOL_USD_FEED_ADDRESS,
} from '../program/constants.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { assertLamportsPerByte, computeRentExemption } from '../solana/rent.js';
import { SLOT_MS } from '../solana/timing.js';
import { EXTENSION, extensionIn } from '../solana/token-extensions.js';
import { TOKEN_ACCOUNT_SIZE } from '../solana/token-layout.js';
import { builtIns } from './built-ins.js';
import {
  encodeClock,
  encodeMint,
  encodePriceFeed,
  encodeRent,
  encodeTokenAccount,
  type MintFields,
} from './encode.js';
import type { Cluster } from './runtime.js';
import { createSamplePool, GENESIS, type SamplePool, type SamplePoolFields } from './samples.js';

/** What mainnet charged in rent in November 2026. Everything else reads it from the cluster. */
const DEFAULT_LAMPORTS_PER_BYTE = 5_080n;

/** The kind of an account of Token-2022, and the extension with its withheld transfer fees. */
const NOTHING_WITHHELD = [2, EXTENSION.transferFeeAmount, 0, 8, 0, ...new Uint8Array(8)];

export const SLOTS_PER_EPOCH = 432_000n;

/** An account of the embedded ledger. */
export interface LedgerAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  /** Default: the rent exemption of its size when it is written. */
  readonly lamports?: bigint;
}

/** Called for each account that is written or removed, with the slot. */
export type LedgerListener = (
  address: Address,
  account: Required<LedgerAccount> | undefined,
  slot: bigint,
) => void;

/** The start of a ledger's clock. */
export interface LedgerClock {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
  /** Default: that of mainnet in this slot. */
  readonly epoch?: bigint;
}

/** What a ledger starts with. */
export interface LedgerStart {
  /** The exchange's address on it. Default: mainnet's. */
  readonly programAddress?: Address;
  /** The rent, until `setRent` changes it. Default: what mainnet charged when this version was made. */
  readonly lamportsPerByte?: bigint;
  /** Default: the slot and time of the sample pools. */
  readonly clock?: LedgerClock;
}

/** The accounts, the clock and the rent of a ledger, and what a test can set of them. */
export class LedgerState implements Cluster {
  readonly programAddress: Address;
  readonly #start: LedgerClock;
  readonly #accounts = new Map<Address, Required<LedgerAccount>>();
  readonly #builtIns: Map<Address, Required<LedgerAccount>>;
  readonly #listeners = new Set<LedgerListener>();
  #slot: bigint;
  #lamportsPerByte: bigint = DEFAULT_LAMPORTS_PER_BYTE;

  constructor({ programAddress, lamportsPerByte = DEFAULT_LAMPORTS_PER_BYTE, clock }: LedgerStart) {
    this.programAddress = programAddress ?? HEAVEN_PROGRAM_ADDRESS;
    this.#builtIns = builtIns(this.programAddress);
    this.#start = clock ?? GENESIS;
    const { slot } = this.#start;
    this.#slot = slot;
    this.setRent(lamportsPerByte);
    this.setSlot(slot);
  }

  get slot(): bigint {
    return this.#slot;
  }

  get epoch(): bigint {
    const { slot, epoch = slot / SLOTS_PER_EPOCH } = this.#start;
    return epoch + this.#slot / SLOTS_PER_EPOCH - slot / SLOTS_PER_EPOCH;
  }

  get unixTimestamp(): bigint {
    const { slot, unixTimestamp } = this.#start;
    return unixTimestamp + ((this.#slot - slot) * BigInt(SLOT_MS)) / 1_000n;
  }

  /** The rent exemption in lamports of an account with this many bytes. */
  computeRentExemption(size: number): bigint {
    return computeRentExemption(size, this.#lamportsPerByte);
  }

  getAccount(address: Address): Required<LedgerAccount> | undefined {
    return this.#accounts.get(address) ?? this.#builtIns.get(address);
  }

  /** All existing accounts, without built-in ones. */
  listAccounts(): Iterable<readonly [Address, Required<LedgerAccount>]> {
    return this.#accounts;
  }

  /** Calls back on each write until you call the returned function. */
  onWrite(listener: LedgerListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes an account, or removes it. */
  setAccount(address: Address, account: LedgerAccount | undefined): void {
    // The balance stays when the rent changes.
    const whole = account && {
      ...account,
      lamports: account.lamports ?? this.computeRentExemption(account.data.length),
    };
    this.#builtIns.delete(address);
    if (whole === undefined) this.#accounts.delete(address);
    else this.#accounts.set(address, whole);
    for (const listener of this.#listeners) listener(address, whole, this.#slot);
  }

  /** Gives a wallet SOL, in lamports. */
  setBalance(wallet: Address, lamports: bigint): void {
    this.setAccount(wallet, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array(), lamports });
  }

  /** Moves to a slot. The time and the epoch follow. */
  setSlot(slot: bigint): void {
    this.#slot = slot;
    const { epoch, unixTimestamp } = this;
    const data = encodeClock({ slot, epoch, unixTimestamp });
    this.setAccount(CLOCK_SYSVAR_ADDRESS, { owner: SYSVAR_PROGRAM_ADDRESS, data });
  }

  /** Sets the rent of new accounts, in lamports per byte. Existing ones keep what they hold. */
  setRent(lamportsPerByte: bigint): void {
    assertLamportsPerByte(lamportsPerByte);
    this.#lamportsPerByte = lamportsPerByte;
    const data = encodeRent(lamportsPerByte);
    this.setAccount(RENT_SYSVAR_ADDRESS, { owner: SYSVAR_PROGRAM_ADDRESS, data });
  }

  /** Sets the SOL/USD price. */
  setSolPrice(usdPerSol: UiAmount): void {
    const data = encodePriceFeed({ price: usdPerSol, slot: this.#slot, timestamp: this.unixTimestamp - 2n });
    const feed = this.getAccount(SOL_USD_FEED_ADDRESS);
    // In a feed from a cluster, change only the price: programs also read the rest.
    const isAlike =
      feed?.data.length === data.length &&
      [FEED.decimals, FEED.liveLength].every((at) => feed.data[at] === data[at]);
    if (isAlike) data.set(feed.data.subarray(0, FEED.ring));
    this.setAccount(SOL_USD_FEED_ADDRESS, {
      ...(isAlike ? feed : { owner: CHAINLINK_STORE_PROGRAM_ADDRESS }),
      data,
    });
  }

  /**
   * Changes fields of a pool.
   *
   * @example
   * ```ts
   * ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } })); // pauses its swaps
   * ```
   */
  updatePool(pool: Address, change: (state: LiquidityPoolState) => Partial<LiquidityPoolState>): void {
    this.#update(pool, (data) => {
      const state = decodeLiquidityPoolState(data, pool);
      return encodeLiquidityPoolState({ ...state, ...change(state) });
    });
  }

  /** Sets a pool's reserves, token A in its native units, token B in lamports. */
  setReserves(pool: Address, reserves: { readonly tokenA?: bigint; readonly tokenB?: bigint }): void {
    this.updatePool(pool, ({ reserve }) => ({ reserve: { ...reserve, ...reserves } }));
  }

  /** Changes fields of a protocol config. */
  updateConfig(config: Address, change: (config: ProtocolConfig) => Partial<ProtocolConfig>): void {
    this.#update(config, (data) => {
      const fields = decodeProtocolConfig(data, config);
      return encodeProtocolConfig({ ...fields, ...change(fields) });
    });
  }

  /** Rewrites a mint. */
  setMint(mint: Address, tokenProgram: Address, fields: MintFields): void {
    this.setAccount(mint, { owner: tokenProgram, data: encodeMint(fields) });
  }

  /** Writes a token account: of wrapped SOL with the lamports that it stands for, of a token with a transfer fee with room for it. */
  setTokenAccount(
    address: Address,
    tokenProgram: Address,
    fields: {
      readonly mint: Address;
      readonly owner: Address;
      readonly amount: bigint;
      readonly isFrozen?: boolean;
    },
  ): void {
    const { mint, amount } = fields;
    const rent = this.computeRentExemption(TOKEN_ACCOUNT_SIZE);
    const native = mint === WRAPPED_SOL_MINT_ADDRESS && { nativeReserve: rent };
    const token = encodeTokenAccount({ ...fields, ...native });
    const hasFee =
      extensionIn(this.getAccount(mint)?.data ?? token, EXTENSION.transferFeeConfig) !== undefined;
    const data = hasFee ? Uint8Array.of(...token, ...NOTHING_WITHHELD) : token;
    this.setAccount(address, { owner: tokenProgram, data, ...(native && { lamports: rent + amount }) });
  }

  /** Writes a user's LP position in a pro pool. */
  async setLpPosition(position: Omit<UserLpPosition, 'bump'>): Promise<void> {
    const { programAddress } = this;
    const { pool, user } = position;
    this.setAccount(await findLpPositionAddress({ pool, user }, { programAddress }), {
      owner: programAddress,
      data: encodeUserLpPosition({ bump: 255, ...position }),
    });
  }

  /** Adds another pool to the sample pools. */
  async addPool(fields: SamplePoolFields): Promise<SamplePool> {
    const { programAddress } = this;
    const { pool, state, token } = await createSamplePool(fields, programAddress);
    this.setAccount(pool.pool, { owner: programAddress, data: encodeLiquidityPoolState(state) });
    this.setMint(pool.mint, pool.tokenProgram, token);
    this.setTokenAccount(pool.tokenAVault, pool.tokenProgram, {
      mint: pool.mint,
      owner: pool.protocolConfig,
      amount: state.reserve.tokenA,
    });
    return pool;
  }

  #update(address: Address, change: (data: Uint8Array) => Uint8Array): void {
    const account = this.getAccount(address);
    if (account === undefined) {
      throw new HeavenError('account-not-found', `The embedded ledger has no account ${address}.`, {
        account: 'any',
        address,
      });
    }
    this.setAccount(address, { ...account, data: change(account.data) });
  }
}
