import { getBase58Decoder, getBase58Encoder, isAddress } from '@solana/kit';
import { expect, test } from 'vitest';
import { addressBytes, base58Text } from '../../src/solana/base58.js';
import { fc } from '../support/properties.js';

// Held against kit's codec, which does the same in another way.

const RUNS = { numRuns: 2_000 };
const bytesOf = (maxLength: number, minLength = 0) =>
  fc
    .tuple(fc.nat(8), fc.uint8Array({ minLength, maxLength }))
    // Zeros in front are rare otherwise, and the hardest part.
    .map(([zeros, bytes]) => bytes.map((byte, index) => (index < zeros ? 0 : byte)));

test("any bytes are written as kit's codec writes them", () => {
  fc.assert(
    fc.property(bytesOf(100), (bytes) => {
      expect(base58Text(bytes)).toBe(getBase58Decoder().decode(bytes));
    }),
    RUNS,
  );
});

test('an address is read back', () => {
  fc.assert(
    fc.property(bytesOf(32, 32), (bytes) => {
      expect(addressBytes(base58Text(bytes))).toEqual(bytes);
    }),
    RUNS,
  );
  for (const byte of [0, 1, 255]) {
    const bytes = new Uint8Array(32).fill(byte);
    expect(addressBytes(base58Text(bytes))).toEqual(bytes);
  }
});

test('a text is an address exactly if kit accepts it', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
    minLength: 30,
    maxLength: 46,
  });
  const ones = fc.tuple(fc.nat(46), text).map(([count, rest]) => ('1'.repeat(count) + rest).slice(0, 44));
  fc.assert(
    fc.property(fc.oneof(text, ones), (candidate) => {
      const bytes = addressBytes(candidate);
      expect(bytes !== undefined).toBe(isAddress(candidate));
      if (bytes !== undefined) expect(bytes).toEqual(getBase58Encoder().encode(candidate));
    }),
    RUNS,
  );
  // The highest of 32 bytes, and one more.
  expect(addressBytes('JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG')).toEqual(new Uint8Array(32).fill(255));
  expect(addressBytes('JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH')).toBeUndefined();
});

test.each(['0', 'O', 'I', 'l', ' ', 'é', '😀'])('%s is not a digit', (character) => {
  const address = 'So11111111111111111111111111111111111111112';
  expect(addressBytes(`${address.slice(0, 20)}${character}${address.slice(21)}`)).toBeUndefined();
});
