import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { describe, expect, test } from 'vitest';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  encodeProtocolConfig,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createSampleConfig } from '../../src/testing/index.js';
import { OTHER, STRANGER } from '../support/addresses.js';
import { CATCH_ALL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { ledger } from '../support/ledger.js';
import { ownWarnings } from '../support/warnings.js';
import {
  ACCRUED,
  allow,
  brackets,
  CREATOR_FEE_SETTERS,
  codesOf,
  methodsOf,
  NAMES,
  ONE_READ,
  type Operation,
  parsedOf,
  positionOf,
  pro,
  programsIn,
  READ_AND_BLOCK_HASH,
  run,
  SETTERS,
  setLiquidity,
  setPosition,
  TOGGLES,
  tokenAccountOf,
  update,
  useProPool,
} from './support.js';

useProPool();

describe('every operation', () => {
  test.each(NAMES)('%s: one read and a block hash', async (name) => {
    expect(await methodsOf(() => run(name))).toEqual(READ_AND_BLOCK_HASH);
    const { lifetime } = await run(name);
    expect(await methodsOf(() => run(name, { lifetime }))).toEqual(ONE_READ);
  });

  /** Units of compute by default. The others take 60000. */
  const BUDGETS: Readonly<Partial<Record<Operation, number>>> = {
    add: 250_000,
    remove: 250_000,
    claimCreatorFees: 130_000,
    claimLpFees: 130_000,
    updateReceiver: 130_000,
  };
  test.each(NAMES)('%s: a compute budget by default, as given, or none', async (name) => {
    const budget = (units: number, microLamports: bigint) => [
      getSetComputeUnitLimitInstruction({ units }),
      getSetComputeUnitPriceInstruction({ microLamports }),
    ];
    const defaults = budget(BUDGETS[name] ?? 60_000, 20_000_000n);
    expect((await run(name)).computeBudget).toEqual(defaults);
    const given = await run(name, { computeUnitLimit: 7, computeUnitPrice: 9n });
    expect(given.computeBudget).toEqual(budget(7, 9n));
    const none = await run(name, { computeUnitLimit: 0, computeUnitPrice: 0 });
    expect(programsIn(none)).not.toContain(COMPUTE_BUDGET_PROGRAM_ADDRESS);
  });

  test.each(NAMES)('%s: unsigned, in one packet', async (name) => {
    const { tx, size, transaction, requiredSigners } = await run(name);
    expect(Buffer.from(tx, 'base64')).toHaveLength(size);
    expect(size).toBeLessThanOrEqual(1_232);
    expect(Object.values(transaction.signatures)).toEqual(requiredSigners.map(() => null));
    const others = { updateReceiver: [pro.creator, STRANGER], transfer: [OTHER, pro.creator] };
    expect(requiredSigners).toEqual(name in others ? others[name as keyof typeof others] : [pro.creator]);
  });

  test.each(NAMES)('%s: rejects a standard pool, and an account that is not a pool', async (name) => {
    const { pool } = ledger.pools.creator;
    await expectRefusal(run(name, { pool }), 'pool-mismatch:kind', { asked: 'pro', found: 'standard' });
    await expectRefusal(run(name, { pool: STRANGER }), 'pool-not-found', { pool: STRANGER });
    await expectRefusal(run(name, { pool: pro.mint }), 'invalid-account-data:found');
  });
});

test.each(['add', 'remove', 'claimCreatorFees', 'claimLpFees'] as const)(
  '%s unwraps behind it, unless that is not wanted',
  async (name) => {
    expect(programsIn(await run(name)).slice(-2)).toEqual([HEAVEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS]);
    expect(programsIn(await run(name, { wrapSol: 'none' })).at(-1)).toBe(HEAVEN_PROGRAM_ADDRESS);
    const { accounts } = parsedOf(await run(name, { wrapSol: 'temporary' }));
    expect(accounts.userTokenBVault).not.toBe(await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS));
  },
);

