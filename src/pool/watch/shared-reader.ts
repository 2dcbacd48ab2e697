import type { Address } from '@solana/kit';

import type { HeavenClient } from '../../client.js';
import { MAX_ACCOUNTS_PER_CALL } from '../../solana/limits.js';
import { fetchAccounts, type RawAccount } from '../../solana/rpc/accounts.js';

/** How long a read waits for others to join it. */
const GATHER_MS = 5;
const MOST_CALLS_AT_ONCE = 8;

type Accounts = readonly (RawAccount | undefined)[];

interface Wanted {
  readonly addresses: readonly Address[];
  readonly resolve: (accounts: Accounts) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads the accounts of several pools together, each shared account once per call. The accounts of one pool are read in one call. */
export class SharedReader {
  readonly #client: HeavenClient;
  readonly #abortSignal: AbortSignal;
  readonly #calls: Wanted[][] = [];
  #gathered: Wanted[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = 0;

  constructor(client: HeavenClient, abortSignal: AbortSignal) {
    this.#client = client;
    this.#abortSignal = abortSignal;
  }

  read(addresses: readonly Address[]): Promise<Accounts> {
    return new Promise((resolve, reject) => {
      this.#gathered.push({ addresses, resolve, reject });
      this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    let group: Wanted[] = [];
    let addresses = new Set<Address>();
    for (const wanted of this.#gathered) {
      const together = new Set([...addresses, ...wanted.addresses]);
      if (together.size > MAX_ACCOUNTS_PER_CALL) {
        this.#calls.push(group);
        group = [];
        addresses = new Set(wanted.addresses);
      } else addresses = together;
      group.push(wanted);
    }
    this.#calls.push(group);
    this.#gathered = [];
    while (this.#running < MOST_CALLS_AT_ONCE && this.#calls.length > 0) void this.#work();
  }

  async #work(): Promise<void> {
    this.#running++;
    for (let group = this.#calls.shift(); group !== undefined; group = this.#calls.shift())
      await this.#call(group);
    this.#running--;
  }

  async #call(group: readonly Wanted[]): Promise<void> {
    const addresses = [...new Set(group.flatMap((wanted) => wanted.addresses))];
    try {
      const accounts = await fetchAccounts(this.#client, addresses, { abortSignal: this.#abortSignal });
      const byAddress = new Map(addresses.map((address, index) => [address, accounts[index]]));
      for (const wanted of group) wanted.resolve(wanted.addresses.map((address) => byAddress.get(address)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
