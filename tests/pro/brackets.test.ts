import { describe, expect, test } from 'vitest';
import { createHandler } from '../../src/http/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { CATCH_ALL, U64_MAX } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger } from '../support/ledger.js';
import { BRACKET_SETTERS, parsedOf, pro, run, UNUSED, useProPool } from './support.js';

useProPool();

describe('market cap brackets', () => {
  const bracket = (marketCapUpperBound: unknown, buyFeeBps: unknown = 1, sellFeeBps: unknown = 1) => ({
    marketCapUpperBound,
    buyFeeBps,
    sellFeeBps,
  });
  const last = bracket(CATCH_ALL);
  const INVALID = { field: 'brackets' };
  test.each([
    ['five', [...[1n, 2n, 3n, 4n].map((bound) => bracket(bound)), last], 'invalid-fees', INVALID],
    ['a catch-all over an int64', [bracket(U64_MAX)], 'invalid-fees', INVALID],
    ['equal bounds', [bracket(5n), bracket(5n), last], 'invalid-fees', INVALID],
    ['descending bounds', [bracket(6n), bracket(5n), last], 'invalid-fees', INVALID],
    ['two catch-alls', [last, last], 'invalid-fees', INVALID],
    [
      'a buy fee over 100 %',
      [bracket(CATCH_ALL, 10_001)],
      'invalid-fees:feeBps',
      { field: 'brackets[0].buyFeeBps', feeBps: 10_001, maxFeeBps: 10_000 },
    ],
    [
      'a sell fee over 100 %',
      [bracket(1n), bracket(CATCH_ALL, 0, 10_001)],
      'invalid-fees:feeBps',
      { field: 'brackets[1].sellFeeBps', feeBps: 10_001, maxFeeBps: 10_000 },
    ],
    ['undefined', undefined, 'invalid-input', INVALID],
    ['null', null, 'invalid-input', INVALID],
    ['text', '[]', 'invalid-input', INVALID],
    ['an object', { 0: last }, 'invalid-input', INVALID],
    ['a hole', [undefined], 'invalid-input', { field: 'brackets[0]' }],
    [
      'a bound of a number',
      [bracket(5), last],
      'invalid-amount',
      { field: 'brackets[0].marketCapUpperBound' },
    ],
    [
      'a negative bound',
      [bracket(-1n), last],
      'invalid-amount',
      { field: 'brackets[0].marketCapUpperBound' },
    ],
    ['no bound', [{}, last], 'invalid-amount', { field: 'brackets[0].marketCapUpperBound' }],
    [
      'a bound over 64 bits',
      [bracket(U64_MAX + 1n)],
      'amount-out-of-range',
      { field: 'brackets[0].marketCapUpperBound' },
    ],
    ['a negative fee', [bracket(CATCH_ALL, -1)], 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['half a basis point', [bracket(CATCH_ALL, 0.5)], 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['a fee of NaN', [bracket(CATCH_ALL, Number.NaN)], 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['a fee of text', [bracket(CATCH_ALL, 1, '1')], 'invalid-amount', { field: 'brackets[0].sellFeeBps' }],
    ['a fee of a bigint', [bracket(CATCH_ALL, 1, 1n)], 'invalid-amount', { field: 'brackets[0].sellFeeBps' }],
    [
      'a fee over 32 bits',
      [bracket(CATCH_ALL, 2 ** 32)],
      'amount-out-of-range',
      { field: 'brackets[0].buyFeeBps' },
    ],
  ])('rejected before any call to the node: %s', async (_, given, code, context) => {
    for (const name of BRACKET_SETTERS) {
      await expectRefusal(run(name, { brackets: given }), code, context);
    }
    expect(ledger.requests).toEqual([]);
  });

  test.each([1, 2, 3, 4])('accepts %s of them', async (count) => {
    const given = Array.from({ length: count }, (_, index) =>
      bracket(index === count - 1 ? CATCH_ALL : BigInt(index), index, index + 1),
    );
    for (const name of BRACKET_SETTERS) {
      expect(parsedOf(await run(name, { brackets: given })).data).toEqual({
        fees: { brackets: [...given, ...Array<object>(4 - count).fill(UNUSED)], count },
      });
    }
  });
});

describe('market cap brackets that are completed', () => {
  const parsed = async (given: readonly object[]) =>
    await Promise.all(
      BRACKET_SETTERS.map(async (name) => {
        const built = await run(name, { brackets: given });
        return { data: parsedOf(built).data, codes: built.warnings.map(({ code }) => code) };
      }),
    );

  test('no brackets mean a fee of 0 %', async () => {
    const noFee = { marketCapUpperBound: CATCH_ALL, buyFeeBps: 0, sellFeeBps: 0 };
    for (const { data, codes } of await parsed([])) {
      expect(data).toEqual({ fees: { brackets: [noFee, UNUSED, UNUSED, UNUSED], count: 1 } });
      expect(codes).toEqual([]);
    }
  });

  test('the last one covers every market cap, and a warning says so', async () => {
    const first = { marketCapUpperBound: 5n, buyFeeBps: 1, sellFeeBps: 2 };
    const second = { marketCapUpperBound: CATCH_ALL - 1n, buyFeeBps: 3, sellFeeBps: 4 };
    for (const { data, codes } of await parsed([first, second])) {
      const last = { ...second, marketCapUpperBound: CATCH_ALL };
      expect(data).toEqual({ fees: { brackets: [first, last, UNUSED, UNUSED], count: 2 } });
      expect(codes).toEqual(['no-catch-all']);
    }
  });
});

describe('slot brackets', () => {
  const slot = (slotOffsetUpperbound: unknown, buyFeeBps: unknown = 100, sellFeeBps: unknown = 100) => ({
    slotOffsetUpperbound,
    buyFeeBps,
    sellFeeBps,
  });
  const of = (...given: readonly object[]) => ({
    brackets: given,
    maxSlotOffset: 15,
    maxFeeBps: 100,
    enabled: true,
  });
  const INVALID = { field: 'brackets' };
  const many = (count: number) => ({
    ...of(...Array.from({ length: count }, (_, index) => slot(index))),
    maxSlotOffset: count - 1,
  });
  test.each([
    ['43', many(43), 'invalid-fees', INVALID],
    ['none, but enabled', { ...of(), maxSlotOffset: 0, maxFeeBps: 0 }, 'invalid-fees', INVALID],
    ['equal bounds', of(slot(15), slot(15)), 'invalid-fees', INVALID],
    ['descending bounds', of(slot(16), slot(15)), 'invalid-fees', INVALID],
    ['a bound past the last slot', of(slot(16)), 'invalid-fees', INVALID],
    [
      'a highest fee over 100 %',
      { ...of(slot(15)), maxFeeBps: 10_001 },
      'invalid-fees:feeBps',
      { field: 'maxFeeBps', feeBps: 10_001, maxFeeBps: 10_000 },
    ],
    ['a fee over the highest', of(slot(15, 100, 101)), 'invalid-fees', INVALID],
    [
      'a fee over 100 %',
      { ...of(slot(15, 10_001)), maxFeeBps: 10_001 },
      'invalid-fees:feeBps',
      { field: 'brackets[0].buyFeeBps', feeBps: 10_001, maxFeeBps: 10_000 },
    ],
    ['no list', { ...of(), brackets: undefined }, 'invalid-input', INVALID],
    ['text for a list', { ...of(), brackets: 'x' }, 'invalid-input', INVALID],
    ['a bound of a bigint', of(slot(15n)), 'invalid-amount', { field: 'brackets[0].slotOffsetUpperbound' }],
    ['a negative bound', of(slot(-1)), 'invalid-amount', { field: 'brackets[0].slotOffsetUpperbound' }],
    ['a bound of NaN', of(slot(Number.NaN)), 'invalid-amount', { field: 'brackets[0].slotOffsetUpperbound' }],
    [
      'a bound over 16 bits',
      of(slot(65_536)),
      'amount-out-of-range',
      { field: 'brackets[0].slotOffsetUpperbound' },
    ],
    ['half a basis point', of(slot(15, 0.5)), 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['a fee of text', of(slot(15, 1, '1')), 'invalid-amount', { field: 'brackets[0].sellFeeBps' }],
    [
      'no last slot',
      { ...of(slot(15)), maxSlotOffset: undefined },
      'invalid-amount',
      { field: 'maxSlotOffset' },
    ],
    [
      'a last slot of text',
      { ...of(slot(15)), maxSlotOffset: '15' },
      'invalid-amount',
      { field: 'maxSlotOffset' },
    ],
    [
      'a last slot over 16 bits',
      { ...of(slot(15)), maxSlotOffset: 65_536 },
      'amount-out-of-range',
      { field: 'maxSlotOffset' },
    ],
    ['no highest fee', { ...of(slot(15)), maxFeeBps: undefined }, 'invalid-amount', { field: 'maxFeeBps' }],
    ['a negative highest fee', { ...of(slot(15)), maxFeeBps: -1 }, 'invalid-amount', { field: 'maxFeeBps' }],
    ['no switch', { ...of(slot(15)), enabled: undefined }, 'invalid-input', { field: 'enabled' }],
    ['a switch of 1', { ...of(slot(15)), enabled: 1 }, 'invalid-input', { field: 'enabled' }],
  ])('rejected before any call to the node: %s', async (_, given, code, context) => {
    await expectRefusal(run('setSlotCreatorFee', given), code, context);
    expect(ledger.requests).toEqual([]);
  });

  test('the maxima may be higher than theirs', async () => {
    const given = of(slot(14, 99, 99));
    expect(parsedOf(await run('setSlotCreatorFee', given)).data).toMatchObject({
      fees: { count: 1, maxSlotOffset: 15, maxFeeBps: 100 },
    });
  });

  test('accepts 42 of them', async () => {
    const given = many(42);
    expect(parsedOf(await run('setSlotCreatorFee', given)).data).toMatchObject({
      fees: { brackets: given.brackets, count: 42, maxSlotOffset: 41 },
    });
  });
});

test('a path in an error is a JSON path over HTTP, whoever throws it', async () => {
  const handler = createHandler({ client });
  const response = await handler(
    new Request('http://localhost/tx/pro/set-lp-fee', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"program_id":"${HEAVEN_PROGRAM_ADDRESS}","pool":"${pro.pool}","payer":"${pro.creator}",
        "brackets":[{"market_cap_upper_bound":${CATCH_ALL},"buy_fee_bps":10001,"sell_fee_bps":0}]}`,
    }),
  );
  expect(await response.json()).toMatchObject({
    error: { code: 'invalid-fees', details: { field: 'brackets.0.buy_fee_bps', fee_bps: 10_001 } },
  });
});
