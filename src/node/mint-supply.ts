import { Worker } from 'node:worker_threads';
import { getAbortablePromise } from '@solana/kit';
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
  const search = new MintSearch(suffix, observe);
  const stock: OrderedMint[] = [];
  const fill = () => {
    while (search.isRunning && stock.length < size) stock.push(search.order());
  };
  fill();
  return {
    mintSigner: async ({ abortSignal }) => {
      const mint = stock.shift() ?? search.order();
      fill();
      let key: MintKey | undefined;
      try {
        key = await getAbortablePromise(mint.found, abortSignal);
      } catch {
        stock.unshift(mint);
        const message = 'The wait for a mint address was aborted by the caller.';
        throw new HeavenError('aborted', message, { method: 'mintSigner' });
      }
      return key === undefined ? await grindMintAddress({ suffix, abortSignal }) : await mintSignerOf(key);
    },
    get ready() {
      return stock.filter(({ isFound }) => isFound).length;
    },
    close: async () => {
      stock.length = 0;
      await search.stop();
    },
  };
}

interface OrderedMint {
  isFound: boolean;
  /** Nothing if the search ends first. */
  readonly found: Promise<MintKey | undefined>;
}

/** A thread that searches for mints in the order in which they are ordered. */
class MintSearch {
  readonly #suffix: string;
  readonly #observe: MintSupplyConfig['observe'];
  readonly #orders: ((key?: MintKey) => void)[] = [];
  #worker: Worker | undefined;

  constructor(suffix: string, observe: MintSupplyConfig['observe']) {
    this.#suffix = suffix;
    this.#observe = observe;
    this.#start();
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  order(): OrderedMint {
    const mint: OrderedMint = {
      isFound: false,
      found: this.#next().then((key) => {
        mint.isFound = key !== undefined;
        return key;
      }),
    };
    return mint;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#forget();
    await worker?.terminate();
  }

  #next(): Promise<MintKey | undefined> {
    const worker = this.#worker;
    if (worker === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#orders.push(resolve);
      worker.postMessage('next');
    });
  }

  #start(): void {
    let worker: Worker;
    try {
      worker = new Worker(new URL('./mint-worker.js', import.meta.url), {
        workerData: { suffix: this.#suffix },
      });
    } catch (error) {
      // A bundler has separated this file from its worker.
      this.#forget();
      this.#observe?.(error);
      return;
    }
    this.#worker = worker;
    let hasFound = false;
    let reason: unknown;
    worker.on('message', (key: MintKey) => {
      hasFound = true;
      this.#orders.shift()?.(key);
    });
    worker.on('error', (error) => {
      reason = error;
    });
    // A thread can also end without an error.
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      const message = `The thread that searches for mints ended with code ${code}.`;
      // A thread that found nothing would end again.
      if (!hasFound) this.#forget();
      this.#observe?.(reason ?? new Error(message));
      if (hasFound) this.#start();
    });
    // It doesn't keep the process alive.
    worker.unref();
    // After a thread that ended, those who wait still do.
    for (const _ of this.#orders) worker.postMessage('next');
  }

  #forget(): void {
    this.#worker = undefined;
    for (const give of this.#orders.splice(0)) give();
  }
}
