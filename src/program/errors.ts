import {
  type Address,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__COMPUTATIONAL_BUDGET_EXCEEDED,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
  SOLANA_ERROR__INSTRUCTION_ERROR__MISSING_REQUIRED_SIGNATURE,
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ADDRESS_LOOKUP_TABLE_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
  type SolanaErrorCode,
} from '@solana/kit';
import { assertObject } from '../base/input.js';
import { outsideText } from '../base/text.js';
import {
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';
import { type InstructionConfig, programIn } from './deployment.js';
import { FIRST_CODE, type HeavenProgramError, toHeavenProgramError } from './error-codes.js';

/** Why a transaction failed. */
export interface TransactionFailure {
  /** The failure in a sentence: what happened and, if known, what to do. */
  readonly message: string;
  /** The index of the instruction that failed, from 0, unless the transaction failed as a whole. `message` counts from 1. */
  readonly instructionIndex?: number;
  /** The program's custom error code, if there is one. */
  readonly code?: number;
  /** The program that failed, if the logs or the instructions tell. */
  readonly programAddress?: Address;
  /** What the code means, if it is the exchange's. */
  readonly programError?: HeavenProgramError;
}

/** What a node reports about a failed simulation or transaction. */
export interface FailedTransaction {
  /** `value.err` of a simulation, `meta.err` of a transaction, or the error that kit threw. */
  readonly err: unknown;
  /** The logs: they say which program failed. */
  readonly logs?: readonly string[] | null;
  /** The program addresses of the transaction's instructions, in order, for a failure without logs. */
  readonly instructionPrograms?: readonly Address[];
}

/** What `getTransaction` returns, as far as it concerns a failure. */
export interface FailedTransactionResponse {
  readonly meta: { readonly err: unknown; readonly logMessages?: readonly string[] | null } | null;
}

const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: custom program error: 0x([0-9a-f]+)$/i;

/**
 * Explains a failed simulation or transaction: which instruction, which program, which error, and what to do.
 *
 * A code is meaningful only with the program that returned it. The logs name the program, or else `instructionPrograms`.
 * Without either, codes from 6000 on count as the exchange's.
 * @param failure What a simulation, `getTransaction` or `getSignatureStatuses` returned, or the error that kit threw.
 * @returns `undefined` if `err` or `failure` is `null`, or if an error is not about a failed transaction.
 * @example
 * ```ts
 * const { value } = await rpc.simulateTransaction(tx, { encoding: 'base64', sigVerify: false }).send();
 * const failure = explainTransactionFailure(value);
 * if (failure) console.error(failure.message);
 * ```
 */
export function explainTransactionFailure(
  failure: FailedTransaction | FailedTransactionResponse | Error | null | undefined,
  config: InstructionConfig = {},
): TransactionFailure | undefined {
  programIn(config);
  if (failure === null || failure === undefined) return undefined;
  assertObject(failure, 'failure');
  const failed = failedOf(failure);
  const { err, logs } = unwrap(failed);
  if (err === null || err === undefined || (err instanceof Error && !isOfTransaction(err))) return undefined;
  const { instructionIndex, code, reason } = err instanceof Error ? readKitError(err) : readNodeError(err);
  const position = instructionIndex === undefined ? {} : { instructionIndex };
  // Counted as inspectTransaction counts them in words.
  const what = instructionIndex === undefined ? 'The transaction' : `Instruction ${instructionIndex + 1}`;
  if (code === undefined) {
    return {
      message: `${what} failed: ${outsideText(reason)}.${CLUSTER_ERRORS.find(([name]) => name === reason)?.[2] ?? ''}`,
      ...position,
    };
  }
  const programAddress =
    failingProgram(logs, code) ??
    (instructionIndex === undefined ? undefined : failed.instructionPrograms?.[instructionIndex]);
  const exchange = config.programAddress ?? HEAVEN_PROGRAM_ADDRESS;
  const isExchange = programAddress === undefined ? code >= FIRST_CODE : programAddress === exchange;
  const programError = isExchange ? toHeavenProgramError(code) : undefined;
  const said = programError
    ? `${programError.name} (${code}). ${programError.meaning} ${programError.action}`
    : `custom error ${code} of ${outsideText(programAddress ?? 'an unknown program')}.${wordsFor(programAddress, code)}`;
  return {
    message: `${what} failed: ${said}`,
    code,
    ...position,
    ...(programAddress === undefined ? {} : { programAddress }),
    ...(programError === undefined ? {} : { programError }),
  };
}

function failedOf(failure: FailedTransaction | FailedTransactionResponse | Error): FailedTransaction {
  if (failure instanceof Error) return { err: failure };
  if (!('meta' in failure)) return failure;
  return { err: failure.meta?.err, logs: failure.meta?.logMessages ?? null };
}

/** The program that returned a code, by the logs. The innermost program fails first, so its line comes first. */
function failingProgram(logs: unknown, code: number): Address | undefined {
  const failing = (Array.isArray(logs) ? (logs as readonly string[]) : [])
    .map((line) => FAILED.exec(line))
    .find((match) => match !== null && Number.parseInt(match[2] ?? '', 16) === code);
  return failing?.[1] as Address | undefined;
}

/** What other programs' errors mean, as far as users run into them. */
function wordsFor(program: Address | undefined, code: number): string {
  if (program === SYSTEM_PROGRAM_ADDRESS && code === 1)
    return ' A wallet holds less SOL than it pays. Use less, and leave some for rent and fees.';
  if (program !== TOKEN_PROGRAM_ADDRESS && program !== TOKEN_2022_PROGRAM_ADDRESS) return '';
  if (code === 11)
    return ' Tokens are left in the account to be closed, perhaps because somebody sent some. Sell again without closeTokenAccount.';
  if (code === 1) return ' A token account holds less than is taken from it. Check its balance.';
  return code === 17 ? ' A token account is frozen: only whoever has frozen it can change that.' : '';
}

/** Errors of the cluster itself that users run into: the node's name, kit's code, and what to do. */
const CLUSTER_ERRORS: readonly (readonly [name: string, kitCode: SolanaErrorCode, words: string])[] = [
  [
    'AccountNotFound',
    SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
    ' The wallet that pays for the transaction holds no SOL.',
  ],
  [
    'AddressLookupTableNotFound',
    SOLANA_ERROR__TRANSACTION_ERROR__ADDRESS_LOOKUP_TABLE_NOT_FOUND,
    ' A lookup table that it names is not there, or not yet.',
  ],
  [
    'AlreadyProcessed',
    SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
    " It has already landed: look for its signature, and don't send it again.",
  ],
  [
    'BlockhashNotFound',
    SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
    ' Its block hash is too old, or the node is behind. Take a new one with refreshLifetime, and sign again.',
  ],
  [
    'InsufficientFundsForFee',
    SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
    ' The wallet that pays holds less SOL than the fee. Add SOL, or set a lower computeUnitPrice.',
  ],
  [
    'InsufficientFundsForRent',
    SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
    ' It would leave an account less SOL than its rent. Use less.',
  ],
  [
    'SignatureFailure',
    SOLANA_ERROR__TRANSACTION_ERROR__SIGNATURE_FAILURE,
    ' A signature is missing or wrong. Sign the transaction as it was built, with all its requiredSigners.',
  ],
  [
    'ComputationalBudgetExceeded',
    SOLANA_ERROR__INSTRUCTION_ERROR__COMPUTATIONAL_BUDGET_EXCEEDED,
    ' It needs more compute units than it allows: set a higher computeUnitLimit.',
  ],
  [
    'InsufficientFunds',
    SOLANA_ERROR__INSTRUCTION_ERROR__INSUFFICIENT_FUNDS,
    ' An account holds less than is taken from it.',
  ],
  [
    'MissingRequiredSignature',
    SOLANA_ERROR__INSTRUCTION_ERROR__MISSING_REQUIRED_SIGNATURE,
    ' A wallet that has to sign did not.',
  ],
];

/**
 * kit throws a failed preflight as an error whose cause is the transaction's, and whose context has the logs. A client made
 * with an `rpcUrl` leaves the transaction's in the context, as the node has written it.
 */
function unwrap({ err, logs }: FailedTransaction): {
  err: unknown;
  logs: readonly string[] | null | undefined;
} {
  if (!isSolanaError(err)) return { err, logs };
  const context = err.context as { logs?: readonly string[] | null; code?: number; err?: unknown };
  const said = isSolanaError(err.cause) ? err.cause : (context.err ?? err);
  const inner = context.code === undefined ? said : err;
  return { err: inner, logs: logs ?? context.logs };
}

/** Whether this kit error says that a transaction failed. kit numbers such errors from these two codes on. */
function isOfTransaction(error: Error): boolean {
  if (!isSolanaError(error)) return false;
  const code: number = error.context.__code;
  return (
    code === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE ||
    [SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN, SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN].some(
      (first) => code >= first && code < first + 1000,
    )
  );
}

interface ReadError {
  readonly instructionIndex?: number;
  readonly code?: number;
  readonly reason: string;
}

function readKitError(err: Error): ReadError {
  if (isSolanaError(err, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    return { instructionIndex: err.context.index, code: err.context.code, reason: 'custom error' };
  }
  const index = isSolanaError(err) && 'index' in err.context ? Number(err.context.index) : Number.NaN;
  // A production build of kit has only codes, no messages.
  const [name] = CLUSTER_ERRORS.find(([, kitCode]) => isSolanaError(err, kitCode)) ?? [];
  return { reason: name ?? err.message, ...(Number.isInteger(index) ? { instructionIndex: index } : {}) };
}

/** Reads an error as a node writes it: `'BlockhashNotFound'`, `{ InstructionError: [0, { Custom: 6013 }] }`. */
function readNodeError(err: unknown): ReadError {
  const { InstructionError: ofInstruction } = Object(err) as { readonly InstructionError?: unknown };
  if (!Array.isArray(ofInstruction)) {
    return { reason: typeof err === 'object' ? (Object.keys(err ?? {})[0] ?? 'unknown error') : String(err) };
  }
  const [index, inner] = (ofInstruction as readonly unknown[]).map(numeric);
  const position = typeof index === 'number' ? { instructionIndex: index } : {};
  const { Custom: given } = Object(inner) as { readonly Custom?: unknown };
  const code = numeric(given);
  if (typeof code === 'number') return { ...position, code, reason: 'custom error' };
  return {
    ...position,
    reason: typeof inner === 'string' ? inner : Object.keys(inner ?? {}).join() || 'unknown error',
  };
}

/** An index or a code as a `number`, from either kind of number. Anything else is not valid, and stays as it is. */
const numeric = (value: unknown): unknown => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? number : value;
};
