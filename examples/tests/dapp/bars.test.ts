import { beforeAll, describe, expect, test } from 'vitest';
import {
  createHeavenClient,
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  listTrades,
  type Trade,
  toSpotPrice,
} from '../../../src/index.js';
import { createEmbeddedLedger, runSampleTrades } from '../../../src/testing/index.js';
import { locatorOf } from '../../../tests/support/ledger.js';
import { priceAfter, priceBefore, priceChange, toBars, toMarks } from '../../dapp/src/market/bars.js';

// Header, chart and list show one price: that of the pool after the last trade.

describe('the bars of the chart', () => {
  let trades: readonly Trade[];
  let snapshot: FetchedPoolSnapshot;
  beforeAll(async () => {
    const ledger = await createEmbeddedLedger();
    const pool = ledger.pools.community;
    const client = createHeavenClient({ rpc: ledger.rpc });
    await runSampleTrades(ledger, { pool, count: 20, seconds: 7_200 });
    snapshot = await fetchPoolSnapshot(client, locatorOf(pool));
    ({ trades } = await listTrades(client, { pool: pool.pool, limit: 20 }));
  });

  test('end at the price of the header, which is that of the last trade', () => {
    const { solPerToken } = toSpotPrice(snapshot);
    expect(priceAfter(trades[0] as Trade)).toBeCloseTo(solPerToken, 15);
    for (const seconds of [60, 300, 900, 3_600])
      expect(toBars(trades, seconds, snapshot).at(-1)?.close).toBe(solPerToken);
  });

  test('open where the one before closed, at even times, and are flat where nothing was traded', () => {
    const bars = toBars(trades, 300, snapshot);
    const [, ...later] = bars;
    expect(bars.some(({ isGap }) => isGap)).toBe(true);
    for (const [index, { time, open, high, low, close, volume, isGap }] of later.entries()) {
      expect([time, open]).toEqual([(bars[index]?.time ?? 0) + 300, bars[index]?.close]);
      expect([high, low]).toEqual([Math.max(high, open, close), Math.min(low, open, close)]);
      if (isGap) expect([high, low, volume]).toEqual([close, close, 0]);
    }
    expect(bars.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(
      toBars(trades, 3_600, snapshot).reduce((sum, { volume }) => sum + volume, 0),
    );
  });

  test('rise with a buy and fall with a sell', () => {
    for (const [index, trade] of trades.slice(0, -1).entries()) {
      const change = (priceAfter(trade) ?? 0) - (priceAfter(trades[index + 1] as Trade) ?? 0);
      expect(Math.sign(change)).toBe(trade.side === 'buy' ? 1 : -1);
    }
  });

  test('begin at the price before the first trade', () => {
    for (const [index, trade] of trades.slice(0, -1).entries()) {
      const before = priceAfter(trades[index + 1] as Trade) ?? 0;
      expect((priceBefore(trade) ?? 0) / before).toBeCloseTo(1, 6);
    }
    const first = trades.at(-1) as Trade;
    expect(toBars(trades, 60, snapshot)[0]).toMatchObject({
      open: priceBefore(first),
      close: priceAfter(first),
    });
    const { percent } = priceChange([first], snapshot) as { percent: number };
    expect(percent).toBeCloseTo((toSpotPrice(snapshot).solPerToken / (priceBefore(first) ?? 0) - 1) * 100, 9);
  });

  test('are marked where the reader traded', () => {
    const bars = toBars(trades, 900, snapshot);
    const own = trades.filter(({ user }) => user === trades[0]?.user);
    const marks = toMarks(trades, trades[0]?.user, bars);
    expect(new Set(marks.map(({ side }) => side))).toEqual(new Set(own.map(({ side }) => side)));
    expect(marks.at(-1)?.time).toBe(Number(trades[0]?.blockTime) - (Number(trades[0]?.blockTime) % 900));
    expect(toMarks(trades, undefined, bars)).toEqual([]);
  });

  test('are none without a trade, and neither is the change', () => {
    expect([toBars([], 300, snapshot), priceChange([], snapshot)]).toEqual([[], undefined]);
    expect(priceChange(trades, snapshot)?.hours).toBe(2);
  });
});
