import {
  maxAgeOf,
  type PreparedTrade,
  type PrepareOptions,
  preparedFrom,
} from '../build/prepared/prepare.js';
import type { HeavenClient } from '../client.js';
import { type BuildBuyInput, buildBuy } from './buy.js';

/** A buy in a standard pool to prepare: what {@link buildBuy} takes, and `maxAge`. */
export interface PrepareBuyInput extends BuildBuyInput, PrepareOptions {}

/**
 * Builds a buy in a standard pool once, so that each use of it only writes new amounts, limits and a block hash into the bytes. The calls to
 * the node are those of {@link buildBuy}; `patch` makes none.
 *
 * @param input That of {@link buildBuy}. Its quote sets the pool, not the amounts: each patch names its own. Prepare again when the
 * payer, the accounts, the instructions or their texts change.
 * @throws {HeavenError} those of {@link buildBuy}
 * @example
 * ```ts
 * const prepared = await prepareBuy(client, { payer, quoteResponse: quote });
 * const bytes = prepared.patch({ amount: 100_000_000n, minimumOut: 1n, lifetime }); // unsigned, for signPrepared
 * ```
 */
export async function prepareBuy(client: HeavenClient, input: PrepareBuyInput): Promise<PreparedTrade> {
  maxAgeOf(input);
  return preparedFrom(client, input, await buildBuy(client, input));
}
