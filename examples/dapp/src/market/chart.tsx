// The only module that imports the chart library, so that it loads late.
import {
  CandlestickSeries,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IPriceLine,
  LineSeries,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { formatPrice } from '../format';
import type { Bar } from './bars';

export interface Mark {
  readonly time: number;
  readonly side: 'buy' | 'sell';
}

interface Props {
  readonly bars: readonly Bar[];
  /** The user's own trades. */
  readonly marks: readonly Mark[];
  readonly isLine: boolean;
  readonly seconds: number;
  /** The price in the pool now. */
  readonly price: number;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const both = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dateOf = (time: Time) => new Date(Number(time) * 1_000);

/** Changes with the theme, of the system or of the page. */
function useThemeKey(): string {
  const system = matchMedia('(prefers-color-scheme: dark)');
  return useSyncExternalStore(
    (changed) => {
      const observer = new MutationObserver(changed);
      observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
      system.addEventListener('change', changed);
      return () => {
        observer.disconnect();
        system.removeEventListener('change', changed);
      };
    },
    () => `${document.documentElement.dataset.theme} ${system.matches}`,
  );
}

/** The page's colours, which a canvas needs resolved. */
function coloursAt(element: HTMLElement) {
  const of = (name: string) => {
    element.style.color = `var(--${name})`;
    const colour = getComputedStyle(element).color;
    element.style.color = '';
    return colour;
  };
  return {
    text: of('muted'),
    grid: of('raised'),
    edge: of('border'),
    up: of('buy'),
    down: of('sell'),
    line: of('accent'),
  };
}

function draw(place: HTMLElement, isLine: boolean, onHover: (time: Time | undefined) => void) {
  const { text, grid, edge, up, down, line } = coloursAt(place);
  const chart = createChart(place, {
    autoSize: true,
    layout: { background: { color: 'transparent' }, textColor: text, fontFamily: 'inherit', fontSize: 12 },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: { borderColor: edge, scaleMargins: { top: 0.08, bottom: 0.24 } },
    timeScale: {
      borderColor: edge,
      barSpacing: 8,
      rightOffset: 3,
      timeVisible: true,
      tickMarkFormatter: (time: Time, kind: number) => (kind < 3 ? day : clock).format(dateOf(time)),
    },
    localization: { timeFormatter: (time: Time) => both.format(dateOf(time)) },
    // The page scrolls with the wheel and with a finger that moves up or down.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
  });
  const common = {
    priceFormat: { type: 'custom', formatter: (price: number) => formatPrice(price), minMove: 1e-13 },
    lastValueVisible: false,
    priceLineVisible: false,
  } as const;
  const colours = {
    upColor: up,
    wickUpColor: up,
    borderUpColor: up,
    downColor: down,
    wickDownColor: down,
    borderDownColor: down,
  };
  const prices = isLine
    ? chart.addSeries(LineSeries, { ...common, color: line, lineWidth: 2 })
    : chart.addSeries(CandlestickSeries, { ...common, ...colours });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  chart.subscribeCrosshairMove(({ time }) => onHover(time));
  const markers = createSeriesMarkers<Time>(prices, []);
  let now: IPriceLine | undefined;
  return {
    remove: () => chart.remove(),
    setBars: (bars: readonly Bar[]) => {
      prices.setData(
        bars.map(({ time, open, high, low, close, isGap }) =>
          isLine ? { time, value: close } : isGap ? { time } : { time, open, high, low, close },
        ),
      );
      volumes.setData(
        bars.map(({ time, open, close, volume }) => ({
          time,
          value: volume,
          color: close < open ? `${fade(down)}` : fade(up),
        })),
      );
    },
    setMarks: (marks: readonly SeriesMarker<Time>[]) => markers.setMarkers([...marks]),
    setPrice: (price: number) => {
      if (now === undefined)
        now = prices.createPriceLine({
          price,
          color: line,
          lineWidth: 1,
          lineStyle: 2,
          axisLabelVisible: true,
          title: '',
        });
      else now.applyOptions({ price });
    },
    colours: { up, down },
  };
}

const fade = (colour: string) => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.4)');

export default function Chart({ bars, marks, isLine, seconds, price }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReturnType<typeof draw>>();
  const [hovered, setHovered] = useState<Time>();
  const theme = useThemeKey();
  useEffect(() => {
    if (place.current === null) return;
    const chart = draw(place.current, isLine, setHovered);
    setDrawn(chart);
    return () => {
      setDrawn(undefined);
      chart.remove();
    };
  }, [isLine, theme]);
  useEffect(() => drawn?.setBars(bars), [drawn, bars]);
  useEffect(() => drawn?.setPrice(price), [drawn, price]);
  useEffect(() => {
    drawn?.setMarks(
      marks.map(({ time, side }) => ({
        time: (time - (time % seconds)) as Bar['time'],
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: side === 'buy' ? drawn.colours.up : drawn.colours.down,
        text: side === 'buy' ? 'You bought' : 'You sold',
      })),
    );
  }, [drawn, marks, seconds]);

  const bar = bars.find(({ time }) => time === hovered) ?? bars.at(-1);
  return (
    <>
      <p className="chart-figures" aria-hidden="true">
        {bar &&
          (['open', 'high', 'low', 'close'] as const).map((name) => (
            <span key={name}>
              {name[0]?.toUpperCase()}{' '}
              <b className={bar.close < bar.open ? 'down' : 'up'}>{formatPrice(bar[name])}</b>
            </span>
          ))}
        {bar && (
          <span>
            Vol <b>{formatPrice(bar.volume, 3)} SOL</b>
          </span>
        )}
      </p>
      <div className="chart-canvas" ref={place} />
    </>
  );
}
