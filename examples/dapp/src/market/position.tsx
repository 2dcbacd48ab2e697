import { type Trade, toUsdValue } from 'heaven-pools';

import { explainError, formatExact, formatSol, formatUnits, formatUsd, SOL } from '../format';
import { type Pool, useBalances, useSnapshot } from '../queries';
import { amountFact, type Fact, Facts } from '../ui';
import { useConnectDialog, useWallet } from '../wallet/wallet';
import { usePosition } from './trades';

function profit(term: string, lamports: bigint): Fact {
  const sign = lamports > 0n ? '▲ +' : lamports < 0n ? '▼ ' : '';
  const tone = lamports > 0n ? 'up' : lamports < 0n ? 'down' : undefined;
  return { term, value: sign + formatSol(lamports), exact: formatExact(lamports, SOL), isStrong: true, tone };
}

/** What the wallet holds of the token, what it cost, and what it has made. Network fees count. */
export function PositionView({ pool, trades }: { pool: Pool; trades: readonly Trade[] }) {
  const wallet = useWallet();
  const connect = useConnectDialog();
  const { data: snapshot } = useSnapshot(pool);
  const { data: balances } = useBalances(pool.mint);
  const { position, error, isComplete } = usePosition(pool, trades);
  if (wallet === undefined)
    return (
      <div className="quiet fill">
        <p>Connect a wallet to see what you hold, what it cost, and what it has made.</p>
        <button type="button" onClick={connect}>
          Connect wallet
        </button>
      </div>
    );
  if (!snapshot || !balances || (!position && !error))
    return <p className="skeleton fill">Loading your position…</p>;
  const unit = { decimals: snapshot.token.decimals, symbol: pool.symbol };
  const { tokenUnits } = balances;
  const worth = formatUsd(toUsdValue(snapshot, tokenUnits, 'token'));
  const facts: Fact[] = [
    {
      term: 'You hold',
      value: `${formatUnits(tokenUnits, unit)} (${worth})`,
      exact: formatExact(tokenUnits, unit),
    },
  ];
  let note = 'You have not traded this token yet.';
  if (position === undefined) note = `What it cost is not known: ${explainError(error).message}`;
  else if (position.bought.trades + position.sold.trades > 0) {
    const { bought, sold, held, cost, realizedPnl, unrealizedPnl } = position;
    facts.push({ term: 'Your trades', value: `${bought.trades} bought, ${sold.trades} sold` });
    if (held > 0n) facts.push(amountFact('Cost of what is left', cost, SOL));
    if (unrealizedPnl !== undefined) facts.push(profit('Unrealized profit, if sold now', unrealizedPnl));
    if (sold.trades > 0) facts.push(profit('Realized profit', realizedPnl));
    note = 'Exchange fees and network fees are counted.';
    if (held !== tokenUnits) note += ' Some of your tokens came or went without a trade, at no known cost.';
    if (!isComplete) note += ' Not all of your trades could be counted.';
  }
  return (
    <>
      <Facts facts={facts} />
      <p className="quiet">{note}</p>
    </>
  );
}
