import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse, stringify } from 'lossless-json';

import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

/** How the node answers: as it should, or by breaking the connection. */
export type Health = 'good' | 'broken';

/** The embedded ledger behind a node's JSON-RPC, on this machine. */
export interface Cluster {
  readonly url: string;
  readonly ledger: EmbeddedLedger;
  health: Health;
  close(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const ledger = await createEmbeddedLedger();
  const toNumber = (digits: string) => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits));
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    // No subscriptions: a request for a WebSocket is rejected, and the page polls.
    if (request.method !== 'POST') {
      response.statusCode = request.method === 'OPTIONS' ? 204 : 405;
      response.end();
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (cluster.health === 'broken') {
      request.socket.destroy();
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(stringify(await ledger.transport({ payload: parse(text, null, toNumber) })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cluster: Cluster = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    health: 'good',
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return cluster;
}
