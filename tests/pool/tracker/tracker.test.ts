import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AccountRead,
  type AccountUpdate,
  createPoolTracker,
  fetchPoolSnapshot,
  type PoolChange,
  type PoolTracker,
  quoteBuy,
  type RejectedUpdate,
  type TrackedPoolAccounts,
  toSwapState,
  trackedAccounts,
  watchPool,
  watchPools,
} from '../../../src/index.js';
import { encodeClock } from '../../../src/testing/encode.js';
import { encodeMint } from '../../../src/testing/index.js';
import { SOL } from '../../support/amounts.js';
import { caseOf, expectRefusal } from '../../support/errors.js';
import { client, ledger, useLedger } from '../../support/ledger.js';
import { fc } from '../../support/properties.js';

type Name = TrackedPoolAccounts['accounts'][number]['name'];

const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
const SYSVARS = 'Sysvar1111111111111111111111111111111111111' as Address;

let tracked: TrackedPoolAccounts;
let tracker: PoolTracker;
let rejected: RejectedUpdate[];
let changes: PoolChange[];
/** The ledger's slot at the start. */
let now: bigint;

/** The ledger's account now, in a copy of its bytes. */
const read = (name: Name): AccountRead => {
  const { address } = tracked.accounts.find((account) => account.name === name)!;
  const { data, owner } = ledger.getAccount(address)!;
  return { address, data: Uint8Array.from(data), owner };
};
const readAll = () => tracked.accounts.map(({ name }) => read(name));

useLedger();
beforeEach(async () => {
  const { mint, configVersion } = ledger.pools.creator;
  tracked = await trackedAccounts({ mint, configVersion });
  rejected = [];
  changes = [];
  now = ledger.slot;
  tracker = createPoolTracker(tracked, { onReject: (one) => void rejected.push(one) });
  tracker.onChange((change) => void changes.push(change));
});

const clockAt = (
  slot: bigint,
  epoch = slot / 432_000n,
  unixTimestamp = ledger.unixTimestamp,
): AccountUpdate => ({
  address: CLOCK,
  owner: SYSVARS,
  data: encodeClock({ slot, epoch, unixTimestamp }),
  slot,
});
/** The pool with so much SOL, as a stream sends it. */
const poolWith = (tokenB: bigint, slot: bigint, writeVersion?: bigint): AccountUpdate => {
  const { data, ...pool } = read('pool');
  new DataView(data.buffer).setBigUint64(464, tokenB, true);
  return { ...pool, data, slot, writeVersion };
};
const changed = (name: Name, change: (data: DataView) => void, slot: bigint): AccountUpdate => {
  const account = read(name);
  change(new DataView(account.data.buffer));
  return { ...account, slot };
};
/** A mint with a transfer fee from an epoch that is far away. */
const withLaterFee = (basisPoints: number): Uint8Array =>
  encodeMint({
    decimals: 9,
    supply: 10n ** 18n,
    transferFee: {
      older: { epoch: 0n, basisPoints: 1, maximum: 1n },
      newer: { epoch: 1_000_000n, basisPoints, maximum: 1n },
    },
  });
/** Makes the tracker live as of the slot `now`. */
const live = () => {
  tracker.load(readAll());
  tracker.apply(clockAt(now));
  expect(tracker.isLive).toBe(true);
  changes = [];
};

describe('the accounts', () => {
  test('are five, with what each is for', async () => {
    const { mint, configVersion, pool, protocolConfig } = ledger.pools.creator;
    const { accounts, ...rest } = await trackedAccounts({ mint, configVersion });
    expect(rest).toEqual({ mint, configVersion, pool, protocolConfig, kind: 'standard' });
    expect(accounts.map(({ name, address }) => [name, address])).toEqual([
      ['pool', pool],
      ['protocolConfig', protocolConfig],
      ['mint', mint],
      ['priceFeed', 'CH31Xns5z3M1cTAbKW34jcxPPciazARpijcHj9rxtemt'],
      ['clock', CLOCK],
    ]);
    for (const { address, owners } of accounts) expect(owners).toContain(ledger.getAccount(address)?.owner);
    const given = { mint, configVersion, pool: CLOCK, protocolConfig: SYSVARS };
    expect(await trackedAccounts(given)).toMatchObject({ ...given, kind: undefined });
    for (const kind of ['standard', 'pro', undefined] as const)
      expect(createPoolTracker({ ...given, kind }).snapshot).toBeUndefined();
  });

  test.each([
    ['a locator of nothing', () => trackedAccounts(undefined as never), 'invalid-input'],
    ['a version that is none', () => trackedAccounts({ configVersion: -1, mint: CLOCK }), 'invalid-input'],
    ['no mint', () => trackedAccounts({ configVersion: 1, mint: 'x' as Address }), 'invalid-address'],
    ['no pool', () => createPoolTracker({} as never), 'invalid-input'],
    ['a kind that is none', () => createPoolTracker({ ...tracked, kind: 'both' as 'pro' }), 'invalid-input'],
  ])('rejects %s', async (_, attempt, code) => {
    await expectRefusal(async () => await attempt(), code);
  });
});

