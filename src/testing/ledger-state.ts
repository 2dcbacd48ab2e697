import type { Address } from '@solana/kit';

import { CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS } from '../solana/programs.js';
import { computeRentExemption } from '../solana/rent.js';
import { encodeClock } from './encode.js';
import type { Account } from './runtime.js';
import { GENESIS } from './samples.js';

export const SLOTS_PER_EPOCH = 432_000n;
const SLOT_MS = 400n;

/** An account of the embedded ledger. */
export interface LedgerAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  /** Default: the rent exemption of its size. */
  readonly lamports?: bigint;
}

/** Told of each account that is written, or removed, and in which slot. */
export type LedgerListener = (address: Address, account: LedgerAccount | undefined, slot: bigint) => void;

export interface LedgerState {
  slot(): bigint;
  epoch(): bigint;
  unixTimestamp(): bigint;
  setSlot(slot: bigint): void;
  /** An account as it was written. */
  written(address: Address): LedgerAccount | undefined;
  getAccount(address: Address): Readonly<Account> | undefined;
  listAccounts(): Iterable<readonly [Address, Readonly<Account>]>;
  write(address: Address, account: LedgerAccount | undefined): void;
  onWrite(listener: LedgerListener): () => void;
}

export function createLedgerState(): LedgerState {
  const accounts = new Map<Address, LedgerAccount>();
  const listeners = new Set<LedgerListener>();
  let slot: bigint = GENESIS.slot;

  const epoch = () => slot / SLOTS_PER_EPOCH;
  const unixTimestamp = () => GENESIS.unixTimestamp + ((slot - GENESIS.slot) * SLOT_MS) / 1_000n;
  const write: LedgerState['write'] = (address, account) => {
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
    for (const listener of listeners) listener(address, account, slot);
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
    written: (address) => accounts.get(address),
    getAccount: (address) => {
      const account = accounts.get(address);
      return account && wholeAccount(account);
    },
    *listAccounts() {
      for (const [address, account] of accounts) yield [address, wholeAccount(account)];
    },
    write,
    onWrite: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const wholeAccount = (account: LedgerAccount): Readonly<Account> => ({
  ...account,
  lamports: account.lamports ?? computeRentExemption(account.data.length),
});
