import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type BuiltTransaction,
  buildBuy,
  buildClaimCreatorTradingFees,
  buildProAddLiquidity,
  buildProClaimCreatorFees,
  buildProClaimLpFees,
  buildProRemoveLiquidity,
  buildSell,
  quoteBuy,
  quoteSellExactOut,
  type TransactionIntent,
  type TransactionOptions,
} from '../../src/index.js';
import { buildLocally, createWorld, intentsIn, type World } from '../review/support.js';
import { WALLET } from '../support/addresses.js';

let world: World;
let intents: readonly TransactionIntent[];
beforeAll(async () => {
  world = await createWorld();
  intents = Object.values(await intentsIn(world));
});

/** The warnings of the budget, by code, of a transaction with these options, whatever it moves. */
async function warningsOf(intent: TransactionIntent, options: TransactionOptions) {
  const input = { ...intent.input, ...options } as never;
  const { warnings } = await buildLocally(world.client, { ...intent, input });
  return warnings.flatMap(({ code, message }) =>
    (code === 'high-priority-fee' && !message.includes('over 5 %')) || /^compute-|^bound|^high-tip/.test(code)
      ? [code]
      : [],
  );
}

describe.each([0, 1] as const)('in version %i', (transactionVersion) => {
  test.each<[TransactionOptions, readonly string[]]>([
    // Its own budget.
    [{ computeUnitLimit: null, computeUnitPrice: null }, []],
    // From 0.05 SOL. A part of a lamport is charged as a whole one: 49,999,999.1.
    [{ computeUnitLimit: 100_000, computeUnitPrice: 499_999_990n }, []],
    [{ computeUnitLimit: 100_000, computeUnitPrice: 499_999_991n }, ['high-priority-fee']],
    [{ computeUnitLimit: 100_000, computeUnitPrice: 500_000_000n }, ['high-priority-fee']],
    // It can't be enough.
    [{ computeUnitLimit: 99 }, ['compute-limit-too-low']],
  ])('every builder with %o warns of %j', async (options, codes) => {
    for (const intent of intents)
      expect(await warningsOf(intent, { ...options, transactionVersion })).toEqual(codes);
  });
});

const limit = getSetComputeUnitLimitInstruction({ units: 300_000 });
const price = getSetComputeUnitPriceInstruction({ microLamports: 1n });
const intentOf = (name: TransactionIntent['function']) =>
  intents.find((intent) => intent.function === name) as TransactionIntent;

test.each<[TransactionIntent['function'], TransactionOptions, readonly string[]]>([
  // What the cluster allows when no limit is set. A price and the exchange's instruction: 3,000 + 200,000 units.
  ['buildProToggleSwap', { computeUnitLimit: 0, computeUnitPrice: 246_305_413n }, []],
  ['buildProToggleSwap', { computeUnitLimit: 0, computeUnitPrice: 246_305_414n }, ['high-priority-fee']],
  // What the other programs of a transaction take.
  ['buildCreateStandardLiquidityPool', { computeUnitLimit: 70_000 }, ['compute-limit-too-low']],
  ['buildCreateStandardLiquidityPool', { computeUnitLimit: 80_000 }, []],
  // More than the cluster takes, and what it rejects: a second limit or price.
  ['buildSell', { computeUnitLimit: 1_400_000, computeUnitPrice: 1 }, []],
  ['buildSell', { computeUnitLimit: 1_400_001, computeUnitPrice: 1 }, ['compute-limit-too-high']],
  ['buildSell', { before: [limit, price] }, ['bound-to-fail']],
  ['buildSell', { before: [limit, price], computeUnitLimit: 0, computeUnitPrice: 0 }, []],
  ['buildSell', { before: [limit, price], transactionVersion: 1 }, []],
  // A tip, from 1 SOL.
  ['buildBuy', { tip: { to: WALLET, lamports: 999_999_999n } }, []],
  ['buildBuy', { tip: { to: WALLET, lamports: 1_000_000_000n } }, ['high-tip']],
  ['buildBuy', { computeUnitLimit: 8_000 }, ['compute-limit-too-low']],
  ['buildBuy', { computeUnitLimit: 10_000 }, []],
])('%s with %o warns of %j', async (name, options, codes) => {
  expect(await warningsOf(intentOf(name), options)).toEqual(codes);
});

