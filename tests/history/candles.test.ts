import { describe, expect, test } from 'vitest';
import { type Trade, toCandles, toPosition } from '../../src/index.js';
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

describe('candles', () => {
  test('have the prices and volumes worked out by hand, and explicit gaps', () => {
    const terms = (one: { lamports: bigint; tokenUnits: bigint } | undefined) =>
      one && [one.lamports, one.tokenUnits];
    const shown = toCandles(GOLDEN, { intervalSeconds: 60 }).map((candle) =>
      candle.kind === 'gap'
        ? [candle.start - T, candle.trades, terms(candle.previousClose)]
        : [
            ...[candle.start - T, candle.trades, terms(candle.volume)],
            ...[candle.open, candle.high, candle.low, candle.close].map(terms),
          ],
    );
    const [low, high, second, last] = [
      [80n, 1_000n],
      [120n, 1_000n],
      [95n, 1_000n],
      [50n, 250n],
    ];
    expect(shown).toEqual([
      [0n, 3, [312n, 2_990n], [100n, 1_000n], high, low, high],
      [60n, 1, [90n, 1_000n], second, second, second, second],
      [120n, 0, second],
      [180n, 0, second],
      [240n, 1, [55n, 250n], last, last, last, last],
    ]);
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

  test('and positions order the trades of a slot by their place, as when a live loop adds the newest last', () => {
    const at7 = { slot: 7n, totalFee: 0n };
    const buy = tradeWith({ id: 1, ...at7, place: '7-1', amountIn: 200n, amountOut: 2_000n });
    const sell = tradeWith({ id: 2, ...at7, place: '7-2', side: 'sell', amountIn: 1_750n, amountOut: 200n });
    for (const trades of [
      [buy, sell],
      [sell, buy],
    ]) {
      const [open, close] = [price(200n, 2_000n), price(200n, 1_750n)];
      expect(toCandles(trades)).toMatchObject([{ start: 0n, trades: 2, open, close }]);
      const unknownCost = { tokenUnits: 0n, lamports: 0n };
      expect(toPosition(trades, buy.user)).toMatchObject({ held: 250n, cost: 25n, unknownCost });
    }
  });

  test('without a place keep the order of the list among trades of one slot', () => {
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

test.each(['slot', 'blockTime', 'amountIn', 'amountOut', 'totalFee', 'transferFee'])(
  'candles and positions reject a trade whose %s is stored text',
  async (name) => {
    const stored = { ...GOLDEN[1]!, [name]: '100' } as never;
    const trades = [GOLDEN[0]!, stored, GOLDEN[2]!];
    const context = { field: `trades[1].${name}`, value: '100' };
    await expectRefusal(() => toCandles(trades), 'invalid-input', context);
    await expectRefusal(() => toPosition(trades, GOLDEN[0]!.user), 'invalid-input', context);
  },
);

const anyTrade = fc.record({
  time: fc.nat(2_000),
  // Without one of the amounts or the fee, a trade is unproven.
  amountIn: fc.option(fc.bigInt(2n, 50n), { nil: undefined, freq: 10 }),
  amountOut: fc.option(fc.bigInt(1n, 50n), { nil: undefined, freq: 10 }),
  totalFee: fc.option(fc.bigInt(0n, 1n), { nil: undefined, freq: 10 }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
});
/** In the order of the chain, several in a slot. Then the same in another order, some of them twice. */
const history = fc.array(anyTrade, { maxLength: 40 }).chain((drawn) => {
  const trades = [...drawn]
    .sort((a, b) => a.time - b.time)
    .map(({ time, ...rest }, id) =>
      tradeWith({ id, slot: BigInt(time) / 99n, place: `${1e6 + id}`, blockTime: at(time), ...rest }),
    );
  const shuffled = fc.shuffledSubarray(trades, { minLength: trades.length });
  return fc.tuple(fc.constant(trades), shuffled, fc.subarray(trades));
});

/** A trade that no candle has. */
const UNTIMED = tradeWith({ id: 999, blockTime: undefined });

/** What a trade exchanged, and its price before fees if that is proven. */
function exchanged({ side, amountIn, amountOut, totalFee }: Trade) {
  const [lamports, tokenUnits] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn];
  const isProven = lamports !== undefined && tokenUnits !== undefined && totalFee !== undefined;
  const before = isProven
    ? price(side === 'buy' ? lamports - totalFee : lamports + totalFee, tokenUnits)
    : undefined;
  return { lamports, tokenUnits, price: before };
}

test('any candles are those of the definition, from and to any time, in whatever order the trades come', () => {
  const interval = fc.integer({ min: 1, max: 400 });
  const bound = fc.option(fc.nat(2_500), { nil: undefined });
  fc.assert(
    fc.property(history, interval, bound, bound, ([trades, shuffled, twice], seconds, a, b) => {
      const length = BigInt(seconds);
      const startOf = (time: bigint) => time - (time % length);
      const [from, to] = [a, b].map((offset) => (offset === undefined ? undefined : at(offset)));
      const candles = toCandles([...shuffled, ...twice, UNTIMED], { intervalSeconds: seconds, from, to });

      const inside = trades.map(({ blockTime }) => startOf(blockTime!));
      const begin =
        from === undefined ? inside.find((start) => to === undefined || start <= startOf(to)) : startOf(from);
      const end =
        to === undefined
          ? inside.filter((start) => begin !== undefined && start >= begin).at(-1)
          : startOf(to);
      const expected: object[] = [];
      for (let start = begin; start !== undefined && end !== undefined && start <= end; start += length) {
        const its = trades.filter((_, index) => inside[index] === start).map(exchanged);
        const prices = its.flatMap((one) => one.price ?? []);
        const sum = (of: 'lamports' | 'tokenUnits') =>
          its.reduce((total, one) => total + (one[of] ?? 0n), 0n);
        const shared = {
          start,
          volume: {
            lamports: sum('lamports'),
            tokenUnits: sum('tokenUnits'),
            isComplete: its.every((one) => one.lamports !== undefined && one.tokenUnits !== undefined),
          },
          trades: its.length,
          unpriced: its.length - prices.length,
        };
        const before = trades
          .filter((_, index) => inside[index]! < start!)
          .flatMap((one) => exchanged(one).price ?? []);
        const ranked = [...prices].sort((one, other) => one.solPerToken - other.solPerToken);
        const [open, close] = [prices[0], prices.at(-1)];
        // Of two trades at the same price, the first stands for it.
        const [low, high] = [
          ranked[0],
          ranked.find(({ solPerToken }) => solPerToken === ranked.at(-1)?.solPerToken),
        ];
        expected.push(
          open === undefined
            ? { kind: 'gap', ...shared, previousClose: before.at(-1) }
            : { kind: 'traded', ...shared, open, high, low, close },
        );
      }
      expect(candles).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
