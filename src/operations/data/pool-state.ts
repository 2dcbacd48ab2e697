import type { Address } from '@solana/kit';
import type { HeavenClient } from '../../client.js';
import { doorOf } from '../../door/door.js';
import { abortSignal, address, optional } from '../../door/fields.js';
import { assertPool } from '../../pool/assertions.js';
import { poolMintMismatch } from '../../pool/mismatch.js';
import { decodeLiquidityPoolState, type LiquidityPoolState } from '../../program/accounts.js';
import { derivePoolAddress } from '../../program/addresses.js';
import { type AddressInput, assertAddress } from '../../solana/addresses.js';
import { fetchAccounts } from '../../solana/rpc/accounts.js';
import type { RequestOptions } from '../../solana/rpc/send.js';

/** Which pool to read: the standard pool of a token, or any pool by its address. */
export type GetPoolStateInput = RequestOptions &
  (
    | {
        /** The mint of a standard pool. */
        readonly mint: AddressInput;
        readonly pool?: null | undefined;
      }
    | {
        /** The address of any pool, in place of the mint. */
        readonly pool: AddressInput;
        readonly mint?: null | undefined;
      }
  );

export const getPoolStateDoor = /* @__PURE__ */ doorOf<GetPoolStateInput>()(() => ({
  documented: { mint: optional(address()), pool: optional(address()) },
  local: { abortSignal: abortSignal() },
}));

/**
 * Reads and decodes a whole pool account. One call to the node.
 *
 * @throws {HeavenError} `invalid-address`, `pool-not-found`, `pool-mismatch` (`pool` does not trade `mint`),
 * `invalid-account-data`, and the `rpc-…` codes
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
  const [entered] = getPoolStateDoor.enter(client, input);
  const { programAddress } = client.deployment;
  const { mint, pool } = entered;
  if (pool === undefined) assertAddress(mint, 'mint');
  const address = pool ?? (await derivePoolAddress({ mint: mint as Address }, { programAddress }));
  const [account] = await fetchAccounts(client, [address], { abortSignal: entered.abortSignal });
  assertPool(account, address, programAddress, pool === undefined ? mint : undefined);
  const state = decodeLiquidityPoolState(account.data, address);
  const actual = state.tokenA.mint;
  if (pool !== undefined && mint !== undefined && actual !== mint)
    throw poolMintMismatch(address, mint, actual);
  return state;
}
