import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getMintDecoder, getSyncNativeInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  assertTransactionMatches,
  type BuiltTransaction,
  buildClaimCreatorTradingFees,
  buildCreateStandardLiquidityPool,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProSell,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetSlotCreatorFee,
  buildProToggleSwap,
  buildProTransferLp,
  buildProUpdateCreatorFeeReceiver,
  explainTransactionFailure,
  getLpBalance,
  getPoolInfo,
  getPoolState,
  inspectTransaction,
  parseLogs,
  quoteInitialBuy,
  quoteProBuy,
  quoteProSell,
} from '../../src/index.js';
import {
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  getCreatorToggleProSwapInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { findMetadataAddress } from '../../src/solana/token-metadata.js';
import {
  createFeeBrackets,
  createSamplePoolFields,
  encodeMint,
  type SamplePool,
} from '../../src/testing/index.js';

import { putTogether, tableOf, takeApart } from '../review/support.js';
import { CATCH_ALL, SOL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { allInstructionsOf } from '../support/transactions.js';

// The embedded ledger's model of the exchange, beyond swaps, deposits and withdrawals (those are in check/simulate.test.ts).

const always = (bps: number) => [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: bps, sellFeeBps: bps }];

let stranger: Address;

useLedger();
beforeEach(async () => {
  stranger = (await generateKeyPairSigner()).address;
  ledger.setBalance(stranger, 100n * SOL);
});

const lamportsOf = (address: Address) => ledger.getAccount(address)?.lamports ?? 0n;

async function succeeds({ tx }: BuiltTransaction): Promise<readonly string[]> {
  const { err, logs } = await ledger.execute(tx);
  expect({ err, logs: err === null ? [] : logs }).toEqual({ err: null, logs: [] });
  return logs;
}

/** The code with which a transaction fails, which was possible when it was built. */
async function codeOf(built: BuiltTransaction): Promise<number | undefined> {
  const exchange = client.deployment.programAddress;
  const before = allInstructionsOf(built).findIndex(({ programAddress }) => programAddress === exchange);
  const { err } = await ledger.execute(built.tx);
  const [index, reason] = (
    err as { readonly InstructionError: readonly [number, { readonly Custom: number }] }
  ).InstructionError;
  expect(index).toBe(before);
  return reason.Custom;
}

describe('what a creator sets', () => {
  const common = () => ({ pool: ledger.pools.pro.pool, payer: ledger.pools.pro.creator });
  const settings = {
    toggle: () => buildProToggleSwap(client, { ...common(), enabled: false }),
    'LP fee': () => buildProSetLpFee(client, { ...common(), brackets: always(33) }),
    'creator fee': () => buildProSetMarketCapCreatorFee(client, { ...common(), brackets: always(33) }),
    'slot fee': () =>
      buildProSetSlotCreatorFee(client, {
        ...common(),
        brackets: [{ slotOffsetUpperbound: 9, buyFeeBps: 70, sellFeeBps: 80 }],
        maxSlotOffset: 9,
        maxFeeBps: 80,
        enabled: true,
      }),
  } as const;
  const build = (name: keyof typeof settings) => settings[name]();

  test('is stored in the pool, and nothing else changes', async () => {
    const { pool } = ledger.pools.pro;
    const before = await getPoolState(client, { pool });
    for (const name of Object.keys(settings)) await succeeds(await build(name as keyof typeof settings));
    const after = await getPoolState(client, { pool });
    const stored = { brackets: expect.arrayContaining(always(33)), count: 1 };
    expect(after).toEqual({
      ...before,
      allowlist: { ...before.allowlist, swap: 0 },
      marketCapBasedFees: {
        ...before.marketCapBasedFees,
        liquidityProviderTradingFee: stored,
        creatorTradingFee: stored,
      },
      slotOffsetBasedFees: {
        ...before.slotOffsetBasedFees,
        creatorTradingFee: {
          brackets: expect.arrayContaining([{ slotOffsetUpperbound: 9, buyFeeBps: 70, sellFeeBps: 80 }]),
          maxSlotOffset: 9,
          maxFeeBps: 80,
          count: 1,
          enabled: 1,
        },
      },
    });
  });

  test.each(Object.keys(settings) as (keyof typeof settings)[])(
    '%s: rejected if the pool is not at its address',
    async (name) => {
      const built = await build(name);
      const { pool } = ledger.pools.pro;
      ledger.updatePool(pool, ({ info }) => ({ info: { ...info, creator: stranger } }));
      // The address depends on the creator.
      expect(await codeOf(built)).toBe(2006);
    },
  );

  test('rejected from anybody else', async () => {
    const liquidityPoolState = ledger.pools.pro.pool;
    // Before an instruction that would do: the first of the exchange is what fails.
    const fails = async (instruction: Instruction) =>
      await codeOf(await buildProToggleSwap(client, { ...common(), enabled: true, before: [instruction] }));
    const byStranger = { liquidityPoolState, creator: stranger, enabled: false };
    expect(await fails(getCreatorToggleProSwapInstruction(byStranger))).toBe(6004);
  });

  test('rejected while the creator fee is fixed', async () => {
    const { pool } = ledger.pools.pro;
    const builts = [await build('creator fee'), await build('slot fee')];
    ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, updateCreatorTradingFee: 0 } }));
    for (const built of builts) expect(await codeOf(built)).toBe(6039);
  });

  test('takes few compute units: it has a limit of 60000', async () => {
    const { unitsConsumed } = await ledger.execute((await build('toggle')).tx);
    expect(unitsConsumed).toBe(15_300n);
  });
});

