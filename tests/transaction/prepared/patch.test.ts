import { getAddressEncoder, getBase64Encoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type PreparedTradeData, patchTrade } from '../../../src/index.js';
import { addressOfByte } from '../../support/addresses.js';
import { U64_MAX } from '../../support/amounts.js';
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
const RUNS = Math.ceil(100_000 / shapes.size);
/** Of the account of 165 bytes with its overhead of 128, at the 5080 lamports a byte that mainnet charges. */
const RENT = 293n * 5_080n;

const bytesOf = ({ tx }: { readonly tx: string }) => Buffer.from(getBase64Encoder().encode(tx));

/** Where two transactions differ. */
const differences = (one: Buffer, other: Buffer): readonly number[] => {
  expect(one.length).toBe(other.length);
  return [...one.keys()].filter((index) => one[index] !== other[index]);
};

const BASE = {
  amount: 1_000_000_000n,
  minimumOut: 1n,
  lifetime: lifetimeOf(1),
  computeUnitLimit: 200_000,
  computeUnitPrice: 5n,
} satisfies Values;

/** Where the builder writes each value: where its bytes change when only the value's lowest byte does. */
async function positionsOf({ build, version, hasTip }: Shape) {
  const base = { ...BASE, ...(hasTip ? { tip: { to: TIP_TO, lamports: 1n } } : {}) };
  const at = async (change: Partial<Values>, from: Partial<Values> = base) =>
    differences(bytesOf(await build(from)), bytesOf(await build({ ...from, ...change })));
  const blockhash = await at({ lifetime: lifetimeOf(2) });
  expect(blockhash).toEqual(Array.from({ length: 32 }, (_, index) => blockhash[0]! + index));
  // Without a price, version 1 has a fee that the limit does not change.
  const free = version === 1 ? { ...base, computeUnitPrice: 0n } : base;
  return {
    amount: await at({ amount: 1_000_000_001n }),
    minimumOut: await at({ minimumOut: 2n }),
    blockhash: blockhash[0]!,
    limit: await at({ computeUnitLimit: 200_001 }, free),
    price: await at({ computeUnitPrice: 10n }),
    tip: hasTip ? await at({ tip: { to: TIP_TO, lamports: 2n } }) : [],
  };
}

const write = (bytes: Buffer, value: bigint, at: number, size = 8) => {
  for (let index = 0; index < size; index++) bytes[at + index] = Number((value >> BigInt(8 * index)) & 0xffn);
};

/** The transaction that the builder makes of some values, written by the positions at which it puts them. */
function rewritten(
  template: Buffer,
  { version, side, isTemporary }: Shape,
  positions: Awaited<ReturnType<typeof positionsOf>>,
  { amount, minimumOut, lifetime, computeUnitLimit, computeUnitPrice, tip }: Required<Values>,
): Buffer {
  const bytes = Buffer.from(template);
  const isRentIn = side === 'buy' && isTemporary;
  // The transfer that wraps stands before the swap.
  for (const [index, at] of positions.amount.entries())
    write(bytes, isRentIn && index === 0 ? amount + RENT : amount, at);
  for (const at of positions.minimumOut) write(bytes, minimumOut, at);
  bytes.set(getAddressEncoder().encode(lifetime.blockhash as never), positions.blockhash);
  const [units, price] = [BigInt(computeUnitLimit ?? 0), BigInt(computeUnitPrice ?? 0)];
  for (const at of positions.limit) write(bytes, units, at, 4);
  const fee = (units * price + 999_999n) / 1_000_000n;
  for (const at of positions.price) write(bytes, version === 1 ? fee : price, at);
  for (const at of positions.tip) write(bytes, tip?.lamports ?? 0n, at);
  return bytes;
}

const u64 = (min = 0n, max = U64_MAX) => fc.bigInt({ min, max });

/** Any values that the trade takes. */
const valuesOf = ({ version, isTemporary, hasTip }: Shape): fc.Arbitrary<Required<Values>> =>
  fc.record({
    amount: u64(1n, isTemporary ? U64_MAX - RENT : U64_MAX),
    minimumOut: u64(),
    lifetime: fc.integer({ min: 0, max: 255 }).map(lifetimeOf),
    computeUnitLimit: fc.integer({ min: 1, max: version === 1 ? 1_400_000 : 0xffff_ffff }),
    // Of 1400000 units no higher price fits into version 1's fee.
    computeUnitPrice: version === 1 ? u64(0n, (U64_MAX * 10n) / 14n) : u64(1n),
    tip: hasTip ? u64(1n).map((lamports) => ({ to: TIP_TO, lamports })) : fc.constant(null),
    currentSlot: fc.constant(null),
  });

describe.each([...shapes])('%s', (_, shape) => {
  const withoutNothing = ({ currentSlot: _, tip, ...values }: Required<Values>) =>
    tip ? { ...values, tip } : values;

  test('gives the same bytes as the builder for a few values', async () => {
    const { data } = await shape.prepare();
    // So little that every pool can pay it.
    const small = valuesOf(shape).map((values) => ({
      ...values,
      amount: 1_000_000n + (values.amount % 10_000_000n),
    }));
    for (const values of fc.sample(small, { numRuns: 3, seed: 7 }))
      expect(bytesOf(await shape.build(withoutNothing(values))).equals(patchTrade(data, values))).toBe(true);
  });

  test('gives the same bytes as the builder for any value', async () => {
    const positions = await positionsOf(shape);
    const { patch, data } = await shape.prepare();
    const template = Buffer.from(data.bytes);
    fc.assert(
      fc.property(valuesOf(shape), (values) => {
        if (!rewritten(template, shape, positions, values).equals(patch(values)))
          throw new Error('They differ.');
      }),
      { numRuns: RUNS, seed: 17 },
    );
    expect(template.equals(data.bytes)).toBe(true);
  });
});

test('a copy passed to a worker is patched the same way', async () => {
  const { data, patch } = await shapes.get('buy, version 0, associated, with a tip')!.prepare();
  const copy: PreparedTradeData = structuredClone(data);
  const values = { ...BASE, tip: { to: TIP_TO, lamports: 5n } };
  expect(Buffer.from(patchTrade(copy, values)).equals(patch(values))).toBe(true);
  expect(addressOfByte(33)).toBe(copy.tip?.to);
});
