// Launches: the form's values, the first purchase's cost, the transaction and its last signature. Loaded on demand.
import type { Address, TransactionPartialSigner } from '@solana/kit';
import {
  type BuiltLaunch,
  buildCreateStandardLiquidityPool,
  type GrindProgress,
  getProtocolConfigState,
  grindMintAddress,
  type InitialBuyQuote,
  METADATA_LIMITS,
  type ProtocolConfig,
  quoteInitialBuy,
  toUiAmount,
} from 'heaven-pools';

import type { Connection } from './connection.js';
import { formatAmount, formatSol } from './format.js';
import { amountAt, type BuildOptions, FieldProblem, lookupTableOf, type Plan, valueAt } from './view-form.js';

/** The config version of launches on this page: 1, community fees. */
const CONFIG_VERSION = 1;
/** How much more the purchase may cost by the time it lands: what the builder allows. */
const SLIPPAGE_BPS = 100;

let terms: { readonly on: Connection; readonly read: Promise<ProtocolConfig> } | undefined;

/** The start values of a launch, read once per connection. */
export async function termsOn(connection: Connection): Promise<ProtocolConfig> {
  if (terms?.on !== connection)
    terms = {
      on: connection,
      read: getProtocolConfigState(connection.client, { version: CONFIG_VERSION }),
    };
  try {
    return await terms.read;
  } catch (error) {
    terms = undefined;
    throw error;
  }
}

/** What to launch. */
interface LaunchInput {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Native units of the token; 0 for none. */
  readonly purchase: bigint;
}

const TEXTS = {
  name: 'a name',
  symbol: 'a symbol',
  uri: 'the address of the metadata, such as https://example.com/token.json',
};

function textAt(field: keyof typeof TEXTS): string {
  const id = `launch-${field}`;
  const value = valueAt(id);
  if (value === '') throw new FieldProblem(id, `Type ${TEXTS[field]}.`);
  const size = new TextEncoder().encode(value).length;
  const limit = METADATA_LIMITS[field];
  if (size > limit)
    throw new FieldProblem(id, `This has ${size} bytes, and ${limit} are allowed. Shorten it.`);
  return value;
}

/** What was typed, checked. */
export function readLaunch(terms: ProtocolConfig): LaunchInput {
  const [name, symbol, uri] = [textAt('name'), textAt('symbol'), textAt('uri')];
  if (!URL.canParse(uri) || !/^(https|ipfs|ar):/i.test(uri))
    throw new FieldProblem(
      'launch-uri',
      'Type a whole address that begins with https://, such as https://example.com/token.json.',
    );
  return { name, symbol, uri, purchase: readPurchase(terms) };
}

/** The tokens to buy, in native units; 0 for none. */
export function readPurchase({
  initialTokenAAmount: supply,
  tokenADecimals: decimals,
}: ProtocolConfig): bigint {
  const id = 'launch-purchase';
  if (valueAt(id) === '') return 0n;
  const amount = amountAt(id, decimals);
  if (amount >= supply)
    throw new FieldProblem(
      id,
      `The pool starts with ${toUiAmount(supply, decimals)} tokens, and not all of them can be bought. Type less.`,
    );
  return amount;
}

/** What the first purchase costs at most. */
export const quotePurchase = (
  { client }: Connection,
  tokenAmount: bigint,
  abortSignal: AbortSignal,
): Promise<InitialBuyQuote> =>
  quoteInitialBuy(client, {
    configVersion: CONFIG_VERSION,
    tokenAmount,
    slippageBps: SLIPPAGE_BPS,
    abortSignal,
  });

/** The suffix of a mint's address: shorter on the model, so that the search is quick. */
export const suffixOn = ({ model }: Connection): string => (model === undefined ? '777' : '7');

interface LaunchOptions extends BuildOptions {
  /** A mint that was found earlier and never sent. */
  readonly mint: TransactionPartialSigner | undefined;
  readonly onProgress: (progress: GrindProgress) => void;
}

/** Builds a launch that the wallet signs first. Searches for the mint's address after everything else is checked. */
export async function buildLaunch(
  connection: Connection,
  { purchase, ...texts }: LaunchInput,
  { mint, onProgress, ...options }: LaunchOptions,
): Promise<BuiltLaunch> {
  return await buildCreateStandardLiquidityPool(connection.client, {
    ...options,
    ...texts,
    creator: options.payer,
    configVersion: CONFIG_VERSION,
    initialPurchaseAmount: purchase,
    lutAddress: lookupTableOf(connection, 'community'),
    mintSigner:
      mint ??
      (async (given) =>
        await grindMintAddress({ suffix: suffixOn(connection), observe: onProgress, ...given })),
    signingOrder: 'wallet-first',
  });
}

/** A launch in words. */
export function launchPlan(
  { initialTokenAAmount: supply, tokenADecimals: decimals }: ProtocolConfig,
  { name, symbol, uri, purchase }: LaunchInput,
  built: BuiltLaunch,
  openPool: (address: Address) => void,
): Plan {
  const tokens = (amount: bigint) => `${formatAmount(amount, decimals)} ${symbol}`;
  const { mint, pool } = built;
  const buying =
    purchase === 0n ? '' : `, and buy ${tokens(purchase)} for at most ${formatSol(built.maxLamportSpend)}`;
  const bought = { term: 'You bought', value: tokens(purchase), isStrong: true };
  return {
    title: 'Before you sign the launch',
    headline: `You create ${name} (${symbol}) and its pool${buying}.`,
    facts: [
      { term: 'Name', value: name },
      { term: 'Symbol', value: symbol },
      { term: 'Metadata, final', value: uri },
      { term: 'Supply, all of it in the pool at first', value: formatAmount(supply, decimals) },
      { term: 'Mint', value: mint },
      { term: 'Pool', value: pool },
    ],
    confirm: 'Sign and launch',
    noun: 'launch',
    done: 'launched',
    token: { mint, decimals, symbol },
    known: { [mint]: 'the new token' },
    // The mint's key signs last, and only the launch that the wallet was given.
    canSendChanged: false,
    receipt: {
      title: 'Launched',
      headline: `${name} can be traded now.`,
      facts: [
        { term: 'Token', value: `${name} (${symbol})`, isStrong: true },
        { term: 'Mint', value: mint },
        { term: 'Pool', value: pool },
        ...(purchase === 0n ? [] : [bought]),
      ],
      open: { label: 'Trade it', act: () => openPool(pool) },
    },
  };
}
