import type { Signature } from '@solana/kit';

import type { ListedTransaction } from './signatures.js';

/** How far back it is asked again: nodes list a transaction with some delay, and not always in order. 30 seconds. */
const OVERLAP_SLOTS = 150n;
/** How long a transaction is remembered, so that it can't come twice: at least 5 minutes. */
const KEPT_SLOTS = 1_500n;

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
  /** What is older is over: `seen` no longer knows it. */
  let horizon = start?.slot ?? 0n;

  return {
    anchor: () => anchor,
    has: (signature: Signature) => seen.has(signature),
    isNew: (signature: Signature, slot: bigint) => !seen.has(signature) && slot >= horizon,
    /** Notes a notification that is not read. */
    ignored: ({ signature, slot }: KnownCursor) => void seen.set(signature, slot),
    /** Notes a notification that is read, whose slot proves nothing. Returns the horizon, to pass to `read` then. */
    heard: (signature: Signature): bigint => {
      seen.set(signature, undefined);
      return horizon;
    },
    /** Notes the slot that a notified transaction itself says. False if it is older than what was remembered when it was notified. */
    read: ({ signature, slot }: KnownCursor, horizonWhenHeard: bigint): boolean => {
      seen.set(signature, slot);
      return slot >= horizonWhenHeard;
    },
    /** Notes what the node lists, newest first, and moves the anchor behind it, but for the overlap. */
    listed: (entries: readonly KnownCursor[]) => {
      for (const { signature, slot } of entries) seen.set(signature, slot);
      const [newest] = entries;
      const least = anchor?.slot ?? -1n;
      const settled =
        newest && entries.find(({ slot }) => slot <= newest.slot - OVERLAP_SLOTS && slot > least);
      if (newest === undefined || settled === undefined) return;
      anchor = settled;
      if (settled.slot - KEPT_SLOTS > horizon) horizon = settled.slot - KEPT_SLOTS;
      // A slot in the future is a node's fault, and not remembered for ever.
      const end = newest.slot + KEPT_SLOTS;
      for (const [signature, slot] of seen)
        if (slot !== undefined && (slot < horizon || slot > end)) seen.delete(signature);
    },
  };
}
