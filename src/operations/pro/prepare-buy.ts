import type { HeavenClient } from '../../client.js';
import {
  type PreparedTrade,
  type PrepareOptions,
  preparedFrom,
  tradeOf,
} from '../../transaction/prepared/prepare.js';
import { type BuildProBuyInput, buildProBuy } from './buy.js';

/** A buy in a pro pool to prepare: what {@link buildProBuy} takes, and `maxAge`. */
export interface PrepareProBuyInput extends BuildProBuyInput, PrepareOptions {}

/**
 * Builds a buy in a pro pool once. Each `patch` then only writes new amounts, limits and a block hash into the bytes,
 * without a call to the node. Preparing makes the calls of {@link buildProBuy}.
 *
 * @param input The input of {@link buildProBuy}. Its quote sets the pool; each patch sets its own amounts. Prepare again
 * when the payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} those of {@link buildProBuy}
 * @example
 * ```ts
 * const prepared = await prepareProBuy(client, { payer, pool, quoteResponse: quote });
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export async function prepareProBuy(client: HeavenClient, input: PrepareProBuyInput): Promise<PreparedTrade> {
  const trade = tradeOf(input);
  return preparedFrom(client, input, await buildProBuy(client, trade));
}
