import { Worker } from 'node:worker_threads';
import { grindMintAddress, HeavenError, type MintSignerSource } from 'heaven-pools';

import type { MintKey } from '../standard/mint-key.js';
import { mintSignerOf } from '../standard/mint-signer.js';

/** The number and kind of mints that {@link createMintSupply} keeps ready. */
export interface MintSupplyConfig {
  /** How many mints to keep ready. Default 2. */
  readonly size?: number;
  /** The suffix of their addresses. Default `777`. */
  readonly suffix?: string;
  /**
   * Called when the searching thread ends by itself. Another thread takes over. If the first one found nothing at all, mints
   * are searched for on demand.
   */
  readonly observe?: (error: unknown) => void;
}

/** Mints that are ready for launches. */
export interface MintSupply {
  /** Hands out each mint once. For {@link createHandler}. */
  readonly mintSigner: MintSignerSource;
  /** The number of ready mints. */
  readonly ready: number;
  /** Ends the search, and forgets unused mints. */
  close(): Promise<void>;
}

/**
 * Mints for launches, searched for on a thread of their own. Each process draws its keys from its own randomness and keeps
 * them in memory, so two processes never hand out the same one.
 *
 * @example
 * ```ts
 * const supply = createMintSupply({ size: 4 });
 * const handler = createHandler({ client, mintSigner: supply.mintSigner });
 * ```
 */
export function createMintSupply({ size = 2, suffix = '777', observe }: MintSupplyConfig = {}): MintSupply {
  const ready: MintKey[] = [];
  const waiting = new Set<(key?: MintKey) => void>();
  let worker: Worker | undefined;
  let ordered = 0;
  const order = () => {
    for (; worker !== undefined && ordered + ready.length < size + waiting.size; ordered++)
      worker.postMessage('next');
  };
  const forgetWorker = () => {
    worker = undefined;
    for (const give of waiting) give();
  };
  const take = (key: MintKey) => {
    if (worker === undefined) return;
    ordered -= 1;
    const [give] = waiting;
    if (give) give(key);
    else ready.push(key);
    order();
  };
  const start = () => {
    ordered = 0;
    try {
      worker = startWorker(suffix, take, restart);
      order();
    } catch (error) {
      // A bundler has separated this file from its worker.
      forgetWorker();
      observe?.(error);
    }
  };
  const restart = (error: unknown, hasFound: boolean) => {
    if (worker === undefined) return;
    // A thread that found nothing would end again.
    if (!hasFound) forgetWorker();
    observe?.(error);
    if (hasFound) start();
  };
  start();

  const next = (abortSignal: AbortSignal | undefined) =>
    new Promise<MintKey | undefined>((resolve, reject) => {
      if (worker === undefined) return resolve(undefined);
      const give = (key?: MintKey) => {
        waiting.delete(give);
        abortSignal?.removeEventListener('abort', leave);
        resolve(key);
      };
      const leave = () => {
        waiting.delete(give);
        const message = 'The wait for a mint address was aborted by the caller.';
        reject(new HeavenError('aborted', message, { method: 'mintSigner' }));
      };
      if (abortSignal?.aborted) return leave();
      waiting.add(give);
      abortSignal?.addEventListener('abort', leave, { once: true });
      order();
    });

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
      forgetWorker();
      ready.length = 0;
      await closing?.terminate();
    },
  };
}

/** Starts the searching thread. It doesn't keep the process alive. */
function startWorker(
  suffix: string,
  onKey: (key: MintKey) => void,
  onEnd: (error: unknown, hasFound: boolean) => void,
): Worker {
  let hasFound = false;
  let reason: unknown;
  const worker = new Worker(new URL('./mint-worker.js', import.meta.url), { workerData: { suffix } });
  worker.on('message', (key: MintKey) => {
    hasFound = true;
    onKey(key);
  });
  worker.on('error', (error) => {
    reason = error;
  });
  // A thread can also end without an error.
  worker.on('exit', (code) =>
    onEnd(reason ?? new Error(`The thread that searches for mints ended with code ${code}.`), hasFound),
  );
  worker.unref();
  return worker;
}
