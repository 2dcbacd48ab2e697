import { gunzipSync } from 'node:zlib';
import type { Address } from '@solana/kit';
import { Hono } from 'hono';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createHandler,
  type Handler,
  type HandlerConfig,
  type RateLimiter,
  type RequestEvent,
} from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { paths } from '../../src/operations/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { OTHER_PROGRAM_ADDRESS as OTHER_PROGRAM } from '../support/addresses.js';
import { until } from '../support/clock.js';
import { heavenError } from '../support/errors.js';
import { type Call, clientOver, createNode, rejecting, silent } from '../support/rpc.js';
import { type Answer, errorOf, objectText, PROGRAM, post, readJson, send } from './support.js';
import { workingRequests } from './working-requests.js';

const STRANGE_PROGRAM = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8' as Address;
const JSON_TYPE = { 'content-type': 'application/json' };
/** An id of the service’s making. */
const OWN_ID = /^[\w.:-]{16,64}$/;

const API_PATHS = Object.values(paths);
const DOCUMENT_PATHS = ['/', '/openapi.json', '/healthz', '/readyz'] as const;

let ledger: EmbeddedLedger;
let events: RequestEvent[];
let handler: Handler;

const observe = (event: RequestEvent) => void events.push(event);
/** A handler over the ledger, whose events are kept. */
const handlerWith = (config: Partial<HandlerConfig> = {}) =>
  createHandler({ client: createHeavenClient({ rpc: ledger.rpc }), observe, ...config });
const failing = rejecting(new Error('fetch failed: https://node.example/?api-key=SECRET'));
/** A handler whose node can't be reached. */
const handlerWithoutNode = () => handlerWith({ client: clientOver(failing) });

/** How many requests the ledger has had before a test. */
let earlier: number;
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
});
beforeEach(() => {
  earlier = ledger.requests.length;
  events = [];
  handler = handlerWith();
});
/** The ledger's requests in a test. */
const reads = () => ledger.requests.slice(earlier);
afterEach(() => {
  vi.restoreAllMocks();
});

type HeaderFields = Readonly<Record<string, string>>;
const get = (given: Handler, path: string, headers: HeaderFields = {}) =>
  send(given, path, { method: 'GET', headers });
const poolRequest = () => ({ program_id: PROGRAM, mint: ledger.pools.creator.mint });
const posting = (body: object, headers: HeaderFields = {}) => ({
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});
const streaming = (body: ReadableStream, more: RequestInit = {}) =>
  ({ method: 'POST', headers: JSON_TYPE, body, duplex: 'half', ...more }) as RequestInit;
/** Asks for the state of a pool, which has to be read. */
const askPool = (given: Handler, headers: HeaderFields = {}) =>
  send(given, '/data/pool-state', posting(poolRequest(), headers));
const quoteRequest = () => ({
  ...poolRequest(),
  config_version: 2,
  max_sol_spend: 1.5,
  slippage_bps: 50,
});
const access = ({ headers }: Answer) =>
  Object.fromEntries(
    [...headers].filter(
      ([name, value]) =>
        name.startsWith('access-control') || (name === 'vary' && value !== 'accept-encoding'),
    ),
  );
const onlyEvent = () => {
  expect(events).toHaveLength(1);
  return events[0]!;
};
const summary = (answer: Answer) => `${answer.status} ${errorOf(answer).code}`;