describe('an operation is rejected', () => {
  test.each([...TOGGLES, ...SETTERS, 'updateReceiver'] as const)(
    '%s by another than the creator',
    async (name) => {
      const context = { found: pro.creator, asked: OTHER };
      await expectRefusal(run(name, { payer: OTHER }), 'not-authorized:creator', context);
    },
  );

  test('when its switch is off', async () => {
    allow({ depositLiquidity: 0 });
    await expectRefusal(run('add'), 'operation-disabled:deposit', { pool: pro.pool });
    await expect(run('remove')).resolves.toBeDefined();
    allow({ depositLiquidity: 1, removeLiquidity: 0 });
    await expectRefusal(run('remove'), 'operation-disabled:withdraw', { pool: pro.pool });
    await expect(run('add')).resolves.toBeDefined();
  });

  test('when the pool is empty', async () => {
    setLiquidity(0n, 0n, 0n);
    await expectRefusal(run('add'), 'insufficient-liquidity');
    await expectRefusal(run('remove'), 'insufficient-liquidity');
  });

  test.each([
    ['remove', 'lpTokensToBurn', 'payer'],
    ['transfer', 'amount', 'sender'],
  ] as const)('%s of more LP tokens than the position holds', async (name, amount, wallet) => {
    await setPosition({ lpTokenBalance: 999n });
    await expect(run(name, { [amount]: 999n })).resolves.toBeDefined();
    await expectRefusal(run(name, { [amount]: 1_000n }), 'insufficient-balance:lp-tokens', {
      requested: 1_000n,
      available: 999n,
    });
    await expectRefusal(run(name, { [amount]: 1n, [wallet]: OTHER }), 'insufficient-balance:lp-tokens', {
      requested: 1n,
      available: 0n,
    });
  });

  test('claimLpFees without a position', async () => {
    await expectRefusal(run('claimLpFees', { payer: OTHER }), 'account-not-found', {
      account: 'UserLpPosition',
      address: await positionOf(OTHER),
    });
  });

  test.each(CREATOR_FEE_SETTERS)('%s if the creator fee is fixed', async (name) => {
    allow({ updateCreatorTradingFee: 0 });
    await expectRefusal(run(name), 'operation-disabled:set-creator-fee', { pool: pro.pool });
    await expect(run('setLpFee')).resolves.toBeDefined();
    await expect(run('setReflectionFee')).resolves.toBeDefined();
  });

  test('a creator fee over the config’s maximum', async () => {
    ledger.updateConfig(pro.protocolConfig, () => ({ maxCreatorTradingFee: 400 }));
    const over = [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 400, sellFeeBps: 401 }];
    await expect(run('setMarketCapCreatorFee', { brackets })).resolves.toBeDefined();
    await expectRefusal(run('setMarketCapCreatorFee', { brackets: over }), 'invalid-fees:feeBps', {
      field: 'brackets[0].sellFeeBps',
      feeBps: 401,
      maxFeeBps: 400,
    });
    await expectRefusal(run('setSlotCreatorFee'), 'invalid-fees:feeBps', {
      field: 'brackets[0].buyFeeBps',
      feeBps: 5_000,
      maxFeeBps: 400,
    });
    // The config's maximum is for the creator fee alone.
    await expect(run('setLpFee', { brackets: over })).resolves.toBeDefined();
    await expect(run('setReflectionFee', { brackets: over })).resolves.toBeDefined();
  });

  test('a creator fee over the maximum of the config that the pool has', async () => {
    const other = await findProtocolConfigAddress({ version: 4 });
    const data = encodeProtocolConfig({ ...createSampleConfig(3), version: 4, maxCreatorTradingFee: 200 });
    ledger.setAccount(other, { owner: HEAVEN_PROGRAM_ADDRESS, data });
    const setting = (buyFeeBps: number) =>
      run('setMarketCapCreatorFee', {
        brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps, sellFeeBps: 0 }],
      });
    await expect(setting(300)).resolves.toBeDefined();
    update({ protocolConfig: other });
    await expectRefusal(setting(300), 'invalid-fees:feeBps', { feeBps: 300, maxFeeBps: 200 });
    await expect(setting(200)).resolves.toBeDefined();
  });

  const { Unclaimed, Submitted, Processed } = CreatorTradingFeeClaimStatus;
  const { Community, Creator, Blocked, Shared } = CreatorTradingFeeDistribution;
  const ALLOWED = { claimStatus: Processed, distribution: Creator };
  test.each([
    { ...ALLOWED, claimStatus: Unclaimed },
    { ...ALLOWED, claimStatus: Submitted },
    { ...ALLOWED, distribution: Community },
    { ...ALLOWED, distribution: Blocked },
    { ...ALLOWED, distribution: Shared },
    { claimStatus: Unclaimed, distribution: Community },
  ])('updateReceiver with status $claimStatus and distribution $distribution', async (state) => {
    update({
      creatorTradingFeeClaimStatus: state.claimStatus,
      creatorTradingFeeDistribution: state.distribution,
    });
    await expectRefusal(run('updateReceiver'), 'operation-disabled:update-fee-receiver', state);
  });

  test('updateReceiver to the same receiver', async () => {
    await expectRefusal(run('updateReceiver', { newReceiver: pro.creator }), 'invalid-input', {
      field: 'newReceiver',
      value: pro.creator,
    });
    update({ creatorTradingFeeReceiver: STRANGER });
    await expectRefusal(run('updateReceiver'), 'invalid-input', { field: 'newReceiver', value: STRANGER });
    // Back to the creator.
    const back = await run('updateReceiver', { newReceiver: pro.creator });
    expect(back.requiredSigners).toEqual([pro.creator]);
  });

  test('transfer to oneself', async () => {
    await expectRefusal(run('transfer', { receiver: pro.creator }), 'invalid-input', {
      field: 'receiver',
      value: pro.creator,
    });
    expect(ledger.requests).toEqual([]);
  });

  test('claimCreatorFees by another than the receiver', async () => {
    await expectRefusal(run('claimCreatorFees', { payer: OTHER }), 'not-authorized:fee-receiver', {
      found: pro.creator,
      asked: OTHER,
    });
    update({ creatorTradingFeeReceiver: OTHER });
    await expectRefusal(run('claimCreatorFees'), 'not-authorized:fee-receiver', {
      found: OTHER,
      asked: pro.creator,
    });
    await expect(run('claimCreatorFees', { payer: OTHER })).resolves.toBeDefined();
  });

  test('claimCreatorFees of more than has accrued', async () => {
    await expect(run('claimCreatorFees', { amount: ACCRUED })).resolves.toBeDefined();
    await expectRefusal(
      run('claimCreatorFees', { amount: ACCRUED + 1n }),
      'insufficient-balance:creator-fees',
      {
        requested: ACCRUED + 1n,
        available: ACCRUED,
      },
    );
  });

  test.each([
    ['blocked', { creatorTradingFeeDistribution: Blocked }],
    ['volume-below-threshold', { creatorTradingFeeTradingVolumeThreshold: 1 }],
    [
      'not-processed',
      {
        creatorTradingFeeTradingVolumeThreshold: 1,
        tradingVolumeUsd: 1,
        creatorTradingFeeClaimStatus: Submitted,
      },
    ],
  ] as const)('claimCreatorFees: %s', async (reason, state) => {
    update(state);
    await expectRefusal(run('claimCreatorFees'), 'fees-not-claimable', { reason });
  });

  test.each([
    ['add', { mint: STRANGER }, 'pool-mismatch:mint', { asked: STRANGER }],
    ['remove', { mint: STRANGER }, 'pool-mismatch:mint', { asked: STRANGER }],
    ['updateReceiver', { mint: STRANGER }, 'pool-mismatch:mint', { asked: STRANGER }],
    ['add', { configVersion: 2 }, 'pool-mismatch:configVersion', { found: 3, asked: 2 }],
    ['remove', { configVersion: 2 }, 'pool-mismatch:configVersion', { found: 3, asked: 2 }],
    ['updateReceiver', { version: 2 }, 'pool-mismatch:configVersion', { found: 3, asked: 2 }],
  ] as const)('%s with %o', async (name, change, code, context) => {
    await expectRefusal(run(name, change), code, context);
  });

  test.each([
    ['add', 'maxTokenA'],
    ['add', 'maxTokenB'],
    ['remove', 'lpTokensToBurn'],
    ['transfer', 'amount'],
  ] as const)('%s with 0 as %s', async (name, field) => {
    await expectRefusal(run(name, { [field]: 0n }), 'zero-amount', { field });
  });

  test('add of so little that it gives nothing', async () => {
    setLiquidity(1_000_003n, 2_000_007n, 1_000_000n);
    await expectRefusal(run('add', { maxTokenA: 1n }), 'output-is-zero');
  });
});

