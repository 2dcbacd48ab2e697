import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, optional } from '../../input/fields.js';
import { sale, tradeLocals } from '../../input/transactions.js';
import type { SellQuote } from '../../pool/quote.js';
import type { HeavenClient } from '../../program/client.js';
import { sell } from '../../program/instructions/declarations.js';
import type { AddressInput } from '../../solana/addresses.js';
import { assertSellQuote } from '../../transaction/quote-response.js';
import { buildSale, type SellOptions } from '../../transaction/sale.js';
import type { BuiltTrade, TradeOptions } from '../../transaction/trade.js';

/** A sell in a standard pool to build. */
export interface BuildSellInput extends TradeOptions, SellOptions {
  /** From {@link quoteSell}, unchanged. */
  readonly quoteResponse: SellQuote;
  /** A token account of the payer's to sell from. Default: the payer's associated token account. */
  readonly source?: AddressInput | null | undefined;
}

export const buildSellFields = /* @__PURE__ */ fieldsOf<BuildSellInput>()(() => ({
  documented: { ...sale(), source: optional(address()) },
  local: tradeLocals(),
}));

/**
 * Builds the unsigned transaction of a quoted sell in a standard pool: compute budget, a wrapped SOL account, the sell,
 * unwrapping. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildBuy}
 * @example
 * ```ts
 * const { tx } = await buildSell(client, { payer, quoteResponse: quote });
 * ```
 */
export async function buildSell(client: HeavenClient, input: BuildSellInput): Promise<BuiltTrade> {
  const [checked, ignored] = checkInput(client, input, buildSellFields);
  const quote = assertSellQuote(checked.quoteResponse, client.deployment.programAddress);
  const swap = { side: 'sell', quote, debitAccount: checked.source, instruction: sell } as const;
  return withWarnings(await buildSale(client, checked, swap), ignored);
}
