import type { HeavenClient } from '../../client.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { exactOutAmount, quoteLocals, standardPool } from '../../input/quotes.js';
import {
  buyExactOutQuoteFrom,
  type DetailedBuyQuote,
  type DetailedSellQuote,
  sellExactOutQuoteFrom,
  withQuoteWarnings,
} from '../../pool/quote.js';
import { assertExactOutAmount, type ExactOutAmount } from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** A trade in a standard pool to quote by the amount that must arrive. */
export type QuoteExactOutInput = ExactOutAmount &
  GivenSnapshot &
  RequestOptions & {
    /** 1 community, 2 creator. */
    readonly configVersion: number;
    /** The mint of the token. */
    readonly mint: AddressInput;
  };

const quoteExactOutFields = /* @__PURE__ */ fieldsOf<QuoteExactOutInput>()(() => ({
  documented: {},
  local: { ...standardPool(), ...exactOutAmount(), ...quoteLocals() },
  together: assertExactOutAmount,
}));

/**
 * Quotes a buy in a standard pool by the tokens that must arrive: `minimumOut` is `amountOut`, and `maxLamportSpend` is the
 * cost now plus the slippage. One call to the node, none if you pass a `snapshot`.
 *
 * The exchange has no exact-out buy. The transaction that {@link buildBuy} makes spends `maxLamportSpend`, never more, and fails if
 * it would give less than `minimumOut`. Unused slippage buys more tokens; it doesn't stay in the wallet.
 *
 * Of a token with a transfer fee, `amountOut` is what is left after it ([assumption A15](/protocol#assumptions)). If the program gives
 * the fee back, the buy spends too much, and more tokens arrive.
 *
 * @throws {HeavenError} those of {@link quoteBuy}; `insufficient-liquidity` also when the pool can't give `amountOut`
 * @example
 * ```ts
 * const quote = await quoteBuyExactOut(client, { configVersion: 2, mint, amountOutUi: '250000', slippageBps: 50 });
 * console.log(quote.maxSolSpend, quote.minimumOut);
 * ```
 */
export async function quoteBuyExactOut(
  client: HeavenClient,
  input: QuoteExactOutInput,
): Promise<DetailedBuyQuote> {
  const [checked, ignored] = checkInput(client, input, quoteExactOutFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(buyExactOutQuoteFrom(snapshot, checked), ignored);
}

/**
 * Quotes a sell in a standard pool by the SOL that must arrive: `minimumOut` is `amountOut` in lamports, and `amountIn` is
 * what it takes now plus the slippage. One call to the node, none if you pass a `snapshot`.
 *
 * The exchange has no exact-out sell. The transaction that {@link buildSell} makes sells `amountIn`, never more, and fails
 * if it would
 * give less than `minimumOut`. Unused slippage is sold too, and returns more SOL.
 *
 * Of a token with a transfer fee, `amountIn` includes it ([assumption A15](/protocol#assumptions)). If the program gives the fee back,
 * the sell sells too many tokens, and more SOL arrives.
 *
 * @throws {HeavenError} those of {@link quoteBuyExactOut}
 * @example
 * ```ts
 * const quote = await quoteSellExactOut(client, { configVersion: 2, mint, amountOut: 1_000_000_000n, slippageBps: 50 });
 * console.log(quote.amountInUi, quote.minimumOut);
 * ```
 */
export async function quoteSellExactOut(
  client: HeavenClient,
  input: QuoteExactOutInput,
): Promise<DetailedSellQuote> {
  const [checked, ignored] = checkInput(client, input, quoteExactOutFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(sellExactOutQuoteFrom(snapshot, checked), ignored);
}
