import { expect, test } from 'vitest';

import { tradeScenarios } from '../../../src/check/prove/scenarios/trades.js';
import { groundOf, runOn, verdictsOf } from './trades-support.js';

test('random trades confirm what the model does as assumed', async () => {
  const journal = await runOn(await groundOf(), tradeScenarios({ tradesPerPool: 30, roundsPerEdit: 1 }));
  expect(journal.skipped).toEqual([]);
  expect(verdictsOf(journal, 'A4', 'A5', 'A6', 'buy', 'sell', 'exact-out', 'event', 'counters')).toEqual({
    A4: 'confirmed sol',
    A5: 'confirmed millionths',
    A6: 'confirmed config',
    buy: 'confirmed as-computed',
    sell: 'confirmed as-computed',
    'exact-out': 'confirmed as-computed',
    event: 'confirmed as-computed',
    counters: 'confirmed as-computed',
  });
});
