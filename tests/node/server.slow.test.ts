import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createHandler, type HandlerConfig, type RequestEvent } from '../../src/http/index.js';
import { createHeavenClient, type HeavenClient } from '../../src/index.js';
import { type RunningServer, type ServerConfig, startServer } from '../../src/node/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type Call, clientOver, PROGRAM } from '../http/support.js';

let ledger: EmbeddedLedger;
let client: HeavenClient;
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  client = createHeavenClient({ rpc: ledger.rpc });
});

let events: RequestEvent[];
let running: RunningServer[];
let sockets: Socket[];
beforeEach(() => {
  events = [];
  running = [];
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(running.map((server) => server.close().catch(() => {})));
});

const start = async (
  config: Partial<Omit<ServerConfig, 'handler'>> = {},
  handlerConfig: Partial<HandlerConfig> = {},
): Promise<RunningServer> => {
  const handler = createHandler({ client, observe: (event) => void events.push(event), ...handlerConfig });
  const server = await startServer({ handler, port: 0, hostname: '127.0.0.1', graceMs: 1_000, ...config });
  running.push(server);
  return server;
};

/** A connection, and what came over it. */
interface Wire {
  readonly socket: Socket;
  readonly received: () => string;
  /** Waits until what came says so. */
  readonly until: (isThere: (text: string) => boolean) => Promise<string>;
  /** Waits for the end of the connection. */
  readonly ended: Promise<string>;
}

function open(port: number): Wire {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.setEncoding('latin1');
  let text = '';
  const waiting = new Set<() => void>();
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (const look of waiting) look();
  });
  // A server that is done with a connection may also reset it.
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  const until = (isThere: (text: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!isThere(text)) return;
        waiting.delete(look);
        resolve(text);
      };
      waiting.add(look);
      void ended.then(() =>
        reject(new Error(`The connection ended after ${JSON.stringify(text.slice(-300))}`)),
      );
      look();
    });
  return { socket, received: () => text, until, ended };
}

interface Parsed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers in what came over a connection: each with as many bytes as its length says. */
function answersIn(text: string, isHead = false): readonly Parsed[] {
  const answers: Parsed[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    expect(end, `no head in ${JSON.stringify(rest.slice(0, 200))}`).toBeGreaterThan(0);
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0);
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]),
      headers,
      body: Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8'),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

const lines = (...given: readonly string[]) => `${given.join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: readonly string[]) =>
  lines(`GET ${path} HTTP/1.1`, 'host: x', ...headers);
const postOf = (path: string, body: string, ...headers: readonly string[]) =>
  `${lines(
    `POST ${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  )}${body}`;
const LAST = 'connection: close';
const poolState = () => JSON.stringify({ program_id: PROGRAM, mint: ledger.pools.creator.mint });
/** One exchange on a connection of its own. */
const exchange = async (port: number, text: string) => {
  const wire = open(port);
  wire.socket.write(text);
  return answersIn(await wire.ended);
};
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
  const gated = clientOver(async (call: Call & { readonly signal?: AbortSignal }) => {
    signals.push(call.signal);
    arrived();
    await gate;
    return await ledger.transport(call as never);
  });
  return { client: gated, arrival, release: () => release(), signals };
}

/** Waits for something that comes about by itself. */
const eventually = async (isSo: () => boolean) => {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 4));
  expect(isSo()).toBe(true);
};

