import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionWithBlockhashLifetime,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';

import { type HeavenClient, invalidResponse, type RequestOptions, send } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertHas, describe } from '../input.js';
import { U64_MAX } from '../math/integers.js';
import { isValidAddress } from '../solana/addresses.js';
import { MAX_TRANSACTION_BYTES, U32_MAX } from '../solana/limits.js';
import type { LookupTables } from '../solana/lookup-table.js';
import { withoutStandIns } from '../solana/wallet.js';
import type { Warning } from '../warnings.js';

/** The block hash that a transaction is valid with, and the block height until which. */
export interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** What every builder takes besides its own fields. */
export interface TransactionOptions extends RequestOptions {
  /** The most compute units the transaction may use. 0 leaves the instruction out. Default: the documented one. */
  readonly computeUnitLimit?: number | null | undefined;
  /** The priority fee in micro-lamports per compute unit. 0 leaves the instruction out. Default: the documented one. */
  readonly computeUnitPrice?: bigint | number | null | undefined;
  /** Instructions of the caller's, right behind the compute budget. */
  readonly before?: readonly Instruction[] | null | undefined;
  /** Instructions of the caller's at the end, such as a tip or a memo. */
  readonly after?: readonly Instruction[] | null | undefined;
  /** A block hash at hand. Default: the latest is read. */
  readonly lifetime?: Lifetime | null | undefined;
}

/** A built, unsigned transaction, in every form that is of use. */
export interface BuiltTransaction {
  /** The transaction in base64, without the wallets' signatures: decode, sign, send. */
  readonly tx: Base64EncodedWireTransaction;
  /** The same, compiled, for kit's signing functions. */
  readonly transaction: Transaction & TransactionWithBlockhashLifetime;
  /** The instructions in order, to compose them into another transaction. */
  readonly instructions: readonly Instruction[];
  readonly lifetime: Lifetime;
  /** Who must still sign; the fee payer first. */
  readonly requiredSigners: readonly Address[];
  /** Bytes on the wire, signatures included, of 1232 at most. */
  readonly size: number;
  readonly warnings: readonly Warning[];
}

/** The compute budget that a builder's documentation names. */
export interface ComputeBudgetDefaults {
  readonly limit: number;
  readonly price: bigint;
}

/** Checked {@link TransactionOptions}, without what is read from the node. */
export interface TransactionPlan {
  readonly budget: readonly Instruction[];
  readonly before: readonly Instruction[];
  readonly after: readonly Instruction[];
}

/**
 * Checks what a caller says of the transaction around an operation.
 *
 * @throws {HeavenError} `invalid-input`
 */
export function planTransaction(
  options: TransactionOptions,
  defaults: ComputeBudgetDefaults,
): TransactionPlan {
  const limit = budgetValue(
    'computeUnitLimit',
    options.computeUnitLimit,
    BigInt(defaults.limit),
    BigInt(U32_MAX),
  );
  const price = budgetValue('computeUnitPrice', options.computeUnitPrice, defaults.price, U64_MAX);
  for (const field of ['before', 'after'] as const) {
    const given = options[field] ?? [];
    if (Array.isArray(given)) continue;
    throw new HeavenError('invalid-input', `${field} must be a list of instructions.`, {
      field,
      value: given,
    });
  }
  const budget: Instruction[] = [];
  if (limit > 0n) budget.push(getSetComputeUnitLimitInstruction({ units: Number(limit) }));
  if (price > 0n) budget.push(getSetComputeUnitPriceInstruction({ microLamports: price }));
  return { budget, before: options.before ?? [], after: options.after ?? [] };
}

function budgetValue(field: string, value: unknown, fallback: bigint, most: bigint): bigint {
  if (value === undefined || value === null) return fallback;
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  const units = isWhole ? BigInt(value as bigint | number) : -1n;
  if (units < 0n || units > most) {
    throw new HeavenError(
      'invalid-input',
      `${field} must be a whole number from 0 to ${most}; got ${describe(value)}.`,
      {
        field,
        value,
      },
    );
  }
  return units;
}

/**
 * The latest block hash, unless the caller brought one.
 *
 * @throws {HeavenError} `rpc-invalid-response` and those of {@link send}
 */
