import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildBuy,
  buildProAddLiquidity,
  buildProBuy,
  buildProClaimLpFees,
  buildProCreate,
  buildProRemoveLiquidity,
  buildProSell,
  createClient,
  getLpBalance,
  getPoolState,
  type HeavenClient,
  inspectTransaction,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  type RulesPatch,
} from '../../src/index.js';
import {
  findProPoolAddress,
  getCreateProLiquidityPoolInstruction,
  parseCreateProLiquidityPoolInstruction,
} from '../../src/program/index.js';
import { createFeeBrackets } from '../../src/testing/index.js';
import { asMutable, putTogether, tableOf, takeApart } from '../review/support.js';
import { CATCH_ALL, SOL } from '../support/amounts.js';
import { ledger, useLedger } from '../support/ledger.js';

// The model under other rules than the default ones, against a client with the same rules and against one without.

useLedger();

const EVERYTHING: RulesPatch = {
  proPoolSeeds: 'creator-first',
  lpPositionSeed: 'lp_position',
  priceAccounts: {
    pro_buy: false,
    pro_sell: false,
    add_liquidity_pro_pool: false,
    remove_liquidity_pro_pool: false,
    create_pro_liquidity_pool: false,
    claim_pro_liquidity_provider_trading_fees: false,
  },
  firstLpSupply: 5_159_780_352n,
  feePerLpTokenUnit: 2n ** 64n,
  depositRounding: 'down',
};

const clientWith = (rules: RulesPatch = {}): HeavenClient =>
  createClient({ rpc: ledger.rpc, deployment: { rules } });

const always = (bps: number) => [{ marketCapUpperBound: CATCH_ALL, buyFeeBps: bps, sellFeeBps: bps }];

const tokensIn = (account: Address): bigint =>
  new DataView(Uint8Array.from(ledger.getAccount(account)!.data).buffer).getBigUint64(64, true);

const errorOf = async ({ tx }: BuiltTransaction) => (await ledger.execute(tx)).err;

const create = (client: HeavenClient) => {
  const { mint, creator } = ledger.pools.creator;
  return buildProCreate(client, {
    payer: creator,
    creator,
    encodedUserDefinedEventData: '',
    configVersion: 3,
    mint,
    initialTokenAAmount: 4_000_000_000_000n,
    initialTokenBAmount: 9n * SOL,
    lutAddress: ledger.lookupTables.community,
    creatorTradingFee: always(120),
    liquidityProviderTradingFee: always(100),
    features: { enableSameSlotTrading: true },
  });
};

/** The number of accounts that the exchange is given. */
const accountsOf = ({ instructions }: BuiltTransaction, client: HeavenClient): number | undefined =>
  instructions.find(({ programAddress }) => programAddress === client.deployment.programAddress)?.accounts
    ?.length;

