import { checkInput, fieldsOf } from '../../input/check-input.js';
import { exactOutAmount, proPool, quoteLocals } from '../../input/quotes.js';
import type { FetchedPoolSnapshot } from '../../pool/check.js';
import {
  buyExactOutQuoteFrom,
  type ExactOutBuyQuote,
  type ExactOutSellQuote,
  sellExactOutQuoteFrom,
  withQuoteWarnings,
} from '../../pool/quote.js';
import {
  assertExactOutAmount,
  type EitherExactOutAmount,
  type ExactOutAmount,
  type QuoteTerms,
} from '../../pool/quote-amounts.js';
import { type GivenSnapshot, givenOrFetched } from '../../pool/read.js';
import type { HeavenClient } from '../../program/client.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import type { ProPoolLocator } from './liquidity.js';

/** A trade in a pro pool to quote by the amount that is to arrive. */
export type QuoteProExactOutInput = ExactOutAmount & ProPoolLocator & GivenSnapshot & RequestOptions;

const quoteProExactOutFields = /* @__PURE__ */ fieldsOf<QuoteProExactOutInput>()(() => ({
  documented: {},
  local: { ...proPool(), ...exactOutAmount(), ...quoteLocals() },
  together: assertExactOutAmount,
}));

/**
 * Quotes a buy in a pro pool by the tokens that are to arrive, like {@link quoteBuyExactOut} in a standard pool. Only of a token launched
 * on Heaven may the program give the transfer fee back ([assumption A15](/protocol#assumptions)): then the buy spends too much.
 *
 * @throws {HeavenError} those of {@link quoteBuyExactOut}
 * @example
 * ```ts
 * const quote = await quoteProBuyExactOut(client, { configVersion: 3, mint, pool, amountOutUi: '250', slippageBps: 50 });
 * ```
 */
export const quoteProBuyExactOut = async (
  client: HeavenClient,
  input: QuoteProExactOutInput,
): Promise<ExactOutBuyQuote> => await proQuote(client, input, buyExactOutQuoteFrom);

/**
 * Quotes a sell in a pro pool by the SOL that is to arrive, like {@link quoteSellExactOut} in a standard pool. Only of a token launched
 * on Heaven may the program give the transfer fee back ([assumption A15](/protocol#assumptions)): then the sell sells too many tokens.
 *
 * @throws {HeavenError} those of {@link quoteSellExactOut}
 * @example
 * ```ts
 * const quote = await quoteProSellExactOut(client, { configVersion: 3, mint, pool, amountOutUi: '0.5', slippageBps: 50 });
 * ```
 */
export const quoteProSellExactOut = async (
  client: HeavenClient,
  input: QuoteProExactOutInput,
): Promise<ExactOutSellQuote> => await proQuote(client, input, sellExactOutQuoteFrom);

async function proQuote<TQuote extends ExactOutBuyQuote | ExactOutSellQuote>(
  client: HeavenClient,
  input: QuoteProExactOutInput,
  quoteFrom: (snapshot: FetchedPoolSnapshot, amount: EitherExactOutAmount & QuoteTerms) => Promise<TQuote>,
): Promise<TQuote> {
  const [checked, ignored] = checkInput(client, input, quoteProExactOutFields);
  const snapshot = await givenOrFetched(client, checked);
  return withQuoteWarnings(await quoteFrom(snapshot, checked), ignored);
}
