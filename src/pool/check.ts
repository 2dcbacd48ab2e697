import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { type HeavenWarning, warnIf } from '../base/warnings.js';
import { liquidityPoolStateDeclaration, protocolConfigDeclaration } from '../program/account-layouts.js';
import { type LiquidityPoolState, type ProtocolConfig, readAccount } from '../program/accounts.js';
import type { Deployment } from '../program/client.js';
import { LiquidityPoolType } from '../program/types.js';
import { assertShape, invalidAccount } from '../solana/account-data.js';
import { addressAt } from '../solana/addresses.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { assertExpectedAt, assertOwned, ifCreated, type RawAccount } from '../solana/rpc/accounts.js';
import type { PoolAddresses, PoolCandidates, SnapshotAddresses } from './addresses.js';
import {
  assertPoolKind,
  assertSameVersion,
  composeSnapshot,
  configVersionIn,
  configVersionMismatch,
  decodeMint,
  type PoolKind,
  type PoolSnapshot,
  plausibleKindOf,
  poolKindOf,
  poolVersionOf,
  solPriceIn,
  timeIn,
} from './decode.js';
import { CLOCK, CONFIG, FEED, POOL } from './layout.js';

// Each function that ends in `From` checks and decodes accounts as a node returned them.

/** A snapshot together with the addresses of its accounts. */
export interface FetchedPoolSnapshot extends PoolSnapshot {
  readonly addresses: PoolAddresses;
}

/** Checks and decodes the accounts at {@link SnapshotAddresses}, in their order. More may follow. */
export function snapshotFrom(
  [pool, mintAccount, priceFeed, clock, ...configs]: readonly (RawAccount | undefined)[],
  [poolAddress, mint, , , ...configAddresses]: SnapshotAddresses,
  { configVersions, pool: givenPool }: Pick<PoolCandidates, 'configVersions' | 'pool'>,
  deployment: Deployment,
): FetchedPoolSnapshot {
  const { programAddress } = deployment;
  const isStandard = givenPool === undefined;
  assertPool(pool, poolAddress, programAddress, isStandard ? mint : undefined);
  const kind = plausibleKindOf(pool.data, poolAddress);
  if (isStandard) assertPoolKind('standard', kind);
  const version = poolVersionOf(pool.data);
  const index = configVersions.indexOf(version);
  const configAddress = configAddresses[index];
  if (configAddress === undefined) {
    const [only = '', ...others] = configVersions;
    throw configVersionMismatch(others.length === 0 ? only : configVersions.join(' or '), version, kind);
  }
  const located = { pool: poolAddress, mint, protocolConfig: configAddress };
  assertPoolOf(located, pool.data);

  const config = configs[index];
  assertExpectedAt(config, configAddress, programAddress, CONFIG);
  assertSameVersion(configVersionIn(config.data, configAddress), version);
  assertOwned(mintAccount, 'Mint', mint, [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]);
  const time = timeFrom(clock);
  const snapshot = composeSnapshot(pool.data, config.data, {
    ...time,
    token: decodeMint(mintAccount.data, time.epoch),
    solPrice: solPriceFrom(priceFeed, deployment, time.unixTimestamp),
  });
  return {
    ...snapshot,
    addresses: poolAddresses(located, pool.data, { programAddress, tokenProgram: mintAccount.owner }),
  };
}

/** What the caller says about a pool. Without `pool`, it is the standard pool of `mint`. */
export interface ExpectedPool {
  readonly pool?: Address | undefined;
  readonly mint?: Address | undefined;
  readonly configVersion?: number | undefined;
}

export function stateFrom(
  account: RawAccount | undefined,
  address: Address,
  { kind, pool, mint, configVersion }: ExpectedPool & { readonly kind: PoolKind | undefined },
  programAddress: Address,
): LiquidityPoolState {
  assertPool(account, address, programAddress, pool === undefined ? mint : undefined);
  if (kind !== undefined) assertPoolKind(kind, poolKindOf(account.data));
  const state = readAccount(liquidityPoolStateDeclaration, account.data);
  if (mint !== undefined) assertMintOf(address, mint, state.tokenA.mint);
  if (configVersion !== undefined) assertSameVersion(configVersion, state.info.protocolConfigVersion);
  return state;
}

