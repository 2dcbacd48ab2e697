import {
  type Address,
  type DecodedRpcTransaction,
  decodeTransactionFromRpcResponse,
  getAccountMetasFromCompiledTransactionMessage,
  getBase58Encoder,
  getBase64Decoder,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__TRANSACTION_INTROSPECTION__CANNOT_DECODE_JSON_PARSED_TRANSACTION,
  type TracedInstruction,
  type TransactionVersion,
  walkInstructions,
} from '@solana/kit';

import { HeavenError, isHeavenError } from '../errors.js';
import { inputError, invalidInput } from '../input.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../program/constants.js';
import type { InstructionConfig } from '../program/deployment.js';
import {
  explainTransactionFailure,
  type FailedTransaction,
  type TransactionFailure,
} from '../program/errors.js';
import { decodeEvent, type HeavenEvent, type TradeEvent } from '../program/events.js';
import { type HeavenInstruction, parseHeavenInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import type { CostedTransaction } from '../solana/compute-budget.js';
import { type Invocation, type ReadLogs, readLogs } from '../solana/logs.js';
import { readWireTransaction, type WireTransaction } from '../solana/message.js';
import { configInJson, integerOf, priorityFeeOf } from './priority-fee.js';
import { isTrade, type ParsedTrade, readTrade } from './trades.js';

/** A token balance as a node returns it. */
interface TokenBalance {
  readonly accountIndex: number | bigint;
  readonly mint: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** A transaction as kit's `getTransaction` returns it, in the encoding `base64`, `base58` or `json`. */
export interface TransactionResponse {
  readonly transaction: unknown;
  readonly version?: unknown;
  readonly slot: bigint | number;
  /** Unix seconds. */
  readonly blockTime?: bigint | number | null;
  readonly meta: {
    readonly err: unknown;
    /** Lamports. */
    readonly fee?: bigint | number;
    readonly logMessages?: readonly string[] | null;
    readonly innerInstructions?: readonly unknown[] | null;
    readonly loadedAddresses?: {
      readonly writable: readonly Address[];
      readonly readonly: readonly Address[];
    } | null;
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
  } | null;
}

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
  /** Unix seconds. */
  readonly blockTime: bigint | undefined;
  /** What the fee payer paid the network, in lamports, including the priority fee. `undefined` if the node does not say. */
  readonly fee: bigint | undefined;
  /**
   * The part of `fee` that was paid for priority, in lamports: what a version 1 transaction states, otherwise the compute
   * unit limit times the price. `undefined` if the transaction sets a price without a limit and the node does not return the fee.
   */
  readonly priorityFee: bigint | undefined;
  /** Why the transaction failed. Nothing that it intended has then happened. */
  readonly error: TransactionFailure | undefined;
  /** The exchange's instructions, including those that other programs called, in the order in which they ran. */
  readonly instructions: readonly TransactionInstruction[];
  /** The buys and sells among them. None if the transaction failed. */
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
 * @param transaction What `rpc.getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 })` returns;
 * the encodings `base58` and `json` also work.
 * @throws {HeavenError} `invalid-input` (there is no transaction, no `meta`, or the encoding is `jsonParsed`),
 * `invalid-address`, `malformed-data`
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
  return parseWithAccounts(transaction, config).parsed;
}

/** {@link parseTransaction}, also with all accounts that the transaction names. */
export function parseWithAccounts(
  transaction: TransactionResponse | null,
  config: InstructionConfig,
): { readonly parsed: ParsedTransaction; readonly accounts: readonly Address[] } {
  if (config.programAddress !== undefined) assertAddress(config.programAddress, 'programAddress');
  const program = config.programAddress ?? HEAVEN_PROGRAM_ADDRESS;
  const response = assertRecorded(transaction);
  const { meta, blockTime } = response;
  const { signature, all, accounts, cost } = instructionsOf(response);
  const slot = integerOf(response.slot);
  if (slot === undefined) throw malformed('The transaction names no slot. Ask another node.');
  const fee = integerOf(meta.fee);
  const failed = meta.err !== null && meta.err !== undefined;
  const error = failed ? explainTransactionFailure(failureOf(meta, all), config) : undefined;
  // All but a few programs log that they run: an empty list means that there are no logs.
  const logs = meta.logMessages?.length ? readLogs(meta.logMessages) : undefined;
  const invocations: Invocations = logs === undefined ? new Map() : matched(all, logs, meta, failed, program);
  const state = logs === undefined ? 'missing' : logs.truncated ? 'truncated' : 'complete';

  const balances = balancesOf(meta, accounts);
  const instructions: TransactionInstruction[] = [];
  const trades: ParsedTrade[] = [];
  for (const instruction of all) {
    if (instruction.programAddress !== program) continue;
    const position = positionOf(instruction);
    const { trace: _, ...raw } = instruction;
    const logged = failed ? [] : (invocations.get(instruction)?.lines ?? []);
    const events = logged.flatMap(({ text }) => decodeEvent(text) ?? []);
    const read = readInstruction(raw, config);
    instructions.push({ ...position, ...read, raw, events });
    if (failed || !isTrade(read.parsed)) continue;
    trades.push(
      readTrade({
        position,
        instruction: read.parsed,
        events: events.flatMap((event): TradeEvent[] => (event.name === 'TradeEvent' ? [event.data] : [])),
        logs: state,
        calls: callsOf(instruction, all, meta, invocations),
        all,
        network: { fee, payer: accounts[0] },
        ...balances,
      }),
    );
  }
  const parsed: ParsedTransaction = {
    signature,
    version: cost.version,
    slot,
    blockTime: integerOf(blockTime),
    fee,
    priorityFee: priorityFeeOf(cost, fee),
    error,
    instructions,
    trades,
    record: {
      logs: state,
      innerInstructions: meta.innerInstructions ? 'complete' : 'missing',
      tokenBalances: meta.preTokenBalances && meta.postTokenBalances ? 'complete' : 'missing',
    },
  };
  return { parsed, accounts };
}

type Meta = NonNullable<TransactionResponse['meta']>;
type RecordedTransaction = TransactionResponse & { readonly meta: Meta };

const isOuter = ({ trace }: TracedInstruction) => trace.kind === 'outer';

const failureOf = ({ err, logMessages }: Meta, all: readonly TracedInstruction[]): FailedTransaction => ({
  err,
  logs: logMessages ?? null,
  instructionPrograms: all.filter(isOuter).map(({ programAddress }) => programAddress),
});

function assertRecorded(transaction: TransactionResponse | null): RecordedTransaction {
  if (transaction === null) {
    throw inputError(
      'transaction',
      'There is no transaction: the node does not know it, or dropped it. Check the signature, wait until it is confirmed, or ask a node with the whole history.',
      transaction,
    );
  }
  if (typeof transaction !== 'object' || typeof transaction.transaction !== 'object')
    throw invalidInput('transaction', transaction, 'what getTransaction gives');
  const { meta } = transaction;
  if (typeof meta !== 'object' || meta === null) {
    throw inputError(
      'transaction.meta',
      'The node kept no record (meta) of what the transaction did, not even whether it failed. Ask another node.',
      meta,
    );
  }
  return { ...transaction, meta };
}

/** More than the 4096 bytes of a version 1 transaction need. */
const MOST_BASE58_CHARACTERS = 6_000;

const malformed = (message: string, cause?: unknown) =>
  new HeavenError('malformed-data', message, { what: 'transaction' }, { cause });

const contradiction = (reason: string) =>
  malformed(`The transaction contradicts itself: ${reason}. Ask another node.`);

/** Returns all instructions in the order in which they ran, and all accounts by index. */
function instructionsOf(response: RecordedTransaction) {
  try {
    const wire = wireOf(response.transaction);
    const decoded: DecodedRpcTransaction = decodeTransactionFromRpcResponse(
      response as Parameters<typeof decodeTransactionFromRpcResponse>[0],
    );
    const { compiledMessage, loadedAddresses } = decoded;
    const lookups =
      ('addressTableLookups' in compiledMessage ? compiledMessage.addressTableLookups : undefined) ?? [];
    for (const list of ['writable', 'readonly'] as const) {
      const wanted = lookups.reduce((count, lookup) => count + lookup[`${list}Indexes`].length, 0);
      if (loadedAddresses[list].length === wanted) continue;
      throw malformed(
        `The transaction takes ${wanted} ${list} accounts from lookup tables, and meta.loadedAddresses holds ${loadedAddresses[list].length}. Ask for it with maxSupportedTransactionVersion: 1.`,
      );
    }
    const accounts = getAccountMetasFromCompiledTransactionMessage(compiledMessage, loadedAddresses);
    const meta = response.meta as NonNullable<Parameters<typeof walkInstructions>[0]['meta']>;
    const all = walkInstructions({ compiledMessage, loadedAddresses, meta });
    const count = all.filter(isOuter).length;
    if (all.some(({ trace }) => trace.kind === 'inner' && !(trace.outerIndex < count)))
      throw contradiction('an inner instruction was called by a top-level one that there is not');
    const { version, header } = compiledMessage;
    const { message } = response.transaction as { readonly message?: unknown };
    return {
      signature: signatureOf(response, decoded),
      cost: {
        version,
        config: version === 1 ? (wire?.config ?? configInJson(message)) : undefined,
        instructions: all.filter(isOuter),
        signatures: { length: header.numSignerAccounts },
      } satisfies CostedTransaction,
      all,
      accounts: accounts.map(({ address }) => address),
    };
  } catch (cause) {
    if (isHeavenError(cause)) throw cause;
    if (
      isSolanaError(cause, SOLANA_ERROR__TRANSACTION_INTROSPECTION__CANNOT_DECODE_JSON_PARSED_TRANSACTION)
    ) {
      throw new HeavenError(
        'invalid-input',
        "The transaction is in the encoding jsonParsed, which leaves out the instructions' bytes. Ask for it with encoding: 'base64'.",
        { field: 'transaction' },
        { cause },
      );
    }
    throw malformed(
      "This is not a transaction as getTransaction gives it with encoding: 'base64', 'base58' or 'json'.",
      cause,
    );
  }
}

/** Reads a transaction's bytes strictly: kit's decoder accepts a version 1 transaction of any length. */
function wireOf(transaction: unknown): WireTransaction | undefined {
  if (!Array.isArray(transaction)) return undefined;
  const [text, encoding]: readonly unknown[] = transaction;
  if (encoding === 'base64') return readWireTransaction(text as string);
  if (encoding !== 'base58' || typeof text !== 'string') return undefined;
  // Decoding base58 takes quadratic time.
  if (text.length > MOST_BASE58_CHARACTERS) throw malformed('The transaction is too long. Ask another node.');
  return readWireTransaction(getBase64Decoder().decode(getBase58Encoder().encode(text)));
}

function signatureOf(response: TransactionResponse, { transaction }: DecodedRpcTransaction): Signature {
  if (transaction !== undefined) return getSignatureFromTransaction(transaction);
  const { signatures = [] } = response.transaction as { readonly signatures?: readonly Signature[] };
  if (signatures[0] === undefined) throw malformed('The transaction has no signature.');
  return signatures[0];
}

const positionOf = ({ trace }: TracedInstruction) =>
  trace.kind === 'outer'
    ? { instructionIndex: trace.index }
    : { instructionIndex: trace.outerIndex, innerIndex: trace.innerIndex };

const keyOf = (instructionIndex: number, innerIndex: number | undefined) =>
  `${instructionIndex}.${innerIndex ?? ''}`;

type Invocations = ReadonlyMap<TracedInstruction, Invocation>;

/**
 * Assigns log entries to instructions. Some programs log nothing (the signature checks). If any top-level instruction of
 * a program is in the logs, then all of that program's are, up to where the transaction failed or the logs end.
 */
function matched(
  all: readonly TracedInstruction[],
  { invocations, truncated }: ReadLogs,
  { innerInstructions }: Meta,
  failed: boolean,
  program: Address,
): Invocations {
  const logged = invocations.filter(({ position }) => position.innerIndex === undefined);
  const logging = new Set(logged.map(({ programAddress }) => programAddress));
  const expected = all.filter((outer) => isOuter(outer) && logging.has(outer.programAddress));
  const isWhole = !truncated && !failed;
  if (
    (isWhole ? logged.length !== expected.length : logged.length > expected.length) ||
    logged.some(({ programAddress }, index) => expected[index]?.programAddress !== programAddress)
  ) {
    throw contradiction('its logs are not those of its instructions');
  }
  const byKey = new Map(
    all.map((instruction) => {
      const { instructionIndex, innerIndex } = positionOf(instruction);
      return [keyOf(instructionIndex, innerIndex), instruction];
    }),
  );
  const found = new Map<TracedInstruction, Invocation>();
  for (const invocation of invocations) {
    const { position, programAddress } = invocation;
    const outer = expected[position.instructionIndex] as TracedInstruction;
    const instruction = byKey.get(keyOf(positionOf(outer).instructionIndex, position.innerIndex));
    if (instruction?.programAddress === programAddress) found.set(instruction, invocation);
    else if (innerInstructions) throw contradiction('its logs are not those of its inner instructions');
  }
  // The exchange always logs that it runs, and so does everything that a program can call. It can't call the signature checks.
  const lacking = all.find(
    (instruction) =>
      (!isOuter(instruction) || instruction.programAddress === program) && !found.has(instruction),
  );
  if (isWhole && lacking) throw contradiction(`its logs lack an instruction of ${lacking.programAddress}`);
  return found;
}

/** Returns what an instruction called, directly or not, or why that is unknown. */
function callsOf(
  instruction: TracedInstruction,
  all: readonly TracedInstruction[],
  { innerInstructions }: Meta,
  invocations: Invocations,
): readonly Instruction[] | string {
  if (!innerInstructions) return 'the node kept no inner instructions';
  const { instructionIndex } = positionOf(instruction);
  const behind = all
    .slice(all.indexOf(instruction) + 1)
    .filter((other) => positionOf(other).instructionIndex === instructionIndex);
  if (isOuter(instruction)) return behind;
  const heightOf = (traced: TracedInstruction) =>
    (traced.trace.kind === 'inner' ? traced.trace.stackHeight : 1) ??
    invocations.get(traced)?.position.stackHeight;
  const height = heightOf(instruction);
  const calls: Instruction[] = [];
  for (const other of behind) {
    const itsHeight = heightOf(other);
    if (height === undefined || itsHeight === undefined)
      return 'the node does not say which inner instruction called which (stackHeight)';
    if (itsHeight <= height) break;
    calls.push(other);
  }
  return calls;
}

function readInstruction(
  raw: Instruction,
  config: InstructionConfig,
): Pick<TransactionInstruction, 'parsed' | 'problem'> {
  try {
    return { parsed: parseHeavenInstruction(raw, config) };
  } catch (error) {
    if (isHeavenError(error, 'instruction-mismatch')) return { parsed: undefined, problem: error.message };
    throw error;
  }
}

/** Returns the balances of a list, if the node kept it. */
function checkedBalances(list: unknown): readonly TokenBalance[] | undefined {
  if (list === null || list === undefined) return undefined;
  if (!Array.isArray(list)) throw contradiction('its token balances are not a list');
  for (const balance of list as readonly (Partial<TokenBalance> | null | undefined)[]) {
    const decimals: unknown = balance?.uiTokenAmount?.decimals;
    // The token programs store decimals in one byte.
    if (!Number.isInteger(decimals) || (decimals as number) < 0 || (decimals as number) > 255)
      throw contradiction('a token balance has no decimals from 0 to 255');
    if (!['number', 'bigint'].includes(typeof balance?.accountIndex))
      throw contradiction('a token balance is of no account');
  }
  return list;
}

function balancesOf(meta: Meta, accounts: readonly Address[]) {
  const pre = checkedBalances(meta.preTokenBalances);
  const post = checkedBalances(meta.postTokenBalances);
  const find = (list: readonly TokenBalance[], account: Address) =>
    list.find(({ accountIndex }) => accounts[Number(accountIndex)] === account);
  const amountOf = (balance: TokenBalance | undefined) => {
    if (balance === undefined) return 0n;
    const amount: unknown = balance.uiTokenAmount.amount;
    if (typeof amount === 'string' && /^\d+$/.test(amount)) return BigInt(amount);
    throw contradiction('a token balance is not a number');
  };
  return {
    change(account: Address, mint: Address): bigint | undefined {
      if (pre === undefined || post === undefined) return undefined;
      const [before, after] = [find(pre, account), find(post, account)];
      // An account in neither list was created and closed on the way, or the node left it out.
      if (before === undefined && after === undefined) return undefined;
      if ([before, after].some((balance) => balance !== undefined && balance.mint !== mint)) return undefined;
      return amountOf(after) - amountOf(before);
    },
    decimals: (mint: Address): number | undefined =>
      [...(pre ?? []), ...(post ?? [])].find((entry) => entry.mint === mint)?.uiTokenAmount.decimals,
  };
}
