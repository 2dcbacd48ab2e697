// A node in its own process, over HTTP and WebSocket: pools of which some change in each slot, and a connection that breaks every minute.
import { serveLedger } from '../../support/node.js';
import { serveNotifications } from '../../support/websocket.js';
// @ts-expect-error plain JavaScript
import { ledgerWith, makePools } from '../growth/pools.mjs';

const SLOW_SLOT_MS = 400;
const CHANGES = 20;
const SLOTS_PER_CONNECTION = 150;

const pools = await makePools(Number(process.argv[2]));
const ledger = await ledgerWith(pools);
const { url: rpcUrl } = await serveLedger(() => ledger);
const { url, drop } = await serveNotifications(ledger);
const locators = pools.map(({ pool: { mint, configVersion } }: { pool: Record<string, unknown> }) => ({
  mint,
  configVersion,
}));
console.log(JSON.stringify({ rpcUrl, url, locators }));

let slots = 0;
setInterval(() => {
  ledger.setSlot(ledger.slot + 1n);
  for (let change = 0; change < CHANGES; change++) {
    const { pool } = pools[Math.floor(Math.random() * pools.length)].pool;
    ledger.setReserves(pool, { tokenB: 200_000_000_000n + BigInt(Math.floor(Math.random() * 1e9)) });
  }
  if (++slots % SLOTS_PER_CONNECTION === 0) drop();
}, SLOW_SLOT_MS);
