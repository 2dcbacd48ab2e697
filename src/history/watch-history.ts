import type { Address, Signature } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../errors.js';
import { assertAbortSignal } from '../input.js';
import { subscriptionsOf } from '../pool/watch/follow-pool.js';
import { pause } from '../solana/pause.js';
import { slotOf } from '../solana/rpc/accounts.js';
import { backOffMs } from '../solana/rpc/back-off.js';
import { openChannel } from '../solana/rpc/channel.js';
import { notify } from '../solana/rpc/notify.js';
import type { ParsedTransaction } from './parse-transaction.js';
import {
  type Cursor,
  cursorOf,
  type HistoryClient,
  isSignatureText,
  type ListedTransaction,
  levelOf,
  listSignatures,
  MOST_LISTED,
  readListed,
  readTransaction,
  unknownCursor,
} from './signatures.js';
import { createMemory, type KnownCursor } from './watch-memory.js';

/** What happens in a {@link watchTrades} or {@link watchNewPools}. `type` says which event it is. */
export type HistoryWatchEvent =
  /** The subscription is active, and everything that happened before it has been listed. */
  | { readonly type: 'connected' }
  /** The subscription was lost or could not be opened. The watch reconnects by itself, and asks the node every 20 seconds until then. */
  | { readonly type: 'disconnected'; readonly error: AnyHeavenError }
  /** The node listed `found` transactions that the subscription did not report. The watch yields them in order. */
  | { readonly type: 'caught-up'; readonly found: number }
  /** A read failed. The watch retries by itself. */
  | { readonly type: 'read-failed'; readonly error: AnyHeavenError };

/** How to stop and observe {@link watchTrades} and {@link watchNewPools}. */
export interface HistoryWatchOptions {
  /** Ends the watch. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Called when the state of the connection changes, for logs and metrics. */
  readonly observe?: ((event: HistoryWatchEvent) => void) | undefined;
}

/** Items as they happen, oldest first. You can iterate over it once. */
export interface HistoryWatch<TItem> extends AsyncIterable<TItem> {
  /** Whether items arrive as they happen: false before the first connection, while it is lost, and after the end. */
  readonly isLive: boolean;
  /** Returns the next item. The first call starts the watch. */
  next(): Promise<IteratorResult<TItem, undefined>>;
  /** Ends the watch. */
  return(): Promise<IteratorResult<TItem, undefined>>;
  [Symbol.asyncIterator](): HistoryWatch<TItem>;
}

/** What to watch. */
export interface Watched<TItem> {
  /** The address whose transactions to watch. */
  readonly address: Address;
  /** Whether a notified transaction must be read. `logs` is what the node sent, if it is a list. */
  readonly isWanted: (logs: readonly unknown[] | undefined) => boolean;
  readonly itemsIn: (transaction: ParsedTransaction) => readonly TItem[];
}

const METHOD = 'logsSubscribe';
/** How often to ask the node for what the subscription may have missed. */
const SWEEP_MS = 20_000;
/** The shortest pause before a sweep that a notification requests, so notifications can't keep the watch busy with lists. */
const PAUSE_MS = 1_000;
const AT_ONCE = 4;
/** The maximum number of transactions that wait for a slow reader. More are listed again later. */
const MOST_QUEUED = 5_000;
/** The maximum number of notifications between two sweeps. The list covers the rest. */
const MOST_NOTIFIED = 20_000;
/**
 * The maximum number of transactions to catch up with in one sweep, which must all be held: a list is newest first. With more, the watch
 * ends, because it can't continue without a gap. Mentioning an address this often costs an attacker 0.5 SOL in fees.
 */
const MOST_MISSED = 100_000;
/** How often to retry a transaction that the node does not return, or returns wrong, with growing pauses. */
const ROUNDS = 5;

interface Queued extends Omit<ListedTransaction, 'hasFailed'> {
  /** For a notification: the horizon when it arrived. Its `slot` is only a guess until the transaction is read. */
  readonly horizon?: bigint;
}

