import { describe, expect, test } from 'vitest';
import {
  assertTransactionMatches,
  buildBuy,
  fetchPoolSnapshot,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
} from '../../src/index.js';
import { expectRefusal } from '../support/errors.js';
import { client, ledger, locatorOf, termsOf, useLedger } from '../support/ledger.js';

useLedger();

describe('native amounts', () => {
  test('quote as the same amount in UI units does, to the digit', async () => {
    const { token } = await fetchPoolSnapshot(client, locatorOf(termsOf()));
    const amountIn = 250n * 10n ** BigInt(token.decimals) + 1n;
    const amountInUi = `250.${'0'.repeat(token.decimals - 1)}1`;
    expect(await quoteBuy(client, { ...termsOf(), lamports: 1_500_000_000n })).toEqual(
      await quoteBuy(client, { ...termsOf(), maxSolSpend: '1.5' }),
    );
    expect(await quoteSell(client, { ...termsOf(), amountIn })).toEqual(
      await quoteSell(client, { ...termsOf(), amountInUi }),
    );
  });

  test('never both', async () => {
    const bought = quoteBuy(client, { ...termsOf(), lamports: 1_000n, maxSolSpend: '1' } as never);
    await expectRefusal(bought, 'invalid-input', { field: 'lamports', value: 1_000n });
    const sold = quoteSell(client, { ...termsOf(), amountIn: 1n, amountInUi: 1 } as never);
    await expectRefusal(sold, 'invalid-input', { field: 'amountIn' });
    const out = quoteBuyExactOut(client, { ...termsOf(), amountOut: 1n, amountOutUi: 1 } as never);
    await expectRefusal(out, 'invalid-input', { field: 'amountOut' });
    expect(ledger.requests).toEqual([]);
  });

  test.each<readonly [unknown, string]>([
    [0n, 'zero-amount'],
    [-1n, 'invalid-amount'],
    [5, 'invalid-amount'],
    ['5', 'invalid-amount'],
    [2n ** 64n, 'amount-out-of-range'],
  ])('%s is %s, before anything is read', async (amount, code) => {
    const wrong = amount as never;
    await expectRefusal(quoteBuy(client, { ...termsOf(), lamports: wrong }), code, { field: 'lamports' });
    await expectRefusal(quoteSell(client, { ...termsOf(), amountIn: wrong }), code, { field: 'amountIn' });
    const out = { ...termsOf(), amountOut: wrong };
    await expectRefusal(quoteBuyExactOut(client, out), code, { field: 'amountOut' });
    await expectRefusal(quoteSellExactOut(client, out), code, { field: 'amountOut' });
    expect(ledger.requests).toEqual([]);
  });

  test('check a transaction against the request', async () => {
    const request = { ...termsOf(), lamports: 20_000_000n };
    const payer = ledger.pools.creator.creator;
    const quoteResponse = await quoteBuy(client, request);
    const input = { payer, quoteResponse, encodedUserDefinedEventData: '' };
    const { tx } = await buildBuy(client, input);
    const intent = { function: 'buildBuy', input, request } as const;
    await assertTransactionMatches(tx, intent, { client });
    const other = { ...intent, request: { ...request, lamports: 20_000_001n } };
    await expectRefusal(assertTransactionMatches(tx, other, { client }), 'quote-mismatch', {
      field: 'quoteResponse.maxLamportSpend',
      asked: 20_000_001n,
      found: 20_000_000n,
    });
  });
});
