import {
  type Address,
  generateKeyPairSigner,
  getBase64Encoder,
  type KeyPairSigner,
  lamports,
  signTransaction,
} from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  buildProSell,
  buildProSetLpFee,
  buildProSetMarketCapCreatorFee,
  buildProSetReflectionFee,
  buildProSetSlotCreatorFee,
  buildProToggleDeposit,
  buildProToggleSwap,
  buildProToggleWithdraw,
  buildProTransferLp,
  buildProUpdateCreatorFeeReceiver,
  getLpBalance,
  getPoolState,
  quoteProAddLiquidity,
  quoteProBuy,
  quoteProRemoveLiquidity,
  quoteProSell,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CHAINLINK_STORE_PROGRAM_ADDRESS,
  type CreateProLiquidityPoolParams,
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  type FeeBracket,
  type FeeBracketsParams,
  FeeConfigurationMode,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  findProPoolAddress,
  findProtocolConfigAddress,
  HEAVEN_PROGRAM_ADDRESS,
  type HeavenInstruction,
  type LiquidityPoolAllowlist,
  parseHeavenInstruction,
  type SlotFeeBracket,
  SOL_USD_FEED_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import { createFeeBrackets, createSlotFeeBrackets, encodeLookupTable } from '../../src/testing/index.js';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  INSTRUCTIONS_SYSVAR_ADDRESS,
  LOOKUP_TABLE_PROGRAM_ADDRESS,
} from '../support/addresses.js';
import { CATCH_ALL } from '../support/amounts.js';
import { expectRefusal } from '../support/errors.js';
import { decodedOf, messageOf } from '../support/transactions.js';
import { ownWarnings } from '../support/warnings.js';
import { createWorld, programsOf, type World } from './harness.js';

const ATA = ASSOCIATED_TOKEN_PROGRAM_ADDRESS;
const TOKEN = TOKEN_PROGRAM_ADDRESS;

const SUPPLY = 1_000_000_000_000_000n;
const INITIAL_A = 400_000_000_000_000n;
const INITIAL_B = 100_000_000_000n;
/** isqrt(INITIAL_A * INITIAL_B) */
const INITIAL_LP = 6_324_555_320_336n;

/** Up to $10k, $50k, $100k and beyond. A pool of 100 SOL and 40 % of the tokens is worth $20k: the second applies. */
const BOUNDS = [10_000_000_000n, 50_000_000_000n, 100_000_000_000n, CATCH_ALL];
const brackets = (...buyFees: readonly number[]): FeeBracket[] =>
  buyFees.map((buyFeeBps, index) => ({
    marketCapUpperBound: BOUNDS[index + BOUNDS.length - buyFees.length]!,
    buyFeeBps,
    sellFeeBps: buyFeeBps + 5,
  }));
const slotBracket = (slotOffsetUpperbound: number, buyFeeBps: number): SlotFeeBracket => ({
  slotOffsetUpperbound,
  buyFeeBps,
  sellFeeBps: buyFeeBps + 5,
});

const CREATION = {
  encodedUserDefinedEventData: 'bGF1bmNo',
  initialTokenAAmount: INITIAL_A,
  initialTokenBAmount: INITIAL_B,
  creatorTradingFee: brackets(400, 300, 200, 100),
  reflectionTradingFee: brackets(40, 30, 20, 10),
  liquidityProviderTradingFee: brackets(80, 60, 40, 20),
  creatorSlotTradingFee: {
    brackets: [slotBracket(5, 2_000), slotBracket(15, 1_000)],
    maxSlotOffset: 15,
    maxFeeBps: 2_005,
    enabled: true,
  },
  features: {
    enableSwap: true,
    enableDepositLiquidity: true,
    enableWithdrawLiquidity: true,
    enableUpdateCreatorTradingFee: true,
    enableSameSlotTrading: true,
    enableSandwichResistantMode: true,
  },
} as const;

const ceilDiv = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor;
/** What is left after a fee of each of these rates, each rounded down by itself. */
const less = (amount: bigint, ...bps: readonly bigint[]) =>
  bps.reduce((left, rate) => left - (amount * rate) / 10_000n, amount);
const lessSlippage = (amount: bigint) => (amount * 9_900n) / 10_000n;

let world: World;
let creator: KeyPairSigner;
let bank: KeyPairSigner;
let provider: KeyPairSigner;
let receiver: KeyPairSigner;
let mint: Address;
let pool: Address;
let lutAddress: Address;
let table: Address[];
/** The accounts of config version 3. */
let config: Record<'protocolConfig' | 'tokenAVault' | 'tokenBVault', Address>;

