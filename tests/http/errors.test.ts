import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, inject, test } from 'vitest';

import { createHeavenClient } from '../../src/index.js';
import { WALLET } from '../golden/scene.js';
import { createEngines } from './engines.js';
import {
  type Answer,
  type Call,
  clientOver,
  errorOf,
  fieldsOf,
  objectText,
  post,
  send,
  serviceOver,
} from './support.js';

// Bodies that are no request, and nodes that fail.

const JSON_TYPE = { 'content-type': 'application/json' };
const { client, handler, ledger, working } = await createEngines();
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

  test.each([
    '//',
    '//quote/buy',
    '/quote%2Fbuy',
    '/quote/%zz',
    '/constructor',
    '/<script>alert(1)</script>',
  ])('%.30s: 404', async (path) => {
    expect(summary(await post(handler, path, '{}'))).toMatchObject({
      status: 404,
      code: 'unknown-path',
    });
    expect((await send(handler, path, { method: 'GET' })).status).toBe(404);
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonp'],
    ['application/json-patch+json'],
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

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; charset="utf-8"',
  ])('content type %s: accepted', async (type) => {
    const answer = await send(handler, '/quote/buy', {
      method: 'POST',
      headers: { 'content-type': type },
      body: request('/quote/buy'),
    });
    expect(answer.status).toBe(200);
  });

  const MALFORMED: readonly [name: string, make: (text: string) => string][] = [
    ['nothing', () => ''],
    ['words', () => 'not json'],
    ['truncated', (text) => text.slice(0, -1)],
    ['something behind it', (text) => `${text}x`],
    ['a raw control character', (text) => text.replace('mint', 'mi\u0001nt').replace('payer', 'pay\ner')],
    ['a key twice, different', (text) => text.replace('{', '{"program_id":"x","program_id":"y",')],
    ['NUL bytes', (text) => `\0${text}`],
    ['nested too deeply', () => '['.repeat(60_000)],
    ['closed again, still too deep', () => '['.repeat(30_000) + ']'.repeat(30_000)],
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

  test('100000 levels, if bodies may be that large: 400', async () => {
    const { handler } = serviceOver(client, { maxBodyBytes: 1 << 20 });
    for (const body of ['['.repeat(100_000), '{"a":'.repeat(100_000)]) {
      expect(summary(await post(handler, '/quote/buy', body))).toMatchObject({
        status: 400,
        code: 'malformed-json',
      });
    }
  });

  const MEGABYTES = 10 << 20;
  const DECLARED: [string, () => RequestInit] = [
    'a declared length',
    () => ({ body: '{}', headers: { ...JSON_TYPE, 'content-length': String(MEGABYTES) } }),
  ];
  test.each<[string, () => RequestInit]>([
    ['text', () => ({ body: ' '.repeat(MEGABYTES) })],
    ['bytes', () => ({ body: new Uint8Array(MEGABYTES) })],
    // Over a socket the engine's own client refuses to lie about the length.
    ...(inject('engine') === 'handler' ? [DECLARED] : []),
    ['one long string', () => ({ body: `{"mint":"${'a'.repeat(MEGABYTES)}"}` })],
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
    for (const [spare, status] of [
      [0, 200],
      [-1, 413],
    ] as const) {
      const { handler } = serviceOver(client, { maxBodyBytes: body.length + spare });
      expect((await post(handler, '/quote/buy', body)).status).toBe(status);
    }
  });
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

  describe.skipIf(inject('engine') === 'handler')('over HTTP', () => {
    let node: Server | undefined;
    const listen = async (listener: RequestListener): Promise<string> => {
      const server = createServer(listener);
      node = server;
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}`;
    };
    const stop = async () => {
      const server = node;
      node = undefined;
      if (server === undefined) return;
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    };
    afterEach(stop);

    test.each([
      ['an error', 500],
      ['a refusal', 403],
      ['a gateway’s error', 502],
      ['no such path', 404],
    ])('%s, HTTP %d', async (_, status) => {
      const rpcUrl = await listen((_request, response) => response.writeHead(status).end(`down: ${SECRET}`));
      const answers = await expectAll(createHeavenClient({ rpcUrl }), { status: 502, code: 'rpc-failed' });
      for (const answer of answers) expect(errorOf(answer).details).toMatchObject({ status });
    });

    test.each([
      ['7', '7'],
      ['0.5', '1'],
      [undefined, '1'],
      ['Wed, 21 Oct 2026 07:28:00 GMT', '1'],
    ])('too many requests, retry-after %s', async (given, passedOn) => {
      const rpcUrl = await listen((_request, response) => {
        if (given !== undefined) response.setHeader('retry-after', given);
        response.writeHead(429).end();
      });
      const answers = await expectAll(createHeavenClient({ rpcUrl }), {
        status: 502,
        code: 'rpc-rate-limited',
      });
      expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(PATHS.map(() => passedOn));
    });

    test.each([
      ['HTML', '<!doctype html><title>Welcome</title>'],
      ['nothing', ''],
      ['half an answer', '{"jsonrpc":"2.0","id":"0","result":{'],
    ])('%s', async (_, text) => {
      const rpcUrl = await listen((_request, response) => response.writeHead(200).end(text));
      await expectAll(createHeavenClient({ rpcUrl }), { status: 502, code: 'rpc-failed' });
    });

    test('a connection that breaks', async () => {
      const rpcUrl = await listen((incoming) => incoming.socket.destroy());
      await expectAll(createHeavenClient({ rpcUrl }), { status: 502, code: 'rpc-failed' });
    });

    test('a connection refused', async () => {
      const rpcUrl = await listen(() => {});
      await stop();
      await expectAll(createHeavenClient({ rpcUrl }), { status: 502, code: 'rpc-failed' });
    });

    test('no answer', async () => {
      const rpcUrl = await listen(() => {});
      await expectAll(createHeavenClient({ rpcUrl, timeoutMs: 30 }), { status: 504, code: 'rpc-timeout' });
    });
  });

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
    ['a rejection', () => Promise.reject(SECRET_ERROR)],
    ['a string', fail(SECRET)],
    ['undefined', fail(undefined)],
  ])('a transport that throws %s', async (_, transport) => {
    await expectAll(clientOver(transport), { status: 502, code: 'rpc-failed' });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['text', 'garbage'],
    ['an empty object', {}],
    ['no result', { jsonrpc: '2.0', id: '1' }],
    ['a null result', { jsonrpc: '2.0', id: '1', result: null }],
    ['a null value', { jsonrpc: '2.0', id: '1', result: { value: null } }],
    ['a value that is an object', { jsonrpc: '2.0', id: '1', result: { value: { length: 5 } } }],
    ['a JSON-RPC error', { jsonrpc: '2.0', id: '1', error: { code: -32_005, message: `http://${SECRET}` } }],
    ['an error of another shape', { jsonrpc: '2.0', id: '1', error: `http://${SECRET}` }],
  ])('an answer that is garbage: %s', async (_, answer) => {
    for (const each of await answersOf(clientOver(async () => answer))) {
      expect(each.status).toBe(502);
      expect(['rpc-failed', 'rpc-invalid-response']).toContain(errorOf(each).code);
    }
  });

  /** The ledger, with one method's answers changed on the way. */
  const tampering = (method: string, change: (value: never) => unknown) =>
    clientOver(async (call: Call) => {
      const answer = (await ledger.transport(call as never)) as { result: { value: never } };
      if (call.payload.method !== method) return answer;
      return { ...answer, result: { ...answer.result, value: change(answer.result.value) } };
    });

  type Account = { readonly data: readonly string[] };
  const first = (change: (account: Account) => unknown) => (accounts: readonly Account[]) =>
    accounts.map((account, index) => (index === 0 ? change(account) : account));
  test.each<[string, (accounts: readonly Account[]) => unknown]>([
    ['too few accounts', (accounts) => accounts.slice(1)],
    ['too many accounts', (accounts) => [...accounts, null]],
    ['data that is no base64', first((account) => ({ ...account, data: ['!!!', 'base64'] }))],
    ['data of another encoding', first((account) => ({ ...account, data: ['AAAA', 'base58'] }))],
    ['parsed data', first((account) => ({ ...account, data: { parsed: {} } }))],
    ['no owner', first((account) => ({ ...account, owner: null }))],
    ['an account that is true', first(() => true)],
  ])('accounts that are garbage: %s', async (_, change) => {
    await expectAll(tampering('getMultipleAccounts', change as never), {
      status: 502,
      code: 'rpc-invalid-response',
    });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['text', 'garbage'],
    ['an empty object', {}],
    ['a number for the hash', { blockhash: 5, lastValidBlockHeight: 1n }],
    ['text for the height', { blockhash: WALLET, lastValidBlockHeight: '1' }],
  ])('a block hash that is garbage: %s', async (_, value) => {
    const { handler } = serviceOver(tampering('getLatestBlockhash', () => value));
    const answer = await post(handler, '/tx/sell', request('/tx/sell'));
    expect(summary(answer)).toMatchObject({ status: 502, code: 'rpc-invalid-response' });
  });

  // Over a socket the client sees its own abort, and no answer.
  test.skipIf(inject('engine') === 'node').each(['while it waits', 'before it asks'])(
    'a client that goes away %s',
    async (moment) => {
      const controller = new AbortController();
      let signal: AbortSignal | undefined;
      const { handler } = serviceOver(
        clientOver((call: { readonly signal?: AbortSignal }) => {
          signal = call.signal;
          controller.abort();
          return new Promise(() => {});
        }),
      );
      if (moment === 'before it asks') controller.abort();
      const init = {
        method: 'POST',
        headers: JSON_TYPE,
        body: request('/tx/buy'),
        signal: controller.signal,
      };
      await send(handler, '/tx/buy', init);
      expect(signal?.aborted ?? true, 'nor does the node go on').toBe(true);
    },
  );

  test('the next request can succeed', async () => {
    let calls = 0;
    const client = clientOver(async (call: Call) => {
      if (calls++ === 0) throw SECRET_ERROR;
      return await ledger.transport(call as never);
    });
    const { handler } = serviceOver(client);
    expect((await post(handler, '/quote/buy', request('/quote/buy'))).status).toBe(502);
    expect((await post(handler, '/quote/buy', request('/quote/buy'))).status).toBe(200);
  });
});
