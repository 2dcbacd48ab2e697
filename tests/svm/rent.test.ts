import { Rent } from 'litesvm';
import { describe, expect, test } from 'vitest';

import { fetchPoolSnapshot } from '../../src/index.js';
import { createWorld, feeOf, type World } from './harness.js';
import { buy, sell, settle, swapOf } from './trades.js';

// The account that SOL is wrapped in for one transaction, at the rates that mainnet has had and will have.

const SPENT = 1_500_000_000n;
/** Of a settled trade: the bank signs too. */
const FEE = feeOf({ signatures: 2n });

describe.each([
  // (170 + 128) * rate
  { rate: 6_960n, tokenAccountRent: 2_074_080n },
  { rate: 5_080n, tokenAccountRent: 1_513_840n },
  { rate: 2_575n, tokenAccountRent: 767_350n },
])('a temporary account at $rate lamports per byte', ({ rate, tokenAccountRent }) => {
  const createPool = () => createWorld('community', rate);
  const temporaryOf = (world: World, trade: Awaited<ReturnType<typeof buy>>) =>
    world.account(swapOf(trade.built).accounts.userTokenBVault.address);

  test('of a buy holds what is spent, and ends empty', async () => {
    const world = await createPool();
    const { sol } = world.holdings();
    const trade = await buy(world, { wrapSol: 'temporary' });
    await settle(world, trade);
    expect(world.holdings()).toEqual({
      sol: sol - FEE - tokenAccountRent - SPENT,
      tokens: { [world.tokenAccount]: trade.received },
    });
    expect(temporaryOf(world, trade)).toMatchObject({ exists: false });
  });

  test('of a buy holds exactly that', async () => {
    const world = await createPool();
    const trade = await buy(world, { wrapSol: 'temporary' });
    // The Token program's error 1 is "insufficient funds".
    await expect(settle(world, { ...trade, paid: SPENT + 1n })).rejects.toThrow('Custom(1)');
  });

  test('of a buy with a given snapshot is paid for at the same rate', async () => {
    const world = await createPool();
    const snapshot = await fetchPoolSnapshot(world.client, world.pool);
    const { sol } = world.holdings();
    const trade = await buy(world, { wrapSol: 'temporary', snapshot });
    await settle(world, trade);
    expect(world.holdings().sol).toBe(sol - FEE - tokenAccountRent - SPENT);
  });

  test('of a sell gives back all that was put in, with what was earned', async () => {
    const world = await createPool();
    world.giveTokens(2_500_000_000_000_000n);
    const { sol } = world.holdings();
    const trade = await sell(world, { wrapSol: 'temporary' });
    await settle(world, trade);
    expect(world.holdings()).toEqual({
      sol: sol - FEE + trade.received,
      tokens: { [world.tokenAccount]: 0n },
    });
    expect(temporaryOf(world, trade)).toMatchObject({ exists: false });
  });
});

test('a rate that falls before the transaction lands costs nothing', async () => {
  const world = await createWorld('community');
  const { sol } = world.holdings();
  const trade = await buy(world, { wrapSol: 'temporary' });
  world.svm.setRent(new Rent(2_575n, 1, 50));
  await settle(world, trade);
  expect(world.holdings().sol).toBe(sol - FEE - 767_350n - SPENT);
});
