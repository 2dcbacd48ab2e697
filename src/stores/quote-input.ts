import type { HeavenClient } from '../client.js';
import type { AnyHeavenError } from '../errors.js';
import { invalidInput } from '../input.js';
import { invalidAmount } from '../math/units.js';
import type { PoolLocator } from '../pool/locate.js';
import { assertPoolKind } from '../pool/mismatch.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { assertConfigVersion } from '../program/addresses.js';
import { type BestQuote, rankPools } from '../route/rank-pools.js';
import {
  isRead,
  type ReadPool,
  type Search,
  searchOf,
  type TokenMarket,
  type TokenPools,
} from '../route/token-market.js';
import {
  assertSide,
  givenAmount,
  type QuoteOf,
  quoterOf,
  type Side,
  type TradeAmount,
  type TradeQuoter,
} from '../route/trade-quoter.js';
import { assertAddress } from '../solana/addresses.js';
import { shownError } from './fresh.js';
import { followBest } from './live-best.js';
import { followLive, type Live } from './live-pool.js';

/** A trade in one pool: a pro pool if `pool` is given, else the standard pool of the mint. */
export type PoolQuoteInput = PoolLocator &
  TradeAmount & { readonly pools?: null | undefined; readonly maxPools?: null | undefined };

/** A trade in whichever pool of a token gives the most, or takes the least for an exact-out amount. */
export type BestQuoteInput = TokenPools &
  TradeAmount & { readonly configVersion?: null | undefined; readonly pool?: null | undefined };

/** A trade for a {@link QuoteStore}: with `configVersion` in that pool, without it in the best pool of the mint. */
export type QuoteStoreInput = PoolQuoteInput | BestQuoteInput;

/** A quote in the requested pool, and the input that it answers. `side` says whether it is a buy or a sell. */
export type LivePoolQuote<TSide extends Side = Side> = TSide extends Side
  ? {
      readonly input: PoolQuoteInput;
      readonly side: TSide;
      readonly quote: QuoteOf<TSide>;
      /** The pool as it was for the quote, with its token's decimals and its price. */
      readonly snapshot: FetchedPoolSnapshot;
      readonly others?: undefined;
      readonly leftOut?: undefined;
    }
  : never;

/** A quote in the best pool, with the ranking of the others and the input that it answers. `side` says whether it is a buy or a sell. */
export type LiveBestQuote<TSide extends Side = Side> = BestQuote<TSide> & {
  readonly input: BestQuoteInput;
  /** The best pool as it was for the quote, with its token's decimals and its price. */
  readonly snapshot: FetchedPoolSnapshot;
};

/** The data of a {@link QuoteStore}. `others` is only present for the best pool. */
export type LiveQuote = LivePoolQuote | LiveBestQuote;

/** What quotes are computed from: one pool, or all pools of a token. */
export type Market = FetchedPoolSnapshot | TokenMarket;

/** What an input asks for, where it is readable. */
export interface ReadInput {
  /** What to follow, unless the input doesn't name it. Inputs with the same `key` can share it. */
  readonly source:
    | {
        readonly key: string;
        readonly follow: (client: HeavenClient, maxAgeMs: number, changed: () => void) => Live<Market>;
      }
    | undefined;
  /** What the quote is for besides its amount and terms: the store never shows a quote for another subject. */
  readonly subject: string;
  /** How to quote the input: a function, an error, or `undefined` while there is no amount. */
  readonly ask: ((market: Market) => LiveQuote) | undefined;
  readonly error: AnyHeavenError | undefined;
}

/** No amount yet: nothing, zero, or digits that end in a decimal point. */
const UNFINISHED = /^\s*(?:0*(?:\.0*)?|\d+\.)\s*$/;

const NOTHING: ReadInput = { source: undefined, subject: '', ask: undefined, error: undefined };

/** Reads an input from a page. It never throws. */
export function readInput(given: QuoteStoreInput | undefined | null): ReadInput {
  if (given === undefined || given === null) return NOTHING;
  let known = NOTHING;
  try {
    if (typeof given !== 'object') throw invalidInput('input', given, 'what to quote, or undefined');
    // The caller may change it later.
    const input = { ...given };
    const { source, answer } = isForBest(input) ? ofToken(input) : ofPool(input);
    assertSide(input.side);
    known = { ...NOTHING, source, subject: `${input.side} ${source.key}` };
    const quoter = quoterFor(input);
    return quoter === undefined ? known : { ...known, ask: (market) => answer(quoter, market) };
  } catch (error) {
    return { ...known, error: shownError(error) };
  }
}

const isForBest = (input: QuoteStoreInput): input is BestQuoteInput =>
  (input.configVersion ?? undefined) === undefined && (input.pool ?? undefined) === undefined;

/** Returns which pool a trade uses, and how to quote it. */
function ofPool(input: PoolQuoteInput) {
  const { configVersion, mint } = input;
  const pool = input.pool ?? undefined;
  assertConfigVersion(configVersion, 'configVersion');
  assertAddress(mint, 'mint');
  if (pool !== undefined) assertAddress(pool, 'pool');
  const locator: PoolLocator = { configVersion, mint, pool };
  return {
    source: {
      key: `${configVersion} ${mint} ${pool ?? ''}`,
      follow: (client: HeavenClient, maxAgeMs: number, changed: () => void): Live<Market> =>
        followLive(client, locator, maxAgeMs, changed),
    },
    answer: ({ side, quote }: TradeQuoter, market: Market): LiveQuote => {
      const snapshot = market as FetchedPoolSnapshot;
      assertPoolKind(pool === undefined ? 'standard' : 'pro', snapshot.kind);
      return { side, quote: quote(snapshot), input, snapshot } as LivePoolQuote;
    },
  };
}

/** Returns which pools a trade in the best pool of a token may use, and how to quote it. */
function ofToken(input: BestQuoteInput) {
  const search: Search = searchOf(input);
  const pools = search.pools?.map(({ address, configVersion }) => `${address} ${configVersion}`).sort();
  return {
    source: {
      key: `best ${search.mint} ${search.maxPools} ${pools?.join() ?? 'searched'}`,
      follow: (client: HeavenClient, maxAgeMs: number, changed: () => void): Live<Market> =>
        followBest(client, search, maxAgeMs, changed),
    },
    answer: (quoter: TradeQuoter, market: Market): LiveQuote => {
      const { pools } = market as TokenMarket;
      const best = rankPools(market as TokenMarket, search, quoter);
      const { snapshot } = pools.filter(isRead).find(({ pool }) => pool === best.pool) as ReadPool;
      return { ...best, input, snapshot };
    },
  };
}

/** Returns how to quote an input, or `undefined` while there is no amount. */
function quoterFor(input: TradeAmount): TradeQuoter | undefined {
  const given = givenAmount(input);
  if (given === undefined) return undefined;
  const { field, amount } = given;
  if (typeof amount === 'string') {
    if (UNFINISHED.test(amount)) return undefined;
    // In an input field, an exponent is a typo.
    if (/e/i.test(amount)) throw invalidAmount(field, amount);
  }
  return quoterOf(input);
}
