// Quote a sell, build it, sign it with a wallet's key, and have it ready to send. Runs on the embedded ledger.
import { generateKeyPairSigner, getBase64EncodedWireTransaction, signTransaction } from '@solana/kit';
import { buildSell, createClient, quoteSell } from 'heaven-pools';
import { createEmbeddedLedger } from 'heaven-pools/testing';

const { rpc, pools } = await createEmbeddedLedger();
const client = createClient({ rpc });
const wallet = await generateKeyPairSigner();
const { mint, configVersion } = pools.community;

const quoteResponse = await quoteSell(client, {
  configVersion,
  mint,
  amountInUi: '250000',
  slippageBps: 100,
});
const { amountOut, totalFee, priceImpactBps } = quoteResponse.details;
console.log(
  `250000 tokens give ${amountOut} lamports after ${totalFee} of fees; price impact ${priceImpactBps} bps`,
);

const built = await buildSell(client, {
  payer: wallet.address,
  quoteResponse,
  encodedUserDefinedEventData: 'example',
  wrapSol: 'temporary',
});
const signed = await signTransaction([wallet.keyPair], built.transaction);
console.log(`${built.size} bytes, valid until block ${built.lifetime.lastValidBlockHeight}`);
console.log(getBase64EncodedWireTransaction(signed));
