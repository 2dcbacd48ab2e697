import { generateKeyPairSigner } from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { parseCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  encodeProtocolConfig,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  type LiquidityPoolState,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createSampleConfig } from '../../src/testing/index.js';
import { OTHER, STRANGER } from '../support/addresses.js';
import { CATCH_ALL, U64_MAX } from '../support/amounts.js';
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
  slotBrackets,
  TOGGLES,
  tokenAccountOf,
  UNUSED,
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

  const BUDGETS: Readonly<Record<Operation, number>> = {
    add: 250_000,
    remove: 250_000,
    claimCreatorFees: 130_000,
    claimLpFees: 130_000,
    updateReceiver: 130_000,
    toggleSwap: 60_000,
    toggleDeposit: 60_000,
    toggleWithdraw: 60_000,
    setReflectionFee: 60_000,
    setLpFee: 60_000,
    setMarketCapCreatorFee: 60_000,
    setSlotCreatorFee: 60_000,
    transfer: 60_000,
  };
  test.each(NAMES)('%s: a compute budget by default, as given, or none', async (name) => {
    const budget = (units: number, microLamports: bigint) => [
      getSetComputeUnitLimitInstruction({ units }),
      getSetComputeUnitPriceInstruction({ microLamports }),
    ];
    const defaults = budget(BUDGETS[name], 20_000_000n);
    expect((await run(name)).computeBudget).toEqual(defaults);
    const absent = await run(name, { computeUnitLimit: null, computeUnitPrice: null });
    expect(absent.computeBudget).toEqual(defaults);
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

  test.each(NAMES)('%s: keeps a signer attached, and makes the same transaction', async (name) => {
    const signer = await generateKeyPairSigner();
    const { lifetime } = await run(name);
    const { info } = decoded();
    update({ info: { ...info, creator: signer.address }, creatorTradingFeeReceiver: signer.address });
    await setPosition({ user: signer.address, lpTokenBalance: 400_000_000_000n });
    const wallet = name === 'transfer' ? 'sender' : 'payer';
    const bySigner = await run(name, { [wallet]: signer, lifetime });
    const signers = bySigner.instructions.flatMap(({ accounts = [] }) =>
      accounts.flatMap((meta) => ('signer' in meta ? [meta.signer] : [])),
    );
    expect(new Set(signers)).toEqual(new Set([signer]));
    expect(bySigner.tx).toBe((await run(name, { [wallet]: signer.address, lifetime })).tx);
  });

  const decoded = () => {
    let state: LiquidityPoolState | undefined;
    ledger.updatePool(pro.pool, (current) => {
      state = current;
      return {};
    });
    return state!;
  };
});

