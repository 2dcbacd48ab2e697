import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { assertClient, assertHas, describe, invalidInput } from '../base/input.js';
import type { LiquidityPoolState } from '../program/accounts.js';
import { derivePoolAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { assertShape } from '../solana/account-data.js';
import { decodedOnce, type RawAccount } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import {
  assertLocator,
  candidatesOf,
  type PoolAddresses,
  type PoolCandidates,
  type PoolLocator,
  snapshotAddresses,
} from './addresses.js';
import { type ExpectedPool, type FetchedPoolSnapshot, snapshotFrom, stateFrom } from './check.js';
import { assertPoolKind, type PoolKind } from './decode.js';
import { fetchDecoded } from './explained.js';
import { CONFIG, POOL } from './layout.js';

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
  assertClient(client);
  assertLocator(input, 'input', { abortSignal: 1 });
  return (await fetchPool(client, candidatesOf(input), input)).snapshot;
}

/** {@link fetchPoolSnapshot} with checked addresses, also with several candidates for the config version and with more accounts. */
export async function fetchPool(
  client: HeavenClient,
  candidates: PoolCandidates,
  options: RequestOptions,
  more: readonly Address[] = [],
): Promise<{
  readonly snapshot: FetchedPoolSnapshot;
  readonly accounts: readonly (RawAccount | undefined)[];
}> {
  const { deployment } = client;
  const addresses = await snapshotAddresses(deployment, candidates);
  // Accounts know their own addresses. The rest of what decides how they are decoded is the key.
  const key = `${candidates.pool === undefined} ${candidates.configVersions} ${deployment.programAddress} ${deployment.chainlinkProgram}`;
  return await fetchDecoded(client, candidates, options, [...addresses, ...more], (accounts) => ({
    snapshot: decodedOnce(accounts, key, () => snapshotFrom(accounts, addresses, candidates, deployment)),
    accounts,
  }));
}

/** A snapshot that the caller already has. */
export interface GivenSnapshot {
  /** A snapshot that you already have, such as from a watch. The quote then makes no call, and is for the snapshot's slot. */
  readonly snapshot?: FetchedPoolSnapshot | null | undefined;
}

/** Returns the given snapshot, or reads one. Only the quote of a pro pool has the pool's address. */
export async function givenOrFetched(
  client: HeavenClient,
  { snapshot, abortSignal, ...locator }: PoolLocator & RequestOptions & GivenSnapshot,
): Promise<FetchedPoolSnapshot> {
  const found = snapshot
    ? assertSnapshotOf(locator, client, snapshot)
    : (await fetchPool(client, candidatesOf(locator), { abortSignal })).snapshot;
  if (locator.pool) assertPoolKind('pro', found.kind);
  return found;
}

/** Throws if a snapshot is not for the pool that it is used for, or lacks the accounts' data. */
export function assertSnapshotOf(
  { configVersion, mint, pool }: PoolLocator,
  { deployment }: HeavenClient,
  snapshot: FetchedPoolSnapshot,
): FetchedPoolSnapshot {
  const { addresses, kind, data } = snapshot;
  assertUsedFor('mint', mint, addresses.mint);
  assertUsedFor('configVersion', configVersion, snapshot.configVersion);
  assertUsedFor('programId', deployment.programAddress, addresses.programAddress);
  if (pool !== undefined && pool !== null) assertUsedFor('pool', pool, addresses.pool);
  else assertPoolKind('standard', kind);
  assertShape(POOL, data?.pool);
  assertShape(CONFIG, data?.protocolConfig);
  return snapshot;
}

/** Throws if a field of a quote or a snapshot does not match what it is used for. */
export function assertUsedFor(field: string, asked: unknown, found: unknown): void {
  if (asked === found) return;
  throw new HeavenError(
    'quote-mismatch',
    `${field} is ${describe(found)}, but it is used for ${describe(asked)}. Use a quote or snapshot of the same trade.`,
    { field, asked, found },
  );
}

/** Rejects what is not a snapshot, such as one that went through JSON: it has numbers where a bigint belongs. */
export function assertSnapshot(snapshot: FetchedPoolSnapshot, field: string): void {
  assertHas(snapshot, 'addresses', field, 'a snapshot of fetchPoolSnapshot or watchPool');
  const { window, token, solPrice } = snapshot;
  assertBigints(snapshot, AMOUNTS, field);
  assertBigints(window, ['slot', 'reserveA', 'reserveB'], `${field}.window`);
  assertBigints(token, ['supply'], `${field}.token`);
  assertBigints(solPrice, ['answer', 'updatedAt'], `${field}.solPrice`);
  const { transferFee } = token;
  if (transferFee !== undefined)
    assertBigints(transferFee, ['basisPoints', 'maximum'], `${field}.token.transferFee`);
}

const AMOUNTS = [
  'slot',
  'epoch',
  'unixTimestamp',
  'reserveA',
  'reserveB',
  'virtualReserveB',
  'opensAt',
  'createdAtSlot',
] as const;

function assertBigints<TName extends string>(
  value: Readonly<Record<TName, bigint>> | undefined,
  names: readonly TName[],
  field: string,
): void {
  for (const name of names) {
    const item: unknown = value?.[name];
    if (typeof item !== 'bigint') throw invalidInput(`${field}.${name}`, item, 'a bigint');
  }
}

/** A whole pool account and the addresses of its other accounts, for operations that depend on no price. */
export interface FetchedPoolState {
  readonly state: LiquidityPoolState;
  /** The pool's account, which {@link FetchedPoolState.state} is decoded from. */
  readonly account: RawAccount;
  readonly addresses: PoolAddresses;
  /** The additional accounts that were read in the same call. */
  readonly more: readonly (RawAccount | undefined)[];
}

/** Reads a pool and more accounts in one call, and checks that the pool is what the caller expects. */
export async function fetchPoolState(
  client: HeavenClient,
  kind: PoolKind | undefined,
  expected: ExpectedPool & RequestOptions,
  more: readonly Address[] = [],
): Promise<FetchedPoolState> {
  const { programAddress } = client.deployment;
  const pool =
    expected.pool ?? (await derivePoolAddress({ mint: expected.mint as Address }, { programAddress }));
  return await fetchDecoded(client, expected, expected, [pool, ...more], ([account, ...rest]) => {
    const state = stateFrom(account, pool, { ...expected, kind }, programAddress);
    return {
      state,
      account: account as RawAccount,
      addresses: {
        programAddress,
        pool,
        protocolConfig: state.protocolConfig,
        mint: state.tokenA.mint,
        // The pool stores the program of its mint (level M).
        tokenProgram: state.tokenA.owner,
        tokenAVault: state.tokenAVault,
        tokenBVault: state.tokenBVault,
      },
      more: rest,
    };
  });
}

/** Throws unless `actual` is the pool's creator. */
export function assertCreator({ info }: LiquidityPoolState, actual: Address): void {
  if (info.creator === actual) return;
  throw new HeavenError(
    'not-authorized',
    `Only the pool's creator ${info.creator} may do this, not ${actual}. Name the creator as payer, and let it sign.`,
    { role: 'creator', asked: actual, found: info.creator },
  );
}
