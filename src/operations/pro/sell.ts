import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, optional, wallet } from '../../input/fields.js';
import { sale, tradeLocals } from '../../input/transactions.js';
import type { SellQuote } from '../../pool/quote.js';
import type { HeavenClient } from '../../program/client.js';
import { proSell } from '../../program/instructions/declarations.js';
import { assertSellQuote } from '../../transaction/quote-response.js';
import { buildSale, type SellOptions } from '../../transaction/sale.js';
import type { BuiltTrade, ProTradeOptions } from '../../transaction/trade.js';

/** A sell in a pro pool to build. */
export interface BuildProSellInput extends ProTradeOptions, SellOptions {
  /** From {@link quoteProSell}, unchanged. */
  readonly quoteResponse: SellQuote;
}

export const buildProSellFields = /* @__PURE__ */ fieldsOf<BuildProSellInput>()(() => ({
  documented: { ...sale(), pool: address(), source: optional(wallet()) },
  local: tradeLocals(),
}));

/**
 * Builds the unsigned transaction of a quoted sell in a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildSell}, and `pool-mismatch`
 * @example
 * ```ts
 * const { tx } = await buildProSell(client, { payer, pool, quoteResponse: quote });
 * ```
 */
export async function buildProSell(client: HeavenClient, input: BuildProSellInput): Promise<BuiltTrade> {
  const [checked, ignored] = checkInput(client, input, buildProSellFields);
  const quote = assertSellQuote(checked.quoteResponse, client.deployment.programAddress);
  const { pool, source: owner } = checked;
  const swap = { side: 'sell', quote, pool, owner, instruction: proSell } as const;
  return withWarnings(await buildSale(client, checked, swap), ignored);
}
