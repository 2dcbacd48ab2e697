import type { Instruction, Signature, TracedInstruction, TransactionVersion } from '@solana/kit';
import { isHeavenError } from '../base/errors.js';
import { type InstructionConfig, programIn } from '../program/deployment.js';
import { explainTransactionFailure, type TransactionFailure } from '../program/errors.js';
import { decodeEvent, type HeavenEvent } from '../program/events.js';
import { type HeavenInstruction, parseHeavenInstruction } from '../program/instructions/index.js';
import { type CostedTransaction, costOf } from '../solana/compute-budget.js';
import { type Invocation, type ReadLogs, readLogs } from '../solana/logs.js';
import {
  assertRecorded,
  decodeTransaction,
  indexIn,
  integerOf,
  isOuter,
  type Meta,
  malformed,
  type TransactionResponse,
} from './recorded-transaction.js';
import { TokenBalances } from './token-balances.js';
import { isPurchase, isTrade, type ParsedTrade, readTrade } from './trades.js';

/** One of the exchange's instructions in a transaction. */
export interface TransactionInstruction {
  /** The index of the top-level instruction, from 0. All instructions of the transaction are counted. */
  readonly instructionIndex: number;
  /** Its index among the instructions that the top-level one called, if another program called it. */
  readonly innerIndex?: number;
  /** The instruction, its accounts and its arguments by name. `undefined` if this library can't read it. */
  readonly parsed: HeavenInstruction | undefined;
  /** Why this library can't read it. */
  readonly problem?: string;
  /** The instruction as the program received it. */
  readonly raw: Instruction;
  /** The events that it logged itself. Empty if the transaction failed. */
  readonly events: readonly HeavenEvent[];
}

/** What a transaction did on the exchange. */
export interface ParsedTransaction {
  readonly signature: Signature;
  readonly version: TransactionVersion;
  readonly slot: bigint;
  /** The transaction's index in its block, from 0. `undefined` if the node does not say. */
  readonly transactionIndex: number | undefined;
  /** Unix seconds. */
  readonly blockTime: bigint | undefined;
  /** What the fee payer paid the network, in lamports, including the priority fee. `undefined` if the node does not say. */
  readonly fee: bigint | undefined;
  /**
   * The part of `fee` that was paid for priority, in lamports: what a version 1 transaction states, otherwise the compute
   * unit limit times the price, or `fee` without the signatures' part. `undefined` if neither is known.
   */
  readonly priorityFee: bigint | undefined;
  /** Why the transaction failed. Nothing that it intended has then happened. */
  readonly error: TransactionFailure | undefined;
  /** The exchange's instructions, including those that other programs called, in the order in which they ran. */
  readonly instructions: readonly TransactionInstruction[];
  /** The buys and sells among them, and the purchase in a launch. None if the transaction failed. */
  readonly trades: readonly ParsedTrade[];
  /** What the node has kept of the transaction. Missing parts can hide events, calls from other programs, or amounts. */
  readonly record: {
    readonly logs: 'complete' | 'truncated' | 'missing';
    readonly innerInstructions: 'complete' | 'missing';
    readonly tokenBalances: 'complete' | 'missing';
  };
}

/**
 * Parses what a confirmed transaction did on the exchange: its instructions by name, their events, and its trades in their users'
 * terms. Amounts are only given if the transaction proves them: see {@link ParsedTrade}.
 *
 * @param transaction What `rpc.getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 })` returns; the
 * encoding `json` also works.
 * @throws {HeavenError} `invalid-input` (there is no transaction, or no `meta`), `invalid-address`,
 * `malformed-data` (also for the encodings `jsonParsed` and `base58`)
 * @example
 * ```ts
 * const { trades, error } = parseTransaction(await rpc.getTransaction(signature, config).send());
 * for (const { user, side, amountIn, amountOut } of trades) console.log(user, side, amountIn, amountOut);
 * ```
 */
export function parseTransaction(
  transaction: TransactionResponse | null,
  config: InstructionConfig = {},
): ParsedTransaction {
  const program = programIn(config);
  const response = assertRecorded(transaction);
  const { meta } = response;
  const { signature, cost, instructions: all, accounts } = decodeTransaction(response);
  const slot = integerOf(response.slot);
  if (slot === undefined) throw malformed('The transaction names no slot. Ask another node.');
  const fee = integerOf(meta.fee);
  const error = failureOf(meta, all, config);
  // All but a few programs log that they run: an empty list means that there are no logs.
  const logs = meta.logMessages?.length ? readLogs(meta.logMessages) : undefined;
  const logsKept = logs === undefined ? 'missing' : logs.truncated ? 'truncated' : 'complete';
  const invocations = logs === undefined || error !== undefined ? new Map() : invocationsOf(all, logs);
  const balances = new TokenBalances(meta, accounts);

  const instructions: TransactionInstruction[] = [];
  const trades: ParsedTrade[] = [];
  for (const instruction of all) {
    if (instruction.programAddress !== program) continue;
    const { trace: _, ...raw } = instruction;
    const position = positionOf(instruction);
    const read = readInstruction(raw, config);
    const events = eventsOf(invocations.get(instruction));
    instructions.push({ ...position, ...read, raw, events });
    if (error !== undefined || !(isTrade(read.parsed) || isPurchase(read.parsed))) continue;
    const calls = meta.innerInstructions ? callsOf(instruction, all) : undefined;
    const network = { fee, payer: accounts[0] };
    const trade = readTrade({ instruction: read.parsed, events, calls, all, balances, network });
    trades.push({ ...position, ...trade });
  }
  return {
    signature,
    version: cost.version,
    slot,
    transactionIndex: indexIn(response),
    blockTime: integerOf(response.blockTime),
    fee,
    priorityFee: priorityFeeOf(cost, fee),
    error,
    instructions,
    trades,
    record: {
      logs: logsKept,
      innerInstructions: meta.innerInstructions ? 'complete' : 'missing',
      tokenBalances: balances.isComplete ? 'complete' : 'missing',
    },
  };
}

