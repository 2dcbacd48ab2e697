import type { OperationName } from '../../operations.js';
import {
  address,
  type Codec,
  type Decoded,
  integer,
  list,
  type ObjectCodec,
  object,
  optional,
  type Shape,
  shownNumber,
  smallInteger,
  text,
} from './codec.js';
import * as data from './data.js';
import { feeBracket, slotFeeBracket, u64 } from './fields.js';
import * as quotes from './quotes.js';
import * as transactions from './transactions.js';

// Texts for the OpenAPI document and the API page: descriptions of the operations, and the `details` of their answers.

/** What each operation does. */
export const summaries: Readonly<Record<OperationName, string>> = {
  getPoolInfo: 'A pool’s price, market cap, fees and claims.',
  getProtocolConfigState: 'A protocol config, decoded.',
  getPoolState: 'A pool’s account, decoded.',
  quoteBuy: 'A quote to buy from a standard pool.',
  quoteSell: 'A quote to sell into a standard pool.',
  quoteInitialBuy: 'The cost of a share of a new token at its launch.',
  buildBuy: 'The unsigned transaction of a buy.',
  buildSell: 'The unsigned transaction of a sell.',
  buildClaimCreatorTradingFees: 'Pays a standard pool’s creator fees out to their receiver.',
  buildCreateStandardLiquidityPool: 'Launches a token: its mint, metadata and pool, and an initial purchase.',
  getLpBalance: 'A wallet’s liquidity in a pro pool.',
  quoteProBuy: 'A quote to buy from a pro pool.',
  quoteProSell: 'A quote to sell into a pro pool.',
  buildProBuy: 'The unsigned transaction of a buy from a pro pool.',
  buildProSell: 'The unsigned transaction of a sell into a pro pool.',
  buildProCreate: 'Creates a pro pool for an existing token.',
  buildProAddLiquidity: 'Deposits tokens and SOL at the pool’s ratio.',
  buildProRemoveLiquidity: 'Burns LP tokens for their share of the pool.',
  buildProClaimCreatorFees: 'Pays a pro pool’s creator fees out to their receiver.',
  buildProClaimLpFees: 'Pays a position’s fees out to its wallet.',
  buildProToggleSwap: 'Switches swapping on or off. Creator only.',
  buildProToggleDeposit: 'Switches deposits on or off. Creator only.',
  buildProToggleWithdraw: 'Switches withdrawals on or off. Creator only.',
  buildProSetReflectionFee: 'Sets the fee for token holders. Creator only.',
  buildProSetLpFee: 'Sets the fee for liquidity providers. Creator only.',
  buildProSetMarketCapCreatorFee: 'Sets the creator’s fee by market cap. Creator only.',
  buildProSetSlotCreatorFee: 'Sets the creator’s fee in the slots after the launch. Creator only.',
  buildProUpdateCreatorFeeReceiver: 'Gives the creator fees to another wallet. Both sign.',
  buildProTransferLp: 'Moves LP tokens to another wallet.',
};

// ---------------------------------------------------------------- the details of the answers

const ignored = () => ({ ignoredFields: optional(list(text)) });
const warnings = () => list(object({ code: text, message: text }));
/** What answers without warnings of their own have if fields were ignored. */
const notes = () => ({ warnings: optional(warnings()), ...ignored() });
const perFee = (each: Codec<bigint>) =>
  object({ protocol: each, liquidityProvider: each, creator: each, creatorProtocol: each, reflection: each });

