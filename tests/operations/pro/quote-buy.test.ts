import { expect, test } from 'vitest';

import { quoteProBuy } from '../../../src/index.js';
import { client } from '../../support/ledger.js';
import { locator, useProPool } from './support.js';

useProPool();

// 400,000,000 tokens of 1,000,000,000 and 400 SOL in the pool at $82.0175991: a market cap of $82,017.59, under the bound of $100,000.
// Protocol 0.3 %, as copied from the config.
test('has the pool’s own rates, and rounds the tokens and the minimum down', async () => {
  const { details, ...quote } = await quoteProBuy(client, { ...locator(), maxSolSpend: 1, slippageBps: 50 });
  const rates = { liquidityProvider: 20n, creator: 100n, creatorProtocol: 0n, reflection: 10n };
  expect(details.feeRates).toEqual({ protocol: 30n, ...rates });
  // 4e14 * 984000000 / (4e11 + 984000000) = 981585300161.61
  expect(details.amountOut).toBe(981_585_300_161n);
  // 976677373660.2
  expect(quote.minimumOut).toBe(976_677_373_660n);
});
