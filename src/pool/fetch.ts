import { type Address, getAddressDecoder, getBase64Encoder } from '@solana/kit';

import { type Deployment, type HeavenClient, invalidResponse, type RequestOptions, send } from '../client.js';
import { HeavenError } from '../errors.js';
import type { ProtocolConfig } from '../program/accounts.js';
import { assertConfigVersion } from '../program/addresses.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  SYSVAR_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../program/constants.js';
import { LiquidityPoolType } from '../program/types.js';
import { type AccountShape, invalidAccount, openAccount, view } from '../solana/account-data.js';
import { assertAddress } from '../solana/addresses.js';
import { createRecent } from '../solana/recent.js';
import { faultOf, isUncreated } from '../solana/rpc/expected-accounts.js';
import { wrongAccount } from '../solana/rpc/faults.js';
import { configVersionMismatch, decodePoolSnapshot, type PoolSnapshot, poolKindOf } from './decode.js';
import { CLOCK, CONFIG, FEED, POOL } from './layout.js';
import { locateConfig, locatePool, locatePriceAndClock } from './locate.js';

/** An account as the node gave it. */
export interface RawAccount {
  readonly address: Address;
  /** The program that owns it. */
  readonly owner: Address;
  readonly data: Uint8Array;
}

/**
 * Reads accounts in one call.
 *
 * @throws {HeavenError} `rpc-invalid-response` and those of {@link send}
 */
export async function fetchAccounts(
  client: HeavenClient,
  addresses: readonly Address[],
  options: RequestOptions,
): Promise<readonly (RawAccount | undefined)[]> {
  const method = 'getMultipleAccounts';
  const request = client.rpc.getMultipleAccounts([...addresses], {
    commitment: client.commitment,
    encoding: 'base64',
  });
  const response: { readonly value?: unknown } | null = await send(client, method, request, options);
  if (typeof response !== 'object' || response === null) throw invalidResponse(method, 'it is no object');
  return decodedOnce(response, addresses.join(), () => accountsFrom(response.value, addresses));
}

/** Where reads are shared, the same response comes again: what is decoded of it is kept with it. */
const decoded = new WeakMap<object, Map<string, unknown>>();

function decodedOnce<T>(source: object, key: string, decode: () => T): T {
  let parts = decoded.get(source);
  if (parts === undefined) {
    parts = new Map();
    decoded.set(source, parts);
  }
  if (!parts.has(key)) parts.set(key, decode());
  return parts.get(key) as T;
}

function accountsFrom(value: unknown, addresses: readonly Address[]): readonly (RawAccount | undefined)[] {
  const method = 'getMultipleAccounts';
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw invalidResponse(method, `it does not hold ${addresses.length} accounts`);
  }
  return addresses.map((address, index) => {
    const account: unknown = value[index];
    if (account === null) return undefined;
    const { data, owner } = (account ?? {}) as {
      readonly data?: readonly unknown[];
      readonly owner?: unknown;
    };
    if (
      !Array.isArray(data) ||
      typeof data[0] !== 'string' ||
      data[1] !== 'base64' ||
      typeof owner !== 'string'
    ) {
      throw invalidResponse(method, `account ${index} has no base64 data or no owner`);
    }
    try {
      return { address, owner: owner as Address, data: getBase64Encoder().encode(data[0]) as Uint8Array };
    } catch (cause) {
      throw invalidResponse(method, `the data of account ${index} is no base64`, cause);
    }
  });
}

const accountNotFound = (account: string, address: Address) =>
  new HeavenError('account-not-found', `The ${account} account ${address} does not exist on this cluster.`, {
    account,
    address,
  });

/** Refuses an account that is missing or belongs to another program. */
export function assertOwned(
  account: RawAccount | undefined,
  name: string,
  address: Address,
  owners: readonly Address[],
): asserts account is RawAccount {
  if (account === undefined) throw accountNotFound(name, address);
  if (!owners.includes(account.owner)) {
    const expected = owners.join(' or ');
    throw new HeavenError(
      'account-owner-mismatch',
      `The ${name} account ${address} belongs to ${account.owner}, not to ${expected}. Check the address and the cluster.`,
      { account: name, address, owner: account.owner, expected },
    );
  }
}

/**
 * Refuses an account that is missing, or that can't be the one at an address that was derived. A transport over several nodes
 * has asked all of them by then.
 *
 * @throws {HeavenError} `account-not-found`, `rpc-wrong-account`
 */
export function assertDerived(
  account: RawAccount | undefined,
  address: Address,
  owner: Address,
  shape: AccountShape,
): asserts account is RawAccount {
  const created = ifCreated(account);
  if (created === undefined) throw accountNotFound(shape.name, address);
  const reason = faultOf({ owner, shape }, factsOf(created));
  if (reason !== undefined) throw wrongAccount(shape.name, address, reason);
}

