import type { Address } from '@solana/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type PoolLocator, type PoolsWatch, type PoolUpdate, watchPools } from '../../../src/index.js';
import { addressNumbered } from '../../support/addresses.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger, useLedger } from '../../support/ledger.js';
import { clientOver, createNode, silent } from '../../support/rpc.js';

let community: PoolLocator;
let creator: PoolLocator;
let pro: PoolLocator;
let watch: PoolsWatch | undefined;

useLedger();
beforeEach(() => {
  const { pools } = ledger;
  community = { mint: pools.community.mint, configVersion: 1 };
  creator = { mint: pools.creator.mint, configVersion: 2 };
  pro = { mint: pools.pro.mint, configVersion: 3, pool: pools.pro.pool };
});

afterEach(async () => {
  await watch?.return();
  expect(ledger.subscriptions.count).toBe(0);
});

const reads = () => ledger.requests.filter(({ method }) => method === 'getMultipleAccounts');
const turn = async () => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve));
};
const next = async (): Promise<PoolUpdate> => {
  const { done, value } = await watch!.next();
  if (done) throw new Error('The watch is over.');
  return value;
};
const mints = async (count: number) => {
  const found: string[] = [];
  for (let k = 0; k < count; k++) found.push((await next()).locator.mint);
  return found.sort();
};

test('three pools take one read and one subscription per account, and each yields with its locator', async () => {
  const connected: PoolLocator[] = [];
  watch = watchPools(client, [community, creator, pro], {
    observe: ({ type }, locator) => type === 'connected' && void connected.push(locator),
  });
  expect(await mints(3)).toEqual([community.mint, creator.mint, pro.mint].sort());
  expect(reads()).toHaveLength(1);
  // Three pools, mints and configs; one feed and one clock.
  expect(ledger.subscriptions.count).toBe(11);
  expect(watch.size).toBe(3);
  expect(connected).toEqual([community, creator, pro]);

  ledger.setReserves(ledger.pools.pro.pool, { tokenB: 5_000_000_000n });
  const { locator, snapshot } = await next();
  expect(locator).toBe(pro);
  expect(snapshot?.reserveB).toBe(5_000_000_000n);
  expect(watch.latest(pro)).toBe(snapshot);
  expect(watch.isLive(pro)).toBe(false);
  ledger.setSlot(ledger.slot + 1n);
  await turn();
  expect([community, creator, pro].map((one) => watch?.isLive(one))).toEqual([true, true, true]);

  const known = ledger.slot;
  ledger.subscriptions.dropAll();
  await expect.poll(() => reads().length, { timeout: 10_000 }).toBeGreaterThan(1);
  for (const { params } of reads().slice(1)) expect(params[1]).toMatchObject({ minContextSlot: known });
});

test('a slow reader gets the newest of each pool once', async () => {
  watch = watchPools(client, [creator, pro]);
  await mints(2);
  for (let tokenB = 5_000_000_001n; tokenB < 5_000_000_010n; tokenB++)
    ledger.setReserves(ledger.pools.pro.pool, { tokenB });
  ledger.setSolPrice('200');
  await turn();
  const news = [await next(), await next()];
  expect(news.map(({ locator }) => locator.mint).sort()).toEqual([creator.mint, pro.mint].sort());
  expect(news.find(({ locator }) => locator === pro)?.snapshot?.reserveB).toBe(5_000_000_009n);
  let hasMore = false;
  void watch.next().then(({ done }) => {
    hasMore = done !== true;
  });
  await turn();
  expect(hasMore).toBe(false);
});

test('pools can be added and removed while it runs', async () => {
  watch = watchPools(client, [creator]);
  expect(await mints(1)).toEqual([creator.mint]);
  watch.add(creator);
  watch.add(pro);
  expect(await mints(1)).toEqual([pro.mint]);
  expect(ledger.subscriptions.count).toBe(8);
  ledger.setReserves(ledger.pools.creator.pool, { tokenB: 3_000_000_000_000n });
  await turn();
  expect(watch.remove(creator)).toBe(true);
  expect(watch.remove(creator)).toBe(false);
  expect(ledger.subscriptions.count).toBe(5);
  expect(watch.latest(creator)).toBeUndefined();
  // Its pending updates are dropped.
  ledger.setReserves(ledger.pools.pro.pool, { tokenB: 5_000_000_000n });
  expect((await next()).locator).toBe(pro);
});

test('before it begins, pools can be added and removed, and nothing is known of them', async () => {
  watch = watchPools(client, []);
  watch.add(creator);
  watch.add(pro);
  expect(watch.remove(creator)).toBe(true);
  expect([watch.size, watch.latest(pro)]).toEqual([1, undefined]);
  expect([watch.isLive(pro), watch.isLive(creator)]).toEqual([false, false]);
  expect(await mints(1)).toEqual([pro.mint]);
});

test('nothing comes of a pool that was removed before it was read, nor of its errors', async () => {
  watch = watchPools(client, [creator]);
  await mints(1);
  const wrong = { mint: 'x' as never, configVersion: 2 };
  watch.add(wrong);
  watch.remove(wrong);
  const read = ledger.requests.length;
  watch.add(pro);
  // Its read is under way.
  await turn();
  watch.remove(pro);
  await expect.poll(() => ledger.requests.length).toBe(read + 1);
  await turn();
  ledger.setReserves(ledger.pools.creator.pool, { tokenB: 3_000_000_000_000n });
  expect((await next()).locator).toBe(creator);
});

