import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { afterEach, beforeEach, expect, vi } from 'vitest';

import {
  createClient,
  createQuoteStore,
  type HeavenClient,
  type LiveQuote,
  type PoolQuoteInput,
  type QuoteStore,
  type QuoteStoreInput,
  type StoreState,
  trackedAccounts,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

/** What the quote stores' tests share. */
interface Scene {
  ledger: EmbeddedLedger;
  client: HeavenClient;
  /** A client without subscriptions, whose node waits until it is released. */
  slow: HeavenClient;
  held: {
    readonly answer: () => void;
    readonly fail: () => void;
    readonly signal: AbortSignal | undefined;
  }[];
  /** Disposed of after the test. */
  stores: QuoteStore[];
}

export const scene = {} as Scene;

/** Creates the scene for each test, and checks that nothing leaks. */
export function useQuoteStores(): void {
  beforeEach(async () => {
    scene.ledger = await createEmbeddedLedger();
    // Without virtual SOL, any reserves will do.
    scene.ledger.updatePool(scene.ledger.pools.community.pool, ({ reserve }) => ({
      reserve: { ...reserve, initialB: 0n },
    }));
    scene.client = createClient({ rpc: scene.ledger.rpc, rpcSubscriptions: scene.ledger.rpcSubscriptions });
    // Derived addresses are cached from here on: later calls need no thread, and so no time.
    const { community: first, creator, pro: last } = scene.ledger.pools;
    await Promise.all([first, creator, last].map((pool) => trackedAccounts(pool)));
    scene.held = [];
    const transport = ((call: { readonly signal?: AbortSignal }) =>
      new Promise((resolve, reject) => {
        scene.held.push({
          answer: () => resolve(scene.ledger.transport(call as never)),
          fail: () => reject(new TypeError('fetch failed')),
          signal: call.signal,
        });
      })) as typeof scene.ledger.transport;
    scene.slow = createClient({ rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi> });
    scene.stores = [];
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });

  afterEach(async () => {
    for (const store of scene.stores) store.dispose();
    await turn();
    const left = vi.getTimerCount();
    vi.useRealTimers();
    vi.restoreAllMocks();
    // Anything left is a leak.
    expect(left).toBe(0);
    expect(scene.ledger.subscriptions.count).toBe(0);
  });
}

export const turn = async () => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve));
};
export const pass = async (ms: number) => {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};
export const reads = () =>
  scene.ledger.requests.filter(({ method }) => method === 'getMultipleAccounts').length;

export const community = () => {
  const { mint, configVersion } = scene.ledger.pools.community;
  return { mint, configVersion };
};
export const pro = () => {
  const { mint, configVersion, pool } = scene.ledger.pools.pro;
  return { mint, configVersion, pool };
};
export const buy = (maxSolSpend: string | number): PoolQuoteInput => ({
  side: 'buy',
  ...community(),
  maxSolSpend,
  slippageBps: 50,
});

/** A store with a subscriber, and the states that the subscriber received. */
export function watched(
  over: HeavenClient,
  input?: QuoteStoreInput,
  options?: Parameters<typeof createQuoteStore>[2],
) {
  const store = createQuoteStore(over, input, options);
  scene.stores.push(store);
  const states: StoreState<LiveQuote>[] = [];
  const unsubscribe = store.subscribe((state) => states.push(state));
  return { store, states, unsubscribe, statuses: () => states.map(({ status }) => status) };
}

/** The data of a state that must have some. */
export const dataOf = ({ data }: StoreState<LiveQuote>): LiveQuote => {
  if (data === undefined) throw new Error('There is no quote.');
  return data;
};
