import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createHandler, type HandlerConfig, type RequestEvent } from '../../src/http/index.js';
import { createHeavenClient, type HeavenClient } from '../../src/index.js';
import { type RunningServer, type ServerConfig, startServer } from '../../src/node/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type Call, clientOver, PROGRAM } from '../http/support.js';
import { until } from '../support/clock.js';
import { HANG_MS } from '../support/hang.js';
import { keepAlive, open } from './wire.js';

let ledger: EmbeddedLedger;
let client: HeavenClient;
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  client = createHeavenClient({ rpc: ledger.rpc });
});

let events: RequestEvent[];
let running: RunningServer[];
beforeEach(() => {
  events = [];
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.close().catch(() => {})));
});

const start = async (
  config: Partial<ServerConfig> = {},
  handlerConfig: Partial<HandlerConfig> = {},
): Promise<RunningServer> => {
  const handler = createHandler({ client, observe: (event) => void events.push(event), ...handlerConfig });
  const server = await startServer({ handler, port: 0, hostname: '127.0.0.1', graceMs: 1_000, ...config });
  running.push(server);
  return server;
};

interface Parsed {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The answers in what came over a connection: each with as many bytes as its length says. */
function answersIn(text: string): readonly Parsed[] {
  const answers: Parsed[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    expect(end, `no head in ${JSON.stringify(rest.slice(0, 200))}`).toBeGreaterThan(0);
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
    const next = end + 4 + Number(headers.get('content-length'));
    const body = Buffer.from(rest.slice(end + 4, next), 'latin1').toString('utf8');
    answers.push({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers, body });
    rest = rest.slice(next);
  }
  return answers;
}

const lines = (...given: readonly string[]) => `${given.join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: readonly string[]) =>
  lines(`GET ${path} HTTP/1.1`, 'host: x', ...headers);
const postHead = (path: string, ...headers: readonly string[]) =>
  lines(`POST ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', ...headers);
const postOf = (path: string, body: string, ...headers: readonly string[]) =>
  postHead(path, `content-length: ${Buffer.byteLength(body)}`, ...headers) + body;
const LAST = 'connection: close';
const poolState = () => JSON.stringify({ program_id: PROGRAM, mint: ledger.pools.creator.mint });
const codeOf = ({ body }: Parsed) => (JSON.parse(body) as { error: { code: string } }).error.code;

/** A client whose node answers once it is let. */
function gatedClient() {
  let arrived = () => {};
  let release = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const signals: (AbortSignal | undefined)[] = [];
  const gated = clientOver(async (call: Call) => {
    signals.push(call.signal);
    arrived();
    await gate;
    return await ledger.transport(call as never);
  });
  return { client: gated, arrival, release: () => release(), signals };
}

test('frees its port when it closes, and leaves the global Request and Response alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  const { port, close } = await start();
  await close();
  await start({ port });
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});

test('one connection accepts several requests at once, and answers in order', async () => {
  const { client: gated, arrival, release } = gatedClient();
  const { port } = await start({}, { client: gated });
  // The first takes long, the others do not.
  const requests = [
    postOf('/data/pool-state', poolState(), 'x-request-id: first'),
    get('/healthz', 'x-request-id: second'),
    get('/nowhere', 'x-request-id: third'),
    get('/healthz', 'x-request-id: last', LAST),
  ];
  const wire = open(port, requests.join(''));
  await arrival;
  expect(wire.received()).toBe('');
  release();
  const answers = answersIn(await wire.ended);
  const shown = answers.map(({ status, headers }) => [
    headers.get('x-request-id'),
    status,
    headers.get('connection'),
  ]);
  expect(shown).toEqual([
    ['first', 200, 'keep-alive'],
    ['second', 200, 'keep-alive'],
    ['third', 404, 'keep-alive'],
    ['last', 200, 'close'],
  ]);
});

test("closes a connection after a handler's own 408: what is left of the request may still come", async () => {
  const handler = async () => Response.json({}, { status: 408 });
  const { port } = await start({ handler });
  const wire = open(port, get('/'));
  await expect.poll(() => wire.received()).toContain('{}');
  const [answer] = answersIn(wire.received());
  expect([answer?.status, answer?.headers.get('connection')]).toEqual([408, 'close']);
});

test('with Expect: 100-continue, rejects a body that is too large before it is sent', async () => {
  const { port } = await start();
  const head = postHead('/data/pool-state', 'expect: 100-continue', `content-length: ${10 << 20}`, LAST);
  const answer = answersIn(await open(port, head).ended).at(-1)!;
  expect([answer.status, codeOf(answer)]).toEqual([413, 'body-too-large']);
});

test.each([
  ['of 1 GB', `content-length: ${1 << 30}`, ' '.repeat(1_000)],
  ['in chunks without end', 'transfer-encoding: chunked', `3e8\r\n${' '.repeat(1_000)}\r\n`],
])('a body %s, and slow: answered, and cut off soon after', async (_, length, piece) => {
  const { port } = await start({ receiveTimeoutMs: HANG_MS }, { maxBodyBytes: 5_000 });
  const wire = open(port, postHead('/quote/buy', length));
  const sending = setInterval(() => wire.socket.write(piece), 10);
  const [answer] = answersIn(await wire.ended);
  clearInterval(sending);
  expect([answer?.status, codeOf(answer!)]).toEqual([413, 'body-too-large']);
});

