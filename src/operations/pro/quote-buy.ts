import { checkInput, fieldsOf } from '../../input/check-input.js';
import { buyAmount, proPool, quoteLocals } from '../../input/quotes.js';
import { buyQuoteFrom, type DetailedBuyQuote, withQuoteWarnings } from '../../pool/quote.js';
import { type BuyAmount, lamportsToSpend } from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import type { ProPoolLocator } from './liquidity.js';

/** A buy in a pro pool to quote. */
export type QuoteProBuyInput = BuyAmount & ProPoolLocator & GivenSnapshot & RequestOptions;

export const quoteProBuyFields = /* @__PURE__ */ fieldsOf<QuoteProBuyInput>()(() => ({
  documented: { ...proPool(), ...buyAmount() },
  local: quoteLocals(),
  together: lamportsToSpend,
}));

/**
 * Quotes a buy in a pro pool, like {@link quoteBuy} in a standard pool. One call to the node, none if you pass a `snapshot`. Only of a
 * token launched on Heaven may the program give the transfer fee back ([assumption A15](/protocol#assumptions)): then more arrives.
 *
 * @throws {HeavenError} those of {@link quoteBuy}
 * @example
 * ```ts
 * const quote = await quoteProBuy(client, { configVersion: 3, mint, pool, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export async function quoteProBuy(client: HeavenClient, input: QuoteProBuyInput): Promise<DetailedBuyQuote> {
  const [checked, ignored] = checkInput(client, input, quoteProBuyFields);
  const maxLamportSpend = lamportsToSpend(checked);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await buyQuoteFrom(snapshot, maxLamportSpend, checked), ignored);
}
