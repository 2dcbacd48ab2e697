import { type Address, type Base58EncodedBytes, getBase58Decoder } from '@solana/kit';
import { HeavenError, isHeavenError } from '../base/errors.js';
import { assertCall, describe, inputError, invalidInput } from '../base/input.js';
import { withoutFullStop } from '../base/text.js';
import { type PoolKind, poolKindOf, poolVersionOf } from '../pool/decode.js';
import { assertAsNamed } from '../pool/explained.js';
import { POOL } from '../pool/layout.js';
import { liquidityPoolStateDeclaration } from '../program/account-layouts.js';
import { type LiquidityPoolState, readAccount } from '../program/accounts.js';
import { assertConfigVersion, findPoolAddress } from '../program/addresses.js';
import type { HeavenClient } from '../program/client.js';
import { LiquidityPoolType } from '../program/types.js';
import { assertShape } from '../solana/account-data.js';
import {
  type AddressInput,
  addressAt,
  addressIn,
  bytesOfAddress,
  isValidAddress,
  plainAddress,
} from '../solana/addresses.js';
import {
  accountFrom,
  assertExpectedAt,
  fetchAccounts,
  ifCreated,
  type RawAccount,
} from '../solana/rpc/accounts.js';
import { invalidResponse } from '../solana/rpc/errors.js';
import { type RequestOptions, send } from '../solana/rpc/send.js';

/** What the pools must have in common. Give at least one field, or `all`. */
export interface FindPoolsInput extends RequestOptions {
  /** The token. */
  readonly mint?: AddressInput | null | undefined;
  /** Who created the pool. */
  readonly creator?: AddressInput | null | undefined;
  readonly kind?: 'standard' | 'pro' | null | undefined;
  readonly configVersion?: number | null | undefined;
  /** Returns every pool. Each has many thousand bytes, so a node may reject the call. */
  readonly all?: true | null | undefined;
}

/** A pool that was found. Its fields are read from its bytes on first access. */
export interface FoundPool {
  readonly address: Address;
  readonly kind: PoolKind;
  readonly configVersion: number;
  /** The token. */
  readonly mint: Address;
  readonly creator: Address;
  /** The whole account, decoded on first access. */
  readonly state: LiquidityPoolState;
  /** The account's bytes. */
  readonly data: Uint8Array;
}

const METHOD = 'getProgramAccounts';

