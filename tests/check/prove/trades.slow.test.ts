import { describe, expect, test } from 'vitest';

import { infer } from '../../../src/check/prove/infer.js';
import type { ProofQuestionId } from '../../../src/check/prove/questions.js';
import { randomTrades } from '../../../src/check/prove/scenarios/random-trades.js';
import { tradeScenarios } from '../../../src/check/prove/scenarios/trades.js';
import { computeBuy, computeSell, toSwapState } from '../../../src/index.js';
import { SOL_USD_FEED_ADDRESS } from '../../../src/program/index.js';
import type { EmbeddedLedger, ExchangeBehavior, ScriptedOutcome } from '../../../src/testing/index.js';
import { groundOf, runOn, verdictsOf } from './trades-support.js';

const RIGHT = {
  A4: 'confirmed sol',
  A5: 'confirmed millionths',
  A6: 'confirmed config',
  'A7.length': 'confirmed four',
  'A7.fill': 'confirmed worse-price',
  'A8.scale': 'confirmed 1e9',
  buy: 'confirmed as-computed',
  sell: 'confirmed as-computed',
  'exact-out': 'confirmed as-computed',
  event: 'confirmed as-computed',
  counters: 'confirmed as-computed',
} as const;
const ALL = Object.keys(RIGHT) as (keyof typeof RIGHT)[];
/** What a pool shows: a standard one with windows, and a pro one without. */
const SHOWN = {
  creator: ['A4', 'A6', 'A7.length', 'A7.fill', 'buy', 'sell', 'exact-out', 'event', 'counters'],
  pro: ['A4', 'A5', 'A6', 'A8.scale', 'buy', 'sell', 'exact-out', 'event', 'counters'],
} as const satisfies Record<string, readonly (keyof typeof RIGHT)[]>;

const FEW = randomTrades({ tradesPerPool: 27 });
const tradesWith = async (name: keyof typeof SHOWN, behavior: ExchangeBehavior, seed?: number) =>
  runOn(await groundOf([name], (ledger) => ledger.setBehavior(behavior)), [FEW], seed);

test('trades confirm a model that follows the assumptions, also in edited pools and configs', async () => {
  const ground = await groundOf(['pro']);
  const journal = await runOn(ground, tradeScenarios({ tradesPerPool: 12, roundsPerEdit: 1 }));
  expect(journal.skipped.map(({ reason }) => reason)).toEqual([
    'no pool has a token of Token-2022, which alone can have transfer fees',
  ]);
  expect(verdictsOf(journal, ...ALL)).toEqual(RIGHT);
});

test('the same seed makes the same trades', async () => {
  const [one, again, other] = [
    await tradesWith('creator', {}, 5),
    await tradesWith('creator', {}, 5),
    await tradesWith('creator', {}, 6),
  ];
  expect(again.observations).toEqual(one.observations);
  expect(other.observations).not.toEqual(one.observations);
});

describe('names a listed deviation of the model', () => {
  const A4 = { buyFees: 'tokens' } as const;
  const cases: readonly [keyof typeof SHOWN, ExchangeBehavior, Partial<Record<ProofQuestionId, string>>][] = [
    ['creator', A4, { A4: 'refuted tokens' }],
    ['pro', A4, { A4: 'refuted tokens' }],
    ['pro', { rules: { proMarketCapUnitsPerUsd: 1n } }, { A5: 'refuted dollars' }],
    ['pro', { rules: { localProtocolFee: 'pool' } }, { A6: 'refuted pool' }],
    ['creator', { rules: { slotsPerLeader: 1 } }, { 'A7.length': 'refuted one' }],
    ['creator', { rules: { windowFill: 'reversal-at-start' } }, { 'A7.fill': 'refuted reversal-at-start' }],
    ['pro', { rules: { feePerLpTokenUnit: 10n ** 12n } }, { 'A8.scale': 'refuted 1e12' }],
    [
      'creator',
      { rules: { slotsPerLeader: 1, windowFill: 'reversal-at-start' } },
      { 'A7.length': 'refuted one', 'A7.fill': 'refuted reversal-at-start' },
    ],
    [
      'creator',
      { ...A4, rules: { windowFill: 'reversal-at-start' } },
      { A4: 'refuted tokens', 'A7.fill': 'refuted reversal-at-start' },
    ],
    [
      'pro',
      { rules: { proMarketCapUnitsPerUsd: 1n, localProtocolFee: 'pool' } },
      { A5: 'refuted dollars', A6: 'refuted pool' },
    ],
    [
      'pro',
      { ...A4, rules: { proMarketCapUnitsPerUsd: 1n } },
      { A4: 'refuted tokens', A5: 'refuted dollars' },
    ],
  ];
  test.each(cases)('%s %o', async (name, behavior, wrong) => {
    const shown = SHOWN[name];
    const right = Object.fromEntries(shown.map((id) => [id, RIGHT[id]]));
    expect(verdictsOf(await tradesWith(name, behavior), ...shown)).toEqual({ ...right, ...wrong });
  });
});