test('a caller that disconnects ends the call to the node, and is not an error', async () => {
  const { client: gated, arrival, release, signals } = gatedClient();
  const { port } = await start({}, { client: gated });
  const wire = open(port, postOf('/data/pool-state', poolState()));
  await arrival;
  wire.socket.destroy();
  await expect.poll(() => events.length).toBe(1);
  expect(events[0]).toMatchObject({ path: '/data/pool-state', code: 'aborted' });
  expect(events[0]).not.toHaveProperty('error');
  expect(signals[0]?.aborted).toBe(true);
  release();
});

describe('a caller that sends many requests over one connection', () => {
  /** A handler that repeats the body once it is let, and counts. */
  function counting(gate: Promise<void>) {
    const count = { now: 0, most: 0, arrived: 0 };
    const arrive = () => void count.arrived++;
    subscribe('http.server.request.start', arrive);
    onTestFinished(() => void unsubscribe('http.server.request.start', arrive));
    const handler = async (request: Request) => {
      if (request.url.endsWith('/healthz')) return new Response('');
      count.most = Math.max(count.most, ++count.now);
      const text = await request.text();
      await gate;
      count.now -= 1;
      return new Response(text, { headers: { 'content-length': String(text.length) } });
    };
    return { count, handler };
  }

  test('eight are in work; of the others, one read at most waits; all are answered in order', async () => {
    let release = () => {};
    const { count, handler } = counting(new Promise((resolve) => (release = resolve)));
    const { port } = await start({ handler });
    const bodies = Array.from({ length: 10_000 }, (_, index) => `body ${index}`);
    const wire = open(port, bodies.map((body) => postOf('/', body)).join('') + get('/healthz', LAST));
    await expect.poll(() => count.now).toBe(8);
    // Beside them, in many turns of the server.
    for (let asked = 0; asked < 50; asked++) await open(port, get('/healthz', LAST)).ended;
    expect(count.now).toBe(8);
    expect(count.arrived - 50).toBeLessThan(65_536 / postOf('/', bodies[0]!).length + 8);
    release();
    const answers = answersIn(await wire.ended).map(({ body }) => body);
    expect(answers).toEqual([...bodies, '']);
    expect(count.most).toBe(8);
  });

  test('loses the connection if it reads no responses, but may wait for one', async () => {
    let count = 0;
    const handler = async () => {
      count += 1;
      return new Response('x'.repeat(8 << 20));
    };
    const server = await start({ handler, receiveTimeoutMs: 500, graceMs: HANG_MS });
    open(server.port, get('/').repeat(20)).socket.pause();
    await expect.poll(() => count).toBe(8);
    // Waits until no request is unanswered.
    await server.close();
    expect(count).toBe(8);
    const slow = await start({ handler: counting(wait(1_500)).handler, receiveTimeoutMs: 500 });
    expect(answersIn(await open(slow.port, postOf('/', 'late', LAST)).ended)[0]?.body).toBe('late');
  });
});

describe('closing', () => {
  test('waits for a caller that reads its answer slowly', async () => {
    const body = 'x'.repeat(8 << 20);
    const documents = { '/large': () => ({ headers: { 'content-type': 'text/plain' }, body }) };
    const server = await start({ graceMs: HANG_MS }, { documents });
    const wire = open(server.port, get('/large'));
    await expect.poll(() => wire.received().length).toBeGreaterThan(1_000);
    wire.socket.pause();
    const closing = server.close();
    // For longer than an idle connection is kept.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    wire.socket.resume();
    const [answer] = answersIn(await wire.ended);
    expect(answer?.body.length).toBe(body.length);
    await closing;
  });

  test('waits for a half-sent request', async () => {
    const server = await start({ graceMs: HANG_MS });
    const requests = [get('/healthz'), postOf('/data/pool-state', poolState())];
    // Once a request is answered, what came with it has arrived too.
    const wires = requests.map((request) => open(server.port, get('/healthz') + request.slice(0, -5)));
    for (const { received } of wires) await expect.poll(received).toMatch(/\{"status":"ok"\}$/);
    const closing = server.close();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const [index, { socket }] of wires.entries()) socket.write(requests[index]!.slice(-5));
    for (const wire of wires) {
      const [, answer] = answersIn(await wire.ended);
      expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
    }
    await closing;
  });

  test('answers every request that 40 busy connections send, and sends nothing after the last answer', async () => {
    const server = await start({ graceMs: HANG_MS });
    const connections = Array.from({ length: 40 }, () => keepAlive(server.port));
    await Promise.all(connections.map(({ opened }) => opened));
    for (const [index, connection] of connections.entries()) {
      // Short answers and long ones.
      const path = index % 4 === 0 ? '/openapi.json' : '/healthz';
      connection.onAnswer = () => {
        if (!connection.isLast) connection.send(path);
      };
      connection.send(path);
    }
    await expect.poll(() => connections.every(({ answered }) => answered >= 5)).toBe(true);
    // The half second that a request may be on its way ends when all have been answered.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const closing = server.close();
    await until(() => connections.every(({ isLast }) => isLast));
    vi.advanceTimersByTime(500);
    vi.useRealTimers();
    await closing;
    await Promise.all(connections.map(({ ended }) => ended));
    for (const { sent, answered, isLast } of connections) expect([answered, isLast]).toEqual([sent, true]);
  });

  test('does not wait for idle connections', async () => {
    // Sooner than a connection is kept.
    const graceMs = 60_000;
    const server = await start({ graceMs });
    const kept = open(server.port, get('/healthz'));
    await expect.poll(kept.received).toMatch(/\{"status":"ok"\}$/);
    const silent = open(server.port);
    await silent.opened;
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(graceMs);
    await kept.ended;
    // Not a 408.
    expect(await silent.ended).toBe('');
  });
});