describe('a snapshot', () => {
  test('is what fetchPoolSnapshot reads, and a quote takes it', async () => {
    const { mint, configVersion } = ledger.pools.creator;
    const fetched = await fetchPoolSnapshot(client, { mint, configVersion });
    for (const account of readAll()) tracker.apply({ ...account, slot: now });
    expect(tracker.isLive).toBe(false);
    expect(tracker.snapshot).toEqual(fetched);
    tracker.load(readAll());
    const { snapshot } = tracker;
    expect(snapshot).toEqual(fetched);
    const calls = ledger.requests.length;
    const terms = { mint, configVersion, slippageBps: 50, snapshot };
    await quoteBuy(client, { ...terms, maxSolSpend: '1' });
    expect(ledger.requests.length).toBe(calls);
  });

  test("has its own pool's vaults, even if a stranger's update came before the read", () => {
    const strange = changed('pool', (data) => data.setUint8(664, data.getUint8(664) ^ 1), now - 5n);
    for (const { name } of tracked.accounts)
      tracker.apply(name === 'pool' ? strange : { ...read(name), slot: now - 5n });
    const wrong = tracker.snapshot?.addresses;
    tracker.load(readAll());
    const right = tracker.snapshot?.addresses;
    expect(right?.tokenAVault).not.toBe(wrong?.tokenAVault);
    tracker.apply(poolWith(2050n * SOL, now + 1n));
    expect(tracker.snapshot?.addresses).toEqual(right);
  });
});

test('the swap state is of the slot in which a trade is to land', async () => {
  const { mint, configVersion } = ledger.pools.launching;
  tracked = await trackedAccounts({ mint, configVersion });
  tracker = createPoolTracker(tracked);
  expect(tracker.swapState()).toBeUndefined();
  tracker.load(readAll());
  const states = [undefined, now, now + 1_000n].map((slot) => tracker.swapState({ slot })?.buyFees);
  expect(states).toEqual(
    [now, now, now + 1_000n].map((slot) => toSwapState(tracker.snapshot!, { slot }).buyFees),
  );
  expect(states[2]).not.toEqual(states[1]);
});

test("an update without an owner is checked by its data, once the mint's owner is known", () => {
  const unowned = (name: Name, slot = now): AccountUpdate => {
    const { address, data } = read(name);
    return { address, data, slot };
  };
  for (const name of ['pool', 'protocolConfig', 'priceFeed', 'clock'] as const)
    expect(tracker.apply(unowned(name))).toBe('applied');
  expect(tracker.apply(unowned('mint'))).toBe('rejected');
  expect(rejected[0]?.error).toMatchObject({ code: 'invalid-account-data', context: { account: 'Mint' } });
  expect(tracker.apply({ ...read('mint'), slot: now })).toBe('applied');
  const { addresses } = tracker.snapshot!;
  expect(tracker.apply(unowned('mint', now + 1n))).toBe('applied');
  expect(tracker.snapshot?.addresses).toEqual(addresses);
});

