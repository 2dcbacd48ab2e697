import { TRANSACTION_FIELDS } from '../build/assemble.js';
import { assertBuyQuote } from '../build/quote-response.js';
import { type BuiltTrade, buildSwap, type ProTradeOptions, TRADE_FIELDS } from '../build/trade.js';
import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import type { BuyQuote } from '../pool/quote.js';
import { getProBuyInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { withWarnings } from '../warnings.js';

/** A buy in a pro pool to build. */
export interface BuildProBuyInput extends ProTradeOptions {
  /** From {@link quoteProBuy}, unchanged. */
  readonly quoteResponse: BuyQuote;
}

/**
 * Builds the unsigned transaction of a quoted buy in a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildBuy}, and `pool-kind-mismatch`
 * @example
 * ```ts
 * const { tx } = await buildProBuy(client, { payer, pool, quoteResponse: quote });
 * ```
 */
export async function buildProBuy(client: HeavenClient, input: BuildProBuyInput): Promise<BuiltTrade> {
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, { ...TRADE_FIELDS, pool: 1 });
  const quote = assertBuyQuote(input.quoteResponse, client.deployment.programAddress);
  const { pool, source: owner } = input;
  assertAddress(pool, 'pool');
  const getInstruction = getProBuyInstruction;
  const trade = { side: 'buy', quote, pool, owner, getInstruction } as const;
  return withWarnings(await buildSwap(client, input, trade), ignored);
}
