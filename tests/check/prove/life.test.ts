import { expect, test } from 'vitest';

import type { QuestionId } from '../../../src/check/prove/questions.js';
import type { Scenario } from '../../../src/check/prove/scenario.js';
import { creation } from '../../../src/check/prove/scenarios/creation.js';
import { failures } from '../../../src/check/prove/scenarios/failures.js';
import { launches, lookupTable } from '../../../src/check/prove/scenarios/launch.js';
import { LIFE_SCENARIOS } from '../../../src/check/prove/scenarios/life.js';
import { liquidity } from '../../../src/check/prove/scenarios/liquidity.js';
import { priceAccounts } from '../../../src/check/prove/scenarios/price-accounts.js';
import { receiverUpdate, settings } from '../../../src/check/prove/scenarios/settings.js';
import { standardClaims } from '../../../src/check/prove/scenarios/standard-claims.js';
import { computeDeposit } from '../../../src/index.js';
import { toSwapState } from '../../../src/pool/swap-state.js';
import {
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  DEFAULT_RULES,
  findProtocolConfigAddress,
  type PricedInstruction,
  type RulesPatch,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../../../src/program/index.js';
import {
  type EmbeddedLedger,
  type ExchangeBehaviour,
  encodeLookupTable,
  type ScriptedOutcome,
} from '../../../src/testing/index.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS } from '../../support/addresses.js';
import { groundOf, prove } from './support.js';

const TABLE = COMMUNITY_LOOKUP_TABLE_ADDRESS;
const PRICED = Object.keys(DEFAULT_RULES.priceAccounts) as PricedInstruction[];
const CONFIRMED = 'confirmed: as-computed';
const NOTHING = 'the transaction succeeded and moved nothing';

const EVERYTHING_ASSUMED: { readonly [id in QuestionId]?: string } = {
  A1: 'confirmed: creator-last',
  A2: 'confirmed: user_lp_position',
  ...Object.fromEntries(PRICED.map((name) => [`A3.${name}`, 'confirmed: pair'])),
  'A8.first-supply': 'confirmed: square-root',
  'A8.rounding': 'confirmed: up',
  'A8.scale': 'confirmed: 1e9',
  A9: 'confirmed: as-built',
  A10: 'confirmed: config-1',
  A11: 'confirmed: fifteen',
  A12: 'confirmed: no-fee',
  launch: CONFIRMED,
  'initial-purchase': CONFIRMED,
  creation: CONFIRMED,
  deposit: CONFIRMED,
  withdrawal: CONFIRMED,
  'lp-transfer': CONFIRMED,
  'creator-claim': CONFIRMED,
  'lp-claim': CONFIRMED,
  setting: CONFIRMED,
  permission: CONFIRMED,
};

test('of a model that does as assumed, everything is confirmed, and each failure has its code', async () => {
  const { verdicts, journal } = await prove(
    LIFE_SCENARIOS,
    groundOf({ omittedFees: 'none' }, undefined, TABLE),
  );
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

const named = async (scenario: Scenario, rules: RulesPatch, more: ExchangeBehaviour = {}) =>
  (await prove([scenario], groundOf({ omittedFees: 'none', ...more, rules }))).verdicts;

/** What a scenario says of a model as assumed. */
const assumed = ({ questions }: Scenario) =>
  Object.fromEntries(questions.map((id) => [id, EVERYTHING_ASSUMED[id]]));

test('the seeds of a pro pool with the creator first are named, and the rest goes on', async () => {
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

test('an LP position of a seed that nobody has thought of fits no candidate, and the rest goes on', async () => {
  const rules = { lpPositionSeed: 'position_of_a_provider' };
  expect(await named(creation, rules)).toEqual({ ...assumed(creation), A2: 'none-fits' });
  expect(await named(liquidity, rules)).toEqual(assumed(liquidity));
  expect(await named(settings, rules)).toEqual(assumed(settings));
});

test('both seeds can be others at once', async () => {
  const rules = { proPoolSeeds: 'creator-first', lpPositionSeed: 'user_lp' } as const;
  expect(await named(creation, rules)).toEqual({
    ...assumed(creation),
    A1: 'refuted: creator-first',
    A2: 'refuted: user_lp',
  });
});

test.each([0, 1])('which instructions do without the price accounts is named (%i)', async (parity) => {
  const without = PRICED.filter((_, index) => index % 2 === parity);
  const entries = without.map((name) => [name, false] as const);
  const verdicts = await named(priceAccounts, { priceAccounts: Object.fromEntries(entries) });
  const refuted = without.map((name) => [`A3.${name}`, 'refuted: none'] as const);
  expect(verdicts).toEqual({ ...assumed(priceAccounts), ...Object.fromEntries(refuted) });
});

test('a fixed first supply is named, and the rest goes on', async () => {
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

test('an accumulator in units that nobody has thought of fits no candidate', async () => {
  const verdicts = await named(liquidity, { feePerLpTokenUnit: 10n ** 6n });
  expect(verdicts).toMatchObject({ 'A8.scale': 'none-fits', 'A8.rounding': 'confirmed: up' });
  expect(verdicts['lp-claim']).not.toMatch(/^confirmed/);
});

test('a deposit that fits no rounding is shown with its figures', async () => {
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
  expect(await named(creation, {}, { omittedFees: 'config' })).toEqual({
    ...assumed(creation),
    A12: 'refuted: config',
  });
});

test('fees that are taken from the tokens change nothing of it', async () => {
  for (const scenario of [creation, liquidity])
    expect(await named(scenario, {}, { buyFees: 'tokens' })).toEqual(assumed(scenario));
});

const script = (
  outcomes: Readonly<Record<string, ScriptedOutcome>>,
  table: typeof TABLE | undefined = TABLE,
) => groundOf({ scripted: outcomes }, undefined, table);

test.each([
  ['an account is another', { custom: 2012 }],
  ['the supply is another', { custom: 6045 }],
])('a launch that fails because %s refutes its composition', async (_, outcome) => {
  const { verdicts, answer } = await prove([launches], script({ create_standard_liquidity_pool: outcome }));
  expect(verdicts).toEqual({
    A9: 'none-fits',
    launch: 'unknown',
    'initial-purchase': 'unknown',
  });
  expect(answer('A9').counterexample?.found).toContain(String(outcome.custom));
});

test('a launch that fails for another reason says nothing of its composition', async () => {
  const { answer } = await prove([launches], script({ create_standard_liquidity_pool: { custom: 6012 } }));
  expect(answer('A9').verdict).toBe('unknown');
  expect(answer('A9').reasons[0]).toMatch(/6012.*, which is not about its composition$/);
});

test('without the metadata program, a launch can not be proven', async () => {
  const missing = { runtime: 'UnsupportedProgramId' } as const;
  const { answer } = await prove([launches], script({ [TOKEN_METADATA_PROGRAM_ADDRESS]: missing }));
  for (const id of ['A9', 'launch', 'initial-purchase'] as const)
    expect(answer(id)).toMatchObject({ verdict: 'unknown', reasons: ['the metadata program is missing'] });
});

test.each([
  ['config-2', [2], 'refuted: config-2'],
  ['config-3', [3], 'refuted: config-3'],
  ['configs 1 and 2', [1, 2], 'confirmed: config-1'],
  ['no config', [], 'unknown'],
])('a lookup table that serves %s', async (_, versions, verdict) => {
  const edit = async (ledger: EmbeddedLedger) => {
    const addresses = await Promise.all(versions.map((version) => findProtocolConfigAddress({ version })));
    ledger.setAccount(TABLE, { owner: LOOKUP_TABLE_PROGRAM_ADDRESS, data: encodeLookupTable({ addresses }) });
  };
  const { verdicts, answer } = await prove([lookupTable], groundOf({}, edit, TABLE));
  expect(verdicts.A10).toBe(verdict);
  if (verdict === 'unknown')
    expect(answer('A10').reasons).toEqual([
      'the known lookup table holds none of the three protocol configs',
    ]);
});

test('without a lookup table, launches are proven in transaction version 1 alone', async () => {
  const edit = (ledger: EmbeddedLedger) => ledger.setAccount(TABLE, undefined);
  const { answer } = await prove([launches, lookupTable], groundOf({}, edit));
  expect(answer('A9').reasons).toEqual(['there is no lookup table for launches in transaction version 0']);
  expect(answer('A9').verdict).toBe('confirmed');
  expect(answer('A10').verdict).toBe('unknown');
  expect(answer('A10').reasons).toHaveLength(1);
});

test('without configs, nothing can be told', async () => {
  const edit = async (ledger: EmbeddedLedger) => {
    for (const version of [1, 2, 3])
      ledger.setAccount(await findProtocolConfigAddress({ version }), undefined);
  };
  const { verdicts, answer } = await prove(LIFE_SCENARIOS, groundOf({}, edit, TABLE));
  const { A10, ...others } = verdicts;
  expect(A10).toBe('confirmed: config-1');
  expect(new Set(Object.values(others))).toEqual(new Set(['unknown']));
  expect(answer('A1').reasons).toContain('the protocol config of version 3 is missing');
  expect(answer('A9').reasons).toContain('the protocol config of version 1 is missing');
});

test('a config that takes no pools is opened for it, which is told', async () => {
  const edit = async (ledger: EmbeddedLedger) => {
    for (const version of [1, 2, 3])
      ledger.updateConfig(await findProtocolConfigAddress({ version }), () => ({ allowCreatePool: 0 }));
  };
  const { verdicts, journal } = await prove(
    [creation, launches],
    groundOf({ omittedFees: 'none' }, edit, TABLE),
  );
  expect(verdicts).toEqual({ ...assumed(creation), ...assumed(launches) });
  const told = journal.observations.filter(({ kind }) => kind === 'composition of a launch');
  expect(told.every(({ what }) => what.endsWith('(with allow_create_pool switched on for it)'))).toBe(true);
});

test.each([
  ['the framework refuses its accounts', { custom: 2012 }, 'none-fits'],
  ['there are too few accounts', { custom: 3005 }, 'none-fits'],
  ['it is not allowed', { custom: 6040 }, 'unknown'],
  ['it does nothing', 'success' as const, 'unknown'],
])('a receiver update of which %s', async (_, outcome, verdict) => {
  const ground = script({ update_pro_creator_trading_fee_receiver: outcome });
  expect((await prove([receiverUpdate], ground)).verdicts).toEqual({ A11: verdict, permission: 'unknown' });
});

test('a setter that fails, or does nothing, is never confirmed', async () => {
  const failing = await prove([settings], script({ creator_toggle_pro_swap: { custom: 6035 } }));
  expect(failing.verdicts.setting).toBe('none-fits');
  expect(failing.answer('setting').counterexample?.what).toBe('switching swaps off');
  const idle = await prove([settings], script({ creator_toggle_pro_swap: 'success' }));
  expect(idle.answer('setting').reasons).toEqual([NOTHING]);
});

test('a creation that fails says why nothing can be told', async () => {
  const { verdicts, answer } = await prove(
    [creation, liquidity],
    script({ create_pro_liquidity_pool: { custom: 6049 } }),
  );
  expect(new Set(Object.values(verdicts))).toEqual(new Set(['unknown']));
  expect(answer('A1').reasons[0]).toMatch(/^a creation fails with .*6049/);
});

test('claims that are refused, or pay nothing, are never confirmed', async () => {
  const refused = await prove(
    [standardClaims],
    script({ claim_standard_creator_trading_fees: { custom: 6040 } }),
  );
  expect(refused.verdicts['creator-claim']).toBe('none-fits');
  const idle = await prove([standardClaims], script({ claim_standard_creator_trading_fees: 'success' }));
  expect(idle.verdicts['creator-claim']).toBe('unknown');
  expect(idle.answer('creator-claim').reasons).toEqual([NOTHING]);
});

test('of a program that succeeds and does nothing, nothing is confirmed', async () => {
  const names = [
    'create_standard_liquidity_pool',
    'create_pro_liquidity_pool',
    'claim_standard_creator_trading_fees',
  ];
  const idle = Object.fromEntries(names.map((name) => [name, 'success' as const]));
  const { verdicts, answer, journal } = await prove(LIFE_SCENARIOS, script(idle));
  const { A10, ...others } = verdicts;
  expect(A10).toBe('confirmed: config-1');
  expect(new Set(Object.values(others))).toEqual(new Set(['unknown']));
  for (const id of ['A1', 'A9', 'A3.pro_buy', 'deposit', 'setting'] as const)
    expect(answer(id).reasons).toContain(NOTHING);
  expect(new Set(journal.failures.map(({ found }) => found))).not.toContain('it succeeds');
});

test('a price account that is wanted or not for another reason is not told', async () => {
  const { verdicts } = await prove(
    [priceAccounts],
    script({ pro_buy: { custom: 6018 }, pro_sell: 'success' }),
  );
  expect(verdicts['A3.pro_buy']).toBe('unknown');
  expect(verdicts['A3.pro_sell']).toBe('unknown');
  expect(verdicts['A3.add_liquidity_pro_pool']).toBe('confirmed: pair');
});

test('claims work on a pool that was read, too', async () => {
  const ground = groundOf();
  const { pools } = await ground.open();
  const read = { ...ground, pools: [pools.community] };
  expect((await prove([standardClaims], read)).verdicts).toEqual({ 'creator-claim': CONFIRMED });
});

test('a failure that does not come is noted', async () => {
  const { journal } = await prove([failures], script({ transfer_lp_tokens: 'success' }));
  const transfers = journal.failures.filter(({ what }) => what.startsWith('a transfer of'));
  expect(transfers.map(({ found }) => found)).toEqual([NOTHING, NOTHING]);
});

test('an initial purchase at other rates is shown', async () => {
  const { verdicts } = await prove(
    [launches],
    groundOf({
      toSwapState: (snapshot) => {
        const state = toSwapState(snapshot);
        return { ...state, buyFees: { ...state.buyFees, protocol: state.buyFees.protocol + 1n } };
      },
    }),
  );
  expect(verdicts).toEqual({ A9: 'confirmed: as-built', launch: CONFIRMED, 'initial-purchase': 'none-fits' });
});

test('a machine that makes value out of nothing is not believed', async () => {
  const ground = groundOf();
  const open = async () => {
    const ledger = await ground.open();
    const execute: EmbeddedLedger['execute'] = async (tx) => {
      const outcome = await ledger.execute(tx);
      const config = await findProtocolConfigAddress({ version: 3 });
      const account = ledger.getAccount(config)!;
      ledger.setAccount(config, { ...account, lamports: account.lamports! + 3n });
      return outcome;
    };
    return { ...ledger, execute };
  };
  const { verdicts, answer } = await prove([liquidity], { ...ground, open });
  expect(verdicts).toMatchObject({ 'A8.rounding': 'unknown', deposit: 'unknown', 'lp-claim': 'unknown' });
  expect(answer('deposit').reasons).toEqual(['a transaction makes 3 lamports out of nothing']);
});

test('a missing vault of a config is opened, which is told', async () => {
  const edit = async (ledger: EmbeddedLedger) => ledger.setAccount(ledger.pools.pro.tokenBVault, undefined);
  const { verdicts, journal } = await prove([creation], groundOf({ omittedFees: 'none' }, edit));
  expect(verdicts).toEqual(assumed(creation));
  expect(journal.observations[0]?.what).toBe(
    'the pool of a creation (with its vault of wrapped SOL opened for it)',
  );
});
