// What hostile bodies cost: `npm run load:bodies`. The costliest body of each path against an honest quote, in the server's processor
// time, and the honest quotes' p99 beside connections that send such bodies and beside those that send valid ones of the same size. It
// fails when a bar is missed. The server has a core, the cluster and this generator have the other. Linux only: it reads /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';

import { costlyBodies, pathsOf, validBody } from '../../support/costly-bodies.ts';
import { record } from '../figures.mjs';
import { canPin, start } from './processes.mjs';

const MAX_BYTES = 16_384;
/** The most that a body may cost, in honest quotes. */
const MOST_QUOTES = 20;
/** The most that the quotes' p99 may grow. */
const MOST_GROWTH = 2;
const CONNECTIONS = 20;
const SECONDS = Number(process.env.SECONDS ?? 10);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** How many bodies of a path are measured again. */
const FINALISTS = 6;
const HONEST = '/quote/buy';

const document = JSON.parse(JSON.parse(readFileSync('src/http/openapi.json', 'utf8')).join(''));
const headers = { 'content-type': 'application/json' };

const { found: port } = await start(1, ['tests/bench/load/cluster.mjs', '20'], /^(\d+)/);
const { found: url, child } = await start(
  0,
  ['tests/bench/load/service.mjs', `http://127.0.0.1:${port}`],
  /(http\S+)/,
);

/** Microseconds of processor time that all threads of the server took. */
const spent = () =>
  readdirSync(`/proc/${child.pid}/task`).reduce(
    (sum, thread) =>
      sum + Number(readFileSync(`/proc/${child.pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000,
    0,
  );

async function post(path, body) {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${path}: HTTP ${response.status} for ${body.slice(0, 200)}`);
  return response.status;
}

/** The microseconds that a body costs each time. */
async function costOf(path, body, times) {
  const before = spent();
  for (let count = 0; count < times; count++) await post(path, body);
  return (spent() - before) / times;
}

const least = async (measure) => {
  const costs = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await measure());
  return Math.min(...costs);
};

/** The costliest body of a path. */
async function costliest(path) {
  const screened = [];
  for (const one of costlyBodies(document, path, MAX_BYTES))
    screened.push({
      ...one,
      cost: Math.min(await costOf(path, one.body, 1), await costOf(path, one.body, 1)),
    });
  screened.sort((a, b) => b.cost - a.cost);
  const finalists = [];
  for (const one of screened.slice(0, FINALISTS))
    finalists.push({ ...one, cost: await least(() => costOf(path, one.body, 40)) });
  const [first] = finalists.sort((a, b) => b.cost - a.cost);
  const status = await post(path, first.body);
  const valid = validBody(document, path, Buffer.byteLength(first.body));
  return { ...first, path, status, valid, validCost: await least(() => costOf(path, valid, 40)) };
}

const quote = validBody(document, HONEST);
await costOf(HONEST, quote, 3_000);
const measureQuote = () => least(() => costOf(HONEST, quote, 300));

console.log(canPin ? 'The server has a core, the rest have the other.' : 'Not pinned to cores.');
console.log(
  '\n| path | costliest body | HTTP | honest quotes | a valid body of its size |\n| --- | --- | --: | --: | --: |',
);
const found = [];
let most = 0;
for (const path of pathsOf(document)) {
  // Measured beside each path, because the machine has other work to do.
  const honest = await measureQuote();
  const one = await costliest(path);
  found.push(one);
  most = Math.max(most, one.cost / honest);
  const ratios = [one.cost, one.validCost].map((cost) => (cost / honest).toFixed(1));
  console.log(`| ${path} | ${one.kind} | ${one.status} | ${ratios.join(' | ')} |`);
}
console.log(
  `\nThe costliest body costs ${most.toFixed(1)} honest quotes, of which ${(await measureQuote()).toFixed(0)} us each.`,
);

/** Records the microseconds of honest quotes beside connections that send other bodies. */
async function quoteBeside(bodies, times) {
  const quotes = autocannon({
    url: `${url}${HONEST}`,
    method: 'POST',
    headers,
    body: quote,
    connections: 1,
    duration: SECONDS,
  });
  quotes.on('response', (_, __, ___, milliseconds) =>
    times.record(Math.max(1, Math.round(milliseconds * 1_000))),
  );
  const requests = bodies.map(({ path, body }) => ({ method: 'POST', headers, path, body }));
  await Promise.all([quotes, autocannon({ url, requests, connections: CONNECTIONS, duration: SECONDS })]);
}

const hostile = found.map(({ path, body }) => ({ path, body }));
const twins = found.map(({ path, valid }) => ({ path, body: valid }));
const ofQuotes = [{ path: HONEST, body: validBody(document, HONEST, MAX_BYTES) }];
const senders = { hostile, twins, ofQuotes };
const times = { hostile: createHistogram(), twins: createHistogram(), ofQuotes: createHistogram() };
// In turns, because the machine has other work to do.
for (let round = 0; round < ROUNDS; round++)
  for (const [name, bodies] of Object.entries(senders)) await quoteBeside(bodies, times[name]);
const p99 = (name) => times[name].percentile(99) / 1_000;
const growth = p99('hostile') / p99('twins');
console.log(`\n| ${CONNECTIONS} connections send | p99 of honest quotes, ms |\n| --- | --: |`);
console.log(`| the costliest body of each path | ${p99('hostile').toFixed(1)} |`);
console.log(`| valid bodies of the same paths and sizes | ${p99('twins').toFixed(1)} |`);
console.log(`| quotes of ${MAX_BYTES} bytes | ${p99('ofQuotes').toFixed(1)} |`);
console.log(`\nThe p99 grows ${growth.toFixed(2)} times.`);
record('bodies', { 'the costliest': { quotes: most }, 'p99 of honest quotes': { growth } });
process.exit(most <= MOST_QUOTES && growth <= MOST_GROWTH ? 0 : 1);
