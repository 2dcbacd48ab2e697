import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  closeReceipt,
  confirm,
  connect,
  executablePath,
  fact,
  landed,
  onLedger,
  reviewTrade,
  sheetOf,
  useBrowser,
  visit,
} from './browser.js';

// The market of a pool: chart, trades, position, facts and fees.

useBrowser();

const PAST = { history: 'yes' };
const rows = (page: Page) => page.getByRole('region', { name: 'Last trades' }).locator('tbody tr');
const open = (page: Page, tab: string) => page.getByRole('radio', { name: tab }).check({ force: true });
const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + Number.parseFloat(text), 0);
/** All digits of a fact, as a number. */
const exactly = async (page: Page, term: string) =>
  Number.parseFloat(
    ((await fact(page, term).getAttribute('title')) ?? '').replaceAll(',', '').replace('−', '-'),
  );

async function trade(page: Page, amount: string, side: 'Buy' | 'Sell'): Promise<number> {
  await reviewTrade(page, amount, side);
  // A sell in the slot of a buy has a price of its own: then the page quotes again once it has read the next slot.
  const newer = page.getByRole('button', { name: 'See the new quote' });
  if (side === 'Sell') await newer.click({ timeout: 5_000 }).catch(() => {});
  await confirm(page);
  await landed(page);
  const paid = await sheetOf(page)
    .locator('.facts div', { hasText: 'Network fee' })
    .locator('dd')
    .first()
    .textContent();
  await closeReceipt(page);
  await onLedger(page, (ledger) => ledger.setSlot(ledger.slot + 200n));
  return Number.parseFloat(paid ?? '');
}

describe.skipIf(executablePath === undefined)('the market', () => {
  test('shows past trades as candles, as a table and as a list', async () => {
    const page = await visit({ query: PAST });
    await expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(36);
    await page.getByRole('figure', { name: /^Price of COMM in SOL, now 0\.0/ }).waitFor();
    await page.locator('.chart-canvas canvas').first().waitFor();
    expect(await page.locator('.market-head').first().textContent()).toMatch(/(▲ \+|▼ −)\d+\.\d\d% in \d h/);
    await page.getByText('As a table').click();
    const prices = page.getByRole('region', { name: 'Prices' }).locator('tbody tr');
    await prices.first().waitFor();
    const quarters = await prices.count();
    await open(page, '1h');
    await expect.poll(() => prices.count()).toBeLessThan(quarters);
    // The volumes of the hours are those of the trades.
    const volume = sum(await prices.locator('td:nth-child(6)').allTextContents());
    expect(volume).toBeCloseTo(sum(await rows(page).locator('td:nth-child(3)').allTextContents()), 1);
  }, 60_000);

  test('counts exchange fees and network fees in a position', async () => {
    const page = await visit();
    await connect(page);
    await open(page, 'Position');
    await page.getByText('You have not traded this token yet.').waitFor();
    const fees = [await trade(page, '2', 'Buy')];
    await expect.poll(() => fact(page, 'Your trades').textContent()).toBe('1 bought, 0 sold');
    expect(await exactly(page, 'Cost of what is left')).toBeCloseTo(2 + (fees[0] as number), 9);
    expect(fees[0]).toBeGreaterThan(0);
    const held = await exactly(page, 'You hold');
    // Half of it.
    fees.push(await trade(page, String(held / 2), 'Sell'));
    await expect.poll(() => fact(page, 'Your trades').textContent()).toBe('1 bought, 1 sold');
    const cost = await exactly(page, 'Cost of what is left');
    expect(cost).toBeCloseTo((2 + (fees[0] as number)) / 2, 6);
    await open(page, 'Trades');
    expect(await rows(page).first().textContent()).toMatch(/▼ sell.*You$/);
    const sold = Number.parseFloat(
      (await rows(page).first().locator('td').nth(2).getAttribute('title')) ?? '',
    );
    await open(page, 'Position');
    expect(await exactly(page, 'Realized profit')).toBeCloseTo(sold - (fees[1] as number) - cost, 6);
    await page.getByText('Exchange fees and network fees are counted.', { exact: true }).waitFor();
  }, 90_000);
});
