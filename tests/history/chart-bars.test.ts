import { describe, expect, test } from 'vitest';

import { type PoolSnapshot, toCandles, toChartBars, toPriceChange } from '../../src/core.js';
import { expectRefusal } from '../support/errors.js';
import { tradeWith } from '../support/trades.js';

const T = 1_800_000_000n;
const at = (seconds: number) => T + BigInt(seconds);
/** A trade without fees of lamports for 1000 token units, of 9 decimals: that many thousandths of a SOL per token. */
const tradeAt = (id: number, seconds: number, lamports: bigint) =>
  tradeWith({ id, blockTime: at(seconds), amountIn: lamports, amountOut: 1_000n, totalFee: 0n });

const TRADES = [tradeAt(1, 5, 100n), tradeAt(2, 20, 80n), tradeAt(3, 30, 120n), tradeAt(4, 130, 90n)];
const options = { intervalSeconds: 60, from: at(-60), to: at(180) } as const;

describe('chart bars', () => {
  test('open at the previous close, and leave out gaps before the first price', () => {
    const common = { trades: 0, volume: 0 };
    const gap = { ...common, open: 0.12, high: 0.12, low: 0.12, close: 0.12, isGap: true };
    const bars = toChartBars(toCandles(TRADES, options), 9);
    expect(bars).toEqual([
      {
        time: Number(at(0)),
        open: 0.1,
        high: 0.12,
        low: 0.08,
        close: 0.12,
        volume: 3e-7,
        trades: 3,
        isGap: false,
      },
      { ...gap, time: Number(at(60)) },
      {
        time: Number(at(120)),
        open: 0.12,
        high: 0.12,
        low: 0.09,
        close: 0.09,
        volume: 9e-8,
        trades: 1,
        isGap: false,
      },
      { ...gap, time: Number(at(180)), open: 0.09, high: 0.09, low: 0.09, close: 0.09 },
    ]);
  });

  test('reach from the open to the prices, up and down', () => {
    const bars = (second: bigint) =>
      toChartBars(toCandles([tradeAt(1, 0, 100n), tradeAt(2, 60, second)], { intervalSeconds: 60 }), 9);
    expect(bars(200n)[1]).toMatchObject({ open: 0.1, high: 0.2, low: 0.1, close: 0.2 });
    expect(bars(50n)[1]).toMatchObject({ open: 0.1, high: 0.1, low: 0.05, close: 0.05 });
  });

  test('open at the first trade on request, and count the decimals of the token', () => {
    const candles = toCandles(TRADES, options);
    const bars = toChartBars(candles, 9, { opensAt: 'first-trade' });
    expect(bars[2]).toMatchObject({ open: 0.09, high: 0.09, low: 0.09, close: 0.09 });
    expect(toChartBars(candles, 6)[0]?.close).toBeCloseTo(0.000_12, 12);
    // A part of the candles: the one before gives the open.
    expect(toChartBars(candles.slice(-2), 9).at(0)).toMatchObject({ open: 0.09, close: 0.09 });
    expect(toChartBars(candles.slice(-3), 9).at(1)).toMatchObject({ open: 0.12, close: 0.09 });
  });

  test('reject what are not candles', async () => {
    await expectRefusal(() => toChartBars({} as never, 9), 'invalid-input', { field: 'candles' });
    await expectRefusal(() => toChartBars([], -1), 'invalid-input', { field: 'decimals' });
    await expectRefusal(() => toChartBars([], 9, { opensAt: 'close' as never }), 'invalid-input', {
      field: 'opensAt',
    });
  });
});

describe('the price change', () => {
  /** 150 lamports for 1000 units now. */
  const poolAt = (seconds: number) =>
    ({
      reserveA: 1_000n,
      reserveB: 150n,
      token: { decimals: 9 },
      solPrice: { answer: 80n, decimals: 0, updatedAt: T },
      unixTimestamp: at(seconds),
    }) as PoolSnapshot;
  const newestFirst = [...TRADES].reverse();

  test('is from the last trade before the span', () => {
    // 100 seconds before 130 is the trade at 30 s, for 0.12.
    expect(toPriceChange(newestFirst, poolAt(130), 100)).toEqual({
      from: 0.12,
      to: 0.15,
      percent: expect.closeTo(25, 9),
      seconds: 100,
    });
    expect(toPriceChange(newestFirst, poolAt(119), 100)?.from).toBe(0.1);
  });

  test('is from the oldest trade if the span is longer', () => {
    expect(toPriceChange(newestFirst, poolAt(130))).toMatchObject({
      percent: expect.closeTo(50, 9),
      seconds: 125,
    });
  });

  test('leaves out fees, and trades without a time or a price', () => {
    const unknown = [
      tradeWith({ id: 8, blockTime: undefined }),
      tradeWith({ id: 9, blockTime: at(1), amountIn: undefined, price: undefined }),
    ];
    expect(toPriceChange(unknown, poolAt(130))).toBeUndefined();
    expect(toPriceChange([], poolAt(130))).toBeUndefined();
    const paid = tradeWith({ id: 10, blockTime: at(0), amountIn: 110n, amountOut: 1_000n, totalFee: 10n });
    expect(toPriceChange([paid, ...unknown], poolAt(130))?.from).toBe(0.1);
  });

  test('rejects what are not trades', async () => {
    await expectRefusal(() => toPriceChange({} as never, poolAt(0)), 'invalid-input', { field: 'trades' });
    await expectRefusal(() => toPriceChange([], poolAt(0), 0), 'invalid-input', { field: 'seconds' });
  });
});
