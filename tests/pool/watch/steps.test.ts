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

  test('does not wait for a subscription that can not be had', () => {
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

  test('not if slots lie between: they are read', async () => {
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

  test('not after a subscription is lost, until all are back and it is read again', async () => {
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
  test('that is bad is read, at once and then with pauses, until a good one comes', async () => {
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

  test('that comes while a read is on its way is wanted after it', async () => {
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