describe('cors', () => {
  const ORIGIN = 'https://app.example';
  const EXPOSED = { 'access-control-expose-headers': 'retry-after, x-request-id, x-heaven-ledger' };
  const page = { origin: ORIGIN };
  const asking = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const preflight = (given: Handler, path: string, headers: HeaderFields = page) =>
    send(given, path, { method: 'OPTIONS', headers: { ...asking, ...headers } });

  const any = { 'access-control-allow-origin': '*', ...EXPOSED };

  test('any page may call by default, and read every answer', async () => {
    for (const answer of [
      await askPool(handler, page),
      await askPool(handlerWith({ cors: '*' })),
      await post(handler, '/quote/buy', '{'),
      await post(handler, '/nowhere', {}),
      await send(handler, '/quote/buy', { method: 'PUT' }),
      await get(handler, '/openapi.json'),
      await send(handler, '/readyz', { method: 'HEAD' }),
    ])
      expect(access(answer)).toEqual(any);
    const limited = await askPool(handlerWith({ rateLimiter: () => ({ retryAfterSeconds: 3 }) }), page);
    const broken = await askPool(handlerWithoutNode(), page);
    expect([limited.status, access(limited)]).toEqual([429, any]);
    expect([broken.status, access(broken)]).toEqual([502, any]);
  });

  test.each([
    [ORIGIN, true],
    ['http://localhost:5173', true],
    ['https://other.example', false],
    ['https://app.example.evil.example', false],
    ['https://APP.example', false],
    ['http://app.example', false],
    ['null', false],
    // A caller that is not a page.
    [undefined, false],
  ])('a list with %s: %s, and vary for caches', async (origin, isListed) => {
    const listed = handlerWith({ cors: [ORIGIN, 'http://localhost:5173'] });
    const headers: HeaderFields = origin === undefined ? {} : { origin };
    const allowed = isListed ? { 'access-control-allow-origin': origin, ...EXPOSED } : {};
    const expected = { ...allowed, vary: 'origin' };
    // It is answered: only a browser keeps the answer from the page.
    const answer = await askPool(listed, headers);
    expect([answer.status, access(answer)]).toEqual([200, expected]);
    expect(access(await get(listed, '/nowhere', headers))).toEqual(expected);
    const vary = 'accept-encoding, origin';
    expect(access(await get(listed, '/openapi.json', headers))).toEqual({ ...allowed, vary });
    if (origin === undefined) return;
    expect(access(await preflight(listed, '/quote/buy', headers))).toMatchObject(expected);
  });

  test('false: no page, whatever it says', async () => {
    const closed = handlerWith({ cors: false });
    expect(access(await askPool(closed, page))).toEqual({});
    for (const path of ['/', '/nowhere']) expect(access(await get(closed, path, page))).toEqual({});
    for (const [path, allow] of [
      ['/quote/buy', 'POST'],
      ['/healthz', 'GET, HEAD'],
    ] as const) {
      const refused = await preflight(closed, path);
      expect(summary(refused)).toBe('405 method-not-allowed');
      expect(refused.headers.get('allow')).toBe(allow);
      expect(access(refused)).toEqual({});
    }
  });

  test.each<[methods: string, paths: readonly string[]]>([
    ['POST', API_PATHS],
    ['GET, HEAD', DOCUMENT_PATHS],
  ])('a preflight lists what a path accepts: %s', async (methods, paths) => {
    for (const path of paths) {
      const answer = await preflight(handler, path);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(access(answer)).toEqual({
        ...any,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': 'content-type, x-request-id',
        'access-control-max-age': '86400',
      });
    }
    // No request to the node, and no error.
    expect(reads()).toEqual([]);
    const noted = events.map(({ method, status, code }) => [method, status, code]);
    expect(noted).toEqual(paths.map(() => ['OPTIONS', 204, undefined]));
  });

  test('a preflight lists the headers that the operator allows too', async () => {
    const given = handlerWith({ allowHeaders: ['Authorization', 'x-api-key', 'content-type'] });
    expect((await preflight(given, '/quote/buy')).headers.get('access-control-allow-headers')).toBe(
      'content-type, x-request-id, authorization, x-api-key',
    );
    for (const allowHeaders of ['authorization', [''], ['a b'], ['a\r\nb'], ['a,b'], [7]])
      expect(() => handlerWith({ allowHeaders } as never)).toThrow(heavenError('invalid-input'));
  });

  test('a preflight for an unknown path', async () => {
    const answer = await preflight(handler, '/nowhere');
    expect(summary(answer)).toBe('404 unknown-path');
    expect(access(answer)).toEqual(any);
    expect(onlyEvent()).toMatchObject({ method: 'OPTIONS', path: 'unknown', status: 404 });
  });
});

