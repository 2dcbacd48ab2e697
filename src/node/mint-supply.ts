import { Worker } from 'node:worker_threads';

import { HeavenError } from '../errors.js';
import type { MintSignerSource } from '../standard/create-standard-liquidity-pool.js';
import { grindMintAddress, type MintKey, mintSignerOf } from '../standard/grind-mint-address.js';

/** How many mints {@link createMintSupply} keeps ready, and of what kind. */
export interface MintSupplyConfig {
  /** How many mints are kept ready. Default 2. */
  readonly size?: number;
  /** What their addresses end with. Default `777`. */
  readonly suffix?: string;
  /**
   * Told when the thread that searches ends by itself. Another thread takes over; if the first one found nothing at all, mints
   * are searched for when they are needed.
   */
  readonly observe?: (error: unknown) => void;
}

/** Mints that are at hand for launches. */
export interface MintSupply {
  /** Gives each mint out once, and only here. For {@link createHandler}. */
  readonly mintSigner: MintSignerSource;
  /** How many are ready. */
  readonly ready: number;
  /** Ends the search. Mints that were not given out are forgotten. */
  close(): Promise<void>;
}

/**
 * Mints for launches, searched for on a thread of their own. Each process draws its keys from its own randomness and keeps
 * them in its memory, so two processes can't give out the same one.
 *
 * @example
 * ```ts
 * const supply = createMintSupply({ size: 4 });
 * const handler = createHandler({ client, mintSigner: supply.mintSigner });
 * ```
 */
export function createMintSupply({ size = 2, suffix = '777', observe }: MintSupplyConfig = {}): MintSupply {
  const ready: MintKey[] = [];
  const waiting = new Set<(key: MintKey | undefined) => void>();
  let worker: Worker | undefined;
  let ordered = 0;
  const order = () => {
    for (; worker !== undefined && ordered + ready.length < size + waiting.size; ordered++)
      worker.postMessage('next');
  };
  const takeFirst = <T>(items: Set<T>): T | undefined => {
    const [first] = items;
    if (first !== undefined) items.delete(first);
    return first;
  };
  const fail = (error: unknown) => {
    worker = undefined;
    observe?.(error);
    for (const give of waiting) give(undefined);
    waiting.clear();
  };
  const take = (key: MintKey) => {
    ordered -= 1;
    const give = takeFirst(waiting);
    if (give) give(key);
    else ready.push(key);
    order();
  };
  const start = () => {
    let hasFound = false;
    let reason: unknown;
    const started = new Worker(new URL('./mint-worker.js', import.meta.url), { workerData: { suffix } });
    worker = started;
    ordered = 0;
    started.on('message', (key: MintKey) => {
      hasFound = true;
      if (worker === started) take(key);
    });
    started.on('error', (error) => {
      reason = error;
    });
    // A thread can also end without an error.
    started.on('exit', (code) => {
      if (worker !== started) return;
      const error = reason ?? new Error(`The thread that searches for mints ended with code ${code}.`);
      // One that found nothing would end again.
      if (!hasFound) return fail(error);
      observe?.(error);
      tryToStart();
    });
    // A supply is no reason for a program to go on.
    started.unref();
    order();
  };
  const tryToStart = () => {
    try {
      start();
    } catch (error) {
      // A bundler has put this file elsewhere than its worker.
      fail(error);
    }
  };
  tryToStart();

  return {
    mintSigner: async ({ abortSignal }) => {
      const key = ready.shift() ?? (await next(abortSignal));
      order();
      return key === undefined ? await grindMintAddress({ suffix, abortSignal }) : await mintSignerOf(key);
    },
    get ready() {
      return ready.length;
    },
    close: async () => {
      const closing = worker;
      worker = undefined;
      for (const give of waiting) give(undefined);
      waiting.clear();
      ready.length = 0;
      await closing?.terminate();
    },
  };

  function next(abortSignal: AbortSignal | undefined): Promise<MintKey | undefined> {
    if (worker === undefined) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const give = (key: MintKey | undefined) => {
        abortSignal?.removeEventListener('abort', leave);
        resolve(key);
      };
      const leave = () => {
        waiting.delete(give);
        reject(
          new HeavenError('aborted', 'The wait for a mint address was aborted by the caller.', {
            method: 'mintSigner',
          }),
        );
      };
      if (abortSignal?.aborted) return leave();
      waiting.add(give);
      abortSignal?.addEventListener('abort', leave, { once: true });
      order();
    });
  }
}
