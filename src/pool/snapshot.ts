import type { Address } from '@solana/kit';

import type { Deployment } from '../client.js';
import { invalidAccount } from '../solana/account-data.js';
import { addressAt } from '../solana/addresses.js';
import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { assertOwned, type RawAccount } from '../solana/rpc/accounts.js';
import type { PoolAddresses, SnapshotAddresses, SnapshotSource } from './addresses.js';
import { assertClock, assertConfig, assertPool, assertPriceFeed } from './assertions.js';
import { decodePoolSnapshot, type PoolSnapshot, poolKindOf, poolVersionOf } from './decode.js';
import { POOL } from './layout.js';
import { assertPoolKind, configVersionMismatch, poolMintMismatch, unsupportedPair } from './mismatch.js';

/** A snapshot together with the addresses of its accounts. */
export interface FetchedPoolSnapshot extends PoolSnapshot {
  readonly addresses: PoolAddresses;
}

/** Checks and decodes the accounts at {@link SnapshotAddresses}, in their order. */
export function snapshotFrom(
  [pool, mintAccount, priceFeed, clock, ...configs]: readonly (RawAccount | undefined)[],
  [poolAddress, mint, , , ...configAddresses]: SnapshotAddresses,
  { configVersions, pool: givenPool }: Pick<SnapshotSource, 'configVersions' | 'pool'>,
  deployment: Deployment,
): FetchedPoolSnapshot {
  const { programAddress } = deployment;
  const isStandard = givenPool === undefined;
  assertPool(pool, poolAddress, programAddress, isStandard ? mint : undefined);
  const kind = poolKindOf(pool.data);
  if (isStandard) assertPoolKind('standard', kind);
  const version = poolVersionOf(pool.data);
  const index = configVersions.indexOf(version);
  const configAddress = configAddresses[index];
  if (configAddress === undefined) {
    const [only = '', ...others] = configVersions;
    throw configVersionMismatch(others.length === 0 ? only : configVersions.join(' or '), version);
  }
  const located = { pool: poolAddress, mint, protocolConfig: configAddress };
  assertPoolOf(located, pool.data);

  const protocolConfig = configs[index];
  assertConfig(protocolConfig, configAddress, programAddress);
  assertOwned(mintAccount, 'Mint', mint, [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]);
  assertPriceFeed(priceFeed, deployment);
  assertClock(clock);
  const snapshot = decodePoolSnapshot(
    {
      pool: pool.data,
      protocolConfig: protocolConfig.data,
      mint: mintAccount.data,
      priceFeed: priceFeed.data,
      clock: clock.data,
    },
    { pool: poolAddress, protocolConfig: configAddress, priceFeed: deployment.solUsdFeed },
  );
  return {
    ...snapshot,
    addresses: poolAddresses(located, pool.data, { programAddress, tokenProgram: mintAccount.owner }),
  };
}

/** Where a pool, its mint and its config are expected. */
type Located = Pick<PoolAddresses, 'pool' | 'mint' | 'protocolConfig'>;

/** Throws if a pool is not of the expected token and SOL, or has another config. */
export function assertPoolOf({ pool, mint, protocolConfig }: Located, data: Uint8Array): void {
  const actualMint = addressAt(data, POOL.tokenAMint);
  if (actualMint !== mint) throw poolMintMismatch(pool, mint, actualMint);
  assertPairedWithSol(data, pool);
  if (addressAt(data, POOL.protocolConfig) !== protocolConfig)
    throw invalidAccount(
      POOL.name,
      `its protocol config is not the one of version ${poolVersionOf(data)}, ${protocolConfig}`,
      pool,
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

/** Throws if a pool pairs its token with something other than SOL. */
export function assertPairedWithSol(pool: Uint8Array, address: Address): void {
  const tokenBMint = addressAt(pool, POOL.tokenBMint);
  if (tokenBMint !== WRAPPED_SOL_MINT_ADDRESS) throw unsupportedPair(address, tokenBMint);
}