describe('request ids', () => {
  const idOf = (answer: Answer) => answer.headers.get('x-request-id');

  test.each(['a', 'A-z_0.9:x', 'x'.repeat(64), '__proto__'])('keeps %.20s', async (id) => {
    const headers = { ...JSON_TYPE, 'x-request-id': id };
    for (const [path, init] of [
      ['/healthz', { headers }],
      ['/nowhere', { headers }],
      ['/quote/buy', { method: 'OPTIONS', headers }],
      ['/quote/buy', { method: 'POST', headers, body: '{' }],
      ['/data/pool-state', posting(poolRequest(), headers)],
    ] as const)
      expect(idOf(await send(handler, path, init))).toBe(id);
    expect(events.map(({ requestId }) => requestId)).toEqual(Array(5).fill(id));
  });

  test.each([
    ['none', undefined],
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['a comma, of two headers', 'a, b'],
    ['an escape', '\u001b[31mred'],
    ['beyond ASCII', 'ä'],
    ['markup', '<b>'],
  ])('replaces %s', async (_, id) => {
    const given: HeaderFields = id === undefined ? {} : { 'x-request-id': id };
    const answers = [await get(handler, '/healthz', given), await get(handler, '/nowhere', given)];
    const ids = answers.map(idOf);
    for (const each of ids) expect(each).toMatch(OWN_ID);
    expect(new Set(ids).size).toBe(2);
    expect(events.map(({ requestId }) => requestId)).toEqual(ids);
    if (id)
      for (const { text, headers } of answers) expect(text + JSON.stringify([...headers])).not.toContain(id);
  });
});

describe('observe', () => {
  test('of an answer', async () => {
    const started = performance.now();
    const request = new Request('http://service/quote/buy?a=/quote/sell', posting(quoteRequest()));
    const answer = await handler(request, { clientAddress: '192.0.2.7' });
    const took = performance.now() - started;
    expect(answer.status).toBe(200);
    const event = onlyEvent();
    expect(event).toStrictEqual({
      requestId: answer.headers.get('x-request-id'),
      method: 'POST',
      path: '/quote/buy',
      status: 200,
      durationMs: expect.any(Number),
      clientAddress: '192.0.2.7',
    });
    expect(event.durationMs).toBeGreaterThanOrEqual(0);
    expect(event.durationMs).toBeLessThanOrEqual(took);
  });

  test.each(['/nowhere', '/quote/buy/', '/__proto__', '/metrics', `/${'x'.repeat(3000)}`, '/%0a%0dlog'])(
    'reports %.40s as unknown',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) await send(handler, path, { method });
      expect(events.map(({ path: noted, status, code }) => [noted, status, code])).toEqual(
        Array(4).fill(['unknown', 404, 'unknown-path']),
      );
    },
  );

  test('a node that fails: the error is reported too', async () => {
    expect(summary(await askPool(handlerWithoutNode()))).toBe('502 rpc-failed');
    const { error, ...event } = onlyEvent();
    expect(event).toMatchObject({ path: '/data/pool-state', status: 502, code: 'rpc-failed' });
    expect(error).toMatchObject({ code: 'rpc-failed', context: { method: 'getMultipleAccounts' } });
  });

  test('a caller’s address is known only if the server knows it', async () => {
    await get(handler, '/healthz', { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' });
    expect(onlyEvent().clientAddress).toBeUndefined();
  });

  test('by default only errors are written to the console', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const others = (['log', 'info', 'warn', 'debug'] as const).map((name) => vi.spyOn(console, name));
    const good = createHandler({ client: createHeavenClient({ rpc: ledger.rpc }) });
    await askPool(good);
    await post(good, '/data/pool-state', {});
    await get(good, '/nowhere');
    expect(written).not.toHaveBeenCalled();
    await askPool(createHandler({ client: clientOver(failing) }));
    expect(written).toHaveBeenCalledTimes(1);
    expect(String(written.mock.calls[0]?.[0])).toContain('/data/pool-state');
    for (const other of others) expect(other).not.toHaveBeenCalled();
  });
});

