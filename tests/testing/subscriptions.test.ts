import type { Address } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';

import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

let ledger: EmbeddedLedger;
let pool: Address;
beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  pool = ledger.pools.community.pool;
});

const subscribe = async (address: Address, abortSignal: AbortSignal) => {
  const notifications = await ledger.rpcSubscriptions
    .accountNotifications(address, { commitment: 'confirmed', encoding: 'base64' })
    .subscribe({ abortSignal });
  return notifications[Symbol.asyncIterator]();
};

test('tells of each write of the account, in order, as a read would', async () => {
  const controller = new AbortController();
  const notifications = await subscribe(pool, controller.signal);
  const first = notifications.next();
  ledger.setReserves(pool, { tokenB: 7n });
  ledger.setSolPrice(5);
  ledger.setSlot(ledger.slot + 2n);
  ledger.setReserves(pool, { tokenB: 8n });
  const { slot } = ledger;
  const read = await ledger.rpc.getAccountInfo(pool, { encoding: 'base64' }).send();
  expect((await first).value?.context.slot).toBe(slot - 2n);
  expect((await notifications.next()).value).toEqual(read);
  ledger.setAccount(pool, undefined);
  expect((await notifications.next()).value?.value).toMatchObject({
    data: ['', 'base64'],
    lamports: 0n,
    owner: '11111111111111111111111111111111',
  });
  controller.abort();
  expect((await notifications.next()).done).toBe(true);
  expect(ledger.subscriptions.count).toBe(0);
});

test('counts, drops and refuses', async () => {
  const { signal } = new AbortController();
  const one = (await subscribe(pool, signal)).next();
  const two = (await subscribe(ledger.pools.pro.pool, signal)).next();
  expect(ledger.subscriptions).toMatchObject({
    count: 2,
    opened: 2,
    addresses: [pool, ledger.pools.pro.pool],
  });
  ledger.subscriptions.dropAll(new Error('Gone.'));
  await expect(one).rejects.toThrow('Gone.');
  await expect(two).rejects.toThrow('Gone.');
  expect(ledger.subscriptions).toMatchObject({ count: 0, opened: 2, addresses: [] });
  ledger.subscriptions.refusal = new Error('No more.');
  await expect(subscribe(pool, signal)).rejects.toThrow('No more.');
  ledger.subscriptions.refusal = undefined;
  await subscribe(pool, signal);
  await expect(subscribe(pool, AbortSignal.abort())).rejects.toThrow();
  expect(ledger.subscriptions).toMatchObject({ count: 1, opened: 3 });
});

test('has account notifications in base64, and no others', async () => {
  const { signal: abortSignal } = new AbortController();
  const parsed = ledger.rpcSubscriptions.accountNotifications(pool, { encoding: 'jsonParsed' });
  await expect(parsed.subscribe({ abortSignal })).rejects.toThrow('only accountNotifications in base64');
});
