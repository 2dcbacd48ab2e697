import type { Address } from '@solana/kit';
import { beforeEach } from 'vitest';

import {
  buildBuy,
  createHeavenClient,
  type HeavenClient,
  type PoolLocator,
  quoteBuy,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type Call, clientOver } from './rpc.js';

/** The ledger of `useLedger`, and a client of it. */
export let ledger: EmbeddedLedger;
export let client: HeavenClient;

/** Creates a ledger and a client for each test of a file. */
export const useLedger = () =>
  beforeEach(async () => {
    ledger = await createEmbeddedLedger();
    client = createHeavenClient({ rpc: ledger.rpc, rpcSubscriptions: ledger.rpcSubscriptions });
  });

/** Lets a ledger launch with config 2, which accepts no launches as captured. */
export const openConfigTwo = (of: EmbeddedLedger) =>
  of.updateConfig(of.pools.creator.protocolConfig, () => ({ allowCreatePool: 1 }));

/** A standard pool of the ledger, and half a percent of slippage: all that a quote takes but the amount. */
export const termsOf = (name: 'community' | 'creator' | 'launching' = 'creator') => {
  const { mint, configVersion } = ledger.pools[name];
  return { mint, configVersion, slippageBps: 50 };
};

/** What identifies a pool, of an object that has more. */
export const locatorOf = ({ configVersion, mint, pool }: PoolLocator): PoolLocator => ({
  configVersion,
  mint,
  ...(pool ? { pool } : {}),
});

/** What a wallet pays 1 SOL for: tokens of the sample pool `creator`. */
export const quoteOneSol = () => quoteBuy(client, { ...termsOf(), maxSolSpend: 1 });

/** The transaction of that buy. */
export const buyFor = async (payer: Address, change: object = {}) =>
  await buildBuy(client, { payer, quoteResponse: await quoteOneSol(), ...change });

/** What a wallet launches: a token of which it buys none at first. A test adds the signer of its mint. */
export const launchOf = (wallet: Address, of = ledger) => ({
  payer: wallet,
  creator: wallet,
  name: 'A token',
  symbol: 'TOKEN',
  uri: 'https://example.com/token.json',
  initialPurchaseAmount: 0n,
  lutAddress: of.lookupTables.community,
});

/** A client of the ledger whose node answers one method with something else. */
export const lying = (
  method: string,
  change: (result: never, params: readonly unknown[]) => unknown,
): HeavenClient =>
  clientOver(async (call: Call) => {
    const answer = (await ledger.transport(call as never)) as { readonly result: never };
    const { payload } = call;
    if (payload.method !== method) return answer;
    return { ...answer, result: change(structuredClone(answer.result), payload.params) };
  });
