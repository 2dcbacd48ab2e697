import type { Address } from '@solana/kit';

import type { HeavenClient } from '../../client.js';
import { MAX_ACCOUNTS_PER_CALL } from '../../solana/limits.js';
import { fetchAccounts, type RawAccount } from '../../solana/rpc/accounts.js';

/** How long a read waits for others to join it. */
const GATHER_MS = 5;
const MOST_CALLS_AT_ONCE = 8;

interface Wanted {
  readonly addresses: readonly Address[];
  readonly resolve: (accounts: readonly (RawAccount | undefined)[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads the accounts of several pools together, each shared account once per call. The accounts of one pool are read in one call. */
export function createSharedReader(client: HeavenClient, abortSignal: AbortSignal) {
  let gathered: Wanted[] = [];
  const waiting: Wanted[][] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let calls = 0;

  const read = async (group: readonly Wanted[]) => {
    const addresses = [...new Set(group.flatMap((wanted) => wanted.addresses))];
    try {
      const accounts = await fetchAccounts(client, addresses, { abortSignal });
      const byAddress = new Map(addresses.map((address, index) => [address, accounts[index]]));
      for (const wanted of group) wanted.resolve(wanted.addresses.map((address) => byAddress.get(address)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const work = async () => {
    calls++;
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await read(group);
    calls--;
  };
  const flush = () => {
    timer = undefined;
    let group: Wanted[] = [];
    let addresses = new Set<Address>();
    for (const wanted of gathered) {
      const together = new Set([...addresses, ...wanted.addresses]);
      if (together.size > MAX_ACCOUNTS_PER_CALL) {
        waiting.push(group);
        group = [];
        addresses = new Set(wanted.addresses);
      } else addresses = together;
      group.push(wanted);
    }
    waiting.push(group);
    gathered = [];
    while (calls < MOST_CALLS_AT_ONCE && waiting.length > 0) void work();
  };

  return {
    read: (addresses: readonly Address[]): Promise<readonly (RawAccount | undefined)[]> =>
      new Promise((resolve, reject) => {
        gathered.push({ addresses, resolve, reject });
        timer ??= setTimeout(flush, GATHER_MS);
      }),
    stop: () => clearTimeout(timer),
  };
}
