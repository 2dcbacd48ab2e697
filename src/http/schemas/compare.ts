import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import type { LpBalance } from '../../data/lp-balance.js';
import type { HeavenError } from '../../errors.js';
import { outsideText } from '../../format/text.js';
import { describe } from '../../input.js';
import type { BuyQuote, SellQuote } from '../../pool/quote.js';
import type { BuyAmount, SellAmount } from '../../pool/quote-amounts.js';
import { assertAnswersBuy, assertAnswersSell, quoteMismatch } from '../../pool/quote-request.js';
import type { LiquidityPoolState, ProtocolConfig } from '../../program/accounts.js';
import { findLpPositionAddress, findPoolAddress, findProPoolAddress } from '../../program/addresses.js';
import type { InstructionConfig } from '../../program/deployment.js';
import { plainAddress } from '../../solana/addresses.js';
import { hexBytes, startsWith } from '../../solana/discriminator.js';
import type { TransactionWallet } from '../../solana/wallet.js';
import { assertAnswersInitialBuy, type InitialBuyQuote } from '../../standard/quote-initial-buy.js';
import { assertQuotedPool } from '../../transaction/quote-response.js';

// Checks that an answer belongs to its request, using everything that the answer repeats. A wrong answer must not go unnoticed.

/** What is known about an answer besides its documented fields, and the deployment of the request. */
export interface About extends InstructionConfig {
  readonly programAddress: Address;
  /** The answer's `details`. */
  readonly details: unknown;
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
  assertAnswersBuy({ ...quote, ...named(about) }, input, about.programAddress);
  return withPool(quote, input, about);
}

export function sellQuote(
  quote: SellQuote,
  input: AskedQuote & SellAmount,
  about: About,
): Promise<SellQuote> {
  assertAnswersSell({ ...quote, ...named(about) }, input, about.programAddress);
  return withPool(quote, input, about);
}

type Named = Pick<BuyQuote, 'details'>;

/** The pool in a quote's `details`. Not validated, because it is compared with the requested one, but an error shows it. */
function named({ details }: About): Named {
  const pool = (details as { readonly pool?: Address | null } | null | undefined)?.pool ?? undefined;
  if (pool === undefined) return {};
  return { details: { pool: typeof pool === 'string' ? (outsideText(pool) as Address) : pool } };
}

/** The documented fields and the pool. A pro pool quote must include the pool, because nothing else identifies it. */
async function withPool<TQuote extends BuyQuote | SellQuote>(
  quote: TQuote,
  asked: AskedQuote,
  about: About,
): Promise<TQuote & Named> {
  const found = named(about).details?.pool;
  if (found === undefined && asked.pool === undefined) return quote;
  const pool = asked.pool ?? (await findPoolAddress(asked, about));
  if (found !== undefined && found !== pool) throw quoteMismatch('details.pool', pool, found);
  return { ...quote, details: { pool } };
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

export function proTrade<TAnswer>(
  answer: TAnswer,
  input: { readonly quoteResponse: BuyQuote | SellQuote; readonly pool: Address },
): TAnswer {
  assertQuotedPool(input.quoteResponse, input.pool);
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

export function launch<TAnswer extends { readonly tx: string; readonly mint: Address }>(
  answer: TAnswer,
  _: unknown,
  about: About,
): TAnswer {
  const created = createdBy(answer.tx, CREATIONS.launch, about);
  assertSame(about, 'mint', created, answer.mint);
  return answer;
}

export async function proCreate<TAnswer extends { readonly tx: string; readonly pool: Address }>(
  answer: TAnswer,
  { mint, creator }: { readonly mint: Address; readonly creator: TransactionWallet },
  about: About,
): Promise<TAnswer> {
  const created = createdBy(answer.tx, CREATIONS.proCreate, about);
  // An account in a lookup table is not visible. The pool is then derived from the creator.
  const derived = () => findProPoolAddress({ mint, creator: plainAddress(creator) }, about);
  assertSame(about, 'pool', created ?? (await derived()), answer.pool);
  return answer;
}

/** An account of the only instruction of its kind. `undefined` if it is in a lookup table. */
function createdBy(
  tx: string,
  { discriminator, position }: { readonly discriminator: string; readonly position: number },
  { programAddress, refuse }: About,
): Address | undefined {
  const message = messageOf(tx, refuse);
  const [instruction, ...more] = instructionsOf(message).filter(
    ({ program, data }) =>
      message.staticAccounts[program] === programAddress && startsWith(data, hexBytes(discriminator)),
  );
  if (instruction === undefined || more.length > 0)
    throw refuse(`its transaction creates ${more.length > 0 ? 'more than one pool' : 'no pool'}`);
  return message.staticAccounts[instruction.accounts[position] as number];
}

/** Rejects a transaction of a version that wasn't requested, because the wallet may not be able to sign it. */
export function assertVersion(
  tx: string,
  { transactionVersion }: { readonly transactionVersion?: 0 | 1 | null | undefined },
  { refuse }: About,
): void {
  const asked = transactionVersion ?? 0;
  const { version } = messageOf(tx, refuse);
  if (version !== asked) throw refuse(`its tx is not a transaction of version ${asked}, but of ${version}`);
}

type Message = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>;

/** The message of a transaction. Not by `readWireTransaction`, whose checks are the cluster's and weigh as much as this file. */
function messageOf(tx: string, refuse: About['refuse']): Message {
  try {
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(tx));
    return getCompiledTransactionMessageDecoder().decode(messageBytes);
  } catch {
    throw refuse('its tx is not a transaction');
  }
}

const instructionsOf = (message: Message) =>
  message.version === 1
    ? message.instructionHeaders.map(({ programAccountIndex }, index) => {
        const { instructionAccountIndices: accounts = [], instructionData: data = [] } =
          message.instructionPayloads[index] ?? {};
        return { program: programAccountIndex, accounts, data };
      })
    : message.instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
        program: programAddressIndex,
        accounts: accountIndices,
        data,
      }));
