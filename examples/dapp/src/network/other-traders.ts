// The other traders of practice mode: what they did before the page was opened, and the one whose buy is simulated.
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import * as heaven from 'heaven-pools';
import * as testing from 'heaven-pools/testing';

export type BoughtPool = Pick<heaven.FoundPool, 'address' | 'mint' | 'kind' | 'configVersion'>;

/** Buys in a pool, whatever another pool of its token would give, and returns by what part that raised the price. */
export async function buyFiveSol(
  ledger: testing.EmbeddedLedger,
  { kind, mint, address: pool, configVersion }: BoughtPool,
): Promise<number> {
  const lamports = 5_000_000_000n;
  const client = heaven.createHeavenClient({ rpc: ledger.rpc });
  const { address, signTransaction } = await testing.createPracticeWallet();
  // As much again, for fees and rent.
  ledger.setBalance(address, 2n * lamports);
  const input = { mint, configVersion, lamports, slippageBps: 1_000 };
  const quote = await (kind === 'pro'
    ? heaven.quoteProBuy(client, { ...input, pool })
    : heaven.quoteBuy(client, input));
  const built = await heaven.buildTrade(client, { quote, payer: address });
  const outcome = await heaven.signAndSubmitTransaction(client, built, { sign: signTransaction });
  if (outcome.status === 'failed') throw outcome.error;
  const { priceBefore, priceAfter } = quote.details;
  return priceAfter / priceBefore - 1;
}

const PAST_TRADES = 36;
/** How they change the pool's reserves, in parts per billion. */
const GROWTH = { tokenA: 950_752_252n, tokenB: 1_051_798_717n } as const;

/**
 * Runs the past on a ledger of its own, so that the page's numbers don't move meanwhile. Its reserves start where the trades will end at
 * those of the page's ledger.
 */
export async function createPast(seconds: number): Promise<readonly heaven.Trade[]> {
  const ledger = await testing.createEmbeddedLedger();
  // Lets the browser draw and react between requests.
  const transport = async (request: Parameters<typeof ledger.transport>[0]) => {
    await new Promise((resolve) => setTimeout(resolve));
    return await ledger.transport(request);
  };
  const rpc = createSolanaRpcFromTransport(transport as RpcTransport) as typeof ledger.rpc;
  const client = heaven.createHeavenClient({ rpc });
  const { community } = ledger.pools;
  const { reserveA, reserveB } = await heaven.fetchPoolSnapshot(client, {
    mint: community.mint,
    configVersion: community.configVersion,
  });
  ledger.setReserves(community.pool, {
    tokenA: (reserveA * 1_000_000_000n) / GROWTH.tokenA,
    tokenB: (reserveB * 1_000_000_000n) / GROWTH.tokenB,
  });
  const trades = { count: PAST_TRADES, seconds, pool: community };
  await testing.runSampleTrades(Object.assign(ledger, { rpc }), trades);
  return (await heaven.listTrades(client, { pool: community.pool, limit: PAST_TRADES })).trades;
}