describe("the caller's address", () => {
  const SPOOFED = '198.51.100.66';
  test.each<[number, string | readonly string[] | undefined, string]>([
    [0, undefined, '127.0.0.1'],
    [0, SPOOFED, '127.0.0.1'],
    [0, `${SPOOFED}, 10.0.0.1`, '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '203.0.113.9', '203.0.113.9'],
    [1, `${SPOOFED}, 203.0.113.9`, '203.0.113.9'],
    [1, `${SPOOFED},${SPOOFED},${SPOOFED},203.0.113.9`, '203.0.113.9'],
    [1, [SPOOFED, '203.0.113.9'], '203.0.113.9'],
    [1, `${SPOOFED} ,\t 203.0.113.9  `, '203.0.113.9'],
    [1, `not an address, "x", 203.0.113.9`, '203.0.113.9'],
    [1, `${SPOOFED}, 2001:db8::7`, '2001:db8::7'],
    [2, '203.0.113.9, 10.0.0.1', '203.0.113.9'],
    [2, `${SPOOFED}, 203.0.113.9, 10.0.0.1`, '203.0.113.9'],
    [2, [`${SPOOFED}, ${SPOOFED}`, '203.0.113.9', '10.0.0.1'], '203.0.113.9'],
    [3, `${SPOOFED}, 203.0.113.9, 10.0.0.2, 10.0.0.1`, '203.0.113.9'],
    // Fewer than there are proxies: one of them was passed by.
    [3, '203.0.113.9, 10.0.0.1', '203.0.113.9'],
  ])('behind %i proxies, with %j: %s', async (trustedProxies, forwarded, address) => {
    const { port } = await start({ trustedProxies });
    const headers = [forwarded ?? []].flat().map((value) => `x-forwarded-for: ${value}`);
    await exchange(
      port,
      get('/healthz', ...headers, `x-real-ip: ${SPOOFED}`, `forwarded: for=${SPOOFED}`, LAST),
    );
    expect(events.map(({ clientAddress }) => clientAddress)).toEqual([address]);
  });

  test('is what a limiter counts', async () => {
    const seen: (string | undefined)[] = [];
    const limits = {
      rateLimiter: ({ clientAddress }: { clientAddress?: string | undefined }) =>
        void seen.push(clientAddress) as undefined,
    };
    const { port } = await start({ trustedProxies: 1 }, limits);
    for (let count = 0; count < 3; count++)
      await exchange(port, get('/', `x-forwarded-for: 198.51.100.${count}, 203.0.113.9`, LAST));
    expect(seen).toEqual(Array(3).fill('203.0.113.9'));
  });
});

describe('one connection', () => {
  test('is kept alive, whatever the answer', async () => {
    const { port } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const ask = (method: string, path: string, body?: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
        const headers = body === undefined ? {} : { 'content-type': 'application/json' };
        const outgoing = httpRequest(
          { port, host: '127.0.0.1', method, path, headers, agent },
          (incoming) => {
            ports.add(incoming.socket.localPort);
            incoming.resume();
            incoming.on('end', () =>
              resolve({ status: incoming.statusCode, connection: incoming.headers.connection }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      });
    for (const [method, path, body, status] of [
      ['GET', '/healthz', undefined, 200],
      ['POST', '/data/pool-state', poolState(), 200],
      ['POST', '/data/pool-state', '{', 400],
      ['POST', '/data/pool-state', '{}', 400],
      ['GET', '/nowhere', undefined, 404],
      ['GET', '/quote/buy', undefined, 405],
      ['OPTIONS', '/quote/buy', undefined, 204],
      ['GET', '/openapi.json', undefined, 200],
      ['POST', '/data/pool-state', poolState(), 200],
    ] as const) {
      expect(await ask(method, path, body)).toEqual({ status, connection: 'keep-alive' });
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  test('accepts several requests at once, and answers in order', async () => {
    const { client: gated, arrival, release } = gatedClient();
    const { port } = await start({}, { client: gated });
    const wire = open(port);
    // The first takes long, the others do not.
    wire.socket.write(
      [
        postOf('/data/pool-state', poolState(), 'x-request-id: first'),
        get('/healthz', 'x-request-id: second'),
        get('/nowhere', 'x-request-id: third'),
        postOf('/data/pool-state', '{}', 'x-request-id: fourth'),
        lines('OPTIONS /quote/buy HTTP/1.1', 'host: x', 'x-request-id: fifth'),
        get('/healthz', 'x-request-id: last', LAST),
      ].join(''),
    );
    await arrival;
    expect(wire.received()).toBe('');
    release();
    const answers = answersIn(await wire.ended);
    expect(answers.map(({ status, headers }) => [headers['x-request-id'], status])).toEqual([
      ['first', 200],
      ['second', 200],
      ['third', 404],
      ['fourth', 400],
      ['fifth', 204],
      ['last', 200],
    ]);
    expect(JSON.parse(answers[0]!.body)).toHaveProperty('info');
    for (const [index, { headers }] of answers.entries())
      expect(headers.connection).toBe(index === 5 ? 'close' : 'keep-alive');
  });

  test('many at once, of many', async () => {
    const { port } = await start();
    const wires = Array.from({ length: 20 }, () => open(port));
    for (const { socket } of wires) {
      for (let count = 0; count < 20; count++) socket.write(postOf('/data/pool-state', poolState()));
      socket.write(get('/healthz', LAST));
    }
    for (const { ended } of wires) {
      const answers = answersIn(await ended);
      expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(200));
      expect(new Set(answers.slice(0, 20).map(({ body }) => body)).size).toBe(1);
    }
  });

  test('closes when the caller asks, and with HTTP/1.0', async () => {
    const { port } = await start();
    const [closed] = await exchange(port, get('/healthz', LAST));
    expect([closed?.status, closed?.headers.connection]).toEqual([200, 'close']);
    const old = open(port);
    old.socket.write(lines('GET /healthz HTTP/1.0'));
    expect(await old.ended).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
  });
});

describe('what is sent', () => {
  test('HEAD: the head of GET, and no byte more', async () => {
    const { port } = await start();
    for (const path of ['/', '/openapi.json', '/healthz', '/readyz', '/nowhere', '/quote/buy']) {
      const wire = open(port);
      wire.socket.write(lines(`HEAD ${path} HTTP/1.1`, 'host: x', 'x-request-id: same', LAST));
      const [head, ...more] = answersIn(await wire.ended, true);
      expect(more).toEqual([]);
      const [full] = await exchange(port, get(path, 'x-request-id: same', LAST));
      const withoutLength = ({ 'content-length': _, date: __, ...headers }: Parsed['headers']) => headers;
      expect(head?.status).toBe(full?.status);
      expect(withoutLength(head!.headers)).toEqual(withoutLength(full!.headers));
      expect(full?.body.length).toBeGreaterThan(0);
    }
  });

  test('a length is of bytes, whatever letters a message has', async () => {
    const { port } = await start();
    for (const body of ['é', '[1中]', '{"a" é}', '{"é中😀":1,"é中😀":2}']) {
      const wire = open(port);
      wire.socket.write(postOf('/quote/buy', body));
      wire.socket.write(get('/healthz', LAST));
      const [error, health] = answersIn(await wire.ended);
      expect([error?.status, codeOf(error!)]).toEqual([400, 'malformed-json']);
      expect(error!.body).toMatch(/'(é|中|é中😀)'/);
      expect(Number(error!.headers['content-length'])).toBe(Buffer.byteLength(error!.body));
      expect([health?.status, health?.body]).toEqual([200, '{"status":"ok"}']);
    }
    const [page] = (await exchange(port, get('/', LAST))) as [Parsed];
    expect(page.body).toContain('×');
    expect(page.body.trimEnd()).toMatch(/<\/html>$/);
  });

  test('a character may arrive in pieces', async () => {
    const { port } = await start();
    const body = Buffer.from('{"é中😀":1,"é中😀":2}');
    const wire = open(port);
    wire.socket.setNoDelay(true);
    wire.socket.write(
      lines(
        'POST /quote/buy HTTP/1.1',
        'host: x',
        'content-type: application/json',
        'transfer-encoding: chunked',
        LAST,
      ),
    );
    for (const byte of body) {
      wire.socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    wire.socket.write('0\r\n\r\n');
    const [{ status, body: answered }] = answersIn(await wire.ended) as [Parsed];
    expect(status).toBe(400);
    expect(answered).toContain("'é中😀'");
  });

  test('rejects a body that is not UTF-8, without replacement characters', async () => {
    const { port } = await start();
    const body = Buffer.from('{"mint":"caf\u00e9"}', 'latin1');
    const wire = open(port);
    wire.socket.write(postOf('/data/pool-state', '', LAST).replace(': 0\r', `: ${body.length}\r`));
    wire.socket.write(body);
    const [answer] = answersIn(await wire.ended) as [Parsed];
    expect([answer.status, codeOf(answer)]).toEqual([400, 'malformed-json']);
    expect(answer.body).toContain('UTF-8');
  });

  test('a preflight has no body', async () => {
    const { port } = await start();
    const [answer] = await exchange(port, lines('OPTIONS /tx/buy HTTP/1.1', 'host: x', LAST));
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(answer?.headers).not.toHaveProperty('content-length');
    expect(answer?.headers).not.toHaveProperty('transfer-encoding');
  });

  test('a query is not part of the path', async () => {
    const { port } = await start();
    const [health] = await exchange(port, get('/healthz?x=/nowhere&y=%00', LAST));
    expect(health?.status).toBe(200);
    const [state] = await exchange(port, postOf('/data/pool-state?a?b#c', poolState(), LAST));
    expect(state?.status).toBe(200);
  });

  test('answers other forms of a request target', async () => {
    const { port } = await start();
    const wire = open(port);
    wire.socket.write(get('http://example.com/nowhere'));
    wire.socket.write(get('http://example.com/healthz'));
    wire.socket.write(get('/healthz', LAST));
    const answers = answersIn(await wire.ended);
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200]);
    expect(events.map(({ path }) => path)).toEqual(['unknown', '/healthz', '/healthz']);
    const whole = open(port);
    whole.socket.write(lines('OPTIONS * HTTP/1.1', 'host: x', LAST));
    expect(await whole.ended).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each([
    ['no host', lines('GET /healthz HTTP/1.1')],
    ['two lengths', lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-length: 2', 'content-length: 3')],
    [
      'a length and chunks',
      `${lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-length: 2', 'transfer-encoding: chunked')}0\r\n\r\n`,
    ],
    ['another protocol', '\u0016\u0003\u0001\u0002\u0000\r\n\r\n'],
    ['a header without end', `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}`],
    ['a bad method', lines('GE T /healthz HTTP/1.1', 'host: x')],
  ])('%s: rejected, and the server continues', async (_, text) => {
    const { port } = await start();
    const wire = open(port);
    wire.socket.write(text, 'latin1');
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 4\d\d /);
    const [health] = await exchange(port, get('/healthz', LAST));
    expect(health?.status).toBe(200);
  });
});

describe('Expect: 100-continue', () => {
  const head = (length: number) =>
    lines(
      'POST /data/pool-state HTTP/1.1',
      'host: x',
      'content-type: application/json',
      'expect: 100-continue',
      `content-length: ${length}`,
      LAST,
    );

  test('a caller that waits gets 100 Continue, and an answer', async () => {
    const { port } = await start();
    const wire = open(port);
    const body = poolState();
    wire.socket.write(head(Buffer.byteLength(body)));
    expect(await wire.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 100 /);
    expect(events).toEqual([]);
    wire.socket.write(body);
    const [interim, answer] = answersIn(await wire.ended);
    expect([interim?.status, answer?.status]).toEqual([100, 200]);
    expect(JSON.parse(answer!.body)).toHaveProperty('info');
  });

  test('a caller that does not wait is answered as well', async () => {
    const { port } = await start();
    const wire = open(port);
    const body = poolState();
    wire.socket.write(head(Buffer.byteLength(body)) + body);
    expect(answersIn(await wire.ended).at(-1)?.status).toBe(200);
  });

  test('rejects a body that is too large before it is sent', async () => {
    const { port } = await start();
    const wire = open(port);
    wire.socket.write(head(10 << 20));
    const answer = answersIn(await wire.ended).at(-1)!;
    expect([answer.status, codeOf(answer)]).toEqual([413, 'body-too-large']);
  });

  test('other expectations are not met', async () => {
    const { port } = await start();
    const wire = open(port);
    wire.socket.write(postOf('/data/pool-state', poolState(), 'expect: the-unexpected', LAST));
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 417 /);
  });
});

describe('10 MB', () => {
  const MEGABYTES = 10 << 20;
  const chunk = Buffer.alloc(1 << 16, 32);
  const chunked = Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]);
  const HEAD = ['POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json'];
  const sendAll = (socket: Socket, piece: Buffer) => {
    for (let sent = 0; sent < MEGABYTES; sent += chunk.length) if (!socket.destroyed) socket.write(piece);
  };

  test.each([
    ['of a declared length', lines(...HEAD, `content-length: ${MEGABYTES}`), chunk],
    ['in chunks', lines(...HEAD, 'transfer-encoding: chunked'), chunked],
  ])('%s: a caller that reads while it sends gets the answer', async (_, head, piece) => {
    const { port } = await start();
    for (let round = 0; round < 3; round++) {
      const wire = open(port);
      wire.socket.write(head);
      sendAll(wire.socket, piece);
      const [answer] = answersIn(await wire.until((text) => text.endsWith('}}')));
      expect([answer?.status, codeOf(answer!)]).toEqual([413, 'body-too-large']);
    }
    expect(events.map(({ status, code }) => [status, code])).toEqual(Array(3).fill([413, 'body-too-large']));
    for (const event of events) expect(event).not.toHaveProperty('error');
    const [health] = await exchange(port, get('/healthz', LAST));
    expect(health?.status).toBe(200);
  });

  test('to an unknown path, or without POST: gets the answer too', async () => {
    const { port } = await start();
    for (const [path, status, code] of [
      ['/nowhere', 404, 'unknown-path'],
      ['/healthz', 405, 'method-not-allowed'],
    ] as const) {
      const wire = open(port);
      wire.socket.write(
        lines(
          `POST ${path} HTTP/1.1`,
          'host: x',
          'content-type: application/json',
          `content-length: ${MEGABYTES}`,
        ),
      );
      sendAll(wire.socket, chunk);
      const [answer] = answersIn(await wire.until((text) => text.endsWith('}}')));
      expect([answer?.status, codeOf(answer!)]).toEqual([status, code]);
    }
  });
});

test.each([
  ['of 1 GB', `content-length: ${1 << 30}`, ' '.repeat(1_000)],
  ['in chunks without end', 'transfer-encoding: chunked', `3e8\r\n${' '.repeat(1_000)}\r\n`],
])('a body %s, and slow: answered, and cut off soon after', async (_, length, piece) => {
  const { port } = await start({}, { maxBodyBytes: 5_000 });
  const wire = open(port);
  wire.socket.write(lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', length));
  const sending = setInterval(() => wire.socket.write(piece), 10);
  const started = performance.now();
  const [answer] = answersIn(await wire.ended);
  clearInterval(sending);
  expect([answer?.status, codeOf(answer!)]).toEqual([413, 'body-too-large']);
  expect(performance.now() - started).toBeLessThan(4_000);
});

describe('slow senders', () => {
  test('are disconnected, wherever they stop', async () => {
    const { port } = await start({ receiveTimeoutMs: 100 });
    const wires = [
      '',
      'POST /quote/buy HTTP/1.1\r\nhost:',
      lines(
        'POST /quote/buy HTTP/1.1',
        'host: x',
        'content-type: application/json',
        'content-length: 9',
      ).slice(0, -2),
      `${lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 9')}{`,
      `${lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', 'transfer-encoding: chunked')}1\r\n{\r\n`,
    ].map((text) => {
      const wire = open(port);
      if (text !== '') wire.socket.write(text);
      return wire;
    });
    // And one that never stops, but is never done.
    const trickling = open(port);
    trickling.socket.write(
      lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 900'),
    );
    const trickle = setInterval(() => trickling.socket.write(' '), 20);
    // A caller who waits for a slow answer is not one of them.
    const { client: gated, arrival, release } = gatedClient();
    const patient = await start({ receiveTimeoutMs: 100 }, { client: gated, observe: () => {} });
    const waiting = open(patient.port);
    waiting.socket.write(postOf('/data/pool-state', poolState(), LAST));
    await arrival;
    const started = performance.now();
    const texts = await Promise.all([...wires, trickling].map(({ ended }) => ended));
    clearInterval(trickle);
    expect(performance.now() - started).toBeLessThan(4_000);
    for (const text of texts) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
    // Of those whose head was whole, the endpoint knows; it is nobody’s error.
    await eventually(() => events.length === 3);
    for (const event of events) {
      expect(event).toMatchObject({ path: '/quote/buy' });
      expect(event).not.toHaveProperty('error');
    }
    const [health] = await exchange(port, get('/healthz', LAST));
    expect(health?.status).toBe(200);
    // Connections are looked at once a second.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_300 - (performance.now() - started))));
    release();
    expect(answersIn(await waiting.ended)[0]?.status).toBe(200);
  });

  test('one that trickles past the time limit gets one answer, and the connection ends', async () => {
    const { port } = await start({ receiveTimeoutMs: 300 }, { timeoutMs: 100 });
    const wire = open(port);
    wire.socket.write(
      lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 900'),
    );
    const drip = setInterval(() => wire.socket.write(' '), 20);
    const text = await wire.ended;
    clearInterval(drip);
    const [answer, ...more] = answersIn(text) as [Parsed];
    expect(more).toEqual([]);
    expect([answer.status, codeOf(answer)]).toEqual([408, 'request-timeout']);
    expect(answer.headers.connection).toBe('close');
  });
});

describe('a caller that disconnects', () => {
  test('before the answer: the call to the node ends, and nothing counts as an error', async () => {
    const { client: gated, arrival, release, signals } = gatedClient();
    const { port } = await start({}, { client: gated });
    const wire = open(port);
    wire.socket.write(postOf('/data/pool-state', poolState()));
    await arrival;
    wire.socket.destroy();
    await eventually(() => events.length === 1);
    expect(events[0]).toMatchObject({ path: '/data/pool-state', code: 'aborted' });
    expect(events[0]).not.toHaveProperty('error');
    expect(signals[0]?.aborted).toBe(true);
    release();
  });

  test('in the middle of its body', async () => {
    const { port } = await start();
    const wire = open(port);
    wire.socket.write(
      `${lines('POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 90')}{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    wire.socket.destroy();
    await eventually(() => events.length === 1);
    expect(events[0]).toMatchObject({ path: '/quote/buy' });
    expect(events[0]).not.toHaveProperty('error');
  });

  test('in the middle of the answer: others are served', async () => {
    const large = 'x'.repeat(8 << 20);
    const documents = { '/large': () => ({ headers: { 'content-type': 'text/plain' }, body: large }) };
    const { port } = await start({}, { documents });
    for (const reset of [false, true]) {
      const wire = open(port);
      wire.socket.write(get('/large'));
      await wire.until((text) => text.length > 1_000);
      if (reset) wire.socket.resetAndDestroy();
      else wire.socket.destroy();
    }
    const [health] = await exchange(port, get('/healthz', LAST));
    expect(health?.status).toBe(200);
    const [again] = await exchange(port, get('/large', LAST));
    expect(again?.body.length).toBe(large.length);
    for (const event of events) expect(event).not.toHaveProperty('error');
  });

  test('with several requests on a connection: the others are not started, or not reported', async () => {
    const { client: gated, arrival, release } = gatedClient();
    const { port } = await start({}, { client: gated });
    const wire = open(port);
    wire.socket.write(postOf('/data/pool-state', poolState()).repeat(3));
    await arrival;
    wire.socket.destroy();
    await eventually(() => events.length > 0);
    release();
    for (const event of events) expect(event).not.toHaveProperty('error');
    const [health] = await exchange(port, get('/healthz', LAST));
    expect(health?.status).toBe(200);
  });
});

describe('closing', () => {
  test('answers what is in flight, and ends the connection with it', async () => {
    const { client: gated, arrival, release } = gatedClient();
    const server = await start({}, { client: gated });
    const wire = open(server.port);
    wire.socket.write(postOf('/data/pool-state', poolState()));
    await arrival;
    const closing = server.close();
    release();
    const [answer, ...more] = answersIn(await wire.ended);
    expect([answer?.status, answer?.headers.connection]).toEqual([200, 'close']);
    expect(more).toEqual([]);
    await closing;
  });

  test('answers everything that a connection has sent, and closes it', async () => {
    const { client: gated, arrival, release } = gatedClient();
    const server = await start({}, { client: gated });
    const wire = open(server.port);
    wire.socket.write(postOf('/data/pool-state', poolState()).repeat(3) + get('/healthz'));
    await arrival;
    const closing = server.close();
    release();
    const answers = answersIn(await wire.ended);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await closing;
  });

  test('waits for a caller that reads its answer slowly', async () => {
    const body = 'x'.repeat(8 << 20);
    const documents = { '/large': () => ({ headers: { 'content-type': 'text/plain' }, body }) };
    const server = await start({ graceMs: 20_000 }, { documents });
    const wire = open(server.port);
    wire.socket.write(get('/large'));
    await wire.until((text) => text.length > 1_000);
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
    const server = await start({ graceMs: 20_000 });
    const wires = [open(server.port), open(server.port)];
    const requests = [get('/healthz'), postOf('/data/pool-state', poolState())];
    for (const [index, { socket }] of wires.entries()) {
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(requests[index]!.slice(0, -5));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closing = server.close();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const [index, { socket }] of wires.entries()) socket.write(requests[index]!.slice(-5));
    for (const wire of wires) {
      const [answer] = answersIn(await wire.ended);
      expect([answer?.status, answer?.headers.connection]).toEqual([200, 'close']);
    }
    await closing;
  });

  test('does not wait for idle connections', async () => {
    const server = await start({ graceMs: 60_000 });
    const kept = open(server.port);
    kept.socket.write(get('/healthz'));
    await kept.until((text) => text.endsWith('{"status":"ok"}'));
    const silent = open(server.port);
    await new Promise((resolve) => silent.socket.once('connect', resolve));
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(2_000);
    await Promise.all([kept.ended, silent.ended]);
  });

  test('does not wait forever', async () => {
    const { client: gated, arrival, release } = gatedClient();
    const server = await start({ graceMs: 50 }, { client: gated });
    const wire = open(server.port);
    wire.socket.write(postOf('/data/pool-state', poolState()));
    await arrival;
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await wire.ended).toBe('');
    release();
  });

  test('accepts no new connection', async () => {
    const server = await start();
    await server.close();
    const refused = open(server.port);
    const failed = new Promise((resolve) => refused.socket.once('error', resolve));
    expect(await failed).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
