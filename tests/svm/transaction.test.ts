import {
  type Instruction,
  isSolanaError,
  partiallySignTransaction,
  SOLANA_ERROR__TRANSACTION__SIGNATURES_MISSING,
  signTransaction,
} from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, test } from 'vitest';

import { isHeavenError } from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { createWorld, feeOf, POOLS, programsOf, type World } from './harness.js';
import { buy, STRATEGIES, sell } from './trades.js';

/** Solana's limit on a transaction, signatures included. */
const MOST_BYTES = 1232;
const RENT = POOLS.creator.accountRent;

const createBuyer = () => createWorld('creator');

const memo = (text: string): Instruction => ({
  programAddress: MEMO_PROGRAM_ADDRESS,
  data: new TextEncoder().encode(text),
});

/** The SOL that a wallet has less of, behind `act`. */
async function costOf(world: World, act: () => Promise<unknown>): Promise<bigint> {
  const { sol } = world.holdings();
  await act();
  return sol - world.holdings().sol;
}

describe('signatures', () => {
  test('an unsigned transaction is rejected', async () => {
    const world = await createBuyer();
    const { built } = await buy(world);
    const send = () => world.sendSigned(built.transaction);
    expect(send).toThrow(
      expect.toSatisfy((error) => isSolanaError(error, SOLANA_ERROR__TRANSACTION__SIGNATURES_MISSING)),
    );
  });

  test('the signature of another transaction is rejected', async () => {
    const world = await createBuyer();
    const { wallet } = world;
    const { built } = await buy(world);
    const other = await buy(world, { encodedUserDefinedEventData: 'other' });
    const { signatures } = await signTransaction([wallet.keyPair], other.built.transaction);
    const mixed = { ...built.transaction, signatures };
    expect(() => world.sendSigned(mixed)).toThrow('SignatureFailure');
  });

  test('a transaction whose block hash has expired is rejected', async () => {
    const world = await createBuyer();
    const { built } = await buy(world);
    world.svm.expireBlockhash();
    await expect(world.send(built)).rejects.toThrow('BlockhashNotFound');
  });

  test('two signers sign one after the other, the fee payer first', async () => {
    const world = await createBuyer();
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
});

describe('compute budget', () => {
  test('by default it asks for 200000 units at 40000000 micro-lamports: 0.008 SOL', async () => {
    const world = await createBuyer();
    const { built } = await buy(world);
    expect(await costOf(world, () => world.send(built))).toBe(5_000n + 8_000_000n + RENT);
  });

  test('it asks for the limit and the price that were given', async () => {
    const options = { computeUnitLimit: 123_456, computeUnitPrice: 789n };
    const { computeBudget } = (await buy(await createBuyer(), options)).built;
    expect(computeBudget).toEqual([
      getSetComputeUnitLimitInstruction({ units: options.computeUnitLimit }),
      getSetComputeUnitPriceInstruction({ microLamports: options.computeUnitPrice }),
    ]);
  });

  test.each([
    ['a round fee', { computeUnitLimit: 100_000, computeUnitPrice: 50_000n }, 5_000n],
    ['a fee that is rounded up', { computeUnitLimit: 100_001, computeUnitPrice: 3 }, 1n],
    ['no price', { computeUnitLimit: 100_000, computeUnitPrice: 0 }, 0n],
    ['neither', { computeUnitLimit: 0, computeUnitPrice: 0n }, 0n],
  ])('%s is paid to the lamport', async (_, options, priorityFee) => {
    const world = await createBuyer();
    const { built } = await buy(world, options);
    expect(await costOf(world, () => world.send(built))).toBe(5_000n + priorityFee + RENT);
  });

  test.each([
    ['both', {}, 2],
    ['no limit', { computeUnitLimit: 0 }, 1],
    ['no price', { computeUnitPrice: 0 }, 1],
    ['neither', { computeUnitLimit: 0, computeUnitPrice: 0 }, 0],
  ])('0 leaves the instruction out: %s', async (_, options, expected) => {
    const world = await createBuyer();
    const { built } = await buy(world, options);
    const calls = programsOf(await world.send(built));
    expect(calls.filter((program) => program === COMPUTE_BUDGET_PROGRAM_ADDRESS)).toHaveLength(expected);
  });

  test('too low a limit fails, and the logs show where', async () => {
    const world = await createBuyer();
    const { built } = await buy(world, { computeUnitLimit: 10_000 });
    await expect(world.send(built)).rejects.toThrow(
      /The transaction failed: InstructionError\(\d, .*\n.*Program \w+ invoke \[1\]/,
    );
  });
});

describe('instructions around the trade', () => {
  test('run after the compute budget and at the end', async () => {
    const world = await createBuyer();
    const { built } = await buy(world, { before: [memo('first'), memo('second')], after: [memo('last')] });
    expect(programsOf(await world.send(built))).toEqual([
      COMPUTE_BUDGET_PROGRAM_ADDRESS,
      COMPUTE_BUDGET_PROGRAM_ADDRESS,
      MEMO_PROGRAM_ADDRESS,
      MEMO_PROGRAM_ADDRESS,
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS, // the wrapped SOL account
      SYSTEM_PROGRAM_ADDRESS, // SOL into it
      TOKEN_PROGRAM_ADDRESS, // counted as wrapped
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS, // the token account
      HEAVEN_PROGRAM_ADDRESS,
      TOKEN_PROGRAM_ADDRESS, // unwrapping
      MEMO_PROGRAM_ADDRESS,
    ]);
  });

  test('run in the order in which they were given', async () => {
    const world = await createBuyer();
    const { built } = await buy(world, { before: [memo('first'), memo('second')], after: [memo('last')] });
    const logs = (await world.send(built)).logs();
    const memos = logs.flatMap((line) => /^Program log: (first|second|last)$/.exec(line)?.[1] ?? []);
    expect(memos).toEqual(['first', 'second', 'last']);
  });

  test('can spend what the trade unwraps', async () => {
    const world = await createWorld('creator');
    const { wallet, bank } = world;
    world.giveTokens(10_000_000_000_000_000n);
    // More than the wallet has in SOL: only what is unwrapped makes it enough.
    const held = 3_000_000_000n;
    world.giveWrappedSol(held);
    const tip = world.holdings().sol + held / 2n;
    const { built } = await sell(world, {
      after: [getTransferSolInstruction({ source: wallet, destination: bank.signer.address, amount: tip })],
    });
    const before = world.svm.getBalance(bank.signer.address)!;
    await world.send(built);
    expect(world.svm.getBalance(bank.signer.address)).toBe(before + tip);
  });
});

describe('size', () => {
  /** A trade with event data of so many bytes. */
  const withEventData = async (world: World, bytes: number) =>
    buy(world, { encodedUserDefinedEventData: 'x'.repeat(bytes) });

  /** The longest event data that fits: its length takes a second byte in the message from 128 bytes of data on. */
  const longestFor = async (world: World) => MOST_BYTES - (await buy(world)).built.size - 1;

  test('a transaction of 1232 bytes runs', async () => {
    const world = await createBuyer();
    const { built } = await withEventData(world, await longestFor(world));
    expect(built.size).toBe(MOST_BYTES);
    expect(await costOf(world, () => world.send(built))).toBe(feeOf() + RENT);
  });

  test.each([1, 1000])(
    'one of %i more is rejected before it is sent; the error says by how much',
    async (excess) => {
      const world = await createBuyer();
      const error = await withEventData(world, (await longestFor(world)) + excess).catch((error) => error);
      expect(isHeavenError(error, 'transaction-too-large') && error.context).toEqual({
        size: MOST_BYTES + excess,
        limit: MOST_BYTES,
        excess,
      });
    },
  );

  test.each(STRATEGIES)('without event data, 300 bytes are left for more (wrapSol %s)', async (wrapSol) => {
    const world = await createBuyer();
    for (const trade of [buy, sell]) {
      const { built } = await trade(world, { wrapSol });
      expect(built.size).toBeLessThan(MOST_BYTES - 300);
    }
  });
});
