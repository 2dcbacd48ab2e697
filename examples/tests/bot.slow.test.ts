import { expect, test } from 'vitest';

import { rent, runExample, unitsOf } from './run.js';

interface Trade {
  readonly side: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** SOL per million. */
  readonly price: number;
  readonly networkFee: bigint;
}

/** The lines of trades: their columns stand two or more blanks apart. */
const tradesIn = (stdout: string): readonly Trade[] =>
  stdout.split('\n').flatMap((line): readonly Trade[] => {
    const cells = line.trim().split(/ {2,}/);
    if (!/^\d+$/.test(cells[0] ?? '') || cells.length !== 8) return [];
    const [, side = '', amountIn = '', amountOut = '', price, , , networkFee = ''] = cells;
    const [paid, got, fee] = [amountIn, amountOut, networkFee].map(unitsOf) as [bigint, bigint, bigint];
    return [{ side, amountIn: paid, amountOut: got, price: Number(price), networkFee: fee }];
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

test('prints its totals on Ctrl-C, in the middle of a position', async () => {
  const { code, stdout, stderr } = await runExample('bot/main.ts', ['--trades', '0'], {
    signal: (printed) => tradesIn(printed).length === 1,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const trades = tradesIn(stdout);
  expect(trades.length).toBeGreaterThan(0);
  expectToAddUp(stdout, trades);
});

/** Each fault has happened. */
function expectAllFaults(stdout: string, kinds: number): void {
  const times = [...stdout.matchAll(/^ {2}fault: \w+ (\d+)$/gm)].map(([, count]) => Number(count));
  expect(times).toHaveLength(kinds);
  expect(Math.min(...times)).toBeGreaterThan(0);
}

test('it makes the same trades over outages, in which the price moves, a node that is behind, and rate limits', async () => {
  const options = '--trades 0 --minutes 9 --dip 5 --rise 5'.split(' ');
  const [calm, faulty] = await Promise.all(
    [[], ['--node-faults']].map((more) => runExample('bot/main.ts', [...options, ...more])),
  );
  expectAllFaults(faulty!.stdout, 3);
  const [wanted, made] = [calm!, faulty!].map(({ code, stdout, stderr }) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('  The books balance to the lamport.\n');
    // The next node is asked at once.
    expect(stdout).not.toMatch(/limit reached|is behind/);
    return tradesIn(stdout).map(({ side, price }) => [side, price.toFixed(2)]);
  });
  expect(made).toEqual(wanted);
  expect(made!.length).toBeGreaterThan(3);
});

test('its books balance to the lamport after ten minutes on a ledger with faults', async () => {
  const options = '--trades 0 --minutes 10 --faults --dip 0.2 --rise 0.2 --stop 0.2'.split(' ');
  const { code, stdout, stderr } = await runExample('bot/main.ts', options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('  The books balance to the lamport.\n');
  const [, trades, failures] = /^(\d+) trades, (\d+) that failed or expired/m.exec(stdout) ?? [];
  expect(Number(trades)).toBe(tradesIn(stdout).length);
  expect(Number(trades)).toBeGreaterThan(3);
  expect(Number(failures)).toBeGreaterThan(0);
  expectAllFaults(stdout, 8);
  expect(stdout).toContain('not traded: it expired');
  // Ten minutes are 3,000 slots of 200 milliseconds: a connection comes back in their last quarter, or while the last trade is followed.
  const slots = [...stdout.matchAll(/connected at slot (\d+)/g)].map(
    ([, slot]) => Number(slot) - 411_354_049,
  );
  expect(Math.max(...slots)).toBeGreaterThan(2_250);
  expect(Math.max(...slots)).toBeLessThanOrEqual(3_200);
});
