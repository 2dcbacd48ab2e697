import { dropOff, type History, prune } from './history.js';
import { createSlotChain } from './slot-chain.js';

/** Up to which slot nothing is missing, on the fork that is followed. */
export function createCoverage(histories: readonly History[], forkDepth: number) {
  const chain = createSlotChain();
  /** From this slot on, the stream sends everything. */
  let from: number | undefined;
  /** Nothing is missing up to this slot. */
  let known: number | undefined;

  const isJoined = () => known !== undefined && from !== undefined && from <= known + 1;

  /** Forgets what is on other forks, before the chain does. */
  const forget = (upTo: number) => {
    if (!chain.hasOff()) return;
    for (const history of histories) dropOff(history, chain.isOff, upTo);
  };

  const restart = (slot: number) => {
    forget(slot);
    chain.reset(slot);
  };

  /** Something is missing: only a read that is newer than all of it helps. */
  const lose = () => {
    known = undefined;
    if (from !== undefined && from <= chain.head()) from = chain.head() + 1;
  };

  return {
    head: chain.head,
    isOff: chain.isOff,
    hasOff: chain.hasOff,
    isJoined,
    isOpen: () => from === undefined,
    lose,
    complete: (slot: number, parent: number | undefined): void => {
      const before = chain.head();
      if (from === undefined) {
        from = slot + 1;
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
      const floor = head - forkDepth;
      if (floor <= chain.floor()) return;
      forget(floor);
      chain.raiseFloor(floor);
      for (const history of histories) prune(history, chain.floor());
    },
    dropSlot: (slot: number): void => {
      const hasDropped = chain.drop(slot);
      if (!hasDropped) lose();
      else if (isJoined()) known = chain.head();
    },
    gap: (resumesAt: number | undefined): void => {
      if (chain.head() >= 0) restart(chain.head());
      from = resumesAt;
    },
    /** Before a read of a slot takes the place of what is older. */
    beforeRead: forget,
    afterRead: (slot: number): void => {
      const isOnFork = chain.rebase(slot);
      if (known === undefined || slot > known) known = slot;
      if (!isOnFork) lose();
      else if (isJoined()) known = chain.head();
    },
  };
}
