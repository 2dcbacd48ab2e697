// Somebody else who trades in practice mode. Loaded on demand.
import { buildTrade, quoteBuy, quoteProBuy, signAndSubmitTransaction } from 'heaven-pools';
import { createPracticeWallet } from 'heaven-pools/testing';

import type { Connection } from './connection.js';
import { Problem } from './messages.js';
import { locatorOf, type Pool } from './pools.js';

/** Buys with a new wallet, which signs like any other. */
export async function buyAsStranger(connection: Connection, of: Pool, lamports: bigint): Promise<void> {
  const { client, model } = connection;
  if (model === undefined) return;
  const { address, signTransaction } = await createPracticeWallet();
  // As much again, for fees and rent.
  model.ledger.setBalance(address, 2n * lamports);
  const { pool, ...token } = locatorOf(of);
  const amount = { ...token, lamports, slippageBps: 1_000 };
  const quote = await (pool == null ? quoteBuy(client, amount) : quoteProBuy(client, { ...amount, pool }));
  const built = await buildTrade(client, { quote, payer: address });
  const outcome = await signAndSubmitTransaction(client, built, { sign: signTransaction });
  if (outcome.status === 'failed') throw new Problem(undefined, outcome.error.message);
}
