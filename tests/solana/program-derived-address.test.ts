import {
  type Address,
  address,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  isAddress,
  isOffCurveAddress,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { addressBytes, addressText } from '../../src/solana/base58.js';
import { isOnCurve, programDerivedAddress } from '../../src/solana/program-derived-address.js';

// Held against kit, which does the same with codecs of its own.

const bytesOf = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, () => crypto.getRandomValues(new Uint8Array(32)));
const EDGES = [
  new Uint8Array(32),
  new Uint8Array(32).fill(255),
  Uint8Array.of(1, ...new Uint8Array(31)),
  Uint8Array.of(1, ...new Uint8Array(30), 0x80),
  Uint8Array.of(...new Uint8Array(31), 1),
  Uint8Array.of(...new Uint8Array(31), 0x80),
  // p - 1, p, p + 1 and the like: y is not reduced.
  ...[0xec, 0xed, 0xee, 0xef, 0xff].flatMap((first) =>
    [0x7f, 0xff].map((last) => Uint8Array.of(first, ...new Uint8Array(30).fill(255), last)),
  ),
];

describe('an address', () => {
  test.each([...EDGES, ...bytesOf(200)].map((bytes) => [[...bytes].join(), bytes] as const))(
    'of the bytes %s',
    (_, bytes) => {
      const text = getAddressDecoder().decode(bytes);
      expect(addressText(bytes)).toBe(text);
      expect(addressBytes(text)).toEqual(bytes);
    },
  );

  test('is distinguished from other texts', () => {
    const some = 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o';
    const texts = [
      ...[
        '',
        '1',
        '1'.repeat(31),
        '1'.repeat(32),
        '1'.repeat(33),
        '1'.repeat(44),
        'z'.repeat(44),
        'z'.repeat(32),
      ],
      ...[some.slice(1), `${some}1`, `1${some}`, ` ${some}`, some.replace('H', '0'), some.replace('H', 'é')],
      ...[
        '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
        `${'1'.repeat(31)}2`,
        `${'1'.repeat(30)}zz`,
        '🚀'.repeat(16),
      ],
    ];
    for (const text of texts)
      expect([text, addressBytes(text) !== undefined]).toEqual([text, isAddress(text)]);
  });
});

test('a point of the curve is distinguished from other bytes', () => {
  const bytes = [...EDGES, ...bytesOf(200)];
  const isPoint = (each: Uint8Array) => !isOffCurveAddress(getAddressDecoder().decode(each));
  expect(bytes.map(isOnCurve)).toEqual(bytes.map(isPoint));
});

test('a derived address', async () => {
  const programAddress = address('HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o');
  for (const seed of bytesOf(30)) {
    const seeds = [new TextEncoder().encode('liquidity_pool_state'), seed, Uint8Array.of(0, 1)];
    const [expected] = await getProgramDerivedAddress({ programAddress, seeds });
    expect(await programDerivedAddress(programAddress, seeds)).toBe(expected);
    const bytes = getAddressEncoder().encode(expected as Address);
    expect(isOnCurve(Uint8Array.from(bytes))).toBe(false);
  }
});
