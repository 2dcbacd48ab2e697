import { request } from 'node:http';
import { connect } from 'node:net';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createHandler, type RunningServer, startServer } from '../../src/node/index.js';
import { type Call, clientOver, createService, PROGRAM, readJson, type Service } from './support.js';

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

test('listens at the given host', async () => {
  const { url, port } = await start({ hostname: '127.0.0.1' });
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect((await fetchQuote(url)).status).toBe(200);
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

test('leaves the global Request and Response alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  await start();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