describe('fits no candidate if the model deviates in an unlisted way', () => {
  const buy: ExchangeBehavior['computeBuy'] = (state, amountIn) => {
    const trade = computeBuy(state, amountIn);
    return { ...trade, reserveBAfter: trade.reserveBAfter - 1n };
  };
  const sell: ExchangeBehavior['computeSell'] = (state, amountIn) => {
    const trade = computeSell(state, amountIn);
    const { protocol } = trade.fees;
    const fees = { ...trade.fees, protocol: protocol + 1n };
    return { ...trade, fees, totalFee: trade.totalFee + 1n, amountOut: trade.amountOut - 1n };
  };

  test('a buy whose reserve is off by a lamport', async () => {
    const journal = await tradesWith('creator', { computeBuy: buy });
    const verdicts = verdictsOf(journal, 'buy', 'sell', 'A4');
    expect(verdicts).toEqual({ buy: 'none-fits', sell: 'confirmed as-computed', A4: 'none-fits' });
  });

  test('a sell whose fee is off by a lamport, with the smallest that shows it', async () => {
    const journal = await tradesWith('creator', { computeSell: sell });
    expect(verdictsOf(journal, 'buy', 'sell', 'A4')).toEqual({
      buy: 'confirmed as-computed',
      sell: 'none-fits',
      A4: 'confirmed sol',
    });
    const answers = infer(journal.observations, journal.skipped);
    const sells = journal.observations.filter(({ kind }) => kind.startsWith('sell'));
    const smallest = sells.reduce((a, b) => (b.size < a.size ? b : a));
    expect(answers.find(({ question }) => question.id === 'sell')?.counterexample).toBe(smallest);
  });

  test.each<[string, ScriptedOutcome, RegExp]>([
    ['fails', { custom: 6052 }, /^it fails with 6052$/],
    ['does nothing', 'success', /moved nothing$/],
  ])('one trade in twenty that %s, with the smallest that shows it', async (_, outcome, found) => {
    const scripted = { buy: outcome, sell: outcome, pro_buy: outcome, pro_sell: outcome };
    const ground = await groundOf(['creator'], (ledger) => {
      let count = 0;
      const { execute } = ledger;
      const faulty: EmbeddedLedger['execute'] = (tx) => {
        ledger.setBehavior(++count % 20 === 19 ? { scripted } : {});
        return execute(tx);
      };
      Object.assign(ledger, { execute: faulty });
    });
    const journal = await runOn(ground, [randomTrades({ tradesPerPool: 62 })]);
    const wrong = infer(journal.observations, journal.skipped).filter(
      ({ verdict }) => verdict === 'none-fits',
    );
    expect(wrong.length).toBeGreaterThan(0);
    for (const { question, counterexample } of wrong) {
      expect(['buy', 'sell']).toContain(question.id);
      expect(counterexample?.found).toMatch(found);
    }
    expect(verdictsOf(journal, 'A4', 'A7.length')).toEqual({
      A4: 'confirmed sol',
      'A7.length': 'confirmed four',
    });
  });

  test('a window that binds no trade says nothing about the fees of buys', async () => {
    const journal = await tradesWith('creator', {
      toSwapState: (snapshot, options) => ({ ...toSwapState(snapshot, options), windowReserves: undefined }),
    });
    const verdicts = verdictsOf(journal, 'A4', 'A7.fill', 'A7.length');
    expect(verdicts).toEqual({ A4: 'confirmed sol', 'A7.length': 'none-fits', 'A7.fill': 'none-fits' });
  });
});

