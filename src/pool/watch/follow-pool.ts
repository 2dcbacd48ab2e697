import type { Address } from '@solana/kit';

import type { HeavenClient, HeavenRpcSubscriptions } from '../../client.js';
import { inputError } from '../../input.js';
import type { RawAccount } from '../../solana/rpc/accounts.js';
import { backOffMs } from '../../solana/rpc/back-off.js';
import { notify } from '../../solana/rpc/notify.js';
import { type PoolLocator, snapshotAddresses, sourceOf } from '../locate.js';
import type { FetchedPoolSnapshot } from '../snapshot.js';
import { listenToAccounts } from './account-subscriptions.js';
import type { Failure } from './newest-only.js';
import { createWatchSteps, type PoolWatchEvent, type WatchStep, type WatchSteps } from './steps.js';

/** What to call while a pool is followed. */
export interface FollowOptions {
  readonly read: (addresses: readonly Address[]) => Promise<readonly (RawAccount | undefined)[]>;
  readonly observe: ((event: PoolWatchEvent) => void) | undefined;
  /** There is a snapshot that the caller should see. */
  readonly offer: () => void;
  /** The pool can't be followed, or no longer. Nothing is called after this. */
  readonly end: (failure: Failure) => void;
}

/** A pool that is followed over subscriptions until it is stopped. */
export interface PoolFollower {
  readonly latest: () => FetchedPoolSnapshot | undefined;
  readonly isUpToDate: () => boolean;
  readonly stop: () => void;
}

/** Follows a pool: subscribes to its accounts, and reads them when needed. */
export function followPool(
  client: HeavenClient,
  locator: PoolLocator,
  { read: readAccounts, observe, offer, end }: FollowOptions,
): PoolFollower {
  let tracker: WatchSteps | undefined;
  let unsubscribe: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;

  const clearTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const stop = () => {
    hasEnded = true;
    unsubscribe?.();
    clearTimer();
  };
  const fail = (error: unknown) => {
    if (hasEnded) return;
    stop();
    end({ error });
  };

  const start = async () => {
    const { deployment, commitment } = client;
    const rpcSubscriptions = subscriptionsOf(client);
    const source = sourceOf(locator);
    const addresses = await snapshotAddresses(deployment, source);
    if (hasEnded) return;
    const tracked = createWatchSteps(deployment, addresses, source);
    tracker = tracked;

    const perform = (steps: readonly WatchStep[]) => {
      for (const step of steps) {
        // An observer may end the watch.
        if (hasEnded) return;
        if (step.do === 'notify') notify(observe, step.event);
        else if (step.do === 'offer') offer();
        else if (step.do === 'end') fail(step.error);
        else readSoon(step.failures);
      }
    };
    /** Never delays a read that is already scheduled. */
    const readSoon = (failures: number | undefined) => {
      if (timer !== undefined && failures !== undefined) return;
      clearTimer();
      if (failures === undefined) beginRead();
      else timer = setTimeout(beginRead, backOffMs(failures));
    };
    const beginRead = () => void read().catch(fail);
    const read = async () => {
      clearTimer();
      if (!tracked.beginRead()) return;
      const steps = await readAccounts(addresses).then(
        (accounts) => () => tracked.read(accounts),
        (error: unknown) => () => tracked.readFailed(error),
      );
      if (!hasEnded) perform(steps());
    };
    const unlessEnded =
      <TArguments extends readonly unknown[]>(steps: (...given: TArguments) => readonly WatchStep[]) =>
      (...given: TArguments) => {
        if (!hasEnded) perform(steps(...given));
      };

    unsubscribe = listenToAccounts(rpcSubscriptions, commitment, [...new Set(addresses)], {
      up: unlessEnded(tracked.up),
      down: unlessEnded(tracked.down),
      update: unlessEnded(tracked.update),
    });
    if (hasEnded) return unsubscribe();
    if (!tracked.hasRead()) timer = setTimeout(() => perform(tracked.firstRead()), FIRST_READ_AFTER_MS);
  };

  void start().catch(fail);
  return {
    latest: () => tracker?.latest(),
    isUpToDate: () => tracker?.isUpToDate() === true && !hasEnded,
    stop,
  };
}

/** Returns the client's subscriptions, and throws if it has none. */
export function subscriptionsOf({ rpcSubscriptions }: HeavenClient): HeavenRpcSubscriptions {
  if (rpcSubscriptions !== undefined) return rpcSubscriptions;
  throw inputError(
    'rpcSubscriptions',
    "Watching needs subscriptions. Make them with kit: createClient({ …, rpcSubscriptions: createSolanaRpcSubscriptions('wss://…') }).",
  );
}

/** How long the first read waits for the subscriptions. If they are active by then, one read is enough. */
const FIRST_READ_AFTER_MS = 1_000;
