import { stringify } from 'lossless-json';
import { describe, expect, inject, test } from 'vitest';

import { CATCH_ALL } from '../support/amounts.js';
import { createEngines } from './engines.js';
import { errorOf, objectText, ok, post, readJson, send, serviceOver } from './support.js';

// How long a body may be. Bodies that are no request, other paths and methods, and nodes that fail are in tests/golden/wrong-inputs.ts.

const JSON_TYPE = { 'content-type': 'application/json' };
const { client, handler, working } = await createEngines();
const QUOTE = objectText(working['/quote/buy']!.required);

describe('a body', () => {
  test.each(['application/json', 'application/json;charset=UTF-8', 'Application/JSON ; charset="utf-8"'])(
    'content type %s: accepted',
    async (type) => {
      const headers = { 'content-type': type };
      const answer = await send(handler, '/quote/buy', { method: 'POST', headers, body: QUOTE });
      expect(answer.status).toBe(200);
    },
  );

  const MEGABYTES = 10 << 20;
  const declaring = (length: string, body: string) => () => ({
    body,
    headers: { ...JSON_TYPE, 'content-length': length },
  });
  const pull = (stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(1 << 16));
  const DECLARED: readonly [string, () => RequestInit][] = [
    ['a declared length', declaring(String(MEGABYTES), '{}')],
    ['text that is declared as short', declaring('2', ' '.repeat(MEGABYTES))],
    ['text without a length', declaring('many', ' '.repeat(MEGABYTES))],
  ];
  test.each<[string, () => RequestInit]>([
    ['text', () => ({ body: ' '.repeat(MEGABYTES) })],
    // Over a socket the engine's own client refuses to lie about the length.
    ...(inject('engine') === 'handler' ? DECLARED : []),
    ['a stream that never ends', () => ({ body: new ReadableStream({ pull }), duplex: 'half' })],
  ])('10 MB as %s: 413', async (_, init) => {
    const answer = await send(handler, '/tx/buy', { method: 'POST', headers: JSON_TYPE, ...init() });
    expect([answer.status, errorOf(answer).code]).toEqual([413, 'body-too-large']);
  });

  test('the limit is exact to the byte, and can be set', async () => {
    const declared = { ...JSON_TYPE, 'content-length': String(QUOTE.length) };
    for (const [spare, status] of [
      [0, 200],
      [-1, 413],
    ] as const) {
      const { handler } = serviceOver(client, { maxBodyBytes: QUOTE.length + spare });
      for (const headers of inject('engine') === 'handler' ? [JSON_TYPE, declared] : [JSON_TYPE])
        expect((await send(handler, '/quote/buy', { method: 'POST', headers, body: QUOTE })).status).toBe(
          status,
        );
    }
  });
});

test('the longest honest request fits, indented too', async () => {
  const fees = { buy_fee_bps: 5_000, sell_fee_bps: 5_000 };
  const brackets = [1n, 2n, 3n, 4n].map((index) => ({
    market_cap_upper_bound: String(CATCH_ALL - 4n + index),
    ...fees,
  }));
  const offsets = Array.from({ length: 42 }, (_, index) => 10_000 + index);
  const slots = offsets.map((slot_offset_upperbound) => ({ slot_offset_upperbound, ...fees }));
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
  const encoded_user_defined_event_data = JSON.stringify('x'.repeat(70_000));
  const request = objectText({ ...working['/tx/sell']!.required, encoded_user_defined_event_data });
  const answer = await post(large.handler, '/tx/sell', request);
  expect([answer.status, errorOf(answer).code]).toEqual([422, 'transaction-too-large']);
});
