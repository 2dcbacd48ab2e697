import type { Address } from '@solana/kit';

import { DEFAULT_LAMPORTS_PER_BYTE, SLOT_MS } from '../solana/limits.js';
import { CLOCK_SYSVAR_ADDRESS, RENT_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS } from '../solana/programs.js';
import { assertLamportsPerByte, computeRentExemption } from '../solana/rent.js';
import { encodeClock, encodeRent } from './encode.js';
import type { Account } from './runtime.js';
import { GENESIS } from './samples.js';

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

export interface LedgerState {
  slot(): bigint;
  epoch(): bigint;
  unixTimestamp(): bigint;
  setSlot(slot: bigint): void;
  /** The rent exemption in lamports of an account with this many bytes. */
  computeRentExemption(size: number): bigint;
  setRent(lamportsPerByte: bigint): void;
  getAccount(address: Address): Readonly<Account> | undefined;
  listAccounts(): Iterable<readonly [Address, Readonly<Account>]>;
  write(address: Address, account: LedgerAccount | undefined): void;
  onWrite(listener: LedgerListener): () => void;
}

/** The start of a ledger's clock. */
export interface LedgerClock {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
  /** Default: that of mainnet in this slot. */
  readonly epoch?: bigint;
}

export function createLedgerState(start: LedgerClock = GENESIS): LedgerState {
  const accounts = new Map<Address, Readonly<Account>>();
  const listeners = new Set<LedgerListener>();
  let slot = start.slot;
  let rate: bigint = DEFAULT_LAMPORTS_PER_BYTE;

  const regularEpoch = () => slot / SLOTS_PER_EPOCH;
  const epochsAhead = start.epoch === undefined ? 0n : start.epoch - regularEpoch();
  const epoch = () => regularEpoch() + epochsAhead;
  const unixTimestamp = () => start.unixTimestamp + ((slot - start.slot) * BigInt(SLOT_MS)) / 1_000n;
  const exemption = (size: number) => computeRentExemption(size, rate);
  const write: LedgerState['write'] = (address, account) => {
    // The balance stays when the rent changes.
    const whole = account && { ...account, lamports: account.lamports ?? exemption(account.data.length) };
    if (whole === undefined) accounts.delete(address);
    else accounts.set(address, whole);
    for (const listener of listeners) listener(address, whole, slot);
  };
  return {
    slot: () => slot,
    epoch,
    unixTimestamp,
    setSlot: (next) => {
      slot = next;
      const data = encodeClock({ slot, epoch: epoch(), unixTimestamp: unixTimestamp() });
      write(CLOCK_SYSVAR_ADDRESS, { owner: SYSVAR_PROGRAM_ADDRESS, data });
    },
    computeRentExemption: exemption,
    setRent: (next) => {
      assertLamportsPerByte(next);
      rate = next;
      write(RENT_SYSVAR_ADDRESS, { owner: SYSVAR_PROGRAM_ADDRESS, data: encodeRent(rate) });
    },
    getAccount: (address) => accounts.get(address),
    listAccounts: () => accounts,
    write,
    onWrite: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
