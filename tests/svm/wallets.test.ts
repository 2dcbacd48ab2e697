import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  createTransactionPlanner,
  nonDivisibleSequentialInstructionPlan,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { addressNamed } from '../support/addresses.js';
import { createWorld, feeOf, POOLS, programsOf } from './harness.js';
import { buy, STRATEGIES, sell } from './trades.js';

const createTrader = async () => {
  const world = await createWorld('creator');
  world.giveTokens(10_000_000_000_000_000n);
  return world;
};

describe.each(Object.entries({ buy, sell }))('a %s', (_, trade) => {
  describe.each(STRATEGIES)('with wrapSol %s', (wrapSol) => {
    test("signs a caller's message by the signer that paid, which is attached", async () => {
      const world = await createTrader();
      const { wallet } = world;
      const { built } = await trade(world, { payer: wallet, wrapSol });
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        // The fee payer is an address alone: the signer comes with the instructions.
        (message) => setTransactionMessageFeePayer(wallet.address, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(world.lifetime(), message),
        (message) => appendTransactionMessageInstructions(built.instructions, message),
      );
      world.sendSigned(await signTransactionMessageWithSigners(message));
    });

    test('leaves no stand-in for an address that paid, so a real signer can pay', async () => {
      const world = await createTrader();
      const { built } = await trade(world, { payer: world.wallet.address, wrapSol });
      await world.run(built.instructions);
    });
  });
});

const LIMITS = { computeUnitLimit: 150_000, loadedAccountsDataSizeLimit: 67_108_864 };
const PLANNED_FEE = feeOf({ limit: 150_000n, price: 3_000n });
/** A planner's own message, with its own compute budget in the way of its version. */
const MESSAGES = {
  0: () =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageComputeUnitLimit(150_000, message),
      (message) => setTransactionMessageComputeUnitPrice(3_000n, message),
    ),
  1: () =>
    setTransactionMessageConfig(
      { ...LIMITS, priorityFeeLamports: PLANNED_FEE - 5_000n },
      createTransactionMessage({ version: 1 }),
    ),
} as const;

test.each([0, 1] as const)('a buy that kit plans in version %d lands with its budget', async (version) => {
  const world = await createWorld('creator');
  const tip = { to: addressNamed('a landing service'), lamports: 650_240n };
  const { built } = await buy(world, { transactionVersion: version, tip });
  const { sol } = world.holdings();
  const planner = createTransactionPlanner({
    createTransactionMessage: () => setTransactionMessageFeePayerSigner(world.wallet, MESSAGES[version]()),
  });
  const planned = await planner(nonDivisibleSequentialInstructionPlan([...built.instructions]));
  if (planned.kind !== 'single') throw new Error(`kit planned ${planned.kind} transactions`);
  const message = setTransactionMessageLifetimeUsingBlockhash(world.lifetime(), planned.message);
  const landed = world.sendSigned(await signTransactionMessageWithSigners(message));
  expect(programsOf(landed).slice(version === 0 ? 2 : 0)).toEqual(
    built.instructions.map(({ programAddress }) => programAddress),
  );
  expect(world.holdings().sol).toBe(sol - PLANNED_FEE - POOLS.creator.accountRent - tip.lamports);
  expect(world.svm.getBalance(tip.to)).toBe(tip.lamports);
});