describe.each([0, 1] as const)('over 5 %% of the SOL side, in version %i', (transactionVersion) => {
  type Build = (lamports: bigint, options: TransactionOptions) => Promise<BuiltTransaction>;
  const terms = () => ({ configVersion: 2, mint: world.ledger.pools.creator.mint, slippageBps: 50 });
  const locator = () => {
    const { configVersion, mint, pool, creator: payer } = world.ledger.pools.pro;
    return { configVersion, mint, pool, payer };
  };
  const buy: Build = async (lamports, options) => {
    const quoteResponse = await quoteBuy(world.client, { ...terms(), lamports });
    return await buildBuy(world.client, { payer: world.payer, quoteResponse, ...options });
  };

  // The default budgets cost 0.008 SOL in a trade, 0.0026 in a claim, 0.005 with liquidity.
  test.each<[string, most: bigint, Build, TransactionOptions?]>([
    ['a buy', 160_000_000n, buy],
    ['a tipped buy', 200_000_000n, buy, { tip: { to: WALLET, lamports: 2_000_000n } }],
    [
      'a buy with a tip alone',
      40_000_000n,
      buy,
      { tip: { to: WALLET, lamports: 2_000_000n }, computeUnitPrice: 0 },
    ],
    [
      'a sell',
      160_000_000n,
      async (lamports, options) => {
        // One unit of the token is worth far less than a lamport.
        const ask = { ...terms(), amountOut: lamports, slippageOn: 'output' } as const;
        const quoteResponse = await quoteSellExactOut(world.client, ask);
        expect(quoteResponse.details.amountOut).toBe(lamports);
        return await buildSell(world.client, { payer: world.payer, quoteResponse, ...options });
      },
    ],
    [
      'a claim',
      52_000_000n,
      (amount, options) => {
        const { mint, creator: payer } = world.ledger.pools.creator;
        return buildClaimCreatorTradingFees(world.client, { mint, payer, version: 2, amount, ...options });
      },
    ],
    [
      'a claim of everything',
      52_000_000n,
      (creatorTradingFees, options) => {
        const { pool, payer } = locator();
        world.ledger.updatePool(pool, () => ({ creatorTradingFees }));
        return buildProClaimCreatorFees(world.client, { pool, payer, ...options });
      },
    ],
    [
      "a claim of a provider's fees",
      52_000_000n,
      async (pendingFees, options) => {
        const { pool, payer } = locator();
        await world.ledger.setLpPosition({
          pool,
          user: payer,
          lpTokenBalance: 10n ** 11n,
          rewardDebt: 0n,
          pendingFees,
        });
        return await buildProClaimLpFees(world.client, { pool, payer, ...options });
      },
    ],
    [
      'a deposit',
      100_000_000n,
      (maxTokenB, options) => {
        const limits = { maxTokenA: 10n ** 15n, maxTokenB, minLpTokens: 0n };
        return buildProAddLiquidity(world.client, { ...locator(), ...limits, ...options });
      },
    ],
    [
      'a withdrawal',
      100_000_000n,
      (lpTokensToBurn, options) => {
        const limits = { lpTokensToBurn, minTokenA: 0n, minTokenB: 0n };
        return buildProRemoveLiquidity(world.client, { ...locator(), ...limits, ...options });
      },
    ],
  ])('%s: not of %d lamports, but of one less', async (_, most, build, options = {}) => {
    const warningsAt = async (lamports: bigint) => {
      const { warnings } = await build(lamports, { transactionVersion, ...options });
      return warnings.filter(({ code }) => code === 'high-priority-fee').map(({ message }) => message);
    };
    expect(await warningsAt(most)).toEqual([]);
    expect(await warningsAt(most - 1n)).toEqual([
      expect.stringMatching(/^The priority fee, with any tip, is .*: over 5 % of the 0\./),
    ]);
  });
});
