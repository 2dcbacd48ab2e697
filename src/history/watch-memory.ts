import type { Signature } from '@solana/kit';

import type { ListedTransaction } from './signatures.js';

/** How far back each list overlaps the last one: nodes list a transaction with some delay, and not always in order. 30 seconds. */
const OVERLAP_SLOTS = 150n;
/** How long to remember a transaction, so that it is never reported twice: at least 5 minutes. */
const KEPT_SLOTS = 1_500n;
/** The maximum number of remembered transactions, whatever a node sends: the oldest are forgotten. Far above the exchange's volume. */
const MOST_SEEN = 300_000;

/** A transaction whose slot is known. */
export type KnownCursor = Pick<ListedTransaction, 'signature' | 'slot'>;

/** Remembers which transactions have been seen. */
export function createMemory(start: KnownCursor | undefined) {
  /** Everything up to here is known, or happened before the watch. */
  let anchor = start;
  /**
   * What is known from the horizon on, by the slot from a list or the transaction itself. `undefined`: notified, but not read yet.
   */
  const seen = new Map<Signature, bigint | undefined>(
    start === undefined ? [] : [[start.signature, start.slot]],
  );
  /**
   * Unread notifications since the last list, and before it. A transaction that two lists lack may never have happened, and is not
   * remembered forever.
   */
  let ignored = new Set<Signature>();
  let ignoredBefore = new Set<Signature>();
  /** Anything older is over: `seen` no longer knows it. */
  let horizon = start?.slot ?? 0n;

  const has = (signature: Signature) =>
    seen.has(signature) || ignored.has(signature) || ignoredBefore.has(signature);
  const note = (signature: Signature, slot: bigint | undefined) => {
    seen.set(signature, slot);
    if (seen.size <= MOST_SEEN) return;
    // Delete many at once: a map finds its first key slowly after earlier ones were deleted.
    for (const oldest of seen.keys()) {
      if (seen.size <= MOST_SEEN * 0.9) return;
      seen.delete(oldest);
    }
  };

  return {
    anchor: () => anchor,
    has,
    isNew: (signature: Signature, slot: bigint) => !has(signature) && slot >= horizon,
    /** Notes a notification that is not going to be read. */
    ignored: (signature: Signature) => void ignored.add(signature),
    /** Notes a notification to be read, whose slot proves nothing yet. Returns the horizon: pass it to `read` afterwards. */
    heard: (signature: Signature): bigint => {
      note(signature, undefined);
      return horizon;
    },
    /** Notes the slot that a notified transaction itself states. Returns false if that is older than the horizon when it was notified. */
    read: ({ signature, slot }: KnownCursor, horizonWhenHeard: bigint): boolean => {
      note(signature, slot);
      return slot >= horizonWhenHeard;
    },
    /** Notes what the node lists, newest first, and moves the anchor to the list's newest slot, minus the overlap. */
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
