import type { Signature } from '@solana/kit';
import { describe, expect, test, vi } from 'vitest';
import { TransactionQueue } from '../../src/history/transaction-queue.js';
import {
  createHeavenClient,
  listTrades,
  type Trade,
  toCandles,
  toPosition,
  watchNewPools,
  watchPools,
  watchTrades,
} from '../../src/index.js';
import { runSampleTrades } from '../../src/testing/index.js';
import { until } from '../support/clock.js';
import { expectRefusal } from '../support/errors.js';
import { node, pass, seen, trade, useFaultyNode } from '../support/faulty-node.js';
import { locatorOf } from '../support/ledger.js';
import { fc } from '../support/properties.js';

useFaultyNode();

type Entry = { signature: string; slot: bigint };

/** What the node answers instead of its list. */
const listing = (change: (list: readonly Entry[], params: readonly unknown[]) => unknown) => {
  node.twist = (method, result, params) =>
    method === 'getSignaturesForAddress' ? change(result, params) : result;
};

const pool = () => node.ledger.pools.creator.pool;

const watchPool = (from?: Signature | Trade, abortSignal = node.stop.signal) =>
  watchTrades(node.client, {
    pool: pool(),
    from,
    abortSignal,
    observe: (event) => void node.events.push(event),
  });

/** Watches the sample pool, and collects. */
function collect(from?: Signature | Trade, abortSignal?: AbortSignal) {
  const watch = watchPool(from, abortSignal);
  const trades: Trade[] = [];
  const end = (async () => {
    for await (const each of watch) trades.push(each);
  })();
  end.catch(() => {});
  return { watch, trades, end, ids: () => trades.map(({ signature }) => signature) };
}