describe('a rate limiter', () => {
  type Asked = Parameters<RateLimiter>[0];

  test('receives the caller and the path, and rejects before a body is read', async () => {
    const asked: Asked[] = [];
    const rateLimiter: RateLimiter = (request) => {
      asked.push(request);
      return { retryAfterSeconds: 1 };
    };
    const pull = vi.fn();
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { ...JSON_TYPE, 'x-api-key': 'k' };
    const request = new Request('http://service/quote/buy', streaming(body, { headers }));
    const { status } = await handlerWith({ rateLimiter })(request, { clientAddress: '192.0.2.7' });
    expect(status).toBe(429);
    expect(pull).not.toHaveBeenCalled();
    expect(asked).toEqual([{ path: '/quote/buy', clientAddress: '192.0.2.7', header: expect.any(Function) }]);
    const [{ header }] = asked as [Asked];
    expect([header('x-api-key'), header('x-none') ?? null]).toEqual(['k', null]);
  });

  test.each([
    [-3, '1'],
    [0.001, '1'],
    [1, '1'],
    [1.0001, '2'],
    [3600, '3600'],
  ])('%d seconds to wait are %s', async (retryAfterSeconds, expected) => {
    for (const rateLimiter of [() => ({ retryAfterSeconds }), async () => ({ retryAfterSeconds })]) {
      const answer = await askPool(handlerWith({ rateLimiter }));
      expect(summary(answer)).toBe('429 rate-limited');
      expect(answer.headers.get('retry-after')).toBe(expected);
    }
    expect(reads()).toEqual([]);
    for (const event of events) {
      expect(event).toMatchObject({ status: 429, code: 'rate-limited', path: '/data/pool-state' });
      expect(event).not.toHaveProperty('error');
    }
  });

  test('is called for everything except probes', async () => {
    const asked: string[] = [];
    const rateLimiter: RateLimiter = ({ path }) => {
      asked.push(path);
      return { retryAfterSeconds: 1 };
    };
    const limited = handlerWith({ rateLimiter });
    for (const path of ['/healthz', '/readyz'])
      for (const method of ['GET', 'HEAD']) expect((await send(limited, path, { method })).status).toBe(200);
    expect(asked).toEqual([]);
    for (const path of ['/', '/openapi.json']) expect((await get(limited, path)).status).toBe(429);
    for (const path of API_PATHS) expect((await post(limited, path, {})).status).toBe(429);
    expect(asked).toEqual(['/', '/openapi.json', ...API_PATHS]);
    // Browsers can't wait and try a preflight again.
    expect((await send(limited, '/quote/buy', { method: 'OPTIONS' })).status).toBe(204);
  });

  const refused = 'redis://user:SECRET@10.0.0.5 refused';
  const throwing: RateLimiter = () => {
    throw new Error(refused);
  };
  test.each<[string, RateLimiter]>([
    ['throws', throwing],
    ['rejects', () => Promise.reject(new Error(refused))],
    ['rejects with a string', () => Promise.reject(refused)],
  ])('one that %s is a bug that only the observer sees', async (_, rateLimiter) => {
    const broken = handlerWith({ rateLimiter });
    const answer = await askPool(broken);
    expect(summary(answer)).toBe('500 internal-error');
    expect(answer.text).not.toMatch(/SECRET|redis|10\.0/);
    expect(errorOf(answer)).not.toHaveProperty('details');
    expect(String(onlyEvent().error)).toContain(refused);
    expect((await get(broken, '/healthz')).status).toBe(200);
  });
});

