import { expect, test } from 'vitest';

import { quoteBuy } from '../../../src/index.js';
import { client, ledger, useLedger } from '../../support/ledger.js';

useLedger();

// 103927583151068173 token units and 1558777720473 lamports. The figures were worked out in another language (Python integers).
test('takes its fees first, gives the tokens of the rest rounded down, and at least that less the slippage, rounded down', async () => {
  const { mint, configVersion } = ledger.pools.creator;
  const { details, ...quote } = await quoteBuy(client, {
    configVersion,
    mint,
    maxSolSpend: '1.5',
    slippageBps: 50,
  });
  // 0.5 % and 1 % of 1500000000.
  expect(details.fees).toMatchObject({ protocol: 7_500_000n, creator: 15_000_000n });
  expect(details.totalFee).toBe(22_500_000n);
  // 103927583151068173 * 1477500000 / (1558777720473 + 1477500000)
  expect(details.amountOut).toBe(98_415_311_861_063n);
  // 97923235301757.69
  expect(quote).toMatchObject({ maxLamportSpend: 1_500_000_000n, minimumOut: 97_923_235_301_757n });
});