describe('claims of creator fees', () => {
  test('of a pro pool pay what they say, and count what was claimed', async () => {
    const { pool, creator, tokenBVault } = ledger.pools.pro;
    const before = lamportsOf(creator);
    const vault = lamportsOf(tokenBVault);
    await succeeds(await buildProClaimCreatorFees(client, { pool, payer: creator, amount: 400_000_000n }));
    // 130000 units at 20000000 micro-lamports, and a signature.
    expect(lamportsOf(creator)).toBe(before + 400_000_000n - 2_605_000n);
    expect(lamportsOf(tokenBVault)).toBe(vault - 400_000_000n);
    const state = await getPoolState(client, { pool });
    expect(state.creatorTradingFees).toBe(1_100_000_000n);
    expect(state.creatorTradingFeesClaimedByCreator).toBe(400_000_000n);
    await succeeds(await buildProClaimCreatorFees(client, { pool, payer: creator, amount: 0n }));
    expect((await getPoolState(client, { pool })).creatorTradingFees).toBe(0n);
  });

  test('of a standard pool by a receiver who is not its creator', async () => {
    const { pool, mint, configVersion: version } = ledger.pools.creator;
    ledger.updatePool(pool, () => ({ creatorTradingFeeReceiver: stranger }));
    await succeeds(
      await buildClaimCreatorTradingFees(client, { mint, version, payer: stranger, amount: SOL }),
    );
    const state = await getPoolState(client, { pool });
    expect(state.creatorTradingFeesClaimedByOthers).toBe(SOL);
    expect(state.creatorTradingFeesClaimedByCreator).toBe(13_688_215_097_851n);
    expect((await getPoolInfo(client, { mint })).currentCreatorFeeRecipient).toBe(stranger);
  });

  test.each([
    [6004, () => ({ creatorTradingFeeReceiver: stranger })],
    [6040, () => ({ creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Blocked })],
    [6040, () => ({ creatorTradingFeeTradingVolumeThreshold: 1e12 })],
    [6012, () => ({ creatorTradingFees: 399_999_999n })],
    [2003, () => ({ info: { type: 2 } })],
  ] as const)('fail with %i where the pool has changed', async (code, change) => {
    const { pool, creator } = ledger.pools.pro;
    const built = await buildProClaimCreatorFees(client, { pool, payer: creator, amount: 400_000_000n });
    ledger.updatePool(pool, ({ info }) => {
      const changed = change();
      return 'info' in changed ? { info: { ...info, ...changed.info } } : changed;
    });
    // A standard pool stands elsewhere.
    expect(await codeOf(built)).toBe(code === 2003 ? 2006 : code);
  });

  test('fail with ZeroAmount where nothing is left', async () => {
    const { pool, creator } = ledger.pools.pro;
    const built = await buildProClaimCreatorFees(client, { pool, payer: creator, amount: 0n });
    ledger.updatePool(pool, () => ({ creatorTradingFees: 0n }));
    expect(await codeOf(built)).toBe(6032);
  });
});

