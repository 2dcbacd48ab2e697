import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import type { GivenSnapshot } from '../pool/given-snapshot.js';
import { assertSellInput, type DetailedSellQuote, type SellAmount, sellQuoteFrom } from '../pool/quote.js';
import { fetchProSnapshot } from './snapshot.js';

/** A sell in a pro pool to quote. */
export interface QuoteProSellInput extends SellAmount, GivenSnapshot, RequestOptions {
  /** The pool's config version, 3. */
  readonly configVersion: number;
  readonly mint: Address;
  readonly pool: Address;
}

/**
 * Quotes a sell in a pro pool, like {@link quoteSell} in a standard pool. One call to the node, none with a `snapshot` at hand.
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
  assertSellInput(input);
  const snapshot = await fetchProSnapshot(client, input);
  return sellQuoteFrom(snapshot, input);
}
