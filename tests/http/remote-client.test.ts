import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';

import { parse } from 'lossless-json';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createHandler,
  createRemoteClient,
  type RemoteClient,
  type RemoteClientConfig,
} from '../../src/http/index.js';
import {
  type AnyHeavenError,
  createHeavenClient,
  createLocalClient,
  explainError,
  type HeavenErrorCode,
  isHeavenError,
} from '../../src/index.js';
import { type OperationName, paths } from '../../src/operations/index.js';
import { HEAVEN_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { WALLET } from '../golden/scene.js';
import { U64_MAX } from '../support/amounts.js';
import { settle, turn } from '../support/clock.js';
import { expectRefusal, heavenError, refusalOf } from '../support/errors.js';
import { createEngines, inputOf, OPERATIONS } from './engines.js';
import { objectText } from './support.js';

// What the remote client alone does: it asks again, gives up, writes requests and reads answers. `every-operation.test.ts` compares it
// with the functions, and `tests/hostile` has the services that lie.

const engines = await createEngines();
const { ledger, localClient, remoteClient, client } = engines;
const working = (name: OperationName) => inputOf(name, engines.working[paths[name]]!.required);

type Fields = Readonly<Record<string, unknown>>;

/** A function with whatever input. */
const call = (heaven: RemoteClient, name: OperationName, input: unknown): Promise<unknown> =>
  (heaven[name] as (input: unknown) => Promise<unknown>)(input);

// ---------------------------------------------------------------- a fake service

/** A fake service: what it was asked, and what it answers. */
interface FakeService {
  readonly fetch: typeof fetch;
  readonly requests: { readonly url: string; readonly init: RequestInit; readonly at: number }[];
}

type Reply = (init: RequestInit) => Response | Promise<Response>;

/** Answers in turn; the last answer is repeated. */
function fakeService(...replies: readonly Reply[]): FakeService {
  const requests: FakeService['requests'] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    requests.push({ url: String(url), init, at: Date.now() });
    return await replies[Math.min(requests.length, replies.length) - 1]!(init);
  };
  return { fetch: fetch as typeof globalThis.fetch, requests };
}

const reply =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
const refusal = (status: number, error: unknown, headers: Readonly<Record<string, string>> = {}) =>
  reply(status, { error }, headers);

const QUOTE = {
  config_version: 2,
  max_lamport_spend: 1_500_000_000,
  max_sol_spend: 1.5,
  minimum_out: 5,
  minimum_out_ui: 5e-9,
  mint: WALLET,
  program_id: HEAVEN_PROGRAM_ADDRESS,
  slippage_bps: 50,
};
const QUOTED = {
  configVersion: 2,
  maxLamportSpend: 1_500_000_000n,
  maxSolSpend: 1.5,
  minimumOut: 5n,
  minimumOutUi: 5e-9,
  mint: WALLET,
  programId: HEAVEN_PROGRAM_ADDRESS,
  slippageBps: 50,
  details: { warnings: [{ code: 'unchecked-minimum', message: expect.any(String) }] },
};
const ASK = { configVersion: 2, mint: WALLET, maxSolSpend: '1.5', slippageBps: 50 };
const BASE = 'https://heaven.example';

const over = (service: FakeService, config: Partial<RemoteClientConfig> = {}) =>
  createRemoteClient({ baseUrl: BASE, fetch: service.fetch, ...config });

/** Expects an error with exactly this context, and returns it. */
async function expectError(attempt: Promise<unknown>, code: HeavenErrorCode, context: object) {
  const error = await refusalOf(attempt);
  expect([error.code, error.context]).toStrictEqual([code, context]);
  return error;
}

afterEach(() => void vi.restoreAllMocks());

// ---------------------------------------------------------------- attempts

// They come first: the timers of connections that others have opened would be counted with theirs.

