import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  createClient,
  fetchPoolSnapshot,
  type HeavenRpcSubscriptions,
  type QuoteStoreInput,
  trackedAccounts,
} from '../../src/index.js';
import { community, dataOf, pass, scene, useQuoteStores, watched } from '../support/quote-stores.js';

useQuoteStores();

const RESERVE = 90_000_000_000n;
const terms = { side: 'buy', maxSolSpend: '1', slippageBps: 50 } as const;
const inputs: Record<string, () => QuoteStoreInput> = {
  'one pool': () => ({ ...terms, ...community() }),
  'the best pool': () => ({ ...terms, mint: community().mint, pools: [] }),
};

/** Subscriptions of which one is refused or never answered, and another gives one bad notification when it is asked to. */
function deafClient(deaf: Address, mode: string, feed?: Address) {
  const bad = { left: 0 };
  const over = scene.ledger.rpcSubscriptions;
  const rpcSubscriptions = new Proxy(over, {
    get:
      (target, name: 'accountNotifications') =>
      (...args: Parameters<typeof target.accountNotifications>) => ({
        subscribe: async (options: { abortSignal: AbortSignal }) => {
          const [address] = args;
          if (address === deaf && mode === 'refused') throw new Error('too many subscriptions');
          if (address === deaf) await new Promise(() => {});
          const source = await target[name](...args).subscribe(options);
          return (async function* () {
            for await (const notification of source)
              yield address === feed && bad.left-- > 0 ? { ...notification, value: null } : notification;
          })();
        },
      }),
  }) as HeavenRpcSubscriptions;
  return { bad, client: createClient({ rpc: scene.ledger.rpc, rpcSubscriptions }) };
}

/** Slots and prices go on. */
async function seconds(count: number, each = () => {}) {
  for (let k = 0; k < count; k++) {
    scene.ledger.setSlot(scene.ledger.slot + 1n);
    scene.ledger.setSolPrice(150 + Number(scene.ledger.slot % 3n));
    await pass(1_000);
    each();
  }
}

describe.each(Object.keys(inputs))('a quote in %s', (name) => {
  const input = () => (inputs[name] as () => QuoteStoreInput)();

  test.each(['refused', 'unanswered'])("while only the pool's subscription is %s is read", async (mode) => {
    const { pool } = scene.ledger.pools.community;
    const { client } = deafClient(pool, mode);
    const { store, states } = watched(client, input(), { maxAgeMs: 8_000 });
    await seconds(10);
    expect(store.getSnapshot().status).toBe('ready');
    scene.ledger.setReserves(pool, { tokenB: RESERVE });
    await seconds(8);
    // The notifications of the other accounts don't bring the old reserves back.
    const before = states.length;
    await seconds(25, () => {
      const { status, error } = store.getSnapshot();
      // Half a minute without an answer is reported, and the next read makes up for it.
      if (status !== 'ready')
        expect([mode, status, error?.code]).toEqual(['unanswered', 'stale', 'rpc-timeout']);
      expect(dataOf(store.getSnapshot()).snapshot.reserveB).toBe(RESERVE);
    });
    expect(store.getSnapshot().status).toBe('ready');
    for (const state of states.slice(before)) expect(dataOf(state).snapshot.reserveB).toBe(RESERVE);
    expect(dataOf(store.getSnapshot()).snapshot.slot).toBeGreaterThan(scene.ledger.slot - 8n);
  });

  test('is stale if the reads fail too', async () => {
    const { pool } = scene.ledger.pools.community;
    const { client } = deafClient(pool, 'unanswered');
    const { store } = watched(client, input(), { maxAgeMs: 8_000 });
    await seconds(2);
    expect(store.getSnapshot().status).toBe('ready');
    scene.ledger.setAccount(pool, undefined);
    await seconds(8);
    expect(store.getSnapshot()).toMatchObject({ status: 'stale', error: { code: 'pool-not-found' } });
  });

  test("a bad notification does not make up for the pool's subscription", async () => {
    const { pool } = scene.ledger.pools.community;
    const { accounts } = await trackedAccounts(scene.ledger.pools.community);
    const { client, bad } = deafClient(
      pool,
      'refused',
      accounts.find((one) => one.name === 'priceFeed')?.address,
    );
    const { store } = watched(client, input(), { maxAgeMs: 8_000 });
    await seconds(3);
    bad.left = 1;
    await seconds(3);
    scene.ledger.setReserves(pool, { tokenB: RESERVE });
    await seconds(8);
    expect(store.getSnapshot().status).toBe('ready');
    expect(dataOf(store.getSnapshot()).snapshot).toMatchObject({
      reserveB: (await fetchPoolSnapshot(client, community())).reserveB,
    });
  });
});
