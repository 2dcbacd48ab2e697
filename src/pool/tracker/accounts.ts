import type { Address } from '@solana/kit';

import { assertHas, invalidInput } from '../../base/input.js';
import {
  assertConfigVersion,
  derivePoolAddress,
  deriveProtocolConfigAddress,
} from '../../program/addresses.js';
import { type Deployment, type DeploymentConfig, deploymentOf } from '../../program/deployment.js';
import { assertAddress } from '../../solana/addresses.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../solana/programs.js';
import { assertLocator, type PoolLocator } from '../addresses.js';
import type { PoolAccounts } from '../decode.js';

/** A pool whose addresses are known: what {@link trackedAccounts} returns, or the same written by hand. */
export interface TrackedPool {
  readonly configVersion: number;
  /** The mint of token A. */
  readonly mint: Address;
  readonly pool: Address;
  readonly protocolConfig: Address;
  /** Rejects a pool of the other kind. Default: accept either. */
  readonly kind?: 'standard' | 'pro' | undefined;
}

/** One of the five accounts that a quote depends on. */
export interface TrackedAccount {
  readonly name: keyof PoolAccounts;
  readonly address: Address;
  /** The programs that may own the account. */
  readonly owners: readonly Address[];
  /** What a quote reads from the account. */
  readonly purpose: string;
}

/** An account as a stream sends it. */
export interface AccountUpdate {
  readonly address: Address;
  /** The account's data. Don't change the bytes afterwards: snapshots refer to them. */
  readonly data: Uint8Array;
  /** The program that owns the account. Without it, only the data is checked. */
  readonly owner?: Address | undefined;
  /** The slot in which it was written. */
  readonly slot: bigint;
  /** The order of writes within a slot. Without it, the update counts as the account at the end of the slot. */
  readonly writeVersion?: bigint | undefined;
  /** The account's lamports. With 0 the account no longer exists, and the update is rejected. */
  readonly lamports?: bigint | undefined;
}

/** A {@link TrackedPool} and its accounts. */
export interface TrackedPoolAccounts extends TrackedPool {
  /** The pool, its config, the mint, the price feed and the clock. All pools share the last two; pools of one version share the config. */
  readonly accounts: readonly TrackedAccount[];
}

/**
 * Finds the five accounts that a quote depends on. Subscribe to these, and pass the result to {@link createPoolTracker}. It makes
 * no call: it derives the missing addresses.
 * @param locator `protocolConfig` is derived if you leave it out.
 * @param deployment A client's `deployment`, for clusters other than mainnet.
 * @throws {HeavenError} `invalid-input`, `invalid-address`
 * @example
 * ```ts
 * const tracked = await trackedAccounts({ configVersion: 2, mint });
 * for (const { address, purpose } of tracked.accounts) console.log(address, purpose);
 * ```
 */
export async function trackedAccounts(
  locator: PoolLocator & { readonly protocolConfig?: Address | undefined },
  deployment?: DeploymentConfig,
): Promise<TrackedPoolAccounts> {
  assertHas(locator, 'mint', 'locator', 'a pool locator, such as { configVersion: 2, mint }');
  assertLocator(locator, 'locator', { protocolConfig: 1 });
  const resolved = deploymentOf(deployment);
  const { configVersion, mint } = locator;
  const [pool, protocolConfig] = await Promise.all([
    locator.pool ?? derivePoolAddress({ mint }, resolved),
    locator.protocolConfig ?? deriveProtocolConfigAddress(configVersion, resolved),
  ]);
  const kind = locator.pool ? undefined : 'standard';
  const tracked: TrackedPool = { configVersion, mint, pool, protocolConfig, kind };
  assertTracked(tracked);
  return { ...tracked, accounts: accountsOf(tracked, resolved) };
}

const PURPOSES = {
  pool: 'Reserves, switches, and fees of its own. Changes with each trade.',
  protocolConfig: 'Fee schedules of all pools of the config version. Rarely changes.',
  mint: 'Decimals, supply and transfer fee of the token. Changes when tokens are minted or burned.',
  priceFeed: 'SOL/USD, for fees that depend on the market cap. Changes every few seconds.',
  clock: 'Slot, epoch and time. Changes in each slot.',
};

// Not the keys of the above: a bundler keeps what a call at file level makes.
export const ACCOUNT_NAMES = ['pool', 'protocolConfig', 'mint', 'priceFeed', 'clock'] as const;

/** A pool's accounts, each with its address and the programs that may own it. */
export function accountsOf(
  { pool, protocolConfig, mint }: TrackedPool,
  { programAddress, chainlinkProgram, solUsdFeed }: Deployment,
): readonly TrackedAccount[] {
  const places = {
    pool: [pool, programAddress],
    protocolConfig: [protocolConfig, programAddress],
    mint: [mint, TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS],
    priceFeed: [solUsdFeed, chainlinkProgram],
    clock: [CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS],
  } as const;
  return ACCOUNT_NAMES.map((name) => {
    const [address, ...owners] = places[name];
    return { name, address, owners, purpose: PURPOSES[name] };
  });
}

/** Checks a pool that was written by hand. */
export function assertTracked(pool: TrackedPool): void {
  assertHas(pool, 'protocolConfig', 'pool', 'what trackedAccounts returns');
  assertConfigVersion(pool.configVersion, 'configVersion');
  assertAddress(pool.pool, 'pool');
  assertAddress(pool.mint, 'mint');
  assertAddress(pool.protocolConfig, 'protocolConfig');
  const { kind } = pool;
  if (kind !== undefined && kind !== 'standard' && kind !== 'pro')
    throw invalidInput('kind', kind, "'standard', 'pro' or left out");
}