describe('a change of the snapshot', () => {
  const feedAt = (change: (data: DataView) => void) => changed('priceFeed', (data) => change(data), now + 1n);
  /** The low bytes of the latest answer. */
  const ANSWER = -32;

  test.each<[string, () => AccountUpdate, boolean]>([
    ['a trade', () => poolWith(2050n * SOL, now + 1n), true],
    ['another supply', () => changed('mint', (data) => data.setBigUint64(36, 5n, true), now + 1n), true],
    ['a config', () => changed('protocolConfig', () => {}, now + 1n), true],
    ['another price', () => feedAt((data) => data.setBigUint64(data.byteLength + ANSWER, 5n, true)), true],
    ['the same digits in other decimals', () => feedAt((data) => data.setUint8(138, 9)), true],
    ['the same price again', () => feedAt(() => {}), false],
    ['the next slot', () => clockAt(now + 1n), false],
    ['the next epoch', () => clockAt(now + 1n, 811n), true],
  ])('%s', (_, update, isNews) => {
    live();
    expect(tracker.apply(update())).toBe('applied');
    expect(changes).toEqual(isNews ? ['snapshot'] : []);
    expect(tracker.snapshot?.slot).toBe(now + 1n);
  });

  test.each([
    [-2n, -1n, []],
    [-1n, 0n, ['snapshot']],
    [0n, 1n, []],
  ])('the time passes from %s to %s seconds after the pool opens', (before, after, expected) => {
    const opensAt = ledger.unixTimestamp + 100n;
    const { pool } = ledger.pools.creator;
    ledger.updatePool(pool, ({ info }) => ({ info: { ...info, openAt: opensAt } }));
    live();
    tracker.apply(clockAt(now + 1n, undefined, opensAt + before));
    changes = [];
    tracker.apply(clockAt(now + 2n, undefined, opensAt + after));
    expect(changes).toEqual(expected);
  });

  test('whether it is live', () => {
    tracker.load(readAll());
    tracker.apply(clockAt(now));
    tracker.gap();
    tracker.gap();
    expect(changes).toEqual(['snapshot', 'isLive', 'isLive']);
  });
});

/** A write of an account, as a stream or a read brings it. What a slot ends with has no place among its writes. */
interface Write {
  readonly name: Name;
  readonly slot: bigint;
  readonly place: bigint | undefined;
  readonly value: bigint;
}
const WRITTEN = ['pool', 'mint', 'priceFeed', 'clock'] as const;

const dataOf = ({ name, slot, value }: Write): Uint8Array => {
  if (name === 'clock') return clockAt(slot, 811n).data;
  const { data } = read(name);
  // Reserve B, the supply, or the low bytes of the latest answer.
  const offset = name === 'pool' ? 464 : name === 'mint' ? 36 : data.length - 32;
  new DataView(data.buffer).setBigUint64(offset, value, true);
  return data;
};

/** Whether one write replaces another of the same account. */
const replaces = (write: Write, known: Write | undefined): boolean => {
  if (known === undefined || write.slot !== known.slot) return known === undefined || write.slot > known.slot;
  return write.place === undefined || (known.place !== undefined && write.place > known.place);
};

test('repeated, late and lost, with reads and gaps: it has the last write of the newest slot, and knows if it is live', () => {
  const slots = fc.bigInt({ min: 0n, max: 8n });
  const write = fc.record({
    does: fc.constant('write' as const),
    name: fc.constantFrom(...WRITTEN, 'pool' as const, 'clock' as const),
    slot: slots,
    place: fc.option(fc.bigInt({ min: 0n, max: 3n }), { nil: undefined }),
  });
  const step = fc.oneof(
    { weight: 12, arbitrary: write },
    { weight: 3, arbitrary: fc.record({ does: fc.constant('read' as const), slot: slots }) },
    fc.record({ does: fc.constant('gap' as const) }),
  );
  const seen = { live: 0, dead: 0, stale: 0 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      tracker = createPoolTracker(tracked);
      const writes: Write[] = [];
      const newest = (name: Name) =>
        writes
          .filter((write) => write.name === name)
          .reduce<Write | undefined>((known, write) => (replaces(write, known) ? write : known), undefined);
      let sinceGap: { readonly read?: bigint; readonly clock?: bigint } = {};
      for (const [index, drawn] of steps.entries()) {
        const value = 2_000n * SOL + BigInt(index);
        const before = tracker.snapshot;
        if (drawn.does === 'gap') {
          sinceGap = {};
          tracker.gap();
        } else if (drawn.does === 'read') {
          const slot = now + drawn.slot;
          const all = WRITTEN.map((name): Write => ({ name, slot, place: undefined, value }));
          const accounts = all.map((write) => ({ ...read(write.name), data: dataOf(write) }));
          tracker.load([read('protocolConfig'), ...accounts]);
          writes.push(...all);
          const { read: last = slot } = sinceGap;
          sinceGap = { ...sinceGap, read: slot > last ? slot : last };
        } else {
          const write = { name: drawn.name, slot: now + drawn.slot, place: drawn.place, value };
          const isApplied = replaces(write, newest(write.name));
          const { slot, place: writeVersion } = write;
          const update = { ...read(write.name), data: dataOf(write), slot, writeVersion };
          expect(tracker.apply(update)).toBe(isApplied ? 'applied' : 'stale');
          if (!isApplied) {
            seen.stale++;
            expect(tracker.snapshot).toBe(before);
          }
          writes.push(write);
          if (write.name === 'clock') sinceGap = { clock: slot, ...sinceGap };
        }
        const { read: last, clock } = sinceGap;
        const isLive = last !== undefined && clock !== undefined && clock <= last + 1n;
        expect(tracker.isLive).toBe(isLive);
        seen[isLive ? 'live' : 'dead']++;
        const { snapshot } = tracker;
        // The config comes with a read only.
        expect(snapshot !== undefined).toBe(steps.slice(0, index + 1).some(({ does }) => does === 'read'));
        if (snapshot === undefined) continue;
        const { slot, reserveB, token, solPrice } = snapshot;
        const [highest] = writes.map((write) => write.slot).sort((a, b) => (a > b ? -1 : 1));
        expect([slot, reserveB, token.supply, solPrice.answer]).toEqual([
          highest,
          ...(['pool', 'mint', 'priceFeed'] as const).map((name) => newest(name)?.value),
        ]);
        for (const at of [undefined, slot + 1_000n])
          expect(tracker.swapState({ slot: at })).toEqual(toSwapState(snapshot, { slot: at ?? slot }));
      }
    }),
    { numRuns: 400 },
  );
  expect(Math.min(seen.live, seen.dead, seen.stale)).toBeGreaterThan(100);
});

