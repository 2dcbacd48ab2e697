import { createSolanaRpcSubscriptions } from '@solana/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createHeavenClient, type PoolWatchEvent, watchPool } from '../../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';
import { type LedgerWebSocket, serveNotifications } from '../../support/websocket.js';

// kit's own WebSocket client, over a socket, against a server that speaks the node's protocol.

let ledger: EmbeddedLedger;
let node: LedgerWebSocket;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  ledger = await createEmbeddedLedger();
  node = await serveNotifications(ledger);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await node.close();
});

const until = (what: () => boolean) => expect.poll(what, { interval: 10 }).toBe(true);

test("a watch over kit's WebSocket client, through a broken connection, to its end", async () => {
  const rpcSubscriptions = createSolanaRpcSubscriptions(node.url);
  const client = createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions });
  const { configVersion, mint, pool } = ledger.pools.community;
  const events: PoolWatchEvent['type'][] = [];
  const controller = new AbortController();
  const watch = watchPool(
    client,
    { configVersion, mint },
    { abortSignal: controller.signal, observe: ({ type }) => void events.push(type) },
  );
  await watch.next();
  expect(node.subscribed.size).toBe(5);
  for (const { config } of node.subscribed.values())
    expect(config).toEqual({ commitment: 'confirmed', encoding: 'base64' });

  ledger.setSlot(ledger.slot + 1n);
  ledger.setReserves(pool, { tokenB: 40_000_000_000n });
  // It may be live before it hears of the reserves, and yield both.
  const hear = async (reserveB: bigint) => {
    for (;;) {
      const { value } = await watch.next();
      if (value === undefined || value.reserveB === reserveB) return value;
    }
  };
  expect(await hear(40_000_000_000n)).toMatchObject({ slot: ledger.slot });
  await until(() => watch.isLive);

  node.drop();
  await until(() => events.includes('disconnected'));
  ledger.setReserves(pool, { tokenB: 41_000_000_000n });
  expect(await hear(41_000_000_000n)).toBeDefined();
  expect(events).toEqual(['connected', 'live', 'disconnected', 'connected', 'reread']);
  expect(node.subscribed.size).toBe(5);

  controller.abort();
  expect((await watch.next()).done).toBe(true);
  await until(() => node.subscribed.size === 0);
  // kit closes a connection that nobody uses any more.
  await until(() => node.connections.size === 0);
});
