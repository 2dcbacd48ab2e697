// The load figures of docs/self-hosting.md: `npm run load`. The server, the floor, the cluster and this generator are separate
// processes. Server and floor share one core, the others use the other core.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const SECONDS = Number(process.env.SECONDS ?? 10);
const MEMORY_SECONDS = Number(process.env.MEMORY_SECONDS ?? 60);
const CONNECTIONS = [1, 64, 512];
const PROGRAM = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o';
const MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777';
const body = JSON.stringify({
  program_id: PROGRAM,
  config_version: 2,
  mint: MINT,
  max_sol_spend: 1.5,
  slippage_bps: 50,
});

const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
const children = [];
const stopAll = () => {
  for (const child of children) child.kill('SIGKILL');
};
process.on('exit', stopAll);

/** Starts a program on a core, and returns the match of `ready` in its output. */
function start(core, args, ready, env = {}) {
  const [command, ...rest] = canPin ? ['taskset', '-c', String(core), 'node', ...args] : ['node', ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    const look = (chunk) => {
      output += chunk;
      const found = ready.exec(output);
      if (!found) return;
      child.stdout.off('data', look);
      child.stdout.resume();
      resolve({ child, found: found[1] });
    };
    child.stdout.on('data', look);
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
}

const headers = { 'content-type': 'application/json' };
const quote = async (url) =>
  await (await fetch(`${url}/quote/buy`, { method: 'POST', headers, body })).text();

const { found: clusterPort } = await start(1, ['bench/load/cluster.mjs', '20'], /^(\d+)/);
const cluster = `http://127.0.0.1:${clusterPort}`;
const calls = async () => Number(await (await fetch(cluster)).text());
const { found: url, child: server } = await start(
  0,
  ['dist/cli.js', 'serve', '--port', '0', '--mints', '0', ...process.argv.slice(2)],
  /(http:\/\/127\.0\.0\.1:\d+)"/,
  { RPC_URL: cluster },
);
const answer = await quote(url);
const { found: floorPort } = await start(0, ['bench/load/floor.mjs', answer], /^(\d+)/);
const floorUrl = `http://127.0.0.1:${floorPort}`;

async function run(target, connections, seconds) {
  const before = await calls();
  const result = await autocannon({
    url: `${target}/quote/buy`,
    method: 'POST',
    headers,
    body,
    connections,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} wrong answers, ${result.errors} errors`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    calls: ((await calls()) - before) / result.duration,
  };
}

const megabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

console.log(
  `${canPin ? 'Server and floor on one core, the rest on the other.' : 'Not pinned to cores.'} ${SECONDS} s each, cluster at 20 ms.\n`,
);
for (const target of [floorUrl, url]) await run(target, 64, 3);
console.log(
  '| connections | floor /s | quotes /s | ratio | floor p50, p99 ms | quotes p50, p99 ms | upstream calls /s |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const connections of CONNECTIONS) {
  const floor = await run(floorUrl, connections, SECONDS);
  const ours = await run(url, connections, SECONDS);
  console.log(
    `| ${connections} | ${floor.perSecond.toFixed(0)} | ${ours.perSecond.toFixed(0)} | ${(ours.perSecond / floor.perSecond).toFixed(2)} | ${floor.p50}, ${floor.p99} | ${ours.p50}, ${ours.p99} | ${ours.calls.toFixed(1)} |`,
  );
}
if (MEMORY_SECONDS > 0) {
  const sizes = [];
  const timer = setInterval(() => sizes.push(megabytes()), MEMORY_SECONDS * 100);
  await run(url, 64, MEMORY_SECONDS);
  clearInterval(timer);
  console.log(
    `\nResident memory through ${MEMORY_SECONDS} s at 64 connections, MB: ${sizes.map((size) => size.toFixed(0)).join(' ')}`,
  );
}
process.exit(0);
