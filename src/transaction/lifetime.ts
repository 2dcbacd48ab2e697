import type { Blockhash } from '@solana/kit';
import { assertFields, assertU64, invalidIdentity, invalidInput } from '../base/input.js';
import type { HeavenClient } from '../program/client.js';
import { isValidAddress } from '../solana/addresses.js';
import { invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';

/** A transaction's block hash, and the last block height at which it is valid. */
export interface TransactionLifetime {
  readonly blockhash: Blockhash;
  /** The last block height at which the transaction can land. */
  readonly lastValidBlockHeight: bigint;
}

/** Rejects what is not the lifetime of a transaction. */
export function assertLifetime(lifetime: TransactionLifetime, field: string): void {
  if (typeof lifetime !== 'object' || lifetime === null)
    throw invalidInput(field, lifetime, 'an object with blockhash and lastValidBlockHeight');
  assertFields(lifetime, field, { blockhash: 1, lastValidBlockHeight: 1 });
  const { blockhash, lastValidBlockHeight } = lifetime;
  if (!isValidAddress(blockhash))
    throw invalidIdentity(`${field}.blockhash`, blockhash, 'a base58 block hash of 32 bytes');
  assertU64(lastValidBlockHeight, `${field}.lastValidBlockHeight`);
}

/** The latest block hash, unless the caller passed one. */
export async function lifetimeOf(
  client: HeavenClient,
  { lifetime, abortSignal }: RequestOptions & { readonly lifetime?: TransactionLifetime | null | undefined },
): Promise<TransactionLifetime> {
  if (lifetime) return lifetime;
  const method = 'getLatestBlockhash';
  const request = client.rpc.getLatestBlockhash({ commitment: client.commitment });
  const response: { readonly value?: Partial<TransactionLifetime> | null } | null = await send(
    client,
    method,
    request,
    {
      abortSignal,
    },
  );
  const { blockhash, lastValidBlockHeight } = response?.value ?? {};
  if (
    blockhash === undefined ||
    !isValidAddress(blockhash) ||
    typeof lastValidBlockHeight !== 'bigint' ||
    BigInt.asUintN(64, lastValidBlockHeight) !== lastValidBlockHeight
  )
    throw invalidResponse(method, 'it has no valid blockhash or lastValidBlockHeight');
  return { blockhash, lastValidBlockHeight };
}
