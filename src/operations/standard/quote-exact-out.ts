import { checkInput, fieldsOf } from '../../input/check-input.js';
import { exactOutAmount, quoteLocals, standardPool } from '../../input/quotes.js';
import {
  buyExactOutQuoteFrom,
  type ExactOutBuyQuote,
  type ExactOutSellQuote,
  sellExactOutQuoteFrom,
  withQuoteWarnings,
} from '../../pool/quote.js';
import { assertExactOutAmount, type ExactOutAmount } from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { AddressInput } from '../../solana/addresses.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** A trade in a standard pool to quote by the amount that is to arrive. */
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
 * Quotes a buy in a standard pool by the tokens that are to arrive. One call to the node, none if you pass a `snapshot`.
 *
 * The exchange has no exact-out buy: the transaction that {@link buildBuy} makes spends all of `maxLamportSpend`, and fails if it would
 * give less than `minimumOut`. `details.leastAmountIn` is what the tokens cost at the present price, and `details.amountOut` what
 * `maxLamportSpend` buys at it.
 *
 * - `slippageOn: 'input'` (default): `maxLamportSpend` is that cost plus the slippage, as far as the pool takes it, and `minimumOut` is
 * `amountOut`. If the price doesn't move, the slippage buys more tokens; it doesn't stay in the wallet.
 * - `slippageOn: 'output'`: `maxLamportSpend` is that cost, and `minimumOut` is `amountOut` less the slippage, rounded down.
 *
 * Of a token with a transfer fee, `amountOut` is what is left after it ([assumption A15](/protocol#assumptions)). If the program gives
 * the fee back, the buy spends too much, and more tokens arrive.
 *
 * @throws {HeavenError} those of {@link quoteBuy}; `insufficient-liquidity` also when the pool can't give `amountOut`
 * @example
 * ```ts
 * const amount = { amountOutUi: '250000', slippageBps: 50, slippageOn: 'output' } as const;
 * const quote = await quoteBuyExactOut(client, { configVersion: 2, mint, ...amount });
 * console.log(quote.maxSolSpend, quote.minimumOut);
 * ```
 */
export async function quoteBuyExactOut(
  client: HeavenClient,
  input: QuoteExactOutInput,
): Promise<ExactOutBuyQuote> {
  const [checked, ignored] = checkInput(client, input, quoteExactOutFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await buyExactOutQuoteFrom(snapshot, checked), ignored);
}

/**
 * Quotes a sell in a standard pool by the SOL that is to arrive, as {@link quoteBuyExactOut} does a buy. One call to the node, none if
 * you pass a `snapshot`.
 *
 * The transaction that {@link buildSell} makes sells all of `amountIn`: `details.leastAmountIn` with `slippageOn: 'output'`, and as much
 * more as the slippage adds by default, which returns more SOL if the price doesn't move. It fails if it would give less than
 * `minimumOut`.
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
): Promise<ExactOutSellQuote> {
  const [checked, ignored] = checkInput(client, input, quoteExactOutFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await sellExactOutQuoteFrom(snapshot, checked), ignored);
}
