import type { Address } from '@solana/kit';

import { HeavenError } from '../../base/errors.js';

/** Accounts of one `getMultipleAccounts`. */
export const MAX_ACCOUNTS_PER_CALL = 100;

/** How {@link AccountBatches} reads. */
export interface AccountBatchesConfig<TResponse> {
  /** Reads different accounts in one call. */
  readonly call: (addresses: readonly Address[]) => Promise<TResponse>;
  /** How long a read waits for others to join it. Default 0: the reads that are already on their way. */
  readonly gatherMs?: number;
  /** Default 8. */
  readonly maxConcurrentCalls?: number;
  /** Default 100. */
  readonly maxAccountsPerCall?: number;
  /** How long a read may wait until it is sent. Default: without end. */
  readonly timeoutMs?: number;
}

/** The response of a call, and where in it the accounts of one read are, in the order of its addresses. */
export interface BatchedRead<TResponse> {
  readonly response: TResponse;
  readonly indexes: readonly number[];
}

interface WaitingRead<TResponse> {
  readonly since: number;
  readonly addresses: readonly Address[];
  readonly resolve: (read: BatchedRead<TResponse>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches reads of accounts, with a few calls at a time. A call holds each account once. A read is never split, so all its
 * accounts come from the same slot.
 */
export class AccountBatches<TResponse> {
  readonly #config: Required<AccountBatchesConfig<TResponse>>;
  #waiting: WaitingRead<TResponse>[] = [];
  #calls = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(config: AccountBatchesConfig<TResponse>) {
    this.#config = {
      gatherMs: 0,
      maxConcurrentCalls: 8,
      maxAccountsPerCall: MAX_ACCOUNTS_PER_CALL,
      timeoutMs: Number.POSITIVE_INFINITY,
      ...config,
    };
  }

  read(addresses: readonly Address[]): Promise<BatchedRead<TResponse>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ addresses, since: performance.now(), resolve, reject });
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#callNext();
      }, this.#config.gatherMs);
    });
  }

  /** Drops the reads that still wait. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #callNext(): void {
    this.#rejectLate();
    while (this.#calls < this.#config.maxConcurrentCalls && this.#waiting.length > 0) void this.#call();
  }

  #rejectLate(): void {
    const { timeoutMs } = this.#config;
    const least = performance.now() - timeoutMs;
    const inTime = this.#waiting.findIndex(({ since }) => since >= least);
    for (const { reject } of this.#waiting.splice(0, inTime < 0 ? this.#waiting.length : inTime))
      reject(tooSlow(timeoutMs));
  }

  async #call(): Promise<void> {
    const { reads, indexes } = this.#takeBatch();
    this.#calls += 1;
    try {
      const response = await this.#config.call([...indexes.keys()]);
      for (const { addresses, resolve } of reads)
        resolve({ response, indexes: addresses.map((address) => indexes.get(address) as number) });
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
    this.#calls -= 1;
    this.#callNext();
  }

  /** Takes as many waiting reads as fit into one call, and at least one. */
  #takeBatch() {
    const indexes = new Map<Address, number>();
    let count = 0;
    for (const { addresses } of this.#waiting) {
      const added = new Set(addresses.filter((address) => !indexes.has(address)));
      if (count > 0 && indexes.size + added.size > this.#config.maxAccountsPerCall) break;
      for (const address of added) indexes.set(address, indexes.size);
      count += 1;
    }
    return { reads: this.#waiting.splice(0, count), indexes };
  }
}

const tooSlow = (timeoutMs: number) =>
  new HeavenError(
    'rpc-timeout',
    `The RPC node did not keep up within ${timeoutMs} ms. Retry, or use another node.`,
    { method: 'getMultipleAccounts', timeoutMs },
  );
