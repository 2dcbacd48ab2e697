import { type AnyHeavenError, HeavenError, isHeavenError } from '../errors.js';
import { assertNumber, inputError, MAX_TIMER_MS } from '../input.js';
import { MOST_SLOTS_APART } from '../pool/watch/steps.js';
import { backOffMs } from '../solana/rpc/back-off.js';
import { LOADING, type StoreState } from './store.js';

/** How long a store's value counts as up to date. */
export interface FreshnessOptions {
  /**
   * How long a value counts as up to date after the node last confirmed it. If the node is silent for half of this time, or the client
   * has no `rpcSubscriptions`, the store reads again. Default 20000 milliseconds.
   */
  readonly maxAgeMs?: number | undefined;
}

/** What to keep fresh, and how. */
export interface FreshSource<T> {
  /** Starts the subscription, if any, and the first read. Called again after a failure that may pass. */
  readonly start: () => void;
  readonly read: (abortSignal: AbortSignal) => Promise<T>;
  /** Returns the value if a subscription has confirmed it since the last call. */
  readonly heard: () => T | undefined;
  /**
   * Returns a value's slot. A value older than the known one comes from a node that is behind, and is dropped. But if reads stay far older
   * for all of `maxAgeMs`, they are accepted: the known slot can't be right.
   */
  readonly slotOf: (value: T) => bigint;
  readonly changed: () => void;
}

/** A value that is kept fresh for a store until it stops. */
export interface Fresh<T> {
  readonly state: () => StoreState<T>;
  /** Starts the source. */
  readonly begin: () => void;
  /** The node has just confirmed a value. */
  readonly hear: (value: T) => void;
  /** The value may be out of date. */
  readonly doubt: (error?: AnyHeavenError) => void;
  /** There is no value, and no subscription anymore. */
  readonly fail: (error: unknown) => void;
  /** Reads now, and aborts a read in progress. Resolves when the newest read has ended. */
  readonly read: () => Promise<void>;
  /** Reads now, and shows that in the state. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

/** How often per `maxAgeMs` to check whether the node sent anything. */
const LOOKS = 4;
/** For how many milliseconds, until the next check, a read is as good as confirmed. */
export const confirmedMs = (maxAgeMs: number): number => maxAgeMs / LOOKS;
const READ_AFTER_LOOKS = 2;
const STALE_AFTER_LOOKS = 3;

const DEFAULT_MAX_AGE_MS = 20_000;

/** Returns the store's `maxAgeMs`, checked. */
export function maxAgeOf({ maxAgeMs = DEFAULT_MAX_AGE_MS }: FreshnessOptions): number {
  assertNumber('maxAgeMs', maxAgeMs, [LOOKS, MAX_TIMER_MS]);
  return maxAgeMs;
}

/** Converts an error for a state. One that is not this library's comes from a client that this library did not create. */
export const shownError = (error: unknown): AnyHeavenError =>
  isHeavenError(error)
    ? error
    : (inputError(
        'client',
        `The client can't be used: ${error instanceof Error ? error.message : String(error)}. Make it with createClient.`,
      ) as AnyHeavenError);

/** Whether an error may pass by itself. The caller has to fix the others. */
const mayPass = (error: AnyHeavenError) =>
  isOfNode(error) || error.code === 'pool-not-found' || error.code === 'account-not-found';

/** Whether an error is only about the node. */
export const isOfNode = ({ code }: AnyHeavenError) => code.startsWith('rpc-');

/** Why a read was dropped. */
const behind = (known: bigint): AnyHeavenError =>
  new HeavenError(
    'rpc-behind',
    `The RPC node is behind: it must return slot ${known} or later, which was read before. Use another node if it stays behind.`,
    { method: 'getMultipleAccounts', minContextSlot: known },
  ) as AnyHeavenError;

function attempt(what: () => void, failed: (error: unknown) => void): void {
  try {
    what();
  } catch (error) {
    failed(error);
  }
}

/** A single timer: each new task replaces the waiting one, until it is stopped. */
function oneTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStopped = false;
  const clear = () => clearTimeout(timer);
  return {
    clear,
    wait: (ms: number, then: () => void) => {
      clear();
      if (!hasStopped) timer = setTimeout(then, ms);
    },
    stop: () => {
      hasStopped = true;
      clear();
    },
  };
}

