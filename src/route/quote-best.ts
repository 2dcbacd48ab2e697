import { checkInput, fieldsOf } from '../input/check-input.js';
import { abortSignal, address, oneOf, optional, unchecked } from '../input/fields.js';
import { buyAmount, exactOutAmount, nativeAmount, quoteThresholds, sellAmount } from '../input/quotes.js';
import { explaining } from '../pool/explained.js';
import { withQuoteWarnings } from '../pool/quote.js';
import type { HeavenClient } from '../program/client.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { type BestQuote, rankPools } from './rank-pools.js';
import { findCandidates, type KnownPool, readMarket, searchOf, type TokenPools } from './token-market.js';
import { quoterOf, type Side, type TradeAmount } from './trade-quoter.js';

/** Where {@link quoteBest} looks, and how many pools it quotes. */
export interface QuoteBestOptions extends TokenPools, RequestOptions {}

/**
 * A buy or a sell to quote in the pool that gives the most. `side` says which it is. With `amountOut` or `amountOutUi`, the amount is
 * what must come out, and the best pool is the one that takes the least.
 */
export type QuoteBestInput<TSide extends Side = Side> = QuoteBestOptions & TradeAmount<TSide>;

const quoteBestFields = /* @__PURE__ */ fieldsOf<QuoteBestInput>()(() => ({
  documented: {},
  local: {
    side: oneOf<Side>(['buy', 'sell'], "'buy' or 'sell'"),
    mint: address(),
    ...buyAmount(),
    lamports: nativeAmount(),
    ...sellAmount(),
    amountIn: nativeAmount(),
    ...exactOutAmount(),
    ...quoteThresholds(),
    pools: optional(unchecked<readonly KnownPool[]>()),
    maxPools: optional(unchecked<number>()),
    abortSignal: abortSignal(),
  },
}));

/**
 * Quotes a trade in the token's standard pool and its pro pools, and returns the quote of the pool that gives the most
 * after all fees. All quotes come from the same slot.
 *
 * It makes two calls to the node: the search, which the node must allow (`getProgramAccounts`), and one that reads all pools.
 * With `pools`, only the second. The program takes one swap per transaction (error 6053), so a trade is never split.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-amount`, `zero-amount`,
 * `amount-out-of-range`, `invalid-slippage`, `pool-not-found` (the token has none), `no-pool-trades` (each rejects the trade),
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
  const [checked, ignored] = checkInput(client, input, quoteBestFields);
  const quoter = quoterOf(checked as TradeAmount);
  const search = searchOf(checked);
  const options = { abortSignal: checked.abortSignal };
  const candidates = await findCandidates(client, search, options);
  const market = await readMarket(client, search.mint, candidates, options);
  let best: BestQuote<TSide>;
  try {
    best = (await rankPools(market, search.mint, quoter)) as BestQuote<TSide>;
  } catch (error) {
    return await explaining(client, { mint: search.mint }, options)(error);
  }
  return { ...best, quote: withQuoteWarnings(best.quote, ignored) };
}
