import type { RateLimit } from 'heaven-pools/http';

/** Requests per turn of the event loop: some 5 ms of work. */
const PER_TURN = 32;

const BUSY: RateLimit = { retryAfterSeconds: 1, isOverload: true };

/**
 * Lets requests work in the order in which they came, a few in each turn of the event loop. In between, those that arrive are read, so that
 * under more load than it can handle the server says so at once.
 */
export class WorkQueue {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];

  /** A queue of so many requests at most. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for the caller's turn. Returns at once when too many wait. */
  async enter(): Promise<RateLimit | undefined> {
    if (this.#waiting.length >= this.#most) return BUSY;
    if (this.#waiting.length === 0) setImmediate(() => this.#work());
    await new Promise<void>((begin) => this.#waiting.push(begin));
    return undefined;
  }

  #work(): void {
    for (const begin of this.#waiting.splice(0, PER_TURN)) begin();
    if (this.#waiting.length > 0) setImmediate(() => this.#work());
  }
}
