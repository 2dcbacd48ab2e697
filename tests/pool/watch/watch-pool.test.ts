import { getEventListeners } from 'node:events';
import type { Address } from '@solana/kit';
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
  type WatchPoolOptions,
  watchPool,
} from '../../../src/index.js';
import { encodePriceFeed } from '../../../src/testing/encode.js';
import { createEmbeddedLedger, createFeeBrackets, type EmbeddedLedger } from '../../../src/testing/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../../support/addresses.js';
import { base64Of } from '../../support/bytes.js';
import { caseOf, expectRefusal, refusalOf } from '../../support/errors.js';
import { fc } from '../../support/properties.js';
import { clientOver, createNode, type Does, silent, unreachable } from '../../support/rpc.js';

const FEED = 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt' as Address;
const SYSTEM = '11111111111111111111111111111111' as Address;

let ledger: EmbeddedLedger;
let client: HeavenClient;
let locator: PoolLocator;
let events: PoolWatchEvent[];
/** They end with the test. */
let watches: PoolWatch[];
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
  watches = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(async () => {
  for (const watch of watches) await watch.return();
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
const passSlots = async (by = 1n) => {
  nextSlot(by);
  await turn();
};

/** A watch of the pool that has not begun. */
const watching = (of = client, options: WatchPoolOptions = { observe }): PoolWatch => {
  const watch = watchPool(of, locator, options);
  watches.push(watch);
  return watch;
};

/** A watch that has yielded its first snapshot. */
const begun = async (of = client, options?: WatchPoolOptions): Promise<PoolWatch> => {
  const watch = watching(of, options);
  await next(watch);
  return watch;
};

/** A watch whose subscriptions and read are known to overlap. */
const live = async (): Promise<PoolWatch> => {
  const watch = await begun();
  const told = next(watch);
  await passSlots();
  expect([(await told).slot, watch.isLive]).toEqual([ledger.slot, true]);
  expect(events.at(-1)).toEqual({ type: 'live', slot: ledger.slot });
  events = [];
  return watch;
};

const asLedger: Does = (call) => ledger.transport(call as never);

/** Puts the client behind a node that a test scripts. */
function behindNode(does: Does = asLedger) {
  const node = createNode(does);
  client = { ...client, rpc: clientOver(node.transport).rpc };
  return node;
}

/** Puts the client behind a node whose answers stay the same while it is stuck. */
function sticky(): { isStuck: boolean } {
  const node = { isStuck: false };
  let kept: object = {};
  behindNode(async (call) => {
    const answer = (await asLedger(call)) as { readonly id: unknown };
    if (!node.isStuck) kept = answer;
    return { ...kept, id: answer.id };
  });
  return node;
}

/** Puts the client behind a node that, while it is slow, answers what it read once it is let. */
function slow(): { isSlow: boolean; answer: () => void } {
  const node = { isSlow: true, answer: () => {} };
  behindNode(async (call) => {
    const read = await asLedger(call);
    if (node.isSlow)
      await new Promise<void>((resolve) => {
        node.answer = resolve;
      });
    return read;
  });
  return node;
}

/** How a subscription goes: as the ledger's, or refused, or never answered; or it notifies only what the test tells. */
type How = 'ledger' | 'refused' | 'unanswered' | 'told';
interface Attempt {
  readonly address: Address;
  readonly after: number;
  readonly signal: AbortSignal;
  answer: () => void;
  tell: (notification: unknown) => void;
  lose: (error: Error) => void;
  end: () => void;
}
const none = () => {};

/** A client whose subscriptions go as a function says, and all that it attempted. `count` is 1 at first. */
function subscribing(how: (address: Address, count: number) => How) {
  const attempts: Attempt[] = [];
  const of = (address: Address) => attempts.filter((attempt) => attempt.address === address);
  const started = performance.now();
  const subscribe = async (address: Address, signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
    const after = performance.now() - started;
    const attempt: Attempt = { address, after, signal, answer: none, tell: none, lose: none, end: none };
    attempts.push(attempt);
    const its = how(address, of(address).length);
    if (its === 'refused') throw new Error('Refused.');
    if (its === 'ledger')
      return await ledger.rpcSubscriptions
        .accountNotifications(address, { commitment: 'confirmed', encoding: 'base64' })
        .subscribe({ abortSignal: signal });
    if (its === 'unanswered')
      await new Promise<void>((resolve) => {
        attempt.answer = resolve;
      });
    const next = (): Promise<IteratorResult<unknown>> =>
      new Promise((resolve, reject) => {
        attempt.tell = (value) => resolve({ done: false, value });
        attempt.lose = reject;
        attempt.end = () => resolve({ done: true, value: undefined });
      });
    return { [Symbol.asyncIterator]: () => ({ next }) };
  };
  const accountNotifications = (address: Address) => ({
    subscribe: ({ abortSignal }: { readonly abortSignal: AbortSignal }) => subscribe(address, abortSignal),
  });
  const rpcSubscriptions = { accountNotifications } as unknown as HeavenRpcSubscriptions;
  /** Notifies the newest subscription to an address, and waits for what follows. */
  const tell = async (notification: unknown, address = FEED) => {
    of(address).at(-1)?.tell(notification);
    await turn();
  };
  return { client: createHeavenClient({ rpc: client.rpc, rpcSubscriptions }), attempts, of, tell };
}

/** A client that hears of the price feed only what the test tells. */
const tellingOfFeed = () => subscribing((address) => (address === FEED ? 'told' : 'ledger'));

/** What the node says of the price feed, as of a slot. */
function priceNotification(price: number, slot = ledger.slot, owner = ledger.getAccount(FEED)!.owner) {
  const data = base64Of(encodePriceFeed({ price, slot, timestamp: ledger.unixTimestamp }));
  return { context: { slot }, value: { owner, data: [data, 'base64'] } };
}

describe('a watch', () => {
  test('starts with the first next(), with one read, and yields what fetchPoolSnapshot returns', async () => {
    const watch = watching();
    await turn();
    expect([watch.latest, watch.isLive]).toEqual([undefined, false]);
    expect([reads(), ledger.subscriptions.opened]).toEqual([0, 0]);
    const first = await next(watch);
    expect(reads()).toBe(1);
    expect(first).toEqual(await fetchPoolSnapshot(client, locator));
    expect(watch.latest).toEqual(first);
  });

  test('keeps what is notified while the first read is in flight', async () => {
    const node = slow();
    const watch = watching();
    const first = next(watch);
    await turn();
    expect(reads()).toBe(1);
    setTokenB(123n);
    node.answer();
    expect((await first).reserveB).toBe(123n);
  });

  test('keeps the newest of what is notified meanwhile', async () => {
    const node = slow();
    const scene = tellingOfFeed();
    const watch = watching(scene.client);
    const first = next(watch);
    await turn();
    await scene.tell(priceNotification(77, ledger.slot));
    await scene.tell(priceNotification(66, ledger.slot - 1n));
    node.answer();
    expect((await first).solPrice.answer).toBe(7_700_000_000n);
  });

  test('yields what changed while nobody waited', async () => {
    const watch = await live();
    setTokenB(123n);
    await turn();
    expect((await next(watch)).reserveB).toBe(123n);
  });

  test('waits with the first read for all subscriptions, whatever is notified', async () => {
    const scene = subscribing((address) => (address === FEED ? 'unanswered' : 'ledger'));
    const watch = watching(scene.client);
    const first = next(watch);
    await turn();
    setTokenB(123n);
    await turn();
    expect(reads()).toBe(0);
    scene.of(FEED)[0]?.answer();
    expect((await first).reserveB).toBe(123n);
  });
});

test('whatever happens in whatever order, no snapshot is older than one before, and the last is right', async () => {
  let price: number;
  const actions = {
    pool: (by: number) => setTokenB(BigInt(by) * 10_000_000_000n),
    price: () => ledger.setSolPrice(price),
    mint: () => {
      const { mint, tokenProgram } = ledger.pools.community;
      ledger.setMint(mint, tokenProgram, { supply: 10n ** 18n + BigInt(price), decimals: 9 });
    },
    config: (by: number) => {
      const creatorTradingFee = createFeeBrackets([2n ** 64n - 1n, by, by]);
      ledger.updateConfig(ledger.pools.community.protocolConfig, ({ marketCapBasedFees }) => ({
        marketCapBasedFees: { ...marketCapBasedFees, creatorTradingFee },
      }));
    },
    slot: (by: number) => nextSlot(BigInt(by)),
    // Another node's notification of a few slots before, with what the pool was then.
    back: (by: number) => {
      const { slot } = ledger;
      const pool = ledger.getAccount(poolAddress());
      ledger.setSlot(slot - BigInt(by));
      setTokenB(1n);
      ledger.setSlot(slot);
      ledger.setAccount(poolAddress(), pool);
    },
    drop: () => ledger.subscriptions.dropAll(),
    turn,
    wait: (by: number) => pass(by * 200),
  };
  const names = Object.keys(actions) as (keyof typeof actions)[];
  const step = fc.record({
    name: fc.constantFrom(...names, 'pool' as const, 'slot' as const),
    by: fc.integer({ min: 1, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      ledger = await newLedger();
      client = createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
      const told: bigint[] = [];
      const watch = watching();
      const loop = (async () => {
        for await (const { slot } of watch) told.push(slot);
      })();
      await turn();
      price = 80;
      for (const { name, by } of steps) {
        price += by;
        const waiting = actions[name](by);
        // Whatever does not wait happens at once, together with the next step.
        if (waiting instanceof Promise) await waiting;
      }
      await pass(60_000);
      await passSlots();
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
    const known = watch.latest!.slot;
    await pass(1_000);
    expect((await told).reserveB).toBe(45_000_000_000n);
    expect(reads() - before).toBe(1);
    // Failover passes over a node that is not there yet.
    expect(ledger.requests.at(-1)!.params[1]).toMatchObject({ minContextSlot: known });
    expect(events).toEqual([
      { type: 'disconnected', error: expect.objectContaining({ code: 'rpc-failed' }) },
      { type: 'connected' },
      { type: 'reread', reason: 'connected', slot: ledger.slot },
    ]);
    const [lost] = events;
    expect(lost?.type === 'disconnected' && (lost.error.cause as Error).message).toBe('The socket broke.');
    const again = next(watch);
    await passSlots();
    expect([watch.isLive, ledger.subscriptions.count]).toEqual([true, 5]);
    expect(await again).toMatchObject({ reserveB: 45_000_000_000n, slot: ledger.slot });
    setTokenB(46_000_000_000n);
    expect((await next(watch)).reserveB).toBe(46_000_000_000n);
  });

  test('for three seconds: a price change in them is yielded as soon as the watch is live, and nothing while it is not', async () => {
    const watch = await begun();
    const started = performance.now();
    const heard: (readonly [ms: number, reserveB: bigint, isCurrent: boolean])[] = [];
    const loop = (async () => {
      for await (const { reserveB, slot } of watch)
        heard.push([performance.now() - started, reserveB, slot === ledger.slot]);
    })();
    const before = watch.latest!.reserveB;
    const after = (before * 11n) / 10n;
    for (let ms = 200; ms <= 10_000; ms += 200) {
      nextSlot();
      await pass(200);
      if (ms === 2_000) {
        ledger.subscriptions.refusal = new Error('Down.');
        ledger.subscriptions.dropAll();
      }
      if (ms === 3_000) setTokenB(after);
      if (ms === 5_000) ledger.subscriptions.refusal = undefined;
    }
    // Once when the quiet pool becomes live; when it is read again; and when it is live again.
    expect(heard.map(([, reserveB, isCurrent]) => [reserveB, isCurrent])).toEqual([
      [before, true],
      [after, true],
      [after, true],
    ]);
    expect([heard[0]![0], heard[1]![0] > 5_000, watch.isLive]).toEqual([0, true, true]);
    expect(types()).toEqual(['connected', 'live', 'disconnected', 'connected', 'reread', 'live']);
    await watch.return();
    await loop;
  });

  test('to the pool alone: nothing about the others is yielded until it is back', async () => {
    const pool = poolAddress();
    const how = (count: number) => (count === 1 || count > 3 ? 'told' : 'refused');
    const scene = subscribing((to, count) => (to === pool ? how(count) : 'ledger'));
    const watch = await begun(scene.client);
    scene.of(pool)[0]?.lose(new Error('Lost.'));
    await turn();
    const told = vi.fn();
    const news = next(watch).then(told);
    ledger.setSolPrice(77);
    setTokenB(5n);
    await passSlots();
    expect(watch.latest?.solPrice.answer).toBe(7_700_000_000n);
    expect(told).not.toHaveBeenCalled();
    await goOn(4);
    await news;
    expect(told.mock.calls[0]?.[0]).toMatchObject({ reserveB: 5n });
  });

  // A first pause is 500 ms, and half of each is random. A subscription may be silent or unanswered for 30 seconds.
  const REFUSED = [0, 375, 1_125, 2_625, 5_625, 11_625, 23_625, 46_125, 68_625];
  test.each<[string, (address: Address, count: number) => How, feed: number[], clock: number[]]>([
    ['all that are refused, with growing pauses', () => 'refused', REFUSED, REFUSED],
    ['one that is refused', (to) => (to === FEED ? 'refused' : 'ledger'), REFUSED, [0]],
    ['one without an answer', (to) => (to === FEED ? 'unanswered' : 'ledger'), [0, 30_375], [0]],
  ])('attempts again: %s', async (_, how, feed, clock) => {
    const scene = subscribing(how);
    const watch = watching(scene.client);
    const first = next(watch);
    await goOn(70);
    await first;
    const times = (address: Address) => scene.of(address).map(({ after }) => after);
    expect([times(FEED), times(CLOCK_SYSVAR_ADDRESS)]).toEqual([feed, clock]);
    await watch.return();
    expect(scene.attempts.every(({ signal }) => signal.aborted)).toBe(true);
  });

  test.each([
    [9_000, [375, 750, 1_500]],
    // Ten seconds are a success: the pauses start over.
    [10_000, [187, 187, 187]],
  ])('after %i ms each time: the pauses are %j', async (lasts, pauses) => {
    const scene = tellingOfFeed();
    await begun(scene.client);
    for (const [index, pause] of pauses.entries()) {
      await pass(lasts);
      scene.of(FEED)[index]?.lose(new Error('Lost.'));
      await pass(pause - 1);
      expect(scene.of(FEED)).toHaveLength(index + 1);
      await pass(1);
      expect(scene.of(FEED)).toHaveLength(index + 2);
    }
  });

  test('without an answer is noticed by a later watch on the same connection too, whatever else ends', async () => {
    const scene = subscribing((to, count) => (to === FEED && count > 1 ? 'unanswered' : 'ledger'));
    const earlier = await begun(scene.client);
    await earlier.return();
    const watch = watching(scene.client);
    void watch.next();
    await goOn(40);
    // The first, the one without an answer, and the next after it.
    expect(scene.of(FEED)).toHaveLength(3);
  });

  test('that is refused at first is reported once, and the first read waits no longer', async () => {
    const { client: refused } = subscribing((to) => (to === FEED ? 'refused' : 'ledger'));
    const first = next(watching(refused));
    await turn();
    expect(reads()).toBe(1);
    await first;
    await goOn(10);
    expect(types()).toEqual(['disconnected']);
    // It is down already when another begins.
    await begun(refused, {});
  });

  test('counts as dead after 30 to 40 silent seconds, and the clock keeps it alive', async () => {
    await live();
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
  });

  test('that is never made delays the first read by one second only', async () => {
    const watch = watching(subscribing(() => 'unanswered').client);
    const first = next(watch);
    await pass(999);
    expect(reads()).toBe(0);
    await pass(1);
    expect(reads()).toBe(1);
    await first;
    expect(watch.isLive).toBe(false);
  });

  test('given up while it still begins leaves no rejection unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { client: slow, attempts } = subscribing(() => 'unanswered');
    const watch = watching(slow);
    void watch.next();
    await turn();
    await watch.return();
    for (const { answer } of attempts) answer();
    await turn();
    for (const { lose } of attempts) lose(new Error('Late.'));
    await turn();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('that the node ends is lost too, and a watch that begins meanwhile is told', async () => {
    const scene = tellingOfFeed();
    await begun(scene.client);
    scene.of(FEED)[0]?.end();
    await turn();
    expect(types()).toEqual(['connected', 'disconnected']);
    events = [];
    await begun(scene.client);
    expect(types()).toEqual(['disconnected']);
  });

  test('that is answered after it was given up is not taken for the next', async () => {
    const scene = subscribing((to) => (to === FEED ? 'unanswered' : 'ledger'));
    const watch = watching(scene.client);
    void watch.next();
    await goOn(40);
    expect(scene.of(FEED)).toHaveLength(2);
    scene.of(FEED)[0]?.answer();
    await turn();
    expect(types()).toEqual(['disconnected']);
    scene.of(FEED)[1]?.answer();
    await turn();
    expect(types()).toEqual(['disconnected', 'connected', 'reread']);
  });

  test('that was abandoned is ignored, even if it goes on', async () => {
    const scene = tellingOfFeed();
    const watch = await begun(scene.client);
    await pass(35_000);
    expect(scene.of(FEED)).toHaveLength(2);
    const { answer: before } = watch.latest!.solPrice;
    scene.of(FEED)[0]?.tell(priceNotification(66));
    await turn();
    expect(watch.latest?.solPrice.answer).toBe(before);
    await scene.tell(priceNotification(77));
    expect(watch.latest?.solPrice.answer).toBe(7_700_000_000n);
  });
});

describe('within a slot', () => {
  const TELLING = (address: Address) => (address === poolAddress() ? 'told' : 'ledger');
  /** What the node says of the pool now. */
  const poolNow = () => {
    const { owner, data } = ledger.getAccount(poolAddress())!;
    return { context: { slot: ledger.slot }, value: { owner, data: [base64Of(data), 'base64'] } };
  };

  test('the last of two writes stays, whether the first was notified or read', async () => {
    const watch = await live();
    nextSlot();
    setTokenB(1n);
    setTokenB(2n);
    expect((await next(watch)).reserveB).toBe(2n);
    nextSlot();
    setTokenB(3n);
    ledger.subscriptions.dropAll();
    const told = next(watch);
    await pass(1_000);
    expect((await told).reserveB).toBe(3n);
    setTokenB(4n);
    expect((await next(watch)).reserveB).toBe(4n);
  });

  test('that is notified in two parts, before and after the read that has the first, the second stays', async () => {
    const node = slow();
    const scene = subscribing(TELLING);
    const first = next(watching(scene.client));
    await turn();
    setTokenB(1n);
    await scene.tell(poolNow(), poolAddress());
    setTokenB(2n);
    await scene.tell(poolNow(), poolAddress());
    node.answer();
    expect((await first).reserveB).toBe(2n);
  });

  test('in whose middle the node begins to notify, a read has to reach it', async () => {
    const node = slow();
    const scene = subscribing(TELLING);
    const watch = watching(scene.client);
    const first = next(watch);
    await turn();
    // Written before the node began to notify of the pool, and not yet in what is being read.
    nextSlot();
    setTokenB(123n);
    await turn();
    node.isSlow = false;
    node.answer();
    await first;
    await turn();
    expect(types()).toEqual(['connected', 'reread', 'live']);
    expect(watch.latest).toMatchObject({ slot: ledger.slot, reserveB: 123n });
  });
});

describe('a node that is behind the one that notifies', () => {
  test.each([
    // What happened in the slot after the read was notified, or will be.
    [1n, ['connected', 'live']],
    // What happened in the slot between the two may have been notified to nobody.
    [2n, ['connected', 'reread', 'live']],
  ])('by %s slots when the first is notified', async (slots, told) => {
    const watch = watching();
    const { slot } = await next(watch);
    await passSlots(slots);
    expect(types()).toEqual(told);
    expect(reads()).toBe(told.length - 1);
    if (slots > 1n) expect(events[1]).toMatchObject({ reason: 'behind', slot: slot + slots });
    expect(watch.isLive).toBe(true);
  });

  test('at the first read is no error', async () => {
    const node = sticky();
    const earlier = await begun();
    await earlier.return();
    node.isStuck = true;
    const scene = subscribing((address) => (address === FEED ? 'unanswered' : 'ledger'));
    const watch = watching(scene.client);
    const first = next(watch);
    await turn();
    await passSlots(2n);
    scene.of(FEED)[0]?.answer();
    expect((await first).slot).toBe(ledger.slot);
  });

  test('while the accounts are read: they are read again at once', async () => {
    const node = slow();
    node.isSlow = false;
    const watch = await live();
    node.isSlow = true;
    ledger.subscriptions.dropAll();
    await pass(1_000);
    await passSlots(2n);
    node.isSlow = false;
    node.answer();
    await turn();
    expect(types()).toEqual(['disconnected', 'connected', 'reread', 'reread', 'live']);
    expect(events[3]).toMatchObject({ reason: 'behind', slot: ledger.slot });
    expect(watch.isLive).toBe(true);
  });

  test('is no hindrance once it has the slot of the first notification after the bad one', async () => {
    const node = sticky();
    const scene = tellingOfFeed();
    const watch = await begun(scene.client);
    await passSlots(2n);
    node.isStuck = true;
    await passSlots(5n);
    await scene.tell(priceNotification(77, ledger.slot - 5n, SYSTEM));
    expect(types()).toEqual(['connected', 'reread', 'live', 'bad-notification', 'reread', 'live']);
    expect(watch.isLive).toBe(true);
  });

  test('by more than 300 slots is never live', async () => {
    const node = sticky();
    const watch = await live();
    node.isStuck = true;
    nextSlot(301n);
    for (let k = 0; k < 40; k++) {
      await pass(400);
      expect(watch.isLive).toBe(false);
      nextSlot();
    }
    expect(reads()).toBeLessThan(12);
  });

  test('is read again with growing pauses, and changes nothing, while it is stuck', async () => {
    const node = sticky();
    const watch = await live();
    node.isStuck = true;
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
    const context = { method: 'getMultipleAccounts', minContextSlot: expect.any(BigInt) };
    expect(events.at(-1)).toMatchObject({ reason: 'connected', error: { code: 'rpc-behind', context } });
    node.isStuck = false;
    await goOn(30);
    expect(types().slice(-2)).toEqual(['reread', 'live']);
    expect(watch.isLive).toBe(true);
  });
});

test('a notification far ahead of everything known means reading again, as after a sleep', async () => {
  const watch = await live();
  nextSlot(301n);
  setTokenB(50_000_000_000n);
  await turn();
  expect(watch.latest).toMatchObject({ slot: ledger.slot, reserveB: 50_000_000_000n });
  expect(types()[0]).toBe('bad-notification');
  expect(events.at(-1)).toMatchObject({ type: 'reread', reason: 'ahead', slot: ledger.slot });
  await passSlots();
  expect(watch.isLive).toBe(true);
  events = [];
  await passSlots(300n);
  expect([types(), watch.latest?.slot]).toEqual([[], ledger.slot]);
});

describe('a bad notification is not yielded; the accounts are read again:', () => {
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
    const scene = tellingOfFeed();
    const watch = watching(scene.client);
    const before = await next(watch);
    await scene.tell(notification);
    expect(types()).toEqual(['connected', 'bad-notification', 'reread']);
    expect(events[1]).toMatchObject({ address: FEED, error: { code: 'invalid-account-data' } });
    expect(watch.latest).toEqual(before);
    await passSlots();
    expect(watch.isLive).toBe(true);
  });

  test.each<[string, () => unknown]>([
    ['without anything in them', () => null],
    ['of another program', () => priceNotification(77, ledger.slot, SYSTEM)],
  ])(
    'three in a row %s at once, the others with growing pauses, until a good one arrives',
    async (_, notification) => {
      const scene = tellingOfFeed();
      const watch = watching(scene.client);
      await next(watch);
      const before = reads();
      const readsAfter = async (bad: number, ms: number) => {
        for (let k = 0; k < bad; k++) {
          scene.of(FEED).at(-1)?.tell(notification());
          nextSlot();
          await pass(ms);
        }
        return reads() - before;
      };
      expect(await readsAfter(3, 0)).toBe(3);
      expect(await readsAfter(50, 0)).toBe(3);
      // With Math.random at 0.5, pauses of 188, 375, 750, 1500, 3000, 6000, 12000, 22500 ms.
      expect(await readsAfter(1_000, 20)).toBe(9);
      await scene.tell(priceNotification(77));
      expect(reads() - before).toBe(10);
      // It is good news, and no reason to read again.
      await scene.tell(priceNotification(78));
      expect(await readsAfter(3, 0)).toBe(13);
      await scene.tell(priceNotification(79));
      expect(reads() - before).toBe(13);
      // A new connection starts over, after the read that follows it.
      scene.of(FEED)[0]?.lose(new Error('Lost.'));
      await pass(1_000);
      expect(await readsAfter(3, 0)).toBe(17);
    },
  );

  test('of two accounts: both must be good again', async () => {
    const { mint } = ledger.pools.community;
    const scene = subscribing((address) => (address === FEED || address === mint ? 'told' : 'ledger'));
    await begun(scene.client);
    for (let k = 0; k < 4; k++) await scene.tell(null);
    await scene.tell(null, mint);
    const before = reads();
    const { owner, data } = ledger.getAccount(mint)!;
    const value = { owner, data: [base64Of(data), 'base64'] };
    await scene.tell({ context: { slot: ledger.slot }, value }, mint);
    expect(reads()).toBe(before);
    await scene.tell(priceNotification(77));
    expect(reads()).toBe(before + 1);
  });

  test('and a good one while reads fail: the pause goes on', async () => {
    const node = behindNode();
    const scene = tellingOfFeed();
    await begun(scene.client);
    node.does = unreachable;
    for (const notification of [null, priceNotification(77)]) {
      await scene.tell(notification);
      expect(node.calls).toHaveLength(2);
    }
    scene.of(FEED)[0]?.lose(new Error('Lost.'));
    await turn();
    expect(node.calls).toHaveLength(2);
  });

  test('with another watch on the same connection, which is up when it begins', async () => {
    const scene = tellingOfFeed();
    await begun(scene.client, {});
    await begun(scene.client);
    await pass(2_000);
    await scene.tell(null);
    expect(types()).toEqual(['connected', 'bad-notification', 'reread']);
  });

  test('and an observer that ends the watch while the next read waits', async () => {
    const scene = tellingOfFeed();
    const controller = new AbortController();
    let bad = 0;
    const watch = await begun(scene.client, {
      abortSignal: controller.signal,
      observe: ({ type }) => {
        if (type === 'bad-notification' && ++bad === 4) controller.abort();
      },
    });
    for (let k = 0; k < 4; k++) await scene.tell(null);
    expect([bad, vi.getTimerCount()]).toEqual([4, 0]);
    expect((await watch.next()).done).toBe(true);
  });
});

describe('ends', () => {
  test.each<[string, (watch: PoolWatch, controller: AbortController) => unknown]>([
    ['by its signal', (_, controller) => controller.abort()],
    ['by return()', (watch) => watch.return()],
  ])('%s, also while it waits', async (_, end) => {
    const controller = new AbortController();
    const { signal } = controller;
    const watch = await begun(client, { abortSignal: signal });
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0);
    const waiting = [watch.next(), watch.next()];
    await end(watch, controller);
    for (const result of [...waiting, watch.next()])
      expect(await result).toEqual({ done: true, value: undefined });
    expect([ledger.subscriptions.count, vi.getTimerCount(), watch.isLive]).toEqual([0, 0, false]);
    expect(watch.latest).toBeDefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('on abort before it begins, without a call', async () => {
    const watch = watching(client, { abortSignal: AbortSignal.abort() });
    for await (const _ of watch) throw new Error('There is nothing to tell.');
    expect([reads(), ledger.subscriptions.opened]).toEqual([0, 0]);
  });

  test('before its addresses are known, without a call', async () => {
    const watch = watching();
    void watch.next();
    await watch.return();
    await turn();
    expect([reads(), ledger.subscriptions.opened]).toEqual([0, 0]);
  });

  test('with the read in progress, and says no more', async () => {
    const node = behindNode();
    const watch = await live();
    node.does = silent;
    ledger.subscriptions.dropAll();
    await pass(1_000);
    const signal = node.calls[1]?.signal;
    expect(signal?.aborted).toBe(false);
    await watch.return();
    await turn();
    expect([signal?.aborted, types()]).toEqual([true, ['disconnected', 'connected']]);
  });

  test.each([0, 1, 2, 3, 5, 8])('on abort %i turns after it began', async (turns) => {
    const controller = new AbortController();
    const watch = watching(client, { abortSignal: controller.signal });
    const told = watch.next();
    for (let k = 0; k < turns; k++) await Promise.resolve();
    controller.abort();
    expect((await told).done).toBe(true);
    await turn();
    expect([ledger.subscriptions.count, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('when the loop is left, and by return() before it begins', async () => {
    for await (const { kind } of watching()) {
      expect(kind).toBe('standard');
      break;
    }
    expect(ledger.subscriptions.count).toBe(0);
    const unused = watching();
    await unused.return();
    expect((await unused.next()).done).toBe(true);
  });
});

describe('an error', () => {
  test.each<[string, () => PoolWatch, string]>([
    ['no subscriptions', () => watching(createHeavenClient({ rpc: ledger.rpc })), 'invalid-input'],
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

  test('of the first read ends it, those of later reads do not, and neither lose a read that is asked for meanwhile', async () => {
    const node = behindNode(unreachable);
    expect((await refusalOf(watchPool(client, locator).next())).code).toBe('rpc-failed');

    node.does = asLedger;
    const watch = await live();
    node.does = unreachable;
    ledger.subscriptions.dropAll();
    await pass(10_000);
    expect(types().slice(0, 4)).toEqual(['disconnected', 'connected', 'reread-failed', 'reread-failed']);
    expect(watch.isLive).toBe(false);
    node.does = asLedger;
    await pass(9_000);
    expect(events.at(-1)).toMatchObject({ type: 'reread', reason: 'connected' });

    await passSlots();
    events = [];
    let fail = (_: Error) => {};
    node.does = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    const good = ledger.getAccount(FEED)!;
    for (const size of [8, 9]) {
      ledger.setAccount(FEED, { ...good, data: new Uint8Array(size) });
      await turn();
    }
    ledger.setAccount(FEED, good);
    node.does = asLedger;
    fail(new Error('down'));
    await pass(1_000);
    expect(types()).toEqual(['bad-notification', 'bad-notification', 'reread-failed', 'reread', 'live']);
    expect(watch.isLive).toBe(true);
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
      expect([(await watch.next()).done, ledger.subscriptions.count]).toEqual([true, 0]);
      ledger.setAccount(poolAddress(), good);
    }
  });

  test.each([
    ['pro', 'pool', { owner: FEED }, true],
    ['pro', 'mint', { owner: FEED }, false],
    ['pro', 'protocolConfig', { owner: FEED }, false],
    // Nobody else can have its address: the node is wrong.
    ['creator', 'pool', { owner: FEED }, false],
    ['pro', 'pool', { data: new Uint8Array(8) }, false],
  ] as const)(
    'of a %s pool, whose %s has become %j: whether it ends is %s',
    async (kind, account, change, isEnd) => {
      const { configVersion, mint, pool } = ledger.pools[kind];
      locator = { configVersion, mint, pool: kind === 'pro' ? pool : undefined };
      const { [account]: address } = ledger.pools[kind];
      const watch = await live();
      const good = ledger.getAccount(address)!;
      nextSlot();
      ledger.setAccount(address, { ...good, ...change });
      await turn();
      if (isEnd) {
        await expectRefusal(watch.next(), 'invalid-account-data:found', { address, found: FEED });
        expect(ledger.subscriptions.count).toBe(0);
        return;
      }
      expect(types()).toEqual(['bad-notification', 'reread-failed']);
      ledger.setAccount(address, good);
      await goOn(2);
      expect(watch.isLive).toBe(true);
    },
  );

  test.each([
    ['community', 'config version', { info: { protocolConfigVersion: 2 } }, 'pool-mismatch:configVersion'],
    ['community', 'kind', { info: { type: 1 } }, 'pool-mismatch:kind'],
    ['pro', 'config', { protocolConfig: FEED }, 'invalid-account-data'],
    ['community', 'fee mode', { feeConfigurationMode: 2 }, 'invalid-account-data'],
    ['pro', 'other token', { tokenB: { mint: FEED } }, 'unsupported-mint:pool'],
  ] as const)('of a %s pool with a valid, but not supported %s ends it', async (kind, _, change, code) => {
    const { configVersion, mint, pool } = ledger.pools[kind];
    locator = { configVersion, mint, pool: kind === 'pro' ? pool : undefined };
    const watch = await live();
    nextSlot();
    ledger.updatePool(
      pool,
      (was) =>
        Object.fromEntries(
          Object.entries(change).map(([name, value]) => [
            name,
            typeof value === 'object' ? { ...(was[name as 'info'] as object), ...value } : value,
          ]),
        ) as never,
    );
    await turn();
    expect([types(), ledger.subscriptions.count, vi.getTimerCount()]).toEqual([['bad-notification'], 0, 0]);
    await expectRefusal(watch.next(), code);
  });

  test('of a value that no pool can have does not end it', async () => {
    const { configVersion, mint, pool } = ledger.pools.creator;
    locator = { configVersion, mint };
    await live();
    nextSlot();
    setTokenB(1n, pool);
    await turn();
    expect(events[1]).toMatchObject({ type: 'reread-failed', error: { code: 'rpc-wrong-account' } });
  });

  test('of a node that leaves out the clock', async () => {
    behindNode(async (call) => {
      const answer = (await asLedger(call)) as { readonly result: { readonly value: readonly unknown[] } };
      const value = [...answer.result.value.slice(0, -1), null];
      return { ...answer, result: { ...answer.result, value } };
    });
    const watch = watchPool(client, locator);
    await expectRefusal(watch.next(), 'account-not-found', { address: CLOCK_SYSVAR_ADDRESS });
  });

  test('of an observer does not affect the watch', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const watch = await begun(client, {
      observe: () => {
        throw new Error('Mine.');
      },
    });
    ledger.subscriptions.dropAll();
    await pass(1_000);
    expect(complaints).toHaveBeenCalledTimes(4);
    setTokenB(5n);
    await turn();
    expect(watch.latest?.reserveB).toBe(5n);
  });

  test.each(['connected', 'disconnected', 'bad-notification', 'reread'] as const)(
    'ends if its observer ends it when it is told %s',
    async (at) => {
      const controller = new AbortController();
      // With another watch, the subscriptions are there at once.
      const other = watching(client, {});
      if (at === 'connected') await next(other);
      const watch = watching(client, {
        abortSignal: controller.signal,
        observe: ({ type }) => {
          if (type === at) controller.abort();
        },
      });
      void watch.next();
      await turn();
      if (at === 'bad-notification') ledger.setAccount(FEED, { owner: SYSTEM, data: new Uint8Array(1) });
      if (at === 'disconnected' || at === 'reread') ledger.subscriptions.dropAll();
      await pass(2_000);
      expect(controller.signal.aborted).toBe(true);
      expect((await watch.next()).done).toBe(true);
      await other.return();
      expect(ledger.subscriptions.count).toBe(0);
    },
  );
});

test('subscriptions are shared by all watches of the same commitment, also of other clients, and end with the last', async () => {
  const { rpc, rpcSubscriptions } = ledger;
  const watching = (name: 'community' | 'creator', more: object = {}) => {
    const { mint, configVersion } = ledger.pools[name];
    return watchPool(createHeavenClient({ rpc, rpcSubscriptions, ...more }), { mint, configVersion });
  };
  const [first, ...others] = [watching('community'), watching('community'), watching('community')];
  const other = watching('creator');
  const processed = watching('community', { commitment: 'processed' });
  await Promise.all([first, ...others, other].map(next as (watch: PoolWatch | undefined) => unknown));
  // Another pool, config and mint; the same feed and clock.
  expect([ledger.subscriptions.count, new Set(ledger.subscriptions.addresses).size]).toEqual([8, 8]);
  await next(processed);
  expect(ledger.subscriptions.count).toBe(13);
  for (const watch of [...others, processed]) await watch.return();
  expect(ledger.subscriptions.count).toBe(8);
  setTokenB(3n);
  expect((await next(first!)).reserveB).toBe(3n);
  await first?.return();
  expect(ledger.subscriptions.count).toBe(5);
  await other.return();
});
