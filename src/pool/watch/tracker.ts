import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../../errors.js';
import { invalidAccount } from '../../solana/account-data.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../solana/programs.js';
import type { RawAccount } from '../../solana/rpc/accounts.js';
import { decodeClock } from '../decode.js';
import type { SnapshotAddresses, SnapshotSource } from '../locate.js';
import { type FetchedPoolSnapshot, snapshotFrom } from '../snapshot.js';
import { createPoolState, type ReadAccounts } from './pool-state.js';

/** What happens to the connection of a {@link watchPool}, told apart by `type`. */
export type PoolWatchEvent =
  /** All subscriptions are there. */
  | { readonly type: 'connected' }
  /** A subscription is lost, or could not be had. It is tried again by itself; until `connected`, changes go unseen. */
  | { readonly type: 'disconnected'; readonly error: AnyHeavenError }
  /** A notification was not what it should be. It is left out, and the accounts are read anew. */
  | { readonly type: 'bad-notification'; readonly address: Address; readonly error: AnyHeavenError }
  /** The accounts were read anew, and why. */
  | { readonly type: 'reread'; readonly reason: PoolRereadReason; readonly slot: bigint }
  /** Reading them anew failed. It is tried again by itself. */
  | { readonly type: 'reread-failed'; readonly reason: PoolRereadReason; readonly error: AnyHeavenError };

/** The subscriptions began after the last read, a notification was bad, or the last read was of too old a slot. */
export type PoolRereadReason = 'connected' | 'bad-notification' | 'behind';

/** What a watch has to do next. */
export type WatchStep =
  | { readonly do: 'notify'; readonly event: PoolWatchEvent }
  /** There is a snapshot that the caller should see. */
  | { readonly do: 'offer' }
  /** Read the accounts: at once, or after the pause for so many failures in a row. */
  | { readonly do: 'read'; readonly failures?: number | undefined }
  | { readonly do: 'end'; readonly error: unknown };

/** Something to read. Without a reason it is the first. */
interface WantedRead {
  readonly reason: PoolRereadReason | undefined;
  /** The slot that it has to be of, at least. */
  readonly leastSlot: bigint;
}

/**
 * What is known of a pool that is watched. It does nothing itself: it is told what happens, and gives back what to do, in order.
 */
export interface PoolTracker {
  latest(): FetchedPoolSnapshot | undefined;
  /** Whether no change goes unseen. */
  isUpToDate(): boolean;
  hasRead(): boolean;
  /** The first read is due, whether or not the subscriptions are there. */
  firstRead(): readonly WatchStep[];
  /** Notes that a read begins. False if there is nothing to read. */
  beginRead(): boolean;
  /** The accounts were read, in the order of their addresses. */
  read(accounts: readonly (RawAccount | undefined)[]): readonly WatchStep[];
  readFailed(error: unknown): readonly WatchStep[];
  /** An account's changes are told from now on. */
  up(address: Address): readonly WatchStep[];
  /** An account's changes are not told for now. */
  down(address: Address, error: AnyHeavenError): readonly WatchStep[];
  /** An account as of a slot, or `undefined` for a notification that can't be read. */
  update(address: Address, account: RawAccount | undefined, slot: bigint): readonly WatchStep[];
}