describe('a watch of trades', () => {
  test('gives each as it happens, read in full', async () => {
    await trade(2);
    const { watch, trades, ids, end } = collect();
    expect(watch.isLive).toBe(false);
    await until(() => watch.isLive);
    expect(seen('connected')).toBe(1);
    // Frameworks leave it alone.
    expect(Object.isFrozen(watch)).toBe(true);
    const made = await trade(3);
    await pass(1);
    expect(ids()).toEqual(made);
    for (const each of trades) expect(each).toMatchObject({ unproven: [], pool: pool() });
    node.stop.abort();
    await end;
    expect(watch.isLive).toBe(false);
    expect(node.ledger.subscriptions.count).toBe(0);
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  test('continues where a list ended, whatever happened in between', async () => {
    const past = await trade(3);
    const { trades } = await listTrades(node.client, { pool: pool() });
    const missed = await trade(3);
    const first = collect(trades[0]);
    const second = collect(past[2]);
    await pass(1);
    // They share a subscription.
    expect(node.ledger.subscriptions.count).toBe(1);
    const live = await trade(2);
    await pass(1);
    expect(first.ids()).toEqual([...missed, ...live]);
    expect(second.ids()).toEqual([...missed, ...live]);
  });

  test('fills what a lost connection left out, in its place', async () => {
    const { watch, ids } = collect();
    await pass(1);
    const before = await trade(2);
    await pass(1);
    node.ledger.subscriptions.dropAll();
    await pass(0);
    expect(watch.isLive).toBe(false);
    const missed = await trade(3);
    await pass(2_000);
    expect(watch.isLive).toBe(true);
    const after = await trade(1);
    await pass(1);
    expect(ids()).toEqual([...before, ...missed, ...after]);
    expect(seen('disconnected')).toBe(1);
    expect(node.events).toContainEqual({ type: 'caught-up', found: 3 });
  });

  test('finds what a silent connection misses, and reconnects', async () => {
    const { ids } = collect();
    await pass(1);
    node.fate = () => 'never';
    const made = await trade(2);
    await pass(1);
    expect(ids()).toEqual([]);
    node.fate = () => 'once';
    await pass(20_000);
    expect(ids()).toEqual(made);
    expect(seen('disconnected')).toBe(0);
    await pass(20_000);
    expect(seen('disconnected')).toBe(1);
    await pass(2_000);
    expect(seen('connected')).toBe(2);
  });

  test('keeps a connection that is merely slower than the list', async () => {
    const { ids } = collect();
    await pass(19_950);
    node.fate = () => 'late';
    const made = await trade(1);
    await pass(50);
    expect(ids()).toEqual(made);
    expect(seen('caught-up')).toBe(1);
    await pass(60_000);
    expect(ids()).toEqual(made);
    expect(seen('disconnected')).toBe(0);
  });

  test('knows a late notification, however many slots have passed since', async () => {
    const { ids } = collect();
    await pass(19_950);
    node.fate = () => 'late';
    const first = await trade(1);
    const { signatures } = await runSampleTrades(node.ledger, { count: 1, seconds: 100, seed: 99 });
    await pass(1_000);
    expect(ids()).toEqual([...first, ...signatures]);
  });

  test('gives what was listed before what is newer, to a slow reader of one slot', async () => {
    node.slot = 7n;
    node.fate = () => 'never';
    const watch = watchPool();
    const results = [watch.next()];
    await pass(1);
    const made = [...(await trade(6))];
    await pass(20_000);
    while (results.length < 4) results.push(watch.next());
    await pass(1);
    made.push(...(await trade(2)));
    await pass(20_000);
    while (results.length < 8) results.push(watch.next());
    await pass(20_000);
    expect((await Promise.all(results)).map(({ value }) => value?.signature)).toEqual(made);
  });

  test('keeps the order of everything that a list has between two notifications', () => {
    const listed = Array.from({ length: 200 }, (_, id) => ({ signature: `${id}`, slot: 7n }) as Entry);
    const queue = new TransactionQueue(undefined);
    for (const id of [0, 150]) queue.add(listed[id] as never, () => true);
    queue.addListed([...listed].reverse() as never);
    const queued = queue.take(200);
    expect(queued).toMatchObject(listed);
    expect(new Set(queued.map(({ place }) => place)).size).toBe(200);
  });

  // A node before Agave 4.0 doesn't say a transaction's index.
  test.each([false, true])('places trades of one slot, with the index in the block: %s', async (hasIndex) => {
    const oracle = [node.ledger.transactions.buy as string];
    node.twist = async (method, result: never, [signature]) => {
      if (!hasIndex || method !== 'getTransaction') return result;
      const block = [...(await node.ledger.rpc.getSignaturesForAddress(pool()).send())].reverse();
      const transactionIndex = 3 * block.findIndex((each) => each.signature === signature);
      return { ...(result as object), transactionIndex };
    };
    node.slot = 7n;
    oracle.push(...(await trade(5)));
    const all: Trade[] = [];
    // Each page ends in the slot.
    for await (const each of listTrades(node.client, { pool: pool(), limit: 2 })) all.push(each);
    expect(all.map(({ signature }) => signature)).toEqual([...oracle].reverse());
    const { trades } = collect(all[0]);
    await pass(1);
    const happens = async (how: 'once' | 'never') => {
      node.fate = () => how;
      oracle.push(...(await trade(1)));
      await pass(1);
    };
    for (const how of ['once', 'never', 'never', 'once'] as const) await happens(how);
    await pass(20_000);
    all.push(...trades);

    const sorted = [...all].sort((a, b) => (a.place < b.place ? -1 : 1));
    expect(sorted.map(({ signature }) => signature)).toEqual(oracle);
    node.slot = undefined;
    const { trades: truth } = await listTrades(node.client, { pool: pool(), limit: 1_000 });
    const shuffled = [...all].sort((a, b) => (a.signature < b.signature ? -1 : 1));
    const intervalSeconds = 31_536_000;
    expect(toCandles(shuffled, { intervalSeconds })).toEqual(toCandles(truth, { intervalSeconds }));
    for (const { user } of truth) expect(toPosition(shuffled, user)).toEqual(toPosition(truth, user));
  });

  test('gives up a subscription that the node never answers', async () => {
    node.hangs = true;
    const { watch } = collect();
    await pass(1);
    node.hangs = false;
    await pass(45_000);
    expect(watch.isLive).toBe(true);
    expect(node.events[0]).toMatchObject({ type: 'disconnected', error: { code: 'rpc-timeout' } });
  });

  test.each(['trades', 'pool'] as const)(
    'gives up such a subscription also after the watch of the %s on the same connection has ended',
    async (ended) => {
      node.hangs = true;
      const told: string[] = [];
      const trades = collect().watch;
      const observe = ({ type }: { readonly type: string }) => void told.push(type);
      const pool = watchPools(node.client, [locatorOf(node.ledger.pools.creator)], { observe });
      void pool.next();
      await pass(1);
      await { trades, pool }[ended].return();
      node.hangs = false;
      await pass(45_000);
      if (ended === 'pool') expect(trades.isLive).toBe(true);
      else expect(told).toEqual(['disconnected', 'connected', 'reread']);
      await pool.return();
    },
  );

  test('remembers only so many notifications: with more, it lists', async () => {
    const { ids } = collect();
    await pass(1);
    let lists = 0;
    listing((list) => {
      lists++;
      return list;
    });
    node.fate = () => 'flood';
    const made = await trade(1);
    await pass(1_000);
    expect(ids()).toEqual(made);
    expect(lists).toBe(2);
    // The watch left them out, not the subscription.
    node.fate = () => 'once';
    await pass(60_000);
    expect(seen('disconnected')).toBe(0);
  });

  test("continues with notifications while the node's list fails", async () => {
    const { ids } = collect();
    await pass(1);
    listing(() => Promise.reject(new TypeError('fetch failed')));
    await pass(20_000);
    expect(seen('read-failed')).toBe(1);
    const made: string[] = [];
    for (let k = 0; k < 5; k++) {
      made.push(...(await trade(1)));
      await pass(1);
      expect(ids()).toEqual(made);
      await pass(10_000);
    }
  });

  test.each([
    [30_000, true],
    [100_001, false],
  ])('catches up with %i other transactions: %s', async (count, goesOn) => {
    const [from] = await trade(1);
    const { slot } = (await listTrades(node.client, { pool: pool(), limit: 1 })).trades[0]!;
    const made = await trade(1);
    // Of failed transactions, which somebody sends to name the pool.
    const digits = 'ABCDEFGHJKLMNPQRSTUV';
    const ending = (k: number) => [8_000, 400, 20, 1].map((of) => digits[Math.floor(k / of) % 20]).join('');
    const failed = { slot, err: 'Failed', blockTime: null };
    const start = made[0]!.slice(0, -4);
    const flood = Array.from({ length: count }, (_, k) => ({ ...failed, signature: start + ending(k) }));
    const places = new Map(flood.map(({ signature }, index) => [signature, index]));
    listing((list, [, options]) => {
      const { before, limit } = options as { readonly before?: string; readonly limit: number };
      const place = places.get(before ?? '') ?? -1;
      const page = flood.slice(place + 1, place + 1 + Number(limit));
      return [...(place < 0 ? list : []), ...page].slice(0, Number(limit));
    });
    const { ids, end } = collect(from);
    await pass(30_000);
    if (goesOn) return expect(ids()).toEqual(made);
    await expectRefusal(end, 'history-incomplete:too-many', { signature: from });
  });

  test('works without a connection at all, and says so', async () => {
    node.ledger.subscriptions.refusal = new Error('no sockets here');
    const { watch, ids } = collect();
    await pass(1);
    const made = await trade(2);
    await pass(20_000);
    expect(ids()).toEqual(made);
    expect(watch.isLive).toBe(false);
    expect(seen('disconnected')).toBeGreaterThan(0);
  });

  test('buffers for a slow reader, and drops nothing', async () => {
    const watch = watchPool();
    const first = watch.next();
    await pass(1);
    const made = await trade(6);
    await pass(60_000);
    const ids = [(await first).value?.signature];
    while (ids.length < 6) ids.push((await watch.next()).value?.signature);
    expect(ids).toEqual(made);
    expect(await watch.return()).toEqual({ done: true, value: undefined });
  });

  test("ends with its error if it can't continue", async () => {
    const unknown = '1'.repeat(64) as Signature;
    const late = collect(unknown);
    await pass(30_000);
    await expectRefusal(late.end, 'history-incomplete:unknown-cursor', { signature: unknown });
    const plain = createHeavenClient({ rpc: node.client.rpc });
    const field = 'rpcSubscriptions';
    await expectRefusal(watchTrades(plain, { pool: pool() }).next(), 'invalid-input', { field });
    await expectRefusal(watchTrades(node.client, {}).next(), 'invalid-input', { field: 'pool' });
    const ofKind = watchNewPools(node.client, { kind: 'other' as never });
    await expectRefusal(ofKind.next(), 'invalid-input', { field: 'kind' });

    const { end } = collect();
    await pass(1);
    node.twist = (method, result) => (method === 'getTransaction' ? null : result);
    const [lost] = await trade(1);
    await pass(300_000);
    await expectRefusal(end, 'history-incomplete:not-returned', { signature: lost });
    expect(seen('read-failed')).toBeGreaterThan(0);
  });

  test('closes the subscription when the loop, the watch or its signal ends', async () => {
    const watch = watchPool();
    const loop = (async () => {
      for await (const each of watch) return each.signature;
      return undefined;
    })();
    await pass(1);
    const [made] = await trade(1);
    await pass(1);
    expect(await loop).toBe(made);
    expect(node.ledger.subscriptions.count).toBe(0);
    const pending = watchPool();
    const next = pending.next();
    await pass(1);
    await pending.return();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);

    // Its signal also closes one that nobody reads.
    const unread = watchPool();
    const first = unread.next();
    await pass(1);
    await trade(1);
    await pass(1);
    expect(await first).toMatchObject({ done: false });
    node.stop.abort();
    expect([node.ledger.subscriptions.count, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

test('whatever happens to the connection and the list, each trade comes once, and none is missing', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('trade') },
    { weight: 5, arbitrary: fc.constantFrom('drop', 'silent', 'twice', 'lag', 'pass') },
  );

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const own = new AbortController();
      let hidden: string | undefined;
      listing((list) => list.slice(list.findIndex(({ signature }) => signature === hidden) + 1));
      node.fate = () => 'once';
      const { ids, end } = collect(undefined, own.signal);
      await pass(1);
      const oracle: string[] = [];
      for (const each of steps) {
        if (each === 'trade') oracle.push(...(await trade(1)));
        else if (each === 'drop') node.ledger.subscriptions.dropAll();
        else if (each === 'silent') node.fate = () => 'never';
        else if (each === 'twice') node.fate = () => 'twice';
        // The node's list lacks the newest trade and all after it for a moment.
        else if (each === 'lag') hidden = oracle.at(-1);
        else await pass(5_000);
        await pass(1);
      }
      hidden = undefined;
      node.fate = () => 'once';
      await pass(45_000);
      expect(ids().sort()).toEqual([...oracle].sort());
      own.abort();
      await end;
    }),
    { numRuns: 8 },
  );
});
