import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
  type TransactionBlockhashLifetime,
  type TransactionMessage,
  type TransactionMessageWithBlockhashLifetime,
  type TransactionMessageWithFeePayer,
  type TransactionWithBlockhashLifetime,
  type V1TransactionConfig,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
  getSetLoadedAccountsDataSizeLimitInstruction,
} from '@solana-program/compute-budget';

import { priorityFee } from '../solana/compute-budget.js';
import { MAX_LOADED_ACCOUNTS_BYTES, maxTransactionBytes } from '../solana/limits.js';
import type { computeUnitsOf } from './compute-units.js';

// Message versions differ in how they state the budget and compile instructions. Everything else is the same.

type Message = Extract<TransactionMessage, { readonly version: 0 }> &
  TransactionMessageWithFeePayer &
  TransactionMessageWithBlockhashLifetime;

/** Takes the addresses of a version 0 message from lookup tables. Only launches and creations have one, and load kit's code for it. */
export type Compress = (message: Message) => Message;

/** What a message is compiled from. */
interface MessageParts {
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  readonly lifetime: TransactionBlockhashLifetime;
  readonly compress: Compress;
}

/** A message version with a budget stated its way. */
export interface MessageFormat {
  readonly version: 0 | 1;
  /** Bytes on the wire, signatures included. */
  readonly maxBytes: number;
  /** The instructions that state the budget. They come first. */
  readonly computeBudget: readonly Instruction[];
  /** What version 1 states instead. */
  readonly config: V1TransactionConfig | undefined;
  readonly compile: (parts: MessageParts) => Transaction & TransactionWithBlockhashLifetime;
}

/** A message version, with the budget that its transaction states. */
export const messageFormat = (
  version: 0 | 1,
  { units, price }: ReturnType<typeof computeUnitsOf>,
  dataSize: number | undefined,
): MessageFormat => (version === 0 ? version0 : version1)(units, price, dataSize);

function version0(units: number, price: bigint, dataSize: number | undefined): MessageFormat {
  const computeBudget: Instruction[] = [];
  if (units > 0) computeBudget.push(getSetComputeUnitLimitInstruction({ units }));
  if (price > 0n) computeBudget.push(getSetComputeUnitPriceInstruction({ microLamports: price }));
  if (dataSize !== undefined)
    computeBudget.push(getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: dataSize }));
  return {
    version: 0,
    maxBytes: maxTransactionBytes(0),
    computeBudget,
    config: undefined,
    compile: ({ feePayer, instructions, lifetime, compress }) =>
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(feePayer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
        (message) => compress(message),
        (message) => compileTransaction(message),
      ),
  };
}

function version1(units: number, price: bigint, dataSize: number = MAX_LOADED_ACCOUNTS_BYTES): MessageFormat {
  const config = {
    computeUnitLimit: units,
    loadedAccountsDataSizeLimit: dataSize,
    priorityFeeLamports: priorityFee(units, price),
  };
  return {
    version: 1,
    maxBytes: maxTransactionBytes(1),
    computeBudget: [],
    config,
    compile: ({ feePayer, instructions, lifetime }) =>
      pipe(
        createTransactionMessage({ version: 1 }),
        (message) => setTransactionMessageFeePayer(feePayer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => setTransactionMessageConfig(config, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
        (message) => compileTransaction(message),
      ),
  };
}
