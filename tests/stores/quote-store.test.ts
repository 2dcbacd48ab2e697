import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createClient,
  createQuoteStore,
  fetchPoolSnapshot,
  type HeavenClient,
  type LiveQuote,
  type PoolQuoteInput,
  type QuoteStore,
  type QuoteStoreInput,
  quoteBuy,
  quoteBuyExactOut,
  quoteProBuy,
  quoteProBuyExactOut,
  quoteProSell,
  quoteProSellExactOut,
  quoteSell,
  quoteSellExactOut,
  type StoreState,
  trackedAccounts,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

let ledger: EmbeddedLedger;
let client: HeavenClient;
/** A client without subscriptions, whose node waits until it is let go on. */
let slow: HeavenClient;
let held: {
  readonly answer: () => void;
  readonly fail: () => void;
  readonly signal: AbortSignal | undefined;
}[];
let stores: QuoteStore[];

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  // Without virtual SOL any reserves will do.
  ledger.updatePool(ledger.pools.community.pool, ({ reserve }) => ({
    reserve: { ...reserve, initialB: 0n },
  }));
  client = createClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  // Derived addresses are cached from here on: what follows needs no thread, and so no time.
  const { community: first, creator, pro: last } = ledger.pools;
  await Promise.all([first, creator, last].map((pool) => trackedAccounts(pool)));
  held = [];
  const transport = ((call: { readonly signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      held.push({
        answer: () => resolve(ledger.transport(call as never)),
        fail: () => reject(new TypeError('fetch failed')),
        signal: call.signal,
      });
    })) as typeof ledger.transport;
  slow = createClient({ rpc: createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi> });
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
  // What a store leaves behind, it leaks.
  expect(left).toBe(0);
  expect(ledger.subscriptions.count).toBe(0);
});

const turn = async () => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number) => {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};
const reads = () => ledger.requests.filter(({ method }) => method === 'getMultipleAccounts').length;

const community = () => {
  const { mint, configVersion } = ledger.pools.community;
  return { mint, configVersion };
};
const pro = () => {
  const { mint, configVersion, pool } = ledger.pools.pro;
  return { mint, configVersion, pool };
};
const buy = (maxSolSpend: string | number): PoolQuoteInput => ({
  side: 'buy',
  ...community(),
  maxSolSpend,
  slippageBps: 50,
});

/** A store with a subscriber, and the states that it was told. */
function watched(
  over: HeavenClient,
  input?: QuoteStoreInput,
  options?: Parameters<typeof createQuoteStore>[2],
) {
  const store = createQuoteStore(over, input, options);
  stores.push(store);
  const states: StoreState<LiveQuote>[] = [];
  const unsubscribe = store.subscribe((state) => states.push(state));
  return { store, states, unsubscribe, statuses: () => states.map(({ status }) => status) };
}

/** The data of a state that must have some. */
const dataOf = ({ data }: StoreState<LiveQuote>): LiveQuote => {
  if (data === undefined) throw new Error('There is no quote.');
  return data;
};

