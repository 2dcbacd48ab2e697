import { type Address, generateKeyPairSigner } from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { parseCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
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
  createClient,
  getLpBalance,
  type HeavenClient,
  type QuoteDetails,
  quoteProAddLiquidity,
  quoteProBuy,
  quoteProRemoveLiquidity,
  quoteProSell,
} from '../../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  CreatorTradingFeeClaimStatus,
  CreatorTradingFeeDistribution,
  findAssociatedTokenAddress,
  findLpPositionAddress,
  HEAVEN_PROGRAM_ADDRESS,
  type LiquidityPoolAllowlist,
  type LiquidityPoolState,
  parseHeavenInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  WRAPPED_SOL_MINT_ADDRESS,
} from '../../src/program/index.js';
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
  encodeMint,
  feeBrackets,
  type SamplePool,
  slotFeeBrackets,
} from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

const STRANGER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
const OTHER = 'HEvSKofvBgfaexv23kMabbYqxasxU3mQ4ibBMEmJWHny' as Address;
const CATCH_ALL = 9_223_372_036_854_775_807n;
const U64_MAX = 2n ** 64n - 1n;
/** Creator fees that have accrued in the pool. */
const ACCRUED = 5_000_000n;

let ledger: EmbeddedLedger;
let client: HeavenClient;
let pro: SamplePool;

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  client = createClient({ rpc: ledger.rpc });
  pro = ledger.pools.pro;
  update({ creatorTradingFees: ACCRUED });
});

const update = (fields: Partial<LiquidityPoolState>) => ledger.updatePool(pro.pool, () => fields);

const allow = (change: Partial<LiquidityPoolAllowlist>) =>
  ledger.updatePool(pro.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, ...change } }));

/** Reserves and LP tokens in existence. */
const setLiquidity = (tokenA: bigint, tokenB: bigint, total: bigint) =>
  ledger.updatePool(pro.pool, ({ reserve, lpToken }) => ({
    reserve: { ...reserve, tokenA, tokenB },
    lpToken: { ...lpToken, supply: { ...lpToken.supply, total } },
  }));

const setPosition = (fields: {
  readonly user?: Address;
  readonly lpTokenBalance?: bigint;
  readonly rewardDebt?: bigint;
  readonly pendingFees?: bigint;
}) =>
  ledger.setLpPosition({
    pool: pro.pool,
    user: pro.creator,
    lpTokenBalance: 0n,
    rewardDebt: 0n,
    pendingFees: 0n,
    ...fields,
  });

/** The methods that a call asks the node for. */
async function methodsOf(call: () => Promise<unknown>) {
  const before = ledger.requests.length;
  await call().catch(() => {});
  return ledger.requests
    .slice(before)
    .map(({ method }) => method)
    .sort();
}
const ONE_READ = ['getMultipleAccounts'];
const READ_AND_BLOCK_HASH = ['getLatestBlockhash', 'getMultipleAccounts'];

const locator = () => ({ configVersion: 3, mint: pro.mint, pool: pro.pool });

const toBuy = (change: object = {}) =>
  quoteProBuy(client, { ...locator(), maxSolSpend: 1, slippageBps: 50, ...change });
const toSell = (change: object = {}) =>
  quoteProSell(client, { ...locator(), amountInUi: 1000, slippageBps: 50, ...change });

const codesOf = ({ warnings }: Pick<QuoteDetails | BuiltTransaction, 'warnings'>) =>
  warnings.map(({ code }) => code);

