import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  buildProCreate,
  createHeavenClient,
  fetchPoolSnapshot,
  findPools,
  findPoolsAt,
  getPoolState,
  getProtocolConfigState,
  getWalletBalances,
  type HeavenClient,
  listTrades,
  maximumSpend,
  quoteBest,
  quoteBuy,
  quoteInitialBuy,
  quoteMany,
  quoteProBuy,
  watchNewPools,
  watchPool,
  watchTrades,
} from '../../src/index.js';
import { findLpPositionAddress, SOL_USD_FEED_ADDRESS } from '../../src/program/index.js';
import { createEmptyLedger } from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import { refusalOf } from '../support/errors.js';
import { client, ledger, lying, useLedger } from '../support/ledger.js';

useLedger();

/** The client with the methods of the history. */
const node = () => client as HeavenClient<never>;
const TERMS = { maxSolSpend: 1, slippageBps: 50 };
const standardBuy = (mint: Address, over = client) => quoteBuy(over, { configVersion: 2, mint, ...TERMS });
const proBuy = (pool: Address) =>
  quoteProBuy(client, { configVersion: 3, mint: ledger.pools.pro.mint, pool, ...TERMS });

/** By name: where it is, and how an error begins to say what it is. */
const kinds = async () => {
  const { creator, pro, community } = ledger.pools;
  const position = await findLpPositionAddress({ pool: pro.pool, user: pro.creator });
  ledger.setBalance(STRANGER, 1n);
  return {
    'a standard pool': [creator.pool, `the standard pool of the token ${creator.mint}, not`],
    'a pro pool': [pro.pool, `a pro pool of the token ${pro.mint}, not`],
    'a mint': [pro.mint, "a token's mint, not"],
    'a config': [community.protocolConfig, 'the protocol config of version 1, not'],
    'a position': [position, `the LP position of ${pro.creator} in the pool ${pro.pool}, not`],
    'a vault': [creator.tokenAVault, `the vault of config version 2 for the token ${creator.mint}, not`],
    'a price feed': [SOL_USD_FEED_ADDRESS, 'a price feed, not'],
    'a wallet': [STRANGER, 'a wallet, not'],
    'the program': [ledger.programAddress, "the exchange's program, not"],
  } as const;
};
type Kind = keyof Awaited<ReturnType<typeof kinds>>;

/** The end of an error, which says what to do. */
const advice = {
  mint: (name: Kind) => {
    const { creator, pro } = ledger.pools;
    if (/pro pool/.test(name)) return `not a mint. Pass ${pro.mint}.`;
    return /standard|vault/.test(name)
      ? `not a mint. Pass ${creator.mint}.`
      : 'not a mint. Check the address.';
  },
  pool: (name: Kind) => {
    const { creator, pro } = ledger.pools;
    if (name === 'a position') return `not a pool. Pass ${pro.pool}.`;
    if (name === 'a mint') return `not a pool. findPoolsAt of the SDK lists the pools of ${pro.mint}.`;
    return name === 'a vault' ? `lists the pools of ${creator.mint}.` : 'not a pool. Check the address.';
  },
};

const NOT_MINTS = [
  'a standard pool',
  'a pro pool',
  'a config',
  'a position',
  'a vault',
  'a price feed',
] as const;
const NOT_POOLS = ['a mint', 'a config', 'a position', 'a vault', 'a price feed', 'a wallet'] as const;

