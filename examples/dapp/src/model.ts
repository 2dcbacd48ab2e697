// The embedded ledger as a cluster in the page, with names for its tokens, slots that go by, and a wallet to try it with.
// Nothing of this is needed on a cluster.
import { type Address, getAddressEncoder } from '@solana/kit';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from 'heaven-pools/program';
import { createEmbeddedLedger, runSampleTrades, type SamplePoolName, SLOT_MS } from 'heaven-pools/testing';

import type { Model } from './connection.js';
import { registerPracticeWallet } from './practice-wallet.js';
import { findMetadataAddress } from './token-names.js';

const NAMES: Readonly<Record<SamplePoolName, readonly [name: string, symbol: string]>> = {
  community: ['Community token', 'COMM'],
  creator: ['Creator token', 'CREA'],
  pro: ['Pro token', 'PRO'],
  launching: ['Launching token', 'NEW'],
};
/** Every 100 seconds. */
const SLOTS_PER_PRICE = BigInt(100_000 / SLOT_MS);
/** What the first pool's chart starts with: eight hours of trades. */
const PAST = { count: 36, seconds: 28_800 } as const;
const WELCOME_LAMPORTS = 100_000_000_000n;

export async function createModel(isRunning: boolean): Promise<{ model: Model; close: () => void }> {
  const ledger = await createEmbeddedLedger();
  for (const [pool, [name, symbol]] of Object.entries(NAMES)) {
    const { mint } = ledger.pools[pool as SamplePoolName];
    ledger.setAccount(await findMetadataAddress(mint), {
      owner: TOKEN_METADATA_PROGRAM_ADDRESS,
      data: encodeMetadata(mint, name, symbol),
    });
  }
  const params = new URLSearchParams(globalThis.location?.search);
  if (params.get('history') !== 'none') {
    const { community, launching } = ledger.pools;
    await runSampleTrades(ledger, { ...PAST, pool: community });
    // The clock has moved on, and this one is to be in its launch still.
    ledger.updatePool(launching.pool, () => ({ createdAtSlot: ledger.slot - 2n }));
  }
  const model: Model = {
    ledger,
    isRunning,
    welcome: (wallet) => {
      if (ledger.getAccount(wallet as Address) === undefined)
        ledger.setBalance(wallet as Address, WELCOME_LAMPORTS);
    },
  };
  const timer = setInterval(() => {
    if (!model.isRunning) return;
    ledger.setSlot(ledger.slot + 1n);
    // Whoever writes the price does so now and then, or it would be told to be old.
    if (ledger.slot % SLOTS_PER_PRICE === 0n) ledger.setSolPrice('82.0175991');
  }, SLOT_MS);
  // For the console: `ledger.setReserves(…)` and the rest of it.
  Object.assign(globalThis, { ledger });
  const unregister = await registerPracticeWallet(ledger);
  return {
    model,
    close: () => {
      clearInterval(timer);
      unregister();
    },
  };
}

/** What the exchange's launches leave in the metadata account, as far as the page reads it. */
function encodeMetadata(mint: Address, name: string, symbol: string): Uint8Array {
  const text = (value: string) => {
    const bytes = new TextEncoder().encode(value);
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length, true);
    return [...length, ...bytes];
  };
  return Uint8Array.from([
    4,
    ...new Uint8Array(32),
    ...getAddressEncoder().encode(mint),
    ...text(name),
    ...text(symbol),
  ]);
}
