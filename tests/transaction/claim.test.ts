import { generateKeyPairSigner } from '@solana/kit';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { describe, expect, test } from 'vitest';

import { type BuiltTransaction, buildClaimCreatorTradingFees } from '../../src/index.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  HEAVEN_PROGRAM_ADDRESS,
  parseClaimStandardCreatorTradingFeesInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { allInstructionsOf } from '../support/transactions.js';
import { createWorld, feeOf, POOL_NAMES, POOLS, type World, WRAPPED_SOL_RENT } from '../svm/harness.js';
import { STRATEGIES } from '../svm/trades.js';

/** What has accrued in the creator pool since the last claim. */
const UNCLAIMED = 420_891_248_646n;

useLedger();

type State = Parameters<Parameters<EmbeddedLedger['updatePool']>[1]>[0];
type StandardPoolName = 'community' | 'creator' | 'launching';

/** A claim by the creator, who is the receiver of all sample pools. */
const claim = (change: object = {}, name: StandardPoolName = 'creator') => {
  const { mint, creator, configVersion } = ledger.pools[name];
  const input = { amount: 0n, mint, payer: creator, version: configVersion, ...change };
  return buildClaimCreatorTradingFees(client, input);
};

const update = (fields: Partial<State>, name: StandardPoolName = 'creator') =>
  ledger.updatePool(ledger.pools[name].pool, () => fields);

const claimOf = ({ instructions }: BuiltTransaction) =>
  parseClaimStandardCreatorTradingFeesInstruction(
    instructions.find(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS)!,
  );

describe('the claim', () => {
  test('follows the receiver, not the creator', async () => {
    const receiver = (await generateKeyPairSigner()).address;
    update({ creatorTradingFeeReceiver: receiver });
    expect(claimOf(await claim({ payer: receiver })).accounts.user.address).toBe(receiver);
    const context = { found: receiver, asked: ledger.pools.creator.creator };
    await expectRefusal(claim(), 'not-authorized:fee-receiver', context);
  });

  test('works while swaps are switched off, and before the pool opens', async () => {
    ledger.updatePool(ledger.pools.creator.pool, ({ allowlist, info }) => ({
      allowlist: { ...allowlist, swap: 0 },
      info: { ...info, openAt: ledger.unixTimestamp + 1_000n },
    }));
    await expect(claim()).resolves.toBeDefined();
  });
});

describe('what can be claimed', () => {
  const { Unclaimed, Submitted, Processed } = CreatorTradingFeeClaimStatus;
  const { Creator, Community, Shared, Blocked } = CreatorTradingFeeDistribution;

  test.each([
    ['not blocked but shared', { creatorTradingFeeDistribution: Shared }],
    ['exactly at the threshold', { tradingVolumeUsd: 100_000 }],
    ['without a threshold, Unclaimed', thresholdOf(0, Unclaimed)],
    ['without a threshold, Submitted', thresholdOf(0, Submitted)],
    ['without a threshold, Processed', thresholdOf(0, Processed)],
  ])('%s', async (_, fields) => {
    update(fields);
    await expect(claim()).resolves.toBeDefined();
  });

  test('a community pool is claimable while Unclaimed if its fees go to the creator', async () => {
    update({ creatorTradingFees: 77n, creatorTradingFeeDistribution: Creator }, 'community');
    expect(claimOf(await claim({ amount: 77n }, 'community')).data).toEqual({ amount: 77n });
  });

  test.each<[string, Partial<State>, string]>([
    ['fees that are blocked', { creatorTradingFeeDistribution: Blocked }, 'blocked'],
    ['fees of the community', { creatorTradingFeeDistribution: Community }, 'community'],
    ['blocked fees, without a threshold', freely(Blocked), 'blocked'],
    ['fees of the community, without a threshold', freely(Community), 'community'],
    ['a volume a cent below', { tradingVolumeUsd: 99_999.99 }, 'volume-below-threshold'],
    ['no volume', { tradingVolumeUsd: 0 }, 'volume-below-threshold'],
    ['a volume that is no number', { tradingVolumeUsd: Number.NaN }, 'volume-below-threshold'],
    ['Unclaimed', { creatorTradingFeeClaimStatus: Unclaimed }, 'not-processed'],
    ['Submitted', { creatorTradingFeeClaimStatus: Submitted }, 'not-processed'],
    ['an unknown status', { creatorTradingFeeClaimStatus: 9 }, 'not-processed'],
    ['a threshold of a cent, Unclaimed', thresholdOf(0.01, Unclaimed), 'not-processed'],
  ])('not with %s', async (_, fields, reason) => {
    update({ creatorTradingFeeDistribution: Creator, ...fields });
    for (const amount of [0n, 1n]) await expectRefusal(claim({ amount }), 'fees-not-claimable', { reason });
    // A stranger learns only that they are not the receiver.
    const stranger = SYSTEM_PROGRAM_ADDRESS;
    const context = { found: ledger.pools.creator.creator, asked: stranger };
    await expectRefusal(claim({ payer: stranger }), 'not-authorized:fee-receiver', context);
  });

  function freely(creatorTradingFeeDistribution: number): Partial<State> {
    return { creatorTradingFeeDistribution, ...thresholdOf(0, Processed) };
  }

  function thresholdOf(usd: number, creatorTradingFeeClaimStatus: number): Partial<State> {
    return { creatorTradingFeeTradingVolumeThreshold: usd, creatorTradingFeeClaimStatus };
  }

  test.each([
    ['with a threshold', {}],
    ['without one', thresholdOf(0, Unclaimed)],
  ])('nothing where nothing accrued, unless that is allowed: %s', async (_, fields) => {
    update({ creatorTradingFees: 0n, ...fields });
    await expectRefusal(claim(), 'fees-not-claimable', { reason: 'nothing-to-claim' });
    const built = await claim({ allowEmpty: true });
    expect(built.warnings.map(({ code }) => code)).toEqual(['nothing-to-claim']);
    expect(claimOf(built).data).toEqual({ amount: 0n });
    const attempt = claim({ amount: 1n, allowEmpty: true });
    await expectRefusal(attempt, 'insufficient-balance:creator-fees', { requested: 1n, available: 0n });
  });

  test.each([UNCLAIMED + 1n, 2n ** 64n - 1n])('not %s lamports', async (requested) => {
    const context = { requested, available: UNCLAIMED };
    await expectRefusal(claim({ amount: requested }), 'insufficient-balance:creator-fees', context);
  });
});

