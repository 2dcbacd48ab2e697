import type { RateLimit } from 'heaven-pools/http';

/** How many requests begin their work in one turn of the event loop, about 5 ms. */
const PER_TURN = 32;

/** When more than this wait, turns are shorter: Node accepts one connection in each, so that long turns keep callers outside. */
const MANY = 128;
const OF_MANY_PER_TURN = 8;

/** How many requests are rejected in one turn. Rejecting one costs nearly as much as a quote, and a caller who doesn't wait sends the next at once. */
const REFUSED_PER_TURN = 4;

const BUSY: RateLimit = { retryAfterSeconds: 1, isOverload: true };

/**
 * Lets requests work in the order in which they came, a few in each turn of the event loop. In between, connections are accepted and requests
 * read, so that under more load than it can handle the server still answers everyone.
 */
export class WorkQueue {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  readonly #refused: (() => void)[] = [];

  /** A queue of so many requests at most. */
  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting.length + this.#refused.length;
  }

  /** Waits for the caller's turn, or, when too many wait, to be refused. */
  async enter(): Promise<RateLimit | undefined> {
    const isFull = this.#waiting.length >= this.#most;
    if (this.waiting === 0) setImmediate(() => this.#work());
    await new Promise<void>((begin) => (isFull ? this.#refused : this.#waiting).push(begin));
    return isFull ? BUSY : undefined;
  }

  #work(): void {
    const count = this.#waiting.length > MANY ? OF_MANY_PER_TURN : PER_TURN;
    for (const begin of this.#waiting.splice(0, count)) begin();
    for (const begin of this.#refused.splice(0, REFUSED_PER_TURN)) begin();
    if (this.waiting > 0) setImmediate(() => this.#work());
  }
}