/**
 * Returns a transaction's priority fee in lamports, if the transaction states everything that the fee depends on. Otherwise takes what
 * the node says it paid, minus the signature fees: the cluster's default limit has changed over time.
 */
function priorityFeeOf(transaction: CostedTransaction, fee: bigint | undefined): bigint | undefined {
  const { version, config } = transaction;
  const { computeBudget, fees } = costOf(transaction);
  const isTold = version === 1 ? config !== undefined : computeBudget.isLimitSet || fees.priority === 0n;
  if (isTold) return fees.priority;
  return fee === undefined || fee < fees.signatures ? undefined : fee - fees.signatures;
}

function failureOf(
  { err, logMessages }: Meta,
  all: readonly TracedInstruction[],
  config: InstructionConfig,
): TransactionFailure | undefined {
  const instructionPrograms = all.filter(isOuter).map(({ programAddress }) => programAddress);
  return explainTransactionFailure({ err, logs: logMessages ?? null, instructionPrograms }, config);
}

interface TracePosition {
  readonly instructionIndex: number;
  readonly innerIndex?: number | undefined;
}

const positionOf = ({ trace }: TracedInstruction) =>
  trace.kind === 'outer'
    ? { instructionIndex: trace.index }
    : { instructionIndex: trace.outerIndex, innerIndex: trace.innerIndex };

const keyOf = ({ instructionIndex, innerIndex }: TracePosition) => `${instructionIndex}.${innerIndex ?? ''}`;

/** Finds each instruction in the logs. Some top-level instructions log nothing (the signature checks). */
function invocationsOf(
  all: readonly TracedInstruction[],
  { invocations }: ReadLogs,
): ReadonlyMap<TracedInstruction, Invocation> {
  const found = new Map<TracedInstruction, Invocation>();
  const instructionAt = new Map(all.map((instruction) => [keyOf(positionOf(instruction)), instruction]));
  const outers = all.filter(isOuter);
  let next = 0;
  for (const invocation of invocations) {
    const { programAddress } = invocation;
    const { innerIndex } = invocation.position;
    if (innerIndex === undefined) {
      while (next < outers.length && outers[next]?.programAddress !== programAddress) next++;
      next++;
    }
    const instruction = instructionAt.get(keyOf({ instructionIndex: next - 1, innerIndex }));
    if (instruction?.programAddress === programAddress) found.set(instruction, invocation);
  }
  return found;
}

const eventsOf = (invocation: Invocation | undefined): readonly HeavenEvent[] =>
  (invocation?.lines ?? []).flatMap(({ text }) => decodeEvent(text) ?? []);

/** Returns what an instruction called, directly or not, if the node says so. */
function callsOf(
  instruction: TracedInstruction,
  all: readonly TracedInstruction[],
): readonly Instruction[] | undefined {
  const { instructionIndex } = positionOf(instruction);
  const behind = all
    .slice(all.indexOf(instruction) + 1)
    .filter((other) => positionOf(other).instructionIndex === instructionIndex);
  if (isOuter(instruction)) return behind;
  const own = heightOf(instruction);
  const heights = behind.map(heightOf);
  if (own === undefined || heights.includes(undefined)) return undefined;
  const end = heights.findIndex((height = 0) => height <= own);
  return end < 0 ? behind : behind.slice(0, end);
}

/** How deep in the calls an inner instruction is. Records from before 2022 don't say. */
const heightOf = ({ trace }: TracedInstruction): number | undefined =>
  (trace.kind === 'inner' ? trace.stackHeight : undefined) ?? undefined;

function readInstruction(
  raw: Instruction,
  config: InstructionConfig,
): Pick<TransactionInstruction, 'parsed' | 'problem'> {
  try {
    return { parsed: parseHeavenInstruction(raw, config) };
  } catch (error) {
    if (isHeavenError(error, 'malformed-data')) return { parsed: undefined, problem: error.message };
    throw error;
  }
}
