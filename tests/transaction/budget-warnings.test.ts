import { beforeAll, describe, expect, test } from 'vitest';

import type { TransactionIntent, TransactionOptions } from '../../src/index.js';
import { builders } from '../../src/operations.js';
import { buildLocally, createWorld, intentsIn, type World } from '../review/support.js';

let world: World;
let intents: readonly TransactionIntent[];
beforeAll(async () => {
  world = await createWorld();
  intents = Object.values(await intentsIn(world));
});

/** The warnings of the budget, by code, of a transaction with these options. */
async function warningsOf(intent: TransactionIntent, options: TransactionOptions) {
  const input = { ...intent.input, ...options } as never;
  const { warnings } = await buildLocally(world.client, { ...intent, input });
  const ours = warnings.filter(
    ({ code }) => code === 'high-priority-fee' || code === 'compute-limit-too-low',
  );
  return Object.fromEntries(ours.map(({ code, message }) => [code, message]));
}

describe.each([0, 1] as const)('in version %i', (transactionVersion) => {
  const each = async (options: TransactionOptions) => {
    const every = await Promise.all(
      intents.map(async (intent) => [
        intent.function,
        Object.keys(await warningsOf(intent, { ...options, transactionVersion })),
      ]),
    );
    expect(new Set(every.map(([name]) => name))).toEqual(new Set(Object.keys(builders)));
    return every.map(([, codes]) => codes);
  };
  const all = (codes: readonly string[]) => intents.map(() => codes);

  test('no builder warns of its own budget', async () => {
    expect(await each({ computeUnitLimit: null, computeUnitPrice: null })).toEqual(all([]));
  });

  test.each([
    [499_999_990n, []],
    // A part of a lamport is charged as a whole one: 49,999,999.1.
    [499_999_991n, ['high-priority-fee']],
    [500_000_000n, ['high-priority-fee']],
  ])(
    'every builder warns from 0.05 SOL of priority fee: 100000 units at %i',
    async (computeUnitPrice, codes) => {
      expect(await each({ computeUnitLimit: 100_000, computeUnitPrice })).toEqual(all(codes));
    },
  );

  test('every builder warns of a limit that can not be enough', async () => {
    expect(await each({ computeUnitLimit: 99 })).toEqual(all(['compute-limit-too-low']));
  });
});

const intentOf = (name: TransactionIntent['function']) =>
  intents.find((intent) => intent.function === name) as TransactionIntent;

test('counts what the cluster allows when no limit is set', async () => {
  // A price and the exchange's instruction: 3,000 + 200,000 units.
  const toggle = intentOf('buildProToggleSwap');
  const at = async (computeUnitPrice: bigint) =>
    Object.keys(await warningsOf(toggle, { computeUnitLimit: 0, computeUnitPrice }));
  expect(await at(246_305_413n)).toEqual([]);
  expect(await at(246_305_414n)).toEqual(['high-priority-fee']);
});

test('knows what the other programs of a transaction take', async () => {
  const least = async (name: TransactionIntent['function'], computeUnitLimit: number) =>
    (await warningsOf(intentOf(name), { computeUnitLimit }))['compute-limit-too-low'];
  expect(await least('buildCreateStandardLiquidityPool', 70_000)).toMatch(
    /^computeUnitLimit is 70000, but the transaction takes at least 7\d{4} compute units/,
  );
  expect(await least('buildCreateStandardLiquidityPool', 80_000)).toBeUndefined();
  expect(await least('buildBuy', 8_000)).toMatch(/takes at least 9\d{3} /);
  expect(await least('buildBuy', 10_000)).toBeUndefined();
});