test('yields nothing after its signal, though there is news, and stops its reads', async () => {
  const stop = new AbortController();
  const complaints = vi.spyOn(console, 'error');
  const node = createNode((call) => ledger.transport(call as never));
  const { rpc } = clientOver(node.transport);
  watch = watchPools({ ...client, rpc }, [creator, pro], { abortSignal: stop.signal });
  await next();
  node.does = silent;
  watch.add(community);
  await expect.poll(() => node.calls).toHaveLength(2);
  stop.abort();
  expect(node.calls[1]?.signal?.aborted).toBe(true);
  expect(await watch.next()).toEqual({ done: true, value: undefined });
  // It has no observer, and misses none.
  expect(complaints).not.toHaveBeenCalled();
});

test('a missing pool gives its error once, and the others continue', async () => {
  const none = { mint: ledger.pools.pro.mint, configVersion: 2 };
  const wrong = { mint: 'x' as never, configVersion: 2 };
  const wrongPool = { ...pro, pool: 'x' as never };
  watch = watchPools(client, [none, creator, wrong, wrongPool]);
  const news = [await next(), await next(), await next(), await next()];
  const of = (locator: PoolLocator) => news.find((one) => one.locator === locator);
  expect(of(none)).toMatchObject({ error: { code: 'pool-not-found' } });
  expect(of(wrong)).toMatchObject({ error: { code: 'invalid-address', context: { field: 'mint' } } });
  expect(of(wrongPool)).toMatchObject({ error: { code: 'invalid-address', context: { field: 'pool' } } });
  expect(of(creator)?.snapshot?.addresses.mint).toBe(creator.mint);
  expect(watch.size).toBe(1);
});

test('ends with its signal, and then accepts no pool', async () => {
  const stop = new AbortController();
  watch = watchPools(client, [creator], { abortSignal: stop.signal });
  await mints(1);
  const waiting = watch.next();
  stop.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  await expectRefusal(() => watch?.add(pro), 'invalid-input', { field: 'locator' });
});

test.each([
  [
    'no subscriptions',
    () => watchPools({ ...client, rpcSubscriptions: undefined }, [creator]),
    'rpcSubscriptions',
  ],
  ['no locators', () => watchPools(client, creator as never), 'locators'],
  ['a locator of nothing', () => watchPools(client, [undefined as never]), 'locator'],
  ['no signal', () => watchPools(client, [creator], { abortSignal: 5 as never }), 'abortSignal'],
])('rejects %s', async (_, begin, field) => {
  watch = begin();
  await expectRefusal(watch.next(), 'invalid-input', { field });
});

test('five hundred pools: a call per 96, a subscription per account, and each change comes once', async () => {
  const COUNT = 500;
  // Pro pools of one token: their mint, config, price feed and clock are shared.
  const account = ledger.getAccount(ledger.pools.pro.pool)!;
  const pools = Array.from({ length: COUNT }, (_, k) => addressNumbered(k));
  const locators = pools.map((pool): PoolLocator => ({ ...pro, pool }));
  for (const pool of pools) ledger.setAccount(pool, account);
  watch = watchPools(client, locators);

  /** The news of so many pools, by their address. None comes twice. */
  const newsOf = async (count: number) => {
    const found = new Map<string, bigint | undefined>();
    for (let k = 0; k < count; k++) {
      const { locator, snapshot } = await next();
      found.set(locator.pool as string, snapshot?.reserveB);
    }
    expect(found.size).toBe(count);
    return found;
  };
  expect([...(await newsOf(COUNT)).keys()].sort()).toEqual([...pools].sort());
  // 100 accounts a call, four of which are shared.
  expect(reads().map(({ params: [addresses] }) => (addresses as readonly unknown[]).length)).toEqual([
    ...Array.from({ length: 5 }, () => 100),
    24,
  ]);
  expect(ledger.subscriptions).toMatchObject({ count: COUNT + 4, opened: COUNT + 4 });

  // A slot is one notification, which makes all of them live.
  ledger.setSlot(ledger.slot + 1n);
  await newsOf(COUNT);
  expect(locators.every((locator) => watch?.isLive(locator))).toBe(true);

  const changed = pools.filter((_, k) => k % 20 === 0);
  for (const [k, pool] of changed.entries()) ledger.setReserves(pool, { tokenB: 5_000_000_000n + BigInt(k) });
  const news = await newsOf(changed.length);
  expect(news).toEqual(new Map(changed.map((pool, k) => [pool, 5_000_000_000n + BigInt(k)])));
  // One account that they share changes: each of them has news.
  ledger.setSolPrice('200');
  expect((await newsOf(COUNT)).get(pools[20] as string)).toBe(5_000_000_001n);

  for (const locator of locators.slice(250)) watch.remove(locator);
  expect(watch.size).toBe(250);
  expect(ledger.subscriptions.count).toBe(254);
  // Nothing is left to come: the next news is that of the next change.
  ledger.setReserves(pools[400] as Address, { tokenB: 7n });
  ledger.setReserves(pools[249] as Address, { tokenB: 6_000_000_000n });
  expect(await newsOf(1)).toEqual(new Map([[pools[249], 6_000_000_000n]]));
  expect(reads()).toHaveLength(6);
});
