import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { stringify } from 'lossless-json';
import { describe, expect, inject, test } from 'vitest';

import { CATCH_ALL } from '../support/amounts.js';
import { createEngines } from './engines.js';
import {
  type Answer,
  clientOver,
  errorOf,
  fieldsOf,
  objectText,
  ok,
  post,
  readJson,
  send,
  serviceOver,
} from './support.js';

// Bodies that are no request, and nodes that fail. What a node may say is in tests/hostile/nodes.test.ts.

const JSON_TYPE = { 'content-type': 'application/json' };
const { client, handler, working } = await createEngines();
const PATHS = ['/data/pool-state', '/quote/buy', '/tx/sell'];
const request = (path: string) => objectText(working[path]!.required);

/** An answer that must be an error: its status, its code, and the fields it names. */
function summary(answer: Answer) {
  const error = errorOf(answer);
  return { status: answer.status, code: error.code, fields: fieldsOf(error) };
}

describe('invalid requests', () => {
  test.each([
    ['GET', '/quote/buy'],
    ['PUT', '/quote/buy'],
    ['HEAD', '/quote/sell'],
  ])('%s %s: 405, and what is allowed', async (method, path) => {
    const answer = await send(handler, path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    if (method === 'HEAD') expect(answer.text).toBe('');
    else expect(errorOf(answer)).toMatchObject({ code: 'method-not-allowed' });
  });

  test.each(['//', '/quote%2Fbuy', '/quote/%zz', '/constructor', '/<script>alert(1)</script>'])(
    '%.30s: 404',
    async (path) => {
      expect(summary(await post(handler, path, '{}'))).toMatchObject({
        status: 404,
        code: 'unknown-path',
      });
      expect((await send(handler, path, { method: 'GET' })).status).toBe(404);
    },
  );

  test.each([
    ['text/plain'],
    ['application/jsonp'],
    ['application/xml; x=application/json'],
    [' '],
    [undefined],
  ])('content type %s: 415', async (type) => {
    const answer = await send(handler, '/quote/buy', {
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body: new TextEncoder().encode(request('/quote/buy')),
    });
    expect(summary(answer)).toMatchObject({ status: 415, code: 'unsupported-media-type' });
  });

  test.each(['application/json', 'application/json;charset=UTF-8', 'Application/JSON ; charset="utf-8"'])(
    'content type %s: accepted',
    async (type) => {
      const answer = await send(handler, '/quote/buy', {
        method: 'POST',
        headers: { 'content-type': type },
        body: request('/quote/buy'),
      });
      expect(answer.status).toBe(200);
    },
  );

  const MALFORMED: readonly [name: string, make: (text: string) => string][] = [
    ['nothing', () => ''],
    ['words', () => 'not json'],
    ['truncated', (text) => text.slice(0, -1)],
    ['something behind it', (text) => `${text}x`],
    ['a raw control character', (text) => text.replace('mint', 'mi\u0001nt').replace('payer', 'pay\ner')],
    ['a key twice, different', (text) => text.replace('{', '{"program_id":"x","program_id":"y",')],
    ['NUL bytes', (text) => `\0${text}`],
    ['nested too deeply', () => '['.repeat(16_000)],
  ];
  test.each(MALFORMED)('%s: 400', async (_, make) => {
    for (const path of PATHS) {
      const answer = await post(handler, path, make(request(path)));
      expect(summary(answer)).toEqual({ status: 400, code: 'malformed-json', fields: [] });
    }
  });

  test('bytes that are not UTF-8: 400', async () => {
    for (const path of PATHS) {
      const [start = '', end = ''] = request(path).split(/(?<=":")/);
      const bytes = new Uint8Array([...Buffer.from(start), 0xe9, ...Buffer.from(end)]);
      const answer = await send(handler, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bytes,
      });
      expect(summary(answer)).toEqual({ status: 400, code: 'malformed-json', fields: [] });
      expect(answer.text).toContain('UTF-8');
    }
  });

  const MEGABYTES = 10 << 20;
  const declaring = (length: string, body: string) => () => ({
    body,
    headers: { ...JSON_TYPE, 'content-length': length },
  });
  const DECLARED: readonly [string, () => RequestInit][] = [
    ['a declared length', declaring(String(MEGABYTES), '{}')],
    ['text that is declared as short', declaring('2', ' '.repeat(MEGABYTES))],
    ['text without a length', declaring('many', ' '.repeat(MEGABYTES))],
  ];
  test.each<[string, () => RequestInit]>([
    ['text', () => ({ body: ' '.repeat(MEGABYTES) })],
    // Over a socket the engine's own client refuses to lie about the length.
    ...(inject('engine') === 'handler' ? DECLARED : []),
    [
      'a stream that never ends',
      () => ({
        body: new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1 << 16)) }),
        duplex: 'half',
      }),
    ],
  ])('10 MB as %s: 413', async (_, init) => {
    const answer = await send(handler, '/tx/buy', { method: 'POST', headers: JSON_TYPE, ...init() });
    expect(summary(answer)).toMatchObject({ status: 413, code: 'body-too-large' });
  });

  test('the limit is exact to the byte, and can be set', async () => {
    const body = request('/quote/buy');
    const declared = { ...JSON_TYPE, 'content-length': String(body.length) };
    for (const [spare, status] of [
      [0, 200],
      [-1, 413],
    ] as const) {
      const { handler } = serviceOver(client, { maxBodyBytes: body.length + spare });
      for (const headers of inject('engine') === 'handler' ? [JSON_TYPE, declared] : [JSON_TYPE])
        expect((await send(handler, '/quote/buy', { method: 'POST', headers, body })).status).toBe(status);
    }
  });
});

