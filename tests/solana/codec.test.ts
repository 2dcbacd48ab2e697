import { describe, expect, test } from 'vitest';
import * as types from '../../src/program/types.js';
import { assertMatches, encoderFor, readValue, type Schema } from '../../src/solana/codec.js';
import { addressOfByte } from '../support/addresses.js';
import { bytesOf, hex, hexOf } from '../support/bytes.js';
import { heavenError } from '../support/errors.js';

describe('structs have the sizes that they have on chain', () => {
  test.each([
    [types.feeBracketSchema, 16],
    [types.feeBracketsSchema, 72],
    [types.slotFeeBracketSchema, 6],
    [types.slotFeeBracketsSchema, 262],
    [types.liquidityPoolMarketCapBasedFeesSchema, 360],
    [types.liquidityPoolSlotOffsetBasedFeesSchema, 1316],
    [types.liquidityPoolInfoSchema, 88],
    [types.liquidityPoolReserveSchema, 72],
    [types.liquidityPoolLpTokenSupplySchema, 40],
    [types.liquidityPoolLpTokenInfoSchema, 48],
    [types.liquidityPoolTokenInfoSchema, 65],
    [types.liquidityPoolAllowlistSchema, 7],
    [types.liquidityPoolFeatureFlagsSchema, 8],
  ] as const)('$name', (schema, size) => {
    expect(encoderFor(schema)).toMatchObject({ fixedSize: size });
  });
});

describe('an update of a pool is its number, then its payload', () => {
  const noBracket = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
  const noSlotBracket = { buyFeeBps: 0, sellFeeBps: 0, slotOffsetUpperbound: 0 };

  test.each([
    ['00 02', { kind: 'creatorTradingFeeClaimStatus', status: 2 }],
    ['01 03', { kind: 'creatorTradingFeeDistribution', distribution: 3 }],
    [`02 ${'a1'.repeat(32)}`, { kind: 'creatorTradingFeeReceiver', receiver: addressOfByte(0xa1) }],
    ['03 01', { kind: 'feeConfigurationMode', mode: 1 }],
    [
      `04 02 ${'00'.repeat(252)} 0100 0200 03 01 00000000`,
      {
        kind: 'slotOffsetBasedFees',
        feeType: 2,
        fees: {
          brackets: Array(42).fill(noSlotBracket),
          maxSlotOffset: 1,
          maxFeeBps: 2,
          count: 3,
          enabled: 1,
        },
      },
    ],
    [
      `05 04 ${'00'.repeat(64)} 04 00000000000000`,
      { kind: 'marketCapBasedFees', feeType: 4, fees: { brackets: Array(4).fill(noBracket), count: 4 } },
    ],
    ['06 01', { kind: 'toggleSwapPermission', enabled: true }],
    ['07 000000000000f03f', { kind: 'setCreatorTradingFeeTradingVolumeThreshold', threshold: 1 }],
  ])('%s', (bytes, value) => {
    const schema = types.adminUpdateLiquidityPoolStateSchema;
    expect(() => assertMatches(schema, value, 'update')).not.toThrow();
    expect(hexOf(encoderFor(schema).encode(value))).toBe(hex(bytes));
    expect(readValue(schema, bytesOf(bytes))[0]).toMatchObject(value);
  });
});

describe('a value that does not fit is refused with its path', () => {
  const poolType: Schema = { name: 'LiquidityPoolType', values: types.LiquidityPoolType };
  const update = types.adminUpdateLiquidityPoolStateSchema;

  test.each([
    [poolType, 3, 'value'],
    [poolType, '1', 'value'],
    [update, { kind: 'nothing' }, 'value'],
    [update, { kind: 'toString' }, 'value'],
    [update, {}, 'value'],
    [update, null, 'value'],
    [update, { kind: 'feeConfigurationMode', mode: 2 }, 'value.mode'],
    [update, { kind: 'toggleSwapPermission' }, 'value.enabled'],
    ['f64', 1n, 'value'],
    ['i128', 1, 'value'],
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
