// What the wallet holds in a pool's token, what it cost, and what it has made. Loaded on demand.
import type { Address } from '@solana/kit';
import {
  computeSell,
  type FetchedPoolSnapshot,
  listTrades,
  type Trade,
  toPosition,
  toSwapState,
} from 'heaven-pools';

import { byId, type Fact, setFacts, show } from './dom.js';
import { formatAmount, formatShort, formatShortSol, formatSol, formatUsd } from './format.js';
import { explain } from './messages.js';
import { usdOf } from './quote.js';
import { onChange, state } from './state.js';
import { symbolOfPool } from './token-picker.js';

const MOST_TRADES = 400;

/** The wallet's own trades of a token. */
let own:
  | { readonly key: string; trades: readonly Trade[]; isWhole: boolean; problem: string | undefined }
  | undefined;
let reading = new AbortController();

const keyOf = () => `${state.account?.address ?? ''}${state.pool?.mint ?? ''}`;

async function read(): Promise<void> {
  const { connection, account, pool } = state;
  const key = keyOf();
  if (connection === undefined || account === undefined || pool === undefined || own?.key === key) return;
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const current = {
    key,
    trades: [] as readonly Trade[],
    isWhole: false,
    problem: undefined as string | undefined,
  };
  own = current;
  try {
    const { trades, next } = await listTrades(connection.client, {
      mint: pool.mint,
      wallet: account.address as Address,
      limit: MOST_TRADES,
      abortSignal: signal,
    });
    if (signal.aborted) return;
    Object.assign(current, { trades, isWhole: next === undefined });
  } catch (error) {
    if (signal.aborted) return;
    current.problem = explain(error).message;
  }
  render();
}

/** The trades of the pool, of which the own ones come live. */
let live: readonly Trade[] = [];

export function renderPosition(trades: readonly Trade[]): void {
  live = trades;
  render();
}

const sign = (lamports: bigint) => (lamports > 0n ? '+' : '');

function profit(term: string, lamports: bigint): Fact {
  const arrow = lamports === 0n ? '' : lamports > 0n ? '▲ ' : '▼ ';
  return {
    term,
    value: `${arrow}${sign(lamports)}${formatShortSol(lamports, 4)}`,
    exact: `${sign(lamports)}${formatSol(lamports)}`,
    isStrong: true,
    style: lamports === 0n ? undefined : lamports > 0n ? 'up' : 'down',
  };
}

/** What a sale of all of it would bring now. The price in the pool would flatter whoever moved it. */
function saleOf(snapshot: FetchedPoolSnapshot, held: bigint) {
  if (held === 0n) return undefined;
  try {
    return { lamports: computeSell(toSwapState(snapshot), held).amountOut, tokenUnits: held };
  } catch {
    // More than the pool can take, or less than a lamport's worth.
    return undefined;
  }
}

function render(): void {
  const { account, pool, snapshot, balances } = state;
  const note = byId('position-note');
  const facts = byId('position-facts');
  if (account === undefined || pool === undefined || snapshot === undefined) {
    setFacts(facts, []);
    show(note, 'Connect a wallet to see what you hold here, what it cost, and what it has made.');
    return;
  }
  const wallet = account.address as Address;
  const past = own?.key === keyOf() ? own.trades : [];
  const { token } = snapshot;
  const mine = [...past, ...live.filter(({ user }) => user === wallet)];
  const untilNow = toPosition(mine, wallet, { mint: pool.mint });
  const price = saleOf(snapshot, untilNow.held);
  const position = price === undefined ? untilNow : toPosition(mine, wallet, { mint: pool.mint, price });
  const symbol = symbolOfPool(pool);
  const held = balances?.token ?? position.held;
  const lines: Fact[] = [
    {
      term: 'You hold',
      value: `${formatShort(held, token.decimals)} ${symbol} (${formatUsd(usdOf(snapshot, 'token', held))})`,
      exact: `${formatAmount(held, token.decimals)} ${symbol}`,
      isStrong: true,
    },
  ];
  const { bought, sold, cost, realised, unrealised } = position;
  if (bought.trades + sold.trades > 0) {
    lines.push({
      term: 'Trades',
      value: `${bought.trades} bought, ${sold.trades} sold`,
    });
    if (position.held > 0n) {
      lines.push({ term: 'Cost of what is left', value: formatShortSol(cost, 4), exact: formatSol(cost) });
      if (unrealised !== undefined) lines.push(profit('Unrealised, if sold now', unrealised));
    }
    if (sold.trades > 0) lines.push(profit('Realised', realised));
  }
  setFacts(facts, lines);
  const difference = position.held !== held && bought.trades > 0;
  show(
    note,
    own?.problem !== undefined
      ? `What it cost is not known: ${own.problem}`
      : bought.trades + sold.trades === 0
        ? 'You have not traded this token yet.'
        : position.unproven.length > 0 || own?.isWhole === false
          ? 'Not all of your trades could be counted.'
          : difference
            ? 'Some of it came or went without a trade, at no known cost.'
            : undefined,
  );
}

export function startPosition(): void {
  onChange(() => {
    void read();
    render();
  });
  void read();
}
