import { assertClient, assertObject, inputError } from '../base/input.js';
import { buildProBuy } from '../operations/pro/buy.js';
import { buildProSell } from '../operations/pro/sell.js';
import { buildBuy } from '../operations/standard/buy.js';
import { buildSell } from '../operations/standard/sell.js';
import type { BuyQuote, SellQuote } from '../pool/quote.js';
import { findPoolAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { assertAddress } from '../solana/addresses.js';
import type { SellOptions } from '../transaction/sale.js';
import type { BuiltTrade, TradeOptions } from '../transaction/trade.js';

/** A quoted trade to build in the pool that its quote names. `closeTokenAccount` is for a sell. */
export interface BuildTradeInput extends TradeOptions, SellOptions {
  /** A quote from {@link quoteBest}, or any other quote that names its pool (`details.pool`), unchanged. */
  readonly quote: BuyQuote | SellQuote;
}

/**
 * Builds the unsigned transaction for a quote, in the quote's pool. The result is the same as from {@link buildBuy}, {@link buildSell},
 * {@link buildProBuy} or {@link buildProSell}. Two concurrent calls to the node.
 *
 * @throws {HeavenError} `invalid-input` (the quote names no pool), and those of the builders
 * @example
 * ```ts
 * const { quote } = await quoteBest(client, { mint, side: 'sell', amountInUi: '250', slippageBps: 50 });
 * const { tx, pool } = await buildTrade(client, { quote, payer });
 * ```
 */
export async function buildTrade(client: HeavenClient, input: BuildTradeInput): Promise<BuiltTrade> {
  assertClient(client);
  assertObject(input, 'input');
  const { quote, closeTokenAccount, ...options } = input;
  const pool = quote?.details?.pool ?? undefined;
  if (pool === undefined) {
    const message =
      'quote.details.pool is missing: the quote does not say which pool it is for. Pass the quote on as quoteBest or another quote function returned it.';
    throw inputError('quote.details.pool', message);
  }
  assertAddress(pool, 'quote.details.pool');
  assertAddress(quote.mint, 'quote.mint');
  const isStandard = pool === (await findPoolAddress({ mint: quote.mint }, client.deployment));
  if ('maxLamportSpend' in quote) {
    const given = { ...options, quoteResponse: quote };
    return isStandard ? await buildBuy(client, given) : await buildProBuy(client, { ...given, pool });
  }
  const given = { ...options, closeTokenAccount, quoteResponse: quote };
  return isStandard ? await buildSell(client, given) : await buildProSell(client, { ...given, pool });
}
