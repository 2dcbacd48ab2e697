import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { createClient, type HeavenClient, HeavenError } from '../../../src/index.js';
import { type SnapshotAddresses, snapshotAddresses, sourceOf } from '../../../src/pool/locate.js';
import { createWatchSteps, type WatchStep, type WatchSteps } from '../../../src/pool/watch/steps.js';
import { fetchAccounts, type RawAccount } from '../../../src/solana/rpc/accounts.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;

let ledger: EmbeddedLedger;
let client: HeavenClient;
let addresses: SnapshotAddresses;
let tracker: WatchSteps;

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  client = createClient({ rpc: ledger.rpc });
  const { mint, configVersion } = ledger.pools.creator;
  const source = sourceOf({ mint, configVersion });
  addresses = await snapshotAddresses(client.deployment, source);
  tracker = createWatchSteps(client.deployment, addresses, source);
});

/** Steps in short: `read`, `read 2` for one after a pause, `offer`, `end`, or the type of an event. */
const inShort = (steps: readonly WatchStep[]) =>
  steps.map((step) => {
    if (step.do === 'notify') return step.event.type;
    return step.do === 'read' && step.failures !== undefined ? `read ${step.failures}` : step.do;
  });

const accounts = () => fetchAccounts(client, addresses, {});
const lost = () => new HeavenError('rpc-failed', 'lost', { method: 'accountSubscribe' });

const allUp = () => addresses.flatMap((address) => inShort(tracker.up(address)));
const readAll = async () => {
  expect(tracker.beginRead()).toBe(true);
  return inShort(tracker.read(await accounts()));
};
const tick = async (slot: bigint) => {
  const clock = (await accounts()).find((account) => account?.address === CLOCK) as RawAccount;
  return inShort(tracker.update(CLOCK, clock, slot));
};

describe('the first read', () => {
  test('waits for all subscriptions', () => {
    expect(tracker.beginRead()).toBe(false);
    expect(allUp()).toEqual(['connected', 'read']);
    expect(tracker.hasRead()).toBe(false);
    expect(tracker.beginRead()).toBe(true);
    expect(tracker.hasRead()).toBe(true);
  });

  test("does not wait for a subscription that can't be made", () => {
    expect(inShort(tracker.down(addresses[0], lost()))).toEqual(['disconnected', 'read']);
    expect(inShort(tracker.down(addresses[1], lost()))).toEqual([]);
  });

  test('gives a snapshot, and ends the watch when it fails', async () => {
    tracker.firstRead();
    expect(await readAll()).toEqual(['offer']);
    expect(tracker.latest()?.addresses.pool).toBe(addresses[0]);

    const { mint, configVersion } = ledger.pools.creator;
    const other = createWatchSteps(client.deployment, addresses, sourceOf({ mint, configVersion }));
    other.firstRead();
    other.beginRead();
    const error = lost();
    expect(other.readFailed(error)).toEqual([{ do: 'end', error }]);
  });
});

