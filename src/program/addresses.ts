import type { Address } from '@solana/kit';

import { assertWhole } from '../input.js';
import { assertAddress } from '../solana/addresses.js';
import { deriveAddress } from '../solana/derived-addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { LP_POSITION_SEED, proPoolSeeds } from './assumptions.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';
import type { InstructionConfig } from './deployment.js';

const POOL_SEED = 'liquidity_pool_state';
const CONFIG_SEED = 'protocol_config_state';

const programOf = (config: InstructionConfig): Address => {
  if (config.programAddress === undefined) return HEAVEN_PROGRAM_ADDRESS;
  assertAddress(config.programAddress, 'programAddress');
  return config.programAddress;
};

/**
 * The address of a protocol config: the version is a big-endian u16 in the seeds. [Level M](/protocol).
 * @throws {HeavenError} `invalid-input` for a version that is not a u16
 * @example
 * ```ts
 * const config = await findProtocolConfigAddress({ version: 2 });
 * ```
 */
export async function findProtocolConfigAddress(
  seeds: { readonly version: number },
  config: InstructionConfig = {},
): Promise<Address> {
  assertConfigVersion(seeds.version, 'version');
  return await deriveAddress(programOf(config), [CONFIG_SEED, seeds.version]);
}

/** Rejects what is not a u16. */
export function assertConfigVersion(version: unknown, field: string): asserts version is number {
  assertWhole(field, version, [0, 0xffff], 'a whole number from 0 to 65535 (1 community, 2 creator, 3 pro)');
}

/**
 * The address of the standard pool of a token. [Level M](/protocol).
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const pool = await findPoolAddress({ mint });
 * ```
 */
export async function findPoolAddress(
  seeds: { readonly mint: Address },
  config: InstructionConfig = {},
): Promise<Address> {
  assertAddress(seeds.mint, 'mint');
  return await deriveAddress(programOf(config), [POOL_SEED], [seeds.mint, WRAPPED_SOL_MINT_ADDRESS]);
}

/**
 * The address of the pro pool that a creator creates for a token.
 *
 * The seeds are those of a standard pool, with the creator after the two mints ([A1](/protocol#assumptions)). The creator is documented ([level D](/protocol)); the order is not. If it is wrong, creating
 * a pro pool fails with ConstraintSeeds (2006), whose log names the right address. Existing pools are unaffected, because
 * calls name their address.
 * @param config A client's `deployment`, for another program.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const pool = await findProPoolAddress({ mint, creator });
 * ```
 */
export async function findProPoolAddress(
  seeds: { readonly mint: Address; readonly creator: Address },
  config: InstructionConfig = {},
): Promise<Address> {
  assertAddress(seeds.mint, 'mint');
  assertAddress(seeds.creator, 'creator');
  return await deriveAddress(
    programOf(config),
    [POOL_SEED],
    proPoolSeeds(seeds.mint, WRAPPED_SOL_MINT_ADDRESS, seeds.creator),
  );
}

/**
 * The address of a user's LP position in a pro pool. The seeds are documented ([level D](/protocol)), except for the bytes
 * of the first ([A2](/protocol#assumptions)).
 * @param config A client's `deployment`, for another program.
 * @throws {HeavenError} `invalid-address`
 * @example
 * ```ts
 * const position = await findLpPositionAddress({ pool, user: wallet });
 * ```
 */
export async function findLpPositionAddress(
  seeds: { readonly pool: Address; readonly user: Address },
  config: InstructionConfig = {},
): Promise<Address> {
  assertAddress(seeds.pool, 'pool');
  assertAddress(seeds.user, 'user');
  return await deriveAddress(programOf(config), [LP_POSITION_SEED], [seeds.pool, seeds.user]);
}
