// Practice mode: the exchange on a ledger inside the page, with a past, a wallet to try it with and other traders. A page for a
// cluster needs none of this.
import { type Address, createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import {
  buildTrade,
  createClient,
  fetchPoolSnapshot,
  listTrades,
  quoteBuy,
  quoteProBuy,
  signAndSubmitTransaction,
  type Trade,
} from 'heaven-pools';
import {
  createEmbeddedLedger,
  createPracticeWallet,
  type EmbeddedLedger,
  registerPracticeWallet,
  runSampleTrades,
  type SamplePoolName,
  SLOT_MS,
  setTokenMetadata,
} from 'heaven-pools/testing';

import type { Pool } from '../queries';

export interface Practice {
  readonly ledger: EmbeddedLedger;
  /** Lets time pass until the returned function is called. */
  run(): () => void;
  /** Offers a wallet to the page, as an extension does, until the returned function is called. */
  offerWallet(): () => void;
  /** Gives a wallet SOL to play with, the first time. */
  welcome(wallet: Address): void;
  /** Somebody else buys for 5 SOL. */
  simulateBuy(pool: Pool): Promise<void>;
  /** A pool's trades from before the page was opened, newest first. */
  pastTrades(pool: Address): Promise<readonly Trade[]>;
  /** Hosts a token's file for this page only, and returns its URL. */
  keepFile(text: string): string;
  fetchFile(url: string, init?: RequestInit): Promise<Response>;
}

const NAMES: Readonly<Record<SamplePoolName, readonly [name: string, symbol: string]>> = {
  community: ['Community token', 'COMM'],
  creator: ['Creator token', 'CREA'],
  pro: ['Pro token', 'PRO'],
  launching: ['Launching token', 'NEW'],
};
/** The two colours of each token's image. The launching token has none, to show the fallback. */
const COLOURS: Readonly<Record<string, readonly [string, string]>> = {
  COMM: ['#ff9f5a', '#7a2fd0'],
  CREA: ['#5ad0ff', '#0b3fa8'],
  PRO: ['#7af0b0', '#0a5b6b'],
};
/** Where the tokens' files seem to be. The page makes them itself. */
const FILES = 'https://example.com/tokens/';
const PAST_SECONDS = 28_800;
const SOL_PRICE = '82.0175991';
/** Every 100 seconds: the exchange reports older prices as stale. */
const SLOTS_PER_PRICE = BigInt(100_000 / SLOT_MS);

export async function createPractice(): Promise<Practice> {
  const params = new URLSearchParams(location.search);
  const ledger = await createEmbeddedLedger();
  for (const [pool, [name, symbol]] of Object.entries(NAMES)) {
    const uri = symbol in COLOURS ? `${FILES}${symbol}.json` : '';
    await setTokenMetadata(ledger, ledger.pools[pool as SamplePoolName].mint, { name, symbol, uri });
  }
  const hasPast = params.get('history') !== 'none';
  if (hasPast) {
    // The past ends now, so the clock starts after it. The launching pool must still be in its launch.
    ledger.setSlot(ledger.slot + BigInt((PAST_SECONDS * 1_000) / SLOT_MS) + 1n);
    ledger.setSolPrice(SOL_PRICE);
    ledger.updatePool(ledger.pools.launching.pool, () => ({ createdAtSlot: ledger.slot - 2n }));
  }
  let past: Promise<readonly Trade[]> | undefined;
  const kept = new Map<string, string>();
  // For the console: try `ledger.setReserves(…)`.
  Object.assign(globalThis, { ledger });
  return {
    ledger,
    run: () => {
      const timer = setInterval(() => {
        ledger.setSlot(ledger.slot + 1n);
        if (ledger.slot % SLOTS_PER_PRICE === 0n) ledger.setSolPrice(SOL_PRICE);
      }, SLOT_MS);
      return () => clearInterval(timer);
    },
    offerWallet: () => {
      const asked = params.get('guards');
      const guards = asked === 'phantom' || asked === 'solflare' ? asked : 'none';
      const registered = registerPracticeWallet({ guards, rpc: ledger.rpc });
      return () => void registered.then((unregister) => unregister());
    },
    welcome: (wallet) => {
      if (ledger.getAccount(wallet) === undefined) ledger.setBalance(wallet, 100_000_000_000n);
    },
    simulateBuy: (pool) => buyAsStranger(ledger, pool, 5_000_000_000n),
    pastTrades: async (pool) => {
      if (!hasPast || pool !== ledger.pools.community.pool) return [];
      past ??= createPast();
      return await past;
    },
    keepFile: (text) => {
      const url = `${FILES}launch-${kept.size + 1}.json`;
      kept.set(url, text);
      return url;
    },
    fetchFile: async (url, init) => {
      if (!url.startsWith(FILES)) return await fetch(url, init);
      const file = kept.get(url);
      return file === undefined ? await sampleFile(url.slice(FILES.length)) : new Response(file);
    },
  };
}

/** The metadata file or the image of a sample token. */
async function sampleFile(name: string): Promise<Response> {
  const [symbol = '', kind] = name.split('.');
  const colours = COLOURS[symbol];
  if (colours === undefined) return new Response(null, { status: 404 });
  if (kind === 'json') return Response.json({ image: `${FILES}${symbol}.png` });
  const canvas = new OffscreenCanvas(72, 72);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  const gradient = context.createLinearGradient(0, 0, 72, 72);
  for (const [index, colour] of colours.entries()) gradient.addColorStop(index, colour);
  context.fillStyle = gradient;
  context.fillRect(0, 0, 72, 72);
  context.fillStyle = 'rgb(255 255 255 / 85%)';
  context.beginPath();
  context.arc(36, 46, 18, Math.PI, 0);
  context.fill();
  context.fillRect(10, 50, 52, 4);
  return new Response(await canvas.convertToBlob(), { headers: { 'content-type': 'image/png' } });
}

async function buyAsStranger(ledger: EmbeddedLedger, of: Pool, lamports: bigint): Promise<void> {
  const client = createClient({ rpc: ledger.rpc });
  const { address, signTransaction } = await createPracticeWallet();
  // As much again, for fees and rent.
  ledger.setBalance(address, 2n * lamports);
  const { mint, configVersion, kind, address: pool } = of;
  const input = { mint, configVersion, lamports, slippageBps: 1_000 };
  const quote = await (kind === 'pro' ? quoteProBuy(client, { ...input, pool }) : quoteBuy(client, input));
  const built = await buildTrade(client, { quote, payer: address });
  const outcome = await signAndSubmitTransaction(client, built, { sign: signTransaction });
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
}

const TRADES = 36;
/** How the past changes the pool's reserves, in parts per billion. */
const GROWTH = { tokenA: 950_752_252n, tokenB: 1_051_798_717n } as const;

/**
 * Runs the past on a ledger of its own, so that the page's numbers don't move meanwhile. Its reserves start where the trades will end at
 * those of the page's ledger.
 */
async function createPast(): Promise<readonly Trade[]> {
  const ledger = await createEmbeddedLedger();
  // Lets the browser draw and react between requests.
  const transport = async (request: Parameters<typeof ledger.transport>[0]) => {
    await new Promise((resolve) => setTimeout(resolve));
    return await ledger.transport(request);
  };
  const rpc = createSolanaRpcFromTransport(transport as RpcTransport) as typeof ledger.rpc;
  const client = createClient({ rpc });
  const { community } = ledger.pools;
  const { reserveA, reserveB } = await fetchPoolSnapshot(client, community);
  ledger.setReserves(community.pool, {
    tokenA: (reserveA * 1_000_000_000n) / GROWTH.tokenA,
    tokenB: (reserveB * 1_000_000_000n) / GROWTH.tokenB,
  });
  const paced: EmbeddedLedger = Object.create(ledger, { rpc: { value: rpc } });
  await runSampleTrades(paced, { count: TRADES, seconds: PAST_SECONDS, pool: community });
  return (await listTrades(client, { pool: community.pool, limit: TRADES })).trades;
}
