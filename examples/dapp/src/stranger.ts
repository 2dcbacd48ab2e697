// Somebody else who trades in practice mode. Loaded on demand.
import { type Base64EncodedWireTransaction, getBase64Decoder, getTransactionEncoder } from '@solana/kit';
import { type BuyQuote, buildBuy, buildProBuy } from 'heaven-pools';
import { createPracticeWallet } from 'heaven-pools/testing';

import { type Connection, TIMEOUT_MS } from './connection.js';
import { type Pool, readPool } from './pools.js';
import { quoteTrade } from './quote.js';

const SLIPPAGE_BPS = 1_000;

/** Buys with a new wallet, which signs and sends as any other. */
export async function buyAsStranger(connection: Connection, pool: Pool, lamports: bigint): Promise<void> {
  const { client, rpc, model } = connection;
  if (model === undefined) return;
  const { address, signTransaction } = await createPracticeWallet();
  // As much again, for fees and rent.
  model.ledger.setBalance(address, 2n * lamports);
  const snapshot = await readPool(connection, pool, AbortSignal.timeout(TIMEOUT_MS));
  const quoteResponse = quoteTrade(snapshot, 'buy', lamports, SLIPPAGE_BPS).quoteResponse as BuyQuote;
  const input = { payer: address, snapshot, quoteResponse };
  const { transaction } = await (pool.kind === 'pro'
    ? buildProBuy(client, { ...input, pool: pool.address })
    : buildBuy(client, input));
  const signed = await signTransaction(getTransactionEncoder().encode(transaction));
  const tx = getBase64Decoder().decode(signed) as Base64EncodedWireTransaction;
  await rpc.sendTransaction(tx, { encoding: 'base64' }).send();
}
