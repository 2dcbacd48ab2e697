import { type Address, type Base58EncodedBytes, getBase58Decoder, getBase64Encoder } from '@solana/kit';
import type { BuiltTransaction } from '../build/assemble.js';
import { type Deployment, type HeavenClient, invalidResponse, type RequestOptions, send } from '../client.js';
import { type FoundPool, findPools } from '../data/find-pools.js';
import { isHeavenError } from '../errors.js';
import { decodeClock } from '../pool/decode.js';
import { fetchAccounts, type RawAccount } from '../pool/fetch.js';
import { FEED } from '../pool/layout.js';
import {
  decodeProtocolConfig,
  decodeUserLpPosition,
  type ProtocolConfig,
  type UserLpPosition,
  userLpPositionDeclaration,
} from '../program/accounts.js';
import { findAssociatedTokenAddress, findProtocolConfigAddress } from '../program/addresses.js';
import {
  CLOCK_SYSVAR_ADDRESS,
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from '../program/constants.js';
import { type FailedSimulation, simulate } from '../review/simulate.js';
import { openAccount } from '../solana/account-data.js';
import { hexBytes } from '../solana/define-instruction.js';
import { readTokenAccount } from '../solana/token-account.js';

export const VERSIONS = [1, 2, 3] as const;
export const MOST_POOLS = 8;
const MOST_WALLETS = 90;
/** Pays for a trade, rent and fees. */
const ENOUGH_LAMPORTS = 200_000_000n;

export interface Base {
  readonly configs: ReadonlyMap<number, ProtocolConfig>;
  readonly deployment: Deployment;
  readonly slot: bigint;
  readonly table: RawAccount | undefined;
}

export async function readBase(client: HeavenClient, options: RequestOptions): Promise<Base> {
  const { deployment } = client;
  const { programAddress, solUsdFeed } = deployment;
  const addresses = await Promise.all(
    VERSIONS.map((version) => findProtocolConfigAddress({ version }, { programAddress })),
  );
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
  // A feed of another program is read through that program.
  const isFeed = feed !== undefined && valid(() => openAccount(FEED, feed.data)) !== undefined;
  return {
    configs,
    table,
    slot: decodeClock(clock.data).slot,
    deployment: isFeed ? { ...deployment, chainlinkProgram: feed.owner } : deployment,
  };
}

/** What is valid, or nothing. */
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

/** What the check works with. A list that could not be read is empty, and its reason says why. */
export interface Scene {
  readonly client: HeavenClient;
  readonly base: Base;
  readonly options: RequestOptions;
  readonly proPools: readonly FoundPool[];
  readonly proReason: string | undefined;
  readonly positions: readonly Position[];
  readonly positionReason: string | undefined;
  readonly standardPools: readonly FoundPool[];
  /** Wallets that could pay for a transaction. */
  readonly wallets: readonly Address[];
}

export async function survey(
  client: HeavenClient,
  base: Base,
  mints: readonly Address[],
  given: readonly Address[],
  options: RequestOptions,
): Promise<Scene> {
  const [pro, positions, ...standard] = await Promise.all([
    attempt(() => findPools(client, { kind: 'pro', ...options })),
    attempt(() => findPositions(client, options)),
    ...mints.map((mint) => attempt(() => findPools(client, { kind: 'standard', mint, ...options }))),
  ]);
  const proPools = pro.value ?? [];
  const found = positions.value ?? [];
  const standardPools = standard.flatMap(({ value }) => value ?? []);
  const candidates = [
    ...new Set([
      ...given,
      ...proPools.slice(0, MOST_WALLETS / 3).map(({ creator }) => creator),
      ...standardPools.slice(0, MOST_WALLETS / 3).map(({ creator }) => creator),
      ...found.slice(0, MOST_WALLETS / 3).map(({ fields }) => fields.user),
    ]),
  ].slice(0, MOST_WALLETS);
  const { value: wallets = [] } = await attempt(() => fundedWallets(client, candidates, options));
  return {
    client,
    base,
    options,
    proPools,
    proReason: pro.reason,
    positions: found,
    positionReason: positions.reason,
    standardPools,
    wallets,
  };
}

/** A value, or why there is none. Nothing but the caller's own abort ends the check. */
export async function attempt<T>(
  make: () => Promise<T>,
): Promise<{ readonly value?: T; readonly reason?: string }> {
  try {
    return { value: await make() };
  } catch (error) {
    if (!isHeavenError(error) || isHeavenError(error, 'aborted')) throw error;
    return { reason: error.message.replace(/\.$/, '') };
  }
}

async function findPositions(client: HeavenClient, options: RequestOptions): Promise<readonly Position[]> {
  const method = 'getProgramAccounts';
  const discriminator = hexBytes(userLpPositionDeclaration.discriminator);
  const request = client.rpc.getProgramAccounts(client.deployment.programAddress, {
    commitment: client.commitment,
    encoding: 'base64',
    filters: [
      {
        memcmp: {
          offset: 0n,
          bytes: getBase58Decoder().decode(discriminator) as Base58EncodedBytes,
          encoding: 'base58',
        },
      },
    ],
  });
  const response: unknown = await send(client, method, request, options);
  if (!Array.isArray(response)) throw invalidResponse(method, 'it is no list of accounts');
  return response.map(
    (entry: { pubkey?: Address; account?: { data?: readonly unknown[] } } | null, index) => {
      const text = entry?.account?.data?.[0];
      if (typeof entry?.pubkey !== 'string' || typeof text !== 'string')
        throw invalidResponse(method, `account ${index} has no address or no data`);
      const data = Uint8Array.from(getBase64Encoder().encode(text));
      return { address: entry.pubkey, fields: decodeUserLpPosition(data, entry.pubkey) };
    },
  );
}

async function fundedWallets(client: HeavenClient, candidates: readonly Address[], options: RequestOptions) {
  if (candidates.length === 0) return [];
  const accounts = await fetchAccounts(client, candidates, options);
  return candidates.filter((_, index) => {
    const { owner, lamports = 0n } = accounts[index] ?? {};
    return owner === SYSTEM_PROGRAM_ADDRESS && lamports >= ENOUGH_LAMPORTS;
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
      /** It got as far as the exchange, which only the embedded ledger can then not run. */
      readonly isPastChecks?: boolean;
    };

const NOT_ENOUGH = 1;

/** Builds and simulates. What says nothing of the exchange (no money, a node's trouble) is no outcome. */
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
  const { instructionIndex, code } = error;
  const exchange = client.deployment.programAddress;
  const isMissing = isMissingProgram(error);
  if (
    instructionIndex === undefined ||
    code === undefined ||
    isMissing ||
    (code === NOT_ENOUGH && error.programAddress !== exchange)
  ) {
    const isPastChecks = isMissing && built.instructions[instructionIndex ?? -1]?.programAddress === exchange;
    return { kind: 'none', reason: error.message.replace(/\.$/, ''), isPastChecks };
  }
  return { kind: 'failed', error, logs };
}

/** The cluster, or the embedded ledger, does not run that program. */
const isMissingProgram = ({ message }: FailedSimulation['error']) =>
  /: (UnsupportedProgramId|ProgramAccountNotFound|InvalidProgramForExecution)/.test(message);

export const codeOf = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.error.code : undefined);
export const wordsOf = (outcome: Outcome) =>
  outcome.kind === 'ok'
    ? 'it succeeds'
    : outcome.kind === 'none'
      ? outcome.reason
      : outcome.error.message.replace(/\.$/, '');

/** A code of the Anchor framework: an account or an argument is not what it must be. */
export const isFrameworkCode = (code: number) => code >= 100 && code < 6000;
