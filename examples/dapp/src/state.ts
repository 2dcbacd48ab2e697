// The page's state. Code that changes it calls `changed`, and every view redraws.
import type { WalletAccount } from '@wallet-standard/base';
import type { FetchedPoolSnapshot, WalletSpend } from 'heaven-pools';

import type { Connection } from './connection.js';
import type { Pool } from './pools.js';
import type { UsableWallet } from './wallets.js';

export interface State {
  /** True until a network is connected and its first pool is chosen. */
  isConnecting: boolean;
  connection?: Connection | undefined;
  pools: readonly Pool[];
  pool?: Pool | undefined;
  /** Whether the user chose this one of the token's pools. Otherwise trades use the pool that gives the most. */
  isPinned: boolean;
  snapshot?: FetchedPoolSnapshot | undefined;
  /** When the snapshot was last known to be the newest, by `performance.now()`. */
  readAt: number;
  /** Why the pool is no longer updated. */
  outage?: string | undefined;
  wallet?: UsableWallet | undefined;
  accounts: readonly WalletAccount[];
  account?: WalletAccount | undefined;
  balances?: WalletSpend | undefined;
  /** Why the balances are unknown. */
  balanceProblem?: string | undefined;
}

export const state: State = {
  isConnecting: true,
  pools: [],
  isPinned: false,
  readAt: 0,
  accounts: [],
};

const listeners: (() => void)[] = [];

/** Redraws something whenever the state has changed. */
export function onChange(render: () => void): void {
  listeners.push(render);
}

/** Redraws everything that shows the state. */
export function changed(): void {
  for (const render of listeners) render();
}

/** Things that end when another pool, account or network is chosen. */
const leavers: (() => void)[] = [];

/** Ends something, such as a trade under review, when the user leaves its pool, account or network. */
export function onLeave(end: () => void): void {
  leavers.push(end);
}

export function leave(): void {
  for (const end of leavers) end();
}

/** A token's own name. It may be fake, so show the mint next to it. */
export const nameOfPool = ({ name }: Pool): string => name?.name || 'Token without a name';
export const symbolOfPool = (pool: Pool | undefined): string => pool?.name?.symbol || 'tokens';

/** Says that the pool is no longer updated, and how old the data is. */
export function outageText(): string | undefined {
  const { outage, snapshot } = state;
  if (outage === undefined || snapshot === undefined) return outage;
  return `${outage} What you see is of slot ${snapshot.slot}.`;
}
