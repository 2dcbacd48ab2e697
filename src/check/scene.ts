import type { Address } from '@solana/kit';

import { allInstructions, type BuiltTransaction } from '../build/assemble.js';
import type { Deployment, HeavenClient } from '../client.js';
import { type FoundPool, fetchProgramAccounts, findPools } from '../data/find-pools.js';
import { isHeavenError } from '../errors.js';
import { decodeClock } from '../pool/decode.js';
import { FEED } from '../pool/layout.js';
import {
  decodeProtocolConfig,
  decodeUserLpPosition,
  type ProtocolConfig,
  type UserLpPosition,
  userLpPositionDeclaration,
} from '../program/accounts.js';
import { findProtocolConfigAddress } from '../program/addresses.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../program/constants.js';
import { type FailedSimulation, simulate } from '../review/simulate.js';
import { openAccount } from '../solana/account-data.js';
import { findAssociatedTokenAddress } from '../solana/derived-addresses.js';
import { hexBytes } from '../solana/discriminator.js';
import { CLOCK_SYSVAR_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from '../solana/programs.js';
import { fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import { invalidResponse } from '../solana/rpc/faults.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { readTokenAccount } from '../solana/token-account.js';

export const VERSIONS = [1, 2, 3] as const;
export const MOST_POOLS = 8;
/** How often to retry when somebody trades during a simulation. */
export const MOST_ATTEMPTS = 3;
const MOST_WALLETS = 90;
/** Enough lamports for a trade, rent and fees. */
const ENOUGH_LAMPORTS = 200_000_000n;
/** Enough lamports for a trade of 5 SOL, rent and fees. */
const ENOUGH_FOR_LARGE = 5_200_000_000n;

interface Base {
  readonly configs: ReadonlyMap<number, ProtocolConfig>;
  readonly deployment: Deployment;
  readonly slot: bigint;
  readonly table: RawAccount | undefined;
}

export async function readBase(client: HeavenClient, options: RequestOptions): Promise<Base> {
  const { deployment } = client;
  const { programAddress, solUsdFeed } = deployment;
  const addresses = await configAddresses(deployment);
  const [clock, feed, table, ...accounts] = await fetchAccounts(
    client,
    [CLOCK_SYSVAR_ADDRESS, solUsdFeed, COMMUNITY_LOOKUP_TABLE_ADDRESS, ...addresses],
    options,
  );
  const configs = new Map<number, ProtocolConfig>();
  for (const [index, version] of VERSIONS.entries()) {
    const account = accounts[index];
    if (account?.owner !== programAddress) continue;
    const config = valid(() => decodeProtocolConfig(account.data, account.address));
    if (config?.version === version) configs.set(version, config);
  }
  if (clock === undefined) throw invalidResponse('getMultipleAccounts', 'it holds no clock');
  // If another program owns the feed, use that program as the oracle.
  const isFeed = feed !== undefined && valid(() => openAccount(FEED, feed.data)) !== undefined;
  return {
    configs,
    table,
    slot: decodeClock(clock.data).slot,
    deployment: isFeed ? { ...deployment, chainlinkProgram: feed.owner } : deployment,
  };
}

/** The addresses of the configs, in the order of {@link VERSIONS}. */
export const configAddresses = ({ programAddress }: Deployment): Promise<readonly Address[]> =>
  Promise.all(VERSIONS.map((version) => findProtocolConfigAddress({ version }, { programAddress })));

/** The decoded value, or `undefined` if it is invalid. */
export function valid<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (isHeavenError(error)) return undefined;
    throw error;
  }
}

interface Position {
  readonly address: Address;
  readonly fields: UserLpPosition;
}

/** The accounts that the check uses. A list that can't be read is empty, with a reason. */
export interface Scene {
  readonly client: HeavenClient;
  readonly base: Base;
  readonly options: RequestOptions;
  readonly proPools: readonly FoundPool[];
  readonly proReason: string | undefined;
  readonly positions: readonly Position[];
  readonly positionReason: string | undefined;
  readonly standardPools: readonly FoundPool[];
  /** Wallets with enough SOL for a transaction. */
  readonly wallets: readonly Address[];
  /** Wallets with enough SOL for a trade of 5 SOL. */
  readonly largeWallets: readonly Address[];
}

