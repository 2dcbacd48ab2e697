import { expect, test } from 'vitest';

import { type AccountUpdate, createPoolTracker, type PoolTracker } from '../../../src/index.js';
import { createRandom, createScene, type Name } from './support.js';

const UPDATES = 1_000_000;
/** Ticks of the delivery per slot, and the most that an update is late. */
const TICKS = 4;
const MOST_LATE = 14;

type State = Readonly<Record<Name, Uint8Array>>;
interface Slot {
  readonly slot: number;
  readonly parent: number;
  readonly state: State;
  readonly writes: readonly AccountUpdate[];
  readonly isDead: boolean;
}
type Event = (tracker: PoolTracker) => void;

/** A cluster with forks: each slot's writes, and the state that a validator has at its end, worked out in the order of writes. */
function createCluster(
  start: State,
  owners: Readonly<Record<Name, AccountUpdate['owner']>>,
  address: Readonly<Record<Name, AccountUpdate['address']>>,
  first: number,
  random: () => number,
) {
  const slots = new Map<number, Slot>();
  let writeVersion = 1n;
  let head = first;
  let abandoned: number | undefined;
  slots.set(first, { slot: first, parent: first - 1, state: start, writes: [], isDead: false });

  const changed = (name: Name, data: Uint8Array, slot: number): Uint8Array => {
    const copy = data.slice();
    const view = new DataView(copy.buffer);
    // Offsets of the accounts' layouts: reserve A, supply, the latest answer's low bytes, the clock's slot and time.
    if (name === 'pool') view.setBigUint64(456, 1_000_000_000n + writeVersion, true);
    else if (name === 'mint') view.setBigUint64(36, 10n ** 15n + writeVersion, true);
    else if (name === 'clock') {
      view.setBigUint64(0, BigInt(slot), true);
      view.setBigInt64(32, 1_760_000_000n + BigInt(slot), true);
    } else if (name === 'priceFeed')
      view.setBigUint64(copy.length - 48 + 16, 10n ** 10n + writeVersion, true);
    return copy;
  };

  const produce = (slot: number): Slot => {
    let parent = head;
    const kind = random();
    if (kind < 0.03 && slot - first > 8) {
      // Another fork, from one or two slots earlier. It may win or not.
      parent = slots.get(head)?.parent ?? head;
      abandoned = head;
    } else if (kind < 0.05 && abandoned !== undefined && slot - abandoned < 12) {
      [parent, abandoned] = [abandoned, head];
    }
    const from = slots.get(parent) as Slot;
    const state = { ...from.state };
    const writes: AccountUpdate[] = [];
    const write = (name: Name) => {
      state[name] = changed(name, state[name], slot);
      writes.push({
        address: address[name],
        owner: owners[name],
        data: state[name],
        slot: BigInt(slot),
        writeVersion: writeVersion++,
      });
    };
    write('clock');
    const trades = Math.floor(random() * random() * 24);
    for (let k = 0; k < trades; k++) write('pool');
    if (random() < 0.3) write('priceFeed');
    if (random() < 0.05) write('mint');
    if (random() < 0.01) write('protocolConfig');
    const isDead = random() < 0.01;
    const made = { slot, parent, state, writes, isDead };
    slots.set(slot, made);
    slots.delete(slot - 400);
    if (!isDead) head = slot;
    return made;
  };
  return { slots, produce, head: () => head };
}

