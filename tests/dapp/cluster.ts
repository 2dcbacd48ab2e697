import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Address, getBase64Decoder } from '@solana/kit';
import { parse, stringify } from 'lossless-json';

import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

/** How the node answers: as it should, with HTTP 500, not at all, or by breaking the connection. */
export type Health = 'good' | 'error' | 'silent' | 'broken';

/** The embedded ledger behind a node's JSON-RPC, on this machine. */
export interface Cluster {
  readonly url: string;
  readonly ledger: EmbeddedLedger;
  /** The methods that were asked for, oldest first. */
  readonly methods: string[];
  health: Health;
  /** Methods that this node refuses, as public ones do. */
  readonly refused: Set<string>;
  /** Answers to methods that the ledger does not have, or has otherwise. */
  readonly answers: Map<string, (params: readonly unknown[]) => unknown>;
  close(): Promise<void>;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Socket {
  on(event: 'message', listener: (data: { toString(): string }) => void): void;
  on(event: 'close', listener: () => void): void;
  send(data: string): void;
}
// It comes with kit, without types.
const { WebSocketServer } = createRequire(createRequire(import.meta.url).resolve('@solana/kit'))('ws') as {
  readonly WebSocketServer: new (options: {
    readonly server: Server;
  }) => { on(event: 'connection', listener: (socket: Socket) => void): void };
};

/** Account notifications over a WebSocket under the same address. */
function serveSubscriptions(server: Server, ledger: EmbeddedLedger): void {
  let lastId = 0;
  new WebSocketServer({ server }).on('connection', (socket) => {
    const own = new Map<number, Address>();
    socket.on('message', (message) => {
      const { id, method, params } = JSON.parse(message.toString());
      if (method === 'accountSubscribe') {
        lastId += 1;
        own.set(lastId, params[0]);
      }
      if (method === 'accountUnsubscribe') own.delete(params[0]);
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', id, result: method === 'accountSubscribe' ? lastId : true }),
      );
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
    socket.on('close', stop);
  });
}

export async function startCluster({ subscriptions = false } = {}): Promise<Cluster> {
  const ledger = await createEmbeddedLedger();
  const methods: string[] = [];
  const refused = new Set<string>();
  const answers = new Map<string, (params: readonly unknown[]) => unknown>([
    ['getGenesisHash', () => '11111111111111111111111111111111'],
  ]);
  const answerTo = async (call: Call): Promise<unknown> => {
    const { id, method, params } = call;
    methods.push(method);
    if (refused.has(method))
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
    const own = answers.get(method);
    return own === undefined
      ? await ledger.transport({ payload: call })
      : { jsonrpc: '2.0', id, result: own(params) };
  };
  const toNumber = (digits: string) => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits));
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    // No subscriptions here: a request for a WebSocket is rejected.
    if (request.method !== 'POST') {
      response.statusCode = request.method === 'OPTIONS' ? 204 : 405;
      response.end();
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (cluster.health === 'silent') return;
    if (cluster.health === 'broken') {
      request.socket.destroy();
      return;
    }
    if (cluster.health === 'error') response.statusCode = 500;
    response.setHeader('content-type', 'application/json');
    response.end(stringify(await answerTo(parse(text, null, toNumber) as Call)));
  });
  if (subscriptions) serveSubscriptions(server, ledger);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cluster: Cluster = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    methods,
    health: 'good',
    refused,
    answers,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return cluster;
}
