import { expect, test } from 'vitest';

import { tradeFailures } from '../../../src/check/prove/scenarios/trade-failures.js';
import type { ExchangeBehavior } from '../../../src/testing/index.js';
import { groundOf, runOn, verdictsOf } from './trades-support.js';

const failuresWith = async (behavior: ExchangeBehavior) =>
  runOn(await groundOf(['creator', 'pro'], (ledger) => ledger.setBehavior(behavior)), [tradeFailures()]);

test('each failure is provoked, and its code recorded', async () => {
  const { failures, skipped } = await failuresWith({});
  expect(skipped).toEqual([]);
  const both = [
    ['a buy that gives less than its minimum', 6013],
    ['a sell that gives less than its minimum', 6013],
    ['a buy of 0', 6032],
    ['a sell of 0', 6032],
    ['a buy where swapping is switched off', 6018],
    ['a buy before the pool opens', 6019],
    ['two buys in one transaction', 6053],
    ['a buy with another price feed', 6036],
    ['a buy with another price program', 6037],
    ['a buy with another vault of the token', 2012],
    ['a buy with another vault of wrapped SOL', 2012],
    ['a buy with another mint', 2012],
  ] as const;
  const codes = [
    ...(['standard', 'pro'] as const).flatMap((kind) =>
      both.map(([what, code]) => [`${what} (${kind} pool)`, code] as const),
    ),
    ['a sell that would take virtual SOL (standard pool)', 6012],
    ['a buy without the price accounts (standard pool)', 6037],
    ['a sell in the slot in which the wallet bought (pro pool)', 6053],
  ] as const;
  const noted = new Map(failures.map(({ what, expected, found }) => [what, [expected, found]]));
  expect(noted).toEqual(new Map(codes.map(([what, code]) => [what, [code, code]])));
});

test('names whether swaps in pro pools need the price accounts', async () => {
  const verdicts = async (behavior: ExchangeBehavior) =>
    verdictsOf(await failuresWith(behavior), 'A3.pro_buy', 'A3.pro_sell');
  expect(await verdicts({})).toEqual({ 'A3.pro_buy': 'confirmed pair', 'A3.pro_sell': 'confirmed pair' });
  expect(await verdicts({ rules: { priceAccounts: { pro_buy: false } } })).toEqual({
    'A3.pro_buy': 'refuted none',
    'A3.pro_sell': 'confirmed pair',
  });
});

test.each<[string, ExchangeBehavior, string]>([
  [
    'does nothing',
    { scripted: { pro_buy: 'success', pro_sell: 'success' } },
    'a buy ends so: the transaction succeeded and moved nothing',
  ],
  ['refuses every sell', { scripted: { pro_sell: { custom: 6001 } } }, 'a sell ends so: 6001'],
])('failures of a program that %s prove nothing', async (_, behavior, reason) => {
  const journal = await failuresWith(behavior);
  expect(journal.skipped).toEqual([{ questions: ['A3.pro_buy', 'A3.pro_sell'], reason }]);
  expect(journal.failures.filter(({ what }) => what.includes('pro pool'))).toEqual([]);
  expect(verdictsOf(journal, 'A3.pro_buy', 'A3.pro_sell')).toEqual({
    'A3.pro_buy': 'unknown',
    'A3.pro_sell': 'unknown',
  });
});
