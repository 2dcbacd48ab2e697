import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { expect, test } from 'vitest';

import { parseLogs, toUiAmount } from '../../src/index.js';
import { buyFor, ledger, quoteOneSol, useLedger } from '../support/ledger.js';

useLedger();

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

/** A signed buy for 1 SOL. */
const buy = async (wallet: KeyPairSigner, change: object = {}) => {
  const quoteResponse = { ...(await quoteOneSol()), ...change };
  const built = await buyFor(wallet.address, { quoteResponse });
  const transaction = await signTransaction([wallet.keyPair], built.transaction);
  const tx = getBase64EncodedWireTransaction(transaction);
  await ledger.rpc.sendTransaction(tx, { encoding: 'base64', skipPreflight: true }).send();
  return getSignatureFromTransaction(transaction);
};

test('logs come for each transaction that mentions an address, whole or failed, as its record has them', async () => {
  const [wallet, stranger] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  for (const { address } of [wallet, stranger]) ledger.setBalance(address, 5_000_000_000n);
  const logs = await logsOf({ mentions: [wallet.address] });
  await buy(stranger);
  const good = await buy(wallet);
  ledger.setSlot(ledger.slot + 1n);
  const minimumOut = 2n ** 60n;
  const bad = await buy(wallet, { minimumOut, minimumOutUi: Number(toUiAmount(minimumOut, 9)) });
  const told = [await logs.next(), await logs.next()];
  expect(told.map((each) => each?.value.signature)).toEqual([good, bad]);
  expect(told.map((each) => each?.context.slot)).toEqual([ledger.slot - 1n, ledger.slot]);
  expect(told[0]?.value.err).toBeNull();
  expect(told[1]?.value.err).toMatchObject({ InstructionError: [expect.anything(), { Custom: 6_013 }] });
  for (const [index, signature] of [good, bad].entries()) {
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
    const record = await ledger.rpc.getTransaction(signature, config).send();
    expect(told[index]?.value.logs).toEqual(record?.meta?.logMessages);
  }
  // What the program says of the trade is in them.
  expect(parseLogs(told[0]?.value.logs ?? []).events.length).toBeGreaterThan(0);
});
