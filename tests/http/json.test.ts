import { LosslessNumber, parse, stringify } from 'lossless-json';
import { expect, test } from 'vitest';

import { JsonDecimal, parseJson, stringifyJson, stringifyJsonWithStrings } from '../../src/base/json.js';

// Held against a library that does the same.

const reference = (text: string): unknown =>
  parse(text, null, (digits) => (/^-?\d{1,40}$/.test(digits) ? BigInt(digits) : new LosslessNumber(digits)));

/** A value as JSON, or that it can't be read. */
function outcome(read: () => string | undefined): string {
  try {
    return read() ?? 'nothing';
  } catch (error) {
    return (error as Error).name;
  }
}

test.each([
  ...['', ' ', '{', '{}', '[]', '[1,]', '{"a":1,}', '{a:1}', '{"a"}', '{"a":}', ',', '[,]', '1 2', '[1 2]'],
  ...['01', '-', '-0', '1.', '.5', '1e5', '1E+400', '-1.50'],
  ...['9'.repeat(40), '9'.repeat(41), `-${'9'.repeat(40)}`],
  ...['true', 'tru', 'truex', 'null', 'nul', '\u00a01', '\ufeff1', '{"a" : [ 1 ,\r\n"b"\t, null ] }'],
  ...['"\\u0041\\n"', '"\n"', '"\t"', '"\\x"', '"\\u00"', '"a'],
  ...['"\\"', '"\\\\"', '"\\\n"', '"\u2028"', '"\ud800"'],
  ...['{"a":1,"a":1}', '{"a":1,"a":2}', '{"a":{"b":1.0},"a":{"b":1.0}}', '{"a":{"b":1.0},"a":{"b":1.00}}'],
  ...['{"__proto__":{"x":1}}', '{"toString":1}', '{"constructor":1,"constructor":1}'],
])('%j is read as by the library', (text) => {
  expect(outcome(() => stringifyJson(parseJson(text)))).toBe(outcome(() => stringify(reference(text))));
});

test.each(['['.repeat(100_000), '{"a":'.repeat(100_000), `${'['.repeat(30_000)}${']'.repeat(30_000)}`])(
  'rejects what is nested too deeply: %.5s',
  (text) => {
    expect(outcome(() => stringifyJson(parseJson(text)))).toBe('RangeError');
  },
);

test('a name like __proto__ is a field like any other', () => {
  const value = parseJson('{"__proto__":{"polluted":1}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test.each([
  [undefined],
  [{ a: undefined, b: [undefined], c: () => 1 }],
  [new Date(0)],
  [Number.NaN],
  [-0],
  ['é"\u2028\n'],
  [{ 'a"b': [1n, 2.5, null, true, { c: [] }] }],
])('value %# is written as by the library', (value) => {
  expect(stringifyJson(value)).toBe(stringify(value) ?? 'null');
});

test('digits are kept', () => {
  const value = { decimal: new JsonDecimal('1.50'), large: 2n ** 53n, safe: 2n ** 53n - 1n };
  expect(stringifyJson(value)).toBe('{"decimal":1.50,"large":9007199254740992,"safe":9007199254740991}');
  expect(stringifyJsonWithStrings(value)).toBe(
    '{"decimal":1.50,"large":"9007199254740992","safe":9007199254740991}',
  );
});
