import {
  type Address,
  getSolanaErrorFromTransactionError,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
} from '@solana/kit';

import { assertObject, isError } from '../base/input.js';
import { outsideText } from '../base/text.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';
import { type InstructionConfig, programIn } from './deployment.js';
import { FIRST_CODE, type HeavenProgramError, toHeavenProgramError, UPDATE } from './error-codes.js';
import { advisedErrors, otherError, wordsOf } from './other-errors.js';

/** Why a transaction failed. */
export interface TransactionFailure {
  /** The failure in a sentence: what happened and, if known, what to do. */
  readonly message: string;
  /** The error's name in the program or the runtime, if it is known, such as `InsufficientFundsForFee`. */
  readonly name?: string;
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
  readonly logs?: readonly string[] | null | undefined;
  /** The program addresses of the transaction's instructions, in order, for a failure without logs. */
  readonly instructionPrograms?: readonly Address[];
}

/** What `getTransaction` returns, as far as it concerns a failure. */
export interface FailedTransactionResponse {
  readonly meta: {
    readonly err: unknown;
    readonly logMessages?: readonly string[] | null | undefined;
  } | null;
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
  if (err === null || err === undefined || (isError(err) && !isOfTransaction(err))) return undefined;
  const { instructionIndex, code, reason, sentence } = isError(err) ? readKitError(err) : readNodeError(err);
  const position = instructionIndex === undefined ? {} : { instructionIndex };
  // Counted as inspectTransaction counts them in words.
  const what = instructionIndex === undefined ? 'The transaction' : `Instruction ${instructionIndex + 1}`;
  if (code === undefined) {
    const message = `${what} failed: ${outsideText(reason)}.${wordsOf(reason, sentence)}`;
    return { message, ...(/^[A-Z]\w+$/.test(reason) ? { name: reason } : {}), ...position };
  }
  const lines = Array.isArray(logs) ? (logs as readonly string[]) : [];
  const programAddress =
    failingProgram(lines, code) ??
    (instructionIndex === undefined ? undefined : failed.instructionPrograms?.[instructionIndex]);
  const exchange = config.programAddress ?? HEAVEN_PROGRAM_ADDRESS;
  const isExchange = programAddress === undefined ? code >= FIRST_CODE : programAddress === exchange;
  const programError = isExchange ? toHeavenProgramError(code) : undefined;
  const other = programError ? undefined : otherError(programAddress, code, lines);
  const name = programError?.name ?? other?.name;
  const said = programError
    ? `${programError.name} (${code}). ${programError.meaning} ${programError.action}`
    : isExchange && code >= FIRST_CODE
      ? `error ${code} of the exchange, which this version does not know. ${UPDATE}`
      : (other?.said ?? `custom error ${code} of ${outsideText(programAddress ?? 'an unknown program')}.`);
  return {
    message: `${what} failed: ${said}`,
    ...(name === undefined ? {} : { name }),
    code,
    ...position,
    ...(programAddress === undefined ? {} : { programAddress }),
    ...(programError === undefined ? {} : { programError }),
  };
}

function failedOf(failure: FailedTransaction | FailedTransactionResponse | Error): FailedTransaction {
  if (isError(failure)) return { err: failure };
  if (!('meta' in failure)) return failure;
  return { err: failure.meta?.err, logs: failure.meta?.logMessages ?? null };
}

/** The program that returned a code, by the logs. The innermost program fails first, so its line comes first. */
function failingProgram(logs: readonly string[], code: number): Address | undefined {
  const failing = logs
    .map((line) => FAILED.exec(line))
    .find((match) => match !== null && Number.parseInt(match[2] ?? '', 16) === code);
  return failing?.[1] as Address | undefined;
}

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

/** kit numbers the errors of instructions and of transactions from these codes on. */
const isIn = (first: number, code: number) => code >= first && code < first + 1000;
const isOfInstruction = (code: number) => isIn(SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN, code);

/** Whether this kit error says that a transaction failed. */
function isOfTransaction(error: Error): boolean {
  if (!isSolanaError(error)) return false;
  const code: number = error.context.__code;
  return (
    code === SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE ||
    isOfInstruction(code) ||
    isIn(SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN, code)
  );
}

interface ReadError {
  readonly instructionIndex?: number;
  readonly code?: number;
  readonly reason: string;
  /** What kit says of it. */
  readonly sentence?: string;
}

function readKitError(err: Error): ReadError {
  if (isSolanaError(err, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    return { instructionIndex: err.context.index, code: err.context.code, reason: 'custom error' };
  }
  const { __code: code, index } = (isSolanaError(err) ? err.context : {}) as {
    readonly __code?: number;
    readonly index?: number;
  };
  const isInstruction = code !== undefined && isOfInstruction(code);
  // A production build of kit has only codes, no messages.
  const name = advisedErrors().find((each) => {
    const known = kitError(isInstruction ? { InstructionError: [0, each] } : { [each]: { account_index: 0 } })
      .context.__code;
    return known === code && known % 1000 !== 0;
  });
  const position = isInstruction && index !== undefined ? { instructionIndex: Number(index) } : {};
  return { reason: name ?? err.message.replace(/ \(instruction #\d+\)$|\.$/, ''), ...position };
}

/** kit's error for what a node writes. Its code is a whole thousand if kit doesn't know it. */
const kitError = (err: unknown) =>
  getSolanaErrorFromTransactionError(err as Parameters<typeof getSolanaErrorFromTransactionError>[0]);

/** Reads an error as a node writes it: `'BlockhashNotFound'`, `{ InstructionError: [0, { Custom: 6013 }] }`. */
function readNodeError(err: unknown): ReadError {
  const { InstructionError: ofInstruction } = Object(err) as { readonly InstructionError?: unknown };
  if (!Array.isArray(ofInstruction)) {
    const reason = typeof err === 'object' ? (Object.keys(err ?? {})[0] ?? 'unknown error') : String(err);
    return { reason, ...sentenceOf(err, err) };
  }
  const [index, inner] = (ofInstruction as readonly unknown[]).map(numeric);
  const position = typeof index === 'number' ? { instructionIndex: index } : {};
  const { Custom: given } = Object(inner) as { readonly Custom?: unknown };
  const code = numeric(given);
  if (typeof code === 'number') return { ...position, code, reason: 'custom error' };
  return {
    ...position,
    reason: typeof inner === 'string' ? inner : Object.keys(inner ?? {}).join() || 'unknown error',
    ...sentenceOf(inner, { InstructionError: [0, inner] }),
  };
}

/** kit's sentence for an error that it knows. One with details of its own may hold anything that a node writes. */
function sentenceOf(name: unknown, asWritten: unknown): { readonly sentence?: string } {
  if (typeof name !== 'string') return {};
  try {
    const { context, message } = kitError(asWritten);
    return context.__code % 1000 === 0 ? {} : { sentence: message };
  } catch {
    return {};
  }
}

/** An index or a code as a `number`, from either kind of number. Anything else is not valid, and stays as it is. */
const numeric = (value: unknown): unknown => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? number : value;
};
