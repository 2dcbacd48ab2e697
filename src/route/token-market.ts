import type { Address } from '@solana/kit';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../base/errors.js';
import { assertWhole, invalidInput } from '../base/input.js';
import { snapshotAddresses } from '../pool/addresses.js';
import { assertPairedWithSol, type FetchedPoolSnapshot, snapshotFrom } from '../pool/check.js';
import { assertPoolKind } from '../pool/decode.js';
import { POOL } from '../pool/layout.js';
import { assertConfigVersion, findPoolAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { type FoundPool, findPools } from '../reads/find-pools.js';
import { view } from '../solana/account-data.js';
import { type AddressInput, addressIn, assertAddress } from '../solana/addresses.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** The pools of a token, and how many of them to quote. */
export interface TokenPools {
  /** The token. */
  readonly mint: AddressInput;
  /**
   * The pro pools that you already know, such as from {@link findPools}: nothing is searched then, and all are quoted. At most 40. Pass
   * an empty list to use the standard pool only.
   */
  readonly pools?: readonly KnownPool[] | null | undefined;
  /** The maximum number of found pools to quote: the standard pool, then those with the most SOL. From 1 to 40, default 16. */
  readonly maxPools?: number | null | undefined;
}

/** A pool that the caller knows. A {@link FoundPool} is one. */
export type KnownPool = Pick<FoundPool, 'address' | 'configVersion'>;

/** Identifies one of a token's pools. */
export interface PoolOfToken {
  readonly pool: Address;
  readonly kind: 'standard' | 'pro';
}

/** A pool that was not quoted: `maxPools` others have more SOL. */
export interface LeftOutPool extends PoolOfToken {
  /** The SOL in its reserve, in lamports. */
  readonly lamports: bigint;
}

const DEFAULT_MAX_POOLS = 16;

/** Each pool adds its own account and its config to the call that reads them all. */
const MAX_POOLS = 40;

/** The config versions of standard pools: a standard pool is known by its mint alone. */
const STANDARD_CONFIG_VERSIONS = [1, 2] as const;

/** A pool to be read. */
interface Candidate extends PoolOfToken {
  readonly configVersions: readonly number[];
}

/** A pool as it was read. */
export interface ReadPool extends PoolOfToken {
  readonly snapshot: FetchedPoolSnapshot;
}

/** A pool that can't be read, or rejects the trade. */
export interface RefusedPool extends PoolOfToken {
  readonly error: AnyHeavenError;
}

/** Which pools of a token to consider, checked. */
interface Search {
  readonly mint: Address;
  readonly pools: readonly KnownPool[] | undefined;
  readonly maxPools: number;
}

/** Which pools to read, and which not to. */
export interface Candidates {
  readonly toRead: readonly Candidate[];
  /** Pools not paired with SOL. What they hold instead may be worthless, so its amount does not rank them. */
  readonly refused: readonly RefusedPool[];
  readonly leftOut: readonly LeftOutPool[];
}

/** The pools of a token at one time. */
export interface TokenMarket {
  readonly pools: readonly ReadPool[];
  readonly refused: readonly RefusedPool[];
  readonly leftOut: readonly LeftOutPool[];
}

/** Checks which pools the caller asks for. */
export function searchOf({ mint, pools, maxPools }: TokenPools): Search {
  const most = maxPools ?? DEFAULT_MAX_POOLS;
  assertWhole('maxPools', most, [1, MAX_POOLS]);
  return {
    mint: addressIn(mint, 'mint'),
    pools: pools === undefined || pools === null ? undefined : assertPools(pools),
    maxPools: most,
  };
}

/** Returns which pools to read: the standard pool and the given pro pools, or those found with the most SOL. */
export async function findCandidates(
  client: HeavenClient,
  { mint, pools, maxPools }: Search,
  options: RequestOptions,
): Promise<Candidates> {
  const standardPool = await findPoolAddress({ mint }, client.deployment);
  const found = pools === undefined ? await search(client, { mint, ...options }) : [];
  const versions = new Map((pools ?? found).map(({ address, configVersion }) => [address, configVersion]));
  const standardVersion = versions.get(standardPool) ?? STANDARD_CONFIG_VERSIONS[0];
  versions.delete(standardPool);
  const standard: Candidate = {
    pool: standardPool,
    kind: 'standard',
    configVersions: [...new Set([...STANDARD_CONFIG_VERSIONS, standardVersion])],
  };
  const pro = (pool: Address): Candidate => ({
    pool,
    kind: 'pro',
    configVersions: [versions.get(pool) as number],
  });
  if (pools !== undefined)
    return { toRead: [standard, ...[...versions.keys()].map(pro)], refused: [], leftOut: [] };

  const refused: RefusedPool[] = [];
  const ranked: LeftOutPool[] = [];
  for (const { address: pool, data } of found) {
    if (pool === standardPool) continue;
    try {
      assertPairedWithSol(data, pool);
      ranked.push({ pool, kind: 'pro', lamports: view(data).getBigUint64(POOL.reserveB, true) });
    } catch (error) {
      refused.push({ pool, kind: 'pro', error: ours(error) });
    }
  }
  ranked.sort(byLiquidity);
  const kept = ranked.slice(0, maxPools - 1).map(({ pool }) => pro(pool));
  return { toRead: [standard, ...kept], refused, leftOut: ranked.slice(maxPools - 1) };
}

function assertPools(pools: readonly KnownPool[]): readonly KnownPool[] {
  if (!Array.isArray(pools) || pools.length > MAX_POOLS)
    throw invalidInput('pools', pools, `an array of at most ${MAX_POOLS} pools`);
  for (const [index, pool] of pools.entries()) {
    assertAddress(pool?.address, `pools[${index}].address`);
    assertConfigVersion(pool.configVersion, `pools[${index}].configVersion`);
  }
  return pools.map(({ address, configVersion }) => ({ address, configVersion }));
}

/** Finds every pool of the token. If the node does not search, the error says what to do instead. */
async function search(
  client: HeavenClient,
  input: RequestOptions & { readonly mint: Address },
): Promise<readonly FoundPool[]> {
  try {
    return await findPools(client, input);
  } catch (cause) {
    if (!isHeavenError(cause, 'rpc-method-unsupported')) throw cause;
    throw new HeavenError(
      cause.code,
      `${cause.message} Or pass the pro pools that you know as pools, which spares the search; pools: [] quotes the standard pool only.`,
      cause.context,
      { cause },
    );
  }
}

/** Reads the pools in one call. A problem with one pool becomes that pool's error. */
export async function readMarket(
  client: HeavenClient,
  mint: Address,
  candidates: Candidates,
  options: RequestOptions,
): Promise<TokenMarket> {
  const { deployment } = client;
  const located = await Promise.all(
    candidates.toRead.map(async ({ pool, kind, configVersions }) => {
      const source = { configVersions, mint, pool: kind === 'standard' ? undefined : pool };
      return { pool, kind, source, addresses: await snapshotAddresses(deployment, source) };
    }),
  );
  const wanted = new Set(located.flatMap(({ addresses }) => addresses));
  const accounts = await fetchAccounts(client, [...wanted], options);
  const byAddress = new Map(accounts.map((account) => [account?.address, account]));
  const pools: ReadPool[] = [];
  const refused: RefusedPool[] = [];
  for (const { pool, kind, source, addresses } of located) {
    try {
      const raw = addresses.map((address) => byAddress.get(address));
      const snapshot = snapshotFrom(raw, addresses, source, deployment);
      assertPoolKind(kind, snapshot.kind);
      pools.push({ pool, kind, snapshot });
    } catch (error) {
      refused.push({ pool, kind, error: ours(error) });
    }
  }
  return { pools, refused: [...refused, ...candidates.refused], leftOut: candidates.leftOut };
}

export const byAddress = (a: PoolOfToken, b: PoolOfToken) => (a.pool < b.pool ? -1 : 1);
const byLiquidity = (a: LeftOutPool, b: LeftOutPool) =>
  a.lamports === b.lamports ? byAddress(a, b) : a.lamports > b.lamports ? -1 : 1;

/** Rethrows an error that is not this library's own: it is a bug here, and must not be hidden. */
export function ours(error: unknown): AnyHeavenError {
  if (!isHeavenError(error)) throw error;
  return error;
}
