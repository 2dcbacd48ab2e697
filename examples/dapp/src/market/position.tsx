import type { Address } from '@solana/kit';
import { useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';

import { explainError, formatExact, formatSol, formatUnits, formatUsd, SOL } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, useBalances, useSnapshot } from '../queries';
import { amountFact, Button, type Fact, Facts, type Listed } from '../ui';
import { useWalletState } from '../wallet/wallet';

/** What all of a token would bring: the spot price would promise too much. `undefined` if the pool can't take it. */
function saleOf(snapshot: heaven.FetchedPoolSnapshot, tokenUnits: bigint) {
  try {
    return { lamports: heaven.computeSell(heaven.toSwapState(snapshot), tokenUnits).amountOut, tokenUnits };
  } catch {
    return undefined;
  }
}

function profit(term: string, lamports: bigint): Fact {
  const sign = lamports > 0n ? '▲ +' : lamports < 0n ? '▼ ' : '';
  const tone = lamports > 0n ? 'up' : lamports < 0n ? 'down' : undefined;
  return { term, value: sign + formatSol(lamports), exact: formatExact(lamports, SOL), isStrong: true, tone };
}

const count = (trades: number, side: string) => `${trades} ${side}${trades === 1 ? '' : 's'}`;

export function PositionView({ pool }: { pool: Pool }) {
  const { mint } = pool;
  const { client, rpcUrl } = useNetwork();
  const { wallet: connected, openDialog } = useWalletState();
  const wallet = connected?.address;
  const { data: snapshot } = useSnapshot(pool);
  const { data: balances } = useBalances(mint);
  const { data: own, error } = useQuery({
    queryKey: [rpcUrl, 'position', mint, wallet],
    queryFn: ({ signal }) =>
      heaven.listTrades(client, { mint, wallet: wallet as Address, limit: 400, abortSignal: signal }),
    enabled: wallet !== undefined,
    refetchInterval: 15_000,
    structuralSharing: false,
  });
  if (wallet === undefined)
    return (
      <div className="quiet fill">
        <p>Connect a wallet to see what you hold, what it cost, and what it has made.</p>
        <Button onClick={openDialog}>Connect wallet</Button>
      </div>
    );
  if (error) return <p className="quiet fill">{explainError(error).message}</p>;
  if (!snapshot || !balances || !own) return <p className="skeleton fill">Loading your position…</p>;
  const { held } = heaven.toPosition(own.trades, wallet, { mint });
  const price = held ? saleOf(snapshot, held) : undefined;
  const position = heaven.toPosition(own.trades, wallet, { mint, price });
  const { bought, sold, unrealizedPnl } = position;
  const hasTraded = bought.trades + sold.trades > 0;
  const unit = { decimals: snapshot.token.decimals, symbol: pool.symbol };
  const { tokenUnits } = balances;
  const worth = formatUsd(heaven.toUsdValue(snapshot, tokenUnits, 'token'));
  const facts: Listed<Fact> = [
    { ...amountFact('You hold', tokenUnits, unit), value: `${formatUnits(tokenUnits, unit)} (${worth})` },
    hasTraded && {
      term: 'Your trades',
      value: `${count(bought.trades, 'buy')}, ${count(sold.trades, 'sell')}`,
    },
    held > 0n && amountFact('Cost of what is left', position.cost, SOL),
    unrealizedPnl !== undefined && profit('Unrealized profit, if sold now', unrealizedPnl),
    sold.trades > 0 && profit('Realized profit', position.realizedPnl),
  ];
  const isComplete = own.next === undefined && position.unproven.length === 0;
  return (
    <>
      <Facts facts={facts} />
      <p className="quiet">
        {hasTraded
          ? 'Exchange fees are counted, network fees are not.'
          : 'You have not traded this token yet.'}
        {held !== tokenUnits && ' Some of your tokens came or went without a trade, at no known cost.'}
        {!isComplete && ' Not all of your trades could be counted.'}
      </p>
    </>
  );
}
