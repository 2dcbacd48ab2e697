import type { Address, Signature } from '@solana/kit';

import { type AnyHeavenError, HeavenError, isHeavenError } from '../base/errors.js';
import { subscriptionsOf } from '../pool/watch/follow-pool.js';
import { slotOf } from '../solana/rpc/accounts.js';
import { type Channel, openChannel } from '../solana/rpc/channel.js';
import { notify } from '../solana/rpc/notify.js';
import { backOffMs, pause } from '../solana/timing.js';
import type { ParsedTransaction } from './parse-transaction.js';
import {
  type Cursor,
  type HistoryClient,
  isSignatureText,
  type ListedTransaction,
  levelOf,
  listSignatures,
  MOST_LISTED,
  readReported,
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

const METHOD = 'logsSubscribe';
/** How long the first list waits for the subscription: it has to come after it. */
const FIRST_LIST_MS = 1_000;
/** How often to ask the node for what the subscription may have missed. */
const LIST_EVERY_MS = 20_000;
/** The shortest pause between two lists, so notifications can't keep the watch busy with lists. */
const PAUSE_MS = 1_000;
const AT_ONCE = 4;
/** The maximum number of notifications between two lists. The next list covers the rest. */
const MOST_NOTIFIED = 20_000;
/**
 * The maximum number of transactions that wait to be read. They must all be held: a list is newest first. With more, the watch
 * ends, because it can't continue without a gap. Mentioning an address this often costs an attacker 0.5 SOL in fees.
 */
const MOST_WAITING = 100_000;
/** How often to retry what the node does not have yet. */
const TRIES = 8;

/** What to follow. */
export interface FollowedAddress {
  readonly address: Address;
  /** Whether a notified transaction must be read. `logs` is what the node sent, if it kept them. */
  readonly isWanted: (logs: readonly unknown[] | undefined) => boolean;
  readonly observe: ((event: HistoryWatchEvent) => void) | undefined;
}

/** An active subscription. */
interface Connection {
  /** Whether everything from before it has been listed. */
  isLive: boolean;
  /** What the last list had that the subscription has not reported yet. */
  unreported: Set<Signature>;
}

/**
 * Yields an address's transactions in order, each once. A subscription reports them as they happen, and the node's list has those that
 * the subscription missed.
 */
export class AddressFollower {
  readonly #client: HistoryClient;
  readonly #followed: FollowedAddress;
  readonly #stop: AbortSignal;
  readonly #channel: Channel;
  #connection: Connection | undefined;
  readonly #queue: TransactionQueue;
  /** The number of notifications since the last list. */
  #notified = 0;
  /** Whether notifications are left to the next list, because too many came. */
  #isBehind = false;
  /** When the next list is due, and when it may begin at the earliest. */
  #listAt = performance.now() + FIRST_LIST_MS;
  #notBefore = 0;
  #hasListed = false;
  #failures = 0;
  #wake = () => {};

  /** @param start What happened up to this transaction is not yielded. `undefined` if nothing has happened yet. */
  constructor(
    client: HistoryClient,
    followed: FollowedAddress,
    start: QueuedTransaction | undefined,
    stop: AbortSignal,
  ) {
    this.#client = client;
    this.#followed = followed;
    this.#queue = new TransactionQueue(start);
    this.#stop = stop;
    const { address } = followed;
    this.#channel = openChannel<unknown>({
      method: METHOD,
      what: `the logs of ${address}`,
      subscribe: (signal) =>
        subscriptionsOf(client)
          .logsNotifications({ mentions: [address] }, { commitment: levelOf(client) })
          .subscribe({ abortSignal: signal }),
      up: () => {
        this.#connection = { isLive: false, unreported: new Set() };
        this.#requestList();
      },
      down: (error) => {
        this.#connection = undefined;
        notify(followed.observe, { type: 'disconnected', error });
      },
      notification: (value) => this.#hear(value),
    });
    // At once, even if nobody asks for the next transaction.
    stop.addEventListener('abort', this.#channel.close, { once: true });
  }

  /** Whether transactions arrive as they happen. */
  get isLive(): boolean {
    return this.#connection?.isLive === true;
  }

  async *transactions(): AsyncGenerator<ParsedTransaction> {
    while (!this.#stop.aborted) {
      if (this.#msToList() === 0) await this.#tryToCatchUp();
      const reads = this.#queue.take(AT_ONCE).map((each) => this.#read(each));
      // Awaited in order, or never.
      for (const read of reads) read.catch(() => {});
      for (const read of reads) yield await read;
      if (reads.length === 0) await this.#rest();
    }
  }

  #msToList(): number {
    return Math.max(0, Math.max(this.#listAt, this.#notBefore) - performance.now());
  }

  /** Waits for a notification or the next list. */
  async #rest(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await pause(this.#msToList(), this.#stop, woken);
  }

  #requestList(): void {
    this.#listAt = 0;
    this.#wake();
  }

  /** Takes a notification. The next list covers those that can't be read or are too many. */
  #hear(notification: unknown): void {
    const slot = slotOf(notification);
    const { value } = Object(notification) as { readonly value?: unknown };
    const { signature, err, logs } = Object(value) as Readonly<Record<string, unknown>>;
    const isReadable = slot !== undefined && isSignatureText(signature);
    if (isReadable) this.#connection?.unreported.delete(signature);
    this.#notified++;
    this.#isBehind ||= this.#notified > MOST_NOTIFIED;
    if (!isReadable || this.#isBehind) {
      this.#requestList();
      return;
    }
    // Every program logs something: an empty list means that the logs were not kept.
    const lines = Array.isArray(logs) && logs.length > 0 ? logs : undefined;
    const hasFailed = err !== null && err !== undefined;
    this.#queue.add({ signature, slot }, () => !hasFailed && this.#followed.isWanted(lines));
    this.#wake();
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
      notify(this.#followed.observe, { type: 'read-failed', error });
      this.#notBefore = performance.now() + backOffMs(this.#failures++);
      this.#listAt = 0;
    }
  }

  #canRetry({ code, context }: AnyHeavenError): boolean {
    if (this.#stop.aborted) return false;
    if (code !== 'history-incomplete') return this.#hasListed;
    // A node that is behind lacks the newest transaction for a moment.
    return context.reason === 'unknown-cursor' && this.#failures < TRIES;
  }

  /** Lists what happened since the last list, and queues what is new in its place. */
  async #catchUp(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) this.#channel.restartOlder(performance.now() - LIST_EVERY_MS, unanswered());
    // What is left out from now on may not be in this list any more: it waits for the next.
    const wasBehind = this.#isBehind;
    this.#isBehind = false;
    this.#listAt = Number.POSITIVE_INFINITY;
    const missed = this.#queue.addListed(await this.#listNew());
    this.#listAt = Math.min(this.#listAt, performance.now() + LIST_EVERY_MS);
    this.#notified = 0;
    if (missed.length > 0) notify(this.#followed.observe, { type: 'caught-up', found: missed.length });
    // Unless it was lost meanwhile.
    if (connection !== undefined && connection === this.#connection)
      this.#compare(connection, wasBehind ? [] : missed);
  }

  /** Compares a subscription with what a list found that it had not reported: it reconnects if it leaves out transactions. */
  #compare(connection: Connection, missed: readonly ListedTransaction[]): void {
    if (!connection.isLive) {
      connection.isLive = true;
      notify(this.#followed.observe, { type: 'connected' });
    } else if (connection.unreported.size > 0) {
      this.#channel.restartOlder(performance.now(), silent(connection.unreported.size));
    } else {
      connection.unreported = new Set(missed.map(({ signature }) => signature));
    }
  }

  /** Returns all transactions since the last list, newest first. */
  async #listNew(): Promise<readonly ListedTransaction[]> {
    const { address } = this.#followed;
    const until = this.#queue.newest;
    const entries: ListedTransaction[] = [];
    for (;;) {
      const request = { address, before: entries.at(-1), until, limit: MOST_LISTED };
      const page = await listSignatures(this.#client, request, { abortSignal: this.#stop });
      // A node may return fewer than requested: only an empty list is the end.
      if (page.length === 0) return entries;
      entries.push(...page);
      if (entries.length + this.#queue.length > MOST_WAITING)
        throw tooMany(address, until ?? (entries[0] as Cursor));
    }
  }

  /** Reads a transaction that the node reported, and retries unless the node never returns it. */
  async #read({ signature }: QueuedTransaction): Promise<ParsedTransaction> {
    for (let failures = 0; ; failures++) {
      try {
        return await readReported(this.#client, signature, { abortSignal: this.#stop });
      } catch (error) {
        const isMissing =
          isHeavenError(error, 'history-incomplete') || isHeavenError(error, 'rpc-invalid-response');
        if (!isHeavenError(error) || this.#stop.aborted || (isMissing && failures >= TRIES)) throw error;
        notify(this.#followed.observe, { type: 'read-failed', error });
        await pause(backOffMs(failures), this.#stop);
      }
    }
  }
}

const tooMany = (address: Address, { signature }: Cursor) =>
  new HeavenError(
    'history-incomplete',
    `More than ${MOST_WAITING} transactions name ${address} since ${signature}: too many to catch up with at once. Page through them with listTrades and until: '${signature}', then watch from the newest trade.`,
    { reason: 'too-many', signature },
  );

const silent = (count: number) =>
  new HeavenError(
    'rpc-failed',
    `The subscription left out ${count} transactions that the node lists. It reconnects.`,
    { method: METHOD },
  );

const unanswered = () =>
  new HeavenError(
    'rpc-timeout',
    `The node did not answer ${METHOD} within ${LIST_EVERY_MS} ms. The watch tries again.`,
    { method: METHOD, timeoutMs: LIST_EVERY_MS },
  );
