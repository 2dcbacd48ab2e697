import { expect, test } from 'vitest';

import { computeBuyExactOut, createClient, quoteInitialBuy } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { expectRefusal, heavenError } from '../support/errors.js';

const ledger = await createEmbeddedLedger();
const client = createClient({ rpc: ledger.rpc });
const buying = (initialPurchasePercent: number | string, slippage?: number | string) =>
  quoteInitialBuy(client, { configVersion: 1, initialPurchasePercent, slippage });

test.each([
  // percent, token units: floor(1e18 * percent / 100)
  ['0.000000000000001', 10n],
  ['33.333333333333333', 333_333_333_333_333_330n],
  [100 / 3, 333_333_333_333_333_360n], // JavaScript writes it 33.333333333333336
  ['0.00000000000000019', 1n],
])('%s percent are %s units', async (percent, tokenAmount) => {
  expect((await buying(percent)).tokenAmount).toBe(tokenAmount);
});

test('almost all of the tokens cost more than there is, which is no fault of the amount', async () => {
  await expectRefusal(buying('99.99999999999999'), 'insufficient-liquidity');
  const state = {
    reserveA: 10n ** 18n,
    reserveB: 35_000_000_000n,
    buyFees: { protocol: 100n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n },
    sellFees: { protocol: 0n, liquidityProvider: 0n, creator: 0n, creatorProtocol: 0n, reflection: 0n },
  };
  expect(() => computeBuyExactOut(state, 10n ** 18n - 1n)).toThrow(heavenError('insufficient-liquidity'));
});

test.each([101, '1e30', 1e21])('%s percent are over 100', async (percent) => {
  await expectRefusal(buying(percent), 'invalid-input', { field: 'initialPurchasePercent' });
});

test.each([1.01, '1e30'])('a slippage of %s is no fraction', async (slippage) => {
  await expectRefusal(buying(5, slippage), 'invalid-slippage', { field: 'slippage' });
});
