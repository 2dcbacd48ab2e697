import { type Address, getBase64Encoder, type SignaturesMap } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { describe } from '../../base/input.js';
import { minimumAfterSlippage } from '../../math/slippage.js';
import type { LpBalance } from '../../operations/data/lp-balance.js';
import {
  assertAnswersInitialBuy,
  type InitialBuyQuote,
} from '../../operations/standard/quote-initial-buy.js';
import type { PoolSnapshot } from '../../pool/decode.js';
import type { BuyQuote, QuoteDetails, SellQuote } from '../../pool/quote.js';
import type { BuyAmount, SellAmount } from '../../pool/quote-amounts.js';
import type { LiquidityPoolState, ProtocolConfig } from '../../program/accounts.js';
import { deriveLpPositionAddress, derivePoolAddress, deriveProPoolAddress } from '../../program/addresses.js';
import type { InstructionConfig } from '../../program/deployment.js';
import { addressAt, plainAddress } from '../../solana/addresses.js';
import { hexBytes, startsWith } from '../../solana/discriminator.js';
import { requiredSignersOf, type TransactionWallet } from '../../solana/wallet.js';
import { ADDRESS_BYTES, SIGNATURE_BYTES, type WireLayout, wireLayoutOf } from '../../solana/wire-layout.js';
import {
  assertAnswersBuy,
  assertAnswersSell,
  assertShownBuy,
  assertShownSell,
  quoteMismatch,
} from '../../transaction/quote-response.js';
import type { Answered, FromService, ServiceDetails, ServiceWarning } from './details.js';

// Checks that an answer belongs to its request, using everything that the answer repeats. A wrong answer must not go unnoticed.

/** The deployment of a request, and what to do about a wrong answer. */
export interface About extends InstructionConfig {
  readonly programAddress: Address;
  /** Makes the error for an answer that doesn't match the request, from a reason. */
  readonly refuse: (reason: string) => HeavenError;
  /** Rejects a quote whose minimum protects too little at the state of the client's own node, if it has one, and returns its token. */
  readonly assertProtectsNow?:
    | ((trade: QuotedTrade) => Promise<Pick<PoolSnapshot['token'], 'isDisplayScaled'>>)
    | undefined;
}

/** What a service quoted. */
export interface QuotedTrade extends AskedQuote {
  readonly isBuy: boolean;
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
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
  return await checkedQuote(quote, quote.maxLamportSpend, input, about, assertShownBuy);
}

export async function sellQuote<TQuote extends SellQuote & Detailed<QuoteDetails>>(
  quote: TQuote,
  input: AskedQuote & SellAmount,
  about: About,
): Promise<TQuote> {
  assertAnswersSell(quote, input, about.programAddress);
  return await checkedQuote(quote, quote.amountIn, input, about, assertShownSell);
}

/** A quote that answers its request, once its details and its minimum are checked. */
async function checkedQuote<TQuote extends (BuyQuote | SellQuote) & Detailed<QuoteDetails>>(
  quote: TQuote,
  amountIn: bigint,
  asked: AskedQuote,
  about: About,
  assertShown: (quote: TQuote) => void,
): Promise<TQuote> {
  const { minimumOut, details } = quote;
  const trade = { ...asked, isBuy: 'maxLamportSpend' in quote, amountIn, minimumOut };
  const token = await about.assertProtectsNow?.(trade);
  // Without a node nothing says that the mint scales what wallets show.
  if (!token?.isDisplayScaled) assertShown(quote);
  if (minimumOut === 0n)
    throw new HeavenError(
      'quote-mismatch',
      'minimumOut of the quote is 0, so the trade could give nothing. Ask for less slippage or a larger amount; if it stays 0, take a quote from a source that you trust.',
      { field: 'minimumOut', asked: 1n, found: 0n },
    );
  assertDetails(quote, amountIn);
  const passedOn = marked(await withPool(quote, asked, about));
  if (token !== undefined || details?.amountOut !== undefined) return passedOn;
  const warnings = [...(passedOn.details?.warnings ?? []), UNCHECKED];
  return { ...passedOn, details: { ...passedOn.details, warnings } };
}

const UNCHECKED = {
  code: 'unchecked-minimum',
  message:
    "Nothing shows whether the quote's minimum protects what its slippage should. Give createRemoteClient a node, or check the transaction with assertTransactionMatches.",
} as const;

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

