import { dropOff, type History, prune } from './history.js';
import { SlotChain } from './slot-chain.js';

/** Knows up to which slot of the followed fork no update is missing. */
export class Coverage {
  readonly chain = new SlotChain();
  readonly #histories: readonly History[];
  readonly #forkDepth: number;
  /** The stream sends everything from this slot on. */
  #from: number | undefined;
  /** No update is missing up to this slot. */
  #known: number | undefined;

  constructor(histories: readonly History[], forkDepth: number) {
    this.#histories = histories;
    this.#forkDepth = forkDepth;
  }

  get head(): number {
    return this.chain.head;
  }

  /** Whether nothing is missing between a read and the stream. */
  get isJoined(): boolean {
    return this.#known !== undefined && this.#from !== undefined && this.#from <= this.#known + 1;
  }

  /** Whether it is unknown where the stream begins. */
  get isOpen(): boolean {
    return this.#from === undefined;
  }

  /** Something is missing: only a read newer than all of it helps. */
  lose(): void {
    this.#known = undefined;
    if (this.#from !== undefined && this.#from <= this.head) this.#from = this.head + 1;
  }

  complete(slot: number, parent: number | undefined): void {
    const before = this.head;
    if (this.#from === undefined) {
      this.#from = slot + 1;
      this.#restart(slot > before ? slot : before);
      if (this.isJoined) this.#known = this.head;
      return;
    }
    if (!this.chain.follow(slot, parent)) {
      this.#restart(slot);
      this.lose();
      return;
    }
    const head = this.head;
    if (head === before) return;
    if (this.isJoined) this.#known = head;
    const floor = head - this.#forkDepth;
    if (floor <= this.chain.floor) return;
    this.#forget(floor);
    this.chain.raiseFloor(floor);
    for (const history of this.#histories) prune(history, this.chain.floor);
  }

  dropSlot(slot: number): void {
    const hasDropped = this.chain.drop(slot);
    if (!hasDropped) this.lose();
    else if (this.isJoined) this.#known = this.head;
  }

  gap(resumesAt: number | undefined): void {
    if (this.head >= 0) this.#restart(this.head);
    this.#from = resumesAt;
  }

  /** Forgets which slots were complete: they never were. */
  beginAgain(slot: number): void {
    this.chain.reset(slot);
    this.#from = undefined;
    this.#known = undefined;
  }

  /** Call before a read of a slot replaces what is older. */
  beforeRead(slot: number): void {
    this.#forget(slot);
  }

  afterRead(slot: number): void {
    const isOnFork = this.chain.rebase(slot);
    if (this.#known === undefined || slot > this.#known) this.#known = slot;
    if (!isOnFork) this.lose();
    else if (this.isJoined) this.#known = this.head;
  }

  /** Removes what is on other forks. Call before the chain does the same. */
  #forget(upTo: number): void {
    if (!this.chain.hasOff) return;
    for (const history of this.#histories) dropOff(history, this.chain, upTo);
  }

  #restart(slot: number): void {
    this.#forget(slot);
    this.chain.reset(slot);
  }
}
