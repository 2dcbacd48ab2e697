import { describe, expect, test } from 'vitest';

import { computeRentExemption, decodeLamportsPerByte, RENT_SYSVAR_ADDRESS } from '../../src/program/index.js';
import { expectRefusal } from '../support/errors.js';

/** The sysvar: a u64, a double and a byte, little-endian. */
function sysvar(rate: bigint, threshold: number): Uint8Array {
  const data = new DataView(new ArrayBuffer(17));
  data.setBigUint64(0, rate, true);
  data.setFloat64(8, threshold, true);
  data.setUint8(16, 50);
  return new Uint8Array(data.buffer);
}

test('the sysvar as mainnet wrote it at 5080 lamports per byte', () => {
  const data = Uint8Array.from(Buffer.from('d813000000000000000000000000f03f32', 'hex'));
  expect(decodeLamportsPerByte(data)).toBe(5_080n);
  expect(RENT_SYSVAR_ADDRESS).toBe('SysvarRent111111111111111111111111111111111');
});

test.each([
  ['before SIMD-0194', 3_480n, 2, 6_960n],
  ['after it', 6_960n, 1, 6_960n],
  ['a threshold below one', 6_960n, 0.5, 3_480n],
  ['the last step that is planned', 696n, 1, 696n],
  ['the least', 1n, 1, 1n],
  ['the most', 100_000n, 1, 100_000n],
])('the rate is the stored one times the threshold: %s', (_, stored, threshold, rate) => {
  expect(decodeLamportsPerByte(sysvar(stored, threshold))).toBe(rate);
});

describe('rejects', () => {
  const reasonOf = (data: Uint8Array) =>
    expectRefusal(() => decodeLamportsPerByte(data), 'invalid-account-data', {
      account: 'Rent',
      address: RENT_SYSVAR_ADDRESS,
    });

  test('too few bytes', async () => {
    expect((await reasonOf(sysvar(5_080n, 1).subarray(0, 16))).message).toContain('16 bytes');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300, 2 ** -33])(
    'a threshold of %s',
    async (threshold) => {
      expect((await reasonOf(sysvar(5_080n, threshold))).message).toContain('threshold');
    },
  );

  test.each([
    [5_081n, 0.5],
    [1n, 1 + 2 ** -32],
    // The nearest double to this product is the whole number 4294967296.
    [0xffff_ffff_ffff_ffffn, 2 ** -32],
  ])('%s times %s, which is not a whole number', async (rate, threshold) => {
    expect((await reasonOf(sysvar(rate, threshold))).message).toContain('not a whole number');
  });

  test.each([
    [0n, 1, 0n],
    [5_080n, 0, 0n],
    [5_080n, -1, -5_080n],
    [100_001n, 1, 100_001n],
    [2n ** 64n - 1n, 1, 18_446_744_073_709_551_615n],
  ])('%s times %s, which no cluster charges', async (rate, threshold, found) => {
    await expectRefusal(() => decodeLamportsPerByte(sysvar(rate, threshold)), 'rpc-wrong-account:field', {
      account: 'Rent',
      address: RENT_SYSVAR_ADDRESS,
      field: 'lamportsPerByte',
      found,
      expected: 'from 1 to 100000',
    });
  });
});

// Rows of SIMD-0437, for a wallet, a mint, a token account and one of Token-2022 with an immutable owner.
test.each([
  [6_960n, [890_880n, 1_461_600n, 2_039_280n, 2_074_080n]],
  [6_333n, [810_624n, 1_329_930n, 1_855_569n, 1_887_234n]],
  [5_080n, [650_240n, 1_066_800n, 1_488_440n, 1_513_840n]],
  [2_575n, [329_600n, 540_750n, 754_475n, 767_350n]],
  [696n, [89_088n, 146_160n, 203_928n, 207_408n]],
])('rent at %s lamports per byte', (rate, lamports) => {
  expect([0, 82, 165, 170].map((size) => computeRentExemption(size, rate))).toEqual(lamports);
});
