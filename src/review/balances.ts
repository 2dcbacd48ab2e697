import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import { accountsFrom } from '../solana/rpc/accounts.js';
import { invalidResponse } from '../solana/rpc/errors.js';
import { readTokenAccount, type TokenAccount } from '../solana/token-account.js';

/** A balance before and after, in native units of the asset. */
export interface SimulatedBalanceChange {
  readonly before: bigint;
  readonly after: bigint;
  readonly change: bigint;
}

/** How a token account of the owner changes, in token units. */
export interface SimulatedTokenBalanceChange extends SimulatedBalanceChange {
  readonly account: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

interface Account {
  readonly lamports: bigint;
  readonly program: Address;
  readonly token: (TokenAccount & { readonly program: Address }) | undefined;
}

export type Accounts = ReadonlyMap<Address, Account>;

/** The accounts that a transaction may change, before and after it. Accounts that are not there are in neither. */
export class Balances {
  readonly #before: Accounts;
  readonly #after: Accounts;
  readonly #addresses: readonly Address[];

  constructor(before: Accounts, after: Accounts, addresses: readonly Address[]) {
    this.#before = before;
    this.#after = after;
    this.#addresses = addresses;
  }

  lamports(address: Address): SimulatedBalanceChange {
    return this.#change(address, (account) => account?.lamports ?? 0n);
  }

  /** The token accounts of an owner, except those that stay empty. */
  tokensOf(owner: Address): readonly SimulatedTokenBalanceChange[] {
    return this.#addresses.flatMap((account): readonly SimulatedTokenBalanceChange[] => {
      const token = this.#after.get(account)?.token ?? this.#before.get(account)?.token;
      if (token === undefined || !this.#isHeldBy(account, [owner])) return [];
      const { mint, program: tokenProgram } = token;
      const amounts = this.#change(account, (at) => at?.token?.amount ?? 0n);
      const isEmpty = amounts.before === 0n && amounts.after === 0n;
      return isEmpty ? [] : [{ account, mint, tokenProgram, ...amounts }];
    });
  }

  /** The lamports in the programs' accounts that were not there before. */
  lamportsOpened(): bigint {
    return this.#addresses
      .filter((address) => !this.#before.has(address))
      .map((address) => this.#after.get(address))
      .reduce((sum, account) => sum + (account && !isWallet(account) ? account.lamports : 0n), 0n);
  }

  /** What wallets and their token accounts gain together. */
  lamportsGainedBy(wallets: readonly Address[]): bigint {
    return this.#addresses
      .filter((address) => wallets.includes(address) || this.#isHeldBy(address, wallets))
      .reduce((sum, address) => sum + this.lamports(address).change, 0n);
  }

  /** Whether SOL in it is the wallets', at the latest when it is closed. */
  isOf(address: Address, wallets: readonly Address[]): boolean {
    const isClosed = this.#addresses.includes(address) && !this.#after.has(address);
    return wallets.includes(address) || this.#isHeldBy(address, wallets) || isClosed;
  }

  #isHeldBy(address: Address, wallets: readonly Address[]): boolean {
    return [this.#before.get(address), this.#after.get(address)].some(
      (account) => account?.token !== undefined && wallets.includes(account.token.owner),
    );
  }

  #change(address: Address, read: (account: Account | undefined) => bigint): SimulatedBalanceChange {
    const before = read(this.#before.get(address));
    // What the transaction can't change stays.
    const after = this.#addresses.includes(address) ? read(this.#after.get(address)) : before;
    return { before, after, change: after - before };
  }
}

const isWallet = ({ program }: Account) => program === SYSTEM_PROGRAM_ADDRESS;

/** The accounts in a node's answer. Those that aren't there, or are closed by a simulation, are left out. */
export function readAccounts(method: string, value: unknown, addresses: readonly Address[]): Accounts {
  const accounts = new Map<Address, Account>();
  for (const [index, account] of accountsFrom(method, value, addresses).entries()) {
    if (account === undefined) continue;
    const { lamports, owner: program } = account;
    if (lamports === undefined) throw invalidResponse(method, `account ${index} has no lamports`);
    // A simulation gives an account that was closed as an empty one.
    if (lamports === 0n) continue;
    const token = readTokenAccount(account);
    accounts.set(account.address, { lamports, program, token: token && { ...token, program } });
  }
  return accounts;
}