describe('a pro pool with every rule reversed', () => {
  test('lives, for a client with the same rules', async () => {
    const client = clientWith(EVERYTHING);
    ledger.setBehavior({ rules: EVERYTHING });
    const { mint, creator } = ledger.pools.creator;
    const built = await create(client);
    expect(built.pool).toBe(await findProPoolAddress({ mint, creator }, client.deployment));
    expect(built.lpTokens).toBe(5_159_780_352n);
    expect(accountsOf(built, client)).toBe(14);
    expect(await errorOf(built)).toBeNull();
    const { pool } = built;
    const where = { pool, mint, configVersion: 3 };
    const event = { encodedUserDefinedEventData: '' };
    const position = () => getLpBalance(client, { pool, user: creator });
    expect(await position()).toMatchObject({ exists: true, lpTokenBalance: 5_159_780_352n });

    const buy = await quoteProBuy(client, { ...where, maxSolSpend: 1, slippageBps: 0 });
    expect(buy.details.rules).toEqual({ ...EVERYTHING, priceAccounts: EVERYTHING.priceAccounts });
    const bought = await buildProBuy(client, { ...event, payer: creator, pool, quoteResponse: buy });
    expect([accountsOf(bought, client), await errorOf(bought)]).toEqual([14, null]);
    const sell = await quoteProSell(client, { ...where, amountInUi: 100, slippageBps: 0 });
    const sold = await buildProSell(client, { ...event, payer: creator, pool, quoteResponse: sell });
    expect([accountsOf(sold, client), await errorOf(sold)]).toEqual([14, null]);

    // 1 % of a SOL, and of what the sell gave: a fraction of a lamport is lost to the supply.
    const { reserve } = await getPoolState(client, { pool });
    const fees = 10_000_000n + sell.details.fees.liquidityProvider;
    const { pendingFees, details } = await position();
    expect(details.feePerLpTokenUnit).toBe(2n ** 64n);
    expect(reserve.accumulatedFeePerLpToken).toBeGreaterThan(2n ** 50n);
    expect([fees - 1n, fees]).toContain(pendingFees);
    const claim = await buildProClaimLpFees(client, { payer: creator, pool });
    expect([accountsOf(claim, client), await errorOf(claim)]).toEqual([13, null]);
    expect((await position()).pendingFees).toBe(0n);

    const most = { maxTokenA: 1_000_000_000n, maxTokenB: SOL };
    const added = await buildProAddLiquidity(client, { ...where, ...most, payer: creator, minLpTokens: 1n });
    expect([accountsOf(added, client), await errorOf(added)]).toEqual([15, null]);
    const { lpTokenBalance } = await position();
    const deposited = lpTokenBalance - 5_159_780_352n;
    const after = await getPoolState(client, { pool });
    expect(after.reserve.tokenA - reserve.tokenA).toBe((deposited * reserve.tokenA) / 5_159_780_352n);
    expect(after.reserve.tokenB - reserve.tokenB).toBe((deposited * reserve.tokenB) / 5_159_780_352n);
    const removed = await buildProRemoveLiquidity(client, {
      ...where,
      payer: creator,
      lpTokensToBurn: deposited,
      minTokenA: 1n,
      minTokenB: 1n,
    });
    expect([accountsOf(removed, client), await errorOf(removed)]).toEqual([15, null]);

    // What is inspected has no price accounts, by the client's rules.
    const { instructions } = await inspectTransaction(removed.tx, { client });
    const exchange = instructions.find(({ program }) => program === 'exchange');
    expect(Object.keys(exchange?.exchange?.accounts ?? {})).toHaveLength(15);
  });

  test.each<[string, RulesPatch, object]>([
    ['the pool is elsewhere', { proPoolSeeds: 'creator-first' }, { Custom: 2006 }],
    ['the position is elsewhere', { lpPositionSeed: 'lp_position' }, { Custom: 2006 }],
  ])('is not created for a client without its rules: %s', async (_, rules, error) => {
    ledger.setBehavior({ rules });
    expect(await errorOf(await create(clientWith()))).toMatchObject({ InstructionError: [2, error] });
    expect(await errorOf(await create(clientWith(rules)))).toBeNull();
  });

  test('takes no trade without the price accounts that it reads', async () => {
    const client = clientWith({ priceAccounts: { pro_buy: false } });
    const { pool, mint, creator } = ledger.pools.pro;
    const quoteResponse = await quoteProBuy(client, {
      pool,
      mint,
      configVersion: 3,
      maxSolSpend: '0.1',
      slippageBps: 0,
    });
    const input = { payer: creator, pool, quoteResponse, encodedUserDefinedEventData: '' };
    const { InstructionError } = (await errorOf(await buildProBuy(client, input))) as unknown as {
      readonly InstructionError: readonly [number, object];
    };
    expect(InstructionError[1]).toEqual({ Custom: 6037 });
    expect(await errorOf(await buildProBuy(clientWith(), input))).toBeNull();
  });

  test('rejects unknown rules', async () => {
    ledger.setBehavior({ rules: { slotsPerLeader: 2 as never } });
    await expect(create(clientWith()).then(errorOf)).rejects.toMatchObject({
      code: 'invalid-input',
      context: { field: 'behavior.rules.slotsPerLeader' },
    });
  });
});

describe('the window of a sandwich-resistant pool', () => {
  const trade = async (client: HeavenClient) => {
    const { mint, creator: payer, configVersion } = ledger.pools.creator;
    const quote = await quoteBuy(client, { mint, configVersion, maxSolSpend: '0.1', slippageBps: 0 });
    return await buildBuy(client, { payer, quoteResponse: quote, encodedUserDefinedEventData: '' });
  };
  const reserveNow = async () =>
    (await getPoolState(clientWith(), { pool: ledger.pools.creator.pool })).reserve;

  test.each([
    [1, 411_354_048n],
    [3, 411_354_048n],
    [5, 411_354_040n],
  ])('with a leader_slot_window of %s is noted by its first slot', async (leaderSlotWindow, first) => {
    ledger.updatePool(ledger.pools.creator.pool, ({ reserve }) => ({
      featureFlags: { sandwichResistantMode: 1 },
      reserve: { ...reserve, leaderSlotWindow },
    }));
    ledger.setSlot(411_354_049n);
    const before = await reserveNow();
    expect(await errorOf(await trade(clientWith()))).toBeNull();
    const noted = { snapshotSlot: first, snapshotA: before.tokenA, snapshotB: before.tokenB };
    expect(await reserveNow()).toMatchObject(noted);
    ledger.setSlot(first + 4n * BigInt(leaderSlotWindow) - 1n);
    expect(await errorOf(await trade(clientWith()))).toBeNull();
    expect(await reserveNow()).toMatchObject(noted);
    ledger.setSlot(first + 4n * BigInt(leaderSlotWindow));
    expect(await errorOf(await trade(clientWith()))).toBeNull();
    expect((await reserveNow()).snapshotSlot).toBe(first + 4n * BigInt(leaderSlotWindow));
  });

  test('has one slot where the rules say so', async () => {
    const rules = { slotsPerLeader: 1 } as const;
    ledger.setBehavior({ rules });
    ledger.setSlot(411_354_049n);
    expect(await errorOf(await trade(clientWith(rules)))).toBeNull();
    expect((await reserveNow()).snapshotSlot).toBe(411_354_049n);
  });

  test('fills reversals as both rules say', async () => {
    const rules = { windowFill: 'reversal-at-start' } as const;
    ledger.updatePool(ledger.pools.creator.pool, ({ reserve }) => ({
      featureFlags: { sandwichResistantMode: 1 },
      reserve: {
        ...reserve,
        leaderSlotWindow: 1,
        snapshotSlot: ledger.slot,
        snapshotA: reserve.tokenA / 2n,
        snapshotB: reserve.tokenB * 2n,
      },
    }));
    ledger.setBehavior({ rules });
    // No slippage: the model gives exactly what was quoted. By the other rule more is asked for than it gives.
    const atStart = await trade(clientWith(rules));
    ledger.setBehavior();
    expect(await errorOf(atStart)).toMatchObject({
      InstructionError: [expect.any(Number), { Custom: 6013 }],
    });
    ledger.setBehavior({ rules });
    expect(await errorOf(atStart)).toBeNull();
  });
});