describe('LP tokens and their fees', () => {
  test('a transfer settles the fees of both sides, and the payer pays for the new position', async () => {
    const { pool, creator } = ledger.pools.pro;
    ledger.updatePool(pool, ({ reserve }) => ({
      reserve: { ...reserve, accumulatedFeePerLpToken: 5_000_000n },
    }));
    const amount = 100_000_000_000n;
    const built = await buildProTransferLp(client, {
      pool,
      payer: stranger,
      sender: creator,
      receiver: stranger,
      amount,
    });
    const before = lamportsOf(stranger);
    await succeeds(built);
    // 60000 units at 20000000 micro-lamports, two signatures, and the rent of 97 bytes.
    expect(lamportsOf(stranger)).toBe(before - 1_210_000n - (97n + 128n) * 5_080n);
    const [from, to] = await Promise.all(
      [creator, stranger].map((user) => getLpBalance(client, { pool, user })),
    );
    // 400 LP tokens at 0.005 lamports per unit, and what was stored.
    const earned = (400_000_000_000n * 5_000_000n) / SOL + 1_234_567n;
    expect(from).toMatchObject({ lpTokenBalance: 300_000_000_000n, pendingFees: earned });
    expect(from?.details.storedPendingFees).toBe(earned);
    expect(to).toMatchObject({ lpTokenBalance: amount, pendingFees: 0n, rewardDebt: 500_000_000n });
    expect(to?.details.storedPendingFees).toBe(0n);
  });

  test('a transfer of more than there is fails', async () => {
    const { pool, creator } = ledger.pools.pro;
    const terms = { pool, payer: creator, sender: creator, receiver: stranger };
    const all = await buildProTransferLp(client, { ...terms, amount: 400_000_000_000n });
    const one = await buildProTransferLp(client, { ...terms, amount: 1n });
    await succeeds(all);
    expect(await codeOf(one)).toBe(6012);
    ledger.setAccount(await findLpPositionAddress({ pool, user: creator }), undefined);
    expect(await codeOf(one)).toBe(3012);
  });

  test('a claim pays what is pending, once', async () => {
    const { pool, creator } = ledger.pools.pro;
    const built = await buildProClaimLpFees(client, { pool, payer: creator });
    const before = lamportsOf(creator);
    await succeeds(built);
    expect(lamportsOf(creator)).toBe(before + 1_234_567n - 2_605_000n);
    expect((await getPoolState(client, { pool })).liquidityProviderTradingFees).toBe(0n);
    expect(await codeOf(built)).toBe(6032);
  });
});

