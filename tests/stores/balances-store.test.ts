import type { Address } from '@solana/kit';
import { describe, expect, test, vi } from 'vitest';

import { createBalancesStore, createClient, getWalletBalances } from '../../src/index.js';
import { client, ledger } from '../support/ledger.js';
import { account, giveTokens, mint, pass, reads, useWallet, wallet } from '../support/wallet-stores.js';

useWallet();

describe('a balances store', () => {
  test("has a read's result, and reads again when its accounts change: once for several", async () => {
    const store = createBalancesStore(client, { wallet, mints: [mint] });
    store.subscribe(() => {});
    await pass(100);
    expect(store.getSnapshot().data).toEqual(await getWalletBalances(client, { wallet, mints: [mint] }));
    const before = reads();
    ledger.setSlot(ledger.slot + 1n);
    ledger.setBalance(wallet, 4_000_000_000n);
    giveTokens(250_000_000_000n);
    await pass(100);
    expect(reads()).toBe(before + 1);
    const { status, data } = store.getSnapshot();
    expect(status).toBe('ready');
    expect([data?.sol.lamports, data?.tokens[0]?.amount]).toEqual([4_000_000_000n, 250_000_000_000n]);
    store.dispose();
  });

  test('does not read while slots arrive and nothing changes, and reads if none arrives', async () => {
    const store = createBalancesStore(client, { wallet, mints: [mint] }, { maxAgeMs: 8_000 });
    const states: unknown[] = [];
    store.subscribe((state) => states.push(state));
    await pass(100);
    const before = reads();
    const told = states.length;
    for (let k = 0; k < 20; k++) {
      ledger.setSlot(ledger.slot + 1n);
      await pass(1_000);
    }
    expect(reads()).toBe(before);
    // Nobody draws what has not changed.
    expect(states).toHaveLength(told);
    await pass(8_000);
    expect(reads()).toBeGreaterThan(before);
    store.dispose();
  });

  test('drops a slot that a node made up, though the clock ticks', async () => {
    const { slot } = ledger;
    ledger.setSlot(slot + 1_000_000n);
    const store = createBalancesStore(client, { wallet, mints: [mint] }, { maxAgeMs: 8_000 });
    store.subscribe(() => {});
    await pass(0);
    expect(store.getSnapshot().data?.slot).toBe(slot + 1_000_000n);
    ledger.setBalance(wallet, 4_000_000_000n);
    const statuses: string[] = [];
    for (let k = 1n; k <= 20n; k++) {
      ledger.setSlot(slot + k);
      await pass(1_000);
      statuses.push(store.getSnapshot().status);
    }
    expect(statuses).toContain('stale');
    expect(store.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { sol: { lamports: 4_000_000_000n } },
    });
    expect(store.getSnapshot().data?.slot).toBeLessThanOrEqual(slot + 20n);
    store.dispose();
    await pass(0);
  });

  test('of all tokens: reads on refresh, without subscriptions', async () => {
    const store = createBalancesStore(createClient({ rpc: ledger.rpc }), { wallet });
    store.subscribe(() => {});
    await pass(0);
    expect(store.getSnapshot().data?.tokens).toEqual([]);
    giveTokens(1n);
    await store.refresh();
    expect(store.getSnapshot().data?.tokens[0]?.amount).toBe(1n);
    store.dispose();
  });

  test('says what is wrong with a wallet, and throws nothing', async () => {
    const store = createBalancesStore(client, { wallet: 'me' as Address, mints: [] });
    store.subscribe(() => {});
    await pass(0);
    expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'invalid-address' } });
    store.dispose();
  });

  test('stops after its last subscriber, and starts again for the next', async () => {
    const store = createBalancesStore(client, { wallet, mints: [mint] });
    const unsubscribe = store.subscribe(() => {});
    await pass(100);
    expect(ledger.subscriptions.addresses).toEqual(expect.arrayContaining([wallet, account]));
    unsubscribe();
    await pass(0);
    expect([ledger.subscriptions.count, vi.getTimerCount()]).toEqual([0, 0]);
    giveTokens(7n);
    store.subscribe(() => {});
    expect(store.getSnapshot()).toMatchObject({ status: 'loading', data: { wallet } });
    await pass(100);
    expect(store.getSnapshot().data?.tokens[0]?.amount).toBe(7n);
    store.dispose();
    await pass(0);
  });
});
