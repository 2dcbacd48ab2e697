import type { HeavenClient } from '../../client.js';
import {
  type PreparedTrade,
  type PrepareOptions,
  preparedFrom,
  tradeOf,
} from '../../transaction/prepared/prepare.js';
import { type BuildProSellInput, buildProSell } from './sell.js';

/** A sell in a pro pool to prepare: what {@link buildProSell} takes, and `maxAge`. */
export interface PrepareProSellInput extends BuildProSellInput, PrepareOptions {}

/**
 * Builds a sell in a pro pool once. Each `patch` then only writes new amounts, limits and a block hash into the bytes,
 * without a call to the node. Preparing makes the calls of {@link buildProSell}.
 *
 * @param input The input of {@link buildProSell}. Its quote sets the pool; each patch sets its own amounts. Prepare again
 * when the payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} those of {@link buildProSell}
 * @example
 * ```ts
 * const prepared = await prepareProSell(client, { payer, pool, quoteResponse: quote });
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export async function prepareProSell(
  client: HeavenClient,
  input: PrepareProSellInput,
): Promise<PreparedTrade> {
  const trade = tradeOf(input);
  return preparedFrom(client, input, await buildProSell(client, trade));
}
