// Users buy tokens, and a sponsor pays the network fee and the rent of their token accounts: on the embedded ledger, with a paymaster
// behind HTTP. It checks and simulates what it signs, and limits what each user, and all of them together, cost.

import { createNoopSigner, getBase64Decoder, getBase64Encoder, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import * as heaven from 'heaven-pools';
import { createEmbeddedLedger, createPracticeWallet } from 'heaven-pools/testing';

import { keyOf, run } from '../common.js';
import { startPaymaster } from './stand-in/paymaster.js';

const LIMITS = { perTransaction: 10_000_000n, perUser: 20_000_000n, inTotal: 30_000_000n };

run(async () => {
  const ledger = await createEmbeddedLedger();
  const { rpc, rpcSubscriptions } = ledger;
  const client = heaven.createHeavenClient({ rpc, rpcSubscriptions });
  const { mint, configVersion } = ledger.pools.community;
  const [alice, bob, sponsor] = await Promise.all([keyOf(1), keyOf(2), keyOf(3)]);
  for (const { address } of [alice, bob, sponsor]) ledger.setBalance(address, 1_000_000_000n);
  const paymaster = await startPaymaster(client, sponsor, LIMITS);
  const lamportsOf = async ({ address }: KeyPairSigner) => (await rpc.getBalance(address).send()).value;

  /** Has the paymaster sign bytes, as a page asks it to. */
  async function sponsored(bytes: Uint8Array, login: string): Promise<Uint8Array<ArrayBuffer>> {
    const headers = { 'content-type': 'application/json', authorization: login };
    const body = JSON.stringify({ transaction: getBase64Decoder().decode(bytes) });
    const response = await fetch(paymaster.url, { method: 'POST', headers, body });
    const { transaction, error } = await response.json();
    if (!response.ok) throw new Error(`${response.status}, ${error.message}`);
    return Uint8Array.from(getBase64Encoder().encode(transaction));
  }

  /** Buys for 0.1 SOL. The sponsor signs first, and the wallet what the sponsor has signed. */
  async function buy(user: KeyPairSigner, login: string, change: Partial<heaven.BuildBuyInput> = {}) {
    const wallet = await createPracticeWallet({ signer: user, rpc });
    const terms = { configVersion, mint, lamports: 100_000_000n, slippageBps: 100 };
    const quoteResponse = await heaven.quoteBuy(client, terms);
    const input = {
      payer: user.address,
      feePayer: sponsor.address,
      rentPayer: 'feePayer',
      quoteResponse,
    } as const;
    const built = await heaven.buildBuy(client, { ...input, ...change });
    const before = await Promise.all([user, sponsor].map(lamportsOf));
    const sign = async (bytes: Uint8Array<ArrayBuffer>) => {
      // The first answer may be lost. The same bytes cost nothing more.
      await sponsored(bytes, login);
      return await wallet.signTransaction(await sponsored(bytes, login));
    };
    const result = await heaven.signAndSubmitTransaction(client, built, { sign });
    const after = await Promise.all([user, sponsor].map(lamportsOf));
    const [byUser, bySponsor] = before.map((lamports, index) => lamports - after[index]!);
    console.log(`${result.status}: the user paid ${byUser} lamports, the sponsor ${bySponsor}`);
  }
  const refused = (what: string) => (error: Error) => console.log(`${what}: refused, ${error.message}`);

  const [ofAlice, ofBob] = [paymaster.logIn('alice'), paymaster.logIn('bob')];
  await buy(alice, ofAlice);
  await buy(alice, ofAlice);
  await buy(alice, ofAlice).catch(refused("alice's third buy"));
  await buy(bob, 'Bearer of a made-up token').catch(refused('a buy without a login'));
  const from = { source: createNoopSigner(sponsor.address), destination: bob.address, amount: 1_000_000n };
  await buy(bob, ofBob, { after: [getTransferSolInstruction(from)] }).catch(
    refused('a transfer from the sponsor'),
  );
  ledger.setBalance(bob.address, 1_000n);
  await buy(bob, ofBob).catch(refused('a buy that would fail'));
  ledger.setBalance(bob.address, 1_000_000_000n);
  await buy(bob, ofBob);
  await buy(bob, ofBob).catch(refused("bob's second buy"));
  console.log(`the sponsor signed for ${paymaster.spent()} lamports at most`);
  await paymaster.close();
});
