import type { Trade } from 'heaven-pools';
import { memo } from 'react';

import { formatAmount, formatExact, formatPrice, locale, SOL, shortenAddress, type Unit } from '../format';
import { Table } from '../ui';
import { useWallet } from '../wallet/wallet';
import { priceAfter } from './bars';
import type { Market } from './trades';

const SHOWN = 60;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

const Amount = ({ amount, unit }: { amount: bigint | undefined; unit: Unit }) => (
  <td title={amount === undefined ? undefined : formatExact(amount, unit)}>
    {amount === undefined ? '–' : formatAmount(amount, unit.decimals, { digits: 4, compact: true })}
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
    return <p className="quiet fill">{problem ?? 'No trades yet. Yours can be the first.'}</p>;
  return (
    <Table label="Last trades" className="trades" head={['Time', 'Side', 'SOL', symbol, 'Price', 'Trader']}>
      {trades.slice(0, SHOWN).map((trade, place) => (
        // A row is a place in the list, so that a new trade moves none.
        <Row key={place} {...{ trade, symbol, decimals }} isOwn={trade.user === own} />
      ))}
    </Table>
  );
}