test('a million updates, reordered, repeated, lost and on forks: while live, it matches a validator', async () => {
  const random = createRandom(17);
  const { tracked, address, readAll } = await createScene();
  const accounts = readAll();
  const by = <T>(value: (name: Name, index: number) => T) =>
    Object.fromEntries(tracked.accounts.map(({ name }, index) => [name, value(name, index)])) as Record<
      Name,
      T
    >;
  const owners = by((_, index) => accounts[index]!.owner);
  const start = by((_, index) => accounts[index]!.data);
  const first = Number(new DataView(start.clock.buffer).getBigUint64(0, true));
  const cluster = createCluster(start, owners, address, first, random);

  let rejected = 0;
  const tracker = createPoolTracker(tracked, { completedBy: 'call', onReject: () => void rejected++ });
  const queue = new Map<number, Event[]>();
  const at = (time: number, event: Event) => {
    const events = queue.get(time);
    if (events === undefined) queue.set(time, [event]);
    else events.push(event);
  };
  const seen = {
    updates: 0,
    live: 0,
    checks: 0,
    forks: 0,
    dead: 0,
    gaps: 0,
    replays: 0,
    loads: 0,
    hostile: 0,
  };
  let reader: number | undefined = first;
  let doneAt = 0;
  let newest = 0n;

  const check = () => {
    seen.checks++;
    if (!tracker.isLive) return;
    const snapshot = tracker.snapshot!;
    const expected = cluster.slots.get(Number(snapshot.slot))?.state;
    seen.live++;
    if (
      expected === undefined ||
      snapshot.data.pool !== expected.pool ||
      snapshot.data.protocolConfig !== expected.protocolConfig ||
      snapshot.token.supply !== new DataView(expected.mint.buffer).getBigUint64(36, true) ||
      snapshot.solPrice.answer !==
        new DataView(expected.priceFeed.buffer).getBigUint64(expected.priceFeed.length - 32, true) ||
      snapshot.unixTimestamp !== new DataView(expected.clock.buffer).getBigInt64(32, true) ||
      snapshot.reserveA !== new DataView(expected.pool.buffer).getBigUint64(456, true) ||
      tracker.swapState({ of: 'snapshot' })?.reserveA !== snapshot.reserveA ||
      snapshot.slot < newest
    )
      throw new Error(`As of slot ${snapshot.slot} it is not the state of the cluster.`);
    newest = snapshot.slot;
  };

  const load = (of: number) => {
    const known = cluster.slots.get(of);
    if (known === undefined) return;
    seen.loads++;
    tracker.load(
      tracked.accounts.map(({ name }) => ({
        address: address[name],
        owner: owners[name]!,
        data: known.state[name],
      })),
    );
  };
  const apply = (update: AccountUpdate) => (to: PoolTracker) => {
    seen.updates++;
    to.apply(update);
  };
  /** All of a slot's updates, then its end. */
  const deliver = ({ slot, parent, writes, isDead }: Slot, from: number) => {
    let last = from;
    for (const update of writes) {
      const time = from + Math.floor(random() * MOST_LATE);
      if (time > last) last = time;
      at(time, apply(update));
      if (random() < 0.1) at(time + Math.floor(random() * 2 * MOST_LATE), apply(update));
    }
    doneAt = Math.max(doneAt, last) + 1;
    at(doneAt, (to) => (isDead ? to.dropSlot(BigInt(slot)) : to.complete(BigInt(slot), BigInt(parent))));
    if (isDead) seen.dead++;
  };

  let slot = first;
  let outage: { readonly until: number; readonly isReplayed: boolean; readonly missed: Slot[] } | undefined;
  for (let time = 0; seen.updates < UPDATES; time++) {
    if (time % TICKS === 0) {
      const made = cluster.produce(++slot);
      if (made.parent !== slot - 1) seen.forks++;
      if (outage === undefined && random() < 0.01) {
        outage = { until: slot + Math.floor(random() * 6), isReplayed: random() < 0.5, missed: [] };
        doneAt = Math.max(doneAt, time) + 1;
        const resumesAt = outage.isReplayed ? BigInt(slot) : undefined;
        at(doneAt, (to) => to.gap(resumesAt));
        seen.gaps++;
      }
      if (outage === undefined) deliver(made, time);
      else if (slot < outage.until) {
        outage.missed.push(made);
        // Some gets through nevertheless.
        for (const update of made.writes)
          if (random() < 0.3) at(time + Math.floor(random() * MOST_LATE), apply(update));
      } else {
        if (outage.isReplayed) {
          seen.replays++;
          for (const missed of outage.missed) deliver(missed, time);
        }
        outage = undefined;
        deliver(made, time);
      }
      if (random() < 0.0005 * 4) {
        const hostile = made.writes[0]!;
        at(time, (to) => {
          seen.hostile++;
          const before = to.snapshot;
          if (to.apply({ ...hostile, owner: address.mint }) !== 'untracked' && to.snapshot !== before)
            throw new Error('What is rejected changes nothing.');
        });
      }
      if (!tracker.isLive && random() < 0.2) reader = slot;
    }
    if (reader !== undefined && random() < 0.3) {
      // A confirmed read: of the fork that is followed, a few slots back.
      let of = cluster.head();
      for (let back = Math.floor(random() * 6); back > 0; back--) of = cluster.slots.get(of)?.parent ?? of;
      load(of);
      reader = undefined;
    }
    for (const event of queue.get(time) ?? []) {
      event(tracker);
      check();
    }
    queue.delete(time);
  }
  expect(seen.live / seen.checks).toBeGreaterThan(0.5);
  expect(Math.min(seen.forks, seen.dead, seen.gaps, seen.replays, seen.loads, rejected)).toBeGreaterThan(50);
}, 120_000);
