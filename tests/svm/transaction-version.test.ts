import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { Rent } from 'litesvm';
import { describe, expect, test } from 'vitest';

import type { TransactionOptions } from '../../src/index.js';
import { MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { createWorld as createSvmWorld, feeOf, POOL_NAMES, type PoolName, type World } from './harness.js';
import { buy, STRATEGIES, sell, settle, type Trade } from './trades.js';

/** What mainnet asks for a byte. */
const LAMPORTS_PER_BYTE = 5_080n;
/** 165 bytes and 128 more. */
const WRAPPED_SOL_RENT = 293n * LAMPORTS_PER_BYTE;
const VERSIONS = [0, 1] as const;
const TRADES = { buy, sell } as const;

async function createWorld(name: PoolName): Promise<World> {
  const world = await createSvmWorld(name);
  world.svm.setRent(new Rent(LAMPORTS_PER_BYTE, 1, 50));
  world.giveTokens(10_000_000_000_000_000n);
  return world;
}

/** Composes a caller's own message of version 1 around what was built. */
const inVersion1 = (world: World, { built }: Trade): World => ({
  ...world,
  run: async (instructions) =>
    world.sendSigned(
      await signTransactionMessageWithSigners(
        pipe(
          createTransactionMessage({ version: 1 }),
          (message) => setTransactionMessageFeePayerSigner(world.wallet, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(world.lifetime(), message),
          (message) => setTransactionMessageConfig(built.config ?? {}, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
        ),
      ),
    ),
});

/** What a wallet has more or less of, whatever its addresses are. */
async function changes(world: World, act: () => Promise<unknown>) {
  const named = ({ tokens }: ReturnType<World['holdings']>) => ({
    token: tokens[world.tokenAccount],
    wrappedSol: tokens[world.wrappedSolAccount],
    accounts: Object.keys(tokens).length,
  });
  const before = world.holdings();
  await act();
  const after = world.holdings();
  return { sol: after.sol - before.sol, before: named(before), after: named(after) };
}

describe.each(POOL_NAMES)('in the %s pool', (name) => {
  describe.each(['buy', 'sell'] as const)('a %s', (side) => {
    test.each(STRATEGIES)('moves the same in both versions (wrapSol %s)', async (wrapSol) => {
      const [zero, one] = await Promise.all(
        VERSIONS.map(async (transactionVersion) => {
          const world = await createWorld(name);
          if (wrapSol === 'none') world.giveWrappedSol(2_000_000_000n);
          const options = { wrapSol, transactionVersion };
          const sent = await changes(world, async () =>
            world.send((await TRADES[side](world, options)).built),
          );
          // With the swap carried out, in a message of the caller's own.
          const trade = await TRADES[side](world, options);
          expect(trade.built.version).toBe(transactionVersion);
          const settled = await changes(world, () =>
            settle(transactionVersion === 1 ? inVersion1(world, trade) : world, trade),
          );
          return { sent, settled };
        }),
      );
      expect(one).toEqual(zero);
    });
  });
});

describe('the fee of version 1', () => {
  const costOf = async (options: TransactionOptions) => {
    const world = await createWorld('creator');
    const { built } = await buy(world, { transactionVersion: 1, wrapSol: 'associated', ...options });
    const { sol } = await changes(world, () => world.send(built));
    return -sol;
  };

  test.each([
    [{}, feeOf()],
    [{ computeUnitLimit: 150_000, computeUnitPrice: 1n }, feeOf({ limit: 150_000n, price: 1n })],
    [{ computeUnitPrice: 0 }, 5_000n],
    [{ loadedAccountsDataSizeLimit: 33_554_432 }, feeOf()],
  ])('with %o is that of version 0', async (options, fee) => {
    expect(await costOf(options)).toBe(fee);
    expect(await costOf({ ...options, transactionVersion: 0 })).toBe(fee);
  });

  test('and its limits are those in the message', async () => {
    await expect(costOf({ computeUnitLimit: 1_000 })).rejects.toThrow(/exceeded|ComputationalBudget/i);
    await expect(costOf({ loadedAccountsDataSizeLimit: 1 })).rejects.toThrow(
      'MaxLoadedAccountsDataSizeExceeded',
    );
  });
});

test('a temporary account of version 1 comes back whole at the rent of mainnet', async () => {
  const world = await createWorld('creator');
  const trade = await sell(world, { transactionVersion: 1, wrapSol: 'temporary' });
  const { sol } = await changes(world, () => world.send(trade.built));
  expect(sol).toBe(-feeOf());
  expect(world.svm.minimumBalanceForRentExemption(165n)).toBe(WRAPPED_SOL_RENT);
});

test('a transaction of 4096 bytes runs', async () => {
  const world = await createWorld('creator');
  const tip = (index: number): Instruction =>
    getTransferSolInstruction({
      source: world.wallet,
      destination: world.bank.signer.address,
      amount: BigInt(index + 1),
    });
  const memo = (bytes: number): Instruction => ({
    programAddress: MEMO_PROGRAM_ADDRESS,
    data: new Uint8Array(bytes).fill(97),
  });
  const build = async (bytes: number) => {
    const after = [...Array.from({ length: 30 }, (_, index) => tip(index)), memo(bytes)];
    const options = {
      transactionVersion: 1,
      wrapSol: 'associated',
      computeUnitLimit: 1_400_000,
      after,
    } as const;
    return (await buy(world, options)).built;
  };
  const { size } = await build(1);
  const built = await build(1 + 4096 - size);
  expect(built.size).toBe(4096);
  const before = world.svm.getBalance(world.bank.signer.address) ?? 0n;
  await world.send(built);
  // 1 + 2 + … + 30
  expect((world.svm.getBalance(world.bank.signer.address) ?? 0n) - before).toBe(465n);
});
