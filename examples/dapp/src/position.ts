// The wallet's holdings of a pool's token, their cost and their profit. Loaded on demand.
import type { Address } from '@solana/kit';
import { createPositionStore, type PositionStore, toPosition, toUsdValue } from 'heaven-pools';

import { byId, type Fact, setFacts, show } from './dom.js';
import { FRESHNESS } from './follow.js';
import { formatAmount, formatShort, formatShortSol, formatSol, formatUsd } from './format.js';
import { explain } from './messages.js';
import { locatorOf } from './pools.js';
import { onChange, state, symbolOfPool } from './state.js';

const NOTHING = toPosition([], '' as Address);

/** The wallet's position in the chosen token. */
let own:
  | { readonly store: PositionStore; readonly of: readonly unknown[]; held: bigint | undefined }
  | undefined;

/** Follows the connected wallet's trades of the chosen token. */
function follow(): void {
  const { connection, account, pool, balances } = state;
  const of = [connection, account?.address, pool?.address];
  if (own?.of.every((one, index) => one === of[index])) {
    // A changed balance is most likely a trade.
    if (balances !== undefined && own.held !== balances.tokenUnits) {
      const isFirst = own.held === undefined;
      // First, as a refresh may change the state at once.
      own.held = balances.tokenUnits;
      if (!isFirst) void own.store.refresh();
    }
    return;
  }
  own?.store.dispose();
  own = undefined;
  if (connection === undefined || account === undefined || pool === undefined) return;
  const wallet = account.address as Address;
  const store = createPositionStore(connection.client, { ...locatorOf(pool), wallet }, FRESHNESS);
  own = { store, of, held: undefined };
  store.subscribe(render);
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

function render(): void {
  const { account, pool, snapshot, balances } = state;
  const note = byId('position-note');
  const facts = byId('position-facts');
  if (account === undefined || pool === undefined || snapshot === undefined) {
    setFacts(facts, []);
    show(note, 'Connect a wallet to see what you hold here, what it cost, and what it has made.');
    return;
  }
  const { data, error } = own?.store.getSnapshot() ?? {};
  const { token } = snapshot;
  const symbol = symbolOfPool(pool);
  const held = balances?.tokenUnits ?? data?.position.held ?? 0n;
  const lines: Fact[] = [
    {
      term: 'You hold',
      value: `${formatShort(held, token.decimals)} ${symbol} (${formatUsd(toUsdValue(snapshot, held, 'token'))})`,
      exact: `${formatAmount(held, token.decimals)} ${symbol}`,
      isStrong: true,
    },
  ];
  const { bought, sold, cost, realizedPnl, unrealizedPnl, held: left } = data?.position ?? NOTHING;
  if (bought.trades + sold.trades > 0) {
    lines.push({
      term: 'Trades',
      value: `${bought.trades} bought, ${sold.trades} sold`,
    });
    if (left > 0n) {
      lines.push({ term: 'Cost of what is left', value: formatShortSol(cost, 4), exact: formatSol(cost) });
      if (unrealizedPnl !== undefined) lines.push(profit('Unrealized, if sold now', unrealizedPnl));
    }
    if (sold.trades > 0) lines.push(profit('Realized', realizedPnl));
  }
  setFacts(facts, lines);
  show(
    note,
    error !== undefined && data === undefined
      ? `What it cost is not known: ${explain(error).message}`
      : bought.trades + sold.trades === 0
        ? 'You have not traded this token yet.'
        : data?.isComplete === false
          ? 'Not all of your trades could be counted.'
          : left !== held && bought.trades > 0
            ? 'Some of it came or went without a trade, at no known cost.'
            : undefined,
  );
}

export function startPosition(): void {
  const update = () => {
    follow();
    render();
  };
  onChange(update);
  update();
}
