// What the page knows. Whoever changes it says so, and everybody who shows it redraws it.
import type { WalletAccount } from '@wallet-standard/base';
import type { FetchedPoolSnapshot } from 'heaven-pools';

import type { Balances } from './balances.js';
import type { Connection } from './connection.js';
import type { Pool } from './pools.js';
import type { UsableWallet } from './wallets.js';

export interface State {
  /** Until the network is there, and its first pool is chosen. */
  isConnecting: boolean;
  connection: Connection | undefined;
  pools: readonly Pool[];
  pool: Pool | undefined;
  snapshot: FetchedPoolSnapshot | undefined;
  /** When the snapshot was last known to be the newest, by `performance.now()`. */
  readAt: number;
  /** Why the pool is not read any more. */
  outage: string | undefined;
  wallet: UsableWallet | undefined;
  accounts: readonly WalletAccount[];
  account: WalletAccount | undefined;
  balances: Balances | undefined;
}

export const state: State = {
  isConnecting: true,
  connection: undefined,
  pools: [],
  pool: undefined,
  snapshot: undefined,
  readAt: 0,
  outage: undefined,
  wallet: undefined,
  accounts: [],
  account: undefined,
  balances: undefined,
};

const listeners: (() => void)[] = [];

/** Redraws something whenever the state has changed. */
export function onChange(render: () => void): void {
  listeners.push(render);
}

/** Tells that the state has changed. */
export function changed(): void {
  for (const render of listeners) render();
}

/** Things that end when another pool, account or network is chosen. */
const leavers: (() => void)[] = [];

/** Ends something, such as a trade under review, when what it was made for is left. */
export function onLeave(end: () => void): void {
  leavers.push(end);
}

export function leave(): void {
  for (const end of leavers) end();
}
