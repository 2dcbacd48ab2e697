import { describe, expect, test } from 'vitest';
import { getEventDeclarations } from '../../src/program/events.js';
import { decodeEvent, parseLogs } from '../../src/program/index.js';
import { addressNamed, addressOfByte } from '../support/addresses.js';
import { anchorDiscriminator } from '../support/anchor.js';
import { base64Of, bytesOf, hex } from '../support/bytes.js';
import { fc } from '../support/properties.js';

interface Case {
  readonly name: string;
  readonly discriminator: string;
  /** Bytes behind the discriminator, for an event without text. */
  readonly size?: number;
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
    discriminator: 'bddb7fd34ee661ee',
    size: 72,
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
    discriminator: '21156c14f1f4a783',
    body: hex(key('a1'), '03000000 627579', '04000000 68c3a921'),
    data: { liquidityPoolId: address('a1'), instructionName: 'buy', base64Data: 'hé!' },
  },
  {
    name: 'MigrationEvent',
    discriminator: 'ffca4c935be74916',
    size: 8,
    body: '00000000086af840', // 100000.5 is 0x40f86a0800000000
    data: { marketCap: 100_000.5 },
  },
  {
    name: 'HighReflectionFeeEvent',
    discriminator: 'c6d9e5cd5ed60eb1',
    size: 48,
    body: hex(key('a1'), '0807060504030201 1817161514131211'),
    data: {
      liquidityPoolId: address('a1'),
      reflectionFeeAmount: 0x0102030405060708n,
      totalReflectionFees: 0x1112131415161718n,
    },
  },
  {
    name: 'CreateStandardLiquidityPoolEvent',
    discriminator: 'bd3883904b3ff994',
    size: 146,
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
    discriminator: '74d8ef8dcfd3b27f',
    size: 105,
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
    discriminator: '348004a67ab054cf',
    size: 112,
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
  expect(
    getEventDeclarations()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(CASES.map(({ name }) => name).sort());
});

describe.each(CASES)('$name', ({ name, discriminator, body, data }) => {
  const payload = bytesOf(discriminator, body);
  /** The shortest payload that is complete: an earlier trade event had 32 bytes. */
  const least = name === 'TradeEvent' ? 8 + 32 : payload.length;

  test('has the discriminator of its name', () => {
    expect(discriminator).toBe(anchorDiscriminator('event', name));
    expect(getEventDeclarations().find((event) => event.name === name)?.discriminator).toBe(discriminator);
  });

  test('is read from bytes and from base64', () => {
    expect(decodeEvent(payload)).toEqual({ name, data });
    expect(decodeEvent(base64Of(payload))).toEqual({ name, data });
  });

  test('is read with more bytes behind it', () => {
    expect(decodeEvent(bytesOf(discriminator, body, 'ff'.repeat(50)))).toEqual({ name, data });
  });

  test('is nothing when cut short', () => {
    for (let length = 0; length < least; length++)
      expect(decodeEvent(payload.subarray(0, length)), `${length} bytes`).toBeUndefined();
  });
});

test('events without text have the known sizes', () => {
  for (const { name, size, body } of CASES.filter((event) => event.size !== undefined))
    expect(bytesOf(body), name).toHaveLength(size!);
});

describe('a trade event of the earlier version', () => {
  const payload = bytesOf('bddb7fd34ee661ee', TRADE_32_BODY);

  test('has only the first four fields', () => {
    expect(decodeEvent(payload)).toStrictEqual({ name: 'TradeEvent', data: TRADE_32 });
  });

  test('does not make a later field out of fewer bytes than all of them take', () => {
    expect(decodeEvent(bytesOf('bddb7fd34ee661ee', TRADE_32_BODY, 'ff'.repeat(39)))).toStrictEqual({
      name: 'TradeEvent',
      data: TRADE_32,
    });
  });
});

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
    const discriminators = fc.constantFrom('', ...CASES.map(({ discriminator }) => discriminator));
    fc.assert(
      fc.property(discriminators, fc.uint8Array({ maxLength: 200 }), (discriminator, rest) => {
        const payload = Uint8Array.from([...bytesOf(discriminator), ...rest]);
        expect(decodeEvent(base64Of(payload))).toEqual(decodeEvent(payload));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => decodeEvent(text) === undefined));
  });
});

// ---------------------------------------------------------------- logs

const EXCHANGE = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ROUTER = addressNamed('router');

const invoke = (program: string, depth: number): string => `Program ${program} invoke [${depth}]`;
const success = (program: string): string => `Program ${program} success`;
/** A migration event with a market cap of its own, to tell one from another. */
const logged = (marketCap: number): string => {
  const payload = bytesOf('ffca4c935be74916', '00'.repeat(8));
  new DataView(payload.buffer).setFloat64(8, marketCap, true);
  return `Program data: ${base64Of(payload)}`;
};
const marketCapsIn = (logs: readonly string[]): unknown[] =>
  parseLogs(logs).events.map(({ data }) => (data as { marketCap?: number }).marketCap);

