import { describe, expect, test } from 'vitest';
import { type Candle, type Trade, toCandles } from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';
import { tradeWith } from '../support/trades.js';

// Times are counted from here: a multiple of 60.
const T = 1_800_000_000n;
const at = (seconds: number) => T + BigInt(seconds);

// Four trades in two minutes, then one in the fifth. By hand, before fees, lamports for token units:
//   5 s  buy:  (110 - 10) for 1000      = 0.1
//  20 s  sell: (70 + 10)  for 1000      = 0.08
//  59 s  buy:  (132 - 12) for (990 + 10) = 0.12
//  60 s  sell: (90 + 5)   for 1000      = 0.095
// 250 s  buy:  (55 - 5)   for 250       = 0.2
const GOLDEN: readonly Trade[] = [
  tradeWith({ id: 1, blockTime: at(5), amountIn: 110n, totalFee: 10n }),
  tradeWith({ id: 2, blockTime: at(20), side: 'sell', amountOut: 70n, totalFee: 10n }),
  tradeWith({ id: 3, blockTime: at(59), amountIn: 132n, amountOut: 990n, transferFee: 10n, totalFee: 12n }),
  tradeWith({ id: 4, blockTime: at(60), side: 'sell', amountOut: 90n, totalFee: 5n }),
  tradeWith({ id: 5, blockTime: at(250), amountIn: 55n, amountOut: 250n, totalFee: 5n }),
];
const price = (lamports: bigint, tokenUnits: bigint) => ({
  lamports,
  tokenUnits,
  solPerToken: Number(lamports) / Number(tokenUnits),
});
const gap = (seconds: number, previousClose: ReturnType<typeof price> | undefined) => ({
  kind: 'gap',
  start: at(seconds),
  volume: { lamports: 0n, tokenUnits: 0n, isComplete: true },
  trades: 0,
  unpriced: 0,
  previousClose,
});
/** A candle whose trades had one price, unless it says otherwise. */
const traded = (
  seconds: number,
  trades: number,
  volume: [bigint, bigint],
  only: ReturnType<typeof price>,
) => ({
  kind: 'traded',
  start: at(seconds),
  volume: { lamports: volume[0], tokenUnits: volume[1], isComplete: true },
  trades,
  unpriced: 0,
  open: only,
  high: only,
  low: only,
  close: only,
});
const OF_THREE = { open: price(100n, 1_000n), low: price(80n, 1_000n) };
const CANDLES = [
  { ...traded(0, 3, [312n, 2_990n], price(120n, 1_000n)), ...OF_THREE },
  traded(60, 1, [90n, 1_000n], price(95n, 1_000n)),
  gap(120, price(95n, 1_000n)),
  gap(180, price(95n, 1_000n)),
  traded(240, 1, [55n, 250n], price(50n, 250n)),
];

describe('candles', () => {
  test('have the prices and volumes worked out by hand, and explicit gaps', () => {
    expect(toCandles(GOLDEN, { intervalSeconds: 60 })).toEqual(CANDLES);
    expect(toCandles([...GOLDEN].reverse(), { intervalSeconds: 60 })).toEqual(CANDLES);
    expect(toCandles([...GOLDEN, ...GOLDEN.slice(0, 3)], { intervalSeconds: 60 })).toEqual(CANDLES);
    expect(toCandles([], { intervalSeconds: 60 })).toEqual([]);
  });

  test("compare prices that a float can't tell apart", () => {
    const units = 10n ** 18n;
    const near = [units, units + 1n, units - 1n].map((amountIn, index) =>
      tradeWith({ id: index + 1, blockTime: at(index), amountIn, amountOut: units, totalFee: 0n }),
    );
    expect(new Set(near.map((trade) => trade.price?.solPerToken)).size).toBe(1);
    expect(toCandles(near, { intervalSeconds: 60 })[0]).toMatchObject({
      high: { lamports: units + 1n },
      low: { lamports: units - 1n },
    });
  });

  test('keep the order of the list among trades of one slot', () => {
    const same = [1, 2, 3].map((id) =>
      tradeWith({ id, slot: 7n, blockTime: at(0), amountIn: BigInt(100 * id), totalFee: 0n }),
    );
    const older = tradeWith({ id: 9, slot: 6n, blockTime: at(0), amountIn: 900n, totalFee: 0n });
    const newer = tradeWith({ id: 8, slot: 8n, blockTime: at(0), amountIn: 800n, totalFee: 0n });
    const ends = (trades: readonly Trade[]) => {
      const [candle] = toCandles(trades, { intervalSeconds: 60 });
      return candle?.kind === 'traded' ? [candle.open.lamports, candle.close.lamports] : [];
    };
    // A list of one slot is newest first, as listTrades returns it.
    expect(ends([...same].reverse())).toEqual([100n, 300n]);
    expect(ends([older, ...same])).toEqual([900n, 300n]);
    expect(ends([...[...same].reverse(), older])).toEqual([900n, 300n]);
    expect(ends([newer, ...[...same].reverse()])).toEqual([100n, 800n]);
  });

  test('begin and end as requested, and know the price from before', () => {
    const all = toCandles(GOLDEN, { intervalSeconds: 60, from: at(-61), to: at(301) });
    expect(all.map(({ start }) => Number(start - T))).toEqual([-120, -60, 0, 60, 120, 180, 240, 300]);
    expect(all.slice(0, 2)).toEqual([gap(-120, undefined), gap(-60, undefined)]);
    expect(all.at(-1)).toEqual(gap(300, price(50n, 250n)));
    expect(toCandles(GOLDEN, { intervalSeconds: 60, from: at(130), to: at(185) })).toEqual([
      gap(120, price(95n, 1_000n)),
      gap(180, price(95n, 1_000n)),
    ]);
    expect(toCandles(GOLDEN, { intervalSeconds: 60, to: at(0) })).toEqual(CANDLES.slice(0, 1));
    expect(toCandles([], { intervalSeconds: 60, to: at(0) })).toEqual([]);
    expect(toCandles([], { intervalSeconds: 60, from: at(60), to: at(120) })).toEqual([
      gap(60, undefined),
      gap(120, undefined),
    ]);
  });

  test('count unproven trades, and take no price from them', () => {
    const trades = [
      tradeWith({ id: 1, blockTime: at(0), totalFee: undefined }),
      tradeWith({ id: 2, blockTime: at(1), amountIn: 501n, totalFee: 1n }),
      tradeWith({ id: 3, blockTime: at(2), amountOut: undefined, totalFee: undefined }),
      tradeWith({ id: 4, blockTime: at(61), amountIn: undefined, amountOut: undefined }),
      tradeWith({ id: 5, blockTime: undefined }),
    ];
    const [first, second, ...more] = toCandles(trades, { intervalSeconds: 60 });
    expect(first).toMatchObject({
      trades: 3,
      unpriced: 2,
      open: price(500n, 1_000n),
      volume: { lamports: 701n, tokenUnits: 2_000n, isComplete: false },
    });
    expect(second).toMatchObject({
      kind: 'gap',
      trades: 1,
      unpriced: 1,
      previousClose: price(500n, 1_000n),
      volume: { lamports: 0n, tokenUnits: 0n, isComplete: false },
    });
    expect(more).toEqual([]);
  });

  test.each([
    [{ intervalSeconds: 0 }, 'intervalSeconds'],
    [{ intervalSeconds: 1.5 }, 'intervalSeconds'],
    [{ intervalSeconds: 60, from: 5 }, 'from'],
    [{ intervalSeconds: 60, to: -1n }, 'to'],
    // 1 and 1,800,000,000 seconds apart.
    [{ intervalSeconds: 60, from: 0n }, 'intervalSeconds'],
  ])('are rejected with %o', async (options, field) => {
    await expectRefusal(() => toCandles(GOLDEN, options as never), 'invalid-input', { field });
  });
});

