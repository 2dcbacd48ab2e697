import type { Address, Base58EncodedBytes } from '@solana/kit';

import type { HeavenClient } from '../../client.js';
import { HeavenError } from '../../errors.js';
import { assertWhole } from '../../input.js';
import { POOL } from '../../pool/layout.js';
import {
  decodeLiquidityPoolState,
  liquidityPoolStateDeclaration,
  userLpPositionDeclaration,
} from '../../program/accounts.js';
import { findPoolAddress } from '../../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../../program/constants.js';
import { LiquidityPoolType } from '../../program/types.js';
import { assertAddress, isValidAddress } from '../../solana/addresses.js';
import { base58Text, bytesOfAddress } from '../../solana/base58.js';
import { hexBytes } from '../../solana/discriminator.js';
import { MAX_ACCOUNTS_PER_CALL } from '../../solana/limits.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../../solana/programs.js';
import { fetchAccounts, type RawAccount } from '../../solana/rpc/accounts.js';
import { invalidResponse } from '../../solana/rpc/faults.js';
import { type RequestOptions, send } from '../../solana/rpc/send.js';
import { DEFAULT_MINTS } from '../check-deployment.js';
import { attempt, configAddresses, valid } from '../scene.js';
import { checkSource, type ProofSource } from './source.js';
import {
  codeOf,
  PROGRAM_NAMES,
  type ProgramName,
  type ProofProgram,
  programFrom,
  programOf,
} from './source-programs.js';

/** What {@link downloadProofSource} downloads besides programs and configs. */
export interface DownloadProofSourceOptions extends RequestOptions {
  /** Pools by their addresses. */
  readonly pools?: readonly Address[] | undefined;
  /** Tokens whose standard pools to download. Without these and `pools`, it looks for some pools of each kind. */
  readonly mints?: readonly Address[] | undefined;
  /** The most pools to download, from 1 to 16. Default 8. */
  readonly maxPools?: number | undefined;
  /** An ELF file to prove instead of the exchange's own. */
  readonly program?: Uint8Array | undefined;
  /** Called at each step with a phrase that describes it. */
  readonly observe?: ((step: string) => void) | undefined;
}

const MOST_POOLS = 16;
/** The most LP positions to download per pro pool. */
const MOST_POSITIONS = 2;

/**
 * Downloads what a proof needs: the programs, the configs, the price feed, and some pools, all accounts at one slot.
 *
 * @throws {HeavenError} `invalid-input`, `invalid-address`, `invalid-program`, `account-not-found`, `account-owner-mismatch`,
 * `invalid-account-data`, and the `rpc-…` codes
 * @example
 * ```ts
 * const source = await downloadProofSource(client, { maxPools: 4 });
 * const { assumptions } = await proveProgram(source);
 * ```
 */
export async function downloadProofSource(
  client: HeavenClient,
  options: DownloadProofSourceOptions = {},
): Promise<ProofSource> {
  const { pools = [], mints = [], maxPools = 8, abortSignal, observe = () => {} } = options;
  for (const [index, pool] of pools.entries()) assertAddress(pool, `pools[${index}]`);
  for (const [index, mint] of mints.entries()) assertAddress(mint, `mints[${index}]`);
  assertWhole('maxPools', maxPools, [1, MOST_POOLS]);
  const { deployment } = client;
  const reasons: string[] = [];
  const { program } = options;
  const given = program === undefined ? undefined : await programOf(deployment.programAddress, program);
  const programs: Partial<Record<ProgramName, ProofProgram>> = {};
  for (const name of PROGRAM_NAMES) {
    observe(`reading the ${WORDS[name]}`);
    const found = name === 'exchange' && given ? given : await fetchProgram(client, name, { abortSignal });
    if (found === undefined) reasons.push(`there is no ${WORDS[name]} on this cluster`);
    else programs[name] = found;
  }
  observe('looking for pools');
  const isNamed = pools.length + mints.length > 0;
  const chosen = isNamed
    ? [...pools, ...(await standardPools(client, mints))]
    : await findSome(client, maxPools, reasons, { abortSignal });
  observe('reading the accounts');
  const download = { chosen: chosen.slice(0, maxPools), programs, reasons };
  return await readAccounts(client, download, { abortSignal });
}

const WORDS: Readonly<Record<ProgramName, string>> = {
  exchange: "exchange's program",
  chainlink: 'Chainlink store program',
  metadata: 'Token Metadata program',
};

async function fetchProgram(
  client: HeavenClient,
  name: ProgramName,
  options: RequestOptions,
): Promise<ProofProgram | undefined> {
  const { programAddress, chainlinkProgram } = client.deployment;
  const address = {
    exchange: programAddress,
    chainlink: chainlinkProgram,
    metadata: TOKEN_METADATA_PROGRAM_ADDRESS,
  }[name];
  const [account] = await fetchAccounts(client, [address], options);
  if (account === undefined) {
    if (name !== 'exchange') return undefined;
    throw new HeavenError(
      'account-not-found',
      `There is no program ${address} on this cluster. Check the cluster and the deployment.`,
      { account: 'program', address },
    );
  }
  const code = codeOf(account);
  if ('elf' in code) return await programOf(address, code.elf);
  const [programData] = await fetchAccounts(client, [code.programData], options);
  return await programFrom(address, code.programData, programData);
}