describe('a temporary failure', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => void vi.useRealTimers());

  /** Lets time pass for as long as something waits for it. No timer is left. */
  async function outcomeOf(promise: Promise<unknown>) {
    const outcome = await settle(promise).then(
      (result) => ({ result, error: undefined }),
      (error: AnyHeavenError) => ({ result: undefined, error }),
    );
    expect(vi.getTimerCount()).toBe(0);
    return outcome;
  }
  const waitsOf = ({ requests }: FakeService) =>
    requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
  const unreachable: Reply = () => Promise.reject(new TypeError('fetch failed'));
  const throwing: Reply = () => {
    throw new TypeError('fetch failed');
  };
  /** Answers when it is given up on, as an engine's fetch does. */
  const silent: Reply = ({ signal }) =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason), { once: true });
    });
  /** An answer of which only the beginning arrives, and then something happens. */
  const beginning = (then: (stream: ReadableStreamDefaultController) => void) => {
    let isBegun = false;
    const pull = (stream: ReadableStreamDefaultController) => {
      if (isBegun) return then(stream);
      isBegun = true;
      stream.enqueue(new TextEncoder().encode('{"config_version":'));
    };
    return new Response(new ReadableStream({ pull }));
  };
  const stalling: Reply = ({ signal }) =>
    beginning((stream) =>
      signal!.addEventListener('abort', () => stream.error(signal!.reason), { once: true }),
    );
  const breaking: Reply = () => beginning((stream) => stream.error(new TypeError('terminated')));
  const good = reply(200, QUOTE);

  test.each<[string, Reply]>([
    ['a network error', unreachable],
    ['a fetch that throws at once', throwing],
    ['a body that breaks off', breaking],
    ['429', reply(429, '')],
    ['502', reply(502, '<html>')],
    ['503', refusal(503, { code: 'not-ready', message: 'm' })],
    ['504', refusal(504, { code: 'timeout', message: 'm' })],
    ['rpc-failed', refusal(502, { code: 'rpc-failed', message: 'm', details: { method: 'm' } })],
    ['rpc-timeout', refusal(504, { code: 'rpc-timeout', message: 'm', details: { method: 'm' } })],
    ['silence', silent],
    ['a body that stalls', stalling],
  ])('by %s is retried', async (_, bad) => {
    for (const before of [1, 2]) {
      const service = fakeService(...Array<Reply>(before).fill(bad), good);
      const { result } = await outcomeOf(over(service).quoteBuy(ASK));
      expect(result).toStrictEqual(QUOTED);
      expect(service.requests).toHaveLength(before + 1);
      expect(new Set(service.requests.map(({ init }) => init.body)).size).toBe(1);
      expect(new Set(service.requests.map(({ init }) => init.signal)).size).toBe(before + 1);
    }
    const service = fakeService(bad);
    const { error } = await outcomeOf(over(service).quoteBuy(ASK));
    expect(isHeavenError(error)).toBe(true);
    expect(service.requests).toHaveLength(3);
  });

  test.each([
    ['400', reply(400, '')],
    ['404', reply(404, '')],
    ['413', reply(413, '')],
    ['422', refusal(422, { code: 'operation-disabled', message: 'm', details: { operation: 'swap' } })],
    ['500', refusal(500, { code: 'internal-error', message: 'm' })],
    ['501', reply(501, '')],
    ['200 and a page', reply(200, '<html>')],
    ['200 and something else', reply(200, {})],
  ])('by %s is not retried', async (_, bad) => {
    const service = fakeService(bad, good);
    const { error } = await outcomeOf(over(service).quoteBuy(ASK));
    expect(isHeavenError(error)).toBe(true);
    expect(service.requests).toHaveLength(1);
  });

  test.each([0, 1, 2, 3])('makes %d retries, and throws the last failure', async (retries) => {
    const service = fakeService(...Array<Reply>(retries).fill(reply(503, '')), unreachable);
    const { error } = await outcomeOf(over(service, { retries }).quoteBuy(ASK));
    expect([error?.code, error?.context]).toStrictEqual(['service-failed', { path: '/quote/buy' }]);
    expect(error?.cause).toMatchObject({ message: 'fetch failed' });
    expect(service.requests).toHaveLength(retries + 1);
  });

  test.each([
    [0, 1],
    [0.999_999, 1.999_999],
  ])('each wait doubles, with a random factor of up to two: %d', async (random, factor) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const service = fakeService(unreachable);
    await outcomeOf(over(service, { retries: 4 }).quoteBuy(ASK));
    expect(waitsOf(service)).toHaveLength(4);
    for (const [index, wait] of waitsOf(service).entries())
      expect(Math.abs(wait - 200 * 2 ** index * factor)).toBeLessThanOrEqual(1);
  });

  test.each([
    ['0', 0],
    ['2.5', 2_500],
    ['10', 10_000],
    // What is no number of seconds: the client's own wait.
    ['soon', 200],
    ['-1', 200],
    ['1, 2', 200],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 200],
  ])('waits for retry-after: %s', async (retryAfter, ms) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const status of [429, 502, 503]) {
      const service = fakeService(reply(status, '', { 'retry-after': retryAfter }), good);
      expect((await outcomeOf(over(service).quoteBuy(ASK))).result).toStrictEqual(QUOTED);
      expect(waitsOf(service)).toEqual([ms]);
    }
  });

  test.each([
    ['11', 11],
    ['1e9', 86_400],
    ['Infinity', 86_400],
  ])('does not wait for retry-after: %s', async (retryAfter, retryAfterSeconds) => {
    const code = 'rate-limited';
    const headers = { 'retry-after': retryAfter, 'x-request-id': 'r-3' };
    const service = fakeService(refusal(429, { code, message: 'm' }, headers), good);
    const { error } = await outcomeOf(over(service).quoteBuy(ASK));
    expect(service.requests).toHaveLength(1);
    const context = { path: '/quote/buy', status: 429, code, requestId: 'r-3', retryAfterSeconds };
    expect(error?.context).toStrictEqual(context);
    expect(explainError(error).message).toBe(
      `The service is busy. Try again in ${retryAfterSeconds} seconds.`,
    );
  });

  test.each([
    ['silent', silent, {}, 30_000],
    ['stalling', stalling, {}, 30_000],
    ['silent', silent, { timeoutMs: 50 }, 50],
  ])('each attempt at a %s service has its own timeoutMs', async (_, slow, config, allowed) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const service = fakeService(slow);
    const started = Date.now();
    const { error } = await outcomeOf(over(service, config).quoteBuy(ASK));
    expect(Date.now() - started).toBe(3 * allowed + 200 + 400);
    expect(error).toMatchObject({ code: 'service-failed', context: { path: '/quote/buy' } });
    for (const { init } of service.requests) expect(init.signal?.aborted).toBe(true);
  });

  test.each<[string, replies: readonly Reply[], afterMs: number, asked: number]>([
    ['in flight', [silent], 0, 1],
    ['while its body comes', [stalling], 0, 1],
    ['in its second attempt', [reply(503, '', { 'retry-after': '0' }), silent], 1, 2],
    ['while it waits', [reply(503, '')], 100, 1],
    ['while it waits as long as it is told', [reply(503, '', { 'retry-after': '5' })], 100, 1],
  ])('can be aborted %s', async (_, replies, afterMs, asked) => {
    const controller = new AbortController();
    const service = fakeService(...replies);
    const promise = over(service).quoteBuy({ ...ASK, abortSignal: controller.signal });
    promise.catch(() => {});
    await turn();
    await vi.advanceTimersByTimeAsync(afterMs);
    await turn();
    expect(service.requests).toHaveLength(asked);
    controller.abort(new Error('enough'));
    const { error } = await outcomeOf(promise);
    expect([error?.code, error?.context]).toEqual(['aborted', { method: '/quote/buy' }]);
    expect(service.requests).toHaveLength(asked);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('one signal for many calls collects no listeners', async () => {
    const controller = new AbortController();
    const heaven = over(fakeService(unreachable, good));
    const input = { ...ASK, abortSignal: controller.signal };
    await outcomeOf(Promise.all(Array.from({ length: 8 }, () => heaven.quoteBuy(input))));
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const waiting = over(fakeService(silent));
    const all = Promise.allSettled(Array.from({ length: 5 }, () => waiting.quoteBuy(input)));
    await turn();
    controller.abort();
    const { result } = await outcomeOf(all);
    for (const settled of result as PromiseRejectedResult[]) expect(settled.reason.code).toBe('aborted');
  });
});

