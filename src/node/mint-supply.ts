import type { Worker } from 'node:worker_threads';
import { getAbortablePromise } from '@solana/kit';
import { grindMintAddress, HeavenError } from 'heaven-pools';
import { assertFunction, assertNames, assertWhole, invalidInput } from '#input';

import type { MintSignerSource } from '../operations/standard/create-standard-liquidity-pool.js';
import { type MintKey, SUFFIX_IN_WORDS, suffixMatcher } from '../operations/standard/mint-key.js';
import { mintSignerOf } from '../operations/standard/mint-signer.js';
import { searchForMint } from './mint-search.js';

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
 * @throws {HeavenError} `invalid-input`
 * @example
 * ```ts
 * const supply = createMintSupply({ size: 4 });
 * const handler = createHandler({ client, mintSigner: supply.mintSigner });
 * ```
 */
export function createMintSupply(config: MintSupplyConfig = {}): MintSupply {
  assertNames(config, 'config', { size: 1, suffix: 1, observe: assertFunction });
  const { size = 2, suffix = '777', observe } = config;
  assertWhole('size', size, [0, 1_000]);
  if (suffixMatcher(suffix) === undefined) throw invalidInput('suffix', suffix, SUFFIX_IN_WORDS);
  /** Nothing in place of a mint whose search failed, so that it isn't searched for again and again. */
  const stock: (MintKey | undefined)[] = [];
  const waiting: ((key: MintKey | undefined) => void)[] = [];
  let worker: Worker | undefined;
  let isDropped = false;
  let isClosed = false;
  const isNeeded = () => !isClosed && (waiting.length > 0 || stock.length < size);

  const find = async (): Promise<MintKey | undefined> => {
    isDropped = false;
    try {
      // Throws if a bundler has separated this file from the worker.
      const search = searchForMint<MintKey>({ suffix, isForFile: false });
      worker = search.worker;
      // The process may end in the middle of the search.
      worker.unref();
      return await search.found;
    } catch (error) {
      if (!isDropped) observe?.(error);
      return undefined;
    }
  };
  let isSearching = false;
  const fill = async () => {
    if (isSearching) return;
    isSearching = true;
    while (isNeeded()) {
      const key = await find();
      if (isDropped) continue;
      const next = waiting.shift();
      if (next) next(key);
      else stock.push(key);
    }
    isSearching = false;
  };
  const drop = async () => {
    isDropped = true;
    await worker?.terminate();
  };
  /** The next mint, or nothing if its search failed. */
  const take = async (abortSignal: AbortSignal | undefined): Promise<MintKey | undefined> => {
    abortSignal?.throwIfAborted();
    if (isClosed) return undefined;
    if (stock.length > 0) {
      const key = stock.shift();
      void fill();
      return key;
    }
    let receive: (key: MintKey | undefined) => void = () => {};
    const received = new Promise<MintKey | undefined>((resolve) => {
      receive = resolve;
    });
    waiting.push(receive);
    void fill();
    try {
      return await getAbortablePromise(received, abortSignal);
    } finally {
      // Whoever has received is not in the list any more.
      if (waiting.includes(receive)) {
        waiting.splice(waiting.indexOf(receive), 1);
        if (!isNeeded()) void drop();
      }
    }
  };
  void fill();
  return {
    mintSigner: async (options) => {
      const abortSignal = options?.abortSignal;
      const key = await take(abortSignal).catch(() => {
        const message = 'The wait for a mint address was aborted by the caller.';
        throw new HeavenError('aborted', message, { method: 'mintSigner' });
      });
      return key === undefined ? await grindMintAddress({ suffix, abortSignal }) : await mintSignerOf(key);
    },
    get ready() {
      return stock.filter((key) => key !== undefined).length;
    },
    close: async () => {
      isClosed = true;
      stock.length = 0;
      for (const receive of waiting.splice(0)) receive(undefined);
      await drop();
    },
  };
}
