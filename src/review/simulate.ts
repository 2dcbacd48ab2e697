import type { Address } from '@solana/kit';
import { assertCall, assertHas } from '../base/input.js';
import { U32_MAX } from '../base/integers.js';
import { outsideText, quotation } from '../base/text.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../pool/quote.js';
import { assertUsedFor } from '../pool/read.js';
import type { HeavenClient } from '../program/client.js';
import { explainTransactionFailure, type TransactionFailure } from '../program/errors.js';
import { type ParsedLogs, parseLogs } from '../program/events.js';
import { assertAddress } from '../solana/addresses.js';
import { costOf } from '../solana/compute-budget.js';
import { LOADED_ACCOUNTS_PAGE_BYTES, MAX_COMPUTE_UNITS } from '../solana/limits.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { slotOf } from '../solana/rpc/accounts.js';
import { explainMissingMethod, invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { allInstructions, assertBuilt, type BuiltTransaction } from '../transaction/built.js';
import { writableAccountsOf } from '../transaction/writable-accounts.js';
import {
  Balances,
  readAccounts,
  type SimulatedBalanceChange,
  type SimulatedTokenBalanceChange,
} from './balances.js';
import { TRADE_SIDES } from './programs/exchange.js';
import { stepOfBuilt } from './read-step.js';

/** What {@link simulate} reports besides whether the transaction succeeds. */
export interface SimulateOptions extends RequestOptions {
  /** Whose balances to report. Default: the builder's `payer`, also with a `feePayer`. */
  readonly owner?: Address | undefined;
  /** The quote behind a trade, to compare with the simulated result. */
  readonly quote?: QuoteToCompare | undefined;
}

type QuoteToCompare = (BuyQuote | SellQuote) & { readonly details?: Partial<QuoteDetails> | undefined };

/** A trade's simulated result beside its quote. Token units of a buy, lamports of a sell. */
export interface SimulatedTradeComparison {
  readonly side: 'buy' | 'sell';
  /** What the quote expects, before slippage, if the quote has `details`. */
  readonly quoted: bigint | undefined;
  readonly minimumOut: bigint;
  /** `undefined` if the transaction also moves SOL for other reasons. */
  readonly simulated: bigint | undefined;
  readonly difference: bigint | undefined;
}

interface SimulationBase extends ParsedLogs {
  readonly slot: bigint;
  readonly computeUnits: number;
  /** Bytes of the accounts that it loads, as the cluster counts them, if the node reports them. */
  readonly loadedAccountsDataSize: number | undefined;
  /** The network fee in lamports, including priority. */
  readonly fee: bigint;
  readonly logs: readonly string[];
}

/** A transaction that would succeed. */
export interface SuccessfulSimulation extends SimulationBase {
  readonly ok: true;
  /** The SOL in the owner's wallet itself, in lamports. Includes rent and wrapping, and the network fee if the owner pays it. */
  readonly sol: SimulatedBalanceChange;
  /** The owner's token accounts that the transaction may change, except those that stay empty. */
  readonly tokens: readonly SimulatedTokenBalanceChange[];
  /** The rent of the accounts that it opens and leaves open, in lamports. */
  readonly newAccountRent: bigint;
  /** The slot of the balances before. If it differs from `slot`, the changes include what the wallet did in between. */
  readonly slotBefore: bigint;
  /** A compute limit with headroom: 110 % of what was used, rounded up to thousands, at most 1400000. */
  readonly suggestedComputeUnitLimit: number;
  /**
   * A limit of loaded account bytes for a version 1 transaction: what was loaded, rounded up to whole pages of 32768 bytes. An
   * account that someone else creates before the transaction lands counts with 64 bytes and its data, so add those.
   */
  readonly suggestedLoadedAccountsDataSizeLimit: number | undefined;
  readonly comparison?: SimulatedTradeComparison;
}

/** A transaction that would fail. */
export interface FailedSimulation extends SimulationBase {
  readonly ok: false;
  readonly error: TransactionFailure & {
    /** The last line that the failed program logged, if any. */
    readonly said?: string;
  };
}

/** The outcome of a simulated transaction, discriminated by `ok`. */
export type Simulation = SuccessfulSimulation | FailedSimulation;

const METHOD = 'simulateTransaction';

/**
 * Runs a built, unsigned transaction on the cluster's current state without sending it. Two calls to the node, made
 * at the same time. The node substitutes a fresh block hash, so an expired transaction can be simulated too.
 *
 * A transaction that would fail is a result, not an exception: `ok` is false, and `error` explains why.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `quote-mismatch` (a quote of another trade),
 * `rpc-method-unsupported`, and the other `rpc-…` codes
 * @example
 * ```ts
 * const built = await buildBuy(client, { payer, quoteResponse: quote });
 * const simulation = await simulate(client, built, { quote });
 * if (simulation.ok) console.log(simulation.sol.change, simulation.comparison?.difference);
 * else console.error(simulation.error.message);
 * ```
 */
export async function simulate(
  client: HeavenClient,
  built: BuiltTransaction,
  options: SimulateOptions = {},
): Promise<Simulation> {
  assertCall(client, options, { owner: 1, quote: 1, abortSignal: 1 }, 'options');
  const { quote } = options;
  const { programAddress } = client.deployment;
  assertBuilt(built);
  if (quote !== undefined) assertQuoteOf(built, quote, programAddress);
  const [feePayer] = Object.keys(built.transaction.signatures) as [Address];
  const owner = options.owner ?? built.payer;
  assertAddress(owner, 'owner');
  const addresses = writableAccountsOf(built);
  const [before, result] = await Promise.all([
    readBalances(client, [...new Set([...addresses, owner])], options),
    run(client, built, addresses, options),
  ]);
  const { err, accounts, ...rest } = result;
  const { logs, fee, computeUnits, loadedAccountsDataSize } = rest;
  const common = { ...rest, ...parseLogs(logs, { programAddress }) };
  const instructionPrograms = allInstructions(built).map((each) => each.programAddress);
  const failure = explainTransactionFailure({ err, logs, instructionPrograms }, { programAddress });
  if (failure !== undefined) return { ok: false, ...common, error: withLastWord(failure, logs) };
  const balances = new Balances(before.accounts, readAccounts(METHOD, accounts, addresses), addresses);
  const tokens = balances.tokensOf(owner);
  const solOut = () =>
    solReceived(built, fee, balances, { exchange: programAddress, parties: [owner, built.payer, feePayer] });
  return {
    ok: true,
    ...common,
    sol: balances.lamports(owner),
    tokens,
    newAccountRent: balances.lamportsOpened(),
    slotBefore: before.slot,
    suggestedComputeUnitLimit: suggestedLimit(computeUnits),
    suggestedLoadedAccountsDataSizeLimit:
      loadedAccountsDataSize === undefined ? undefined : suggestedSizeLimit(loadedAccountsDataSize),
    ...(quote === undefined ? {} : { comparison: compare(quote, tokens, solOut) }),
  };
}

/** Whole pages: the cluster charges for no less. */
const suggestedSizeLimit = (loaded: number) =>
  Math.max(1, Math.ceil(loaded / LOADED_ACCOUNTS_PAGE_BYTES)) * LOADED_ACCOUNTS_PAGE_BYTES;

const suggestedLimit = (used: number) => Math.min(Math.ceil((used * 11) / 10_000) * 1_000, MAX_COMPUTE_UNITS);

// ---------------------------------------------------------------- the quote beside it

const sideOf = (quote: BuyQuote | SellQuote) => ('maxLamportSpend' in quote ? 'buy' : 'sell');

function assertQuoteOf(built: BuiltTransaction, quote: BuyQuote | SellQuote, exchange: Address): void {
  assertHas(quote, 'minimumOut', 'quote', 'the quote of the trade');
  const trade = built.instructions.find(({ programAddress }) => programAddress === exchange);
  const step = trade && stepOfBuilt(trade, { programAddress: exchange });
  assertUsedFor('quote.side', TRADE_SIDES[step?.name ?? ''] ?? 'no trade', sideOf(quote));
  assertUsedFor('quote.mint', step?.accounts.tokenAMint ?? 'no token', quote.mint);
}

function compare(
  quote: QuoteToCompare,
  tokens: readonly SimulatedTokenBalanceChange[],
  solOut: () => bigint | undefined,
): SimulatedTradeComparison {
  const side = sideOf(quote);
  const simulated =
    side === 'sell'
      ? solOut()
      : tokens.filter(({ mint }) => mint === quote.mint).reduce((sum, { change }) => sum + change, 0n);
  const quoted = quote.details?.amountOut;
  return {
    side,
    quoted,
    minimumOut: quote.minimumOut,
    simulated,
    difference: simulated === undefined || quoted === undefined ? undefined : simulated - quoted,
  };
}

/** Programs whose instructions, as the builders use them, move SOL only between accounts of the same wallets. */
const OWN_PROGRAMS: readonly Address[] = [
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
];

/**
 * What the accounts of the parties gain together, plus what they pay for other things; `undefined` if an instruction could
 * move SOL unseen.
 */
function solReceived(
  { instructions }: BuiltTransaction,
  fee: bigint,
  balances: Balances,
  { exchange, parties }: { readonly exchange: Address; readonly parties: readonly Address[] },
): bigint | undefined {
  let received = fee + balances.lamportsGainedBy(parties);
  for (const instruction of instructions) {
    const { programAddress } = instruction;
    if (programAddress === exchange || OWN_PROGRAMS.includes(programAddress)) continue;
    const step = stepOfBuilt(instruction);
    // A temporary account, which is closed again.
    if (step?.name === 'CreateAccountWithSeed') continue;
    const [transfer] = step?.effects ?? [];
    if (step?.name !== 'TransferSol' || transfer?.kind !== 'debit') return undefined;
    const { account, destination, amount } = transfer;
    if (typeof amount !== 'bigint' || destination === undefined) return undefined;
    if (balances.isOf(account, parties)) received += amount;
    if (balances.isOf(destination, parties)) received -= amount;
  }
  return received;
}

const RUNTIME_LINE =
  /^Program (\w+ (invoke|consumed|success|failed)|data: |return: |log: Instruction: )|^Log truncated$/;

/** The failure, with the program's own message if its code says nothing. */
function withLastWord(failure: TransactionFailure, logs: readonly string[]): FailedSimulation['error'] {
  if (failure.programError !== undefined) return failure;
  const failed = logs.findIndex((line) => /^Program \w+ failed/.test(line));
  const invoked = logs.slice(0, Math.max(failed, 0)).map((line) => / invoke \[\d+\]$/.test(line));
  const own = logs.slice(invoked.lastIndexOf(true) + 1, Math.max(failed, 0));
  const last = own.filter((line) => !RUNTIME_LINE.test(line)).at(-1);
  if (last === undefined) return failure;
  const said = outsideText(last.replace(/^Program log: /, ''));
  return { ...failure, said, message: `${failure.message} The program says: ${quotation(said)}` };
}

// ---------------------------------------------------------------- the node's answers

async function readBalances(client: HeavenClient, addresses: readonly Address[], options: RequestOptions) {
  const method = 'getMultipleAccounts';
  const { commitment } = client;
  const request = client.rpc.getMultipleAccounts([...addresses], { commitment, encoding: 'base64' });
  const response: { readonly value?: unknown } | null = await send(client, method, request, options);
  return { slot: slotIn(method, response), accounts: readAccounts(method, response?.value, addresses) };
}

function slotIn(method: string, response: unknown): bigint {
  const slot = slotOf(response);
  if (slot === undefined) throw invalidResponse(method, 'it names no slot');
  return slot;
}

async function run(
  client: HeavenClient,
  built: BuiltTransaction,
  addresses: readonly Address[],
  options: RequestOptions,
) {
  const request = client.rpc.simulateTransaction(built.tx, {
    accounts: { addresses: [...addresses], encoding: 'base64' },
    commitment: client.commitment,
    encoding: 'base64',
    replaceRecentBlockhash: true,
    sigVerify: false,
  });
  const response: unknown = await send(client, METHOD, request, options).catch((error: unknown) => {
    throw explainMissingMethod(error, METHOD);
  });
  const slot = slotIn(METHOD, response);
  const { value } = response as { readonly value?: Readonly<Record<string, unknown>> | null };
  if (typeof value !== 'object' || value === null || value.err === undefined)
    throw invalidResponse(METHOD, 'it does not say whether the transaction failed');
  const logs = value.logs ?? [];
  if (!Array.isArray(logs) || logs.some((line) => typeof line !== 'string'))
    throw invalidResponse(METHOD, 'its logs are not a list of lines');
  return {
    slot,
    err: value.err,
    logs: logs as readonly string[],
    accounts: value.accounts,
    computeUnits: wholeIn(value, 'unitsConsumed') ?? 0,
    // Nodes before 3.0 report neither.
    loadedAccountsDataSize: wholeIn(value, 'loadedAccountsDataSize'),
    fee: typeof value.fee === 'bigint' ? value.fee : feeOf(built),
  };
}

function wholeIn(value: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const found = value[name];
  if (found === undefined || found === null) return undefined;
  const whole = typeof found === 'bigint' ? Number(found) : found;
  if (typeof whole === 'number' && Number.isInteger(whole) && whole >= 0 && whole <= U32_MAX) return whole;
  throw invalidResponse(METHOD, `its ${name} is not a whole number up to ${U32_MAX}`);
}

/** The fee as the cluster computes it. */
function feeOf(built: BuiltTransaction): bigint {
  const signatures = Object.keys(built.transaction.signatures);
  return costOf({ ...built, instructions: allInstructions(built), signatures }).fees.total;
}
