import type { Instruction, TransactionVersion, V1TransactionConfig } from '@solana/kit';

import { ceilDiv, U64_MAX } from '../base/integers.js';
import { warnIf } from '../base/warnings.js';
import { view } from './account-data.js';
import {
  LAMPORTS_PER_SIGNATURE,
  MAX_COMPUTE_UNITS,
  MAX_LOADED_ACCOUNTS_BYTES,
  MIN_HEAP_BYTES,
} from './limits.js';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from './programs.js';
import { ED25519_PROGRAM_ADDRESS, SECP256K1_PROGRAM_ADDRESS, signaturesChecked } from './signature-checks.js';

/** The resources that a transaction may use. */
export interface ComputeBudget {
  /** The compute units that it may use: its own limit, or the cluster's default, which is 0 in version 1. */
  readonly unitLimit: number;
  readonly isLimitSet: boolean;
  /** Micro-lamports per compute unit. `undefined` in version 1, which names its priority fee in lamports. */
  readonly unitPrice: bigint | undefined;
  /** Bytes of accounts that it may load. By default 67108864 (64 MiB), and 0 in version 1. */
  readonly loadedAccountsDataSizeLimit: number;
  /** Bytes of heap for each program. By default 32768. */
  readonly heapSize: number;
}

/** What the cluster charges for a transaction, in lamports, whether it succeeds or fails. */
export interface TransactionFees {
  /** 5000 for each signature, including those that a signature program checks. */
  readonly signatures: bigint;
  /** In version 1 the fee that it names, otherwise the limit times the price, rounded up. */
  readonly priority: bigint;
  readonly total: bigint;
}

/** The parts of a transaction that decide what it may use. */
export interface BudgetedTransaction {
  readonly version: TransactionVersion;
  /** The config of version 1, `undefined` in the others. */
  readonly config: V1TransactionConfig | undefined;
  readonly instructions: readonly BudgetInstruction[];
}

/** The parts of a transaction that decide what it may use and what it costs. */
export interface CostedTransaction extends BudgetedTransaction {
  /** One for each required signer. */
  readonly signatures: { readonly length: number };
}

type BudgetInstruction = Pick<Instruction, 'programAddress' | 'data'>;

/** From here on a priority fee is worth a warning: 0.05 SOL. */
export const HIGH_PRIORITY_FEE = 50_000_000n;

const REQUEST_HEAP = 1;
const SET_LIMIT = 2;
const SET_PRICE = 3;
const SET_DATA_SIZE = 4;

/** What the cluster allows an instruction when no limit is set. */
const DEFAULT_UNITS = 200_000;
const DEFAULT_BUILTIN_UNITS = 3_000;

/** Whether an instruction counts as a builtin in the default limit (SIMD-0170). The check of secp256r1 does not. */
function isBuiltin({ programAddress }: BudgetInstruction): boolean {
  switch (programAddress) {
    case COMPUTE_BUDGET_PROGRAM_ADDRESS:
    case SYSTEM_PROGRAM_ADDRESS:
    case ED25519_PROGRAM_ADDRESS:
    case SECP256K1_PROGRAM_ADDRESS:
      return true;
  }
  return VOTE_OR_LOADER.test(programAddress);
}

/** Each has 43 characters. */
const VOTE_OR_LOADER = /^(?=.{43}$)(Vote|BPFLoader2?|BPFLoaderUpgradeab1e|LoaderV4)1+$/;

const defaultLimit = (instructions: readonly BudgetInstruction[]): number =>
  instructions.reduce((units, one) => units + (isBuiltin(one) ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS), 0);

