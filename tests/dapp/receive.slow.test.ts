import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import {
  computeBuyExactOut,
  computeSellExactOut,
  createClient,
  fetchPoolSnapshot,
  listTrades,
  quoteBest,
  toSwapState,
} from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import {
  addProPool,
  amountOf,
  bought,
  buildButton,
  choosePool,
  chooseSide,
  connectTestWallet,
  digitsOf,
  exact,
  executablePath,
  expectText,
  expectValue,
  fact,
  findPool,
  heading,
  receiveOf,
  setSlippage,
  signButton,
  useBrowser,
  violations,
  visit,
  visitCluster,
} from './browser.js';

// An amount that is typed into "You receive": the other one is computed.

useBrowser();

/** The pool of the ledger that each test's page has. */
async function stateOf(name: 'community' | 'creator') {
  const { rpc, pools } = await createEmbeddedLedger();
  return toSwapState(await fetchPoolSnapshot(createClient({ rpc }), pools[name]));
}

const TOKENS = 250_000_000_000_000n;

describe.skipIf(executablePath === undefined)('an amount to receive', () => {
  test('is bought for the least that is enough, and half a percent more', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await receiveOf(page).fill('250000');
    const { amountIn } = computeBuyExactOut(await stateOf('community'), TOKENS);
    const most = (amountIn * 10_050n + 9_999n) / 10_000n;
    expect(await digitsOf(amountOf(page))).toBe(formatAmount(most, 9));
    expect(await receiveOf(page).inputValue()).toBe('250000');
    expect(await exact(fact(page, 'quote-facts', 'Minimum received'))).toBe('250,000 COMM');
    expect(await exact(fact(page, 'quote-facts', 'Enough at the price now'))).toBe(
      `${formatAmount(amountIn, 9)} SOL`,
    );
    expect(await exact(fact(page, 'quote-facts', 'You pay at most'))).toBe(`${formatAmount(most, 9)} SOL`);
    await expectText(page.locator('#receive-leg label'), /^You receive at least, in COMM$/);
    await expectText(
      page.locator('#quote-status'),
      new RegExp(`^You pay ${formatAmount(most, 9)} SOL and get at least 250,000 COMM: about 25\\d,[\\d.]+`),
    );
    // The slippage is in what one pays.
    await setSlippage(page, '2');
    expect(await digitsOf(amountOf(page))).toBe(formatAmount((amountIn * 10_200n + 9_999n) / 10_000n, 9));
    // What is shown in short is rounded up.
    const shown = Number(await amountOf(page).inputValue());
    expect(shown).toBeGreaterThanOrEqual(Number(most) / 1e9);
    expect(await violations(page)).toEqual([]);
  });

  test('is sold for, and turns back when one types into the other field', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await chooseSide(page, 'Sell');
    await receiveOf(page).fill('1.5');
    const { amountIn } = computeSellExactOut(await stateOf('community'), 1_500_000_000n);
    const most = (amountIn * 10_050n + 9_999n) / 10_000n;
    expect(await digitsOf(amountOf(page))).toBe(formatAmount(most, 9));
    await expectText(page.locator('#receive-leg label'), /^You receive at least, in SOL$/);
    // The computed amount becomes digits that can be edited.
    await amountOf(page).focus();
    expect((await amountOf(page).inputValue()).replace('.', '')).toBe(most.toString().replace(/0+$/, ''));
    await receiveOf(page).focus();
    await expectValue(amountOf(page), /^4\.\d+\sM$/);
    await amountOf(page).fill('1000');
    expect(await receiveOf(page).inputValue()).toMatch(/^0\.\d+$/);
    await expectText(page.locator('#receive-leg label'), /^You receive, in SOL$/);
    expect(await fact(page, 'quote-facts', 'You pay at most').count()).toBe(0);
  });

  test('stays with its token when the sides are switched', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await amountOf(page).fill('1.5');
    await page.locator('#switch').click();
    expect(await receiveOf(page).inputValue()).toBe('1.5');
    expect(await page.getByLabel('Sell', { exact: true }).isChecked()).toBe(true);
    const { amountIn } = computeSellExactOut(await stateOf('community'), 1_500_000_000n);
    expect(await digitsOf(amountOf(page))).toBe(formatAmount((amountIn * 10_050n + 9_999n) / 10_000n, 9));
    await page.locator('#switch').click();
    expect(await amountOf(page).inputValue()).toBe('1.5');
    await expectText(page.locator('#receive-leg label'), /^You receive, in COMM$/);
    // An amount of tokens means nothing in another token, one of SOL does.
    await receiveOf(page).fill('250000');
    await choosePool(page, 'Pro token');
    expect([await receiveOf(page).inputValue(), await amountOf(page).inputValue()]).toEqual(['', '']);
    await chooseSide(page, 'Sell');
    await receiveOf(page).fill('0.5');
    await choosePool(page, 'Community token');
    expect(await receiveOf(page).inputValue()).toBe('0.5');
  });

  test('is told of at its field, in its token', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await connectTestWallet(page);
    for (const [typed, message] of [
      ['1,5', /Use a point/],
      ['0', /Type an amount over 0/],
      ['1.0000000001', /An amount of COMM has at most 9 digits/],
      ['9000000000', /does not hold enough/],
    ] as const) {
      await receiveOf(page).fill(typed);
      await expectText(page.locator('#receive-problem'), message);
      expect(await receiveOf(page).getAttribute('aria-invalid'), typed).toBe('true');
      expect(await amountOf(page).getAttribute('aria-invalid'), typed).toBe(null);
      expect(await amountOf(page).inputValue(), typed).toBe('');
      await buildButton(page).click();
      expect(await page.evaluate(() => document.activeElement?.id), typed).toBe('receive');
    }
    // More than the wallet has: the largest amount that works is one to pay.
    await receiveOf(page).fill('160000000');
    await expectText(page.locator('#receive-problem'), /You have 100 SOL.*You can spend up to 99\./);
    await expectText(buildButton(page), /^Not enough SOL: use 99\.\d+$/);
    await buildButton(page).click();
    expect(Number(await amountOf(page).inputValue())).toBeGreaterThan(99.9);
    await expectText(page.locator('#receive-problem'), /^$/);
    await receiveOf(page).fill('250000');
    await page.getByRole('button', { name: 'A half' }).click();
    expect(Number(await amountOf(page).inputValue())).toBeGreaterThan(49.9);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
  });

  test('is traded to the lamport, by keyboard', async () => {
    const { page, ledger, pool } = await visitCluster();
    await connectTestWallet(page);
    await amountOf(page).focus();
    while ((await page.evaluate(() => document.activeElement?.id)) !== 'receive')
      await page.keyboard.press('Tab');
    await page.keyboard.type('250000');
    const { amountIn } = computeBuyExactOut(await stateOf('community'), TOKENS);
    const most = (amountIn * 10_050n + 9_999n) / 10_000n;
    await expect.poll(() => digitsOf(amountOf(page))).toBe(formatAmount(most, 9));
    await page.keyboard.press('Enter');
    await heading(page, 'Before you sign').waitFor();
    expect(await page.locator('#review-headline').textContent()).toMatch(
      new RegExp(
        `^You pay ${formatAmount(most, 9)} SOL and get at least 250,000 tokens: about 25\\d,[\\d.]+ tokens at the price now\\.$`,
      ),
    );
    await expectText(page.locator('#review-legs'), /You pay.*You receive at least250,000 tokens/);
    expect(await fact(page, 'review-facts', 'At least').textContent()).toBe('250,000 tokens');
    expect(await fact(page, 'review-facts', 'You pay at most').textContent()).toBe(
      `${formatAmount(most, 9)} SOL`,
    );
    await page.getByText('Each step of the transaction').click();
    expect(await page.locator('#review-steps li').allTextContents()).toContainEqual(
      `Exchange: buy: pay at most ${formatAmount(most, 9)} SOL for at least 250,000 of this token.`,
    );
    await signButton(page).click();
    await bought(page).waitFor();
    const { trades } = await listTrades(createClient({ rpc: ledger.rpc }), { pool: pool.pool, limit: 1 });
    expect(trades[0]?.amountIn).toBe(most);
    expect(trades[0]?.amountOut).toBeGreaterThanOrEqual(TOKENS);
    expect(await fact(page, 'result-facts', 'Against the quote').textContent()).toBe('exactly as quoted');
  });

  test('is quoted again in the review when the price moves', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await connectTestWallet(page);
    await receiveOf(page).fill('250000');
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    await expectText(page.locator('#review-notice'), /The price has moved: it would take 0\.1\d+ SOL now/);
    await signButton(page).click();
    await expectText(page.locator('#review-notice'), /This is the new quote/);
    await expectText(page.locator('#review-headline'), /get at least 250,000 COMM/);
    await signButton(page).click();
    await bought(page).waitFor();
  });

  test('goes to the pool of the token that takes least', async () => {
    const { page, ledger } = await visitCluster();
    const { mint } = await addProPool(ledger);
    await findPool(page, mint);
    await expectText(page.locator('#find-status'), /2 pools trade this token/);
    await page.keyboard.press('Escape');
    await receiveOf(page).fill('50000');
    await page.locator('#quote summary').click();
    const client = createClient({ rpc: ledger.rpc });
    const best = await quoteBest(client, { side: 'buy', mint, amountOutUi: '50000', slippageBps: 50 });
    await expect.poll(() => exact(fact(page, 'quote-facts', 'Route'))).toBe(best.pool);
    expect(await digitsOf(amountOf(page))).toBe(formatAmount(best.quote.details.amountIn, 9));
    const lines = await page.locator('#quote-route li').allTextContents();
    expect(lines[0]).toMatch(/takes least of 2 pools\.$/);
    expect(lines[1]).toMatch(/ takes [\d.]+ SOL more: it/);
  });
});
