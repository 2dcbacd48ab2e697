import { checkInput, fieldsOf } from '../../input/check-input.js';
import { proPool, quoteLocals, sellAmount } from '../../input/quotes.js';
import { type DetailedSellQuote, sellQuoteFrom, withQuoteWarnings } from '../../pool/quote.js';
import { assertSellAmount, type SellAmount } from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import type { ProPoolLocator } from './liquidity.js';

/** A sell in a pro pool to quote. */
export type QuoteProSellInput = SellAmount & ProPoolLocator & GivenSnapshot & RequestOptions;

export const quoteProSellFields = /* @__PURE__ */ fieldsOf<QuoteProSellInput>()(() => ({
  documented: { ...proPool(), ...sellAmount() },
  local: quoteLocals(),
  together: assertSellAmount,
}));

/**
 * Quotes a sell in a pro pool, like {@link quoteSell} in a standard pool. One call to the node, none if you pass a `snapshot`. Only of a
 * token launched on Heaven may the program give the transfer fee back ([assumption A15](/protocol#assumptions)): then more SOL arrives.
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
  const [checked, ignored] = checkInput(client, input, quoteProSellFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await sellQuoteFrom(snapshot, checked), ignored);
}
