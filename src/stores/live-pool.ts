import type { Address } from '@solana/kit';

import type { HeavenClient } from '../client.js';
import { type AnyHeavenError, isHeavenError } from '../errors.js';
import { assertNumber, inputError, MAX_TIMER_MS } from '../input.js';
import { fetchPoolSnapshot } from '../pool/fetch.js';
import type { PoolLocator } from '../pool/locate.js';
import type { FetchedPoolSnapshot } from '../pool/snapshot.js';
import { backOffMs } from '../pool/watch/account-subscriptions.js';
import { followPool, type PoolFollower } from '../pool/watch/follow-pool.js';
import type { PoolWatchEvent } from '../pool/watch/steps.js';
import { fetchAccounts } from '../solana/rpc/accounts.js';
import { LOADING, type StoreState } from './store.js';

/** How long what a store knows of a pool holds. */
export interface LivePoolOptions {
  /**
   * How long after the node last confirmed it the pool's state counts as up to date. When the node says nothing for half of it, or
   * the client has no `rpcSubscriptions`, the pool is read again. Default 20000 milliseconds.
   */
  readonly maxAgeMs?: number | undefined;
}

/** A pool that is followed for a store until it is stopped. */
export interface LivePool {
  readonly state: () => StoreState<FetchedPoolSnapshot>;
  /** The newest snapshot. It goes with each slot, also while the state is the same. */
  readonly latest: () => FetchedPoolSnapshot | undefined;
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

/** What has to be heard within the time that is allowed is looked for so many times. */
const LOOKS = 4;
const READ_AFTER_LOOKS = 2;
const STALE_AFTER_LOOKS = 3;

export const DEFAULT_MAX_AGE_MS = 20_000;

/** Refuses a time that no store can keep. */
export function assertMaxAge(maxAgeMs: number): void {
  assertNumber('maxAgeMs', maxAgeMs, [LOOKS, MAX_TIMER_MS]);
}

/** An error as a state can show it. What is not this library's comes from a client that was not made by it. */
export const shownError = (error: unknown): AnyHeavenError =>
  isHeavenError(error)
    ? error
    : (inputError(
        'client',
        `The client can't be used: ${error instanceof Error ? error.message : String(error)}. Make it with createClient.`,
      ) as AnyHeavenError);

/** What may be otherwise soon. The rest is the caller's to change. */
const isPassing = ({ code }: AnyHeavenError) => code.startsWith('rpc-') || code === 'pool-not-found';

/** Follows a pool: by subscriptions if the client has them, and by reads as far as they say nothing. */
export function followLive(
  client: HeavenClient,
  locator: PoolLocator,
  maxAgeMs: number,
  changed: () => void,
): LivePool {
  const stopped = new AbortController();
  let state: StoreState<FetchedPoolSnapshot> = LOADING;
  let follower: PoolFollower | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: AbortController | undefined;
  let readError: AnyHeavenError | undefined;
  /** How often nothing was heard in a row. */
  let silence = 0;
  let failures = 0;

  const set = (next: StoreState<FetchedPoolSnapshot>) => {
    if (stopped.signal.aborted) return;
    state = next;
    changed();
  };
  const wait = (ms: number, then: () => void) => {
    clearTimeout(timer);
    timer = stopped.signal.aborted ? undefined : setTimeout(then, ms);
  };
  const hear = (snapshot: FetchedPoolSnapshot | undefined) => {
    // A node that is behind says nothing about now.
    if (snapshot === undefined || (state.data !== undefined && snapshot.slot < state.data.slot)) return;
    silence = 0;
    failures = 0;
    readError = undefined;
    wait(maxAgeMs / LOOKS, look);
    set({ status: 'ready', data: snapshot, error: undefined });
  };
  const doubt = (error: AnyHeavenError | undefined) => {
    if (state.data !== undefined) set({ status: 'stale', data: state.data, error });
  };
  const fail = (caught: unknown) => {
    if (stopped.signal.aborted) return;
    const error = shownError(caught);
    follower = undefined;
    if (isPassing(error)) wait(backOffMs(failures++), begin);
    else wait(0, () => {});
    set({ status: 'error', data: undefined, error });
  };
  const look = () => {
    const latest = follower?.isUpToDate() === true ? follower.latest() : undefined;
    if (latest !== undefined && state.data !== undefined && latest.slot > state.data.slot)
      return hear(latest);
    silence++;
    wait(maxAgeMs / LOOKS, look);
    if (silence >= STALE_AFTER_LOOKS && state.status !== 'stale') doubt(readError);
    if (silence >= READ_AFTER_LOOKS && reading === undefined) void read();
  };
  const read = async (): Promise<void> => {
    reading?.abort();
    const own = new AbortController();
    reading = own;
    const isOver = () => stopped.signal.aborted || reading !== own;
    try {
      const snapshot = await fetchPoolSnapshot(client, { ...locator, abortSignal: own.signal });
      if (!isOver()) hear(snapshot);
    } catch (error) {
      if (isOver()) return;
      if (state.data === undefined) return fail(error);
      readError = shownError(error);
      // Asked for by the caller, or for a state that is old already.
      if (state.status === 'loading') doubt(readError);
    } finally {
      if (reading === own) reading = undefined;
    }
  };
  const observe = (event: PoolWatchEvent) => {
    if (event.type === 'disconnected' || event.type === 'reread-failed') doubt(event.error);
  };
  const begin = () => {
    if (client.rpcSubscriptions === undefined) return void read();
    follower = followPool(client, locator, {
      read: (addresses: readonly Address[]) =>
        fetchAccounts(client, addresses, { abortSignal: stopped.signal }),
      observe,
      offer: () => hear(follower?.latest()),
      end: ({ error }) => fail(error),
    });
  };
  const refresh = async () => {
    const { data } = state;
    set({ status: 'loading', data, error: undefined });
    if (data === undefined && follower === undefined && client.rpcSubscriptions !== undefined) begin();
    await read();
  };

  try {
    begin();
  } catch (error) {
    fail(error);
  }
  return {
    state: () => state,
    latest: () => {
      const latest = follower?.latest();
      const { data } = state;
      return data === undefined || (latest !== undefined && latest.slot >= data.slot)
        ? (latest ?? data)
        : data;
    },
    refresh,
    stop: () => {
      stopped.abort('over');
      reading?.abort('over');
      follower?.stop();
      clearTimeout(timer);
    },
  };
}