describe('a quote', () => {
  test('takes one call', async () => {
    expect(await methodsOf(toBuy)).toEqual(ONE_READ);
    expect(await methodsOf(toSell)).toEqual(ONE_READ);
  });

  // 400,000,000 tokens of 1,000,000,000 and 400 SOL in the pool at $82.0175991: a market cap of $82,017.59, under the
  // bound of $100,000. Protocol 0.3 % from the config, the rest of the pool's own.
  test('to buy: own rates, the protocol fee from the config', async () => {
    const { details, ...quote } = await toBuy();
    expect(details.feeRates).toEqual({
      protocol: 30n,
      liquidityProvider: 20n,
      creator: 100n,
      creatorProtocol: 0n,
      reflection: 10n,
    });
    expect(details.fees).toEqual({
      protocol: 3_000_000n,
      liquidityProvider: 2_000_000n,
      creator: 10_000_000n,
      creatorProtocol: 0n,
      reflection: 1_000_000n,
    });
    // 4e14 * 984000000 / (4e11 + 984000000)
    expect(details.amountOut).toBe(981_585_300_161n);
    expect(quote).toEqual({
      configVersion: 3,
      maxLamportSpend: 1_000_000_000n,
      maxSolSpend: 1,
      minimumOut: 976_677_373_660n,
      minimumOutUi: 976_677.37366,
      mint: pro.mint,
      programId: HEAVEN_PROGRAM_ADDRESS,
      slippageBps: 50,
    });
  });

  test('to sell: own rates, the protocol fee from the config', async () => {
    const { details, ...quote } = await toSell();
    // 4e11 * 1e9 / (4e14 + 1e9) = 999997.5 lamports; 30, 20, 150 and 10 basis points of 999997
    expect(details.fees).toEqual({
      protocol: 2_999n,
      liquidityProvider: 1_999n,
      creator: 14_999n,
      creatorProtocol: 0n,
      reflection: 999n,
    });
    expect(details.amountOut).toBe(979_001n);
    expect(quote).toEqual({
      amountIn: 1_000_000_000n,
      amountInUi: 1000,
      configVersion: 3,
      minimumOut: 974_105n,
      minimumOutUi: 0.000974105,
      mint: pro.mint,
      programId: HEAVEN_PROGRAM_ADDRESS,
      slippageBps: 50,
    });
  });

  test('follows the protocol fee of the config, not one in the pool', async () => {
    ledger.updatePool(pro.pool, ({ marketCapBasedFees: fees }) => ({
      marketCapBasedFees: { ...fees, protocolTradingFee: feeBrackets([CATCH_ALL, 999]) },
    }));
    ledger.updateConfig(pro.protocolConfig, ({ marketCapBasedFees: fees }) => ({
      marketCapBasedFees: {
        ...fees,
        protocolTradingFee: feeBrackets([CATCH_ALL, 40, 60]),
        creatorTradingFee: feeBrackets([CATCH_ALL, 777]),
      },
    }));
    expect((await toBuy()).details.feeRates).toMatchObject({ protocol: 40n, creator: 100n });
    expect((await toSell()).details.feeRates).toMatchObject({ protocol: 60n, creator: 150n });
  });

  test.each([
    [0n, 5_000n, 6_000n],
    [5n, 5_000n, 6_000n],
    [6n, 1_000n, 2_000n],
    [15n, 1_000n, 2_000n],
    [16n, 100n, 150n],
  ])('%s slots after the launch', async (offset, buyRate, sellRate) => {
    ledger.updatePool(pro.pool, ({ slotOffsetBasedFees: fees }) => ({
      createdAtSlot: ledger.slot - offset,
      slotOffsetBasedFees: {
        ...fees,
        creatorTradingFee: slotFeeBrackets([5, 5_000, 6_000], [15, 1_000, 2_000]),
      },
    }));
    expect((await toBuy()).details.feeRates).toMatchObject({ creator: buyRate, liquidityProvider: 20n });
    expect((await toSell()).details.feeRates).toMatchObject({ creator: sellRate, liquidityProvider: 20n });
  });

  test('passes a slot schedule over that is switched off', async () => {
    ledger.updatePool(pro.pool, ({ slotOffsetBasedFees: fees }) => ({
      createdAtSlot: ledger.slot,
      slotOffsetBasedFees: { ...fees, creatorTradingFee: { ...slotFeeBrackets([5, 5_000]), enabled: 0 } },
    }));
    expect((await toBuy()).details.feeRates.creator).toBe(100n);
  });

  test('warns of same-slot trading where it is off', async () => {
    expect(codesOf((await toBuy()).details)).toEqual(['same-slot-trading']);
    expect(codesOf((await toSell()).details)).toEqual(['same-slot-trading']);
    allow({ sameSlotTrading: 1 });
    expect(codesOf((await toBuy()).details)).toEqual([]);
    expect(codesOf((await toSell()).details)).toEqual([]);
  });

  describe('in a sandwich-resistant pool', () => {
    /** A window of 4 slots that began with other reserves of token A. */
    const beginWindow = (snapshotA: bigint) =>
      ledger.updatePool(pro.pool, ({ reserve, allowlist }) => ({
        featureFlags: { sandwichResistantMode: 1 },
        allowlist: { ...allowlist, sameSlotTrading: 1 },
        reserve: {
          ...reserve,
          leaderSlotWindow: 4,
          snapshotSlot: ledger.slot,
          snapshotA,
          snapshotB: 400_000_000_000n,
        },
      }));

    test.each([
      // Dearer then: the buy gets 2e14 * 984000000 / (4e11 + 984000000), the sell today's price.
      ['dearer', 200_000_000_000_000n, 490_792_650_080n, 979_001n],
      // Cheaper then: the sell gets 4e20 / (8e14 + 1e9) = 499999 less 1499 + 999 + 7499 + 499, the buy today's price.
      ['cheaper', 800_000_000_000_000n, 981_585_300_161n, 489_503n],
    ])('gives the worse price when the token was %s', async (_, snapshotA, bought, sold) => {
      beginWindow(snapshotA);
      const buy = await toBuy();
      const sell = await toSell();
      expect([buy.details.amountOut, sell.details.amountOut]).toEqual([bought, sold]);
      // Half the price is a price impact of 50 %.
      const worse = ['sandwich-window', 'price-impact'];
      expect([codesOf(buy.details), codesOf(sell.details)]).toEqual(
        snapshotA < 400_000_000_000_000n ? [worse, ['sandwich-window']] : [['sandwich-window'], worse],
      );
    });

    test('is as any other outside of the window', async () => {
      beginWindow(200_000_000_000_000n);
      ledger.setSlot((ledger.slot / 4n) * 4n + 3n);
      expect(codesOf((await toBuy()).details)).toContain('sandwich-window');
      ledger.setSlot(ledger.slot + 1n);
      const { details } = await toBuy();
      expect([details.amountOut, codesOf(details)]).toEqual([981_585_300_161n, []]);
    });
  });

  test.each([
    ['a standard pool', () => standard(), 'pool-kind-mismatch', { expected: 'pro', actual: 'standard' }],
    [
      'another mint',
      () => ({ mint: ledger.pools.creator.mint }),
      'pool-mint-mismatch',
      { expected: () => pro.mint },
    ],
    [
      'another config version',
      () => ({ configVersion: 2 }),
      'config-version-mismatch',
      { expected: 3, actual: 2 },
    ],
    ['a pool that is not there', () => ({ pool: STRANGER }), 'pool-not-found', { pool: STRANGER }],
    [
      'an account that is no pool',
      () => ({ pool: pro.mint }),
      'account-owner-mismatch',
      { owner: TOKEN_PROGRAM_ADDRESS },
    ],
  ])('refuses %s', async (_, change, code, context) => {
    const known = Object.fromEntries(
      Object.entries<unknown>(context).map(([name, value]) => [
        name,
        typeof value === 'function' ? value() : value,
      ]),
    );
    await expectRefusal(toBuy(change()), code, known);
    await expectRefusal(toSell(change()), code, known);
  });

  const standard = () => {
    const { mint, pool, configVersion } = ledger.pools.creator;
    return { mint, pool, configVersion };
  };

  test('refuses a pool that is switched off, or opens later', async () => {
    allow({ swap: 0 });
    for (const attempt of [toBuy(), toSell()]) {
      await expectRefusal(attempt, 'swap-disabled', { pool: pro.pool });
    }
    allow({ swap: 1 });
    ledger.updatePool(pro.pool, ({ info }) => ({ info: { ...info, openAt: ledger.unixTimestamp + 1n } }));
    for (const attempt of [toBuy(), toSell()]) await expectRefusal(attempt, 'pool-not-open');
  });

  test.each([
    ['pool', 'x', 'invalid-address'],
    ['pool', undefined, 'invalid-address'],
    ['pool', 7, 'invalid-address'],
    ['mint', 'x', 'invalid-address'],
    ['mint', undefined, 'invalid-address'],
    ['configVersion', undefined, 'invalid-input'],
    ['configVersion', '3', 'invalid-input'],
    ['configVersion', 65_536, 'invalid-input'],
    ['slippageBps', undefined, 'invalid-slippage'],
    ['slippageBps', 10_001, 'invalid-slippage'],
    ['slippageBps', -1, 'invalid-slippage'],
    ['slippageBps', 0.5, 'invalid-slippage'],
    ['slippageBps', Number.NaN, 'invalid-slippage'],
    ['slippageBps', '50', 'invalid-slippage'],
  ])('refuses the %s %s before it asks the node', async (field, value, code) => {
    for (const quote of [toBuy, toSell]) {
      await expectRefusal(quote({ [field]: value }), code, { field });
    }
    expect(ledger.requests).toEqual([]);
  });

  test.each([
    [undefined, 'invalid-amount'],
    [-1, 'invalid-amount'],
    [Number.NaN, 'invalid-amount'],
    ['one', 'invalid-amount'],
    [1n, 'invalid-amount'],
    [0, 'zero-amount'],
  ])('refuses the amount %s before it asks the node', async (amount, code) => {
    await expectRefusal(toBuy({ maxSolSpend: amount }), code, { field: 'maxSolSpend' });
    await expectRefusal(toSell({ amountInUi: amount }), code, { field: 'amountInUi' });
    expect(ledger.requests).toEqual([]);
  });

  test('has the decimals of its token', async () => {
    await expectRefusal(toSell({ amountInUi: '0.0000001' }), 'too-many-decimals', {
      field: 'amountInUi',
      decimals: 6,
    });
    expect((await toSell({ amountInUi: '1.000001' })).amountIn).toBe(1_000_001n);
  });
});

