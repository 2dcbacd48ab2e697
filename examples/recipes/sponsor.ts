// A user buys tokens, and a sponsor pays the network fee and the rent of the token account: on the embedded ledger, with a paymaster in
// this process. The paymaster checks what it signs, and how much each user has cost.

import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import * as heaven from 'heaven-pools';
import { createEmbeddedLedger, createPracticeWallet } from 'heaven-pools/testing';

import { keyOf, run } from '../common.js';
import { createPaymaster } from './stand-in/paymaster.js';

const LAMPORTS_PER_USER = 20_000_000n;

run(async () => {
  const ledger = await createEmbeddedLedger();
  const { rpc, rpcSubscriptions } = ledger;
  const client = heaven.createHeavenClient({ rpc, rpcSubscriptions });
  const { mint, configVersion } = ledger.pools.community;
  const [user, sponsor] = await Promise.all([keyOf(1), keyOf(2)]);
  ledger.setBalance(user.address, 1_000_000_000n);
  ledger.setBalance(sponsor.address, 1_000_000_000n);
  const wallet = await createPracticeWallet({ signer: user, rpc });
  const paymaster = createPaymaster(client, sponsor, LAMPORTS_PER_USER);
  const lamportsOf = async (owner: typeof user) => (await rpc.getBalance(owner.address).send()).value;

  /** Buys for 0.1 SOL. The sponsor signs first, and the wallet what the sponsor has signed. */
  async function buy(change: Partial<heaven.BuildBuyInput> = {}) {
    const payer = user.address;
    const terms = { configVersion, mint, lamports: 100_000_000n, slippageBps: 100 };
    const quoteResponse = await heaven.quoteBuy(client, terms);
    const input = { payer, feePayer: sponsor.address, rentPayer: 'feePayer', quoteResponse } as const;
    const built = await heaven.buildBuy(client, { ...input, ...change });
    const before = await Promise.all([user, sponsor].map(lamportsOf));
    const sign = async (bytes: Uint8Array<ArrayBuffer>) =>
      await wallet.signTransaction(await paymaster({ payer, quoteResponse, transaction: bytes }));
    const result = await heaven.signAndSubmitTransaction(client, built, { sign });
    const after = await Promise.all([user, sponsor].map(lamportsOf));
    const [byUser, bySponsor] = before.map((lamports, index) => lamports - after[index]!);
    console.log(`${result.status}: the user paid ${byUser} lamports, the sponsor ${bySponsor}`);
  }
  const refused = (what: string) => (error: Error) => console.log(`${what}: refused, ${error.message}`);

  await buy();
  await buy();
  await buy().catch(refused('a third buy'));
  const from = { source: createNoopSigner(sponsor.address), destination: user.address, amount: 1_000_000n };
  await buy({ after: [getTransferSolInstruction(from)] }).catch(refused('a transfer from the sponsor'));
});
