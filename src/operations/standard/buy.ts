import { withWarnings } from '../../base/warnings.js';
import { checkInput, fieldsOf } from '../../input/check-input.js';
import { address, optional } from '../../input/fields.js';
import { buyQuote, trade, tradeLocals } from '../../input/transactions.js';
import type { BuyQuote } from '../../pool/quote.js';
import type { HeavenClient } from '../../program/client.js';
import { buy } from '../../program/instructions/declarations.js';
import type { AddressInput } from '../../solana/addresses.js';
import { assertBuyQuote } from '../../transaction/quote-response.js';
import { type BuiltTrade, buildSwap, type TradeOptions } from '../../transaction/trade.js';

/** A buy in a standard pool to build. */
export interface BuildBuyInput extends TradeOptions {
  /** From {@link quoteBuy}, unchanged. */
  readonly quoteResponse: BuyQuote;
  /**
   * A wrapped SOL account of the payer's. The buy spends from it, and wraps, creates and closes nothing. Without it, or with the
   * payer's associated account, `wrapSol` says how SOL is wrapped.
   */
  readonly source?: AddressInput | null | undefined;
}

export const buildBuyFields = /* @__PURE__ */ fieldsOf<BuildBuyInput>()(() => ({
  documented: { ...trade(), quoteResponse: buyQuote(), source: optional(address()) },
  local: tradeLocals(),
}));

/**
 * Builds the unsigned transaction of a quoted buy in a standard pool: compute budget, wrapping SOL, creating the
 * token account if it is missing, the buy, unwrapping. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} `quote-mismatch`, `invalid-input`, `invalid-address`, `unusable-account`,
 * `operation-disabled`, `pool-not-open`, `insufficient-liquidity`, `transaction-too-large`, and those of
 * {@link fetchPoolSnapshot}
 * @example
 * ```ts
 * const { tx } = await buildBuy(client, { payer, quoteResponse: quote });
 * ```
 */
export async function buildBuy(client: HeavenClient, input: BuildBuyInput): Promise<BuiltTrade> {
  const [checked, ignored] = checkInput(client, input, buildBuyFields);
  const quote = assertBuyQuote(checked.quoteResponse, client.deployment.programAddress);
  const swap = { side: 'buy', quote, debitAccount: checked.source, instruction: buy } as const;
  return withWarnings(await buildSwap(client, checked, swap), ignored);
}
