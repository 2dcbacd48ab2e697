// Practice mode: the exchange on a ledger inside the page, with a past, a wallet to try it with and other traders. A page for a
// cluster needs none of this.
import { type Address, createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import * as heaven from 'heaven-pools';
import * as testing from 'heaven-pools/testing';

export type Practice = Awaited<ReturnType<typeof createPractice>>;

const NAMES: Record<testing.SamplePoolName, [name: string, symbol: string]> = {
  community: ['Community token', 'COMM'],
  creator: ['Creator token', 'CREA'],
  pro: ['Pro token', 'PRO'],
  launching: ['Launching token', 'NEW'],
};
/** Where the tokens' files seem to be. They come with the page. */
const FILES = 'https://example.com/tokens/';
const PAST_SECONDS = 28_800;
const SOL_PRICE = '82.0175991';
/** Every 100 seconds: the exchange reports older prices as stale. */
const SLOTS_PER_PRICE = BigInt(100_000 / testing.SLOT_MS);

export async function createPractice() {
  const params = new URLSearchParams(location.search);
  const ledger = await testing.createEmbeddedLedger();
  for (const [pool, [name, symbol]] of Object.entries(NAMES)) {
    const { mint } = ledger.pools[pool as testing.SamplePoolName];
    await testing.setTokenMetadata(ledger, mint, { name, symbol, uri: `${FILES}${symbol}.json` });
  }
  const hasPast = params.get('history') !== 'none';
  if (hasPast) {
    // The past ends now, so the clock starts after it. The launching pool must still be in its launch.
    ledger.setSlot(ledger.slot + BigInt((PAST_SECONDS * 1_000) / testing.SLOT_MS) + 1n);
    ledger.setSolPrice(SOL_PRICE);
    ledger.updatePool(ledger.pools.launching.pool, () => ({ createdAtSlot: ledger.slot - 2n }));
  }
  const tick = () => {
    ledger.setSlot(ledger.slot + 1n);
    if (ledger.slot % SLOTS_PER_PRICE === 0n) ledger.setSolPrice(SOL_PRICE);
  };
  // For the console: try `ledger.setReserves(…)`.
  Object.assign(globalThis, { ledger });
  return {
    ledger,
    /** Lets time pass, and offers a wallet to the page as an extension does, until the returned function is called. */
    start: () => {
      const asked = params.get('guards');
      const guards = asked === 'phantom' || asked === 'solflare' ? asked : 'none';
      const registered = testing.registerPracticeWallet({ guards, rpc: ledger.rpc });
      const timer = params.get('time') !== 'paused' && setInterval(tick, testing.SLOT_MS);
      return () => {
        clearInterval(timer || undefined);
        void registered.then((unregister) => unregister());
      };
    },
    /** Gives a wallet SOL the first time. */
    welcome: (wallet: Address) => {
      if (ledger.getAccount(wallet) === undefined) ledger.setBalance(wallet, 100_000_000_000n);
    },
    simulateBuy: (mint: Address) => buyAsStranger(ledger, mint, 5_000_000_000n),
    pastTrades: async (pool: Address) =>
      hasPast && pool === ledger.pools.community.pool ? await createPast() : [],
    fetchFile: (url: string | URL | Request, init?: RequestInit) =>
      fetch(String(url).replace(FILES, './tokens/'), init),
  };
}

async function buyAsStranger(
  ledger: testing.EmbeddedLedger,
  mint: Address,
  lamports: bigint,
): Promise<string> {
  const client = heaven.createHeavenClient({ rpc: ledger.rpc });
  const { address, signTransaction } = await testing.createPracticeWallet();
  // As much again, for fees and rent.
  ledger.setBalance(address, 2n * lamports);
  const input = { side: 'buy', mint, lamports, slippageBps: 1_000 } as const;
  const { quote } = await heaven.quoteBest(client, input);
  const built = await heaven.buildTrade(client, { quote, payer: address });
  const outcome = await heaven.signAndSubmitTransaction(client, built, { sign: signTransaction });
  if (outcome.status === 'failed') throw outcome.error;
  const { priceBefore, priceAfter } = quote.details;
  return `Someone bought 5 SOL: +${((priceAfter / priceBefore - 1) * 100).toFixed(1)}%`;
}

/** How the past changes the pool's reserves, in parts per billion. */
const GROWTH = { tokenA: 950_752_252n, tokenB: 1_051_798_717n } as const;

/**
 * Runs the past on a ledger of its own, so that the page's numbers don't move meanwhile. Its reserves start where the trades will end at
 * those of the page's ledger.
 */
async function createPast(): Promise<readonly heaven.Trade[]> {
  const ledger = await testing.createEmbeddedLedger();
  // Lets the browser draw and react between requests.
  const transport = async (request: Parameters<typeof ledger.transport>[0]) => {
    await new Promise((resolve) => setTimeout(resolve));
    return await ledger.transport(request);
  };
  const rpc = createSolanaRpcFromTransport(transport as RpcTransport) as typeof ledger.rpc;
  const client = heaven.createHeavenClient({ rpc });
  const { community } = ledger.pools;
  const { reserveA, reserveB } = await heaven.fetchPoolSnapshot(client, community);
  ledger.setReserves(community.pool, {
    tokenA: (reserveA * 1_000_000_000n) / GROWTH.tokenA,
    tokenB: (reserveB * 1_000_000_000n) / GROWTH.tokenB,
  });
  await testing.runSampleTrades(Object.assign(ledger, { rpc }), {
    count: 36,
    seconds: PAST_SECONDS,
    pool: community,
  });
  return (await heaven.listTrades(client, { pool: community.pool, limit: 36 })).trades;
}
