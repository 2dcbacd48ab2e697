// The only module that imports the chart library, so that it loads late.
import { type FetchedPoolSnapshot, type Trade, toSpotPrice } from 'heaven-pools';
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  LineSeries,
  type Time,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';

import { formatPrice, locale } from '../format';
import { useSetting } from '../setting';
import type { Bar } from './bars';

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const both = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const dateOf = (time: Time) => new Date(Number(time) * 1_000);

/** Draws an empty chart. Its canvas takes resolved colours, so another theme is another chart. */
function draw(place: HTMLElement, isLine: boolean, onHover: (time: Time | undefined) => void) {
  const [text, grid, edge, up, down, line] = ['muted', 'raised', 'border', 'buy', 'sell', 'accent'].map(
    (name) => {
      place.style.color = `var(--${name})`;
      return getComputedStyle(place).color;
    },
  ) as [string, string, string, string, string, string];
  const pale = (colour: string) => colour.replace(')', ' / 45%)').replaceAll(',', ' ');
  const chart = createChart(place, {
    autoSize: true,
    // The library's own link is HTML, which the page's trusted types forbid: the page has one below the chart.
    layout: {
      background: { color: 'transparent' },
      textColor: text,
      fontFamily: 'inherit',
      attributionLogo: false,
    },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    crosshair: { mode: 0 },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
    timeScale: {
      borderColor: edge,
      barSpacing: 8,
      rightOffset: 2,
      timeVisible: true,
      tickMarkFormatter: (time: Time, kind: number) => (kind < 3 ? day : clock).format(dateOf(time)),
    },
    localization: { timeFormatter: (time: Time) => both.format(dateOf(time)) },
    // The page scrolls with the wheel, and with a finger that moves up or down.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
  });
  const plain = { lastValueVisible: false, priceLineVisible: false };
  const formatter = (price: number) => formatPrice(price);
  const shown = { ...plain, priceFormat: { type: 'custom', formatter, minMove: 1e-13 } } as const;
  const prices = isLine
    ? chart.addSeries(LineSeries, { ...shown, color: line, lineWidth: 2 })
    : chart.addSeries(CandlestickSeries, {
        ...shown,
        ...{ upColor: up, wickUpColor: up, downColor: down, wickDownColor: down, borderVisible: false },
      });
  const volumes = chart.addSeries(HistogramSeries, { ...plain, priceScaleId: 'volume' });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const markers = createSeriesMarkers<Time>(prices, []);
  const now = prices.createPriceLine({
    price: 0,
    color: line,
    lineWidth: 1,
    lineStyle: 2,
    axisLabelVisible: true,
  });
  chart.subscribeCrosshairMove(({ time }) => onHover(time));
  let isEmpty = true;
  return {
    remove: () => chart.remove(),
    setPrice: (price: number) => now.applyOptions({ price }),
    setBars: (bars: Bar[]) => {
      const at = (bar: Bar) =>
        isLine ? { time: bar.time, value: bar.close } : bar.isGap ? { time: bar.time } : bar;
      prices.setData(bars.map(at));
      const colourOf = ({ open, close }: Bar) => pale(close < open ? down : up);
      const traded = bars.filter(({ isGap }) => !isGap);
      volumes.setData(traded.map((bar) => ({ time: bar.time, value: bar.volume, color: colourOf(bar) })));
      if (isEmpty && bars.length < 60) chart.timeScale().fitContent();
      isEmpty = false;
    },
    setMarks: (trades: Trade[], seconds: number) =>
      markers.setMarkers(
        trades.map(({ blockTime = 0n, side }) => ({
          time: Number(blockTime - (blockTime % BigInt(seconds))) as Bar['time'],
          ...(side === 'buy'
            ? { position: 'belowBar', shape: 'arrowUp', color: up, text: 'You bought' }
            : { position: 'aboveBar', shape: 'arrowDown', color: down, text: 'You sold' }),
        })),
      ),
  };
}

interface Props {
  bars: Bar[];
  /** The user's own trades, oldest first. */
  marks: Trade[];
  isLine: boolean;
  seconds: number;
  snapshot: FetchedPoolSnapshot;
}

export default function Chart({ bars, marks, isLine, seconds, snapshot }: Props) {
  const price = toSpotPrice(snapshot).solPerToken;
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReturnType<typeof draw>>();
  const [hovered, setHovered] = useState<Time>();
  const [theme] = useSetting('theme', '');
  useEffect(() => {
    if (place.current === null || theme === undefined) return;
    const chart = draw(place.current, isLine, setHovered);
    setDrawn(chart);
    return () => {
      setDrawn(undefined);
      chart.remove();
    };
  }, [isLine, theme]);
  useEffect(() => drawn?.setBars(bars), [drawn, bars]);
  useEffect(() => drawn?.setMarks(marks, seconds), [drawn, marks, seconds]);
  useEffect(() => drawn?.setPrice(price), [drawn, price]);
  const bar = bars.find(({ time }) => time === hovered) ?? bars.at(-1);
  return (
    <>
      {bar && (
        <p className="chart-figures" aria-hidden="true">
          {(['open', 'high', 'low', 'close'] as const).map((name) => (
            <span key={name}>
              {name[0]?.toUpperCase()}{' '}
              <b className={bar.close < bar.open ? 'down' : 'up'}>{formatPrice(bar[name])}</b>
            </span>
          ))}
          <span>
            V <b>{formatPrice(bar.volume, 3)} SOL</b>
          </span>
        </p>
      )}
      <div className="chart-canvas" ref={place} />
    </>
  );
}
