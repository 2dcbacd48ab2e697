import { describe, expect, test } from 'vitest';
import { type Trade, toPosition } from '../../src/index.js';
import { addressNamed } from '../support/addresses.js';
import { expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';
import { tradeWith } from '../support/trades.js';

const WALLET = addressNamed('wallet');

describe('a position', () => {
  // By hand: 3 units for 100, then 4 for 101: 7 for 201. A sell of 2 for 80 takes floor(201 * 2 / 7) = 57 of the cost and
  // leaves 144 for 5: a profit of 23. A sell of 1 for 20 takes floor(144 / 5) = 28 and leaves 116 for 4: a loss of 8.
  const TRADES = [
    tradeWith({ id: 1, amountIn: 100n, amountOut: 3n }),
    tradeWith({ id: 2, amountIn: 101n, amountOut: 4n }),
    tradeWith({ id: 3, side: 'sell', amountIn: 2n, amountOut: 80n }),
    tradeWith({ id: 4, side: 'sell', amountIn: 1n, amountOut: 20n }),
  ];
  const POSITION = {
    wallet: WALLET,
    mint: addressNamed('mint'),
    bought: { trades: 2, tokenUnits: 7n, lamports: 201n },
    sold: { trades: 2, tokenUnits: 3n, lamports: 100n },
    held: 4n,
    cost: 116n,
    costOfSold: 85n,
    averageCost: { lamports: 116n, tokenUnits: 4n },
    realizedPnl: 15n,
    unknownCost: { tokenUnits: 0n, lamports: 0n },
    value: undefined,
    unrealizedPnl: undefined,
    unproven: [],
  };

  test('has the figures worked out by hand, whatever the order and however often a trade is listed', () => {
    expect(toPosition(TRADES, WALLET)).toEqual(POSITION);
    expect(toPosition([...TRADES].reverse(), WALLET)).toEqual(POSITION);
    expect(toPosition([...TRADES, ...TRADES], WALLET)).toEqual(POSITION);
  });

  test('of one slot alone takes the list as newest first, as listTrades returns it', () => {
    const same = TRADES.map((each) => ({ ...each, slot: 7n }));
    expect(toPosition([...same].reverse(), WALLET)).toEqual(POSITION);
    // Another wallet's trade, a slot later, says that it is oldest first.
    const later = tradeWith({ id: 8, user: addressNamed('another') });
    expect(toPosition([...same, later], WALLET)).toEqual(POSITION);
    const unknownCost = { tokenUnits: 3n, lamports: 100n };
    const oldestFirst = [...[...same].reverse(), later];
    expect(toPosition(oldestFirst, WALLET)).toMatchObject({ held: 7n, unknownCost });
  });

  test('is valued at a price, rounded down', () => {
    // 4 units at 100 lamports for 3 are 133.33.
    const valued = toPosition(TRADES, WALLET, { price: { lamports: 100n, tokenUnits: 3n } });
    expect(valued).toEqual({ ...POSITION, value: 133n, unrealizedPnl: 17n });
    const nothing = { mint: undefined, value: 0n, unrealizedPnl: 0n, averageCost: undefined };
    expect(toPosition([], WALLET, { price: { lamports: 1n, tokenUnits: 1n } })).toMatchObject(nothing);
  });

  test('closed, has its whole profit and no cost left', () => {
    const all = [...TRADES, tradeWith({ id: 5, side: 'sell', amountIn: 4n, amountOut: 117n })];
    // 217 received, 201 paid.
    expect(toPosition(all, WALLET)).toMatchObject({ held: 0n, cost: 0n, costOfSold: 201n, realizedPnl: 16n });
  });

  test('counts no profit on tokens that were never bought', () => {
    // 10 units sold for 100, of which 4 had been bought for 116: floor(100 * 6 / 10) = 60 are of the others.
    const all = [...TRADES, tradeWith({ id: 5, side: 'sell', amountIn: 10n, amountOut: 100n })];
    expect(toPosition(all, WALLET)).toMatchObject({
      held: 0n,
      unknownCost: { tokenUnits: 6n, lamports: 60n },
      sold: { lamports: 200n },
      costOfSold: 201n,
      realizedPnl: -61n,
    });
    const only = [tradeWith({ id: 1, side: 'sell', amountIn: 10n, amountOut: 99n })];
    const unknownCost = { tokenUnits: 10n, lamports: 99n };
    expect(toPosition(only, WALLET)).toMatchObject({ realizedPnl: 0n, unknownCost });
  });

  test('lists the trades with unproven amounts, and counts none of them', () => {
    const unproven = [
      tradeWith({ id: 8, amountOut: undefined }),
      tradeWith({ id: 9, side: 'sell', amountIn: undefined }),
    ];
    expect(toPosition([...TRADES, ...unproven], WALLET)).toEqual({ ...POSITION, unproven });
  });

  test('is of one wallet and one token', async () => {
    const foreign = tradeWith({ id: 6, user: addressNamed('another') });
    expect(toPosition([...TRADES, foreign], WALLET)).toEqual(POSITION);
    const mint = addressNamed('other mint');
    const both = [...TRADES, tradeWith({ id: 7, mint })];
    await expectRefusal(() => toPosition(both, WALLET), 'invalid-input', { field: 'mint' });
    expect(toPosition(both, WALLET, { mint: addressNamed('mint') })).toEqual(POSITION);
    expect(toPosition(both, WALLET, { mint })).toMatchObject({ mint, bought: { trades: 1 } });
    await expectRefusal(() => toPosition({} as never, WALLET), 'invalid-input', { field: 'trades' });
    const price = { lamports: 1n, tokenUnits: 0n };
    for (const wrong of [price, { lamports: 1, tokenUnits: 1 }, null]) {
      const options = { price: wrong } as Parameters<typeof toPosition>[2];
      await expectRefusal(() => toPosition([], WALLET, options), 'invalid-input', { field: 'price' });
    }
  });

  test('adds up to the unit', () => {
    const trade = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      amountIn: fc.bigInt(0n, 10n ** 18n),
      amountOut: fc.bigInt(0n, 10n ** 18n),
    });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 30 }), (fields) => {
        const trades = fields.map((each, id) => tradeWith({ id, ...each }));
        const { bought, sold, held, cost, costOfSold, realizedPnl, unknownCost } = toPosition(trades, WALLET);
        const sum = (side: Trade['side'], of: 'amountIn' | 'amountOut') =>
          trades.reduce((total, each) => total + (each.side === side ? each[of]! : 0n), 0n);
        const amounts = (side: Trade['side']) => [sum(side, 'amountIn'), sum(side, 'amountOut')];
        expect([bought.lamports, bought.tokenUnits]).toEqual(amounts('buy'));
        expect([sold.tokenUnits, sold.lamports]).toEqual(amounts('sell'));
        expect(held).toBe(bought.tokenUnits - (sold.tokenUnits - unknownCost.tokenUnits));
        expect(bought.lamports).toBe(cost + costOfSold);
        expect(sold.lamports).toBe(realizedPnl + costOfSold + unknownCost.lamports);
        for (const amount of [held, cost, costOfSold, unknownCost.tokenUnits, unknownCost.lamports])
          expect(amount).toBeGreaterThanOrEqual(0n);
        if (held === 0n && bought.tokenUnits > 0n && sold.trades > 0) expect(cost).toBe(0n);
      }),
    );
  });
});
