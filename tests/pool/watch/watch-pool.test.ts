import { getEventListeners } from 'node:events';
import { type Address, createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createHeavenClient,
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  type HeavenClient,
  type HeavenRpcSubscriptions,
  type PoolLocator,
  type PoolWatch,
  type PoolWatchEvent,
  toSwapState,
  type WatchPoolOptions,
  watchPool,
} from '../../../src/index.js';
import { createEmbeddedLedger, createFeeBrackets, type EmbeddedLedger } from '../../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../support/addresses.js';
import { caseOf, expectRefusal, refusalOf } from '../../support/errors.js';
import { fc } from '../../support/properties.js';

const FEED = 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt' as Address;
const SYSTEM = '11111111111111111111111111111111' as Address;

let ledger: EmbeddedLedger;
let client: HeavenClient;
let locator: PoolLocator;
let events: PoolWatchEvent[];
const observe = (event: PoolWatchEvent) => void events.push(event);
const types = () => events.map(({ type }) => type);

/** A ledger whose pool has no virtual SOL: any reserves will do. */
async function newLedger(): Promise<EmbeddedLedger> {
  const made = await createEmbeddedLedger();
  made.updatePool(made.pools.community.pool, ({ reserve }) => ({ reserve: { ...reserve, initialB: 0n } }));
  return made;
}

beforeEach(async () => {
  ledger = await newLedger();
  client = createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  const { mint, configVersion } = ledger.pools.community;
  locator = { mint, configVersion };
  events = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(left).toBe(0);
  expect(ledger.subscriptions.count).toBe(0);
});

/** What follows of what has happened, without time passing. */
const turn = async () => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve));
};

const pass = async (ms: number) => {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
};

/** Slots pass, one a second. */
const goOn = async (seconds: number) => {
  for (let k = 0; k < seconds; k++) {
    nextSlot();
    await pass(1_000);
  }
};

/** The value of the next snapshot. */
const next = async (watch: PoolWatch): Promise<FetchedPoolSnapshot> => {
  const { done, value } = await watch.next();
  if (done) throw new Error('The watch is over.');
  return value;
};

const reads = () => ledger.requests.filter(({ method }) => method === 'getMultipleAccounts').length;
const poolAddress = () => ledger.pools.community.pool;
const setTokenB = (tokenB: bigint, pool = poolAddress()) => ledger.setReserves(pool, { tokenB });
const nextSlot = (by = 1n) => ledger.setSlot(ledger.slot + by);

/** A watch whose subscriptions and read are known to overlap. */
const live = async (options: WatchPoolOptions = { observe }): Promise<PoolWatch> => {
  const watch = watchPool(client, locator, options);
  await next(watch);
  nextSlot();
  await turn();
  expect(watch.isLive).toBe(true);
  events = [];
  return watch;
};

/** The ledger behind a node whose answers a test chooses. */
function behindNode(answer: (ledgerAnswer: () => Promise<unknown>) => Promise<unknown>): Rpc<SolanaRpcApi> {
  const transport = (async (call) => await answer(() => ledger.transport(call))) as typeof ledger.transport;
  return createSolanaRpcFromTransport(transport) as Rpc<SolanaRpcApi>;
}

/** The ledger's node, which can stop at an answer. */
const stoppable = () => {
  const node: { stopsAt: unknown; readonly rpc: Rpc<SolanaRpcApi> } = {
    stopsAt: undefined,
    rpc: behindNode(async (ledgerAnswer) => {
      const answer = (await ledgerAnswer()) as { readonly id: unknown };
      return node.stopsAt === undefined ? answer : { ...(node.stopsAt as object), id: answer.id };
    }),
  };
  return node;
};
/** The accounts as the ledger has them now. */
const answerNow = () => {
  const { protocolConfig, mint, pool } = ledger.pools.community;
  const addresses = [pool, protocolConfig, mint, FEED, CLOCK_SYSVAR_ADDRESS];
  const payload = { jsonrpc: '2.0', id: '1', method: 'getMultipleAccounts', params: [addresses, {}] };
  return ledger.transport({ payload });
};

