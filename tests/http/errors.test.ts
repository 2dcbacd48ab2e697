import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Address } from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createHeavenClient } from '../../src/index.js';
import {
  findPoolAddress,
  LiquidityPoolType,
  SOL_USD_FEED_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import {
  createFeeBrackets,
  createSamplePoolFields,
  type EmbeddedLedger,
  encodePriceFeed,
} from '../../src/testing/index.js';
import { caseOf } from '../support/errors.js';
import {
  type Answer,
  type Call,
  clientOver,
  createService,
  errorOf,
  fieldsOf,
  jsonText,
  objectText,
  ok,
  PROGRAM,
  post,
  readJson,
  type Service,
  send,
  serviceOver,
} from './support.js';

const PAYER = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;
const JSON_TYPE = { 'content-type': 'application/json' };

let service: Service;
let ledger: EmbeddedLedger;
/** A valid request of each path, as JSON text by field. */
let valid: Readonly<Record<string, Readonly<Record<string, string>>>>;
beforeAll(async () => {
  service = await createService();
  ledger = service.ledger;
  const { mint, configVersion } = ledger.pools.creator;
  const terms = {
    config_version: String(configVersion),
    mint: JSON.stringify(mint),
    program_id: JSON.stringify(PROGRAM),
    slippage_bps: '50',
  };
  const quotes = {
    '/quote/buy': { ...terms, max_sol_spend: '1.5' },
    '/quote/sell': { ...terms, amount_in_ui: '1000.5' },
  };
  const trade = { payer: JSON.stringify(PAYER), encoded_user_defined_event_data: '"x"' };
  const quote = (path: keyof typeof quotes) => ok(service.handler, path, objectText(quotes[path]));
  valid = {
    '/data/pool-state': { program_id: terms.program_id, mint: terms.mint },
    ...quotes,
    '/tx/buy': { ...trade, quote_response: await quote('/quote/buy') },
    '/tx/sell': { ...trade, quote_response: await quote('/quote/sell') },
  };
});

/** A valid request with other fields; undefined leaves one out, a dotted name reaches into the quote. */
function request(path: string, changes: Readonly<Record<string, string | undefined>> = {}): string {
  const fields: Record<string, string> = { ...valid[path] };
  for (const [name, text] of Object.entries(changes)) {
    const [outer = '', inner] = name.split('.');
    if (inner !== undefined) {
      const quote = Object.entries(readJson(fields[outer] ?? '{}')).map(([key, value]) => [
        key,
        jsonText(value),
      ]);
      const changed: Record<string, string> = Object.fromEntries(quote);
      if (text === undefined) delete changed[inner];
      else changed[inner] = text;
      fields[outer] = objectText(changed);
    } else if (text === undefined) delete fields[outer];
    else fields[outer] = text;
  }
  return objectText(fields);
}

/** An answer that must be an error: its status, its code, and the fields it names. */
function summary(answer: Answer) {
  const error = errorOf(answer);
  return { status: answer.status, code: error.code, fields: fieldsOf(error) };
}

const PATHS = ['/data/pool-state', '/quote/buy', '/quote/sell', '/tx/buy', '/tx/sell'];

describe('invalid requests', () => {
  test.each([
    ['GET', '/quote/buy'],
    ['PUT', '/quote/buy'],
    ['DELETE', '/tx/sell'],
    ['PATCH', '/tx/buy'],
    ['HEAD', '/quote/sell'],
    ['get', '/quote/buy'],
  ])('%s %s: 405, and what is allowed', async (method, path) => {
    const answer = await send(service.handler, path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    if (method === 'HEAD') expect(answer.text).toBe('');
    else expect(errorOf(answer)).toMatchObject({ code: 'method-not-allowed' });
  });

  test.each([
    '//',
    '/quote',
    '/quote/',
    '/quote/buy/',
    '//quote/buy',
    '/QUOTE/BUY',
    '/quote/buy/x',
    '/quote%2Fbuy',
    '/quote/%zz',
    '/__proto__',
    '/constructor',
    '/<script>alert(1)</script>',
    `/${'x'.repeat(5000)}`,
  ])('%.30s: 404', async (path) => {
    expect(summary(await post(service.handler, path, '{}'))).toMatchObject({
      status: 404,
      code: 'unknown-path',
    });
    expect((await send(service.handler, path, { method: 'GET' })).status).toBe(404);
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
    const answer = await send(service.handler, '/quote/buy', {
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
    const answer = await send(service.handler, '/quote/buy', {
      method: 'POST',
      headers: { 'content-type': type },
      body: request('/quote/buy'),
    });
    expect(answer.status).toBe(200);
  });

  const MALFORMED: readonly [name: string, make: (text: string) => string][] = [
    ['nothing', () => ''],
    ['white space', () => ' \n '],
    ['words', () => 'not json'],
    ['an open brace', () => '{'],
    ['truncated', (text) => text.slice(0, -1)],
    ['truncated within', (text) => text.slice(0, text.length >> 1)],
    ['something behind it', (text) => `${text}x`],
    ['two values', (text) => `${text}${text}`],
    ['a trailing comma', (text) => text.replace(/\}$/, ',}')],
    ['single quotes', (text) => text.replaceAll('"', "'")],
    ['a comment', (text) => `/* a */${text}`],
    ['a raw control character', (text) => text.replace('mint', 'mi\u0001nt').replace('payer', 'pay\ner')],
    ['half an escape', (text) => text.replace('"', '"\\u00')],
    ['a key twice, different', (text) => text.replace('{', '{"program_id":"x","program_id":"y",')],
    ['NUL bytes', (text) => `\0${text}`],
    ['not UTF-8', () => '\ufffd'],
    ['nested too deeply', () => '['.repeat(60_000)],
    ['objects nested too deeply', () => '{"a":'.repeat(12_000)],
    ['closed again, still too deep', () => '['.repeat(30_000) + ']'.repeat(30_000)],
  ];
  test.each(MALFORMED)('%s: 400', async (_, make) => {
    for (const path of PATHS) {
      const answer = await post(service.handler, path, make(request(path)));
      expect(summary(answer)).toEqual({ status: 400, code: 'malformed-json', fields: [] });
    }
  });

  test('bytes that are not UTF-8: 400', async () => {
    for (const path of PATHS) {
      const [start = '', end = ''] = request(path).split(/(?<=":")/);
      const bytes = new Uint8Array([...Buffer.from(start), 0xe9, ...Buffer.from(end)]);
      const answer = await send(service.handler, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bytes,
      });
      expect(summary(answer)).toEqual({ status: 400, code: 'malformed-json', fields: [] });
      expect(answer.text).toContain('UTF-8');
    }
  });

  test.each([
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '01',
    '.5',
    '1.',
    '+1',
    '0x10',
    '1e',
    '1_000',
    '1n',
    '--1',
  ])('the number %s is not valid JSON', async (text) => {
    for (const [path, field] of [
      ['/quote/buy', 'max_sol_spend'],
      ['/quote/sell', 'slippage_bps'],
      ['/tx/buy', 'quote_response.minimum_out'],
      ['/tx/sell', 'compute_unit_price'],
    ] as const) {
      const answer = await post(service.handler, path, request(path, { [field]: text }));
      expect(summary(answer)).toMatchObject({ status: 400, code: 'malformed-json' });
    }
  });

  test.each(['[]', 'null', '1', '"x"', 'true', '{}', '[{}]', '1e400'])('the body %s: 400', async (body) => {
    for (const path of PATHS) {
      expect(summary(await post(service.handler, path, body))).toMatchObject({
        status: 400,
        code: 'invalid-request',
      });
    }
  });

  test('100000 levels, if bodies may be that large: 400', async () => {
    const { handler } = serviceOver(service.client, { maxBodyBytes: 1 << 20 });
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
    const answer = await send(service.handler, '/tx/buy', { method: 'POST', headers: JSON_TYPE, ...init() });
    expect(summary(answer)).toMatchObject({ status: 413, code: 'body-too-large' });
  });

  test('the limit is exact to the byte, and can be set', async () => {
    const body = request('/quote/buy');
    for (const [spare, status] of [
      [0, 200],
      [-1, 413],
    ] as const) {
      const { handler } = serviceOver(service.client, { maxBodyBytes: body.length + spare });
      expect((await post(handler, '/quote/buy', body)).status).toBe(status);
    }
  });
});

describe('fields', () => {
  const NOT = {
    address: [
      '5',
      '1.5',
      'null',
      '[]',
      '{}',
      'true',
      '""',
      '"x"',
      `"${'1'.repeat(31)}"`,
      `"${'1'.repeat(33)}"`,
      '"0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl"',
      `" ${PAYER}"`,
      `["${PAYER}"]`,
      `"${'z'.repeat(44)}"`,
      `"${'1'.repeat(20_000)}"`,
    ],
    integer: [
      '"-5"',
      '"1.5"',
      '"0x5"',
      '"5 "',
      '1.5',
      '15e-1',
      '-1',
      'null',
      '[]',
      '[1]',
      '{}',
      'true',
      '""',
      '1e400',
      '{"value":"1"}',
    ],
    decimal: [
      '"1,5"',
      '"-1"',
      '"1.5 "',
      'null',
      '[]',
      '[1.5]',
      '{}',
      'false',
      '""',
      '{"isLosslessNumber":true,"value":"1"}',
    ],
    text: ['5', '1.5', 'null', '[]', '["x"]', '{}', 'true'],
    object: ['"x"', '5', 'null', '[]', 'true', '{}'],
  } as const;
  const except = (values: readonly string[], ...out: readonly string[]) =>
    values.filter((value) => !out.includes(value));

  /** JSON text of integers that are well-formed, and over what the field can hold. */
  const HUGE = ['18446744073709551616', '9'.repeat(400)];
  const AMOUNT = [...NOT.integer, ...HUGE];
  const SMALL = [...AMOUNT, '9007199254740993'];

  const terms = { config_version: [...SMALL, '65536'], mint: NOT.address, program_id: NOT.address };
  const quoteOf = (fields: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(
      Object.entries({
        ...terms,
        minimum_out: AMOUNT,
        minimum_out_ui: NOT.decimal,
        slippage_bps: SMALL,
        ...fields,
      }).map(([name, values]) => [`quote_response.${name}`, values]),
    );
  const trade = {
    payer: NOT.address,
    encoded_user_defined_event_data: [...NOT.text, '"\\ud800"', '"\\udfff x"'],
    quote_response: NOT.object,
  };
  const optional = {
    compute_unit_limit: [...except(SMALL, 'null'), '4294967296'],
    compute_unit_price: except(AMOUNT, 'null'),
    source: except(NOT.address, 'null'),
  };
  const amount = [...NOT.decimal, '-1', '-0.5', '1e400', '9'.repeat(400), '18446744073709551616'];
  const required: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    '/quote/buy': {
      ...terms,
      slippage_bps: [...SMALL, '10001'],
      max_sol_spend: [
        ...amount,
        '0',
        '0.0',
        '-0',
        '1e-10',
        '0.0000000001',
        '1.0000000001',
        '18446744073.709551616',
      ],
    },
    '/quote/sell': {
      ...terms,
      slippage_bps: [...SMALL, '10001'],
      amount_in_ui: [...amount, '0', '0e5', '1e-10'],
    },
    '/tx/buy': { ...trade, ...quoteOf({ max_lamport_spend: [...AMOUNT, '0'], max_sol_spend: NOT.decimal }) },
    '/tx/sell': { ...trade, ...quoteOf({ amount_in: [...AMOUNT, '0'], amount_in_ui: NOT.decimal }) },
  };

  const requiredFields = Object.entries(required).flatMap(([path, fields]) =>
    Object.entries(fields).map(([field, values]) => [path, field, values] as const),
  );
  const optionalFields = ['/tx/buy', '/tx/sell'].flatMap((path) =>
    Object.entries(optional).map(([field, values]) => [path, field, values] as const),
  );

  /** 400, a code, and the field (or one in it) by its path. */
  const assertNamed = async (path: string, field: string, text: string | undefined) => {
    const { status, fields, code } = summary(
      await post(service.handler, path, request(path, { [field]: text })),
    );
    const names = fields.filter((each) => each === field || each.startsWith(`${field}.`));
    expect({ status, code, fields, names }, `${field}: ${text?.slice(0, 60)}`).toEqual({
      status: 400,
      code,
      fields: names,
      names: expect.arrayContaining([expect.any(String)]),
    });
  };

  test.each(requiredFields)('%s without %s', async (path, field) => {
    await assertNamed(path, field, undefined);
  });

  test.each([...requiredFields, ...optionalFields])(
    '%s with an impossible %s',
    async (path, field, values) => {
      for (const text of values) await assertNamed(path, field, text);
    },
  );

  test.each(['quote_response.max_sol_spend', 'quote_response.minimum_out_ui'])(
    'a UI amount that matches no native amount, %s',
    async (field) => {
      for (const text of ['-1', '1e400', '-1e400', '1e-400', '9'.repeat(400)]) {
        const answer = await post(service.handler, '/tx/buy', request('/tx/buy', { [field]: text }));
        expect(summary(answer)).toEqual({ status: 422, code: 'quote-mismatch', fields: [field] });
      }
    },
  );

  test('names each of several fields', async () => {
    const body = request('/tx/buy', {
      payer: '5',
      'quote_response.mint': 'null',
      'quote_response.minimum_out': undefined,
      compute_unit_limit: '-1',
    });
    const { fields } = summary(await post(service.handler, '/tx/buy', body));
    expect([...fields].sort()).toEqual([
      'compute_unit_limit',
      'payer',
      'quote_response.minimum_out',
      'quote_response.mint',
    ]);
  });

  test.each([
    ['no pool at all', { mint: undefined }],
    ['a mint that is none', { mint: '"x"' }],
    ['a mint of another type', { mint: '5' }],
    ['a pool that is none', { mint: undefined, pool: '"x"' }],
    ['neither', { mint: 'null', pool: 'null' }],
    ['no program', { program_id: undefined }],
    ['a program that is none', { program_id: '"x"' }],
  ])('pool state, %s: 400', async (_, changes) => {
    const answer = await post(service.handler, '/data/pool-state', request('/data/pool-state', changes));
    expect(summary(answer)).toMatchObject({ status: 400, code: 'invalid-request' });
  });

  test.each(['__proto__', 'constructor', 'toString'])('fields within %s do not count', async (name) => {
    for (const path of PATHS) {
      const answer = await post(service.handler, path, `{${JSON.stringify(name)}:${request(path)}}`);
      expect(summary(answer)).toMatchObject({ status: 400, code: 'invalid-request' });
    }
  });

  test('a rejected request makes no call to the node', async () => {
    const before = ledger.requests.length;
    for (const [path, field, values] of requiredFields) {
      await post(service.handler, path, request(path, { [field]: values[0] }));
    }
    expect(ledger.requests).toHaveLength(before);
  });
});

describe('what the chain rejects', () => {
  beforeEach(async () => {
    service = await createService();
    ledger = service.ledger;
  });

  const OTHER_PROGRAM = '"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"';
  const TRADES = ['/quote/buy', '/quote/sell', '/tx/buy', '/tx/sell'];
  const MINT_FIELD = (path: string) => (path.startsWith('/tx') ? 'quote_response.mint' : 'mint');
  const VERSION_FIELD = (path: string) =>
    path.startsWith('/tx') ? 'quote_response.config_version' : 'config_version';

  interface Refusal {
    readonly name: string;
    readonly status: 404 | 422;
    readonly code: string;
    readonly paths?: readonly string[];
    readonly arrange?: () => void | Promise<void>;
    readonly changes?: (path: string) => Readonly<Record<string, string | undefined>>;
    /** What the details must hold. */
    readonly details?: Readonly<Record<string, unknown>>;
  }
  const pool = () => ledger.pools.creator.pool;

  const refusals: readonly Refusal[] = [
    {
      name: 'swapping is switched off',
      status: 422,
      code: 'operation-disabled:swap',
      arrange: () => ledger.updatePool(pool(), ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } })),
    },
    {
      name: 'the pool is not open yet',
      status: 422,
      code: 'pool-not-open',
      arrange: () =>
        ledger.updatePool(pool(), ({ info }) => ({ info: { ...info, openAt: ledger.unixTimestamp + 1n } })),
      details: { opens_at: expect.any(Number), now: expect.any(Number) },
    },
    {
      name: 'there is no pool of the token',
      status: 404,
      code: 'pool-not-found',
      paths: PATHS,
      changes: (path) => ({ [MINT_FIELD(path)]: JSON.stringify(PAYER) }),
      details: { mint: PAYER },
    },
    {
      name: 'the pool is gone',
      status: 404,
      code: 'pool-not-found',
      paths: PATHS,
      arrange: () => ledger.setAccount(pool(), undefined),
    },
    {
      name: 'there is no pool at the address',
      status: 404,
      code: 'pool-not-found',
      paths: ['/data/pool-state'],
      changes: () => ({ mint: undefined, pool: JSON.stringify(PAYER) }),
      details: { pool: PAYER },
      arrange: () => ledger.setAccount(PAYER, undefined),
    },
    {
      name: 'the token has a pro pool only',
      status: 404,
      code: 'pool-not-found',
      changes: (path) => ({
        [MINT_FIELD(path)]: JSON.stringify(ledger.pools.pro.mint),
        [VERSION_FIELD(path)]: '3',
      }),
    },
    {
      name: 'the pool is of another kind',
      status: 422,
      code: 'pool-mismatch:kind',
      arrange: () =>
        ledger.updatePool(pool(), ({ info }) => ({ info: { ...info, type: LiquidityPoolType.Pro } })),
    },
    {
      name: 'the address is no pool’s',
      status: 422,
      code: 'invalid-account-data:found',
      paths: ['/data/pool-state'],
      changes: () => ({ mint: undefined, pool: JSON.stringify(ledger.pools.creator.mint) }),
    },
    {
      name: 'the account is the exchange’s, but no pool',
      status: 422,
      code: 'invalid-account-data',
      paths: ['/data/pool-state'],
      changes: () => ({ mint: undefined, pool: JSON.stringify(ledger.pools.creator.protocolConfig) }),
    },
    ...['0', '1', '3', '65535'].map(
      (version): Refusal => ({
        name: `config version ${version} is not the pool’s`,
        status: 422,
        code: 'pool-mismatch:configVersion',
        changes: (path) => ({ [VERSION_FIELD(path)]: version }),
        details: { found: 2, asked: Number(version) },
      }),
    ),
    {
      name: 'another token’s quote',
      status: 422,
      code: 'pool-mismatch:configVersion',
      paths: ['/tx/buy', '/tx/sell'],
      changes: () => ({ 'quote_response.mint': JSON.stringify(ledger.pools.community.mint) }),
    },
    {
      name: 'another program’s quote',
      status: 422,
      code: 'quote-mismatch',
      paths: ['/tx/buy', '/tx/sell'],
      changes: () => ({ 'quote_response.program_id': OTHER_PROGRAM }),
    },
    {
      name: 'another program',
      status: 422,
      code: 'unknown-program-id',
      paths: ['/data/pool-state', '/quote/buy', '/quote/sell'],
      changes: () => ({ program_id: OTHER_PROGRAM }),
      details: { field: 'program_id', expected: PROGRAM },
    },
    {
      name: 'more lamports than were ever paid in',
      status: 422,
      code: 'insufficient-liquidity',
      arrange: () => ledger.setReserves(pool(), { tokenB: 162_000_000_001n }),
      paths: ['/quote/sell', '/tx/sell'],
    },
    {
      name: 'a sell larger than the pool',
      status: 422,
      code: 'insufficient-liquidity',
      paths: ['/quote/sell'],
      changes: () => ({ amount_in_ui: '18000000000' }),
      details: { requested: expect.any(Number), available: expect.any(Number) },
    },
    {
      name: 'an empty pool',
      status: 422,
      code: 'insufficient-liquidity',
      arrange: () => ledger.setReserves(pool(), { tokenA: 0n }),
    },
    {
      name: 'fees that leave nothing',
      status: 422,
      code: 'fees-exceed-amount',
      paths: ['/quote/buy', '/tx/buy'],
      arrange: () =>
        ledger.updateConfig(ledger.pools.creator.protocolConfig, ({ marketCapBasedFees }) => ({
          marketCapBasedFees: {
            ...marketCapBasedFees,
            creatorTradingFee: createFeeBrackets([0xffff_ffff_ffff_ffffn, 10_000]),
          },
        })),
    },
    {
      name: 'a trade that gives nothing',
      status: 422,
      code: 'output-is-zero',
      paths: ['/quote/sell'],
      changes: () => ({ amount_in_ui: '0.000000001' }),
      details: { field: 'amount_in_ui' },
    },
    {
      name: 'a feed without a price',
      status: 422,
      code: 'price-unavailable',
      arrange: () => {
        const { owner } = ledger.getAccount(SOL_USD_FEED_ADDRESS)!;
        ledger.setAccount(SOL_USD_FEED_ADDRESS, {
          owner,
          data: encodePriceFeed({ price: 0, slot: 1n, timestamp: 1n }),
        });
      },
    },
    {
      name: 'no feed',
      status: 404,
      code: 'account-not-found',
      arrange: () => ledger.setAccount(SOL_USD_FEED_ADDRESS, undefined),
      details: { address: SOL_USD_FEED_ADDRESS },
    },
    {
      name: 'no mint',
      status: 404,
      code: 'account-not-found',
      arrange: () => ledger.setAccount(ledger.pools.creator.mint, undefined),
    },
    {
      name: 'a source that does not exist',
      status: 422,
      code: 'unusable-account:token account',
      paths: ['/tx/buy', '/tx/sell'],
      changes: () => ({ source: JSON.stringify(PAYER) }),
      details: { field: 'source', address: PAYER },
    },
    {
      name: 'a source that is another’s',
      status: 422,
      code: 'unusable-account:token account',
      paths: ['/tx/sell'],
      changes: () => ({ source: JSON.stringify(ledger.pools.creator.tokenAVault) }),
      details: { field: 'source' },
    },
    {
      name: 'event data that no transaction holds',
      status: 422,
      code: 'transaction-too-large',
      paths: ['/tx/buy', '/tx/sell'],
      changes: () => ({ encoded_user_defined_event_data: JSON.stringify('x'.repeat(1200)) }),
      details: { limit: 1232, size: expect.any(Number), excess: expect.any(Number) },
    },
  ];

  const cases = refusals.flatMap(({ paths = TRADES, name, ...refusal }) =>
    paths.map(
      (path) => [`${path}, ${name}: ${refusal.status} ${refusal.code}`, { path, ...refusal }] as const,
    ),
  );
  test.each(cases)('%s', async (_, { path, status, code, arrange, changes, details = {} }) => {
    await arrange?.();
    const answer = await post(service.handler, path, request(path, changes?.(path)));
    const error = errorOf(answer);
    expect({ status: answer.status, code: caseOf(error.code, error.details) }).toEqual({ status, code });
    expect(error.details).toMatchObject(details);
    expect(service.reported, 'no fault of the service').toEqual([]);
  });

  test.each([
    ['/tx/buy', 'max_sol_spend', '1.6', 'max_sol_spend'],
    ['/tx/buy', 'max_lamport_spend', '1600000000', 'max_sol_spend'],
    ['/tx/buy', 'max_lamport_spend', '1500000001', 'max_sol_spend'],
    ['/tx/buy', 'minimum_out_ui', '1', 'minimum_out_ui'],
    ['/tx/buy', 'minimum_out', '0', 'minimum_out_ui'],
    ['/tx/sell', 'amount_in_ui', '1000', 'amount_in_ui'],
    ['/tx/sell', 'amount_in', '1000500000001', 'amount_in_ui'],
    ['/tx/sell', 'minimum_out_ui', '0', 'minimum_out_ui'],
    ['/tx/sell', 'minimum_out', '1', 'minimum_out_ui'],
  ])('%s, a quote whose %s was changed to %s', async (path, field, text, named) => {
    const answer = await post(service.handler, path, request(path, { [`quote_response.${field}`]: text }));
    expect(summary(answer)).toEqual({
      status: 422,
      code: 'quote-mismatch',
      fields: [`quote_response.${named}`],
    });
  });

  test('names the field by its path, and the amount to the last digit', async () => {
    const body = request('/tx/buy', { 'quote_response.max_lamport_spend': '123456789123456789' });
    const { text } = await post(service.handler, '/tx/buy', body);
    expect(JSON.parse(text).error.message).toBe(
      'quote_response.max_sol_spend is 1.5, but its native amount 123456789123456789 is 123456789.123456789. Pass the quote on as it was returned.',
    );
  });

  test('a quote for a token of the same config with other decimals', async () => {
    const { creator } = await createSamplePoolFields();
    const mint = PAYER;
    await ledger.addPool({
      ...creator,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      token: { decimals: 6, supply: creator.token.supply },
    });
    expect(ledger.getAccount(await findPoolAddress({ mint }))).toBeDefined();
    for (const [path, named] of [
      ['/tx/buy', 'minimum_out_ui'],
      ['/tx/sell', 'amount_in_ui'],
    ] as const) {
      const answer = await post(
        service.handler,
        path,
        request(path, { 'quote_response.mint': JSON.stringify(mint) }),
      );
      expect(summary(answer)).toEqual({
        status: 422,
        code: 'quote-mismatch',
        fields: [`quote_response.${named}`],
      });
    }
  });

  test.each([
    ['/tx/buy', '/tx/sell', 'quote_response.max_lamport_spend'],
    ['/tx/sell', '/tx/buy', 'quote_response.amount_in'],
  ] as const)('%s with a quote of %s', async (path, other, missing) => {
    const answer = await post(
      service.handler,
      path,
      request(path, { quote_response: valid[other]?.quote_response }),
    );
    const { status, fields } = summary(answer);
    expect([400, 422]).toContain(status);
    if (status === 400) expect(fields).toContain(missing);
  });
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
    ['undefined', undefined],
    ['a number', 5],
    ['text', 'garbage'],
    ['an array', []],
    ['an empty object', {}],
    ['no result', { jsonrpc: '2.0', id: '1' }],
    ['a null result', { jsonrpc: '2.0', id: '1', result: null }],
    ['a result that is text', { jsonrpc: '2.0', id: '1', result: 'garbage' }],
    ['a result that is an array', { jsonrpc: '2.0', id: '1', result: [] }],
    ['no value', { jsonrpc: '2.0', id: '1', result: { context: { slot: 1n } } }],
    ['a null value', { jsonrpc: '2.0', id: '1', result: { value: null } }],
    ['a value that is text', { jsonrpc: '2.0', id: '1', result: { value: 'garbage' } }],
    ['a value that is an object', { jsonrpc: '2.0', id: '1', result: { value: { length: 5 } } }],
    ['a JSON-RPC error', { jsonrpc: '2.0', id: '1', error: { code: -32_005, message: `http://${SECRET}` } }],
    ['an error of another shape', { jsonrpc: '2.0', id: '1', error: `http://${SECRET}` }],
    ['an error that is null', { jsonrpc: '2.0', id: '1', error: null }],
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
    ['no accounts', () => []],
    ['data that is no base64', first((account) => ({ ...account, data: ['!!!', 'base64'] }))],
    ['data of another encoding', first((account) => ({ ...account, data: ['AAAA', 'base58'] }))],
    ['data that is text', first((account) => ({ ...account, data: 'AAAA' }))],
    ['data that is a number', first((account) => ({ ...account, data: [5, 'base64'] }))],
    ['parsed data', first((account) => ({ ...account, data: { parsed: {} } }))],
    ['no data', first(({ data: _, ...account }) => account)],
    ['no owner', first((account) => ({ ...account, owner: null }))],
    ['an account that is text', first(() => 'garbage')],
    ['an account that is an array', first(() => [])],
    ['an account that is true', first(() => true)],
    ['an account that is undefined', first(() => undefined)],
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
    ['no height', { blockhash: PAYER }],
    ['text for the height', { blockhash: PAYER, lastValidBlockHeight: '1' }],
  ])('a block hash that is garbage: %s', async (_, value) => {
    const { handler } = serviceOver(tampering('getLatestBlockhash', () => value));
    for (const path of ['/tx/buy', '/tx/sell']) {
      const answer = await post(handler, path, request(path));
      expect(summary(answer)).toMatchObject({ status: 502, code: 'rpc-invalid-response' });
    }
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
