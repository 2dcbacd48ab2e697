import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { decodedOnce, fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import { type PoolLocator, type SnapshotSource, snapshotAddresses, sourceOf } from './addresses.js';
import { type FetchedPoolSnapshot, snapshotFrom } from './snapshot.js';

/**
 * Reads everything that a quote needs in one call: the pool, its config, the mint, the price feed and the clock.
 * @throws {HeavenError} `invalid-address`, `invalid-input`, `pool-not-found`, `account-not-found`,
 * `invalid-account-data`, `pool-mismatch`,
 * `price-unavailable`, and the `rpc-…` codes
 * @example
 * ```ts
 * const snapshot = await fetchPoolSnapshot(client, { configVersion: 2, mint });
 * const { amountOut } = computeSell(toSwapState(snapshot), 1_000_000_000n);
 * ```
 */
export async function fetchPoolSnapshot(
  client: HeavenClient,
  input: PoolLocator & RequestOptions,
): Promise<FetchedPoolSnapshot> {
  return (await fetchPool(client, poolRequest(input), [])).snapshot;
}

/** {@link PoolLocator} for {@link fetchPool}. */
export const poolRequest = (input: PoolLocator & RequestOptions) => ({
  ...sourceOf(input),
  abortSignal: input.abortSignal,
});

/** {@link fetchPoolSnapshot}, also with more accounts and with several candidates for the config version. */
export async function fetchPool(
  client: HeavenClient,
  { abortSignal, ...source }: SnapshotSource & RequestOptions,
  more: readonly Address[],
): Promise<{ readonly snapshot: FetchedPoolSnapshot; readonly more: readonly (RawAccount | undefined)[] }> {
  const { programAddress, chainlinkProgram } = client.deployment;
  const read = await snapshotAddresses(client.deployment, source);
  const accounts = await fetchAccounts(client, [...read, ...more], { abortSignal });
  const isStandard = source.pool === undefined;
  const snapshot = decodedOnce(
    accounts,
    `${isStandard} ${source.configVersions} ${programAddress} ${chainlinkProgram}`,
    () => snapshotFrom(accounts, read, source, client.deployment),
  );
  return { snapshot, more: accounts.slice(read.length) };
}