/** Keeps a value fresh by listening for changes, and by reading while nothing arrives. */
export function keepFresh<T>(
  { start, read: readValue, heard, slotOf, changed }: FreshSource<T>,
  maxAgeMs: number,
): Fresh<T> {
  let state: StoreState<T> = LOADING;
  let hasStopped = false;
  const timer = oneTimer();
  let reading: AbortController | undefined;
  /** The newest read. */
  let lastRead: Promise<void> | undefined;
  let readError: AnyHeavenError | undefined;
  /** How many checks in a row found nothing. */
  let silence = 0;
  let failures = 0;
  /** Since when reads have been older than the known value. */
  let olderSince: number | undefined;

  const set = (next: StoreState<T>) => {
    state = next;
    changed();
  };
  const endRead = () => {
    reading?.abort('over');
    reading = undefined;
  };
  const hear = (value: T) => {
    if (state.data === undefined || slotOf(value) >= slotOf(state.data)) take(value);
  };
  const hearRead = (value: T) => {
    if (state.data === undefined) return take(value);
    const slot = slotOf(value);
    const known = slotOf(state.data);
    if (slot >= known) return take(value);
    const now = performance.now();
    olderSince ??= now;
    if (now - olderSince >= maxAgeMs && slot + MOST_SLOTS_APART < known) return take(value);
    readFailed(behind(known));
  };
  const readFailed = (error: AnyHeavenError) => {
    readError = error;
    if (state.status === 'loading' || state.status === 'stale') doubt(error);
  };
  const take = (value: T) => {
    if (hasStopped) return;
    olderSince = undefined;
    silence = 0;
    failures = 0;
    readError = undefined;
    timer.wait(maxAgeMs / LOOKS, look);
    if (state.status !== 'ready' || state.data !== value)
      set({ status: 'ready', data: value, error: undefined });
  };
  const doubt = (error?: AnyHeavenError) => {
    if (hasStopped || state.data === undefined) return;
    // The next check reads.
    silence = Math.max(silence, READ_AFTER_LOOKS - 1);
    set({ status: 'stale', data: state.data, error });
  };
  const fail = (caught: unknown) => {
    if (hasStopped) return;
    const error = shownError(caught);
    endRead();
    timer.clear();
    if (mayPass(error)) timer.wait(backOffMs(failures++), begin);
    set({ status: 'error', data: undefined, error });
  };
  /** Checks whether the node sent anything since the last check. */
  const look = () => {
    const latest = heard();
    // A report that nothing changed since a slot doesn't confirm the slot while reads contradict it.
    if (latest !== undefined && (olderSince === undefined || latest !== state.data)) return hear(latest);
    silence++;
    timer.wait(maxAgeMs / LOOKS, look);
    if (silence >= STALE_AFTER_LOOKS && state.status !== 'stale') doubt(readError);
    if (silence >= READ_AFTER_LOOKS && reading === undefined) void read();
  };
  const read = async (): Promise<void> => {
    if (hasStopped) return;
    let awaited: Promise<void> | undefined;
    lastRead = readOnce();
    // Another read may replace it before it ends.
    while (awaited !== lastRead) {
      awaited = lastRead;
      await awaited;
    }
  };
  const readOnce = async (): Promise<void> => {
    endRead();
    const own = new AbortController();
    reading = own;
    try {
      const value = await readValue(own.signal);
      if (reading === own) hearRead(value);
    } catch (error) {
      if (reading !== own) return;
      if (state.data === undefined) return fail(error);
      readFailed(shownError(error));
    } finally {
      if (reading === own) reading = undefined;
    }
  };
  const refresh = async () => {
    if (hasStopped) return;
    const hadFailed = state.status === 'error';
    timer.clear();
    set({ status: 'loading', data: state.data, error: undefined });
    if (hadFailed) begin();
    if (state.data !== undefined) timer.wait(maxAgeMs / LOOKS, look);
    await read();
  };

  const begin = () => {
    if (!hasStopped) attempt(start, fail);
  };
  return {
    state: () => state,
    begin,
    hear,
    doubt,
    fail,
    read,
    refresh,
    stop: () => {
      hasStopped = true;
      endRead();
      timer.stop();
    },
  };
}