describe("a pool's receiver", () => {
  const inputOf = (newReceiver: Address) => {
    const { pool, mint, configVersion: version, creator: payer } = ledger.pools.pro;
    return { pool, mint, version, payer, newReceiver };
  };
  const build = (newReceiver: Address, change: object = {}) =>
    buildProUpdateCreatorFeeReceiver(client, { ...inputOf(newReceiver), ...change });
  /** The creator's token account and wrapped SOL account. */
  const accountsOf = async (tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) => {
    const { mint, creator: owner } = ledger.pools.pro;
    return await Promise.all([
      findAssociatedTokenAddress({ owner, mint, tokenProgram }),
      findAssociatedTokenAddress({ owner, mint: WRAPPED_SOL_MINT_ADDRESS }),
    ]);
  };
  /** 130000 units at 20000000 micro-lamports, and two signatures. */
  const NETWORK_FEE = 2_610_000n;

  test.each([
    ['Token', TOKEN_PROGRAM_ADDRESS],
    ['Token-2022', TOKEN_2022_PROGRAM_ADDRESS],
  ])('costs no rent: the accounts that the update makes are closed (%s)', async (_, tokenProgram) => {
    const { pool, mint, creator } = ledger.pools.pro;
    ledger.setMint(mint, tokenProgram, { decimals: 9, supply: 1_000_000n });
    ledger.updatePool(pool, ({ tokenA }) => ({ tokenA: { ...tokenA, owner: tokenProgram } }));
    const accounts = await accountsOf(tokenProgram);
    for (const account of accounts) ledger.setAccount(account, undefined);
    const before = lamportsOf(creator);
    const built = await build(stranger);
    await succeeds(built);
    expect(lamportsOf(creator)).toBe(before - NETWORK_FEE);
    expect(accounts.map((account) => ledger.getAccount(account))).toEqual([undefined, undefined]);
    const inspection = await inspectTransaction(built.tx, { client, owner: creator });
    // The new receiver, and nothing about the accounts.
    expect(inspection.warnings.map(({ code }) => code)).toEqual(['authority-change']);
  });

  test('leaves accounts that were there as they are', async () => {
    const { mint, creator: owner } = ledger.pools.pro;
    const [token, wrapped] = await accountsOf();
    // Empty ones, too: they are the creator's to close.
    ledger.setTokenAccount(token, TOKEN_PROGRAM_ADDRESS, { mint, owner, amount: 0n });
    ledger.setTokenAccount(wrapped, TOKEN_PROGRAM_ADDRESS, {
      mint: WRAPPED_SOL_MINT_ADDRESS,
      owner,
      amount: 5n,
    });
    const before = [token, wrapped].map((account) => ledger.getAccount(account));
    const built = await build(stranger);
    await succeeds(built);
    expect([token, wrapped].map((account) => ledger.getAccount(account))).toEqual(before);
  });

  test('leaves an account open that instructions of the caller’s use', async () => {
    const [token, wrapped] = await accountsOf();
    for (const account of [token, wrapped]) ledger.setAccount(account, undefined);
    const syncWrapped = getSyncNativeInstruction({ account: wrapped });
    const built = await build(stranger, { after: [syncWrapped] });
    await succeeds(built);
    expect(ledger.getAccount(token)).toBeUndefined();
    expect(ledger.getAccount(wrapped)).toBeDefined();
  });

  test('reads the accounts along with the pool, and matches what was asked for', async () => {
    for (const account of await accountsOf()) ledger.setAccount(account, undefined);
    const read = ledger.requests.length;
    const { tx } = await build(stranger);
    expect(
      ledger.requests
        .slice(read)
        .map(({ method }) => method)
        .sort(),
    ).toEqual(['getLatestBlockhash', 'getMultipleAccounts']);
    const intent = { function: 'buildProUpdateCreatorFeeReceiver', input: inputOf(stranger) } as const;
    expect(await assertTransactionMatches(tx, intent, { client })).toEqual({ warnings: [] });
  });

  test('is who the creator names', async () => {
    await succeeds(await build(stranger));
    const { pool } = ledger.pools.pro;
    expect((await getPoolState(client, { pool })).creatorTradingFeeReceiver).toBe(stranger);
  });

  test('stays while the claim status does not allow it', async () => {
    const built = await build(stranger);
    ledger.updatePool(ledger.pools.pro.pool, () => ({
      creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Submitted,
    }));
    expect(await codeOf(built)).toBe(6040);
  });
});

