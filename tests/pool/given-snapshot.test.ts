import { expect, test } from 'vitest';

import {
  buildBuy,
  buildProSell,
  createClient,
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  quoteBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
  swapStateOf,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';

useLedger();

const locatorOf = (name: 'community' | 'launching') => {
  const { configVersion, mint } = ledger.pools[name];
  return { configVersion, mint };
};
const proLocator = () => {
  const { configVersion, mint, pool } = ledger.pools.pro;
  return { configVersion, mint, pool };
};

test('a quote from a snapshot is the one that is read, without a call to the node', async () => {
  const standard = locatorOf('community');
  const [snapshot, proSnapshot, buy, sell, proBuy, proSell] = await Promise.all([
    fetchPoolSnapshot(client, standard),
    fetchPoolSnapshot(client, proLocator()),
    quoteBuy(client, { ...standard, maxSolSpend: '1.5', slippageBps: 50 }),
    quoteSell(client, { ...standard, amountInUi: '1000', slippageBps: 50 }),
    quoteProBuy(client, { ...proLocator(), maxSolSpend: '1.5', slippageBps: 50 }),
    quoteProSell(client, { ...proLocator(), amountInUi: '1000', slippageBps: 50 }),
  ]);
  const calls = ledger.requests.length;
  const given = { ...standard, snapshot, slippageBps: 50 };
  const proGiven = { ...proLocator(), snapshot: proSnapshot, slippageBps: 50 };
  expect(await quoteBuy(client, { ...given, maxSolSpend: '1.5' })).toEqual(buy);
  expect(await quoteSell(client, { ...given, amountInUi: '1000' })).toEqual(sell);
  expect(await quoteProBuy(client, { ...proGiven, maxSolSpend: '1.5' })).toEqual(proBuy);
  expect(await quoteProSell(client, { ...proGiven, amountInUi: '1000' })).toEqual(proSell);
  expect(ledger.requests).toHaveLength(calls);

  // And to build with it takes a block hash.
  const payer = ledger.pools.pro.creator;
  await buildBuy(client, { payer, quoteResponse: buy, snapshot, encodedUserDefinedEventData: '' });
  const { pool } = ledger.pools.pro;
  await buildProSell(client, {
    payer,
    pool,
    quoteResponse: proSell,
    snapshot: proSnapshot,
    encodedUserDefinedEventData: '',
  });
  expect(ledger.requests.slice(calls).map(({ method }) => method)).toEqual([
    'getLatestBlockhash',
    'getLatestBlockhash',
  ]);
});

test('it is for the slot that the snapshot is moved to', async () => {
  const locator = locatorOf('launching');
  const snapshot = await fetchPoolSnapshot(client, locator);
  const quoteIn = async (slots: bigint) =>
    await quoteBuy(client, {
      ...locator,
      snapshot: { ...snapshot, slot: snapshot.createdAtSlot + slots },
      maxSolSpend: 1,
      slippageBps: 50,
    });
  for (const [slots, creatorBps] of [
    [5n, 5_000n],
    [6n, 1_000n],
    [16n, 10n],
  ] as const) {
    const { details } = await quoteIn(slots);
    expect(details.feeRates.creator).toBe(creatorBps);
    expect(details.feeRates).toEqual(swapStateOf(snapshot, { slot: snapshot.createdAtSlot + slots }).buyFees);
    expect(details.slot).toBe(snapshot.createdAtSlot + slots);
  }
});

test('a snapshot of another pool is refused', async () => {
  const community = await fetchPoolSnapshot(client, locatorOf('community'));
  const pro = await fetchPoolSnapshot(client, proLocator());
  const buy = (change: object, snapshot: FetchedPoolSnapshot = community) =>
    quoteBuy(client, { ...locatorOf('community'), maxSolSpend: 1, slippageBps: 50, snapshot, ...change });
  const mismatch = (field: string) => ({ code: 'quote-mismatch', context: { field } });
  await expect(buy({ mint: ledger.pools.pro.mint })).rejects.toMatchObject(mismatch('mint'));
  await expect(buy({ configVersion: 2 })).rejects.toMatchObject(mismatch('configVersion'));
  const { configVersion, mint } = ledger.pools.pro;
  await expectRefusal(buy({ configVersion, mint }, pro), 'pool-kind-mismatch');
  const proBuy = { ...proLocator(), maxSolSpend: 1, slippageBps: 50, snapshot: pro };
  await expect(quoteProBuy(client, { ...proBuy, pool: ledger.pools.creator.pool })).rejects.toMatchObject(
    mismatch('pool'),
  );
  const elsewhere = createClient({
    rpc: ledger.rpc,
    deployment: { programAddress: ledger.pools.pro.creator },
  });
  await expect(quoteProBuy(elsewhere, proBuy)).rejects.toMatchObject(mismatch('programId'));
});
