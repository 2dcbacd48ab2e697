import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { HANG_MS } from '../../tests/support/hang.js';
import { executablePath } from './dapp/browser.js';
import { type ServedPage, servePage } from './dapp/page.js';
import { launchBrowser } from './launch-browser.js';

const from = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe.skipIf(executablePath === undefined)('the smallest whole page', () => {
  let browser: Browser;
  let served: ServedPage;
  let page: Page;
  beforeAll(async () => {
    if (executablePath === undefined) return;
    browser = await launchBrowser(executablePath);
    served = await servePage({
      configFile: false,
      root: from('examples/react'),
      resolve: {
        alias: [
          { find: /^heaven-pools$/, replacement: from('src/index.ts') },
          { find: /^heaven-pools\/testing$/, replacement: from('src/testing/index.ts') },
        ],
      },
    });
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  const amount = () => page.getByLabel('SOL to pay');
  const minimum = () => page.getByText(/^Minimum received/);
  const reviewed = () => page.getByRole('region', { name: 'Review' });
  const open = async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(HANG_MS);
    await page.goto(served.url);
    await page.getByRole('button', { name: /^Connect/ }).click();
    await amount().fill('1.5');
    await expect.poll(() => minimum().getAttribute('aria-busy')).toBe('false');
  };
  const review = async () => {
    await page.getByRole('button', { name: 'Review' }).click();
    await expect.poll(() => reviewed().textContent()).toContain('at most 1.5 SOL');
  };

  test('buys what was reviewed', async () => {
    await open();
    await review();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => page.getByText(/^landed: /).count()).toBe(1);
    expect(await reviewed().count()).toBe(0);
  });

  test('buys and sells all that the wallet can', async () => {
    await open();
    const trade = async () => {
      const before = await page.locator('#pay').inputValue();
      await page.getByRole('button', { name: 'Max' }).click();
      await expect.poll(() => page.locator('#pay').inputValue()).not.toBe(before);
      await expect.poll(() => minimum().getAttribute('aria-busy')).toBe('false');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expect.poll(() => page.getByText(/^landed: /).count()).toBe(1);
    };
    await trade();
    await page.getByRole('button', { name: 'Max' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/^Deposit 0\.\d+ SOL to trade\.$/);
    await page.getByRole('button', { name: 'Sell' }).click();
    expect(await page.getByLabel('Tokens to sell').inputValue()).toBe('');
    await trade();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(await minimum().textContent()).toMatch(/^Minimum received: [\d.]+ SOL$/);
    // Nothing is left to sell.
    await page.getByRole('button', { name: 'Max' }).click();
    await expect.poll(() => page.getByLabel('Tokens to sell').inputValue()).toBe('0');
  });

  test.each([false, true])(
    'asks before it takes a node and a token from a link, answered %s',
    async (isAgreed) => {
      page = await browser.newPage();
      page.setDefaultTimeout(HANG_MS);
      const asked: string[] = [];
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      page.on('dialog', async (dialog) => {
        asked.push(dialog.message());
        await (isAgreed ? dialog.accept() : dialog.dismiss());
      });
      const mint = 'So11111111111111111111111111111111111111112';
      await page.goto(`${served.url}?rpc=https://node.example/KEY&mint=${mint}`);
      // Only the practice ledger has a wallet here.
      const connect = page.getByRole('button', { name: /^Connect/ });
      await (isAgreed ? page.waitForLoadState('networkidle') : connect.waitFor());
      expect(await connect.count()).toBe(isAgreed ? 0 : 1);
      expect(asked).toEqual([expect.stringMatching(`the node node\\.example and the token ${mint}\\.`)]);
      expect(requested.filter((url) => url.includes('node.example/KEY') && !url.includes('?rpc='))).toEqual(
        [],
      );
      expect(requested.some((url) => url.includes('practice'))).toBe(!isAgreed);
    },
  );

  test('takes an amount as it is typed, and no exponent', async () => {
    await open();
    for (const typed of ['1.', '.5']) {
      await amount().fill(typed);
      await expect.poll(() => minimum().getAttribute('aria-busy')).toBe('false');
      expect(await minimum().textContent()).toMatch(/^Minimum received: [\d,.]+ tokens$/);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await amount().fill('1e3');
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
  });

  test('another amount closes the review, and an empty field has no quote', async () => {
    await open();
    await review();
    await amount().fill('20');
    expect(await reviewed().count()).toBe(0);
    await amount().fill('');
    await expect.poll(() => minimum().textContent()).toBe('Minimum received: –');
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
  });
});
