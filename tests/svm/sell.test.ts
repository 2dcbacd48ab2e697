import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { TOKEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createWorld, existing, feeOf, POOL_NAMES, WRAPPED_SOL_RENT } from './harness.js';
import { STRATEGIES, sell, settle, swapOf } from './trades.js';

/** More than two sells take, with 9 decimals. */
const TOKENS = 10_000_000_000_000_000n;
const HELD = 2_000_000_000n;
const FEE = feeOf();
/** Of a settled trade: the bank signs too. */
const FEE_OF_TWO = feeOf({ signatures: 2n });

describe.each(POOL_NAMES)('a sell in the %s pool', (name) => {
  const createSeller = async () => {
    const world = await createWorld(name);
    world.giveTokens(TOKENS);
    return world;
  };

  describe.each(['associated', 'temporary'] as const)('with wrapSol %s', (wrapSol) => {
    test('leaves no account behind, however often it runs', async () => {
      const world = await createSeller();
      const { sol, tokens } = world.holdings();
      await world.send((await sell(world, { wrapSol })).built);
      expect(world.holdings()).toEqual({ sol: sol - FEE, tokens });
      await world.send((await sell(world, { wrapSol })).built);
      expect(world.holdings()).toEqual({ sol: sol - 2n * FEE, tokens });
    });

    test('has the exchange take the tokens, and receives SOL', async () => {
      const world = await createSeller();
      const { sol } = world.holdings();
      const trade = await sell(world, { wrapSol });
      await settle(world, trade);
      expect(world.holdings()).toEqual({
        sol: sol - FEE_OF_TWO + trade.received,
        tokens: { [world.tokenAccount]: TOKENS - trade.paid },
      });
    });
  });

  describe('with wrapSol none', () => {
    test('makes the wrapped SOL account once', async () => {
      const world = await createSeller();
      const { sol, tokens } = world.holdings();
      await world.send((await sell(world, { wrapSol: 'none' })).built);
      expect(existing(world.svm, world.wrappedSolAccount)).toMatchObject({
        programAddress: TOKEN_PROGRAM_ADDRESS,
        lamports: WRAPPED_SOL_RENT,
        space: 165n,
      });
      await world.send((await sell(world, { wrapSol: 'none' })).built);
      expect(world.holdings()).toEqual({
        sol: sol - 2n * FEE - WRAPPED_SOL_RENT,
        tokens: { ...tokens, [world.wrappedSolAccount]: 0n },
      });
    });

    test('leaves the proceeds wrapped, with those of the sell before', async () => {
      const world = await createSeller();
      const { sol } = world.holdings();
      const first = await sell(world, { wrapSol: 'none' });
      await settle(world, first);
      const second = await sell(world, { wrapSol: 'none' });
      await settle(world, second);
      expect(world.holdings()).toEqual({
        sol: sol - 2n * FEE_OF_TWO - WRAPPED_SOL_RENT,
        tokens: {
          [world.tokenAccount]: TOKENS - first.paid - second.paid,
          [world.wrappedSolAccount]: first.received + second.received,
        },
      });
    });

    test('leaves the wrapped SOL that was held before alone', async () => {
      const world = await createSeller();
      world.giveWrappedSol(HELD);
      const { sol } = world.holdings();
      const held = world.account(world.wrappedSolAccount);
      await world.send((await sell(world, { wrapSol: 'none' })).built);
      expect(world.holdings().sol).toBe(sol - FEE);
      expect(world.account(world.wrappedSolAccount)).toEqual(held);
    });
  });

  test('unwraps the wrapped SOL that was held before (associated)', async () => {
    const world = await createSeller();
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    await world.send((await sell(world, { wrapSol: 'associated' })).built);
    expect(world.holdings()).toEqual({
      sol: sol - FEE + HELD + WRAPPED_SOL_RENT,
      tokens: { [world.tokenAccount]: TOKENS },
    });
  });

  test('leaves the wrapped SOL that was held before alone (temporary)', async () => {
    const world = await createSeller();
    world.giveWrappedSol(HELD);
    const { sol } = world.holdings();
    const held = world.account(world.wrappedSolAccount);
    const trade = await sell(world, { wrapSol: 'temporary' });
    await settle(world, trade);
    expect(world.holdings()).toEqual({
      sol: sol - FEE_OF_TWO + trade.received,
      tokens: { [world.wrappedSolAccount]: HELD, [world.tokenAccount]: TOKENS - trade.paid },
    });
    expect(world.account(world.wrappedSolAccount)).toEqual(held);
    const { userTokenBVault } = swapOf(trade.built).accounts;
    expect(userTokenBVault.address).not.toBe(world.wrappedSolAccount);
    expect(world.account(userTokenBVault.address)).toMatchObject({ exists: false });
  });

  describe.each(STRATEGIES)('from a source, with wrapSol %s', (wrapSol) => {
    /** What is left of the wrapped SOL account. */
    const kept = wrapSol === 'none' ? { rent: WRAPPED_SOL_RENT, balance: 0n } : { rent: 0n };

    test('leaves the source as it is, and makes no associated token account', async () => {
      const world = await createWorld(name);
      const { address: source } = await generateKeyPairSigner();
      world.giveTokens(TOKENS, source);
      const { sol } = world.holdings();
      const before = world.account(source);
      await world.send((await sell(world, { source, wrapSol })).built);
      expect(world.holdings()).toEqual({
        sol: sol - FEE - kept.rent,
        tokens: {
          [source]: TOKENS,
          ...(kept.balance === undefined ? {} : { [world.wrappedSolAccount]: kept.balance }),
        },
      });
      expect(world.account(source)).toEqual(before);
    });

    test('has the exchange take from the source and from nowhere else', async () => {
      const world = await createSeller();
      const { address: source } = await generateKeyPairSigner();
      world.giveTokens(TOKENS, source);
      const trade = await sell(world, { source, wrapSol });
      await settle(world, trade);
      expect(world.holdings().tokens).toMatchObject({
        [source]: TOKENS - trade.paid,
        [world.tokenAccount]: TOKENS,
      });
    });
  });

  test.each(STRATEGIES)(
    'needs less than half of the compute units that it asks for (%s)',
    async (wrapSol) => {
      const world = await createSeller();
      const { built } = await sell(world, { wrapSol });
      expect((await world.send(built)).computeUnitsConsumed()).toBeLessThan(100_000n);
    },
  );
});
