import { type Address, type Blockhash, createNoopSigner } from '@solana/kit';
import {
  assertClient,
  assertFields,
  assertNames,
  assertWhole,
  describe,
  given,
  inputError,
  invalidInput,
} from '../base/input.js';
import { BPS } from '../base/integers.js';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import { checkInput } from '../input/check-input.js';
import { DRIFT_BPS } from '../math/slippage.js';
import { type BuilderName, builders } from '../operations/index.js';
import { buildProBuyFields } from '../operations/pro/buy.js';
import type { BuildProCreateInput, BuiltProCreate } from '../operations/pro/create.js';
import type { QuoteProBuyInput } from '../operations/pro/quote-buy.js';
import type { QuoteProSellInput } from '../operations/pro/quote-sell.js';
import { buildProSellFields } from '../operations/pro/sell.js';
import { buildBuyFields } from '../operations/standard/buy.js';
import type {
  BuildCreateStandardLiquidityPoolInput,
  BuiltLaunch,
} from '../operations/standard/create-standard-liquidity-pool.js';
import type { QuoteBuyInput } from '../operations/standard/quote-buy.js';
import {
  type InitialBuyQuote,
  type QuoteInitialBuyInput,
  quoteInitialBuy,
} from '../operations/standard/quote-initial-buy.js';
import type { QuoteSellInput } from '../operations/standard/quote-sell.js';
import { buildSellFields } from '../operations/standard/sell.js';
import { inWords } from '../pool/doubts.js';
import { createHeavenClient, type HeavenClient, type HeavenRpc } from '../program/client.js';
import { assertAddress, plainAddress } from '../solana/addresses.js';
import type { LookupTables } from '../solana/lookup-table.js';
import { knownTables, loadTransaction, readWireTransaction } from '../solana/message.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import type { BuiltTransaction } from '../transaction/built.js';
import {
  assertAnswersBuy,
  assertAnswersSell,
  assertProtects,
  quoteMismatch,
} from '../transaction/quote-response.js';
import { type BuiltTrade, lowMinimum } from '../transaction/trade.js';
import { expectedFrom, withTemporaryAccount } from './expected.js';
import { explainMismatch, explainSignatures, notAskedFor } from './explain.js';
import { launchMintOf } from './launch-mint.js';
import { areSignaturesValid, isSameTransaction } from './match.js';

/** What a person asked for: the input of the quote behind a transaction, by the name of its builder. */
interface Requests {
  readonly buildBuy: QuoteBuyInput;
  readonly buildSell: QuoteSellInput;
  readonly buildProBuy: QuoteProBuyInput;
  readonly buildProSell: QuoteProSellInput;
  readonly buildCreateStandardLiquidityPool: QuoteInitialBuyInput;
}

/** What was asked for: a builder by its name, and its input. */
export type TransactionIntent = {
  [TName in BuilderName]: {
    readonly function: TName;
    readonly input: Parameters<(typeof builders)[TName]>[1];
  } & (TName extends keyof Requests
    ? {
        /** The input of the quote function, which the quote in `input` must answer. For a launch, that of `quoteInitialBuy`. */
        readonly request?: Requests[TName] | undefined;
      }
    : unknown) &
    (TName extends 'buildCreateStandardLiquidityPool'
      ? {
          /** The suffix of the new mint's address, unless `input.mintSigner` names it. Default `777`. */
          readonly mintSuffix?: string | undefined;
        }
      : unknown);
}[BuilderName];

/** What {@link assertTransactionMatches} may read, and the exchange's address. */
export interface AssertTransactionMatchesOptions extends RequestOptions {
  /** Reads what the builder reads, and the lookup tables that you don't pass. */
  readonly client?: HeavenClient | undefined;
  /** Contents of lookup tables, from a source that you trust. */
  readonly lookupTables?: LookupTables | undefined;
  /** The exchange program, if you pass no client. Default: mainnet's. */
  readonly programAddress?: Address | undefined;
  /**
   * With a `request`: how far the quote's minimum may be below what the slippage of the request protects at the state that this reads, in
   * basis points. A quote lies a little behind the price. For a launch, how far its maximum may be above the cost without a warning.
   * Default 1000: a tenth.
   */
  readonly driftBps?: number | undefined;
}