// ------------------------------------------------------------------ building

const brackets = [
  { marketCapUpperBound: 100_000_000_000n, buyFeeBps: 300, sellFeeBps: 400 },
  { marketCapUpperBound: CATCH_ALL, buyFeeBps: 100, sellFeeBps: 200 },
] as const;
const UNUSED = { marketCapUpperBound: 0n, buyFeeBps: 0, sellFeeBps: 0 };
const slotBrackets = [
  { slotOffsetUpperbound: 5, buyFeeBps: 5_000, sellFeeBps: 4_000 },
  { slotOffsetUpperbound: 15, buyFeeBps: 1_000, sellFeeBps: 1_000 },
] as const;
const schedule = { brackets: slotBrackets, maxSlotOffset: 15, maxFeeBps: 5_000, enabled: true };
const own = () => ({ pool: pro.pool, payer: pro.creator });

/** Each builder and a valid input. */
const OPERATIONS = {
  add: {
    build: buildProAddLiquidity,
    input: () => ({
      ...locator(),
      payer: pro.creator,
      maxTokenA: 1_000_000_000n,
      maxTokenB: 1_000_000n,
      minLpTokens: 1_000_000n,
    }),
  },
  remove: {
    build: buildProRemoveLiquidity,
    input: () => ({
      ...locator(),
      payer: pro.creator,
      lpTokensToBurn: 1_000_000n,
      minTokenA: 1_000_000_000n,
      minTokenB: 1_000_000n,
    }),
  },
  claimCreatorFees: { build: buildProClaimCreatorFees, input: () => ({ ...own(), amount: 0n }) },
  claimLpFees: { build: buildProClaimLpFees, input: own },
  toggleSwap: { build: buildProToggleSwap, input: () => ({ ...own(), enabled: false }) },
  toggleDeposit: { build: buildProToggleDeposit, input: () => ({ ...own(), enabled: false }) },
  toggleWithdraw: { build: buildProToggleWithdraw, input: () => ({ ...own(), enabled: false }) },
  setReflectionFee: { build: buildProSetReflectionFee, input: () => ({ ...own(), brackets }) },
  setLpFee: { build: buildProSetLpFee, input: () => ({ ...own(), brackets }) },
  setMarketCapCreatorFee: { build: buildProSetMarketCapCreatorFee, input: () => ({ ...own(), brackets }) },
  setSlotCreatorFee: { build: buildProSetSlotCreatorFee, input: () => ({ ...own(), ...schedule }) },
  updateReceiver: {
    build: buildProUpdateCreatorFeeReceiver,
    input: () => ({ ...own(), mint: pro.mint, version: 3, newReceiver: STRANGER }),
  },
  transfer: {
    build: buildProTransferLp,
    input: () => ({
      pool: pro.pool,
      sender: pro.creator,
      payer: OTHER,
      receiver: STRANGER,
      amount: 1_000_000n,
    }),
  },
} as const;
type Operation = keyof typeof OPERATIONS;
const NAMES = Object.keys(OPERATIONS) as Operation[];
const TOGGLES = ['toggleSwap', 'toggleDeposit', 'toggleWithdraw'] as const;
const BRACKET_SETTERS = ['setReflectionFee', 'setLpFee', 'setMarketCapCreatorFee'] as const;
const CREATOR_FEE_SETTERS = ['setMarketCapCreatorFee', 'setSlotCreatorFee'] as const;
const SETTERS = [...BRACKET_SETTERS, 'setSlotCreatorFee'] as const;

const run = (name: Operation, change: object = {}): Promise<BuiltTransaction> => {
  const { build, input } = OPERATIONS[name];
  return build(client, { ...input(), ...change } as never);
};

const programsIn = ({ instructions }: BuiltTransaction) =>
  instructions.map(({ programAddress }) => programAddress);

const parsedOf = ({ instructions }: BuiltTransaction) => {
  const [instruction, ...others] = instructions.filter(
    ({ programAddress }) => programAddress === HEAVEN_PROGRAM_ADDRESS,
  );
  expect(others).toEqual([]);
  const { name, data, accounts } = parseHeavenInstruction(instruction!);
  const addresses = Object.fromEntries(
    Object.entries<{ readonly address: Address }>(accounts as never).map(([account, { address }]) => [
      account,
      address,
    ]),
  );
  return { name, data, accounts: addresses };
};

const positionOf = (user: Address) => findLpPositionAddress({ pool: pro.pool, user });
const tokenAccountOf = (owner: Address, mint = pro.mint) => findAssociatedTokenAddress({ owner, mint });