test('a body over the limit is rejected before its transaction is', async () => {
  const input = { ...working('buildBuy'), encodedUserDefinedEventData: 'x'.repeat(70_000) };
  const context = { path: '/tx/buy', status: 413, code: 'body-too-large', requestId: expect.any(String) };
  await expectError(call(remoteClient, 'buildBuy', input), 'service-failed', context);
});

describe('fields that no request can carry', () => {
  const LOCAL_ONLY: Fields = {
    before: [],
    after: [],
    lifetime: { blockhash: SYSTEM_PROGRAM_ADDRESS, lastValidBlockHeight: 1n },
    dontFront: true,
    snapshot: {},
    mintSigner: async () => engines.mintSigner,
  };
  test.each(Object.keys(LOCAL_ONLY))('rejects %s, unless undefined', async (field) => {
    for (const name of ['buildBuy', 'buildCreateStandardLiquidityPool'] as const) {
      const before = ledger.requests.length;
      const value = LOCAL_ONLY[field];
      const input = { ...working(name), [field]: value };
      const inWords = Array.isArray(value) ? 'an array' : 'an object';
      const context = { field, value: typeof value === 'object' ? inWords : value };
      await expectError(call(remoteClient, name, input), 'invalid-input', context);
      expect(ledger.requests).toHaveLength(before);
      await call(remoteClient, name, { ...working(name), [field]: undefined });
    }
  });

  test.each(['maxSolSpent', 'details', '__proto__'])(
    'rejects the unknown field %j, unless undefined',
    async (field) => {
      const input = (value: unknown) =>
        Object.defineProperty({ ...working('quoteBuy') }, field, { value, enumerable: true });
      await expectRefusal(call(remoteClient, 'quoteBuy', input(5)), 'invalid-input', { field });
      await call(remoteClient, 'quoteBuy', input(undefined));
    },
  );
});

