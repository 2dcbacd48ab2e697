import type { Signature } from '@solana/kit';
import type { InSlot, ListedTransaction } from './signatures.js';

/**
 * How long a transaction is remembered, in milliseconds, as its notification may come after the list that has it. The watch lists every 20
 * seconds and replaces a subscription that is later than the next list: this covers five lists that fail.
 */
const KEPT_MS = 120_000;

export interface QueuedTransaction extends InSlot {
  /** Where it stands in its slot: larger is later. */
  readonly place: number;
}

/** The transactions that wait to be read, oldest first, each once: from notifications, and from lists that fill the gaps. */
export class TransactionQueue {
  #waiting: QueuedTransaction[] = [];
  /** The newest transaction that was listed. */
  #newest: QueuedTransaction | undefined;
  /** What came in the last minutes and when, so that nothing is queued twice. */
  readonly #known = new Map<Signature, QueuedTransaction & { readonly at: number }>();
  /** The last place in each slot of those. */
  readonly #ends = new Map<bigint, number>();

  /** @param start The transaction before the first. `undefined` if there is none. */
  constructor(start: QueuedTransaction | undefined) {
    this.#newest = start && this.#place(start, start.place);
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Where the next list ends. */
  get newest(): InSlot | undefined {
    return this.#newest;
  }

  /** Queues a transaction that was notified, unless it came before: notifications come in order. */
  add(transaction: InSlot, isWanted: () => boolean): void {
    if (this.#known.has(transaction.signature)) return;
    const placed = this.#place(transaction);
    if (isWanted()) this.#waiting.push(placed);
  }

  /** Queues what a list has since `newest`, newest first, in its place. Returns what was not known, failed ones included. */
  addListed(listed: readonly ListedTransaction[]): readonly ListedTransaction[] {
    // The known transaction that comes next in the slot, and the part of the room before it that each of the others takes.
    let next: QueuedTransaction | undefined;
    let parts = 1;
    const spots = listed.map((each) => {
      const known = this.#known.get(each.signature);
      next = known ?? (next?.slot === each.slot ? next : undefined);
      parts = known ? 1 : parts + 1;
      return { each, next, parts };
    });
    const missed: ListedTransaction[] = [];
    let last = this.#newest;
    for (const { each, next, parts } of spots.reverse()) {
      const known = this.#known.get(each.signature);
      const from = last?.slot === each.slot ? last.place : 0;
      last = known ?? this.#place(each, next && from + (next.place - from) / parts);
      if (known !== undefined) continue;
      missed.push(each);
      if (!each.hasFailed) this.#waiting.push(last);
    }
    this.#waiting.sort((a, b) => (a.slot === b.slot ? a.place - b.place : a.slot < b.slot ? -1 : 1));
    this.#newest = last;
    const old = performance.now() - KEPT_MS;
    for (const [signature, { slot, at }] of this.#known) {
      // The node's list may be behind the notifications.
      if (at >= old || last === undefined || slot >= last.slot) continue;
      this.#known.delete(signature);
      this.#ends.delete(slot);
    }
    return missed;
  }

  /** Removes the oldest. */
  take(count: number): readonly QueuedTransaction[] {
    return this.#waiting.splice(0, count);
  }

  #place({ signature, slot }: InSlot, place = (this.#ends.get(slot) ?? 0) + 1) {
    const placed = { signature, slot, place, at: performance.now() };
    this.#known.set(signature, placed);
    this.#ends.set(slot, Math.max(place, this.#ends.get(slot) ?? 0));
    return placed;
  }
}
