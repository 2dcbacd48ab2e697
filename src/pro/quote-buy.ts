import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import type { GivenSnapshot } from '../pool/given-snapshot.js';
import { type BuyAmount, buyQuoteFrom, type DetailedBuyQuote, lamportsToSpend } from '../pool/quote.js';
import { fetchProSnapshot } from './snapshot.js';

/** A buy in a pro pool to quote. */
export interface QuoteProBuyInput extends BuyAmount, GivenSnapshot, RequestOptions {
  /** The pool's config version, 3. */
  readonly configVersion: number;
  readonly mint: Address;
  readonly pool: Address;
}

/**
 * Quotes a buy in a pro pool, like {@link quoteBuy} in a standard pool. One call to the node, none with a `snapshot` at hand.
 *
 * @throws {HeavenError} those of {@link quoteBuy}
 * @example
 * ```ts
 * const quote = await quoteProBuy(client, { configVersion: 3, mint, pool, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export async function quoteProBuy(client: HeavenClient, input: QuoteProBuyInput): Promise<DetailedBuyQuote> {
  const maxLamportSpend = lamportsToSpend(input);
  const snapshot = await fetchProSnapshot(client, input);
  return buyQuoteFrom(snapshot, maxLamportSpend, input);
}
