import { checkInput, fieldsOf } from '../../input/check-input.js';
import { quoteLocals, sellAmount, standardPool } from '../../input/quotes.js';
import { type DetailedSellQuote, sellQuoteFrom, withQuoteWarnings } from '../../pool/quote.js';
import { assertSellAmount, type SellAmount } from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** A sell in a standard pool to quote. */
export type QuoteSellInput = SellAmount &
  GivenSnapshot &
  RequestOptions & {
    /** 1 community, 2 creator. */
    readonly configVersion: number;
    /** The mint of the token. */
    readonly mint: AddressInput;
  };

export const quoteSellFields = /* @__PURE__ */ fieldsOf<QuoteSellInput>()(() => ({
  documented: { ...standardPool(), ...sellAmount() },
  local: quoteLocals(),
  together: assertSellAmount,
}));

/**
 * Quotes a sell in a standard pool at the chain's current state: what `amountInUi` tokens (or `amountIn` token units)
 * give, and the least that must arrive. One call to the node, none if you pass a `snapshot`.
 *
 * Of a token with a transfer fee, the pool trades what is left after it ([assumption A15](/protocol#assumptions)). If the program
 * gives the fee back, more SOL arrives than quoted.
 *
 * @throws {HeavenError} those of {@link quoteBuy}
 * @example
 * ```ts
 * const quote = await quoteSell(client, { configVersion: 2, mint, amountInUi: '250000', slippageBps: 50 });
 * ```
 */
export async function quoteSell(client: HeavenClient, input: QuoteSellInput): Promise<DetailedSellQuote> {
  const [checked, ignored] = checkInput(client, input, quoteSellFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await sellQuoteFrom(snapshot, checked), ignored);
}
