import { assertAbortSignal } from '../../base/input.js';
import { pause } from '../timing.js';

const DONE = { done: true, value: undefined } as const;
/** Why the signal of a watch fires. A custom reason is much cheaper than the default one. */
const OVER = 'over';

/**
 * Items as they happen: an async iterable that starts with the first `next()`, and ends with the caller's signal or the loop.
 * The classes freeze what they construct: it survives the proxies that frameworks put around a page's state.
 */
export abstract class Watch<T> {
  readonly #over = new AbortController();
  readonly #results: AsyncGenerator<T, undefined>;
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(abortSignal: AbortSignal | undefined) {
    this.#results = this.#run(abortSignal);
  }

  /** Runs from the first `next()` until the watch is over. */
  protected abstract items(): AsyncGenerator<T, void>;

  /** Fires when the watch is over. */
  protected get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Waits for {@link Watch.wake} or the end of the watch, or until `ms` milliseconds have passed. */
  protected async idle(ms?: number): Promise<void> {
    if (this.over.aborted) return;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await (ms === undefined ? woken : pause(ms, this.over, woken));
  }

  protected wake(): void {
    this.#wake();
  }

  /** Ends the watch. One call of `next()` throws the failure. */
  protected end(failure?: { readonly error: unknown }): void {
    if (this.over.aborted) return;
    this.#failure = failure;
    this.#over.abort(OVER);
    this.#wake();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#results.next();
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.end();
    await this.#results.return(undefined);
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#run(callers: AbortSignal | undefined): AsyncGenerator<T, undefined> {
    try {
      assertAbortSignal(callers, 'abortSignal');
      if (callers?.aborted) this.end();
      callers?.addEventListener('abort', () => this.end(), { once: true, signal: this.over });
      if (!this.over.aborted) yield* this.items();
    } catch (error) {
      this.end({ error });
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }
}
