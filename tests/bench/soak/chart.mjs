// Three pictures above each other, over time: memory, handles and event loop delay.
const WIDTH = 720;
const PANEL = 150;
const PLOT = { left: 64, right: 700, height: 96 };
const PANELS = [
  ['heap', 'Heap, MB'],
  ['handles', 'Handles'],
  ['delay', 'Event loop delay, p99, ms'],
];

function panel(subjects, [field, title], index) {
  const top = 64 + index * PANEL;
  const most =
    1.1 * Math.max(...Object.values(subjects).flatMap((samples) => samples.map((one) => one[field])));
  const y = (value) => Math.round(top + 24 + PLOT.height * (1 - value / most));
  const lines = Object.values(subjects).map((samples, subject) => {
    const x = (at) => Math.round(PLOT.left + (at / (samples.length - 1)) * (PLOT.right - PLOT.left));
    return `<path class="line c${subject}" d="M${samples.map((one, at) => `${x(at)} ${y(one[field])}`).join('L')}"/>`;
  });
  const ticks = [0, most / 1.1].map(
    (value) =>
      `<path class="grid" d="M${PLOT.left} ${y(value)}H${PLOT.right}"/><text x="${PLOT.left - 8}" y="${y(value) + 4}" text-anchor="end">${Number(value.toPrecision(3))}</text>`,
  );
  return [`<text class="head" x="${PLOT.left}" y="${top + 12}">${title}</text>`, ...ticks, ...lines].join(
    '\n',
  );
}

/** `subjects`: samples by name, `{ heap, handles, delay }[]`, evenly over the minutes. Gives the SVG. */
export function soakChart(subjects, minutes) {
  const height = 64 + PANELS.length * PANEL + 16;
  const legend = Object.keys(subjects).map(
    (name, index) => `<text class="name c${index}" x="${PLOT.left + index * 300}" y="46">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
<title id="title">Memory, handles and event loop delay over ${minutes} minutes</title>
<style>
svg{--ink:#1f2328;--soft:#59636e;--grid:#d8dee4;--page:#fff;font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.c0{--c:#0b62c4}.c1{--c:#b3480f}
@media (prefers-color-scheme:dark){svg{--ink:#f0f6fc;--soft:#9aa4af;--grid:#30363d;--page:#0d1117}.c0{--c:#6cb2ff}.c1{--c:#ff9d5c}}
.page{fill:var(--page)}text{fill:var(--soft)}.head{fill:var(--ink);font-weight:600}.name{fill:var(--c);font-weight:600}
.grid{stroke:var(--grid)}.line{fill:none;stroke:var(--c);stroke-width:1.5;stroke-linejoin:round}
</style>
<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>
<text class="head" x="${PLOT.left}" y="24">${minutes} minutes of watching and of serving</text>
${legend.join('\n')}
${PANELS.map((each, index) => panel(subjects, each, index)).join('\n')}
</svg>
`;
}
