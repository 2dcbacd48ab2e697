import { assertAbortSignal } from '../../base/input.js';

/** Why a watch ended, unless its caller ended it. */
export interface Failure {
  readonly error: unknown;
}

interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE = { done: true, value: undefined } as const;
/** Why the signal of a watch fires. A custom reason is much cheaper than the default one. */
const OVER = 'over';

/** The loop over a watch: it yields the newest value of each key with news, however many a slow reader missed. */
export abstract class WatchLoop<TKey, T> {
  readonly #callersSignal: AbortSignal | undefined;
  readonly #over = new AbortController();
  readonly #keys = new Set<TKey>();
  readonly #waiting: Waiting<T>[] = [];
  #hasBegun = false;
  #failure: Failure | undefined;

  constructor(abortSignal: AbortSignal | undefined) {
    this.#callersSignal = abortSignal;
  }

  /** Called by the first `next()`. */
  protected abstract begin(): void;
  /** The newest value of a key. */
  protected abstract newest(key: TKey): T;
  /** Called when the watch is over. */
  protected abstract stop(): void;

  /** Fires when the watch is over. */
  protected get over(): AbortSignal {
    return this.#over.signal;
  }

  protected offer(key: TKey): void {
    const first = this.#waiting.shift();
    if (first === undefined) this.#keys.add(key);
    else first.resolve({ done: false, value: this.newest(key) });
  }

  protected forget(key: TKey): void {
    this.#keys.delete(key);
  }

  /** Ends the watch. One call of `next()` throws the failure. */
  protected end(failure?: Failure): void {
    if (this.over.aborted) return;
    this.#over.abort(OVER);
    this.stop();
    const [first, ...others] = this.#waiting.splice(0);
    if (first === undefined) this.#failure = failure;
    else if (failure === undefined) first.resolve(DONE);
    else first.reject(failure.error);
    for (const { resolve } of others) resolve(DONE);
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    if (!this.#hasBegun) this.#begin();
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      throw error;
    }
    if (this.over.aborted) return DONE;
    for (const key of this.#keys) {
      this.#keys.delete(key);
      return { done: false, value: this.newest(key) };
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.end();
    this.#failure = undefined;
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #begin(): void {
    this.#hasBegun = true;
    if (this.over.aborted) return;
    const signal = this.#callersSignal;
    try {
      assertAbortSignal(signal, 'abortSignal');
      signal?.addEventListener('abort', () => this.end(), { once: true, signal: this.over });
      if (signal?.aborted) this.end();
      else this.begin();
    } catch (error) {
      this.end({ error });
    }
  }
}
