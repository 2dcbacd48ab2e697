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
  /** What is known from the horizon on, wanted or not. */
  const seen = new Map<Signature, bigint>(start === undefined ? [] : [[start.signature, start.slot]]);
  /** What is older is over: `seen` no longer knows it. */
  let horizon = start?.slot ?? 0n;
  return {
    anchor: () => anchor,
    has: (signature: Signature) => seen.has(signature),
    isNew: (signature: Signature, slot: bigint) => !seen.has(signature) && slot >= horizon,
    note: (transactions: readonly KnownCursor[]) => {
      for (const { signature, slot } of transactions) seen.set(signature, slot);
    },
    /** Moves the anchor behind what the node lists, newest first, but for the overlap. */
    settle: (entries: readonly KnownCursor[]) => {
      const [newest] = entries;
      const least = anchor?.slot ?? -1n;
      const settled =
        newest && entries.find(({ slot }) => slot <= newest.slot - OVERLAP_SLOTS && slot > least);
      if (newest === undefined || settled === undefined) return;
      anchor = settled;
      if (settled.slot - KEPT_SLOTS > horizon) horizon = settled.slot - KEPT_SLOTS;
      // A slot in the future is a node's fault, and not remembered for ever.
      const end = newest.slot + KEPT_SLOTS;
      for (const [signature, slot] of seen) if (slot < horizon || slot > end) seen.delete(signature);
    },
  };
}