/** The version of the transactions. */
let transactionVersion: 0 | 1;

async function setUp(version: 0 | 1): Promise<void> {
  transactionVersion = version;
  world = await createWorld('classic');
  creator = world.wallet;
  bank = world.bank.signer;
  [provider, receiver] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  for (const { address } of [provider, receiver]) world.svm.airdrop(address, lamports(5_000_000_000n));
  mint = world.pool.mint;
  pool = await findProPoolAddress({ mint, creator: creator.address });
  const protocolConfig = await findProtocolConfigAddress({ version: 3 });
  config = { protocolConfig, ...(await tokenAccountsOf(protocolConfig, 'tokenAVault', 'tokenBVault')) };
  table = [protocolConfig, config.tokenBVault, WRAPPED_SOL_MINT_ADDRESS, TOKEN, ATA, SOL_USD_FEED_ADDRESS];
  lutAddress = (await generateKeyPairSigner()).address;
  world.place(lutAddress, LOOKUP_TABLE_PROGRAM_ADDRESS, encodeLookupTable({ addresses: table }));
  world.giveTokens(SUPPLY);
}

/** A wallet's token account and wrapped SOL account, under names of the caller's. */
async function tokenAccountsOf<TA extends string, TB extends string>(owner: Address, a: TA, b: TB) {
  return {
    [a]: await findAssociatedTokenAddress({ owner, mint }),
    [b]: await findAssociatedTokenAddress({ owner, mint: WRAPPED_SOL_MINT_ADDRESS }),
  } as Record<TA | TB, Address>;
}

const userAccountsOf = (owner: Address) => tokenAccountsOf(owner, 'userTokenAVault', 'userTokenBVault');
const positionOf = ({ address: user }: KeyPairSigner) => findLpPositionAddress({ pool, user });

const PRICE = { chainlinkProgram: CHAINLINK_STORE_PROGRAM_ADDRESS, chainlinkFeed: SOL_USD_FEED_ADDRESS };
const MINTS = () => ({ tokenAMint: mint, tokenBMint: WRAPPED_SOL_MINT_ADDRESS });
const PROGRAMS = {
  tokenAProgram: TOKEN,
  tokenBProgram: TOKEN,
  associatedTokenProgram: ATA,
  systemProgram: SYSTEM_PROGRAM_ADDRESS,
};

/** The accounts of swaps, as far as the receiver update has them too. */
const commonAccountsOf = async ({ address: user }: KeyPairSigner) => ({
  ...PROGRAMS,
  ...MINTS(),
  ...config,
  ...(await userAccountsOf(user)),
  liquidityPoolState: pool,
  user,
  instructionSysvarAccountInfo: INSTRUCTIONS_SYSVAR_ADDRESS,
});

/** The accounts of swaps and creator fee claims. */
const swapAccountsOf = async (wallet: KeyPairSigner) => ({ ...(await commonAccountsOf(wallet)), ...PRICE });

/** The accounts of deposits and withdrawals. */
const liquidityAccountsOf = async (wallet: KeyPairSigner) => ({
  ...PROGRAMS,
  ...MINTS(),
  ...config,
  ...(await userAccountsOf(wallet.address)),
  liquidityPoolState: pool,
  user: wallet.address,
  payer: wallet.address,
  userLpPosition: await positionOf(wallet),
  ...PRICE,
});

const creatorAccounts = () => ({ liquidityPoolState: pool, creator: creator.address });

type Expected<TName extends HeavenInstruction['name']> = {
  readonly name: TName;
  readonly accounts: Readonly<Record<string, Address>>;
  readonly data: Extract<HeavenInstruction, { name: TName }>['data'];
  /** In the order of their signatures. */
  readonly signers: readonly KeyPairSigner[];
  /** The programs that it calls, besides the compute budget. */
  readonly programs: readonly Address[];
};

/**
 * Reads a transaction back from its base64, compares the exchange's instruction in it with what it should be, sees that
 * these signers and no others sign, and runs it.
 */
