import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { assertProPool, type GivenSnapshot, givenOrFetched, QUOTE_FIELDS } from '../pool/given-snapshot.js';
import { type DetailedSellQuote, sellQuoteFrom, withQuoteWarnings } from '../pool/quote.js';
import { assertSellInput, type SellAmount } from '../pool/quote-amounts.js';
import { assertAddress } from '../solana/addresses.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import type { ProPoolLocator } from './liquidity.js';

/** A sell in a pro pool to quote. */
export type QuoteProSellInput = SellAmount & ProPoolLocator & GivenSnapshot & RequestOptions;

/**
 * Quotes a sell in a pro pool, like {@link quoteSell} in a standard pool. One call to the node, none if you pass a `snapshot`.
 *
 * @throws {HeavenError} those of {@link quoteSell}
 * @example
 * ```ts
 * const quote = await quoteProSell(client, { configVersion: 3, mint, pool, amountInUi: '250', slippageBps: 50 });
 * ```
 */
export async function quoteProSell(
  client: HeavenClient,
  input: QuoteProSellInput,
): Promise<DetailedSellQuote> {
  const ignored = assertInput(client, input, QUOTE_FIELDS, { amountInUi: 1, amountIn: 1, pool: 1 });
  assertSellInput(input);
  assertAddress(input.pool, 'pool');
  const snapshot = await givenOrFetched(client, input);
  assertProPool(snapshot);
  return withQuoteWarnings(sellQuoteFrom(snapshot, input), ignored);
}
