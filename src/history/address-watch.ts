import type { Address, Signature } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../base/errors.js';
import { slotOf } from '../solana/rpc/accounts.js';
import { Connection } from '../solana/rpc/connection.js';
import { notify } from '../solana/rpc/notify.js';
import { Watch } from '../solana/rpc/watch.js';
import { backOffMs, pause } from '../solana/timing.js';
import type { ParsedTransaction } from './parse-transaction.js';
import {
  type Cursor,
  cursorOf,
  type HistoryClient,
  type InSlot,
  isSignatureText,
  type ListedTransaction,
  levelOf,
  listSignatures,
  MAX_LISTED,
  patiently,
  rankOf,
  readReported,
  readTransaction,
  unknownCursor,
} from './signatures.js';
import { type QueuedTransaction, TransactionQueue } from './transaction-queue.js';

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

/** How long the first list waits for the subscription: it has to come after it. */
const FIRST_LIST_MS = 1_000;
/** How often to ask the node for what the subscription may have missed. */
const LIST_EVERY_MS = 20_000;
/** The shortest pause between two lists, so notifications can't keep the watch busy with lists. */
const PAUSE_MS = 1_000;
const AT_ONCE = 4;
/** The maximum number of notifications between two lists. The next list covers the rest. */
const MAX_NOTIFIED = 20_000;
/**
 * The maximum number of transactions that wait to be read. They must all be held: a list is newest first. With more, the watch
 * ends, because it can't continue without a gap. Mentioning an address this often costs an attacker 0.5 SOL in fees.
 */
const MAX_WAITING = 100_000;
/** How often to retry what the node does not have yet. */
const TRIES = 8;

/** What to watch. */
export interface WatchedAddress<TItem> {
  readonly address: Address;
  /** Whether a notified transaction must be read. `logs` is what the node sent, if it kept them. */
  readonly isWanted: (logs: readonly unknown[] | undefined) => boolean;
  readonly itemsIn: (transaction: ParsedTransaction) => readonly TItem[];
}

/** The present subscription. */
interface Subscribed {
  /** Whether everything from before it has been listed. */
  isLive: boolean;
  /** What the last list had that the subscription has not reported yet. */
  unreported: Set<Signature>;
}

/**
 * Yields what happened in an address's transactions, in order, each once. A subscription reports the transactions as they happen, and
 * the node's list has those that the subscription missed.
 */
export class AddressWatch<TItem> extends Watch<TItem> implements HistoryWatch<TItem> {
  readonly #client: HistoryClient;
  readonly #resolve: () => Promise<WatchedAddress<TItem>>;
  readonly #from: unknown;
  readonly #observe: HistoryWatchOptions['observe'];
  /** Set before the subscription and the first list, as is the queue. */
  #watched!: WatchedAddress<TItem>;
  #queue!: TransactionQueue;
  #connection!: Connection;
  #subscribed: Subscribed | undefined;
  /** The number of notifications since the last list. */
  #notified = 0;
  /** Whether notifications are left to the next list, because too many came. */
  #isBehind = false;
  /** When the next list is due, and when it may begin at the earliest. */
  #listAt = Number.POSITIVE_INFINITY;
  #notBefore = 0;
  #hasListed = false;
  #failures = 0;

  /**
   * @param resolve Checks the input. Called with the first `next()`.
   * @param from The transaction after which the watch starts, as the caller gave it.
   */
  constructor(
    client: HistoryClient,
    resolve: () => Promise<WatchedAddress<TItem>>,
    from: unknown,
    { abortSignal, observe }: HistoryWatchOptions,
  ) {
    super(abortSignal);
    this.#client = client;
    this.#resolve = resolve;
    this.#from = from;
    this.#observe = observe;
    Object.freeze(this);
  }

  get isLive(): boolean {
    return this.#subscribed?.isLive === true && !this.over.aborted;
  }