describe('timeoutMs', () => {
  test('a node that does not answer: 504, and the call to it ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const node = createNode(silent);
    const asking = askPool(handlerWith({ client: clientOver(node.transport), timeoutMs: 30 }));
    await until(() => node.calls.length === 1);
    vi.advanceTimersByTime(30);
    const answer = await asking;
    vi.useRealTimers();
    expect(summary(answer)).toBe('504 timeout');
    expect(errorOf(answer).message).toContain('30 ms');
    expect(node.calls[0]?.signal?.aborted).toBe(true);
    const { error, durationMs, ...event } = onlyEvent();
    expect(event).toMatchObject({ status: 504, code: 'timeout', path: '/data/pool-state' });
    expect(error).toBeInstanceOf(Error);
    expect(durationMs).toBe(30);
  });

  test('a launch that waits for its mint: who runs the server reads what to set', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { required } = (await workingRequests(ledger))[paths.buildCreateStandardLiquidityPool]!;
    const mintSigner = vi.fn(() => new Promise<never>(() => {}));
    const launch = objectText(required);
    const answer = post(handlerWith({ mintSigner }), paths.buildCreateStandardLiquidityPool, launch);
    await until(() => mintSigner.mock.calls.length > 0);
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    expect(summary(await answer)).toBe('504 timeout');
    expect((await answer).text).toMatch(/within 30000 ms.* MINTS.* REQUEST_TIMEOUT_MS/);
  });

  test('a body that trickles does not have more time', async () => {
    let isAnswered = false;
    const body = new ReadableStream({
      async pull(stream) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (isAnswered) stream.close();
        else stream.enqueue(new Uint8Array([32]));
      },
    });
    const { status } = await send(handlerWith({ timeoutMs: 60 }), '/quote/buy', streaming(body));
    isAnswered = true;
    expect(status).toBe(408);
  });

  test('a caller that leaves before its request has arrived', async () => {
    const controller = new AbortController();
    const body = new ReadableStream({ pull: () => controller.abort() }, { highWaterMark: 0 });
    const init = streaming(body, { signal: controller.signal });
    expect(summary(await send(handler, '/quote/buy', init))).toBe('499 aborted');
  });

  test('applies to documents and limiters too', async () => {
    const never = () => new Promise<never>(() => {});
    const slow = handlerWith({ timeoutMs: 20, documents: { '/slow': never } });
    expect(summary(await get(slow, '/slow'))).toBe('504 timeout');
    const limited = handlerWith({ timeoutMs: 20, rateLimiter: never });
    expect(summary(await askPool(limited))).toBe('504 timeout');
  });

  test('a caller that disconnects is recorded, and is not an error', async () => {
    const node = createNode(silent);
    const controller = new AbortController();
    const init = { ...posting(poolRequest()), signal: controller.signal };
    const waiting = send(handlerWith({ client: clientOver(node.transport) }), '/data/pool-state', init);
    await expect.poll(() => node.calls).toHaveLength(1);
    controller.abort();
    expect((await waiting).status).toBe(499);
    expect(node.calls[0]?.signal?.aborted).toBe(true);
    expect(onlyEvent()).toMatchObject({ status: 499, code: 'aborted' });
    expect(onlyEvent()).not.toHaveProperty('error');
  });
});