/** Watches an address's transactions from a cursor on, each once. */
export function watchHistory<TItem>(
  client: HistoryClient,
  resolve: () => Promise<Watched<TItem>>,
  from: unknown,
  { abortSignal, observe }: HistoryWatchOptions,
): HistoryWatch<TItem> {
  const stop = new AbortController();
  let follower: ReturnType<typeof createFollower> | undefined;

  async function* run(): AsyncGenerator<TItem, undefined> {
    assertAbortSignal(abortSignal, 'abortSignal');
    if (abortSignal?.aborted) return;
    abortSignal?.addEventListener('abort', () => stop.abort(), { once: true, signal: stop.signal });
    try {
      subscriptionsOf(client);
      const cursor = cursorOf(from, 'from');
      const watched = await resolve();
      const ends = { abortSignal: stop.signal };
      const start = await startOf(client, watched.address, cursor, ends);
      follower = createFollower(client, watched, start, stop.signal, observe);
      for (;;) {
        const transaction = await follower.next();
        if (transaction === undefined) return;
        yield* watched.itemsIn(transaction);
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      stop.abort();
      follower?.close();
    }
  }

  const items = run();
  return {
    get isLive() {
      return follower?.isLive() === true && !stop.signal.aborted;
    },
    next: () => items.next(),
    return: async () => {
      stop.abort();
      await items.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Returns where a watch starts: after a transaction whose slot is known, or at the beginning of an address that has none. */
async function startOf(
  client: HistoryClient,
  address: Address,
  from: Cursor | undefined,
  options: { readonly abortSignal: AbortSignal },
): Promise<KnownCursor | undefined> {
  if (from === undefined) {
    const [newest] = await listSignatures(
      client,
      { address, before: undefined, until: undefined, limit: 1, listed: new Set() },
      options,
    );
    return newest;
  }
  for (let round = 1; ; round++) {
    const found = await readTransaction(client, from, undefined, options);
    if (found?.slot !== undefined) return { signature: from.signature, slot: found.slot };
    // A node whose history begins later would list only what it has, as if that were everything.
    if (from.slot === undefined || round >= ROUNDS || options.abortSignal.aborted) throw unknownCursor(from);
    await pause(backOffMs(round), options.abortSignal);
  }
}

/** Sorts transactions by slot, and within a slot by a list that is newest first. */
function inPlace(transactions: readonly Queued[], entries: readonly KnownCursor[]): Queued[] {
  const place = new Map(entries.map(({ signature }, index) => [signature, entries.length - index]));
  const placeOf = ({ signature }: Queued) => place.get(signature) ?? entries.length + 1;
  return [...transactions].sort((a, b) =>
    a.slot === b.slot ? placeOf(a) - placeOf(b) : a.slot < b.slot ? -1 : 1,
  );
}

/** Reads a transaction that the node reported, and retries unless the node never returns it. */
async function readQueued(
  client: HistoryClient,
  item: Queued,
  address: Address,
  abortSignal: AbortSignal,
  observe: HistoryWatchOptions['observe'],
): Promise<ParsedTransaction> {
  for (let round = 1; ; round++) {
    try {
      const { signature, blockTime, horizon } = item;
      const slot = horizon === undefined ? item.slot : undefined;
      const toRead = { signature, slot, blockTime, hasFailed: false };
      return await readListed(client, toRead, address, { abortSignal });
    } catch (error) {
      const isWrong =
        isHeavenError(error, 'history-incomplete') || isHeavenError(error, 'rpc-invalid-response');
      if (!isHeavenError(error) || abortSignal.aborted || (isWrong && round >= ROUNDS)) throw error;
      notify(observe, { type: 'read-failed', error });
      await pause(backOffMs(round), abortSignal);
    }
  }
}

/** What a subscription calls. */
interface Hearer {
  /** Returns how many transactions wait to be read. */
  readonly waiting: () => number;
  readonly heard: (transaction: Queued) => void;
  /** Requests a sweep, at least this long after the last one. */
  readonly due: (afterMs: number) => void;
}

/** Subscribes to an address's logs. Sweeps of the list report what it misses. */
function openLogs<TItem>(
  client: HistoryClient,
  { address, isWanted }: Watched<TItem>,
  memory: ReturnType<typeof createMemory>,
  { waiting, heard, due }: Hearer,
  observe: HistoryWatchOptions['observe'],
) {
  let isUp = false;
  /** Counts connections. */
  let connection = 0;
  /** Whether a sweep has run since the subscription became active. */
  let isSwept = false;
  /** Whether notifications are left to the next sweep, because too many arrived or wait. */
  let isBehind = false;
  /** How many notifications came since the last sweep that worked. */
  let notified = 0;
  /** What the last sweep found. Its notifications may still be on their way: lists can be faster. */
  let found = new Set<Signature>();

  const notification = (value: unknown) => {
    const slot = slotOf(value);
    const { signature, err, logs } = Object(
      (value as { readonly value?: unknown } | null)?.value,
    ) as Readonly<Record<string, unknown>>;
    // The list covers notifications that can't be read.
    if (slot === undefined || !isSignatureText(signature)) return due(PAUSE_MS);
    found.delete(signature);
    if (waiting() >= MOST_QUEUED || ++notified > MOST_NOTIFIED) isBehind = true;
    if (isBehind) return due(PAUSE_MS);
    if (!memory.isNew(signature, slot)) return;
    // Every program logs something: an empty list means that the logs were not kept.
    const lines = Array.isArray(logs) && logs.length > 0 ? logs : undefined;
    if ((err !== null && err !== undefined) || !isWanted(lines)) return memory.ignored(signature);
    heard({ signature, slot, blockTime: undefined, horizon: memory.heard(signature) });
  };

  const channel = openChannel<unknown>({
    method: METHOD,
    what: `the logs of ${address}`,
    subscribe: (signal) =>
      subscriptionsOf(client)
        .logsNotifications({ mentions: [address] }, { commitment: levelOf(client) })
        .subscribe({ abortSignal: signal }),
    up: () => {
      isUp = true;
      isSwept = false;
      connection++;
      due(0);
    },
    down: (error) => {
      isUp = false;
      notify(observe, { type: 'disconnected', error });
    },
    notification,
  });

  return {
    isLive: () => isUp && isSwept,
    close: channel.close,
    /** Call before a sweep. The returned function takes what it found. */
    sweeping: () => {
      const before = isUp ? connection : undefined;
      const wasBehind = isBehind;
      isBehind = false;
      if (!isUp) channel.restartOlder(performance.now() - SWEEP_MS, unanswered());
      return (fresh: readonly KnownCursor[]) => {
        notified = 0;
        if (!isUp || connection !== before) return;
        const isFirst = !isSwept;
        const leftOut = isFirst ? 0 : found.size;
        isSwept = true;
        found = new Set(isFirst || wasBehind ? [] : fresh.map(({ signature }) => signature));
        if (isFirst) notify(observe, { type: 'connected' });
        else if (leftOut > 0) channel.restartOlder(performance.now(), silent(leftOut));
      };
    },
  };
}

/** Yields an address's transactions in order: those that the subscription reports, and those that only the node's list has. */
function createFollower<TItem>(
  client: HistoryClient,
  watched: Watched<TItem>,
  start: KnownCursor | undefined,
  abortSignal: AbortSignal,
  observe: HistoryWatchOptions['observe'],
) {
  const { address } = watched;
  const memory = createMemory(start);
  let queue: Queued[] = [];
  const reading: Promise<ParsedTransaction | undefined>[] = [];
  /** When the last sweep ended, how long after it the next one is due, and the shortest time to wait. */
  let sweptAt = performance.now();
  let dueAfterMs = 0;
  let restMs = 0;
  let hasListed = false;
  let failures = 0;
  let wake = () => {};
  const due = (afterMs: number) => {
    dueAfterMs = Math.min(dueAfterMs, afterMs);
    wake();
  };
  const msToSweep = () => Math.max(0, sweptAt + Math.max(dueAfterMs, restMs) - performance.now());
  const heard = (transaction: Queued) => {
    queue.push(transaction);
    wake();
  };
  const logs = openLogs(client, watched, memory, { waiting: () => queue.length, heard, due }, observe);
  // Stops at once, even if nobody calls `next`.
  const stop = () => {
    logs.close();
    wake();
  };
  abortSignal.addEventListener('abort', stop, { once: true });

  /** Lists everything since the anchor, and queues what is new in order. */
  const sweep = async () => {
    const swept = logs.sweeping();
    const entries = await listSince(client, address, memory.anchor(), abortSignal);
    const fresh = entries.filter(({ signature }) => !memory.has(signature));
    memory.listed(entries);
    queue = inPlace([...fresh.filter(({ hasFailed }) => !hasFailed), ...queue], entries);
    if (fresh.length > 0) notify(observe, { type: 'caught-up', found: fresh.length });
    swept(fresh);
  };

  /** Sweeps, and schedules the next sweep. Transactions that wait to be read go first. */
  const trySweep = async () => {
    const begunAt = performance.now();
    dueAfterMs = SWEEP_MS;
    try {
      await sweep();
      hasListed = true;
      failures = 0;
      sweptAt = performance.now();
      // Slow lists take up at most half the time.
      restMs = sweptAt - begunAt;
    } catch (error) {
      if (abortSignal.aborted) return;
      // A node that is behind can lack the newest transaction for a moment.
      const isLagging = isHeavenError(error, 'history-cursor-unknown') && failures < ROUNDS;
      if (!isHeavenError(error) || isFinal(error) || !(hasListed || isLagging)) throw error;
      notify(observe, { type: 'read-failed', error });
      sweptAt = performance.now();
      restMs = backOffMs(failures++);
      dueAfterMs = 0;
    }
  };

  /** Reads a transaction. Returns `undefined` if it is an old one that the node notified again. */
  const read = async (item: Queued) => {
    const transaction = await readQueued(client, item, address, abortSignal, observe);
    const { signature, slot, horizon } = item;
    const isOld =
      horizon !== undefined && !memory.read({ signature, slot: transaction.slot ?? slot }, horizon);
    return isOld ? undefined : transaction;
  };

  return {
    isLive: logs.isLive,
    close: logs.close,
    /** Returns the next transaction, or `undefined` at the end. */
    next: async (): Promise<ParsedTransaction | undefined> => {
      for (;;) {
        if (msToSweep() === 0) await trySweep();
        if (abortSignal.aborted) return undefined;
        while (reading.length < AT_ONCE && queue.length > 0) {
          const result = read(queue.shift() as Queued);
          // Awaited when it is next in order.
          result.catch(() => {});
          reading.push(result);
        }
        const first = reading.shift();
        if (first !== undefined) {
          const transaction = await first;
          if (transaction === undefined) continue;
          return transaction;
        }
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await pause(msToSweep(), abortSignal, woken);
      }
    },
  };
}

/** Whether retrying can't help. */
const isFinal = ({ code }: AnyHeavenError) =>
  code === 'history-incomplete' || code === 'rpc-method-unsupported';

const silent = (count: number) =>
  new HeavenError(
    'rpc-failed',
    `The subscription left out ${count} transactions that the node lists. It reconnects.`,
    { method: METHOD },
  );

const unanswered = () =>
  new HeavenError(
    'rpc-timeout',
    `The node did not answer ${METHOD} within ${SWEEP_MS} ms. It is tried again.`,
    {
      method: METHOD,
      timeoutMs: SWEEP_MS,
    },
  );

/** Returns all transactions since a cursor, newest first. */
async function listSince(
  client: HistoryClient,
  address: Address,
  until: Cursor | undefined,
  abortSignal: AbortSignal,
): Promise<readonly ListedTransaction[]> {
  const entries: ListedTransaction[] = [];
  const listed = new Set<string>();
  for (;;) {
    const request = { address, before: entries.at(-1), until, limit: MOST_LISTED, listed };
    const page = await listSignatures(client, request, { abortSignal });
    // A node may return fewer than requested: only an empty list is the end.
    if (page.length === 0) return entries;
    entries.push(...page);
    if (entries.length <= MOST_MISSED) continue;
    const { signature } = (until ?? entries.at(-1)) as Cursor;
    throw new HeavenError(
      'history-incomplete',
      `More than ${MOST_MISSED} transactions name ${address} since ${signature}: too many to catch up with at once. Page through them with listTrades and until: '${signature}', then watch from the newest trade.`,
      { signature },
    );
  }
}
