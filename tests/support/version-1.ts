import { getBase64EncodedWireTransaction, type V1TransactionConfig } from '@solana/kit';

import type { BuiltTransaction } from '../../src/index.js';
import { compileDraft, draftOf } from '../review/support.js';
import { compiledOf } from './transactions.js';

/** Limits that suffice for a trade, and a priority fee of 1234 lamports. */
export const ENOUGH = {
  computeUnitLimit: 200_000,
  loadedAccountsDataSizeLimit: 1_048_576,
  priorityFeeLamports: 1_234n,
} as const satisfies V1TransactionConfig;

/** The same transaction in version 1, put together by kit alone, with a config. */
export function asVersion1<TBuilt extends BuiltTransaction>(
  built: TBuilt,
  config: V1TransactionConfig = ENOUGH,
): TBuilt {
  const { instructions, lifetime } = built;
  const draft = draftOf(instructions, compiledOf(built).staticAccounts[0]!);
  const compiled = compileDraft({ ...draft, version: 1, config, blockhash: lifetime.blockhash });
  const transaction = { ...compiled, lifetimeConstraint: lifetime };
  const tx = getBase64EncodedWireTransaction(transaction);
  return { ...built, transaction, computeBudget: [], tx, size: Buffer.from(tx, 'base64').length };
}