test('the longest honest request fits, indented too', async () => {
  const fees = { buy_fee_bps: 5_000, sell_fee_bps: 5_000 };
  const brackets = [1n, 2n, 3n, 4n].map((index) => ({
    market_cap_upper_bound: String(CATCH_ALL - 4n + index),
    ...fees,
  }));
  const slots = Array.from({ length: 42 }, (_, index) => ({
    slot_offset_upperbound: 10_000 + index,
    ...fees,
  }));
  const { required, optional } = working['/tx/pro/create']!;
  const request = {
    ...readJson(objectText({ ...required, ...optional })),
    transaction_version: 1,
    creator_trading_fee: brackets,
    reflection_trading_fee: brackets,
    liquidity_provider_trading_fee: brackets,
    creator_slot_trading_fee: { brackets: slots, max_slot_offset: 10_041, max_fee_bps: 5_000, enabled: true },
  };
  const body = stringify(request, undefined, 2)!;
  expect(body.length).toBeGreaterThan(7_000);
  await ok(handler, '/tx/pro/create', body);
});

test("event data that can't be encoded is too large, not an internal error", async () => {
  const large = serviceOver(client, { maxBodyBytes: 1_000_000 });
  const fields = { ...working['/tx/sell']!.required };
  fields.encoded_user_defined_event_data = JSON.stringify('x'.repeat(70_000));
  const answer = await post(large.handler, '/tx/sell', objectText(fields));
  expect([answer.status, errorOf(answer).code]).toEqual([422, 'transaction-too-large']);
});

describe('a node that fails', () => {
  const SECRET = 'secret-api-key';

  /** Every path, against a client; what each of them answers. */
  const answersOf = async (client: Parameters<typeof serviceOver>[0]) => {
    const { handler, reported } = serviceOver(client);
    const answers = await Promise.all(PATHS.map((path) => post(handler, path, request(path))));
    for (const { text } of answers) expect(text).not.toContain(SECRET);
    expect(new Set(reported.map(({ path }) => path)), 'the operator is told').toEqual(new Set(PATHS));
    expect(reported).toHaveLength(PATHS.length);
    return answers;
  };
  const expectAll = async (
    client: Parameters<typeof serviceOver>[0],
    expected: { readonly status: number; readonly code: string },
  ) => {
    const answers = await answersOf(client);
    expect(answers.map((answer) => ({ status: answer.status, code: errorOf(answer).code }))).toEqual(
      PATHS.map(() => expected),
    );
    return answers;
  };

  test.each([
    [500, 'rpc-failed', undefined, null],
    [403, 'rpc-failed', undefined, null],
    [429, 'rpc-rate-limited', '7', '7'],
    [429, 'rpc-rate-limited', '0.5', '1'],
    [429, 'rpc-rate-limited', undefined, '1'],
    [429, 'rpc-rate-limited', 'Wed, 21 Oct 2026 07:28:00 GMT', '1'],
  ])(
    'HTTP %i of a node: %s, with retry-after %j passed on as %j',
    async (statusCode, code, given, passedOn) => {
      const headers = new Headers(given === undefined ? {} : { 'retry-after': given });
      const context = { statusCode, headers, message: `down: ${SECRET}` };
      const failing = () => Promise.reject(new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, context));
      const answers = await expectAll(clientOver(failing), { status: 502, code });
      expect(answers.map((answer) => answer.headers.get('retry-after'))).toEqual(PATHS.map(() => passedOn));
    },
  );

  test('a transport that never answers, and ignores its signal', async () => {
    const answers = await expectAll(
      clientOver(() => new Promise(() => {}), 20),
      { status: 504, code: 'rpc-timeout' },
    );
    for (const answer of answers) expect(errorOf(answer).details).toMatchObject({ timeout_ms: 20 });
  });

  const fail = (error: unknown) => () => {
    throw error;
  };
  const SECRET_ERROR = Object.assign(new Error(`connect ECONNREFUSED http://127.0.0.1:8899/${SECRET}`), {
    code: 'ECONNREFUSED',
  });
  test.each<[string, () => unknown]>([
    ['an error', fail(SECRET_ERROR)],
    ['a string', () => Promise.reject(SECRET)],
    ['undefined', fail(undefined)],
  ])('a transport that throws %s', async (_, transport) => {
    await expectAll(clientOver(transport), { status: 502, code: 'rpc-failed' });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a null value', { jsonrpc: '2.0', id: '1', result: { value: null } }],
    ['a JSON-RPC error', { jsonrpc: '2.0', id: '1', error: { code: -32_005, message: `http://${SECRET}` } }],
    ['an error of another shape', { jsonrpc: '2.0', id: '1', error: `http://${SECRET}` }],
  ])('an answer that is garbage: %s', async (_, answer) => {
    for (const each of await answersOf(clientOver(async () => answer))) {
      expect(each.status).toBe(502);
      expect(['rpc-failed', 'rpc-invalid-response']).toContain(errorOf(each).code);
    }
  });
});
