import type { Address } from '@solana/kit';

import type { WholeAccount } from './account-encoding.js';

/** What the methods read of the ledger. */
export interface LedgerReads {
  readonly slot: () => bigint;
  readonly epoch: () => bigint;
  readonly unixTimestamp: () => bigint;
  readonly getAccount: (address: Address) => WholeAccount | undefined;
  readonly listAccounts: () => Iterable<readonly [Address, WholeAccount]>;
}

/** A method of the emulated node. */
export type RpcMethod = (params: readonly unknown[]) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** An answer that holds for a slot, as a node wraps it. */
export const inContext = (slot: bigint, value: unknown) => ({
  context: { apiVersion: '3.0.0', slot },
  value,
});
