import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import {
  amountOf,
  bought,
  buildButton,
  choosePool,
  clickConnect,
  connectTestWallet,
  executablePath,
  expectText,
  first,
  heading,
  reviewBuy,
  second,
  signButton,
  timesAsked,
  useBrowser,
  visit,
  walletIn,
} from './browser.js';
import type { TestWallet } from './wallet.js';

// Everything that a wallet may do, and what the page says of it.

useBrowser();

describe.skipIf(executablePath === undefined)('the wallet', () => {
  test("a wallet that can't sign such transactions is not offered", async () => {
    const page = await visit({ wallet: { versions: ['legacy'] } });
    await expect
      .poll(() => page.locator('#wallet-choices button').allTextContents())
      .toEqual(['Connect Practice wallet']);
  });

  test('names of wallets and accounts are plain text without invisible characters', async () => {
    const page = await visit({ wallet: { name: '\u202eTest\u200b wallet', label: '\u202eMa\u2066in' } });
    await connectTestWallet(page);
    expect(await page.locator('#wallet-name').textContent()).toBe('Test wallet');
    await page.evaluate(() =>
      (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts([0, 1]),
    );
    await expectText(page.locator('#account option').first(), /^Main \(/);
  });

  test('the wallet refuses to connect, then to sign, then signs', async () => {
    const page = await visit();
    await walletIn(page, { refusesToConnect: true });
    await clickConnect(page, 'Test wallet');
    await expectText(page.locator('#wallet-problem'), /You refused it in the wallet/);
    await walletIn(page, { refusesToConnect: false, mode: 'refuse' });
    await connectTestWallet(page);
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /You refused it in the wallet. Nothing was sent./);
    expect(await signButton(page).textContent()).toBe('Confirm buy');
    await walletIn(page, { mode: 'garbage' });
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /not signed by it. Nothing was sent./);
    await walletIn(page, { mode: 'sign' });
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(3);
  });

  test('a wallet that never answers can be cancelled, and a late answer changes nothing', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await walletIn(page, { mode: 'wait' });
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(signButton(page), /Confirm in your wallet/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('#review').isVisible()).toBe(false);
    expect(await buildButton(page).textContent()).toBe('Review buy');
    const sent = () =>
      page.evaluate(() => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        return ledger.requests.filter(({ method }) => method === 'sendTransaction').length;
      });
    await page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.answer());
    await walletIn(page, { mode: 'sign' });
    await reviewBuy(page);
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await sent()).toBe(1);
  });

  test('a wallet that signs something else: the change is shown before it is sent', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await walletIn(page, { mode: 'change' });
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(page.locator('#review-notice'), /Your wallet changed the transaction/);
    expect(await page.locator('#review-steps li').first().textContent()).toBe('Allow 265536 compute units.');
    expect(await page.locator('#result').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Send what the wallet signed' }).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(1);
  });

  const letBlocksPass = (page: Page) =>
    page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.setSlot(ledger.slot + 200n);
    });

  test("the block hash is fetched when the button is pressed, so reading the review doesn't age it", async () => {
    const page = await visit();
    await connectTestWallet(page);
    await reviewBuy(page);
    await letBlocksPass(page);
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(1);
  });

  test('a block hash that expires while the wallet is open is replaced, and signed again', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await walletIn(page, { mode: 'wait' });
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(signButton(page), /Confirm in your wallet/);
    await expectText(page.locator('#review-status'), /asks for your signature/);
    await expect.poll(() => timesAsked(page)).toBe(1);
    await letBlocksPass(page);
    await page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.answer());
    await expectText(page.locator('#review-notice'), /It took too long.*Sign it again/);
    await walletIn(page, { mode: 'sign' });
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(2);
  });

  test('a changed quote is reported, and reviewed again before it is signed', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await connectTestWallet(page);
    await reviewBuy(page);
    const before = await page.locator('#review-headline').textContent();
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    await expectText(page.locator('#review-notice'), /The price has moved: it would give about/);
    await signButton(page).click();
    await expectText(page.locator('#review-notice'), /This is the new quote/);
    expect(await page.locator('#review-headline').textContent()).not.toBe(before);
    expect(await timesAsked(page)).toBe(0);
    await signButton(page).click();
    await bought(page).waitFor();
  });

  test('a double click builds once and signs once', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await amountOf(page).fill('1');
    const count = (method: string) =>
      page.evaluate((of) => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        return ledger.requests.filter((request) => request.method === of).length;
      }, method);
    await buildButton(page).dblclick();
    await heading(page, 'Before you sign').waitFor();
    // The block hash is fetched for the signature.
    expect(await count('getLatestBlockhash')).toBe(0);
    expect(await count('simulateTransaction')).toBe(1);
    await signButton(page).dblclick();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(1);
    expect(await count('getLatestBlockhash')).toBe(1);
    expect(await count('sendTransaction')).toBe(1);
  });

  test("a transaction that would fail can't be signed", async () => {
    const page = await visit();
    await connectTestWallet(page);
    await page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.setBehavior({ scripted: { buy: { custom: 6013 }, pro_buy: { custom: 6013 } } });
    });
    await reviewBuy(page);
    await expectText(
      page.locator('#review-trial-text'),
      /It would fail as things stand, so it can't be signed.*ExceededSlippage/,
    );
    // It looks disabled, and a click on it does nothing.
    await signButton(page).click({ force: true });
    expect(await timesAsked(page)).toBe(0);
    await page.getByRole('button', { name: 'Change it' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
  });

  test('the wallet switches the account, then disconnects', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await reviewBuy(page);
    const setAccounts = (which: readonly number[]) =>
      page.evaluate(
        (next) => (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts(next),
        which,
      );
    await setAccounts([1]);
    // A review for one account does not stay for another.
    await expect.poll(() => page.locator('#review').isVisible()).toBe(false);
    expect(await page.locator('#wallet-address').textContent()).toBe(
      `${second.address.slice(0, 4)}…${second.address.slice(-4)}`,
    );
    await setAccounts([0, 1]);
    await page.locator('#wallet-button').click();
    await page.getByLabel('Account').selectOption(first.address);
    expect(await page.locator('#wallet-address').textContent()).toBe(
      `${first.address.slice(0, 4)}…${first.address.slice(-4)}`,
    );
    await setAccounts([]);
    await page.getByRole('button', { name: 'Connect Test wallet' }).waitFor();
  });
});
