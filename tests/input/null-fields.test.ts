import { generateKeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';

import {
  assertTransactionMatches,
  buildBuy,
  buildClaimCreatorTradingFees,
  buildCreateStandardLiquidityPool,
  buildProBuy,
  buildProCreate,
  createHeavenClient,
  fetchPoolSnapshot,
  findPools,
  getPoolInfo,
  getPoolState,
  type HeavenClient,
  quoteBuy,
  quoteInitialBuy,
  quoteMany,
  quoteProAddLiquidity,
  quoteProBuy,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

// An optional field that is null counts as left out, like over HTTP.

let ledger: EmbeddedLedger;
let client: HeavenClient;

beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  client = createHeavenClient({ rpc: ledger.rpc });
});

const TERMS = { snapshot: null, stalePriceSeconds: null, maxPriceImpactBps: null };
const TRANSACTION = {
  computeUnitLimit: null,
  computeUnitPrice: null,
  before: null,
  after: null,
  lifetime: null,
};
const EVENT_DATA = { encodedUserDefinedEventData: null };
const TRADE = { ...TRANSACTION, ...EVENT_DATA, wrapSol: null, snapshot: null, source: null };
const FEATURES = {
  enableSwap: null,
  enableDepositLiquidity: null,
  enableWithdrawLiquidity: null,
  enableUpdateCreatorTradingFee: null,
  enableSameSlotTrading: null,
  enableSandwichResistantMode: null,
};

type Call = (nulls: object) => Promise<unknown>;
const pools = () => ledger.pools;

const CALLS: readonly (readonly [string, object, () => Call])[] = [
  [
    'quoteBuy',
    TERMS,
    () => {
      const { mint, configVersion } = pools().creator;
      return (nulls) => quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50, ...nulls });
    },
  ],
  [
    'quoteProBuy',
    TERMS,
    () => {
      const { mint, pool, configVersion } = pools().pro;
      const input = { mint, pool, configVersion, maxSolSpend: 1, slippageBps: 50 };
      return (nulls) => quoteProBuy(client, { ...input, ...nulls });
    },
  ],
  [
    'quoteMany',
    { stalePriceSeconds: null, maxPriceImpactBps: null, pool: null },
    () => {
      const { mint, configVersion } = pools().creator;
      const request = { side: 'buy', mint, configVersion, maxSolSpend: 1, slippageBps: 50 } as const;
      return (nulls) => quoteMany(client, [{ ...request, ...nulls }]);
    },
  ],
  [
    'quoteMany, of its limits',
    { maxAccountsPerCall: null, maxConcurrentCalls: null },
    () => {
      const { mint, configVersion } = pools().creator;
      const request = { side: 'buy', mint, configVersion, maxSolSpend: 1, slippageBps: 50 } as const;
      return (nulls) => quoteMany(client, [request], nulls);
    },
  ],
  [
    'quoteProAddLiquidity',
    { maxTokenA: null },
    () => {
      const { mint, pool, configVersion } = pools().pro;
      const input = { mint, pool, configVersion, maxTokenB: 1_000_000n, slippageBps: 50 };
      return (nulls) => quoteProAddLiquidity(client, { ...input, ...nulls });
    },
  ],
  [
    'fetchPoolSnapshot',
    { pool: null },
    () => {
      const { mint, configVersion } = pools().creator;
      return (nulls) => fetchPoolSnapshot(client, { mint, configVersion, ...nulls });
    },
  ],
  [
    'getPoolState of a token',
    { pool: null },
    () => (nulls) => getPoolState(client, { mint: pools().creator.mint, ...nulls }),
  ],
  [
    'getPoolState of a pool',
    { mint: null },
    () => (nulls) => getPoolState(client, { pool: pools().pro.pool, ...nulls }),
  ],
  [
    'getPoolInfo',
    { pool: null, configVersion: null },
    () => (nulls) => getPoolInfo(client, { mint: pools().creator.mint, ...nulls }),
  ],
  [
    'findPools',
    { mint: null, kind: null, configVersion: null, all: null },
    () => async (nulls) =>
      (await findPools(client, { creator: pools().pro.creator, ...nulls })).map(({ address }) => address),
  ],
  [
    'buildBuy',
    TRADE,
    () => async (nulls) => {
      const { mint, configVersion, creator: payer } = pools().creator;
      const quote = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
      const input = { payer, quoteResponse: quote, encodedUserDefinedEventData: '', ...nulls };
      const { tx } = await buildBuy(client, input);
      expect(await assertTransactionMatches(tx, { function: 'buildBuy', input }, { client })).toBeDefined();
      return tx;
    },
  ],
  [
    'buildProBuy',
    TRADE,
    () => async (nulls) => {
      const { mint, pool, configVersion, creator: payer } = pools().pro;
      const quote = await quoteProBuy(client, { mint, pool, configVersion, maxSolSpend: 1, slippageBps: 50 });
      const input = { payer, pool, quoteResponse: quote, encodedUserDefinedEventData: '', ...nulls };
      return (await buildProBuy(client, input)).tx;
    },
  ],
  [
    'buildClaimCreatorTradingFees',
    { ...TRANSACTION, amount: null, wrapSol: null },
    () => async (nulls) => {
      const { mint, configVersion: version, creator: payer } = pools().creator;
      return (await buildClaimCreatorTradingFees(client, { mint, payer, version, ...nulls })).tx;
    },
  ],
  [
    'buildProCreate',
    {
      ...TRANSACTION,
      ...EVENT_DATA,
      features: null,
      creatorTradingFee: null,
      creatorSlotTradingFee: null,
      reflectionTradingFee: null,
      liquidityProviderTradingFee: null,
    },
    () => creation,
  ],
  ['buildProCreate, of its features', { features: FEATURES }, () => creation],
];

const creation: Call = async (nulls) => {
  const { mint, creator } = pools().creator;
  const input = {
    payer: creator,
    creator,
    encodedUserDefinedEventData: '',
    configVersion: 3,
    mint,
    initialTokenAAmount: 4_000_000_000_000n,
    initialTokenBAmount: 9_000_000_000n,
    lutAddress: ledger.lookupTables.community,
  };
  return (await buildProCreate(client, { ...input, ...nulls })).tx;
};

test.each(CALLS)('%s treats null as left out', async (_, nulls, prepare) => {
  const call = prepare();
  expect(await call(nulls)).toEqual(await call({}));
});

test('a launch treats null as left out', async () => {
  const { creator } = pools().creator;
  const mintSigner = await generateKeyPairSigner();
  const build = (nulls: object) =>
    buildCreateStandardLiquidityPool(client, {
      payer: creator,
      creator,
      name: 'A token',
      symbol: 'TOKEN',
      uri: 'https://example.com/token.json',
      initialPurchaseAmount: 1_000_000_000n,
      lutAddress: ledger.lookupTables.community,
      encodedUserDefinedEventData: '',
      mintSigner,
      ...nulls,
    });
  const nulls = {
    ...TRANSACTION,
    ...EVENT_DATA,
    configVersion: null,
    maxSolSpend: null,
    signingOrder: null,
  };
  expect((await build(nulls)).tx).toBe((await build({})).tx);
  const initialBuy = { configVersion: 1, initialPurchasePercent: 1 };
  expect(await quoteInitialBuy(client, { ...initialBuy, slippage: null })).toEqual(
    await quoteInitialBuy(client, initialBuy),
  );
});
