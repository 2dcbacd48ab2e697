import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

import { afterEach, expect, test } from 'vitest';

import { createRemoteClient } from '../../src/http/index.js';
import {
  createFailoverTransport,
  createHeavenClient,
  getPoolState,
  type RpcNodeFailure,
} from '../../src/index.js';
import { WALLET } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';

const MIB = 1_048_576;
const SOME_BYTES = Buffer.alloc(65_536, 'a');

const servers = new Set<Server>();
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server whose answers never end, and how much of them it could send. */
async function endless(status = 200) {
  let sent = 0;
  let closed = () => {};
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const parts = function* () {
    yield '{"jsonrpc":"2.0","result":"';
    for (;;) {
      sent += SOME_BYTES.length;
      yield SOME_BYTES;
    }
  };
  const url = await listen((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    // It ends when the other side hangs up.
    pipeline(parts, response).catch(closed);
  });
  return { url, sent: () => sent, isClosed };
}

const stateFrom = (rpcUrl: string) =>
  getPoolState(createHeavenClient({ rpcUrl, maxResponseBytes: MIB }), { pool: WALLET });

const ASK = { id: '7', jsonrpc: '2.0', method: 'getSlot', params: [] };

test('an endless answer is cut at the limit, with its connection', async () => {
  const node = await endless();
  const context = { maxResponseBytes: MIB };
  await expectRefusal(stateFrom(node.url), 'rpc-invalid-response:maxResponseBytes', context);
  await node.isClosed;
  expect(node.sent()).toBeLessThan(16 * MIB);
});

test('what counts are the bytes after decompression', async () => {
  const body = gzipSync(`{"jsonrpc":"2.0","result":"${'a'.repeat(2 * MIB)}"}`);
  expect(body.length).toBeLessThan(10_000);
  const url = await listen((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(body.length) });
    response.end(body);
  });
  await expectRefusal(stateFrom(url), 'rpc-invalid-response:maxResponseBytes');
});

test('the body of an HTTP error is not read', async () => {
  const node = await endless(500);
  await expectRefusal(stateFrom(node.url), 'rpc-failed', { status: 500 });
  await node.isClosed;
});

test('asks the next node if an answer is too large', async () => {
  const node = await endless();
  const good = await listen((request, response) => {
    request.resume();
    response.end('{"jsonrpc":"2.0","id":"7","result":411}');
  });
  const failures: RpcNodeFailure[] = [];
  const observe = (failure: RpcNodeFailure) => failures.push(failure);
  const transport = createFailoverTransport([node.url, good], { observe });
  expect(await transport({ payload: ASK })).toMatchObject({ result: 411 });
  expect(failures).toEqual([
    { node: 0, method: 'getSlot', reason: 'its answer is longer than 16777216 bytes', cooldownMs: 1_000 },
  ]);
});

test.each([0, 1.5, '1'])('%s is no limit', async (value) => {
  const limit = { maxResponseBytes: value as number };
  for (const make of [
    () => createFailoverTransport(['http://127.0.0.1:1'], limit),
    () => createHeavenClient({ rpcUrl: 'http://127.0.0.1:1', ...limit }),
    () => createRemoteClient({ baseUrl: 'http://127.0.0.1:1', ...limit }),
  ])
    await expectRefusal(make, 'invalid-input', { field: 'maxResponseBytes', value });
});