const factsOf = ({ owner, data }: RawAccount) => ({ owner, size: data.length, start: data });

/** An account at a derived address, if it was ever created. */
export const ifCreated = (account: RawAccount | undefined): RawAccount | undefined =>
  account === undefined || isUncreated(factsOf(account)) ? undefined : account;

/** Which pool: a standard pool by its token, a pro pool by its own address too. */
export interface PoolLocator {
  readonly configVersion: number;
  /** The mint of token A. */
  readonly mint: Address;
  /** The pool's address. Default: the standard pool of `mint`. */
  readonly pool?: Address | null | undefined;
}

/** Where the accounts of a pool are. */
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

/** A snapshot that also knows where its accounts are. */
export interface FetchedPoolSnapshot extends PoolSnapshot {
  readonly addresses: PoolAddresses;
}

/**
 * Reads all that a quote needs in one call: the pool, its config, the mint, the price feed and the clock.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `pool-not-found`, `account-not-found`,
 * `account-owner-mismatch`, `invalid-account-data`, `implausible-account`, `pool-kind-mismatch`, `pool-mint-mismatch`,
 * `config-version-mismatch`, `price-unavailable`, and the `rpc-…` codes
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { amountOut } = computeSell(swapStateOf(snapshot), 1_000_000_000n);
 * ```
 */
export async function fetchPoolSnapshot(
  client: HeavenClient,
  input: PoolLocator & RequestOptions,
): Promise<FetchedPoolSnapshot> {
  return (await fetchPool(client, poolRequest(input), [])).snapshot;
}

/** {@link PoolLocator} for {@link fetchPool}. */
export const poolRequest = ({ configVersion, mint, pool, abortSignal }: PoolLocator & RequestOptions) => ({
  configVersions: [configVersion],
  mint,
  pool: pool ?? undefined,
  abortSignal,
});

/**
 * {@link fetchPoolSnapshot}, with more accounts from the same call, and for a pool of which only the candidates for its
 * config version are known: all their configs are then read.
 */
export async function fetchPool(
  client: HeavenClient,
  {
    configVersions,
    mint,
    pool: givenPool,
    abortSignal,
  }: {
    readonly configVersions: readonly number[];
    readonly mint: Address;
    readonly pool: Address | undefined;
  } & RequestOptions,
  more: readonly Address[],
): Promise<{ readonly snapshot: FetchedPoolSnapshot; readonly more: readonly (RawAccount | undefined)[] }> {
  const { programAddress, chainlinkProgram } = client.deployment;
  const read = await snapshotAddresses(client.deployment, { configVersions, mint, pool: givenPool });
  const addresses = [...read, ...more];
  const accounts = await fetchAccounts(client, addresses, { abortSignal });
  const isStandard = givenPool === undefined;
  const snapshot = decodedOnce(
    accounts,
    `${isStandard} ${configVersions} ${programAddress} ${chainlinkProgram}`,
    () => snapshotFrom(accounts, read, { isStandard, configVersions }, client.deployment),
  );
  return { snapshot, more: accounts.slice(addresses.length - more.length) };
}

/** Where the accounts of a snapshot are: the pool, the mint, the price feed, the clock and the configs. */
export type SnapshotAddresses = readonly [Address, Address, Address, Address, ...Address[]];

/**
 * Finds the accounts of a snapshot.
 *
 * @throws {HeavenError} `invalid-address`, `invalid-input`
 */
export async function snapshotAddresses(
  deployment: Deployment,
  {
    configVersions,
    mint,
    pool,
  }: {
    readonly configVersions: readonly number[];
    readonly mint: Address;
    readonly pool: Address | undefined;
  },
): Promise<SnapshotAddresses> {
  const { programAddress } = deployment;
  for (const configVersion of configVersions) assertConfigVersion(configVersion, 'configVersion');
  assertAddress(mint, 'mint');
  if (pool !== undefined) assertAddress(pool, 'pool');
  const [poolAddress, ...configAddresses] = await Promise.all([
    pool ?? locatePool(mint, programAddress),
    ...configVersions.map((version) => locateConfig(version, programAddress)),
  ]);
  return [poolAddress, mint, ...locatePriceAndClock(deployment), ...configAddresses];
}

