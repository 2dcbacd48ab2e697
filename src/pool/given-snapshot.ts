import { HeavenError } from '../base/errors.js';
import { assertHas, describe, invalidInput } from '../base/input.js';
import type { HeavenClient } from '../client.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import type { PoolLocator } from './addresses.js';
import type { PoolSnapshot } from './decode.js';
import { fetchPoolSnapshot } from './fetch.js';
import { assertPoolKind } from './mismatch.js';
import type { FetchedPoolSnapshot } from './snapshot.js';

/** A snapshot that the caller already has. */
export interface GivenSnapshot {
  /** A snapshot that you already have, such as from a watch. The quote then makes no call, and is for the snapshot's slot. */
  readonly snapshot?: FetchedPoolSnapshot | null | undefined;
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

/** Returns the given snapshot, or reads one. */
export async function givenOrFetched(
  client: HeavenClient,
  { configVersion, mint, pool, snapshot, abortSignal }: PoolLocator & RequestOptions & GivenSnapshot,
): Promise<FetchedPoolSnapshot> {
  const locator = { configVersion, mint, pool: pool ?? undefined };
  return snapshot === undefined || snapshot === null
    ? await fetchPoolSnapshot(client, { ...locator, abortSignal })
    : assertSnapshotOf(locator, client, snapshot);
}

/** Throws if a snapshot is not for the pool that it is used for. */
export function assertSnapshotOf(
  { configVersion, mint, pool }: PoolLocator,
  { deployment }: HeavenClient,
  snapshot: FetchedPoolSnapshot,
): FetchedPoolSnapshot {
  const { addresses, kind } = snapshot;
  assertSame('mint', mint, addresses.mint);
  assertSame('configVersion', configVersion, snapshot.configVersion);
  assertSame('programId', deployment.programAddress, addresses.programAddress);
  if (pool !== undefined && pool !== null) assertSame('pool', pool, addresses.pool);
  else assertPoolKind('standard', kind);
  return snapshot;
}

/** Throws if the pool is not a pro pool. */
export function assertProPool({ kind }: PoolSnapshot): void {
  assertPoolKind('pro', kind);
}

/** Throws if a field of a quote does not match what the quote is used for. */
export function assertSame(field: string, asked: unknown, found: unknown): void {
  if (asked === found) return;
  throw new HeavenError(
    'quote-mismatch',
    `${field} is ${describe(found)}, but it is used for ${describe(asked)}. Quote and build for the same.`,
    { field, asked, found },
  );
}