test('each path, for a program that none of several clients serves: 422', async () => {
  const other = await createEmbeddedLedger({ programAddress: OTHER_PROGRAM });
  const deployment = { programAddress: OTHER_PROGRAM };
  const both = handlerWith({
    client: [createHeavenClient({ rpc: ledger.rpc }), createHeavenClient({ rpc: other.rpc, deployment })],
  });
  const requests = await workingRequests(ledger);
  const before = [reads().length, other.requests.length];
  for (const [path, { required }] of Object.entries(requests)) {
    const answer = await post(both, path, objectText(required).replaceAll(PROGRAM, STRANGE_PROGRAM));
    expect(answer.status, path).toBe(422);
    const isTrade = /^\/tx\/(pro\/)?(buy|sell)$/.test(path);
    const { code, details, message } = errorOf(answer);
    expect(details?.field, path).toBe(isTrade ? 'quote_response.program_id' : 'program_id');
    expect(message, path).toContain(STRANGE_PROGRAM);
    if (isTrade) continue;
    for (const served of [PROGRAM, OTHER_PROGRAM]) expect(details?.expected, path).toContain(served);
    expect(code, path).toBe('unknown-program-id');
  }
  const quoted = objectText({ ...requests['/tx/buy']!.required, program_id: `"${OTHER_PROGRAM}"` });
  const error = errorOf(await post(both, '/tx/buy', quoted));
  expect(error).toMatchObject({ code: 'quote-mismatch', details: { field: 'quote_response.program_id' } });
  // Nothing was read for any of them.
  expect([reads().length, other.requests.length]).toEqual(before);
});

test('a client that is none is rejected at once', () => {
  const { rpc } = ledger;
  for (const client of [undefined, rpc, {}, [], [createHeavenClient({ rpc }), {}]])
    expect(() => createHandler({ client } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-input', context: { field: 'client' } }),
    );
});

describe('documents', () => {
  const headers = { 'content-type': 'text/plain', 'x-own': '1' };

  test('are read with GET and HEAD', async () => {
    let made = 0;
    const given = handlerWith({
      documents: {
        '/metrics': () => ({ headers, body: `requests ${++made}\n` }),
        '/later': async () => ({ status: 203, headers, body: 'later' }),
      },
    });
    const first = await get(given, '/metrics?x=1');
    expect([first.status, first.text]).toEqual([200, 'requests 1\n']);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      ...headers,
      'x-request-id': expect.any(String),
    });
    expect((await get(given, '/metrics')).text).toBe('requests 2\n');
    const later = await get(given, '/later');
    expect([later.status, later.text]).toEqual([203, 'later']);
    const head = await send(given, '/later', { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('x-own')]).toEqual([203, '', '1']);
    const noted = events.map(({ path, status }) => `${path} ${status}`);
    expect(noted).toEqual(['/metrics 200', '/metrics 200', '/later 203', '/later 203']);
  });

  test.each(['/metric%73', '/%6Detrics', '/metrics%3F', '/Metrics', '/metrics/', '//metrics'])(
    'are at their exact path: %s is unknown',
    async (path) => {
      const given = handlerWith({ documents: { '/metrics': () => ({ headers, body: 'secret' }) } });
      expect((await get(given, path)).status).toBe(404);
    },
  );

  test('one that rejects is a bug', async () => {
    const broken = () => Promise.reject(new Error('of /srv/SECRET'));
    const answer = await get(handlerWith({ documents: { '/broken': broken } }), '/broken');
    expect(summary(answer)).toBe('500 internal-error');
    expect(answer.text).not.toContain('SECRET');
    expect(onlyEvent()).toMatchObject({ path: '/broken', status: 500, error: { message: 'of /srv/SECRET' } });
  });
});

