import type { Address } from '@solana/kit';
import { afterEach, beforeEach, expect, vi } from 'vitest';

import { getWalletBalances } from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/program/index.js';
import { STRANGER } from './addresses.js';
import { client, ledger, useLedger } from './ledger.js';

// A wallet with 5 SOL on the embedded ledger, for the stores that follow it on fake time.

export const wallet = STRANGER;
export let mint: Address;
/** The wallet's account for the token. */
export let account: Address;

/** Call it once per file. Each test gets a new ledger, and must leave no timer and no subscription. */
export function useWallet(): void {
  useLedger();

  beforeEach(async () => {
    const { mint: creatorMint, tokenProgram } = ledger.pools.creator;
    mint = creatorMint;
    account = await findAssociatedTokenAddress({ owner: wallet, mint, tokenProgram });
    ledger.setBalance(wallet, 5_000_000_000n);
    // Derived addresses are cached from here on: what follows needs no thread, and so no time.
    await getWalletBalances(client, { wallet, mints: [mint] });
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
  });

  afterEach(() => {
    const left = vi.getTimerCount();
    vi.useRealTimers();
    expect([left, ledger.subscriptions.count]).toEqual([0, 0]);
  });
}

export const pass = async (ms: number) => {
  for (let k = 0; k < 6; k++) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(ms);
  for (let k = 0; k < 6; k++) await new Promise((resolve) => setImmediate(resolve));
};
export const giveTokens = (amount: bigint) =>
  ledger.setTokenAccount(account, ledger.pools.creator.tokenProgram, { mint, owner: wallet, amount });
export const reads = () => ledger.requests.filter(({ method }) => method === 'getMultipleAccounts').length;