async function execute<TName extends HeavenInstruction['name']>(
  { tx, size, requiredSigners }: BuiltTransaction,
  { name, accounts, data, signers, programs }: Expected<TName>,
): Promise<Expected<TName>['data']> {
  expect(getBase64Encoder().encode(tx).length).toBe(size);
  const transaction = decodedOf(tx);
  const { instructions } = messageOf(tx, { [lutAddress]: table });
  const exchanges = instructions.filter(({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS);
  expect(exchanges).toHaveLength(1);
  const parsed = parseHeavenInstruction(exchanges[0]!);
  expect(parsed.name).toBe(name);
  const metas = Object.entries(parsed.accounts as Record<string, { readonly address: Address }>);
  expect(Object.fromEntries(metas.map(([account, { address }]) => [account, address]))).toEqual(accounts);
  expect(parsed.data).toEqual(data);
  expect(parsed.extraAccounts).toEqual([]);

  const addresses = signers.map(({ address }) => address);
  expect(requiredSigners).toEqual(addresses);
  expect(Object.keys(transaction.signatures)).toEqual(addresses);
  const keyPairs = signers.map(({ keyPair }) => keyPair);
  for (const missing of keyPairs) {
    const others = keyPairs.filter((keyPair) => keyPair !== missing);
    await expect(signTransaction(others, transaction as never)).rejects.toThrow('missing signatures');
  }
  const result = world.sendSigned(await signTransaction(keyPairs, transaction as never));
  // Version 1 has its budget in the message.
  const budget = [COMPUTE_BUDGET_PROGRAM_ADDRESS, COMPUTE_BUDGET_PROGRAM_ADDRESS];
  expect(programsOf(result)).toEqual([...(transactionVersion === 0 ? budget : []), ...programs]);
  return parsed.data as Expected<TName>['data'];
}

const warningsOf = (built: BuiltTransaction) => ownWarnings(built).map(({ code }) => code);

const stateOf = () => getPoolState(world.client, { pool });
const reservesOf = async () => {
  const { reserve, lpToken } = await stateOf();
  return { reserveA: reserve.tokenA, reserveB: reserve.tokenB, lpSupply: lpToken.supply.total };
};
/** Adds to the reserves and to the LP tokens, as the exchange would. */
const move = (tokenA: bigint, tokenB: bigint, lpTokens = 0n) =>
  world.ledger.updatePool(pool, ({ reserve, lpToken }) => ({
    reserve: { ...reserve, tokenA: reserve.tokenA + tokenA, tokenB: reserve.tokenB + tokenB },
    lpToken: { ...lpToken, supply: { ...lpToken.supply, total: lpToken.supply.total + lpTokens } },
  }));
const setPosition = ({ address: user }: KeyPairSigner, lpTokenBalance: bigint, pendingFees = 0n) =>
  world.ledger.setLpPosition({ pool, user, lpTokenBalance, rewardDebt: 0n, pendingFees });
const balanceOf = ({ address: user }: KeyPairSigner) => getLpBalance(world.client, { pool, user });

const locator = () => ({ pool, mint, configVersion: 3 });
const common = (payer: KeyPairSigner) => ({
  payer: payer.address,
  lifetime: world.lifetime(),
  transactionVersion,
});
const quoteBuy = () => quoteProBuy(world.client, { ...locator(), maxSolSpend: 1, slippageBps: 100 });
const quoteSell = () => quoteProSell(world.client, { ...locator(), amountInUi: 1_000_000, slippageBps: 100 });
const quoteAdd = (most: { readonly maxTokenA?: bigint; readonly maxTokenB?: bigint }) =>
  quoteProAddLiquidity(world.client, { ...locator(), ...most, slippageBps: 100 });
const quoteRemove = (lpTokensToBurn: bigint) =>
  quoteProRemoveLiquidity(world.client, { ...locator(), lpTokensToBurn, slippageBps: 100 });

/** The pool as the exchange would make it out of what it was told. */
async function writePool(params: CreateProLiquidityPoolParams): Promise<void> {
  const none = createFeeBrackets();
  const stored = (fees: FeeBracketsParams | null) =>
    createFeeBrackets(
      ...(fees?.brackets ?? []).map(
        ({ marketCapUpperBound, buyFeeBps, sellFeeBps }) =>
          [marketCapUpperBound, buyFeeBps, sellFeeBps] as const,
      ),
    );
  const flag = (isOn: boolean) => (isOn ? 1 : 0);
  const noSchedule = createSlotFeeBrackets();
  const written = await world.ledger.addPool({
    kind: 'pro',
    configVersion: 3,
    mint,
    tokenProgram: TOKEN,
    creator: creator.address,
    token: { decimals: 6, supply: SUPPLY },
    state: {
      feeConfigurationMode: FeeConfigurationMode.Local,
      createdAtSlot: world.ledger.slot,
      creatorTradingFeeClaimStatus: CreatorTradingFeeClaimStatus.Processed,
      creatorTradingFeeDistribution: CreatorTradingFeeDistribution.Creator,
      marketCapBasedFees: {
        protocolTradingFee: none,
        liquidityProviderTradingFee: stored(params.liquidityProviderTradingFee),
        creatorTradingFee: stored(params.creatorTradingFee),
        creatorTradingFeeProtocolFee: none,
        reflectionTradingFee: stored(params.reflectionTradingFee),
      },
      slotOffsetBasedFees: {
        protocolTradingFee: noSchedule,
        liquidityProviderTradingFee: noSchedule,
        creatorTradingFee: createSlotFeeBrackets(
          ...(params.creatorSlotTradingFee?.brackets ?? []).map(
            ({ slotOffsetUpperbound, buyFeeBps, sellFeeBps }) =>
              [slotOffsetUpperbound, buyFeeBps, sellFeeBps] as const,
          ),
        ),
        creatorTradingFeeProtocolFee: noSchedule,
        reflectionTradingFee: noSchedule,
      },
      allowlist: {
        swap: flag(params.enableSwap),
        removeLiquidity: flag(params.enableWithdrawLiquidity),
        depositLiquidity: flag(params.enableDepositLiquidity),
        sameSlotTrading: flag(params.enableSameSlotTrading),
        updateCreatorTradingFee: flag(params.enableUpdateCreatorTradingFee),
      },
      featureFlags: { sandwichResistantMode: flag(params.enableSandwichResistantMode) },
      lpToken: {
        supply: { initial: INITIAL_LP, total: INITIAL_LP, unlocked: INITIAL_LP, locked: 0n, burnt: 0n },
        decimals: 9,
      },
    },
    reserve: { tokenA: params.initialTokenAAmount, tokenB: params.initialTokenBAmount },
  });
  expect(written).toMatchObject({ pool, ...config });
  await setPosition(creator, INITIAL_LP);
}

/** Each test goes on where the one before it has stopped. */
describe.each([0, 1] as const)('the life of a pro pool in version %i', (version) => {
  beforeAll(() => setUp(version));

  test('it is created with every option, paid for by somebody else', async () => {
    const { features, ...options } = CREATION;
    const built = await buildProCreate(world.client, {
      ...common(bank),
      ...options,
      features,
      creator: creator.address,
      configVersion: 3,
      mint,
      lutAddress,
    });
    expect(built).toMatchObject({ pool, lpTokens: INITIAL_LP });
    expect(warningsOf(built)).toEqual([]);
    const { userTokenAVault } = await userAccountsOf(creator.address);
    const { params } = await execute(built, {
      name: 'create_pro_liquidity_pool',
      accounts: {
        tokenProgram: TOKEN,
        associatedTokenProgram: ATA,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        tokenAProgram: TOKEN,
        ...MINTS(),
        ...config,
        ...PRICE,
        user: creator.address,
        payer: bank.address,
        userTokenAVault,
        liquidityPoolState: pool,
        userLpPosition: await positionOf(creator),
      },
      data: {
        protocolConfigVersion: 3,
        params: {
          encodedUserDefinedEventData: 'bGF1bmNo',
          initialTokenAAmount: INITIAL_A,
          initialTokenBAmount: INITIAL_B,
          creatorTradingFee: { brackets: CREATION.creatorTradingFee, count: 4 },
          reflectionTradingFee: { brackets: CREATION.reflectionTradingFee, count: 4 },
          liquidityProviderTradingFee: { brackets: CREATION.liquidityProviderTradingFee, count: 4 },
          creatorSlotTradingFee: { ...CREATION.creatorSlotTradingFee, count: 2, enabled: 1 },
          ...features,
        },
      },
      signers: [bank, creator],
      programs: [HEAVEN_PROGRAM_ADDRESS],
    });
    await writePool(params);
    expect(await balanceOf(creator)).toMatchObject({ lpTokenBalance: INITIAL_LP, exists: true });
  });

  test('it is bought from at launch, at the fee of the first slots', async () => {
    const quoteResponse = await quoteBuy();
    // Protocol, LP, reflection and, of the slot schedule, the creator.
    const net = less(1_000_000_000n, 30n, 60n, 30n, 2_000n);
    expect(net).toBe(788_000_000n);
    const out = (INITIAL_A * net) / (INITIAL_B + net);
    expect(quoteResponse).toMatchObject({
      minimumOut: lessSlippage(out),
      details: {
        amountOut: out,
        feeRates: { protocol: 30n, liquidityProvider: 60n, creator: 2_000n, reflection: 30n },
        warnings: [],
      },
    });
    const built = await buildProBuy(world.client, {
      ...common(creator),
      pool,
      quoteResponse,
      encodedUserDefinedEventData: 'Yg==',
    });
    await execute(built, {
      name: 'pro_buy',
      accounts: await swapAccountsOf(creator),
      data: {
        params: {
          maxSolSpend: 1_000_000_000n,
          minimumAmountOut: lessSlippage(out),
          encodedUserDefinedEventData: 'Yg==',
        },
      },
      signers: [creator],
      programs: [ATA, SYSTEM_PROGRAM_ADDRESS, TOKEN, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    move(-out, net);
    world.ledger.updatePool(pool, () => ({ creatorTradingFees: 200_000_000n }));
  });

  test('it is sold to later, at the fee of its market cap, for a wallet that another pays for', async () => {
    world.ledger.setSlot(world.ledger.slot + 16n);
    const { reserveA, reserveB } = await reservesOf();
    const gross = (reserveB * 1_000_000_000_000n) / (reserveA + 1_000_000_000_000n);
    const out = less(gross, 30n, 65n, 35n, 305n);
    const quoteResponse = await quoteSell();
    expect(quoteResponse).toMatchObject({
      amountIn: 1_000_000_000_000n,
      minimumOut: lessSlippage(out),
      details: { amountOut: out, feeRates: { creator: 305n }, warnings: [] },
    });
    const sell = (source?: Address) =>
      buildProSell(world.client, {
        ...common(source === undefined ? creator : bank),
        pool,
        quoteResponse,
        encodedUserDefinedEventData: '',
        source,
      });
    const expected = {
      name: 'pro_sell' as const,
      accounts: await swapAccountsOf(creator),
      data: {
        params: {
          amountIn: 1_000_000_000_000n,
          minimumAmountOut: lessSlippage(out),
          encodedUserDefinedEventData: '',
        },
      },
      programs: [ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    };
    const before = world.holdings().sol;
    await execute(await sell(creator.address), { ...expected, signers: [bank, creator] });
    // What the wrapped SOL account set aside has come back: the source has paid for nothing.
    expect(world.holdings().sol).toBe(before);
    await execute(await sell(), { ...expected, signers: [creator] });
    move(1_000_000_000_000n, -gross);
  });

  test('it is bought from for a wallet that another pays for', async () => {
    const quoteResponse = await quoteBuy();
    const before = world.holdings();
    const built = await buildProBuy(world.client, {
      ...common(bank),
      pool,
      quoteResponse,
      encodedUserDefinedEventData: '',
      source: creator.address,
    });
    await execute(built, {
      name: 'pro_buy',
      accounts: await swapAccountsOf(creator),
      data: {
        params: {
          maxSolSpend: 1_000_000_000n,
          minimumAmountOut: quoteResponse.minimumOut,
          encodedUserDefinedEventData: '',
        },
      },
      signers: [bank, creator],
      programs: [ATA, SYSTEM_PROGRAM_ADDRESS, TOKEN, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    expect(world.holdings()).toEqual(before);
  });

  test.each([
    ['SOL', { maxTokenB: 1_000_000_000n }],
    ['token A', { maxTokenA: 2_000_000_000_000n }],
  ])('it takes a deposit quoted by %s', async (_, most: { maxTokenA?: bigint; maxTokenB?: bigint }) => {
    const { reserveA, reserveB, lpSupply } = await reservesOf();
    const lpTokens =
      most.maxTokenA === undefined
        ? (most.maxTokenB! * lpSupply) / reserveB
        : (most.maxTokenA * lpSupply) / reserveA;
    const tokenA = ceilDiv(lpTokens * reserveA, lpSupply);
    const tokenB = ceilDiv(lpTokens * reserveB, lpSupply);
    const withSlippage = (amount: bigint) => ceilDiv(amount * 10_100n, 10_000n);
    const params = {
      maxTokenA: most.maxTokenA ?? withSlippage(tokenA),
      maxTokenB: most.maxTokenB ?? withSlippage(tokenB),
      minLpTokens: lessSlippage(lpTokens),
    };
    expect(await quoteAdd(most)).toMatchObject({ tokenA, tokenB, lpTokens, ...params });
    const built = await buildProAddLiquidity(world.client, { ...common(creator), ...locator(), ...params });
    expect(warningsOf(built)).toEqual([]);
    await execute(built, {
      name: 'add_liquidity_pro_pool',
      accounts: await liquidityAccountsOf(creator),
      data: { params },
      signers: [creator],
      programs: [ATA, SYSTEM_PROGRAM_ADDRESS, TOKEN, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    const { lpTokenBalance } = await balanceOf(creator);
    move(tokenA, tokenB, lpTokens);
    await setPosition(creator, lpTokenBalance + lpTokens);
  });

  test.each([
    ['to a new provider, at the cost of another wallet', () => bank, ['position-rent']],
    ['to the provider again, at the cost of the sender', () => creator, []],
  ])('its LP tokens are transferred %s', async (_, payerOf, warnings) => {
    const amount = 1_000_000_000_000n;
    const payer = payerOf();
    const built = await buildProTransferLp(world.client, {
      ...common(payer),
      pool,
      sender: creator.address,
      receiver: provider.address,
      amount,
    });
    expect(warningsOf(built)).toEqual(warnings);
    await execute(built, {
      name: 'transfer_lp_tokens',
      accounts: {
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        liquidityPoolState: pool,
        sender: creator.address,
        payer: payer.address,
        receiver: provider.address,
        senderLpPosition: await positionOf(creator),
        receiverLpPosition: await positionOf(provider),
      },
      data: { amount },
      signers: payer === creator ? [creator] : [bank, creator],
      programs: [HEAVEN_PROGRAM_ADDRESS],
    });
    const [mine, theirs] = await Promise.all([balanceOf(creator), balanceOf(provider)]);
    expect(theirs.exists).toBe(warnings.length === 0);
    await setPosition(creator, mine.lpTokenBalance - amount);
    await setPosition(provider, theirs.lpTokenBalance + amount, 5_000n);
  });

  test('a provider has no more LP tokens than it received', async () => {
    const { lpTokenBalance } = await balanceOf(provider);
    expect(lpTokenBalance).toBe(2_000_000_000_000n);
    const amount = lpTokenBalance + 1n;
    const parties = { pool, sender: provider.address, receiver: bank.address };
    await expectRefusal(
      buildProTransferLp(world.client, { ...common(provider), ...parties, amount }),
      'insufficient-balance:lp-tokens',
      { requested: amount, available: lpTokenBalance },
    );
  });

  test.each([
    ['all', 0n],
    ['some', 200_000_000n],
  ])('its creator claims %s of the fees', async (_, amount) => {
    const built = await buildProClaimCreatorFees(world.client, { ...common(creator), pool, amount });
    await execute(built, {
      name: 'claim_pro_creator_trading_fees',
      accounts: await swapAccountsOf(creator),
      data: { amount },
      signers: [creator],
      programs: [ATA, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    const more = { ...common(creator), pool, amount: 200_000_001n };
    await expectRefusal(buildProClaimCreatorFees(world.client, more), 'insufficient-balance:creator-fees', {
      available: 200_000_000n,
    });
  });

  test('its provider claims the fees of the position', async () => {
    const {
      associatedTokenProgram: _,
      instructionSysvarAccountInfo: __,
      ...accounts
    } = await swapAccountsOf(provider);
    const built = await buildProClaimLpFees(world.client, { ...common(provider), pool });
    expect(warningsOf(built)).toEqual([]);
    await execute(built, {
      name: 'claim_pro_liquidity_provider_trading_fees',
      accounts: { ...accounts, userLpPosition: await positionOf(provider) },
      data: {},
      signers: [provider],
      programs: [ATA, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    await setPosition(provider, 2_000_000_000_000n);
    expect(warningsOf(await buildProClaimLpFees(world.client, { ...common(provider), pool }))).toEqual([
      'nothing-to-claim',
    ]);
    await expectRefusal(buildProClaimLpFees(world.client, { ...common(bank), pool }), 'account-not-found', {
      account: 'UserLpPosition',
      address: await positionOf(bank),
    });
  });

  test.each([
    [
      'creator',
      'creator_set_pro_market_cap_creator_fee',
      'creatorTradingFee',
      'creator',
      buildProSetMarketCapCreatorFee,
    ],
    [
      'LP',
      'creator_set_pro_market_cap_lp_fee',
      'liquidityProviderTradingFee',
      'liquidityProvider',
      buildProSetLpFee,
    ],
    [
      'reflection',
      'creator_set_pro_market_cap_reflection_fee',
      'reflectionTradingFee',
      'reflection',
      buildProSetReflectionFee,
    ],
  ] as const)('its creator sets the %s fee by market cap', async (_, name, field, rate, build) => {
    const fees = brackets(90, 70);
    const built = await build(world.client, { ...common(creator), pool, brackets: fees });
    const unused = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
    const data = await execute(built, {
      name,
      accounts: creatorAccounts(),
      data: { fees: { brackets: [...fees, unused, unused], count: 2 } },
      signers: [creator],
      programs: [HEAVEN_PROGRAM_ADDRESS],
    });
    world.ledger.updatePool(pool, ({ marketCapBasedFees }) => ({
      marketCapBasedFees: { ...marketCapBasedFees, [field]: data.fees },
    }));
    expect((await quoteBuy()).details.feeRates[rate]).toBe(90n);
    expect((await quoteSell()).details.feeRates[rate]).toBe(95n);
    await expectRefusal(
      build(world.client, { ...common(bank), pool, brackets: fees }),
      'not-authorized:creator',
      {
        found: creator.address,
        asked: bank.address,
      },
    );
  });

  test('its creator sets the creator fee by slots', async () => {
    const schedule = {
      brackets: [slotBracket(10, 900), slotBracket(20, 800)],
      maxSlotOffset: 20,
      maxFeeBps: 905,
      enabled: true,
    };
    const built = await buildProSetSlotCreatorFee(world.client, { ...common(creator), pool, ...schedule });
    const unused = Array.from({ length: 40 }, () => slotBracket(0, 0)).map((bracket) => ({
      ...bracket,
      sellFeeBps: 0,
    }));
    const { fees } = await execute(built, {
      name: 'creator_set_pro_slot_creator_fee',
      accounts: creatorAccounts(),
      data: { fees: { ...schedule, brackets: [...schedule.brackets, ...unused], count: 2, enabled: 1 } },
      signers: [creator],
      programs: [HEAVEN_PROGRAM_ADDRESS],
    });
    world.ledger.updatePool(pool, ({ slotOffsetBasedFees }) => ({
      slotOffsetBasedFees: { ...slotOffsetBasedFees, creatorTradingFee: fees },
    }));
    // 16 slots after the launch; then the window is over.
    expect((await quoteBuy()).details.feeRates.creator).toBe(800n);
    world.ledger.setSlot(world.ledger.slot + 5n);
    expect((await quoteBuy()).details.feeRates.creator).toBe(90n);
  });

  const toggle = async (
    name: 'creator_toggle_pro_swap' | 'creator_toggle_pro_deposit' | 'creator_toggle_pro_withdraw',
    feature: keyof LiquidityPoolAllowlist,
    build: typeof buildProToggleSwap,
    enabled: boolean,
    warnings: readonly string[] = [],
  ) => {
    const built = await build(world.client, { ...common(creator), pool, enabled });
    expect(warningsOf(built)).toEqual(warnings);
    await execute(built, {
      name,
      accounts: creatorAccounts(),
      data: { enabled },
      signers: [creator],
      programs: [HEAVEN_PROGRAM_ADDRESS],
    });
    world.ledger.updatePool(pool, ({ allowlist }) => ({
      allowlist: { ...allowlist, [feature]: enabled ? 1 : 0 },
    }));
    expect(warningsOf(await build(world.client, { ...common(creator), pool, enabled }))).toContain(
      'no-change',
    );
  };

  test('its creator switches swaps off and on', async () => {
    const [bought, sold] = await Promise.all([quoteBuy(), quoteSell()]);
    const trade = () => ({ ...common(creator), pool, encodedUserDefinedEventData: '' });
    const trades = () => [
      quoteBuy(),
      quoteSell(),
      buildProBuy(world.client, { ...trade(), quoteResponse: bought }),
      buildProSell(world.client, { ...trade(), quoteResponse: sold }),
    ];
    await toggle('creator_toggle_pro_swap', 'swap', buildProToggleSwap, false);
    for (const attempt of trades()) await expectRefusal(attempt, 'operation-disabled:swap', { pool });
    await toggle('creator_toggle_pro_swap', 'swap', buildProToggleSwap, true);
    await expect(Promise.all(trades())).resolves.toHaveLength(4);
  });

  test('its creator switches deposits off and on', async () => {
    const params = { maxTokenA: 4_000_000_000_000n, maxTokenB: 1_000_000_000n, minLpTokens: 0n };
    const deposits = () => [
      quoteAdd({ maxTokenB: 1_000_000_000n }),
      buildProAddLiquidity(world.client, { ...common(creator), ...locator(), ...params }),
    ];
    await toggle('creator_toggle_pro_deposit', 'depositLiquidity', buildProToggleDeposit, false);
    for (const deposit of deposits()) await expectRefusal(deposit, 'operation-disabled:deposit', { pool });
    await expect(quoteRemove(1_000_000n)).resolves.toBeDefined();
    await toggle('creator_toggle_pro_deposit', 'depositLiquidity', buildProToggleDeposit, true);
    await expect(Promise.all(deposits())).resolves.toHaveLength(2);
  });

  test('its creator switches withdrawals off and on', async () => {
    const params = { lpTokensToBurn: 1_000_000n, minTokenA: 0n, minTokenB: 0n };
    const withdrawals = () => [
      quoteRemove(1_000_000n),
      buildProRemoveLiquidity(world.client, { ...common(creator), ...locator(), ...params }),
    ];
    await toggle('creator_toggle_pro_withdraw', 'removeLiquidity', buildProToggleWithdraw, false, [
      'withdrawals-locked',
    ]);
    for (const withdrawal of withdrawals())
      await expectRefusal(withdrawal, 'operation-disabled:withdraw', { pool });
    await expect(quoteAdd({ maxTokenB: 1_000_000_000n })).resolves.toBeDefined();
    await toggle('creator_toggle_pro_withdraw', 'removeLiquidity', buildProToggleWithdraw, true);
    await expect(Promise.all(withdrawals())).resolves.toHaveLength(2);
  });

  test('its creator gives the fees to another, who signs behind the creator and claims them', async () => {
    const update = {
      ...common(creator),
      pool,
      mint,
      version: 3,
      newReceiver: receiver.address,
    };
    await execute(await buildProUpdateCreatorFeeReceiver(world.client, update), {
      name: 'update_pro_creator_trading_fee_receiver',
      accounts: { ...(await commonAccountsOf(creator)), newReceiver: receiver.address },
      data: {},
      signers: [creator, receiver],
      // The wrapped SOL account is closed again, the token account was there.
      programs: [ATA, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    world.ledger.updatePool(pool, () => ({ creatorTradingFeeReceiver: receiver.address }));
    await expectRefusal(buildProUpdateCreatorFeeReceiver(world.client, update), 'invalid-input', {
      field: 'newReceiver',
    });

    const claim = { pool, amount: 0n };
    await expectRefusal(
      buildProClaimCreatorFees(world.client, { ...common(creator), ...claim }),
      'not-authorized:fee-receiver',
      { found: receiver.address, asked: creator.address },
    );
    await execute(await buildProClaimCreatorFees(world.client, { ...common(receiver), ...claim }), {
      name: 'claim_pro_creator_trading_fees',
      accounts: await swapAccountsOf(receiver),
      data: { amount: 0n },
      signers: [receiver],
      programs: [ATA, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
  });

  test.each([
    ['provider', () => provider],
    ['creator', () => creator],
  ])('its %s takes all liquidity out', async (_, providerOf) => {
    const wallet = providerOf();
    const { lpTokenBalance: lpTokensToBurn } = await balanceOf(wallet);
    const { reserveA, reserveB, lpSupply } = await reservesOf();
    const tokenA = (lpTokensToBurn * reserveA) / lpSupply;
    const tokenB = (lpTokensToBurn * reserveB) / lpSupply;
    const params = { lpTokensToBurn, minTokenA: lessSlippage(tokenA), minTokenB: lessSlippage(tokenB) };
    expect(await quoteRemove(lpTokensToBurn)).toMatchObject({ tokenA, tokenB, ...params });
    const remove = (change: object = {}) =>
      buildProRemoveLiquidity(world.client, { ...common(wallet), ...locator(), ...params, ...change });
    await expectRefusal(remove({ lpTokensToBurn: lpTokensToBurn + 1n }), 'insufficient-balance:lp-tokens', {
      available: lpTokensToBurn,
    });
    const built = await remove();
    expect(warningsOf(built)).toEqual([]);
    await execute(built, {
      name: 'remove_liquidity_pro_pool',
      accounts: await liquidityAccountsOf(wallet),
      data: { params },
      signers: [wallet],
      programs: [ATA, ATA, HEAVEN_PROGRAM_ADDRESS, TOKEN],
    });
    move(-tokenA, -tokenB, -lpTokensToBurn);
    await setPosition(wallet, 0n);
  });

  test('it is empty in the end', async () => {
    expect(await reservesOf()).toEqual({ reserveA: 0n, reserveB: 0n, lpSupply: 0n });
    expect(await balanceOf(creator)).toMatchObject({ lpTokenBalance: 0n, exists: true });
    await expectRefusal(quoteAdd({ maxTokenB: 1n }), 'insufficient-liquidity');
    await expectRefusal(quoteBuy(), 'insufficient-liquidity');
  });
});
