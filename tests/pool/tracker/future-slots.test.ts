import { beforeEach, expect, test } from 'vitest';

import { createPoolTracker, type PoolTracker } from '../../../src/index.js';
import { createScene, type Name, type Scene } from './support.js';

const FAR = 900_000n;

let scene: Scene;
let tracker: PoolTracker;
beforeEach(async () => {
  scene = await createScene();
  tracker = createPoolTracker(scene.tracked);
  scene.ledger.onWrite((address, account, slot) => {
    if (account !== undefined)
      tracker.apply({ ...account, address, data: Uint8Array.from(account.data), slot });
  });
  tracker.load(scene.readAll());
  pass(3);
  tracker.load(scene.readAll());
  pass(1);
  expect(tracker.isLive).toBe(true);
});

const pass = (slots: number) => {
  for (let k = 0; k < slots; k++) scene.ledger.setSlot(scene.ledger.slot + 1n);
};
const trade = (tokenB: bigint) => scene.ledger.setReserves(scene.ledger.pools.creator.pool, { tokenB });
const applyAhead = (name: Name, slots: bigint) =>
  tracker.apply({ ...scene.read(name), slot: scene.ledger.slot + slots });
const reserveOf = ({ latest, snapshot }: PoolTracker) => [latest?.reserveB, snapshot?.reserveB];

test('a pool from a future slot is forgotten with the second read that contradicts it', () => {
  expect(applyAhead('pool', FAR)).toBe('applied');
  pass(1);
  trade(4_000_000_000_000n);
  pass(1);
  tracker.gap();
  pass(1);
  tracker.load(scene.readAll());
  // One read alone may be a node's that lags behind.
  expect(tracker.latest?.slot).toBeGreaterThan(scene.ledger.slot + 800_000n);
  pass(2);
  tracker.load(scene.readAll());
  pass(2);
  expect(reserveOf(tracker)).toEqual([4_000_000_000_000n, 4_000_000_000_000n]);
  expect([tracker.latest?.slot, tracker.isLive]).toEqual([scene.ledger.slot, true]);
  trade(5_000_000_000_000n);
  pass(2);
  expect(reserveOf(tracker)).toEqual([5_000_000_000_000n, 5_000_000_000_000n]);
});

test('a clock that jumps completes nothing, and two reads undo it', () => {
  applyAhead('clock', FAR);
  expect(tracker.isLive).toBe(false);
  trade(5_000_000_000_000n);
  pass(2);
  expect(tracker.isLive).toBe(false);
  tracker.load(scene.readAll());
  pass(2);
  tracker.load(scene.readAll());
  pass(2);
  expect([tracker.isLive, tracker.snapshot?.slot]).toEqual([true, scene.ledger.slot - 1n]);
  expect(reserveOf(tracker)).toEqual([5_000_000_000_000n, 5_000_000_000_000n]);
});

test('a node that lags behind a healthy stream undoes nothing, however often it answers', () => {
  const old = scene.readAll();
  pass(200);
  trade(4_000_000_000_000n);
  pass(1);
  const late = scene.readAll().map((account, index) => (index === 4 ? account : (old[index] ?? account)));
  const lateBy = (slots: bigint) => {
    const data = Uint8Array.from(late[4]?.data ?? []);
    new DataView(data.buffer).setBigUint64(0, scene.ledger.slot - slots, true);
    return late.map((account, index) => (index === 4 ? { ...account, data } : account));
  };
  for (let k = 0; k < 4; k++) {
    tracker.load(lateBy(190n));
    pass(1);
    expect(tracker.latest?.reserveB).toBe(4_000_000_000_000n);
    expect(tracker.latest?.slot).toBe(scene.ledger.slot);
  }
});
