import type { Address } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listTrades, shortenAddress, type Trade } from 'heaven-pools';
import { memo } from 'react';

import {
  explainError,
  fixed,
  formatAmount,
  formatExact,
  formatPrice,
  locale,
  SOL,
  type Unit,
} from '../format';
import { useNetwork } from '../network/network';
import type { Pool } from '../queries';
import { Table } from '../ui';
import { useWallet } from '../wallet/wallet';
import { priceAfter, withLaunch } from './bars';

type History = Record<'trades' | 'own' | 'past', readonly Trade[]>;

const NONE: readonly Trade[] = [];

/** The latest trades of a pool. {@link useWatchPool} asks for new ones when the pool changes; otherwise they are polled. */
export function useTrades(pool: Pool | undefined) {
  const { client, practice, rpcUrl } = useNetwork();
  const queries = useQueryClient();
  const address = pool?.address;
  const queryKey = [rpcUrl, 'trades', address];
  const { data, error } = useQuery({
    queryKey,
    enabled: address !== undefined,
    refetchInterval: 10_000,
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<History> => {
      const last = queries.getQueryData<History>(queryKey);
      const { own: known, past } = last ?? {
        own: NONE,
        past: (await practice?.pastTrades(address as Address)) ?? NONE,
      };
      const input = { pool: address, limit: 200, until: known[0], abortSignal: signal };
      const { trades, next } = await listTrades(client, input);
      if (last !== undefined && trades.length === 0) return last;
      // More than a page has happened since: the older ones would leave a hole.
      const older = next === undefined ? known : NONE;
      const own = [...withLaunch(trades, pool as Pool), ...older];
      return { own, past, trades: [...own, ...past] };
    },
  });
  const problem = error ? explainError(error).message : undefined;
  return { trades: data?.trades ?? NONE, isRead: data !== undefined, problem };
}

export type Market = ReturnType<typeof useTrades>;

const SHOWN = 60;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

const inSol = fixed(4);

const Amount = ({ amount, unit }: { amount: bigint | undefined; unit: Unit }) =>
  amount === undefined ? (
    <td>–</td>
  ) : (
    <td title={formatExact(amount, unit)}>
      {unit === SOL
        ? inSol(Number(amount) / 1e9)
        : formatAmount(amount, unit.decimals, { digits: 4, compact: true })}
    </td>
  );

type TradesListProps = Market & { pool: Pool; decimals: number };

/** The price of a pool changes more often than its trades: only they draw the list anew. */
export const TradesList = memo(function List({ trades, isRead, problem, pool, decimals }: TradesListProps) {
  const { symbol, creator } = pool;
  const own = useWallet()?.address;
  if (trades.length === 0 && !isRead && !problem) return <p className="skeleton fill">Loading trades…</p>;
  if (trades.length === 0)
    return <p className="quiet fill">{problem ?? 'No trades since the launch. Yours can be the first.'}</p>;
  const row = (trade: Trade, place: number) => {
    const { side, amountIn, amountOut, user, blockTime } = trade;
    const isBuy = side === 'buy';
    const who = [user === own && 'You', user === creator && 'Creator'].filter(Boolean).join(', ');
    return (
      // A row is a place in the list, so that a new trade moves none.
      <tr key={place} className={user === own ? 'own' : undefined}>
        <td>{blockTime !== undefined && clock.format(Number(blockTime) * 1_000)}</td>
        <td className={isBuy ? 'up' : 'down'}>
          {isBuy ? '▲' : '▼'} <span className="wide">{isBuy ? 'Buy' : 'Sell'}</span>
        </td>
        <Amount amount={isBuy ? amountIn : amountOut} unit={SOL} />
        <Amount amount={isBuy ? amountOut : amountIn} unit={{ symbol, decimals }} />
        <td>{formatPrice(priceAfter(trade) ?? Number.NaN)}</td>
        <td title={user}>{who === '' ? shortenAddress(user) : <strong>{who}</strong>}</td>
      </tr>
    );
  };
  return (
    <Table label="Last trades" className="trades" head={['Time', 'Side', 'SOL', symbol, 'Price', 'Trader']}>
      {trades.slice(0, SHOWN).map(row)}
    </Table>
  );
});
