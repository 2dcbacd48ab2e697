// `node --expose-gc tests/bench/growth/memory.mjs`: the memory of a watched pool, with the embedded ledger's part of its subscriptions.
import { createHeavenClient, shareReads, watchPool, watchPools } from '../../../dist/index.js';
import { record } from '../figures.mjs';
import { QUICK } from '../peers/harness.mjs';
import { ledgerWith, makePools } from './pools.mjs';

const POOLS = QUICK ? 20 : 10_000;
/** How to watch some pools: in one loop each, or all in one. */
const WAYS = {
  watchPool: (client, locators) => locators.map((locator) => watchPool(client, locator)),
  watchPools: (client, locators) => [watchPools(client, locators)],
};

async function memory() {
  await new Promise((resolve) => setTimeout(resolve, 100));
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function bytesPerPool(watchAll, pools) {
  const ledger = await ledgerWith(pools);
  const client = shareReads(
    createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions }),
  );
  const locators = pools.map(({ pool: { mint, configVersion } }) => ({ mint, configVersion }));
  const before = await memory();
  const watches = watchAll(client, locators);
  const untilAllAreRead = async (watch) => {
    for (let read = 0; read < pools.length / watches.length; read++) await watch.next();
  };
  await Promise.all(watches.map(untilAllAreRead));
  const bytes = (await memory()) - before;
  await Promise.all(watches.map((watch) => watch.return()));
  return bytes / pools.length;
}

const pools = await makePools(POOLS);
const figures = {};
for (const [name, watchAll] of Object.entries(WAYS)) {
  // Compiled code and the accounts that all pools share come with the first ones.
  await bytesPerPool(watchAll, pools.slice(0, 10));
  const bytes = await bytesPerPool(watchAll, pools);
  figures[name] = { perPoolBytes: bytes };
  console.log(`${name}: ${(bytes / 1e3).toFixed(1)} kB for each of ${POOLS} pools`);
}
record('memory', figures);