/** Throws if the account is not a pool. `mint` is the token whose standard pool the caller looked up. */
function assertPool(
  pool: RawAccount | undefined,
  address: Address,
  programAddress: Address,
  mint: Address | undefined,
): asserts pool is RawAccount {
  if (pool === undefined || (mint !== undefined && ifCreated(pool) === undefined))
    throw new HeavenError('pool-not-found', `There is no pool at ${address} on this cluster.`, {
      pool: address,
      ...(mint && { mint }),
    });
  if (mint !== undefined) return assertExpectedAt(pool, address, programAddress, POOL);
  assertOwned(pool, POOL.name, address, [programAddress]);
  assertShape(POOL, pool.data, address);
}

export function timeFrom(clock: RawAccount | undefined): ReturnType<typeof timeIn> {
  assertExpectedAt(clock, CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS, CLOCK);
  return timeIn(clock.data);
}

/** @param now The clock's time, in Unix seconds. */
export function solPriceFrom(
  feed: RawAccount | undefined,
  { solUsdFeed, chainlinkProgram }: Deployment,
  now: bigint,
): ReturnType<typeof solPriceIn> {
  assertExpectedAt(feed, solUsdFeed, chainlinkProgram, FEED);
  return solPriceIn(feed.data, now, solUsdFeed);
}

/** @param kind Which pools the config must be for. Default: either. */
export function configFrom(
  account: RawAccount | undefined,
  address: Address,
  programAddress: Address,
  kind?: PoolKind,
): ProtocolConfig {
  assertExpectedAt(account, address, programAddress, CONFIG);
  const config = readAccount(protocolConfigDeclaration, account.data);
  if (
    kind === undefined ||
    config.supportedPoolType === LiquidityPoolType[kind === 'pro' ? 'Pro' : 'Standard']
  )
    return config;
  const found = kind === 'pro' ? 'standard' : 'pro';
  const advice =
    kind === 'pro' ? 'A pro pool is created with 3.' : 'A launch uses 1 (community) or 2 (creator).';
  throw new HeavenError(
    'pool-mismatch',
    `Config version ${config.version} is for ${found} pools. ${advice}`,
    { field: 'kind', asked: kind, found },
  );
}

/** Warns if the config currently allows no new pools. */
export const creationDisabled = ({ allowCreatePool, version }: ProtocolConfig): readonly HeavenWarning[] =>
  warnIf(
    allowCreatePool === 0,
    'creation-disabled',
    `No pools can be created with config version ${version} for now. Use another version, or wait.`,
  );

/** Throws what {@link creationDisabled} warns of. */
export function assertCreationAllowed(config: ProtocolConfig): void {
  for (const { message } of creationDisabled(config))
    throw new HeavenError('operation-disabled', message, {
      operation: 'create',
      configVersion: config.version,
    });
}

/** Where a pool, its mint and its config are expected. */
type Located = Pick<PoolAddresses, 'pool' | 'mint' | 'protocolConfig'>;

/** Throws if a pool is not of the expected token and SOL, or has another config. */
export function assertPoolOf({ pool, mint, protocolConfig }: Located, data: Uint8Array): void {
  assertMintOf(pool, mint, addressAt(data, POOL.tokenAMint));
  assertPairedWithSol(data, pool);
  if (addressAt(data, POOL.protocolConfig) !== protocolConfig)
    throw invalidAccount(POOL.name, `its protocol config is not ${protocolConfig}`, pool);
}

/** Throws if a pool trades a different token. */
function assertMintOf(pool: Address, asked: Address, found: Address): void {
  if (asked === found) return;
  throw new HeavenError('pool-mismatch', `The pool ${pool} trades the token ${found}, not ${asked}.`, {
    field: 'mint',
    asked,
    found,
  });
}

/** Throws if a pool pairs its token with something other than SOL. */
export function assertPairedWithSol(data: Uint8Array, pool: Address): void {
  const mint = addressAt(data, POOL.tokenBMint);
  if (mint === WRAPPED_SOL_MINT_ADDRESS) return;
  throw new HeavenError(
    'unsupported-mint',
    `The pool ${pool} pairs the token with ${mint}, not with SOL. Trade in another pool.`,
    { mint, reason: 'the pool pairs the token with it, not with SOL', pool },
  );
}

/** The addresses of a pool's accounts, of which the pool's data names the vaults. */
export const poolAddresses = (
  { pool, mint, protocolConfig }: Located,
  data: Uint8Array,
  { programAddress, tokenProgram }: Pick<PoolAddresses, 'programAddress' | 'tokenProgram'>,
): PoolAddresses => ({
  programAddress,
  pool,
  protocolConfig,
  mint,
  tokenProgram,
  tokenAVault: addressAt(data, POOL.tokenAVault),
  tokenBVault: addressAt(data, POOL.tokenBVault),
});