const standardPools = (client: HeavenClient, mints: readonly Address[]): Promise<readonly Address[]> =>
  Promise.all(
    mints.map((mint) => findPoolAddress({ mint }, { programAddress: client.deployment.programAddress })),
  );

/** Some pools of each kind. If the node can't list accounts, only the default tokens' pools. */
async function findSome(
  client: HeavenClient,
  most: number,
  reasons: string[],
  options: RequestOptions,
): Promise<readonly Address[]> {
  const found: Address[] = [...(await standardPools(client, DEFAULT_MINTS))];
  const kinds = [
    ['pro', 3],
    ['standard', 2],
    ['standard', 1],
  ] as const;
  const each = Math.max(1, Math.floor((most - found.length) / kinds.length));
  for (const [kind, version] of kinds) {
    const type = LiquidityPoolType[kind === 'pro' ? 'Pro' : 'Standard'];
    const place = Uint8Array.of(version, 0, type);
    const { value, reason = '' } = await attempt(() =>
      listAddresses(client, [DISCRIMINATOR_OF_POOLS, [POOL.protocolConfigVersion, place]], options),
    );
    if (value === undefined) reasons.push(`no ${kind} pools of config ${version} were looked for: ${reason}`);
    else if (value.length === 0) reasons.push(`there is no ${kind} pool of config ${version}`);
    else found.push(...value.filter((address) => !found.includes(address)).slice(0, each));
  }
  return found;
}

type Filter = readonly [offset: number, bytes: Uint8Array];
const DISCRIMINATOR_OF_POOLS: Filter = [0, hexBytes(liquidityPoolStateDeclaration.discriminator)];

/** The sorted addresses of the exchange's accounts with these bytes. Their contents are read and checked later. */
async function listAddresses(
  client: HeavenClient,
  filters: readonly Filter[],
  options: RequestOptions,
): Promise<readonly Address[]> {
  const method = 'getProgramAccounts';
  const request = client.rpc.getProgramAccounts(client.deployment.programAddress, {
    commitment: client.commitment,
    encoding: 'base64',
    dataSlice: { offset: 0, length: 0 },
    filters: filters.map(([offset, bytes]) => ({
      memcmp: { offset: BigInt(offset), bytes: base58Text(bytes) as Base58EncodedBytes, encoding: 'base58' },
    })),
  });
  const response: unknown = await send(client, method, request, options);
  if (!Array.isArray(response)) throw invalidResponse(method, 'it is not a list of accounts');
  const addresses = response.map((entry, index) => {
    const { pubkey } = (entry ?? {}) as { readonly pubkey?: unknown };
    if (!isValidAddress(pubkey)) throw invalidResponse(method, `account ${index} has no address`);
    return pubkey;
  });
  return [...new Set(addresses)].sort();
}

interface Chosen {
  readonly chosen: readonly Address[];
  readonly programs: ProofSource['programs'];
  readonly reasons: string[];
}

/** Reads everything again in one call, so it comes from one slot. */
async function readAccounts(
  client: HeavenClient,
  { chosen, programs, reasons }: Chosen,
  options: RequestOptions,
): Promise<ProofSource> {
  const { deployment } = client;
  const fixed = [
    CLOCK_SYSVAR_ADDRESS,
    RENT_SYSVAR_ADDRESS,
    deployment.solUsdFeed,
    COMMUNITY_LOOKUP_TABLE_ADDRESS,
    ...(await configAddresses(deployment)),
  ];
  const pools = [...new Set(chosen)];
  const held = await fetchAccounts(client, pools, options);
  const behind = held.flatMap((account) => (account === undefined ? [] : accountsBehind(account)));
  const positions: Address[] = [];
  for (const account of held) {
    if (account === undefined || account.data[POOL.type] !== LiquidityPoolType.Pro) continue;
    const { value, reason = '' } = await attempt(() =>
      listAddresses(
        client,
        [
          [0, hexBytes(userLpPositionDeclaration.discriminator)],
          [8, bytesOfAddress(account.address)],
        ],
        options,
      ),
    );
    if (value === undefined) reasons.push(`no LP positions of ${account.address} were looked for: ${reason}`);
    else positions.push(...value.slice(0, MOST_POSITIONS));
  }
  const wanted = [...new Set([...fixed, ...pools, ...behind, ...positions])];
  const accounts = await fetchAccounts(client, wanted.slice(0, MAX_ACCOUNTS_PER_CALL), options);
  const there = accounts.filter((account) => account !== undefined);
  if (!there.some(({ address }) => address === COMMUNITY_LOOKUP_TABLE_ADDRESS))
    reasons.push(`there is no lookup table ${COMMUNITY_LOOKUP_TABLE_ADDRESS}`);
  return await checkSource({ deployment, programs, accounts: there, pools, reasons });
}

/** The mint and vaults of a pool. Nothing for any other account: `checkSource` reports it. */
function accountsBehind({ address, data }: RawAccount): readonly Address[] {
  const pool = valid(() => decodeLiquidityPoolState(data, address));
  return pool === undefined ? [] : [pool.tokenA.mint, pool.tokenAVault, pool.tokenBVault];
}
