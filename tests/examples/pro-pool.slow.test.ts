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
const feesOf = (lamports: bigint) => {
  const of = (bps: bigint) => (lamports * bps) / 10_000n;
  const fees = { protocol: of(30n), provider: of(25n), creator: of(100n), reflection: of(10n) };
  return { ...fees, total: fees.protocol + fees.provider + fees.creator + fees.reflection };
};

test('runs the whole life of a pro pool, and checks each balance by separate arithmetic', async () => {
  const { code, stdout, stderr } = await runExample('pro-pool/main.ts');
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
  let perToken = 0n;
  const accrued = { protocol: 0n, creator: 0n, reflection: 0n };
  const collect = (gross: bigint) => {
    const fees = feesOf(gross);
    accrued.protocol += fees.protocol;
    accrued.creator += fees.creator;
    accrued.reflection += fees.reflection;
    perToken += (fees.provider * 1_000_000_000n) / lp;
    return fees.total;
  };
  const buy = (spend: bigint) => {
    const net = spend - collect(spend);
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
    sol: gross - collect(gross) - TRADE,
    tokens: -sold,
    lpTokens: 0n,
  });

  const given = (500_000_000n * lp) / b;
  const [tokenA, tokenB] = [ceilDiv(given * a, lp), ceilDiv(given * b, lp)];
  const deposit = next('deposit for 0.5 SOL', 'trader');
  expect(deposit).toEqual({ sol: -tokenB - LIQUIDITY - POSITION, tokens: -tokenA, lpTokens: given });
  const founderLp = lp;
  const sinceStart = perToken;
  [a, b, lp] = [a + tokenA, b + tokenB, lp + given];

  const burnt = founderLp / 4n;
  const [backA, backB] = [(burnt * a) / lp, (burnt * b) / lp];
  expect(next('withdraw a quarter', 'creator')).toEqual({
    sol: backB - LIQUIDITY,
    tokens: backA,
    lpTokens: -burnt,
  });
  [a, b, lp] = [a - backA, b - backB, lp - burnt];

  // All fees so far are the creator's, who had all the liquidity.
  const founderFees = (founderLp * sinceStart) / 1_000_000_000n;
  const shown = (lamports: bigint) => `${(Number(lamports) / 1e9).toFixed(9)} SOL`;
  expect(next(`claim LP fees ${shown(founderFees)}`, 'creator').sol).toBe(founderFees - CLAIM);
  const toClaim = accrued.creator;
  expect(next(`claim creator fees ${shown(toClaim)}`, 'creator').sol).toBe(toClaim - CLAIM);
  accrued.creator = 0n;

  expect(next('give 100 LP tokens to the heir', 'creator')).toEqual({
    sol: -SETTING - POSITION,
    tokens: 0n,
    lpTokens: -100_000_000_000n,
  });
  const TWO_SIGNATURES = networkFee(130_000n, 20_000_000n, 2n);
  // The accounts of the instruction (assumption A11) have a wrapped SOL account, which is closed again.
  expect(next('give the creator fees to the heir', 'creator').sol).toBe(-TWO_SIGNATURES);

  const before = perToken;
  expect(next('buy for 1 SOL', 'trader')).toEqual({
    sol: -1_000_000_000n - TRADE,
    tokens: buy(1_000_000_000n),
    lpTokens: 0n,
  });
  expect(accrued.creator).toBe(10_000_000n);
  // A claim names the receiver's token account too: the first makes it.
  expect(next('claim creator fees 0.010000000 SOL', 'heir').sol).toBe(10_000_000n - CLAIM - TOKEN_ACCOUNT);
  const debt = (100_000_000_000n * before) / 1_000_000_000n;
  const heirFees = (100_000_000_000n * perToken) / 1_000_000_000n - debt;
  expect(next(`claim LP fees ${shown(heirFees)}`, 'heir').sol).toBe(heirFees - CLAIM);
  expect(rest).toEqual([]);

  const amount = (what: string) =>
    unitsOf(new RegExp(`^ {2}${what} +([\\d,.]+)`, 'm').exec(stdout)?.[1] ?? '');
  expect(amount('tokens')).toBe(a);
  expect(amount('SOL')).toBe(b);
  expect(amount('LP tokens')).toBe(lp);
  expect(amount('protocol fees')).toBe(accrued.protocol);
  expect(amount('reflection fees')).toBe(accrued.reflection);

  // What is not possible is refused before it is signed.
  expect(stdout).toMatch(/^buy for 1 SOL +trader +refused: operation-disabled$/m);
  expect(stdout).toMatch(/^claim creator fees +creator +refused: not-authorized$/m);
  expect(stdout).toContain(
    '! While withdrawals are off, the funds of every liquidity provider of this pool are locked.',
  );
});