describe('an error names what stands in place of', () => {
  test.each([...NOT_MINTS, 'a wallet', 'the program'] as const)('a mint: %s', async (name) => {
    const [mint, words] = (await kinds())[name];
    const state = (over = client) => getPoolState(over, { mint });
    for (const read of [standardBuy(mint), state(), fetchPoolSnapshot(client, { configVersion: 2, mint })]) {
      const { code, message } = await refusalOf(read);
      expect(code).toBe('pool-not-found');
      expect(message).toContain(`mint is ${mint}, ${words}`);
      expect(message).toContain(advice.mint(name));
    }
    const [outcome] = await quoteMany(client, [{ side: 'buy', configVersion: 2, mint, ...TERMS }]);
    expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } });
    for (const read of [
      () => findPools(client, { mint }),
      () => findPools(client, { mint, kind: 'standard' }),
      () => quoteBest(client, { side: 'buy', mint, ...TERMS }),
      () => quoteBest(client, { side: 'buy', mint, pools: [], ...TERMS }),
      () => listTrades(node(), { mint }),
      () => watchTrades(node(), { mint }).next(),
      () => watchPool(client, { configVersion: 2, mint }).next(),
    ])
      expect((await refusalOf(read)).message).toContain(words);
  });

  test.each([...NOT_POOLS, 'the program'] as const)('a pool: %s', async (name) => {
    const [pool, words] = (await kinds())[name];
    for (const read of [
      () => proBuy(pool),
      () => getPoolState(client, { pool }),
      () => listTrades(node(), { pool }),
      () => listTrades(node(), { pool, wallet: ledger.pools.pro.creator }),
      () => watchTrades(node(), { pool }).next(),
    ]) {
      const { code, message } = await refusalOf(read);
      expect(code).toBe('invalid-account-data');
      expect(message).toContain(`pool is ${pool}, ${words}`);
      expect(message).toContain(advice.pool(name));
    }
  });

  test.each(['a config', 'a position', 'a vault', 'a price feed', 'a wallet', 'the program'] as const)(
    'a mint or a pool: %s',
    async (name) => {
      const [address, words] = (await kinds())[name];
      const { code, message } = await refusalOf(() => findPoolsAt(client, address));
      expect(code).toBe('invalid-account-data');
      expect(message).toContain(`address is ${address}, ${words} a mint or a pool. `);
    },
  );

  test.each(['a mint', 'a vault', 'a standard pool'] as const)('a wallet: %s', async (name) => {
    const [wallet, words] = (await kinds())[name];
    const { mint } = ledger.pools.creator;
    const { message } = await refusalOf(() => maximumSpend(client, { side: 'buy', wallet, mint } as never));
    expect(message).toContain(`wallet is ${wallet}, ${words} a wallet.`);
  });

  test('a mint among several, and that of a new pro pool', async () => {
    const { pro } = ledger.pools;
    const words = `mint is ${pro.pool}, a pro pool of the token ${pro.mint}, not a mint. Pass ${pro.mint}.`;
    const mints = [pro.mint, pro.pool];
    for (const read of [
      () => getWalletBalances(client, { wallet: pro.creator, mints }),
      () =>
        buildProCreate(client, {
          ...{ payer: pro.creator, creator: pro.creator, configVersion: 3, mint: pro.pool },
          ...{ initialTokenAAmount: 1n, initialTokenBAmount: 1n, lutAddress: ledger.lookupTables.community },
          creatorTradingFee: [],
        }),
    ])
      expect((await refusalOf(read)).message).toBe(words);
  });
});

describe('without the reason', () => {
  test('a token without a pool, and a pool that is missing, keep their errors', async () => {
    const { mint } = ledger.pools.pro;
    const { pool } = await refusalOf(() => standardBuy(mint)).then(
      ({ context }) => context as { pool: Address },
    );
    await expect(standardBuy(mint)).rejects.toThrow(
      `The token ${mint} has no standard pool on this cluster (it would be at ${pool}). A pro pool is named by its own address.`,
    );
    for (const read of [proBuy(STRANGER), listTrades(node(), { pool: STRANGER })])
      await expect(read).rejects.toThrow(`There is no pool at ${STRANGER} on this cluster.`);
    expect(await findPools(client, { mint: STRANGER })).toEqual([]);
  });

  test('a node that answers no second read leaves the plain error', async () => {
    let calls = 0;
    const once = lying('getMultipleAccounts', (result) => (++calls > 1 ? { value: 'nothing' } : result));
    await expect(standardBuy(ledger.pools.pro.mint, once)).rejects.toThrow(
      /^There is no pool at \w+ on this cluster\.$/,
    );
  });
});

test('a network without the exchange is named, not its tokens', async () => {
  const { mint, pool } = ledger.pools.creator;
  const empty = createEmptyLedger({ programAddress: STRANGER });
  empty.setAccount(mint, ledger.getAccount(mint));
  const over = createHeavenClient({ rpc: empty.rpc, rpcSubscriptions: empty.rpcSubscriptions });
  const reads: Readonly<Record<string, (client: HeavenClient) => unknown>> = {
    quoteBuy: (client) => standardBuy(mint, client),
    quoteInitialBuy: (client) => quoteInitialBuy(client, { configVersion: 1, initialPurchasePercent: 1 }),
    getPoolState: (client) => getPoolState(client, { pool }),
    getProtocolConfigState: (client) => getProtocolConfigState(client, { version: 2 }),
    findPools: (client) => findPools(client, { mint }),
    findPoolsAt: (client) => findPoolsAt(client, mint),
    quoteBest: (client) => quoteBest(client, { side: 'buy', mint, ...TERMS }),
    listTrades: (client) => listTrades(client as HeavenClient<never>, { pool }),
    watchTrades: (client) => watchTrades(client as HeavenClient<never>, { mint }).next(),
    watchNewPools: (client) => watchNewPools(client as HeavenClient<never>).next(),
    watchPool: (client) => watchPool(client, { configVersion: 2, mint }).next(),
  };
  for (const [name, read] of Object.entries(reads)) {
    const { code, context, message } = await refusalOf(async () => await read(over));
    expect({ name, code, context }).toEqual({
      name,
      code: 'account-not-found',
      context: { account: 'exchange program', address: ledger.programAddress },
    });
    expect(message).toContain(`${ledger.programAddress} is not on this network. Use a node of mainnet`);
  }
  // It is the deployment's program that counts.
  const deployment = { programAddress: STRANGER };
  const own = createHeavenClient({ rpc: empty.rpc, deployment });
  expect((await refusalOf(() => standardBuy(mint, own))).code).toBe('pool-not-found');
});
