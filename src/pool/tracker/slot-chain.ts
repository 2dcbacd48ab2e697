/** The slots of the fork that is followed, newest last. Without parents being told, every slot belongs to it. */
export function createSlotChain() {
  const parents = new Map<number, number>();
  const dead = new Set<number>();
  /** The slots above `floor` up to `head`, ascending. Unknown until a parent is told. */
  let line: number[] | undefined;
  /** The slot below which nothing can be undone. Every fork that is followed goes through it. */
  let floor = -1;
  let head = -1;

  return {
    head: () => head,
    floor: () => floor,
    /** Whether a slot was given up, or is on another fork. */
    isOff: (slot: number): boolean =>
      (dead.size > 0 && dead.has(slot)) ||
      (line !== undefined && slot > floor && slot <= head && !line.includes(slot)),
    /** Whether some slot may be off: asking for each is only needed then. */
    hasOff: () => dead.size > 0 || line !== undefined,

    /** Begins again: all that is known is on the fork that ends with this slot. */
    reset: (slot: number): void => {
      parents.clear();
      dead.clear();
      line = undefined;
      floor = slot;
      head = slot;
    },

    /** Follows the fork that ends with a slot. False if it is not known to go through `floor`. */
    follow: (slot: number, parent: number | undefined): boolean => {
      if (parent !== undefined && slot > floor) parents.set(slot, parent);
      if (slot <= head) return true;
      if (parent === undefined || parent === head) {
        if (parent !== undefined && line === undefined) {
          line = [];
          floor = head;
        }
        line?.push(slot);
        if (parent === undefined && line !== undefined) parents.set(slot, head);
        head = slot;
        return true;
      }
      const walked = [slot];
      let ancestor: number | undefined = parent;
      while (ancestor !== undefined && ancestor > floor) {
        walked.push(ancestor);
        ancestor = parents.get(ancestor);
      }
      line = walked.reverse();
      head = slot;
      return ancestor === floor && !line.some((one) => dead.has(one));
    },

    /** Gives up a slot. False if that can't be undone: it is too old, or what follows builds on it. */
    drop: (slot: number): boolean => {
      if (slot <= floor) return false;
      dead.add(slot);
      if (line === undefined || !line.includes(slot)) return true;
      if (slot !== head) return false;
      line.pop();
      head = line[line.length - 1] ?? floor;
      return true;
    },

    /** Raises the floor to the newest slot of the fork up to `slot`. */
    raiseFloor: (slot: number): void => {
      if (slot <= floor) return;
      if (line === undefined) {
        floor = slot < head ? slot : head;
      } else {
        let raised = floor;
        while (line.length > 1 && (line[0] as number) <= slot) raised = line.shift() as number;
        floor = raised;
      }
      for (const known of parents.keys()) if (known <= floor) parents.delete(known);
      for (const known of dead) if (known <= floor) dead.delete(known);
    },

    /** Everything up to a slot was read, and can't be undone. False if the fork that is followed does not go through it. */
    rebase: (slot: number): boolean => {
      if (slot <= floor) return true;
      const isOn = line === undefined || slot > head || line.includes(slot);
      floor = slot;
      if (slot >= head || !isOn) {
        line = undefined;
        if (slot > head) head = slot;
      } else if (line !== undefined) {
        line = line.filter((one) => one > slot);
      }
      for (const known of parents.keys()) if (known <= floor) parents.delete(known);
      for (const known of dead) if (known <= floor) dead.delete(known);
      return isOn;
    },
  };
}
