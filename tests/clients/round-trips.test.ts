import { setTimeout as pause } from 'node:timers/promises';

import { generateKeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import {
  buildBuy,
  buildProClaimLpFees,
  buildSell,
  fetchPoolSnapshot,
  quoteBuy,
  quoteSell,
} from '../../src/index.js';
import { RENT_SYSVAR_ADDRESS } from '../../src/solana/programs.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { objectText, ok, serviceOver } from '../http/support.js';
import { workingRequests } from '../http/working-requests.js';
import { locatorOf } from '../support/ledger.js';
import { type Call, clientOver } from '../support/rpc.js';

// A round trip is what is on its way at the same time: calls in parallel are one.

/** How long to wait for a call that should be there. */
const MISSING_MS = 10_000;

const requests = await workingRequests(await createEmbeddedLedger());

type Trips = readonly (readonly string[])[];

/**
 * A fresh ledger and client, and the round trips so far, with the calls of each. Those that should be on one trip are answered once the
 * last of them is there, as it may take long to compute what it asks for, or else never comes.
 */
async function measured() {
  const trips: string[][] = [];
  let expected: Trips = [];
  let inFlight = 0;
  let isFull: Promise<unknown> = Promise.resolve();
  let fill = () => {};
  /** The trips of an action. */
  const tripsOf = async (action: () => Promise<unknown>, wanted: Trips) => {
    trips.length = 0;
    expected = wanted;
    await action();
    expected = [];
    return trips.map((calls) => calls.sort());
  };
  const ledger = await createEmbeddedLedger();
  const transport = async (call: Call) => {
    if (inFlight === 0) {
      trips.push([]);
      isFull = new Promise<void>((resolve) => {
        fill = resolve;
      });
    }
    const trip = trips.at(-1) as string[];
    trip.push(call.payload.method);
    inFlight += 1;
    if (trip.length >= (expected[trips.length - 1]?.length ?? 1)) fill();
    await Promise.race([isFull, pause(MISSING_MS)]);
    // Whoever comes now did not wait for an answer either.
    await pause(50);
    inFlight -= 1;
    return await ledger.transport(call as never);
  };
  return { ledger, client: clientOver(transport), tripsOf };
}

/** Expects that a request takes these round trips. */
async function expectTrips(path: string, trips: Trips): Promise<void> {
  const { ledger, client, tripsOf } = await measured();
  const { handler } = serviceOver(client, { mintSigner: () => generateKeyPairSigner() });
  await workingRequests(ledger);
  const request = () => ok(handler, path, objectText(requests[path]?.required ?? {}));
  expect([path, await tripsOf(request, trips)]).toEqual([path, trips]);
}

const LAUNCH = '/tx/create-standard-liquidity-pool';
const READ = ['getMultipleAccounts'];
const READ_AND_BLOCK_HASH = ['getLatestBlockhash', 'getMultipleAccounts'];

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
  await expectTrips(path, [READ]);
});

test('a transaction takes one round trip: accounts and block hash at the same time', async () => {
  const paths = Object.keys(requests).filter((path) => path.startsWith('/tx/'));
  expect(paths).toHaveLength(20);
  for (const path of paths.filter((path) => path !== LAUNCH)) await expectTrips(path, [READ_AND_BLOCK_HASH]);
});

test('a launch takes one more: its accounts are read before the mint search, and its block hash after it', async () => {
  await expectTrips(LAUNCH, [READ, READ_AND_BLOCK_HASH]);
});

test('a temporary wrapped SOL account takes no more, nor a closed token account: they are read in the same call', async () => {
  const { ledger, client, tripsOf } = await measured();
  const { creator, pro } = ledger.pools;
  const wrapSol = 'temporary';
  const asked = { configVersion: creator.configVersion, mint: creator.mint, slippageBps: 50 };
  const buy = await quoteBuy(client, { ...asked, maxSolSpend: 1 });
  const sell = await quoteSell(client, { ...asked, amountInUi: 1 });
  const snapshot = await fetchPoolSnapshot(client, locatorOf(creator));
  const { lifetime } = await buildBuy(client, trade(buy));
  function trade<TQuote>(quoteResponse: TQuote) {
    return { payer: creator.creator, encodedUserDefinedEventData: '', quoteResponse };
  }
  const builds = {
    buy: () => buildBuy(client, { ...trade(buy), wrapSol }),
    sell: () => buildSell(client, { ...trade(sell), wrapSol }),
    'with a snapshot': () => buildBuy(client, { ...trade(buy), wrapSol, snapshot }),
    'closing its token account': () => buildSell(client, { ...trade(sell), closeTokenAccount: true }),
    'LP claim': () => buildProClaimLpFees(client, { pool: pro.pool, payer: pro.creator, wrapSol }),
  };
  for (const [name, build] of Object.entries(builds))
    expect([name, await tripsOf(build, [READ_AND_BLOCK_HASH])]).toEqual([name, [READ_AND_BLOCK_HASH]]);
  // Nothing is read that nobody needs.
  const inSnapshot = () => buildBuy(client, { ...trade(buy), snapshot });
  const BLOCK_HASH = [['getLatestBlockhash']];
  expect(await tripsOf(inSnapshot, BLOCK_HASH)).toEqual(BLOCK_HASH);
  expect(await tripsOf(() => buildBuy(client, { ...trade(buy), snapshot, lifetime }), [])).toEqual([]);
  const rentReads = async (more: object) => {
    const before = ledger.requests.length;
    await buildBuy(client, { ...trade(buy), ...more });
    const read = ledger.requests.slice(before).flatMap(({ params: [addresses] }) => addresses);
    return read.filter((address) => address === RENT_SYSVAR_ADDRESS).length;
  };
  // The rent is read for a temporary account alone.
  expect([await rentReads({}), await rentReads({ wrapSol })]).toEqual([0, 1]);
});
