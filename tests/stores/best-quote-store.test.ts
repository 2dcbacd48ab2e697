import { createSolanaRpcFromTransport } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type BestQuoteInput,
  createClient,
  createQuoteStore,
  findPools,
  type HeavenClient,
  type HeavenRpc,
  type LiveBestQuote,
  type LiveQuote,
  type QuoteStore,
  type QuoteStoreInput,
  quoteBest,
  quoteProBuy,
  type StoreState,
  trackedAccounts,
} from '../../src/index.js';
import { createSamplePoolFields, type SamplePool } from '../../src/testing/index.js';
import { addressNamed } from '../support/addresses.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

let polled: HeavenClient;
/** The two pro pools of the creator sample's token. The cheap one gives most for 1 SOL. */
let cheap: SamplePool;
let small: SamplePool;
let stores: QuoteStore[];

const RESERVES = { tokenA: 10n ** 16n, tokenB: 99_003_000_000n };

async function addPro(name: string, reserve: typeof RESERVES): Promise<SamplePool> {
  const { creator } = await createSamplePoolFields();
  const { mint, tokenProgram, token } = creator;
  const about = { kind: 'pro', configVersion: 3, mint, tokenProgram, token, state: {} } as const;
  return await ledger.addPool({ ...about, creator: addressNamed(name), reserve });
}