describe('the creation of a pro pool', () => {
  // Of LIGHT, of which its creator holds some.
  const build = (change: object = {}) => {
    const { mint, creator } = ledger.pools.creator;
    return buildProCreate(client, {
      payer: creator,
      creator,
      encodedUserDefinedEventData: 'here',
      configVersion: 3,
      mint,
      initialTokenAAmount: 4_000_000_000_000n,
      initialTokenBAmount: 9n * SOL,
      lutAddress: ledger.lookupTables.community,
      creatorTradingFee: always(120),
      ...change,
    });
  };

  test('charges none of the config’s fees that it did not set', async () => {
    const config = ledger.pools.pro.protocolConfig;
    const fees = createFeeBrackets([CATCH_ALL, 250]);
    ledger.updateConfig(config, ({ marketCapBasedFees }) => ({
      marketCapBasedFees: {
        ...marketCapBasedFees,
        creatorTradingFee: fees,
        reflectionTradingFee: fees,
        liquidityProviderTradingFee: fees,
      },
    }));
    const built = await build({ creatorTradingFee: undefined });
    await succeeds(built);
    const { mint } = ledger.pools.creator;
    const quote = await quoteProBuy(client, {
      pool: built.pool,
      mint,
      configVersion: 3,
      maxSolSpend: '0.1',
      slippageBps: 0,
    });
    expect(quote.details.feeRates).toEqual({
      protocol: 30n,
      liquidityProvider: 0n,
      creator: 0n,
      creatorProtocol: 0n,
      reflection: 0n,
    });
  });

  test('creates the requested pool', async () => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const { pools } = ledger;
    const built = await build({ features: { enableWithdrawLiquidity: false } });
    const logs = await succeeds(built);
    // isqrt(4e12 * 9e9)
    expect(built.lpTokens).toBe(189_736_659_610n);
    const state = await getPoolState(client, { pool: built.pool });
    expect(state).toMatchObject({
      info: {
        creator: pools.creator.creator,
        protocolConfigVersion: 3,
        type: 1,
        openAt: ledger.unixTimestamp,
      },
      reserve: {
        tokenA: 4_000_000_000_000n,
        tokenB: 9n * SOL,
        initialA: 4_000_000_000_000n,
        initialB: 9n * SOL,
      },
      lpToken: { supply: { initial: built.lpTokens, total: built.lpTokens, unlocked: built.lpTokens } },
      allowlist: {
        swap: 1,
        depositLiquidity: 1,
        removeLiquidity: 0,
        sameSlotTrading: 0,
        updateCreatorTradingFee: 1,
      },
      createdAtSlot: ledger.slot,
      key: built.pool,
      tokenA: { mint, decimals: 9, owner: tokenProgram },
      feeConfigurationMode: 1,
    });
    expect(state.marketCapBasedFees.creatorTradingFee).toMatchObject({ count: 1 });
    expect(state.marketCapBasedFees.liquidityProviderTradingFee).toMatchObject({
      count: 1,
      brackets: [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 0, sellFeeBps: 0 }, {}, {}, {}],
    });
    const position = await getLpBalance(client, { pool: built.pool, user: pools.creator.creator });
    expect(position).toMatchObject({ exists: true, lpTokenBalance: built.lpTokens });
    const { events } = parseLogs(logs);
    expect(events).toMatchObject([
      {
        name: 'UserDefinedEvent',
        data: { base64Data: 'here', instructionName: 'create_pro_liquidity_pool' },
      },
      {
        name: 'CreateLiquidityPoolEvent',
        data: { lpTokenOutputAmount: built.lpTokens, quoteTokenInputAmount: 9n * SOL },
      },
    ]);
    await expectRefusal(build(), 'pool-exists');
    expect(await codeOf(built)).toBe(0);
  });

  test.each([
    [6006, { allowCreatePool: 0 }],
    [6048, { supportedPoolType: 2 }],
  ])('fails with %i where the config has changed', async (code, change) => {
    const built = await build();
    ledger.updateConfig(ledger.pools.pro.protocolConfig, () => change);
    expect(await codeOf(built)).toBe(code);
  });

  test('says that its fee is not modeled', async () => {
    const built = await build();
    ledger.updateConfig(ledger.pools.pro.protocolConfig, () => ({ createPoolFee: 1n }));
    const { err, logs } = await ledger.execute(built.tx);
    expect(err).toEqual({ InstructionError: [2, 'UnsupportedProgramId'] });
    expect(logs.join()).toContain('does not run a fee for creating pools');
  });

  test('of a token with a transfer fee holds what arrives', async () => {
    const { mint, tokenProgram } = ledger.pools.creator;
    const fee = { epoch: 0n, basisPoints: 150, maximum: 0xffff_ffff_ffff_ffffn };
    ledger.setMint(mint, tokenProgram, {
      decimals: 9,
      supply: 925_699_119_637_156_028n,
      transferFee: { older: fee, newer: fee },
    });
    const built = await build();
    await succeeds(built);
    const { reserve } = await getPoolState(client, { pool: built.pool });
    expect(reserve.tokenA).toBe(3_940_000_000_000n);
  });
});

