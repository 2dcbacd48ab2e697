// A chart of candles with volume, drawn as SVG: one path for all shapes of one style. The crosshair is separate, so that moving
// it redraws nothing else. Wheel, pinch, drag and keys zoom and pan.
import type { ChartBar } from 'heaven-pools';

import { byId, element, setText, svg } from './dom.js';
import { formatPrice } from './format.js';
import { redraw, sizeOf } from './redraw.js';
import { ticks } from './ticks.js';

/** One of the user's own trades. */
export interface Mark {
  readonly time: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
}

export interface CandleChart {
  readonly bars: readonly ChartBar[];
  readonly marks: readonly Mark[];
  readonly style: 'candles' | 'line';
  readonly seconds: number;
  /** The pool's current price. */
  readonly price: number | undefined;
  readonly description: string;
}

const MARGIN = { top: 22, right: 78, bottom: 22 };
const VOLUME_SHARE = 0.18;
/** Pixels per candle. */
const STEP = { least: 3, normal: 9, most: 36 } as const;
/** How far back the chart can pan, in candles. */
export const MOST_BACK = 5_000;
const LEAST_SHOWN = 10;

/** The visible range, and the candle under the crosshair. `back`: the number of candles to the right of the visible range. */
const view = { step: STEP.normal as number, back: 0, cursor: undefined as Cursor | undefined };

interface Cursor {
  readonly time: number;
  /** The pointer's position. Unset if a key moved the crosshair. */
  readonly y: number | undefined;
}

/** The element with the chart, and what draws it again. */
let place: { readonly target: HTMLElement; readonly redraw: () => void };

const size = () => sizeOf(place.target, place.redraw);
const fitting = (): number => Math.max(Math.floor((size().width - MARGIN.right) / view.step), LEAST_SHOWN);

/** How many of the latest candles the visible range needs. */
export const reach = (): number => fitting() + view.back;

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A candle's time in the reader's time zone. */
export const timeOf = (start: number, seconds: number): string =>
  (seconds >= 86_400 ? days : clock).format(start * 1_000);
const dateOf = (start: number) => dates.format(start * 1_000);

/** Labels with just enough digits to distinguish the ticks. */
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
  bars: readonly ChartBar[],
  price: number | undefined,
): Scales & { readonly grid: readonly number[] } {
  const width = Math.max(size().width, 240);
  const height = Math.max(size().height, 200);
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
    x: (index) => right - (bars.length - index - 0.5) * view.step,
    y: toY,
    grid: ticks(low, high).filter((value) => value > low && value < high),
  };
}

const LABELS = [4, 6, 12, 24, 48];

function drawGrid(
  image: SVGElement,
  { bars, seconds, price }: CandleChart,
  scales: ReturnType<typeof scalesOf>,
): void {
  const { right, bottom, width } = scales;
  const labels = labelsOf(scales.grid);
  const taken = price === undefined ? Number.NEGATIVE_INFINITY : scales.y(price);
  const heights = scales.grid.map((value) => scales.y(value));
  const lines = heights.map((y) => svg('line', { class: 'grid', x1: 0, y1: y, x2: right, y2: y }));
  // The label of the current price takes precedence over a line's.
  const prices = heights.flatMap((y, index) =>
    Math.abs(y - taken) < 16
      ? []
      : [svg('text', { x: width - 4, y: y + 4, 'text-anchor': 'end' }, labels[index] ?? '')],
  );
  // Labels stay at the same times while panning.
  const every = LABELS.find((count) => count * view.step >= 72) ?? 96;
  const times = bars.flatMap(({ time }, index) => {
    const x = scales.x(index);
    return (time / seconds) % every !== 0 || x < 20 || x > right - 20
      ? []
      : [svg('text', { x, y: bottom + 16, 'text-anchor': 'middle' }, timeOf(time, seconds))];
  });
  image.append(svg('g', {}, ...lines), svg('g', {}, ...prices), svg('g', {}, ...times));
}

function drawBars(
  image: SVGElement,
  { bars, style }: CandleChart,
  scales: ReturnType<typeof scalesOf>,
): void {
  const { bottom, x, y } = scales;
  const most = Math.max(...bars.map(({ volume }) => volume), Number.MIN_VALUE);
  const room = (bottom - MARGIN.top) * VOLUME_SHARE;
  const width = Math.max(Math.round((view.step * 2) / 3), 1);
  const paths = { volume: '', 'candle-up': '', 'candle-down': '' };
  const box = (left: number, top: number, low: number) => `M${left},${top}h${width}V${low}h${-width}z`;
  for (const [index, { isGap, open, high, low, close, volume }] of bars.entries()) {
    if (isGap) continue;
    const left = x(index) - width / 2;
    paths.volume += box(left, bottom - Math.max((volume / most) * room, 1), bottom);
    if (style === 'line') continue;
    const top = y(Math.max(open, close));
    const foot = Math.max(y(Math.min(open, close)), top + 1);
    // A falling candle is filled, a rising one hollow: the colour is not the only sign.
    paths[close >= open ? 'candle-up' : 'candle-down'] +=
      `M${x(index)},${y(high)}V${top}M${x(index)},${foot}V${y(low)}${box(left, top, foot)}`;
  }
  for (const [kind, d] of Object.entries(paths)) image.append(svg('path', { class: kind, d }));
  if (style === 'line') {
    const points = bars.map((bar, index) => `${x(index).toFixed(1)},${y(bar.close).toFixed(1)}`);
    image.append(svg('polyline', { class: 'candle-line', points: points.join(' ') }));
  }
}

