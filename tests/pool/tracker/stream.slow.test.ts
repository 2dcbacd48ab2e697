import { expect, test } from 'vitest';

import { type AccountUpdate, createPoolTracker } from '../../../src/index.js';
import { createRandom, createScene, type Name } from './support.js';

const UPDATES = 500_000;
/** The most that an update is late, in slots. */
const MOST_LATE = 4;

type State = Readonly<Record<Name, Uint8Array>>;

test('half a million updates, reordered, repeated and lost: while live, it is what a validator has', async () => {
  const random = createRandom(17);
  const { tracked, address, readAll } = await createScene();
  const accounts = readAll();
  const by = <T>(value: (index: number) => T) =>
    Object.fromEntries(tracked.accounts.map(({ name }, index) => [name, value(index)])) as Record<Name, T>;
  const owners = by((index) => accounts[index]!.owner);
  let state: State = by((index) => accounts[index]!.data);
  let slot = Number(new DataView(state.clock.buffer).getBigUint64(0, true));
  let writeVersion = 1n;

  /** Writes an account, and returns the update. */
  const write = (name: Name): AccountUpdate => {
    const data = state[name].slice();
    const view = new DataView(data.buffer);
    // Offsets of the accounts' layouts: reserve A, supply, the latest answer's low bytes, the clock's slot and time.
    if (name === 'pool') view.setBigUint64(456, 1_000_000_000n + writeVersion, true);
    else if (name === 'mint') view.setBigUint64(36, 10n ** 15n + writeVersion, true);
    else if (name === 'priceFeed') view.setBigUint64(data.length - 32, 10n ** 10n + writeVersion, true);
    else if (name === 'clock') {
      view.setBigUint64(0, BigInt(slot), true);
      view.setBigInt64(32, 1_760_000_000n + BigInt(slot), true);
    }
    state = { ...state, [name]: data };
    return {
      address: address[name],
      owner: owners[name],
      data,
      slot: BigInt(slot),
      writeVersion: writeVersion++,
    };
  };

  let rejected = 0;
  const tracker = createPoolTracker(tracked, { onReject: () => void rejected++ });
  const queue = new Map<number, AccountUpdate[]>();
  const deliver = (at: number, update: AccountUpdate) =>
    void queue.set(at, [...(queue.get(at) ?? []), update]);
  const states = new Map<number, State>();
  const seen = { updates: 0, live: 0, checks: 0, gaps: 0, loads: 0, stale: 0, compared: 0 };
  /** The slot up to which the connection is lost, and the one after which all that was sent before has arrived. */
  let lostUntil = slot;
  let newest = 0n;

  while (seen.updates < UPDATES) {
    slot++;
    const writes = [write('clock')];
    for (let trades = Math.floor(random() * random() * 24); trades > 0; trades--) writes.push(write('pool'));
    if (random() < 0.3) writes.push(write('priceFeed'));
    if (random() < 0.05) writes.push(write('mint'));
    if (random() < 0.01) writes.push(write('protocolConfig'));
    states.set(slot, state);
    states.delete(slot - 50);

    if (slot > lostUntil && random() < 0.01) {
      lostUntil = slot + Math.floor(random() * 20);
      // What is on its way is lost too.
      queue.clear();
      tracker.gap();
      seen.gaps++;
    }
    for (const update of writes) {
      if (slot <= lostUntil) continue;
      const at = slot + Math.floor(random() * MOST_LATE);
      if (random() < 0.0005) deliver(at, { ...update, owner: address.mint });
      deliver(at, update);
      if (random() < 0.1) deliver(at + Math.floor(random() * MOST_LATE), update);
    }
    for (const update of queue.get(slot) ?? []) {
      seen.updates++;
      if (tracker.apply(update) === 'stale') seen.stale++;
    }
    queue.delete(slot);

    const isBehind = slot <= lostUntil + MOST_LATE;
    const read = states.get(slot - Math.floor(random() * 6));
    if (!tracker.isLive && !isBehind && read !== undefined && random() < 0.3) {
      seen.loads++;
      tracker.load(
        tracked.accounts.map(({ name }) => ({
          address: address[name],
          owner: owners[name],
          data: read[name],
        })),
      );
    }
    const { snapshot } = tracker;
    if (snapshot === undefined) continue;
    if (snapshot.slot < newest)
      throw new Error(`The snapshot of slot ${snapshot.slot} is older than the last.`);
    newest = snapshot.slot;
    if (tracker.swapState()?.reserveA !== snapshot.reserveA) throw new Error('The swap state differs.');
    seen.checks++;
    if (tracker.isLive) seen.live++;
    if (!tracker.isLive || random() > 0.05) continue;
    // Nothing happens for a while, and what is on its way arrives.
    for (let at = slot + 1; at < slot + 2 * MOST_LATE; at++) {
      for (const update of queue.get(at) ?? []) tracker.apply(update);
      queue.delete(at);
    }
    if (!tracker.isLive) continue;
    const now = tracker.snapshot;
    if (
      now?.slot !== BigInt(slot) ||
      now.unixTimestamp !== 1_760_000_000n + BigInt(slot) ||
      now.data.pool !== state.pool ||
      now.data.protocolConfig !== state.protocolConfig ||
      now.token.supply !== new DataView(state.mint.buffer).getBigUint64(36, true) ||
      now.solPrice.answer !==
        new DataView(state.priceFeed.buffer).getBigUint64(state.priceFeed.length - 32, true)
    )
      throw new Error(`As of slot ${slot} it is not the state of the cluster.`);
    seen.compared++;
  }
  expect(seen.live / seen.checks).toBeGreaterThan(0.5);
  expect(Math.min(seen.gaps, seen.loads, seen.stale, seen.compared, rejected)).toBeGreaterThan(50);
}, 120_000);
