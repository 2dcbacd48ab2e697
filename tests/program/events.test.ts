import { describe, expect, test } from 'vitest';
import { getEventDeclarations } from '../../src/program/events.js';
import { decodeEvent } from '../../src/program/index.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { base64Of, bytesOf } from '../support/bytes.js';
import { fc } from '../support/properties.js';
import { exampleOf, fieldsOf, idl } from './committed-idl.js';

/** The trade event that the program emitted before: without what was traded. */
const TRADE_32_BODY = '0807060504030201 1817161514131211 2827262524232221 3837363534333231';
const TRADE_32 = {
  baseReserve: 0x0102030405060708n,
  quoteReserve: 0x1112131415161718n,
  totalCreatorTradingFees: 0x2122232425262728n,
  totalFeePaid: 0x3132333435363738n,
};

const CASES = idl.events.map(({ name }) => {
  const [data, body] = exampleOf(fieldsOf(name));
  return { name, data, body };
});

test('all 7 events are declared, once each', () => {
  expect(CASES).toHaveLength(7);
  const declared = getEventDeclarations().map(({ name }) => name);
  expect(declared).toEqual(CASES.map(({ name }) => name));
});

describe.each(CASES)('$name', ({ name, body, data }) => {
  const discriminator = anchorDiscriminator('event', name);
  const payload = bytesOf(discriminator, body);
  /** The shortest payload that is complete: an earlier trade event had 32 bytes. */
  const least = name === 'TradeEvent' ? 8 + 32 : payload.length;

  test('is read from bytes and from base64, also with more bytes behind it', () => {
    expect(getEventDeclarations().find((event) => event.name === name)?.discriminator).toBe(discriminator);
    for (const longer of [payload, bytesOf(discriminator, body, 'ff'.repeat(50))]) {
      expect(decodeEvent(longer)).toEqual({ name, data });
      expect(decodeEvent(base64Of(longer))).toEqual({ name, data });
    }
  });

  test('is nothing when cut short', () => {
    for (let length = 0; length < least; length++)
      expect(decodeEvent(payload.subarray(0, length)), `${length} bytes`).toBeUndefined();
  });
});

test.each(['', 'ff'.repeat(39)])('an earlier trade event has four fields, with "%s" behind', (more) => {
  const event = decodeEvent(bytesOf('bddb7fd34ee661ee', TRADE_32_BODY, more));
  expect(event).toStrictEqual({ name: 'TradeEvent', data: TRADE_32 });
});

describe('invalid events', () => {
  test.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['two payloads', 'AAAA BBBB'],
    ['another discriminator', base64Of(bytesOf('0102030405060708', '00'.repeat(100)))],
    ['an account of the exchange', base64Of(bytesOf('be9edc820fa284fc', '00'.repeat(2296)))],
    [
      'text that claims 4 GB',
      base64Of(bytesOf('21156c14f1f4a783', 'a1'.repeat(32), 'ffffffff', '61'.repeat(100))),
    ],
  ])('%s', (_, payload) => {
    expect(decodeEvent(payload)).toBeUndefined();
  });

  test('garbage never throws', () => {
    const known = CASES.map(({ name }) => anchorDiscriminator('event', name));
    const discriminators = fc.constantFrom('', ...known);
    fc.assert(
      fc.property(discriminators, fc.uint8Array({ maxLength: 200 }), (discriminator, rest) => {
        const payload = Uint8Array.from([...bytesOf(discriminator), ...rest]);
        expect(decodeEvent(base64Of(payload))).toEqual(decodeEvent(payload));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => decodeEvent(text) === undefined));
  });
});