/** Bytes that a pool must have at an offset. */
interface Filter {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Finds pools by token, creator, kind or config version, in the order of their addresses. One call to the node, which
 * must support `getProgramAccounts`: many public nodes don't. The standard pool of a token (`kind: 'standard'` with
 * `mint`) has a known address and needs no search, so any node works.
 *
 * The node matches bytes at fixed offsets, not the account's size, so the search also finds pools of a
 * later, longer layout. If it finds none of a `mint`, one more call checks that this is a mint, and that the exchange is on this network.
 *
 * @returns The pools, or an empty list if there are none.
 * @throws {HeavenError} `invalid-input` (nothing to search by), `invalid-address`, `invalid-account-data` (`mint` is of something else, such
 * as a pool), `account-not-found` (the exchange's program), `rpc-method-unsupported`, and the other
 * `rpc-…` codes
 * @example
 * ```ts
 * for (const { address, kind, mint, state } of await findPools(client, { creator })) {
 *   console.log(address, kind, mint, state.reserve.tokenB);
 * }
 * ```
 */
export async function findPools(client: HeavenClient, input: FindPoolsInput): Promise<readonly FoundPool[]> {
  const pools = await findNamedPools(client, input);
  const { mint } = input;
  if (pools.length === 0 && mint) await assertAsNamed(client, { mint: plainAddress(mint) }, input);
  return pools;
}

/** {@link findPools} without the last call. */
export async function findNamedPools(
  client: HeavenClient,
  input: FindPoolsInput,
): Promise<readonly FoundPool[]> {
  assertCall(client, input, { mint: 1, creator: 1, kind: 1, configVersion: 1, all: 1, abortSignal: 1 });
  const filters = filtersOf(input);
  const { mint, kind, abortSignal } = input;
  return kind === 'standard' && mint !== undefined && mint !== null
    ? await standardPool(client, plainAddress(mint), filters, { abortSignal })
    : await search(client, filters, { abortSignal });
}

async function search(
  client: HeavenClient,
  filters: readonly Filter[],
  options: RequestOptions,
): Promise<readonly FoundPool[]> {
  const { programAddress } = client.deployment;
  const accounts = await fetchProgramAccounts(client, filters, options).catch((error: unknown) => {
    throw unsupported(error) ?? error;
  });
  const pools = accounts.map(({ address, owner, data }) => {
    if (owner !== programAddress)
      throw invalidResponse(METHOD, `the account ${address} belongs to ${owner}, not to ${programAddress}`);
    return poolOf(METHOD, address, data);
  });
  if (new Set(pools.map(({ address }) => address)).size < pools.length)
    throw invalidResponse(METHOD, 'it holds an account twice');
  return pools.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Reads the exchange's accounts that have certain bytes at certain offsets. */
async function fetchProgramAccounts(
  client: HeavenClient,
  filters: readonly Filter[],
  options: RequestOptions,
): Promise<readonly RawAccount[]> {
  const request = client.rpc.getProgramAccounts(client.deployment.programAddress, {
    commitment: client.commitment,
    encoding: 'base64',
    filters: filters.map(({ offset, bytes }) => ({
      memcmp: {
        offset: BigInt(offset),
        bytes: getBase58Decoder().decode(bytes) as Base58EncodedBytes,
        encoding: 'base58',
      },
    })),
  });
  const response: unknown = await send(client, METHOD, request, options);
  if (!Array.isArray(response)) throw invalidResponse(METHOD, 'it is not a list of accounts');
  return response.map(accountOf);
}

/** Checks the search input, and returns the bytes to search for. */
function filtersOf(input: FindPoolsInput): readonly Filter[] {
  if (typeof input !== 'object' || input === null)
    throw inputError('input', `The input must be an object; got ${describe(input)}.`, input);
  const { mint, creator, kind, configVersion, all } = input;
  const filters: Filter[] = [{ offset: 0, bytes: POOL.discriminator }];
  for (const [name, given, offset] of [
    ['mint', mint, POOL.tokenAMint],
    ['creator', creator, POOL.creator],
  ] as const) {
    if (given === undefined || given === null) continue;
    filters.push({ offset, bytes: bytesOfAddress(addressIn(given, name)) });
  }
  // The version and the kind are adjacent, and a node accepts at most four filters.
  const place: number[] = [];
  let offset: number = POOL.type;
  if (configVersion !== undefined && configVersion !== null) {
    assertConfigVersion(configVersion, 'configVersion');
    place.push(configVersion & 0xff, configVersion >> 8);
    offset = POOL.protocolConfigVersion;
  }
  if (kind !== undefined && kind !== null) {
    if (kind !== 'standard' && kind !== 'pro') throw invalidInput('kind', kind, "'standard' or 'pro'");
    place.push(LiquidityPoolType[kind === 'pro' ? 'Pro' : 'Standard']);
  }
  if (place.length > 0) filters.push({ offset, bytes: Uint8Array.from(place) });
  if (filters.length === 1 && all !== true) {
    throw inputError(
      'all',
      'Pass mint, creator, kind or configVersion to search by. For every pool, pass all: true.',
      all ?? undefined,
    );
  }
  return filters;
}

async function standardPool(
  client: HeavenClient,
  mint: Address,
  filters: readonly Filter[],
  options: RequestOptions,
): Promise<readonly FoundPool[]> {
  const { programAddress } = client.deployment;
  const address = await findPoolAddress({ mint }, { programAddress });
  const [account] = await fetchAccounts(client, [address], options);
  if (ifCreated(account) === undefined) return [];
  assertExpectedAt(account, address, programAddress, POOL);
  return filters.every((filter) => matches(filter, account.data))
    ? [poolOf('getMultipleAccounts', address, account.data)]
    : [];
}

function accountOf(entry: unknown, index: number): RawAccount {
  const { pubkey, account } = (entry ?? {}) as { readonly pubkey?: unknown; readonly account?: unknown };
  if (!isValidAddress(pubkey)) throw invalidResponse(METHOD, `account ${index} has no address`);
  return accountFrom(METHOD, account, pubkey, index);
}

const matches = ({ offset, bytes }: Filter, data: Uint8Array): boolean =>
  bytes.every((byte, index) => data[offset + index] === byte);

/** Reads a pool's account as a found pool. */
export function poolOf(method: string, address: Address, data: Uint8Array): FoundPool {
  let kind: PoolKind;
  try {
    assertShape(POOL, data, address);
    kind = poolKindOf(data);
  } catch (cause) {
    throw invalidResponse(method, withoutFullStop((cause as Error).message), cause);
  }
  let state: LiquidityPoolState | undefined;
  return {
    address,
    kind,
    configVersion: poolVersionOf(data),
    get mint() {
      return addressAt(data, POOL.tokenAMint);
    },
    get creator() {
      return addressAt(data, POOL.creator);
    },
    get state() {
      state ??= readAccount(liquidityPoolStateDeclaration, data);
      return state;
    },
    data,
  };
}

const INVALID_PARAMS = -32602;
/** Forbidden, gone, not implemented; method not found, excluded from an index, scan failed. */
const REFUSALS: readonly unknown[] = [403, 410, 501, -32601, -32010, -32012];
const SAYS_NO =
  /not (?:be )?(?:available|supported|allowed|enabled|permitted)|unavailable|unsupported|disabled|excluded|forbidden|blocked|upgrade|paid plan|too many (?:accounts|results)|too large|exceeded/i;

/** Returns the error for a node that does not answer such queries, with what to do about it. */
function unsupported(error: unknown): HeavenError | undefined {
  if (!isHeavenError(error, 'rpc-failed')) return undefined;
  const { status, rpcCode, rpcMessage: said } = error.context;
  const isRefusal =
    REFUSALS.includes(status) ||
    REFUSALS.includes(rpcCode) ||
    (rpcCode !== undefined && rpcCode !== INVALID_PARAMS && said !== undefined && SAYS_NO.test(said));
  if (!isRefusal) return undefined;
  const how = status === undefined ? `error ${rpcCode}` : `HTTP ${status}`;
  return new HeavenError(
    'rpc-method-unsupported',
    `The RPC node refuses ${METHOD} for the exchange (${how}${said === undefined ? '' : `: ${describe(said)}`}). Use a node that allows it, or another key (many providers ask for a paid plan); or, for the standard pool of a token, search by mint with kind: 'standard', which any node answers.`,
    { method: METHOD, ...(rpcCode === undefined ? {} : { rpcCode }) },
    { cause: error },
  );
}
