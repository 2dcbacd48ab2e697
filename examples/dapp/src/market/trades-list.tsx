import type { Address } from '@solana/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listTrades, type Trade } from 'heaven-pools';
import { memo, useMemo } from 'react';

import {
  explainError,
  formatAmount,
  formatExact,
  formatPrice,
  locale,
  SOL,
  shortenAddress,
  type Unit,
} from '../format';
import { useNetwork } from '../network/network';
import type { Pool } from '../queries';
import { Table } from '../ui';
import { useWallet } from '../wallet/wallet';
import { priceAfter } from './bars';

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
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<readonly Trade[]>(queryKey) ?? [];
      const input = { pool: address, limit: 200, until: known[0], abortSignal: signal };
      const { trades, next } = await listTrades(client, input);
      // More than a page has happened since: the older ones would leave a hole.
      if (next !== undefined) return trades;
      return trades.length === 0 ? known : [...trades, ...known];
    },
  });
  const { data: past = NONE } = useQuery({
    queryKey: [rpcUrl, 'past trades', address],
    enabled: practice !== undefined && address !== undefined,
    queryFn: async () => (await practice?.pastTrades(address as Address)) ?? NONE,
    staleTime: 'static',
    structuralSharing: false,
  });
  const trades = useMemo(() => [...(data ?? NONE), ...past], [data, past]);
  const problem = error ? explainError(error).message : undefined;
  return { trades, isRead: data !== undefined, problem };
}

export type Market = ReturnType<typeof useTrades>;

const SHOWN = 60;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

const inSol = new Intl.NumberFormat(locale, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
const formatShort = (amount: bigint, unit: Unit) =>
  // SOL with as many decimals in each row, so that they line up.
  unit === SOL
    ? inSol.format(Number(amount) / 1e9)
    : formatAmount(amount, unit.decimals, { digits: 4, compact: true });

const Amount = ({ amount, unit }: { amount: bigint | undefined; unit: Unit }) => (
  <td title={amount === undefined ? undefined : formatExact(amount, unit)}>
    {amount === undefined ? '–' : formatShort(amount, unit)}
  </td>
);

type RowProps = Unit & { trade: Trade; isOwn: boolean };

const Row = memo(function Row({ trade, symbol, decimals, isOwn }: RowProps) {
  const { side, amountIn, amountOut, user, blockTime } = trade;
  const isBuy = side === 'buy';
  return (
    <tr className={isOwn ? 'own' : undefined}>
      <td>{blockTime !== undefined && clock.format(Number(blockTime) * 1_000)}</td>
      <td className={isBuy ? 'up' : 'down'}>
        {isBuy ? '▲' : '▼'} <span className="wide">{side}</span>
      </td>
      <Amount amount={isBuy ? amountIn : amountOut} unit={SOL} />
      <Amount amount={isBuy ? amountOut : amountIn} unit={{ symbol, decimals }} />
      <td>{formatPrice(priceAfter(trade) ?? Number.NaN)}</td>
      <td title={user}>{isOwn ? <strong>You</strong> : shortenAddress(user)}</td>
    </tr>
  );
});

export function TradesList({ trades, isRead, problem, symbol, decimals }: Market & Unit) {
  const own = useWallet()?.address;
  if (trades.length === 0 && !isRead && !problem) return <p className="skeleton fill">Loading trades…</p>;
  if (trades.length === 0)
    return <p className="quiet fill">{problem ?? 'No trades since the launch. Yours can be the first.'}</p>;
  return (
    <Table label="Last trades" className="trades" head={['Time', 'Side', 'SOL', symbol, 'Price', 'Trader']}>
      {trades.slice(0, SHOWN).map((trade, place) => (
        // A row is a place in the list, so that a new trade moves none.
        <Row key={place} {...{ trade, symbol, decimals }} isOwn={trade.user === own} />
      ))}
    </Table>
  );
}
