import { expect, test } from 'vitest';

import { addressNamed } from '../support/addresses.js';
import { createWorld, feeOf, POOLS } from './harness.js';
import { buy } from './trades.js';

/** The least that an account may hold: 128 bytes at 5080 lamports. */
const LAMPORTS = 650_240n;
const to = addressNamed('a landing service');
const TIPS = [{ to, lamports: LAMPORTS }, undefined] as const;

test.each(
  ([0, 1] as const).flatMap((version) =>
    TIPS.flatMap((tip) => [true, false].map((dontFront) => [version, tip, dontFront] as const)),
  ),
)('version %d with the tip %o and dontFront %s', async (transactionVersion, tip, dontFront) => {
  const world = await createWorld('creator');
  const { sol } = world.holdings();
  await world.send((await buy(world, { transactionVersion, tip, dontFront })).built);
  const paid = tip?.lamports ?? 0n;
  expect(world.holdings().sol).toBe(sol - feeOf() - POOLS.creator.accountRent - paid);
  expect(world.svm.getBalance(to) ?? 0n).toBe(paid);
});
