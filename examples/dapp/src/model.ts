// The embedded ledger as a cluster in the page, with token names, advancing slots, and a wallet to try it with. A cluster needs
// none of this.
import type { Address } from '@solana/kit';
import type { MetadataFetch, Trade } from 'heaven-pools';
import {
  createEmbeddedLedger,
  registerPracticeWallet,
  type SamplePoolName,
  SLOT_MS,
  setTokenMetadata,
} from 'heaven-pools/testing';

import type { Model } from './connection.js';

const NAMES: Readonly<Record<SamplePoolName, readonly [name: string, symbol: string]>> = {
  community: ['Community token', 'COMM'],
  creator: ['Creator token', 'CREA'],
  pro: ['Pro token', 'PRO'],
  launching: ['Launching token', 'NEW'],
};
/** Eight hours. */
const PAST_SECONDS = 28_800;
/** Every 100 seconds. */
const SLOTS_PER_PRICE = BigInt(100_000 / SLOT_MS);
const SOL_PRICE = '82.0175991';
const WELCOME_LAMPORTS = 100_000_000_000n;

export async function createModel(isRunning: boolean): Promise<{
  readonly model: Model;
  readonly fetchFile: MetadataFetch;
  readonly close: () => void;
}> {
  const ledger = await createEmbeddedLedger();
  for (const [pool, [name, symbol]] of Object.entries(NAMES)) {
    const { mint } = ledger.pools[pool as SamplePoolName];
    const uri = IMAGES[symbol] === undefined ? '' : `${FILES}${symbol}.json`;
    await setTokenMetadata(ledger, mint, { name, symbol, uri });
  }
  const params = new URLSearchParams(globalThis.location?.search);
  const hasPast = params.get('history') !== 'none';
  if (hasPast) {
    // The past ends now, so the clock starts after it. This pool must still be in its launch.
    ledger.setSlot(ledger.slot + BigInt((PAST_SECONDS * 1_000) / SLOT_MS) + 1n);
    ledger.setSolPrice(SOL_PRICE);
    ledger.updatePool(ledger.pools.launching.pool, () => ({ createdAtSlot: ledger.slot - 2n }));
  }
  let past: Promise<readonly Trade[]> | undefined;
  const model: Model = {
    ledger,
    isRunning,
    pastTrades: async (pool) => {
      if (!hasPast || pool !== ledger.pools.community.pool) return [];
      past ??= import('./model-past.js').then(({ createPast }) => createPast(PAST_SECONDS));
      return await past;
    },
    keepFile: (text) => {
      const url = `${FILES}launch-${kept.size + 1}.json`;
      kept.set(url, text);
      return url;
    },
    welcome: (wallet) => {
      if (ledger.getAccount(wallet as Address) === undefined)
        ledger.setBalance(wallet as Address, WELCOME_LAMPORTS);
    },
  };
  const timer = setInterval(() => {
    if (!model.isRunning) return;
    ledger.setSlot(ledger.slot + 1n);
    // Refresh the price regularly, or it would be reported as stale.
    if (ledger.slot % SLOTS_PER_PRICE === 0n) ledger.setSolPrice(SOL_PRICE);
  }, SLOT_MS);
  // For the console: try `ledger.setReserves(…)`.
  Object.assign(globalThis, { ledger });
  // The page finds and uses this wallet like any other. With `?guards=phantom` or `?guards=solflare` it adds assertions like these.
  const asked = params.get('guards');
  const guards = asked === 'phantom' || asked === 'solflare' ? asked : 'none';
  const unregister = registerPracticeWallet({ guards, rpc: ledger.rpc });
  return {
    model,
    fetchFile,
    close: () => {
      clearInterval(timer);
      void unregister.then((leave) => leave());
    },
  };
}

/** The URL prefix of the model's token files. Nothing is fetched from there: the page generates them. */
const FILES = 'https://example.com/tokens/';
/** The two colours of each token's image. The other tokens have no image, to show the fallback. */
const IMAGES: Readonly<Record<string, readonly [string, string]>> = {
  COMM: ['#ff9f5a', '#7a2fd0'],
  CREA: ['#5ad0ff', '#0b3fa8'],
  PRO: ['#7af0b0', '#0a5b6b'],
};

/** The files of tokens that were launched in this page. */
const kept = new Map<string, string>();

/** Answers like the host of the model's files. */
const fetchFile: MetadataFetch = async (url, init) => {
  // All other URLs are real files, such as one for a launch.
  if (!url.startsWith(FILES)) return await fetch(url, init);
  const file = kept.get(url);
  if (file !== undefined) return new Response(file);
  const [, symbol = '', kind] = /^https:\/\/example\.com\/tokens\/(\w+)\.(json|png)$/.exec(url) ?? [];
  const colours = IMAGES[symbol];
  if (colours === undefined) return new Response(null, { status: 404 });
  if (kind === 'json') return Response.json({ image: `${FILES}${symbol}.png` });
  const canvas = new OffscreenCanvas(72, 72);
  const context = canvas.getContext('2d');
  if (context === null) return new Response(null, { status: 404 });
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
};