export async function survey(
  client: HeavenClient,
  base: Base,
  mints: readonly Address[],
  given: readonly Address[],
  options: RequestOptions,
): Promise<Scene> {
  const [pro, held, ...standard] = await Promise.all([
    attempt(() => findPools(client, { kind: 'pro', ...options })),
    attempt(() => findPositions(client, options)),
    ...mints.map((mint) => attempt(() => findPools(client, { kind: 'standard', mint, ...options }))),
  ]);
  const { value: proPools = [], reason: proReason } = pro;
  const { value: positions = [], reason: positionReason } = held;
  const standardPools = standard.flatMap(({ value }) => value ?? []);
  const likely = [
    proPools.map(({ creator }) => creator),
    standardPools.map(({ creator }) => creator),
    positions.map(({ fields }) => fields.user),
  ].flatMap((wallets) => wallets.slice(0, MOST_WALLETS / 3));
  const candidates = [...new Set([...given, ...likely])].slice(0, MOST_WALLETS);
  const { value: funded = [] } = await attempt(() => fundedWallets(client, candidates, options));
  const wallets = funded.map(({ address }) => address);
  const largeWallets = funded.flatMap(({ address, lamports }) =>
    lamports >= ENOUGH_FOR_LARGE ? [address] : [],
  );
  const found = { proPools, proReason, positions, positionReason, standardPools };
  return { client, base, options, ...found, wallets, largeWallets };
}

/** A value, or the reason why there is none. Only the caller's own abort ends the check. */
export async function attempt<T>(
  make: () => Promise<T>,
): Promise<{ readonly value?: T; readonly reason?: string }> {
  try {
    return { value: await make() };
  } catch (error) {
    if (!isHeavenError(error) || isHeavenError(error, 'aborted')) throw error;
    return { reason: sentence(error) };
  }
}

/** An error's message without the full stop, to embed in a sentence. */
export const sentence = ({ message }: { readonly message: string }) => message.replace(/\.$/, '');

async function findPositions(client: HeavenClient, options: RequestOptions): Promise<readonly Position[]> {
  const discriminator = { offset: 0, bytes: hexBytes(userLpPositionDeclaration.discriminator) };
  const accounts = await fetchProgramAccounts(client, [discriminator], options);
  return accounts.map(({ address, data }) => ({ address, fields: decodeUserLpPosition(data, address) }));
}

async function fundedWallets(client: HeavenClient, candidates: readonly Address[], options: RequestOptions) {
  if (candidates.length === 0) return [];
  const accounts = await fetchAccounts(client, candidates, options);
  return candidates.flatMap((address, index) => {
    const { owner, lamports = 0n } = accounts[index] ?? {};
    return owner === SYSTEM_PROGRAM_ADDRESS && lamports >= ENOUGH_LAMPORTS ? [{ address, lamports }] : [];
  });
}

export const NO_WALLET = 'no wallet with enough SOL was found to simulate with: name one';

/** A funded wallet that holds a token in its associated account. */
export async function holderOf(
  { client, wallets, options }: Scene,
  mint: Address,
  tokenProgram: Address,
): Promise<Address | undefined> {
  if (wallets.length === 0) return undefined;
  const accounts = await Promise.all(
    wallets.map((owner) => findAssociatedTokenAddress({ owner, mint, tokenProgram })),
  );
  const { value = [] } = await attempt(() => fetchAccounts(client, accounts, options));
  return wallets.find((_, index) => {
    const account = value[index];
    return account !== undefined && (readTokenAccount(account)?.amount ?? 0n) > 1_000_000n;
  });
}

export type Outcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly error: FailedSimulation['error']; readonly logs: readonly string[] }
  | {
      readonly kind: 'none';
      readonly reason: string;
      /** It passed the checks of the accounts, and failed only because a program is missing. */
      readonly isPastChecks?: boolean;
    };

const NOT_ENOUGH = 1;
/** The cluster or the embedded ledger doesn't have that program. */
export const MISSING_PROGRAM = /(UnsupportedProgramId|ProgramAccountNotFound|InvalidProgramForExecution)/;

/** Builds and simulates. Failures that say nothing about the exchange (no funds, a failing node) don't count as outcomes. */
export async function simulated(scene: Scene, build: () => Promise<BuiltTransaction>): Promise<Outcome> {
  const { client, options } = scene;
  const { value, reason = '' } = await attempt(async () => {
    const built = await build();
    return { built, simulation: await simulate(client, built, options) };
  });
  if (value === undefined) return { kind: 'none', reason };
  const { built, simulation } = value;
  if (simulation.ok) return { kind: 'ok' };
  const { error, logs } = simulation;
  const { instructionIndex = -1, code, programAddress } = error;
  const exchange = client.deployment.programAddress;
  const isMissing = MISSING_PROGRAM.test(error.message);
  const isMoney = code === NOT_ENOUGH && programAddress !== exchange;
  if (instructionIndex >= 0 && code !== undefined && !isMissing && !isMoney)
    return { kind: 'failed', error, logs };
  const isPastChecks = isMissing && allInstructions(built)[instructionIndex]?.programAddress === exchange;
  return { kind: 'none', reason: sentence(error), isPastChecks };
}

export const codeOf = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.error.code : undefined);

export function wordsOf(outcome: Outcome): string {
  if (outcome.kind === 'ok') return 'it succeeds';
  return outcome.kind === 'none' ? outcome.reason : sentence(outcome.error);
}

/** Whether a code is Anchor's own: an account or an argument is wrong. */
export const isFrameworkCode = (code: number) => code >= 100 && code < 6000;
