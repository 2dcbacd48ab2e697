import { withWarnings } from '../../base/warnings.js';
import type { HeavenClient } from '../../client.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, optional, wallet } from '../../input/fields.js';
import { sellQuote, trade, tradeLocals } from '../../input/transactions.js';
import type { SellQuote } from '../../pool/quote.js';
import { proSell } from '../../program/instructions/declarations.js';
import { assertSellQuote } from '../../transaction/quote-response.js';
import { type BuiltTrade, buildSwap, type ProTradeOptions } from '../../transaction/trade.js';

/** A sell in a pro pool to build. */
export interface BuildProSellInput extends ProTradeOptions {
  /** From {@link quoteProSell}, unchanged. */
  readonly quoteResponse: SellQuote;
}

export const buildProSellFields = /* @__PURE__ */ fieldsOf<BuildProSellInput>()(() => ({
  documented: { ...trade(), quoteResponse: sellQuote(), pool: address(), source: optional(wallet()) },
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
  return withWarnings(await buildSwap(client, checked, swap), ignored);
}
