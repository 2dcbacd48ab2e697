import type { HeavenClient } from '../../client.js';
import { inputError } from '../../input.js';
import type { GetTokenMetadataInput, MintMetadata } from './types.js';

/**
 * Reads what tokens say of themselves: the metadata in a Token-2022 mint, or Metaplex's metadata account, and with a `fetch` the JSON behind the URI.
 * One call to the node for all of them. A problem of one token is in its `problems`, and takes nothing from the others.
 *
 * @returns One entry for each of `mints`, in their order.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, and the `rpc-…` codes
 * @example
 * ```ts
 * const [token] = await getTokenMetadata(client, { mints: [mint], fetch });
 * console.log(token?.name?.value, token?.image?.value);
 * ```
 */
export async function getTokenMetadata(
  client: HeavenClient,
  input: GetTokenMetadataInput,
): Promise<readonly MintMetadata[]> {
  throw inputError('mints', `Not built yet: ${client.commitment} ${input.mints.length}.`);
}
