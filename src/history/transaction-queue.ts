import type { Signature } from '@solana/kit';
import type { ListedTransaction } from './signatures.js';

/** How long a transaction is remembered after it was listed, as its notification may still come: 2 minutes. */
const KEPT_SLOTS = 300n;

export type QueuedTransaction = Pick<ListedTransaction, 'signature' | 'slot'>;

/** The transactions that wait to be read, oldest first, each once: from notifications, and from lists that fill the gaps. */
export class TransactionQueue {
  #waiting: QueuedTransaction[] = [];
  /** The newest transaction that was listed. */
  #newest: QueuedTransaction | undefined;
  /** The slots of what came in the last minutes, so that nothing is queued twice. */
  readonly #known = new Map<Signature, bigint>();

  /** @param start The transaction before the first. `undefined` if there is none. */
  constructor(start: QueuedTransaction | undefined) {
    this.#newest = start;
    if (start !== undefined) this.#known.set(start.signature, start.slot);
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Where the next list ends. */
  get newest(): QueuedTransaction | undefined {
    return this.#newest;
  }

  /** Queues a transaction that was notified, unless it came before. */
  add({ signature, slot }: QueuedTransaction, isWanted: () => boolean): void {
    if (this.#known.has(signature)) return;
    this.#known.set(signature, slot);
    if (isWanted()) this.#waiting.push({ signature, slot });
  }

  /** Queues what a list has since `newest`, newest first, in its place. Returns what was not known, failed ones included. */
  addListed(listed: readonly ListedTransaction[]): readonly ListedTransaction[] {
    const missed = listed.filter(({ signature }) => !this.#known.has(signature));
    const succeeded = missed.filter(({ hasFailed }) => !hasFailed);
    this.#waiting = inOrder([...succeeded, ...this.#waiting], listed);
    const newest = listed[0];
    if (newest === undefined) return missed;
    this.#newest = newest;
    for (const { signature, slot } of listed) this.#known.set(signature, slot);
    for (const [signature, slot] of this.#known)
      if (slot < newest.slot - KEPT_SLOTS) this.#known.delete(signature);
    return missed;
  }

  /** Removes the oldest. */
  take(count: number): readonly QueuedTransaction[] {
    return this.#waiting.splice(0, count);
  }
}

/** Sorts transactions by slot, and within a slot by a list that is newest first. */
function inOrder(
  transactions: readonly QueuedTransaction[],
  listed: readonly QueuedTransaction[],
): QueuedTransaction[] {
  const place = new Map(listed.map(({ signature }, index) => [signature, listed.length - index]));
  const placeOf = ({ signature }: QueuedTransaction) => place.get(signature) ?? listed.length + 1;
  return [...transactions].sort((a, b) => {
    if (a.slot === b.slot) return placeOf(a) - placeOf(b);
    return a.slot < b.slot ? -1 : 1;
  });
}
