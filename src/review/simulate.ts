import type { Address, Instruction } from '@solana/kit';
import {
  identifySystemInstruction,
  parseTransferSolInstruction,
  SystemInstruction,
} from '@solana-program/system';
import { allInstructions, assertBuilt, type BuiltTransaction } from '../build/assemble.js';
import { writableAccountsOf } from '../build/writable-accounts.js';
import type { HeavenClient } from '../client.js';
import { outsideText } from '../format/text.js';
import { assertHas, inputError } from '../input.js';
import { assertSame } from '../pool/given-snapshot.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../pool/quote.js';
import { explainTransactionFailure, type TransactionFailure } from '../program/errors.js';
import { type ParsedLogs, parseLogs } from '../program/events.js';
import * as declared from '../program/instructions/declarations.js';
import { assertAddress } from '../solana/addresses.js';
import { costOf } from '../solana/compute-budget.js';
import { hexBytes, startsWith } from '../solana/discriminator.js';
import {
  LOADED_ACCOUNTS_PAGE_BYTES,
  MAX_ACCOUNTS_PER_CALL,
  MAX_COMPUTE_UNITS,
  U32_MAX,
} from '../solana/limits.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../solana/programs.js';
import { accountsFrom } from '../solana/rpc/accounts.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import { explainMissingMethod } from '../solana/rpc/missing-method.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';
import { readTokenAccount, type TokenAccount } from '../solana/token-account.js';

/** What {@link simulate} reports besides whether the transaction succeeds. */
export interface SimulateOptions extends RequestOptions {
  /** Whose balances to report. Default: the fee payer's. */
  readonly owner?: Address | undefined;
  /** The quote behind a trade, to compare with the simulated result. */
  readonly quote?: QuoteToCompare | undefined;
  /** Whether the node substitutes a fresh block hash, so that expired transactions can be simulated too. Default true. */
  readonly replaceRecentBlockhash?: boolean | undefined;
}

type QuoteToCompare = (BuyQuote | SellQuote) & { readonly details?: Partial<QuoteDetails> | undefined };

/** A balance before and after, in native units of the asset. */
export interface SimulatedBalanceChange {
  readonly before: bigint;
  readonly after: bigint;
  readonly change: bigint;
}

/** How a token account of the owner changes, in token units. */
export interface SimulatedTokenBalanceChange extends SimulatedBalanceChange {
  readonly account: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

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
  /** The network fee in lamports, including priority, if the node reports it. */
  readonly fee: bigint | undefined;
  readonly logs: readonly string[];
}

/** A transaction that would succeed. */
export interface SuccessfulSimulation extends SimulationBase {
  readonly ok: true;
  /** The SOL in the owner's wallet itself, in lamports. Includes the network fee, rent and wrapping. */
  readonly sol: SimulatedBalanceChange;
  /** The owner's token accounts that the transaction may change, except those that stay empty. */
  readonly tokens: readonly SimulatedTokenBalanceChange[];
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
 * at the same time.
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
  return (await simulateWithData(client, built, options)).simulation;
}

