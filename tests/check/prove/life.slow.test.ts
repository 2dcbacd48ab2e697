import { expect, test } from 'vitest';

import type { Scenario } from '../../../src/check/prove/scenario.js';
import { creation } from '../../../src/check/prove/scenarios/creation.js';
import { LIFE_SCENARIOS } from '../../../src/check/prove/scenarios/life.js';
import { liquidity } from '../../../src/check/prove/scenarios/liquidity.js';
import { priceAccounts } from '../../../src/check/prove/scenarios/price-accounts.js';
import { settings } from '../../../src/check/prove/scenarios/settings.js';
import { computeDeposit } from '../../../src/index.js';
import type { RulesPatch } from '../../../src/program/index.js';
import type { ExchangeBehavior } from '../../../src/testing/index.js';
import { assumed, CONFIRMED, EVERYTHING_ASSUMED, PRICED, TABLE } from './life-support.js';
import { groundOf, prove } from './support.js';

test('everything is confirmed for a model that follows the assumptions, and each failure has its code', async () => {
  const { verdicts, journal } = await prove(LIFE_SCENARIOS, groundOf({}, undefined, TABLE));
  expect(verdicts).toEqual(EVERYTHING_ASSUMED);
  expect(journal.skipped).toEqual([]);
  const others = journal.failures.filter(({ expected, found }) => expected !== found);
  // The framework comes first: it wants wrapped SOL at that place.
  expect(others).toEqual([
    { what: 'a launch with another quote token than wrapped SOL', expected: 6044, found: 2012 },
  ]);
  expect(new Set(journal.failures.map(({ expected }) => expected))).toEqual(
    new Set([
      1, 2006, 3012, 6004, 6006, 6012, 6013, 6015, 6016, 6017, 6024, 6025, 6032, 6035, 6038, 6039, 6040, 6042,
      6043, 6044, 6045, 6048,
    ]),
  );
});

const named = async (scenario: Scenario, rules: RulesPatch, more: ExchangeBehavior = {}) =>
  (await prove([scenario], groundOf({ ...more, rules }))).verdicts;

test("a pro pool's seeds with the creator first are named, and the rest continues", async () => {
  const rules = { proPoolSeeds: 'creator-first' } as const;
  expect(await named(creation, rules)).toEqual({ ...assumed(creation), A1: 'refuted: creator-first' });
  expect(await named(liquidity, rules)).toEqual(assumed(liquidity));
  expect(await named(priceAccounts, rules)).toEqual(assumed(priceAccounts));
});

test.each(['USER_LP_POSITION', 'user_lp_position_state', 'lp_position', 'user_lp', 'user_position'])(
  'an LP position of the seed %s is named',
  async (lpPositionSeed) => {
    const verdicts = await named(creation, { lpPositionSeed });
    expect(verdicts).toEqual({ ...assumed(creation), A2: `refuted: ${lpPositionSeed}` });
  },
);

test('an LP position with an unlisted seed fits no candidate, and the rest continues', async () => {
  const rules = { lpPositionSeed: 'position_of_a_provider' };
  expect(await named(creation, rules)).toEqual({ ...assumed(creation), A2: 'none-fits' });
  expect(await named(liquidity, rules)).toEqual(assumed(liquidity));
  expect(await named(settings, rules)).toEqual(assumed(settings));
});

test('both seeds can differ at once', async () => {
  const rules = { proPoolSeeds: 'creator-first', lpPositionSeed: 'user_lp' } as const;
  expect(await named(creation, rules)).toEqual({
    ...assumed(creation),
    A1: 'refuted: creator-first',
    A2: 'refuted: user_lp',
  });
});

test.each([0, 1])('names the instructions that need no price accounts (%i)', async (parity) => {
  const without = PRICED.filter((_, index) => index % 2 === parity);
  const entries = without.map((name) => [name, false] as const);
  const verdicts = await named(priceAccounts, { priceAccounts: Object.fromEntries(entries) });
  const refuted = without.map((name) => [`A3.${name}`, 'refuted: none'] as const);
  expect(verdicts).toEqual({ ...assumed(priceAccounts), ...Object.fromEntries(refuted) });
});

test('a fixed first supply is named, and the rest continues', async () => {
  const rules = { firstLpSupply: 12n ** 9n };
  expect(await named(creation, rules)).toEqual({ ...assumed(creation), 'A8.first-supply': 'refuted: fixed' });
  expect(await named(liquidity, rules)).toEqual(assumed(liquidity));
});

test('another first supply fits no candidate', async () => {
  const verdicts = await named(creation, { firstLpSupply: 1_000_000_000n });
  expect(verdicts).toEqual({ ...assumed(creation), 'A8.first-supply': 'none-fits' });
});

test('a deposit that is rounded down is named', async () => {
  const verdicts = await named(liquidity, { depositRounding: 'down' });
  expect(verdicts).toEqual({ ...assumed(liquidity), 'A8.rounding': 'refuted: down' });
});

test.each([
  ['1e12', 10n ** 12n],
  ['2^64', 2n ** 64n],
])('an accumulator in units of %s is named, whatever the first supply', async (name, feePerLpTokenUnit) => {
  for (const more of [{}, { firstLpSupply: 12n ** 9n }]) {
    const verdicts = await named(liquidity, { feePerLpTokenUnit, ...more });
    expect(verdicts).toEqual({ ...assumed(liquidity), 'A8.scale': `refuted: ${name}` });
  }
});

test('an accumulator in unlisted units fits no candidate', async () => {
  const verdicts = await named(liquidity, { feePerLpTokenUnit: 10n ** 6n });
  expect(verdicts).toMatchObject({ 'A8.scale': 'none-fits', 'A8.rounding': 'confirmed: up' });
  expect(verdicts['lp-claim']).not.toMatch(/^confirmed/);
});

test('a deposit that fits no rounding is reported with its figures', async () => {
  const { verdicts, answer } = await prove(
    [liquidity],
    groundOf({
      computeDeposit: (state, limits) => {
        const deposit = computeDeposit(state, limits);
        return { ...deposit, tokenA: deposit.tokenA - 5n };
      },
    }),
  );
  expect(verdicts).toMatchObject({ 'A8.rounding': 'none-fits', deposit: 'none-fits', withdrawal: CONFIRMED });
  expect(answer('deposit').counterexample?.what).toMatch(/^a deposit of at most \d+ units and \d+ lamports$/);
});

test('the brackets of the config in place of an omitted fee are named', async () => {
  expect(await named(creation, {}, { omittedFees: 'none' })).toEqual({
    ...assumed(creation),
    A12: 'refuted: no-fee',
  });
});

test("fees taken from the tokens don't change the result", async () => {
  for (const scenario of [creation, liquidity])
    expect(await named(scenario, {}, { buyFees: 'tokens' })).toEqual(assumed(scenario));
});

test('the same random numbers give the same observations', async () => {
  const texts = async () =>
    (await prove([creation, liquidity])).journal.observations.map(({ what, found }) => [what, found]);
  expect(await texts()).toEqual(await texts());
});
