import { type FetchedPoolSnapshot, toSpotPrice } from 'heaven-pools';
import { lazy, Suspense, useMemo, useState } from 'react';

import { formatPrice, formatUsd, locale } from '../format';
import type { Pool } from '../queries';
import { Segment, Table, TokenIcon } from '../ui';
import { useWallet } from '../wallet/wallet';
import { type Bar, priceChange, toBars, toMarks } from './bars';
import type { Market } from './trades';

const Chart = lazy(() => import('./chart'));

const SECONDS = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '1d': 86_400 };
const INTERVALS = { '1m': '1m', '5m': '5m', '15m': '15m', '1h': '1h', '1d': '1d' };

type Props = Market & { pool: Pool; snapshot: FetchedPoolSnapshot | undefined };

export function Price({ pool, snapshot, trades, isRead, problem }: Props) {
  const [interval, setInterval] = useState<keyof typeof SECONDS>('15m');
  const seconds = SECONDS[interval];
  const wallet = useWallet()?.address;
  const bars = useMemo(
    () => (snapshot === undefined ? [] : toBars(trades, seconds, snapshot)),
    [trades, seconds, snapshot],
  );
  const marks = useMemo(() => toMarks(trades, wallet, bars), [trades, wallet, bars]);
  const last = bars.at(-1);
  const empty =
    trades.length > 0
      ? 'No trades in the time of this chart. Choose longer candles.'
      : (problem ?? (isRead && 'No trades yet. The first one draws the first candle.'));
  const description = last && `Price of ${pool.symbol} in SOL, now ${formatPrice(last.close)}`;
  return (
    <section className="card" aria-labelledby="market-title">
      <PriceHead {...{ pool, snapshot, trades }} />
      <Segment label="Candle length" options={INTERVALS} value={interval} onChange={setInterval} />
      <figure className="chart" aria-label={description}>
        <Suspense fallback={<p className="skeleton fill">Loading the chart…</p>}>
          {last && snapshot ? (
            <Chart key={interval} bars={bars} marks={marks} price={toSpotPrice(snapshot).solPerToken} />
          ) : (
            <p className={empty ? 'quiet fill' : 'skeleton fill'}>{empty || 'Loading the chart…'}</p>
          )}
        </Suspense>
      </figure>
      <div className="chart-foot">
        <BarTable bars={bars} />
        <a href="https://www.tradingview.com/">Charts by TradingView</a>
      </div>
    </section>
  );
}

function PriceHead({ pool, snapshot, trades }: Pick<Props, 'pool' | 'snapshot' | 'trades'>) {
  const change = useMemo(() => snapshot && priceChange(trades, snapshot), [trades, snapshot]);
  const { solPerToken = 0, usdPerToken = 0 } = snapshot === undefined ? {} : toSpotPrice(snapshot);
  return (
    <header className="market-head">
      <TokenIcon mint={pool.mint} symbol={pool.symbol} />
      <h2 id="market-title">{pool.symbol} / SOL</h2>
      <p className={snapshot === undefined ? 'skeleton' : undefined}>
        <strong>{formatPrice(solPerToken)} SOL</strong>{' '}
        <span className="quiet">{formatUsd(usdPerToken)}</span>
      </p>
      {change !== undefined && (
        <p className={change.percent < 0 ? 'down' : 'up'}>
          {change.percent < 0 ? '▼ −' : '▲ +'}
          {Math.abs(change.percent).toFixed(2)}% <span className="quiet">in {change.hours} h</span>
        </p>
      )}
    </header>
  );
}

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });

/** The bars for those who don't see the chart. */
function BarTable({ bars }: { bars: Bar[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <Table label="Prices" head={['Time', 'Open', 'High', 'Low', 'Close', 'SOL']}>
          {[...bars].reverse().map(({ time, volume, ...prices }) => (
            <tr key={time}>
              <td>{dateTime.format(time * 1_000)}</td>
              {(['open', 'high', 'low', 'close'] as const).map((name) => (
                <td key={name}>{formatPrice(prices[name])}</td>
              ))}
              <td>{formatPrice(volume, 3)}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}
