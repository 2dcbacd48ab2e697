import { describe, expect, test } from 'vitest';

import { buildProBuy, buildProSell } from '../../../src/index.js';
import { WRAPPED_SOL_MINT_ADDRESS } from '../../../src/program/index.js';
import { STRANGER } from '../../support/addresses.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger } from '../../support/ledger.js';
import { allow, codesOf, parsedOf, pro, toBuy, tokenAccountOf, toSell, useProPool } from './support.js';

useProPool();

describe('a quote', () => {
  test('warns if same-slot trading is off', async () => {
    expect(codesOf((await toBuy()).details)).toEqual(['same-slot-trading']);
    expect(codesOf((await toSell()).details)).toEqual(['same-slot-trading']);
    allow({ sameSlotTrading: 1 });
    expect(codesOf((await toBuy()).details)).toEqual([]);
    expect(codesOf((await toSell()).details)).toEqual([]);
  });

  test.each([
    ['taxableSide', 1],
    ['taxableSideType', 2],
  ])('warns if %s is %i, as does the builder', async (field, value) => {
    allow({ sameSlotTrading: 1 });
    ledger.updatePool(pro.pool, () => ({ [field]: value }));
    const warning = {
      code: 'unverified-assumption',
      message: expect.stringContaining(`pool's ${field} is ${value}`),
    };
    const buy = await toBuy();
    expect(buy.details.warnings).toEqual([warning]);
    expect((await toSell()).details.warnings).toEqual([warning]);
    const built = await buildProBuy(client, { payer: STRANGER, pool: pro.pool, quoteResponse: buy });
    expect(built.warnings).toEqual([warning]);
  });

  // Half the price is a price impact of 50 %.
  const [SAME, WORSE] = [['sandwich-window'], ['sandwich-window', 'price-impact']];
  test.each([
    // Dearer then: the buy gets 2e14 * 984000000 / (4e11 + 984000000), the sell today's price.
    ['dearer', 200_000_000_000_000n, [490_792_650_080n, WORSE], [979_001n, SAME]],
    // Cheaper then: the sell gets 4e20 / (8e14 + 1e9) = 499999 less 1499 + 999 + 7499 + 499, the buy today's price.
    ['cheaper', 800_000_000_000_000n, [981_585_300_161n, SAME], [489_503n, WORSE]],
  ])('gives the worse price of a window that began %s', async (_, snapshotA, bought, sold) => {
    allow({ sameSlotTrading: 1 });
    // A window of 4 slots, one leader's, that began with other reserves of token A.
    const window = { leaderSlotWindow: 1, snapshotSlot: ledger.slot, snapshotA, snapshotB: 400_000_000_000n };
    ledger.updatePool(pro.pool, ({ reserve }) => ({
      featureFlags: { sandwichResistantMode: 1 },
      reserve: { ...reserve, ...window },
    }));
    const [{ details: buy }, { details: sell }] = [await toBuy(), await toSell()];
    expect([buy.amountOut, codesOf(buy)]).toEqual(bought);
    expect([sell.amountOut, codesOf(sell)]).toEqual(sold);
  });
});

describe('a pro trade', () => {
  const building = async (side: 'buy' | 'sell', change: object = {}, quoteChange: object = {}) => {
    const quote = side === 'buy' ? await toBuy() : await toSell();
    const build = side === 'buy' ? buildProBuy : buildProSell;
    const input = { payer: pro.creator, pool: pro.pool, quoteResponse: { ...quote, ...quoteChange } };
    return build(client, { ...input, ...change } as never);
  };
  const SIDES = ['buy', 'sell'] as const;

  test.each(SIDES)(
    '%s from a source wallet: it owns the accounts and signs, the payer pays',
    async (side) => {
      const built = await building(side, { payer: STRANGER, source: pro.creator });
      expect(built.requiredSigners).toEqual([STRANGER, pro.creator]);
      expect(parsedOf(built).accounts).toMatchObject({
        user: { address: pro.creator },
        userTokenAVault: { address: await tokenAccountOf(pro.creator) },
        userTokenBVault: { address: await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS) },
      });
    },
  );

  test.each(SIDES)('%s rejects a standard pool, and its quote', async (side) => {
    const { pool, mint, configVersion } = ledger.pools.creator;
    await expectRefusal(building(side, { pool }), 'pool-mismatch:configVersion');
    const withItsQuote = building(side, { pool }, { mint, configVersion });
    await expectRefusal(withItsQuote, 'pool-mismatch:kind', { asked: 'pro', found: 'standard' });
  });
});
