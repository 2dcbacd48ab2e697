import { describe, expect, test } from 'vitest';

import { createClient, DEFAULT_RULES, type RulesPatch } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';

const rulesOf = (rules: RulesPatch | undefined) =>
  createClient({ rpcUrl: 'https://node.example', deployment: { rules } }).deployment.rules;

describe("a client's rules", () => {
  test('are the default ones', () => {
    expect(rulesOf(undefined)).toBe(DEFAULT_RULES);
    expect(createClient({ rpcUrl: 'https://node.example' }).deployment.rules).toBe(DEFAULT_RULES);
    expect(DEFAULT_RULES).toMatchObject({ proPoolSeeds: 'creator-last', slotsPerLeader: 4 });
  });

  test('are the default ones but for those that are given', () => {
    expect(
      rulesOf({
        slotsPerLeader: 1,
        localProtocolFee: undefined,
        firstLpSupply: 5_159_780_352n,
        priceAccounts: { pro_buy: false },
      }),
    ).toEqual({
      ...DEFAULT_RULES,
      slotsPerLeader: 1,
      firstLpSupply: 5_159_780_352n,
      priceAccounts: { ...DEFAULT_RULES.priceAccounts, pro_buy: false },
    });
  });

  test('can be those of another client', () => {
    const { deployment } = createClient({
      rpcUrl: 'https://node.example',
      deployment: { rules: { depositRounding: 'down' } },
    });
    expect(createClient({ rpcUrl: 'https://other.example', deployment }).deployment).toEqual(deployment);
  });

  test.each<[string, string, unknown]>([
    ['a number', 'deployment.rules', 4],
    ['a list', 'deployment.rules', ['creator-first']],
    ['null', 'deployment.rules', null],
    ['another order of seeds', 'deployment.rules.proPoolSeeds', { proPoolSeeds: 'creator-middle' }],
    ['an empty seed', 'deployment.rules.lpPositionSeed', { lpPositionSeed: '' }],
    ['a seed of 33 bytes', 'deployment.rules.lpPositionSeed', { lpPositionSeed: `é${'x'.repeat(31)}` }],
    ['a seed in bytes', 'deployment.rules.lpPositionSeed', { lpPositionSeed: new Uint8Array(3) }],
    ['a unit as a number', 'deployment.rules.proMarketCapUnitsPerUsd', { proMarketCapUnitsPerUsd: 1 }],
    ['slots as a bigint', 'deployment.rules.slotsPerLeader', { slotsPerLeader: 4n }],
    ['slots as text', 'deployment.rules.slotsPerLeader', { slotsPerLeader: '4' }],
    ['two slots', 'deployment.rules.slotsPerLeader', { slotsPerLeader: 2 }],
    ['another fill', 'deployment.rules.windowFill', { windowFill: 'best-price' }],
    ['another fee', 'deployment.rules.localProtocolFee', { localProtocolFee: true }],
    ['no first supply', 'deployment.rules.firstLpSupply', { firstLpSupply: 0n }],
    ['a first supply as a number', 'deployment.rules.firstLpSupply', { firstLpSupply: 12 ** 9 }],
    ['a first supply over 64 bits', 'deployment.rules.firstLpSupply', { firstLpSupply: 2n ** 64n }],
    ['a unit of 0', 'deployment.rules.feePerLpTokenUnit', { feePerLpTokenUnit: 0n }],
    ['a unit over 2^64', 'deployment.rules.feePerLpTokenUnit', { feePerLpTokenUnit: 2n ** 64n + 1n }],
    ['a rounding', 'deployment.rules.depositRounding', { depositRounding: 'half' }],
    ['accounts as a list', 'deployment.rules.priceAccounts', { priceAccounts: ['pro_buy'] }],
    ['accounts as a number', 'deployment.rules.priceAccounts.pro_buy', { priceAccounts: { pro_buy: 0 } }],
    ['accounts of a buy', 'deployment.rules.priceAccounts.buy', { priceAccounts: { buy: false } }],
  ])("can't be %s", async (_, field, rules) => {
    await expectRefusal(() => rulesOf(rules as never), 'invalid-input', { field });
  });

  test('names an unknown rule', async () => {
    const { message } = await expectRefusal(() => rulesOf({ slotPerLeader: 4 } as never), 'invalid-input', {
      field: 'deployment.rules.slotPerLeader',
    });
    expect(message).toMatch(/^deployment\.rules\.slotPerLeader is not a rule\. There are .*slotsPerLeader, /);
  });

  test('takes the largest candidate unit', () => {
    expect(rulesOf({ feePerLpTokenUnit: 2n ** 64n }).feePerLpTokenUnit).toBe(2n ** 64n);
  });
});
