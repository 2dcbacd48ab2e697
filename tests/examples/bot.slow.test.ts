import { expect, test } from 'vitest';

import { hasControlCodes, rent, runExample, unitsOf } from './run.js';

interface Trade {
  readonly number: number;
  readonly side: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly price: number;
  readonly impact: number;
  readonly poolFees: bigint;
  readonly networkFee: bigint;
}

/** The lines of trades: their columns stand two or more blanks apart. */
const tradesIn = (stdout: string): readonly Trade[] =>
  stdout.split('\n').flatMap((line): readonly Trade[] => {
    const cells = line.trim().split(/ {2,}/);
    if (!/^\d+$/.test(cells[0] ?? '') || cells.length !== 8) return [];
    const [number, side, amountIn, amountOut, price, impact, poolFees, networkFee] = cells as string[] & {
      length: 8;
    };
    return [
      {
        number: Number(number),
        side: side as string,
        amountIn: unitsOf(amountIn as string),
        amountOut: unitsOf(amountOut as string),
        price: Number(price),
        impact: Number.parseFloat(impact as string),
        poolFees: unitsOf(poolFees as string),
        networkFee: unitsOf(networkFee as string),
      },
    ];
  });

const sumOf = (stdout: string, what: string): bigint => {
  const [, amount = ''] = new RegExp(`^  ${what} +(-?[\\d,.]+)`, 'm').exec(stdout) ?? [];
  return unitsOf(amount);
};
const add = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** The balances at the end are those of the start and the trades, to the lamport. */
function expectToAddUp(stdout: string, trades: readonly Trade[]): void {
  const buys = trades.filter(({ side }) => side === 'buy');
  const sells = trades.filter(({ side }) => side === 'sell');
  const spent = add(buys.map(({ amountIn }) => amountIn));
  const earned = add(sells.map(({ amountOut }) => amountOut));
  const fees = add(trades.map(({ networkFee }) => networkFee));
  // The token account of LIGHT: what the associated token program adds to a token with transfer fees makes it 182 bytes.
  const end = 100_000_000_000n - spent + earned - fees - rent(182);
  expect(sumOf(stdout, 'at the start')).toBe(100_000_000_000n);
  expect(sumOf(stdout, 'bought for')).toBe(-spent);
  expect(sumOf(stdout, 'sold for')).toBe(earned);
  expect(sumOf(stdout, 'network fees')).toBe(-fees);
  expect(sumOf(stdout, 'rent of the token account')).toBe(-rent(182));
  expect(sumOf(stdout, 'at the end')).toBe(end);
  const tokens = add(buys.map(({ amountOut }) => amountOut)) - add(sells.map(({ amountIn }) => amountIn));
  expect(sumOf(stdout, 'tokens left')).toBe(tokens);
}

