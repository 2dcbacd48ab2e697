import { TRANSACTION_FIELDS } from '../build/assemble.js';
import { assertSellQuote } from '../build/quote-response.js';
import { type BuiltTrade, buildSwap, type ProTradeOptions, TRADE_FIELDS } from '../build/trade.js';
import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import type { SellQuote } from '../pool/quote.js';
import { getProSellInstruction } from '../program/instructions.js';
import { assertAddress } from '../solana/addresses.js';
import { withWarnings } from '../warnings.js';

/** A sell in a pro pool to build. */
export interface BuildProSellInput extends ProTradeOptions {
  /** From {@link quoteProSell}, unchanged. */
  readonly quoteResponse: SellQuote;
}

/**
 * Builds the unsigned transaction of a quoted sell in a pro pool. Two calls to the node, made at the same time.
 *
 * @param input `computeUnitLimit` defaults to 200000, `computeUnitPrice` to 40000000 micro-lamports.
 * @throws {HeavenError} those of {@link buildSell}, and `pool-kind-mismatch`
 * @example
 * ```ts
 * const { tx } = await buildProSell(client, { payer, pool, quoteResponse: quote });
 * ```
 */
export async function buildProSell(client: HeavenClient, input: BuildProSellInput): Promise<BuiltTrade> {
  const ignored = assertInput(client, input, TRANSACTION_FIELDS, { ...TRADE_FIELDS, pool: 1 });
  const quote = assertSellQuote(input.quoteResponse, client.deployment.programAddress);
  const { pool, source: owner } = input;
  assertAddress(pool, 'pool');
  const getInstruction = getProSellInstruction;
  const trade = { side: 'sell', quote, pool, owner, getInstruction } as const;
  return withWarnings(await buildSwap(client, input, trade), ignored);
}
