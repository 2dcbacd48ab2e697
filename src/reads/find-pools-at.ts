import type { Address } from '@solana/kit';
import { isHeavenError } from '../base/errors.js';
import { assertCall } from '../base/input.js';
import { assertAsNamed, fetchDecoded } from '../pool/explained.js';
import { POOL } from '../pool/layout.js';
import type { HeavenClient } from '../program/client.js';
import { assertShape, invalidAccount } from '../solana/account-data.js';
import { assertAddress } from '../solana/addresses.js';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../solana/programs.js';
import { assertOwned } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { isMintData } from '../solana/token-extensions.js';
import { MINT } from '../solana/token-layout.js';
import { type FoundPool, findNamedPools, poolOf } from './find-pools.js';

/**
 * Finds the pools for an address that a person pasted: the pool itself, or all pools of a token, its standard pool first. A node that rejects
 * `getProgramAccounts` finds only the standard pool of a token, without an error: its pro pools are then unknown.
 *
 * @returns An empty list if the token has no pool.
 * @throws {HeavenError} `invalid-address`, `account-not-found`, `invalid-account-data` (neither a token nor a pool, such as a wallet, a
 * protocol config or a vault), and
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
  const pool = await fetchDecoded(client, { address }, options, [address], ([account]) => {
    const owners = [programAddress, TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];
    assertOwned(account, 'token or pool', address, owners);
    const { owner, data } = account;
    if (owner !== programAddress) {
      if (!isMintData(data)) throw invalidAccount(MINT.name, 'it is not one', address);
      return undefined;
    }
    assertShape(POOL, data, address);
    return poolOf('getMultipleAccounts', address, data);
  });
  if (pool !== undefined) return [pool];
  const [standard, pro] = await Promise.all([
    findNamedPools(client, { ...options, mint: address, kind: 'standard' }),
    findNamedPools(client, { ...options, mint: address, kind: 'pro' }).catch(
      (error: unknown): readonly FoundPool[] => {
        if (isHeavenError(error, 'rpc-method-unsupported')) return [];
        throw error;
      },
    ),
  ]);
  const pools = [...standard, ...pro];
  if (pools.length === 0) await assertAsNamed(client, {}, options);
  return pools;
}