function drawMarks(image: SVGElement, { marks, bars, seconds }: CandleChart, scales: Scales): void {
  const first = bars[0]?.time ?? 0;
  for (const { time, price, side } of marks) {
    const index = Math.floor((time - first) / seconds);
    if (index < 0 || index >= bars.length) continue;
    const [x, y] = [scales.x(index), scales.y(price)];
    // A buy points up from below the candle, a sell down from above.
    const tip =
      side === 'buy'
        ? `${x},${y + 3} ${x - 6},${y + 13} ${x + 6},${y + 13}`
        : `${x},${y - 3} ${x - 6},${y - 13} ${x + 6},${y - 13}`;
    image.append(svg('polygon', { class: `own ${side}`, points: tip }));
  }
}

/** A candle in numbers. */
const figuresOf = ({ time, isGap, open, high, low, close, volume, trades }: ChartBar): string =>
  isGap
    ? `${dateOf(time)} · no trade · ${formatPrice(close)}`
    : `${dateOf(time)} · O ${formatPrice(open)} · H ${formatPrice(high)} · L ${formatPrice(low)} · C ${formatPrice(close)} · ${formatPrice(volume, 3)} SOL, ${trades} ${trades === 1 ? 'trade' : 'trades'}`;

function drawPrice(image: SVGElement, price: number, { width, right, y }: Scales): void {
  const at = y(price);
  image.append(
    svg('line', { class: 'last-price', x1: 0, y1: at, x2: right, y2: at }),
    svg('rect', {
      class: 'last-label',
      x: right + 2,
      y: at - 9,
      width: MARGIN.right - 2,
      height: 18,
      rx: 4,
    }),
    svg('text', { class: 'last-text', x: width - 4, y: at + 4, 'text-anchor': 'end' }, formatPrice(price)),
  );
}

/** The parts of the chart. The crosshair is outside the SVG, so that moving it repaints nothing else. */
const parts = {
  image: svg('svg', { role: 'img' }),
  figures: element('p', { class: 'candle-figures', 'aria-hidden': 'true' }),
  vertical: element('div', { class: 'cross' }),
  horizontal: element('div', { class: 'cross' }),
};

/** The current drawing, for the crosshair. */
let drawn: { readonly bars: readonly ChartBar[]; readonly scales: Scales } | undefined;

/** Draws the chart. It shows only the bars in the visible range. */
export function drawCandles(chart: CandleChart): void {
  const room = fitting();
  view.back = Math.min(view.back, Math.max(chart.bars.length - room, 0));
  const end = chart.bars.length - view.back;
  const bars = chart.bars.slice(Math.max(end - room, 0), end);
  const price = view.back === 0 ? chart.price : undefined;
  const shown = { ...chart, bars, price };
  const scales = scalesOf(bars, price);
  const { width, height, right, bottom } = scales;
  const image = svg('svg');
  drawGrid(image, shown, scales);
  drawBars(image, shown, scales);
  if (price !== undefined) drawPrice(image, price, scales);
  drawMarks(image, shown, scales);
  redraw(parts.image, ...image.childNodes);
  parts.image.setAttribute('viewBox', `0 0 ${width} ${height}`);
  parts.image.setAttribute('aria-label', `${chart.description} The table below has the figures.`);
  parts.vertical.style.height = `${bottom - MARGIN.top}px`;
  parts.horizontal.style.width = `${right}px`;
  drawn = { bars, scales };
  moveCross();
  if (parts.image.parentElement !== place.target) place.target.replaceChildren(...Object.values(parts));
}

/** Moves the crosshair to its candle, and shows the figures of that candle or of the last one. */
function moveCross(): void {
  if (drawn === undefined) return;
  const { bars, scales } = drawn;
  const { vertical, horizontal, figures } = parts;
  const index = bars.findIndex(({ time }) => time === view.cursor?.time);
  const bar = bars[index];
  vertical.hidden = bar === undefined;
  horizontal.hidden = bar === undefined;
  if (bar !== undefined) {
    vertical.style.transform = `translate(${scales.x(index)}px, ${MARGIN.top}px)`;
    horizontal.style.transform = `translateY(${view.cursor?.y ?? scales.y(bar.close)}px)`;
  }
  const named = bar ?? bars.at(-1);
  if (named !== undefined) setText(figures, figuresOf(named));
}

// Zoom, pan and crosshair

/** Zooms around a point, given in pixels from the right end, which stays in place. */
function zoomBy(factor: number, fromRight = 0): void {
  const next = Math.min(Math.max(view.step * factor, STEP.least), STEP.most);
  setBack(view.back + fromRight / view.step - fromRight / next);
  view.step = next;
}

