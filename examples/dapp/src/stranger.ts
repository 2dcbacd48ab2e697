// Somebody else who trades in practice mode. Loaded on demand.
import { type Base64EncodedWireTransaction, getBase64Decoder, getTransactionEncoder } from '@solana/kit';
import { buildTrade, quoteBuy, quoteProBuy } from 'heaven-pools';
import { createPracticeWallet } from 'heaven-pools/testing';

import type { Connection } from './connection.js';
import { locatorOf, type Pool } from './pools.js';

/** Buys with a new wallet, which signs and sends like any other. */
export async function buyAsStranger(connection: Connection, of: Pool, lamports: bigint): Promise<void> {
  const { client, model } = connection;
  if (model === undefined) return;
  const { address, signTransaction } = await createPracticeWallet();
  // As much again, for fees and rent.
  model.ledger.setBalance(address, 2n * lamports);
  const { pool, ...token } = locatorOf(of);
  const amount = { ...token, lamports, slippageBps: 1_000 };
  const quote = await (pool == null ? quoteBuy(client, amount) : quoteProBuy(client, { ...amount, pool }));
  const { transaction } = await buildTrade(client, { quote, payer: address });
  const signed = await signTransaction(getTransactionEncoder().encode(transaction));
  const tx = getBase64Decoder().decode(signed) as Base64EncodedWireTransaction;
  await client.rpc.sendTransaction(tx, { encoding: 'base64' }).send();
}