type MatchedTrade = Pick<BuiltTrade, 'side' | 'mint' | 'pool' | 'amountIn' | 'minimumOut'>;

interface Matched {
  readonly buildBuy: MatchedTrade;
  readonly buildSell: MatchedTrade;
  readonly buildProBuy: MatchedTrade;
  readonly buildProSell: MatchedTrade;
  readonly buildCreateStandardLiquidityPool: Pick<BuiltLaunch, 'mint' | 'pool' | 'maxLamportSpend'> &
    Pick<BuildCreateStandardLiquidityPoolInput, 'initialPurchaseAmount'>;
  readonly buildProCreate: Pick<BuildProCreateInput, 'mint'> & Pick<BuiltProCreate, 'pool'>;
}

/** A transaction that matches. For a trade or a creation, also what it does. */
export type MatchedTransaction<TName extends BuilderName = BuilderName> = {
  /** What to know before signing, such as a minimum that the current price does not reach. */
  readonly warnings: readonly HeavenWarning[];
} & (TName extends keyof Matched ? Matched[TName] : unknown);

/**
 * Rejects a transaction that does something else, or more, than you asked for. It builds the transaction again from
 * your input and compares instruction by instruction: programs, accounts and their rights, and data, byte by byte.
 * These may differ: the block hash, the order of the accounts, lookup tables as long as each account is the same, the
 * seed of a temporary account, and the address of a launch's mint, which must have signed unless the wallet signs
 * first. A compute limit or price must be the one that you asked for, or the documented default, exactly. Existing
 * signatures must be valid.
 *
 * For a quote from a service, pass `intent.request`, what a person typed: the quote and the transaction must then
 * match it, and the minimum must protect what the requested slippage does now, give or take `driftBps`. Without it the quote is trusted,
 * except for a minimum far below what the trade gives, of which only a warning tells (`minimum-too-low`).
 *
 * @param intent The builder's name, its input (or the service's), and the `request` behind its quote.
 * @param options Without a `client`, this can only check what needs no chain state: a trade with a `snapshot`.
 * @returns The warnings and, for a trade or a creation, what it does: mint, pool and amounts.
 * @throws {HeavenError} `transaction-mismatch`, whose `kind` says how it differs and `instruction` where;
 * `quote-mismatch` for a quote that does not answer `request`, or whose minimum protects less: take a fresh quote;
 * `malformed-data` for what is not a transaction; `invalid-input` where a client is needed; and whatever the builder throws
 * if the operation is not possible at all
 * @example
 * ```ts
 * const request = { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 };
 * const input = { payer, quoteResponse: await remote.quoteBuy(request) };
 * const { tx } = await remote.buildBuy(input);
 * const trade = await assertTransactionMatches(tx, { function: 'buildBuy', input, request }, { client });
 * console.log(`Spends ${trade.amountIn} lamports for at least ${trade.minimumOut} token units`);
 * for (const { message } of trade.warnings) console.log(`Careful: ${message}`);
 * ```
 */
