// The load figures of docs/performance.md: `npm run load`. The servers, the floor, the cluster and this generator are separate
// processes. Servers and floor share one core, the others use the other core. BASELINE names the cli.js of another build to compare with.
import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { record } from '../figures.mjs';
import { holdToBar } from '../peers/harness.mjs';
import { canPin, start } from './processes.mjs';
import { besideUnread } from './unread.mjs';

const SECONDS = Number(process.env.SECONDS ?? 10);
const MEMORY_SECONDS = Number(process.env.MEMORY_SECONDS ?? 60);
const CONNECTIONS = (process.env.CONNECTIONS ?? '1,64,512,2048').split(',').map(Number);
const PROGRAM = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o';
const MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777';
const body = JSON.stringify({
  program_id: PROGRAM,
  config_version: 2,
  mint: MINT,
  max_sol_spend: 1.5,
  slippage_bps: 50,
});

const headers = { 'content-type': 'application/json' };
const quote = async (url) =>
  await (await fetch(`${url}/quote/buy`, { method: 'POST', headers, body })).text();

const { found: clusterPort } = await start(1, ['tests/bench/load/cluster.mjs', '20'], /^(\d+)/);
const cluster = `http://127.0.0.1:${clusterPort}`;
const calls = async () => Number(await (await fetch(cluster)).text());
/** Serves a build on the first core. */
const serve = (cli, args = []) =>
  start(0, [cli, 'serve', '--port', '0', '--mints', '0', ...args], /(http:\/\/127\.0\.0\.1:\d+)"/, {
    RPC_URL: cluster,
  });

const { found: url, child: server } = await serve('dist/cli.js', process.argv.slice(2));
const answer = await quote(url);
const { found: floorPort } = await start(0, ['tests/bench/load/floor.mjs', answer], /^(\d+)/);
const targets = [
  ['floor', `http://127.0.0.1:${floorPort}`],
  ['server', url],
];
const { BASELINE } = process.env;
if (BASELINE) targets.push(['baseline', (await serve(BASELINE)).found]);

const REFUSED = 503;

async function run(target, connections, seconds) {
  const before = await calls();
  const answered = createHistogram();
  const refused = createHistogram();
  const load = autocannon({
    url: `${target}/quote/buy`,
    method: 'POST',
    headers,
    body,
    connections,
    duration: seconds,
  });
  load.on('response', (_, status, __, milliseconds) =>
    (status === REFUSED ? refused : answered).record(Math.max(1, Math.round(milliseconds * 1_000))),
  );
  const { non2xx, errors, duration, statusCodeStats } = await load;
  const others = non2xx - (statusCodeStats[REFUSED]?.count ?? 0);
  if (others > 0) throw new Error(`${others} wrong answers`);
  return {
    errors,
    perSecond: answered.count / duration,
    times: percentiles(answered),
    p50: answered.percentile(50) / 1_000,
    p99: answered.percentile(99) / 1_000,
    refusedPerSecond: refused.count / duration,
    refusedTimes: percentiles(refused),
    slowest: Math.max(answered.max, refused.max) / 1_000,
    calls: ((await calls()) - before) / duration,
  };
}

const percentiles = (histogram) =>
  histogram.count === 0
    ? '–'
    : [50, 99].map((percent) => (histogram.percentile(percent) / 1_000).toFixed(1)).join(', ');

const megabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

console.log(
  `${canPin ? 'Servers and floor on one core, the rest on the other.' : 'Not pinned to cores.'} ${SECONDS} s each, cluster at 20 ms.\n`,
);
for (const [, target] of targets) await run(target, 64, 3);
console.log(
  '| connections | | answers /s | of the floor | p50, p99 ms | 503 /s | their p50, p99 ms | upstream calls /s | no response |',
);
console.log('| --: | --- | --: | --: | --: | --: | --: | --: | --: |');
const ours = new Map();
const figures = {};
for (const connections of CONNECTIONS) {
  let floor;
  for (const [name, target] of targets) {
    const result = await run(target, connections, SECONDS);
    floor ??= result.perSecond;
    if (name === 'server') ours.set(connections, { ...result, ofFloor: result.perSecond / floor });
    const { perSecond, times, p50, p99, slowest, refusedPerSecond, refusedTimes } = result;
    figures[`${name}, ${connections}`] = {
      perSecond,
      p50Ms: p50,
      p99Ms: p99,
      slowestMs: slowest,
      refusedPerSecond,
      callsPerSecond: result.calls,
    };
    const cells = [
      perSecond.toFixed(0),
      (perSecond / floor).toFixed(2),
      times,
      refusedPerSecond.toFixed(0),
      refusedTimes,
      result.calls.toFixed(1),
      result.errors,
    ];
    console.log(`| ${connections} | ${name} | ${cells.join(' | ')} |`);
  }
}
const unread = await besideUnread(url, megabytes);
figures['beside ten connections that read nothing'] = unread;
if (process.argv.length === 2 && !BASELINE) record('load', figures);
console.log();
for (const [connections, { errors }] of ours)
  holdToBar(`requests without a response at ${connections} connections`, errors, { most: 0 });
if (ours.has(64)) holdToBar('answers at 64 connections, of the floor', ours.get(64).ofFloor, { least: 0.2 });
if (ours.has(512)) {
  const { p99, perSecond } = ours.get(512);
  // With 512 always waiting, one takes this long on average.
  const explainedMs = (512 / perSecond) * 1_000;
  holdToBar('p99 at 512 connections, of what the throughput explains', p99 / explainedMs, { most: 2 });
}
holdToBar('the slowest /healthz beside ten connections that read nothing', unread.slowestMs, {
  most: 1_000,
  unit: ' ms',
});
holdToBar('memory that they take', unread.grownMegabytes, { most: 80, unit: ' MB' });
if (MEMORY_SECONDS > 0) {
  const sizes = [];
  const timer = setInterval(() => sizes.push(megabytes()), MEMORY_SECONDS * 100);
  await run(url, 64, MEMORY_SECONDS);
  clearInterval(timer);
  console.log(
    `\nResident memory through ${MEMORY_SECONDS} s at 64 connections, MB: ${sizes.map((size) => size.toFixed(0)).join(' ')}`,
  );
}
process.exit();
