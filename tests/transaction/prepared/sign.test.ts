import { KeyObject } from 'node:crypto';

import {
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  partiallySignTransaction,
  type TransactionPartialSigner,
  verifySignature,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  buildBuy,
  buildProBuy,
  createHeavenClient,
  type PreparedTrade,
  prepareTrade,
  quoteProBuy,
  signPrepared,
  submitTransaction,
} from '../../../src/index.js';
import { signPreparedSync } from '../../../src/node/index.js';
import { STRANGER } from '../../support/addresses.js';
import { base64Of } from '../../support/bytes.js';
import { expectRefusal } from '../../support/errors.js';
import { client, ledger, quoteOneSol, useLedger } from '../../support/ledger.js';
import { decodedOf } from '../../support/transactions.js';

useLedger();

const VALUES = { amount: 100_000_000n, minimumOut: 1n } as const;
const keyOf = ({ keyPair }: KeyPairSigner) => KeyObject.from(keyPair.privateKey);

let payer: KeyPairSigner;
let trader: KeyPairSigner;
beforeEach(async () => {
  [payer, trader] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  for (const { address } of [payer, trader]) ledger.setBalance(address, 10_000_000_000n);
});

const prepare = async (transactionVersion: 0 | 1): Promise<PreparedTrade> => {
  const built = await buildBuy(client, { payer, quoteResponse: await quoteOneSol(), transactionVersion });
  return prepareTrade(client, built);
};

/** A trade that a wallet pays for and another one makes. */
const inputOfTwo = async () => {
  const { mint, configVersion, pool } = ledger.pools.pro;
  const terms = { configVersion, mint, pool, maxSolSpend: '1', slippageBps: 50 };
  const quoteResponse = await quoteProBuy(client, terms);
  return { payer, source: trader, pool, quoteResponse };
};

describe.each([0, 1] as const)('version %d', (version) => {
  test("has the signature that kit's functions make, for each kind of signer", async () => {
    const unsigned = (await prepare(version)).patch(VALUES);
    const before = Buffer.from(unsigned);
    const expected = await partiallySignTransaction([payer.keyPair], decodedOf(base64Of(before)));
    // Not a key, but what asks one: a hardware wallet, say.
    const asking: TransactionPartialSigner = {
      address: payer.address,
      signTransactions: async (transactions) => await payer.signTransactions(transactions),
    };
    const all = [
      ...(await Promise.all([payer, payer.keyPair, asking].map((signer) => signPrepared(unsigned, signer)))),
      signPreparedSync(unsigned, keyOf(payer)),
    ];
    for (const { bytes, signature } of all) {
      expect(base64Of(bytes)).toBe(getBase64EncodedWireTransaction(expected));
      expect(signature).toBe(getSignatureFromTransaction(expected));
    }
    expect(before.equals(unsigned)).toBe(true);
  });

  test('lands with the patched amount', async () => {
    const { patch } = await prepare(version);
    const { value: lifetime } = await ledger.rpc.getLatestBlockhash().send();
    const unsigned = patch({ ...VALUES, amount: 123_456_789n, lifetime });
    const { bytes, signature } = signPreparedSync(unsigned, keyOf(payer));
    const result = await submitTransaction(createHeavenClient({ rpc: ledger.rpc }), bytes, lifetime);
    expect(result).toMatchObject({ status: 'landed', signature, trades: [{ user: payer.address }] });
    // One signature at 5000 lamports, 200000 units at 40 lamports, and the rent of a token account of 182 bytes.
    const spent = 10_000_000_000n - (ledger.getAccount(payer.address)?.lamports ?? 0n);
    expect(spent - 5_000n - 8_000_000n).toBe(123_456_789n + (128n + 182n) * 5_080n);
  });

  test('takes two signers in any order', async () => {
    const input = { ...(await inputOfTwo()), transactionVersion: version };
    const prepared = prepareTrade(client, await buildProBuy(client, input));
    const { amountIn: amount, minimumOut, lifetime } = prepared;
    const unsigned = prepared.patch({ amount, minimumOut, lifetime });
    expect(base64Of(unsigned)).toBe((await buildProBuy(client, { ...input, lifetime })).tx);
    const one = await signPrepared(unsigned, [trader.keyPair, payer]);
    const other = signPreparedSync(unsigned, [keyOf(payer), keyOf(trader)]);
    expect(one).toEqual(other);
    const landing = submitTransaction(createHeavenClient({ rpc: ledger.rpc }), one.bytes, lifetime);
    expect((await landing).status).toBe('landed');
  });
});

