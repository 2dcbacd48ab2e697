import type { Address } from '@solana/kit';

import { type AnyHeavenError, HeavenError } from '../base/errors.js';
import type { QuoteDetails } from '../pool/quote.js';
import {
  byAddress,
  type LeftOutPool,
  ours,
  type PoolOfToken,
  type RefusedPool,
  type TokenMarket,
} from './token-market.js';
import type { QuoteOf, Side, TradeQuoter } from './trade-quoter.js';

/**
 * The main reason why a pool gives less than the best one.
 *
 * - `higher-fees`: more of the SOL goes to fees.
 * - `worse-price`: its price was already worse before the trade.
 * - `less-liquidity`: the trade moves its price more.
 * - `tie`: none. It gives the same amount and has the higher address.
 */
export type LowerReason = 'higher-fees' | 'worse-price' | 'less-liquidity' | 'tie';

/** A pool that is not the best: it gives less, or rejects the trade. */
export type OtherPool<TSide extends Side = Side> = PoolOfToken &
  (
    | {
        readonly status: 'lower';
        readonly reason: LowerReason;
        /**
         * How much less it gives than the best: token units for a buy, lamports for a sell. For an exact-out trade, how much more it
         * takes: lamports for a buy, token units for a sell.
         */
        readonly lowerBy: bigint;
        readonly quote: QuoteOf<TSide>;
      }
    | {
        readonly status: 'refused';
        /** Why it rejects the trade. See `code`: `operation-disabled`, `pool-not-open`, `insufficient-liquidity`, … */
        readonly error: AnyHeavenError;
      }
  );

/** The best pool's quote, and how the others compare. */
export type BestQuote<TSide extends Side = Side> = TSide extends Side
  ? PoolOfToken & {
      readonly side: TSide;
      /** The quote. Pass it to {@link buildTrade} or the pool's own builder. */
      readonly quote: QuoteOf<TSide>;
      /** The next best first, then those that reject the trade. */
      readonly others: readonly OtherPool<TSide>[];
      /** The pools beyond `maxPools`, most SOL first. */
      readonly leftOut: readonly LeftOutPool[];
    }
  : never;

interface QuotedPool extends PoolOfToken {
  readonly quote: QuoteOf<Side>;
}

/** Quotes a trade in every pool of a token, and ranks them. Throws if no pool accepts the trade. */
export async function rankPools(market: TokenMarket, mint: Address, quoter: TradeQuoter): Promise<BestQuote> {
  const [any] = market.pools;
  if (any !== undefined) quoter.assertAmount(any.snapshot.token);
  const quoted: QuotedPool[] = [];
  const refused = [...market.refused];
  for (const { pool, kind, snapshot } of market.pools) {
    try {
      quoted.push({ pool, kind, quote: await quoter.quote(snapshot) });
    } catch (error) {
      refused.push({ pool, kind, error: ours(error) });
    }
  }
  quoted.sort(bestFirst(quoter));
  const [best, ...lower] = quoted;
  if (best === undefined) throw noneOf(mint, refused);
  const others: OtherPool[] = [
    ...lower.map((pool) => ({ ...pool, status: 'lower' as const, ...behind(quoter, best, pool) })),
    ...refused.filter(isNews).map((pool) => ({ ...pool, status: 'refused' as const })),
  ];
  return { side: quoter.side, ...best, others, leftOut: market.leftOut } as BestQuote;
}

/** Sorts by most out for a given input, or by least in for a given output and then most out. */
const bestFirst =
  ({ isExactOut }: TradeQuoter) =>
  (a: QuotedPool, b: QuotedPool): number => {
    const lessIn = isExactOut ? b.quote.details.amountIn - a.quote.details.amountIn : 0n;
    const ahead = lessIn === 0n ? a.quote.details.amountOut - b.quote.details.amountOut : lessIn;
    return ahead === 0n ? byAddress(a, b) : ahead > 0n ? -1 : 1;
  };

/** Returns how much less a pool gives than the best, or how much more it takes, and the main reason. */
function behind(
  { side, isExactOut }: TradeQuoter,
  best: QuotedPool,
  other: QuotedPool,
): { readonly reason: LowerReason; readonly lowerBy: bigint } {
  const [a, b] = [best.quote.details, other.quote.details];
  const lowerBy = isExactOut ? b.amountIn - a.amountIn : a.amountOut - b.amountOut;
  if (lowerBy === 0n) return { reason: 'tie', lowerBy };
  const fees = keptOf(side, a) / keptOf(side, b);
  const price = side === 'buy' ? b.priceBefore / a.priceBefore : a.priceBefore / b.priceBefore;
  const depth = rateOf(a) / rateOf(b) / (fees * price);
  const most = Math.max(fees, price, depth);
  const reason = most === fees ? 'higher-fees' : most === price ? 'worse-price' : 'less-liquidity';
  return { reason, lowerBy };
}

/** The output per unit of input. */
const rateOf = ({ amountIn, amountOut }: QuoteDetails): number => Number(amountOut) / Number(amountIn);

/** The share of the SOL that remains after fees. */
const keptOf = (side: Side, { amountIn, amountOut, totalFee }: QuoteDetails): number =>
  side === 'buy'
    ? Number(amountIn - totalFee) / Number(amountIn)
    : Number(amountOut) / Number(amountOut + totalFee);

/** Whether a pool's rejection is worth reporting: a token need not have a standard pool. */
const isNews = ({ kind, error }: RefusedPool): boolean => kind === 'pro' || error.code !== 'pool-not-found';

/** Whether the rejecting pool is paired with SOL. Anybody can create any number of other pools. */
const isOfSol = ({ error }: RefusedPool): boolean => error.code !== 'unsupported-mint';

/** Returns the error when no pool accepts the trade: the pools' error if they agree. The more specific ones count. */
function noneOf(mint: Address, refused: readonly RefusedPool[]): HeavenError {
  const news = refused.filter(isNews);
  const telling = [news.filter(isOfSol), news].find(({ length }) => length > 0) ?? refused;
  const [first, ...rest] = telling as readonly [RefusedPool, ...RefusedPool[]];
  if (rest.every(({ error }) => error.code === first.error.code)) return first.error;
  const named = telling.map(({ pool, error }) => ({ pool, code: error.code }));
  const list = named.map(({ pool, code }) => `${pool} (${code})`).join(', ');
  return new HeavenError(
    'no-pool-trades',
    `None of the token's ${named.length} pools takes this trade: ${list}. Try another amount, or later.`,
    { mint, refused: named },
    { cause: first.error },
  );
}