const detailCodecs = () => ({
  notes: object(notes()),
  quote: object({
    ...quotes.returnedDetails.of.shape,
    amountIn: u64,
    amountOut: u64,
    fees: perFee(u64),
    feeRates: perFee(integer()),
    totalFee: u64,
    transferFee: u64,
    priceBefore: shownNumber,
    priceAfter: shownNumber,
    priceImpactBps: shownNumber,
    marketCapUsd: shownNumber,
    solPriceUsd: shownNumber,
    slot: u64,
    warnings: warnings(),
    ...ignored(),
  }),
  initialBuy: object({
    leastLamports: u64,
    fees: perFee(u64),
    totalFee: u64,
    marketCapUsd: shownNumber,
    slot: u64,
    warnings: warnings(),
    ...ignored(),
  }),
  transaction: object({
    warnings: warnings(),
    size: smallInteger(),
    requiredSigners: list(address),
    lastValidBlockHeight: u64,
    instructions: list(text),
    rounded: optional(list(object({ field: text, received: u64, used: u64 }))),
    ...ignored(),
  }),
  lpBalance: object({
    storedPendingFees: u64,
    accumulatedFeePerLpToken: u64,
    feePerLpTokenUnit: u64,
    lpSupply: u64,
    ...notes(),
  }),
});

type Details = ReturnType<typeof detailCodecs>;

let made: Details | undefined;
const details = (): Details => {
  made ??= detailCodecs();
  return made;
};

/** The `details` of an answer, and their description. */
export interface DescribedDetails {
  readonly codec: Codec<unknown>;
  readonly description: string;
}

/** The `details` of an operation's answer. */
export function detailsOf(name: OperationName): DescribedDetails {
  const { notes, quote, initialBuy, transaction, lpBalance } = details();
  if (name.startsWith('build'))
    return { codec: transaction, description: 'Details of the transaction (our addition).' };
  if (name.startsWith('quote')) {
    const codec = name === 'quoteInitialBuy' ? initialBuy : quote;
    return { codec, description: 'Details of the quote (our addition).' };
  }
  return name === 'getLpBalance'
    ? { codec: lpBalance, description: 'Details of the figures (our addition).' }
    : { codec: notes, description: 'Ours.' };
}

// ---------------------------------------------------------------- words

type FieldsOf<TValue> = TValue extends string | number | bigint | boolean
  ? never
  : TValue extends readonly (infer TItem)[]
    ? FieldsOf<TItem>
    : { [TField in keyof TValue]-?: TField | FieldsOf<TValue[TField]> }[keyof TValue];

/** The answers whose fields have the program's names. */
type Accounts = 'poolStateAnswer' | 'protocolConfigAnswer';
type Codecs =
  | (typeof transactions)[keyof typeof transactions]
  | (typeof quotes)[keyof typeof quotes]
  | (typeof data)[Exclude<keyof typeof data, Accounts>]
  | Details[keyof Details];
type FeeName = keyof Decoded<ReturnType<typeof perFee>>;
type FieldName =
  | Exclude<FieldsOf<Decoded<Codecs>>, Exclude<FeeName, 'creator'> | 'details' | 'quoteResponse'>
  | 'data';