describe('what is read is up to date', () => {
  test('once the clock ticks on from it without a gap', async () => {
    allUp();
    await readAll();
    expect(tracker.isUpToDate()).toBe(false);
    expect(await tick(tracker.latest()!.slot + 1n)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(true);
  });

  test('not if slots lie between: it reads again', async () => {
    allUp();
    await readAll();
    expect(await tick(tracker.latest()!.slot + 2n)).toEqual(['read']);
    expect(tracker.isUpToDate()).toBe(false);
    expect(tracker.beginRead()).toBe(true);
    // The node is still where it was.
    const steps = tracker.read(await accounts());
    expect(inShort(steps)).toEqual(['reread-failed', 'read 0']);
    expect(steps[0]).toMatchObject({ event: { reason: 'behind', error: { code: 'rpc-behind' } } });
  });

  test('not after a subscription is lost, until all are back and it has read again', async () => {
    allUp();
    await readAll();
    await tick(tracker.latest()!.slot);
    expect(inShort(tracker.down(addresses[2], lost()))).toEqual(['disconnected']);
    expect(tracker.isUpToDate()).toBe(false);
    expect(inShort(tracker.up(addresses[2]))).toEqual(['connected', 'read']);
    expect(await readAll()).toEqual(['reread', 'offer']);
  });
});

describe('a notification', () => {
  test('that is bad causes reads, at once and then with pauses, until a good one comes', async () => {
    allUp();
    await readAll();
    const slot = tracker.latest()!.slot;
    const bad = () => inShort(tracker.update(addresses[0], undefined, slot));
    expect(bad()).toEqual(['bad-notification', 'read']);
    await readAll();
    expect(bad()).toEqual(['bad-notification', 'read 0']);
    await readAll();
    expect(bad()).toEqual(['bad-notification', 'read 1']);
    await readAll();
    const [pool] = await accounts();
    expect(inShort(tracker.update(addresses[0], pool, slot))).toEqual(['offer']);
    expect(bad()).toEqual(['bad-notification', 'read']);
  });

  test('that comes while a read is in flight causes another read', async () => {
    allUp();
    expect(tracker.beginRead()).toBe(true);
    expect(inShort(tracker.update(addresses[0], undefined, 0n))).toEqual(['bad-notification']);
    expect(inShort(tracker.read(await accounts()))).toEqual(['offer', 'read']);
  });

  test('of an older slot changes nothing', async () => {
    allUp();
    await readAll();
    const before = tracker.latest();
    const [pool] = await accounts();
    expect(tracker.update(addresses[0], pool, before!.slot - 1n)).toEqual([]);
    expect(tracker.latest()).toBe(before);
  });
});

describe('a slot far in the future', () => {
  const FAR = 900_000n;
  const pool = async (slot: bigint) => {
    const [account] = await accounts();
    return inShort(tracker.update(addresses[0], account, slot));
  };
  const readAt = async (slot: bigint) => {
    ledger.setSlot(slot);
    return await readAll();
  };

  test.each(['of the pool', 'of the clock', 'that can not be read'])(
    'in a notification %s is not believed until a read confirms it, and then dropped',
    async (what) => {
      allUp();
      await readAll();
      const { slot } = ledger;
      await tick(slot);
      expect(tracker.isUpToDate()).toBe(true);
      const told =
        what === 'of the pool'
          ? await pool(slot + FAR)
          : what === 'of the clock'
            ? await tick(slot + FAR)
            : inShort(tracker.update(addresses[0], undefined, slot + FAR));
      expect(told).toEqual(['bad-notification', 'read']);
      expect(tracker.isUpToDate()).toBe(false);
      expect(await readAt(slot + 1n)).toEqual(['reread', 'offer']);
      expect(await tick(slot + 2n)).toEqual([]);
      expect(tracker.isUpToDate()).toBe(true);
      // What follows is taken as ever, also after the connection was lost.
      ledger.setSlot(slot + 3n);
      ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1_558_777_720_000n });
      expect(await pool(slot + 3n)).toEqual(['offer']);
      tracker.down(addresses[0], lost());
      tracker.up(addresses[0]);
      expect(await readAll()).toEqual(['reread', 'offer']);
    },
  );

  test('is believed once a read confirms it, as after a sleep', async () => {
    allUp();
    await readAll();
    const { slot } = ledger;
    await tick(slot);
    expect(await tick(slot + FAR)).toEqual(['bad-notification', 'read']);
    expect(await readAt(slot + FAR)).toEqual(['reread', 'offer']);
    expect(await tick(slot + FAR + 1n)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(true);
    expect(tracker.latest()?.slot).toBe(slot + FAR + 1n);
  });

  test('before the first read is forgotten with all that came before it', async () => {
    allUp();
    const { slot } = ledger;
    expect(await pool(slot + FAR)).toEqual([]);
    expect(await tick(slot)).toEqual([]);
    expect(await readAll()).toEqual(['offer', 'read']);
    expect(await readAt(slot + 1n)).toEqual(['reread', 'offer']);
    expect(await tick(slot + 2n)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(true);
    expect(tracker.latest()?.slot).toBe(slot + 2n);
  });

  test('in a read is dropped when the clock continues elsewhere', async () => {
    const { slot } = ledger;
    ledger.setSlot(slot + FAR);
    allUp();
    await readAll();
    expect(tracker.latest()?.slot).toBe(slot + FAR);
    ledger.setSlot(slot);
    for (let k = 1n; k < 8n; k++) expect(await tick(slot + k)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(false);
    expect(await tick(slot + 8n)).toEqual(['read']);
    expect(await readAt(slot + 8n)).toEqual(['reread', 'offer', 'read']);
    expect(await readAt(slot + 9n)).toEqual(['reread', 'offer']);
    expect(tracker.latest()?.slot).toBe(slot + 9n);
    expect(await tick(slot + 10n)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(true);
  });

  test('in every read causes reads with growing pauses', async () => {
    const { slot } = ledger;
    ledger.setSlot(slot + FAR);
    allUp();
    await readAll();
    const seen: string[] = [];
    for (let k = 1n; k < 33n; k++) {
      const steps = await tick(slot + k);
      seen.push(...steps);
      while (tracker.beginRead()) tracker.read(await accounts());
    }
    expect(seen).toEqual(['read', 'read 0', 'read 1', 'read 2']);
    expect(tracker.isUpToDate()).toBe(false);
  });
});

describe('a node stuck at an old slot', () => {
  /** A live watch whose subscriptions went on for 200 slots after the node stopped, and were lost once. */
  const stuck = async () => {
    allUp();
    await readAll();
    const { slot } = ledger;
    const old = await accounts();
    for (let k = 1n; k <= 200n; k++) expect(await tick(slot + k)).toEqual([]);
    tracker.down(addresses[0], lost());
    expect(inShort(tracker.up(addresses[0]))).toEqual(['connected', 'read']);
    return { slot, heard: slot + 200n, old };
  };
  const readOld = (old: readonly (RawAccount | undefined)[]) => {
    expect(tracker.beginRead()).toBe(true);
    return tracker.read(old);
  };

  test('does not overrule the subscriptions', async () => {
    const { heard, old } = await stuck();
    for (let k = 1n; k <= 20n; k++) {
      const steps = readOld(old);
      expect(inShort(steps)).toEqual(['reread-failed', `read ${k - 1n}`]);
      expect(steps[0]).toMatchObject({
        event: { reason: 'connected', error: { code: 'rpc-behind', context: { minContextSlot: heard } } },
      });
      expect(await tick(heard + k)).toEqual([]);
      expect(tracker.latest()?.slot).toBe(heard + k);
      expect(tracker.isUpToDate()).toBe(false);
    }
    ledger.setSlot(heard + 20n);
    expect(await readAll()).toEqual(['reread', 'offer']);
    expect(await tick(heard + 21n)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(true);
  });

  test('is not confirmed by clocks that come late', async () => {
    const { slot, heard, old } = await stuck();
    for (let k = 1n; k < 8n; k++) expect(await tick(slot + k)).toEqual([]);
    expect(inShort(readOld(old))).toEqual(['reread-failed', 'read 0']);
    expect(await tick(heard + 1n)).toEqual([]);
    for (let k = 1n; k < 8n; k++) expect(await tick(slot + k)).toEqual([]);
    expect(inShort(readOld(old))).toEqual(['reread-failed', 'read 1']);
    // The eighth in a row doubts what was heard, which the clock then confirms.
    expect(await tick(slot + 8n)).toEqual(['read']);
    expect(await tick(heard + 2n)).toEqual([]);
    expect(inShort(readOld(old))).toEqual(['reread-failed', 'read 2']);
    expect(tracker.latest()?.slot).toBe(heard + 2n);
  });

  test('is right if the clock continues near it: the notifications were made up', async () => {
    allUp();
    await readAll();
    const { slot } = ledger;
    const [pool] = await accounts();
    // Each slot alone is near enough to be believed.
    for (let k = 1n; k <= 3n; k++)
      expect(inShort(tracker.update(addresses[0], pool, slot + k * 149n))).toEqual(['offer']);
    for (let k = 1n; k < 8n; k++) expect(await tick(slot + k)).toEqual([]);
    expect(await tick(slot + 8n)).toEqual(['read']);
    ledger.setSlot(slot + 8n);
    ledger.setReserves(ledger.pools.creator.pool, { tokenB: 1_558_777_720_000n });
    expect(await readAll()).toEqual(['reread', 'offer', 'read']);
    expect(tracker.latest()).toMatchObject({ slot: slot + 8n, reserveB: 1_558_777_720_000n });
    ledger.setSlot(slot + 9n);
    expect(await readAll()).toEqual(['reread', 'offer']);
    expect(await tick(slot + 10n)).toEqual([]);
    expect(tracker.isUpToDate()).toBe(true);
  });
});

describe('a read without a clock', () => {
  const withoutClock = async () =>
    (await accounts()).map((one) => (one?.address === CLOCK ? undefined : one));

  test('ends the watch if it is the first', async () => {
    tracker.firstRead();
    tracker.beginRead();
    expect(tracker.read(await withoutClock())).toMatchObject([
      { do: 'end', error: { name: 'HeavenError', code: 'account-not-found', context: { address: CLOCK } } },
    ]);
  });

  test('is repeated if it comes later', async () => {
    // Nothing is known of any slot when the subscriptions are there.
    tracker.firstRead();
    tracker.beginRead();
    allUp();
    tracker.read(await accounts());
    tracker.beginRead();
    expect(tracker.read(await withoutClock())).toMatchObject([
      { event: { type: 'reread-failed', error: { code: 'account-not-found' } } },
      { do: 'read', failures: 0 },
    ]);
    expect(await readAll()).toEqual(['reread', 'offer']);
  });
});