describe('the instruction', () => {
  const toggled = (name: string) => ({ name, data: { enabled: false } });
  const fees = { brackets: [...brackets, UNUSED, UNUSED], count: 2 };
  const EXPECTED: Readonly<Record<Operation, { readonly name: string; readonly data: object }>> = {
    add: {
      name: 'add_liquidity_pro_pool',
      data: { params: { maxTokenA: 1_000_000_000n, maxTokenB: 1_000_000n, minLpTokens: 1_000_000n } },
    },
    remove: {
      name: 'remove_liquidity_pro_pool',
      data: { params: { lpTokensToBurn: 1_000_000n, minTokenA: 1_000_000_000n, minTokenB: 1_000_000n } },
    },
    claimCreatorFees: { name: 'claim_pro_creator_trading_fees', data: { amount: 0n } },
    claimLpFees: { name: 'claim_pro_liquidity_provider_trading_fees', data: {} },
    toggleSwap: toggled('creator_toggle_pro_swap'),
    toggleDeposit: toggled('creator_toggle_pro_deposit'),
    toggleWithdraw: toggled('creator_toggle_pro_withdraw'),
    setReflectionFee: { name: 'creator_set_pro_market_cap_reflection_fee', data: { fees } },
    setLpFee: { name: 'creator_set_pro_market_cap_lp_fee', data: { fees } },
    setMarketCapCreatorFee: { name: 'creator_set_pro_market_cap_creator_fee', data: { fees } },
    setSlotCreatorFee: {
      name: 'creator_set_pro_slot_creator_fee',
      data: {
        fees: {
          brackets: [
            ...slotBrackets,
            ...Array<object>(40).fill({ slotOffsetUpperbound: 0, buyFeeBps: 0, sellFeeBps: 0 }),
          ],
          maxSlotOffset: 15,
          maxFeeBps: 5_000,
          count: 2,
          enabled: 1,
        },
      },
    },
    updateReceiver: { name: 'update_pro_creator_trading_fee_receiver', data: {} },
    transfer: { name: 'transfer_lp_tokens', data: { amount: 1_000_000n } },
  };
  test.each(NAMES)('of %s carries the input', async (name) => {
    const { name: actual, data } = parsedOf(await run(name));
    expect({ name: actual, data }).toEqual(EXPECTED[name]);
  });

  test.each(['add', 'remove', 'claimCreatorFees', 'claimLpFees', 'updateReceiver'] as const)(
    'of %s names the accounts of pool and wallet',
    async (name) => {
      const { accounts } = parsedOf(await run(name));
      expect(accounts).toMatchObject({
        liquidityPoolState: pro.pool,
        protocolConfig: pro.protocolConfig,
        tokenAVault: pro.tokenAVault,
        tokenBVault: pro.tokenBVault,
        tokenAMint: pro.mint,
        tokenAProgram: TOKEN_PROGRAM_ADDRESS,
        user: pro.creator,
        userTokenAVault: await tokenAccountOf(pro.creator),
        userTokenBVault: await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS),
      });
      if (name === 'add' || name === 'remove' || name === 'claimLpFees') {
        expect(accounts.userLpPosition).toBe(await positionOf(pro.creator));
      }
      if (name === 'updateReceiver') expect(accounts.newReceiver).toBe(STRANGER);
    },
  );

  test.each([...TOGGLES, ...SETTERS])('of %s names pool and creator alone', async (name) => {
    expect(parsedOf(await run(name)).accounts).toEqual({
      liquidityPoolState: pro.pool,
      creator: pro.creator,
    });
  });

  test('of transfer names both positions', async () => {
    expect(parsedOf(await run('transfer')).accounts).toEqual({
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      liquidityPoolState: pro.pool,
      sender: pro.creator,
      payer: OTHER,
      receiver: STRANGER,
      senderLpPosition: await positionOf(pro.creator),
      receiverLpPosition: await positionOf(STRANGER),
    });
  });

  test.each(['remove', 'claimCreatorFees', 'claimLpFees', 'updateReceiver'] as const)(
    'of %s stands behind the creation of both token accounts',
    async (name) => {
      const built = await run(name);
      const created = built.instructions
        .filter(({ programAddress }) => programAddress === ASSOCIATED_TOKEN_PROGRAM_ADDRESS)
        .map((one) => parseCreateAssociatedTokenIdempotentInstruction(one as never).accounts.ata.address);
      expect(created.sort()).toEqual(
        [
          await tokenAccountOf(pro.creator),
          await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS),
        ].sort(),
      );
      const programs = programsIn(built);
      expect(programs.indexOf(HEAVEN_PROGRAM_ADDRESS)).toBeGreaterThan(
        programs.lastIndexOf(ASSOCIATED_TOKEN_PROGRAM_ADDRESS),
      );
    },
  );

  test.each(['add', 'remove', 'claimCreatorFees', 'claimLpFees'] as const)(
    'of %s is followed by the unwrapping, unless that is not wanted',
    async (name) => {
      expect(programsIn(await run(name)).slice(-2)).toEqual([HEAVEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS]);
      expect(programsIn(await run(name, { wrapSol: 'none' })).at(-1)).toBe(HEAVEN_PROGRAM_ADDRESS);
      const { accounts } = parsedOf(await run(name, { wrapSol: 'temporary' }));
      expect(accounts.userTokenBVault).not.toBe(await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS));
    },
  );

  test('of a disabled, empty slot schedule', async () => {
    const off = { brackets: [], maxSlotOffset: 0, maxFeeBps: 0, enabled: false };
    expect(parsedOf(await run('setSlotCreatorFee', off)).data).toMatchObject({
      fees: { count: 0, enabled: 0, maxSlotOffset: 0, maxFeeBps: 0 },
    });
  });
});

