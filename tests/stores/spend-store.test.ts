import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import {
  createClient,
  createSpendStore,
  findShortage,
  maximumSpend,
  type WalletSpend,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger } from '../support/ledger.js';
import { giveTokens, mint, pass, reads, useWallet, wallet } from '../support/wallet-stores.js';

useWallet();

/** The fee of a transaction: a signature, 0.008 SOL of priority fee, and 0.0012 for a wallet's guards. */
const FEE = 5_000n + 8_000_000n + 1_200_000n;

async function spendOf(input: Partial<Parameters<typeof createSpendStore>[1]> = {}): Promise<WalletSpend> {
  using store = createSpendStore(client, { wallet, mint, ...input });
  store.subscribe(() => {});
  await pass(0);
  const { data } = store.getSnapshot();
  if (data === undefined) throw new Error('It has no data.');
  return data;
}

describe('a spend store', () => {
  test('has what the wallet holds, and what maximumSpend computes for either side, in one read', async () => {
    giveTokens(7_000_000_000n);
    const before = reads();
    const spend = await spendOf();
    expect(reads()).toBe(before + 1);
    const common = { wallet, mint } as const;
    expect(spend).toMatchObject({ mint, decimals: 9, lamports: 5_000_000_000n, tokenUnits: 7_000_000_000n });
    expect(spend.sell).toEqual(await maximumSpend(client, { ...common, side: 'sell' }));
    // A buy leaves the fee of a later sell.
    expect(spend.buy).toEqual(await maximumSpend(client, { ...common, side: 'buy', keepLamports: FEE }));
    expect(spend.buy.breakdown.kept).toBe(FEE);
    const { buy } = await spendOf({ keepLamports: 0n, wrapSol: 'temporary' });
    expect(buy).toEqual(
      await maximumSpend(client, { ...common, side: 'buy', keepLamports: 0n, wrapSol: 'temporary' }),
    );
  });

  test('reads again when the wallet or its token account changes', async () => {
    const store = createSpendStore(client, { wallet, mint });
    store.subscribe(() => {});
    await pass(100);
    const before = reads();
    ledger.setSlot(ledger.slot + 1n);
    ledger.setBalance(wallet, 4_000_000_000n);
    giveTokens(3n);
    await pass(100);
    expect(reads()).toBe(before + 1);
    expect(store.getSnapshot()).toMatchObject({
      status: 'ready',
      data: { lamports: 4_000_000_000n, tokenUnits: 3n, sell: { amount: 3n } },
    });
    store.dispose();
  });

  test('reads on refresh, without subscriptions', async () => {
    const store = createSpendStore(createClient({ rpc: ledger.rpc }), { wallet, mint });
    store.subscribe(() => {});
    await pass(0);
    giveTokens(9n);
    await store.refresh();
    expect(store.getSnapshot().data?.tokenUnits).toBe(9n);
    store.dispose();
  });

  test('says what is wrong with its input, and throws nothing', async () => {
    for (const [input, code] of [
      [{ wallet: 'me' as Address }, 'invalid-address'],
      [{ keepLamports: -1n }, 'invalid-amount'],
    ] as const) {
      const store = createSpendStore(client, { wallet: wallet as Address, mint, ...(input as object) });
      store.subscribe(() => {});
      await pass(0);
      expect(store.getSnapshot()).toMatchObject({ status: 'error', error: { code } });
      store.dispose();
    }
  });
});

describe('a shortage', () => {
  test('is of SOL or of the token, to the lamport', async () => {
    giveTokens(7n);
    const spend = await spendOf();
    const { amount, breakdown } = spend.buy;
    // One may use what Max keeps for a later sell.
    expect(findShortage(spend, 'buy', amount + breakdown.kept)).toBeUndefined();
    expect(findShortage(spend, 'buy', amount + breakdown.kept + 1n)).toBe('SOL');
    expect(findShortage(spend, 'sell', 7n)).toBeUndefined();
    expect(findShortage(spend, 'sell', 8n)).toBe('token');
  });

  test('is of SOL if the fees can not be paid', async () => {
    giveTokens(7n);
    ledger.setBalance(wallet, 1_000_000n);
    const spend = await spendOf();
    expect([findShortage(spend, 'buy', 1n), findShortage(spend, 'sell', 7n)]).toEqual(['SOL', 'SOL']);
    expect(findShortage(spend, 'sell', 8n)).toBe('token');
    await expectRefusal(() => findShortage(spend, 'swap' as 'buy', 1n), 'invalid-input', { field: 'side' });
  });
});
