// How quoting grows with the number of pools: `node tests/bench/growth/run.mjs [--most 10000]`, on the embedded ledger, so it is the
// processor's time alone. Prints a Markdown table and, with all pools, draws the curves in docs/images/growth.svg.
// For a profile of each scenario: `node --cpu-prof --cpu-prof-dir=profiles tests/bench/growth/run.mjs`.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serialize } from 'node:v8';
import { isRecorded, record } from '../figures.mjs';
import { holdToBar, QUICK } from '../peers/harness.mjs';
import { chart } from './chart.mjs';
import { makePools } from './pools.mjs';
import { FIND_POOLS, QUOTE_MANY, scenarios, WATCH_CHANGES } from './scenarios.mjs';

const WARM_UP_POOLS = QUICK ? 10 : 500;
/** How many pools, and how often with other ones; the median is shown. */
const STEPS = [
  [1, 31],
  [10, 15],
  [100, 7],
  [1_000, 3],
  [10_000, 1],
];

const { values } = parseArgs({ options: { most: { type: 'string' } } });
const most = Number(values.most ?? (QUICK ? 10 : 10_000));
const steps = STEPS.filter(([pools]) => pools <= most).map(([pools, times]) => [pools, QUICK ? 1 : times]);

const folder = mkdtempSync(join(tmpdir(), 'growth-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const needed = steps.reduce((count, [pools, times]) => count + pools * times, WARM_UP_POOLS);
const pools = await makePools(needed);
const take = (count) => pools.splice(0, count);
const file = join(folder, 'pools');
writeFileSync(
  file,
  serialize({
    warmUp: take(WARM_UP_POOLS),
    steps: steps.map(([count, times]) => Array.from({ length: times }, () => take(count))),
  }),
);

const measure = (name) =>
  new Promise((resolve, reject) => {
    const rows = [];
    const child = fork(new URL('measure.mjs', import.meta.url), [name, file], {
      execArgv: [...process.execArgv, '--expose-gc', '--max-old-space-size=4096'],
    });
    child.on('message', (row) => rows.push(row));
    child.on('exit', (code) => (code === 0 ? resolve(rows) : reject(new Error(`${name} failed`))));
  });

const rows = [];
for (const { name } of scenarios) rows.push(...(await measure(name)));

// All scenarios that quote, quote the same buys in the same pools.
for (const row of rows) {
  if (row.totals.includes('undefined')) continue;
  const expected = rows.find(
    ({ pools, totals }) => pools === row.pools && !totals.includes('undefined'),
  ).totals;
  if (String(row.totals) !== String(expected)) throw new Error(`${row.name} quotes otherwise`);
}

const number = (value) =>
  value.toLocaleString('en-US', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
console.log(
  '| scenario | pools | first time, ms | µs per pool | again, ms | µs per pool | calls to the node |\n| --- | --: | --: | --: | --: | --: | --: |',
);
for (const { name, pools, firstMs, againMs, calls } of rows) {
  const cells = [pools, firstMs, (1_000 * firstMs) / pools, againMs, (1_000 * againMs) / pools, calls];
  console.log(`| ${name} | ${cells.map(number).join(' | ')} |`);
}

if (values.most === undefined) {
  const ofMost = rows.filter(({ pools }) => pools === most);
  record(
    'growth',
    Object.fromEntries(
      ofMost.map(({ name, firstMs, againMs, calls }) => [
        name,
        { pools: most, perPoolMs: firstMs / most, perPoolAgainMs: againMs / most, calls },
      ]),
    ),
  );
}

console.log();
const perPool = (name, field, size = most) => {
  const row = rows.find((each) => each.name === name && each.pools === size);
  return row[field] / size;
};
holdToBar('findPools, ms per pool', perPool(FIND_POOLS, 'firstMs'), { most: 0.2 });
holdToBar('quoteMany of known addresses, ms per pool', perPool(QUOTE_MANY, 'againMs'), { most: 0.2 });
const growth = perPool(WATCH_CHANGES, 'firstMs') / perPool(WATCH_CHANGES, 'firstMs', 1);
holdToBar(`a watched change, ${most} pools beside one`, growth, { most: 2, unit: '×' });

if (isRecorded && values.most === undefined) {
  const curves = scenarios.map(({ name }) => {
    const own = rows.filter((row) => row.name === name);
    return {
      name,
      points: own.map(({ pools, firstMs }) => [pools, firstMs]),
      again: own.map(({ pools, againMs }) => [pools, againMs]),
    };
  });
  writeFileSync('docs/images/growth.svg', chart(curves));
}
