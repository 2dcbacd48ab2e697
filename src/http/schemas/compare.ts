import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import type { HeavenError } from '../../base/errors.js';
import { describe } from '../../base/input.js';
import type { LpBalance } from '../../operations/data/lp-balance.js';
import {
  assertAnswersInitialBuy,
  type InitialBuyQuote,
} from '../../operations/standard/quote-initial-buy.js';
import type { BuyQuote, SellQuote } from '../../pool/quote.js';
import type { BuyAmount, SellAmount } from '../../pool/quote-amounts.js';
import type { LiquidityPoolState, ProtocolConfig } from '../../program/accounts.js';
import { findLpPositionAddress, findPoolAddress, findProPoolAddress } from '../../program/addresses.js';
import type { InstructionConfig } from '../../program/deployment.js';
import { plainAddress } from '../../solana/addresses.js';
import { hexBytes, startsWith } from '../../solana/discriminator.js';
import { type Compiled, instructionsOf } from '../../solana/message.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { assertAnswersBuy, assertAnswersSell, quoteMismatch } from '../../transaction/quote-response.js';

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

export function buyQuote(quote: BuyQuote, input: AskedQuote & BuyAmount, about: About): Promise<BuyQuote> {
  assertAnswersBuy(quote, input, about.programAddress);
  return withPool(quote, input, about);
}

export function sellQuote(
  quote: SellQuote,
  input: AskedQuote & SellAmount,
  about: About,
): Promise<SellQuote> {
  assertAnswersSell(quote, input, about.programAddress);
  return withPool(quote, input, about);
}

/** A pro pool's quote must name the pool, because nothing else identifies it. A standard pool's may, and is derived to compare. */
async function withPool<TQuote extends BuyQuote | SellQuote>(
  quote: TQuote,
  { mint, pool }: AskedQuote,
  about: About,
): Promise<TQuote> {
  if (pool !== undefined) return { ...quote, details: { pool } };
  const quoted = quote.details?.pool;
  if (quoted === undefined) return quote;
  const derived = await findPoolAddress({ mint }, about);
  if (quoted !== derived) throw quoteMismatch('details.pool', derived, quoted);
  return quote;
}

export function initialBuy(
  quote: Omit<InitialBuyQuote, 'details'>,
  input: Parameters<typeof assertAnswersInitialBuy>[1],
) {
  assertAnswersInitialBuy(quote, input);
  return quote;
}

export async function poolState(
  state: LiquidityPoolState,
  { mint, pool }: { readonly mint?: Address | null | undefined; readonly pool?: Address | null | undefined },
  about: About,
): Promise<LiquidityPoolState> {
  if (mint) assertSame(about, 'token_a.mint', mint, state.tokenA.mint);
  assertSame(about, 'key', pool ?? (mint && (await findPoolAddress({ mint }, about))), state.key);
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
  input: Parameters<typeof findLpPositionAddress>[0],
  about: About,
): Promise<TBalance> {
  const expected = await findLpPositionAddress(input, about);
  assertSame(about, 'lp_position_address', expected, balance.lpPositionAddress);
  return balance;
}

// ---------------------------------------------------------------- transactions

interface Built {
  readonly tx: string;
}

interface AskedTransaction {
  readonly transactionVersion?: 0 | 1 | null | undefined;
}

/**
 * The message of a transaction. Rejects a version that wasn't requested, because the wallet may not be able to sign it. Not by
 * `readWireTransaction`, whose checks are the cluster's and weigh 3.6 KB.
 */
function messageOf({ tx }: Built, { transactionVersion }: AskedTransaction, { refuse }: About): Compiled {
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
  return message;
}

export function transaction<TAnswer extends Built>(
  answer: TAnswer,
  input: AskedTransaction,
  about: About,
): TAnswer {
  messageOf(answer, input, about);
  return answer;
}

/**
 * The creations: the discriminator, and the position of the account that the answer repeats. A test compares these with the
 * declarations, which would weigh a page down with the addresses and arguments of both instructions.
 */
export const CREATIONS = {
  launch: { discriminator: '2a2b7e38e70ad035', position: 5 },
  proCreate: { discriminator: 'd16155bfbb1dc455', position: 10 },
} as const;

export function launch<TAnswer extends Built & { readonly mint: Address }>(
  answer: TAnswer,
  input: AskedTransaction,
  about: About,
): TAnswer {
  const created = createdBy(messageOf(answer, input, about), CREATIONS.launch, about);
  assertSame(about, 'mint', created, answer.mint);
  return answer;
}

export async function proCreate<TAnswer extends Built & { readonly pool: Address }>(
  answer: TAnswer,
  input: AskedTransaction & { readonly mint: Address; readonly creator: TransactionWallet },
  about: About,
): Promise<TAnswer> {
  const created = createdBy(messageOf(answer, input, about), CREATIONS.proCreate, about);
  // An account in a lookup table is not visible. The pool is then derived from the creator.
  const derived = () => findProPoolAddress({ mint: input.mint, creator: plainAddress(input.creator) }, about);
  assertSame(about, 'pool', created ?? (await derived()), answer.pool);
  return answer;
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