test('updates of other accounts are ignored', () => {
  expect(tracker.apply({ ...clockAt(now), address: SYSVARS })).toBe('untracked');
});

test('an update far ahead of everything known is rejected: what came before it has to be read', () => {
  live();
  expect(tracker.apply(clockAt(now + 300n))).toBe('applied');
  expect(tracker.apply(clockAt(now + 601n))).toBe('rejected');
  const context = { field: 'slot', expected: `at most ${now + 600n}` };
  expect(rejected).toMatchObject([{ error: { code: 'rpc-wrong-account', context } }]);
  expect(tracker.snapshot?.slot).toBe(now + 300n);
  expect(tracker.isLive).toBe(false);
  ledger.setSlot(now + 601n);
  tracker.load(readAll());
  // As after any gap, the stream has to continue from the read.
  expect(tracker.isLive).toBe(false);
  tracker.apply(clockAt(now + 602n));
  expect(tracker.isLive).toBe(true);
  expect(tracker.snapshot?.slot).toBe(now + 602n);
});

test.each([
  [300n, 2050n],
  [301n, 2000n],
])('a write %s slots ahead of the first read: nothing told yet whether it was real', (ahead, expected) => {
  ledger.setReserves(ledger.pools.creator.pool, { tokenB: 2000n * SOL });
  tracker.apply(poolWith(2050n * SOL, now + ahead));
  tracker.load(readAll());
  expect(tracker.snapshot?.reserveB).toBe(expected * SOL);
});

test.each([
  [-1n, 'rejected'],
  [0n, 'applied'],
  [2n ** 64n - 1n, 'applied'],
  [2n ** 64n, 'rejected'],
])('a write of slot %s is %s', (slot, outcome) => {
  expect(tracker.apply(poolWith(2050n * SOL, slot))).toBe(outcome);
});

