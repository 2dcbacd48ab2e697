import { request } from 'node:http';
import { connect } from 'node:net';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createHandler, type RunningServer, startServer } from '../../src/node/index.js';
import { type Call, clientOver, createService, errorOf, PROGRAM, readJson, type Service } from './support.js';

let service: Service;
let running: RunningServer[];
beforeEach(async () => {
  service = await createService();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.close().catch(() => {})));
});

const start = async (config: Partial<Parameters<typeof startServer>[0]> = {}) => {
  const server = await startServer({ handler: service.handler, port: 0, ...config });
  running.push(server);
  return server;
};

const quoteRequest = () => {
  const { mint, configVersion } = service.ledger.pools.community;
  return JSON.stringify({
    config_version: configVersion,
    mint,
    program_id: PROGRAM,
    slippage_bps: 50,
    max_sol_spend: 1.5,
  });
};

const JSON_TYPE = { 'content-type': 'application/json' };
const fetchQuote = (url: string, init: RequestInit = {}) =>
  fetch(`${url}/quote/buy`, { method: 'POST', headers: JSON_TYPE, body: quoteRequest(), ...init });

/** A request on a connection of its own, which ends with it. */
const postOnce = (url: string, body: string) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const outgoing = request(
      `${url}/quote/buy`,
      { method: 'POST', headers: JSON_TYPE, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = (await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as { code?: unknown; cause?: { code?: unknown } } | undefined;
  return error?.code ?? error?.cause?.code;
};

/** Until nothing listens at a port: a connection that is made before is one that the server still answers. */
async function untilRefused(port: number): Promise<void> {
  const isRefused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(false));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
      socket.on('connect', () => socket.destroy());
    });
  await vi.waitUntil(isRefused, { timeout: 5_000, interval: 20 });
}

test('a quote over a socket', async () => {
  const { url, port } = await start();
  expect(port).toBeGreaterThan(0);
  expect(new URL(url).port).toBe(String(port));
  const response = await fetchQuote(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  const { max_lamport_spend } = readJson(await response.text());
  expect(String(max_lamport_spend)).toBe('1500000000');
});

test('answers what the handler answers', async () => {
  const { url } = await start();
  const init = { method: 'POST', headers: JSON_TYPE, body: quoteRequest() };
  const direct = await service.handler(new Request('http://service/quote/buy', init));
  expect(await (await fetchQuote(url)).text()).toBe(await direct.text());
});

test('listens at the given host', async () => {
  const { url, port } = await start({ hostname: '127.0.0.1' });
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect((await fetchQuote(url)).status).toBe(200);
});

test.each<[string, RequestInit, number, string]>([
  ['a malformed body', { body: '{' }, 400, 'malformed-json'],
  ['another method', { method: 'PUT' }, 405, 'method-not-allowed'],
  ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported-media-type'],
  ['10 MB', { body: ' '.repeat(10 << 20) }, 413, 'body-too-large'],
])('%s over a socket', async (_, init, status, code) => {
  const { url } = await start();
  const response = await fetchQuote(url, init);
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  expect({ status: answer.status, code: errorOf(answer).code }).toEqual({ status, code });
});

test('10 MB in chunks of unknown number: 413', async () => {
  const { url } = await start();
  let chunks = 0;
  const body = new ReadableStream({
    pull(stream) {
      if (chunks++ === 160) stream.close();
      else stream.enqueue(new Uint8Array(1 << 16).fill(32));
    },
  });
  const response = await fetchQuote(url, { body, duplex: 'half' } as RequestInit);
  expect(response.status).toBe(413);
});

test('a body in two chunks', async () => {
  const { url } = await start();
  const bytes = new TextEncoder().encode(quoteRequest());
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(bytes.slice(0, 20));
      stream.enqueue(bytes.slice(20));
      stream.close();
    },
  });
  expect((await fetchQuote(url, { body, duplex: 'half' } as RequestInit)).status).toBe(200);
});

test('a port in use: EADDRINUSE', async () => {
  const { port } = await start();
  expect(await codeOf(start({ port }))).toBe('EADDRINUSE');
});

test('an invalid port', async () => {
  expect(await codeOf(start({ port: 70_000 }))).toBe('ERR_SOCKET_BAD_PORT');
});

test('a host that is another machine’s', async () => {
  expect(await codeOf(start({ hostname: '192.0.2.1' }))).toBe('EADDRNOTAVAIL');
});

test('a port is free again after close', async () => {
  const first = await start();
  await first.close();
  const second = await start({ port: first.port });
  expect((await fetchQuote(second.url)).status).toBe(200);
});

test('close lets a request in flight finish, and accepts no more', async () => {
  let arrived = () => {};
  let release = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = clientOver(async (call: Call) => {
    arrived();
    await gate;
    return await service.ledger.transport(call as never);
  });
  const { url, port, close } = await start({ handler: createHandler({ client }), hostname: '127.0.0.1' });
  const inFlight = postOnce(url, quoteRequest());
  await arrival;

  let hasClosed = false;
  const closing = close().then(() => {
    hasClosed = true;
  });
  await untilRefused(port);
  expect(await codeOf(postOnce(url, quoteRequest()))).toBe('ECONNREFUSED');
  expect(hasClosed).toBe(false);

  release();
  const { status, text } = await inFlight;
  expect(status).toBe(200);
  expect(String(readJson(text).max_lamport_spend)).toBe('1500000000');
  await closing;
  expect(await codeOf(postOnce(url, quoteRequest()))).toBe('ECONNREFUSED');
});

test('close is prompt with nothing in flight', async () => {
  const { url, close } = await start();
  await (await fetchQuote(url)).text();
  await close();
  // On a connection of its own: fetch would take the one that it still has, and that the server has ended.
  expect(await codeOf(postOnce(url, quoteRequest()))).toBe('ECONNREFUSED');
});

test('leaves the global Request and Response alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  await start();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});

test('closes despite a connection that never sent anything', async () => {
  const { port, close } = await start();
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  await close();
  socket.destroy();
});

test('closes despite a body that never ends, once the grace period is over', async () => {
  const { port, close } = await start({ graceMs: 50 });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'POST /quote/buy HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  await close();
  socket.destroy();
});
