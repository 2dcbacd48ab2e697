// Contestants take turns in short rounds, so that a slow moment of the machine affects all of them; the median round counts.
import { cpus } from 'node:os';

/** `QUICK=1 npm run bench` runs everything in a minute or two, to see that it works. Its figures mean nothing. */
export const QUICK = process.env.QUICK === '1';
export const ROUNDS = QUICK ? 1 : 9;
const ROUND_NS = BigInt(QUICK ? 5 : 200) * 1_000_000n;

/** Results escape into this ring, so that none of their fields can be optimised away. */
const ring = new Array(64).fill(undefined);

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

// Both loops are shared by all contestants, so no `run` is inlined into them: each pays the same call.
function loop(run, from, count) {
  for (let i = from; i < from + count; i++) ring[i & 63] = run(i);
}

async function loopAsync(run, from, count) {
  for (let i = from; i < from + count; i++) ring[i & 63] = await run(i);
}

async function round(contestant, forNs) {
  const { run, isAsync } = contestant;
  const start = process.hrtime.bigint();
  let calls = 0;
  let elapsed = 0n;
  while (elapsed < forNs) {
    if (isAsync) await loopAsync(run, contestant.next, contestant.chunk);
    else loop(run, contestant.next, contestant.chunk);
    contestant.next += contestant.chunk;
    calls += contestant.chunk;
    elapsed = process.hrtime.bigint() - start;
  }
  return Number(elapsed) / calls;
}

/**
 * Nanoseconds per call of each contestant, with the fastest and the slowest round.
 *
 * @param contestants `{ name, run(i), isAsync }`; `run` gets a running number to vary its input by.
 */
export async function measure(contestants) {
  const states = contestants.map((contestant) => ({ ...contestant, next: 0, chunk: 1, rounds: [] }));
  for (const state of states) {
    // Warm up, then choose chunks of about half a millisecond, so that reading the clock costs nothing.
    const ns = await round(state, ROUND_NS);
    state.chunk = Math.max(1, Math.round(500_000 / ns));
    await round(state, ROUND_NS);
  }
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (let k = 0; k < states.length; k++) {
      // A different one starts each round: whoever runs after a big producer of garbage pays for some of it.
      const state = states[(k + turn) % states.length];
      state.rounds.push(await round(state, ROUND_NS));
    }
  }
  return states.map(({ name, rounds }) => ({
    name,
    ns: median(rounds),
    fastest: Math.min(...rounds),
    slowest: Math.max(...rounds),
  }));
}

export const grouped = (value) => Math.round(value).toLocaleString('en-US');

export const nanoseconds = (ns) => (ns < 1000 ? ns.toFixed(0) : grouped(ns));

/** How many times as fast ours is, or how many times as long it takes. */
export function ratio(ns, ours) {
  const times = ns / ours;
  if (times >= 1) return `×${times < 10 ? times.toFixed(2) : times.toFixed(times < 100 ? 1 : 0)}`;
  return `no: takes ×${(1 / times).toFixed(2)}`;
}

export function table(headings, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  console.log(line(headings));
  console.log(line(headings.map((_, index) => (index === 0 ? '---' : '---:'))).replace(/---: \|$/, '--- |'));
  for (const row of rows) console.log(line(row));
  console.log();
}

/** The usual table: the last column says what a contestant gives for its time. `isOurs` marks the row that the others are compared with. */
export function speedTable(measured, contestants) {
  const ours = measured[contestants.findIndex(({ isOurs }) => isOurs)].ns;
  const rows = measured
    .map((result, index) => ({ ...result, ...contestants[index] }))
    .sort((a, b) => a.ns - b.ns)
    .map(({ name, ns, fastest, slowest, isOurs, gives }) => [
      isOurs ? `**${name}**` : name,
      nanoseconds(ns),
      `${nanoseconds(fastest)}–${nanoseconds(slowest)}`,
      grouped(1e9 / ns),
      isOurs ? '' : ratio(ns, ours),
      gives,
    ]);
  table(
    ['contestant', 'ns per op', 'fastest–slowest round', 'ops/s', 'ours is faster', 'what it gives'],
    rows,
  );
}

/** Contestants that could be set up; the others are named with their reason. */
export function settle(makers) {
  const contestants = [];
  for (const [name, make] of Object.entries(makers)) {
    try {
      contestants.push({ name, ...make() });
    } catch (error) {
      console.log(`- ${name}: not measured, it could not be set up: ${error.message}`);
    }
  }
  return contestants;
}

/** A figure may miss its bar by so much: two runs differ by as much. */
const NOISE = 1.1;

/** Says whether a figure keeps within its bar, `most` or `least`. The run exits with 1 when it misses it by more than noise. */
export function holdToBar(what, figure, { most = Number.POSITIVE_INFINITY, least = 0, unit = '' }) {
  const isMissed = figure > most * NOISE || figure < least / NOISE;
  const bar = least > 0 ? `at least ${least}` : `at most ${most}`;
  console.log(
    `- ${isMissed ? 'FAIL' : 'ok'} ${what}: ${Number(figure.toPrecision(3))}${unit}, bar ${bar}${unit}`,
  );
  if (isMissed && !QUICK) process.exitCode = 1;
}

/**
 * Holds a contestant to nanoseconds, and to how many times as long as another one it may take. The fastest rounds count, as the others
 * also measure what else the machine does.
 */
export function holdToBars({ name, fastest }, beside, { mostNs, mostTimes }) {
  if (mostNs !== undefined) holdToBar(name, fastest / 1_000, { most: mostNs / 1_000, unit: ' µs' });
  holdToBar(`${name} beside ${beside.name}`, fastest / beside.fastest, { most: mostTimes, unit: '×' });
}

/** Throws with both values if they differ: what is measured must first be right. */
export function mustEqual(what, actual, expected) {
  if (actual === expected) return;
  throw new Error(`${what}: got ${actual}, expected ${expected}`);
}

/** Random numbers that are the same in each run. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function describeMachine() {
  const all = cpus();
  console.log(
    `Node ${process.version}, ${all.length} CPUs (${all[0]?.model.trim()}), ${ROUNDS} rounds of ${ROUND_NS / 1_000_000n} ms\n`,
  );
}