beforeEach(async () => {
  cheap = await addPro('cheap', RESERVES);
  small = await addPro('small', { tokenA: RESERVES.tokenA / 100n, tokenB: RESERVES.tokenB / 100n });
  polled = createClient({ rpc: ledger.rpc });
  // Derived addresses are cached from here on: what follows needs no thread, and so no time.
  await Promise.all(
    [ledger.pools.creator, ledger.pools.community, cheap, small].map((pool) => trackedAccounts(pool)),
  );
  stores = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(async () => {
  for (const store of stores) store.dispose();
  await turn();
  const left = vi.getTimerCount();
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect([left, ledger.subscriptions.count]).toEqual([0, 0]);
});

const turn = async () => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number) => {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};
const calls = (method: string) => ledger.requests.filter((request) => request.method === method).length;
const buy = (maxSolSpend: string) => ({
  side: 'buy' as const,
  mint: ledger.pools.creator.mint,
  maxSolSpend,
  slippageBps: 50,
});

function watched(input: QuoteStoreInput, over: HeavenClient = client) {
  const store = createQuoteStore(over, input);
  stores.push(store);
  const states: StoreState<LiveQuote>[] = [];
  store.subscribe((state) => states.push(state));
  return { store, states };
}

const bestOf = (store: QuoteStore): LiveBestQuote => {
  const { data } = store.getSnapshot();
  if (data?.others === undefined) throw new Error('There is no best quote.');
  return data;
};
/** Moves the cheap pool to twice its price, a slot later. */
const move = () => {
  ledger.setSlot(ledger.slot + 1n);
  ledger.setReserves(cheap.pool, { tokenB: RESERVES.tokenB * 20n });
};

/** Lets seconds pass, with two slots and a new SOL price in each. */
async function passSlots(seconds: number): Promise<void> {
  for (let k = 0; k < seconds * 2; k++) {
    ledger.setSlot(ledger.slot + 1n);
    ledger.setSolPrice(150 + Number(ledger.slot % 3n));
    await pass(500);
  }
}

/** A store over a node whose next answer can lack a pool. */
function lackingOnce(pool: string) {
  let isLacking = false;
  const transport = (async (request: {
    readonly payload: { readonly method: string; readonly params: readonly [readonly string[]] };
  }) => {
    const answer = (await ledger.transport(request as never)) as {
      readonly result: { readonly value: readonly unknown[] };
    };
    const { method, params } = request.payload;
    if (method !== 'getMultipleAccounts' || !isLacking) return answer;
    isLacking = false;
    const value = answer.result.value.map((one, k) => (params[0][k] === pool ? null : one));
    return { ...answer, result: { ...answer.result, value } };
  }) as unknown as typeof ledger.transport;
  const rpc = createSolanaRpcFromTransport(transport) as unknown as HeavenRpc;
  const node = createClient({ rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  const store = createQuoteStore(node, buy('1'));
  stores.push(store);
  return {
    store,
    lack: () => {
      isLacking = true;
    },
  };
}

describe('without a config version, a quote store', () => {
  test('has the quote and the ranking of quoteBest', async () => {
    const inputs: readonly BestQuoteInput[] = [
      buy('1'),
      { ...buy('1'), maxPools: 2 },
      { side: 'sell', mint: ledger.pools.creator.mint, amountInUi: '1000', slippageBps: 50 },
      { side: 'buy', mint: ledger.pools.creator.mint, amountOutUi: '1000', slippageBps: 50 },
      { side: 'sell', mint: ledger.pools.creator.mint, amountOut: 10_000_000n, slippageBps: 50 },
    ];
    for (const over of [client, polled])
      for (const input of inputs) {
        const { store } = watched(input, over);
        await pass(150);
        const { input: answered, snapshot, ...best } = bestOf(store);
        expect(best).toEqual(await quoteBest(client, input as never));
        expect(answered).toEqual(input);
        expect(snapshot.addresses.pool).toBe(best.pool);
        expect(best.others.length + best.leftOut.length).toBe(2);
        store.dispose();
      }
  });

  test('quotes an amount at once: one search and one read are enough for all of them', async () => {
    const { store } = watched(buy('1'));
    await pass(150);
    const before = ledger.requests.length;
    expect([calls('getProgramAccounts'), store.getSnapshot().status]).toEqual([1, 'ready']);
    store.update(buy('2'));
    expect(bestOf(store).quote.details.amountIn).toBe(2_000_000_000n);
    store.update({ side: 'sell', mint: ledger.pools.creator.mint, amountInUi: '1000', slippageBps: 50 });
    expect(bestOf(store).side).toBe('sell');
    await pass(1_000);
    expect(ledger.requests).toHaveLength(before);
  });

  test('changes to another pool when the best one gets worse, without a call', async () => {
    const { store, states } = watched(buy('1'));
    await pass(150);
    expect(bestOf(store)).toMatchObject({ pool: cheap.pool, kind: 'pro' });
    const before = ledger.requests.length;
    move();
    await turn();
    const now = bestOf(store);
    expect(ledger.requests).toHaveLength(before);
    expect(now).toMatchObject({ pool: ledger.pools.creator.pool, kind: 'standard' });
    const { input: _, snapshot: __, ...best } = now;
    expect(best).toEqual(await quoteBest(client, { ...buy('1'), side: 'buy' }));
    expect(states.every(({ status }) => status !== 'error')).toBe(true);
  });

  test('notifies once when all pools change together', async () => {
    const { store, states } = watched(buy('1'));
    await pass(150);
    const before = states.length;
    ledger.setSlot(ledger.slot + 1n);
    ledger.setSolPrice('300');
    await turn();
    expect(states.length - before).toBe(1);
    const quotes = [bestOf(store), ...bestOf(store).others];
    expect(quotes.map((one) => ('quote' in one ? one.quote.details.solPriceUsd : 0))).toEqual([
      300, 300, 300,
    ]);
  });

  test('shares the pools that a page knows, and searches nothing', async () => {
    const found = await findPools(client, { mint: ledger.pools.creator.mint });
    const { store } = watched({ ...buy('1'), pools: found });
    await pass(150);
    const before = ledger.requests.length;
    store.update({ ...buy('2'), pools: [...found].reverse() });
    expect(bestOf(store)).toMatchObject({ pool: cheap.pool, input: { maxSolSpend: '2' } });
    store.update({ ...buy('2'), pools: [] });
    expect(store.getSnapshot().status).toBe('loading');
    await pass(150);
    expect(bestOf(store)).toMatchObject({ kind: 'standard', others: [] });
    expect([calls('getProgramAccounts'), ledger.requests.length > before]).toEqual([1, true]);
  });

  test('finds a new pool on refresh', async () => {
    const { store } = watched(buy('1'));
    await pass(150);
    const better = await addPro('better', { tokenA: RESERVES.tokenA * 2n, tokenB: RESERVES.tokenB });
    await pass(1_000);
    expect(bestOf(store).pool).toBe(cheap.pool);
    await store.refresh();
    expect(store.getSnapshot().status).toBe('ready');
    expect(bestOf(store).pool).toBe(better.pool);
    await pass(1_000);
    // It is followed from here on.
    ledger.setSlot(ledger.slot + 1n);
    ledger.setReserves(better.pool, { tokenB: RESERVES.tokenB * 20n });
    await turn();
    expect(bestOf(store).pool).toBe(cheap.pool);
  });

  test('goes back and forth between one pool and the best', async () => {
    const { store } = watched(buy('1'));
    await pass(150);
    const { mint, configVersion } = ledger.pools.creator;
    store.update({ ...buy('1'), mint, configVersion });
    // The quote of another pool is not shown in its place.
    expect(store.getSnapshot()).toEqual({ status: 'loading', data: undefined, error: undefined });
    await pass(150);
    expect(store.getSnapshot().data).toMatchObject({
      quote: { details: { pool: ledger.pools.creator.pool } },
    });
    expect(store.getSnapshot().data?.others).toBeUndefined();
    store.update(buy('1'));
    await pass(150);
    expect(bestOf(store).pool).toBe(cheap.pool);
  });
});

describe('what goes wrong', () => {
  test('a pool that switches off is refused in the ranking, and the next best is quoted', async () => {
    const { store } = watched(buy('1'));
    await pass(150);
    ledger.setSlot(ledger.slot + 1n);
    ledger.updatePool(cheap.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
    await turn();
    expect(bestOf(store).pool).toBe(ledger.pools.creator.pool);
    expect(bestOf(store).others).toContainEqual(
      expect.objectContaining({
        pool: cheap.pool,
        status: 'refused',
        error: expect.objectContaining({ code: 'swap-disabled' }),
      }),
    );
  });

  test('a closed pool is rejected too, and closing the last one is an error', async () => {
    const { store } = watched({ ...buy('1'), maxPools: 2 });
    await pass(150);
    for (const pool of [cheap.pool, ledger.pools.creator.pool]) {
      expect(store.getSnapshot().status).toBe('ready');
      ledger.setSlot(ledger.slot + 1n);
      ledger.setAccount(pool, undefined);
      await pass(1_000);
    }
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'pool-not-found' } });
  });

  test.each([
    ['first read', true],
    ['read of a refresh', false],
  ])(
    'a pool that the %s lacked is back within the time, and then followed without a call',
    async (_, isFirst) => {
      const { store, lack } = lackingOnce(cheap.pool);
      if (isFirst) lack();
      store.subscribe(() => {});
      await pass(150);
      if (!isFirst) {
        expect(bestOf(store).pool).toBe(cheap.pool);
        lack();
        await store.refresh();
      }
      expect([store.getSnapshot().status, bestOf(store).pool]).toEqual(['ready', ledger.pools.creator.pool]);
      await passSlots(20);
      expect([store.getSnapshot().status, bestOf(store).pool]).toEqual(['ready', cheap.pool]);
      const before = ledger.requests.length;
      await passSlots(40);
      expect(ledger.requests).toHaveLength(before);
    },
  );

  test('a token without a standard pool is read once more, and then followed without a call', async () => {
    ledger.setAccount(ledger.pools.creator.pool, undefined);
    const { store } = watched(buy('1'));
    await pass(150);
    await passSlots(20);
    // The first read, the one of the followers, and the one more.
    expect(calls('getMultipleAccounts')).toBe(3);
    const before = ledger.requests.length;
    await passSlots(60);
    expect(ledger.requests).toHaveLength(before);
    expect([store.getSnapshot().status, bestOf(store).pool]).toEqual(['ready', cheap.pool]);
  });

  test('an amount that is wrong in every pool is an error', async () => {
    const { store } = watched(buy('1'));
    await pass(150);
    const sell = { side: 'sell', mint: ledger.pools.creator.mint, slippageBps: 50 } as const;
    store.update({ ...buy('1'), amountOut: 1n } as never);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'invalid-input' } });
    store.update({ ...sell, amountInUi: '0.0000000001' });
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'too-many-decimals' } });
    store.update({ side: 'buy', mint: sell.mint, slippageBps: 50, amountOutUi: '0.0000000001' });
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'too-many-decimals' } });
  });

  test.each([
    ['a mint that is none', { mint: 'abc' }, 'invalid-address'],
    ['too many pools', { maxPools: 41 }, 'invalid-input'],
    ['pools that are none', { pools: [{ address: 'abc', configVersion: 3 }] }, 'invalid-address'],
    ['a pool without its config version', { pool: addressNamed('pool') }, 'invalid-input'],
  ])('%s is an error, and nothing is read', async (_, change, code) => {
    const { store } = watched({ ...buy('1'), ...change } as QuoteStoreInput);
    await pass(1_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code } });
    expect(ledger.requests).toEqual([]);
  });

  test('the error of a node without searches says what to do', async () => {
    const transport = (async (request: {
      readonly payload: { readonly method: string; readonly id: string };
    }) =>
      request.payload.method === 'getProgramAccounts'
        ? { jsonrpc: '2.0', id: request.payload.id, error: { code: -32601, message: 'Method not found' } }
        : await ledger.transport(request as never)) as unknown as typeof ledger.transport;
    const node = createClient({ rpc: createSolanaRpcFromTransport(transport) as unknown as HeavenRpc });
    const { store } = watched(buy('1'), node);
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'rpc-method-unsupported' } });
    store.update({ ...buy('1'), pools: [] });
    await pass(150);
    expect(bestOf(store).kind).toBe('standard');
  });

  test('a lost connection makes it stale, and it comes back with what changed meanwhile', async () => {
    const { store, states } = watched(buy('1'));
    await pass(150);
    ledger.subscriptions.dropAll();
    move();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
    expect(states.filter(({ status }) => status === 'stale')).toHaveLength(1);
    await pass(1_000);
    expect(store.getSnapshot().status).toBe('ready');
    expect(bestOf(store).pool).toBe(ledger.pools.creator.pool);
  });

  test('drops a slot that a node made up', async () => {
    const { slot } = ledger;
    ledger.setSlot(slot + 900_000n);
    const { store } = watched(buy('1'));
    await pass(150);
    expect(bestOf(store).snapshot.slot).toBe(slot + 900_000n);
    ledger.setSlot(slot);
    ledger.setReserves(cheap.pool, { tokenB: RESERVES.tokenB * 20n });
    for (let k = 1n; k <= 80n; k++) {
      ledger.setSlot(slot + k);
      await pass(500);
    }
    expect(store.getSnapshot().status).toBe('ready');
    expect(bestOf(store).pool).toBe(ledger.pools.creator.pool);
    expect(bestOf(store).snapshot.slot).toBeLessThanOrEqual(slot + 80n);
  });

  test('an answer of an older slot is dropped', async () => {
    const { store } = watched(buy('1'), polled);
    await pass(150);
    const { slot } = bestOf(store).snapshot;
    ledger.setSlot(ledger.slot - 1n);
    ledger.setReserves(cheap.pool, { tokenB: RESERVES.tokenB * 20n });
    await store.refresh();
    expect(store.getSnapshot().status).toBe('stale');
    expect(bestOf(store)).toMatchObject({ pool: cheap.pool, snapshot: { slot } });
  });
});

test('without subscriptions the pools are read again, and not searched again', async () => {
  const { store } = watched(buy('1'), polled);
  await pass(150);
  move();
  await pass(10_000);
  expect(bestOf(store).pool).toBe(ledger.pools.creator.pool);
  expect([calls('getProgramAccounts'), calls('getMultipleAccounts')]).toEqual([1, 2]);
});

test('the quote is the one of the pool alone', async () => {
  const { store } = watched(buy('1'));
  await pass(150);
  const { mint } = ledger.pools.creator;
  const terms = { configVersion: 3, mint, pool: cheap.pool, maxSolSpend: '1', slippageBps: 50 };
  expect(bestOf(store).quote).toEqual(await quoteProBuy(client, terms));
  // 1 SOL less 0.3 % in a pool of 99.003 SOL: 0.997 % of its tokens.
  expect(bestOf(store).quote.details.amountOut).toBe(99_700_000_000_000n);
});