// ---------------------------------------------------------------- what is sent, digit by digit

/** What a call sends: of its body, every number still is its text. */
async function sentBy(name: OperationName, input: unknown, config: Partial<RemoteClientConfig> = {}) {
  const service = fakeService(reply(400, ''));
  await refusalOf(call(over(service, config), name, input));
  expect(service.requests).toHaveLength(1);
  const { url, init } = service.requests[0]!;
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = parse(init.body as string, null, (number) => `#${number}`) as Fields;
  return { url, method: init.method, headers, body };
}

describe('a request', () => {
  test('carries native amounts, digit by digit', async () => {
    const { maxSolSpend: _, ...terms } = ASK;
    const buy = await sentBy('quoteBuy', { ...terms, lamports: 1_500_000_001n });
    expect(buy.body.max_lamport_spend).toBe('#1500000001');
    const sell = await sentBy('quoteSell', { ...terms, amountIn: 2n ** 63n });
    expect(sell.body.amount_in).toBe('#9223372036854775808');
    expect([...Object.keys(buy.body), ...Object.keys(sell.body)]).not.toContain('max_sol_spend');
  });

  test('is what the interface documents', async () => {
    expect(await sentBy('quoteBuy', ASK)).toEqual({
      url: 'https://heaven.example/quote/buy',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: {
        program_id: HEAVEN_PROGRAM_ADDRESS,
        config_version: '#2',
        mint: WALLET,
        max_sol_spend: '#1.5',
        slippage_bps: '#50',
      },
    });
  });

  test('sends the pool of a local quote, and no other details', async () => {
    const quoteResponse = await localClient.quoteBuy(working('quoteBuy') as never);
    const { body } = await sentBy('buildBuy', { ...working('buildBuy'), quoteResponse });
    const quote_response = body.quote_response as object;
    expect(quote_response).toHaveProperty('details', { pool: quoteResponse.details.pool });
    expect(Object.keys(quote_response)).toHaveLength(9);
    expect(quote_response).toMatchObject({ minimum_out: `#${quoteResponse.minimumOut}` });
  });

  test('undefined fields and the signal are not sent', async () => {
    const names = ['source', 'computeUnitPrice', 'before', 'wrapSol', 'snapshot', 'anything'];
    const unset = Object.fromEntries(names.map((name) => [name, undefined]));
    const { signal: abortSignal } = new AbortController();
    const { body } = await sentBy('buildBuy', { ...working('buildBuy'), ...unset, abortSignal });
    const sent = Object.keys(body).sort();
    expect(sent).toEqual(['encoded_user_defined_event_data', 'payer', 'quote_response']);
  });

  test.each<[string | number, string]>([
    ['00012.50', '12.50'],
    ['1.50e+01', '1.50e+01'],
    [1e-9, '1e-9'],
    [0.1 + 0.2, '0.30000000000000004'],
  ])('the amount %j is sent as %s', async (initialPurchasePercent, written) => {
    const { body } = await sentBy('quoteInitialBuy', { configVersion: 1, initialPurchasePercent });
    expect(body.initial_purchase_percent).toBe(`#${written}`);
  });

  test.each([
    ['https://heaven.example', 'https://heaven.example/quote/buy'],
    ['https://heaven.example///', 'https://heaven.example/quote/buy'],
    ['https://heaven.example/api/v1/', 'https://heaven.example/api/v1/quote/buy'],
    ['HTTP://heaven.example:8080', 'HTTP://heaven.example:8080/quote/buy'],
  ])('to %s goes to %s', async (baseUrl, url) => {
    expect(await sentBy('quoteBuy', ASK, { baseUrl })).toMatchObject({ url });
  });

  test('with a quote says that its integers have all their digits', async () => {
    const { url } = await sentBy('buildBuy', working('buildBuy'));
    expect(url).toBe(`${BASE}/tx/buy?integers=exact`);
  });

  test('has the headers of the config', async () => {
    const headers = { authorization: 'Bearer hunter2', 'x-api-key': 'k', 'content-type': 'text/plain' };
    const sent = await sentBy('quoteBuy', ASK, { headers });
    expect(sent.headers).toEqual({ ...headers, 'content-type': 'application/json' });
  });

  test('uses the current global fetch unless another is given', async () => {
    const engines = vi.spyOn(globalThis, 'fetch').mockImplementation(fakeService(reply(200, QUOTE)).fetch);
    expect(await createRemoteClient({ baseUrl: BASE }).quoteBuy(ASK)).toStrictEqual(QUOTED);
    expect(engines).toHaveBeenCalledTimes(1);
  });
});

