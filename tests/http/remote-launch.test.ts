import { type Address, generateKeyPairSigner, getBase64Encoder, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';

import { createHandler, createRemoteClient, type Handler } from '../../src/http/index.js';
import { CREATIONS } from '../../src/http/schemas/compare.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';
import { createPracticeWallet, type PracticeWallet } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { decodedOf } from '../support/transactions.js';

const SIGN = '/launch/add-mint-signature';

useLedger();

let mintSigner: KeyPairSigner;
let wallet: PracticeWallet;
let handler: Handler;
beforeEach(async () => {
  mintSigner = await generateKeyPairSigner();
  wallet = await createPracticeWallet({ rpc: ledger.rpc, guards: 'phantom' });
  ledger.setBalance(wallet.address, 50_000_000_000n);
  handler = createHandler({ client, mintSigner: async () => mintSigner, observe: () => {} });
});

/** A client of the service, or of one that answers something else in place of a transaction. */
const remote = (lie: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes) =>
  createRemoteClient({
    baseUrl: 'http://service',
    retries: 0,
    fetch: async (url, init) => {
      const response = await handler(new Request(url, init));
      if (!String(url).endsWith(SIGN) || response.status !== 200) return response;
      const answer = (await response.json()) as { tx: string };
      const bytes = Uint8Array.from(Buffer.from(answer.tx, 'base64'));
      const tx = Buffer.from(lie(bytes)).toString('base64');
      return Response.json({ ...answer, tx });
    },
  });

const flipped = (bytes: Uint8Array, index: number) =>
  bytes.map((byte, at) => (at === index ? byte ^ 1 : byte));

async function signedLaunch(transactionVersion: 0 | 1 = 0) {
  const launch = await remote().buildCreateStandardLiquidityPool({
    payer: wallet.address,
    creator: wallet.address,
    name: 'A',
    symbol: 'B',
    uri: 'C',
    initialPurchaseAmount: 0n,
    lutAddress: ledger.lookupTables.community,
    encodedUserDefinedEventData: '',
    signingOrder: 'wallet-first',
    transactionVersion,
  });
  return { launch, signed: await wallet.signTransaction(getBase64Encoder().encode(launch.tx)) };
}

describe.each([0, 1] as const)(
  'a launch of version %i from a service, which the wallet signs first',
  (version) => {
    test('gets the signature of its mint, and lands', async () => {
      const { launch, signed } = await signedLaunch(version);
      expect(Object.values(decodedOf(launch).signatures)).toEqual([null, null]);
      const { tx } = await remote().addMintSignature(signed, launch);
      await ledger.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
      // The same as base64, again.
      const again = await remote().addMintSignature(Buffer.from(signed).toString('base64'), launch);
      expect(again).toEqual({ tx });
    });

    /** Where the mint's signature is, which is the second of two. */
    const slotOf = ({ length }: Uint8Array) => (version === 1 ? length - 64 : 65);

    test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
      ['with another instruction', (bytes) => flipped(bytes, bytes.length - (version === 1 ? 140 : 40))],
      ["with another wallet's signature", (bytes) => flipped(bytes, slotOf(bytes) - 9)],
      ['with a byte more', (bytes) => Uint8Array.of(...bytes, 0)],
      ['with a byte less', (bytes) => bytes.slice(0, -1)],
      ['without a byte', () => new Uint8Array()],
      ["without the mint's signature", (bytes) => bytes.fill(0, slotOf(bytes), slotOf(bytes) + 64)],
      ['with a wrong one', (bytes) => flipped(bytes, slotOf(bytes) + 3)],
      [
        "with the wallet's in its place",
        (bytes) => bytes.copyWithin(slotOf(bytes), slotOf(bytes) - 64, slotOf(bytes)),
      ],
    ])('is rejected %s', async (_, lie) => {
      const { launch, signed } = await signedLaunch(version);
      await expectRefusal(remote(lie).addMintSignature(signed, launch), 'service-failed', {
        path: SIGN,
        status: 200,
      });
      await remote().addMintSignature(signed, launch);
    });

    test("is rejected with another mint's signature", async () => {
      const { launch, signed } = await signedLaunch(version);
      const { address: mint } = await generateKeyPairSigner();
      await expectRefusal(remote().addMintSignature(signed, { ...launch, mint }), 'service-failed', {
        path: SIGN,
      });
    });
  },
);

test("reports the service's errors in the SDK's terms", async () => {
  const { launch, signed } = await signedLaunch();
  await expectRefusal(remote().addMintSignature(launch.tx, launch), 'transaction-mismatch', {
    reason: 'signature',
  });
  await expectRefusal(remote().addMintSignature('AAAA', launch), 'malformed-data');
  await expectRefusal(remote().addMintSignature(7 as never, launch), 'invalid-input', { field: 'tx' });
  await expectRefusal(remote().addMintSignature(signed, { mint: 'x' as Address }), 'invalid-address');
  handler = createHandler({ client, observe: () => {} });
  await expectRefusal(remote().addMintSignature(signed, launch), 'service-failed', {
    code: 'unknown-launch',
    status: 404,
  });
});

test('the client knows where the instructions declare what a creation makes', () => {
  for (const [name, { discriminator, position }, account] of [
    ['create_standard_liquidity_pool', CREATIONS.launch, 'tokenAMint'],
    ['create_pro_liquidity_pool', CREATIONS.proCreate, 'liquidityPoolState'],
  ] as const) {
    const declaration = getInstructionDeclarations().find((one) => one.name === name);
    expect(declaration?.discriminator).toBe(discriminator);
    expect(Object.keys(declaration?.accounts ?? {})[position]).toBe(account);
  }
});