test('trades on the embedded ledger, and its totals are exact to the lamport', async () => {
  const { code, stdout, stderr } = await runExample('bot/main.ts', ['--trades', '4', '--stop', '50']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(hasControlCodes(stdout)).toBe(false);
  const trades = tradesIn(stdout);
  expect(trades.map(({ number, side }) => [number, side])).toEqual([
    [1, 'buy'],
    [2, 'sell'],
    [3, 'buy'],
    [4, 'sell'],
  ]);
  expectToAddUp(stdout, trades);
  expect(sumOf(stdout, 'tokens left')).toBe(0n);
  for (const [
    index,
    { side, amountIn, amountOut, price, impact, poolFees, networkFee },
  ] of trades.entries()) {
    const before = trades[index - 1];
    if (side === 'buy') {
      expect(amountIn).toBe(500_000_000n);
      // 50 and 100 basis points of it.
      expect(poolFees).toBe(7_500_000n);
      // What 0.4925 SOL are worth, less the slippage and the price impact: the market may have moved to the better.
      const fair = (0.4925 * 1e6 * 1e9) / price;
      expect(Number(amountOut)).toBeGreaterThan(fair * (1 - 0.005 - impact / 100 - 0.0001));
    } else {
      expect(amountIn).toBe(before?.amountOut);
      // The rule: a percent over the buy.
      expect(price / (before?.price ?? 0)).toBeGreaterThanOrEqual(1.01);
    }
    // Half a SOL in a pool of some 1500, and within a window of the sandwich-resistant pool what the market moved in it.
    expect(impact).toBeLessThan(5);
    expect(networkFee).toBeGreaterThan(5_000n);
    expect(networkFee).toBeLessThan(8_005_000n);
  }
  expect(stdout).toContain('4 trades, 0 that failed or expired; ');
  expect(stdout).toContain('  The books balance to the lamport.\n');
  // Each of the four decisions is in the histogram.
  expect(stdout).toMatch(
    /From the decision to signed bytes: median \d+\.\d{3} ms, 99th percentile \d+\.\d{3} ms/,
  );
  const bars = [...stdout.matchAll(/^ {2}up to +[\d.]+ ms +(\d+) {2}#+$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(bars.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
});

test('prints its totals on Ctrl-C, in the middle of a position', async () => {
  const { code, stdout, stderr } = await runExample('bot/main.ts', ['--trades', '0'], {
    signal: (printed) => tradesIn(printed).length === 1,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const trades = tradesIn(stdout);
  expect(trades.length).toBeGreaterThan(0);
  expectToAddUp(stdout, trades);
});

test('its books balance to the lamport after ten minutes on a ledger with faults', async () => {
  const options = [
    '--trades',
    '0',
    '--minutes',
    '10',
    '--faults',
    '--dip',
    '0.2',
    '--rise',
    '0.2',
    '--stop',
    '0.2',
  ];
  const { code, stdout, stderr } = await runExample('bot/main.ts', options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('  The books balance to the lamport.\n');
  const [, trades, failures] = /^(\d+) trades, (\d+) that failed or expired/m.exec(stdout) ?? [];
  expect(Number(trades)).toBe(tradesIn(stdout).length);
  expect(Number(trades)).toBeGreaterThan(3);
  expect(Number(failures)).toBeGreaterThan(0);
  // The same sums, added up again here: only the fees of what failed are in no line of a trade.
  const buys = tradesIn(stdout).filter(({ side }) => side === 'buy');
  const sells = tradesIn(stdout).filter(({ side }) => side === 'sell');
  const spent = add(buys.map(({ amountIn }) => amountIn));
  const earned = add(sells.map(({ amountOut }) => amountOut));
  const fees = -sumOf(stdout, 'network fees');
  expect(sumOf(stdout, 'at the end')).toBe(100_000_000_000n - spent + earned - fees - rent(182));
  expect(fees).toBeGreaterThanOrEqual(add(tradesIn(stdout).map(({ networkFee }) => networkFee)));
  const faults = Object.fromEntries<number>(
    [...stdout.matchAll(/^ {2}fault: (\w+) (\d+)$/gm)].map(([, name = '', times]) => [name, Number(times)]),
  );
  expect(faults).toEqual({
    lostAnswers: expect.any(Number),
    failedCalls: expect.any(Number),
    droppedTransactions: expect.any(Number),
    priceJumps: expect.any(Number),
    droppedConnections: expect.any(Number),
  });
  expect(Math.min(...Object.values(faults))).toBeGreaterThan(0);
  expect(stdout).toContain('not traded: it expired');
  // Ten minutes are 3,000 slots of 200 milliseconds: a connection comes back in their last quarter, or while the last trade is followed.
  const slots = [...stdout.matchAll(/connected at slot (\d+)/g)].map(
    ([, slot]) => Number(slot) - 411_354_049,
  );
  expect(Math.max(...slots)).toBeGreaterThan(2_250);
  expect(Math.max(...slots)).toBeLessThanOrEqual(3_200);
}, 180_000);