  protected async *items(): AsyncGenerator<TItem, void> {
    const { rpcSubscriptions } = this.#client;
    this.#connection = Connection.of({ rpcSubscriptions, commitment: levelOf(this.#client) });
    const from = cursorOf(this.#from, 'from');
    this.#watched = await this.#resolve();
    this.#queue = new TransactionQueue(await this.#startAfter(from));
    if (this.over.aborted) return;
    this.#listAt = performance.now() + FIRST_LIST_MS;
    this.#subscribe();
    while (!this.over.aborted) {
      if (this.#msToList() === 0) await this.#tryToCatchUp();
      const reads = this.#queue.take(AT_ONCE).map((each) => this.#read(each));
      // Awaited in order, or never.
      for (const read of reads) read.catch(() => {});
      for (const read of reads) yield* this.#watched.itemsIn(await read);
      if (reads.length === 0) await this.idle(this.#msToList());
    }
  }

  /** Returns the transaction after which the watch begins, or `undefined` if the address has none yet. */
  async #startAfter(from: Cursor | undefined): Promise<QueuedTransaction | undefined> {
    const options = { abortSignal: this.over };
    const { address } = this.#watched;
    const rankIn = (found: InSlot, listed: readonly InSlot[]) =>
      rankOf(this.#client, address, found, [...listed], options);
    if (from === undefined) {
      const listed = await listSignatures(this.#client, { address, limit: 100 }, options);
      const [newest] = listed;
      return newest && { ...newest, place: await rankIn(newest, listed) };
    }
    // A node whose history begins later would list only what it has, as if that were everything.
    return await patiently(async () => {
      const found = await readTransaction(this.#client, from.signature, options);
      if (found === undefined) throw unknownCursor(from);
      return { ...found, place: found.transactionIndex ?? (await rankIn(found, [found])) };
    }, options);
  }

  #subscribe(): void {
    const stopListening = this.#connection.listenToLogs(this.#watched.address, {
      up: () => {
        this.#subscribed = { isLive: false, unreported: new Set() };
        this.#requestList();
      },
      down: (_, error) => {
        this.#subscribed = undefined;
        notify(this.#observe, { type: 'disconnected', error });
      },
      notification: (_, value) => this.#onNotification(value),
    });
    // At once, even if nobody asks for the next transaction.
    this.over.addEventListener('abort', stopListening, { once: true });
    // An observer may have ended the watch.
    if (this.over.aborted) stopListening();
  }

  #msToList(): number {
    return Math.max(0, Math.max(this.#listAt, this.#notBefore) - performance.now());
  }

  #requestList(): void {
    this.#listAt = 0;
    this.wake();
  }

  /** Takes a notification. The next list covers those that can't be read or are too many. */
  #onNotification(notification: unknown): void {
    const slot = slotOf(notification);
    const { value } = Object(notification) as { readonly value?: unknown };
    const { signature, err, logs } = Object(value) as Readonly<Record<string, unknown>>;
    const isReadable = slot !== undefined && isSignatureText(signature);
    if (isReadable) this.#subscribed?.unreported.delete(signature);
    this.#notified++;
    this.#isBehind ||= this.#notified > MAX_NOTIFIED;
    if (!isReadable || this.#isBehind) {
      this.#requestList();
      return;
    }
    // Every program logs something: an empty list means that the logs were not kept.
    const lines = Array.isArray(logs) && logs.length > 0 ? logs : undefined;
    const hasFailed = err !== null && err !== undefined;
    this.#queue.add({ signature, slot }, () => !hasFailed && this.#watched.isWanted(lines));
    this.wake();
  }

  /** Lists, and schedules the next list. */
  async #tryToCatchUp(): Promise<void> {
    try {
      await this.#catchUp();
      this.#hasListed = true;
      this.#failures = 0;
      this.#notBefore = performance.now() + PAUSE_MS;
    } catch (error) {
      if (!isHeavenError(error) || !this.#canRetry(error)) throw error;
      notify(this.#observe, { type: 'read-failed', error });
      this.#notBefore = performance.now() + backOffMs(this.#failures++);
      this.#listAt = 0;
    }
  }

  #canRetry({ code, context }: AnyHeavenError): boolean {
    if (this.over.aborted) return false;
    if (code !== 'history-incomplete') return this.#hasListed;
    // A node that is behind lacks the newest transaction for a moment.
    return context.reason === 'unknown-cursor' && this.#failures < TRIES;
  }

  /** Lists what happened since the last list, and queues what is new in its place. */
  async #catchUp(): Promise<void> {
    const subscribed = this.#subscribed;
    // What is left out from now on may not be in this list any more: it waits for the next.
    const wasBehind = this.#isBehind;
    this.#isBehind = false;
    this.#listAt = Number.POSITIVE_INFINITY;
    const missed = this.#queue.addListed(await this.#listNew());
    this.#listAt = Math.min(this.#listAt, performance.now() + LIST_EVERY_MS);
    this.#notified = 0;
    if (missed.length > 0) notify(this.#observe, { type: 'caught-up', found: missed.length });
    // Unless it was lost meanwhile.
    if (subscribed !== undefined && subscribed === this.#subscribed)
      this.#compare(subscribed, wasBehind ? [] : missed);
  }

  /** Compares a subscription with what a list found that it had not reported: it reconnects if it leaves out transactions. */
  #compare(subscribed: Subscribed, missed: readonly ListedTransaction[]): void {
    if (!subscribed.isLive) {
      subscribed.isLive = true;
      notify(this.#observe, { type: 'connected' });
    } else if (subscribed.unreported.size > 0) {
      this.#connection.reconnectLogs(this.#watched.address, leftOut(subscribed.unreported.size));
    } else {
      subscribed.unreported = new Set(missed.map(({ signature }) => signature));
    }
  }

  /** Returns all transactions since the last list, newest first. */
  async #listNew(): Promise<readonly ListedTransaction[]> {
    const { address } = this.#watched;
    const until = this.#queue.newest;
    const entries: ListedTransaction[] = [];
    for (;;) {
      const request = { address, before: entries.at(-1), until, limit: MAX_LISTED };
      const page = await listSignatures(this.#client, request, { abortSignal: this.over });
      // A node may return fewer than requested: only an empty list is the end.
      if (page.length === 0) return entries;
      entries.push(...page);
      if (entries.length + this.#queue.length > MAX_WAITING)
        throw tooMany(address, until ?? (entries[0] as Cursor));
    }
  }

  /** Reads a transaction that the node reported, and retries unless the node never returns it. */
  async #read({ signature, place }: QueuedTransaction): Promise<ParsedTransaction> {
    for (let failures = 0; ; failures++) {
      try {
        const read = await readReported(this.#client, signature, { abortSignal: this.over });
        return { ...read, transactionIndex: read.transactionIndex ?? place };
      } catch (error) {
        const isMissing =
          isHeavenError(error, 'history-incomplete') || isHeavenError(error, 'rpc-invalid-response');
        if (!isHeavenError(error) || this.over.aborted || (isMissing && failures >= TRIES)) throw error;
        notify(this.#observe, { type: 'read-failed', error });
        await pause(backOffMs(failures), this.over);
      }
    }
  }
}

const tooMany = (address: Address, { signature }: Cursor) =>
  new HeavenError(
    'history-incomplete',
    `More than ${MAX_WAITING} transactions name ${address} since ${signature}: too many to catch up with at once. Page through them with listTrades and until: '${signature}', then watch from the newest trade.`,
    { reason: 'too-many', signature },
  );

const leftOut = (count: number) =>
  new HeavenError(
    'rpc-failed',
    `The subscription left out ${count} transactions that the node lists. It reconnects.`,
    { method: 'logsSubscribe' },
  );