describe('health', () => {
  /** The status and the body of an answer that is JSON, and is never cached. */
  const freshJson = ({ status, text, headers }: Answer): readonly unknown[] => {
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('no-store');
    return [status, JSON.parse(text)];
  };

  test('/healthz is about this process alone', async () => {
    for (const given of [handler, handlerWithoutNode()])
      expect(freshJson(await get(given, '/healthz'))).toEqual([200, { status: 'ok' }]);
    expect(reads()).toEqual([]);
  });

  test('/readyz reads from the node', async () => {
    expect(freshJson(await get(handler, '/readyz'))).toEqual([200, { status: 'ready' }]);
    expect(reads()).toHaveLength(1);
  });

  test('/readyz reads once for all who ask at the same time or within a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const ask = async () => (await get(handler, '/readyz')).status;
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(200));
    vi.advanceTimersByTime(999);
    expect([await ask(), reads().length]).toEqual([200, 1]);
    vi.advanceTimersByTime(1);
    expect([await ask(), reads().length]).toEqual([200, 2]);
    vi.useRealTimers();
  });

  const answering =
    (answer: object) =>
    async ({ payload: { id } }: Call) => ({ jsonrpc: '2.0', id, ...answer });
  const behind = { code: -32005, message: 'Node is behind https://node.example/SECRET' };
  test.each<[string, transport: unknown, string, timeoutMs?: number]>([
    ['can not be reached', failing, 'rpc-failed'],
    ['refuses', answering({ error: behind }), 'rpc-failed'],
    ['gives nothing', answering({ result: null }), 'rpc-invalid-response'],
    ['does not answer', silent, 'rpc-timeout', 30],
  ])('/readyz, when the node %s: 503', async (_, transport, code, timeoutMs) => {
    const given = handlerWith({ client: clientOver(transport, timeoutMs) });
    const full = await get(given, '/readyz');
    expect(freshJson(full)).toEqual([503, { status: 'not-ready', code }]);
    const head = await send(given, '/readyz', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 503, text: '' });
    for (const { text, headers } of [full, head])
      expect(text + JSON.stringify([...headers])).not.toMatch(/SECRET|node\.example|https?:/);
    expect(events.map(({ path, status }) => [path, status])).toEqual(Array(2).fill(['/readyz', 503]));
    expect((await get(given, '/healthz')).status).toBe(200);
  });

  test('/readyz says within two seconds that all nodes hang', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const answer = get(handlerWith({ client: clientOver(silent) }), '/readyz');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(freshJson(await answer)).toEqual([503, { status: 'not-ready', code: 'rpc-timeout' }]);
    vi.useRealTimers();
  });

  test('/readyz, when one of several nodes fails: 503', async () => {
    const client = [createHeavenClient({ rpc: ledger.rpc }), clientOver(failing)];
    const answer = await get(handlerWith({ client }), '/readyz');
    expect(freshJson(answer)).toEqual([503, { status: 'not-ready', code: 'rpc-failed' }]);
  });
});

test.each(['/', '/openapi.json'])('%s is compressed for who accepts that, and sent once', async (path) => {
  const plain = await get(handler, path);
  const ask = (headers: HeaderFields) => handler(new Request(`http://service${path}`, { headers }));
  for (const accepted of ['gzip, br', 'br;q=1.0, GZIP;q=0.05']) {
    const answer = await ask({ 'accept-encoding': accepted });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    const bytes = await answer.arrayBuffer();
    expect(bytes.byteLength).toBeLessThan(plain.text.length / 4);
    expect(gunzipSync(bytes).toString()).toBe(plain.text);
  }
  for (const accepted of ['', 'br', 'gzip;q=0', 'gzip; q=0.00, br'])
    expect((await ask({ 'accept-encoding': accepted })).headers.get('content-encoding')).toBe(null);
  const tag = plain.headers.get('etag') ?? '';
  expect(tag).toMatch(/^W\/"\S{44}"$/);
  const again = await get(handler, path, { 'if-none-match': `"x", ${tag}` });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
  expect(access(again)).toEqual(access(plain));
  expect((await get(handler, path, { 'if-none-match': 'W/"x"' })).status).toBe(200);
  expect(events.filter(({ status }) => status === 304)).toHaveLength(1);
});