export async function lifetimeOf(
  client: HeavenClient,
  { lifetime, abortSignal }: TransactionOptions,
): Promise<Lifetime> {
  if (lifetime !== undefined && lifetime !== null) {
    if (typeof lifetime.blockhash === 'string' && isValidAddress(lifetime.blockhash)) return lifetime;
    throw new HeavenError('invalid-input', 'lifetime.blockhash must be a base58 block hash of 32 bytes.', {
      field: 'lifetime.blockhash',
      value: lifetime.blockhash,
    });
  }
  const method = 'getLatestBlockhash';
  const request = client.rpc.getLatestBlockhash({ commitment: client.commitment });
  const response: { readonly value?: Partial<Lifetime> | null } | null = await send(client, method, request, {
    abortSignal,
  });
  const { blockhash, lastValidBlockHeight } = response?.value ?? {};
  if (
    typeof blockhash !== 'string' ||
    !isValidAddress(blockhash) ||
    typeof lastValidBlockHeight !== 'bigint'
  ) {
    throw invalidResponse(method, 'it holds no block hash');
  }
  return { blockhash, lastValidBlockHeight };
}

/**
 * Instructions, compiled into an unsigned version 0 transaction.
 *
 * @throws {HeavenError} `transaction-too-large`
 */
export function assembleTransaction({
  feePayer,
  plan,
  instructions,
  lifetime,
  lookupTables = {},
  warnings,
  advice = 'Shorten the texts and event data, leave out instructions of your own, or name a lookup table that holds more of its accounts.',
}: {
  readonly feePayer: Address;
  readonly plan: TransactionPlan;
  readonly instructions: readonly Instruction[];
  readonly lifetime: Lifetime;
  readonly lookupTables?: LookupTables;
  readonly warnings: readonly Warning[];
  /** What to do when it is too large. */
  readonly advice?: string;
}): BuiltTransaction {
  const all = [...plan.budget, ...plan.before, ...instructions.map(withoutStandIns), ...plan.after];
  if (all.some(({ programAddress }) => programAddress === feePayer)) {
    throw new HeavenError('invalid-input', `payer is ${feePayer}, a program: it can't pay. Name a wallet.`, {
      field: 'payer',
      value: feePayer,
    });
  }
  // Instruction data can be too long to be encoded at all.
  const dataSize = all.reduce((total, { data }) => total + (data?.length ?? 0), 0);
  if (dataSize > MOST_ENCODABLE) throw tooLarge(dataSize, MAX_TRANSACTION_BYTES, advice);
  const built = signable(compile(feePayer, all, lifetime, lookupTables));
  const size = (built.tx.length / 4) * 3 - (built.tx.match(/=*$/)?.[0].length ?? 0);
  if (size > MAX_TRANSACTION_BYTES) throw tooLarge(size, MAX_TRANSACTION_BYTES, advice);
  return { ...built, instructions: all, lifetime, size, warnings };
}

const MOST_ENCODABLE = 0xffff;

const tooLarge = (size: number, limit: number, advice: string) =>
  new HeavenError(
    'transaction-too-large',
    `The transaction has ${size} bytes, ${size - limit} over Solana's limit of ${limit}. ${advice}`,
    { size, limit, excess: size - limit },
  );

function compile(
  feePayer: Address,
  instructions: readonly Instruction[],
  lifetime: Lifetime,
  lookupTables: LookupTables,
) {
  try {
    return pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      (message) => compressTransactionMessageUsingAddressLookupTables(message, lookupTables),
      (message) => compileTransaction(message),
    );
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new HeavenError(
      'invalid-transaction',
      `The instructions don't make a transaction: ${reason}`,
      { reason },
      { cause },
    );
  }
}

/** Refuses what no builder has returned. */
export const assertBuilt = (built: BuiltTransaction): void =>
  assertHas(built, 'transaction', 'built', 'what a builder returned, whole');

/** The forms of a transaction that change with its signatures. */
export const signable = (transaction: BuiltTransaction['transaction']) => ({
  tx: getBase64EncodedWireTransaction(transaction),
  transaction,
  requiredSigners: Object.entries(transaction.signatures).flatMap(([signer, signature]) =>
    signature === null ? [signer as Address] : [],
  ),
});

/** The transaction with the signature of one of its own keys, such as a new mint's. */
export async function signTransaction(
  built: BuiltTransaction,
  signer: TransactionPartialSigner,
): Promise<BuiltTransaction> {
  const [signatures] = await signer.signTransactions([built.transaction as never]);
  const { transaction } = built;
  return {
    ...built,
    ...signable({ ...transaction, signatures: { ...transaction.signatures, ...signatures } }),
  };
}