describe('a client rejects', () => {
  test.each([
    ...[undefined, '', 'heaven.example', 'ftp://heaven.example', 'javascript:alert(1)'],
    ...['https:heaven.example', ' https://heaven.example', 'https://user:secret@heaven.example'],
    ...['https://heaven.example?key=1', 'https://heaven.example#top'],
    new URL('https://heaven.example'),
  ])('the base URL %s', (baseUrl) => {
    expect(() => createRemoteClient({ baseUrl } as never)).toThrow(
      expect.objectContaining({ name: 'HeavenError', code: 'invalid-input', context: { field: 'baseUrl' } }),
    );
  });

  test.each([
    { retries: -1 },
    { retries: 101 },
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
    { maxResponseBytes: 0 },
    { maxResponseBytes: 1.5 },
  ])('%j', (config) => {
    const [field] = Object.keys(config);
    const create = () => createRemoteClient({ baseUrl: BASE, ...config });
    expect(create).toThrow(heavenError('invalid-input', { field }));
  });

  test.each(['', 'x', null, 5])('the program %s', (programAddress) => {
    const create = () => createRemoteClient({ baseUrl: BASE, programAddress: programAddress as never });
    const context = { field: 'programAddress', value: programAddress };
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-address', context }));
  });
});

// ---------------------------------------------------------------- what is answered

describe('an answer', () => {
  test('is as exact as it was sent', async () => {
    const text = objectText({
      ...Object.fromEntries(Object.entries(QUOTE).map(([name, value]) => [name, JSON.stringify(value)])),
      max_lamport_spend: '999999999999999999',
      minimum_out: '300000000000000041',
      minimum_out_ui: '0.30000000000000004',
      max_sol_spend: '1.0e9',
    });
    const ask = { ...ASK, maxSolSpend: '999999999.999999999' };
    expect(await over(fakeService(reply(200, text))).quoteBuy(ask)).toStrictEqual({
      ...QUOTED,
      maxLamportSpend: 999_999_999_999_999_999n,
      minimumOut: 300_000_000_000_000_041n,
      minimumOutUi: 0.1 + 0.2,
      maxSolSpend: 1e9,
    });
  });

  test('may have more than is documented, which is dropped', async () => {
    const text = JSON.stringify({ ...QUOTE, details: { x: 1 }, warnings: [], extra: null }).replace(
      '{',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
    );
    const quote = await over(fakeService(reply(200, text))).quoteBuy(ASK);
    expect(quote).toStrictEqual(QUOTED);
    expect(({} as Fields).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(quote)).toBe(Object.prototype);
  });

  test.each(OPERATIONS)('of %s is checked', async (name) => {
    for (const body of [{}, { data: {} }, { tx: 5 }, { tx: null }, []])
      await expectRefusal(call(over(fakeService(reply(200, body))), name, working(name)), 'service-failed');
  });
});

