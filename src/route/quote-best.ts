import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { type FoundPool, findPools } from '../data/find-pools.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../errors.js';
import { assertWhole, invalidInput } from '../input.js';
import { POOL } from '../pool/layout.js';
import { locatePool, snapshotAddresses } from '../pool/locate.js';
import { assertPoolKind } from '../pool/mismatch.js';
import {
  buyQuoteFrom,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  type QuoteDetails,
  sellQuoteFrom,
} from '../pool/quote.js';
import {
  assertSellInput,
  type BuyAmount,
  lamportsToSpend,
  type SellAmount,
  tokensToSell,
} from '../pool/quote-amounts.js';
import { type FetchedPoolSnapshot, snapshotFrom } from '../pool/snapshot.js';
import { assertConfigVersion } from '../program/addresses.js';
import { view } from '../solana/account-data.js';
import { assertAddress } from '../solana/addresses.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** What one trade can do. */
type Side = 'buy' | 'sell';

/** Where {@link quoteBest} looks, and how far. */
export interface QuoteBestOptions extends RequestOptions {
  /** The token. */
  readonly mint: Address;
  /**
   * The pro pools that are known already, such as {@link findPools} returns: nothing is searched. At most 40; an empty list is for
   * the standard pool only.
   */
  readonly pools?: readonly KnownPool[] | null | undefined;
  /** The most pools to quote: the standard pool, then those with the most SOL. From 1 to 40, default 16. */
  readonly maxPools?: number | null | undefined;
}

/** A pool that the caller knows. A {@link FoundPool} is one. */
export type KnownPool = Pick<FoundPool, 'address' | 'configVersion'>;

/** A buy or a sell to quote where it gives most, told apart by `side`. */
export type QuoteBestInput<TSide extends Side = Side> = TSide extends 'buy'
  ? QuoteBestOptions & BuyAmount & { readonly side: 'buy' }
  : QuoteBestOptions & SellAmount & { readonly side: 'sell' };

/** Which pool. */
export interface PoolOfToken {
  readonly pool: Address;
  readonly kind: 'standard' | 'pro';
}

type QuoteOf<TSide extends Side> = TSide extends 'buy' ? DetailedBuyQuote : DetailedSellQuote;

/**
 * What makes most of the difference to the best pool.
 *
 * - `higher-fees`: more of the SOL goes into fees.
 * - `worse-price`: its price is worse before the trade already.
 * - `less-liquidity`: the trade moves its price more.
 * - `tie`: none; it gives the same, and has the higher address.
 */
export type LowerReason = 'higher-fees' | 'worse-price' | 'less-liquidity' | 'tie';

/** A pool that is not the best: it gives less, or refuses the trade. */
export type OtherPool<TSide extends Side = Side> = PoolOfToken &
  (
    | {
        readonly status: 'lower';
        readonly reason: LowerReason;
        /** How much less than the best it gives: token units of a buy, lamports of a sell. */
        readonly lowerBy: bigint;
        readonly quote: QuoteOf<TSide>;
      }
    | {
        readonly status: 'refused';
        /** Why, by its `code`: `swap-disabled`, `pool-not-open`, `insufficient-liquidity`, … */
        readonly error: AnyHeavenError;
      }
  );

/** A pool that was not quoted: `maxPools` others have more SOL. */
export interface LeftOutPool extends PoolOfToken {
  /** The SOL in its reserve, in lamports. */
  readonly lamports: bigint;
}

/** The best pool's quote, and what became of the others. */
export type BestQuote<TSide extends Side = Side> = TSide extends Side
  ? PoolOfToken & {
      readonly side: TSide;
      /** For {@link buildTrade}, or the pool's own builder. */
      readonly quote: QuoteOf<TSide>;
      /** The next best first, then those that refuse the trade. */
      readonly others: readonly OtherPool<TSide>[];
      /** The pools past `maxPools`, most SOL first. */
      readonly leftOut: readonly LeftOutPool[];
    }
  : never;

/**
 * Quotes a trade in the token's standard pool and its pro pools, and returns the quote of the pool that gives most
 * after all fees. All quotes come from one slot.
 *
 * Two calls to the node: the search, which the node must allow (`getProgramAccounts`), and one that reads all pools.
 * With `pools`, only the second. The program takes one swap per transaction (error 6053), so a trade is never split.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `zero-amount`, `too-many-decimals`,
 * `amount-out-of-range`, `invalid-slippage`, `pool-not-found` (the token has none), `no-pool-trades` (each refuses the trade),
 * `rpc-method-unsupported` (the search), and the other `rpc-…` codes
 * @example
 * ```ts
 * const { quote, kind, others } = await quoteBest(client, { mint, side: 'buy', maxSolSpend: '1.5', slippageBps: 50 });
 * const { tx } = await buildTrade(client, { quote, payer });
 * ```
 */
