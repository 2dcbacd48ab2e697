import { element, svg } from './dom.js';
import { redraw, sizeOf } from './redraw.js';
import { ticks } from './ticks.js';

/** One line of a chart, from left to right. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  /** What the chart shows, in a sentence. */
  readonly description: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly isLogarithmic: boolean;
  readonly lines: readonly Line[];
  readonly formatX: (x: number) => string;
  readonly formatY: (y: number) => string;
  /** Where the trade or the pool is now, and what that means. */
  readonly now?: { readonly x: number; readonly y?: number | undefined; readonly name: string } | undefined;
  readonly startsAtZero?: boolean;
  /** The same as a table, for readers who can't see the picture or want the numbers. */
  readonly table: {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

const HEIGHT = 230;
const MARGIN = { top: 26, right: 14, bottom: 42, left: 14 };
const WIDTH_PER_LETTER = 6.6;

/** Draws a chart with its legend and its table into an element. The table stays open if it was. */
export function drawChart(target: HTMLElement, chart: Chart): void {
  const { width } = sizeOf(target, () => drawChart(target, chart));
  const samples = chart.lines.map(({ name }, index) => {
    const sample = svg('line', { class: `line-${index}`, x1: 0, y1: 5, x2: 28, y2: 5 });
    const picture = svg('svg', { viewBox: '0 0 28 10', 'aria-hidden': 'true' }, sample);
    return element('li', { class: 'chart' }, picture, name);
  });
  redraw(
    target,
    // The current point is described in words, because a dot in a legend says nothing.
    element('p', { class: 'chart-now' }, chart.now?.name ?? ''),
    element('div', { class: 'chart' }, plot(chart, Math.max(width, 240))),
    element('ul', { class: 'legend' }, ...samples),
    element('details', {}, element('summary', {}, 'As a table'), table(chart.table, chart.description)),
  );
}

/** A table. With a caption, the first cell of each row is its head. */
export function table(
  {
    head,
    rows,
  }: { readonly head: readonly string[]; readonly rows: readonly (readonly (string | Node)[])[] },
  caption?: string,
): HTMLTableElement {
  const cell = (content: string | Node, column: number) =>
    caption !== undefined && column === 0
      ? element('th', { scope: 'row' }, content)
      : element('td', {}, content);
  return element(
    'table',
    {},
    ...(caption === undefined ? [] : [element('caption', {}, caption)]),
    element('thead', {}, element('tr', {}, ...head.map((title) => element('th', { scope: 'col' }, title)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell)))),
  );
}

function plot(chart: Chart, width: number): SVGElement {
  const { lines, isLogarithmic, now, formatX, formatY } = chart;
  const all = lines.flatMap(({ points }) => points);
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const scale = isLogarithmic ? Math.log10 : (x: number) => x;
  const [least, most] = [scale(Math.min(...xs)), scale(Math.max(...xs))];
  const yTicks = ticks(chart.startsAtZero ? 0 : Math.min(...ys), Math.max(...ys));
  const labels = yTicks.map((y) => formatY(y));
  const left = MARGIN.left + Math.max(...labels.map(({ length }) => length)) * WIDTH_PER_LETTER;
  const right = width - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const [low = 0, high = 1] = [yTicks[0], yTicks.at(-1)];
  const toX = (x: number) => left + ((scale(x) - least) / (most - least || 1)) * (right - left);
  const toY = (y: number) => bottom - ((y - low) / (high - low || 1)) * (bottom - MARGIN.top);
  const image = svg('svg', {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: 'img',
    'aria-label': `${chart.description} The table below has the figures.`,
  });
  image.append(svg('text', { x: 0, y: 12 }, chart.yTitle));
  for (const [index, y] of yTicks.entries()) {
    image.append(
      svg('line', { class: 'grid', x1: left, y1: toY(y), x2: right, y2: toY(y) }),
      svg('text', { x: left - 6, y: toY(y) + 4, 'text-anchor': 'end' }, labels[index] ?? ''),
    );
  }
  const xTicks = isLogarithmic
    ? Array.from(
        { length: Math.floor(most) - Math.ceil(least) + 1 },
        (_, index) => 10 ** (Math.ceil(least) + index),
      )
    : ticks(least, most).filter((x) => x <= most);
  let free = left - 20;
  for (const x of xTicks) {
    const label = formatX(x);
    const half = (label.length * WIDTH_PER_LETTER) / 2;
    const at = Math.min(toX(x), right - half + 10);
    image.append(svg('line', { class: 'grid', x1: toX(x), y1: bottom, x2: toX(x), y2: bottom + 4 }));
    // Leave out a label that would overlap the previous one.
    if (at - half < free) continue;
    free = at + half + 8;
    image.append(svg('text', { x: at, y: bottom + 18, 'text-anchor': 'middle' }, label));
  }
  image.append(svg('text', { x: right, y: HEIGHT - 6, 'text-anchor': 'end' }, chart.xTitle));
  if (now !== undefined && scale(now.x) >= least && scale(now.x) <= most) {
    const x = toX(now.x);
    image.append(svg('line', { class: 'now', x1: x, y1: MARGIN.top, x2: x, y2: bottom }));
  }
  for (const [index, { points }] of lines.entries()) {
    const path = points.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ');
    image.append(svg('polyline', { class: `line-${index}`, points: path }));
  }
  if (now?.y !== undefined && scale(now.x) >= least && scale(now.x) <= most)
    image.append(svg('circle', { cx: toX(now.x), cy: toY(Math.min(Math.max(now.y, low), high)), r: 5 }));
  return image;
}
