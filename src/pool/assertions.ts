import type { Address } from '@solana/kit';
import { HeavenError } from '../base/errors.js';
import type { Deployment } from '../client.js';
import type { ProtocolConfig } from '../program/accounts.js';
import { LiquidityPoolType } from '../program/types.js';
import { assertShape } from '../solana/account-data.js';
import { CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS } from '../solana/programs.js';
import { assertDerived, assertOwned, ifCreated, type RawAccount } from '../solana/rpc/accounts.js';
import type { PoolSnapshot } from './decode.js';
import { CLOCK, CONFIG, FEED, POOL } from './layout.js';

/** Throws if the account is not a pool. `mint` is the token whose standard pool the caller looked up. */
export function assertPool(
  pool: RawAccount | undefined,
  address: Address,
  programAddress: Address,
  mint: Address | undefined,
): asserts pool is RawAccount {
  if (pool === undefined || (mint !== undefined && ifCreated(pool) === undefined)) {
    throw new HeavenError(
      'pool-not-found',
      mint === undefined
        ? `There is no pool at ${address} on this cluster.`
        : `The token ${mint} has no standard pool on this cluster (it would be at ${address}). A pro pool is named by its own address.`,
      { pool: address, ...(mint === undefined ? {} : { mint }) },
    );
  }
  if (mint !== undefined) return assertDerived(pool, address, programAddress, POOL);
  assertOwned(pool, POOL.name, address, [programAddress]);
  assertShape(POOL, pool.data, address);
}

/** Throws if the account is not a price feed. */
export const assertPriceFeed: (
  feed: RawAccount | undefined,
  deployment: Deployment,
) => asserts feed is RawAccount = (feed, { solUsdFeed, chainlinkProgram }) =>
  assertDerived(feed, solUsdFeed, chainlinkProgram, FEED);

/** Throws if the account is not a clock. */
export const assertClock: (clock: RawAccount | undefined) => asserts clock is RawAccount = (clock) =>
  assertDerived(clock, CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS, CLOCK);

/** Throws if the account is not a protocol config. */
export function assertConfig(
  config: RawAccount | undefined,
  address: Address,
  programAddress: Address,
): asserts config is RawAccount {
  assertDerived(config, address, programAddress, CONFIG);
}

/** Throws if the config currently allows no new pools of this kind. */
export function assertCreationAllowed(config: ProtocolConfig, kind: PoolSnapshot['kind']): void {
  assertConfigKind(config, kind);
  if (config.allowCreatePool !== 0) return;
  const { version: configVersion } = config;
  throw new HeavenError(
    'operation-disabled',
    `No pools can be created with config version ${configVersion} for now. Use another version, or wait.`,
    { operation: 'create', configVersion },
  );
}

/** Throws if the config is for pools of the other kind. */
export function assertConfigKind(config: ProtocolConfig, kind: PoolSnapshot['kind']): void {
  const { supportedPoolType, version } = config;
  if (supportedPoolType === LiquidityPoolType[kind === 'pro' ? 'Pro' : 'Standard']) return;
  const actual = kind === 'pro' ? 'standard' : 'pro';
  const advice =
    kind === 'pro' ? 'A pro pool is created with 3.' : 'A launch uses 1 (community) or 2 (creator).';
  throw new HeavenError('pool-mismatch', `Config version ${version} is for ${actual} pools. ${advice}`, {
    field: 'kind',
    asked: kind,
    found: actual,
  });
}
