import type { Signature } from '@solana/kit';

import type { ListedTransaction } from './signatures.js';

/** How far back it is asked again: nodes list a transaction with some delay, and not always in order. 30 seconds. */
const OVERLAP_SLOTS = 150n;
/** How long a transaction is remembered, so that it can't come twice: at least 5 minutes. */
const KEPT_SLOTS = 1_500n;
/** Transactions to remember at most, whatever a node tells: the oldest are forgotten. Many more than the exchange has in that time. */
const MOST_SEEN = 300_000;

/** A transaction whose slot is known. */
export type KnownCursor = Pick<ListedTransaction, 'signature' | 'slot'>;

/** Which transactions have been heard of. */
export function createMemory(start: KnownCursor | undefined) {
  /** Everything up to here is known, or was before the watch. */
  let anchor = start;
  /**
   * What is known from the horizon on, by the slot that a list or the transaction itself says. `undefined`: notified, and not read yet.
   */
  const seen = new Map<Signature, bigint | undefined>(
    start === undefined ? [] : [[start.signature, start.slot]],
  );
  /**
   * Notifications that are not read, since the last list and before it. What two lists lack may never have happened, and is not
   * remembered for ever.
   */
  let ignored = new Set<Signature>();
  let ignoredBefore = new Set<Signature>();
  /** What is older is over: `seen` no longer knows it. */
  let horizon = start?.slot ?? 0n;

  const has = (signature: Signature) =>
    seen.has(signature) || ignored.has(signature) || ignoredBefore.has(signature);
  const note = (signature: Signature, slot: bigint | undefined) => {
    seen.set(signature, slot);
    if (seen.size <= MOST_SEEN) return;
    // Many at once: a map is slow to find its first key while the ones before it have been deleted.
    for (const oldest of seen.keys()) {
      if (seen.size <= MOST_SEEN * 0.9) return;
      seen.delete(oldest);
    }
  };

  return {
    anchor: () => anchor,
    has,
    isNew: (signature: Signature, slot: bigint) => !has(signature) && slot >= horizon,
    /** Notes a notification that is not read. */
    ignored: (signature: Signature) => void ignored.add(signature),
    /** Notes a notification that is read, whose slot proves nothing. Returns the horizon, to pass to `read` then. */
    heard: (signature: Signature): bigint => {
      note(signature, undefined);
      return horizon;
    },
    /** Notes the slot that a notified transaction itself says. False if it is older than what was remembered when it was notified. */
    read: ({ signature, slot }: KnownCursor, horizonWhenHeard: bigint): boolean => {
      note(signature, slot);
      return slot >= horizonWhenHeard;
    },
    /** Notes what the node lists, newest first, and moves the anchor behind it, but for the overlap. */
    listed: (entries: readonly KnownCursor[]) => {
      for (const { signature, slot } of entries) note(signature, slot);
      ignoredBefore = ignored;
      ignored = new Set();
      const [newest] = entries;
      const least = anchor?.slot ?? -1n;
      const settled =
        newest && entries.find(({ slot }) => slot <= newest.slot - OVERLAP_SLOTS && slot > least);
      if (settled === undefined) return;
      anchor = settled;
      if (settled.slot - KEPT_SLOTS > horizon) horizon = settled.slot - KEPT_SLOTS;
      for (const [signature, slot] of seen) if (slot !== undefined && slot < horizon) seen.delete(signature);
    },
  };
}