function setBack(back: number): void {
  view.back = Math.min(Math.max(Math.round(back), 0), MOST_BACK);
}

/** Moves the crosshair by candles, and pans if it leaves the visible range. */
function stepCursor(by: number): void {
  if (drawn === undefined) return;
  const { bars } = drawn;
  const at = bars.findIndex(({ time }) => time === view.cursor?.time);
  const next = (at < 0 ? bars.length : at) + by;
  if (next < 0 || next >= bars.length) setBack(view.back - (next < 0 ? next : next - bars.length + 1));
  const bar = bars[Math.min(Math.max(next, 0), bars.length - 1)];
  view.cursor = bar && { time: bar.time, y: undefined };
}

/** Makes a chart zoom and pan. Calls `drawAgain` at most once per frame. Call it once. */
export function startCandles(target: HTMLElement, drawAgain: () => void): void {
  place = { target, redraw: drawAgain };
  const pending = new Map<'draw' | 'cross', () => void>();
  const nextFrame: Frames['nextFrame'] = (what, act) => {
    if (pending.size === 0)
      requestAnimationFrame(() => {
        const acts = [pending.get('draw'), pending.get('cross')];
        pending.clear();
        for (const one of acts) one?.();
      });
    pending.set(what, act);
  };
  const change = (act: () => void) => {
    act();
    nextFrame('draw', drawAgain);
  };
  for (const [id, act] of [
    ['zoom-out', () => zoomBy(1 / 1.5)],
    ['zoom-in', () => zoomBy(1.5)],
    ['zoom-now', () => setBack(0)],
  ] as const)
    byId(id).addEventListener('click', () => change(act));
  target.addEventListener('keydown', (event) => {
    const act = keyAction(event);
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    change(act);
    nextFrame('cross', () => {
      byId('candle-told').textContent = parts.figures.textContent;
    });
  });
  target.addEventListener(
    'wheel',
    (event) => {
      const { deltaX, deltaY, ctrlKey, shiftKey } = event;
      const sideways = shiftKey ? deltaX + deltaY : deltaX;
      // The wheel alone scrolls the page.
      if (!ctrlKey && !shiftKey && Math.abs(deltaX) <= Math.abs(deltaY)) return;
      event.preventDefault();
      change(() =>
        ctrlKey
          ? zoomBy(Math.exp(-deltaY / 200), fromRight(event.clientX))
          : setBack(view.back - sideways / view.step),
      );
    },
    { passive: false },
  );
  const fromRight = (clientX: number) =>
    Math.max(target.getBoundingClientRect().right - MARGIN.right - clientX, 0);
  followPointers(target, { change, nextFrame, fromRight });
}

function keyAction({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
  const by = shiftKey ? 10 : 1;
  return {
    ArrowLeft: () => stepCursor(-by),
    ArrowRight: () => stepCursor(by),
    Home: () => setBack(MOST_BACK),
    End: () => setBack(0),
    '+': () => zoomBy(1.5),
    '=': () => zoomBy(1.5),
    '-': () => zoomBy(1 / 1.5),
    Escape: () => {
      view.cursor = undefined;
    },
  }[key];
}

interface Frames {
  change(act: () => void): void;
  nextFrame(what: 'draw' | 'cross', act: () => void): void;
  fromRight(clientX: number): number;
}

/** Dragging with a mouse pans, two fingers zoom, and everything else moves the crosshair. */
function followPointers(target: HTMLElement, { change, nextFrame, fromRight }: Frames): void {
  const down = new Map<number, number>();
  target.addEventListener('pointerdown', ({ pointerId, clientX }) => void down.set(pointerId, clientX));
  for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const)
    target.addEventListener(type, ({ pointerId }) => {
      down.delete(pointerId);
      if (type !== 'pointerleave') return;
      view.cursor = undefined;
      nextFrame('cross', moveCross);
    });
  target.addEventListener('pointermove', ({ pointerId, pointerType, clientX, clientY }) => {
    const before = down.get(pointerId);
    const other = [...down].find(([id]) => id !== pointerId)?.[1];
    if (before !== undefined && other !== undefined) {
      down.set(pointerId, clientX);
      const factor = Math.abs(clientX - other) / Math.max(Math.abs(before - other), 1);
      return change(() => zoomBy(factor, fromRight((clientX + other) / 2)));
    }
    const moved = before === undefined ? 0 : Math.trunc((clientX - before) / view.step);
    if (pointerType === 'mouse' && before !== undefined) {
      if (moved === 0) return;
      down.set(pointerId, before + moved * view.step);
      return change(() => setBack(view.back + moved));
    }
    // Read now: after a redraw in the same frame, this would force a layout.
    const [distance, y] = [fromRight(clientX), clientY - target.getBoundingClientRect().top];
    nextFrame('cross', () => {
      if (drawn === undefined) return;
      const { bars, scales } = drawn;
      const bar = bars[bars.length - 1 - Math.floor(distance / view.step)];
      view.cursor = bar && { time: bar.time, y: Math.min(Math.max(y, MARGIN.top), scales.bottom) };
      moveCross();
    });
  });
}
