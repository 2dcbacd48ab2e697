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
  /** Whether the person chose this one of a token's several pools. Otherwise the trade goes where it gets most. */
  isPinned: boolean;
  snapshot: FetchedPoolSnapshot | undefined;
  /** When the snapshot was last known to be the newest, by `performance.now()`. */
  readAt: number;
  /** Why the pool is not read any more. */
  outage: string | undefined;
  wallet: UsableWallet | undefined;
  accounts: readonly WalletAccount[];
  account: WalletAccount | undefined;
  balances: Balances | undefined;
  /** Why the balances are not known. */
  balanceProblem: string | undefined;
}

export const state: State = {
  isConnecting: true,
  connection: undefined,
  pools: [],
  pool: undefined,
  isPinned: false,
  snapshot: undefined,
  readAt: 0,
  outage: undefined,
  wallet: undefined,
  accounts: [],
  account: undefined,
  balances: undefined,
  balanceProblem: undefined,
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

/** What a token calls itself. It may lie: the mint stands beside it. */
export const nameOfPool = ({ name }: Pool): string => name?.name || 'Token without a name';
export const symbolOfPool = (pool: Pool | undefined): string => pool?.name?.symbol || 'tokens';

/** That the pool is not read any more, and how old what is shown is. */
export function outageText(): string | undefined {
  const { outage, snapshot } = state;
  if (outage === undefined || snapshot === undefined) return outage;
  return `${outage} What you see is of slot ${snapshot.slot}.`;
}
