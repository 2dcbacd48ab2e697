import { type Address, generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { shortageOf } from '../../examples/dapp/src/balances.js';
import { mayHoldKey } from '../../examples/dapp/src/connection.js';
import {
  formatAmount,
  formatBps,
  formatChange,
  formatPrice,
  formatShort,
} from '../../examples/dapp/src/format.js';
import { explain, Problem } from '../../examples/dapp/src/messages.js';
import { type Quote, readAmount, readSlippage, SOL } from '../../examples/dapp/src/quote.js';
import {
  buildTrade,
  createSpendStore,
  type FetchedPoolSnapshot,
  fetchPoolSnapshot,
  HeavenError,
  quoteBuy,
  reviewTransaction,
  toUiAmount,
  type WalletSpend,
} from '../../src/index.js';
import { findAssociatedTokenAddress } from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { client, ledger, useLedger } from '../support/ledger.js';
import { fc } from '../support/properties.js';

// The parts of the page that need no browser.

useLedger();
const snapshotOf = (name: keyof EmbeddedLedger['pools']) => fetchPoolSnapshot(client, ledger.pools[name]);

/** A buy in a standard pool, as the page's quote store has it. */
async function quoteOf(name: 'community' | 'creator', lamports: bigint, slippageBps: number): Promise<Quote> {
  const snapshot = await snapshotOf(name);
  const quote = await quoteBuy(client, { ...ledger.pools[name], lamports, slippageBps, snapshot });
  const ask = { side: 'buy', given: 'pay', amount: lamports, slippageBps } as const;
  return { side: 'buy', ask, quote, snapshot };
}

/** What a wallet holds, and the most that it can trade. */
async function fetchBalances(wallet: Address, { addresses: { mint } }: FetchedPoolSnapshot) {
  const store = createSpendStore(client, { wallet, mint, wrapSol: 'temporary' });
  return await new Promise<WalletSpend>((resolve) => {
    store.subscribe(({ data }) => {
      if (data === undefined) return;
      store.dispose();
      resolve(data);
    });
  });
}

describe('the quotes of the page', () => {
  test('amounts are read digit by digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 0xffff_ffff_ffff_ffffn }),
        fc.integer({ min: 0, max: 12 }),
        (amount, decimals) => {
          const unit = { decimals, symbol: 'COMM' };
          expect(readAmount(toUiAmount(amount, decimals), unit)).toBe(amount);
          // What the page shows is what it reads, but for its commas.
          expect(readAmount(formatAmount(amount, decimals).replaceAll(',', ''), unit)).toBe(amount);
        },
      ),
    );
    expect(readAmount(' 1.5 ', SOL)).toBe(1_500_000_000n);
    for (const wrong of ['', '.', '1.2.3', '1 5', '٣', '1e3', '0x1', '+1', 'Infinity'])
      expect(() => readAmount(wrong, SOL), wrong).toThrow(Problem);
    const token = { decimals: 6, symbol: 'COMM' };
    expect(() => readAmount('0.1234567', token)).toThrow('An amount of COMM has at most 6 digits');
    expect(readAmount('0.1234560', token)).toBe(123_456n);
  });

  test('slippage is read in hundredths of a percent', () => {
    expect(['0', '0.5', '0.05', '1', '12.34', '50', '1.', '0.50000'].map(readSlippage)).toEqual([
      0, 50, 5, 100, 1234, 5000, 100, 50,
    ]);
  });
});