/** {@link simulate}, with the resulting data of the accounts, to look at more than balances. */
export async function simulateWithData(
  client: HeavenClient,
  built: BuiltTransaction,
  options: SimulateOptions,
): Promise<{
  readonly simulation: Simulation;
  readonly dataAfter: (address: Address) => Uint8Array | undefined;
}> {
  const { quote, replaceRecentBlockhash = true } = options;
  assertBuilt(built);
  if (quote !== undefined) assertQuoteOf(built, quote, client.deployment.programAddress);
  const [feePayer] = Object.keys(built.transaction.signatures) as [Address];
  const owner = options.owner ?? feePayer;
  assertAddress(owner, 'owner');
  if (typeof replaceRecentBlockhash !== 'boolean') {
    throw inputError(
      'replaceRecentBlockhash',
      'replaceRecentBlockhash must be true or false.',
      replaceRecentBlockhash,
    );
  }
  const addresses = writableAccountsOf(built);
  const [before, result] = await Promise.all([
    readBalances(client, addresses, options),
    run(client, built, addresses, replaceRecentBlockhash, options),
  ]);
  const { slot, err, logs, unitsConsumed, loadedAccountsDataSize, fee } = result;
  const { programAddress } = client.deployment;
  const { events, truncated } = parseLogs(logs, { programAddress });
  const common = { slot, events, truncated, computeUnits: unitsConsumed, loadedAccountsDataSize, fee, logs };
  const failure = explainTransactionFailure(
    { err, logs, instructionPrograms: allInstructions(built).map((each) => each.programAddress) },
    { programAddress },
  );
  if (failure !== undefined) {
    return {
      simulation: { ok: false, ...common, error: withLastWord(failure, logs) },
      dataAfter: () => undefined,
    };
  }

  const after = readAccounts(METHOD, result.accounts, addresses);
  const change = (
    address: Address,
    read: (account: Account | undefined) => bigint,
  ): SimulatedBalanceChange => {
    const [was, is] = [read(before.accounts.get(address)), read(after.get(address))];
    return { before: was, after: is, change: is - was };
  };
  const held = (address: Address, ...owners: readonly Address[]) =>
    [before.accounts.get(address), after.get(address)].some(
      (account) => account?.token !== undefined && owners.includes(account.token.owner),
    );
  // An owner that the transaction can't change keeps its balance.
  const sol = addresses.includes(owner) ? change(owner, lamportsOf) : await unchanged(client, owner, options);
  const tokens = addresses.flatMap((account): readonly SimulatedTokenBalanceChange[] => {
    const token = after.get(account)?.token ?? before.accounts.get(account)?.token;
    if (token === undefined || !held(account, owner)) return [];
    const { mint, program: tokenProgram } = token;
    const amounts = change(account, (at) => at?.token?.amount ?? 0n);
    return amounts.before === 0n && amounts.after === 0n ? [] : [{ account, mint, tokenProgram, ...amounts }];
  });
  const parties = [...new Set([owner, feePayer])];
  const total = addresses
    .filter((address) => parties.includes(address) || held(address, ...parties))
    .reduce((sum, address) => sum + change(address, lamportsOf).change, 0n);
  const isOurs = (address: Address) =>
    parties.includes(address) || held(address, ...parties) || !after.has(address);
  const simulation: Simulation = {
    ok: true,
    ...common,
    sol,
    tokens,
    slotBefore: before.slot,
    suggestedComputeUnitLimit: suggestedLimit(unitsConsumed),
    suggestedLoadedAccountsDataSizeLimit:
      loadedAccountsDataSize === undefined ? undefined : suggestedSizeLimit(loadedAccountsDataSize),
    ...(quote === undefined
      ? {}
      : { comparison: compare(quote, tokens, () => solReceived(built, total, fee, programAddress, isOurs)) }),
  };
  return { simulation, dataAfter: (address) => after.get(address)?.data };
}

/** Whole pages: the cluster charges for no less. */
const suggestedSizeLimit = (loaded: number) =>
  Math.max(1, Math.ceil(loaded / LOADED_ACCOUNTS_PAGE_BYTES)) * LOADED_ACCOUNTS_PAGE_BYTES;

const suggestedLimit = (used: number) => Math.min(Math.ceil((used * 11) / 10_000) * 1_000, MAX_COMPUTE_UNITS);

function assertQuoteOf(built: BuiltTransaction, quote: BuyQuote | SellQuote, exchange: Address): void {
  assertHas(quote, 'minimumOut', 'quote', 'the quote of the trade');
  const trade = built.instructions.find(({ programAddress }) => programAddress === exchange);
  const data = trade?.data ?? new Uint8Array();
  const isOneOf = (...declarations: readonly { readonly discriminator: string }[]) =>
    declarations.some(({ discriminator }) => startsWith(data, hexBytes(discriminator)));
  const side = isOneOf(declared.buy, declared.proBuy)
    ? 'buy'
    : isOneOf(declared.sell, declared.proSell)
      ? 'sell'
      : 'no trade';
  assertSame('quote.side', side, sideOf(quote));
  const isTraded = trade?.accounts?.some(({ address }) => address === quote.mint);
  assertSame('quote.mint', isTraded ? quote.mint : 'another token', quote.mint);
}

const sideOf = (quote: BuyQuote | SellQuote) => ('maxLamportSpend' in quote ? 'buy' : 'sell');

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
 * What wallet and token accounts gain together, plus what they pay for other things; `undefined` if an instruction could
 * move SOL unseen.
 */
function solReceived(
  { instructions }: BuiltTransaction,
  gained: bigint,
  fee: bigint | undefined,
  exchange: Address,
  isOurs: (address: Address) => boolean,
): bigint | undefined {
  if (fee === undefined) return undefined;
  let paid = fee;
  for (const instruction of instructions) {
    const { programAddress } = instruction;
    if (programAddress === SYSTEM_PROGRAM_ADDRESS) {
      const sent = netTransfer(instruction, isOurs);
      if (sent === undefined) return undefined;
      paid += sent;
    } else if (programAddress !== exchange && !OWN_PROGRAMS.includes(programAddress)) return undefined;
  }
  return gained + paid;
}

type SystemInstructionInput = Parameters<typeof parseTransferSolInstruction>[0];

/** The lamports that leave our accounts; `undefined` for neither a transfer nor the creation of a temporary account. */
function netTransfer(instruction: Instruction, isOurs: (address: Address) => boolean): bigint | undefined {
  try {
    const kind = identifySystemInstruction(instruction.data ?? new Uint8Array());
    if (kind === SystemInstruction.TransferSol) {
      const { accounts, data } = parseTransferSolInstruction(instruction as SystemInstructionInput);
      const { source, destination } = accounts;
      const { amount } = data;
      return (isOurs(source.address) ? amount : 0n) - (isOurs(destination.address) ? amount : 0n);
    }
    return kind === SystemInstruction.CreateAccountWithSeed ? 0n : undefined;
  } catch {
    return undefined;
  }
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
  return { ...failure, said, message: `${failure.message} The program says: ${said}` };
}

