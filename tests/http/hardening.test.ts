import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { createHandler, type Handler } from '../../src/http/index.js';
import { createHeavenClient, type HeavenRpc } from '../../src/index.js';
import {
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

let ledger: EmbeddedLedger;
let handler: Handler;
let noted: unknown[];

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  noted = [];
  handler = createHandler({
    client: createHeavenClient({ rpc: ledger.rpc }),
    observe: ({ error }) => error !== undefined && noted.push(error),
  });
});

const request = (path: string, body: unknown, init: RequestInit = {}) =>
  new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
const post = async (path: string, body: unknown) => {
  const response = await handler(request(path, body));
  const answer = JSON.parse(await response.text()) as {
    error?: { code: string; message: string; details: object };
  };
  return { status: response.status, ...answer };
};
const aBuy = async () => {
  const { mint } = ledger.pools.creator;
  const { status: _, ...quote } = await post('/quote/buy', {
    program_id: HEAVEN_PROGRAM_ADDRESS,
    config_version: 2,
    mint,
    max_sol_spend: 1,
    slippage_bps: 50,
  });
  return { payer: ledger.pools.pro.creator, quote_response: quote, encoded_user_defined_event_data: '' };
};

test.each([SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, HEAVEN_PROGRAM_ADDRESS])(
  "a program can't pay: %s",
  async (payer) => {
    expect(await post('/tx/buy', { ...(await aBuy()), payer })).toMatchObject({
      status: 400,
      error: { code: 'invalid-input', details: { field: 'payer' } },
    });
  },
);

describe('pool state names the field', () => {
  test.each([
    [{ mint: SYSTEM_PROGRAM_ADDRESS }, 400, 'program_id'],
    [{ program_id: HEAVEN_PROGRAM_ADDRESS, mint: 5 }, 400, 'mint'],
    [{ program_id: HEAVEN_PROGRAM_ADDRESS, pool: SYSTEM_PROGRAM_ADDRESS, mint: 'x' }, 400, 'mint'],
    [{ program_id: HEAVEN_PROGRAM_ADDRESS }, 400, 'mint'],
  ])('%j', async (body, status, field) => {
    const answer = await post('/data/pool-state', body);
    expect(answer).toMatchObject({ status, error: { details: { fields: [{ field }] } } });
  });

  test('a mint and a pool that do not belong together', async () => {
    const body = {
      program_id: HEAVEN_PROGRAM_ADDRESS,
      pool: ledger.pools.creator.pool,
      mint: ledger.pools.community.mint,
    };
    expect(await post('/data/pool-state', body)).toMatchObject({
      status: 422,
      error: { code: 'pool-mismatch', details: { field: 'mint' } },
    });
  });
});

test.each([
  [{ program_id: SYSTEM_PROGRAM_ADDRESS }, 'quote_response.program_id'],
  [{ slippage_bps: 10_001 }, 'quote_response.slippage_bps'],
])('rejects a quote with %j, by its path', async (change, field) => {
  const { quote_response, ...rest } = await aBuy();
  const answer = await post('/tx/buy', { ...rest, quote_response: { ...quote_response, ...change } });
  expect(answer.error?.details).toMatchObject({ field });
});

test.each([
  ['[]', 'body'],
  ['null', 'body'],
  ['7', 'body'],
])('rejects a body of %s: it must be an object', async (body, field) => {
  const answer = await post('/tx/buy', body);
  expect(answer).toMatchObject({
    status: 400,
    error: { details: { fields: [{ field, message: 'must be an object' }] } },
  });
});

test("event data that can't be encoded is too large, not an internal error", async () => {
  const large = createHandler({ client: createHeavenClient({ rpc: ledger.rpc }), maxBodyBytes: 1_000_000 });
  const body = { ...(await aBuy()), encoded_user_defined_event_data: 'x'.repeat(70_000) };
  const response = await large(request('/tx/buy', body));
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: { code: 'transaction-too-large', details: { limit: 1232 } },
  });
});

test.each(['2', 'abc', '-1'])('a content-length of %s does not raise the limit', async (length) => {
  const sent = request('/quote/buy', 'x'.repeat(100_000));
  sent.headers.set('content-length', length);
  expect((await handler(sent)).status).toBe(413);
});

test('a caller that disconnects is not an error of the service', async () => {
  const silent = (() => new Promise(() => {})) as RpcTransport;
  const client = createHeavenClient({ rpc: createSolanaRpcFromTransport(silent) as HeavenRpc });
  const controller = new AbortController();
  const waiting = createHandler({ client, observe: ({ error }) => error !== undefined && noted.push(error) })(
    request(
      '/data/pool-state',
      { program_id: HEAVEN_PROGRAM_ADDRESS, mint: ledger.pools.pro.mint },
      { signal: controller.signal },
    ),
  );
  setTimeout(() => controller.abort(), 10);
  expect((await waiting).status).toBe(504);
  expect(noted).toEqual([]);
});
