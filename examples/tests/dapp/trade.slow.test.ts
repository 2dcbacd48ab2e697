import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import {
  computeBuy,
  createHeavenClient,
  fetchPoolSnapshot,
  formatAmount,
  toSwapState,
} from '../../../src/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';
import { violations } from '../page-checks.js';
import {
  closeReceipt,
  confirm,
  connect,
  executablePath,
  fact,
  landed,
  onLedger,
  payOf,
  reviewTrade,
  sheetOf,
  useBrowser,
  visit,
  visitCluster,
  walletIn,
} from './browser.js';

describe.skipIf(executablePath === undefined)('a trade on the page', () => {
  useBrowser();

  test('buys what the library quotes, and sells it again for the proceeds in the receipt', async () => {
    const ledger = await createEmbeddedLedger();
    const { mint, configVersion } = ledger.pools.community;
    const snapshot = await fetchPoolSnapshot(createHeavenClient({ rpc: ledger.rpc }), {
      mint,
      configVersion,
    });
    const { amountOut } = computeBuy(toSwapState(snapshot), 1_500_000_000n);
    const exact = formatAmount(amountOut, snapshot.token.decimals, { digits: 'all', locale: 'en-GB' });
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await expect.poll(() => fact(page, 'SOL, with all fees').textContent()).toMatch(/^−1\.50/);
    await expect.poll(() => fact(page, 'Minimum received').textContent()).toMatch(/COMM$/);
    await expect.poll(() => fact(page, 'Exchange fees \\(included\\)').textContent()).toBe('0.016500 SOL');
    await sheetOf(page).getByText('Rent for new accounts, at most').waitFor();
    await confirm(page);
    await landed(page);
    expect(await fact(page, 'You received').textContent()).toBe(`${exact} COMM`);
    expect(await fact(page, 'Against the quote').textContent()).toBe('exactly as quoted');
    await closeReceipt(page);
    // The token's account is there now: another buy pays no rent that stays.
    await reviewTrade(page, '1');
    await sheetOf(page).getByText('Rent that comes back at once').waitFor();
    expect(await sheetOf(page).getByText('Rent for new accounts').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Sell' }).check({ force: true });
    // A quarter of it is a short number.
    await page.getByRole('button', { name: '25%' }).click();
    await expect.poll(() => payOf(page).inputValue()).toMatch(/^[\d,]+$/);
    expect((await payOf(page).inputValue()).replace(/,|0+$/g, '').length).toBeLessThanOrEqual(6);
    await page.getByRole('button', { name: 'Max' }).click();
    await expect.poll(() => payOf(page).inputValue()).toBe(exact);
    await page.getByRole('button', { name: 'Review sell' }).click();
    await confirm(page);
    await landed(page);
    expect(await fact(page, 'You paid').textContent()).toBe(`${exact} COMM`);
    // The pool keeps its fees on both ways.
    expect(await fact(page, 'You received').textContent()).toMatch(/^1\.43\d+ SOL$/);
    expect(await page.getByText(/^You received 1\.43\d+ SOL for/).count()).toBe(1);
  });

  test('takes dollars for SOL, and says what they are', async () => {
    const page = await visit();
    await connect(page);
    await payOf(page).fill('2');
    await page.getByRole('button', { name: /switch between SOL and dollars/ }).click();
    expect(await payOf(page).inputValue()).toBe('164.03');
    await payOf(page).fill('1250.5');
    await page.getByRole('button', { name: /^15\.2467 SOL/ }).waitFor();
    await page.getByRole('button', { name: 'Review buy' }).click();
    await sheetOf(page).getByText('15.2467 SOL').waitFor();
    await page.keyboard.press('Escape');
    expect(await payOf(page).inputValue()).toBe('1,250.5');
    await page.getByRole('button', { name: 'Max' }).click();
    await expect.poll(() => payOf(page).inputValue()).toMatch(/^99\.9\d+$/);
  });

  test('works with the keyboard alone, and keeps the settings for the next visit', async () => {
    const page = await visit({ width: 390, height: 844 });
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at, body } = document;
        if (at === body) return '';
        return `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent} ${at?.id && document.querySelector(`label[for="${at.id}"]`)?.textContent}`;
      });
    const tabTo = async (name: RegExp) => {
      for (let tries = 0; tries < 40 && !name.test(await focused()); tries++) await press('Tab');
      expect(await focused()).toMatch(name);
    };
    await page.getByText('1 COMM =').waitFor();
    await tabTo(/0\.5%/);
    await press('Enter');
    await sheetOf(page).getByRole('heading', { name: 'Trade settings' }).waitFor();
    await press('ArrowRight');
    await press('Escape');
    await expect.poll(focused).toMatch(/Slippage 1%/);
    await page.reload();
    await page.getByText('1 COMM =').waitFor();
    await tabTo(/Connect/);
    await press('Enter');
    await sheetOf(page).getByRole('button', { name: 'Practice wallet' }).waitFor();
    await tabTo(/Test wallet/);
    await press('Enter');
    await expect.poll(focused).toMatch(/You pay/);
    await page.keyboard.type('1.5');
    await page.getByRole('button', { name: 'Review buy' }).waitFor();
    await press('Enter');
    await sheetOf(page).getByText('Your balance changes').waitFor();
    expect(await fact(page, 'Slippage').textContent()).toBe('1%');
    await tabTo(/Confirm buy/);
    await press('Enter');
    await landed(page);
    await expect.poll(focused).toMatch(/Done/);
    await press('Enter');
    await sheetOf(page).waitFor({ state: 'detached' });
  });

  test('warns once of a high slippage, without native amounts, and takes none that is not valid', async () => {
    const page = await visit();
    await connect(page);
    const field = sheetOf(page).getByLabel('Slippage in percent');
    await page.getByRole('button', { name: /^Slippage|^0\.5%/ }).click();
    await sheetOf(page).getByRole('radio', { name: '1%' }).check({ force: true });
    expect(await field.inputValue()).toBe('1');
    await field.fill('60');
    await sheetOf(page).getByRole('button', { name: 'Done' }).click();
    await sheetOf(page).getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Slippage is not valid' }).click();
    await field.fill('45');
    await page.keyboard.press('Enter');
    await reviewTrade(page, '1');
    expect(await sheetOf(page).locator('.warnings').allTextContents()).toEqual([
      expect.stringMatching(/^You allow 45% slippage\.[^\d]*$/),
    ]);
  });

  /** Makes the price worse for a buyer, after more slots than a quote is good for. */
  const movePrice = (page: Page) =>
    onLedger(page, (ledger) => {
      ledger.setReserves(ledger.pools.community.pool, { tokenB: 130_000_000_000n });
      ledger.setSlot(ledger.slot + 30n);
    });

  test('shows both minimums before it asks the wallet, once the price has moved', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    const before = await fact(page, 'Minimum received').textContent();
    await movePrice(page);
    await confirm(page);
    await page.getByRole('heading', { name: 'A new quote' }).waitFor();
    const minimums = sheetOf(page).locator('.facts div', { hasText: 'Minimum received' }).locator('dd');
    const [seen, now] = await minimums.allTextContents();
    expect([seen, await page.evaluate('testWallet.asked')]).toEqual([before, 0]);
    expect(now).not.toBe(before);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Look at it again' }).click();
    await page.getByText('Nothing was signed. This is the new quote.').waitFor();
    expect(await fact(page, 'Minimum received').textContent()).toBe(now);
    await onLedger(page, (ledger) => {
      ledger.setReserves(ledger.pools.community.pool, { tokenB: 131_000_000_000n });
      ledger.setSlot(ledger.slot + 30n);
    });
    await confirm(page);
    await page.getByRole('button', { name: 'Accept the new quote' }).click();
    await landed(page);
    expect(await fact(page, 'Against the quote').textContent()).toBe('exactly as quoted');
  });

  test('that fails by slippage is built again by one button', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    expect(await page.locator('[aria-current=step]').textContent()).toBe('Confirm in Test wallet');
    expect(await violations(page)).toEqual([]);
    await movePrice(page);
    await page.evaluate('testWallet.answer()');
    await page.getByText('The price moved past your slippage. Nothing was traded.').waitFor();
    expect(await violations(page)).toEqual([]);
    await walletIn(page, { mode: 'sign' });
    // The focus is on what helps.
    await page.keyboard.press('Enter');
    await page.getByText('Built again, as things stand now.').waitFor();
    await sheetOf(page).getByText('Your balance changes').waitFor();
    await confirm(page);
    await landed(page);
  });

  test('whose outcome is not known is followed further', async () => {
    const { page, cluster } = await visitCluster();
    await connect(page);
    await reviewTrade(page, '1');
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    await page.clock.install();
    cluster.isBroken = true;
    await page.evaluate('testWallet.answer()');
    await page.getByText(/The node does not answer. The trade may be under way/).waitFor();
    for (let seconds = 0; seconds < 90; seconds += 10) await page.clock.runFor(10_000);
    await page.getByRole('heading', { name: 'Not known yet' }).waitFor();
    expect(await violations(page)).toEqual([]);
    cluster.isBroken = false;
    await page.clock.resume();
    await page.getByRole('button', { name: 'Ask the node again' }).click();
    await landed(page);
  });

  test('lets the user sign again what was rejected, and what expired', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await walletIn(page, { mode: 'refuse' });
    await confirm(page);
    await page.getByText('You rejected the request in your wallet. Nothing was sent.').waitFor();
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    await onLedger(page, (ledger) => ledger.setSlot(ledger.slot + 400n));
    await walletIn(page, { mode: 'sign' });
    await page.evaluate('testWallet.answer()');
    await page.getByText('The transaction expired. Nothing was traded.').waitFor();
    await sheetOf(page).getByText('Your balance changes').waitFor();
    await confirm(page);
    await landed(page);
  });

  test('highlights the fee that a wallet raised, and sends what it changed only when asked again', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await walletIn(page, { mode: 'change' });
    await confirm(page);
    await page.getByText('Your wallet changed the transaction before it signed it.').waitFor();
    expect(await fact(page, 'of which priority').textContent()).toMatch(/your wallet raised it from/);
    await confirm(page, /Send what the wallet signed/);
    await landed(page);
  });

  test('keeps the last quote while the node is away, and trades once it is back', async () => {
    const { page, cluster } = await visitCluster();
    await connect(page);
    await payOf(page).fill('1');
    await page.getByRole('button', { name: 'Review buy' }).waitFor();
    cluster.isBroken = true;
    await page.getByText(/The node does not answer.*This quote is of slot/).waitFor();
    cluster.isBroken = false;
    await expect.poll(() => page.getByText('The node does not answer').count()).toBe(0);
    await page.getByRole('button', { name: 'Review buy' }).click();
    await confirm(page);
    await landed(page);
    expect(new URL(page.url()).searchParams.get('rpc')).toBe(cluster.url);
  });
});