describe('a quote store', () => {
  test('does nothing before the first subscriber', async () => {
    const store = createQuoteStore(client, buy('1'));
    stores.push(store);
    store.update(buy('2'));
    await store.refresh();
    await pass(1000);
    expect([reads(), ledger.subscriptions.opened, store.getSnapshot().status]).toEqual([0, 0, 'idle']);
  });

  test('quotes each kind of trade as its function does', async () => {
    const terms = { slippageBps: 50 };
    const standard = community();
    const inPro = pro();
    const cases: readonly (readonly [QuoteStoreInput, () => Promise<unknown>])[] = [
      [
        { side: 'buy', ...standard, ...terms, lamports: 1_500_000_000n },
        () => quoteBuy(client, { ...standard, ...terms, maxSolSpend: '1.5' }),
      ],
      [
        { side: 'sell', ...standard, ...terms, amountInUi: '250' },
        () => quoteSell(client, { ...standard, ...terms, amountInUi: '250' }),
      ],
      [
        { side: 'buy', ...standard, ...terms, amountOutUi: '250' },
        () => quoteBuyExactOut(client, { ...standard, ...terms, amountOutUi: '250' }),
      ],
      [
        { side: 'sell', ...standard, ...terms, amountOut: 1_000_000n },
        () => quoteSellExactOut(client, { ...standard, ...terms, amountOut: 1_000_000n }),
      ],
      [
        { side: 'buy', ...inPro, ...terms, maxSolSpend: 1 },
        () => quoteProBuy(client, { ...inPro, ...terms, maxSolSpend: 1 }),
      ],
      [
        { side: 'sell', ...inPro, ...terms, amountIn: 1_000_000n },
        () => quoteProSell(client, { ...inPro, ...terms, amountIn: 1_000_000n }),
      ],
      [
        { side: 'buy', ...inPro, ...terms, amountOutUi: '2' },
        () => quoteProBuyExactOut(client, { ...inPro, ...terms, amountOutUi: '2' }),
      ],
      [
        { side: 'sell', ...inPro, ...terms, amountOutUi: '0.1' },
        () => quoteProSellExactOut(client, { ...inPro, ...terms, amountOutUi: '0.1' }),
      ],
    ];
    for (const [input, expected] of cases) {
      const { store } = watched(client, input);
      await turn();
      const state = store.getSnapshot();
      expect(state.status).toBe('ready');
      expect(dataOf(state).quote).toEqual(await expected());
      expect(dataOf(state)).toMatchObject({ input, side: input.side });
      store.dispose();
    }
  });

  test('quotes what is typed at once and without a call, and says first that it is loading', async () => {
    const { store, statuses } = watched(client, buy('1'));
    expect(store.getSnapshot()).toEqual({ status: 'loading', data: undefined, error: undefined });
    await turn();
    expect(statuses()).toEqual(['loading', 'ready']);
    const before = reads();
    store.update(buy('2'));
    expect(store.getSnapshot().status).toBe('ready');
    expect(dataOf(store.getSnapshot()).quote.details.amountIn).toBe(2_000_000_000n);
    expect(store.getSnapshot()).toBe(store.getSnapshot());
    await pass(1000);
    expect(reads()).toBe(before);
  });

  test('quotes again when the pool moves, without a call', async () => {
    const { store, states } = watched(client, buy('1'));
    await turn();
    const before = reads();
    const first = dataOf(store.getSnapshot());
    ledger.setSlot(ledger.slot + 1n);
    ledger.setReserves(ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    await turn();
    const second = dataOf(store.getSnapshot());
    expect(reads()).toBe(before);
    expect(second.quote.details.amountOut).not.toBe(first.quote.details.amountOut);
    expect(second.quote).toEqual(
      await quoteBuy(client, { ...community(), maxSolSpend: '1', slippageBps: 50 }),
    );
    expect(states.at(-1)).toBe(store.getSnapshot());
  });

  test('waits for the next update before it reads another pool, and never reads the ones between', async () => {
    const { store } = watched(slow, buy('1'));
    await turn();
    expect(held).toHaveLength(1);
    store.update({ ...buy('1'), ...pro() } as QuoteStoreInput);
    // What was asked for before is of no use any more.
    expect(held[0]?.signal?.aborted).toBe(true);
    await pass(149);
    store.update({ ...buy('1'), mint: ledger.pools.creator.mint, configVersion: 2 } as QuoteStoreInput);
    await pass(149);
    expect(held).toHaveLength(1);
    await pass(1);
    expect(held).toHaveLength(2);
    held[0]?.answer();
    held[1]?.answer();
    await turn();
    expect(dataOf(store.getSnapshot()).quote.mint).toBe(ledger.pools.creator.mint);
  });

  test('keeps the old quote while it loads another of the same pool and side, and none of another', async () => {
    const { store } = watched(slow, buy('1'));
    await turn();
    held[0]?.answer();
    await turn();
    void store.refresh();
    await turn();
    store.update(buy('2'));
    expect(store.getSnapshot().status).toBe('loading');
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('1'));
    store.update({ side: 'sell', ...community(), amountInUi: '1', slippageBps: 50 });
    expect(store.getSnapshot()).toEqual({ status: 'loading', data: undefined, error: undefined });
    store.update(buy('3'));
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('1'));
    held[1]?.answer();
    await turn();
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('3'));
  });

  test.each(['', ' ', '0', '0.', '0.00', '.', '1.', '00'])('is idle while "%s" is typed', async (typed) => {
    const { store } = watched(client, buy('1'));
    await turn();
    store.update(buy(typed));
    expect(store.getSnapshot()).toEqual({ status: 'idle', data: undefined, error: undefined });
    store.update(buy('1'));
    expect(store.getSnapshot().status).toBe('ready');
  });

  test.each([
    ['1e5', 'invalid-amount'],
    ['1e', 'invalid-amount'],
    ['.5', 'invalid-amount'],
    ['1,5', 'invalid-amount'],
    ['-1', 'invalid-amount'],
    ['..', 'invalid-amount'],
    ['1..', 'invalid-amount'],
    ['١', 'invalid-amount'],
    ['0.0000000001', 'too-many-decimals'],
    ['99999999999999999999', 'amount-out-of-range'],
    [Number.NaN, 'invalid-amount'],
    [{} as never, 'invalid-amount'],
  ])('says what is wrong with %s, and throws nothing', async (typed, code) => {
    const { store } = watched(client, buy('1'));
    await turn();
    store.update(buy(typed));
    expect(store.getSnapshot()).toMatchObject({ status: 'error', data: undefined, error: { code } });
  });

  test('says what is wrong with any other input, and throws nothing', async () => {
    const { store } = watched(client, buy('1'));
    await turn();
    const base = buy('1');
    const wrong: readonly (readonly [unknown, string])[] = [
      ['buy', 'invalid-input'],
      [{ ...base, side: 'swap' }, 'invalid-input'],
      [{ ...base, mint: 'abc' }, 'invalid-address'],
      [{ ...base, pool: 'abc' }, 'invalid-address'],
      [{ ...base, configVersion: 1.5 }, 'invalid-input'],
      [{ ...base, slippageBps: 0.5 }, 'invalid-slippage'],
      [{ ...base, lamports: 1n }, 'invalid-input'],
      [{ ...base, amountOutUi: '1' }, 'invalid-input'],
    ];
    for (const [input, code] of wrong) {
      store.update(input as QuoteStoreInput);
      expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code } });
    }
    store.update(undefined);
    expect(store.getSnapshot().status).toBe('idle');
    await pass(150);
    expect(ledger.subscriptions.count).toBe(0);
  });

  test('says why a pool gives no quote', async () => {
    const { store } = watched(client, { ...buy('1'), pool: ledger.pools.community.pool });
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'pool-kind-mismatch' } });
    store.update({ side: 'buy', ...community(), amountOutUi: '999999999', slippageBps: 0 });
    await pass(200);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'insufficient-liquidity' } });
  });

  test('an input that is changed afterwards is not the one that was asked for', async () => {
    const input = { ...buy('1') } as { maxSolSpend: string } & QuoteStoreInput;
    const { store } = watched(client, input);
    input.maxSolSpend = '5';
    await turn();
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('1'));
  });
});

