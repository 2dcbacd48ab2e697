import { generateKeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';

import { createEmbeddedLedger } from '../../src/testing/index.js';
import { objectText, ok, serviceOver } from '../http/support.js';
import { type WorkingRequest, workingRequests } from '../http/working-requests.js';
import { type Call, clientOver } from '../support/rpc.js';

// A round trip is what is on its way at the same time: calls in parallel are one.

let requests: Readonly<Record<string, WorkingRequest>>;

/** The round trips of a request against a fresh client, with the calls of each. */
async function roundTripsOf(path: string): Promise<readonly (readonly string[])[]> {
  const trips: string[][] = [];
  let inFlight = 0;
  const ledger = await createEmbeddedLedger();
  const transport = async (call: Call) => {
    if (inFlight === 0) trips.push([]);
    trips.at(-1)?.push(call.payload.method);
    inFlight += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    inFlight -= 1;
    return await ledger.transport(call as never);
  };
  const { handler } = serviceOver(clientOver(transport), { mintSigner: () => generateKeyPairSigner() });
  await workingRequests(handler, ledger);
  trips.length = 0;
  await ok(handler, path, objectText(requests[path]?.required ?? {}));
  return trips.map((calls) => calls.sort());
}

beforeAll(async () => {
  const ledger = await createEmbeddedLedger();
  const { handler } = serviceOver(clientOver(ledger.transport), {
    mintSigner: () => generateKeyPairSigner(),
  });
  requests = await workingRequests(handler, ledger);
});

const LAUNCH = '/tx/create-standard-liquidity-pool';
const READ = ['getMultipleAccounts'];
const READ_AND_BLOCK_HASH = ['getLatestBlockhash', 'getMultipleAccounts'];

test('a request of each path is there', () => {
  expect(Object.keys(requests)).toHaveLength(29);
});

test.each([
  '/data/pool-info',
  '/data/pool-state',
  '/data/protocol-config-state',
  '/data/lp-balance',
  '/quote/buy',
  '/quote/sell',
  '/quote/initial-buy',
  '/quote/pro/buy',
  '/quote/pro/sell',
])('%s reads everything in one call', async (path) => {
  expect(await roundTripsOf(path)).toEqual([READ]);
});

test('a transaction takes one: the accounts and the block hash at the same time', async () => {
  const paths = Object.keys(requests).filter((path) => path.startsWith('/tx/'));
  expect(paths).toHaveLength(20);
  for (const path of paths.filter((path) => path !== LAUNCH))
    expect([path, await roundTripsOf(path)]).toEqual([path, [READ_AND_BLOCK_HASH]]);
});

test('a launch takes one more: it is looked at before a mint is searched, and its block hash is read after that', async () => {
  expect(await roundTripsOf(LAUNCH)).toEqual([READ, READ_AND_BLOCK_HASH]);
});
