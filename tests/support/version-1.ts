import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type V1TransactionConfig,
} from '@solana/kit';

import type { BuiltTransaction } from '../../src/index.js';
import { compiledOf } from './transactions.js';

/** Limits that suffice for a trade, and a priority fee of 1234 lamports. */
export const ENOUGH = {
  computeUnitLimit: 200_000,
  loadedAccountsDataSizeLimit: 1_048_576,
  priorityFeeLamports: 1_234n,
} as const satisfies V1TransactionConfig;

/** The same transaction in version 1, put together by kit alone: with a config, and other instructions if they are given. */
export function asVersion1<TBuilt extends BuiltTransaction>(
  built: TBuilt,
  config: V1TransactionConfig = ENOUGH,
  instructions: readonly Instruction[] = built.instructions,
): TBuilt {
  const feePayer = compiledOf(built).staticAccounts[0]!;
  const transaction = pipe(
    createTransactionMessage({ version: 1 }),
    (message) => setTransactionMessageConfig(config, message),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(built.lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compileTransaction(message),
  );
  const tx = getBase64EncodedWireTransaction(transaction);
  return {
    ...built,
    transaction,
    instructions,
    computeBudget: [],
    tx,
    size: Buffer.from(tx, 'base64').length,
  };
}