describe('an operation is rejected', () => {
  test.each([...TOGGLES, ...SETTERS, 'updateReceiver'] as const)(
    '%s by another than the creator',
    async (name) => {
      const { message } = await expectRefusal(run(name, { payer: OTHER }), 'not-authorized:creator', {
        found: pro.creator,
        asked: OTHER,
      });
      expect(message).toContain('Name the creator as payer');
    },
  );

  test('when its switch is off', async () => {
    allow({ depositLiquidity: 0 });
    const add = await expectRefusal(run('add'), 'operation-disabled:deposit', { pool: pro.pool });
    expect(add.message).toContain('Wait until the creator switches them on');
    await expect(run('remove')).resolves.toBeDefined();
    allow({ depositLiquidity: 1, removeLiquidity: 0 });
    const remove = await expectRefusal(run('remove'), 'operation-disabled:withdraw', { pool: pro.pool });
    expect(remove.message).toContain('Wait until the creator switches them on');
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

  test.each([{}, { blockhash: 7 }])('a lifetime of %j', async (lifetime) => {
    await expectRefusal(run('toggleSwap', { lifetime }), 'invalid-input', { field: 'lifetime.blockhash' });
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

  test('add of so little that it gives nothing', async () => {
    setLiquidity(1_000_003n, 2_000_007n, 1_000_000n);
    await expectRefusal(run('add', { maxTokenA: 1n }), 'output-is-zero');
    await expectRefusal(run('add', { maxTokenB: 0n }), 'zero-amount', { field: 'maxTokenB' });
  });
});

describe('bad input is named', () => {
  const AMOUNTS = [
    [undefined, 'invalid-amount'],
    [null, 'invalid-amount'],
    [5, 'invalid-amount'],
    ['5', 'invalid-amount'],
    [0.5, 'invalid-amount'],
    [Number.NaN, 'invalid-amount'],
    [-1n, 'invalid-amount'],
    [U64_MAX + 1n, 'amount-out-of-range'],
  ] as const;
  const WALLETS = [undefined, null, 'x', 7, {}].map((value) => [value, 'invalid-address'] as const);
  const AMOUNT_FIELDS = [
    ['add', 'maxTokenA'],
    ['add', 'maxTokenB'],
    ['add', 'minLpTokens'],
    ['remove', 'lpTokensToBurn'],
    ['remove', 'minTokenA'],
    ['remove', 'minTokenB'],
    ['claimCreatorFees', 'amount'],
    ['transfer', 'amount'],
  ] as const;
  const WALLET_FIELDS = [
    ...NAMES.map((name) => [name, 'payer'] as const),
    ['updateReceiver', 'newReceiver'],
    ['transfer', 'sender'],
    ['transfer', 'receiver'],
  ] as const;
  const OPTIONS = [
    ['computeUnitLimit', -1],
    ['computeUnitLimit', 2 ** 32],
    ['computeUnitPrice', '1'],
    ['computeUnitPrice', U64_MAX + 1n],
    ['before', 'x'],
    ['after', {}],
  ] as const;

  type Row = readonly [name: Operation, field: string, value: unknown, code: string];
  const KNOWN_BEFORE: readonly Row[] = [
    ...AMOUNT_FIELDS.flatMap(([name, field]) =>
      // A claim without an amount claims all.
      AMOUNTS.slice(name === 'claimCreatorFees' ? 2 : 0).map(
        ([value, code]) => [name, field, value, code] as const,
      ),
    ),
    ['add', 'maxTokenB', 0n, 'zero-amount'],
    ['remove', 'lpTokensToBurn', 0n, 'zero-amount'],
    ['transfer', 'amount', 0n, 'zero-amount'],
    ...WALLET_FIELDS.flatMap(([name, field]) =>
      WALLETS.map(([value, code]) => [name, field, value, code] as const),
    ),
    ...NAMES.flatMap((name) =>
      OPTIONS.map(([field, value]) => [name, field, value, 'invalid-input'] as const),
    ),
    ...TOGGLES.flatMap((name) =>
      [undefined, null, 0, 1, 'true'].map((value) => [name, 'enabled', value, 'invalid-input'] as const),
    ),
    ...(['add', 'remove', 'claimCreatorFees', 'claimLpFees'] as const).map(
      (name) => [name, 'wrapSol', 'x', 'invalid-input'] as const,
    ),
    ...NAMES.flatMap((name) =>
      ['x', undefined, null, 7].map((value) => [name, 'pool', value, 'invalid-address'] as const),
    ),
    ...(['add', 'remove', 'updateReceiver'] as const).flatMap((name) =>
      ['x', undefined, null, 7].map((value) => [name, 'mint', value, 'invalid-address'] as const),
    ),
    ...[
      ['add', 'configVersion'] as const,
      ['remove', 'configVersion'] as const,
      ['updateReceiver', 'version'] as const,
    ].flatMap(([name, field]) =>
      [undefined, null, '3', 1.5, -1, 65_536, Number.NaN].map(
        (value) => [name, field, value, 'invalid-input'] as const,
      ),
    ),
  ];
  test.each(KNOWN_BEFORE)('%s, before any call to the node: %s is %s', async (name, field, value, code) => {
    await expectRefusal(run(name, { [field]: value }), code, { field });
    expect(ledger.requests).toEqual([]);
  });
});

describe('warnings', () => {
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

  test.each(['claimCreatorFees', 'updateReceiver', ...SETTERS] as const)('%s: none', async (name) => {
    expect(codesOf(await run(name))).toEqual([]);
  });
});