export function createPoolTracker(
  deployment: Deployment,
  addresses: SnapshotAddresses,
  source: SnapshotSource,
): PoolTracker {
  const [poolAddress] = addresses;
  const state = createPoolState(deployment, addresses);
  const subscribed = new Set<Address>(addresses);
  const up = new Set<Address>();
  const badInARow = new Map<Address, number>();
  let connection: 'pending' | 'up' | 'down' = 'pending';
  /** The newest slot of any notification, good or bad. */
  let heardSlot = 0n;
  /** The clock's first slot since the connection is up. */
  let firstTick: bigint | undefined;
  /** Whether the last read is of so late a slot that the notifications go on from it without a gap. */
  let isJoined = false;
  let hasRead = false;
  let reading: (WantedRead & { readonly begun: number }) | undefined;
  let wanted: WantedRead | undefined;
  let readFailures = 0;
  let readSlot = 0n;

  const tell = (event: PoolWatchEvent): WatchStep => ({ do: 'notify', event });

  const want = (reason: PoolRereadReason | undefined, leastSlot: bigint, failures?: number): WatchStep[] => {
    wanted = {
      reason: wanted?.reason ?? reason,
      leastSlot: wanted !== undefined && wanted.leastSlot > leastSlot ? wanted.leastSlot : leastSlot,
    };
    return reading === undefined ? [{ do: 'read', failures }] : [];
  };
  const firstRead = () => want(undefined, 0n);

  /** The read node may be behind the one that notifies: what happened between the two is then read. */
  const join = (): WatchStep[] => {
    if (isJoined || firstTick === undefined || reading !== undefined || wanted !== undefined) return [];
    isJoined = readSlot + 1n >= firstTick;
    return isJoined ? [] : want('behind', firstTick - 1n);
  };

  const disconnect = () => {
    isJoined = false;
    firstTick = undefined;
  };

  const refuse = (address: Address, error: AnyHeavenError, slot: bigint): WatchStep[] => {
    const before = badInARow.get(address) ?? 0;
    badInARow.set(address, before + 1);
    const failures = before === 0 ? undefined : before - 1;
    return [
      tell({ type: 'bad-notification', address, error }),
      ...(hasRead ? want('bad-notification', slot, failures) : []),
    ];
  };

  const readFailed = (error: unknown): WatchStep[] => {
    const { reason, leastSlot } = reading as WantedRead;
    reading = undefined;
    if (reason === undefined || !isHeavenError(error) || isGone(error, poolAddress))
      return [{ do: 'end', error }];
    return [tell({ type: 'reread-failed', reason, error }), ...want(reason, leastSlot, readFailures++)];
  };

  return {
    latest: state.latest,
    isUpToDate: () => isJoined && reading === undefined && wanted === undefined,
    hasRead: () => hasRead,
    firstRead,
    beginRead: () => {
      if (reading !== undefined || wanted === undefined) return false;
      reading = { ...wanted, begun: state.count() };
      wanted = undefined;
      hasRead = true;
      return true;
    },
    read: (accounts) => {
      const { reason, leastSlot, begun } = reading as NonNullable<typeof reading>;
      let snapshot: FetchedPoolSnapshot;
      try {
        assertReached(accounts[3], leastSlot);
        snapshot = snapshotFrom(accounts, addresses, source, deployment);
      } catch (error) {
        return readFailed(error);
      }
      const isWantedAgain = wanted !== undefined;
      reading = undefined;
      readFailures = 0;
      readSlot = snapshot.slot;
      const refused = state.take(snapshot, accounts as unknown as ReadAccounts, begun);
      return [
        ...refused.flatMap(({ account, slot, error }) => refuse(account.address, error, slot)),
        ...(reason === undefined ? [] : [tell({ type: 'reread', reason, slot: readSlot })]),
        { do: 'offer' },
        ...(isWantedAgain ? [{ do: 'read' } as const] : join()),
      ];
    },
    readFailed,
    up: (address) => {
      up.add(address);
      if (up.size < subscribed.size) return [];
      connection = 'up';
      disconnect();
      return [tell({ type: 'connected' }), ...(hasRead ? want('connected', heardSlot) : firstRead())];
    },
    down: (address, error) => {
      up.delete(address);
      disconnect();
      if (connection === 'down') return [];
      connection = 'down';
      return [tell({ type: 'disconnected', error }), ...(hasRead ? [] : firstRead())];
    },
    update: (address, account, slot) => {
      if (slot > heardSlot) heardSlot = slot;
      let isNews: boolean | undefined;
      try {
        if (account === undefined) throw invalidAccount('notification', 'it has no base64 data', address);
        isNews = state.update(account, slot);
      } catch (error) {
        return isHeavenError(error) ? refuse(address, error, slot) : [{ do: 'end', error }];
      }
      if (isNews !== undefined) badInARow.delete(address);
      const offer: WatchStep[] = isNews ? [{ do: 'offer' }] : [];
      if (address !== CLOCK_SYSVAR_ADDRESS || connection !== 'up') return offer;
      firstTick ??= slot;
      return [...offer, ...join()];
    },
  };
}

/** Before all else: that a node which is behind has no such pool says nothing. */
function assertReached(clock: RawAccount | undefined, leastSlot: bigint): void {
  if (leastSlot === 0n || (clock !== undefined && decodeClock(clock.data).slot >= leastSlot)) return;
  throw new HeavenError(
    'rpc-behind',
    `The RPC node is behind: the pool was to be read of slot ${leastSlot} or later. Use another node if it stays so.`,
    { method: 'getMultipleAccounts', minContextSlot: leastSlot },
  );
}

/** Whether an error says that the pool itself is no more. */
const isGone = (error: AnyHeavenError, pool: Address): boolean =>
  error.code === 'pool-not-found' ||
  (error.code === 'account-owner-mismatch' && error.context.address === pool);
