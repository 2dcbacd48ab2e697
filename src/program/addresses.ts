import type { Address } from '@solana/kit';

import { assertNames, assertWhole } from '../base/input.js';
import { assertAddress } from '../solana/addresses.js';
import { deriveAddress } from '../solana/derived-addresses.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../solana/programs.js';
import { LP_POSITION_SEED, PRO_POOL_SEEDS } from './assumptions.js';
import { type InstructionConfig, programIn } from './deployment.js';

/** How the program derives an address: from a text, then from addresses, here by name. The IDL says the same of its accounts. */
export interface DerivedAddress<TName extends string = string> {
  readonly prefix: string;
  readonly addresses: readonly TName[];
}

const POOL_PREFIX = 'liquidity_pool_state';

export const STANDARD_POOL = {
  prefix: POOL_PREFIX,
  addresses: ['tokenAMint', 'tokenBMint'],
} as const satisfies DerivedAddress;

export const PRO_POOL = { prefix: POOL_PREFIX, addresses: PRO_POOL_SEEDS } as const satisfies DerivedAddress;

export const LP_POSITION = {
  prefix: LP_POSITION_SEED,
  addresses: ['liquidityPoolState', 'user'],
} as const satisfies DerivedAddress;

// Each is derived by a function for checked seeds, and found by a public one that checks them.

type Program = Required<InstructionConfig>;
type Seeds<TName extends string> = Readonly<Record<TName, Address>>;

const derive = <TName extends string>(
  { prefix, addresses }: DerivedAddress<TName>,
  seeds: Seeds<TName>,
  { programAddress }: Program,
): Promise<Address> => {
  const ordered = addresses.map((name) => seeds[name]);
  return deriveAddress(programAddress, [prefix], ordered);
};

export const deriveProtocolConfigAddress = (version: number, { programAddress }: Program) =>
  deriveAddress(programAddress, ['protocol_config_state', version]);

export const derivePoolAddress = ({ mint }: Seeds<'mint'>, program: Program) =>
  derive(STANDARD_POOL, { tokenAMint: mint, tokenBMint: WRAPPED_SOL_MINT_ADDRESS }, program);

export const deriveProPoolAddress = ({ mint, creator }: Seeds<'mint' | 'creator'>, program: Program) =>
  derive(PRO_POOL, { tokenAMint: mint, tokenBMint: WRAPPED_SOL_MINT_ADDRESS, creator }, program);

export const deriveLpPositionAddress = ({ pool, user }: Seeds<'pool' | 'user'>, program: Program) =>
  derive(LP_POSITION, { liquidityPoolState: pool, user }, program);

const programOf = (config: InstructionConfig): Program => ({ programAddress: programIn(config) });

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
  assertNames(seeds, 'seeds', { version: 1 });
  assertConfigVersion(seeds.version, 'version');
  return await deriveProtocolConfigAddress(seeds.version, programOf(config));
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
  assertNames(seeds, 'seeds', { mint: 1 });
  assertAddress(seeds.mint, 'mint');
  return await derivePoolAddress(seeds, programOf(config));
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
  assertNames(seeds, 'seeds', { mint: 1, creator: 1 });
  assertAddress(seeds.mint, 'mint');
  assertAddress(seeds.creator, 'creator');
  return await deriveProPoolAddress(seeds, programOf(config));
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
  assertNames(seeds, 'seeds', { pool: 1, user: 1 });
  assertAddress(seeds.pool, 'pool');
  assertAddress(seeds.user, 'user');
  return await deriveLpPositionAddress(seeds, programOf(config));
}
