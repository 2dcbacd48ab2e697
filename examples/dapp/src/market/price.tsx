import { toSpotPrice } from 'heaven-pools';
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react';

import { formatPrice, locale } from '../format';
import { useSetting } from '../setting';
import { Segment, Table } from '../ui';
import { useWallet } from '../wallet/wallet';
import { type Bar, DAY, toBars, toMarks } from './bars';
import type { PoolView } from './market-panel';
import { TokenHead } from './token-head';

const Chart = lazy(() => import('./chart'));

const SECONDS = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '1d': DAY };
const INTERVALS = { '1m': '1m', '5m': '5m', '15m': '15m', '1h': '1h', '1d': '1d' };

const darkness = matchMedia('(prefers-color-scheme: dark)');
function subscribeToTheme(changed: () => void) {
  darkness.addEventListener('change', changed);
  return () => darkness.removeEventListener('change', changed);
}

export function Price(view: PoolView) {
  const { pool, snapshot, trades, isRead, problem } = view;
  const [interval, setInterval] = useSetting<keyof typeof SECONDS>('candles', '15m', SECONDS);
  const seconds = SECONDS[interval];
  const isDark = useSyncExternalStore(subscribeToTheme, () => darkness.matches);
  const wallet = useWallet()?.address;
  const bars = useMemo(
    () => (snapshot === undefined ? [] : toBars(trades, seconds, snapshot)),
    [trades, seconds, snapshot],
  );
  const marks = useMemo(() => toMarks(trades, wallet, bars), [trades, wallet, bars]);
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
          {last && snapshot ? (
            // Another theme is another chart, for the canvas has resolved colours; a chart that was removed must not be drawn on.
            <Chart
              key={`${interval} ${isDark}`}
              price={toSpotPrice(snapshot).solPerToken}
              isDaily={seconds === DAY}
              {...{ bars, marks }}
            />
          ) : (
            <p className={empty ? 'quiet fill' : 'skeleton fill'}>{empty || 'Loading the chart…'}</p>
          )}
        </Suspense>
      </figure>
      <div className="chart-foot">
        <BarTable bars={bars} isDaily={seconds === DAY} />
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
          {[...bars].reverse().map(({ time, volume, ...prices }) => (
            <tr key={time}>
              <td>{(isDaily ? dates : times).format(time * 1_000)}</td>
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
