// A chart of candles with volume, drawn as SVG. The crosshair is drawn apart, so that moving it draws nothing else.
import { element, svg } from './dom.js';
import { formatPrice } from './format.js';
import { ticks } from './ticks.js';

/** A candle in SOL per token. A gap has a price, the one before it, and no trade. */
export interface Bar {
  /** Unix seconds. */
  readonly start: number;
  readonly isGap: boolean;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** SOL. */
  readonly volume: number;
  readonly trades: number;
}

/** A trade of one's own. */
export interface Mark {
  readonly time: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
}

export interface CandleChart {
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
  readonly style: 'candles' | 'line';
  readonly seconds: number;
  /** The price in the pool now. */
  readonly price: number | undefined;
  readonly description: string;
}

const MARGIN = { top: 22, right: 78, bottom: 22 };
const STEP = 9;
const VOLUME_SHARE = 0.18;

/** How many candles fit. */
export const fitting = (target: HTMLElement): number =>
  Math.max(Math.floor((target.clientWidth - MARGIN.right) / STEP), 10);

/** A time of a candle, in the reader's own time zone. */
export function timeOf(start: number, seconds: number): string {
  const date = new Date(start * 1_000);
  return seconds >= 86_400
    ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

const dateOf = (start: number) =>
  new Date(start * 1_000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Labels with as many digits as tell the ticks apart. */
function labelsOf(values: readonly number[]): readonly string[] {
  const [first = 0, second = first] = values;
  const step = Math.abs(second - first);
  const most = Math.max(...values.map(Math.abs));
  const digits = step === 0 ? 4 : Math.max(Math.ceil(Math.log10(most / step)) + 1, 2);
  return values.map((value) => formatPrice(value, Math.min(digits, 8)));
}

interface Scales {
  readonly width: number;
  readonly height: number;
  readonly right: number;
  readonly bottom: number;
  x(index: number): number;
  y(price: number): number;
}

function scalesOf(
  target: HTMLElement,
  bars: readonly Bar[],
  price: number | undefined,
): Scales & { readonly grid: readonly number[] } {
  const width = Math.max(target.clientWidth, 240);
  const height = Math.max(target.clientHeight, 200);
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const floor = bottom - (bottom - MARGIN.top) * VOLUME_SHARE - 8;
  const prices = [...bars.flatMap(({ low, high }) => [low, high]), ...(price === undefined ? [] : [price])];
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const air = (most - least || most * 0.02 || 1) * 0.06;
  const [low, high] = [least - air, most + air];
  const toY = (value: number) => floor - ((value - low) / (high - low)) * (floor - MARGIN.top);
  return {
    width,
    height,
    right,
    bottom,
    x: (index) => right - (bars.length - index) * STEP + STEP / 2,
    y: toY,
    grid: ticks(low, high).filter((value) => value > low && value < high),
  };
}

function drawGrid(
  image: SVGElement,
  { bars, seconds, price }: CandleChart,
  scales: ReturnType<typeof scalesOf>,
): void {
  const { right, bottom, width } = scales;
  const labels = labelsOf(scales.grid);
  const taken = price === undefined ? Number.NEGATIVE_INFINITY : scales.y(price);
  for (const [index, value] of scales.grid.entries()) {
    const y = scales.y(value);
    image.append(
      svg('line', { class: 'grid', x1: 0, y1: y, x2: right, y2: y }),
      // The label of the price now goes before that of a line.
      ...(Math.abs(y - taken) < 16
        ? []
        : [svg('text', { x: width - 4, y: y + 4, 'text-anchor': 'end' }, labels[index] ?? '')]),
    );
  }
  let free = 0;
  for (const [index, { start }] of bars.entries()) {
    const x = scales.x(index);
    if (index % 12 !== 6 || x < free || x > right - 20) continue;
    free = x + 64;
    image.append(svg('text', { x, y: bottom + 16, 'text-anchor': 'middle' }, timeOf(start, seconds)));
  }
}

function drawBars(
  image: SVGElement,
  { bars, style }: CandleChart,
  scales: ReturnType<typeof scalesOf>,
): void {
  const { bottom, x, y } = scales;
  const most = Math.max(...bars.map(({ volume }) => volume), Number.MIN_VALUE);
  const room = (bottom - MARGIN.top) * VOLUME_SHARE;
  for (const [index, bar] of bars.entries()) {
    if (bar.isGap) continue;
    const height = Math.max((bar.volume / most) * room, 1);
    image.append(svg('rect', { class: 'volume', x: x(index) - 3, y: bottom - height, width: 6, height }));
    if (style === 'line') continue;
    const kind = bar.close >= bar.open ? 'candle-up' : 'candle-down';
    const [top, low] = [y(Math.max(bar.open, bar.close)), y(Math.min(bar.open, bar.close))];
    image.append(
      svg('line', { class: kind, x1: x(index), y1: y(bar.high), x2: x(index), y2: y(bar.low) }),
      // A falling candle is filled, a rising one hollow: the colour does not stand alone.
      svg('rect', {
        class: `${kind} body`,
        x: x(index) - 3,
        y: top,
        width: 6,
        height: Math.max(low - top, 1),
      }),
    );
  }
  if (style === 'line') {
    const points = bars.map((bar, index) => `${x(index).toFixed(1)},${y(bar.close).toFixed(1)}`);
    image.append(svg('polyline', { class: 'candle-line', points: points.join(' ') }));
  }
}

function drawMarks(image: SVGElement, { marks, bars, seconds }: CandleChart, scales: Scales): void {
  const first = bars[0]?.start ?? 0;
  for (const { time, price, side } of marks) {
    const index = Math.floor((time - first) / seconds);
    if (index < 0 || index >= bars.length) continue;
    const [x, y] = [scales.x(index), scales.y(price)];
    // A buy points up from below, a sell down from above.
    const tip =
      side === 'buy'
        ? `${x},${y + 3} ${x - 6},${y + 13} ${x + 6},${y + 13}`
        : `${x},${y - 3} ${x - 6},${y - 13} ${x + 6},${y - 13}`;
    image.append(svg('polygon', { class: `own ${side}`, points: tip }));
  }
}

/** What a candle was, in figures. */
const figuresOf = ({ start, isGap, open, high, low, close, volume, trades }: Bar): string =>
  isGap
    ? `${dateOf(start)} · no trade · ${formatPrice(close)}`
    : `${dateOf(start)} · O ${formatPrice(open)} · H ${formatPrice(high)} · L ${formatPrice(low)} · C ${formatPrice(close)} · ${formatPrice(volume, 3)} SOL, ${trades} ${trades === 1 ? 'trade' : 'trades'}`;

/** Draws the chart into an element of a fixed size. */
export function drawCandles(target: HTMLElement, chart: CandleChart): void {
  const { bars, price, description } = chart;
  const scales = scalesOf(target, bars, price);
  const { width, height, right, bottom } = scales;
  const image = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `${description} The table below has the figures.`,
  });
  drawGrid(image, chart, scales);
  drawBars(image, chart, scales);
  if (price !== undefined) {
    const y = scales.y(price);
    image.append(
      svg('line', { class: 'last-price', x1: 0, y1: y, x2: right, y2: y }),
      svg('rect', {
        class: 'last-label',
        x: right + 2,
        y: y - 9,
        width: MARGIN.right - 2,
        height: 18,
        rx: 4,
      }),
      svg('text', { class: 'last-text', x: width - 4, y: y + 4, 'text-anchor': 'end' }, formatPrice(price)),
    );
  }
  drawMarks(image, chart, scales);
  const figures = element('p', { class: 'candle-figures', 'aria-hidden': 'true' });
  const cross = svg('g', { visibility: 'hidden' });
  const vertical = svg('line', { class: 'cross', y1: MARGIN.top, y2: bottom });
  const horizontal = svg('line', { class: 'cross', x1: 0, x2: right });
  cross.append(vertical, horizontal);
  image.append(cross);
  const at = (index: number, y: number | undefined) => {
    const bar = bars[index];
    if (bar === undefined) {
      cross.setAttribute('visibility', 'hidden');
      figures.textContent = bars.length === 0 ? '' : figuresOf(bars.at(-1) as Bar);
      return;
    }
    cross.setAttribute('visibility', 'visible');
    const x = scales.x(index);
    vertical.setAttribute('x1', String(x));
    vertical.setAttribute('x2', String(x));
    const level = String(y ?? scales.y(bar.close));
    horizontal.setAttribute('y1', level);
    horizontal.setAttribute('y2', level);
    figures.textContent = figuresOf(bar);
  };
  let wanted: (() => void) | undefined;
  image.addEventListener('pointermove', (event) => {
    const { left, top } = image.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const isIdle = wanted === undefined;
    wanted = () =>
      at(Math.floor((x - right) / STEP) + bars.length, Math.min(Math.max(y, MARGIN.top), bottom));
    if (isIdle)
      requestAnimationFrame(() => {
        wanted?.();
        wanted = undefined;
      });
  });
  image.addEventListener('pointerleave', () => at(-1, undefined));
  at(-1, undefined);
  target.replaceChildren(image, figures);
}
