import { expect, test } from 'vitest';

import { buildBuy, createClient, quoteBuy } from '../src/index.js';
import { createEmbeddedLedger } from '../src/testing/index.js';

test('a quote becomes an unsigned transaction', async () => {
  const ledger = await createEmbeddedLedger();
  const client = createClient({ rpc: ledger.rpc });
  const { mint, configVersion, creator } = ledger.pools.creator;
  const quoteResponse = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
  const built = await buildBuy(client, { payer: creator, quoteResponse, encodedUserDefinedEventData: '' });
  expect(built.requiredSigners).toEqual([creator]);
  expect(built.size).toBeLessThanOrEqual(1232);
});
