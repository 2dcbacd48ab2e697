import type { Address, Base64EncodedWireTransaction, Signature } from '@solana/kit';

import type { WireTransaction } from '../../solana/message.js';

/** A transaction that the ledger has executed. */
export interface TransactionRecord {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly blockTime: bigint;
  readonly err: unknown;
  readonly tx: Base64EncodedWireTransaction;
  readonly version: WireTransaction['version'];
  /** All accounts that it names. */
  readonly accounts: readonly Address[];
  /** What `getTransaction` says that it did. */
  readonly meta: unknown;
}

/** The newest transactions, oldest first: the older ones are forgotten, as by a node without the whole history. */
export interface TransactionHistory {
  get(signature: Signature): TransactionRecord | undefined;
  add(record: TransactionRecord): void;
  newestFirst(): readonly TransactionRecord[];
}

const MOST_TRANSACTIONS = 2_000;

export function transactionHistory(): TransactionHistory {
  const records = new Map<Signature, TransactionRecord>();
  return {
    get: (signature) => records.get(signature),
    add: (record) => {
      records.set(record.signature, record);
      const [oldest] = records.keys();
      if (records.size > MOST_TRANSACTIONS && oldest !== undefined) records.delete(oldest);
    },
    newestFirst: () => [...records.values()].reverse(),
  };
}
