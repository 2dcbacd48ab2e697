import type { V1TransactionConfig } from '@solana/kit';

import { U64_MAX } from '../math/integers.js';
import { type CostedTransaction, costOf } from '../solana/compute-budget.js';

/**
 * Returns a transaction's priority fee in lamports, if the transaction states everything that the fee depends on. Otherwise takes what
 * the node says it paid, minus the signature fees: the cluster's default limit has changed over time.
 */
export function priorityFeeOf(transaction: CostedTransaction, fee: bigint | undefined): bigint | undefined {
  const { version, config } = transaction;
  const { computeBudget, fees } = costOf(transaction);
  const isTold = version === 1 ? config !== undefined : computeBudget.isLimitSet || fees.priority === 0n;
  if (isTold) return fees.priority;
  return fee === undefined || fee < fees.signatures ? undefined : fee - fees.signatures;
}

/** Reads the priority fee from the config of a version 1 message in JSON, which kit leaves out. `undefined` if it is missing. */
export function configInJson(message: unknown): V1TransactionConfig | undefined {
  const { transactionConfig } = message as { readonly transactionConfig?: unknown };
  if (typeof transactionConfig !== 'object' || transactionConfig === null) return undefined;
  const { priorityFee } = transactionConfig as { readonly priorityFee?: unknown };
  if (priorityFee === null || priorityFee === undefined) return {};
  const lamports = integerOf(priorityFee);
  return lamports === undefined || lamports < 0n || lamports > U64_MAX
    ? undefined
    : { priorityFeeLamports: lamports };
}

/** Returns an integer from JSON, unless it has lost digits. */
export const integerOf = (value: unknown): bigint | undefined =>
  typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
