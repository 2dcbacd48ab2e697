import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { buildBuy, createHeavenClient, parseLogs, quoteBuy, toUiAmount } from '../../src/index.js';
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

test('notifies each write of the account, in order, like a read', async () => {
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

test('counts, drops and rejects', async () => {
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

describe('logs', () => {
  /** From now on: kit keeps what comes once somebody waits for the first. */
  const logsOf = async (filter: unknown) => {
    const { signal: abortSignal } = new AbortController();
    const notifications = await ledger.rpcSubscriptions
      .logsNotifications(filter as 'all')
      .subscribe({ abortSignal });
    const iterator = notifications[Symbol.asyncIterator]();
    const waiting = [iterator.next()];
    return { next: async () => (await (waiting.pop() ?? iterator.next())).value };
  };

  /** A signed buy of this many lamports in the pool `creator`. */
  const buy = async (wallet: KeyPairSigner, lamports: bigint, minimumOut?: bigint) => {
    const client = createHeavenClient({ rpc: ledger.rpc });
    const { mint, configVersion } = ledger.pools.creator;
    const quote = await quoteBuy(client, { mint, configVersion, lamports, slippageBps: 10_000 });
    const quoteResponse =
      minimumOut === undefined
        ? quote
        : { ...quote, minimumOut, minimumOutUi: Number(toUiAmount(minimumOut, 9)) };
    const input = { payer: wallet.address, quoteResponse, encodedUserDefinedEventData: '' };
    const built = await buildBuy(client, input);
    const transaction = await signTransaction([wallet.keyPair], built.transaction);
    const tx = getBase64EncodedWireTransaction(transaction);
    await ledger.rpc.sendTransaction(tx, { encoding: 'base64', skipPreflight: true }).send();
    return getSignatureFromTransaction(transaction);
  };

  test('of each transaction that is sent, whole or failed, as its record has them', async () => {
    const wallet = await generateKeyPairSigner();
    ledger.setBalance(wallet.address, 5_000_000_000n);
    const logs = await logsOf('all');
    const good = await buy(wallet, 1_000_000n);
    ledger.setSlot(ledger.slot + 1n);
    const bad = await buy(wallet, 1_000_000n, 2n ** 60n);
    const told = [await logs.next(), await logs.next()];
    expect(told.map((each) => each?.value.signature)).toEqual([good, bad]);
    expect(told.map((each) => each?.context.slot)).toEqual([ledger.slot - 1n, ledger.slot]);
    expect(told[0]?.value.err).toBeNull();
    expect(told[1]?.value.err).toMatchObject({ InstructionError: [expect.anything(), { Custom: 6_013 }] });
    for (const [index, signature] of [good, bad].entries()) {
      const record = await ledger.rpc
        .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
        .send();
      expect(told[index]?.value.logs).toEqual(record?.meta?.logMessages);
    }
    // What the program says of the trade is in them.
    expect(parseLogs(told[0]?.value.logs ?? []).events.length).toBeGreaterThan(0);
  });

  test('of those that mention an address', async () => {
    const [one, two] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    for (const { address } of [one, two]) ledger.setBalance(address, 5_000_000_000n);
    const ofTwo = await logsOf({ mentions: [two.address] });
    const ofPool = await logsOf({ mentions: [ledger.pools.creator.pool] });
    const first = await buy(one, 1_000_000n);
    const second = await buy(two, 1_000_000n);
    expect((await ofTwo.next())?.value.signature).toBe(second);
    expect((await ofPool.next())?.value.signature).toBe(first);
    expect((await ofPool.next())?.value.signature).toBe(second);
  });
});