/** A transaction's bytes, and where its parts are. */
interface LaidOut {
  readonly bytes: Uint8Array;
  readonly layout: WireLayout;
}

/**
 * Finds the parts of a transaction. Rejects a version that wasn't requested, because the wallet may not be able to sign it, and another
 * fee payer: a service that doesn't know sponsors ignores them. Not by `readWireTransaction`, whose checks are the cluster's and weigh 3.6 KB,
 * nor by kit's decoders, which weigh 2.5 KB.
 */
function laidOut(
  { tx }: Built,
  { payer, feePayer, transactionVersion }: AskedTransaction,
  about: About,
): LaidOut {
  const { refuse } = about;
  let found: LaidOut;
  try {
    const bytes = getBase64Encoder().encode(tx) as Uint8Array;
    found = { bytes, layout: wireLayoutOf(bytes) };
  } catch {
    throw refuse('its tx is not a transaction');
  }
  const asked = transactionVersion ?? 0;
  const { version } = found.layout;
  if (version !== asked) throw refuse(`its tx is not a transaction of version ${asked}, but of ${version}`);
  assertSame(about, 'fee payer', plainAddress(feePayer ?? payer), addressIn(found, 0));
  return found;
}

const addressIn = ({ bytes, layout: { addresses } }: LaidOut, index: number): Address =>
  addressAt(bytes, addresses + ADDRESS_BYTES * index);

/** Who must still sign. */
function requiredSignersIn(transaction: LaidOut): readonly Address[] {
  const { bytes, layout } = transaction;
  const signatures = Array.from({ length: layout.signers }, (_, index) => {
    const at = layout.signatures + SIGNATURE_BYTES * index;
    const signature = bytes.subarray(at, at + SIGNATURE_BYTES);
    return [addressIn(transaction, index), signature.some((byte) => byte !== 0) ? signature : null];
  });
  return requiredSignersOf(Object.fromEntries(signatures) as SignaturesMap);
}

/** A transaction with its warnings where the local function has them, marked as the service's. */
function passedOn<TBuilt extends Built>(
  answer: Answered<TBuilt>,
  transaction: LaidOut,
  { refuse }: About,
): FromService<TBuilt> {
  const { details, ...built } = answer;
  const { warnings, ...others } = details ?? {};
  const { bytes } = transaction;
  const unsigned = requiredSignersIn(transaction);
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
  return passedOn(answer, laidOut(answer, input, about), about);
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
  const transaction = laidOut(answer, input, about);
  assertSame(about, 'mint', createdBy(transaction, CREATIONS.launch, about), answer.mint);
  return passedOn(answer, transaction, about);
}

export async function proCreate<TBuilt extends Built & { readonly pool: Address }>(
  answer: Answered<TBuilt>,
  input: AskedTransaction & { readonly mint: Address; readonly creator: TransactionWallet },
  about: About,
): Promise<FromService<TBuilt>> {
  const transaction = laidOut(answer, input, about);
  const created = createdBy(transaction, CREATIONS.proCreate, about);
  // An account in a lookup table is not visible. The pool is then derived from the creator.
  const derived = () =>
    deriveProPoolAddress({ mint: input.mint, creator: plainAddress(input.creator) }, about);
  assertSame(about, 'pool', created ?? (await derived()), answer.pool);
  return passedOn(answer, transaction, about);
}

/** An account of the only instruction of its kind. `undefined` if it is in a lookup table. */
function createdBy(
  transaction: LaidOut,
  { discriminator, position }: { readonly discriminator: string; readonly position: number },
  { programAddress, refuse }: About,
): Address | undefined {
  const { bytes, layout } = transaction;
  const [instruction, ...more] = layout.instructions.filter(
    ({ program, data, end }) =>
      program < layout.addressCount &&
      addressIn(transaction, program) === programAddress &&
      startsWith(bytes.subarray(data, end), hexBytes(discriminator)),
  );
  if (instruction === undefined || more.length > 0)
    throw refuse(`its transaction creates ${more.length > 0 ? 'more than one pool' : 'no pool'}`);
  const { accounts, accountCount } = instruction;
  const index = position < accountCount ? (bytes[accounts + position] as number) : layout.addressCount;
  return index < layout.addressCount ? addressIn(transaction, index) : undefined;
}
