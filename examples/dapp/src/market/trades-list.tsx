import type { Trade } from 'heaven-pools';
import { memo, useState } from 'react';

import { formatAmount, formatExact, formatPrice, SOL, shortenAddress, type Unit } from '../format';
import { useWallet } from '../wallet/wallet';
import { span } from './bars';
import { Table } from './table';
import type { useTrades } from './trades';

const SHOWN = 40;

interface RowProps {
  readonly trade: Trade;
  readonly unit: Unit;
  /** How long ago, in words. */
  readonly age: string;
  readonly isOwn: boolean;
}

const figure = (amount: bigint | undefined, unit: Unit) => (
  <td title={amount === undefined ? 'The transaction does not prove it.' : formatExact(amount, unit)}>
    {amount === undefined ? '–' : formatAmount(amount, unit.decimals, { digits: 4 })}
  </td>
);

const Row = memo(function Row({ trade, unit, age, isOwn }: RowProps) {
  const { side, amountIn, amountOut, user, price } = trade;
  const [lamports, tokens] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn];
  return (
    <tr>
      <td>{age}</td>
      <td className={side === 'buy' ? 'up' : 'down'}>{side === 'buy' ? '▲ Buy' : '▼ Sell'}</td>
      {figure(lamports, SOL)}
      {figure(tokens, unit)}
      <td>{price?.solPerToken === undefined ? '–' : formatPrice(price.solPerToken)}</td>
      <td title={user}>{isOwn ? <strong>You</strong> : shortenAddress(user)}</td>
    </tr>
  );
});

interface Props {
  readonly market: ReturnType<typeof useTrades>;
  readonly unit: Unit;
  /** The chain's clock, in Unix seconds. */
  readonly now: bigint | undefined;
}

export function TradesList({ market: { trades, isPending, problem, loadOlder }, unit, now }: Props) {
  const [shown, setShown] = useState(SHOWN);
  const own = useWallet()?.address;
  if (isPending) return <p className="skeleton fill">Loading trades…</p>;
  if (trades.length === 0)
    return <p className="quiet">{problem ?? 'No trades yet. Yours can be the first.'}</p>;
  const ageOf = ({ blockTime }: Trade) =>
    blockTime === undefined || now === undefined ? '' : span(Number(now - blockTime));
  const showMore = () => {
    setShown(shown + SHOWN);
    if (trades.length <= shown + SHOWN) loadOlder?.();
  };
  return (
    <>
      <Table
        label="Last trades"
        className="trades"
        head={['Ago', 'Side', 'SOL', unit.symbol, 'Price', 'Trader']}
      >
        {trades.slice(0, shown).map((trade) => (
          <Row
            key={`${trade.signature} ${trade.instructionIndex} ${trade.innerIndex}`}
            trade={trade}
            unit={unit}
            isOwn={trade.user === own}
            age={ageOf(trade)}
          />
        ))}
      </Table>
      {(trades.length > shown || loadOlder !== undefined) && (
        <button type="button" className="chip" onClick={showMore}>
          Older trades
        </button>
      )}
    </>
  );
}
