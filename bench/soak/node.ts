// A node in its own process, over HTTP and WebSocket: pools of which some change in each slot, and a connection that breaks every minute.
import { createServer } from 'node:http';
import { parse, stringify } from 'lossless-json';
import { serveNotifications } from '../../tests/support/websocket.js';
// @ts-expect-error plain JavaScript
import { ledgerWith, makePools } from '../growth/pools.mjs';

const SLOT_MS = 400;
const CHANGES = 20;
const SLOTS_PER_CONNECTION = 150;

const pools = await makePools(Number(process.argv[2]));
const ledger = await ledgerWith(pools);
const { url, drop } = await serveNotifications(ledger);

const parseNumber = (digits: string) => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits));
const server = createServer(async (request, response) => {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  response.setHeader('content-type', 'application/json');
  response.end(stringify(await ledger.transport({ payload: parse(text, undefined, parseNumber) })));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  const locators = pools.map(({ pool: { mint, configVersion } }: { pool: Record<string, unknown> }) => ({
    mint,
    configVersion,
  }));
  console.log(JSON.stringify({ rpcUrl: `http://127.0.0.1:${port}`, url, locators }));
});

let slots = 0;
setInterval(() => {
  ledger.setSlot(ledger.slot + 1n);
  for (let change = 0; change < CHANGES; change++) {
    const { pool } = pools[Math.floor(Math.random() * pools.length)].pool;
    ledger.setReserves(pool, { tokenB: 200_000_000_000n + BigInt(Math.floor(Math.random() * 1e9)) });
  }
  if (++slots % SLOTS_PER_CONNECTION === 0) drop();
}, SLOT_MS);