describe('a buy whose fees are taken from the tokens', () => {
  test('leaves all of its SOL in the reserve, and its fees in the vault', async () => {
    const { pool, mint, creator, tokenAVault, configVersion } = ledger.pools.creator;
    const client = clientWith();
    const { reserve, protocolTradingFees } = await getPoolState(client, { pool });
    const quote = await quoteBuy(client, { mint, configVersion, maxSolSpend: 5, slippageBps: 100 });
    const { protocol, creator: creatorRate } = quote.details.feeRates;
    const held = tokensIn(tokenAVault);
    ledger.setBehavior({ buyFees: 'tokens' });
    const input = { payer: creator, quoteResponse: quote, encodedUserDefinedEventData: '' };
    expect(await errorOf(await buildBuy(client, input))).toBeNull();
    const gross = (reserve.tokenA * 5n * SOL) / (reserve.tokenB + 5n * SOL);
    const fees = [(gross * protocol) / 10_000n, (gross * creatorRate) / 10_000n] as const;
    const after = await getPoolState(client, { pool });
    expect(after.reserve.tokenB - reserve.tokenB).toBe(5n * SOL);
    expect(reserve.tokenA - after.reserve.tokenA).toBe(gross);
    expect(after.protocolTradingFees - protocolTradingFees).toBe(fees[0]);
    expect(held - tokensIn(tokenAVault)).toBe(gross - fees[0] - fees[1]);
  });
});

describe('a pro pool without a fee list', () => {
  /** A creation with `None` for the reflection and the LP fee, as other builders can make it. */
  const withoutLists = async (client: HeavenClient) => {
    const { tx, pool } = await create(client);
    const draft = takeApart(tx, tableOf(ledger, ledger.lookupTables.community));
    const [create_] = draft.instructions.splice(-1);
    const { accounts, data } = parseCreateProLiquidityPoolInstruction(create_!);
    const addresses = Object.fromEntries(
      Object.entries(accounts).map(([name, account]) => [name, account.address]),
    );
    const params = { ...data.params, reflectionTradingFee: null, liquidityProviderTradingFee: null };
    const instruction = getCreateProLiquidityPoolInstruction({ ...addresses, ...data, params } as never);
    draft.instructions.push(asMutable(instruction));
    return { tx: (await putTogether(draft)) as Base64EncodedWireTransaction, pool };
  };

  test.each([
    [undefined, 250n],
    ['config', 250n],
    ['none', 0n],
  ] as const)('under %s takes %s basis points', async (omittedFees, rate) => {
    const fees = createFeeBrackets([CATCH_ALL, 250]);
    ledger.updateConfig(ledger.pools.pro.protocolConfig, ({ marketCapBasedFees }) => ({
      marketCapBasedFees: {
        ...marketCapBasedFees,
        reflectionTradingFee: fees,
        liquidityProviderTradingFee: fees,
      },
    }));
    ledger.setBehavior(omittedFees === undefined ? {} : { omittedFees });
    const client = clientWith();
    const { tx, pool } = await withoutLists(client);
    expect((await ledger.execute(tx)).err).toBeNull();
    const { mint } = ledger.pools.creator;
    const where = { pool, mint, configVersion: 3 };
    const { details } = await quoteProBuy(client, { ...where, maxSolSpend: '0.1', slippageBps: 0 });
    expect(details.feeRates).toMatchObject({ reflection: rate, liquidityProvider: rate, creator: 120n });
  });
});