describe('a launch', () => {
  let mintSigner: KeyPairSigner;
  beforeEach(async () => {
    mintSigner = await generateKeyPairSigner();
  });
  const build = async (change: object = {}) =>
    await buildCreateStandardLiquidityPool(client, {
      payer: stranger,
      creator: stranger,
      name: 'A token',
      symbol: 'TOKEN',
      uri: 'https://example.com/token.json',
      initialPurchaseAmount: 50_000_000_000_000_000n,
      lutAddress: ledger.lookupTables.community,
      encodedUserDefinedEventData: '',
      mintSigner,
      ...change,
    });

  test('makes the mint, its metadata, the pool, and buys exactly what was asked for', async () => {
    const { details, tokenAmount } = await quoteInitialBuy(client, {
      configVersion: 1,
      initialPurchasePercent: 5,
    });
    const built = await build({ initialPurchaseAmount: tokenAmount });
    const before = lamportsOf(stranger);
    const logs = await succeeds(built);
    const account = ledger.getAccount(built.mint);
    expect(account?.owner).toBe(TOKEN_2022_PROGRAM_ADDRESS);
    const mint = getMintDecoder().decode((account?.data ?? new Uint8Array()).subarray(0, 82));
    expect(mint).toMatchObject({
      supply: 1_000_000_000_000_000_000n,
      decimals: 9,
      mintAuthority: { __option: 'None' },
      freezeAuthority: { __option: 'None' },
    });
    const metadata = ledger.getAccount(await findMetadataAddress(built.mint));
    expect(metadata?.owner).toBe(TOKEN_METADATA_PROGRAM_ADDRESS);
    expect(metadata?.data).toHaveLength(607);
    const text = new TextDecoder().decode(metadata?.data);
    for (const part of ['A token', 'TOKEN', 'https://example.com/token.json']) expect(text).toContain(part);

    const { reserve, ...state } = await getPoolState(client, { pool: built.pool });
    expect(reserve.tokenA).toBe(1_000_000_000_000_000_000n - tokenAmount);
    expect(reserve.tokenB).toBe(35n * SOL + details.leastLamports);
    expect(reserve.initialB).toBe(35n * SOL);
    expect(state.creatorTradingFees).toBe(0n);
    const token = await findAssociatedTokenAddress({
      owner: stranger,
      mint: built.mint,
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    });
    const held = ledger.getAccount(token)?.data ?? new Uint8Array(72);
    expect(new DataView(held.buffer, held.byteOffset).getBigUint64(64, true)).toBe(tokenAmount);
    const rents = [270n, 607n, 170n, 170n, 2304n].reduce(
      (sum, size) => sum + (size + 128n) * 5_080n,
      10_000_000n,
    );
    expect(lamportsOf(stranger)).toBe(before - details.leastLamports - rents - 8_010_000n);
    const { events } = parseLogs(logs);
    expect(events).toMatchObject([
      {
        name: 'CreateStandardLiquidityPoolEvent',
        data: { mint: built.mint, initialVirtualWsolReserve: 35n * SOL },
      },
      { name: 'TradeEvent', data: { baseOut: tokenAmount, quoteIn: details.leastLamports } },
    ]);
    // The mint is there now.
    await expectRefusal(build(), 'invalid-input');
  });

  test.each([
    [78_947_368_421_052_631n, 3_000_000_000n],
    [15_000_000_000_000_000n, 532_994_924n],
  ])('of %d units takes the %d lamports of the recorded launch, and not one less', async (amount, paid) => {
    const built = await build({ initialPurchaseAmount: amount });
    const before = lamportsOf(stranger);
    const logs = await succeeds(built);
    const transfers = logs.filter((line) => line === `Program ${SYSTEM_PROGRAM_ADDRESS} invoke [2]`);
    expect(transfers).toHaveLength(1);
    const rents = (270n + 607n + 170n + 170n + 2304n + 5n * 128n) * 5_080n + 10_000_000n;
    expect(before - lamportsOf(stranger) - rents - 8_010_000n).toBe(paid);
    const { reserve } = await getPoolState(client, { pool: built.pool });
    expect(reserve).toMatchObject({ tokenA: 10n ** 18n - amount, tokenB: 35n * SOL + paid });
  });

  describe('whose mint somebody creates first', () => {
    /** A Token-2022 mint whose permanent delegate may move everybody's tokens; mint and freeze authority as a launch needs. */
    const takeOver = (mint: Address, authority: Address) => {
      const data = new Uint8Array(166 + 4 + 32);
      data.set(encodeMint({ decimals: 9, supply: 0n, mintAuthority: authority, freezeAuthority: authority }));
      data.set([1, 12, 0, 32, 0], 165); // account type mint; extension 12, permanent delegate, 32 bytes
      data.fill(7, 170);
      ledger.setAccount(mint, { owner: TOKEN_2022_PROGRAM_ADDRESS, data });
    };
    /** The launch as it was before it proved its mint to be new. */
    const withoutProof = async ({ tx }: BuiltTransaction) => {
      const draft = takeApart(tx, tableOf(ledger, ledger.lookupTables.community));
      draft.instructions = draft.instructions.filter(
        ({ programAddress, data }) => programAddress !== SYSTEM_PROGRAM_ADDRESS || data[0] !== 8,
      );
      return await putTogether(draft);
    };

    test('fails, as its address is in use', async () => {
      const built = await build();
      takeOver(built.mint, stranger);
      const { err, logs } = await ledger.execute(built.tx);
      expect(err).toEqual({ InstructionError: [2, { Custom: 0 }] });
      expect(logs.join()).toContain(`Allocate: account ${built.mint} already in use`);
    });

    test('would land without the proof, with the delegate in it', async () => {
      const built = await build();
      takeOver(built.mint, stranger);
      expect(await ledger.execute((await withoutProof(built)) as typeof built.tx)).toMatchObject({
        err: null,
      });
      expect(ledger.getAccount(built.mint)?.data.slice(166)).toEqual(
        Uint8Array.of(12, 0, 32, 0, ...new Uint8Array(32).fill(7)),
      );
    });

    test("is rejected by the metadata program if the mint is somebody else's", async () => {
      const built = await build();
      takeOver(built.mint, ledger.pools.pro.creator);
      const { err } = await ledger.execute((await withoutProof(built)) as typeof built.tx);
      expect(err).toEqual({ InstructionError: [2, { Custom: 10 }] });
    });

    test('succeeds if the address only holds SOL', async () => {
      const built = await build();
      ledger.setBalance(built.mint, 1n);
      await succeeds(built);
    });
  });

  test('without a purchase has all the tokens in the pool', async () => {
    const built = await build({ initialPurchaseAmount: 0n });
    expect(parseLogs(await succeeds(built)).events).toHaveLength(1);
    const { reserve } = await getPoolState(client, { pool: built.pool });
    expect(reserve).toMatchObject({ tokenA: 1_000_000_000_000_000_000n, tokenB: 35n * SOL });
  });

  test.each([
    [6006, () => ledger.updateConfig(ledger.pools.community.protocolConfig, () => ({ allowCreatePool: 0 }))],
    [
      6045,
      () => ledger.updateConfig(ledger.pools.community.protocolConfig, () => ({ initialTokenAAmount: 1n })),
    ],
    // The virtual SOL is more: so is what the purchase costs.
    [
      6013,
      () => ledger.updateConfig(ledger.pools.community.protocolConfig, () => ({ initialTokenBAmount: 40 })),
    ],
  ] as const)('fails with %i where the config has changed', async (code, change) => {
    const built = await build();
    change();
    expect(await codeOf(built)).toBe(code);
    expect(ledger.getAccount(built.mint)).toBeUndefined();
  });

  test('fails if the mint exists already', async () => {
    const built = await build();
    ledger.setAccount(built.mint, {
      owner: TOKEN_2022_PROGRAM_ADDRESS,
      data: encodeMint({ decimals: 9, supply: 0n, mintAuthority: stranger }),
    });
    const { err, logs } = await ledger.execute(built.tx);
    expect(err).toEqual({ InstructionError: [2, { Custom: 0 }] });
    expect(logs.join()).toContain('already in use');
  });
});