describe('what a wallet can afford', () => {
  test('is one maximum, which leaves fees, rent and a later sale', async () => {
    const wallet = await generateKeyPairSigner();
    ledger.setBalance(wallet.address, 1_000_000_000n);
    const balances = await fetchBalances(wallet.address, await snapshotOf('creator'));
    const { amount: most, breakdown } = balances.buy;
    // 0.008005 SOL of fees and 0.0012 for guards, each for the buy and for a later sale, and the rent of what is opened and must stay.
    const rent = (128n + 195n + 128n) * 5_080n;
    expect(most).toBeLessThanOrEqual(1_000_000_000n - 2n * (8_005_000n + 1_200_000n) - rent + 128n * 5_080n);
    expect(most).toBeGreaterThan(970_000_000n);
    const { kept } = breakdown;
    // One may type more than Max gives, at the cost of a later sale.
    expect(shortageOf('buy', most + kept, balances, String)).toBeUndefined();
    expect(shortageOf('buy', most + kept + 1n, balances, String)?.message).toContain(
      `You can spend up to ${formatAmount(most, 9)} SOL.`,
    );
    expect(shortageOf('sell', 1n, balances, String)?.message).toBe('You have 0.');
    expect(breakdown).toMatchObject({
      signatureFee: 5_000n,
      priorityFee: 8_000_000n,
      wrappedSolRent: 293n * 5_080n,
    });
    ledger.setBalance(wallet.address, 5_000_000n);
    const poor = await fetchBalances(wallet.address, await snapshotOf('creator'));
    expect(poor.buy.amount).toBe(0n);
    expect(shortageOf('buy', 1n, poor, String)?.message).toContain('does not pay for fees and rent');
  });
});

test('the rent of a trade, and the part that comes back at once, are those of the cluster', async () => {
  const owner = ledger.pools.community.creator;
  const account = await findAssociatedTokenAddress({ owner, ...ledger.pools.creator });
  for (const lamportsPerByte of [6_960n, 5_080n, 2_575n]) {
    ledger.setRent(lamportsPerByte);
    const quote = await quoteOf('creator', 1_500_000_000n, 50);
    const { snapshot } = quote;
    const built = await buildTrade(client, {
      quote: quote.quote,
      snapshot,
      payer: owner,
      wrapSol: 'temporary',
    });
    const { costs, simulation } = await reviewTransaction(client, built, { quote: quote.quote });
    // The wrapped SOL account of 165 bytes, and at most 195 for the tokens.
    expect(costs.rent).toBe((293n + 323n) * lamportsPerByte);
    expect(costs.returnedRent).toBe(293n * lamportsPerByte);
    expect(simulation).toMatchObject({ ok: true });
    const balances = await fetchBalances(owner, snapshot);
    expect(balances).toMatchObject({ lamports: 100_000_000_000n, tokenUnits: 0n });
    expect(balances.buy.breakdown.wrappedSolRent).toBe(293n * lamportsPerByte);
  }
  expect(ledger.getAccount(account)).toBeUndefined();
});

test('addresses of nodes that may hold a key', () => {
  for (const url of ['http://localhost:8899/key', 'http://127.0.0.1:1/?api-key=x', 'https://node.example'])
    expect(mayHoldKey(url), url).toBe(false);
  for (const rest of ['/v2/key', '/?api-key=x', '/#key'])
    expect(mayHoldKey(`https://node.example${rest}`)).toBe(true);
  for (const user of ['key', 'a:key']) expect(mayHoldKey(`https://${user}@node.example`)).toBe(true);
});

test('formats figures', () => {
  expect(formatAmount(1_234_567_890_123n, 6)).toBe('1,234,567.890123');
  expect(formatAmount(-1n, 9)).toBe('−0.000000001');
  expect(formatChange(5n, 0)).toBe('+5');
  expect(formatShort(98_415_310_987n, 6)).toBe('98,415.3');
  expect(formatPrice(0.0000152)).toBe('0.0₄152');
  expect(formatPrice(Number.POSITIVE_INFINITY)).toBe('–');
  expect(formatBps(5)).toBe('0.05 %');
});

test('turns errors of any kind into words', () => {
  expect(explain(new HeavenError('rpc-rate-limited', 'x', { method: 'm' })).message).toMatch(/Wait a little/);
  expect(explain(new TypeError('Failed to fetch')).message).toMatch(/node does not answer/);
  expect(explain(new DOMException('x', 'TimeoutError')).message).toMatch(/too long/);
  expect(explain('what').message).toBe('Something went wrong: what');
});
