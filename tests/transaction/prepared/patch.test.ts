import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patchTrade } from '../../../src/index.js';
import { U64_MAX } from '../../support/amounts.js';
import { base64Of } from '../../support/bytes.js';
import { fc } from '../../support/properties.js';
import { createShapes, lifetimeOf, type Shape, TIP_TO, type Values } from './shapes.js';

// The seed of a temporary account is random. Two builds make the same account only so.
beforeAll(() => {
  vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((bytes) => {
    (bytes as unknown as Uint8Array).fill(7);
    return bytes;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

const { shapes } = await createShapes();
/** Of the account of 165 bytes with its overhead of 128, at the 5080 lamports a byte that mainnet charges. */
const RENT = 293n * 5_080n;
/** What a sell of any pool can pay for. */
const MOST_TOKENS = 10n ** 17n;

/** Often one of the bounds. */
const u64 = (min = 0n, max = U64_MAX) => fc.oneof(fc.constantFrom(min, max), fc.bigInt({ min, max }));

/** Any values that the trade takes. */
const valuesOf = ({ version, side, isTemporary, hasTip }: Shape): fc.Arbitrary<Required<Values>> =>
  fc.record({
    amount: u64(1n, side === 'sell' ? MOST_TOKENS : isTemporary ? U64_MAX - RENT : U64_MAX),
    minimumOut: u64(),
    lifetime: fc.integer({ min: 0, max: 255 }).map(lifetimeOf),
    computeUnitLimit: fc.integer({ min: 1, max: version === 1 ? 1_400_000 : 0xffff_ffff }),
    // Of 1400000 units no higher price fits into version 1's fee.
    computeUnitPrice: version === 1 ? u64(0n, (U64_MAX * 10n) / 14n) : u64(1n),
    tip: hasTip ? u64(1n).map((lamports) => ({ to: TIP_TO, lamports })) : fc.constant(null),
    currentSlot: fc.constant(null),
  });

test.each([...shapes])('%s: gives the same bytes as the builder for any value', async (_, shape) => {
  const { patch, data } = await shape.prepare();
  const template = Uint8Array.from(data.bytes);
  await fc.assert(
    fc.asyncProperty(valuesOf(shape), async ({ tip, currentSlot, ...values }) => {
      const { tx } = await shape.build(tip ? { ...values, tip } : values);
      expect(base64Of(patch({ tip, currentSlot, ...values }))).toBe(tx);
    }),
    { numRuns: 8 },
  );
  expect(data.bytes).toEqual(template);
});

test('a copy passed to a worker is patched the same way', async () => {
  const { data, patch } = await shapes.get('buy, version 0, associated, with a tip')!.prepare();
  const tip = { to: TIP_TO, lamports: 5n };
  const values = { amount: 1_000_000_000n, minimumOut: 2n, lifetime: lifetimeOf(3), tip };
  expect(base64Of(patchTrade(structuredClone(data), values))).toBe(base64Of(patch(values)));
});
