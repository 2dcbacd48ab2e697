import { checkInput, fieldsOf } from '../../input/check-input.js';
import { buyAmount, quoteLocals, standardPool } from '../../input/quotes.js';
import { buyQuoteFrom, type DetailedBuyQuote, withQuoteWarnings } from '../../pool/quote.js';
import { type BuyAmount, lamportsToSpend } from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** A buy in a standard pool to quote. */
export type QuoteBuyInput = BuyAmount &
  GivenSnapshot &
  RequestOptions & {
    /** 1 community, 2 creator. */
    readonly configVersion: number;
    /** The mint of the token. */
    readonly mint: AddressInput;
  };

export const quoteBuyFields = /* @__PURE__ */ fieldsOf<QuoteBuyInput>()(() => ({
  documented: { ...standardPool(), ...buyAmount() },
  local: quoteLocals(),
  together: lamportsToSpend,
}));

/**
 * Quotes a buy in a standard pool at the chain's current state: what `maxSolSpend` (or `lamports`) buys, and the
 * least that must arrive. One call to the node, none if you pass a `snapshot`.
 *
 * Of a token with a transfer fee, both are what is left after it ([assumption A15](/protocol#assumptions)). If the program gives the
 * fee back, more arrives than quoted.
 *
 * @throws {HeavenError} `invalid-input` (`maxSolSpend` and `lamports` both), `invalid-amount`, `zero-amount`, `amount-out-of-range`,
 * `invalid-slippage`, `operation-disabled`, `pool-not-open`, `insufficient-liquidity`, `fees-exceed-amount`,
 * `output-is-zero`, `quote-mismatch` (a snapshot of another pool), and those of {@link fetchPoolSnapshot}
 * @example
 * ```ts
 * const quote = await quoteBuy(client, { configVersion: 2, mint, maxSolSpend: '1.5', slippageBps: 50 });
 * ```
 */
export async function quoteBuy(client: HeavenClient, input: QuoteBuyInput): Promise<DetailedBuyQuote> {
  const [checked, ignored] = checkInput(client, input, quoteBuyFields);
  const maxLamportSpend = lamportsToSpend(checked);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await buyQuoteFrom(snapshot, maxLamportSpend, checked), ignored);
}