describe('a buy and a sell in one slot', () => {
  const encodedUserDefinedEventData = '';
  const termsOf = ({ mint, configVersion, pool }: SamplePool) => ({
    mint,
    configVersion,
    pool,
    slippageBps: 500,
  });

  /** Gives a wallet tokens of a pool to sell. */
  async function fund(owner: Address, { mint, tokenProgram }: SamplePool): Promise<void> {
    ledger.setBalance(owner, 100n * SOL);
    const account = await findAssociatedTokenAddress({ owner, mint, tokenProgram });
    ledger.setTokenAccount(account, tokenProgram, { mint, owner, amount: 10n ** 13n });
  }
  const toBuy = async (payer: Address, pool: SamplePool = ledger.pools.pro) =>
    await buildProBuy(client, {
      payer,
      quoteResponse: await quoteProBuy(client, { ...termsOf(pool), maxSolSpend: 1 }),
      pool: pool.pool,
      encodedUserDefinedEventData,
    });
  const toSell = async (payer: Address, pool: SamplePool = ledger.pools.pro) =>
    await buildProSell(client, {
      payer,
      quoteResponse: await quoteProSell(client, { ...termsOf(pool), amountInUi: 100 }),
      pool: pool.pool,
      encodedUserDefinedEventData,
    });
  const anotherPool = async (): Promise<SamplePool> => {
    const { pro } = await createSamplePoolFields();
    return await ledger.addPool({ ...pro, creator: ledger.pools.creator.creator });
  };
  beforeEach(() => fund(stranger, ledger.pools.pro));

  test.each([
    ['a sell after a buy', toBuy, toSell],
    ['a buy after a sell', toSell, toBuy],
  ])('%s fails, as the simulation says, and succeeds in the next slot', async (_, first, second) => {
    await succeeds(await first(stranger));
    const built = await second(stranger);
    const { value } = await ledger.rpc
      .simulateTransaction(built.tx, { encoding: 'base64', replaceRecentBlockhash: true })
      .send();
    expect(explainTransactionFailure(value)?.code).toBe(6053);

    const failure = explainTransactionFailure(await ledger.execute(built.tx));
    expect(failure?.programError?.name).toBe('OnlySingleSwapAllowed');
    expect(failure?.message).toContain('without same-slot trading, wait for the next slot');

    ledger.setSlot(ledger.slot + 1n);
    await succeeds(built);
  });

  test('succeeds where the pool allows it', async () => {
    ledger.updatePool(ledger.pools.pro.pool, ({ allowlist }) => ({
      allowlist: { ...allowlist, sameSlotTrading: 1 },
    }));
    await succeeds(await toBuy(stranger));
    await succeeds(await toSell(stranger));
  });

  test('leaves two buys, other wallets and other pools alone', async () => {
    await succeeds(await toBuy(stranger));
    const [again, wallet, other] = [
      await toBuy(stranger),
      (await generateKeyPairSigner()).address,
      await anotherPool(),
    ];
    await succeeds(again);
    await fund(wallet, ledger.pools.pro);
    await succeeds(await toSell(wallet));
    await succeeds(await toSell(stranger, other));
    expect(await codeOf(await toSell(stranger))).toBe(6053);
  });

  test('is forgotten in the next slot, also when others trade then', async () => {
    await succeeds(await toBuy(stranger));
    ledger.setSlot(ledger.slot + 1n);
    const { address } = await generateKeyPairSigner();
    await fund(address, ledger.pools.pro);
    await succeeds(await toBuy(address));
    await succeeds(await toSell(stranger));
  });

  test('does not count what was only simulated, or failed', async () => {
    const buy = await toBuy(stranger);
    await ledger.rpc.simulateTransaction(buy.tx, { encoding: 'base64', replaceRecentBlockhash: true }).send();
    const { reserve } = await getPoolState(client, { pool: ledger.pools.pro.pool });
    ledger.setReserves(ledger.pools.pro.pool, { tokenB: reserve.tokenB * 2n });
    expect(await codeOf(buy)).toBe(6013);
    ledger.setReserves(ledger.pools.pro.pool, { tokenB: reserve.tokenB });
    await succeeds(await toSell(stranger));
  });
});