/** Checks and decodes the accounts at {@link SnapshotAddresses}, in their order. */
export function snapshotFrom(
  [pool, mintAccount, priceFeed, clock, ...configs]: readonly (RawAccount | undefined)[],
  [poolAddress, mint, , , ...configAddresses]: SnapshotAddresses,
  {
    isStandard,
    configVersions,
  }: { readonly isStandard: boolean; readonly configVersions: readonly number[] },
  deployment: Deployment,
): FetchedPoolSnapshot {
  const { programAddress } = deployment;
  assertPool(pool, poolAddress, programAddress, isStandard ? mint : undefined);
  const readAddress = (offset: number) => addressAt(pool.data, offset);
  const kind = poolKindOf(view(pool.data));
  if (isStandard && kind !== 'standard') throw poolKindMismatch('standard', kind);
  const actualVersion = view(pool.data).getUint16(POOL.protocolConfigVersion, true);
  const version = configVersions.indexOf(actualVersion);
  const configAddress = version < 0 ? undefined : configAddresses[version];
  if (configAddress === undefined) {
    const [only, ...others] = configVersions;
    throw configVersionMismatch(
      actualVersion,
      others.length === 0 && only !== undefined ? only : configVersions.join(' or '),
    );
  }
  const actualMint = readAddress(POOL.tokenAMint);
  if (actualMint !== mint) throw poolMintMismatch(poolAddress, actualMint, mint);
  const tokenBMint = readAddress(POOL.tokenBMint);
  if (tokenBMint !== WRAPPED_SOL_MINT_ADDRESS) {
    throw invalidAccount(POOL.name, `its token B is ${tokenBMint}, not wrapped SOL`, poolAddress);
  }
  if (readAddress(POOL.protocolConfig) !== configAddress) {
    throw invalidAccount(
      POOL.name,
      `its protocol config is not the one of version ${actualVersion}, ${configAddress}`,
      poolAddress,
    );
  }

  const protocolConfig = configs[version];
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

const addressesRead = /* @__PURE__ */ createRecent<Address>(16_384);

/** An address in an account's data. Those read lately are remembered (bounded): base58 costs some 8 microseconds. */
function addressAt(data: Uint8Array, offset: number): Address {
  const key = String.fromCharCode(...data.subarray(offset, offset + 32));
  let address = addressesRead.get(key);
  if (address === undefined) {
    address = getAddressDecoder().decode(data, offset);
    addressesRead.set(key, address);
  }
  return address;
}

/** Refuses what is no pool. `mint` is the token whose standard pool was looked for. */
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
  openAccount(POOL, pool.data, address);
}

/** Refuses what is no price feed. */
export const assertPriceFeed: (
  feed: RawAccount | undefined,
  deployment: Deployment,
) => asserts feed is RawAccount = (feed, { solUsdFeed, chainlinkProgram }) =>
  assertDerived(feed, solUsdFeed, chainlinkProgram, FEED);

/** Refuses what is no clock. */
export const assertClock: (clock: RawAccount | undefined) => asserts clock is RawAccount = (clock) =>
  assertDerived(clock, CLOCK_SYSVAR_ADDRESS, SYSVAR_PROGRAM_ADDRESS, CLOCK);

/** Refuses what is no protocol config. */
export function assertConfig(
  config: RawAccount | undefined,
  address: Address,
  programAddress: Address,
): asserts config is RawAccount {
  assertDerived(config, address, programAddress, CONFIG);
}

/** The pool trades another token than the one at hand. */
export const poolMintMismatch = (pool: Address, expected: Address, actual: Address) =>
  new HeavenError('pool-mint-mismatch', `The pool ${pool} trades the token ${expected}, not ${actual}.`, {
    expected,
    actual,
  });

/** The pool is of another kind than the function is for. */
export const poolKindMismatch = (expected: PoolSnapshot['kind'], actual: string) =>
  new HeavenError(
    'pool-kind-mismatch',
    `This is a ${actual} pool, and the function is for ${expected} pools. Use its ${actual} twin.`,
    { expected, actual },
  );

/**
 * Refuses a config with which no pools of this kind can be created for now.
 *
 * @throws {HeavenError} `pool-kind-mismatch`, `pool-creation-disabled`
 */
export function assertCreationAllowed(config: ProtocolConfig, kind: PoolSnapshot['kind']): void {
  assertConfigKind(config, kind);
  if (config.allowCreatePool !== 0) return;
  const { version: configVersion } = config;
  throw new HeavenError(
    'pool-creation-disabled',
    `No pools can be created with config version ${configVersion} for now. Use another version, or wait.`,
    { configVersion },
  );
}

/**
 * Refuses a config for pools of the other kind.
 *
 * @throws {HeavenError} `pool-kind-mismatch`
 */
export function assertConfigKind(config: ProtocolConfig, kind: PoolSnapshot['kind']): void {
  const { supportedPoolType, version } = config;
  if (supportedPoolType === LiquidityPoolType[kind === 'pro' ? 'Pro' : 'Standard']) return;
  const actual = kind === 'pro' ? 'standard' : 'pro';
  const advice =
    kind === 'pro' ? 'A pro pool is created with 3.' : 'A launch uses 1 (community) or 2 (creator).';
  throw new HeavenError('pool-kind-mismatch', `Config version ${version} is for ${actual} pools. ${advice}`, {
    expected: kind,
    actual,
  });
}