export async function quoteBest<TSide extends 'buy' | 'sell'>(
  client: HeavenClient,
  input: { readonly side: TSide } & QuoteBestInput<TSide>,
): Promise<BestQuote<TSide>> {
  const given = input as QuoteBestInput;
  const { mint, abortSignal } = given;
  const maxPools = given.maxPools ?? DEFAULT_MAX_POOLS;
  if (given.side === 'buy') lamportsToSpend(given);
  else if (given.side === 'sell') assertSellInput(given);
  else throw invalidInput('side', (given as QuoteBestInput).side, "'buy' or 'sell'");
  assertWhole('maxPools', maxPools, [1, MOST_POOLS]);
  assertAddress(mint, 'mint');

  const { candidates, leftOut } = await candidatesOf(client, given, maxPools);
  const pools = await readPools(client, mint, candidates, { abortSignal });
  const read = pools.filter((pool): pool is ReadPool => 'snapshot' in pool);
  const { kept, past } = withinBound(read, maxPools);
  const quote = quoterOf(given, kept[0]);
  const quoted: QuotedPool[] = [];
  const refused = pools.filter((pool): pool is RefusedPool => 'error' in pool);
  for (const { pool, kind, snapshot } of kept) {
    try {
      quoted.push({ pool, kind, quote: quote(snapshot) });
    } catch (error) {
      refused.push({ pool, kind, error: ours(error) });
    }
  }
  quoted.sort(byAmountOut);
  const [best, ...lower] = quoted;
  if (best === undefined) throw noneOf(mint, refused);
  const others: OtherPool[] = [
    ...lower.map((pool) => ({ ...pool, status: 'lower' as const, ...behind(given.side, best, pool) })),
    ...refused.filter(isNews).map((pool) => ({ ...pool, status: 'refused' as const })),
  ];
  return {
    side: given.side,
    ...best,
    others,
    leftOut: [...past, ...leftOut],
  } as BestQuote as BestQuote<TSide>;
}

const DEFAULT_MAX_POOLS = 16;

/** Each takes itself and its config in the one call that reads them all. */
const MOST_POOLS = 40;

/** Those of standard pools: a standard pool is known by its mint alone. */
const STANDARD_CONFIG_VERSIONS = [1, 2];

/** A pool to be read. */
interface Candidate extends PoolOfToken {
  readonly configVersions: readonly number[];
}

interface ReadPool extends PoolOfToken {
  readonly snapshot: FetchedPoolSnapshot;
}

interface RefusedPool extends PoolOfToken {
  readonly error: AnyHeavenError;
}

interface QuotedPool extends PoolOfToken {
  readonly quote: DetailedBuyQuote | DetailedSellQuote;
}

/** Which pools to read: the standard pool, and the pro pools that are given, or found and have the most SOL. */
async function candidatesOf(
  client: HeavenClient,
  { mint, pools, abortSignal }: QuoteBestOptions,
  maxPools: number,
): Promise<{ readonly candidates: readonly Candidate[]; readonly leftOut: readonly LeftOutPool[] }> {
  const address = await locatePool(mint, client.deployment.programAddress);
  const isGiven = pools !== undefined && pools !== null;
  const known = isGiven ? assertPools(pools) : await search(client, { mint, abortSignal });
  const named = known.find((pool) => pool.address === address);
  const standard: Candidate = {
    pool: address,
    kind: 'standard',
    configVersions: [...new Set([...STANDARD_CONFIG_VERSIONS, ...(named ? [named.configVersion] : [])])],
  };
  const versions = new Map(known.map((pool) => [pool.address, pool.configVersion]));
  versions.delete(address);
  const pro = [...versions].map(
    ([pool, configVersion]): Candidate => ({ pool, kind: 'pro', configVersions: [configVersion] }),
  );
  if (isGiven) return { candidates: [standard, ...pro], leftOut: [] };
  const lamports = new Map((known as readonly FoundPool[]).map((pool) => [pool.address, solOf(pool)]));
  const sorted = pro
    .map((candidate) => ({ ...candidate, lamports: lamports.get(candidate.pool) ?? 0n }))
    .sort(byLiquidity);
  return {
    candidates: [standard, ...sorted.slice(0, maxPools - 1)],
    leftOut: sorted.slice(maxPools - 1).map(({ pool, kind, lamports }) => ({ pool, kind, lamports })),
  };
}

const solOf = ({ data }: FoundPool): bigint => view(data).getBigUint64(POOL.reserveB, true);

function assertPools(pools: readonly KnownPool[]): readonly KnownPool[] {
  if (!Array.isArray(pools) || pools.length > MOST_POOLS)
    throw invalidInput('pools', pools, `an array of at most ${MOST_POOLS} pools`);
  for (const [index, pool] of pools.entries()) {
    assertAddress(pool?.address, `pools[${index}].address`);
    assertConfigVersion(pool.configVersion, `pools[${index}].configVersion`);
  }
  return pools;
}

/** Every pool of the token. A node that does not search says what to do instead. */
async function search(
  client: HeavenClient,
  input: RequestOptions & { readonly mint: Address },
): Promise<readonly FoundPool[]> {
  try {
    return await findPools(client, input);
  } catch (cause) {
    if (!isHeavenError(cause, 'rpc-method-unsupported')) throw cause;
    throw new HeavenError(
      cause.code,
      `${cause.message} Or pass the pro pools that you know as pools, which spares the search; pools: [] quotes the standard pool only.`,
      cause.context,
      { cause },
    );
  }
}

