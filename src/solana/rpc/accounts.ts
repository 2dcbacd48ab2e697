import {
  type Address,
  type Commitment,
  type GetMultipleAccountsApi,
  getBase64Encoder,
  type Rpc,
} from '@solana/kit';

import { HeavenError } from '../../base/errors.js';
import { type AccountShape, faultIn } from '../account-data.js';
import { isValidAddress } from '../addresses.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../programs.js';
import { invalidResponse, wrongAccount } from './errors.js';
import { type RequestOptions, send } from './send.js';

/** An account as the node returned it. */
export interface RawAccount {
  readonly address: Address;
  /** The program that owns it. */
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports?: bigint | undefined;
}

/** What reading accounts needs of a client. */
export interface AccountReader {
  readonly rpc: Rpc<GetMultipleAccountsApi>;
  readonly commitment: Commitment;
  readonly timeoutMs: number;
}

interface AccountOptions extends RequestOptions {
  /** A node that isn't there yet is asked again, or the next one is. */
  readonly minContextSlot?: bigint;
}

/** Reads accounts in one call. */
export async function fetchAccounts(
  client: AccountReader,
  addresses: readonly Address[],
  { minContextSlot, ...options }: AccountOptions,
): Promise<readonly (RawAccount | undefined)[]> {
  const method = 'getMultipleAccounts';
  const request = client.rpc.getMultipleAccounts([...addresses], {
    commitment: client.commitment,
    encoding: 'base64',
    ...(minContextSlot && { minContextSlot }),
  });
  const response: { readonly value?: unknown } | null = await send(client, method, request, options);
  if (typeof response !== 'object' || response === null) throw invalidResponse(method, 'it is not an object');
  return decodedOnce(response, addresses.join(), () => accountsFrom(method, response.value, addresses));
}

/** The account at an address, among accounts that were read. */
export const accountAt = (
  accounts: readonly (RawAccount | undefined)[],
  address: Address | undefined,
): RawAccount | undefined => accounts.find((account) => account !== undefined && account.address === address);

/** Shared reads return the same response again, so what was decoded from it is cached with it. */
const decoded = new WeakMap<object, Map<string, unknown>>();

/** What was decoded from a response before, by key, or what `decode` returns now. */
export function decodedOnce<T>(source: object, key: string, decode: () => T): T {
  let parts = decoded.get(source);
  if (parts === undefined) {
    parts = new Map();
    decoded.set(source, parts);
  }
  if (!parts.has(key)) parts.set(key, decode());
  return parts.get(key) as T;
}

/** The accounts in a response, in the order of their addresses. */
export function accountsFrom(
  method: string,
  value: unknown,
  addresses: readonly Address[],
): readonly (RawAccount | undefined)[] {
  if (!Array.isArray(value) || value.length !== addresses.length)
    throw invalidResponse(method, `it does not hold ${addresses.length} accounts`);
  return addresses.map((address, index) =>
    value[index] === null ? undefined : accountFrom(method, value[index], address, index),
  );
}

/** An account as a node writes it with base64. */
export function accountFrom(method: string, account: unknown, address: Address, index: number): RawAccount {
  const { data, owner, lamports } = (account ?? {}) as Readonly<Record<string, unknown>>;
  const [text, encoding] = Array.isArray(data) ? (data as unknown[]) : [];
  if (typeof text !== 'string' || encoding !== 'base64' || !isValidAddress(owner))
    throw invalidResponse(method, `account ${index} has no base64 data or no owner`);
  try {
    return {
      address,
      owner,
      data: getBase64Encoder().encode(text) as Uint8Array,
      lamports: typeof lamports === 'bigint' ? lamports : undefined,
    };
  } catch (cause) {
    throw invalidResponse(method, `the data of account ${index} is not valid base64`, cause);
  }
}

/** The slot of a response or notification; `undefined` if it names none. */
export function slotOf(response: unknown): bigint | undefined {
  const slot = (response as { readonly context?: { readonly slot?: unknown } } | null | undefined)?.context
    ?.slot;
  const isSlot = typeof slot === 'bigint' && slot >= 0n && slot <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSlot ? slot : undefined;
}

const accountNotFound = (account: string, address: Address) =>
  new HeavenError('account-not-found', `The ${account} account ${address} does not exist on this cluster.`, {
    account,
    address,
  });

/** Rejects an account that is missing or belongs to another program. */
export function assertOwned(
  account: RawAccount | undefined,
  name: string,
  address: Address,
  owners: readonly Address[],
): asserts account is RawAccount {
  if (account === undefined) throw accountNotFound(name, address);
  if (!owners.includes(account.owner)) throw wrongOwner(name, address, account.owner, owners);
}

export function wrongOwner(
  name: string,
  address: Address,
  found: Address,
  owners: readonly Address[],
): HeavenError {
  const expected = owners.join(' or ');
  const reason = `belongs to ${found}, not to ${expected}`;
  return new HeavenError(
    'invalid-account-data',
    `The ${name} account ${address} ${reason}. Check the address and the cluster.`,
    { account: name, address, reason: `it ${reason}`, asked: expected, found },
  );
}

/**
 * Rejects an account at an address that the deployment or Solana fixes, or that we derived. If it can't be the one that is there, the node is
 * wrong, not the caller.
 */
export function assertExpectedAt(
  account: RawAccount | undefined,
  address: Address,
  owner: Address,
  shape: AccountShape,
): asserts account is RawAccount {
  const created = ifCreated(account);
  if (created === undefined) throw accountNotFound(shape.name, address);
  const found = created.owner;
  const reason = found === owner ? faultIn(shape, created.data) : `it belongs to ${found}, not to ${owner}`;
  if (reason !== undefined) throw wrongAccount(shape.name, address, reason);
}

/** An account, if it was ever created. Anybody can send lamports to a derived address, which makes an empty one. */
export const ifCreated = (account: RawAccount | undefined): RawAccount | undefined =>
  account?.owner === SYSTEM_PROGRAM_ADDRESS && account.data.length === 0 ? undefined : account;
