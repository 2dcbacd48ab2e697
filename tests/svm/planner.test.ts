import {
  createTransactionMessage,
  createTransactionPlanner,
  type Instruction,
  nonDivisibleSequentialInstructionPlan,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { addressNamed, COMPUTE_BUDGET_PROGRAM_ADDRESS, MEMO_PROGRAM_ADDRESS } from '../support/addresses.js';
import { createWorld, feeOf, POOLS, programsOf, type World } from './harness.js';
import { buy } from './trades.js';

const LIMIT = 150_000;
const PRICE = 3_000n;
const FEE = feeOf({ limit: BigInt(LIMIT), price: PRICE });
const MIB_64 = 67_108_864;

/** The planner's own message, with its own compute budget in the way of its version. */
const MESSAGES = {
  0: () =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageComputeUnitLimit(LIMIT, message),
      (message) => setTransactionMessageComputeUnitPrice(PRICE, message),
    ),
  1: () =>
    setTransactionMessageConfig(
      { computeUnitLimit: LIMIT, priorityFeeLamports: FEE - 5_000n, loadedAccountsDataSizeLimit: MIB_64 },
      createTransactionMessage({ version: 1 }),
    ),
} as const;

/** Lets kit plan one transaction with these instructions, signs it with their signers, and sends it. */
async function plan(world: World, version: 0 | 1, instructions: readonly Instruction[]) {
  const planner = createTransactionPlanner({
    createTransactionMessage: () => setTransactionMessageFeePayerSigner(world.wallet, MESSAGES[version]()),
  });
  const planned = await planner(nonDivisibleSequentialInstructionPlan([...instructions]));
  if (planned.kind !== 'single') throw new Error(`kit planned ${planned.kind} transactions`);
  return world.sendSigned(
    await signTransactionMessageWithSigners(
      setTransactionMessageLifetimeUsingBlockhash(world.lifetime(), planned.message),
    ),
  );
}

describe.each([0, 1] as const)("a version %d transaction that kit's planner makes of a buy", (version) => {
  test('lands with the budget of the planner, and all else of what was built', async () => {
    const world = await createWorld('creator');
    const memo: Instruction = { programAddress: MEMO_PROGRAM_ADDRESS, data: Uint8Array.of(104, 105) };
    const tip = { to: addressNamed('a landing service'), lamports: 650_240n };
    const { built } = await buy(world, {
      transactionVersion: version,
      before: [memo],
      after: [memo, memo],
      tip,
    });
    const { sol } = world.holdings();
    const landed = await plan(world, version, built.instructions);
    expect(programsOf(landed)).toEqual([
      ...(version === 0 ? [COMPUTE_BUDGET_PROGRAM_ADDRESS, COMPUTE_BUDGET_PROGRAM_ADDRESS] : []),
      MEMO_PROGRAM_ADDRESS,
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      SYSTEM_PROGRAM_ADDRESS,
      TOKEN_PROGRAM_ADDRESS,
      ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      HEAVEN_PROGRAM_ADDRESS,
      TOKEN_PROGRAM_ADDRESS,
      MEMO_PROGRAM_ADDRESS,
      MEMO_PROGRAM_ADDRESS,
      SYSTEM_PROGRAM_ADDRESS,
    ]);
    expect(world.holdings().sol).toBe(sol - FEE - POOLS.creator.accountRent - tip.lamports);
    expect(world.svm.getBalance(tip.to)).toBe(tip.lamports);
  });
});
