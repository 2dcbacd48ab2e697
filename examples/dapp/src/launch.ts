// Launches: what is typed, what the first purchase costs, the transaction and its last signature. Loaded on demand.
import type { Address, TransactionPartialSigner } from '@solana/kit';
import {
  addMintSignature,
  type BuiltLaunch,
  buildCreateStandardLiquidityPool,
  type GrindProgress,
  getProtocolConfigState,
  grindMintAddress,
  type InitialBuyQuote,
  type ProtocolConfig,
  quoteInitialBuy,
  toUiAmount,
} from 'heaven-pools';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from 'heaven-pools/program';

import type { Connection } from './connection.js';
import { SOL_DECIMALS } from './format.js';
import { explain, Problem } from './messages.js';
import { readAmount } from './quote.js';
import { NO_LIFETIME } from './review.js';
import type { SignedTransaction } from './send.js';

/** The fees of a pool that is launched here: 1 is community fees. */
const CONFIG_VERSION = 1;
/** What the purchase may cost more by the time it lands. */
const SLIPPAGE_BPS = 100;

/** Fields of the launch form. */
export type LaunchField = 'name' | 'symbol' | 'uri' | 'purchase';

/** Something wrong with what was typed. */
export class LaunchProblem extends Problem {
  readonly launchField: LaunchField;

  constructor(launchField: LaunchField, message: string) {
    super(undefined, message);
    this.launchField = launchField;
  }
}

/** What a launch starts with, by the config of the exchange. */
export interface LaunchTerms {
  /** Native units. */
  readonly supply: bigint;
  readonly decimals: number;
  readonly config: ProtocolConfig;
}

export async function fetchTerms({ client }: Connection): Promise<LaunchTerms> {
  const config = await getProtocolConfigState(client, { version: CONFIG_VERSION });
  return { supply: config.initialTokenAAmount, decimals: config.tokenADecimals, config };
}

/** What is to be launched. */
export interface LaunchInput {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Native units of the token; 0 for none. */
  readonly purchase: bigint;
}

/** The texts and their limits in bytes of UTF-8. */
const TEXTS = {
  name: ['a name', 32],
  symbol: ['a symbol', 10],
  uri: ['the address of the metadata, such as https://example.com/token.json', 200],
} as const;

/** What was typed, checked. */
export function readLaunch(typed: Readonly<Record<LaunchField, string>>, terms: LaunchTerms): LaunchInput {
  const text = (field: keyof typeof TEXTS) => {
    const value = typed[field].trim();
    const [what, limit] = TEXTS[field];
    if (value === '') throw new LaunchProblem(field, `Type ${what}.`);
    const size = new TextEncoder().encode(value).length;
    if (size > limit)
      throw new LaunchProblem(field, `This has ${size} bytes, and ${limit} are allowed. Shorten it.`);
    return value;
  };
  const [name, symbol, uri] = [text('name'), text('symbol'), text('uri')];
  if (!URL.canParse(uri) || !['https:', 'ipfs:', 'ar:'].includes(new URL(uri).protocol))
    throw new LaunchProblem(
      'uri',
      'Type a whole address that begins with https://, such as https://example.com/token.json.',
    );
  return { name, symbol, uri, purchase: readPurchase(typed.purchase, terms) };
}

/** The tokens to buy, in native units; 0 for none. */
export function readPurchase(typed: string, { supply, decimals }: LaunchTerms): bigint {
  if (typed.trim() === '') return 0n;
  let amount: bigint;
  try {
    amount = readAmount(typed, 'sell', decimals);
  } catch (error) {
    throw new LaunchProblem('purchase', explain(error).message);
  }
  if (amount >= supply)
    throw new LaunchProblem(
      'purchase',
      `The pool starts with ${toUiAmount(supply, decimals)} tokens, and not all of them can be bought. Type less.`,
    );
  return amount;
}

const PERCENT_DIGITS = 30;

/** What the first purchase costs at most. */
export async function quotePurchase(
  { client }: Connection,
  { supply }: LaunchTerms,
  amount: bigint,
  abortSignal: AbortSignal,
): Promise<InitialBuyQuote> {
  // The share is rounded up at a digit so far behind the point that rounding down gives exactly the amount again.
  const one = 10n ** BigInt(PERCENT_DIGITS);
  const percent = (amount * 100n * one + supply - 1n) / supply;
  const quote = await quoteInitialBuy(client, {
    configVersion: CONFIG_VERSION,
    initialPurchasePercent: `${percent / one}.${(percent % one).toString().padStart(PERCENT_DIGITS, '0')}`,
    slippageBps: SLIPPAGE_BPS,
    abortSignal,
  });
  if (quote.tokenAmount !== amount) throw new Error(`The quote is for ${quote.tokenAmount} units.`);
  return quote;
}

/** What a mint's address ends with: a model need not be searched for as long. */
export const suffixOn = ({ model }: Connection): string => (model === undefined ? '777' : '7');

export interface LaunchOptions {
  readonly payer: Address;
  readonly transactionVersion: 0 | 1;
  /** A mint that was found before and never sent. */
  readonly mint: TransactionPartialSigner | undefined;
  readonly onProgress: (progress: GrindProgress) => void;
  readonly abortSignal: AbortSignal;
}

/** Builds a launch that the wallet signs first, and finds the address of its mint once all else is checked. */
export async function buildLaunch(
  connection: Connection,
  terms: LaunchTerms,
  input: LaunchInput,
  { payer, transactionVersion, mint, onProgress, abortSignal }: LaunchOptions,
): Promise<BuiltLaunch> {
  const { client, model } = connection;
  const { name, symbol, uri, purchase } = input;
  const quote = purchase === 0n ? undefined : await quotePurchase(connection, terms, purchase, abortSignal);
  return await buildCreateStandardLiquidityPool(client, {
    payer,
    creator: payer,
    name,
    symbol,
    uri,
    configVersion: CONFIG_VERSION,
    initialPurchaseAmount: purchase,
    maxSolSpend: quote && toUiAmount(quote.costLamports, SOL_DECIMALS),
    lutAddress: model?.ledger.lookupTables.community ?? COMMUNITY_LOOKUP_TABLE_ADDRESS,
    transactionVersion,
    lifetime: NO_LIFETIME,
    mintSigner:
      mint ??
      (async (options) =>
        await grindMintAddress({ suffix: suffixOn(connection), observe: onProgress, ...options })),
    signingOrder: 'wallet-first',
    abortSignal,
  });
}

/** The mint signs last, and only what the wallet was given. */
export async function addLastSignature(
  signed: SignedTransaction,
  built: BuiltLaunch,
): Promise<SignedTransaction> {
  const { tx } = await addMintSignature(signed.tx, built);
  return { ...signed, tx };
}
