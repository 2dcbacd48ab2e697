// One scenario in its own process: `run.mjs` forks it, so that no scenario inherits another's memory of addresses, heap
// or compiled code.
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { QUICK } from '../peers/harness.mjs';
import { ledgerWith } from './pools.mjs';
import { scenarios } from './scenarios.mjs';

const WARM_UP_MS = QUICK ? 1 : 1_500;
const [name, file] = process.argv.slice(2);
const { warmUp, steps } = deserialize(readFileSync(file));
const { prepare } = scenarios.find((scenario) => scenario.name === name);

const prepared = async (pools) => {
  const ledger = await ledgerWith(pools);
  return { ledger, run: await prepare({ ledger, pools }) };
};

const pass = async (pools) => {
  const { ledger, run } = await prepared(pools);
  const warm = await prepared(warmUp.slice(0, 50));
  const calls = ledger.requests.length;
  // After a collection the first calls are slow: they are made in other pools.
  globalThis.gc?.();
  await warm.run();
  const started = performance.now();
  const total = await run();
  return { ms: performance.now() - started, calls: ledger.requests.length - calls, total };
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// The compiler needs to have seen the code; the pools are others, so their addresses are still to be derived.
for (const until = performance.now() + WARM_UP_MS; performance.now() < until; )
  await (await prepared(warmUp)).run();

for (const groups of steps) {
  const first = [];
  const again = [];
  for (const pools of groups) {
    first.push(await pass(pools));
    again.push(await pass(pools));
  }
  process.send({
    name,
    pools: groups[0].length,
    firstMs: median(first.map(({ ms }) => ms)),
    againMs: median(again.map(({ ms }) => ms)),
    calls: first[0].calls,
    // Both totals, for the comparison with the other scenarios.
    totals: [...first, ...again].map(({ total }) => String(total)),
  });
}
process.disconnect();
