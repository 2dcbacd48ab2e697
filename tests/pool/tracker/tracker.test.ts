import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  type AccountRead,
  type AccountUpdate,
  buildBuy,
  createClient,
  createPoolTracker,
  fetchPoolSnapshot,
  type PoolChange,
  type PoolTracker,
  quoteBuy,
  quoteSell,
  type RejectedUpdate,
  toSwapState,
  trackedAccounts,
} from '../../../src/index.js';
import { encodeClock } from '../../../src/testing/index.js';
import { expectRefusal } from '../../support/errors.js';
import { createScene, type Name, type Scene } from './support.js';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
const SYSVARS = 'Sysvar1111111111111111111111111111111111111' as Address;

let scene: Scene;
let tracker: PoolTracker;
let rejected: RejectedUpdate[];
let changes: PoolChange[];
/** The ledger's slot at the start. */
let now: bigint;

const newTracker = (options: Parameters<typeof createPoolTracker>[1] = {}) => {
  const made = createPoolTracker(scene.tracked, { ...options, onReject: (one) => void rejected.push(one) });
  made.onChange((change) => void changes.push(change));
  return made;
};

beforeEach(async () => {
  scene = await createScene();
  rejected = [];
  changes = [];
  now = scene.ledger.slot;
  tracker = newTracker();
});

const clockAt = (slot: bigint, epoch = 810n): AccountUpdate => ({
  address: CLOCK,
  owner: SYSVARS,
  data: encodeClock({ slot, epoch, unixTimestamp: 1_760_000_000n }),
  slot,
});
/** The pool with so much SOL, as a stream sends it. */
const poolWith = (tokenB: bigint, slot: bigint, writeVersion?: bigint): AccountUpdate => {
  const { data, ...pool } = scene.read('pool');
  new DataView(data.buffer).setBigUint64(464, tokenB, true);
  return { ...pool, data, slot, writeVersion };
};
const changed = (name: Name, change: (data: DataView) => void, slot: bigint): AccountUpdate => {
  const account = scene.read(name);
  change(new DataView(account.data.buffer));
  return { ...account, slot };
};
const SOL = 1_000_000_000n;
/** A tracker that is live as of the slot `now`. */
const live = (options: Parameters<typeof createPoolTracker>[1] = {}) => {
  tracker = newTracker(options);
  tracker.load(scene.readAll());
  if (options.completedBy === 'call') tracker.complete(now);
  else tracker.apply(clockAt(now + 1n));
  expect(tracker.isLive).toBe(true);
  changes = [];
};

