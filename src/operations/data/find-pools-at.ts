import type { Address } from '@solana/kit';
import { isHeavenError } from '../../base/errors.js';
import { assertCall } from '../../base/input.js';
import type { HeavenClient } from '../../client.js';
import { assertAddress } from '../../solana/addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../../solana/programs.js';
import { assertOwned, fetchAccounts } from '../../solana/rpc/accounts.js';
import type { RequestOptions } from '../../solana/rpc/send.js';
import { type FoundPool, findPools, poolOf } from './find-pools.js';

/**
 * Finds the pools for an address that a person pasted: the pool itself, or all pools of a token, its standard pool first. A node that rejects
 * `getProgramAccounts` finds only the standard pool of a token, without an error: its pro pools are then unknown.
 *
 * @returns An empty list if the token has no pool.
 * @throws {HeavenError} `invalid-address`, `account-not-found`, `invalid-account-data` (neither a token nor a pool, such as a wallet), and
 * the `rpc-…` codes
 * @example
 * ```ts
 * for (const { address, kind, configVersion } of await findPoolsAt(client, mint)) console.log(address, kind, configVersion);
 * ```
 */
export async function findPoolsAt(
  client: HeavenClient,
  address: Address,
  options: RequestOptions = {},
): Promise<readonly FoundPool[]> {
  assertCall(client, options, { abortSignal: 1 }, 'options');
  assertAddress(address, 'address');
  const { programAddress } = client.deployment;
  const [account] = await fetchAccounts(client, [address], options);
  assertOwned(account, 'token or pool', address, [
    programAddress,
    TOKEN_PROGRAM_ADDRESS,
    TOKEN_2022_PROGRAM_ADDRESS,
  ]);
  if (account.owner === programAddress) return [poolOf('getMultipleAccounts', address, account.data)];
  const [standard, pro] = await Promise.all([
    findPools(client, { ...options, mint: address, kind: 'standard' }),
    findPools(client, { ...options, mint: address, kind: 'pro' }).catch(
      (error: unknown): readonly FoundPool[] => {
        if (isHeavenError(error, 'rpc-method-unsupported')) return [];
        throw error;
      },
    ),
  ]);
  return [...standard, ...pro];
}
