/**
 * The slots of the fork that the tracker follows, newest last. Until a parent is reported, every slot belongs to it.
 *
 * The tracker and its parts are classes: with ten thousand trackers, closures for each would not fit into a processor's cache.
 */
export class SlotChain {
  #head = -1;
  /** The slot below which nothing can be undone. Every fork that the tracker follows goes through it. */
  #floor = -1;
  /** The slots above `floor` up to `head`, ascending. Undefined until a parent is reported. */
  #line: number[] | undefined;
  /** Created when a stream reports forks. */
  #parents: Map<number, number> | undefined;
  #dead: Set<number> | undefined;

  get head(): number {
    return this.#head;
  }

  get floor(): number {
    return this.#floor;
  }

  /** Whether any slot may be off the fork. If not, there is no need to check each one. */
  get hasOff(): boolean {
    return this.#line !== undefined || (this.#dead !== undefined && this.#dead.size > 0);
  }

  /** Whether a slot was dropped, or is on another fork. */
  isOff(slot: number): boolean {
    if (this.#dead?.has(slot) === true) return true;
    return this.#line !== undefined && slot > this.#floor && slot <= this.#head && !this.#line.includes(slot);
  }

  /** Starts over: everything known is on the fork that ends with this slot. */
  reset(slot: number): void {
    this.#parents = undefined;
    this.#dead = undefined;
    this.#line = undefined;
    this.#floor = slot;
    this.#head = slot;
  }

  /** Follows the fork that ends with a slot. Returns false if that fork is not known to go through `floor`. */
  follow(slot: number, parent: number | undefined): boolean {
    if (parent !== undefined && slot > this.#floor) this.#setParent(slot, parent);
    if (slot <= this.#head) return true;
    if (parent === undefined || parent === this.#head) {
      if (parent !== undefined && this.#line === undefined) {
        this.#line = [];
        this.#floor = this.#head;
      }
      this.#line?.push(slot);
      if (parent === undefined && this.#line !== undefined) this.#setParent(slot, this.#head);
      this.#head = slot;
      return true;
    }
    const walked = [slot];
    let ancestor: number | undefined = parent;
    while (ancestor !== undefined && ancestor > this.#floor) {
      walked.push(ancestor);
      ancestor = this.#parents?.get(ancestor);
    }
    const line = walked.reverse();
    this.#line = line;
    this.#head = slot;
    return ancestor === this.#floor && !line.some((one) => this.#dead?.has(one));
  }

  /** Drops a slot. Returns false if that can't be undone: the slot is too old, or later slots build on it. */
  drop(slot: number): boolean {
    if (slot <= this.#floor) return false;
    this.#dead ??= new Set();
    this.#dead.add(slot);
    const line = this.#line;
    if (line === undefined || !line.includes(slot)) return true;
    if (slot !== this.#head) return false;
    line.pop();
    this.#head = line[line.length - 1] ?? this.#floor;
    return true;
  }

  /** Raises the floor to the newest slot of the fork up to `slot`. */
  raiseFloor(slot: number): void {
    if (slot <= this.#floor) return;
    const line = this.#line;
    if (line === undefined) {
      this.#floor = slot < this.#head ? slot : this.#head;
    } else {
      let raised = this.#floor;
      while (line.length > 1 && (line[0] as number) <= slot) raised = line.shift() as number;
      this.#floor = raised;
    }
    this.#forget();
  }

  /** Everything up to a slot was read and can't be undone. Returns false if the followed fork does not go through that slot. */
  rebase(slot: number): boolean {
    if (slot <= this.#floor) return true;
    const line = this.#line;
    const isOn = line === undefined || slot > this.#head || line.includes(slot);
    this.#floor = slot;
    if (slot >= this.#head || !isOn) {
      this.#line = undefined;
      if (slot > this.#head) this.#head = slot;
    } else {
      this.#line = line?.filter((one) => one > slot);
    }
    this.#forget();
    return isOn;
  }

  #setParent(slot: number, parent: number): void {
    this.#parents ??= new Map();
    this.#parents.set(slot, parent);
  }

  /** Removes what is below the floor. */
  #forget(): void {
    for (const slot of this.#parents?.keys() ?? []) if (slot <= this.#floor) this.#parents?.delete(slot);
    for (const slot of this.#dead ?? []) if (slot <= this.#floor) this.#dead?.delete(slot);
  }
}