/** A client whose subscriptions are made by a function. */
function clientOver(
  subscribe: (address: Address, signal: AbortSignal) => Promise<AsyncIterable<unknown>>,
): HeavenClient {
  const accountNotifications = (address: Address) => ({
    subscribe: ({ abortSignal }: { readonly abortSignal: AbortSignal }) => subscribe(address, abortSignal),
  });
  return createHeavenClient({
    rpc: ledger.rpc,
    rpcSubscriptions: { accountNotifications } as unknown as HeavenRpcSubscriptions,
  });
}

const ledgerNotifications = (address: Address, abortSignal: AbortSignal): Promise<AsyncIterable<unknown>> =>
  ledger.rpcSubscriptions
    .accountNotifications(address, { commitment: 'confirmed', encoding: 'base64' })
    .subscribe({ abortSignal });

describe('a watch', () => {
  test('starts with the first next(), with one read, and yields what fetchPoolSnapshot returns', async () => {
    const watch = watchPool(client, locator);
    await turn();
    expect([watch.latest, watch.isLive, reads(), ledger.subscriptions.opened]).toEqual([
      undefined,
      false,
      0,
      0,
    ]);
    const first = await next(watch);
    expect(reads()).toBe(1);
    expect(first).toEqual(await fetchPoolSnapshot(client, locator));
    expect(watch.latest).toEqual(first);
    await watch.return();
  });

  test('yields each change as a read would, without a call', async () => {
    const watch = await live();
    const { protocolConfig, mint, tokenProgram, pool } = ledger.pools.community;
    const before = reads();
    const changes: (() => void)[] = [
      () => setTokenB(40_000_000_000n),
      () => ledger.setSolPrice('90.5'),
      () =>
        ledger.updateConfig(protocolConfig, ({ marketCapBasedFees }) => ({
          marketCapBasedFees: {
            ...marketCapBasedFees,
            creatorTradingFee: createFeeBrackets([2n ** 64n - 1n, 77, 88]),
          },
        })),
      () => ledger.setMint(mint, tokenProgram, { supply: 999_999_999_000_000_000n, decimals: 9 }),
      () => ledger.updatePool(pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } })),
    ];
    const told: FetchedPoolSnapshot[] = [];
    const expected: FetchedPoolSnapshot[] = [];
    for (const change of changes) {
      nextSlot();
      change();
      told.push(await next(watch));
      expected.push(await fetchPoolSnapshot(client, locator));
      expect(toSwapState(told.at(-1)!)).toEqual(toSwapState(expected.at(-1)!));
    }
    expect(told).toEqual(expected);
    expect(new Set(told.map(({ slot }) => slot)).size).toBe(changes.length);
    // The calls are those of the comparison.
    expect(reads() - before).toBe(changes.length);
    await watch.return();
  });

  test('gives a slow consumer the newest, not a backlog', async () => {
    const watch = await live();
    for (let k = 1n; k <= 100n; k++) setTokenB(30_000_000_000n + k);
    await turn();
    expect((await next(watch)).reserveB).toBe(30_000_000_100n);
    let isTold = false;
    const after = next(watch).finally(() => {
      isTold = true;
    });
    await turn();
    expect(isTold).toBe(false);
    setTokenB(1n);
    expect((await after).reserveB).toBe(1n);
    await watch.return();
  });

  test('keeps what is notified while the first read is in flight', async () => {
    const answers: (() => void)[] = [];
    const rpc = behindNode(async (ledgerAnswer) => {
      const answer = await ledgerAnswer();
      await new Promise<void>((resolve) => answers.push(resolve));
      return answer;
    });
    const watch = watchPool({ ...client, rpc }, locator);
    const first = next(watch);
    await turn();
    expect(answers.length).toBe(1);
    setTokenB(123n);
    answers[0]?.();
    expect((await first).reserveB).toBe(123n);
    await watch.return();
  });
});