// ---------------------------------------------------------------- the node's answers

interface Account {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly token: (TokenAccount & { readonly program: Address }) | undefined;
}

const lamportsOf = (account: Account | undefined) => account?.lamports ?? 0n;

async function readBalances(client: HeavenClient, addresses: readonly Address[], options: RequestOptions) {
  const method = 'getMultipleAccounts';
  const accounts = new Map<Address, Account>();
  let slot: bigint | undefined;
  // One call, unless a transaction has more accounts than a node gives at once.
  for (let from = 0; from < addresses.length; from += MAX_ACCOUNTS_PER_CALL) {
    const part = addresses.slice(from, from + MAX_ACCOUNTS_PER_CALL);
    const request = client.rpc.getMultipleAccounts([...part], {
      commitment: client.commitment,
      encoding: 'base64',
    });
    const response: unknown = await send(client, method, request, options);
    const at = slotOf(method, response);
    slot = slot === undefined || at < slot ? at : slot;
    for (const [address, account] of readAccounts(method, (response as { value?: unknown }).value, part))
      accounts.set(address, account);
  }
  return { slot: slot ?? 0n, accounts };
}

async function unchanged(
  client: HeavenClient,
  owner: Address,
  options: RequestOptions,
): Promise<SimulatedBalanceChange> {
  const { accounts } = await readBalances(client, [owner], options);
  const lamports = lamportsOf(accounts.get(owner));
  return { before: lamports, after: lamports, change: 0n };
}

function slotOf(method: string, response: unknown): bigint {
  const slot = (response as { readonly context?: { readonly slot?: unknown } } | null)?.context?.slot;
  if (typeof slot !== 'bigint') throw invalidResponse(method, 'it names no slot');
  return slot;
}

function readAccounts(method: string, value: unknown, addresses: readonly Address[]): Map<Address, Account> {
  const accounts = new Map<Address, Account>();
  for (const [index, account] of accountsFrom(method, value, addresses).entries()) {
    if (account === undefined) continue;
    const { lamports, owner: program, data } = account;
    if (lamports === undefined) throw invalidResponse(method, `account ${index} has no lamports`);
    // A simulation gives an account that was closed as an empty one.
    if (lamports === 0n) continue;
    const token = readTokenAccount(account);
    accounts.set(account.address, { lamports, data, token: token && { ...token, program } });
  }
  return accounts;
}

async function run(
  client: HeavenClient,
  built: BuiltTransaction,
  addresses: readonly Address[],
  replaceRecentBlockhash: boolean,
  options: RequestOptions,
) {
  // kit types the answer by whether the block hash is replaced; it is looked at field by field below.
  const request = client.rpc.simulateTransaction(built.tx, {
    accounts: { addresses: [...addresses], encoding: 'base64' },
    commitment: client.commitment,
    encoding: 'base64',
    replaceRecentBlockhash: replaceRecentBlockhash as true,
    sigVerify: false,
  });
  let response: unknown;
  try {
    response = await send(client, METHOD, request, options);
  } catch (error) {
    throw explainMissingMethod(error, METHOD);
  }
  const slot = slotOf(METHOD, response);
  const { value } = response as { readonly value?: Readonly<Record<string, unknown>> | null };
  if (typeof value !== 'object' || value === null || value.err === undefined)
    throw invalidResponse(METHOD, 'it does not say whether the transaction failed');
  const logs = value.logs ?? [];
  if (!Array.isArray(logs) || logs.some((line) => typeof line !== 'string'))
    throw invalidResponse(METHOD, 'its logs are not a list of lines');
  const units = value.unitsConsumed ?? 0n;
  if (typeof units !== 'bigint' && typeof units !== 'number')
    throw invalidResponse(METHOD, 'its compute units are not a number');
  return {
    slot,
    err: value.err,
    logs: logs as readonly string[],
    accounts: value.accounts,
    unitsConsumed: Number(units),
    // Nodes before 3.0 report neither.
    loadedAccountsDataSize: sizeFrom(value.loadedAccountsDataSize),
    fee: typeof value.fee === 'bigint' ? value.fee : feeOf(built),
  };
}

function sizeFrom(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const size = isNumber ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(size) && size >= 0 && size <= U32_MAX) return size;
  throw invalidResponse(METHOD, `its size of loaded accounts is not a number of bytes up to ${U32_MAX}`);
}

/** The fee as the cluster computes it, if the transaction states everything that it depends on. */
function feeOf(built: BuiltTransaction): bigint | undefined {
  const signatures = Object.keys(built.transaction.signatures);
  const { computeBudget, fees } = costOf({ ...built, instructions: allInstructions(built), signatures });
  return fees.priority > 0n && !computeBudget.isLimitSet ? undefined : fees.total;
}
