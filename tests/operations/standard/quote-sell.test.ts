import { expect, test } from 'vitest';

import { quoteSell } from '../../../src/index.js';
import { client, ledger, useLedger } from '../../support/ledger.js';

useLedger();

// 103927583151068173 token units and 1558777720473 lamports. The figures were worked out in another language (Python integers).
test('takes its fees from the lamports, each rounded down, and gives at least the rest less the slippage, rounded down', async () => {
  const { mint, configVersion } = ledger.pools.creator;
  const { details, ...quote } = await quoteSell(client, {
    configVersion,
    mint,
    amountInUi: '1000.5',
    slippageBps: 50,
  });
  // 1558777720473 * 1000500000000 / (103927583151068173 + 1000500000000) = 15006046.02; 0.5 % and 1 %: 75030.23 and 150060.46.
  expect(details.fees).toMatchObject({ protocol: 75_030n, creator: 150_060n });
  expect(details.totalFee).toBe(225_090n);
  expect(details.amountOut).toBe(14_780_956n);
  // 14707051.22
  expect(quote).toMatchObject({ amountIn: 1_000_500_000_000n, minimumOut: 14_707_051n });
});
