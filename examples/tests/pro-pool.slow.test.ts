import { expect, test } from 'vitest';

import { hasControlCodes, rent, runExample, unitsOf } from './run.js';

interface Change {
  readonly before: bigint;
  readonly after: bigint;
}

/** A line of the life of a pool: who did what, and the balances that it changed. */
interface Step {
  readonly what: string;
  readonly who: string;
  readonly sol: Change | undefined;
  readonly tokens: Change | undefined;
  readonly lpTokens: Change | undefined;
}

const COLUMNS = [0, 37, 46, 77, 116] as const;

function stepsIn(stdout: string): readonly Step[] {
  const changeIn = (cell: string | undefined): Change | undefined => {
    const [before, after] = cell?.split(' → ') ?? [];
    return before === undefined || after === undefined
      ? undefined
      : { before: unitsOf(before), after: unitsOf(after) };
  };
  return stdout.split('\n').flatMap((line): readonly Step[] => {
    const [what = '', who = '', sol, tokens, lpTokens] = COLUMNS.map((from, index) =>
      line.slice(from, COLUMNS[index + 1]).trim(),
    );
    if (!['creator', 'trader', 'heir'].includes(who) || sol?.startsWith('refused')) return [];
    return [{ what, who, sol: changeIn(sol), tokens: changeIn(tokens), lpTokens: changeIn(lpTokens) }];
  });
}

const moved = (change: Change | undefined) => (change === undefined ? 0n : change.after - change.before);
const rootOf = (square: bigint): bigint => {
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (root * root > square) root -= 1n;
  while ((root + 1n) * (root + 1n) <= square) root += 1n;
  return root;
};
const ceilDiv = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor;

/** The fees of a transaction with so many compute units at this price in micro-lamports. */
const networkFee = (limit: bigint, price: bigint, signatures = 1n) =>
  5_000n * signatures + (limit * price) / 1_000_000n;
const SETTING = networkFee(60_000n, 20_000_000n);
const CLAIM = networkFee(130_000n, 20_000_000n);
const LIQUIDITY = networkFee(250_000n, 20_000_000n);
const TRADE = networkFee(200_000n, 40_000_000n);
const CREATION = networkFee(400_000n, 20_000_000n);
const TOKEN_ACCOUNT = rent(165);
const POSITION = rent(97);

/** 0.3 % to the protocol, 0.25 % to liquidity providers, 1 % to the creator, 0.1 % to holders. Each is rounded down. */
const feesOf = (lamports: bigint) =>
  [30n, 25n, 100n, 10n].reduce((total, bps) => total + (lamports * bps) / 10_000n, 0n);

test('runs the whole life of a pro pool, and checks each balance by separate arithmetic', async () => {
  const { code, stdout, stderr } = await runExample('pro-pool/main.ts', ['--commitment', 'finalized']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(hasControlCodes(stdout)).toBe(false);
  const steps = stepsIn(stdout);

  // Nobody's balance changes between the lines.
  for (const who of ['creator', 'trader', 'heir']) {
    const theirs = steps.filter((step) => step.who === who);
    expect(theirs[0]?.sol?.before).toBe(100_000_000_000n);
    for (const field of ['sol', 'tokens', 'lpTokens'] as const) {
      const changes = theirs.flatMap((step) => step[field] ?? []);
      for (const [index, { before }] of changes.entries())
        if (index > 0 && !(who === 'heir' && field === 'lpTokens'))
          expect(before).toBe(changes[index - 1]?.after);
    }
  }

  // The pool, kept here beside.
  let [a, b] = [50_000_000_000_000n, 10_000_000_000n];
  let lp = rootOf(a * b);
  const buy = (spend: bigint) => {
    const net = spend - feesOf(spend);
    const out = (a * net) / (b + net);
    [a, b] = [a - out, b + net];
    return out;
  };
  const rest = [...steps];
  const next = (what: string, who: string) => {
    const step = rest.shift();
    expect({ what: step?.what, who: step?.who }).toEqual({ what, who });
    return {
      sol: moved(step?.sol),
      tokens: moved(step?.tokens),
      lpTokens: moved(step?.lpTokens),
    };
  };

  expect(next('create the pool', 'creator')).toEqual({
    sol: -b - CREATION - rent(2304) - POSITION,
    tokens: -a,
    lpTokens: lp,
  });
  for (const what of [
    'LP fee 0.25 %',
    'reflection fee 0.1 %',
    'creator fee 1 %, 0.5 % from $100k',
    '10 % in the first 5 slots',
    'trading off',
    'trading on',
    'deposits off',
    'deposits on',
    'withdrawals off',
    'withdrawals on',
  ])
    expect(next(what, 'creator')).toEqual({ sol: -SETTING, tokens: 0n, lpTokens: 0n });

  const bought = buy(2_000_000_000n);
  expect(next('buy for 2 SOL', 'trader')).toEqual({
    sol: -2_000_000_000n - TRADE - TOKEN_ACCOUNT,
    tokens: bought,
    lpTokens: 0n,
  });
  const sold = bought / 2n;
  const gross = (b * sold) / (a + sold);
  [a, b] = [a + sold, b - gross];
  expect(next('sell half of it', 'trader')).toEqual({
    sol: gross - feesOf(gross) - TRADE,
    tokens: -sold,
    lpTokens: 0n,
  });

  const given = (500_000_000n * lp) / b;
  const [tokenA, tokenB] = [ceilDiv(given * a, lp), ceilDiv(given * b, lp)];
  const deposit = next('deposit for 0.5 SOL', 'trader');
  expect(deposit).toEqual({ sol: -tokenB - LIQUIDITY - POSITION, tokens: -tokenA, lpTokens: given });
  const burnt = lp / 4n;
  [a, b, lp] = [a + tokenA, b + tokenB, lp + given];

  const [backA, backB] = [(burnt * a) / lp, (burnt * b) / lp];
  expect(next('withdraw a quarter', 'creator')).toEqual({
    sol: backB - LIQUIDITY,
    tokens: backA,
    lpTokens: -burnt,
  });
  [a, b, lp] = [a - backA, b - backB, lp - burnt];

  const last = rest.find(({ what }) => what === 'buy for 1 SOL');
  expect(moved(last?.sol)).toBe(-1_000_000_000n - TRADE);
  expect(moved(last?.tokens)).toBe(buy(1_000_000_000n));
  // The creator's percent of it goes to the heir, less the fee and the rent of the token account that a first claim makes.
  const claim = rest.find(({ what }) => what === 'claim creator fees 0.010000000 SOL');
  expect([claim?.who, moved(claim?.sol)]).toEqual(['heir', 10_000_000n - CLAIM - TOKEN_ACCOUNT]);

  const amount = (what: string) =>
    unitsOf(new RegExp(`^ {2}${what} +([\\d,.]+)`, 'm').exec(stdout)?.[1] ?? '');
  expect([amount('tokens'), amount('SOL'), amount('LP tokens')]).toEqual([a, b, lp]);

  // What is not possible is refused before it is signed.
  expect(stdout).toMatch(/^buy for 1 SOL +trader +refused: operation-disabled$/m);
  expect(stdout).toMatch(/^claim creator fees +creator +refused: not-authorized$/m);
  expect(stdout).toContain(
    '! While withdrawals are off, the funds of every liquidity provider of this pool are locked.',
  );
});
