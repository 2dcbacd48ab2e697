import {
  type Encoder,
  getAddressDecoder,
  getArrayEncoder,
  getNullableEncoder,
  getStructEncoder,
  padRightEncoder,
} from '@solana/kit';
import { describe, expect, test, vi } from 'vitest';
import {
  liquidityPoolStateDeclaration,
  protocolConfigDeclaration,
} from '../../src/program/account-layouts.js';
import * as types from '../../src/program/types.js';
import { assertMatches, readValue, type Schema, writeValue } from '../../src/solana/codec.js';
import { ENCODERS } from '../program/committed-idl.js';
import { bytesOf, hex, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';
import { fc, textsUpTo } from '../support/properties.js';

describe('a value that does not fit is rejected with its path', () => {
  const item: Schema = { fields: { enabled: 'bool' } };
  const settings: Schema = { fields: { switches: { vec: item } } };

  test.each([
    [settings, null, 'value'],
    [settings, {}, 'value.switches'],
    [settings, { switches: [{ enabled: true }, {}] }, 'value.switches[1].enabled'],
    ['f64', 1n, 'value'],
    ['bool', 'true', 'value'],
  ] as const)('%j: %o', (schema, value, field) => {
    expect(() => assertMatches(schema, value, 'value')).toThrow(heavenError('invalid-input', { field }));
  });

  test.each([
    ['u8', 255],
    ['u16', 65_535],
    ['u32', 2 ** 32 - 1],
    ['u64', 2n ** 64n - 1n],
  ] as const)('the largest %s fits, the next does not', (schema, most) => {
    expect(() => assertMatches(schema, most, 'value')).not.toThrow();
    const next = typeof most === 'bigint' ? most + 1n : most + 1;
    expect(() => assertMatches(schema, next, 'value')).toThrow(
      heavenError('amount-out-of-range', { field: 'value', value: next }),
    );
  });
});

const all: Schema = {
  fields: {
    flag: 'bool',
    wide: 'u64',
    _pad: { padding: 5 },
    texts: { vec: { option: 'string' } },
    pairs: { array: 'u16', length: 2 },
  },
};

describe('bytes', () => {
  test('that are cut short anywhere are rejected', () => {
    const value = { flag: true, wide: 1n, texts: [null, 'é'], pairs: [1, 0x203] };
    const bytes = writeValue(all, value);
    for (let size = 0; size < bytes.length; size++)
      expect(() => readValue(all, bytes.subarray(0, size)), `${size} bytes`).toThrow();
  });

  test.each<[string, Schema]>([
    ['02', 'bool'],
    ['02 00', { option: 'u8' }],
    ['01000000 ff', 'string'],
    ['ffffffff', { vec: 'u8' }],
    ['', { vec: 'u8' }],
  ])('%s is rejected as %j', (bytes, schema) => {
    expect(() => readValue(schema, bytesOf(hex(bytes)))).toThrow();
  });
});

// A copy for each number takes most of the time of a whole account.
test('a whole config is read without copying its bytes', () => {
  const bytes = new Uint8Array(4_000);
  const copies = vi.spyOn(ArrayBuffer.prototype, 'slice');
  const [config] = readValue(protocolConfigDeclaration, bytes.subarray(8));
  expect(config).toMatchObject({ createPoolFee: 0n, slotOffsetBasedFees: {} });
  expect(copies).not.toHaveBeenCalled();
  copies.mockRestore();
});

describe('any value', () => {
  type Fields = { readonly [field: string]: Schema };
  /** Any value of a schema, and kit's encoder of it. */
  type Pair = readonly [fc.Arbitrary<unknown>, Encoder<unknown>];

  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const LEAVES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    bool: fc.boolean(),
    u8: fc.nat(255),
    u16: fc.nat(65_535),
    u32: fc.nat(2 ** 32 - 1),
    u64: fc.bigInt(0n, 2n ** 64n - 1n),
    f64: fc.double(),
    pubkey: bytes32.map((bytes) => getAddressDecoder().decode(bytes)),
    string: textsUpTo(90),
  };

  const pairOf = (schema: Schema): Pair => {
    if (typeof schema === 'string') return [LEAVES[schema]!, ENCODERS[schema]!];
    if ('fields' in schema) return pairOfFields(schema.fields);
    if ('vec' in schema) {
      const [value, encoder] = pairOf(schema.vec);
      return [fc.array(value, { maxLength: 20 }), getArrayEncoder(encoder) as Encoder<unknown>];
    }
    if ('option' in schema) {
      const [value, encoder] = pairOf(schema.option);
      return [fc.option(value), getNullableEncoder(encoder) as Encoder<unknown>];
    }
    if (!('array' in schema)) throw new Error('Padding stands behind a field.');
    const { length: size } = schema;
    const [value, encoder] = pairOf(schema.array);
    const values = fc.array(value, { minLength: size, maxLength: size });
    return [values, getArrayEncoder(encoder, { size }) as Encoder<unknown>];
  };
  const pairOfFields = (fields: Fields): Pair => {
    const values: Record<string, fc.Arbitrary<unknown>> = {};
    const entries: [string, Encoder<unknown>][] = [];
    for (const [name, schema] of Object.entries(fields)) {
      const last = entries.at(-1);
      if (last && typeof schema === 'object' && 'padding' in schema)
        last[1] = padRightEncoder(last[1], schema.padding);
      else {
        const [value, encoder] = pairOf(schema);
        values[name] = value;
        entries.push([name, encoder]);
      }
    }
    return [fc.record(values), getStructEncoder(entries) as unknown as Encoder<unknown>];
  };

  /** The names of all fields, in their order. */
  const namesOf = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).map(([name, field]) => [name, namesOf(field)]);

  test.each([
    ['of all kinds', all],
    ['of a pool', liquidityPoolStateDeclaration],
    ['of a launch', types.createProLiquidityPoolParamsSchema],
    ['of a config', protocolConfigDeclaration],
  ] as const)('%s is written as kit writes it, and read again', (_, schema) => {
    const [any, encoder] = pairOf(schema);
    fc.assert(
      fc.property(any, fc.uint8Array({ maxLength: 9 }), (value, start) => {
        assertMatches(schema, value, 'value');
        const bytes = writeValue(schema, value, start);
        expect(hexOf(bytes)).toBe(hexOf(start) + hexOf(encoder.encode(value)));
        const [read, end] = readValue(schema, bytes, start.length);
        expect([read, end]).toEqual([value, bytes.length]);
        expect(namesOf(read)).toEqual(namesOf(value));
      }),
      { numRuns: 30 },
    );
  });
});
