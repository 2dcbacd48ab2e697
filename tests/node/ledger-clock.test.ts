import { createSolanaRpcFromTransport } from '@solana/kit';
import { expect, test } from 'vitest';

import { createHeavenClient, type HeavenRpc, quoteBuy } from '../../src/index.js';
import { overTime } from '../../src/node/ledger-clock.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';

test('a served ledger follows real time: a slot every 200 ms, block hashes for 150 slots, a price that is never stale', async () => {
  const ledger = await createEmbeddedLedger();
  let now = 5_000;
  const rpc = createSolanaRpcFromTransport(overTime(ledger, () => now));
  const first = await rpc.getSlot().send();
  now += 199;
  expect(await rpc.getSlot().send()).toBe(first);
  now += 1;
  expect(await rpc.getSlot().send()).toBe(first + 1n);

  const { value } = await rpc.getLatestBlockhash().send();
  const isValid = async () => (await rpc.isBlockhashValid(value.blockhash).send()).value;
  now += 150 * 200;
  expect(await isValid()).toBe(true);
  now += 200;
  expect(await isValid()).toBe(false);

  now += 2 * 3_600_000;
  // 152 slots so far, and 36000 in two hours.
  expect(await rpc.getSlot().send()).toBe(first + 36_152n);
  const { mint, configVersion } = ledger.pools.creator;
  const client = createHeavenClient({ rpc: rpc as HeavenRpc });
  const { details } = await quoteBuy(client, { mint, configVersion, maxSolSpend: 1, slippageBps: 50 });
  expect(details.warnings.map(({ code }) => code)).not.toContain('stale-price');
});
