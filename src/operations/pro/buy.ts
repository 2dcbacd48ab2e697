import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, optional, wallet } from '../../input/fields.js';
import { buyQuote, trade, tradeLocals } from '../../input/transactions.js';
import type { BuyQuote } from '../../pool/quote.js';
import type { HeavenClient } from '../../program/client.js';
import { proBuy } from '../../program/instructions/declarations.js';
import { assertBuyQuote } from '../../transaction/quote-response.js';
import { type BuiltTrade, buildSwap, type ProTradeOptions } from '../../transaction/trade.js';

/** A buy in a pro pool to build. */
export interface BuildProBuyInput extends ProTradeOptions {
  /** From {@link quoteProBuy}, unchanged. */
  readonly quoteResponse: BuyQuote;
}

export const buildProBuyFields = /* @__PURE__ */ fieldsOf<BuildProBuyInput>()(() => ({
  documented: { ...trade(), quoteResponse: buyQuote(), pool: address(), source: optional(wallet()) },
  local: tradeLocals(),
}));

/**
 * Builds the unsigned transaction of a quoted buy in a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildBuy}, and `pool-mismatch`
 * @example
 * ```ts
 * const { tx } = await buildProBuy(client, { payer, pool, quoteResponse: quote });
 * ```
 */
export async function buildProBuy(client: HeavenClient, input: BuildProBuyInput): Promise<BuiltTrade> {
  const [checked, ignored] = checkInput(client, input, buildProBuyFields);
  const quote = assertBuyQuote(checked.quoteResponse, client.deployment.programAddress);
  const { pool, source: owner } = checked;
  const swap = { side: 'buy', quote, pool, owner, instruction: proBuy } as const;
  return withWarnings(await buildSwap(client, checked, swap), ignored);
}