describe('the accounts', () => {
  test('are five, with what each is for', async () => {
    const { mint, configVersion, pool, protocolConfig } = scene.ledger.pools.creator;
    const { accounts, ...rest } = await trackedAccounts({ mint, configVersion });
    expect(rest).toEqual({ mint, configVersion, pool, protocolConfig, kind: 'standard' });
    expect(accounts.map(({ name, address }) => [name, address])).toEqual([
      ['pool', pool],
      ['protocolConfig', protocolConfig],
      ['mint', mint],
      ['priceFeed', 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt'],
      ['clock', CLOCK],
    ]);
    for (const { address, owners, purpose } of accounts) {
      expect(owners).toContain(scene.ledger.getAccount(address)?.owner);
      expect(purpose.length).toBeGreaterThan(20);
    }
  });

  test('need no derivation if all are given', async () => {
    const { mint, configVersion, pool, protocolConfig } = scene.ledger.pools.pro;
    const tracked = await trackedAccounts({ mint, configVersion, pool, protocolConfig });
    expect(tracked).toMatchObject({ mint, configVersion, pool, protocolConfig });
    expect(tracked.kind).toBeUndefined();
    // The same by hand.
    createPoolTracker({ mint, configVersion, pool, protocolConfig });
  });

  test.each([
    ['a locator of nothing', () => trackedAccounts(undefined as never), 'invalid-input'],
    ['a version that is none', () => trackedAccounts({ configVersion: -1, mint: CLOCK }), 'invalid-input'],
    [
      'a mint that is none',
      () => trackedAccounts({ configVersion: 1, mint: 'x' as Address }),
      'invalid-address',
    ],
    ['no pool', () => createPoolTracker({} as never), 'invalid-input'],
    ['a depth that is none', () => createPoolTracker(scene.tracked, { forkDepth: 1.5 }), 'invalid-input'],
    ['a way to complete that is none', () => newTracker({ completedBy: 'x' as never }), 'invalid-input'],
  ])('rejects %s', async (_, attempt, code) => {
    await expectRefusal(async () => await attempt(), code);
  });
});

describe('a snapshot', () => {
  test('is what fetchPoolSnapshot reads, and quotes and builders take it', async () => {
    const client = createClient({ rpc: scene.ledger.rpc });
    const { mint, configVersion, creator: payer } = scene.ledger.pools.creator;
    const fetched = await fetchPoolSnapshot(client, { mint, configVersion });
    for (const account of scene.readAll()) tracker.apply({ ...account, slot: now });
    expect(tracker.isLive).toBe(false);
    expect(tracker.latest).toEqual(fetched);
    tracker.load(scene.readAll());
    const { snapshot } = tracker;
    expect(snapshot).toEqual(fetched);

    const calls = scene.ledger.requests.length;
    const quoteResponse = await quoteBuy(client, {
      mint,
      configVersion,
      maxSolSpend: '1',
      slippageBps: 50,
      snapshot,
    });
    await quoteSell(client, { mint, configVersion, amountInUi: '5', slippageBps: 50, snapshot });
    expect(scene.ledger.requests.length).toBe(calls);
    const built = await buildBuy(client, { payer, quoteResponse, encodedUserDefinedEventData: '', snapshot });
    expect(built.size).toBeGreaterThan(500);
  });

  test('exists once all five are known', () => {
    for (const account of scene.readAll()) {
      expect(tracker.latest).toBeUndefined();
      expect(tracker.snapshot).toBeUndefined();
      expect(tracker.apply({ ...account, slot: now })).toBe('applied');
    }
    expect(tracker.latest?.slot).toBe(now);
    expect(changes).toEqual(['latest', 'snapshot']);
  });

  test('is the same object until something changes', () => {
    live();
    const before = tracker.snapshot;
    expect(tracker.snapshot).toBe(before);
    tracker.apply(poolWith(2050n * SOL, now + 1n));
    expect(tracker.snapshot).toBe(before);
    expect(tracker.latest).not.toBe(before);
  });
});

describe('the swap state', () => {
  test('is undefined until all five accounts are known', () => {
    for (const account of scene.readAll()) {
      expect(tracker.swapState()).toBeUndefined();
      expect(tracker.swapState({ of: 'snapshot' })).toBeUndefined();
      tracker.apply({ ...account, slot: now });
    }
    expect(tracker.swapState()?.reserveA).toBe(tracker.latest?.reserveA);
  });

  test('is that of `latest` or of `snapshot`, for any slot', () => {
    live();
    const grow = (data: DataView) => {
      data.setBigUint64(464, 2050n * SOL, true);
      data.setUint8(929, 1); // sandwich-resistant
    };
    tracker.apply(changed('pool', grow, now + 1n));
    const { latest, snapshot } = tracker;
    expect(latest?.reserveB).not.toBe(snapshot?.reserveB);
    for (const slot of [undefined, now, now + 1n, now + 1_000n, now + 1_000_000n]) {
      const options = slot === undefined ? {} : { slot };
      expect(tracker.swapState(options)).toEqual(latest && toSwapState(latest, options));
      expect(tracker.swapState({ of: 'latest', slot })).toEqual(latest && toSwapState(latest, options));
      expect(tracker.swapState({ of: 'snapshot', slot })).toEqual(snapshot && toSwapState(snapshot, options));
    }
  });

  test('refuses a wrong option', async () => {
    live();
    await expectRefusal(() => tracker.swapState({ of: 'settled' as 'latest' }), 'invalid-input');
    await expectRefusal(() => tracker.swapState({ slot: -1n }), 'invalid-amount');
    await expectRefusal(() => tracker.swapState({ slot: 2n ** 64n }), 'amount-out-of-range');
  });
});

describe('it is live', () => {
  test('once the stream continues from a read without a gap, as of the newest complete slot', () => {
    tracker.load(scene.readAll());
    expect(tracker.isLive).toBe(false);
    tracker.apply(clockAt(now + 1n));
    expect(tracker.isLive).toBe(true);
    expect(tracker.snapshot?.slot).toBe(now);
    tracker.apply(poolWith(2050n * SOL, now + 1n));
    expect(tracker.latest?.reserveB).toBe(2050n * SOL);
    expect(tracker.snapshot?.reserveB).not.toBe(2050n * SOL);
    changes = [];
    tracker.apply(clockAt(now + 2n));
    expect(changes).toEqual(['snapshot']);
    expect(tracker.snapshot).toMatchObject({ slot: now + 1n, reserveB: 2050n * SOL });
    // Time alone is no change.
    changes = [];
    tracker.apply(clockAt(now + 3n));
    expect(changes).toEqual([]);
    expect(tracker.snapshot?.slot).toBe(now + 2n);
  });

  test('not if slots lie between the read and the stream, until a newer read', () => {
    tracker.load(scene.readAll());
    tracker.apply(clockAt(now + 2n));
    expect(tracker.isLive).toBe(false);
    scene.ledger.setSlot(now + 1n);
    tracker.load(scene.readAll());
    expect(tracker.isLive).toBe(true);
    expect(changes.filter((change) => change === 'isLive')).toHaveLength(1);
  });

  test('with a read that is ahead of the stream', () => {
    tracker.apply(clockAt(now - 5n));
    tracker.load(scene.readAll());
    expect(tracker.isLive).toBe(true);
    expect(tracker.apply(poolWith(2050n * SOL, now - 3n, 9n))).toBe('stale');
    expect(tracker.snapshot?.slot).toBe(now);
  });

  test('not after a gap, until the new connection continues from a read', () => {
    live();
    tracker.gap();
    expect(tracker.isLive).toBe(false);
    expect(changes).toEqual(['isLive']);
    tracker.apply(clockAt(now + 4n));
    expect(tracker.isLive).toBe(false);
    scene.ledger.setSlot(now + 3n);
    tracker.load(scene.readAll());
    expect(tracker.isLive).toBe(true);
  });

  test('again at once if the stream resumes where it ended', () => {
    live({ completedBy: 'call' });
    tracker.gap(now + 1n);
    expect(tracker.isLive).toBe(true);
    tracker.gap(now + 2n);
    expect(tracker.isLive).toBe(false);
  });

  test('not once an update for a completed slot arrives', () => {
    live({ completedBy: 'call' });
    tracker.apply(clockAt(now + 1n));
    tracker.complete(now + 1n);
    expect(tracker.isLive).toBe(true);
    expect(tracker.apply(poolWith(2050n * SOL, now + 1n))).toBe('applied');
    expect(tracker.isLive).toBe(false);
    expect(tracker.snapshot?.reserveB).toBe(2050n * SOL);
  });
});

describe('updates', () => {
  test('may come twice and in any order: the last write of the newest slot counts', () => {
    live({ completedBy: 'call' });
    expect(tracker.apply(poolWith(2052n * SOL, now + 2n, 7n))).toBe('applied');
    expect(tracker.apply(poolWith(2051n * SOL, now + 2n, 6n))).toBe('stale');
    expect(tracker.apply(poolWith(2052n * SOL, now + 2n, 7n))).toBe('stale');
    expect(tracker.apply(poolWith(2050n * SOL, now + 1n, 9n))).toBe('applied');
    expect(tracker.latest).toMatchObject({ reserveB: 2052n * SOL, slot: now + 2n });
    tracker.complete(now + 1n);
    expect(tracker.snapshot).toMatchObject({ reserveB: 2050n * SOL, slot: now + 1n });
    expect(tracker.isLive).toBe(true);
    tracker.complete(now + 2n);
    expect(tracker.snapshot).toMatchObject({ reserveB: 2052n * SOL, slot: now + 2n });
  });

  test('without a writeVersion are the end of their slot', () => {
    live();
    tracker.apply(poolWith(2050n * SOL, now + 1n, 5n));
    expect(tracker.apply(poolWith(2051n * SOL, now + 1n))).toBe('applied');
    expect(tracker.apply(poolWith(2052n * SOL, now + 1n, 6n))).toBe('stale');
    expect(tracker.latest?.reserveB).toBe(2051n * SOL);
  });

  test('that repeat completed slots leave it live', () => {
    live();
    const update = poolWith(2050n * SOL, now + 1n);
    tracker.apply(update);
    tracker.apply(clockAt(now + 2n));
    expect(tracker.apply({ ...update, data: update.data.slice() })).toBe('applied');
    expect(tracker.isLive).toBe(true);
  });

  test('of other accounts are ignored', () => {
    expect(tracker.apply({ ...clockAt(now), address: SYSVARS })).toBe('untracked');
  });

  test.each([
    ['as many as are kept', 127n, true],
    ['one more', 128n, false],
  ])('that wait are bounded: after %s, only a read makes it live', (_, count, isLive) => {
    live({ completedBy: 'call', forkDepth: 0 });
    for (let k = 1n; k <= count; k++) tracker.apply(poolWith(2050n * SOL + k, now + k));
    expect(tracker.isLive).toBe(isLive);
    expect(tracker.latest?.reserveB).toBe(2050n * SOL + count);
    tracker.complete(now + count);
    expect(tracker.isLive).toBe(isLive);
    scene.ledger.setSlot(now + count);
    tracker.load(scene.readAll());
    expect(tracker.isLive).toBe(true);
  });

  test('for completed slots are expected before the first read: streams open with old accounts', () => {
    tracker = newTracker({ completedBy: 'call' });
    for (let k = 1n; k <= 3n; k++) tracker.complete(now + k);
    tracker.apply(poolWith(2050n * SOL, now + 3n));
    scene.ledger.setSlot(now + 2n);
    tracker.load(scene.readAll());
    expect(tracker.isLive).toBe(true);
    expect(tracker.snapshot).toMatchObject({ slot: now + 3n, reserveB: 2050n * SOL });
    // Once it is live, such an update means that others may be missing as well.
    tracker.apply(poolWith(2051n * SOL, now + 3n));
    expect(tracker.isLive).toBe(false);
  });
});

describe('a fork', () => {
  test('that is dropped takes its updates with it', () => {
    live({ completedBy: 'call' });
    tracker.apply(poolWith(2050n * SOL, now + 1n));
    tracker.apply(poolWith(2051n * SOL, now + 2n));
    tracker.dropSlot(now + 2n);
    expect(tracker.latest?.reserveB).toBe(2050n * SOL);
    expect(tracker.apply(poolWith(2051n * SOL, now + 2n))).toBe('stale');
    expect(tracker.isLive).toBe(true);
  });

  test('is abandoned when the next slot builds on another, and may win in the end', () => {
    live({ completedBy: 'call' });
    const before = tracker.snapshot?.reserveB;
    tracker.apply(poolWith(2050n * SOL, now + 1n));
    tracker.complete(now + 1n, now);
    expect(tracker.snapshot?.reserveB).toBe(2050n * SOL);
    tracker.complete(now + 2n, now);
    expect(tracker.isLive).toBe(true);
    expect(tracker.snapshot?.reserveB).toBe(before);
    tracker.complete(now + 3n, now + 1n);
    expect(tracker.snapshot?.reserveB).toBe(2050n * SOL);
    expect(tracker.isLive).toBe(true);
  });

  test.each([
    ['a fork is followed', false],
    ['a fork with a dropped slot is not', true],
  ])('%s, though it is longer', (_, isDropped) => {
    live({ completedBy: 'call' });
    tracker.apply(poolWith(2050n * SOL, now + 1n));
    tracker.complete(now + 1n, now);
    tracker.complete(now + 2n, now);
    if (isDropped) tracker.dropSlot(now + 1n);
    expect(tracker.isLive).toBe(true);
    tracker.complete(now + 3n, now + 1n);
    expect(tracker.isLive).toBe(!isDropped);
  });

  test('from before everything known is not followed', () => {
    live({ completedBy: 'call' });
    tracker.complete(now + 1n, now);
    tracker.complete(now + 2n, now - 1n);
    expect(tracker.isLive).toBe(false);
  });

  test("deeper than the history can't be undone", () => {
    live({ completedBy: 'call', forkDepth: 2 });
    for (let k = 1n; k < 6n; k++) {
      tracker.apply(poolWith(2050n * SOL + k, now + k));
      tracker.complete(now + k, now + k - 1n);
    }
    tracker.dropSlot(now + 5n);
    expect(tracker.isLive).toBe(true);
    expect(tracker.snapshot).toMatchObject({ slot: now + 4n, reserveB: 2050n * SOL + 4n });
    tracker.dropSlot(now + 3n);
    expect(tracker.isLive).toBe(false);
  });
});

describe('hostile input', () => {
  const cases: readonly (readonly [string, () => AccountUpdate, string])[] = [
    ['another owner', () => ({ ...poolWith(9n, now + 1n), owner: SYSVARS }), 'account-owner-mismatch'],
    [
      'no pool',
      () => ({ ...scene.read('mint'), ...{ address: scene.address.pool }, owner: undefined, slot: now + 1n }),
      'invalid-account-data',
    ],
    [
      'the pool of another token',
      () => {
        const { pool } = scene.ledger.pools.community;
        return { ...poolWith(9n, now + 1n), data: Uint8Array.from(scene.ledger.getAccount(pool)!.data) };
      },
      'config-version-mismatch',
    ],
    ['another mint', () => changed('pool', (data) => data.setUint8(800, 1), now + 1n), 'pool-mint-mismatch'],
    [
      'another config',
      () => changed('pool', (data) => data.setUint8(730, 1), now + 1n),
      'invalid-account-data',
    ],
    [
      'another vault',
      () => changed('pool', (data) => data.setUint8(670, 1), now + 1n),
      'invalid-account-data',
    ],
    ['another kind', () => changed('pool', (data) => data.setUint8(90, 1), now + 1n), 'pool-kind-mismatch'],
    ['a pool without its virtual SOL', () => poolWith(1n, now + 1n), 'implausible-account'],
    [
      'too many brackets',
      () => changed('protocolConfig', (data) => data.setUint8(88 + 64, 5), now + 1n),
      'implausible-account',
    ],
    [
      'another version',
      () => changed('protocolConfig', (data) => data.setUint16(452, 3, true), now + 1n),
      'config-version-mismatch',
    ],
    [
      'a mint of another program',
      () => ({ ...scene.read('mint'), owner: SYSVARS, slot: now + 1n }),
      'account-owner-mismatch',
    ],
    [
      'a mint that is none',
      () => changed('mint', (data) => data.setUint8(45, 0), now + 1n),
      'invalid-account-data',
    ],
    [
      'a price of the future',
      () => changed('priceFeed', (data) => data.setUint32(data.byteLength - 40, 0xffff_ffff, true), now + 1n),
      'implausible-account',
    ],
    ['a clock cut short', () => ({ ...clockAt(now + 2n), data: new Uint8Array(39) }), 'invalid-account-data'],
    [
      'an account that is gone',
      () => ({ ...poolWith(2050n * SOL, now + 1n), lamports: 0n }),
      'invalid-account-data',
    ],
    ['an absurd slot', () => poolWith(2050n * SOL, now + 2_000_000n), 'implausible-account'],
    ['no slot', () => ({ ...poolWith(2050n * SOL, now), slot: 5 as never }), 'invalid-input'],
    [
      'no bytes',
      () => ({ ...poolWith(2050n * SOL, now + 1n), data: 'AAAA' as never }),
      'invalid-account-data',
    ],
  ];

  test.each(cases)('%s is rejected and reported, and changes nothing', (_, update, code) => {
    live();
    const before = [tracker.latest, tracker.snapshot];
    expect(tracker.apply(update())).toBe('rejected');
    expect([tracker.latest, tracker.snapshot]).toEqual(before);
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({ address: update().address, error: { code } });
    expect(tracker.isLive).toBe(true);
  });

  test('that may have been real leaves the slot in doubt until the account is updated again', () => {
    live();
    tracker.apply({ ...poolWith(2050n * SOL, now + 1n), owner: SYSVARS });
    expect(tracker.isLive).toBe(true);
    tracker.apply(clockAt(now + 2n));
    expect(tracker.isLive).toBe(false);
    tracker.apply(poolWith(2050n * SOL, now + 2n));
    tracker.apply(clockAt(now + 3n));
    expect(tracker.isLive).toBe(true);
    expect(tracker.snapshot?.reserveB).toBe(2050n * SOL);
  });

  test('that came first is dropped after the read', () => {
    tracker.apply(changed('pool', (data) => data.setUint8(670, 1), now + 1n));
    tracker.load(scene.readAll());
    expect(tracker.latest).toMatchObject({ slot: now, addresses: { pool: scene.address.pool } });
    expect(rejected.map(({ error }) => error.code)).toEqual(['invalid-account-data']);
  });

  test('that came first, from the far future, does not last', () => {
    expect(tracker.apply(poolWith(2050n * SOL, 2n ** 52n))).toBe('applied');
    tracker.load(scene.readAll());
    expect(tracker.latest?.slot).toBe(now);
    tracker.apply(poolWith(2051n * SOL, now + 2n));
    expect(tracker.latest?.reserveB).toBe(2051n * SOL);
  });

  test.each<readonly [string, () => (AccountRead | undefined)[], string]>([
    ['nothing', () => [], 'pool-not-found'],
    ['no clock', () => scene.readAll().slice(0, 4), 'account-not-found'],
    [
      'a pool of another owner',
      () => scene.readAll().map((one, index) => (index === 0 ? { ...one, owner: SYSVARS } : one)),
      'rpc-wrong-account',
    ],
  ])('a read of %s throws, and changes nothing', async (_, accounts, code) => {
    live();
    const before = tracker.latest;
    await expectRefusal(() => tracker.load(accounts()), code);
    expect(tracker.latest).toBe(before);
    expect(tracker.isLive).toBe(true);
  });
});

test('a listener is called until it unsubscribes, and its errors affect nobody else', () => {
  const heard: PoolChange[] = [];
  const end = tracker.onChange((change) => void heard.push(change));
  for (const account of scene.readAll()) tracker.apply({ ...account, slot: now });
  end();
  tracker.apply(poolWith(2050n * SOL, now + 1n));
  expect(heard).toEqual(['latest', 'snapshot']);
  expect(changes.length).toBeGreaterThan(2);
});