describe('hostile input', () => {
  const soon = () => now + 1n;
  const withByte = (name: Name, offset: number, value: number) => () =>
    changed(name, (data) => data.setUint8(offset, value), soon());
  const readAs = (name: Name, change: object) => () => ({ ...read(name), slot: soon(), ...change });

  test.each<readonly [string, () => AccountUpdate, string]>([
    ['another owner', () => ({ ...poolWith(9n, soon()), owner: SYSVARS }), 'invalid-account-data:found'],
    ['another mint', withByte('pool', 800, 1), 'pool-mismatch:mint'],
    ['another config', withByte('pool', 730, 1), 'invalid-account-data'],
    ['another kind', withByte('pool', 90, 1), 'pool-mismatch:kind'],
    ['another version of the pool', withByte('pool', 88, 3), 'pool-mismatch:configVersion'],
    // Which values no account can have is in implausible.test.ts.
    ['a pool without its virtual SOL', () => poolWith(1n, soon()), 'rpc-wrong-account:field'],
    ['another version of the config', withByte('protocolConfig', 452, 3), 'pool-mismatch:configVersion'],
    ['a mint of another program', readAs('mint', { owner: SYSVARS }), 'invalid-account-data:found'],
    ['a mint that is none', withByte('mint', 45, 0), 'invalid-account-data'],
    ['a later fee over 100 %', readAs('mint', { data: withLaterFee(10_001) }), 'invalid-account-data'],
    ['a clock cut short', () => ({ ...clockAt(soon()), data: new Uint8Array(39) }), 'invalid-account-data'],
    ['an account that is gone', readAs('pool', { lamports: 0n }), 'invalid-account-data'],
    ['an absurd slot', () => poolWith(2050n * SOL, now + 2_000_000n), 'rpc-wrong-account:field'],
    ['no slot', () => ({ ...poolWith(2050n * SOL, now), slot: 5 as never }), 'invalid-input'],
    ['no bytes', () => ({ ...poolWith(2050n * SOL, soon()), data: 'A' as never }), 'invalid-account-data'],
  ])('%s is rejected and reported, and changes nothing', (_, update, code) => {
    live();
    const before = tracker.snapshot;
    expect(tracker.apply(update())).toBe('rejected');
    expect(tracker.snapshot).toBe(before);
    expect(rejected).toHaveLength(1);
    const [refusal] = rejected;
    expect(refusal?.address).toBe(update().address);
    expect(refusal && caseOf(refusal.error.code, refusal.error.context)).toBe(code);
    expect(tracker.isLive).toBe(false);
    ledger.setSlot(now + 2n);
    tracker.load(readAll());
    tracker.apply(clockAt(now + 3n));
    expect(tracker.isLive).toBe(true);
  });

  test('means that a read must reach its slot', () => {
    live();
    tracker.apply({ ...poolWith(2060n * SOL, now + 2n), owner: SYSVARS });
    // A good update doesn't tell whether one before it was real.
    expect(tracker.apply(poolWith(2050n * SOL, now + 2n))).toBe('applied');
    expect(tracker.isLive).toBe(false);
    ledger.setSlot(now + 1n);
    tracker.load(readAll());
    expect(tracker.isLive).toBe(false);
    ledger.setSlot(now + 2n);
    tracker.load(readAll());
    expect(tracker.isLive).toBe(true);
  });

  test.each<[string, clock: bigint | undefined, bad: bigint, read: bigint, isLive: boolean]>([
    ['before the first that the stream is known to have', 5n, 2n, 3n, false],
    ['before it, and the read reaches it', 5n, 2n, 4n, true],
    ['in it', 2n, 2n, 1n, false],
    ['in it, and the read reaches that', 2n, 2n, 2n, true],
    ['while no clock has come', undefined, 1n, 1n, true],
  ])('in a slot %s', (_, clock, bad, slot, isLive) => {
    live();
    tracker.gap();
    if (clock !== undefined) tracker.apply(clockAt(now + clock));
    tracker.apply({ ...poolWith(2060n * SOL, now + bad), owner: SYSVARS });
    expect(rejected).toHaveLength(1);
    ledger.setSlot(now + slot);
    tracker.load(readAll());
    expect(tracker.isLive).toBe(isLive);
  });

  const readWith = (name: Name, change: object) => () =>
    tracked.accounts.map((one) => ({ ...read(one.name), ...(one.name === name ? change : {}) }));
  test.each<readonly [string, () => (AccountRead | undefined)[], string]>([
    ['no list', () => 'accounts' as never, 'invalid-input'],
    ['a later fee over 100 %', readWith('mint', { data: withLaterFee(10_001) }), 'invalid-account-data'],
    ['nothing', () => [], 'pool-not-found'],
    ['no clock', () => readAll().slice(0, 4), 'account-not-found'],
    ['a pool of another owner', readWith('pool', { owner: SYSVARS }), 'rpc-wrong-account'],
  ])('a read of %s throws, and changes nothing', async (_, accounts, code) => {
    live();
    const before = tracker.snapshot;
    await expectRefusal(() => tracker.load(accounts()), code);
    expect(tracker.snapshot).toBe(before);
    expect(tracker.isLive).toBe(true);
  });
});

test('a listener is called until it unsubscribes, and its errors affect nobody else', () => {
  const heard: PoolChange[] = [];
  const end = tracker.onChange((change) => void heard.push(change));
  for (const account of readAll()) tracker.apply({ ...account, slot: now });
  end();
  tracker.apply(poolWith(2050n * SOL, now + 1n));
  expect(heard).toEqual(['snapshot']);
  expect(changes).toEqual(['snapshot', 'snapshot']);
});

test('a tracker and watches are frozen, so that frameworks leave them alone', () => {
  const locator = { mint: tracked.mint, configVersion: tracked.configVersion };
  for (const made of [tracker, watchPool(client, locator), watchPools(client, [locator])])
    expect(Object.isFrozen(made)).toBe(true);
});
