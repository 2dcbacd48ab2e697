import type { Trade } from 'heaven-pools';
import { memo } from 'react';

import { formatAmount, formatExact, formatPrice, locale, SOL, shortenAddress, type Unit } from '../format';
import { useWallet } from '../wallet/wallet';
import { Table } from './table';
import type { Market } from './trades';

const SHOWN = 60;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium' });

type RowProps = { trade: Trade; symbol: string; decimals: number; isOwn: boolean };

const Row = memo(function Row({ trade, symbol, decimals, isOwn }: RowProps) {
  const { side, amountIn, amountOut, user, price, blockTime } = trade;
  const [lamports, tokens] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn];
  const time = blockTime === undefined ? undefined : new Date(Number(blockTime) * 1_000);
  const figure = (amount: bigint | undefined, unit: Unit) => (
    <td title={amount === undefined ? 'The transaction does not prove it.' : formatExact(amount, unit)}>
      {amount === undefined ? '–' : formatAmount(amount, unit.decimals, { digits: 4, compact: true })}
    </td>
  );
  return (
    <tr className={isOwn ? 'own' : undefined}>
      <td title={time && date.format(time)}>{time && clock.format(time)}</td>
      <td className={side === 'buy' ? 'up' : 'down'}>
        {side === 'buy' ? '▲' : '▼'} <span className="wide">{side}</span>
      </td>
      {figure(lamports, SOL)}
      {figure(tokens, { symbol, decimals })}
      <td>{price?.solPerToken === undefined ? '–' : formatPrice(price.solPerToken)}</td>
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
