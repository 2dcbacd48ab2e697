import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { assertProPool, type GivenSnapshot, givenOrFetched, QUOTE_FIELDS } from '../pool/given-snapshot.js';
import { buyQuoteFrom, type DetailedBuyQuote, withQuoteWarnings } from '../pool/quote.js';
import { type BuyAmount, lamportsToSpend } from '../pool/quote-amounts.js';
import { assertAddress } from '../solana/addresses.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import type { ProPoolLocator } from './liquidity.js';

/** A buy in a pro pool to quote. */
export type QuoteProBuyInput = BuyAmount & ProPoolLocator & GivenSnapshot & RequestOptions;

/**
 * Quotes a buy in a pro pool, like {@link quoteBuy} in a standard pool. One call to the node, none if you pass a `snapshot`.
 *
 * @throws {HeavenError} those of {@link quoteBuy}
 * @example
 * ```ts
 * const quote = await quoteProBuy(client, { configVersion: 3, mint, pool, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export async function quoteProBuy(client: HeavenClient, input: QuoteProBuyInput): Promise<DetailedBuyQuote> {
  const ignored = assertInput(client, input, QUOTE_FIELDS, { maxSolSpend: 1, lamports: 1, pool: 1 });
  const maxLamportSpend = lamportsToSpend(input);
  assertAddress(input.pool, 'pool');
  const snapshot = await givenOrFetched(client, input);
  assertProPool(snapshot);
  return withQuoteWarnings(buyQuoteFrom(snapshot, maxLamportSpend, input), ignored);
}
