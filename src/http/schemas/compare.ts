import { type Address, getBase64Encoder, type SignaturesMap } from '@solana/kit';
import { HeavenError } from '../../base/errors.js';
import { describe } from '../../base/input.js';
import { minimumAfterSlippage } from '../../math/slippage.js';
import type { BuilderName, OperationName } from '../../operations/index.js';
import { assertAnswersInitialBuy } from '../../operations/standard/quote-initial-buy.js';
import type { PoolSnapshot } from '../../pool/decode.js';
import { deriveLpPositionAddress, derivePoolAddress, deriveProPoolAddress } from '../../program/addresses.js';
import type { InstructionConfig } from '../../program/deployment.js';
import { type AddressInput, addressAt, plainAddress } from '../../solana/addresses.js';
import { hexBytes, startsWith } from '../../solana/discriminator.js';
import { requiredSignersOf } from '../../solana/wallet.js';
import { ADDRESS_BYTES, SIGNATURE_BYTES, type WireLayout, wireLayoutOf } from '../../solana/wire-layout.js';
import {
  assertAnswersBuy,
  assertAnswersSell,
  assertShownBuy,
  assertShownSell,
  quoteMismatch,
} from '../../transaction/quote-response.js';
import type { Answered, FromService, RemoteAnswer, RemoteResult, ServiceWarning } from './details.js';
import type { RemoteInput } from './inputs.js';

// Checks that an answer belongs to its request, using everything that the answer repeats. A wrong answer must not go unnoticed.

/** The deployment of a request, and what to do about a wrong answer. */
export interface About extends InstructionConfig {
  readonly programAddress: Address;
  /** Makes the error for an answer that doesn't match the request, from a reason. */
  readonly refuse: (reason: string) => HeavenError;
  /** Rejects a quote whose minimum protects too little at the state of the client's own node, if it has one, and returns its token. */
  readonly assertProtectsNow?: ((trade: QuotedTrade) => Promise<PoolSnapshot['token']>) | undefined;
}

/** What a service quoted. */
export interface QuotedTrade extends AskedQuote {
  readonly isBuy: boolean;
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
}

/** An input whose addresses are plain, as an answer repeats them. */
export type PlainInput<TName extends OperationName> =
  RemoteInput<TName> extends infer TInput ? WithPlainAddresses<TInput> : never;

type WithPlainAddresses<TInput> = {
  readonly [TField in keyof TInput]: AddressInput extends TInput[TField]
    ? Extract<TInput[TField], Address | null | undefined>
    : TInput[TField];
};

/** The builders that create nothing. */
export type PlainBuilderName = Exclude<BuilderName, 'buildCreateStandardLiquidityPool' | 'buildProCreate'>;

/**
 * Checks an operation's answer against its request, using everything that the answer repeats, and returns the result.
 *
 * @throws {HeavenError} `quote-mismatch` for a quote; what `refuse` returns for anything else
 */
export type Compare<TName extends OperationName> = (
  answer: RemoteAnswer<TName>,
  input: PlainInput<TName>,
  about: About,
) => RemoteResult<TName> | Promise<RemoteResult<TName>>;

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

type Quote = RemoteResult<'quoteBuy'> | RemoteResult<'quoteSell'>;

export const buyQuote: Compare<'quoteBuy' | 'quoteProBuy'> = (quote, input, about) => {
  assertAnswersBuy(quote, input, about.programAddress);
  return checkedQuote(quote, quote.maxLamportSpend, input, about, assertShownBuy);
};

export const sellQuote: Compare<'quoteSell' | 'quoteProSell'> = (quote, input, about) => {
  assertAnswersSell(quote, input, about.programAddress);
  return checkedQuote(quote, quote.amountIn, input, about, assertShownSell);
};

/** A quote that answers its request, once its details and its minimum are checked. */
async function checkedQuote<TQuote extends Quote>(
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
function assertDetails({ details = {}, minimumOut, slippageBps }: Quote, spent: bigint): void {
  const { amountIn = spent, amountOut } = details;
  if (amountIn !== spent) throw quoteMismatch('details.amountIn', spent, amountIn);
  if (amountOut === undefined) return;
  const minimum = minimumAfterSlippage(amountOut, slippageBps);
  if (minimum !== minimumOut) throw quoteMismatch('minimumOut', minimum, minimumOut);
}

/** An answer whose warnings are marked as a service's. */
function marked<TAnswer extends Quote | RemoteResult<'quoteInitialBuy'>>(answer: TAnswer): TAnswer {
  const { details } = answer;
  const warnings = fromService(details?.warnings);
  return warnings === undefined ? answer : { ...answer, details: { ...details, warnings } };
}

const fromService = (warnings: readonly ServiceWarning[] | undefined) =>
  warnings?.map((warning): ServiceWarning => ({ ...warning, source: 'service' }));

/** A pro pool's quote must name the pool, because nothing else identifies it. A standard pool's may, and is derived to compare. */
async function withPool<TQuote extends Quote>(
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

export const initialBuy: Compare<'quoteInitialBuy'> = (quote, input) => {
  assertAnswersInitialBuy(quote, input);
  return marked(quote);
};

export const poolState: Compare<'getPoolState'> = async (state, { mint, pool }, about) => {
  if (mint) assertSame(about, 'token_a.mint', mint, state.tokenA.mint);
  assertSame(about, 'key', pool ?? (mint && (await derivePoolAddress({ mint }, about))), state.key);
  return state;
};

export const protocolConfigState: Compare<'getProtocolConfigState'> = (config, { version }, about) => {
  assertSame(about, 'version', version, config.version);
  return config;
};

export const lpBalance: Compare<'getLpBalance'> = async (balance, input, about) => {
  const expected = await deriveLpPositionAddress(input, about);
  assertSame(about, 'lp_position_address', expected, balance.lpPositionAddress);
  return balance;
};

// ---------------------------------------------------------------- transactions

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
  { tx }: RemoteAnswer<BuilderName>,
  { payer, feePayer, transactionVersion }: PlainInput<BuilderName>,
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
function passedOn<TBuilt extends object>(
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

export const transaction: Compare<PlainBuilderName> = (answer, input, about) =>
  passedOn(answer, laidOut(answer, input, about), about);

/**
 * The creations: the discriminator, and the position of the account that the answer repeats. The declarations have both, but would
 * weigh a page down with the addresses and arguments of both instructions.
 */
export const CREATIONS = {
  launch: { discriminator: '2a2b7e38e70ad035', position: 5 },
  proCreate: { discriminator: 'd16155bfbb1dc455', position: 10 },
} as const;

export const launch: Compare<'buildCreateStandardLiquidityPool'> = (answer, input, about) => {
  const transaction = laidOut(answer, input, about);
  assertSame(about, 'mint', createdBy(transaction, CREATIONS.launch, about), answer.mint);
  return passedOn(answer, transaction, about);
};

export const proCreate: Compare<'buildProCreate'> = async (answer, input, about) => {
  const transaction = laidOut(answer, input, about);
  const created = createdBy(transaction, CREATIONS.proCreate, about);
  // An account in a lookup table is not visible. The pool is then derived from the creator.
  const seeds = { mint: input.mint, creator: plainAddress(input.creator) };
  assertSame(about, 'pool', created ?? (await deriveProPoolAddress(seeds, about)), answer.pool);
  return passedOn(answer, transaction, about);
};

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