describe("leaves unknown what can't be decided", () => {
  const NOTHING = Object.fromEntries(ALL.map((id) => [id, 'unknown']));

  /** A ledger on which something else happens right before a transaction runs. */
  const disturb = (
    ledger: EmbeddedLedger,
    happen: () => unknown,
    isDisturbed: () => boolean = () => true,
  ) => {
    const { execute } = ledger;
    const disturbed: EmbeddedLedger['execute'] = async (tx) => {
      if (isDisturbed()) await happen();
      return execute(tx);
    };
    Object.assign(ledger, { execute: disturbed });
  };
  const moveReserves = (ledger: EmbeddedLedger) =>
    ledger.updatePool(ledger.pools.creator.pool, ({ reserve }) => ({
      reserve: { ...reserve, tokenA: reserve.tokenA - 1_000n, tokenB: reserve.tokenB + 10n },
    }));

  test.each<[string, (ledger: EmbeddedLedger) => unknown, string]>([
    ['others trade in', moveReserves, 'the pool was traded in meanwhile'],
    [
      'has a slot that goes on',
      (ledger) => ledger.setSlot(ledger.slot + 1n),
      'the config, the token, the price or the slot changed meanwhile',
    ],
  ])('in a pool that %s all the while', async (_, happen, reason) => {
    const ground = await groundOf(['creator'], (ledger) => disturb(ledger, () => happen(ledger)));
    const journal = await runOn(ground, [FEW]);
    expect(journal.observations).toEqual([]);
    expect(verdictsOf(journal, ...ALL)).toEqual(NOTHING);
    expect(new Set(journal.skipped.map((skipped) => skipped.reason))).toEqual(new Set([reason]));
  });

  test.each<[string, ExchangeBehavior, Partial<Record<ProofQuestionId, string>>]>([
    ['as assumed', {}, {}],
    ['otherwise', { buyFees: 'tokens' }, { A4: 'refuted tokens' }],
  ])('from disturbed trades, but decides from the rest: %s', async (_, behavior, wrong) => {
    const ground = await groundOf(['creator'], (ledger) => {
      let count = 0;
      ledger.setBehavior(behavior);
      disturb(
        ledger,
        () => moveReserves(ledger),
        () => count++ % 3 === 0,
      );
    });
    const journal = await runOn(ground, [randomTrades({ tradesPerPool: 32 })]);
    expect(journal.skipped.map(({ reason }) => reason)).toContain('the pool was traded in meanwhile');
    const ids = ['A4', 'A7.length', 'A7.fill', 'buy', 'sell'] as const;
    const right = Object.fromEntries(ids.map((id) => [id, RIGHT[id]]));
    expect(verdictsOf(journal, ...ids)).toEqual({ ...right, ...wrong });
  });

  test('of a program that does nothing', async () => {
    const scripted = { buy: 'success', sell: 'success', pro_buy: 'success', pro_sell: 'success' } as const;
    const ground = await groundOf(['creator', 'pro'], (ledger) => ledger.setBehavior({ scripted }));
    const journal = await runOn(ground, [FEW]);
    expect(journal.observations).toEqual([]);
    expect(verdictsOf(journal, ...ALL)).toEqual(NOTHING);
    expect(new Set(journal.skipped.map(({ reason }) => reason))).toEqual(
      new Set(['the transaction succeeded and moved nothing']),
    );
  });

  test.each([
    ['pool', 'pool'],
    ['mint', 'mint'],
    ['vault of the token', 'tokenAVault'],
    ['vault of wrapped SOL', 'tokenBVault'],
    ['config', 'protocolConfig'],
    ['price feed', 'priceFeed'],
  ] as const)('without the %s', async (_, account) => {
    const ground = await groundOf(['creator'], (ledger) => {
      const addresses = { ...ledger.pools.creator, priceFeed: SOL_USD_FEED_ADDRESS };
      ledger.setAccount(addresses[account], undefined);
    });
    const journal = await runOn(ground, tradeScenarios({ tradesPerPool: 5, roundsPerEdit: 1 }));
    expect(journal.observations).toEqual([]);
    expect(verdictsOf(journal, ...ALL)).toEqual(NOTHING);
    expect(journal.skipped.length).toBeGreaterThan(0);
  });

  test('for a pool whose accounts the framework rejects, while another pool decides', async () => {
    const rules = { proPoolSeeds: 'creator-first' } as const;
    const ground = await groundOf(['creator', 'pro'], (ledger) => ledger.setBehavior({ rules }));
    const journal = await runOn(ground, [FEW]);
    expect(journal.skipped.map(({ reason }) => reason)).toContain('a buy in a pro pool fails with 2006');
    expect(verdictsOf(journal, 'A4', 'A5', 'buy', 'sell')).toEqual({
      A4: 'confirmed sol',
      A5: 'unknown',
      buy: 'confirmed as-computed',
      sell: 'confirmed as-computed',
    });
  });

  test('for a pool of unknown kind, while another pool decides', async () => {
    const ground = await groundOf(['creator', 'community'], (ledger) =>
      ledger.updatePool(ledger.pools.creator.pool, ({ info }) => ({ info: { ...info, type: 7 } })),
    );
    const journal = await runOn(ground, [FEW]);
    expect(journal.skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('neither pro (1) nor standard (2)'),
    ]);
    expect(verdictsOf(journal, 'A4', 'buy', 'A5')).toEqual({
      A4: 'confirmed sol',
      buy: 'confirmed as-computed',
      A5: 'unknown',
    });
  });
});
