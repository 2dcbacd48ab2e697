import type { Address } from '@solana/kit';

import type { Deployment } from '../../client.js';
import { type AnyHeavenError, HeavenError, isHeavenError } from '../../errors.js';
import { invalidAccount } from '../../solana/account-data.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../solana/programs.js';
import type { RawAccount } from '../../solana/rpc/accounts.js';
import { decodeClock } from '../decode.js';
import type { SnapshotAddresses, SnapshotSource } from '../locate.js';
import { MOST_SLOTS_APART as SLOTS_APART } from '../tracker/store.js';
import { type RejectedUpdate, Tracking, type UpdateOutcome } from '../tracker/tracker.js';

/** What happens to the connection of a {@link watchPool}. `type` says which event it is. */
export type PoolWatchEvent =
  /** All subscriptions are active. */
  | { readonly type: 'connected' }
  /** A subscription was lost or could not be opened. The watch retries by itself; until `connected`, changes may be missed. */
  | { readonly type: 'disconnected'; readonly error: AnyHeavenError }
  /** A notification was malformed. It is skipped, and the watch reads the accounts again. */
  | { readonly type: 'bad-notification'; readonly address: Address; readonly error: AnyHeavenError }
  /** The watch read the accounts again. `reason` says why. */
  | { readonly type: 'reread'; readonly reason: PoolRereadReason; readonly slot: bigint }
  /** Reading them again failed. The watch retries by itself. */
  | { readonly type: 'reread-failed'; readonly reason: PoolRereadReason; readonly error: AnyHeavenError };

/**
 * Why the accounts were read again: the subscriptions began after the last read, a notification was malformed, or the last read was
 * too old or far ahead of the notifications.
 */
export type PoolRereadReason = 'connected' | 'bad-notification' | 'behind' | 'ahead';

/** How far apart the nodes that read and notify may be: a minute. If two slots are farther apart, a new read decides. */
export const MOST_SLOTS_APART = /* @__PURE__ */ BigInt(SLOTS_APART);
/** This many clock updates in a row far behind the newest known slot contradict it. A single one may just be late. */
const TICKS_TO_DOUBT = 8;

/** What a watch has to do next. */
export type WatchStep =
  | { readonly do: 'notify'; readonly event: PoolWatchEvent }
  /** There is a snapshot that the caller should see. */
  | { readonly do: 'offer' }
  /** Read the accounts: at once, or after the pause for so many failures in a row. */
  | { readonly do: 'read'; readonly failures?: number | undefined }
  | { readonly do: 'end'; readonly error: unknown };

/** A read that is wanted. The first read has no reason. */
interface WantedRead {
  readonly reason: PoolRereadReason | undefined;
  /** The read must be at least this new. */
  readonly leastSlot: bigint;
}

/** Holds the read in progress and the next one that is wanted. */
function createReadQueue() {
  let reading: (WantedRead & { readonly begun: number }) | undefined;
  let wanted: WantedRead | undefined;
  return {
    isWanted: () => wanted !== undefined,
    isIdle: () => reading === undefined && wanted === undefined,
    want: (reason: PoolRereadReason | undefined, leastSlot: bigint, failures?: number): WatchStep[] => {
      wanted = {
        reason: wanted?.reason ?? reason,
        leastSlot: wanted !== undefined && wanted.leastSlot > leastSlot ? wanted.leastSlot : leastSlot,
      };
      return reading === undefined ? [{ do: 'read', failures }] : [];
    },
    begin: (begun: number): boolean => {
      if (reading !== undefined || wanted === undefined) return false;
      reading = { ...wanted, begun };
      wanted = undefined;
      return true;
    },
    current: () => reading as NonNullable<typeof reading>,
    end: () => {
      reading = undefined;
    },
  };
}

/** Tracks the subscriptions, and whether their notifications continue from the last read without a gap. */
function createConnection(addresses: SnapshotAddresses, reads: ReturnType<typeof createReadQueue>) {
  const subscribed = new Set<Address>(addresses);
  const up = new Set<Address>();
  let state: 'pending' | 'up' | 'down' = 'pending';
  /** The clock's first slot since the connection came up. */
  let firstTick: bigint | undefined;
  let isJoined = false;
  let readSlot = 0n;

  const unjoin = () => {
    isJoined = false;
    firstTick = undefined;
  };

  /** The reading node may be behind the notifying one: read again what happened in between. */
  const join = (): WatchStep[] => {
    if (isJoined || firstTick === undefined || !reads.isIdle()) return [];
    isJoined = readSlot + 1n >= firstTick;
    return isJoined ? [] : reads.want('behind', firstTick - 1n);
  };

  return {
    isJoined: () => isJoined,
    join,
    unjoin,
    read: (slot: bigint) => {
      readSlot = slot;
    },
    tick: (slot: bigint): WatchStep[] => {
      if (state !== 'up') return [];
      firstTick ??= slot;
      return join();
    },
    /** Notes that a subscription is active. Returns whether all of them are. */
    up: (address: Address): boolean => {
      up.add(address);
      if (up.size < subscribed.size) return false;
      state = 'up';
      unjoin();
      return true;
    },
    /** Notes that a subscription is lost. Returns false if the connection was already known to be down. */
    down: (address: Address): boolean => {
      up.delete(address);
      unjoin();
      const isNews = state !== 'down';
      state = 'down';
      return isNews;
    },
  };
}

