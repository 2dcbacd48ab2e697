import { type EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Address } from '@solana/kit';
import { stringify } from 'lossless-json';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import { encodedAccount } from '../../src/testing/rpc-methods/account-encoding.js';

interface Socket extends EventEmitter {
  send(data: string): void;
  terminate(): void;
}
interface Server extends EventEmitter {
  readonly clients: Set<Socket>;
  address(): AddressInfo;
  close(done: () => void): void;
}
// It comes with kit, without types.
const { WebSocketServer } = createRequire(createRequire(import.meta.url).resolve('@solana/kit'))('ws') as {
  readonly WebSocketServer: new (options: { readonly host: string; readonly port: number }) => Server;
};

/** A node's WebSocket on loopback: the accounts of an embedded ledger. */
export interface LedgerWebSocket {
  readonly url: string;
  readonly connections: ReadonlySet<unknown>;
  /** The current subscriptions to accounts, by their ids, and what each asked for. */
  readonly subscribed: ReadonlyMap<number, { readonly address: Address; readonly config: unknown }>;
  /** How late notifications are. */
  delayMs: number;
  /** Breaks each connection. */
  drop(): void;
  close(): Promise<void>;
}

/** Serves the notifications of a ledger's accounts as a node does. */
export async function serveNotifications(ledger: EmbeddedLedger): Promise<LedgerWebSocket> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const subscribed = new Map<number, { address: Address; config: unknown }>();
  let lastId = 0;
  server.on('connection', (socket: Socket) => {
    const own = new Set<number>();
    socket.on('message', (message: Buffer) => {
      const { id, method, params } = JSON.parse(message.toString());
      if (method === 'accountSubscribe') {
        lastId += 1;
        own.add(lastId);
        subscribed.set(lastId, { address: params[0], config: params[1] });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: lastId }));
      }
      if (method === 'accountUnsubscribe') {
        own.delete(params[0]);
        subscribed.delete(params[0]);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: true }));
      }
    });
    const stop = ledger.onWrite((written, account, slot) => {
      if (account === undefined) return;
      for (const subscription of own) {
        if (subscribed.get(subscription)?.address !== written) continue;
        const result = { context: { slot }, value: encodedAccount(account, 'base64', ledger) };
        const params = { result, subscription };
        const text = stringify({ jsonrpc: '2.0', method: 'accountNotification', params }) as string;
        if (node.delayMs === 0) socket.send(text);
        else setTimeout(() => socket.send(text), node.delayMs);
      }
    });
    socket.on('close', () => {
      stop();
      for (const subscription of own) subscribed.delete(subscription);
    });
  });
  await once(server, 'listening');
  const drop = () => {
    for (const socket of server.clients) socket.terminate();
  };
  const node: LedgerWebSocket = {
    url: `ws://127.0.0.1:${server.address().port}`,
    connections: server.clients,
    subscribed,
    delayMs: 0,
    drop,
    close: () =>
      new Promise((resolve) => {
        drop();
        server.close(resolve);
      }),
  };
  return node;
}
