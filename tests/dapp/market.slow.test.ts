import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import {
  bought,
  choosePool,
  closeReceipt,
  connectTestWallet,
  exact,
  executablePath,
  expectText,
  fact,
  nextSlot,
  received,
  reviewBuy,
  signButton,
  useBrowser,
  visit,
} from './browser.js';

// The market of a pool, past and live.

useBrowser();

/** The candles that are drawn: each has one body. */
const bodies = (page: Page) =>
  page
    .locator('#candles path[class^=candle]')
    .evaluateAll((paths) => paths.flatMap((path) => path.getAttribute('d')?.match(/z/g) ?? []).length);

const rows = (page: Page) => page.locator('#trade-list tbody tr');

describe.skipIf(executablePath === undefined)('the market', () => {
  test('shows past trades as candles and a list, and adds new ones', async () => {
    const page = await visit({ history: true });
    await connectTestWallet(page);
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(36);
    await expectText(page.locator('#market-change'), /^(▲ \+|▼ −)\d+\.\d\d % in \d h$/);
    await expectText(page.locator('#position-note'), /not traded this token yet/);

    await page.locator('#chart summary').click();
    await page.locator('#candle-table tbody tr').first().waitFor();
    const quarters = await page.locator('#candle-table tbody tr').count();
    await page.getByLabel('1h', { exact: true }).check();
    await expect.poll(() => page.locator('#candle-table tbody tr').count()).toBeLessThan(quarters);
    // Volumes of the hours are those of the trades.
    const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + Number(text), 0);
    const volumes = sum(await page.locator('#candle-table tbody td:nth-child(6)').allTextContents());
    expect(volumes).toBeCloseTo(sum(await rows(page).locator('td:nth-child(3)').allTextContents()), 1);
    expect(await bodies(page)).toBeGreaterThan(3);
    await page.getByLabel('Line', { exact: true }).check();
    expect(await page.locator('#candles polyline.candle-line').count()).toBe(1);
    expect(await page.locator('#candles .own').count()).toBe(0);

    await nextSlot(page);
    await reviewBuy(page, '1.5');
    const tokens = await received(page);
    await signButton(page).click();
    await bought(page).waitFor();
    await closeReceipt(page);
    await expectText(rows(page).first(), /▲ Buy1\.5.*you$/);
    expect(await rows(page).count()).toBe(37);
    expect(await page.locator('#candles .own.buy').count()).toBe(1);
    expect(await exact(fact(page, 'position-facts', 'You hold'))).toBe(`${tokens} COMM`);
    expect(await exact(fact(page, 'position-facts', 'Cost of what is left'))).toBe('1.5 SOL');
    await expectText(fact(page, 'position-facts', 'Unrealized'), /^▼ −0\.0\d+ SOL$/);
  }, 90_000);

  test("moves no figure while history loads, and ends at the pool's price", async () => {
    const page = await visit({ history: true });
    const priceLine = page.locator('#price-line');
    const first = await priceLine.textContent();
    // The quote does not wait for the past.
    expect(await page.locator('#candles .skeleton').count()).toBe(1);
    await expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(36);
    expect(await priceLine.textContent()).toBe(first);
    await page.locator('#chart summary').click();
    const last = page.locator('#candle-table tbody tr').first().locator('td').nth(4);
    // The last trade's own price is between those before and after it, and has a fee in it.
    const toNumber = (text: string | null) => {
      const [, zeros = '', digits = ''] = /0\.0([₀-₉]*)(\d+)/.exec(text ?? '') ?? [];
      const count = Number([...zeros].map((one) => '₀₁₂₃₄₅₆₇₈₉'.indexOf(one)).join('') || '1');
      return Number(`0.${'0'.repeat(count)}${digits}`);
    };
    const [closed, now] = [toNumber(await last.textContent()), toNumber(first)];
    expect(now).toBeGreaterThan(0);
    expect(Math.abs(closed / now - 1)).toBeLessThan(0.03);
  }, 60_000);

  test.each(['Community token', 'Pro token'])('shows a simulated buy by a stranger: %s', async (name) => {
    const page = await visit();
    await choosePool(page, name);
    await expectText(page.locator('#candles'), /No trades yet/);
    const before = await page.locator('#market-price').textContent();
    await page.getByRole('button', { name: 'Simulate a 5 SOL buy' }).click();
    await expectText(rows(page).first(), /▲ Buy5(?!.*you$)/);
    expect(await rows(page).count()).toBe(1);
    await expect.poll(() => page.locator('#market-price').textContent()).not.toBe(before);
    expect(await bodies(page)).toBe(1);
    const sent = await page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      return ledger.requests.filter(({ method }) => method === 'sendTransaction').length;
    });
    expect(sent).toBe(1);
  });

  test('says so if there is no trade yet', async () => {
    const page = await visit();
    await choosePool(page, 'Pro token');
    await expectText(page.locator('#candles'), /No trades yet/);
    await expectText(page.locator('#trade-list'), /No trades yet/);
  });
});
