import { type FetchedPoolSnapshot, toSpotPrice } from 'heaven-pools';
import { lazy, Suspense, useMemo, useState } from 'react';

import { formatPrice, formatUsd } from '../format';
import type { Pool } from '../queries';
import { Segment, TokenIcon } from '../ui';
import { useWallet } from '../wallet/wallet';
import { type Bar, priceChange, span, toBars } from './bars';
import { Table } from './table';
import type { Market } from './trades';

const Chart = lazy(() => import('./chart'));

const SECONDS = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400 };
type Interval = keyof typeof SECONDS;
const INTERVALS = { '1m': '1m', '5m': '5m', '15m': '15m', '1h': '1h', '4h': '4h', '1d': '1d' } as const;
const STYLES = { candles: 'Candles', line: 'Line' } as const;

interface Props extends Market {
  readonly pool: Pool;
  readonly snapshot: FetchedPoolSnapshot | undefined;
}

function PriceHead({ pool, snapshot, trades }: Omit<Props, keyof Market> & Pick<Market, 'trades'>) {
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
          {Math.abs(change.percent).toFixed(2)}% <span className="quiet">in {span(change.seconds)}</span>
        </p>
      )}
    </header>
  );
}

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

function BarTable({ bars }: { readonly bars: readonly Bar[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <Table label="Prices" head={['Time', 'Open', 'High', 'Low', 'Close', 'SOL']}>
          {[...bars].reverse().map(({ time, isGap, volume, ...prices }) => (
            <tr key={time}>
              <td>{dateTime.format(time * 1_000)}</td>
              {(['open', 'high', 'low', 'close'] as const).map((name) => (
                <td key={name}>{isGap ? '–' : formatPrice(prices[name])}</td>
              ))}
              <td>{formatPrice(volume, 3)}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}

/** The price of a pool's token over time, from its trades. */
export function Price({ pool, snapshot, trades, isRead, problem }: Props) {
  const [interval, setInterval] = useState<Interval>('15m');
  const [style, setStyle] = useState<keyof typeof STYLES>('candles');
  const own = useWallet()?.address;
  const seconds = SECONDS[interval];
  const decimals = snapshot?.token.decimals;
  // A new bar begins at a full minute at the earliest.
  const now = snapshot && snapshot.unixTimestamp - (snapshot.unixTimestamp % 60n) + 59n;
  const bars = useMemo(
    () => (decimals === undefined || now === undefined ? [] : toBars(trades, decimals, seconds, now)),
    [trades, decimals, seconds, now],
  );
  const marks = useMemo(() => trades.filter(({ user }) => user === own).reverse(), [trades, own]);
  const last = bars.at(-1);
  const empty =
    trades.length > 0
      ? 'No trades in the time of this chart. Choose longer candles.'
      : (problem ?? (isRead && 'No trades yet. The first one draws the first candle.'));
  const description =
    last &&
    `Price of ${pool.symbol} in SOL: ${bars.length} candles, the last one at ${formatPrice(last.close)} SOL.`;
  return (
    <section className="card" aria-labelledby="market-title">
      <PriceHead pool={pool} snapshot={snapshot} trades={trades} />
      <div className="chart-controls">
        <Segment
          label="Candle length"
          className="small"
          options={INTERVALS}
          value={interval}
          onChange={setInterval}
        />
        <Segment label="Chart style" className="small" options={STYLES} value={style} onChange={setStyle} />
      </div>
      <figure className="chart" aria-label={description}>
        <Suspense fallback={<p className="skeleton fill">Loading the chart…</p>}>
          {last === undefined || snapshot === undefined ? (
            <p className={empty === undefined ? 'skeleton fill' : 'quiet fill'}>
              {empty ?? 'Loading the chart…'}
            </p>
          ) : (
            <Chart
              bars={bars}
              marks={marks}
              seconds={seconds}
              isLine={style === 'line'}
              price={toSpotPrice(snapshot).solPerToken}
            />
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