test('tells signers apart whose addresses begin with the same byte', async () => {
  const firstByte = ({ address }: KeyPairSigner) => getAddressEncoder().encode(address)[0];
  do trader = await generateKeyPairSigner();
  while (firstByte(trader) !== firstByte(payer));
  const { patch } = prepareTrade(client, await buildProBuy(client, await inputOfTwo()));
  const { bytes } = await signPrepared(patch(VALUES), [trader, payer]);
  const { signatures, messageBytes } = getTransactionDecoder().decode(bytes);
  for (const { address, keyPair } of [payer, trader])
    expect(await verifySignature(keyPair.publicKey, signatures[address]!, messageBytes)).toBe(true);
});

describe('does not sign', () => {
  test('with a signer missing, or one too many', async () => {
    const unsigned = prepareTrade(client, await buildProBuy(client, await inputOfTwo())).patch(VALUES);
    const missing = { signer: trader.address, reason: 'missing' };
    await expectRefusal(signPrepared(unsigned, payer), 'transaction-not-signed', missing);
    await expectRefusal(() => signPreparedSync(unsigned, keyOf(payer)), 'transaction-not-signed', missing);
    const stranger = await generateKeyPairSigner();
    const surplus = { field: 'signers', value: stranger.address };
    const attempt = signPrepared(unsigned, [payer, trader, stranger]);
    const { message } = await expectRefusal(attempt, 'invalid-input', surplus);
    expect(message).toContain(`but from ${payer.address}, ${trader.address}.`);
    const keys = [payer, trader, stranger].map(keyOf);
    await expectRefusal(() => signPreparedSync(unsigned, keys), 'invalid-input', surplus);
  });

  test.each([
    ['nobody', []],
    ['an address', STRANGER],
    ['nothing', undefined],
    ['what signs for nobody', { address: STRANGER, signTransactions: async () => [{}] }],
  ])('with %s', async (_, signers) => {
    const unsigned = (await prepare(0)).patch(VALUES);
    await expectRefusal(signPrepared(unsigned, signers as never), 'invalid-input', { field: 'signers' });
    await expectRefusal(() => signPreparedSync(unsigned, signers as never), 'invalid-input');
  });

  const signature = new Uint8Array(64);
  const rest = new Uint8Array(99);
  test.each([
    ['text', 'AQ==', 'invalid-input'],
    ['no bytes', new Uint8Array(), 'malformed-data'],
    ['bytes that end early', Uint8Array.of(1, ...signature, 0x80, 1, 0, 0, 1), 'malformed-data'],
    ['two counts of signers', Uint8Array.of(1, ...signature, 0x80, 2, ...rest), 'malformed-data'],
    ['version 1 without room for signatures', Uint8Array.of(0x81, 2, ...rest), 'malformed-data'],
  ])('%s', async (_, bytes, code) => {
    await expectRefusal(signPrepared(bytes as never, payer), code);
    await expectRefusal(() => signPreparedSync(bytes as never, keyOf(payer)), code);
  });

  test('with a public key', async () => {
    const unsigned = (await prepare(0)).patch(VALUES);
    const key = KeyObject.from(payer.keyPair.publicKey);
    await expectRefusal(() => signPreparedSync(unsigned, key), 'invalid-input', { field: 'keys' });
  });
});
