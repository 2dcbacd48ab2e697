import type { LedgerState } from '../ledger-state.js';

/** What the methods read of the ledger. */
export type LedgerReads = Pick<
  LedgerState,
  'slot' | 'epoch' | 'unixTimestamp' | 'getAccount' | 'listAccounts'
>;

/** A method of the emulated node. */
export type RpcMethod = (params: readonly unknown[]) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** An answer that holds for a slot, as a node wraps it. */
export const inContext = (slot: bigint, value: unknown) => ({
  context: { apiVersion: '3.0.0', slot },
  value,
});
