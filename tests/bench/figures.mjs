// figures.json: what the benchmark measured last. The README and the guides take their figures from it (`npm run figures`).
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** FIGURES names another file, to try a program without touching the figures that the documents state. */
const { FIGURES } = process.env;
const file = FIGURES ?? new URL('figures.json', import.meta.url);
/** Each makes a run shorter or smaller, so that its figures mean nothing. */
const isCut = ['QUICK', 'SECONDS', 'ROUNDS', 'CONNECTIONS'].some((name) => process.env[name] !== undefined);

/** Whether this run is one that the documents may state. */
export const isRecorded = !isCut && FIGURES === undefined;

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/** In the order of their names, so that a new run changes lines and moves none, and with the digits that a measurement has. */
function tidy(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(6));
  if (typeof value !== 'object') return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, tidy(value[name])]));
}

/** The figures of a section as they were recorded last. */
export const recorded = (section) => read()[section]?.figures ?? {};

/**
 * Writes a section, in place of what it held.
 *
 * @param figures `{ [what]: { [value]: number } }`. The end of a value's name is its unit: ns, Ms, Seconds, PerSecond, Bytes, or
 *   none for a count.
 */
export function record(section, figures) {
  if (isCut && FIGURES === undefined) {
    console.log('Not recorded: the run was cut short.');
    return;
  }
  const [cpu] = cpus();
  const machine = { node: process.version, cpu: cpu?.model.trim() ?? 'unknown', cpus: cpus().length };
  const measured = { date: new Date().toISOString().slice(0, 10), ...machine };
  const all = tidy({ ...read(), [section]: { measured, figures } });
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

/** What a row of a table is about, without its markup. */
export const plain = (title) => title.replace(/[*`]/g, '');

/** What `measure` returns, by contestant; one call is so many operations. */
export const byName = (measured, operations = 1) =>
  Object.fromEntries(measured.map(({ name, ns }) => [plain(name), { ns: ns / operations }]));
