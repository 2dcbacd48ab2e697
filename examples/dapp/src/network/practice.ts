// Practice mode: the exchange on a ledger inside the page, with a past, a wallet to try it with and other traders. A page for a
// cluster needs none of this.
import type { Address } from '@solana/kit';
import * as testing from 'heaven-pools/testing';

import type { BoughtPool } from './other-traders';

export type Practice = Awaited<ReturnType<typeof createPractice>>;

let started: Promise<Practice> | undefined;

/** One exchange for as long as the page is open. */
export function startPractice(): Promise<Practice> {
  started ??= createPractice();
  return started;
}

const NAMES: Record<testing.SamplePoolName, [name: string, symbol: string]> = {
  community: ['Community token', 'COMM'],
  creator: ['Creator token', 'CREA'],
  pro: ['Pro token', 'PRO'],
  launching: ['Launching token', 'NEW'],
};
/** Where the tokens' files seem to be. They come with the page. */
const FILES = 'https://example.com/tokens/';
const PAST_SECONDS = 28_800;
/** What was traded in that time, before fees. */
export const PAST_VOLUME_USD = 1_424.55;
const SOL_PRICE = '82.0175991';
/** Every 100 seconds: the exchange reports older prices as stale. */
const SLOTS_PER_PRICE = BigInt(100_000 / testing.SLOT_MS);

const others = () => import('./other-traders');

async function createPractice() {
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
    ledger.updatePool(ledger.pools.community.pool, () => ({ tradingVolumeUsd: PAST_VOLUME_USD }));
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
      // The second one signs beside the first, as whoever receives a pool's fees.
      const registered = ['Practice wallet', 'Second wallet'].map((name) =>
        testing.registerPracticeWallet({ name, guards, rpc: ledger.rpc }),
      );
      const timer = params.get('time') !== 'paused' && setInterval(tick, testing.SLOT_MS);
      return () => {
        clearInterval(timer || undefined);
        for (const one of registered) void one.then((unregister) => unregister());
      };
    },
    /** Gives a wallet SOL the first time. */
    welcome: (wallet: Address) => {
      if (ledger.getAccount(wallet) === undefined) ledger.setBalance(wallet, 100_000_000_000n);
    },
    simulateBuy: async (pool: BoughtPool) => await (await others()).buyFiveSol(ledger, pool),
    pastTrades: async (pool: Address) =>
      hasPast && pool === ledger.pools.community.pool ? await (await others()).createPast(PAST_SECONDS) : [],
    fetchFile: (url: string | URL | Request, init?: RequestInit) =>
      fetch(String(url).replace(FILES, './tokens/'), init),
  };
}
