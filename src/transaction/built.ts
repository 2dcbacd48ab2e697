// What a builder returns, and how it is signed with a key of its own.

import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  type Instruction,
  isTransactionPartialSigner,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionWithBlockhashLifetime,
  type TransactionWithinSizeLimit,
  type V1TransactionConfig,
} from '@solana/kit';
import { assertHas, inputError, throughJson } from '../base/input.js';
import type { HeavenWarning } from '../base/warnings.js';
import { requiredSignersOf } from '../solana/wallet.js';
import type { TransactionLifetime } from './lifetime.js';

/** A built, unsigned transaction. */
export interface BuiltTransaction {
  /** The transaction in base64, without the wallets' signatures: decode, sign, send. */
  readonly tx: Base64EncodedWireTransaction;
  /** The same, compiled, for kit's signing functions. */
  readonly transaction: Transaction & TransactionWithBlockhashLifetime;
  /** The version of the message. */
  readonly version: 0 | 1;
  /**
   * Everything but the compute budget, in order, with your `before`, `after` and `tip`: to compose it into another transaction,
   * which has a compute budget of its own.
   */
  readonly instructions: readonly Instruction[];
  /** The compute budget's instructions, which `transaction` has first. Empty in version 1, where `config` states it. */
  readonly computeBudget: readonly Instruction[];
  /**
   * What version 1 states instead of compute budget instructions: for kit's `setTransactionMessageConfig`. `undefined` in
   * version 0.
   */
  readonly config: V1TransactionConfig | undefined;
  /** The block hash, and how long it is valid. */
  readonly lifetime: TransactionLifetime;
  /** Whose transaction it is: the builder's `payer`. It pays the fees too, unless there is a `feePayer`. */
  readonly payer: Address;
  /**
   * Who must still sign; the fee payer first. An address off the curve, such as a multisig's vault, isn't among them: only its program
   * signs for it.
   */
  readonly requiredSigners: readonly Address[];
  /** Bytes on the wire, signatures included: at most 1232 in version 0, and 4096 in version 1. */
  readonly size: number;
  /** What to know before signing. */
  readonly warnings: readonly HeavenWarning[];
}

/** All instructions of a built transaction, in its order. */
export const allInstructions = ({
  computeBudget,
  instructions,
}: Pick<BuiltTransaction, 'computeBudget' | 'instructions'>): readonly Instruction[] => [
  ...computeBudget,
  ...instructions,
];

const OF_A_BUILDER = 'what your own builder returned, whole: inspectTransaction takes the tx of a service';

/** Rejects what no builder returned, such as a transaction in base64, and what went through JSON. */
export function assertBuilt(built: BuiltTransaction): void {
  // It is not repeated, because in base64 it looks like a key.
  if (typeof built === 'string') throw inputError('built', `built is a text, and must be ${OF_A_BUILDER}.`);
  assertHas(built, 'transaction', 'built', OF_A_BUILDER);
  const { transaction, lifetime }: Partial<BuiltTransaction> = built;
  const hasBytes = ArrayBuffer.isView(transaction?.messageBytes);
  if (!hasBytes || typeof lifetime?.lastValidBlockHeight !== 'bigint') throw throughJson('built');
}

/** The forms of a transaction that change with its signatures. */
export const signable = (transaction: BuiltTransaction['transaction']) => ({
  tx: getBase64EncodedWireTransaction(transaction),
  transaction,
  requiredSigners: requiredSignersOf(transaction.signatures),
});

/** Whether a value is a kit signer that can sign a transaction. */
export const isPartialSigner = (value: unknown): value is TransactionPartialSigner =>
  typeof value === 'object' &&
  value !== null &&
  'address' in value &&
  isTransactionPartialSigner(value as TransactionPartialSigner);

/** Adds the signature of one of the transaction's own keys, such as a new mint's. */
export async function signTransaction<TBuilt extends BuiltTransaction>(
  built: TBuilt,
  signer: TransactionPartialSigner,
): Promise<TBuilt> {
  const transaction = built.transaction as BuiltTransaction['transaction'] & TransactionWithinSizeLimit;
  const [signatures] = await signer.signTransactions([transaction]);
  return {
    ...built,
    ...signable({ ...transaction, signatures: { ...transaction.signatures, ...signatures } }),
  };
}
