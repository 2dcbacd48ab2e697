import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { type GivenSnapshot, givenOrFetched, QUOTE_FIELDS } from '../pool/given-snapshot.js';
import { type DetailedSellQuote, sellQuoteFrom, withQuoteWarnings } from '../pool/quote.js';
import { assertSellInput, type SellAmount } from '../pool/quote-amounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** A sell in a standard pool to quote. */
export type QuoteSellInput = SellAmount &
  GivenSnapshot &
  RequestOptions & {
    /** 1 community, 2 creator. */
    readonly configVersion: number;
    readonly mint: Address;
  };

/**
 * Quotes a sell in a standard pool at the chain's current state: what `amountInUi` tokens (or `amountIn` token units)
 * give, and the least that must arrive. One call to the node, none if you pass a `snapshot`.
 *
 * @throws {HeavenError} those of {@link quoteBuy}
 * @example
 * ```ts
 * const quote = await quoteSell(client, { configVersion: 2, mint, amountInUi: '250000', slippageBps: 50 });
 * ```
 */
export async function quoteSell(client: HeavenClient, input: QuoteSellInput): Promise<DetailedSellQuote> {
  const ignored = assertInput(client, input, QUOTE_FIELDS, { amountInUi: 1, amountIn: 1 });
  assertSellInput(input);
  const snapshot = await givenOrFetched(client, { ...input, pool: undefined });
  return withQuoteWarnings(sellQuoteFrom(snapshot, input), ignored);
}
