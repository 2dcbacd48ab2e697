import { type Trade, toUsdValue } from 'heaven-pools';

import { explainError, formatExact, formatSol, formatUnits, formatUsd, SOL } from '../format';
import { type Pool, useBalances, useSnapshot } from '../queries';
import { type Fact, Facts } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import { usePosition } from './trades';

function profit(term: string, lamports: bigint, cost: bigint): Fact {
  const sign = lamports > 0n ? '+' : '';
  const percent = cost > 0n ? ` (${sign}${(Number((lamports * 1_000n) / cost) / 10).toFixed(1)}%)` : '';
  return {
    term,
    value: `${lamports === 0n ? '' : lamports > 0n ? '▲ ' : '▼ '}${sign}${formatSol(lamports)}${percent}`,
    exact: `${sign}${formatExact(lamports, SOL)}`,
    isStrong: true,
    tone: lamports === 0n ? undefined : lamports > 0n ? 'up' : 'down',
  };
}

/** What the wallet holds of the token, what it cost, and what it has made. Network fees count. */
export function PositionView({ pool, trades }: { readonly pool: Pool; readonly trades: readonly Trade[] }) {
  const wallet = useWallet();
  const connect = useConnectDialog();
  const { data: snapshot } = useSnapshot(pool);
  const { data: balances } = useBalances(pool.mint);
  const { position, error, isComplete } = usePosition(pool, trades);
  if (wallet === undefined)
    return (
      <div className="empty">
        <p className="quiet">Connect a wallet to see what you hold, what it cost, and what it has made.</p>
        <button type="button" onClick={connect}>
          Connect wallet
        </button>
      </div>
    );
  if (snapshot === undefined || balances === undefined || (position === undefined && error === null))
    return <p className="skeleton fill">Loading your position…</p>;
  const unit = { decimals: snapshot.token.decimals, symbol: pool.symbol };
  const { tokenUnits } = balances;
  const facts: Fact[] = [
    {
      term: 'You hold',
      value: `${formatUnits(tokenUnits, unit)} (${formatUsd(toUsdValue(snapshot, tokenUnits, 'token'))})`,
      exact: formatExact(tokenUnits, unit),
      isStrong: true,
    },
  ];
  if (position !== undefined && position.bought.trades + position.sold.trades > 0) {
    const { bought, sold, held, cost, costOfSold, realizedPnl, unrealizedPnl } = position;
    facts.push({ term: 'Your trades', value: `${bought.trades} bought, ${sold.trades} sold` });
    if (held > 0n) {
      facts.push({ term: 'Cost of what is left', value: formatSol(cost), exact: formatExact(cost, SOL) });
      if (unrealizedPnl !== undefined)
        facts.push(profit('Unrealized profit, if sold now', unrealizedPnl, cost));
    }
    if (sold.trades > 0) facts.push(profit('Realized profit', realizedPnl, costOfSold));
  }
  const note =
    position === undefined
      ? `What it cost is not known: ${explainError(error).message}`
      : position.bought.trades + position.sold.trades === 0
        ? 'You have not traded this token yet.'
        : !isComplete
          ? 'Not all of your trades could be counted.'
          : position.held === tokenUnits
            ? 'Exchange fees and network fees are counted.'
            : 'Exchange fees and network fees are counted. Some of it came or went without a trade, at no known cost.';
  return (
    <>
      <Facts facts={facts} />
      <p className="quiet">{note}</p>
    </>
  );
}
