import { dropOff, type History, prune } from './history.js';
import { SlotChain } from './slot-chain.js';

/** Up to which slot nothing is missing, on the fork that is followed. */
export class Coverage {
  readonly chain = new SlotChain();
  readonly #histories: readonly History[];
  readonly #forkDepth: number;
  /** From this slot on, the stream sends everything. */
  #from: number | undefined;
  /** Nothing is missing up to this slot. */
  #known: number | undefined;

  constructor(histories: readonly History[], forkDepth: number) {
    this.#histories = histories;
    this.#forkDepth = forkDepth;
  }

  get head(): number {
    return this.chain.head;
  }

  /** Whether a read and the stream meet: nothing between them is missing. */
  get isJoined(): boolean {
    return this.#known !== undefined && this.#from !== undefined && this.#from <= this.#known + 1;
  }

  /** Whether it isn't known yet where the stream begins. */
  get isOpen(): boolean {
    return this.#from === undefined;
  }

  /** Something is missing: only a read that is newer than all of it helps. */
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

  /** Forgets what was complete: it never was. */
  beginAgain(slot: number): void {
    this.chain.reset(slot);
    this.#from = undefined;
    this.#known = undefined;
  }

  /** Before a read of a slot takes the place of what is older. */
  beforeRead(slot: number): void {
    this.#forget(slot);
  }

  afterRead(slot: number): void {
    const isOnFork = this.chain.rebase(slot);
    if (this.#known === undefined || slot > this.#known) this.#known = slot;
    if (!isOnFork) this.lose();
    else if (this.isJoined) this.#known = this.head;
  }

  /** Forgets what is on other forks, before the chain does. */
  #forget(upTo: number): void {
    if (!this.chain.hasOff) return;
    for (const history of this.#histories) dropOff(history, this.chain, upTo);
  }

  #restart(slot: number): void {
    this.#forget(slot);
    this.chain.reset(slot);
  }
}
