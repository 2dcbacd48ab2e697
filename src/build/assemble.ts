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
  isTransactionPartialSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionWithBlockhashLifetime,
  type TransactionWithinSizeLimit,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';

import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertHas, inputError, invalidInput } from '../input.js';
import { U64_MAX } from '../math/integers.js';
import { isValidAddress } from '../solana/addresses.js';
import { MAX_TRANSACTION_BYTES, U32_MAX } from '../solana/limits.js';
import type { LookupTables } from '../solana/lookup-table.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { addressOf, type TransactionWallet, withoutStandIns } from '../solana/wallet.js';
import type { HeavenWarning } from '../warnings.js';

/** The block hash that a transaction is valid with, and the block height until which. */
export interface TransactionLifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** What every builder takes besides its own fields. */
export interface TransactionOptions extends RequestOptions {
  /** The most compute units the transaction may use. 0 leaves the instruction out. Default: the documented one. */
  readonly computeUnitLimit?: number | null | undefined;
  /** The priority fee in micro-lamports per compute unit. 0 leaves the instruction out. Default: the documented one. */
  readonly computeUnitPrice?: bigint | number | null | undefined;
  /** Your own instructions, right after the compute budget. */
  readonly before?: readonly Instruction[] | null | undefined;
  /** Your own instructions at the end, such as a tip or a memo. */
  readonly after?: readonly Instruction[] | null | undefined;
  /** A block hash at hand. Default: the latest is read. */
  readonly lifetime?: TransactionLifetime | null | undefined;
}

/** A built, unsigned transaction. */
export interface BuiltTransaction {
  /** The transaction in base64, without the wallets' signatures: decode, sign, send. */
  readonly tx: Base64EncodedWireTransaction;
  /** The same, compiled, for kit's signing functions. */
  readonly transaction: Transaction & TransactionWithBlockhashLifetime;
  /** The instructions in order, to compose them into another transaction. */
  readonly instructions: readonly Instruction[];
  readonly lifetime: TransactionLifetime;
  /** Who must still sign; the fee payer first. */
  readonly requiredSigners: readonly Address[];
  /** Bytes on the wire, signatures included, of 1232 at most. */
  readonly size: number;
  readonly warnings: readonly HeavenWarning[];
}

/** The compute budget that a builder's documentation names. */
export interface ComputeBudgetDefaults {
  readonly limit: number;
  readonly price: bigint;
}

/** Checked {@link TransactionOptions}: the instructions around an operation's own. */
export interface TransactionPlan {
  readonly budget: readonly Instruction[];
  readonly before: readonly Instruction[];
  readonly after: readonly Instruction[];
}

/** What an operation puts into its transaction, and what its builder returns besides the transaction. */
export interface Operation<TResult extends object = object> {
  readonly instructions: readonly Instruction[];
  readonly warnings?: readonly HeavenWarning[];
  readonly lookupTables?: LookupTables;
  /** What to do when the transaction is too large. */
  readonly advice?: string;
  readonly result?: TResult;
}

/**
 * The path of every builder: checks the options, reads what the operation needs and the block hash at the same time,
 * composes the instructions and assembles the transaction.
 */
export async function buildTransaction<TFound, TResult extends object>(
  client: HeavenClient,
  input: TransactionOptions & { readonly payer: TransactionWallet },
  operation: {
    readonly budget: ComputeBudgetDefaults;
    readonly read: (payer: Address) => Promise<TFound>;
    readonly compose: (
      found: TFound,
      payer: Address,
      plan: TransactionPlan,
    ) => Operation<TResult> | Promise<Operation<TResult>>;
  },
): Promise<BuiltTransaction & TResult> {
  const feePayer = addressOf(input.payer, 'payer');
  const plan = planTransaction(input, operation.budget);
  const [found, lifetime] = await Promise.all([operation.read(feePayer), lifetimeOf(client, input)]);
  const composed = await operation.compose(found, feePayer, plan);
  const built = assembleTransaction({ feePayer, plan, lifetime, ...composed });
  return { ...built, ...composed.result } as BuiltTransaction & TResult;
}

