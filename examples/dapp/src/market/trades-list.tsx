import type { Trade } from 'heaven-pools';
import { memo } from 'react';

import { formatAmount, formatExact, formatPrice, SOL, shortenAddress, type Unit } from '../format';
import { useWallet } from '../wallet/wallet';
import { span } from './bars';
import { Table } from './table';
import type { Market } from './trades';

const SHOWN = 100;

interface RowProps {
  readonly trade: Trade;
  readonly symbol: string;
  readonly decimals: number;
  readonly age: string;
  readonly isOwn: boolean;
}

const Row = memo(function Row({ trade, symbol, decimals, age, isOwn }: RowProps) {
  const { side, amountIn, amountOut, user, price } = trade;
  const [lamports, tokens] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn];
  const figure = (amount: bigint | undefined, unit: Unit) => (
    <td title={amount === undefined ? 'The transaction does not prove it.' : formatExact(amount, unit)}>
      {amount === undefined ? '–' : formatAmount(amount, unit.decimals, { digits: 4 })}
    </td>
  );
  return (
    <tr>
      <td>{age}</td>
      <td className={side === 'buy' ? 'up' : 'down'}>{side === 'buy' ? '▲ Buy' : '▼ Sell'}</td>
      {figure(lamports, SOL)}
      {figure(tokens, { symbol, decimals })}
      <td>{price?.solPerToken === undefined ? '–' : formatPrice(price.solPerToken)}</td>
      <td title={user}>{isOwn ? <strong>You</strong> : shortenAddress(user)}</td>
    </tr>
  );
});

interface Props extends Market, Unit {
  /** The chain's clock, in Unix seconds. */
  readonly now: bigint | undefined;
}

export function TradesList({ trades, isRead, problem, symbol, decimals, now }: Props) {
  const own = useWallet()?.address;
  if (trades.length === 0 && !isRead && !problem) return <p className="skeleton fill">Loading trades…</p>;
  if (trades.length === 0)
    return <p className="quiet fill">{problem ?? 'No trades yet. Yours can be the first.'}</p>;
  return (
    <Table label="Last trades" className="trades" head={['Ago', 'Side', 'SOL', symbol, 'Price', 'Trader']}>
      {trades.slice(0, SHOWN).map((trade) => (
        <Row
          key={`${trade.signature} ${trade.instructionIndex} ${trade.innerIndex}`}
          trade={trade}
          symbol={symbol}
          decimals={decimals}
          isOwn={trade.user === own}
          age={trade.blockTime && now ? span(Number(now - trade.blockTime)) : ''}
        />
      ))}
    </Table>
  );
}
