import { describe, expect, test, vi } from 'vitest';
import {
  createClient,
  createQuoteStore,
  fetchPoolSnapshot,
  type LiveQuote,
  type PoolQuoteInput,
  type StoreState,
} from '../../src/index.js';
import { fc } from '../support/properties.js';
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

describe('a quote ages', () => {
  test('without subscriptions: reads again after half of the time, and is stale if nothing arrives', async () => {
    const { store, statuses } = watched(scene.slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    scene.held[0]?.answer();
    await turn();
    await pass(3_999);
    expect(scene.held).toHaveLength(1);
    await pass(1);
    expect(scene.held).toHaveLength(2);
    await pass(1_999);
    expect(store.getSnapshot().status).toBe('ready');
    await pass(1);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: undefined });
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('1'));
    // It is still quoted, and no less old.
    store.update(buy('2'));
    expect(store.getSnapshot().status).toBe('stale');
    expect(dataOf(store.getSnapshot()).input).toEqual(buy('2'));
    scene.held[1]?.answer();
    await turn();
    expect(store.getSnapshot().status).toBe('ready');
    expect(statuses()).toEqual(['loading', 'ready', 'stale', 'stale', 'ready']);
  });

  test('says why when the node fails, and recovers by itself', async () => {
    const { store } = watched(scene.slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    scene.held[0]?.fail();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'rpc-failed' } });
    await pass(250);
    scene.held[1]?.answer();
    await turn();
    expect(store.getSnapshot().status).toBe('ready');
    await pass(4_000);
    scene.held[2]?.fail();
    await pass(2_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
  });

  test('says why as soon as it is known, if it was stale before', async () => {
    const { store } = watched(scene.slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    scene.held[0]?.answer();
    await turn();
    await pass(6_000);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: undefined });
    scene.held[1]?.fail();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
  });

  test('with subscriptions: keeps the quote while slots arrive, and reads again if none does', async () => {
    const { store, statuses } = watched(scene.client, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    const before = reads();
    for (let k = 0; k < 20; k++) {
      await pass(1_000);
      scene.ledger.setSlot(scene.ledger.slot + 1n);
    }
    expect(reads()).toBe(before);
    expect(dataOf(store.getSnapshot()).quote.details.slot).toBeGreaterThan(scene.ledger.slot - 10n);
    await pass(8_000);
    expect(reads()).toBeGreaterThan(before);
    expect(new Set(statuses())).toEqual(new Set(['loading', 'ready']));
  });

  test('is stale at once when the connection is lost, and ready when it is back', async () => {
    const { store } = watched(scene.client, buy('1'));
    await turn();
    scene.ledger.subscriptions.dropAll();
    await turn();
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-failed' } });
    await pass(1_000);
    expect(store.getSnapshot().status).toBe('ready');
  });

  test('ignores an answer from an older slot', async () => {
    const { store } = watched(scene.slow, buy('1'), { maxAgeMs: 8_000 });
    await turn();
    scene.ledger.setSlot(scene.ledger.slot + 10n);
    scene.held[0]?.answer();
    await turn();
    const { slot } = dataOf(store.getSnapshot()).quote.details;
    scene.ledger.setSlot(scene.ledger.slot - 5n);
    const refreshed = store.refresh();
    await turn();
    expect(store.getSnapshot().status).toBe('loading');
    scene.held[1]?.answer();
    await refreshed;
    expect(store.getSnapshot().status).toBe('stale');
    expect(dataOf(store.getSnapshot()).quote.details.slot).toBe(slot);
  });

  test('drops a made-up slot when reads stay far behind it', async () => {
    const { slot } = scene.ledger;
    const { store } = watched(createClient({ rpc: scene.ledger.rpc }), buy('1'), { maxAgeMs: 8_000 });
    scene.ledger.setSlot(slot + 900_000n);
    await turn();
    scene.ledger.setSlot(slot);
    scene.ledger.setReserves(scene.ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    await pass(8_000);
    expect(store.getSnapshot().status).toBe('stale');
    expect(dataOf(store.getSnapshot()).quote.details.slot).toBe(slot + 900_000n);
    await pass(8_000);
    expect(store.getSnapshot().status).toBe('ready');
    expect(dataOf(store.getSnapshot()).snapshot).toMatchObject({ slot, reserveB: 90_000_000_000n });
  });

  test('never trusts a node that stays behind: the state says why', async () => {
    const { slot } = scene.ledger;
    scene.ledger.setSlot(slot + 150n);
    const { store } = watched(createClient({ rpc: scene.ledger.rpc }), buy('1'), { maxAgeMs: 8_000 });
    await turn();
    const { reserveB } = dataOf(store.getSnapshot()).snapshot;
    scene.ledger.setSlot(slot);
    scene.ledger.setReserves(scene.ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    await pass(60_000);
    expect(store.getSnapshot()).toMatchObject({
      status: 'stale',
      error: { code: 'rpc-behind', context: { minContextSlot: slot + 150n } },
      data: { snapshot: { slot: slot + 150n, reserveB } },
    });
    await store.refresh();
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'rpc-behind' } });
    scene.ledger.setSlot(slot + 151n);
    await pass(8_000);
    expect(store.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { snapshot: { reserveB: 90_000_000_000n } },
    });
  });

  test('refresh reads now, instead of what was asked for before', async () => {
    const { store } = watched(scene.slow, buy('1'));
    await turn();
    scene.held[0]?.answer();
    await turn();
    const first = store.refresh();
    await turn();
    const second = store.refresh();
    await turn();
    expect([scene.held[1]?.signal?.aborted, scene.held[2]?.signal?.aborted]).toEqual([true, false]);
    scene.ledger.setReserves(scene.ledger.pools.community.pool, { tokenB: 90_000_000_000n });
    scene.held[2]?.answer();
    await Promise.all([first, second]);
    expect(dataOf(store.getSnapshot()).snapshot).toEqual(await fetchPoolSnapshot(scene.client, community()));
  });
});