describe('warnings', () => {
  test.each(['claimCreatorFees', 'updateReceiver', ...SETTERS] as const)('%s: none', async (name) => {
    expect(codesOf(await run(name))).toEqual([]);
  });

  test('say which unconfirmed assumptions an operation depends on', async () => {
    const named = async (name: (typeof NAMES)[number]) =>
      (await run(name)).warnings
        .filter(({ code }) => code === 'unverified-assumption')
        .map(({ message }) => /\((A.*) in/.exec(message)?.[1]);
    const found = await Promise.all(NAMES.map(async (name) => [name, await named(name)] as const));
    const expected: Partial<Record<(typeof NAMES)[number], string>> = {
      add: 'A2, A8',
      remove: 'A2, A8',
      claimLpFees: 'A2, A8',
      transfer: 'A2',
    };
    for (const [name, assumptions] of found)
      expect(assumptions, name).toEqual(expected[name] === undefined ? [] : [expected[name]]);
  });

  test.each([
    ['toggleSwap', 'swap'],
    ['toggleDeposit', 'depositLiquidity'],
  ] as const)('%s: no-change', async (name, feature) => {
    expect(codesOf(await run(name, { enabled: true }))).toEqual(['no-change']);
    expect(codesOf(await run(name, { enabled: false }))).toEqual([]);
    allow({ [feature]: 0 });
    expect(codesOf(await run(name, { enabled: true }))).toEqual([]);
    expect(codesOf(await run(name, { enabled: false }))).toEqual(['no-change']);
  });

  test('toggleWithdraw: withdrawals-locked', async () => {
    expect(codesOf(await run('toggleWithdraw', { enabled: true }))).toEqual(['no-change']);
    expect(codesOf(await run('toggleWithdraw', { enabled: false }))).toEqual(['withdrawals-locked']);
    allow({ removeLiquidity: 0 });
    expect(codesOf(await run('toggleWithdraw', { enabled: true }))).toEqual([]);
    expect(codesOf(await run('toggleWithdraw', { enabled: false }))).toEqual([
      'no-change',
      'withdrawals-locked',
    ]);
  });

  test('transfer: position-rent, unless the receiver has one', async () => {
    // (97 + 128) * 5080 lamports
    expect(ownWarnings(await run('transfer'))).toEqual([
      { code: 'position-rent', message: expect.stringMatching(new RegExp(`${OTHER} pays 0\\.001143 SOL`)) },
    ]);
    await setPosition({ user: STRANGER });
    expect(codesOf(await run('transfer'))).toEqual([]);
  });

  test('transfer: receiver-not-wallet, if a program owns the receiver', async () => {
    await setPosition({ user: STRANGER });
    const data = new Uint8Array(165);
    ledger.setAccount(STRANGER, { owner: TOKEN_PROGRAM_ADDRESS, data });
    expect(ownWarnings(await run('transfer'))).toEqual([
      {
        code: 'receiver-not-wallet',
        message: expect.stringContaining(`${STRANGER} is not a wallet: it belongs to the program Tokenkeg`),
      },
    ]);
    ledger.setAccount(STRANGER, { owner: SYSTEM_PROGRAM_ADDRESS, data: new Uint8Array() });
    expect(codesOf(await run('transfer'))).toEqual([]);
  });

  test('claimCreatorFees: nothing-to-claim', async () => {
    expect(codesOf(await run('claimCreatorFees'))).toEqual([]);
    update({ creatorTradingFees: 0n });
    expect(codesOf(await run('claimCreatorFees'))).toEqual(['nothing-to-claim']);
  });

  test('claimLpFees: nothing-to-claim', async () => {
    expect(codesOf(await run('claimLpFees'))).toEqual([]);
    await setPosition({ lpTokenBalance: 400_000_000_000n });
    expect(codesOf(await run('claimLpFees'))).toEqual(['nothing-to-claim']);
    // 400e9 * 1 / 1e9
    ledger.updatePool(pro.pool, ({ reserve }) => ({ reserve: { ...reserve, accumulatedFeePerLpToken: 1n } }));
    expect(codesOf(await run('claimLpFees'))).toEqual([]);
    // A single lamport is something to claim: 1e9 * 1 / 1e9.
    await setPosition({ lpTokenBalance: 1_000_000_000n });
    expect(codesOf(await run('claimLpFees'))).toEqual([]);
    await setPosition({ lpTokenBalance: 999_999_999n });
    expect(codesOf(await run('claimLpFees'))).toEqual(['nothing-to-claim']);
  });

  test.each([
    // 1000000 lamports of 400e9 are 1000000 of 400e9 LP tokens, and 1000 tokens of A.
    ['add', 'minLpTokens', 1_000_000n],
    ['remove', 'minTokenA', 1_000_000_000n],
    ['remove', 'minTokenB', 1_000_000n],
  ] as const)('%s: minimum-not-reached by %s', async (name, field, reached) => {
    expect(codesOf(await run(name, { [field]: reached }))).toEqual([]);
    expect(codesOf(await run(name, { [field]: reached + 1n }))).toEqual(['minimum-not-reached']);
  });
});
