import type { Address } from '@solana/kit';

import type { Deployment } from '../client.js';
import { invalidAccount, view } from '../solana/account-data.js';
import { addressAt as readAddressAt } from '../solana/addresses.js';
import {
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../solana/programs.js';
import { createRecent } from '../solana/recent.js';
import { assertOwned, type RawAccount } from '../solana/rpc/accounts.js';
import { assertClock, assertConfig, assertPool, assertPriceFeed } from './assertions.js';
import { decodePoolSnapshot, type PoolSnapshot, poolKindOf } from './decode.js';
import { POOL } from './layout.js';
import type { PoolAddresses, SnapshotAddresses, SnapshotSource } from './locate.js';
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
  const readAddress = (offset: number) => addressAt(pool.data, offset);
  const data = view(pool.data);
  const kind = poolKindOf(pool.data);
  if (isStandard) assertPoolKind('standard', kind);
  const version = data.getUint16(POOL.protocolConfigVersion, true);
  const index = configVersions.indexOf(version);
  const configAddress = configAddresses[index];
  if (configAddress === undefined) {
    const [only = '', ...others] = configVersions;
    throw configVersionMismatch(others.length === 0 ? only : configVersions.join(' or '), version);
  }
  const actualMint = readAddress(POOL.tokenAMint);
  if (actualMint !== mint) throw poolMintMismatch(poolAddress, mint, actualMint);
  const refuse = (reason: string) => invalidAccount(POOL.name, reason, poolAddress);
  assertPairedWithSol(pool.data, poolAddress);
  if (readAddress(POOL.protocolConfig) !== configAddress)
    throw refuse(`its protocol config is not the one of version ${version}, ${configAddress}`);

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
    addresses: {
      programAddress,
      pool: poolAddress,
      protocolConfig: configAddress,
      mint,
      tokenProgram: mintAccount.owner,
      tokenAVault: readAddress(POOL.tokenAVault),
      tokenBVault: readAddress(POOL.tokenBVault),
    },
  };
}

/** Throws if a pool pairs its token with something other than SOL. */
export function assertPairedWithSol(pool: Uint8Array, address: Address): void {
  const tokenBMint = addressAt(pool, POOL.tokenBMint);
  if (tokenBMint !== WRAPPED_SOL_MINT_ADDRESS) throw unsupportedPair(address, tokenBMint);
}

const addressesRead = /* @__PURE__ */ createRecent<Address>(16_384);

/** Reads an address from an account's data. Recent ones are cached (bounded): base58 takes about 8 microseconds. */
function addressAt(data: Uint8Array, offset: number): Address {
  const bytes = data.subarray(offset, offset + 32);
  const key = String.fromCharCode(...bytes);
  let address = addressesRead.get(key);
  if (address === undefined) {
    address = readAddressAt(bytes);
    addressesRead.set(key, address);
  }
  return address;
}