describe('slots', () => {
  test('whatever happens in whatever order, no snapshot is older than one before, and the last is right', async () => {
    type Step = {
      readonly do: 'pool' | 'price' | 'slot' | 'back' | 'drop' | 'turn' | 'wait';
      readonly by: number;
    };
    const step: fc.Arbitrary<Step> = fc.record({
      do: fc.constantFrom('pool', 'pool', 'price', 'slot', 'slot', 'back', 'drop', 'turn', 'wait'),
      by: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        ledger = await newLedger();
        client = createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
        const told: bigint[] = [];
        const watch = watchPool(client, locator);
        const loop = (async () => {
          for await (const { slot } of watch) told.push(slot);
        })();
        await turn();
        let { slot: highest } = ledger;
        let price = 80;
        for (const { do: what, by } of steps) {
          if (what === 'pool') setTokenB(BigInt(by) * 10_000_000_000n);
          price += by;
          if (what === 'price') ledger.setSolPrice(price);
          if (what === 'slot') {
            highest += BigInt(by);
            ledger.setSlot(highest);
          }
          // Another node's notification of a few slots before, with what the pool was then.
          if (what === 'back') {
            const pool = ledger.getAccount(poolAddress());
            ledger.setSlot(highest - BigInt(by));
            setTokenB(1n);
            ledger.setSlot(highest);
            ledger.setAccount(poolAddress(), pool);
          }
          if (what === 'drop') ledger.subscriptions.dropAll();
          if (what === 'turn') await turn();
          if (what === 'wait') await pass(by * 200);
        }
        await pass(60_000);
        ledger.setSlot(highest + 1n);
        await turn();
        expect(watch.isLive).toBe(true);
        expect(watch.latest).toEqual(await fetchPoolSnapshot(client, locator));
        expect(told).toEqual([...told].sort((a, b) => Number(a - b)));
        await watch.return();
        await loop;
        expect(ledger.subscriptions.count).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});

describe('a lost connection', () => {
  test('reconnects, reads the accounts again, and notifies the observer', async () => {
    const watch = await live();
    const told = next(watch);
    ledger.subscriptions.dropAll(new Error('The socket broke.'));
    await turn();
    expect([watch.isLive, ledger.subscriptions.count]).toEqual([false, 0]);
    // Nobody is notified of this one.
    setTokenB(45_000_000_000n);
    const before = reads();
    await pass(1_000);
    expect((await told).reserveB).toBe(45_000_000_000n);
    expect(reads() - before).toBe(1);
    expect(events).toEqual([
      { type: 'disconnected', error: expect.objectContaining({ code: 'rpc-failed' }) },
      { type: 'connected' },
      { type: 'reread', reason: 'connected', slot: ledger.slot },
    ]);
    const [lost] = events;
    expect(lost?.type === 'disconnected' && (lost.error.cause as Error).message).toBe('The socket broke.');
    nextSlot();
    await turn();
    expect([watch.isLive, ledger.subscriptions.count]).toEqual([true, 5]);
    setTokenB(46_000_000_000n);
    expect((await next(watch)).reserveB).toBe(46_000_000_000n);
    await watch.return();
  });

  test('reconnects with growing pauses, half of each random, up to 30 seconds', async () => {
    const times: number[] = [];
    const started = performance.now();
    const watch = watchPool(
      clientOver((address) => {
        if (address === CLOCK_SYSVAR_ADDRESS) times.push(performance.now() - started);
        return Promise.reject(new Error('Refused.'));
      }),
      locator,
      { observe },
    );
    await next(watch);
    await pass(200_000);
    const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
    // Three quarters of 500, 1000, 2000 …, as the random half is at its middle.
    expect(pauses.slice(0, 8)).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
    expect(types()).toEqual(['disconnected']);
    expect(reads()).toBe(1);
    await watch.return();
  });

  test('counts as dead after 30 to 40 silent seconds, and the clock keeps it alive', async () => {
    const watch = await live();
    for (let k = 0; k < 10; k++) {
      await pass(15_000);
      nextSlot();
    }
    expect(types()).toEqual([]);
    await pass(29_000);
    expect(types()).toEqual([]);
    await pass(12_000);
    expect(types()).toEqual(['disconnected', 'connected', 'reread']);
    expect(events[0]).toMatchObject({ error: { code: 'rpc-timeout' } });
    expect([ledger.subscriptions.count, ledger.subscriptions.opened]).toEqual([5, 10]);
    await watch.return();
  });

  test('reconnects for one account that the node does not answer, though the others continue', async () => {
    let asked = 0;
    const watch = watchPool(
      clientOver((address, signal) =>
        // The second time the feed is asked for, after the connection was lost, the answer never comes.
        address === FEED && ++asked === 2 ? new Promise(() => {}) : ledgerNotifications(address, signal),
      ),
      locator,
      { observe },
    );
    await next(watch);
    nextSlot();
    await turn();
    expect(watch.isLive).toBe(true);
    ledger.subscriptions.dropAll();
    await goOn(28);
    expect([asked, watch.isLive]).toEqual([2, false]);
    expect(types()).toEqual(['connected', 'disconnected']);
    await goOn(14);
    expect(asked).toBe(3);
    expect(types()).toEqual(['connected', 'disconnected', 'connected', 'reread']);
    expect(watch.isLive).toBe(true);
    await watch.return();
  });

  test('that is never made delays the first read by one second only, and leaves nothing behind', async () => {
    const signals: AbortSignal[] = [];
    const watch = watchPool(
      clientOver((_, signal) => {
        signals.push(signal);
        return new Promise(() => {});
      }),
      locator,
    );
    const first = next(watch);
    await pass(999);
    expect(reads()).toBe(0);
    await pass(1);
    expect(reads()).toBe(1);
    await first;
    expect(watch.isLive).toBe(false);
    await watch.return();
    expect(signals.length).toBe(5);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});

describe('a node that is behind the one that notifies', () => {
  test.each([
    // What happened in the slot after the read was notified, or will be.
    [1n, ['connected']],
    // What happened in the slot between the two may have been notified to nobody.
    [2n, ['connected', 'reread']],
  ])('by %s slots when the first is notified', async (slots, told) => {
    const watch = watchPool(client, locator, { observe });
    const { slot } = await next(watch);
    nextSlot(slots);
    await turn();
    expect(types()).toEqual(told);
    expect(reads()).toBe(told.length);
    if (slots > 1n) expect(events[1]).toMatchObject({ reason: 'behind', slot: slot + slots });
    expect(watch.isLive).toBe(true);
    await watch.return();
  });

  test('is read again with growing pauses, and changes nothing, while it is stuck', async () => {
    const node = stoppable();
    client = { ...client, rpc: node.rpc };
    const watch = await live();
    node.stopsAt = await answerNow();
    nextSlot(100n);
    setTokenB(50_000_000_000n);
    expect((await next(watch)).reserveB).toBe(50_000_000_000n);
    // One more slot in each of a hundred steps; the connection is lost once.
    const before = reads();
    ledger.subscriptions.dropAll();
    for (let k = 0; k < 100; k++) {
      await pass(400);
      nextSlot();
      await turn();
      expect([watch.latest?.reserveB, watch.isLive]).toEqual([50_000_000_000n, false]);
    }
    expect(watch.latest?.slot).toBe(ledger.slot);
    expect(reads() - before).toBeGreaterThan(3);
    expect(reads() - before).toBeLessThan(12);
    expect(new Set(types().slice(2))).toEqual(new Set(['reread-failed']));
    expect(events.at(-1)).toMatchObject({ reason: 'connected', error: { code: 'rpc-behind' } });
    node.stopsAt = undefined;
    await goOn(30);
    expect(types().at(-1)).toBe('reread');
    expect(watch.isLive).toBe(true);
    await watch.return();
  });
});

describe('a notification far ahead of everything known', () => {
  test('means reading again, as after a sleep', async () => {
    const watch = await live();
    nextSlot(301n);
    setTokenB(50_000_000_000n);
    await turn();
    expect(watch.latest).toMatchObject({ slot: ledger.slot, reserveB: 50_000_000_000n });
    expect(types()[0]).toBe('bad-notification');
    expect(events.at(-1)).toMatchObject({ type: 'reread', reason: 'ahead', slot: ledger.slot });
    expect(watch.isLive).toBe(true);
    events = [];
    nextSlot(300n);
    await turn();
    expect([types(), watch.latest?.slot]).toEqual([[], ledger.slot]);
    await watch.return();
  });
});

describe('a bad notification is not yielded; the accounts are read again', () => {
  test('of a pool cut short', async () => {
    const watch = await live();
    const good = ledger.getAccount(poolAddress())!;
    const [before, count] = [watch.latest, reads()];
    ledger.setAccount(poolAddress(), { ...good, data: good.data.slice(0, 2_000) });
    // The node that answers reads has the good one, of which nobody is notified.
    const { slot } = ledger;
    ledger.setSlot(slot - 1_000n);
    ledger.setAccount(poolAddress(), good);
    ledger.setSlot(slot);
    await turn();
    expect(types()).toEqual(['bad-notification', 'reread']);
    expect(events[0]).toMatchObject({ address: poolAddress() });
    expect(reads() - count).toBe(1);
    expect(watch.latest).toEqual(before);
    expect(watch.isLive).toBe(true);
    await watch.return();
  });

  const context = { slot: 5n };
  test.each<[string, unknown]>([
    ['nothing', null],
    ['no slot', { context: {}, value: {} }],
    ['a slot that is no bigint', { context: { slot: 1 }, value: {} }],
    ['a negative slot', { context: { slot: -1n }, value: {} }],
    ['a slot beyond all', { context: { slot: 2n ** 63n }, value: {} }],
    ['no value', { context, value: null }],
    ['no data', { context, value: { owner: SYSTEM } }],
    ['another encoding', { context, value: { owner: SYSTEM, data: ['', 'base58'] } }],
    ['no base64', { context, value: { owner: SYSTEM, data: ['*', 'base64'] } }],
    ['no owner', { context, value: { data: ['', 'base64'] } }],
  ])('with %s', async (_, notification) => {
    let tell: (value: unknown) => void = () => {};
    const feedTells = async function* (others: AsyncIterable<unknown>) {
      yield await new Promise((resolve) => {
        tell = resolve;
      });
      yield* others;
    };
    const notifying = clientOver(async (address, signal) => {
      const notifications = await ledgerNotifications(address, signal);
      return address === FEED ? feedTells(notifications) : notifications;
    });
    const watch = watchPool(notifying, locator, { observe });
    await next(watch);
    tell(notification);
    await turn();
    expect(types()).toEqual(['connected', 'bad-notification', 'reread']);
    expect(events[1]).toMatchObject({ address: FEED, error: { code: 'invalid-account-data' } });
    await watch.return();
  });
});

describe('ends', () => {
  test('on abort, also while it waits', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const watch = watchPool(client, locator, { abortSignal: signal });
    await next(watch);
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0);
    const waiting = [watch.next(), watch.next()];
    controller.abort();
    expect(await Promise.all(waiting)).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect([ledger.subscriptions.count, vi.getTimerCount(), watch.isLive]).toEqual([0, 0, false]);
    expect(watch.latest).toBeDefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  test('on abort before it begins, without a call', async () => {
    const watch = watchPool(client, locator, { abortSignal: AbortSignal.abort() });
    for await (const _ of watch) throw new Error('There is nothing to tell.');
    expect([reads(), ledger.subscriptions.opened]).toEqual([0, 0]);
  });

  test.each([0, 1, 2, 3, 5, 8])('on abort %i turns after it began', async (turns) => {
    const controller = new AbortController();
    const watch = watchPool(client, locator, { abortSignal: controller.signal });
    const told = watch.next();
    for (let k = 0; k < turns; k++) await Promise.resolve();
    controller.abort();
    expect((await told).done).toBe(true);
    await turn();
    expect([ledger.subscriptions.count, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('when the loop is left, or throws', async () => {
    for await (const { kind } of watchPool(client, locator)) {
      expect(kind).toBe('standard');
      break;
    }
    expect(ledger.subscriptions.count).toBe(0);
    const thrower = async () => {
      for await (const _ of watchPool(client, locator)) throw new Error('Mine.');
    };
    await expect(thrower()).rejects.toThrow('Mine.');
    expect(ledger.subscriptions.count).toBe(0);
  });

  test('by return(), also while it waits, and before it begins', async () => {
    const watch = await live();
    const waiting = watch.next();
    expect(await watch.return()).toEqual({ done: true, value: undefined });
    expect((await waiting).done).toBe(true);
    const unused = watchPool(client, locator);
    await unused.return();
    expect((await unused.next()).done).toBe(true);
  });
});

describe('an error', () => {
  test.each<[string, () => PoolWatch, string]>([
    ['no subscriptions', () => watchPool(createHeavenClient({ rpc: ledger.rpc }), locator), 'invalid-input'],
    ['no mint', () => watchPool(client, { ...locator, mint: 'x' as Address }), 'invalid-address'],
    ['no such pool', () => watchPool(client, { ...locator, mint: SYSTEM }), 'pool-not-found'],
  ])('%s is thrown by the iterator, once', async (_, make, code) => {
    const watch = make();
    const waiting = [watch.next(), watch.next()];
    const error = await refusalOf(waiting[0] as Promise<unknown>);
    expect(caseOf(error.code, error.context)).toBe(code);
    expect((await waiting[1])?.done).toBe(true);
    expect((await watch.next()).done).toBe(true);
    expect([watch.latest, watch.isLive]).toEqual([undefined, false]);
  });

  test('of the first read ends it, those of later reads do not', async () => {
    let isDown = true;
    const rpc = behindNode((ledgerAnswer) => (isDown ? Promise.reject(new Error('down')) : ledgerAnswer()));
    const failing = watchPool({ ...client, rpc }, locator);
    expect((await refusalOf(failing.next())).code).toBe('rpc-failed');

    isDown = false;
    client = { ...client, rpc };
    const watch = await live();
    isDown = true;
    ledger.subscriptions.dropAll();
    await pass(10_000);
    expect(types().slice(0, 4)).toEqual(['disconnected', 'connected', 'reread-failed', 'reread-failed']);
    expect(watch.isLive).toBe(false);
    isDown = false;
    await pass(9_000);
    expect(events.at(-1)).toMatchObject({ type: 'reread', reason: 'connected' });
    await watch.return();
  });

  test('of a pool that is gone ends it, and is kept for the next caller', async () => {
    for (const isWaiting of [true, false]) {
      const watch = await live();
      const good = ledger.getAccount(poolAddress());
      const gone = () => expectRefusal(watch.next(), 'pool-not-found', { pool: poolAddress() });
      const told = isWaiting ? gone() : undefined;
      nextSlot();
      ledger.setAccount(poolAddress(), { owner: SYSTEM, data: new Uint8Array() });
      await turn();
      await (told ?? gone());
      expect(types()).toEqual(['bad-notification']);
      expect((await watch.next()).done).toBe(true);
      ledger.setAccount(poolAddress(), good);
    }
  });

  test('of an observer does not affect the watch', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const watch = watchPool(client, locator, {
      observe: () => {
        throw new Error('Mine.');
      },
    });
    await next(watch);
    ledger.subscriptions.dropAll();
    await pass(1_000);
    expect(complaints).toHaveBeenCalledTimes(4);
    setTokenB(5n);
    await turn();
    expect(watch.latest?.reserveB).toBe(5n);
    await watch.return();
  });
});

describe('subscriptions are shared', () => {
  test('by all watches of a client, and end with the last', async () => {
    const watches = Array.from({ length: 20 }, () => watchPool(client, locator));
    await Promise.all(watches.map(next));
    expect([ledger.subscriptions.count, ledger.subscriptions.opened]).toEqual([5, 5]);
    const { mint, configVersion } = ledger.pools.creator;
    const other = watchPool(client, { mint, configVersion });
    await next(other);
    // Another pool, config and mint; the same feed and clock.
    expect([ledger.subscriptions.count, new Set(ledger.subscriptions.addresses).size]).toEqual([8, 8]);
    for (const watch of watches.slice(1)) await watch.return();
    expect(ledger.subscriptions.count).toBe(8);
    setTokenB(3n);
    expect((await next(watches[0]!)).reserveB).toBe(3n);
    await watches[0]?.return();
    expect(ledger.subscriptions.count).toBe(5);
    await other.return();
    expect(ledger.subscriptions.count).toBe(0);
  });

  test('also by separate clients over the same subscriptions, but not across commitments', async () => {
    const { rpc, rpcSubscriptions } = ledger;
    const watches = [{}, {}, { commitment: 'processed' } as const].map((more) =>
      watchPool(createHeavenClient({ rpc, rpcSubscriptions, ...more }), locator),
    );
    await Promise.all(watches.map(next));
    expect(ledger.subscriptions.count).toBe(10);
    for (const watch of watches) await watch.return();
  });
});
