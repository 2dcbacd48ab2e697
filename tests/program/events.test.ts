import { describe, expect, test } from 'vitest';
import { getEventDeclarations } from '../../src/program/events.js';
import { decodeEvent } from '../../src/program/index.js';
import { addressOfByte } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { base64Of, bytesOf, hex } from '../support/bytes.js';
import { fc } from '../support/properties.js';

interface Case {
  readonly name: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A public key of 32 equal bytes, and its address. */
const key = (byte: string): string => byte.repeat(32);
const address = (byte: string): string => addressOfByte(Number.parseInt(byte, 16));

const TRADE_32_BODY = '0807060504030201 1817161514131211 2827262524232221 3837363534333231';
const TRADE_32 = {
  baseReserve: 0x0102030405060708n,
  quoteReserve: 0x1112131415161718n,
  totalCreatorTradingFees: 0x2122232425262728n,
  totalFeePaid: 0x3132333435363738n,
};

const CASES: readonly Case[] = [
  {
    name: 'TradeEvent',
    body: hex(
      TRADE_32_BODY,
      '0000000000805440', // 82 is 1.28125 * 2^6: the f64 0x4054800000000000
      '4847464544434241 5857565554535251 6867666564636261 7877767574737271',
    ),
    data: {
      ...TRADE_32,
      priceSolUsd: 82,
      baseIn: 0x4142434445464748n,
      baseOut: 0x5152535455565758n,
      quoteIn: 0x6162636465666768n,
      quoteOut: 0x7172737475767778n,
    },
  },
  {
    name: 'UserDefinedEvent',
    body: hex(key('a1'), '03000000 627579', '04000000 68c3a921'),
    data: { liquidityPoolId: address('a1'), instructionName: 'buy', base64Data: 'hé!' },
  },
  {
    name: 'MigrationEvent',
    body: '00000000086af840', // 100000.5 is 0x40f86a0800000000
    data: { marketCap: 100_000.5 },
  },
  {
    name: 'HighReflectionFeeEvent',
    body: hex(key('a1'), '0807060504030201 1817161514131211'),
    data: {
      liquidityPoolId: address('a1'),
      reflectionFeeAmount: 0x0102030405060708n,
      totalReflectionFees: 0x1112131415161718n,
    },
  },
  {
    name: 'CreateStandardLiquidityPoolEvent',
    body: hex(key('a1'), key('a2'), key('a3'), key('a4'), '0201 0807060504030201 1817161514131211'),
    data: {
      poolId: address('a1'),
      payer: address('a2'),
      creator: address('a3'),
      mint: address('a4'),
      configVersion: 0x0102,
      initialTokenReserve: 0x0102030405060708n,
      initialVirtualWsolReserve: 0x1112131415161718n,
    },
  },
  {
    name: 'CreateLiquidityPoolEvent',
    body: hex(
      key('a1'),
      key('a2'),
      '0807060504030201 1817161514131211 2827262524232221 3837363534333231 4847464544434241 01',
    ),
    data: {
      liquidityPoolId: address('a1'),
      user: address('a2'),
      baseTokenInputTransferFeeAmount: 0x0102030405060708n,
      quoteTokenInputTransferFeeAmount: 0x1112131415161718n,
      baseTokenInputAmount: 0x2122232425262728n,
      quoteTokenInputAmount: 0x3132333435363738n,
      lpTokenOutputAmount: 0x4142434445464748n,
      lockedLp: true,
    },
  },
  {
    name: 'CreatingLiquidityPoolEvent',
    body: hex(key('a1'), key('a2'), key('a3'), '0807060504030201 1817161514131211'),
    data: {
      id: address('a1'),
      base: address('a2'),
      quote: address('a3'),
      baseAmount: 0x0102030405060708n,
      quoteAmount: 0x1112131415161718n,
    },
  },
];

test('all 7 events are declared, once each', () => {
  expect(CASES).toHaveLength(7);
  const declared = getEventDeclarations().map(({ name }) => name);
  expect(declared.sort()).toEqual(CASES.map(({ name }) => name).sort());
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

test.each(['', 'ff'.repeat(39)])(
  'a trade event of the earlier version has four fields, with "%s" behind',
  (more) => {
    expect(decodeEvent(bytesOf('bddb7fd34ee661ee', TRADE_32_BODY, more))).toStrictEqual({
      name: 'TradeEvent',
      data: TRADE_32,
    });
  },
);

describe('invalid events', () => {
  test.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['two payloads', 'AAAA BBBB'],
    ['another discriminator', base64Of(bytesOf('0102030405060708', '00'.repeat(100)))],
    ['an account of the exchange', base64Of(bytesOf('be9edc820fa284fc', '00'.repeat(2296)))],
    ['text that claims 4 GB', base64Of(bytesOf('21156c14f1f4a783', key('a1'), 'ffffffff', '61'.repeat(100)))],
  ])('%s', (_, payload) => {
    expect(decodeEvent(payload)).toBeUndefined();
  });

  test('garbage never throws', () => {
    const discriminators = fc.constantFrom(
      '',
      ...CASES.map(({ name }) => anchorDiscriminator('event', name)),
    );
    fc.assert(
      fc.property(discriminators, fc.uint8Array({ maxLength: 200 }), (discriminator, rest) => {
        const payload = Uint8Array.from([...bytesOf(discriminator), ...rest]);
        expect(decodeEvent(base64Of(payload))).toEqual(decodeEvent(payload));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => decodeEvent(text) === undefined));
  });
});
