// The trades from before the page was opened, for the first chart of practice mode.
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { createClient, fetchPoolSnapshot, listTrades, type Trade } from 'heaven-pools';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from 'heaven-pools/testing';

const TRADES = 36;
/** How the trades change the pool's reserves, in parts per billion. */
const GROWTH = { tokenA: 950_752_252n, tokenB: 1_051_798_717n } as const;
const ONE = 1_000_000_000n;

/** Yields to the browser. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Runs the trades on a separate ledger, so that the page doesn't wait and its numbers don't move. The initial reserves there
 * are chosen so that the trades end at those of the page's ledger. Returns the newest trades first.
 */
export async function createPast(seconds: number): Promise<readonly Trade[]> {
  await pause();
  const ledger = await createEmbeddedLedger();
  // Lets the browser draw and react between requests.
  const rpc = createSolanaRpcFromTransport((async (request) => {
    await pause();
    return await ledger.transport(request);
  }) as RpcTransport);
  const client = createClient({ rpc });
  const { community } = ledger.pools;
  const { reserveA, reserveB } = await fetchPoolSnapshot(client, community);
  ledger.setReserves(community.pool, {
    tokenA: (reserveA * ONE) / GROWTH.tokenA,
    tokenB: (reserveB * ONE) / GROWTH.tokenB,
  });
  const paced: EmbeddedLedger = Object.create(ledger, { rpc: { value: rpc } });
  await runSampleTrades(paced, { count: TRADES, seconds, pool: community });
  const { trades } = await listTrades(client, { pool: community.pool, limit: TRADES });
  return trades;
}