/** The default description of each field. */
const WORDS: Readonly<Record<FieldName, string>> = {
  accumulatedFeePerLpToken: 'The pool’s fees per LP token so far.',
  amount: 'Lamports to claim; 0 claims all.',
  amountIn: 'What is traded, in native units.',
  amountInUi: 'The tokens to sell. At most as many decimals as the token has.',
  amountOut: 'The expected amount before slippage, in native units.',
  brackets: 'The fees. From the lowest bound up.',
  buyFeeBps: 'The fee on buys, in basis points.',
  classification: 'By the protocol config version.',
  code: 'A stable word.',
  computeUnitLimit:
    'The most compute units that the transaction may use. 0 leaves the instruction out, and is rejected in version 1.',
  computeUnitPrice: 'The priority fee in micro-lamports per compute unit. 0 leaves the instruction out.',
  configVersion: 'The protocol config version: 1 community, 2 creator, 3 pro.',
  costLamports: 'The most that it costs, slippage included, in lamports.',
  costSol: 'The same in SOL.',
  costUsd: 'The same in USD.',
  creator: 'The wallet that becomes the creator of the pool. It signs too.',
  creatorSlotTradingFee: 'The creator’s fee in the slots after the launch. Without it, none.',
  creatorTradingFee: 'The creator’s fee. Without it, none. From the lowest bound up.',
  currentBaseReserve: 'Tokens in the pool.',
  currentBuyFeePct: 'All fees on a buy now, in percent.',
  currentCreatorFeeClaimByCreator: 'SOL that the creator has claimed so far.',
  currentCreatorFeeClaimStatus: 'The creator’s verification.',
  currentCreatorFeeCollectedSol: 'SOL ever accrued, unclaimed and claimed.',
  currentCreatorFeeCollectedUsd: 'The same in USD.',
  currentCreatorFeeDistribution: 'Who the creator fees belong to.',
  currentCreatorFeeRecipient: 'Who may claim them.',
  currentMarketCapUsd: 'In USD.',
  currentQuoteReserve: 'SOL in the pool, virtual SOL included.',
  currentSellFeePct: 'All fees on a sell now, in percent.',
  currentSolPriceUsd: 'In USD.',
  currentTradingVolumeUsd: 'In USD.',
  data: 'The record of the pool. Amounts are UI amounts.',
  enableDepositLiquidity: 'Allow depositing liquidity.',
  enableSameSlotTrading: 'Allow a buy and a sell in the same slot.',
  enableSandwichResistantMode: 'Protect against sandwiching.',
  enableSwap: 'Allow buying and selling.',
  enableUpdateCreatorTradingFee: 'Allow changes of the creator fee.',
  enableWithdrawLiquidity: 'Allow withdrawing liquidity.',
  enabled: 'On or off.',
  encodedUserDefinedEventData: 'Your text, which the program emits as an event. May be empty.',
  exact: 'The integers over 2^53 as text, for callers whose JSON rounds them.',
  exists: 'Whether there is a position; without one the numbers are 0.',
  features: 'What the pool allows.',
  feePerLpTokenUnit: 'How many units of that make a lamport.',
  feeRates: 'Each rate, in basis points.',
  fees: 'Each fee, in lamports.',
  field: 'The amount of the quote.',
  ignoredFields: 'Unknown fields of the request, which were ignored.',
  initialPurchaseAmount: 'Tokens to buy in the launch, in native units; 0 for none.',
  initialPurchasePercent: 'Percent of the tokens that a launch starts with: 1 is 1 %.',
  initialTokenAAmount: 'Tokens that the pool starts with, in native units.',
  initialTokenBAmount: 'Lamports that the pool starts with.',
  instructions: 'A line in words for each instruction.',
  isCreatorFeeClaimable: 'Not Blocked, the volume reached, and Processed or a threshold of 0.',
  isMigrated: 'Whether the pool has migrated.',
  lastValidBlockHeight: 'The last block height at which it can land.',
  leastLamports: 'The lowest price of the tokens, in lamports.',
  liquidityProviderTradingFee: 'The fee for liquidity providers. Without it, none. From the lowest bound up.',
  loadedAccountsDataSizeLimit:
    'The most bytes that the accounts of the transaction may have together. Without it, 67108864.',
  lpPositionAddress: 'The address of the position.',
  lpSupply: 'LP tokens in existence.',
  lpTokenBalance: 'The LP tokens of the wallet.',
  lpTokensToBurn: 'The LP tokens to burn.',
  lutAddress:
    'The lookup table that holds the fixed addresses of the creation. Version 0 needs one; version 1 has no use for it.',
  marketCapUpperBound:
    'The market cap up to which it applies, in millionths of a USD. The last should be 9223372036854775807.',
  marketCapUsd: 'In USD.',
  maxFeeBps: 'The highest fee, in basis points.',
  maxLamportSpend: 'The most to spend, in lamports, fees included.',
  maxSlotOffset: 'The last slot after the launch that the schedule covers.',
  maxSolSpend: 'The SOL to spend, fees included. At most 9 decimals.',
  maxTokenA: 'The most tokens to deposit, in native units.',
  maxTokenB: 'The most lamports to deposit.',
  message: 'The warning, for people to read.',
  migrationMarketCapThreshold: 'In whole USD.',
  minLpTokens: 'The least LP tokens to receive; 0 accepts any.',
  minTokenA: 'The least tokens to receive, in native units.',
  minTokenB: 'The least lamports to receive.',
  minimumOut: 'The least to receive, in native units.',
  minimumOutUi: 'The same, with decimals applied.',
  mint: 'The mint of the token, token A.',
  name: 'The token’s name: at most 32 bytes of UTF-8.',
  newReceiver: 'The wallet that gets the creator fees from now on. It signs too.',
  payer: 'The wallet that signs and pays.',
  pendingFees: 'Lamports that a claim pays now.',
  pool: 'The address of the pro pool.',
  priceAfter: 'SOL per token.',
  priceBefore: 'SOL per token.',
  priceImpactBps: 'In basis points.',
  programId: 'The address of the exchange program. It must be one that this service serves.',
  protocolConfigVersion: '1 community, 2 creator, 3 pro.',
  received: 'As it arrived.',
  receiver: 'The wallet that gets them.',
  reflectionTradingFee: 'The fee for token holders. Without it, none. From the lowest bound up.',
  requiredSigners: 'The wallets that have yet to sign, the payer first.',
  rewardDebt: 'What of the pool’s LP fees is accounted for already.',
  rounded: 'Amounts of the quote that arrived rounded.',
  sellFeeBps: 'The fee on sells, in basis points.',
  sender: 'The wallet whose LP tokens they are. It signs too.',
  size: 'Bytes on the wire, of 1232 at most, or of 4096 in version 1.',
  slippage: 'The same as a fraction: 0.005 is 0.5 %. Not both.',
  slippageBps: 'How much less than expected to accept, in basis points.',
  slot: 'The slot of the state that this is computed from.',
  slotOffsetUpperbound: 'The slots after the launch up to which it applies.',
  solPriceUsd: 'USD per SOL.',
  source: 'The wallet to debit. Without it, the payer. It signs too.',
  storedPendingFees: 'Lamports, as the position’s account states them.',
  symbol: 'The token’s symbol: at most 10 bytes of UTF-8.',
  tokenAmount: 'The tokens, in native units: the launch’s initial_purchase_amount.',
  tokenAmountUi: 'The same, with decimals applied.',
  totalFee: 'All fees, in lamports.',
  tradingVolumeThresholdUsd: 'In USD.',
  transactionVersion:
    'The version of the transaction: 0, or 1, which may have 4096 bytes and states the compute budget itself. Ask the wallet first.',
  transferFee: 'What the token itself withholds, in native units.',
  tx: 'The unsigned transaction in base64, of version 0 unless transaction_version says otherwise. Decode, sign, send.',
  uri: 'Where the token’s metadata is: at most 200 bytes of UTF-8.',
  used: 'As the transaction has it: never above what was quoted.',
  user: 'The wallet whose liquidity it is.',
  version: 'The protocol config version of the pool.',
  warnings: 'What to know before signing.',
};

