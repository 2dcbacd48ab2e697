import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import { type GivenSnapshot, givenOrFetched } from '../pool/given-snapshot.js';
import { assertPoolKind } from '../pool/mismatch.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
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
  assertPoolKind('pro', snapshot.kind);
  return snapshot;
}

/** Refuses a standard pool. */
export const assertProPool = ({ kind }: Pick<FetchedPoolSnapshot, 'kind'>): void =>
  assertPoolKind('pro', kind);
