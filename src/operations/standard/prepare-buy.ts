import type { HeavenClient } from '../../client.js';
import {
  type PreparedTrade,
  type PrepareOptions,
  preparedFrom,
  tradeOf,
} from '../../transaction/prepared/prepare.js';
import { type BuildBuyInput, buildBuy } from './buy.js';

/** A buy in a standard pool to prepare: what {@link buildBuy} takes, and `maxAge`. */
export interface PrepareBuyInput extends BuildBuyInput, PrepareOptions {}

/**
 * Builds a buy in a standard pool once. Each `patch` then only writes new amounts, limits and a block hash into the bytes,
 * without a call to the node. Preparing makes the calls of {@link buildBuy}.
 *
 * @param input The input of {@link buildBuy}. Its quote sets the pool; each patch sets its own amounts. Prepare again when
 * the payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} those of {@link buildBuy}
 * @example
 * ```ts
 * const prepared = await prepareBuy(client, { payer, quoteResponse: quote });
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export async function prepareBuy(client: HeavenClient, input: PrepareBuyInput): Promise<PreparedTrade> {
  const trade = tradeOf(input);
  return preparedFrom(client, input, await buildBuy(client, trade));
}