const said = <TShape extends Shape>(
  codec: ObjectCodec<unknown, TShape>,
  words: { readonly [TField in keyof TShape]?: string },
): readonly [Shape, Readonly<Record<string, string | undefined>>] => [codec.of.shape, words];

const DIGITS = 'All digits.';
const QUOTED_POOL = 'The pool that the quote is for. A transaction in another is rejected.';
const QUOTE = 'From the quote. Everything else in it is ignored.';

/** Descriptions of fields that differ in one object. */
const saidOtherwise = () => {
  const { poolInfoRequest, poolStateRequest, protocolConfigStateRequest } = data;
  const { quote, initialBuy } = details();
  const buyWords = { maxSolSpend: 'The same in SOL.' };
  const sellWords = {
    amountIn: 'What is sold, in native units.',
    amountInUi: 'The same, with decimals applied.',
  };
  const source = 'The token account to debit. Without it, the payer’s associated token account.';
  const schedule = { brackets: 'The creator fees by slot.', enabled: 'Whether the schedule is in force.' };
  const fees = { creator: '' };
  return new Map([
    said(poolInfoRequest, { pool: 'The address of a pro pool. Without it, the standard pool of the mint.' }),
    said(data.record, { creator: 'The creator of the pool.' }),
    said(poolStateRequest, {
      mint: 'The mint of a standard pool.',
      pool: 'The address of any pool, in place of the mint.',
    }),
    said(protocolConfigStateRequest, {
      version: 'The protocol config version.',
      configVersion: 'The same by its other name.',
    }),
    said(quotes.quoteInitialBuyRequest, { slippageBps: 'How much to add to the cost, in basis points.' }),
    said(quotes.buyQuote, buyWords),
    said(quotes.sellQuote, sellWords),
    said(quotes.returnedBuyQuote, { ...buyWords, details: QUOTE }),
    said(quotes.returnedSellQuote, { ...sellWords, details: QUOTE }),
    said(quotes.returnedDetails, { pool: QUOTED_POOL }),
    said(quotes.exact, { maxLamportSpend: DIGITS, amountIn: DIGITS, minimumOut: DIGITS }),
    said(quote, { pool: QUOTED_POOL }),
    said(quote.of.shape.fees, fees),
    said(quote.of.shape.feeRates, fees),
    said(initialBuy.of.shape.fees, fees),
    said(transactions.buyRequest, { source }),
    said(transactions.sellRequest, { source }),
    said(transactions.createStandardLiquidityPoolRequest, {
      configVersion: 'The protocol config version: 1 community, 2 creator.',
      maxSolSpend: 'The most SOL that the initial purchase may cost. Without it, its cost now and 1 % more.',
    }),
    said(transactions.launchAnswer, {
      tx: 'The transaction in base64, which already carries the new mint’s signature unless the wallet signs first.',
      mint: 'The address of the new token.',
    }),
    said(transactions.proCreateAnswer, { pool: 'The address of the new pool.' }),
    said(transactions.creatorSchedule, schedule),
    said(transactions.proSetSlotFeeRequest, schedule),
    said(transactions.proTransferLpRequest, { amount: 'The LP tokens to transfer.' }),
    ...shapesIn(data.poolStateAnswer),
    ...shapesIn(data.protocolConfigAnswer),
  ]);
};