describe('logs', () => {
  test('give the events of the exchange in order', () => {
    const logs = [
      'Program ComputeBudget111111111111111111111111111111 invoke [1]',
      'Program ComputeBudget111111111111111111111111111111 success',
      invoke(EXCHANGE, 1),
      'Program log: Instruction: Buy',
      logged(1),
      logged(2),
      `Program ${EXCHANGE} consumed 90000 of 200000 compute units`,
      'Program return: HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o AQAAAAAAAAA=',
      success(EXCHANGE),
      invoke(EXCHANGE, 1),
      logged(3),
      success(EXCHANGE),
    ];
    // The compute budget's instruction is the first, so the exchange's are the second and the third.
    expect(parseLogs(logs)).toEqual({
      events: [
        [1, 1],
        [2, 1],
        [3, 2],
      ].map(([marketCap, instructionIndex]) => ({
        name: 'MigrationEvent',
        data: { marketCap },
        emittedBy: { instructionIndex, stackHeight: 1 },
        reverted: false,
      })),
      truncated: false,
    });
  });

  test('are empty without any', () => {
    expect(parseLogs([])).toEqual({ events: [], truncated: false });
  });

  test('are followed into the exchange and out of it again', () => {
    const logs = [
      invoke(ROUTER, 1),
      logged(101),
      invoke(EXCHANGE, 2),
      logged(1),
      invoke(TOKEN, 3),
      logged(102),
      success(TOKEN),
      logged(2),
      invoke(ROUTER, 3),
      invoke(TOKEN, 4),
      logged(103),
      success(TOKEN),
      logged(104),
      success(ROUTER),
      logged(3),
      success(EXCHANGE),
      logged(105),
      success(ROUTER),
      logged(106),
    ];
    expect(marketCapsIn(logs)).toEqual([1, 2, 3]);
  });

  test('ignore the same bytes from another program', () => {
    expect(marketCapsIn([invoke(ROUTER, 1), logged(1), success(ROUTER)])).toEqual([]);
  });

  test('ignore events outside of any program', () => {
    expect(marketCapsIn([logged(1), invoke(EXCHANGE, 1), success(EXCHANGE), logged(2)])).toEqual([]);
  });

  test('end with the program that failed', () => {
    const logs = [
      invoke(EXCHANGE, 1),
      logged(1),
      `Program ${EXCHANGE} failed: custom program error: 0x177d`,
      logged(2),
    ];
    expect(marketCapsIn(logs)).toEqual([1]);
  });

  test.each([
    `Program log: ${invoke(EXCHANGE, 1)}`,
    `Program log: x\n${invoke(EXCHANGE, 1)}`,
    `Program log: ${success(ROUTER)}`,
    `Program log: Program ${ROUTER} failed: custom program error: 0x1`,
    `${invoke(EXCHANGE, 1)} `,
    `Program data: ${invoke(EXCHANGE, 1)}`,
    'Program log: Log truncated',
  ])('are not fooled by the line %j', (line) => {
    expect(parseLogs([invoke(ROUTER, 1), line, logged(1), success(ROUTER)])).toEqual({
      events: [],
      truncated: false,
    });
    expect(marketCapsIn([invoke(EXCHANGE, 1), line.replace(ROUTER, EXCHANGE), logged(1)])).toEqual([1]);
  });

  test('say when the node cut them', () => {
    const logs = [invoke(EXCHANGE, 1), logged(1), 'Log truncated'];
    expect(parseLogs(logs)).toMatchObject({ truncated: true, events: [{ data: { marketCap: 1 } }] });
  });

  test('after lost lines, the depth says who is running', () => {
    const logs = [
      invoke(EXCHANGE, 1),
      // The line that says how it ended is lost.
      invoke(ROUTER, 1),
      logged(101),
      success(ROUTER),
      logged(102),
    ];
    expect(marketCapsIn(logs)).toEqual([]);
  });

  test('skip what is not an event of the exchange', () => {
    const logs = [invoke(EXCHANGE, 1), 'Program data: AQIDBAUGBwg=', 'Program data: ', logged(1)];
    expect(marketCapsIn(logs)).toEqual([1]);
  });

  test('are read for another deployment', () => {
    const logs = [invoke(ROUTER, 1), logged(1), success(ROUTER), invoke(EXCHANGE, 1), logged(2)];
    const { events } = parseLogs(logs, { programAddress: ROUTER });
    expect(events).toMatchObject([{ name: 'MigrationEvent', data: { marketCap: 1 } }]);
    expect(events).toHaveLength(1);
  });
});