describe('a pro trade', () => {
  const building = async (side: 'buy' | 'sell', change: object = {}, quoteChange: object = {}) => {
    const common = { payer: pro.creator, pool: pro.pool, encodedUserDefinedEventData: 'ref:42' };
    return side === 'buy'
      ? buildProBuy(client, {
          ...common,
          quoteResponse: { ...(await toBuy()), ...quoteChange },
          ...change,
        } as never)
      : buildProSell(client, {
          ...common,
          quoteResponse: { ...(await toSell()), ...quoteChange },
          ...change,
        } as never);
  };
  const SIDES = ['buy', 'sell'] as const;

  test.each(SIDES)('%s takes one read and a block hash', async (side) => {
    // The quote's own read first.
    expect(await methodsOf(() => building(side))).toEqual(['getLatestBlockhash', ...ONE_READ, ...ONE_READ]);
  });

  test('carries what the quote says', async () => {
    const buy = await building('buy');
    expect(parsedOf(buy)).toMatchObject({
      name: 'pro_buy',
      data: {
        params: {
          maxSolSpend: 1_000_000_000n,
          minimumAmountOut: 976_677_373_660n,
          encodedUserDefinedEventData: 'ref:42',
        },
      },
      accounts: { liquidityPoolState: pro.pool, user: pro.creator, protocolConfig: pro.protocolConfig },
    });
    const sell = await building('sell');
    expect(parsedOf(sell)).toMatchObject({
      name: 'pro_sell',
      data: {
        params: {
          amountIn: 1_000_000_000n,
          minimumAmountOut: 974_105n,
          encodedUserDefinedEventData: 'ref:42',
        },
      },
    });
    expect([codesOf(buy), codesOf(sell)]).toEqual([[], []]);
    expect(buy.requiredSigners).toEqual([pro.creator]);
  });

  test.each(SIDES)(
    '%s from a source wallet: it owns the accounts and signs, the payer pays',
    async (side) => {
      const built = await building(side, { payer: STRANGER, source: pro.creator });
      expect(built.requiredSigners).toEqual([STRANGER, pro.creator]);
      expect(parsedOf(built).accounts).toMatchObject({
        user: pro.creator,
        userTokenAVault: await tokenAccountOf(pro.creator),
        userTokenBVault: await tokenAccountOf(pro.creator, WRAPPED_SOL_MINT_ADDRESS),
      });
    },
  );

  test.each(SIDES)('%s: the source is the payer unless it is given', async (side) => {
    const { tx } = await building(side);
    expect((await building(side, { source: null })).tx).toBe(tx);
    expect((await building(side, { source: pro.creator })).tx).toBe(tx);
  });

  test.each(SIDES)('%s warns of a minimum that is not reached', async (side) => {
    ledger.setReserves(pro.pool, side === 'buy' ? { tokenA: 300_000_000_000_000n } : {});
    const quoted = await (side === 'buy' ? toBuy() : toSell());
    ledger.setReserves(
      pro.pool,
      side === 'buy' ? { tokenA: 200_000_000_000_000n } : { tokenB: 200_000_000_000n },
    );
    expect(codesOf(await building(side, { quoteResponse: quoted }))).toEqual(['minimum-not-reached']);
  });

  test.each(SIDES)('%s refuses the quote of the other side', async (side) => {
    const quoteResponse = await (side === 'buy' ? toSell() : toBuy());
    await expectRefusal(building(side, { quoteResponse }), 'quote-mismatch', {
      field: 'quoteResponse',
      expected: side,
    });
  });

  test.each([
    [
      'program',
      { programId: SYSTEM_PROGRAM_ADDRESS },
      'quote-mismatch',
      { field: 'quoteResponse.programId' },
    ],
    ['mint', { mint: WRAPPED_SOL_MINT_ADDRESS }, 'pool-mint-mismatch', { actual: WRAPPED_SOL_MINT_ADDRESS }],
    ['config version', { configVersion: 2 }, 'config-version-mismatch', { expected: 3, actual: 2 }],
    ['minimum than is shown', { minimumOut: 1n }, 'quote-mismatch', { field: 'quoteResponse.minimumOutUi' }],
  ])('refuses a quote with another %s', async (_, change, code, context) => {
    for (const side of SIDES) {
      await expectRefusal(building(side, {}, change), code, context);
    }
  });

  test.each(SIDES)('%s refuses a standard pool, and its quote', async (side) => {
    const { pool, mint, configVersion } = ledger.pools.creator;
    await expectRefusal(building(side, { pool }), 'config-version-mismatch');
    await expectRefusal(building(side, { pool }, { mint, configVersion }), 'pool-kind-mismatch', {
      expected: 'pro',
      actual: 'standard',
    });
  });

  test.each(SIDES)('%s refuses the pool of another creator with another token', async (side) => {
    const mint = (await generateKeyPairSigner()).address;
    const { pool } = await ledger.addPool({
      kind: 'pro',
      configVersion: 3,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      creator: STRANGER,
      token: { decimals: 6, supply: 1_000_000_000n },
      state: {},
      reserve: { tokenA: 1_000_000_000n, tokenB: 1_000_000_000n },
    });
    await expectRefusal(building(side, { pool }), 'pool-mint-mismatch', { expected: mint, actual: pro.mint });
  });

  test.each([
    ['pool', 'x', 'invalid-address'],
    ['pool', undefined, 'invalid-address'],
    ['payer', 'x', 'invalid-address'],
    ['payer', undefined, 'invalid-address'],
    ['source', 'x', 'invalid-address'],
    ['source', 7, 'invalid-address'],
    ['encodedUserDefinedEventData', undefined, 'invalid-input'],
    ['encodedUserDefinedEventData', 7, 'invalid-input'],
    ['wrapSol', 'x', 'invalid-input'],
    ['quoteResponse', undefined, 'invalid-input'],
    ['computeUnitLimit', -1, 'invalid-input'],
    ['computeUnitPrice', 0.5, 'invalid-input'],
  ])('refuses the %s %s before it asks the node', async (field, value, code) => {
    for (const side of SIDES) {
      await expectRefusal(building(side, { [field]: value }), code, { field });
    }
    // The quotes.
    expect(ledger.requests.map(({ method }) => method)).toEqual([...ONE_READ, ...ONE_READ]);
  });

  test.each(SIDES)('%s refuses a pool that is switched off since the quote', async (side) => {
    const quoteResponse = await (side === 'buy' ? toBuy() : toSell());
    const common = { payer: pro.creator, pool: pro.pool, encodedUserDefinedEventData: '' };
    allow({ swap: 0 });
    const attempt =
      side === 'buy'
        ? buildProBuy(client, { ...common, quoteResponse: quoteResponse as never })
        : buildProSell(client, { ...common, quoteResponse: quoteResponse as never });
    await expectRefusal(attempt, 'swap-disabled', { pool: pro.pool });
  });
});