describe.each(POOL_NAMES)('a claim from the %s pool, executed', (name) => {
  const ACCRUED = 5_000_000_000n;
  const HELD = 2_000_000_000n;
  const FEE = feeOf({ limit: 130_000n, price: 20_000_000n, signatures: 2n });

  /** What was built, with the transfer that the exchange would make in the place of its instruction. The bank signs it. */
  const settled = (built: BuiltTransaction, { signer, wrappedSolAccount }: World['bank']) => {
    const pay = getTransferCheckedInstruction({
      source: wrappedSolAccount,
      mint: WRAPPED_SOL_MINT_ADDRESS,
      destination: claimOf(built).accounts.userTokenBVault.address,
      authority: signer,
      amount: ACCRUED,
      decimals: 9,
    });
    return allInstructionsOf(built).map((instruction) =>
      instruction.programAddress === HEAVEN_PROGRAM_ADDRESS ? pay : instruction,
    );
  };

  describe.each(STRATEGIES)('with wrapSol %s', (wrapSol) => {
    test.each([false, true])('pays the fees out (to a wallet with balances: %s)', async (isFunded) => {
      const world = await createWorld(name);
      const { wrappedSolAccount, pool } = world;
      const payer = world.wallet.address;
      world.ledger.updatePool(pool.pool, () => ({
        creatorTradingFeeReceiver: payer,
        creatorTradingFees: ACCRUED,
        creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
        creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
      }));
      if (isFunded) {
        world.giveTokens(9n);
        world.giveWrappedSol(HELD);
      }
      const { sol } = world.holdings();
      const [tokens, wrapped] = isFunded ? [9n, HELD] : [0n, 0n];
      const expected = {
        // Closing the account unwraps all that is in it.
        associated: { change: ACCRUED + (isFunded ? HELD + WRAPPED_SOL_RENT : 0n), left: {} },
        temporary: { change: ACCRUED, left: isFunded ? { [wrappedSolAccount]: HELD } : {} },
        none: { change: isFunded ? 0n : -WRAPPED_SOL_RENT, left: { [wrappedSolAccount]: wrapped + ACCRUED } },
      }[wrapSol];
      const { mint, configVersion: version } = pool;
      const input = { amount: 0n, mint, payer, version, lifetime: world.lifetime(), wrapSol };
      const built = await buildClaimCreatorTradingFees(world.client, input);
      await world.run(settled(built, world.bank));
      const opened = isFunded ? 0n : POOLS[name].accountRent;
      expect(world.holdings()).toEqual({
        sol: sol + expected.change - FEE - opened,
        tokens: { [world.tokenAccount]: tokens, ...expected.left },
      });
    });
  });
});
