import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { parse, stringify } from 'lossless-json';

import type { EmbeddedLedger } from '../../src/testing/index.js';

/** A node on loopback: the embedded ledger behind HTTP, for pages too. */
export interface LedgerNode {
  readonly url: string;
  /** Breaks each connection instead of answering. */
  isBroken: boolean;
  close(): Promise<void>;
}

const parseNumber = (digits: string) => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits));

/** Serves a ledger, which may be another one for each request. */
export async function serveLedger(ledgerOf: () => EmbeddedLedger): Promise<LedgerNode> {
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    // No subscriptions: a request for a WebSocket is rejected, and a page polls.
    if (request.method !== 'POST')
      return void response.writeHead(request.method === 'OPTIONS' ? 204 : 405).end();
    let text = '';
    request.setEncoding('utf8');
    for await (const chunk of request) text += chunk;
    if (node.isBroken) return void request.socket.destroy();
    const payload = parse(text, null, parseNumber);
    response.setHeader('content-type', 'application/json');
    response.end(stringify(await ledgerOf().transport({ payload })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node: LedgerNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isBroken: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return node;
}
