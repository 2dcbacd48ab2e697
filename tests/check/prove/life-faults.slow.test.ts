import { expect, test } from 'vitest';

import { builtProLife } from '../../../src/check/prove/scenarios/built-pro-life.js';
import { creation } from '../../../src/check/prove/scenarios/creation.js';
import { failures } from '../../../src/check/prove/scenarios/failures.js';
import { launches, lookupTable } from '../../../src/check/prove/scenarios/launch.js';
import { LIFE_SCENARIOS } from '../../../src/check/prove/scenarios/life.js';
import { liquidity } from '../../../src/check/prove/scenarios/liquidity.js';
import { priceAccounts } from '../../../src/check/prove/scenarios/price-accounts.js';
import { receiverUpdate, settings } from '../../../src/check/prove/scenarios/settings.js';
import { standardClaims } from '../../../src/check/prove/scenarios/standard-claims.js';
import { toSwapState } from '../../../src/pool/swap-state.js';
import { findProtocolConfigAddress, TOKEN_METADATA_PROGRAM_ADDRESS } from '../../../src/program/index.js';
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
  encodeLookupTable,
  type ScriptedOutcome,
} from '../../../src/testing/index.js';
import { LOOKUP_TABLE_PROGRAM_ADDRESS } from '../../support/addresses.js';
import { assumed, CONFIRMED, TABLE } from './life-support.js';
import { groundOf, prove } from './support.js';

const NOTHING = 'the transaction succeeded and moved nothing';

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

test("without the metadata program, a launch can't be proven", async () => {
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

test('without configs, everything is unknown', async () => {
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

test('a config that takes no pools is opened for the proof, and the report says so', async () => {
  const edit = async (ledger: EmbeddedLedger) => {
    for (const version of [1, 2, 3])
      ledger.updateConfig(await findProtocolConfigAddress({ version }), () => ({ allowCreatePool: 0 }));
  };
  const { verdicts, journal } = await prove([creation, launches], groundOf({}, edit, TABLE));
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
  expect(idle.answer('setting')).toMatchObject({
    verdict: 'none-fits',
    counterexample: { what: 'switching swaps off', found: NOTHING },
  });
});

test('a creation that fails says why the rest is unknown', async () => {
  const { verdicts, answer } = await prove(
    [creation, liquidity],
    script({ create_pro_liquidity_pool: { custom: 6049 } }),
  );
  expect(new Set(Object.values(verdicts))).toEqual(new Set(['unknown']));
  expect(answer('A1').reasons[0]).toMatch(/^a creation fails with .*6049/);
});

test('claims that fail, or pay nothing, are never confirmed', async () => {
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

test('a price account that matters for another reason stays unknown', async () => {
  const { verdicts } = await prove(
    [priceAccounts],
    script({ pro_buy: { custom: 6018 }, pro_sell: 'success' }),
  );
  expect(verdicts['A3.pro_buy']).toBe('unknown');
  expect(verdicts['A3.pro_sell']).toBe('unknown');
  expect(verdicts['A3.add_liquidity_pro_pool']).toBe('confirmed: pair');
});

test('claims also work on a downloaded pool', async () => {
  const ground = groundOf();
  const { pools } = await createEmbeddedLedger();
  const read = { ...ground, pools: [pools.community] };
  expect((await prove([standardClaims], read)).verdicts).toEqual({ 'creator-claim': CONFIRMED });
});

test('an expected failure that does not happen is noted', async () => {
  const { journal } = await prove([failures], script({ transfer_lp_tokens: 'success' }));
  const transfers = journal.failures.filter(({ what }) => what.startsWith('a transfer of'));
  expect(transfers.map(({ found }) => found)).toEqual([NOTHING, NOTHING]);
});

test('an initial purchase at another price is reported', async () => {
  const { verdicts } = await prove(
    [launches],
    groundOf({
      toSwapState: (snapshot) => {
        const state = toSwapState(snapshot);
        return { ...state, reserveB: state.reserveB + 1_000_000n };
      },
    }),
  );
  expect(verdicts).toEqual({ A9: 'confirmed: as-built', launch: CONFIRMED, 'initial-purchase': 'none-fits' });
});

test('an engine that creates value out of nothing is not trusted', async () => {
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

test("a config's missing vault is opened, and the report says so", async () => {
  const edit = async (ledger: EmbeddedLedger) => ledger.setAccount(ledger.pools.pro.tokenBVault, undefined);
  const { verdicts, journal } = await prove([creation], groundOf({}, edit));
  expect(verdicts).toEqual(assumed(creation));
  expect(journal.observations[0]?.what).toBe(
    'the pool of a creation (with its vault of wrapped SOL opened for it)',
  );
});

test.each([
  ['add_liquidity_pro_pool', 'deposit'],
  ['remove_liquidity_pro_pool', 'withdrawal'],
  ['transfer_lp_tokens', 'lp-transfer'],
  ['creator_set_pro_slot_creator_fee', 'setting'],
  ['creator_toggle_pro_deposit', 'setting'],
  ['update_pro_creator_trading_fee_receiver', 'setting'],
  ['claim_pro_creator_trading_fees', 'creator-claim'],
  ['claim_pro_liquidity_provider_trading_fees', 'lp-claim'],
] as const)('a builder whose compute budget %s exceeds is shown', async (instruction, fact) => {
  const outcome = { runtime: 'ComputationalBudgetExceeded' } as const;
  const { verdicts, answer } = await prove([builtProLife], script({ [instruction]: outcome }));
  expect(verdicts[fact]).toBe('none-fits');
  const { what, found } = answer(fact).counterexample!;
  expect(`${what}: ${found}`).toContain('ComputationalBudgetExceeded');
});

test('a creation whose compute budget is too low is reported', async () => {
  let opened = 0;
  const outcome = { runtime: 'ComputationalBudgetExceeded' } as const;
  const edit = (ledger: EmbeddedLedger) => {
    // The first pool is created by the instruction alone, with as many units as there may be.
    if (++opened > 1) ledger.setBehavior({ scripted: { create_pro_liquidity_pool: outcome } });
  };
  const { verdicts, answer } = await prove([builtProLife], groundOf({}, edit));
  expect(verdicts).toMatchObject({ creation: 'none-fits', deposit: 'unknown', setting: 'unknown' });
  expect(answer('creation').counterexample).toMatchObject({
    what: 'a creation by the builder',
    found: expect.stringContaining('ComputationalBudgetExceeded'),
  });
});

test('the builders find a pro pool with other seeds, unless no candidate has them', async () => {
  const found = groundOf({ rules: { proPoolSeeds: 'creator-first', lpPositionSeed: 'user_lp' } });
  expect((await prove([builtProLife], found)).verdicts).toEqual(assumed(builtProLife));
  const unknown = await prove([builtProLife], groundOf({ rules: { lpPositionSeed: 'unheard_of' } }));
  expect(new Set(Object.values(unknown.verdicts))).toEqual(new Set(['unknown']));
  expect(unknown.answer('deposit').reasons).toEqual([
    'the builders do not find a pro pool whose seeds are not known',
  ]);
});