describe('an error of the service', () => {
  const asking = (reply: Reply) => over(fakeService(reply), { retries: 0 }).quoteBuy(ASK);

  // Those of callers' mistakes are compared with the functions' own in tests/golden/refusals.test.ts.
  test.each<[HeavenErrorCode, string, object]>([
    ['insufficient-liquidity', `"requested":${U64_MAX},"available":5`, { requested: U64_MAX, available: 5n }],
    ['rpc-behind', '"method":"m","min_context_slot":5', { method: 'm', minContextSlot: 5n }],
    [
      'rpc-wrong-account',
      '"account":"a","reason":"r","field":"reserve.token_b","found":2,"expected":"at least 3"',
      { account: 'a', reason: 'r', field: 'reserve.tokenB', found: 2n, expected: 'at least 3' },
    ],
    ['rpc-rate-limited', '"method":"m","retry_after_seconds":1.5', { method: 'm', retryAfterSeconds: 1.5 }],
  ])('%s has the kinds of its context', async (code, details, context) => {
    const body = `{"error":{"code":"${code}","message":"m","details":{${details}}}}`;
    await expectError(asking(reply(422, body)), code, context);
  });

  test("of the schema names the first field in the SDK's terms", async () => {
    const fields = [
      { field: 'quote_response.max_lamport_spend', message: 'm' },
      { field: 'mint', message: 'm' },
    ];
    const refused = refusal(400, { code: 'invalid-request', message: 'All of it.', details: { fields } });
    const field = 'quoteResponse.maxLamportSpend';
    expect(await expectError(asking(refused), 'invalid-input', { field })).toMatchObject({
      message: 'All of it.',
    });
  });

  test.each(['rate-limited', 'something-new', '__proto__', 'aborted'])(
    'with the unknown code %j is service-failed',
    async (code) => {
      const said = { code, message: 'It says so.', details: { x: 1 } };
      const refused = refusal(422, said, { 'x-request-id': 'r-1' });
      const context = { path: '/quote/buy', status: 422, code, requestId: 'r-1' };
      const { message } = await expectError(asking(refused), 'service-failed', context);
      expect(message).toContain('It says so.');
    },
  );

  test("contains none of the request's headers", async () => {
    const headers = { authorization: 'Bearer hunter2', 'x-api-key': 'hunter2', cookie: 'session=hunter2' };
    const replies: readonly Reply[] = [
      () => Promise.reject(new TypeError('fetch failed')),
      reply(200, '<html>'),
      reply(200, {}),
      reply(503, ''),
      refusal(429, { code: 'rate-limited', message: 'm' }, { 'retry-after': '100' }),
      refusal(422, { code: 'zero-amount', message: 'm', details: { field: 'x' } }),
      refusal(400, { code: 'invalid-request', message: 'm', details: { fields: [{ field: 'mint' }] } }),
    ];
    const abortSignal = AbortSignal.abort();
    for (const reply of replies) {
      const heaven = over(fakeService(reply), { headers, retries: 0 });
      for (const input of [ASK, { ...ASK, before: [] }, { ...ASK, mint: 'x' }, { ...ASK, abortSignal }]) {
        const error = await refusalOf(call(heaven, 'quoteBuy', input));
        expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hunter2');
      }
    }
  });
});

test('a service serves another deployment beside mainnet’s', async () => {
  const programAddress = WALLET;
  const elsewhere = await createEmbeddedLedger({ programAddress });
  const other = createHeavenClient({ rpc: elsewhere.rpc, deployment: { programAddress } });
  const handler = createHandler({ client: [client, other], observe: () => {} });
  const fetch = async (url: unknown, init?: RequestInit) => await handler(new Request(String(url), init));
  const config = { baseUrl: BASE, fetch: fetch as typeof globalThis.fetch };
  const { mint, configVersion, creator } = elsewhere.pools.creator;
  const ask = { mint, configVersion, maxSolSpend: 1, slippageBps: 50 };
  const remote = createRemoteClient({ ...config, programAddress });
  const quoteResponse = await remote.quoteBuy(ask);
  expect(quoteResponse.programId).toBe(programAddress);
  const input = { payer: creator, quoteResponse, encodedUserDefinedEventData: '' };
  expect((await remote.buildBuy(input)).tx).toBe((await createLocalClient(other).buildBuy(input)).tx);
  expect((await createRemoteClient(config).quoteBuy(ask)).programId).toBe(HEAVEN_PROGRAM_ADDRESS);
  expect((await refusalOf(createLocalClient(client).buildBuy(input))).code).toBe('quote-mismatch');
});