/** What a transaction may use, and what the cluster charges for it. */
export function costOf(transaction: CostedTransaction): {
  readonly computeBudget: ComputeBudget;
  readonly fees: TransactionFees;
} {
  const { version, config = {}, instructions, signatures: own } = transaction;
  const { unitLimit, priority } = budgetOf(transaction);
  const checked = instructions.reduce((count, one) => count + signaturesChecked(one), own.length);
  const signatures = LAMPORTS_PER_SIGNATURE * BigInt(checked);
  const isFirst = version === 1;
  const found = readComputeBudget(instructions);
  // Version 1 has no defaults but the heap's.
  const dataSize = isFirst ? (config.loadedAccountsDataSizeLimit ?? 0) : found.dataSize;
  const computeBudget = {
    unitLimit,
    isLimitSet: (isFirst ? config.computeUnitLimit : found.limit) !== undefined,
    unitPrice: isFirst ? undefined : (found.price ?? 0n),
    loadedAccountsDataSizeLimit: Math.min(dataSize ?? MAX_LOADED_ACCOUNTS_BYTES, MAX_LOADED_ACCOUNTS_BYTES),
    heapSize: (isFirst ? config.heapSize : found.heapSize) ?? MIN_HEAP_BYTES,
  };
  return { computeBudget, fees: { signatures, priority, total: signatures + priority } };
}

/**
 * The compute units that a transaction may use, its priority fee in lamports, and warnings of what the cluster rejects or lowers.
 * Version 1 states them in its config, and its instructions of the compute budget program do nothing.
 */
export function budgetOf({ version, config = {}, instructions }: BudgetedTransaction) {
  const { limit, price, duplicate }: Partial<ReturnType<typeof readComputeBudget>> =
    version === 1 ? { limit: config.computeUnitLimit ?? 0 } : readComputeBudget(instructions);
  const unitLimit = Math.min(limit ?? defaultLimit(instructions), MAX_COMPUTE_UNITS);
  return {
    unitLimit,
    priority: config.priorityFeeLamports ?? priorityFee(unitLimit, price ?? 0n),
    warnings: [
      ...warnIf(
        duplicate !== undefined,
        'bound-to-fail',
        `Instruction ${Number(duplicate) + 1} sets a limit or price again: the cluster rejects it. Leave it out.`,
      ),
      ...warnIf(
        Number(limit) > MAX_COMPUTE_UNITS,
        'compute-limit-too-high',
        `computeUnitLimit is ${limit}, but the transaction gets at most ${MAX_COMPUTE_UNITS} compute units. Leave it out, or set what a simulation takes.`,
      ),
    ],
  };
}

/**
 * What the instructions of a legacy or version 0 transaction set: compute units, of which the cluster allows no more than its
 * most, the price of each in micro-lamports, and bytes. The cluster rejects an instruction that comes twice: `duplicate` is the index of the first
 * such one. To be safe, the larger counts.
 */
export function readComputeBudget(instructions: readonly BudgetInstruction[]): {
  readonly limit: number | undefined;
  readonly price: bigint | undefined;
  readonly dataSize: number | undefined;
  readonly heapSize: number | undefined;
  readonly duplicate: number | undefined;
} {
  const found: (bigint | undefined)[] = [];
  let duplicate: number | undefined;
  for (const [index, { programAddress, data = new Uint8Array() }] of instructions.entries()) {
    if (programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS) continue;
    const kind = data[0] ?? 0;
    const size = kind === SET_PRICE ? 8 : 4;
    // The cluster rejects one that is unknown or too short.
    if (kind < REQUEST_HEAP || kind > SET_DATA_SIZE || data.length < 1 + size) continue;
    const bytes = view(Uint8Array.from(data));
    const value = size === 8 ? bytes.getBigUint64(1, true) : BigInt(bytes.getUint32(1, true));
    const before = found[kind];
    if (before !== undefined) duplicate ??= index;
    found[kind] = before === undefined || value > before ? value : before;
  }
  const numberOf = (kind: number) => (found[kind] === undefined ? undefined : Number(found[kind]));
  return {
    limit: numberOf(SET_LIMIT),
    price: found[SET_PRICE],
    dataSize: numberOf(SET_DATA_SIZE),
    heapSize: numberOf(REQUEST_HEAP),
    duplicate,
  };
}

/** The lamports of a price for each of so many compute units, rounded up as the cluster does. */
export function priorityFee(limit: number, microLamports: bigint): bigint {
  const lamports = ceilDiv(BigInt(limit) * microLamports, 1_000_000n);
  return lamports > U64_MAX ? U64_MAX : lamports;
}
