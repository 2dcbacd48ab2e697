import { describe, expect, test, vi } from 'vitest';

import {
  createQuoteStore,
  type QuoteStoreInput,
  quoteBuy,
  quoteBuyExactOut,
  quoteProBuy,
  quoteProBuyExactOut,
  quoteProSell,
  quoteProSellExactOut,
  quoteSell,
  quoteSellExactOut,
} from '../../src/index.js';
import {
  buy,
  community,
  dataOf,
  pass,
  pro,
  reads,
  scene,
  turn,
  useQuoteStores,
  watched,
} from '../support/quote-stores.js';

useQuoteStores();

describe('a quote store', () => {
  test('does nothing before the first subscriber', async () => {
    const store = createQuoteStore(scene.client, buy('1'));
    scene.stores.push(store);
    store.update(buy('2'));
    await store.refresh();
    await pass(1000);
    expect([reads(), scene.ledger.subscriptions.opened, store.getSnapshot().status]).toEqual([0, 0, 'idle']);
  });

  test('quotes each kind of trade as its function does', async () => {
    const terms = { slippageBps: 50 };
    const standard = community();
    const inPro = pro();
    const cases: readonly (readonly [QuoteStoreInput, () => Promise<unknown>])[] = [
      [
        { side: 'buy', ...standard, ...terms, lamports: 1_500_000_000n },
        () => quoteBuy(scene.client, { ...standard, ...terms, maxSolSpend: '1.5' }),
      ],
      [
        { side: 'sell', ...standard, ...terms, amountInUi: '250' },
        () => quoteSell(scene.client, { ...standard, ...terms, amountInUi: '250' }),
      ],
      [
        { side: 'buy', ...standard, ...terms, amountOutUi: '250' },
        () => quoteBuyExactOut(scene.client, { ...standard, ...terms, amountOutUi: '250' }),
      ],
      [
        { side: 'sell', ...standard, ...terms, amountOut: 1_000_000n },
        () => quoteSellExactOut(scene.client, { ...standard, ...terms, amountOut: 1_000_000n }),
      ],
      [
        { side: 'buy', ...inPro, ...terms, maxSolSpend: 1 },
        () => quoteProBuy(scene.client, { ...inPro, ...terms, maxSolSpend: 1 }),
      ],
      [
        { side: 'sell', ...inPro, ...terms, amountIn: 1_000_000n },
        () => quoteProSell(scene.client, { ...inPro, ...terms, amountIn: 1_000_000n }),
      ],
      [
        { side: 'buy', ...inPro, ...terms, amountOutUi: '2' },
        () => quoteProBuyExactOut(scene.client, { ...inPro, ...terms, amountOutUi: '2' }),
      ],
      [
        { side: 'sell', ...inPro, ...terms, amountOutUi: '0.1' },
        () => quoteProSellExactOut(scene.client, { ...inPro, ...terms, amountOutUi: '0.1' }),
      ],
    ];
    for (const [input, expected] of cases) {
      const { store } = watched(scene.client, input);
      await turn();
      const state = store.getSnapshot();
      expect(state.status).toBe('ready');
      expect(dataOf(state).quote).toEqual(await expected());
      expect(dataOf(state)).toMatchObject({ input, side: input.side });
      store.dispose();
    }
  });

  test('quotes what is typed at once and without a call, and says first that it is loading', async () => {
    const { store, statuses } = watched(scene.client, buy('1'));
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
    const { store, states } = watched(scene.client, buy('1'));
    await turn();
    const before = reads();
    const first = dataOf(store.getSnapshot());
    scene.ledger.setSlot(scene.ledger.slot + 1n);
    scene.ledger.setReserves(scene.ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    await turn();
    const second = dataOf(store.getSnapshot());
    expect(reads()).toBe(before);
    expect(second.quote.details.amountOut).not.toBe(first.quote.details.amountOut);
    expect(second.quote).toEqual(
      await quoteBuy(scene.client, { ...community(), maxSolSpend: '1', slippageBps: 50 }),
    );
    expect(states.at(-1)).toBe(store.getSnapshot());
  });

  test('waits for the next update before it reads another pool, and never reads the ones between', async () => {
    const { store } = watched(scene.slow, buy('1'));
    await turn();
    expect(scene.held).toHaveLength(1);
    store.update({ ...buy('1'), ...pro() } as QuoteStoreInput);
    // What was asked for before is of no use any more.
    expect(scene.held[0]?.signal?.aborted).toBe(true);
    await pass(149);
    store.update({ ...buy('1'), mint: scene.ledger.pools.creator.mint, configVersion: 2 } as QuoteStoreInput);
    await pass(149);
    expect(scene.held).toHaveLength(1);
    await pass(1);
    expect(scene.held).toHaveLength(2);
    scene.held[0]?.answer();
    scene.held[1]?.answer();
    await turn();
    expect(dataOf(store.getSnapshot()).quote.mint).toBe(scene.ledger.pools.creator.mint);
  });

  test('keeps the old quote while loading another for the same pool and side, but not for the other side', async () => {
    const { store } = watched(scene.slow, buy('1'));
    await turn();
    scene.held[0]?.answer();
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
    scene.held[1]?.answer();
    await turn();
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('3'));
  });

  test.each(['', ' ', '0', '0.', '0.00', '.', '1.', '00'])('is idle while "%s" is typed', async (typed) => {
    const { store } = watched(scene.client, buy('1'));
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
    const { store } = watched(scene.client, buy('1'));
    await turn();
    store.update(buy(typed));
    expect(store.getSnapshot()).toMatchObject({ status: 'error', data: undefined, error: { code } });
  });

  test('says what is wrong with any other input, and throws nothing', async () => {
    const { store } = watched(scene.client, buy('1'));
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
    expect(scene.ledger.subscriptions.count).toBe(0);
  });

  test('says why a pool gives no quote', async () => {
    const { store } = watched(scene.client, { ...buy('1'), pool: scene.ledger.pools.community.pool });
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'pool-kind-mismatch' } });
    store.update({ side: 'buy', ...community(), amountOutUi: '999999999', slippageBps: 0 });
    await pass(200);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'insufficient-liquidity' } });
  });

  test('ignores later changes to the input object', async () => {
    const input = { ...buy('1') } as { maxSolSpend: string } & QuoteStoreInput;
    const { store } = watched(scene.client, input);
    input.maxSolSpend = '5';
    await turn();
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('1'));
  });
});

describe('a quote store stops', () => {
  test('after its last subscriber, and follows again for the next', async () => {
    const { store, unsubscribe } = watched(scene.client, buy('1'));
    await turn();
    unsubscribe();
    const again = store.subscribe(() => {});
    await turn();
    expect(scene.ledger.subscriptions.opened).toBe(5);
    again();
    await turn();
    expect(scene.ledger.subscriptions.count).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(store.getSnapshot().status).toBe('stale');
    store.update(buy('2'));
    store.subscribe(() => {});
    await turn();
    expect(store.getSnapshot().status).toBe('ready');
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('2'));
  });

  test('when it is disposed of, in the middle of anything', async () => {
    const { store, states } = watched(scene.slow, buy('1'));
    await turn();
    const told = states.length;
    store.dispose();
    expect(scene.held[0]?.signal?.aborted).toBe(true);
    scene.held[0]?.answer();
    store.update(buy('2'));
    await pass(60_000);
    expect(states).toHaveLength(told);
    expect(scene.held).toHaveLength(1);
  });
});