test('whatever arrives in whatever order, the last update wins, and no quote answers another input', async () => {
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
      scene.held = [];
      const rpcSubscriptions = isLive ? { rpcSubscriptions: scene.ledger.rpcSubscriptions } : {};
      const over = createClient({ rpc: scene.slow.rpc, ...rpcSubscriptions });
      const store = createQuoteStore(over);
      scene.stores.push(store);
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
          } else if (one.do === 'answer') scene.held.at(one.index)?.answer();
          else if (one.do === 'fail') scene.held.at(-1)?.fail();
          else if (one.do === 'refresh') void store.refresh();
          else if (one.do === 'renew') {
            unsubscribe();
            unsubscribe = store.subscribe(listener);
          } else if (one.do === 'drop') scene.ledger.subscriptions.dropAll();
          else if (one.do === 'move') {
            scene.ledger.setSlot(scene.ledger.slot + 1n);
            scene.ledger.setReserves(scene.ledger.pools.community.pool, {
              tokenB: BigInt(one.sol) * 1_000_000_000n,
            });
          } else await vi.advanceTimersByTimeAsync(one.ms);
          await new Promise((resolve) => setImmediate(resolve));
          check(store.getSnapshot());
        }
        // In the end every read is answered.
        for (let k = 0; k < 4; k++) {
          await vi.advanceTimersByTimeAsync(3_000);
          await turn();
          for (const { answer } of scene.held.splice(0)) answer();
          await turn();
        }
        const { status, data } = store.getSnapshot();
        if (asked === undefined || ('maxSolSpend' in asked && asked.maxSolSpend === ''))
          expect(status).toBe('idle');
        else if ('maxSolSpend' in asked && asked.maxSolSpend === '1e5') expect(status).toBe('error');
        else {
          expect(status).toBe('ready');
          const fresh = await fetchPoolSnapshot(scene.client, asked);
          expect(data?.snapshot.reserveB).toBe(fresh.reserveB);
          expect(data?.input).toEqual(asked);
        }
      } finally {
        store.dispose();
        await turn();
      }
      expect(wrong).toEqual([]);
      expect([scene.ledger.subscriptions.count, vi.getTimerCount()]).toEqual([0, 0]);
    }),
    { numRuns: 100 },
  );
}, 60_000);