describe('the page', () => {
  let page: string;
  beforeEach(async () => {
    page = (await get(handler, '/')).text;
  });

  test('loads nothing from elsewhere, and runs its own script only', () => {
    expect(page.match(/<script\b[^>]*>/g)).toEqual(['<script>']);
    expect(page.match(/<link\b[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
    expect(page).not.toMatch(/\son[a-z]+\s*=|@import|javascript:|http-equiv|innerHTML/i);
  });

  test('has a content security policy that allows its own script and style, by hash', async () => {
    const { headers, text } = await get(handler, '/?utm=1');
    expect(text).toBe(page);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy') ?? '';
    const hashed = async (element: string) => {
      const [, own] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(own));
      return `${element}-src 'sha256-${Buffer.from(digest).toString('base64')}'`;
    };
    expect(policy.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'img-src data:',
      await hashed('script'),
      await hashed('style'),
    ]);
  });
});

test('/rpc answers JSON-RPC if the operator serves an embedded ledger', async () => {
  const given = handlerWith({ ledger });
  const ask = async (body: string) => (await post(given, '/rpc', body)).text;
  expect(await ask('{"jsonrpc":"2.0","id":"a","method":"getHealth"}')).toBe(
    '{"jsonrpc":"2.0","result":"ok","id":"a"}',
  );
  expect(await ask('{"jsonrpc":"2.0","method":"getSlot"}')).toBe('');
  expect(readJson(await ask('{'))).toMatchObject({ error: { message: 'Parse error' }, id: null });
  expect(events.map(({ path, status }) => [path, status])).toEqual(Array(3).fill(['/rpc', 200]));
  const allowed = await send(given, '/rpc', { method: 'OPTIONS' });
  expect(allowed.headers.get('access-control-allow-headers')).toBe('*');
  expect(summary(await get(given, '/rpc'))).toBe('405 method-not-allowed');
  expect(summary(await post(handler, '/rpc', '{}'))).toBe('404 unknown-path');
});

test('every answer of an embedded ledger says what it is, and no other one does', async () => {
  const answersOf = async (given: Handler) => [
    await askPool(given),
    await post(given, '/quote/buy', '{'),
    await get(given, '/nowhere'),
    await get(given, '/openapi.json'),
    await post(given, '/rpc', '{"jsonrpc":"2.0","id":1,"method":"getHealth"}'),
    await send(given, '/quote/buy', { method: 'OPTIONS' }),
    await get(given, '/readyz'),
  ];
  const sourceOf = ({ headers }: Answer) => headers.get('x-heaven-ledger');
  const embedded = await answersOf(handlerWith({ ledger }));
  expect(embedded.map(sourceOf)).toEqual(Array(7).fill('embedded'));
  expect(JSON.parse(embedded.at(-1)!.text)).toEqual({ status: 'ready', ledger: 'embedded' });
  expect((await answersOf(handler)).map(sourceOf)).toEqual(Array(7).fill(null));
});

test('mounted in an app of the user, it answers below its path', async () => {
  const app = new Hono().mount('/heaven', handler.fetch);
  const mounted = await app.request('/heaven/quote/buy', posting(quoteRequest()));
  expect(mounted.status).toBe(200);
  expect(await mounted.text()).toBe((await post(handler, '/quote/buy', quoteRequest())).text);
  expect((await app.request('/heaven/healthz')).status).toBe(200);
  expect((await app.request('/heaven/nowhere')).status).toBe(404);
  expect((await app.request('/quote/buy', posting(quoteRequest()))).status).toBe(404);
  expect(events.map(({ path }) => path)).toEqual(['/quote/buy', '/quote/buy', '/healthz', 'unknown']);
});

test.each([...DOCUMENT_PATHS, '/nowhere', '/quote/buy'])('HEAD %s is GET without the body', async (path) => {
  const headers = { 'x-request-id': 'same' };
  const head = await send(handler, path, { method: 'HEAD', headers });
  const full = await get(handler, path, headers);
  expect([head.status, head.text]).toEqual([full.status, '']);
  expect(full.text).not.toBe('');
  expect([...head.headers]).toEqual([...full.headers]);
  expect(events.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
});