export async function assertTransactionMatches<TName extends BuilderName>(
  tx: string,
  intent: TransactionIntent & { readonly function: TName },
  options: AssertTransactionMatchesOptions = {},
): Promise<MatchedTransaction<TName>> {
  assertNames(options, 'options', {
    client: given(assertClient),
    lookupTables: 1,
    programAddress: 1,
    driftBps: 1,
    abortSignal: 1,
  });
  const { lookupTables = {}, abortSignal, driftBps } = options;
  assertIntent(intent);
  assertDrift(driftBps, intent);
  const client = options.client ?? offlineClient(options.programAddress);
  const { programAddress } = client.deployment;
  if (options.programAddress !== undefined && options.programAddress !== programAddress) {
    throw inputError(
      'programAddress',
      `programAddress is ${describe(options.programAddress)}, and the client is for ${programAddress}. Leave it out.`,
      options.programAddress,
    );
  }
  assertRequested(client, intent);
  const wire = readWireTransaction(tx);
  const tables = await knownTables(wire, lookupTables, options.client, { abortSignal });
  const actual = loadTransaction(wire, tables);
  const asked: TransactionIntent = intent;
  const mint =
    asked.function === 'buildCreateStandardLiquidityPool'
      ? launchMintOf(actual, asked.input, asked.mintSuffix ?? '777')
      : undefined;
  const [built, initialBuy] = await Promise.all([
    rebuild(client, intent, {
      // A block hash is asked for, and a durable nonce looks like one.
      lifetime: { blockhash: wire.lifetimeToken as Blockhash, lastValidBlockHeight: 0n },
      ...(abortSignal === undefined ? {} : { abortSignal }),
      ...(mint === undefined ? {} : { mintSigner: createNoopSigner(mint) }),
    }),
    requestedPurchase(client, intent, { abortSignal }),
  ]);
  const { before, after } = intent.input;
  const own = [...(before ?? []), ...(after ?? [])];
  const expected = await withTemporaryAccount(expectedFrom(built), actual, own);
  if (!isSameTransaction(actual, expected))
    throw notAskedFor(explainMismatch(actual, expected, client.deployment));
  const isWalletFirst = 'signingOrder' in asked.input && asked.input.signingOrder === 'wallet-first';
  const mustHaveSigned = mint === undefined || isWalletFirst ? [] : [mint];
  if (!(await areSignaturesValid(actual, mustHaveSigned)))
    throw notAskedFor(await explainSignatures(actual, mustHaveSigned));
  return {
    ...whatItDoes(built, intent),
    warnings: [
      ...(await buildWarnings(built, intent, driftBps)),
      ...spendWarnings(built, initialBuy, driftBps),
    ],
  } as MatchedTransaction<TName>;
}

function assertRequested(client: HeavenClient, intent: TransactionIntent): void {
  const { programAddress } = client.deployment;
  const { function: name, input } = intent;
  const { request } = intent as { readonly request?: unknown };
  if (request === undefined || request === null) return;
  if (!REQUESTED.includes(name)) {
    throw inputError(
      'intent.request',
      `intent.request is for ${REQUESTED.join(', ')}; ${name} takes no quote. Leave it out.`,
      request,
    );
  }
  if (typeof request !== 'object') throw invalidInput('intent.request', request, 'the input of the quote');
  if ('quoteResponse' in input && 'pool' in input) {
    const { pool } = request as Partial<QuoteProBuyInput>;
    const [asked, found] = [pool && plainAddress(pool), input.pool && plainAddress(input.pool)];
    if (asked !== found) throw quoteMismatch('pool', asked, found);
  }
  switch (intent.function) {
    case 'buildBuy':
    case 'buildProBuy': {
      const fields = intent.function === 'buildBuy' ? buildBuyFields : buildProBuyFields;
      const [{ quoteResponse }] = checkInput(client, intent.input, fields);
      assertAnswersBuy(quoteResponse, request as QuoteBuyInput, programAddress, QUOTE);
      break;
    }
    case 'buildSell':
    case 'buildProSell': {
      const fields = intent.function === 'buildSell' ? buildSellFields : buildProSellFields;
      const [{ quoteResponse }] = checkInput(client, intent.input, fields);
      assertAnswersSell(quoteResponse, request as QuoteSellInput, programAddress, QUOTE);
    }
  }
}

const QUOTE = 'quoteResponse.';
const REQUESTED: readonly BuilderName[] = [
  'buildBuy',
  'buildSell',
  'buildProBuy',
  'buildProSell',
  'buildCreateStandardLiquidityPool',
];

/** What the requested purchase costs now. Rejects a launch that makes another one. */
async function requestedPurchase(
  client: HeavenClient,
  intent: TransactionIntent,
  { abortSignal }: RequestOptions,
): Promise<InitialBuyQuote | undefined> {
  if (intent.function !== 'buildCreateStandardLiquidityPool' || !intent.request) return undefined;
  const { request, input } = intent;
  const { initialPurchaseAmount } = input;
  const configVersion = input.configVersion ?? 1;
  if (configVersion !== request.configVersion)
    throw quoteMismatch('configVersion', request.configVersion, configVersion);
  const quote = await quoteInitialBuy(client, { ...request, abortSignal });
  if (initialPurchaseAmount !== quote.tokenAmount)
    throw quoteMismatch('initialPurchaseAmount', quote.tokenAmount, initialPurchaseAmount);
  return quote;
}

