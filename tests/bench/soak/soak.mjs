// `npm run soak`: 200 watched pools and a server under load, for MINUTES (default 30) each, side by side. It ends with an error if memory or
// handles grow, or if the watch, whose connection breaks every minute, misses a price. Writes docs/images/soak.svg. It needs `npm run build` at the root.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { createHeavenClient, fetchPoolSnapshot, shareReads } from '../../../dist/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../../dist/program.js';
import { start } from '../load/processes.mjs';
import { median } from '../peers/harness.mjs';
import { soakChart } from './chart.mjs';

const MINUTES = Number(process.env.MINUTES ?? 30);
const POOLS = 200;
const QUOTES_PER_SECOND = 300;
const SAMPLES = 180;
/** What the last third may have more than the ones before, without it being growth. */
const TOLERANCE = 1.1;

const ms = MINUTES * 60_000;
const everyMs = ms / SAMPLES;
// A node or a server that ends makes wrong answers.
const { found } = await start(
  1,
  ['--import', 'tsx', 'tests/bench/soak/node.ts', String(POOLS)],
  /^(\{.*\})\n/,
);
const cluster = JSON.parse(found);
const { found: baseUrl, child: server } = await start(
  0,
  [
    '--expose-gc',
    '--import',
    './tests/bench/soak/collect.mjs',
    'dist/cli.js',
    'serve',
    '--port',
    '0',
    '--mints',
    '0',
  ],
  /(http:\/\/(?:127\.0\.0\.1|localhost):\d+)/,
  { RPC_URL: cluster.rpcUrl },
);

const watchSamples = [];
const watch = fork(new URL('watch.mjs', import.meta.url), [found, String(everyMs)], {
  execArgv: ['--expose-gc'],
});
watch.on('message', (message) => Array.isArray(message) || watchSamples.push(message));
watch.on('exit', (code) => {
  throw new Error(`The watch ended with ${code}`);
});
process.on('exit', () => watch.kill('SIGKILL'));

// Of the pools that are live and did not change for two seconds, the loop must have been told the price.
const client = shareReads(createHeavenClient({ rpcUrl: cluster.rpcUrl }));
const pricesNow = () =>
  Promise.all(
    cluster.locators.map(async (locator) => String((await fetchPoolSnapshot(client, locator)).reserveB)),
  );
const prices = { compared: 0, missed: 0, unread: 0 };
const comparePrices = async () => {
  const before = await pricesNow();
  await pause(2_000);
  watch.send('prices');
  let told;
  while (!Array.isArray(told)) [told] = await once(watch, 'message');
  const after = await pricesNow();
  for (const [index, price] of after.entries()) {
    if (price !== before[index] || told[index] === null) continue;
    prices.compared++;
    if (told[index] !== price) prices.missed++;
  }
};
const keepComparing = async () => {
  for (;;) {
    // The node closes idle connections, and now and then just as this one reads.
    await comparePrices().catch(() => prices.unread++);
    await pause(5_000);
  }
};
void keepComparing();

const serverSamples = [];
setInterval(async () => {
  // What is only not collected yet is no growth.
  server.kill('SIGUSR2');
  await pause(500);
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const value = (name) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  serverSamples.push({
    heap: value('nodejs_heap_size_used_bytes') / 1e6,
    resident: value('process_resident_memory_bytes') / 1e6,
    handles: [...text.matchAll(/^nodejs_active_resources\{.*\} (\d+)$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    ),
    delay: value('nodejs_eventloop_lag_p99_seconds') * 1e3,
  });
}, everyMs);

const requests = cluster.locators.map(({ mint, configVersion }) => ({
  method: 'POST',
  path: '/quote/buy',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    program_id: HEAVEN_PROGRAM_ADDRESS,
    config_version: configVersion,
    mint,
    max_sol_spend: 1.5,
    slippage_bps: 50,
  }),
}));
const {
  non2xx,
  errors,
  requests: sent,
} = await autocannon({
  url: baseUrl,
  connections: 16,
  overallRate: QUOTES_PER_SECOND,
  duration: ms / 1000,
  requests,
});

/** The median of a third of the samples: a lost connection and a collection are in some of them. */
const medianOf = (samples, field, third) => {
  const size = Math.floor(samples.length / 3);
  return median(samples.slice(third * size, (third + 1) * size).map((sample) => sample[field]));
};
const subjects = {
  [`watch of ${POOLS} pools`]: watchSamples,
  [`server, ${QUOTES_PER_SECOND} quotes per second`]: serverSamples,
};
let hasGrown = false;
console.log(`${MINUTES} minutes; the median of each third.\n`);
console.log('| | | first | second | third |\n|---|---|--:|--:|--:|');
for (const [name, samples] of Object.entries(subjects)) {
  for (const [field, unit] of [
    ['heap', 'heap, MB'],
    ['resident', 'resident memory, MB'],
    ['handles', 'handles'],
    ['delay', 'event loop delay, p99, ms'],
  ]) {
    const thirds = [0, 1, 2].map((third) => medianOf(samples, field, third));
    const grows = field !== 'delay' && thirds[2] > Math.max(thirds[0], thirds[1]) * TOLERANCE;
    hasGrown ||= grows;
    console.log(
      `| ${name} | ${unit} | ${thirds.map((value) => value.toFixed(1)).join(' | ')} |${grows ? ' grows' : ''}`,
    );
  }
}
const { updates, connections } = watchSamples.at(-1);
console.log(
  `\n${sent.total} quotes, ${non2xx} wrong answers, ${errors} errors; ${updates} updates, ${connections} connections of pools.`,
);
console.log(
  `${prices.compared} prices compared (${prices.unread} times they could not be read); the loop missed ${prices.missed}.`,
);
writeFileSync('docs/images/soak.svg', soakChart(subjects, MINUTES));
process.exit(hasGrown || non2xx + errors > 0 || prices.missed > 0 || prices.compared === 0 ? 1 : 0);
