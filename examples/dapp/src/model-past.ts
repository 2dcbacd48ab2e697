// The trades from before the page was opened, for the first chart of practice mode.
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { createClient, fetchPoolSnapshot, listTrades, type Trade } from 'heaven-pools';
import { createEmbeddedLedger, type EmbeddedLedger, runSampleTrades } from 'heaven-pools/testing';

const TRADES = 36;
/** What the trades do to the reserves of the pool, in parts of a billion. */
const GROWTH = { tokenA: 950_752_252n, tokenB: 1_051_798_717n } as const;
const ONE = 1_000_000_000n;

/** Until the browser has had its turn. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Runs the trades on a ledger of their own, newest first, so that nobody waits for them and no figure moves while they run. The pool
 * there begins with such reserves that the trades lead to those of the page's ledger.
 */
export async function createPast(seconds: number): Promise<readonly Trade[]> {
  await pause();
  const ledger = await createEmbeddedLedger();
  // The browser draws and answers between two requests: it would not, as long as one follows the other.
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
