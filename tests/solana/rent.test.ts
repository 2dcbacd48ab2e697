import { expect, test } from 'vitest';
import { computeRentExemption, decodeLamportsPerByte } from '../../src/program/index.js';
import { RENT_SYSVAR_ADDRESS } from '../../src/solana/programs.js';
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
  ['the least', 1n, 1, 1n],
  ['the most', 100_000n, 1, 100_000n],
])('the rate is the stored one times the threshold: %s', (_, stored, threshold, rate) => {
  expect(decodeLamportsPerByte(sysvar(stored, threshold))).toBe(rate);
});

const IMPOSSIBLE = 'rpc-wrong-account:field';
test.each<[string, Uint8Array, string, object]>([
  ['too few bytes', sysvar(5_080n, 1).subarray(0, 16), 'invalid-account-data', {}],
  ['no threshold', sysvar(5_080n, Number.NaN), 'invalid-account-data', {}],
  ['a threshold beyond all', sysvar(5_080n, 1e300), 'invalid-account-data', {}],
  ['a threshold of too many digits', sysvar(5_080n, 2 ** -33), 'invalid-account-data', {}],
  ['half a lamport', sysvar(5_081n, 0.5), 'invalid-account-data', {}],
  // The nearest double to this product is the whole number 4294967296.
  ['a fraction that a double hides', sysvar(2n ** 64n - 1n, 2 ** -32), 'invalid-account-data', {}],
  ['no rent', sysvar(0n, 1), IMPOSSIBLE, { found: 0n }],
  ['negative rent', sysvar(5_080n, -1), IMPOSSIBLE, { found: -5_080n }],
  ['too much rent', sysvar(100_001n, 1), IMPOSSIBLE, { found: 100_001n }],
])('rejects %s', async (_, data, code, context) => {
  const account = { account: 'Rent', address: RENT_SYSVAR_ADDRESS };
  await expectRefusal(() => decodeLamportsPerByte(data), code, { ...account, ...context });
});

// Rows of SIMD-0437, for a wallet, a mint, a token account and one of Token-2022 with an immutable owner.
test.each([
  [6_960n, [890_880n, 1_461_600n, 2_039_280n, 2_074_080n]],
  [5_080n, [650_240n, 1_066_800n, 1_488_440n, 1_513_840n]],
  [696n, [89_088n, 146_160n, 203_928n, 207_408n]],
])('rent at %s lamports per byte', (rate, lamports) => {
  expect([0, 82, 165, 170].map((size) => computeRentExemption(size, rate))).toEqual(lamports);
});
