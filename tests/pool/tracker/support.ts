import type { Address } from '@solana/kit';

import { type AccountRead, type TrackedPoolAccounts, trackedAccounts } from '../../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';

export type Name = TrackedPoolAccounts['accounts'][number]['name'];

export interface Scene {
  readonly ledger: EmbeddedLedger;
  readonly tracked: TrackedPoolAccounts;
  readonly address: Readonly<Record<Name, Address>>;
  /** The ledger's account now, in a copy of its bytes. */
  readonly read: (name: Name) => AccountRead;
  readonly readAll: () => AccountRead[];
}

export async function createScene(): Promise<Scene> {
  const ledger = await createEmbeddedLedger();
  const { mint, configVersion } = ledger.pools.creator;
  const tracked = await trackedAccounts({ mint, configVersion });
  const address = Object.fromEntries(
    tracked.accounts.map((account) => [account.name, account.address]),
  ) as Record<Name, Address>;
  const read = (name: Name): AccountRead => {
    const account = ledger.getAccount(address[name]);
    if (account === undefined) throw new Error(`There is no ${name}.`);
    return { address: address[name], data: Uint8Array.from(account.data), owner: account.owner };
  };
  return { ledger, tracked, address, read, readAll: () => tracked.accounts.map(({ name }) => read(name)) };
}

/** Numbers from 0 to 1, the same for each run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
