import { describe, expect, test } from 'vitest';

import {
  amountOf,
  bought,
  buildButton,
  choosePool,
  connectTestWallet,
  executablePath,
  expectText,
  heading,
  overflow,
  reviewBuy,
  signButton,
  useBrowser,
  violations,
  visit,
  walletIn,
} from './browser.js';

// For screen readers, on a phone, and by keyboard.

useBrowser();

describe.skipIf(executablePath === undefined)('fit for everybody', () => {
  test.each([false, true])(
    'axe finds nothing in any state (dark: %s)',
    async (dark) => {
      const page = await visit({ dark });
      expect(await violations(page)).toEqual([]);
      await choosePool(page, 'Launching token');
      await amountOf(page).fill('x');
      expect(await violations(page)).toEqual([]);
      await amountOf(page).fill('1');
      await page.locator('#price-chart summary').click();
      await page.locator('#slot-chart summary').click();
      await connectTestWallet(page);
      expect(await violations(page)).toEqual([]);
      await page.locator('#price-chart summary').click();
      await page.locator('#slot-chart summary').click();
      await choosePool(page, 'Community token');
      await amountOf(page).fill('1');
      await reviewBuy(page);
      await page.getByText('Each step of the transaction').click();
      expect(await violations(page)).toEqual([]);
      await walletIn(page, { mode: 'refuse' });
      await signButton(page).click();
      await expectText(page.locator('#review-problem'), /refused/);
      expect(await violations(page)).toEqual([]);
      await walletIn(page, { mode: 'sign' });
      await signButton(page).click();
      await bought(page).waitFor();
      expect(await violations(page)).toEqual([]);
    },
    60_000,
  );

  test('a phone never scrolls sideways', async () => {
    const page = await visit({ width: 360, height: 740 });
    expect(await overflow(page)).toBe(0);
    await connectTestWallet(page);
    await amountOf(page).fill('1.123456789');
    expect(await overflow(page)).toBe(0);
    await page.locator('#price-chart summary').click();
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    await page.getByText('Each step of the transaction').click();
    expect(await overflow(page)).toBe(0);
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  test('by keyboard alone, from the first key to the trade', async () => {
    const page = await visit();
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        return at.id || at.textContent || at.getAttribute('name') || '';
      });
    /** Tabs on until the focus is there, and never more than around the page. */
    const tabTo = async (name: string) => {
      const seen: string[] = [];
      for (let step = 0; step < 30; step++) {
        await press('Tab');
        const at = await focused();
        seen.push(at);
        const outline = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement;
          const shown =
            at instanceof HTMLInputElement && at.type === 'radio'
              ? (at.nextElementSibling as HTMLElement)
              : ((at.closest('.leg-main') && at instanceof HTMLInputElement ? at.closest('.leg') : at) ?? at);
          return getComputedStyle(shown).outlineStyle;
        });
        expect(outline, at).toBe('solid');
        if (at === name) return seen;
      }
      return expect.unreachable(`${name} is not among ${seen.join()}`);
    };
    await tabTo('wallet-button');
    await press('Enter');
    await tabTo('Connect Test wallet');
    await press('Enter');
    await expectText(page.locator('#wallet-balance'), /SOL/);
    expect(await focused()).toBe('wallet-button');
    expect(await tabTo('amount')).toEqual([
      'time',
      'other-trader',
      'side',
      'slippage-button',
      '¼',
      '½',
      'max',
      'amount',
    ]);
    await page.keyboard.type('1.5');
    await press('Enter');
    await heading(page, 'Before you sign').waitFor();
    expect(await focused()).toBe('review-title');
    await tabTo('sign');
    await press('Space');
    await bought(page).waitFor();
    expect(await focused()).toBe('result-title');
    await tabTo('again');
    await press('Enter');
    expect(await focused()).toBe('amount');
  });
});