describe('an LP balance', () => {
  const balance = (user = pro.creator) => getLpBalance(client, { pool: pro.pool, user });
  const accumulate = (accumulatedFeePerLpToken: bigint) =>
    ledger.updatePool(pro.pool, ({ reserve }) => ({ reserve: { ...reserve, accumulatedFeePerLpToken } }));

  test('is what the position states, where nothing has accrued since', async () => {
    expect(await balance()).toEqual({
      lpTokenBalance: 400_000_000_000n,
      rewardDebt: 0n,
      pendingFees: 1_234_567n,
      lpPositionAddress: await positionOf(pro.creator),
      exists: true,
      details: {
        storedPendingFees: 1_234_567n,
        accumulatedFeePerLpToken: 0n,
        feePerLpTokenUnit: 1_000_000_000n,
        lpSupply: 400_000_000_000n,
      },
    });
  });

  test('is all zero without a position', async () => {
    accumulate(250n);
    expect(await balance(STRANGER)).toEqual({
      lpTokenBalance: 0n,
      rewardDebt: 0n,
      pendingFees: 0n,
      lpPositionAddress: await positionOf(STRANGER),
      exists: false,
      details: {
        storedPendingFees: 0n,
        accumulatedFeePerLpToken: 250n,
        feePerLpTokenUnit: 1_000_000_000n,
        lpSupply: 400_000_000_000n,
      },
    });
  });

  test('exists where it is empty', async () => {
    await setPosition({ user: STRANGER });
    expect(await balance(STRANGER)).toMatchObject({ lpTokenBalance: 0n, exists: true });
  });

  test('takes one call', async () => {
    expect(await methodsOf(balance)).toEqual(ONE_READ);
  });

  test.each([
    // 400e9 * 250 / 1e9 = 100 000 000 / 1000
    // 400e9 * 300000 / 1e9 = 120 000 000
    ['all that a claim pays', 400_000_000_000n, 0n, 1_234_567n, 300_000n, 121_234_567n],
    ['what accrued is added', 400_000_000_000n, 0n, 1_234_567n, 250n, 1_334_567n],
    ['what was paid is taken off', 400_000_000_000n, 40_000n, 1_234_567n, 250n, 1_294_567n],
    ['never under 0', 400_000_000_000n, 2_000_000n, 1_234_567n, 250n, 0n],
    // 3 * 999999999 / 1e9 = 2.99
    ['rounded down', 3n, 0n, 0n, 999_999_999n, 2n],
    ['no LP tokens, no more fees', 0n, 0n, 7n, U64_MAX, 7n],
  ])(
    'pending fees: %s',
    async (_, lpTokenBalance, rewardDebt, storedPendingFees, accumulated, pendingFees) => {
      await setPosition({ lpTokenBalance, rewardDebt, pendingFees: storedPendingFees });
      accumulate(accumulated);
      expect(await balance()).toMatchObject({
        lpTokenBalance,
        rewardDebt,
        pendingFees,
        details: { storedPendingFees, accumulatedFeePerLpToken: accumulated },
      });
    },
  );

  test.each([
    ['pool', 'x'],
    ['pool', undefined],
    ['user', 'x'],
    ['user', 7],
    ['user', undefined],
  ])('refuses the %s %s before it asks the node', async (field, value) => {
    await expectRefusal(
      getLpBalance(client, { pool: pro.pool, user: STRANGER, [field]: value }),
      'invalid-address',
      { field },
    );
    expect(ledger.requests).toEqual([]);
  });

  test('refuses what is no pro pool, and what is no position', async () => {
    const { pool } = ledger.pools.creator;
    await expectRefusal(getLpBalance(client, { pool, user: STRANGER }), 'pool-kind-mismatch', {
      expected: 'pro',
      actual: 'standard',
    });
    await expectRefusal(getLpBalance(client, { pool: STRANGER, user: STRANGER }), 'pool-not-found', {
      pool: STRANGER,
    });
    const address = await positionOf(STRANGER);
    const data = encodeMint({ decimals: 6, supply: 1n });
    ledger.setAccount(address, { owner: TOKEN_PROGRAM_ADDRESS, data });
    await expectRefusal(balance(STRANGER), 'rpc-wrong-account', { address });
    ledger.setAccount(address, { owner: HEAVEN_PROGRAM_ADDRESS, data });
    await expectRefusal(balance(STRANGER), 'rpc-wrong-account', { address });
  });
});

describe('a deposit quote', () => {
  const quoteAdd = (change: object) =>
    quoteProAddLiquidity(client, { ...locator(), slippageBps: 50, ...change });
  beforeEach(() => setLiquidity(1_000_003n, 2_000_007n, 1_000_000n));

  test.each([
    [
      // 1000 * 1000000 / 1000003 = 999.99 LP tokens, which are 999.003 of A and 1998.007 of B; B and 0.5 % are 2008.995
      'token A only',
      { maxTokenA: 1_000n },
      { lpTokens: 999n, tokenA: 1_000n, tokenB: 1_999n },
      // 999 / 1000999 of the pool
      { maxTokenA: 1_000n, maxTokenB: 2_009n, minLpTokens: 994n, sharePct: 0.0998 },
    ],
    [
      // 1000 * 1000000 / 2000007 = 499.99 LP tokens, which are 499.001 of A and 998.003 of B; A and 0.5 % are 502.5
      'token B only',
      { maxTokenB: 1_000n },
      { lpTokens: 499n, tokenA: 500n, tokenB: 999n },
      { maxTokenA: 503n, maxTokenB: 1_000n, minLpTokens: 496n, sharePct: 0.049875 },
    ],
    [
      'both, limited by token B',
      { maxTokenA: 1_000n, maxTokenB: 1_000n },
      { lpTokens: 499n, tokenA: 500n, tokenB: 999n },
      { maxTokenA: 1_000n, maxTokenB: 1_000n, minLpTokens: 496n, sharePct: 0.049875 },
    ],
    [
      // 99 LP tokens, which are 99.0003 of A and 198.0007 of B
      'both, limited by token A',
      { maxTokenA: 100n, maxTokenB: 1_000n },
      { lpTokens: 99n, tokenA: 100n, tokenB: 199n },
      { maxTokenA: 100n, maxTokenB: 1_000n, minLpTokens: 98n, sharePct: 0.009899 },
    ],
  ])('from %s', async (_, given, deposit, limits) => {
    expect(await quoteAdd(given)).toEqual({ ...deposit, ...limits });
  });

  test('is built as it is, without a warning', async () => {
    const { maxTokenA, maxTokenB, minLpTokens } = await quoteAdd({ maxTokenA: 1_000n });
    expect(codesOf(await run('add', { maxTokenA, maxTokenB, minLpTokens }))).toEqual([]);
  });

  test('takes one call', async () => {
    expect(await methodsOf(() => quoteAdd({ maxTokenA: 1n }))).toEqual(ONE_READ);
  });

  test.each([
    ['neither side', {}, 'invalid-input', { field: 'maxTokenA' }],
    ['too little of A', { maxTokenA: 1n }, 'output-is-zero', { field: 'maxTokenA', amountIn: 1n }],
    ['too little of B', { maxTokenB: 2n }, 'output-is-zero', { field: 'maxTokenB', amountIn: 2n }],
    ['nothing of A', { maxTokenA: 0n }, 'zero-amount', { field: 'maxTokenA' }],
    ['nothing of B', { maxTokenA: 5n, maxTokenB: 0n }, 'zero-amount', { field: 'maxTokenB' }],
    ['a negative A', { maxTokenA: -1n }, 'invalid-amount', { field: 'maxTokenA' }],
    ['a number for A', { maxTokenA: 5 }, 'invalid-amount', { field: 'maxTokenA' }],
    ['text for B', { maxTokenB: '5' }, 'invalid-amount', { field: 'maxTokenB' }],
    ['more than 64 bits of B', { maxTokenB: U64_MAX + 1n }, 'amount-out-of-range', { field: 'maxTokenB' }],
    ['another mint', { maxTokenA: 5n, mint: STRANGER }, 'pool-mint-mismatch', { actual: STRANGER }],
    [
      'another version',
      { maxTokenA: 5n, configVersion: 2 },
      'config-version-mismatch',
      { expected: 3, actual: 2 },
    ],
  ])('refuses %s', async (_, change, code, context) => {
    await expectRefusal(quoteAdd(change), code, context);
  });

  test.each([undefined, -1, 10_001, 0.5, '50'])('refuses a slippage of %s, unasked', async (slippageBps) => {
    const change = { maxTokenA: 5n, slippageBps };
    await expectRefusal(quoteAdd(change), 'invalid-slippage', { field: 'slippageBps' });
    expect(ledger.requests).toEqual([]);
  });

  test('refuses deposits that are off, and an empty pool', async () => {
    setLiquidity(0n, 0n, 0n);
    await expectRefusal(quoteAdd({ maxTokenA: 5n }), 'insufficient-liquidity');
    allow({ depositLiquidity: 0 });
    await expectRefusal(quoteAdd({ maxTokenA: 5n }), 'deposit-disabled', { pool: pro.pool });
  });
});

