import type { Address } from '@solana/kit';
import { findPools, findPoolsAt, isHeavenError, type PoolLocator } from 'heaven-pools';

import type { Connection } from './connection.js';
import { Problem } from './messages.js';
import type { TokenName } from './token-metadata.js';

/** A pool that the user can choose. */
export interface Pool {
  readonly address: Address;
  readonly mint: Address;
  readonly kind: 'standard' | 'pro';
  readonly configVersion: number;
  readonly name: TokenName | undefined;
}

async function named(connection: Connection, found: readonly Omit<Pool, 'name'>[]): Promise<readonly Pool[]> {
  // A token without a name can still be traded.
  const names: ReadonlyMap<Address, TokenName> = await import('./token-metadata.js')
    .then(({ fetchTokenNames }) => fetchTokenNames(connection, [...new Set(found.map(({ mint }) => mint))]))
    .catch(() => new Map());
  return found.map(({ address, mint, kind, configVersion }) => ({
    address,
    mint,
    kind,
    configVersion,
    name: names.get(mint),
  }));
}

/** Every pool of the model. On a cluster there are too many, so the user enters one. */
export async function listPools(connection: Connection): Promise<readonly Pool[]> {
  if (connection.model === undefined) return [];
  return await named(connection, await findPools(connection.client, { all: true }));
}

/** What a search for an address may end with. */
const UNFOUND: Readonly<Record<string, string>> = {
  'invalid-address':
    'That is not a Solana address. An address has 32 to 44 letters and digits. Copy all of it.',
  'account-not-found': 'There is nothing at this address on this network.',
  'account-owner-mismatch': 'This address is neither a token nor a pool of the exchange. Is it a wallet?',
};

/** The pools for an address: the pool itself, or a token's pools. */
export async function lookUpPools(connection: Connection, text: string): Promise<readonly Pool[]> {
  const address = text.trim();
  if (address === '') throw new Problem('find', 'Paste the address of a token (its mint) or of a pool.');
  const found = await findPoolsAt(connection.client, address as Address).catch((error: unknown) => {
    const message = isHeavenError(error) ? UNFOUND[error.code] : undefined;
    throw message === undefined ? error : new Problem('find', message);
  });
  if (found.length === 0) throw new Problem('find', 'There is no pool for this token on the exchange.');
  return await named(connection, found);
}

/** A pool in the form that the library's functions take. */
export const locatorOf = ({ kind, mint, configVersion, address }: Pool): PoolLocator => ({
  mint,
  configVersion,
  pool: kind === 'pro' ? address : undefined,
});
