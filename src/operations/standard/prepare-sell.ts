import type { HeavenClient } from '../../client.js';
import {
  type PreparedTrade,
  type PrepareOptions,
  preparedFrom,
  tradeOf,
} from '../../transaction/prepared/prepare.js';
import { type BuildSellInput, buildSell } from './sell.js';

/** A sell in a standard pool to prepare: what {@link buildSell} takes, and `maxAge`. */
export interface PrepareSellInput extends BuildSellInput, PrepareOptions {}

/**
 * Builds a sell in a standard pool once. Each `patch` then only writes new amounts, limits and a block hash into the bytes,
 * without a call to the node. Preparing makes the calls of {@link buildSell}.
 *
 * @param input The input of {@link buildSell}. Its quote sets the pool; each patch sets its own amounts. Prepare again when
 * the payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} those of {@link buildSell}
 * @example
 * ```ts
 * const prepared = await prepareSell(client, { payer, quoteResponse: quote });
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export async function prepareSell(client: HeavenClient, input: PrepareSellInput): Promise<PreparedTrade> {
  const trade = tradeOf(input);
  return preparedFrom(client, input, await buildSell(client, trade));
}
