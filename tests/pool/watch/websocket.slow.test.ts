import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Address, createSolanaRpcSubscriptions, getBase64Decoder } from '@solana/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createHeavenClient, type PoolWatchEvent, watchPool } from '../../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';

// kit's own WebSocket client, over a socket, against a server that speaks the node's protocol.

interface Socket {
  on(event: 'message', listener: (data: { toString(): string }) => void): void;
  on(event: 'close', listener: () => void): void;
  send(data: string): void;
  terminate(): void;
}
interface Server {
  readonly clients: Set<Socket>;
  address(): AddressInfo;
  on(event: 'connection', listener: (socket: Socket) => void): void;
  on(event: 'listening', listener: () => void): void;
  close(done: () => void): void;
}
// It comes with kit, without types.
const { WebSocketServer } = createRequire(createRequire(import.meta.url).resolve('@solana/kit'))('ws') as {
  readonly WebSocketServer: new (options: { readonly host: string; readonly port: number }) => Server;
};

let ledger: EmbeddedLedger;
let server: Server;
let subscribed: Map<number, Address>;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  ledger = await createEmbeddedLedger();
  subscribed = new Map();
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  let lastId = 0;
  server.on('connection', (socket) => {
    const own = new Map<number, Address>();
    socket.on('message', (message) => {
      const { id, method, params } = JSON.parse(message.toString());
      if (method === 'accountSubscribe') {
        lastId += 1;
        own.set(lastId, params[0]);
        subscribed.set(lastId, params[0]);
        expect(params[1]).toEqual({ commitment: 'confirmed', encoding: 'base64' });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: lastId }));
      }
      if (method === 'accountUnsubscribe') {
        own.delete(params[0]);
        subscribed.delete(params[0]);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: true }));
      }
    });
    const stop = ledger.onWrite((address, account, slot) => {
      for (const [subscription, subscribedTo] of own) {
        if (subscribedTo !== address || account === undefined) continue;
        const { owner, data } = account;
        const value = {
          data: [getBase64Decoder().decode(data), 'base64'],
          executable: false,
          lamports: 1,
          owner,
          rentEpoch: 0,
          space: data.length,
        };
        const result = { context: { slot: Number(slot) }, value };
        const params = { result, subscription };
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'accountNotification', params }));
      }
    });
    socket.on('close', () => {
      stop();
      for (const subscription of own.keys()) subscribed.delete(subscription);
    });
  });
  await new Promise<void>((resolve) => server.on('listening', resolve));
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const socket of server.clients) socket.terminate();
  await new Promise<void>((resolve) => server.close(resolve));
});

const until = (what: () => boolean) =>
  vi.waitFor(() => expect(what()).toBe(true), { timeout: 5_000, interval: 10 });

test("a watch over kit's WebSocket client, through a broken connection, to its end", async () => {
  const rpcSubscriptions = createSolanaRpcSubscriptions(`ws://127.0.0.1:${server.address().port}`);
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
  expect(subscribed.size).toBe(5);

  ledger.setSlot(ledger.slot + 1n);
  ledger.setReserves(pool, { tokenB: 40_000_000_000n });
  const told = await watch.next();
  expect(told.value).toMatchObject({ reserveB: 40_000_000_000n, slot: ledger.slot });
  await until(() => watch.isLive);

  for (const socket of server.clients) socket.terminate();
  await until(() => events.includes('disconnected'));
  ledger.setReserves(pool, { tokenB: 41_000_000_000n });
  expect((await watch.next()).value?.reserveB).toBe(41_000_000_000n);
  expect(events).toEqual(['connected', 'disconnected', 'connected', 'reread']);
  expect(subscribed.size).toBe(5);

  controller.abort();
  expect((await watch.next()).done).toBe(true);
  await until(() => subscribed.size === 0);
  // kit closes a connection that nobody uses any more.
  await until(() => server.clients.size === 0);
});
