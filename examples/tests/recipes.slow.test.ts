import { expect, test } from 'vitest';

import { hasControlCodes, runExample } from './run.js';

/** Runs a recipe, which ends by itself. */
async function runRecipe(name: string): Promise<string> {
  const { code, stdout, stderr } = await runExample(`recipes/${name}.ts`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(hasControlCodes(stdout)).toBe(false);
  return stdout;
}

test('follows a pool through a lost connection, and sees each change in the slots between', async () => {
  const stdout = await runRecipe('yellowstone');
  expect(stdout).toMatch(/^live at .*^not live: no trades\nlost the connection.*^live at /ms);
  const prices = [...stdout.matchAll(/^slot (\d+): 0\.1 SOL buys ([\d.]+) tokens(.*)$/gm)];
  // The first one is the pool's as it is found. From then on somebody buys in every fourth slot, so the price only rises.
  const slots = prices.slice(1).map(([, slot]) => Number(slot));
  expect(slots.map((slot) => slot - (slots[0] as number))).toEqual(slots.map((_, index) => 4 * index));
  const bought = prices.map(([, , tokens]) => Number(tokens));
  expect(bought).toEqual([...bought].sort((a, b) => b - a));
  // The service was away for seven slots, with two trades.
  const replayed = prices.filter(([, , , when]) => when?.includes('in the past'));
  expect(replayed.length).toBeGreaterThanOrEqual(2);
});

test('sends a bundle again with the same bytes, and follows it until it has landed', async () => {
  const stdout = await runRecipe('jito-bundle');
  expect(stdout).toMatch(/^no answer .*: the same bytes go out again\nsent as bundle [0-9a-f]{64}$/m);
  expect(stdout).toMatch(/^landed in slot \d+: bought \d{10,} units, tipped 10000 lamports$/m);
  expect(stdout).toContain("Jito's statuses: Landed, confirmed\nsent 2 times, 1 transaction\n");
});

test('serves metrics that count each outcome, and each lamport that was spent', async () => {
  const stdout = await runRecipe('metrics');
  for (const outcome of ['landed', 'failed', 'expired']) {
    expect(stdout).toContain(`bot_trades_total{outcome="${outcome}"} 1\n`);
    expect(stdout).toContain(`bot_trade_seconds_count{outcome="${outcome}"} 1\n`);
  }
  expect(stdout).toContain('bot_quote_seconds_count 3\n');
  // Two fees: also what failed in a block paid one.
  const amount = (purpose: string) =>
    Number(new RegExp(`^bot_spent_lamports_total\\{for="${purpose}"\\} (\\d+)$`, 'm').exec(stdout)?.[1]);
  expect([amount('trade'), amount('network'), amount('rent')]).toEqual([
    100_000_000,
    2 * 8_005_000,
    1_513_840,
  ]);
  expect(stdout).toContain('The wallet holds 117523840 lamports less, as counted.\n');
});

test('trades with three wallets at once, which spend nothing twice, and their books balance', async () => {
  const stdout = await runRecipe('wallets');
  for (const wallet of ['wallet 1', 'wallet 2', 'wallet 3']) {
    expect(stdout.match(new RegExp(`^${wallet}: buy of 500000000 landed$`, 'gm'))).toHaveLength(1);
    expect(stdout).toMatch(new RegExp(`^${wallet}: no buy of 500000000, \\d+ are left$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${wallet}: sell of \\d+ landed$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${wallet}: \\d+ lamports and \\d+ units, as booked$`, 'm'));
  }
});

test('has a sponsor pay the fees and rent of buys, up to a limit per user and one for all', async () => {
  const lines = (await runRecipe('sponsor')).split('\n');
  // Two signatures, 200000 units at 40000000 micro-lamports, and (170 + 128) bytes at 5080 lamports.
  const bought = (sponsor: number) => `landed: the user paid 100000000 lamports, the sponsor ${sponsor}`;
  expect(lines).toEqual([
    bought(8_010_000 + 1_513_840),
    bought(8_010_000),
    "alice's third buy: refused, 429, alice has used up 20000000 lamports",
    'a buy without a login: refused, 401, log in first',
    expect.stringMatching(
      /^a transfer from the sponsor: refused, 422, .* may only pay the fees and open .*0\.001 SOL/,
    ),
    expect.stringMatching(/^a buy that would fail: refused, 422, Instruction 3 failed/),
    bought(8_010_000 + 1_513_840),
    "bob's second buy: refused, 429, all users have used up 30000000 lamports",
    // The rent of at most (195 + 128) bytes counts with each, and bytes that were asked for twice count once.
    `the sponsor signed for ${3 * (8_010_000 + 1_640_840)} lamports at most`,
    '',
  ]);
});

test('follows after a restart what it had sent, and trades once for each decision', async () => {
  const stdout = await runRecipe('restart');
  expect(stdout.replace(/\w{86,88}/g, 'SIGNATURE')).toBe(
    [
      'nothing was under way',
      'aborted after sending, with the outcome unknown',
      'landed: SIGNATURE, of the run before',
      'landed: SIGNATURE',
      'nothing was under way',
      '',
    ].join('\n'),
  );
});
