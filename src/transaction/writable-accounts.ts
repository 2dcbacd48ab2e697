import { type Address, isWritableRole } from '@solana/kit';
import type { BuiltTransaction } from './built.js';

/** The accounts that a transaction may change, the fee payer first. Those of its lookup tables are among them. */
export function writableAccountsOf({ transaction, instructions }: BuiltTransaction): readonly Address[] {
  const [feePayer] = Object.keys(transaction.signatures) as Address[];
  const named = instructions.flatMap(({ accounts = [] }) =>
    accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address),
  );
  return [...new Set(feePayer === undefined ? named : [feePayer, ...named])];
}
