import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { HeavenError, isHeavenError } from '../../errors.js';
import { decodeClock, poolKindOf } from '../../pool/decode.js';
import { CLOCK, FEED, POOL } from '../../pool/layout.js';
import {
  decodeLiquidityPoolState,
  decodeProtocolConfig,
  decodeUserLpPosition,
} from '../../program/accounts.js';
import { findProtocolConfigAddress } from '../../program/addresses.js';
import { assertShape } from '../../solana/account-data.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  isTokenProgram,
  RENT_SYSVAR_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
} from '../../solana/programs.js';
import { decodeLamportsPerByte } from '../../solana/rent.js';
import { assertOwned, type RawAccount } from '../../solana/rpc/accounts.js';
import { readTokenAccount } from '../../solana/token-account.js';
import { sentence, VERSIONS, valid } from '../scene.js';
import type { ProofPrograms } from './source-programs.js';

/** An account of a proof's source. */
export interface ProofAccount extends RawAccount {
  readonly lamports: bigint;
}

/** A pool of a proof's source. Its config, mint and vaults are among the accounts. */
export interface ProofPool {
  readonly address: Address;
  readonly kind: 'standard' | 'pro';
  readonly configVersion: number;
  readonly mint: Address;
  /** The pool's LP positions among the accounts. */
  readonly positions: readonly Address[];
}

/** What a proof starts from: programs and accounts of a cluster at one slot, all checked. */
export interface ProofSource {
  readonly deployment: Deployment;
  /** `undefined` in a rehearsal on the sample accounts. */
  readonly programs: ProofPrograms;
  readonly accounts: readonly ProofAccount[];
  readonly slot: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  readonly lamportsPerByte: bigint;
  /** The configs that exist. */
  readonly configs: readonly { readonly version: 1 | 2 | 3; readonly address: Address }[];
  readonly pools: readonly ProofPool[];
  /** What is missing, and why. */
  readonly reasons: readonly string[];
}

/** What a source is made of, before it is checked. */
interface UncheckedSource {
  readonly deployment: Deployment;
  readonly programs: ProofPrograms;
  readonly accounts: readonly RawAccount[];
  /** The addresses of pools among the accounts. */
  readonly pools: readonly Address[];
  readonly reasons?: readonly string[];
}

/**
 * Checks accounts and sorts them. Clock, rent, feed and one config at least must be there and right; a pool that can't be
 * used is left out, and a reason says why.
 */
export async function checkSource(given: UncheckedSource): Promise<ProofSource> {
  const { deployment, programs } = given;
  const reasons = [...(given.reasons ?? [])];
  const accounts = byAddress(given.accounts);
  const clock = needed(accounts, CLOCK.name, CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS);
  const rent = needed(accounts, 'Rent', RENT_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS);
  const feed = needed(accounts, FEED.name, deployment.solUsdFeed, deployment.chainlinkProgram);
  assertShape(FEED, feed.data, feed.address);
  const { slot, epoch, unixTimestamp } = decodeClock(clock.data);
  const configs: ProofSource['configs'][number][] = [];
  for (const version of VERSIONS) {
    const config = await configOf(accounts, version, deployment.programAddress);
    if (config === undefined) reasons.push(`there is no config ${version}`);
    else configs.push(config);
  }
  if (configs.length === 0) {
    const address = deployment.programAddress;
    throw new HeavenError(
      'account-not-found',
      `The program ${address} has no protocol config here. Check the cluster and the deployment.`,
      { account: 'ProtocolConfig', address },
    );
  }
  const pools: ProofPool[] = [];
  for (const address of new Set(given.pools)) {
    try {
      pools.push(poolFrom(accounts, address, configs, given));
    } catch (error) {
      if (!isHeavenError(error)) throw error;
      reasons.push(`the pool ${address} is left out: ${sentence(error)}`);
    }
  }
  if (pools.length === 0) reasons.push('there is no pool to trade in');
  return {
    deployment,
    programs,
    accounts: [...accounts.values()],
    slot,
    unixTimestamp,
    epoch,
    lamportsPerByte: decodeLamportsPerByte(rent.data),
    configs,
    pools,
    reasons: [...new Set(reasons)],
  };
}

type Accounts = ReadonlyMap<Address, ProofAccount>;

const unusable = (account: string, address: Address, reason: string) =>
  new HeavenError(
    'invalid-account-data',
    `The ${account} account ${address} can't be used: ${reason}. Check the cluster, or use another node.`,
    { account, address, reason },
  );

function byAddress(given: readonly RawAccount[]): Accounts {
  const accounts = new Map<Address, ProofAccount>();
  for (const { address, owner, data, lamports } of given) {
    if (lamports === undefined) throw unusable('downloaded', address, 'its lamports are not known');
    if (accounts.has(address)) throw unusable('downloaded', address, 'it is there twice');
    accounts.set(address, { address, owner, data, lamports });
  }
  return accounts;
}

function needed(accounts: Accounts, name: string, address: Address, owner: Address): ProofAccount {
  const account = accounts.get(address);
  assertOwned(account, name, address, [owner]);
  return account as ProofAccount;
}

async function configOf(accounts: Accounts, version: 1 | 2 | 3, programAddress: Address) {
  const address = await findProtocolConfigAddress({ version }, { programAddress });
  const account = accounts.get(address);
  if (account === undefined) return undefined;
  assertOwned(account, 'ProtocolConfig', address, [programAddress]);
  const found = decodeProtocolConfig(account.data, address).version;
  if (found !== version)
    throw unusable('ProtocolConfig', address, `it is of version ${found}, not ${version}`);
  return { version, address };
}

function poolFrom(
  accounts: Accounts,
  address: Address,
  configs: ProofSource['configs'],
  { deployment }: UncheckedSource,
): ProofPool {
  const { programAddress } = deployment;
  const { data } = needed(accounts, POOL.name, address, programAddress);
  assertShape(POOL, data, address);
  const kind = poolKindOf(data);
  const { info, protocolConfig, tokenA, tokenAVault, tokenBVault } = decodeLiquidityPoolState(data, address);
  const config = configs.find((one) => one.address === protocolConfig);
  if (config === undefined) throw unusable(POOL.name, address, `its config ${protocolConfig} is not known`);
  const mint = accounts.get(tokenA.mint);
  if (mint === undefined || !isTokenProgram(mint.owner))
    throw unusable(POOL.name, address, `its mint ${tokenA.mint} is missing`);
  for (const vault of [tokenAVault, tokenBVault]) {
    const account = accounts.get(vault);
    if (account === undefined || readTokenAccount(account)?.owner !== protocolConfig)
      throw unusable(
        POOL.name,
        address,
        `its vault ${vault} is missing, or isn't a token account of its config`,
      );
  }
  return {
    address,
    kind,
    configVersion: info.protocolConfigVersion,
    mint: tokenA.mint,
    positions: [...accounts.values()]
      .filter((account) => isPositionIn(account, address, programAddress))
      .map((position) => position.address),
  };
}

const isPositionIn = ({ owner, data, address }: ProofAccount, pool: Address, programAddress: Address) =>
  owner === programAddress && valid(() => decodeUserLpPosition(data, address))?.pool === pool;
