import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import type { HeavenError } from '../../base/errors.js';
import { describe } from '../../base/input.js';
import { minimumAfterSlippage } from '../../math/slippage.js';
import type { LpBalance } from '../../operations/data/lp-balance.js';
import {
  assertAnswersInitialBuy,
  type InitialBuyQuote,
} from '../../operations/standard/quote-initial-buy.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../../pool/quote.js';
import type { BuyAmount, SellAmount } from '../../pool/quote-amounts.js';
import type { LiquidityPoolState, ProtocolConfig } from '../../program/accounts.js';
import { deriveLpPositionAddress, derivePoolAddress, deriveProPoolAddress } from '../../program/addresses.js';
import type { InstructionConfig } from '../../program/deployment.js';
import { plainAddress } from '../../solana/addresses.js';
import { hexBytes, startsWith } from '../../solana/discriminator.js';
import { type Compiled, instructionsOf } from '../../solana/message.js';
import { requiredSignersOf, type TransactionWallet } from '../../solana/wallet.js';
import { assertAnswersBuy, assertAnswersSell, quoteMismatch } from '../../transaction/quote-response.js';
import type { Answered, FromService, ServiceDetails, ServiceWarning } from './details.js';

// Checks that an answer belongs to its request, using everything that the answer repeats. A wrong answer must not go unnoticed.

/** The deployment of a request, and what to do about a wrong answer. */
export interface About extends InstructionConfig {
  readonly programAddress: Address;
  /** Makes the error for an answer that doesn't match the request, from a reason. */
  readonly refuse: (reason: string) => HeavenError;
}

/**
 * Checks an answer against its request, and returns it.
 *
 * @throws {HeavenError} `quote-mismatch` for a quote; what `refuse` returns for anything else
 */
export type Compare<TInput, TAnswer, TResult> = (
  answer: TAnswer,
  input: TInput,
  about: About,
) => TResult | Promise<TResult>;

function assertSame({ refuse }: About, field: string, asked: unknown, found: unknown): void {
  if (asked !== found)
    throw refuse(`its ${field} is ${describe(found)}; the request asked for ${describe(asked)}`);
}

interface AskedQuote {
  readonly configVersion: number;
  readonly mint: Address;
  readonly pool?: Address;
  readonly slippageBps: number;
}

/** What a quote or another answer says of itself. */
interface Detailed<TDetails> {
  readonly details?: ServiceDetails<TDetails> | undefined;
}

export async function buyQuote<TQuote extends BuyQuote & Detailed<QuoteDetails>>(
  quote: TQuote,
  input: AskedQuote & BuyAmount,
  about: About,
): Promise<TQuote> {
  assertAnswersBuy(quote, input, about.programAddress);
  assertDetails(quote, quote.maxLamportSpend);
  return marked(await withPool(quote, input, about));
}

export async function sellQuote<TQuote extends SellQuote & Detailed<QuoteDetails>>(
  quote: TQuote,
  input: AskedQuote & SellAmount,
  about: About,
): Promise<TQuote> {
  assertAnswersSell(quote, input, about.programAddress);
  assertDetails(quote, quote.amountIn);
  return marked(await withPool(quote, input, about));
}

/** The details repeat what leaves the wallet, and what arrives before slippage. */
function assertDetails(
  { details = {}, minimumOut, slippageBps }: (BuyQuote | SellQuote) & Detailed<QuoteDetails>,
  spent: bigint,
): void {
  const { amountIn = spent, amountOut } = details;
  if (amountIn !== spent) throw quoteMismatch('details.amountIn', spent, amountIn);
  if (amountOut !== undefined && minimumAfterSlippage(amountOut, slippageBps) !== minimumOut)
    throw quoteMismatch('details.amountOut', minimumOut, amountOut);
}

/** An answer whose warnings are marked as a service's. */
function marked<TAnswer extends Detailed<{ readonly warnings: unknown }>>(answer: TAnswer): TAnswer {
  const { details } = answer;
  const warnings = fromService(details?.warnings);
  return warnings === undefined ? answer : { ...answer, details: { ...details, warnings } };
}

const fromService = (warnings: readonly ServiceWarning[] | undefined) =>
  warnings?.map((warning): ServiceWarning => ({ ...warning, source: 'service' }));

/** A pro pool's quote must name the pool, because nothing else identifies it. A standard pool's may, and is derived to compare. */
async function withPool<TQuote extends (BuyQuote | SellQuote) & Detailed<QuoteDetails>>(
  quote: TQuote,
  { mint, pool }: AskedQuote,
  about: About,
): Promise<TQuote> {
  if (pool !== undefined) return { ...quote, details: { ...quote.details, pool } };
  const quoted = quote.details?.pool;
  if (quoted === undefined) return quote;
  const derived = await derivePoolAddress({ mint }, about);
  if (quoted !== derived) throw quoteMismatch('details.pool', derived, quoted);
  return quote;
}

export function initialBuy<
  TQuote extends Omit<InitialBuyQuote, 'details'> & Detailed<InitialBuyQuote['details']>,
>(quote: TQuote, input: Parameters<typeof assertAnswersInitialBuy>[1]): TQuote {
  assertAnswersInitialBuy(quote, input);
  return marked(quote);
}