/** The objects inside an account, which have no descriptions. */
function shapesIn({ of }: Codec<unknown>): (readonly [Shape, Readonly<Record<string, string>>])[] {
  if (of.kind === 'list') return shapesIn(of.item);
  if (of.kind !== 'object') return [];
  const silence = Object.fromEntries(Object.keys(of.shape).map((field) => [field, '']));
  return [[of.shape, silence], ...Object.values(of.shape).flatMap(shapesIn)];
}

let otherwise: ReturnType<typeof saidOtherwise> | undefined;

/** The descriptions of an object's fields. */
export function wordsOf(shape: Shape): (field: string) => string | undefined {
  otherwise ??= saidOtherwise();
  const words: Readonly<Record<string, string | undefined>> = { ...WORDS, ...otherwise.get(shape) };
  return (field) => words[field] || undefined;
}

/** The name of an object in the document, if it has one. */
export const nameOf = (
  codec: Codec<unknown>,
): { readonly id: string; readonly description: string } | undefined => {
  switch (codec) {
    case quotes.buyQuote:
      return { id: 'BuyQuote', description: 'A buy quote.' };
    case quotes.sellQuote:
      return { id: 'SellQuote', description: 'A sell quote.' };
    case quotes.returnedBuyQuote:
      return { id: 'ReturnedBuyQuote', description: 'The quote, as it was returned.' };
    case quotes.returnedSellQuote:
      return { id: 'ReturnedSellQuote', description: 'The quote, as it was returned.' };
    case feeBracket:
      return { id: 'FeeBracket', description: 'Fees up to a market cap.' };
    case slotFeeBracket:
      return { id: 'SlotFeeBracket', description: 'Fees up to a slot after the launch.' };
  }
  return undefined;
};
