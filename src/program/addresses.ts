import type { Address } from '@solana/kit';

import { assertWhole } from '../input.js';
import { assertAddress } from '../solana/addresses.js';
import type { InstructionConfig } from '../solana/define-instruction.js';
import { deriveAddress } from '../solana/derived-addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { HEAVEN_PROGRAM_ADDRESS } from './constants.js';

const POOL_SEED = 'liquidity_pool_state';
const CONFIG_SEED = 'protocol_config_state';
/** Assumption A2: the bytes of the constant `USER_LP_POSITION`. */
const LP_POSITION_SEED = 'user_lp_position';

const programOf = (config: InstructionConfig): Address => {
  if (config.programAddress === undefined) return HEAVEN_PROGRAM_ADDRESS;
  assertAddress(config.programAddress, 'programAddress');
  return config.programAddress;
};

/**
 * The address of a protocol config: the version is a big-endian u16 in the seeds. Level M.
 * @throws {HeavenError} `invalid-input` for a version that is no u16
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

/** Refuses what is no u16. */
export function assertConfigVersion(version: unknown, field: string): asserts version is number {
  assertWhole(field, version, [0, 0xffff], 'a whole number from 0 to 65535 (1 community, 2 creator, 3 pro)');
}

/**
 * The address of the standard pool of a token. Level M.
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
 * The address of the pro pool that a creator makes of a token.
 *
 * Assumption A1: the seeds are those of a standard pool with the creator behind them. That the creator is among them is
 * documented (level D), the order is not. If it is wrong, the creation of a pro pool fails with ConstraintSeeds (2006),
 * whose log names the right address; existing pools are unaffected, as they are named by their address.
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
    [seeds.mint, WRAPPED_SOL_MINT_ADDRESS, seeds.creator],
  );
}

/**
 * The address of a user's LP position in a pro pool. The seeds are documented (level D); the bytes of the first are
 * assumption A2.
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
