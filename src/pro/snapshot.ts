import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import type { PoolSnapshot } from '../pool/decode.js';
import { type FetchedPoolSnapshot, poolKindMismatch } from '../pool/fetch.js';
import { type GivenSnapshot, givenOrFetched } from '../pool/given-snapshot.js';
import { assertAddress } from '../solana/addresses.js';

/** A snapshot of a pro pool. */
export async function fetchProSnapshot(
  client: HeavenClient,
  {
    configVersion,
    mint,
    pool,
    snapshot: given,
    abortSignal,
  }: { readonly configVersion: number; readonly mint: Address; readonly pool: Address } & GivenSnapshot &
    RequestOptions,
): Promise<FetchedPoolSnapshot> {
  assertAddress(pool, 'pool');
  const snapshot = await givenOrFetched(client, { configVersion, mint, pool, snapshot: given, abortSignal });
  assertProPool(snapshot);
  return snapshot;
}

/** Refuses a standard pool. */
export function assertProPool({ kind }: PoolSnapshot): void {
  if (kind !== 'pro') throw poolKindMismatch('pro', kind);
}
