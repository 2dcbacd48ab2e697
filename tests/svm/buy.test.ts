import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { createWorld, existing, feeOf, POOL_NAMES, POOLS, WRAPPED_SOL_RENT } from './harness.js';
import { buy, STRATEGIES, settle, swapOf } from './trades.js';

const SPENT = 1_500_000_000n;
const HELD = 2_000_000_000n;
const FEE = feeOf();
/** Of a settled trade: the bank signs too. */
const FEE_OF_TWO = feeOf({ signatures: 2n });

describe.each(POOL_NAMES)('a buy in the %s pool', (name) => {
  const { tokenProgram, accountSize, accountRent } = POOLS[name];

  describe.each(STRATEGIES)('with wrapSol %s', (wrapSol) => {
    test('makes the token account once and leaves no other', async () => {
      const world = await createWorld(name);
      const { sol } = world.holdings();

      await world.send((await buy(world, { wrapSol })).built);
      expect(world.holdings()).toEqual({
        sol: sol - FEE - accountRent,
        tokens: { [world.tokenAccount]: 0n },
      });
      expect(existing(world.svm, world.tokenAccount)).toMatchObject({
        programAddress: tokenProgram,
        space: accountSize,
        lamports: accountRent,
      });

      await world.send((await buy(world, { wrapSol })).built);
      expect(world.holdings()).toEqual({
        sol: sol - 2n * FEE - accountRent,
        tokens: { [world.tokenAccount]: 0n },
      });
    });

    test('needs less than half of the compute units that it asks for', async () => {
      const world = await createWorld(name);
      const { built } = await buy(world, { wrapSol });
      expect((await world.send(built)).computeUnitsConsumed()).toBeLessThan(100_000n);
    });
  });

  describe.each(['associated', 'temporary'] as const)('with wrapSol %s', (wrapSol) => {
    test('has the exchange spend what was wrapped, and receives the tokens', async () => {
      const world = await createWorld(name);
      const { sol } = world.holdings();
      const trade = await buy(world, { wrapSol });
      await settle(world, trade);
      expect(world.holdings()).toEqual({
        sol: sol - FEE_OF_TWO - accountRent - SPENT,
        tokens: { [world.tokenAccount]: trade.received },
      });
    });

    test('wraps exactly that: one lamport more is missing', async () => {
      const world = await createWorld(name);
      const trade = await buy(world, { wrapSol });
      // The Token program's error 1 is "insufficient funds".
      await expect(settle(world, { ...trade, paid: SPENT + 1n })).rejects.toThrow('Custom(1)');
    });

    test('unwraps what the exchange leaves', async () => {
      const world = await createWorld(name);
      const { sol } = world.holdings();
      const trade = await buy(world, { wrapSol });
      await settle(world, { ...trade, paid: SPENT - 1n });
      expect(world.holdings().sol).toBe(sol - FEE_OF_TWO - accountRent - SPENT + 1n);
    });

    test('adds to existing tokens', async () => {
      const world = await createWorld(name);
      world.giveTokens(7n);
      const { sol } = world.holdings();
      const trade = await buy(world, { wrapSol });
      await settle(world, trade);
      expect(world.holdings()).toEqual({
        sol: sol - FEE_OF_TWO - SPENT,
        tokens: { [world.tokenAccount]: 7n + trade.received },
      });
    });
  });

  test('unwraps the wrapped SOL that was held before (associated)', async () => {
    const world = await createWorld(name);
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    await world.send((await buy(world, { wrapSol: 'associated' })).built);
    expect(world.holdings()).toEqual({
      sol: sol - FEE - accountRent + HELD + WRAPPED_SOL_RENT,
      tokens: { [world.tokenAccount]: 0n },
    });
  });

  test('leaves the wrapped SOL that was held before alone (temporary)', async () => {
    const world = await createWorld(name);
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    const held = world.account(world.wrappedSolAccount);
    const trade = await buy(world, { wrapSol: 'temporary' });
    await settle(world, trade);
    expect(world.holdings()).toEqual({
      sol: sol - FEE_OF_TWO - accountRent - SPENT,
      tokens: { [world.wrappedSolAccount]: HELD, [world.tokenAccount]: trade.received },
    });
    expect(world.account(world.wrappedSolAccount)).toEqual(held);
  });

  test('wraps in another account each time, which is gone afterwards (temporary)', async () => {
    const world = await createWorld(name);
    const trades = [await buy(world, { wrapSol: 'temporary' }), await buy(world, { wrapSol: 'temporary' })];
    const [first, second] = trades.map(({ built }) => swapOf(built).accounts.userTokenBVault.address);
    await settle(world, trades[0]!);
    expect(world.account(first!)).toMatchObject({ exists: false });
    expect(new Set([first, second, world.wrappedSolAccount]).size).toBe(3);
  });

  test('neither wraps nor unwraps (none)', async () => {
    const world = await createWorld(name);
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    const held = world.account(world.wrappedSolAccount);
    await world.send((await buy(world, { wrapSol: 'none' })).built);
    expect(world.holdings().sol).toBe(sol - FEE - accountRent);
    expect(world.account(world.wrappedSolAccount)).toEqual(held);
  });

  test('spends the wrapped SOL that was held before (none)', async () => {
    const world = await createWorld(name);
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    const trade = await buy(world, { wrapSol: 'none' });
    await settle(world, trade);
    expect(world.holdings()).toEqual({
      sol: sol - FEE_OF_TWO - accountRent,
      tokens: { [world.wrappedSolAccount]: HELD - SPENT, [world.tokenAccount]: trade.received },
    });
  });

  test('leaves the account of a source as it is, and makes no other for wrapped SOL', async () => {
    const world = await createWorld(name);
    const { address: source } = await generateKeyPairSigner();
    world.giveWrappedSol(HELD, source);
    const { sol } = world.holdings();
    const before = world.account(source);
    await world.send((await buy(world, { source })).built);
    expect(world.holdings()).toEqual({
      sol: sol - FEE - accountRent,
      tokens: { [source]: HELD, [world.tokenAccount]: 0n },
    });
    expect(world.account(source)).toEqual(before);
  });

  test('has the exchange spend from the source and from nowhere else', async () => {
    const world = await createWorld(name);
    const { address: source } = await generateKeyPairSigner();
    world.giveWrappedSol(HELD, source);
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    const trade = await buy(world, { source });
    await settle(world, trade);
    expect(world.holdings()).toEqual({
      sol: sol - FEE_OF_TWO - accountRent,
      tokens: {
        [source]: HELD - SPENT,
        [world.wrappedSolAccount]: HELD,
        [world.tokenAccount]: trade.received,
      },
    });
  });
});
