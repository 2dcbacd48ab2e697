// A picture of curves over pools and time, both logarithmic: one decade up per decade along is linear growth.
const HEIGHT = 560;
const PLOT = { left: 76, right: 660, top: 84, bottom: 498 };
/** The average width of a bold letter in the widest font. */
const LETTER = 7.8;
const LABEL_GAP = 34;
/** Distinguishable with colour blindness. Each for a light and a dark page. */
const COLOURS = [
  ['#0b62c4', '#6cb2ff'],
  ['#b3480f', '#ff9d5c'],
  ['#0a7a5a', '#4fd1a5'],
  ['#8a2fb0', '#d79bf5'],
  ['#9c1f45', '#ff8fb0'],
  ['#5f5a00', '#d8cf4a'],
  ['#37474f', '#b0bec5'],
  ['#7a4b00', '#c9a26a'],
];

const escapeText = (text) =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);
const round = (value) => Math.round(value * 10) / 10;

const duration = (ms) => {
  if (ms >= 1_000) return `${Number((ms / 1_000).toPrecision(2))} s`;
  if (ms >= 1) return `${Number(ms.toPrecision(2))} ms`;
  return `${Number((ms * 1_000).toPrecision(2))} µs`;
};

/** Moves overlapping labels apart: down, and up again from the lower end. */
function spread(labels) {
  let least = Number.NEGATIVE_INFINITY;
  const sorted = labels.toSorted((a, b) => a.y - b.y);
  for (const label of sorted) {
    label.y = Math.max(label.y, least);
    least = label.y + LABEL_GAP;
  }
  let most = PLOT.bottom;
  for (const label of sorted.toReversed()) {
    label.y = Math.min(label.y, most);
    most = label.y - LABEL_GAP;
  }
  return labels;
}

/** `curves`: `{ name, points, again }[]`, both of `[pools, milliseconds]`. Gives the SVG. */
export function chart(curves) {
  const points = curves.flatMap((curve) => [...curve.points, ...curve.again]);
  const width = Math.ceil(PLOT.right + 40 + LETTER * Math.max(...curves.map(({ name }) => name.length)));
  const decades = (values) => [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ];
  const [x0, x1] = decades(points.map(([pools]) => pools));
  const [y0, y1] = decades(points.map(([, ms]) => ms));
  const x = (pools) => round(PLOT.left + ((Math.log10(pools) - x0) / (x1 - x0)) * (PLOT.right - PLOT.left));
  const y = (ms) => round(PLOT.bottom - ((Math.log10(ms) - y0) / (y1 - y0)) * (PLOT.bottom - PLOT.top));
  const ticks = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));

  const grid = [
    ...ticks(x0, x1).map(
      (pools) =>
        `<path class="grid" d="M${x(pools)} ${PLOT.top}V${PLOT.bottom}"/><text x="${x(pools)}" y="${PLOT.bottom + 22}" text-anchor="middle">${pools.toLocaleString('en-US')}</text>`,
    ),
    ...ticks(y0, y1).map(
      (ms) =>
        `<path class="grid" d="M${PLOT.left} ${y(ms)}H${PLOT.right}"/><text x="${PLOT.left - 10}" y="${y(ms) + 4}" text-anchor="end">${duration(ms)}</text>`,
    ),
  ];
  const labels = spread(
    curves.map(({ name, points }, index) => ({
      index,
      name,
      end: points.at(-1),
      y: y(points.at(-1)[1]),
    })),
  );
  const pathOf = (points) => `M${points.map(([pools, ms]) => `${x(pools)} ${y(ms)}`).join('L')}`;
  const lines = curves.map(({ points, again }, index) => {
    const dots = points.map(([pools, ms]) => `<circle cx="${x(pools)}" cy="${y(ms)}" r="3.5"/>`).join('');
    return `<g class="c${index}"><path class="line again" d="${pathOf(again)}"/><path class="line" d="${pathOf(points)}"/>${dots}</g>`;
  });
  const names = labels.map(({ index, name, end: [pools, ms], y: at }) => {
    const each = `${duration(ms)}, ${duration(ms / pools)} a pool`;
    return `<g class="c${index}"><path class="lead" d="M${x(pools) + 6} ${y(ms)}L${PLOT.right + 22} ${round(at - 4)}"/><text class="name" x="${PLOT.right + 28}" y="${round(at - 4)}">${escapeText(name)}</text><text class="each" x="${PLOT.right + 28}" y="${round(at + 12)}">${each}</text></g>`;
  });
  const colours = (mode) => COLOURS.map((pair, index) => `.c${index}{--c:${pair[mode]}}`).join('');

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">Time to quote, watch or find N pools, by N</title>
<style>
svg{--ink:#1f2328;--soft:#59636e;--grid:#d8dee4;--page:#fff;font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
${colours(0)}
@media (prefers-color-scheme:dark){svg{--ink:#f0f6fc;--soft:#9aa4af;--grid:#30363d;--page:#0d1117}${colours(1)}}
.page{fill:var(--page)}text{fill:var(--soft)}.head{fill:var(--ink);font-size:17px;font-weight:600}.name{fill:var(--c);font-weight:600}
.grid{stroke:var(--grid)}.line{fill:none;stroke:var(--c);stroke-width:2.5;stroke-linejoin:round}.again{stroke-width:1.5;stroke-dasharray:5 4}.lead{stroke:var(--c);opacity:.5}circle{fill:var(--c)}
</style>
<rect class="page" width="${width}" height="${HEIGHT}" rx="6"/>
<text class="head" x="${PLOT.left}" y="30">Time to quote, watch or find N pools</text>
<text x="${PLOT.left}" y="50">On the embedded ledger, so the processor's time alone. A decade up per decade along is linear.</text>
<text x="${PLOT.left}" y="68">Dashed: the same pools again, with a new client.</text>
${[...grid, ...lines, ...names].join('\n')}
<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 46}" text-anchor="middle">pools</text>
</svg>
`;
}
