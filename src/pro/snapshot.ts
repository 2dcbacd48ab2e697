import type { Address } from '@solana/kit';

import type { HeavenClient, RequestOptions } from '../client.js';
import type { PoolSnapshot } from '../pool/decode.js';
import { type FetchedPoolSnapshot, fetchPoolSnapshot, poolKindMismatch } from '../pool/fetch.js';
import { assertAddress } from '../program/schema.js';

/** A snapshot of a pro pool. */
export async function fetchProSnapshot(
  client: HeavenClient,
  {
    configVersion,
    mint,
    pool,
    abortSignal,
  }: { readonly configVersion: number; readonly mint: Address; readonly pool: Address } & RequestOptions,
): Promise<FetchedPoolSnapshot> {
  assertAddress(pool, 'pool');
  const snapshot = await fetchPoolSnapshot(client, { configVersion, mint, pool, abortSignal });
  assertProPool(snapshot);
  return snapshot;
}

/** Refuses a standard pool. */
export function assertProPool({ kind }: PoolSnapshot): void {
  if (kind !== 'pro') throw poolKindMismatch('pro', kind);
}
