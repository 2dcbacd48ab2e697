import { type AnyHeavenError, HeavenError, isHeavenError } from '../errors.js';
import { assertNumber, inputError, MAX_TIMER_MS } from '../input.js';
import { MOST_SLOTS_APART } from '../pool/watch/steps.js';
import { backOffMs } from '../solana/rpc/back-off.js';
import { LOADING, type StoreState } from './store.js';

/** How long what a store knows holds. */
export interface FreshnessOptions {
  /**
   * How long after the node last confirmed it a value counts as up to date. When the node says nothing for half of it, or the client
   * has no `rpcSubscriptions`, the store reads again. Default 20000 milliseconds.
   */
  readonly maxAgeMs?: number | undefined;
}

/** What is kept fresh, and how. */
export interface FreshSource<T> {
  /** Starts what tells of changes, and the first read. Called again after a failure that may pass. */
  readonly start: () => void;
  readonly read: (abortSignal: AbortSignal) => Promise<T>;
  /** The value that a subscription has confirmed since this was asked last, if it has. */
  readonly heard: () => T | undefined;
  /**
   * The slot of a value. A value older than what is known comes from a node that is behind, and is not taken. Reads that stay far older
   * for all of `maxAgeMs` are: the known slot can't be true.
   */
  readonly slotOf: (value: T) => bigint;
  readonly changed: () => void;
}

/** A value that is kept fresh for a store until it is stopped. */
export interface Fresh<T> {
  readonly state: () => StoreState<T>;
  /** Starts the source. */
  readonly begin: () => void;
  /** The node confirmed a value now. */
  readonly hear: (value: T) => void;
  /** The value may be out of date. */
  readonly doubt: (error?: AnyHeavenError) => void;
  /** There is no value, and no subscription any more. */
  readonly fail: (error: unknown) => void;
  /** Reads now, and aborts a read under way. Resolves when the newest read has ended. */
  readonly read: () => Promise<void>;
  /** Reads now, and says that it does. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

/** So many times within `maxAgeMs` it is looked whether the node said something. */
const LOOKS = 4;
/** For this share of `maxAgeMs` what was read is as good as confirmed: until it is looked at the next time. */
export const CONFIRMED_SHARE = 1 / LOOKS;
const READ_AFTER_LOOKS = 2;
const STALE_AFTER_LOOKS = 3;

const DEFAULT_MAX_AGE_MS = 20_000;

/** The time that a store was given, checked. */
export function maxAgeOf({ maxAgeMs = DEFAULT_MAX_AGE_MS }: FreshnessOptions): number {
  assertNumber('maxAgeMs', maxAgeMs, [LOOKS, MAX_TIMER_MS]);
  return maxAgeMs;
}

/** An error as a state can show it. What is not this library's comes from a client that was not made by it. */
export const shownError = (error: unknown): AnyHeavenError =>
  isHeavenError(error)
    ? error
    : (inputError(
        'client',
        `The client can't be used: ${error instanceof Error ? error.message : String(error)}. Make it with createClient.`,
      ) as AnyHeavenError);

/** What may be otherwise soon. The rest is for the caller to change. */
const mayPass = (error: AnyHeavenError) =>
  isOfNode(error) || error.code === 'pool-not-found' || error.code === 'account-not-found';

/** Whether an error says something of the node only. */
export const isOfNode = ({ code }: AnyHeavenError) => code.startsWith('rpc-');

/** Why a read was not taken. */
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

/** One timer, which waits for the last thing that it was given, until it is stopped. */
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

/** Keeps a value fresh: by what tells of its changes, and by reads as far as nothing does. */
export function keepFresh<T>(
  { start, read: readValue, heard, slotOf, changed }: FreshSource<T>,
  maxAgeMs: number,
): Fresh<T> {
  let state: StoreState<T> = LOADING;
  let hasStopped = false;
  const timer = oneTimer();
  let reading: AbortController | undefined;
  /** The read that began last. */
  let lastRead: Promise<void> | undefined;
  let readError: AnyHeavenError | undefined;
  /** How often nothing was heard in a row. */
  let silence = 0;
  let failures = 0;
  /** Since when reads are older than what is known. */
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
    // The next look reads.
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
  /** Looks whether the node said something since the last look. */
  const look = () => {
    const latest = heard();
    // Hearing that nothing changed since a slot doesn't confirm the slot, while reads contradict it.
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
