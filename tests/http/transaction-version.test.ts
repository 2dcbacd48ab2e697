import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';

import { createHandler, createRemoteClient } from '../../src/http/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, launchOf, ledger, useLedger } from '../support/ledger.js';
import { compiledOf } from '../support/transactions.js';

useLedger();

/** A remote client, behind whose back a request may be changed. */
const remote = (change: (body: object) => object = (body) => body) => {
  const handler = createHandler({ client, mintSigner: () => generateKeyPairSigner() });
  return createRemoteClient({
    baseUrl: 'http://heaven.example',
    retries: 0,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body = JSON.stringify(change(JSON.parse(await request.text())));
      return await handler(new Request(request.url, { method: 'POST', headers: request.headers, body }));
    },
  });
};

const toggle = () => ({ pool: ledger.pools.pro.pool, payer: ledger.pools.pro.creator, enabled: false });
test('a launch of version 1 needs no lookup table, and its mint is read from the transaction', async () => {
  const { lutAddress: _, ...launch } = launchOf(ledger.pools.community.creator);
  const { tx, mint } = await remote().buildCreateStandardLiquidityPool({ ...launch, transactionVersion: 1 });
  const { staticAccounts, version } = compiledOf(tx);
  expect(version).toBe(1);
  expect(staticAccounts).toContain(mint);
  const missing = remote().buildCreateStandardLiquidityPool(launch);
  await expectRefusal(missing, 'invalid-input', { field: 'lutAddress' });
});

test.each([0, 1] as const)('an answer of another version than %i is rejected', async (transactionVersion) => {
  const other = remote((body) => ({ ...body, transaction_version: 1 - transactionVersion }));
  await expectRefusal(other.buildProToggleSwap({ ...toggle(), transactionVersion }), 'service-failed');
});
