import { type AnyHeavenError, isHeavenError } from '../base/errors.js';
import { assertCall, assertWhole, invalidInput } from '../base/input.js';
import { checkInput, fieldsOf } from '../input/check-input.js';
import { address, oneOf, optional, version } from '../input/fields.js';
import { buyAmount, quoteThresholds, sellAmount } from '../input/quotes.js';
import {
  candidatesOf,
  type PoolCandidates,
  type PoolLocator,
  type SnapshotAddresses,
  snapshotAddresses,
} from '../pool/addresses.js';
import { type FetchedPoolSnapshot, snapshotFrom } from '../pool/check.js';
import { assertPoolKind } from '../pool/decode.js';
import { explained, type ReadAccounts } from '../pool/explained.js';
import {
  buyQuoteFrom,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  sellQuoteFrom,
  withQuoteWarnings,
} from '../pool/quote.js';
import { assertSellAmount, type BuyAmount, lamportsToSpend, type SellAmount } from '../pool/quote-amounts.js';
import type { HeavenClient } from '../program/client.js';
import { AccountBatches, MAX_ACCOUNTS_PER_CALL } from '../solana/rpc/account-batches.js';
import { fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** A buy to quote, in a pro pool if `pool` is given, else in the standard pool of the mint. */
export type QuoteManyBuy = PoolLocator & BuyAmount & { readonly side: 'buy' };

/** A sell to quote, in a pro pool if `pool` is given, else in the standard pool of the mint. */
export type QuoteManySell = PoolLocator & SellAmount & { readonly side: 'sell' };

/** A trade for {@link quoteMany} to quote. `side` says whether it is a buy or a sell. */
export type QuoteManyRequest = QuoteManyBuy | QuoteManySell;

/** The result of one request: a quote or an error. */
export type QuoteOutcome<TRequest extends QuoteManyRequest = QuoteManyRequest> =
  | {
      readonly ok: true;
      readonly quote: TRequest extends { readonly side: 'buy' } ? DetailedBuyQuote : DetailedSellQuote;
    }
  | { readonly ok: false; readonly error: AnyHeavenError };

/** The outcomes of several requests, in the same order. */
export type QuoteOutcomes<TRequests extends readonly QuoteManyRequest[]> = {
  // Named by the side alone: an editor then shows only that part of a request.
  readonly [TIndex in keyof TRequests]: TRequests[TIndex] extends { readonly side: 'buy' }
    ? QuoteOutcome<QuoteManyBuy>
    : TRequests[TIndex] extends { readonly side: 'sell' }
      ? QuoteOutcome<QuoteManySell>
      : QuoteOutcome;
};

/** The limits of {@link quoteMany}'s node. */
export interface QuoteManyOptions extends RequestOptions {
  /** The most accounts that the node returns per call. Default 100, Solana's limit; some providers allow fewer. */
  readonly maxAccountsPerCall?: number | null | undefined;
  /** The most concurrent calls. Default 8. */
  readonly maxConcurrentCalls?: number | null | undefined;
}

/**
 * Quotes many trades in as few calls to the node as possible: it reads each pool once, about 48 pools per call. Each
 * quote is the same as from {@link quoteBuy}, {@link quoteSell}, {@link quoteProBuy} or {@link quoteProSell}.
 *
 * All quotes for a pool come from the same slot, `details.slot`. Each request has its own outcome, in the order of the
 * requests. When a call to the node fails, the requests for its pools fail with its error.
 * @throws {HeavenError} `aborted`, and `invalid-input` if requests is not an array or an option is bad. Other errors are in the outcomes
 * @example
 * ```ts
 * const outcomes = await quoteMany(client, [
 *   { side: 'buy', configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 },
 *   { side: 'sell', configVersion: 3, mint, pool, amountInUi: '250', slippageBps: 50 },
 * ]);
 * for (const outcome of outcomes) console.log(outcome.ok ? outcome.quote.minimumOutUi : outcome.error.code);
 * ```
 */
export async function quoteMany<const TRequests extends readonly QuoteManyRequest[]>(
  client: HeavenClient,
  requests: TRequests,
  options: QuoteManyOptions = {},
): Promise<QuoteOutcomes<TRequests>> {
  assertCall(client, options, { maxAccountsPerCall: 1, maxConcurrentCalls: 1, abortSignal: 1 }, 'options');
  const { abortSignal } = options;
  const maxAccountsPerCall = options.maxAccountsPerCall ?? MAX_ACCOUNTS_PER_CALL;
  const maxConcurrentCalls = options.maxConcurrentCalls ?? 8;
  if (!Array.isArray(requests)) throw invalidInput('requests', requests, 'an array');
  assertWhole('maxAccountsPerCall', maxAccountsPerCall, [LEAST_ACCOUNTS_PER_CALL, MAX_ACCOUNTS_PER_CALL]);
  assertWhole('maxConcurrentCalls', maxConcurrentCalls, [1, Number.MAX_SAFE_INTEGER]);

  const outcomes = new Array<QuoteOutcome>(requests.length);
  const pools = new Map<string, WantedPool>();
  for (const [index, request] of (requests as readonly QuoteManyRequest[]).entries()) {
    try {
      const quote = enterRequest(client, request, `requests[${index}]`);
      const candidates = candidatesOf(request);
      const key = `${candidates.configVersions} ${candidates.mint} ${candidates.pool}`;
      let wanted = pools.get(key);
      if (wanted === undefined) {
        wanted = { ...candidates, quotes: [] };
        pools.set(key, wanted);
      }
      wanted.quotes.push({ index, quote });
    } catch (error) {
      outcomes[index] = failed(error);
    }
  }

  // Each derivation waits for a digest, so running many at once takes less time.
  const located = await Promise.all(
    [...pools.values()].map(async (wanted) => ({
      ...wanted,
      addresses: await snapshotAddresses(client.deployment, wanted),
    })),
  );
  const batches = new AccountBatches({
    maxAccountsPerCall,
    maxConcurrentCalls,
    call: (addresses) => fetchAccounts(client, addresses, { abortSignal }),
  });
  // Neighbors share what they can: the config, and the mint of several pools.
  located.sort(byConfigAndMint);
  await Promise.all(located.map((pool) => answer(client, batches, pool, outcomes)));
  return outcomes as unknown as QuoteOutcomes<TRequests>;
}

/** What one pool needs: its own account, its mint, its config, the price feed and the clock. */
const LEAST_ACCOUNTS_PER_CALL = 5;

type Quote = (snapshot: FetchedPoolSnapshot) => Promise<DetailedBuyQuote | DetailedSellQuote>;

/** A pool, and the quotes to compute for it. */
interface WantedPool extends PoolCandidates {
  readonly quotes: { readonly index: number; readonly quote: Quote }[];
}

interface LocatedPool extends WantedPool {
  readonly addresses: SnapshotAddresses;
}

const locator = () => ({ configVersion: version(), mint: address(), pool: optional(address()) });

const buyFields = /* @__PURE__ */ fieldsOf<QuoteManyBuy>()(() => ({
  documented: {},
  local: {
    side: oneOf(['buy'], "'buy'"),
    ...locator(),
    ...buyAmount(),
    ...quoteThresholds(),
  },
  together: lamportsToSpend,
}));

const sellFields = /* @__PURE__ */ fieldsOf<QuoteManySell>()(() => ({
  documented: {},
  local: {
    side: oneOf(['sell'], "'sell'"),
    ...locator(),
    ...sellAmount(),
    ...quoteThresholds(),
  },
  together: assertSellAmount,
}));

/** Throws for a bad request. Returns a function that quotes a good one. */
function enterRequest(client: HeavenClient, request: QuoteManyRequest, field: string): Quote {
  if (typeof request !== 'object' || request === null) throw invalidInput(field, request, 'an object');
  const { side } = request;
  if (side === 'buy') {
    const [checked, ignored] = checkInput(client, request, buyFields);
    const lamports = lamportsToSpend(checked);
    return async (snapshot) => withQuoteWarnings(await buyQuoteFrom(snapshot, lamports, checked), ignored);
  }
  if (side === 'sell') {
    const [checked, ignored] = checkInput(client, request, sellFields);
    return async (snapshot) => withQuoteWarnings(await sellQuoteFrom(snapshot, checked), ignored);
  }
  throw invalidInput(`${field}.side`, side, "'buy' or 'sell'");
}

const sortKey = ({ configVersions, mint }: LocatedPool) => `${configVersions} ${mint}`;
const byConfigAndMint = (a: LocatedPool, b: LocatedPool) => (sortKey(a) < sortKey(b) ? -1 : 1);

/** Reads a pool, and computes all quotes for it. */
async function answer(
  client: HeavenClient,
  batches: AccountBatches<readonly (RawAccount | undefined)[]>,
  pool: LocatedPool,
  outcomes: QuoteOutcome[],
): Promise<void> {
  const read: ReadAccounts = async (addresses) => {
    const { response, indexes } = await batches.read(addresses);
    return indexes.map((index) => response[index]);
  };
  let snapshot: FetchedPoolSnapshot;
  try {
    const accounts = await read(pool.addresses);
    snapshot = snapshotFrom(accounts, pool.addresses, pool, client.deployment);
    if (pool.pool !== undefined) assertPoolKind('pro', snapshot.kind);
  } catch (error) {
    if (isHeavenError(error, 'aborted')) throw error;
    const outcome = failed(await explained(client, pool, error, read));
    for (const { index } of pool.quotes) outcomes[index] = outcome;
    return;
  }
  for (const { index, quote } of pool.quotes) {
    try {
      outcomes[index] = { ok: true, quote: await quote(snapshot) } as QuoteOutcome;
    } catch (error) {
      outcomes[index] = failed(error);
    }
  }
}

/** The outcome of a request that failed. An error that is not this library's own is a bug here, so it is thrown. */
function failed(error: unknown): QuoteOutcome {
  if (!isHeavenError(error)) throw error;
  return { ok: false, error };
}