/** Reads the pools in one call. What one pool lacks is that pool's error. */
async function readPools(
  client: HeavenClient,
  mint: Address,
  candidates: readonly Candidate[],
  options: RequestOptions,
): Promise<readonly (ReadPool | RefusedPool)[]> {
  const { deployment } = client;
  const sources = candidates.map(({ pool, kind, configVersions }) => ({
    configVersions,
    mint,
    pool: kind === 'standard' ? undefined : pool,
  }));
  const located = await Promise.all(sources.map((source) => snapshotAddresses(deployment, source)));
  const accounts = await fetchAccounts(client, [...new Set(located.flat())], options);
  const byAddress = new Map(accounts.map((account) => [account?.address, account]));
  return candidates.map(({ pool, kind }, index) => {
    const addresses = located[index] as (typeof located)[number];
    const source = sources[index] as (typeof sources)[number];
    try {
      const raw = addresses.map((address) => byAddress.get(address));
      const snapshot = snapshotFrom(raw, addresses, source, deployment);
      assertPoolKind(kind, snapshot.kind);
      return { pool, kind, snapshot };
    } catch (error) {
      return { pool, kind, error: ours(error) };
    }
  });
}

/** The standard pool, and the pro pools with the most SOL. */
function withinBound(
  read: readonly ReadPool[],
  maxPools: number,
): { readonly kept: readonly ReadPool[]; readonly past: readonly LeftOutPool[] } {
  const standard = read.filter(({ kind }) => kind === 'standard');
  const pro = read
    .filter(({ kind }) => kind === 'pro')
    .map((pool) => ({ ...pool, lamports: pool.snapshot.reserveB }))
    .sort(byLiquidity);
  return {
    kept: [...standard, ...pro.slice(0, maxPools - 1)],
    past: pro.slice(maxPools - 1).map(({ pool, kind, lamports }) => ({ pool, kind, lamports })),
  };
}

/** What quotes the trade. An amount with more decimals than the token has is not the pool's fault: it throws. */
function quoterOf(
  input: QuoteBestInput,
  first: ReadPool | undefined,
): (snapshot: FetchedPoolSnapshot) => DetailedBuyQuote | DetailedSellQuote {
  if (input.side === 'buy') {
    const lamports = lamportsToSpend(input);
    return (snapshot) => buyQuoteFrom(snapshot, lamports, input);
  }
  if (first !== undefined) tokensToSell(input, first.snapshot.token.decimals);
  return (snapshot) => sellQuoteFrom(snapshot, input);
}

const byAddress = (a: PoolOfToken, b: PoolOfToken) => (a.pool < b.pool ? -1 : 1);
const byLiquidity = (a: LeftOutPool, b: LeftOutPool) =>
  a.lamports === b.lamports ? byAddress(a, b) : a.lamports > b.lamports ? -1 : 1;
const byAmountOut = (a: QuotedPool, b: QuotedPool) => {
  const [outOfA, outOfB] = [a.quote.details.amountOut, b.quote.details.amountOut];
  return outOfA === outOfB ? byAddress(a, b) : outOfA > outOfB ? -1 : 1;
};

/** How much less a pool gives than the best, and what makes most of the difference. */
function behind(
  side: Side,
  best: QuotedPool,
  other: QuotedPool,
): { readonly reason: LowerReason; readonly lowerBy: bigint } {
  const [a, b] = [best.quote.details, other.quote.details];
  const lowerBy = a.amountOut - b.amountOut;
  if (lowerBy === 0n) return { reason: 'tie', lowerBy };
  const fees = keptOf(side, a) / keptOf(side, b);
  const price = side === 'buy' ? b.priceBefore / a.priceBefore : a.priceBefore / b.priceBefore;
  const depth = Number(a.amountOut) / Number(b.amountOut) / (fees * price);
  const most = Math.max(fees, price, depth);
  const reason = most === fees ? 'higher-fees' : most === price ? 'worse-price' : 'less-liquidity';
  return { reason, lowerBy };
}

/** The share of the SOL that the fees leave. */
const keptOf = (side: Side, { amountIn, amountOut, totalFee }: QuoteDetails): number =>
  side === 'buy'
    ? Number(amountIn - totalFee) / Number(amountIn)
    : Number(amountOut) / Number(amountOut + totalFee);

/** Whether a pool's refusal says something: a token need not have a standard pool. */
const isNews = ({ kind, error }: RefusedPool): boolean => kind === 'pro' || error.code !== 'pool-not-found';

/** The error where no pool takes the trade: theirs if they agree. */
function noneOf(mint: Address, refused: readonly RefusedPool[]): HeavenError {
  const telling = refused.some(isNews) ? refused.filter(isNews) : refused;
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

/** What is not an error of this library's is a fault of it, and not hidden. */
function ours(error: unknown): AnyHeavenError {
  if (!isHeavenError(error)) throw error;
  return error;
}