export async function poolState(
  state: LiquidityPoolState,
  { mint, pool }: { readonly mint?: Address | null | undefined; readonly pool?: Address | null | undefined },
  about: About,
): Promise<LiquidityPoolState> {
  if (mint) assertSame(about, 'token_a.mint', mint, state.tokenA.mint);
  assertSame(about, 'key', pool ?? (mint && (await derivePoolAddress({ mint }, about))), state.key);
  return state;
}

export function protocolConfigState(
  config: ProtocolConfig,
  input: { readonly version: number },
  about: About,
): ProtocolConfig {
  assertSame(about, 'version', input.version, config.version);
  return config;
}

export async function lpBalance<TBalance extends Pick<LpBalance, 'lpPositionAddress'>>(
  balance: TBalance,
  input: Parameters<typeof deriveLpPositionAddress>[0],
  about: About,
): Promise<TBalance> {
  const expected = await deriveLpPositionAddress(input, about);
  assertSame(about, 'lp_position_address', expected, balance.lpPositionAddress);
  return balance;
}

// ---------------------------------------------------------------- transactions

interface Built {
  readonly tx: string;
}

interface AskedTransaction {
  readonly payer: TransactionWallet;
  readonly feePayer?: TransactionWallet | null | undefined;
  readonly transactionVersion?: 0 | 1 | null | undefined;
}

/**
 * The message of a transaction. Rejects a version that wasn't requested, because the wallet may not be able to sign it, and another
 * fee payer: a service that doesn't know sponsors ignores them. Not by `readWireTransaction`, whose checks are the cluster's and weigh
 * 3.6 KB.
 */
function messageOf(
  { tx }: Built,
  { payer, feePayer, transactionVersion }: AskedTransaction,
  about: About,
): Compiled {
  const { refuse } = about;
  let message: Compiled;
  try {
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
    message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  } catch {
    throw refuse('its tx is not a transaction');
  }
  const asked = transactionVersion ?? 0;
  if (message.version !== asked)
    throw refuse(`its tx is not a transaction of version ${asked}, but of ${message.version}`);
  assertSame(about, 'fee payer', plainAddress(feePayer ?? payer), message.staticAccounts[0]);
  return message;
}

/** A transaction with its warnings where the local function has them, marked as the service's. */
function passedOn<TBuilt extends Built>(answer: Answered<TBuilt>, { refuse }: About): FromService<TBuilt> {
  const { details, ...built } = answer;
  const { warnings, ...others } = details ?? {};
  const bytes = getBase64Encoder().encode(answer.tx);
  const unsigned = requiredSignersOf(getTransactionDecoder().decode(bytes).signatures);
  const { size = bytes.length, requiredSigners = unsigned } = others;
  if (size !== bytes.length) throw refuse(`its details.size is ${size}; its tx has ${bytes.length} bytes`);
  if (requiredSigners.join() !== unsigned.join())
    throw refuse('its details.required_signers are not those of its tx');
  return {
    ...built,
    ...(warnings && { warnings: fromService(warnings) }),
    ...(details && { details: others }),
  } as FromService<TBuilt>;
}

export function transaction<TBuilt extends Built>(
  answer: Answered<TBuilt>,
  input: AskedTransaction,
  about: About,
): FromService<TBuilt> {
  messageOf(answer, input, about);
  return passedOn(answer, about);
}

/**
 * The creations: the discriminator, and the position of the account that the answer repeats. The declarations have both, but would
 * weigh a page down with the addresses and arguments of both instructions.
 */
export const CREATIONS = {
  launch: { discriminator: '2a2b7e38e70ad035', position: 5 },
  proCreate: { discriminator: 'd16155bfbb1dc455', position: 10 },
} as const;

export function launch<TBuilt extends Built & { readonly mint: Address }>(
  answer: Answered<TBuilt>,
  input: AskedTransaction,
  about: About,
): FromService<TBuilt> {
  const created = createdBy(messageOf(answer, input, about), CREATIONS.launch, about);
  assertSame(about, 'mint', created, answer.mint);
  return passedOn(answer, about);
}

export async function proCreate<TBuilt extends Built & { readonly pool: Address }>(
  answer: Answered<TBuilt>,
  input: AskedTransaction & { readonly mint: Address; readonly creator: TransactionWallet },
  about: About,
): Promise<FromService<TBuilt>> {
  const created = createdBy(messageOf(answer, input, about), CREATIONS.proCreate, about);
  // An account in a lookup table is not visible. The pool is then derived from the creator.
  const derived = () =>
    deriveProPoolAddress({ mint: input.mint, creator: plainAddress(input.creator) }, about);
  assertSame(about, 'pool', created ?? (await derived()), answer.pool);
  return passedOn(answer, about);
}

/** An account of the only instruction of its kind. `undefined` if it is in a lookup table. */
function createdBy(
  message: Compiled,
  { discriminator, position }: { readonly discriminator: string; readonly position: number },
  { programAddress, refuse }: About,
): Address | undefined {
  const { staticAccounts } = message;
  const [instruction, ...more] = instructionsOf(message).filter(
    ({ programAddressIndex, data }) =>
      staticAccounts[programAddressIndex] === programAddress && startsWith(data, hexBytes(discriminator)),
  );
  if (instruction === undefined || more.length > 0)
    throw refuse(`its transaction creates ${more.length > 0 ? 'more than one pool' : 'no pool'}`);
  return staticAccounts[instruction.accountIndices[position] as number];
}
