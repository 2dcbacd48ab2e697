import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react';

import { formatPrice, locale } from '../format';
import { useSetting } from '../setting';
import { Segment, Table } from '../ui';
import { useWallet } from '../wallet/wallet';
import { type Bar, DAY, toBars } from './bars';
import type { PoolView } from './market-panel';
import { TokenHead } from './token-head';

const Chart = lazy(() => import('./chart'));

/** By their length in seconds. */
const INTERVALS = { 60: '1m', 300: '5m', 900: '15m', 3600: '1h', [DAY]: '1d' };

const darkness = matchMedia('(prefers-color-scheme: dark)');
function subscribeToTheme(changed: () => void) {
  darkness.addEventListener('change', changed);
  return () => darkness.removeEventListener('change', changed);
}

export function Price(view: PoolView) {
  const { pool, snapshot, trades, isRead, problem } = view;
  const [interval, setInterval] = useSetting<string>('candles', '900', INTERVALS);
  const isDaily = interval === `${DAY}`;
  const isDark = useSyncExternalStore(subscribeToTheme, () => darkness.matches);
  const wallet = useWallet()?.address;
  const bars = useMemo(
    () => (snapshot === undefined ? [] : toBars(trades, Number(interval), snapshot, wallet)),
    [trades, interval, snapshot, wallet],
  );
  const last = bars.at(-1);
  const none =
    trades.length > 0
      ? 'No trades in this time. Choose longer candles.'
      : 'No trades yet. The first one draws the first candle.';
  const empty = snapshot && isRead ? none : trades.length === 0 && problem;
  const description = last && `Price of ${pool.symbol} in SOL, now ${formatPrice(last.close)}`;
  return (
    <section className="card" aria-labelledby="market-title">
      <TokenHead {...view} />
      <Segment label="Candle length" options={INTERVALS} value={interval} onChange={setInterval} />
      <figure className="chart" aria-label={description}>
        <Suspense fallback={<p className="skeleton fill">Loading the chart…</p>}>
          {last ? (
            // Another theme is another chart, for the canvas has resolved colours; a chart that was removed must not be drawn on.
            <Chart key={`${interval} ${isDark}`} bars={bars} isDaily={isDaily} />
          ) : (
            <p className={empty ? 'quiet fill' : 'skeleton fill'}>{empty || 'Loading the chart…'}</p>
          )}
        </Suspense>
      </figure>
      <div className="chart-foot">
        <BarTable bars={bars} isDaily={isDaily} />
        <a href="https://www.tradingview.com/">Charts by TradingView</a>
      </div>
    </section>
  );
}

// A day's candle begins at midnight in UTC, which is the day before in the west.
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });

/** The bars for those who don't see the chart. */
function BarTable({ bars, isDaily }: { bars: Bar[]; isDaily: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <Table label="Prices" head={[isDaily ? 'Day (UTC)' : 'Time', 'Open', 'High', 'Low', 'Close', 'SOL']}>
          {[...bars].reverse().map(({ time, open, high, low, close, volume }) => (
            <tr key={time}>
              <td>{(isDaily ? dates : times).format(time * 1_000)}</td>
              {[open, high, low, close].map((price, place) => (
                <td key={String(place)}>{formatPrice(price)}</td>
              ))}
              <td>{formatPrice(volume, 3)}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}