const anyTrade = fc.record({
  time: fc.nat(2_000),
  amountIn: fc.bigInt(1n, 50n),
  amountOut: fc.bigInt(1n, 50n),
  totalFee: fc.option(fc.bigInt(0n, 1n), { nil: undefined }),
  side: fc.constantFrom('buy', 'sell'),
});
/** In the order of the chain: later slots have later or equal times. */
const history = fc
  .array(anyTrade, { maxLength: 40 })
  .map((trades) =>
    trades
      .sort((a, b) => a.time - b.time)
      .map(({ time, side, ...rest }, index) =>
        tradeWith({ id: index, blockTime: at(time), side: side as 'buy', ...rest }),
      ),
  );

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));
/** Of two trades at the same price, either may stand for it. */
const inLowestTerms = (candle: Candle) => ({
  ...candle,
  ...Object.fromEntries(
    Object.entries(candle).flatMap(([name, price]) => {
      if (typeof price !== 'object' || !('solPerToken' in price)) return [];
      const common = divisor(price.lamports, price.tokenUnits);
      return [[name, [price.lamports / common, price.tokenUnits / common]]];
    }),
  ),
});

describe('any candles', () => {
  test('are the same in whatever order the trades come, and if some come twice', () => {
    fc.assert(
      fc.property(
        history.chain((trades) =>
          fc.tuple(fc.constant(trades), fc.shuffledSubarray([...trades], { minLength: trades.length })),
        ),
        fc.integer({ min: 1, max: 400 }),
        (([trades, shuffled]: readonly [Trade[], Trade[]], intervalSeconds: number) => {
          const candles = toCandles(trades, { intervalSeconds });
          expect(toCandles([...shuffled, ...trades], { intervalSeconds }).map(inLowestTerms)).toEqual(
            candles.map(inLowestTerms),
          );
        }) as never,
      ),
    );
  });

  test('lose no trade, no lamport and no token unit, and follow each other without a hole', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 400 }), (trades, intervalSeconds) => {
        const candles = toCandles(trades, { intervalSeconds });
        const sum = (of: (candle: Candle) => bigint) => candles.reduce((total, each) => total + of(each), 0n);
        const paid = trades.map((each) => (each.side === 'buy' ? each.amountIn! : each.amountOut!));
        expect(sum(({ volume }) => volume.lamports)).toBe(paid.reduce((total, each) => total + each, 0n));
        expect(sum((candle) => BigInt(candle.trades))).toBe(BigInt(trades.length));
        for (const [index, candle] of candles.entries()) {
          const next = candles[index + 1];
          if (next !== undefined) expect(next.start - candle.start).toBe(BigInt(intervalSeconds));
          if (candle.kind === 'gap') continue;
          const { low, high } = candle;
          for (const { lamports, tokenUnits } of [candle.open, candle.close]) {
            expect(low.lamports * tokenUnits <= lamports * low.tokenUnits).toBe(true);
            expect(lamports * high.tokenUnits <= high.lamports * tokenUnits).toBe(true);
          }
        }
      }),
    );
  });
});
