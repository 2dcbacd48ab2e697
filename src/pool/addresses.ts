import type { Address } from '@solana/kit';
import { assertNames } from '../base/input.js';
import { assertConfigVersion, derivePoolAddress, deriveProtocolConfigAddress } from '../program/addresses.js';
import type { Deployment } from '../program/client.js';
import { assertAddress } from '../solana/addresses.js';
import { CLOCK_SYSVAR_ADDRESS } from '../solana/programs.js';

/** Identifies a pool: a standard pool by its token, a pro pool by its own address as well. */
export interface PoolLocator {
  readonly configVersion: number;
  /** The mint of token A. */
  readonly mint: Address;
  /** The pool's address. Default: the standard pool of `mint`. */
  readonly pool?: Address | null | undefined;
}

/** The addresses of a pool's accounts. */
export interface PoolAddresses {
  readonly programAddress: Address;
  readonly pool: Address;
  readonly protocolConfig: Address;
  readonly mint: Address;
  /** The token program that owns `mint`. */
  readonly tokenProgram: Address;
  readonly tokenAVault: Address;
  readonly tokenBVault: Address;
}

/** Locates the price feed and the clock. */
export const locatePriceAndClock = ({ solUsdFeed }: Deployment): readonly [Address, Address] => [
  solUsdFeed,
  CLOCK_SYSVAR_ADDRESS,
];

/** A pool whose config version is one of several candidates. Without `pool`: the standard pool of the mint. */
export interface PoolCandidates {
  readonly configVersions: readonly number[];
  readonly mint: Address;
  readonly pool: Address | undefined;
}

/** Rejects what is not a locator. `more` are the names that the object may have besides. */
export function assertLocator(
  locator: PoolLocator,
  field: string,
  more: Readonly<Record<string, unknown>> = {},
): void {
  assertNames(locator, field, { configVersion: 1, mint: 1, pool: 1, ...more });
  const { configVersion, mint, pool } = locator;
  assertConfigVersion(configVersion, 'configVersion');
  assertAddress(mint, 'mint');
  if (pool !== undefined && pool !== null) assertAddress(pool, 'pool');
}

/** A pool whose config version is known. */
export const candidatesOf = ({ configVersion, mint, pool }: PoolLocator): PoolCandidates => ({
  configVersions: [configVersion],
  mint,
  pool: pool ?? undefined,
});

/** The addresses of a snapshot's accounts: the pool, the mint, the price feed, the clock and the configs. */
export type SnapshotAddresses = readonly [Address, Address, Address, Address, ...Address[]];

/** Finds the accounts of a snapshot of a pool whose addresses are checked. */
export async function snapshotAddresses(
  deployment: Deployment,
  { configVersions, mint, pool }: PoolCandidates,
): Promise<SnapshotAddresses> {
  const [poolAddress, ...configAddresses] = await Promise.all([
    pool ?? derivePoolAddress({ mint }, deployment),
    ...configVersions.map((version) => deriveProtocolConfigAddress(version, deployment)),
  ]);
  return [poolAddress, mint, ...locatePriceAndClock(deployment), ...configAddresses];
}
