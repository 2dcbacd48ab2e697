import { getAbortablePromise } from '@solana/kit';
import { grindMintAddress, HeavenError, type MintSignerSource } from 'heaven-pools';

import type { MintKey } from '../standard/mint-key.js';
import { mintSignerOf } from '../standard/mint-signer.js';
import { MintSearch } from './mint-search.js';

/** The number and kind of mints that {@link createMintSupply} keeps ready. */
export interface MintSupplyConfig {
  /** How many mints to keep ready. Default 2. */
  readonly size?: number;
  /** The suffix of their addresses. Default `777`. */
  readonly suffix?: string;
  /** Called when a search fails on its thread. The launch that needs this mint then searches for one itself. */
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
 * Mints for launches, searched for on another thread, one after the other. Each process draws its keys from its own randomness and keeps
 * them in memory, so two processes never hand out the same one.
 *
 * @example
 * ```ts
 * const supply = createMintSupply({ size: 4 });
 * const handler = createHandler({ client, mintSigner: supply.mintSigner });
 * ```
 */
export function createMintSupply({ size = 2, suffix = '777', observe }: MintSupplyConfig = {}): MintSupply {
  const orders = new MintOrders(suffix, observe);
  const stock: OrderedMint[] = [];
  const fill = () => {
    while (stock.length < size) stock.push(orders.add());
  };
  fill();
  return {
    mintSigner: async ({ abortSignal }) => {
      const mint = stock.shift() ?? orders.add();
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
      await orders.close();
    },
  };
}

interface OrderedMint {
  isFound: boolean;
  /** Nothing if the search fails. */
  readonly found: Promise<MintKey | undefined>;
}

/** Searches for ordered mints, one at a time. */
class MintOrders {
  readonly #suffix: string;
  readonly #observe: MintSupplyConfig['observe'];
  #last: Promise<unknown> = Promise.resolve();
  #search: MintSearch<MintKey> | undefined;
  #isClosed = false;

  constructor(suffix: string, observe: MintSupplyConfig['observe']) {
    this.#suffix = suffix;
    this.#observe = observe;
  }

  add(): OrderedMint {
    const found = this.#last.then(() => this.#find());
    this.#last = found;
    const mint: OrderedMint = { isFound: false, found };
    void found.then((key) => {
      mint.isFound = key !== undefined;
    });
    return mint;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#search?.stop();
  }

  async #find(): Promise<MintKey | undefined> {
    if (this.#isClosed) return undefined;
    try {
      // Throws if a bundler has separated this file from the worker.
      this.#search = new MintSearch({ suffix: this.#suffix, isForFile: false });
      this.#search.unref();
      return await this.#search.found;
    } catch (error) {
      if (!this.#isClosed) this.#observe?.(error);
      return undefined;
    }
  }
}
