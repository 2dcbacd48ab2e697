import {
  maxAgeOf,
  type PreparedTrade,
  type PrepareOptions,
  preparedFrom,
} from '../build/prepared/prepare.js';
import type { HeavenClient } from '../client.js';
import { type BuildSellInput, buildSell } from './sell.js';

/** A sell in a standard pool to prepare: what {@link buildSell} takes, and `maxAge`. */
export interface PrepareSellInput extends BuildSellInput, PrepareOptions {}

/**
 * Builds a sell in a standard pool once, so that each use of it only writes new amounts, limits and a block hash into the bytes. The calls to
 * the node are those of {@link buildSell}; `patch` makes none.
 *
 * @param input That of {@link buildSell}. Its quote sets the pool, not the amounts: each patch names its own. Prepare again when the
 * payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} those of {@link buildSell}
 * @example
 * ```ts
 * const prepared = await prepareSell(client, { payer, quoteResponse: quote });
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export async function prepareSell(client: HeavenClient, input: PrepareSellInput): Promise<PreparedTrade> {
  maxAgeOf(input);
  return preparedFrom(client, input, await buildSell(client, input));
}