describe('a withdrawal quote', () => {
  const quoteRemove = (lpTokensToBurn: unknown, change: object = {}) =>
    quoteProRemoveLiquidity(client, {
      ...locator(),
      slippageBps: 50,
      lpTokensToBurn: lpTokensToBurn as bigint,
      ...change,
    });
  beforeEach(() => setLiquidity(1_000_003n, 2_000_007n, 1_000_000n));

  test.each([
    // 999.002 of A and 1998.007 of B; less 0.5 % they are 994.005 and 1988.01
    [999n, { tokenA: 999n, tokenB: 1_998n, minTokenA: 994n, minTokenB: 1_988n, sharePct: 0.0999 }],
    // 1000.003 and 2000.007; 995 and 1990
    [1_000n, { tokenA: 1_000n, tokenB: 2_000n, minTokenA: 995n, minTokenB: 1_990n, sharePct: 0.1 }],
    // All: 995002.985 and 1990006.965
    [
      1_000_000n,
      { tokenA: 1_000_003n, tokenB: 2_000_007n, minTokenA: 995_002n, minTokenB: 1_990_006n, sharePct: 100 },
    ],
  ])('of %s LP tokens', async (lpTokensToBurn, expected) => {
    expect(await quoteRemove(lpTokensToBurn)).toEqual({ lpTokensToBurn, ...expected });
  });

  test('is built as it is, without a warning', async () => {
    const { lpTokensToBurn, minTokenA, minTokenB } = await quoteRemove(999n);
    expect(codesOf(await run('remove', { lpTokensToBurn, minTokenA, minTokenB }))).toEqual([]);
  });

  test('takes one call', async () => {
    expect(await methodsOf(() => quoteRemove(1n))).toEqual(ONE_READ);
  });

  test.each([
    ['nothing', 0n, 'zero-amount', {}],
    ['a number', 5, 'invalid-amount', {}],
    ['a negative', -5n, 'invalid-amount', {}],
    ['undefined', undefined, 'invalid-amount', {}],
    ['more than 64 bits', U64_MAX + 1n, 'amount-out-of-range', {}],
    [
      'more than there are',
      1_000_001n,
      'insufficient-lp-tokens',
      { requested: 1_000_001n, available: 1_000_000n },
    ],
  ])('refuses %s', async (_, lpTokensToBurn, code, context) => {
    await expectRefusal(quoteRemove(lpTokensToBurn), code, context);
  });

  test('refuses withdrawals that are off', async () => {
    allow({ removeLiquidity: 0 });
    await expectRefusal(quoteRemove(5n), 'withdraw-disabled', { pool: pro.pool });
  });
});

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
    expect((await run(name)).instructions.slice(0, 2)).toEqual(defaults);
    const absent = await run(name, { computeUnitLimit: null, computeUnitPrice: null });
    expect(absent.instructions.slice(0, 2)).toEqual(defaults);
    const given = await run(name, { computeUnitLimit: 7, computeUnitPrice: 9n });
    expect(given.instructions.slice(0, 2)).toEqual(budget(7, 9n));
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

  test.each(NAMES)('%s: refuses a standard pool, and what is none', async (name) => {
    const { pool } = ledger.pools.creator;
    await expectRefusal(run(name, { pool }), 'pool-kind-mismatch', { expected: 'pro', actual: 'standard' });
    await expectRefusal(run(name, { pool: STRANGER }), 'pool-not-found', { pool: STRANGER });
    await expectRefusal(run(name, { pool: pro.mint }), 'account-owner-mismatch');
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

describe('an operation is refused', () => {
  test.each([...TOGGLES, ...SETTERS, 'updateReceiver'] as const)(
    '%s by another than the creator',
    async (name) => {
      await expectRefusal(run(name, { payer: OTHER }), 'not-pool-creator', {
        expected: pro.creator,
        actual: OTHER,
      });
    },
  );

  test('when its switch is off', async () => {
    allow({ depositLiquidity: 0 });
    await expectRefusal(run('add'), 'deposit-disabled', { pool: pro.pool });
    await expect(run('remove')).resolves.toBeDefined();
    allow({ depositLiquidity: 1, removeLiquidity: 0 });
    await expectRefusal(run('remove'), 'withdraw-disabled', { pool: pro.pool });
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
    await expectRefusal(run(name, { [amount]: 1_000n }), 'insufficient-lp-tokens', {
      requested: 1_000n,
      available: 999n,
    });
    await expectRefusal(run(name, { [amount]: 1n, [wallet]: OTHER }), 'insufficient-lp-tokens', {
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

  test.each(CREATOR_FEE_SETTERS)('%s where the creator fee is fixed', async (name) => {
    allow({ updateCreatorTradingFee: 0 });
    await expectRefusal(run(name), 'creator-fee-locked', { pool: pro.pool });
    await expect(run('setLpFee')).resolves.toBeDefined();
    await expect(run('setReflectionFee')).resolves.toBeDefined();
  });

  test('a creator fee over the config’s maximum', async () => {
    ledger.updateConfig(pro.protocolConfig, () => ({ maxCreatorTradingFee: 400 }));
    const over = [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: 400, sellFeeBps: 401 }];
    await expect(run('setMarketCapCreatorFee', { brackets })).resolves.toBeDefined();
    await expectRefusal(run('setMarketCapCreatorFee', { brackets: over }), 'fee-too-high', {
      field: 'brackets[0].sellFeeBps',
      feeBps: 401,
      most: 400,
    });
    await expectRefusal(run('setSlotCreatorFee'), 'fee-too-high', {
      field: 'brackets[0].buyFeeBps',
      feeBps: 5_000,
      most: 400,
    });
    // The config's maximum is for the creator fee alone.
    await expect(run('setLpFee', { brackets: over })).resolves.toBeDefined();
    await expect(run('setReflectionFee', { brackets: over })).resolves.toBeDefined();
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
    await expectRefusal(run('updateReceiver'), 'receiver-update-not-allowed', state);
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
    await expectRefusal(run('claimCreatorFees', { payer: OTHER }), 'not-fee-receiver', {
      expected: pro.creator,
      actual: OTHER,
    });
    update({ creatorTradingFeeReceiver: OTHER });
    await expectRefusal(run('claimCreatorFees'), 'not-fee-receiver', {
      expected: OTHER,
      actual: pro.creator,
    });
    await expect(run('claimCreatorFees', { payer: OTHER })).resolves.toBeDefined();
  });

  test('claimCreatorFees of more than has accrued', async () => {
    await expect(run('claimCreatorFees', { amount: ACCRUED })).resolves.toBeDefined();
    await expectRefusal(run('claimCreatorFees', { amount: ACCRUED + 1n }), 'insufficient-fees', {
      requested: ACCRUED + 1n,
      available: ACCRUED,
    });
  });

  test.each([
    ['blocked', { creatorTradingFeeDistribution: Blocked }],
    ['nothing-to-claim', { creatorTradingFees: 0n }],
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
    ['add', { mint: STRANGER }, 'pool-mint-mismatch', { actual: STRANGER }],
    ['remove', { mint: STRANGER }, 'pool-mint-mismatch', { actual: STRANGER }],
    ['updateReceiver', { mint: STRANGER }, 'pool-mint-mismatch', { actual: STRANGER }],
    ['add', { configVersion: 2 }, 'config-version-mismatch', { expected: 3, actual: 2 }],
    ['remove', { configVersion: 2 }, 'config-version-mismatch', { expected: 3, actual: 2 }],
    ['updateReceiver', { version: 2 }, 'config-version-mismatch', { expected: 3, actual: 2 }],
  ] as const)('%s with %o', async (name, change, code, context) => {
    await expectRefusal(run(name, change), code, context);
  });

  test('add of so little that it gives nothing', async () => {
    setLiquidity(1_000_003n, 2_000_007n, 1_000_000n);
    await expectRefusal(run('add', { maxTokenA: 1n }), 'output-is-zero');
    await expectRefusal(run('add', { maxTokenB: 0n }), 'zero-amount', { field: 'maxTokenB' });
  });
});

describe('market cap brackets', () => {
  const bracket = (marketCapUpperBound: unknown, buyFeeBps: unknown = 1, sellFeeBps: unknown = 1) => ({
    marketCapUpperBound,
    buyFeeBps,
    sellFeeBps,
  });
  const last = bracket(CATCH_ALL);
  const INVALID = { field: 'brackets' };
  test.each([
    ['five', [...[1n, 2n, 3n, 4n].map((bound) => bracket(bound)), last], 'invalid-brackets', INVALID],
    ['a catch-all over an int64', [bracket(U64_MAX)], 'invalid-brackets', INVALID],
    ['equal bounds', [bracket(5n), bracket(5n), last], 'invalid-brackets', INVALID],
    ['descending bounds', [bracket(6n), bracket(5n), last], 'invalid-brackets', INVALID],
    ['two catch-alls', [last, last], 'invalid-brackets', INVALID],
    [
      'a buy fee over 100 %',
      [bracket(CATCH_ALL, 10_001)],
      'fee-too-high',
      { field: 'brackets[0].buyFeeBps', feeBps: 10_001, most: 10_000 },
    ],
    [
      'a sell fee over 100 %',
      [bracket(1n), bracket(CATCH_ALL, 0, 10_001)],
      'fee-too-high',
      { field: 'brackets[1].sellFeeBps', feeBps: 10_001, most: 10_000 },
    ],
    ['undefined', undefined, 'invalid-input', INVALID],
    ['null', null, 'invalid-input', INVALID],
    ['text', '[]', 'invalid-input', INVALID],
    ['an object', { 0: last }, 'invalid-input', INVALID],
    ['a hole', [undefined], 'invalid-input', { field: 'brackets[0]' }],
    [
      'a bound of a number',
      [bracket(5), last],
      'invalid-amount',
      { field: 'brackets[0].marketCapUpperBound' },
    ],
    [
      'a negative bound',
      [bracket(-1n), last],
      'invalid-amount',
      { field: 'brackets[0].marketCapUpperBound' },
    ],
    ['no bound', [{}, last], 'invalid-amount', { field: 'brackets[0].marketCapUpperBound' }],
    [
      'a bound over 64 bits',
      [bracket(U64_MAX + 1n)],
      'amount-out-of-range',
      { field: 'brackets[0].marketCapUpperBound' },
    ],
    ['a negative fee', [bracket(CATCH_ALL, -1)], 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['half a basis point', [bracket(CATCH_ALL, 0.5)], 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['a fee of NaN', [bracket(CATCH_ALL, Number.NaN)], 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['a fee of text', [bracket(CATCH_ALL, 1, '1')], 'invalid-amount', { field: 'brackets[0].sellFeeBps' }],
    ['a fee of a bigint', [bracket(CATCH_ALL, 1, 1n)], 'invalid-amount', { field: 'brackets[0].sellFeeBps' }],
    [
      'a fee over 32 bits',
      [bracket(CATCH_ALL, 2 ** 32)],
      'amount-out-of-range',
      { field: 'brackets[0].buyFeeBps' },
    ],
  ])('refused before the node is asked: %s', async (_, given, code, context) => {
    for (const name of BRACKET_SETTERS) {
      await expectRefusal(run(name, { brackets: given }), code, context);
    }
    expect(ledger.requests).toEqual([]);
  });

  test.each([1, 2, 3, 4])('%s of them are taken', async (count) => {
    const given = Array.from({ length: count }, (_, index) =>
      bracket(index === count - 1 ? CATCH_ALL : BigInt(index), index, index + 1),
    );
    for (const name of BRACKET_SETTERS) {
      expect(parsedOf(await run(name, { brackets: given })).data).toEqual({
        fees: { brackets: [...given, ...Array<object>(4 - count).fill(UNUSED)], count },
      });
    }
  });
});

describe('market cap brackets that are completed', () => {
  const parsed = async (given: readonly object[]) =>
    await Promise.all(
      BRACKET_SETTERS.map(async (name) => {
        const built = await run(name, { brackets: given });
        return { data: parsedOf(built).data, codes: built.warnings.map(({ code }) => code) };
      }),
    );

  test('none are a fee of 0 %', async () => {
    const noFee = { marketCapUpperBound: CATCH_ALL, buyFeeBps: 0, sellFeeBps: 0 };
    for (const { data, codes } of await parsed([])) {
      expect(data).toEqual({ fees: { brackets: [noFee, UNUSED, UNUSED, UNUSED], count: 1 } });
      expect(codes).toEqual([]);
    }
  });

  test('the last one covers every market cap, and a warning says so', async () => {
    const first = { marketCapUpperBound: 5n, buyFeeBps: 1, sellFeeBps: 2 };
    const second = { marketCapUpperBound: CATCH_ALL - 1n, buyFeeBps: 3, sellFeeBps: 4 };
    for (const { data, codes } of await parsed([first, second])) {
      const last = { ...second, marketCapUpperBound: CATCH_ALL };
      expect(data).toEqual({ fees: { brackets: [first, last, UNUSED, UNUSED], count: 2 } });
      expect(codes).toEqual(['no-catch-all']);
    }
  });
});

describe('slot brackets', () => {
  const slot = (slotOffsetUpperbound: unknown, buyFeeBps: unknown = 100, sellFeeBps: unknown = 100) => ({
    slotOffsetUpperbound,
    buyFeeBps,
    sellFeeBps,
  });
  const of = (...given: readonly object[]) => ({
    brackets: given,
    maxSlotOffset: 15,
    maxFeeBps: 100,
    enabled: true,
  });
  const INVALID = { field: 'brackets' };
  const many = (count: number) => ({
    ...of(...Array.from({ length: count }, (_, index) => slot(index))),
    maxSlotOffset: count - 1,
  });
  test.each([
    ['43', many(43), 'invalid-brackets', INVALID],
    ['none, but enabled', { ...of(), maxSlotOffset: 0, maxFeeBps: 0 }, 'invalid-brackets', INVALID],
    ['equal bounds', of(slot(15), slot(15)), 'invalid-brackets', INVALID],
    ['descending bounds', of(slot(16), slot(15)), 'invalid-brackets', INVALID],
    ['a bound past the last slot', of(slot(16)), 'invalid-brackets', INVALID],
    [
      'a highest fee over 100 %',
      { ...of(slot(15)), maxFeeBps: 10_001 },
      'fee-too-high',
      { field: 'maxFeeBps', feeBps: 10_001, most: 10_000 },
    ],
    ['a fee over the highest', of(slot(15, 100, 101)), 'invalid-brackets', INVALID],
    [
      'a fee over 100 %',
      { ...of(slot(15, 10_001)), maxFeeBps: 10_001 },
      'fee-too-high',
      { field: 'brackets[0].buyFeeBps', feeBps: 10_001, most: 10_000 },
    ],
    ['no list', { ...of(), brackets: undefined }, 'invalid-input', INVALID],
    ['text for a list', { ...of(), brackets: 'x' }, 'invalid-input', INVALID],
    ['a bound of a bigint', of(slot(15n)), 'invalid-amount', { field: 'brackets[0].slotOffsetUpperbound' }],
    ['a negative bound', of(slot(-1)), 'invalid-amount', { field: 'brackets[0].slotOffsetUpperbound' }],
    ['a bound of NaN', of(slot(Number.NaN)), 'invalid-amount', { field: 'brackets[0].slotOffsetUpperbound' }],
    [
      'a bound over 16 bits',
      of(slot(65_536)),
      'amount-out-of-range',
      { field: 'brackets[0].slotOffsetUpperbound' },
    ],
    ['half a basis point', of(slot(15, 0.5)), 'invalid-amount', { field: 'brackets[0].buyFeeBps' }],
    ['a fee of text', of(slot(15, 1, '1')), 'invalid-amount', { field: 'brackets[0].sellFeeBps' }],
    [
      'no last slot',
      { ...of(slot(15)), maxSlotOffset: undefined },
      'invalid-amount',
      { field: 'maxSlotOffset' },
    ],
    [
      'a last slot of text',
      { ...of(slot(15)), maxSlotOffset: '15' },
      'invalid-amount',
      { field: 'maxSlotOffset' },
    ],
    [
      'a last slot over 16 bits',
      { ...of(slot(15)), maxSlotOffset: 65_536 },
      'amount-out-of-range',
      { field: 'maxSlotOffset' },
    ],
    ['no highest fee', { ...of(slot(15)), maxFeeBps: undefined }, 'invalid-amount', { field: 'maxFeeBps' }],
    ['a negative highest fee', { ...of(slot(15)), maxFeeBps: -1 }, 'invalid-amount', { field: 'maxFeeBps' }],
    ['no switch', { ...of(slot(15)), enabled: undefined }, 'invalid-input', { field: 'enabled' }],
    ['a switch of 1', { ...of(slot(15)), enabled: 1 }, 'invalid-input', { field: 'enabled' }],
  ])('refused before the node is asked: %s', async (_, given, code, context) => {
    await expectRefusal(run('setSlotCreatorFee', given), code, context);
    expect(ledger.requests).toEqual([]);
  });

  test('the maxima may be higher than theirs', async () => {
    const given = of(slot(14, 99, 99));
    expect(parsedOf(await run('setSlotCreatorFee', given)).data).toMatchObject({
      fees: { count: 1, maxSlotOffset: 15, maxFeeBps: 100 },
    });
  });

  test('42 of them are taken', async () => {
    const given = many(42);
    expect(parsedOf(await run('setSlotCreatorFee', given)).data).toMatchObject({
      fees: { brackets: given.brackets, count: 42, maxSlotOffset: 41 },
    });
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
    ...(['add', 'remove', 'transfer'] as const).flatMap((name) =>
      ['x', undefined, 7].map((value) => [name, 'pool', value, 'invalid-address'] as const),
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
  test.each(KNOWN_BEFORE)('%s, before the node is asked: %s is %s', async (name, field, value, code) => {
    await expectRefusal(run(name, { [field]: value }), code, { field });
    expect(ledger.requests).toEqual([]);
  });

  const KNOWN_WHEN_READING: readonly Row[] = [
    ...NAMES.flatMap((name) =>
      ['x', undefined, null, 7].map((value) => [name, 'pool', value, 'invalid-address'] as const),
    ),
  ];
  test.each(KNOWN_WHEN_READING)('%s: %s is %s', async (name, field, value, code) => {
    await expectRefusal(run(name, { [field]: value }), code, { field });
  });
});

describe('warnings', () => {
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
    const { warnings } = await run('transfer');
    // (97 + 128) * 6960 lamports
    expect(warnings).toEqual([
      { code: 'position-rent', message: expect.stringMatching(new RegExp(`${OTHER} pays .*0\\.001566 SOL`)) },
    ]);
    await setPosition({ user: STRANGER });
    expect(codesOf(await run('transfer'))).toEqual([]);
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