type Built = BuiltTransaction & Partial<BuiltTrade & BuiltLaunch>;

/**
 * The builder's warnings. With a request, its slippage decides on the minimum instead of the quote's.
 *
 * @throws {HeavenError} `quote-mismatch` for a minimum that protects less than was asked for
 */
async function buildWarnings(
  { warnings, amountOut, minimumOut }: Built,
  intent: TransactionIntent,
  driftBps: number | undefined,
): Promise<readonly HeavenWarning[]> {
  const { request } = intent as { readonly request?: { readonly slippageBps?: number } };
  if (amountOut === undefined || minimumOut === undefined || request?.slippageBps === undefined)
    return warnings;
  assertProtects(`${QUOTE}minimumOut`, { minimumOut, amountOut }, request.slippageBps, driftBps);
  return [
    ...warnings.filter(({ code }) => code !== 'minimum-too-low'),
    ...(await inWords([lowMinimum(amountOut, minimumOut, request.slippageBps, driftBps)])),
  ];
}

/** Warns of a launch that may spend far more than you asked for. */
function spendWarnings(
  { maxLamportSpend = 0n }: Built,
  asked: InitialBuyQuote | undefined,
  driftBps: number = DRIFT_BPS,
): readonly HeavenWarning[] {
  if (asked === undefined) return [];
  const { costLamports } = asked;
  return warnIf(
    maxLamportSpend > costLamports + (costLamports * BigInt(driftBps)) / BPS,
    'spend-too-high',
    `The launch may spend ${maxLamportSpend} lamports on its initial purchase, which costs ${costLamports} with the slippage that was asked for. Lower maxSolSpend.`,
  );
}

function whatItDoes(
  { side, mint, pool, amountIn, minimumOut, maxLamportSpend }: Built,
  intent: TransactionIntent,
) {
  switch (intent.function) {
    case 'buildBuy':
    case 'buildSell':
    case 'buildProBuy':
    case 'buildProSell':
      return { side, mint, pool, amountIn, minimumOut };
    case 'buildCreateStandardLiquidityPool':
      return { mint, pool, maxLamportSpend, initialPurchaseAmount: intent.input.initialPurchaseAmount };
    case 'buildProCreate':
      return { mint: intent.input.mint, pool };
  }
  return {};
}

/** Only a request says how much a minimum should protect. */
function assertDrift(driftBps: number | undefined, intent: TransactionIntent): void {
  if (driftBps === undefined) return;
  assertWhole('driftBps', driftBps, [0, 10_000]);
  if ((intent as { readonly request?: unknown }).request) return;
  throw inputError(
    'driftBps',
    'driftBps is for an intent with a request. Pass intent.request, or leave it out.',
  );
}

function assertIntent(intent: TransactionIntent): void {
  const name: unknown = intent?.function;
  const isKnown = typeof name === 'string' && Object.hasOwn(builders, name);
  if (!isKnown) throw invalidInput('intent.function', name, "the name of a builder, such as 'buildBuy'");
  if (typeof intent.input !== 'object' || intent.input === null)
    throw invalidInput('intent.input', intent.input, `the input of ${name}`);
  assertFields(intent, 'intent', { function: 1, input: 1, request: 1, mintSuffix: 1 });
}

/** Any builder, called with its own input. */
type AnyBuilder = (client: HeavenClient, input: object) => Promise<Built>;

const rebuild = (
  client: HeavenClient,
  { function: name, input }: TransactionIntent,
  own: object,
): Promise<Built> => (builders[name] as AnyBuilder)(client, { ...input, ...own });

function offlineClient(programAddress: Address | undefined): HeavenClient {
  if (programAddress !== undefined) assertAddress(programAddress, 'programAddress');
  const refuse = () => {
    throw inputError(
      'client',
      'This transaction can only be checked against the state of the chain: pass a client.',
    );
  };
  return createHeavenClient({
    rpc: new Proxy({}, { get: () => refuse }) as HeavenRpc,
    ...(programAddress === undefined ? {} : { deployment: { programAddress } }),
  });
}
