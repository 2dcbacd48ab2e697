import { generateKeyPairSigner, signTransaction } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';

import { createExamples } from '../../scripts/examples.js';
import { createHandler } from '../../src/http/index.js';
import {
  buildBuy,
  createHeavenClient,
  type HeavenRpcSubscriptions,
  listTrades,
  quoteBuy,
  shareReads,
  submitTransaction,
  watchPool,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { furnish } from '../golden/scene.js';
import { post } from '../http/support.js';

// Where Alpenglow runs, `finalized` is as early as `confirmed`, and one day nodes may know no other. A client works with it alone.

let ledger: EmbeddedLedger;
const levels = new Set<unknown>();
beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  await furnish(ledger);
});

/** The levels that anything sent to the node names. */
function levelsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    /commitment/i.test(name) ? [item] : levelsIn(item),
  );
}

/** A client of a ledger, which notes the level of each subscription. */
function finalizedClient() {
  const rpcSubscriptions = new Proxy(ledger.rpcSubscriptions, {
    get: (target, method, receiver) => {
      const subscribe = Reflect.get(target, method, receiver);
      return (...given: readonly unknown[]) => {
        for (const level of levelsIn(given)) levels.add(level);
        return (subscribe as (...given: readonly unknown[]) => unknown)(...given);
      };
    },
  }) as HeavenRpcSubscriptions;
  return createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions, commitment: 'finalized' });
}

test.each(Object.entries(createExamples()))('%s', async (path, [request]) => {
  const handler = createHandler({
    client: shareReads(finalizedClient()),
    mintSigner: () => generateKeyPairSigner(),
  });
  expect((await post(handler, path, request)).status).toBe(200);
});

test('a trade is quoted, built, sent, followed, listed and watched', async () => {
  const client = finalizedClient();
  const wallet = await generateKeyPairSigner();
  ledger.setBalance(wallet.address, 5_000_000_000n);
  const { mint, configVersion, pool } = ledger.pools.creator;
  const watch = watchPool(client, { mint, configVersion });
  await watch.next();
  const quoteResponse = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
  const built = await buildBuy(client, { payer: wallet.address, quoteResponse });
  const signed = await signTransaction([wallet.keyPair], built.transaction);
  const result = await submitTransaction(client, signed, built.lifetime);
  expect(result.status).toBe('landed');
  await watch.next();
  await watch.return();
  const { trades } = await listTrades(client, { pool, limit: 1 });
  expect(trades[0]?.signature).toBe(result.signature);
});

test('nothing was asked at another level', () => {
  for (const { params } of ledger.requests) for (const level of levelsIn(params)) levels.add(level);
  expect([...levels]).toEqual(['finalized']);
});
