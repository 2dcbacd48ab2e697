import { expect, test } from 'vitest';

import { createWorld, type Extension } from './harness.js';
import { buy, sell, settle } from './trades.js';

// What Token-2022 itself says of tokens that quotes and builders refuse or warn of. Only the machine knows their extensions, so the trade
// is built.

const KEY = new Array<number>(32).fill(7);
const NO_KEY = new Array<number>(32).fill(0);

test.each<[string, readonly Extension[], buys: string | undefined, sells: string | undefined]>([
  ['can be paused', [[26, [...KEY, 0]]], undefined, undefined],
  ['is paused (67)', [[26, [...KEY, 1]]], 'Custom(67)', 'Custom(67)'],
  ['can never be transferred (37)', [[9, []]], 'Custom(37)', 'Custom(37)'],
  ['could have a hook', [[14, [...KEY, ...NO_KEY]]], undefined, undefined],
  [
    'has a hook, whose accounts no instruction passes',
    [[14, [...NO_KEY, ...KEY]]],
    'MissingAccount',
    'MissingAccount',
  ],
  ['has new accounts frozen (17): a buy opens one', [[6, [2]]], 'Custom(17)', undefined],
])('a token that %s', async (_, extensions, buys, sells) => {
  for (const [trade, failure] of [
    [buy, buys],
    [sell, sells],
  ] as const) {
    const world = await createWorld('community', { extensions });
    if (trade === sell) world.giveTokens(10_000_000_000_000_000n);
    const settled = settle(world, await trade(world));
    if (failure === undefined) await expect(settled).resolves.toBeDefined();
    else await expect(settled).rejects.toThrow(failure);
  }
});
