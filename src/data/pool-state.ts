import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { assertInput } from '../input.js';
import { assertPool } from '../pool/assertions.js';
import { locatePool } from '../pool/locate.js';
import { poolMintMismatch } from '../pool/mismatch.js';
import { decodeLiquidityPoolState, type LiquidityPoolState } from '../program/accounts.js';
import { assertAddress } from '../solana/addresses.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { REQUEST_FIELDS, type RequestOptions } from '../solana/rpc/send.js';

/** Which pool to read: the standard pool of a token, or any pool by its address. */
export type GetPoolStateInput = RequestOptions &
  (
    | { readonly mint: Address; readonly pool?: null | undefined }
    | { readonly pool: Address; readonly mint?: null | undefined }
  );

/**
 * Reads and decodes a whole pool account. One call to the node.
 *
 * @throws {HeavenError} `invalid-address`, `pool-not-found`, `pool-mint-mismatch` (`pool` does not trade `mint`),
 * `account-owner-mismatch`, `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const { reserve } = await getPoolState(client, { mint });
 * console.log(reserve.tokenA, reserve.tokenB);
 * ```
 */
export async function getPoolState(
  client: HeavenClient,
  input: GetPoolStateInput,
): Promise<LiquidityPoolState> {
  assertInput(client, input, REQUEST_FIELDS, { mint: 1, pool: 1 });
  const { programAddress } = client.deployment;
  const mint = input.mint ?? undefined;
  const pool = input.pool ?? undefined;
  if (pool !== undefined) assertAddress(pool, 'pool');
  if (mint !== undefined || pool === undefined) assertAddress(mint, 'mint');
  const address = pool ?? (await locatePool(mint as Address, programAddress));
  const [account] = await fetchAccounts(client, [address], { abortSignal: input.abortSignal });
  assertPool(account, address, programAddress, pool === undefined ? mint : undefined);
  const state = decodeLiquidityPoolState(account.data, address);
  const actual = state.tokenA.mint;
  if (pool !== undefined && mint !== undefined && actual !== mint)
    throw poolMintMismatch(address, mint, actual);
  return state;
}
