import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { deriveProtocolConfigAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { addressAt } from '../solana/addresses.js';
import { fetchAccounts, type RawAccount } from '../solana/rpc/accounts.js';
import type { RequestOptions } from '../solana/rpc/send.js';

/** What a call may give in a field. */
type Given = Address | readonly Address[] | null | undefined;

/** The addresses that a call names, by its fields. */
export interface Named {
  readonly mint?: Given;
  /** Default: the standard pool of `mint`. */
  readonly pool?: Given;
  /** A mint or a pool. */
  readonly address?: Given;
  readonly wallet?: Given;
}

/** Reads accounts in one call, of a slot or later. */
export type ReadAccounts = (
  addresses: readonly Address[],
  minContextSlot?: bigint,
) => Promise<readonly (RawAccount | undefined)[]>;

/**
 * The error to throw when a read failed: it says what the addresses are that the call names, or that the exchange isn't on this network,
 * if that is why. This takes one more read, and code that is only loaded now. If either fails, it is the error itself.
 */
export const explained = (
  { deployment }: Pick<HeavenClient, 'deployment'>,
  named: Named,
  error: unknown,
  read: ReadAccounts,
): Promise<unknown> =>
  import('./what-it-is.js')
    .then(({ explain }) => explain(error, deployment, named, read, [addressAt, deriveProtocolConfigAddress]))
    .then((fault) => (fault ? new HeavenError(...fault) : error))
    .catch(() => error);

const readerOf =
  (client: HeavenClient, { abortSignal }: RequestOptions): ReadAccounts =>
  (addresses) =>
    fetchAccounts(client, addresses, { abortSignal });

/** Reads accounts in one call, and decodes them. An error of `decode` is {@link explained}. */
export async function fetchDecoded<T>(
  client: HeavenClient,
  named: Named,
  options: RequestOptions,
  addresses: readonly Address[],
  decode: (accounts: readonly (RawAccount | undefined)[]) => T,
): Promise<T> {
  const read = readerOf(client, options);
  const accounts = await read(addresses);
  try {
    return await decode(accounts);
  } catch (error) {
    throw await explained(client, named, error, read);
  }
}

/** Throws an error, {@link explained}. */
export const explaining =
  (client: HeavenClient, named: Named, options: RequestOptions) =>
  async (error: unknown): Promise<never> => {
    throw await explained(client, named, error, readerOf(client, options));
  };

/**
 * Throws if a read found nothing because an address that the call names is of something else, or because the exchange isn't on this
 * network. Takes one more read; if that fails, nothing is found out.
 *
 * @throws {HeavenError} `invalid-account-data`, `account-not-found`, `pool-not-found`
 */
export async function assertAsNamed(
  client: HeavenClient,
  named: Named,
  options: RequestOptions,
): Promise<void> {
  const fault = await explained(client, named, undefined, readerOf(client, options));
  if (fault !== undefined) throw fault;
}
