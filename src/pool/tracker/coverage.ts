import { dropOff, type History, prune } from './history.js';
import { createSlotChain } from './slot-chain.js';

/** Up to which slot nothing is missing, on the fork that is followed. */
export function createCoverage(histories: readonly History[], forkDepth: number) {
  const depth = BigInt(forkDepth);
  const chain = createSlotChain();
  /** From this slot on, the stream sends everything. */
  let from: bigint | undefined;
  /** Nothing is missing up to this slot. */
  let known: bigint | undefined;

  const isJoined = () => known !== undefined && from !== undefined && from <= known + 1n;

  /** Forgets what is on other forks, before the chain does. */
  const forget = (upTo: bigint) => {
    if (!chain.hasOff()) return;
    for (const history of histories) dropOff(history, chain.isOff, upTo);
  };

  const restart = (slot: bigint) => {
    forget(slot);
    chain.reset(slot);
  };

  /** Something is missing: only a read that is newer than all of it helps. */
  const lose = () => {
    known = undefined;
    if (from !== undefined && from <= chain.head()) from = chain.head() + 1n;
  };

  return {
    head: chain.head,
    isOff: chain.isOff,
    hasOff: chain.hasOff,
    isJoined,
    isOpen: () => from === undefined,
    lose,
    complete: (slot: bigint, parent: bigint | undefined): void => {
      const before = chain.head();
      if (from === undefined) {
        from = slot + 1n;
        restart(slot > before ? slot : before);
        if (isJoined()) known = chain.head();
        return;
      }
      if (!chain.follow(slot, parent)) {
        restart(slot);
        lose();
        return;
      }
      const head = chain.head();
      if (head === before) return;
      if (isJoined()) known = head;
      const floor = head - depth;
      if (floor <= chain.floor()) return;
      forget(floor);
      chain.raiseFloor(floor);
      for (const history of histories) prune(history, chain.floor());
    },
    dropSlot: (slot: bigint): void => {
      const hasDropped = chain.drop(slot);
      if (!hasDropped) lose();
      else if (isJoined()) known = chain.head();
    },
    gap: (resumesAt: bigint | undefined): void => {
      if (chain.head() >= 0n) restart(chain.head());
      from = resumesAt;
    },
    /** Before a read of a slot takes the place of what is older. */
    beforeRead: forget,
    afterRead: (slot: bigint): void => {
      const isOnFork = chain.rebase(slot);
      if (known === undefined || slot > known) known = slot;
      if (!isOnFork) lose();
      else if (isJoined()) known = chain.head();
    },
  };
}
