import { describe, expect, test } from 'vitest';

import { createWorld } from './harness.js';
import { buy, STRATEGIES, sell } from './trades.js';

// The real programs around the exchange's instruction, which takes two compute units here.

const codesOf = async (trade: ReturnType<typeof buy>) => (await trade).built.warnings.map(({ code }) => code);

describe.each(['community', 'classic'] as const)('a limit for a trade in the %s pool', (name) => {
  test.each(STRATEGIES)('is not called too low if it is enough: wrapSol %s', async (wrapSol) => {
    for (let wallets = 0; wallets < 4; wallets += 1) {
      const world = await createWorld(name);
      // What exists takes the fewest units.
      world.giveWrappedSol(10_000_000_000n);
      world.giveTokens(10n ** 17n);
      for (const trade of [buy, sell]) {
        const used = Number(
          (await world.send((await trade(world, { wrapSol })).built)).computeUnitsConsumed(),
        );
        // The machine's exchange leaves out the line that the real one logs.
        expect(await codesOf(trade(world, { wrapSol, computeUnitLimit: used + 98 }))).toEqual([]);
      }
    }
  });

  test('is called too low if the trade then fails', async () => {
    const world = await createWorld(name);
    const { built } = await buy(world, { computeUnitLimit: 9_000 });
    expect(built.warnings.map(({ code }) => code)).toEqual(['compute-limit-too-low']);
    await expect(world.send(built)).rejects.toThrow(/exceeded CUs meter|ComputationalBudgetExceeded/);
  });
});
