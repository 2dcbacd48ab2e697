import { assertBuyQuote } from '../build/quote-response.js';
import { type BuiltTrade, buildSwap, type ProTradeOptions } from '../build/trade.js';
import type { HeavenClient } from '../client.js';
import type { BuyQuote } from '../pool/quote.js';
import { getProBuyInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';

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
  const quote = assertBuyQuote(input.quoteResponse, client.deployment.programAddress);
  const { pool, source: owner } = input;
  assertAddress(pool, 'pool');
  const getInstruction = getProBuyInstruction;
  return await buildSwap(client, input, { side: 'buy', quote, pool, owner, getInstruction });
}
