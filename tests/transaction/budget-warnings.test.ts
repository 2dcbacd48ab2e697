import { beforeAll, describe, expect, test } from 'vitest';

import type { TransactionIntent, TransactionOptions } from '../../src/index.js';
import { buildLocally, createWorld, intentsIn, type World } from '../review/support.js';
import { WALLET } from '../support/addresses.js';

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
  const codes = warnings.map(({ code }) => code);
  return codes.filter((code) => code === 'high-priority-fee' || code === 'compute-limit-too-low');
}

describe.each([0, 1] as const)('in version %i', (transactionVersion) => {
  test.each<[TransactionOptions, readonly string[]]>([
    // Its own budget.
    [{ computeUnitLimit: null, computeUnitPrice: null }, []],
    // From 0.05 SOL. A part of a lamport is charged as a whole one: 49,999,999.1.
    [{ computeUnitLimit: 100_000, computeUnitPrice: 499_999_990n }, []],
    [{ computeUnitLimit: 100_000, computeUnitPrice: 499_999_991n }, ['high-priority-fee']],
    [{ computeUnitLimit: 100_000, computeUnitPrice: 500_000_000n }, ['high-priority-fee']],
    // It can't be enough.
    [{ computeUnitLimit: 99 }, ['compute-limit-too-low']],
  ])('every builder with %o warns of %j', async (options, codes) => {
    for (const intent of intents)
      expect(await warningsOf(intent, { ...options, transactionVersion })).toEqual(codes);
  });
});

const intentOf = (name: TransactionIntent['function']) =>
  intents.find((intent) => intent.function === name) as TransactionIntent;

test.each<[TransactionIntent['function'], TransactionOptions, readonly string[]]>([
  // What the cluster allows when no limit is set. A price and the exchange's instruction: 3,000 + 200,000 units.
  ['buildProToggleSwap', { computeUnitLimit: 0, computeUnitPrice: 246_305_413n }, []],
  ['buildProToggleSwap', { computeUnitLimit: 0, computeUnitPrice: 246_305_414n }, ['high-priority-fee']],
  // What the other programs of a transaction take.
  ['buildCreateStandardLiquidityPool', { computeUnitLimit: 70_000 }, ['compute-limit-too-low']],
  ['buildCreateStandardLiquidityPool', { computeUnitLimit: 80_000 }, []],
  // A tip, from 1 SOL.
  ['buildBuy', { tip: { to: WALLET, lamports: 999_999_999n } }, []],
  ['buildBuy', { tip: { to: WALLET, lamports: 1_000_000_000n } }, ['high-priority-fee']],
  ['buildBuy', { computeUnitLimit: 8_000 }, ['compute-limit-too-low']],
  ['buildBuy', { computeUnitLimit: 10_000 }, []],
])('%s with %o warns of %j', async (name, options, codes) => {
  expect(await warningsOf(intentOf(name), options)).toEqual(codes);
});
