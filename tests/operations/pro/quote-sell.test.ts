import { expect, test } from 'vitest';

import { quoteProSell } from '../../../src/index.js';
import { client } from '../../support/ledger.js';
import { locator, useProPool } from './support.js';

useProPool();

// 400,000,000 tokens and 400 SOL in the pool.
test('has the pool’s own rates, and rounds each fee, the lamports and the minimum down', async () => {
  const { details, ...quote } = await quoteProSell(client, {
    ...locator(),
    amountInUi: 1000,
    slippageBps: 50,
  });
  // 4e11 * 1e9 / (4e14 + 1e9) = 999997.5 lamports; 30, 20, 150 and 10 basis points of 999997
  expect(details.fees).toEqual({
    protocol: 2_999n,
    liquidityProvider: 1_999n,
    creator: 14_999n,
    creatorProtocol: 0n,
    reflection: 999n,
  });
  expect(details.amountOut).toBe(979_001n);
  // 974105.995
  expect(quote.minimumOut).toBe(974_105n);
});
