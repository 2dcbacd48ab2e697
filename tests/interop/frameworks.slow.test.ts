import { generateKeyPairSigner } from '@solana/kit';
import { produce } from 'immer';
// @ts-expect-error Svelte doesn't type what its compiler makes of `$state(value)`.
import { proxy } from 'svelte/internal/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { reactive, ref } from 'vue';

import { createHandler, createRemoteClient } from '../../src/http/index.js';
import {
  buildBuy,
  createHeavenClient,
  createPoolTracker,
  type HeavenClient,
  keepLifetime,
  type PoolLocator,
  prepareTrade,
  quoteBuy,
  shareReads,
  trackedAccounts,
  watchNewPools,
  watchPool,
  watchPools,
  watchTrades,
} from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';

// What a page keeps in its state works there: frameworks put proxies around objects, which private fields don't survive.

const KEEPING: readonly [string, <T extends object>(value: T) => T][] = [
  ['Vue, in a ref', (value) => ref(value).value as typeof value],
  ['Vue, in reactive state', (value) => reactive({ value }).value as typeof value],
  ['Svelte', (value) => (proxy({ value }) as { readonly value: typeof value }).value],
  ['Immer', (value) => produce({ value }, () => {}).value as typeof value],
];

/** Trades with whatever client this is. */
const trade = (client: HeavenClient) => quoteBuy(client, { ...pool, maxSolSpend: 1, slippageBps: 50 });

const clientOf = ({ rpc, rpcSubscriptions }: typeof ledger) => createHeavenClient({ rpc, rpcSubscriptions });

let ledger: Awaited<ReturnType<typeof createEmbeddedLedger>>;
let client: ReturnType<typeof clientOf>;
let pool: PoolLocator;
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  client = clientOf(ledger);
  const { mint, configVersion } = ledger.pools.creator;
  pool = { mint, configVersion };
});

/** Something that is kept in state, made, used, and put away. */
type Use = (keep: <T extends object>(value: T) => T) => Promise<unknown>;

/** Starts and ends a watch that is kept in state. */
const startAndEnd = async (watch: AsyncIterator<unknown>) => {
  const item = watch.next();
  await watch.return?.();
  await item;
};

const USES: Readonly<Record<string, Use>> = {
  client: (keep) => trade(keep(client)),
  'client with shared reads': (keep) => trade(keep(shareReads(client))),
  'remote client': async (keep) => {
    const fetch = (input: RequestInfo | URL, init?: RequestInit) =>
      createHandler({ client })(new Request(input, init));
    const remote = keep(createRemoteClient({ baseUrl: 'http://service', fetch }));
    await remote.quoteBuy({ ...pool, maxSolSpend: 1, slippageBps: 50 });
  },
  quote: async (keep) => {
    const quote = keep(await trade(client));
    const payer = (await generateKeyPairSigner()).address;
    const built = keep(await buildBuy(client, { payer, quoteResponse: quote }));
    expect(keep(prepareTrade(client, built)).tx).toBe(built.tx);
  },
  'kept lifetime': async (keep) => {
    const kept = keep(await keepLifetime(client));
    expect(kept.current.blockhash).toBeTypeOf('string');
    kept.stop();
    expect(kept.isStale).toBe(true);
  },
  'pool watch': async (keep) => {
    const watch = keep(watchPool(client, pool));
    expect((await watch.next()).done).toBe(false);
    await watch.return();
    expect([watch.isLive, watch.latest]).toEqual([false, expect.anything()]);
  },
  'watch of many pools': (keep) => startAndEnd(keep(watchPools(client, [pool]))),
  'pool tracker': async (keep) =>
    expect(keep(createPoolTracker(await trackedAccounts(pool))).isLive).toBe(false),
  'trade watch': (keep) => startAndEnd(keep(watchTrades(client, pool))),
  'watch for new pools': (keep) => startAndEnd(keep(watchNewPools(client))),
  ledger: async (keep) => {
    const kept = keep(ledger);
    await trade(createHeavenClient({ rpc: kept.rpc }));
    expect(kept.requests.length).toBeGreaterThan(0);
    expect(kept.subscriptions).toBeDefined();
  },
};

describe.each(KEEPING)('%s', (_, keep) => {
  test.each(Object.entries(USES))('%s', async (_, use) => {
    await use(keep);
  });
});
