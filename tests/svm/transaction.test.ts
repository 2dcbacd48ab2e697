import { getUtf8Encoder, partiallySignTransaction, signTransaction } from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, test } from 'vitest';

import type { TransactionOptions } from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { addressNamed, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { createWorld, feeOf, POOLS, programsOf, type World } from './harness.js';
import { buy, STRATEGIES, sell } from './trades.js';

const RENT = POOLS.creator.accountRent;
const VERSIONS = [0, 1] as const;

const memo = (text: string) => ({
  programAddress: MEMO_PROGRAM_ADDRESS,
  data: getUtf8Encoder().encode(text),
});

/** The SOL that a wallet has less of, behind `act`. */
async function costOf(world: World, act: () => Promise<unknown>): Promise<bigint> {
  const { sol } = world.holdings();
  await act();
  return sol - world.holdings().sol;
}

test('two signers sign one after the other, the fee payer first', async () => {
  const world = await createWorld('creator');
  const { wallet, bank } = world;
  const amount = 123n;
  const { built } = await buy(world, {
    before: [getTransferSolInstruction({ source: bank.signer, destination: wallet.address, amount })],
  });
  expect(built.requiredSigners).toEqual([wallet.address, bank.signer.address]);
  const byBank = await partiallySignTransaction([bank.signer.keyPair], built.transaction);
  const byBoth = await signTransaction([wallet.keyPair], byBank);
  const cost = await costOf(world, async () => world.sendSigned(byBoth));
  expect(cost).toBe(feeOf({ signatures: 2n }) + RENT - amount);
});

const TIP = { to: addressNamed('a landing service'), lamports: 650_240n };

describe.each(VERSIONS)('what a transaction of version %i costs', (transactionVersion) => {
  const send = async (options: TransactionOptions) => {
    const world = await createWorld('creator');
    const { built } = await buy(world, { transactionVersion, ...options });
    return await costOf(world, () => world.send(built));
  };

  test.each<[string, TransactionOptions, bigint]>([
    ['the default, 200000 units at 40000000 micro-lamports', {}, 8_000_000n],
    ['a round fee', { computeUnitLimit: 100_000, computeUnitPrice: 50_000n }, 5_000n],
    ['a fee that is rounded up', { computeUnitLimit: 100_001, computeUnitPrice: 3 }, 1n],
    ['no price', { computeUnitLimit: 100_000, computeUnitPrice: 0 }, 0n],
    ['the default with a limit of bytes', { loadedAccountsDataSizeLimit: 33_554_432 }, 8_000_000n],
    ['the default and a tip', { tip: TIP, dontFront: false }, 8_650_240n],
    ['the default and a tip that marks it', { tip: TIP, dontFront: true }, 8_650_240n],
    ['the default and the mark alone', { dontFront: true }, 8_000_000n],
  ])('%s is paid to the lamport', async (_, options, cost) => {
    expect(await send(options)).toBe(5_000n + cost + RENT);
  });

  test.each([
    [{ computeUnitLimit: 1_000 }, /exceeded|ComputationalBudget/i],
    [{ loadedAccountsDataSizeLimit: 1 }, 'MaxLoadedAccountsDataSizeExceeded'],
  ])('%o is in force', async (options, reason) => {
    await expect(send(options)).rejects.toThrow(reason);
  });

  test('a transaction of the most bytes runs', async () => {
    const world = await createWorld('creator');
    const most = transactionVersion === 0 ? 1232 : 4096;
    const build = async (bytes: number) => {
      const after = [memo('a'.repeat(bytes))];
      return (await buy(world, { transactionVersion, computeUnitLimit: 1_400_000, after })).built;
    };
    const { size } = await build(200);
    const built = await build(200 + most - size);
    expect(built.size).toBe(most);
    await world.send(built);
  });
});

describe("a caller's instructions around the trade", () => {
  test('run after the compute budget and at the end, in the order in which they were given', async () => {
    const world = await createWorld('creator');
    const { built } = await buy(world, { before: [memo('first'), memo('second')], after: [memo('last')] });
    const sent = await world.send(built);
    const units = Array(2).fill(COMPUTE_BUDGET_PROGRAM_ADDRESS);
    const [MEMO, TOKEN] = [MEMO_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS];
    const wrapping = [ASSOCIATED_TOKEN_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS, TOKEN];
    const trade = [...wrapping, ASSOCIATED_TOKEN_PROGRAM_ADDRESS, HEAVEN_PROGRAM_ADDRESS, TOKEN];
    expect(programsOf(sent)).toEqual([...units, MEMO, MEMO, ...trade, MEMO]);
    const memos = sent.logs().flatMap((line) => /^Program log: (first|second|last)$/.exec(line)?.[1] ?? []);
    expect(memos).toEqual(['first', 'second', 'last']);
  });

  test('can spend what the trade unwraps', async () => {
    const world = await createWorld('creator');
    const { wallet, bank } = world;
    world.giveTokens(10_000_000_000_000_000n);
    // More than the wallet has in SOL: only what is unwrapped makes it enough.
    const held = 3_000_000_000n;
    world.giveWrappedSol(held);
    const amount = world.holdings().sol + held / 2n;
    const { built } = await sell(world, {
      after: [getTransferSolInstruction({ source: wallet, destination: bank.signer.address, amount })],
    });
    const before = world.svm.getBalance(bank.signer.address)!;
    await world.send(built);
    expect(world.svm.getBalance(bank.signer.address)).toBe(before + amount);
  });
});

// The exchange's instruction takes two compute units here.
describe.each(['community', 'classic'] as const)('a limit for a trade in the %s pool', (name) => {
  const codesOf = async (trade: ReturnType<typeof buy>) =>
    (await trade).built.warnings.map(({ code }) => code);

  test.each(STRATEGIES)('is not called too low if it is enough: wrapSol %s', async (wrapSol) => {
    // The units depend on the wallet's address.
    for (let wallets = 0; wallets < 4; wallets += 1) {
      const world = await createWorld(name);
      // What exists takes the fewest units.
      world.giveWrappedSol(10_000_000_000n);
      world.giveTokens(10n ** 17n);
      for (const trade of [buy, sell]) {
        const sent = await world.send((await trade(world, { wrapSol })).built);
        // The machine's exchange leaves out the line that the real one logs.
        const computeUnitLimit = Number(sent.computeUnitsConsumed()) + 98;
        expect(await codesOf(trade(world, { wrapSol, computeUnitLimit }))).toEqual([]);
      }
    }
  });

  test('is called too low if the trade then fails', async () => {
    const world = await createWorld(name);
    const { built } = await buy(world, { computeUnitLimit: 9_000 });
    expect(built.warnings.map(({ code }) => code)).toEqual(['compute-limit-too-low']);
    await expect(world.send(built)).rejects.toThrow(/exceeded CUs meter|ComputationalBudgetExceeded/);
  });
});
