// The other traders of practice mode: what they did before the page was opened, and the one whose buy is simulated.
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
/** The reserves from which they come to those of the page's ledger. */
const START = { tokenA: 320_112_653_371_823_432n, tokenB: 109_336_509_106n };

/** Runs the past on a ledger of its own, so that the page's numbers don't move meanwhile. */
export async function createPast(seconds: number): Promise<readonly heaven.Trade[]> {
  const ledger = await testing.createEmbeddedLedger();
  const pool = ledger.pools.community;
  ledger.setReserves(pool.pool, START);
  await testing.runSampleTrades(ledger, { count: PAST_TRADES, seconds, pool });
  const client = heaven.createHeavenClient({ rpc: ledger.rpc });
  return (await heaven.listTrades(client, { pool: pool.pool, limit: PAST_TRADES })).trades;
}
