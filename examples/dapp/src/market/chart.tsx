// The only module that imports the chart library, so that it loads late.
import * as charts from 'lightweight-charts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { formatPrice, locale } from '../format';
import type { Bar } from './bars';

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const both = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const dateOf = (time: charts.Time) => new Date(Number(time) * 1_000);

/** Draws an empty chart. Its canvas takes resolved colours, so another theme is another chart. */
function draw(place: HTMLElement) {
  const colour = (name: string) => {
    place.style.color = `var(--${name})`;
    return getComputedStyle(place).color;
  };
  const pale = (name: string) => colour(name).replace(')', ' / 45%)').replaceAll(',', ' ');
  const [grid, up, down] = [{ color: colour('raised') }, colour('buy'), colour('sell')];
  const [paleUp, paleDown] = [pale('buy'), pale('sell')];
  const chart = charts.createChart(place, {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: colour('muted'),
      fontFamily: 'inherit',
      // The library's own link is HTML, which the page's trusted types forbid: the page has one below the chart.
      attributionLogo: false,
    },
    grid: { vertLines: grid, horzLines: grid },
    crosshair: { mode: 0 },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
    timeScale: {
      borderColor: colour('border'),
      barSpacing: 8,
      rightOffset: 2,
      timeVisible: true,
      tickMarkFormatter: (time: charts.Time, kind: number) => (kind < 3 ? day : clock).format(dateOf(time)),
    },
    localization: { timeFormatter: (time: charts.Time) => both.format(dateOf(time)) },
    // The page scrolls with the wheel, and with a finger that moves up or down.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
  });
  const formatter = (price: number) => formatPrice(price);
  const plain = { lastValueVisible: false, priceLineVisible: false };
  const prices = chart.addSeries(charts.CandlestickSeries, {
    ...plain,
    ...{ upColor: up, wickUpColor: up, downColor: down, wickDownColor: down, borderVisible: false },
    priceFormat: { type: 'custom', formatter, minMove: 1e-13 },
  });
  const volumes = chart.addSeries(charts.HistogramSeries, { ...plain, priceScaleId: 'volume' });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const now = prices.createPriceLine({ price: 0, color: colour('accent'), lineWidth: 1, lineStyle: 2 });
  let isEmpty = true;
  return {
    remove: () => chart.remove(),
    setPrice: (price: number) => now.applyOptions({ price }),
    setBars: (bars: Bar[]) => {
      prices.setData(bars.map((bar) => (bar.isGap ? { time: bar.time } : bar)));
      const traded = bars.filter(({ isGap }) => !isGap);
      const colourOf = ({ open, close }: Bar) => (close < open ? paleDown : paleUp);
      volumes.setData(traded.map((bar) => ({ time: bar.time, value: bar.volume, color: colourOf(bar) })));
      if (isEmpty && bars.length < 60) chart.timeScale().fitContent();
      isEmpty = false;
    },
  };
}

const darkness = matchMedia('(prefers-color-scheme: dark)');
function subscribeToTheme(changed: () => void) {
  darkness.addEventListener('change', changed);
  return () => darkness.removeEventListener('change', changed);
}

type ChartProps = { bars: Bar[]; price: number };

export default function Chart({ bars, price }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReturnType<typeof draw>>();
  const isDark = useSyncExternalStore(subscribeToTheme, () => darkness.matches);
  useEffect(() => {
    const next = draw(place.current as HTMLDivElement);
    setDrawn(next);
    return () => {
      setDrawn(undefined);
      next.remove();
    };
  }, [isDark]);
  useEffect(() => drawn?.setBars(bars), [drawn, bars]);
  useEffect(() => drawn?.setPrice(price), [drawn, price]);
  return <div className="chart-canvas" ref={place} />;
}
