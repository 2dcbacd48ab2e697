import type { HeavenClient } from '../client.js';
import { HeavenError } from '../errors.js';
import { assertHas, describe, invalidInput } from '../input.js';
import type { TransferFee } from '../math/types.js';
import type { RequestOptions } from '../solana/rpc/send.js';
import type { PoolSnapshot } from './decode.js';
import { fetchPoolSnapshot } from './fetch.js';
import type { PoolLocator } from './locate.js';
import { assertPoolKind } from './mismatch.js';
import type { FetchedPoolSnapshot } from './snapshot.js';

/** A snapshot that the caller already has. */
export interface GivenSnapshot {
  /** A snapshot that you already have, such as from a watch. The quote then makes no call, and is for the snapshot's slot. */
  readonly snapshot?: FetchedPoolSnapshot | null | undefined;
}

/** The type of each value of an object. */
type TypesOf<TObject> = {
  readonly [TField in keyof TObject]: TObject[TField] extends bigint
    ? 'bigint'
    : TObject[TField] extends number
      ? 'number'
      : TObject[TField] extends string
        ? 'string'
        : TObject[TField] extends boolean
          ? 'boolean'
          : TypesOf<TObject[TField]>;
};

/** What every snapshot holds besides the accounts' data. */
const SNAPSHOT: TypesOf<
  Omit<FetchedPoolSnapshot, 'data' | 'token'> & { token: Omit<FetchedPoolSnapshot['token'], 'transferFee'> }
> = {
  kind: 'string',
  configVersion: 'number',
  slot: 'bigint',
  epoch: 'bigint',
  unixTimestamp: 'bigint',
  reserveA: 'bigint',
  reserveB: 'bigint',
  virtualReserveB: 'bigint',
  window: { slot: 'bigint', slots: 'number', reserveA: 'bigint', reserveB: 'bigint' },
  isSwapEnabled: 'boolean',
  isSameSlotTradingAllowed: 'boolean',
  isSandwichResistant: 'boolean',
  feeSource: 'string',
  opensAt: 'bigint',
  createdAtSlot: 'bigint',
  token: { decimals: 'number', supply: 'bigint' },
  solPrice: { answer: 'bigint', decimals: 'number', updatedAt: 'bigint' },
  addresses: {
    programAddress: 'string',
    pool: 'string',
    protocolConfig: 'string',
    mint: 'string',
    tokenProgram: 'string',
    tokenAVault: 'string',
    tokenBVault: 'string',
  },
};
const TRANSFER_FEE: TypesOf<TransferFee> = { basisPoints: 'bigint', maximum: 'bigint' };

function assertTypes(value: unknown, types: object, field: string): void {
  if (typeof value !== 'object' || value === null) throw invalidInput(field, value, 'an object');
  for (const [name, type] of Object.entries(types)) {
    const item: unknown = (value as Readonly<Record<string, unknown>>)[name];
    const at = `${field}.${name}`;
    if (typeof type === 'object') assertTypes(item, type, at);
    else if (typeof item !== type) throw invalidInput(at, item, `a ${type}`);
  }
}

/** Rejects what is not a snapshot, such as one that went through JSON: it has numbers where a bigint belongs. */
export function assertSnapshot(snapshot: FetchedPoolSnapshot, field: string): void {
  assertHas(snapshot, 'addresses', field, 'a snapshot of fetchPoolSnapshot or watchPool');
  assertTypes(snapshot, SNAPSHOT, field);
  const { transferFee } = snapshot.token;
  if (transferFee !== undefined) assertTypes(transferFee, TRANSFER_FEE, `${field}.token.transferFee`);
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