export type WatchSteps = ReturnType<typeof createWatchSteps>;

/** A pool's tracker, and what it reports while it processes an input. */
function createListeningTracker(
  deployment: Deployment,
  addresses: SnapshotAddresses,
  source: SnapshotSource,
) {
  const [pool, mint, , , protocolConfig] = addresses;
  let isNews = false;
  let rejected: RejectedUpdate[] = [];
  const tracker = new Tracking(
    {
      configVersion: source.configVersions[0] as number,
      mint,
      pool,
      protocolConfig: protocolConfig as Address,
      kind: source.pool === undefined ? 'standard' : undefined,
    },
    { deployment, forkDepth: 0, onReject: (update) => void rejected.push(update) },
  );
  tracker.onChange((change) => {
    isNews ||= change === 'latest';
  });
  return {
    tracker,
    /** Runs `something`, then reports whether there is news and what was rejected. */
    during: (something: () => void) => {
      isNews = false;
      rejected = [];
      something();
      return { isNews, rejected };
    },
  };
}

/** The state of a watched pool. It does no I/O: callers report what happens, and it returns what to do next. */
export function createWatchSteps(
  deployment: Deployment,
  addresses: SnapshotAddresses,
  source: SnapshotSource,
) {
  let listening = createListeningTracker(deployment, addresses, source);
  const reads = createReadQueue();
  const connection = createConnection(addresses, reads);
  const badInARow = new Map<Address, number>();
  /** The newest slot of any notification, good or bad, that no read contradicts. */
  let heardSlot = 0n;
  let lastTick = 0n;
  let hasRead = false;
  let hasSnapshot = false;
  let readFailures = 0;
  /** Whether the next read replaces everything known, because that is far ahead of the clock; and how often in a row. */
  let isDoubted = false;
  let doubts = 0;
  let ticksBehind = 0;

  const firstRead = () => reads.want(undefined, 0n);

  const refuse = (address: Address, error: AnyHeavenError, slot: bigint): WatchStep[] => {
    const before = badInARow.get(address) ?? 0;
    badInARow.set(address, before + 1);
    const failures = before === 0 ? undefined : before - 1;
    const again = hasRead ? reads.want('bad-notification', slot, failures) : [];
    return [tell({ type: 'bad-notification', address, error }), ...again];
  };

  const readFailed = (error: unknown): readonly WatchStep[] => {
    const { reason, leastSlot } = reads.current();
    reads.end();
    if (reason === undefined || !isHeavenError(error) || isGone(error, addresses[0]))
      return [{ do: 'end', error }];
    return [tell({ type: 'reread-failed', reason, error }), ...reads.want(reason, leastSlot, readFailures++)];
  };

  /** Loads what was read. Replaces everything else if that can't be right. */
  const load = (accounts: readonly (RawAccount | undefined)[], begun: number) => {
    // Without a clock, the tracker reports what is wrong.
    const slot = slotOfClock(accounts[3]) ?? heardSlot;
    // Nothing that came before the first read could be checked.
    const isAlone = isDoubted || isFarBehind(slot, heardSlot);
    const next = isAlone ? createListeningTracker(deployment, addresses, source) : listening;
    const { rejected } = next.during(() => next.tracker.load(accounts, isAlone ? undefined : begun));
    listening = next;
    if (isAlone || slot > heardSlot) heardSlot = slot;
    if (isAlone) connection.unjoin();
    isDoubted = false;
    return { slot, rejected, isAlone };
  };

  /**
   * Runs before any other check: a missing pool means nothing if the node is behind. A slot that is nowhere near what the node reads was
   * wrong, and is not waited for. But a stuck node is nowhere near it either, so the clock decides which of the two it is.
   */
  const assertReached = (slot: bigint | undefined, leastSlot: bigint): void => {
    if (slot === undefined ? leastSlot === 0n : isReached(slot, leastSlot)) return;
    const asked = leastSlot === 0n ? lastTick : leastSlot;
    throw new HeavenError(
      'rpc-behind',
      `The RPC node is behind: the pool was to be read of slot ${asked} or later. Use another node if it stays so.`,
      { method: 'getMultipleAccounts', minContextSlot: asked },
    );
  };
  const isReached = (slot: bigint, leastSlot: bigint): boolean =>
    hasSnapshot && isFarBehind(slot, heardSlot)
      ? isDoubted && !isFarBehind(slot, lastTick)
      : slot >= leastSlot || isFarBehind(slot, leastSlot);

  /** Either the known state or the clock is wrong: read the pool again. */
  const doubtRead = (): WatchStep[] => {
    if (isDoubted || ++ticksBehind < TICKS_TO_DOUBT) return [];
    isDoubted = true;
    ticksBehind = 0;
    connection.unjoin();
    return reads.want('ahead', 0n, doubts++ === 0 ? undefined : doubts - 2);
  };

  return {
    latest: () => (hasSnapshot ? listening.tracker.latest : undefined),
    /** Whether no change is being missed. */
    isUpToDate: () => connection.isJoined() && reads.isIdle(),
    hasRead: () => hasRead,
    /** Requests the first read, whether or not the subscriptions are active. */
    firstRead,
    /** Notes that a read begins. Returns false if there is nothing to read. */
    beginRead: (): boolean => {
      const hasBegun = reads.begin(listening.tracker.arrivals);
      hasRead ||= hasBegun;
      return hasBegun;
    },
    /** Takes the accounts that were read, in the order of their addresses. */
    read: (accounts: readonly (RawAccount | undefined)[]): readonly WatchStep[] => {
      const { reason, leastSlot, begun } = reads.current();
      let loaded: ReturnType<typeof load>;
      try {
        assertReached(slotOfClock(accounts[3]), leastSlot);
        loaded = load(accounts, begun);
      } catch (error) {
        return readFailed(error);
      }
      const { slot, rejected, isAlone } = loaded;
      reads.end();
      readFailures = 0;
      hasSnapshot = true;
      connection.read(slot);
      // Updates that arrived during the read are lost.
      if (isAlone) reads.want('ahead', isFarBehind(slot, lastTick) ? slot : lastTick + 1n);
      return [
        ...rejected.flatMap(({ address, error, slot }) => refuse(address, error, slot)),
        ...(reason === undefined ? [] : [tell({ type: 'reread', reason, slot })]),
        { do: 'offer' },
        ...(reads.isWanted() ? [{ do: 'read' } as const] : connection.join()),
      ];
    },
    readFailed,
    /** Notes that an account's changes are reported from now on. */
    up: (address: Address): readonly WatchStep[] => {
      if (!connection.up(address)) return [];
      return [tell({ type: 'connected' }), ...(hasRead ? reads.want('connected', heardSlot) : firstRead())];
    },
    /** Notes that an account's changes are not reported for now. */
    down: (address: Address, error: AnyHeavenError): readonly WatchStep[] => {
      if (!connection.down(address)) return [];
      return [tell({ type: 'disconnected', error }), ...(hasRead ? [] : firstRead())];
    },
    /** Takes an account as of a slot, or `undefined` for a notification that can't be read. */
    update: (address: Address, account: RawAccount | undefined, slot: bigint): readonly WatchStep[] => {
      const isTick = address === CLOCK_SYSVAR_ADDRESS;
      if (isTick) lastTick = slot;
      if (hasSnapshot && isFarBehind(heardSlot, slot)) {
        connection.unjoin();
        return refuse(address, farAhead(address, slot, heardSlot), slot);
      }
      if (slot > heardSlot) heardSlot = slot;
      if (account === undefined)
        return refuse(address, invalidAccount('notification', 'it has no base64 data', address), slot);
      if (isTick && hasSnapshot) {
        if (isFarBehind(slot, heardSlot)) return doubtRead();
        isDoubted = false;
        doubts = 0;
        ticksBehind = 0;
      }
      let outcome: UpdateOutcome | undefined;
      const { tracker, during } = listening;
      const { isNews, rejected } = during(() => {
        outcome = tracker.apply({ address, data: account.data, owner: account.owner, slot });
      });
      const [wrong] = rejected;
      if (wrong !== undefined) return refuse(address, wrong.error, slot);
      if ((outcome as UpdateOutcome | undefined) === 'applied') badInARow.delete(address);
      const offer: WatchStep[] = isNews && hasSnapshot ? [{ do: 'offer' }] : [];
      return isTick ? [...offer, ...connection.tick(slot)] : offer;
    },
  };
}

const tell = (event: PoolWatchEvent): WatchStep => ({ do: 'notify', event });

/** The error for a notification that is not believed until a read confirms it. */
function farAhead(address: Address, slot: bigint, newest: bigint): AnyHeavenError {
  const expected = `at most ${newest + MOST_SLOTS_APART}`;
  return new HeavenError(
    'implausible-account',
    `The notification of ${address} is of slot ${slot}, and must be ${expected}: the newest slot known is ${newest}. The pool is read again.`,
    { account: 'notification', address, field: 'slot', found: slot, expected },
  ) as AnyHeavenError;
}

const isFarBehind = (slot: bigint, other: bigint): boolean => slot + MOST_SLOTS_APART < other;

const slotOfClock = (clock: RawAccount | undefined): bigint | undefined =>
  clock && decodeClock(clock.data).slot;

/** Whether an error says that the pool itself is gone. */
const isGone = (error: AnyHeavenError, pool: Address): boolean =>
  error.code === 'pool-not-found' ||
  (error.code === 'account-owner-mismatch' && error.context.address === pool);