/** Checks what a caller says of the transaction around an operation. */
export function planTransaction(
  options: TransactionOptions,
  defaults: ComputeBudgetDefaults,
): TransactionPlan {
  const limit = budgetValue('computeUnitLimit', options.computeUnitLimit ?? defaults.limit, BigInt(U32_MAX));
  const price = budgetValue('computeUnitPrice', options.computeUnitPrice ?? defaults.price, U64_MAX);
  for (const field of ['before', 'after'] as const) {
    const given = options[field] ?? [];
    if (!Array.isArray(given)) throw inputError(field, `${field} must be a list of instructions.`, given);
  }
  const budget: Instruction[] = [];
  if (limit > 0n) budget.push(getSetComputeUnitLimitInstruction({ units: Number(limit) }));
  if (price > 0n) budget.push(getSetComputeUnitPriceInstruction({ microLamports: price }));
  return { budget, before: options.before ?? [], after: options.after ?? [] };
}

function budgetValue(field: string, value: bigint | number, most: bigint): bigint {
  const units = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value) : -1n;
  if (units < 0n || units > most) throw invalidInput(field, value, `a whole number from 0 to ${most}`);
  return units;
}

/** The latest block hash, unless the caller brought one. */
export async function lifetimeOf(
  client: HeavenClient,
  { lifetime, abortSignal }: TransactionOptions,
): Promise<TransactionLifetime> {
  if (lifetime !== undefined && lifetime !== null) {
    if (isValidAddress(lifetime.blockhash)) return lifetime;
    throw inputError(
      'lifetime.blockhash',
      'lifetime.blockhash must be a base58 block hash of 32 bytes.',
      lifetime.blockhash,
    );
  }
  const method = 'getLatestBlockhash';
  const request = client.rpc.getLatestBlockhash({ commitment: client.commitment });
  const response: { readonly value?: Partial<TransactionLifetime> | null } | null = await send(
    client,
    method,
    request,
    {
      abortSignal,
    },
  );
  const { blockhash, lastValidBlockHeight } = response?.value ?? {};
  if (blockhash === undefined || !isValidAddress(blockhash) || typeof lastValidBlockHeight !== 'bigint')
    throw invalidResponse(method, 'it holds no block hash');
  return { blockhash, lastValidBlockHeight };
}

const MOST_ENCODABLE = 0xffff;

/** Compiles instructions into an unsigned version 0 transaction. */
export function assembleTransaction({
  feePayer,
  plan,
  instructions: own,
  lifetime,
  lookupTables = {},
  warnings = [],
  advice = 'Shorten the texts and event data, leave out instructions of your own, or name a lookup table that holds more of its accounts.',
}: Operation & {
  readonly feePayer: Address;
  readonly plan: TransactionPlan;
  readonly lifetime: TransactionLifetime;
}): BuiltTransaction {
  const instructions = [...plan.budget, ...plan.before, ...own.map(withoutStandIns), ...plan.after];
  if (instructions.some(({ programAddress }) => programAddress === feePayer))
    throw inputError('payer', `payer is ${feePayer}, a program: it can't pay. Name a wallet.`, feePayer);
  // Instruction data can be too long to be encoded at all.
  const dataSize = instructions.reduce((total, { data }) => total + (data?.length ?? 0), 0);
  if (dataSize > MOST_ENCODABLE) throw tooLarge(dataSize, advice);
  const built = signable(compile(feePayer, instructions, lifetime, lookupTables));
  const size = (built.tx.length / 4) * 3 - (built.tx.match(/=*$/)?.[0].length ?? 0);
  if (size > MAX_TRANSACTION_BYTES) throw tooLarge(size, advice);
  return { ...built, instructions, lifetime, size, warnings };
}

const tooLarge = (size: number, advice: string) =>
  new HeavenError(
    'transaction-too-large',
    `The transaction has ${size} bytes, ${size - MAX_TRANSACTION_BYTES} over Solana's limit of ${MAX_TRANSACTION_BYTES}. ${advice}`,
    { size, limit: MAX_TRANSACTION_BYTES, excess: size - MAX_TRANSACTION_BYTES },
  );

function compile(
  feePayer: Address,
  instructions: readonly Instruction[],
  lifetime: TransactionLifetime,
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

/** Whether a value is a signer of kit's that can sign a transaction. */
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
