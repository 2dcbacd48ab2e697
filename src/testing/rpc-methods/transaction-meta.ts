import type { Address } from '@solana/kit';

import type { WireTransaction } from '../../solana/message.js';
import { lookupsOf, lookupTablesOf, type SimulatedTransaction } from '../runtime.js';
import { type FindAccount, tokenAccountOf, tokenAmountOf } from './account-encoding.js';

/** A transaction's accounts in the order of their numbers, and those of them that stand in lookup tables. */
export interface NamedAccounts {
  readonly all: readonly Address[];
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
}

/** Finds the accounts that a transaction names. One whose lookup table can't be read names only its own. */
export function accountsOf(
  { message }: WireTransaction,
  cluster: Parameters<typeof lookupTablesOf>[0],
): NamedAccounts {
  const { staticAccounts } = message;
  try {
    const tables = lookupTablesOf(cluster, message);
    const loadedFrom = (list: 'writableIndexes' | 'readonlyIndexes') =>
      lookupsOf(message).flatMap((lookup) =>
        lookup[list].map((index) => tables[lookup.lookupTableAddress]?.[index] as Address),
      );
    const loaded = { writable: loadedFrom('writableIndexes'), readonly: loadedFrom('readonlyIndexes') };
    return { all: [...staticAccounts, ...loaded.writable, ...loaded.readonly], loaded };
  } catch {
    return { all: staticAccounts, loaded: { writable: [], readonly: [] } };
  }
}

/** The accounts' balances at one moment, in lamports and in tokens. */
export function balancesOf(accounts: readonly Address[], find: FindAccount) {
  const lamports = accounts.map((address) => find(address)?.lamports ?? 0n);
  const tokens = accounts.flatMap((address, accountIndex) => {
    const account = find(address);
    const token = tokenAccountOf(account);
    if (account === undefined || token === undefined) return [];
    const { mint, owner } = token;
    return [
      { accountIndex, mint, owner, programId: account.owner, uiTokenAmount: tokenAmountOf(token, find) },
    ];
  });
  return { lamports, tokens };
}

type Balances = ReturnType<typeof balancesOf>;

/** What a node says that a transaction did. The model keeps no record of inner instructions: `null`, as of some nodes. */
export const metaOf = (
  { err, fee, logs, unitsConsumed }: SimulatedTransaction,
  { loaded }: NamedAccounts,
  before: Balances,
  after: Balances,
) => ({
  err,
  status: statusOf(err),
  fee,
  computeUnitsConsumed: unitsConsumed,
  preBalances: before.lamports,
  postBalances: after.lamports,
  preTokenBalances: before.tokens,
  postTokenBalances: after.tokens,
  loadedAddresses: loaded,
  innerInstructions: null,
  logMessages: logs,
  rewards: [],
});

/** An outcome in the older of its two forms. */
export const statusOf = (err: unknown) => (err === null ? { Ok: null } : { Err: err });
