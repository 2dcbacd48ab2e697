// The only module that imports the chart library, so that it loads late.
import * as charts from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';

import { formatPrice, locale } from '../format';
import type { Bar } from './bars';

const SHIFT = new Date().getTimezoneOffset() * 60;
const formatterOf = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (time: charts.Time) => format.format(Number(time) * 1_000);
};
const clock = formatterOf({ hour: '2-digit', minute: '2-digit' });
const day = formatterOf({ day: 'numeric', month: 'short' });
const date = formatterOf({ dateStyle: 'medium' });
const both = formatterOf({ dateStyle: 'medium', timeStyle: 'short' });

/** Draws an empty chart. Its canvas takes resolved colours. */
function draw(place: HTMLElement, isDaily: boolean) {
  // The library divides its axis by days of UTC, so times are shifted to the reader's clock, and formatted as if they were UTC. A candle
  // of a day is one of UTC.
  const localTime = (time: number) => (time - (isDaily ? 0 : SHIFT)) as charts.UTCTimestamp;
  const colour = (name: string) => {
    place.style.color = `var(--${name})`;
    return getComputedStyle(place).color;
  };
  const pale = (name: string) => colour(name).replace(')', ' / 45%)').replaceAll(',', ' ');
  const grid = { color: colour('raised') };
  const [up, down, paleUp, paleDown] = [colour('buy'), colour('sell'), pale('buy'), pale('sell')];
  const { fontFamily, fontSize } = getComputedStyle(place);
  const chart = charts.createChart(place, {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: colour('muted'),
      ...{ fontFamily, fontSize: Number.parseFloat(fontSize) },
      // The library's own link is HTML, which the page's trusted types forbid: the page has one below the chart.
      attributionLogo: false,
    },
    grid: { vertLines: grid, horzLines: grid },
    crosshair: { mode: 0 },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
    timeScale: {
      borderColor: colour('border'),
      barSpacing: 8,
      maxBarSpacing: 24,
      rightOffset: 2,
      timeVisible: true,
      uniformDistribution: true,
      tickMarkFormatter: (time: charts.Time, kind: number) => (isDaily || kind < 3 ? day : clock)(time),
    },
    localization: { timeFormatter: isDaily ? date : both },
    // The page scrolls with the wheel, and with a finger that moves up or down.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
  });
  // The library passes a second argument.
  const formatter = (price: number) => formatPrice(price);
  const plain = { lastValueVisible: false, priceLineVisible: false };
  let priceNow = 0;
  const prices = chart.addSeries(charts.CandlestickSeries, {
    ...plain,
    ...{ upColor: up, wickUpColor: up, downColor: down, wickDownColor: down, borderVisible: false },
    priceFormat: { type: 'custom', formatter, minMove: 1e-13 },
    // The scale never leaves out the price now, nor a percent on both sides of it: a flat line is no mountain.
    autoscaleInfoProvider: (scaled: () => charts.AutoscaleInfo | null) => {
      const info = scaled();
      const { minValue = priceNow, maxValue = priceNow } = info?.priceRange ?? {};
      const priceRange = {
        minValue: Math.min(minValue, priceNow * 0.99),
        maxValue: Math.max(maxValue, priceNow * 1.01),
      };
      return { ...info, priceRange };
    },
  });
  const volumes = chart.addSeries(charts.HistogramSeries, { ...plain, priceScaleId: 'volume' });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const now = prices.createPriceLine({ price: 0, color: colour('accent'), lineWidth: 1, lineStyle: 2 });
  const marked = charts.createSeriesMarkers(prices);
  const flat = colour('muted');
  const marks = {
    buy: { position: 'belowBar', shape: 'arrowUp', color: up, text: 'You' },
    sell: { position: 'aboveBar', shape: 'arrowDown', color: down, text: 'You' },
  } as const;
  let first = Number.POSITIVE_INFINITY;
  return {
    remove: () => chart.remove(),
    show: (bars: Bar[]) => {
      priceNow = bars.at(-1)?.close ?? 0;
      now.applyOptions({ price: priceNow });
      const shown = bars.map((bar) => ({ ...bar, time: localTime(bar.time) }));
      prices.setData(
        shown.map((bar) => (bar.open === bar.close ? { ...bar, color: flat, wickColor: flat } : bar)),
      );
      volumes.setData(
        shown.map(({ time, open, close, volume: value }) => ({
          ...{ time, value },
          color: close < open ? paleDown : paleUp,
        })),
      );
      marked.setMarkers(shown.flatMap(({ time, own }) => own.map((side) => ({ time, ...marks[side] }))));
      const start = bars[0]?.time ?? first;
      if (start < first && bars.length < 60) chart.timeScale().fitContent();
      first = Math.min(first, start);
    },
  };
}

/** `isDaily` never changes: another length of candles is another chart. */
export default function Chart({ bars, isDaily }: { bars: Bar[]; isDaily: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReturnType<typeof draw>>();
  useEffect(() => {
    const next = draw(place.current as HTMLDivElement, isDaily);
    setDrawn(next);
    return () => next.remove();
  }, [isDaily]);
  useEffect(() => drawn?.show(bars), [drawn, bars]);
  return <div className="chart-canvas" ref={place} />;
}
