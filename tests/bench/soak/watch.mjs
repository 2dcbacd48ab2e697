// Watches the pools that it is sent, and sends back what it uses, each time after a collection.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createHeavenClient, watchPools } from '../../../dist/index.js';
// This folder has an older kit of its own.
import { createSolanaRpcSubscriptions } from '../../../node_modules/@solana/kit/dist/index.node.mjs';

const { rpcUrl, url, locators } = JSON.parse(process.argv[2]);
const everyMs = Number(process.argv[3]);
const client = createHeavenClient({ rpcUrl, rpcSubscriptions: createSolanaRpcSubscriptions(url) });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

let updates = 0;
let connections = 0;
setInterval(() => {
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({
    heap: heapUsed / 1e6,
    resident: rss / 1e6,
    handles: process.getActiveResourcesInfo().length,
    delay: delay.percentile(99) / 1e6,
    updates,
    connections,
  });
  delay.reset();
}, everyMs);

/** The last price of each pool that the loop was told. */
const told = new Map();
process.on('message', () =>
  process.send(locators.map((locator) => (watch.isLive(locator) ? told.get(locator.mint) : null))),
);

const watch = watchPools(client, locators, {
  observe: ({ type }) => {
    if (type === 'connected') connections++;
  },
});
for await (const { locator, snapshot, error } of watch) {
  if (error !== undefined) throw error;
  told.set(locator.mint, String(snapshot.reserveB));
  updates++;
}