describe('a quote gets old', () => {
  test('without subscriptions: it is read again after half of the time, and stale if nothing comes', async () => {
    const { store, statuses } = watched(slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    held[0]?.answer();
    await turn();
    await pass(3_999);
    expect(held).toHaveLength(1);
    await pass(1);
    expect(held).toHaveLength(2);
    await pass(1_999);
    expect(store.getSnapshot().status).toBe('ready');
    await pass(1);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: undefined });
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('1'));
    // It is still quoted, and no less old.
    store.update(buy('2'));
    expect(store.getSnapshot().status).toBe('stale');
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('2'));
    held[1]?.answer();
    await turn();
    expect(store.getSnapshot().status).toBe('ready');
    expect(statuses()).toEqual(['loading', 'ready', 'stale', 'stale', 'ready']);
  });

  test('says why when the node fails, and comes back by itself', async () => {
    const { store } = watched(slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    held[0]?.fail();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'rpc-failed' } });
    await pass(250);
    held[1]?.answer();
    await turn();
    expect(store.getSnapshot().status).toBe('ready');
    await pass(4_000);
    held[2]?.fail();
    await pass(2_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
  });

  test('says why as soon as it is known, if it was stale before', async () => {
    const { store } = watched(slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    held[0]?.answer();
    await turn();
    await pass(6_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: undefined });
    held[1]?.fail();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
  });

  test('with subscriptions: it stays while slots come, and is read again when none does', async () => {
    const { store, statuses } = watched(client, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    const before = reads();
    for (let k = 0; k < 20; k++) {
      await pass(1_000);
      ledger.setSlot(ledger.slot + 1n);
    }
    expect(reads()).toBe(before);
    expect(dataOf(store.getSnapshot()).quote.details.slot).toBeGreaterThan(ledger.slot - 10n);
    await pass(8_000);
    expect(reads()).toBeGreaterThan(before);
    expect(new Set(statuses())).toEqual(new Set(['loading', 'ready']));
  });

  test('is stale at once when the connection is lost, and ready when it is there again', async () => {
    const { store } = watched(client, buy('1'));
    await turn();
    ledger.subscriptions.dropAll();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
    await pass(1_000);
    expect(store.getSnapshot().status).toBe('ready');
  });

  test('an answer of an older slot is none', async () => {
    const { store } = watched(slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    ledger.setSlot(ledger.slot + 10n);
    held[0]?.answer();
    await turn();
    const { slot } = dataOf(store.getSnapshot()).quote.details;
    ledger.setSlot(ledger.slot - 5n);
    const refreshed = store.refresh();
    await turn();
    expect(store.getSnapshot().status).toBe('loading');
    held[1]?.answer();
    await refreshed;
    expect(store.getSnapshot().status).toBe('stale');
    expect(dataOf(store.getSnapshot()).quote.details.slot).toBe(slot);
  });

  test('a slot that a node made up is given up when reads stay far behind it', async () => {
    const { slot } = ledger;
    const { store } = watched(createClient({ rpc: ledger.rpc }), buy('1'), { maxAgeMs: 8_000 });
    ledger.setSlot(slot + 900_000n);
    await turn();
    ledger.setSlot(slot);
    ledger.setReserves(ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    await pass(8_000);
    expect(store.getSnapshot().status).toBe('stale');
    expect(dataOf(store.getSnapshot()).quote.details.slot).toBe(slot + 900_000n);
    await pass(8_000);
    expect(store.getSnapshot().status).toBe('ready');
    expect(dataOf(store.getSnapshot()).snapshot).toMatchObject({ slot, reserveB: 90_000_000_000n });
  });

  test('refresh reads now, instead of what was asked for before', async () => {
    const { store } = watched(slow, buy('1'));
    await turn();
    held[0]?.answer();
    await turn();
    const first = store.refresh();
    await turn();
    const second = store.refresh();
    await turn();
    expect([held[1]?.signal?.aborted, held[2]?.signal?.aborted]).toEqual([true, false]);
    ledger.setReserves(ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    held[2]?.answer();
    await Promise.all([first, second]);
    expect(dataOf(store.getSnapshot()).snapshot).toEqual(await fetchPoolSnapshot(client, community()));
  });
});

describe('a quote store lets go', () => {
  test('after its last subscriber, and follows again for the next', async () => {
    const { store, unsubscribe } = watched(client, buy('1'));
    await turn();
    unsubscribe();
    const again = store.subscribe(() => {});
    await turn();
    expect(ledger.subscriptions.opened).toBe(5);
    again();
    await turn();
    expect(ledger.subscriptions.count).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(store.getSnapshot().status).toBe('stale');
    store.update(buy('2'));
    store.subscribe(() => {});
    await turn();
    expect(store.getSnapshot().status).toBe('ready');
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('2'));
  });

  test('when it is disposed of, in the middle of anything', async () => {
    const { store, states } = watched(slow, buy('1'));
    await turn();
    const told = states.length;
    store.dispose();
    expect(held[0]?.signal?.aborted).toBe(true);
    held[0]?.answer();
    store.update(buy('2'));
    await pass(60_000);
    expect(states).toHaveLength(told);
    expect(held).toHaveLength(1);
  });
});

test('whatever comes in whatever order, the last update wins, and no quote answers another input', async () => {
  const inputs: readonly (PoolQuoteInput | undefined)[] = [
    ...['1', '2', '3.5', '', '1e5'].map(buy),
    { side: 'sell', ...community(), amountInUi: '1000', slippageBps: 50 },
    { side: 'buy', ...pro(), maxSolSpend: '0.5', slippageBps: 50 },
    { side: 'sell', ...pro(), amountOutUi: '0.01', slippageBps: 50 },
    undefined,
  ];
  const step = fc.oneof(
    fc.nat(inputs.length - 1).map((index) => ({ do: 'update' as const, index })),
    fc.nat(3).map((index) => ({ do: 'answer' as const, index })),
    fc.constant({ do: 'fail' as const }),
    fc.constant({ do: 'refresh' as const }),
    fc.constant({ do: 'renew' as const }),
    fc.constant({ do: 'drop' as const }),
    fc.integer({ min: 30, max: 120 }).map((sol) => ({ do: 'move' as const, sol })),
    fc.constantFrom(1, 150, 6_000).map((ms) => ({ do: 'pass' as const, ms })),
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 25 }), async (isLive, steps) => {
      held = [];
      const rpcSubscriptions = isLive ? { rpcSubscriptions: ledger.rpcSubscriptions } : {};
      const over = createClient({ rpc: slow.rpc, ...rpcSubscriptions });
      const store = createQuoteStore(over);
      stores.push(store);
      let asked: PoolQuoteInput | undefined;
      const check = (state: StoreState<LiveQuote>) => {
        const { status, data } = state;
        if (status === 'ready' || status === 'stale') expect(data.input).toEqual(asked);
        if (data === undefined) return;
        const { input, quote, side } = data;
        expect([quote.mint, side]).toEqual([input.mint, input.side]);
        expect([asked?.mint, asked?.side]).toEqual([input.mint, input.side]);
        if ('maxSolSpend' in input && 'maxSolSpend' in quote)
          expect(quote.maxSolSpend).toBe(Number(input.maxSolSpend));
      };
      // What a listener throws goes to the console.
      const wrong: unknown[] = [];
      const listener = (state: StoreState<LiveQuote>) => {
        try {
          check(state);
        } catch (error) {
          wrong.push(error);
        }
      };
      try {
        let unsubscribe = store.subscribe(listener);
        for (const one of steps) {
          if (one.do === 'update') {
            asked = inputs[one.index];
            store.update(asked);
          } else if (one.do === 'answer') held.at(one.index)?.answer();
          else if (one.do === 'fail') held.at(-1)?.fail();
          else if (one.do === 'refresh') void store.refresh();
          else if (one.do === 'renew') {
            unsubscribe();
            unsubscribe = store.subscribe(listener);
          } else if (one.do === 'drop') ledger.subscriptions.dropAll();
          else if (one.do === 'move') {
            ledger.setSlot(ledger.slot + 1n);
            ledger.setReserves(ledger.pools.community.pool, { tokenB: BigInt(one.sol) * 1_000_000_000n });
          } else await vi.advanceTimersByTimeAsync(one.ms);
          await new Promise((resolve) => setImmediate(resolve));
          check(store.getSnapshot());
        }
        // In the end every read is answered.
        for (let k = 0; k < 4; k++) {
          await vi.advanceTimersByTimeAsync(3_000);
          await turn();
          for (const { answer } of held.splice(0)) answer();
          await turn();
        }
        const { status, data } = store.getSnapshot();
        if (asked === undefined || ('maxSolSpend' in asked && asked.maxSolSpend === ''))
          expect(status).toBe('idle');
        else if ('maxSolSpend' in asked && asked.maxSolSpend === '1e5') expect(status).toBe('error');
        else {
          expect(status).toBe('ready');
          const fresh = await fetchPoolSnapshot(client, asked);
          expect(data?.snapshot.reserveB).toBe(fresh.reserveB);
          expect(data?.input).toEqual(asked);
        }
      } finally {
        store.dispose();
        await turn();
      }
      expect(wrong).toEqual([]);
      expect([ledger.subscriptions.count, vi.getTimerCount()]).toEqual([0, 0]);
    }),
    { numRuns: 100 },
  );
}, 60_000);
