import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import {
  amountOf,
  choosePool,
  chooseSide,
  exact,
  executablePath,
  expectText,
  fact,
  picture,
  useBrowser,
  violations,
  visit,
} from './browser.js';

// The chart of candles by mouse, wheel, touch and keys, and the charts of a pool with their tables.

useBrowser();

/** A price as it is shown, with its zeros counted. */
const numberOf = (text: string): number =>
  Number(
    text.replace(/0([₀-₉]+)/, (_, count: string) =>
      '0'.repeat([...count].reduce((sum, one) => sum * 10 + '₀₁₂₃₄₅₆₇₈₉'.indexOf(one), 0)),
    ),
  );

/** The chart with eight hours in candles of a minute, and its place. */
async function visitChart(width = 1100) {
  const page = await visit({ history: true, width });
  await page.locator('#trade-list tbody tr').first().waitFor();
  await page.getByLabel('1m', { exact: true }).check();
  await page.locator('#candles path.volume').waitFor({ state: 'attached' });
  await page.locator('#candles').scrollIntoViewIfNeeded();
  const box = await page.locator('#candles').boundingBox();
  if (box === null) throw new Error('There is no chart.');
  return { page, box };
}

const figures = (page: Page) => page.locator('.candle-figures');
const crossIsVisible = (page: Page) => page.locator('#candles .cross').first().isVisible();
/** How wide the bars of volume are. */
const barWidth = (page: Page) =>
  page
    .locator('#candles path.volume')
    .evaluate((path) => Number(/h(\d+)/.exec(path.getAttribute('d') ?? '')?.[1]));
const showsNow = async (page: Page) => (await page.locator('#candles .last-price').count()) === 1;

describe.skipIf(executablePath === undefined)('the chart of candles', () => {
  test('keeps the crosshair on its candle while trades arrive', async () => {
    const { page, box } = await visitChart();
    const newest = await figures(page).textContent();
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await expect.poll(() => crossIsVisible(page)).toBe(true);
    const under = (await figures(page).textContent()) ?? '';
    expect(under).not.toBe(newest);
    const before = await page.locator('#candles svg').innerHTML();
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    await expectText(page.locator('#trade-list tbody tr').first(), /▲ Buy5/);
    await expect.poll(() => page.locator('#candles svg').innerHTML()).not.toBe(before);
    expect(await crossIsVisible(page)).toBe(true);
    expect(await figures(page).textContent()).toBe(under);
    await page.mouse.move(box.x + box.width / 2, box.y - 50);
    await expect.poll(() => crossIsVisible(page)).toBe(false);
  }, 60_000);

  test('is zoomed by wheel and buttons, panned by dragging, and comes back to now', async () => {
    const { page } = await visitChart();
    await page.locator('#candles').hover({ position: { x: 200, y: 100 } });
    const place = await page.locator('#candles').boundingBox();
    const [x, y] = [(place?.x ?? 0) + 200, (place?.y ?? 0) + 100];
    await expect.poll(() => crossIsVisible(page)).toBe(true);
    const under = await figures(page).textContent();
    await page.mouse.down();
    await page.mouse.move(x + 90, y, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => showsNow(page)).toBe(false);
    // What was under the pointer has moved along with it.
    await page.mouse.move(x + 89, y);
    await page.mouse.move(x + 90, y);
    await expect.poll(() => figures(page).textContent()).toBe(under);
    await page.getByRole('button', { name: 'Show now' }).click();
    await expect.poll(() => showsNow(page)).toBe(true);
    expect(await barWidth(page)).toBe(6);
    await page.locator('#candles').hover({ position: { x: 200, y: 100 } });
    // The wheel alone scrolls the page.
    await page.mouse.wheel(0, 40);
    await page.waitForTimeout(100);
    expect(await barWidth(page)).toBe(6);
    await page.mouse.wheel(0, -40);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -150);
    await page.keyboard.up('Control');
    await expect.poll(() => barWidth(page)).toBeGreaterThan(6);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByRole('button', { name: 'Show now' }).click();
    await expect.poll(() => showsNow(page)).toBe(true);
    // As far as there are trades, and no further.
    await page.locator('#candles').hover({ position: { x: 200, y: 100 } });
    await page.keyboard.down('Shift');
    for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, -3_000);
    await page.keyboard.up('Shift');
    await expect.poll(() => showsNow(page)).toBe(false);
    expect(await page.locator('#candles .nothing').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  }, 60_000);

  test('is read by keys, and announces each candle', async () => {
    const { page } = await visitChart();
    const told = page.locator('#candles ~ [role=status]');
    await page.locator('#candles').focus();
    await page.keyboard.press('ArrowLeft');
    await expectText(told, /no trade|SOL, \d+ trades?$/);
    const first = await told.textContent();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => told.textContent()).not.toBe(first);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => told.textContent()).toBe(first);
    await page.keyboard.press('+');
    await expect.poll(() => barWidth(page)).toBe(9);
    await page.keyboard.press('-');
    await expect.poll(() => barWidth(page)).toBe(6);
    // Past the left end the chart goes along.
    for (let step = 0; step < 8; step++) await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => showsNow(page)).toBe(false);
    expect(await crossIsVisible(page)).toBe(true);
    await page.keyboard.press('End');
    await expect.poll(() => showsNow(page)).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => crossIsVisible(page)).toBe(false);
  }, 60_000);

  test('is zoomed with two fingers', async () => {
    const { page, box } = await visitChart(360);
    const session = await page.context().newCDPSession(page);
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: readonly number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: xs.map((x, id) => ({ x: box.x + x, y: box.y + 120, id })),
      });
    await fingers('touchStart', 100, 140);
    for (const spread of [10, 20, 30, 40]) await fingers('touchMove', 100 - spread, 140 + spread);
    await fingers('touchEnd');
    await expect.poll(() => barWidth(page)).toBeGreaterThan(10);
  }, 60_000);
});

describe.skipIf(executablePath === undefined)('the charts of a pool', () => {
  test('a token in its launch: shows the fees and the schedule', async () => {
    const page = await visit();
    await choosePool(page, 'Launching token');
    await amountOf(page).fill('1');
    expect(await exact(fact(page, 'quote-fees', 'Creator, 50 %'))).toBe('0.5 SOL');
    await expectText(page.locator('#quote-warnings'), /The fees are 51 % now/);
    await page.locator('#slot-chart summary').click();
    expect(await page.locator('#slot-chart tbody tr').allTextContents()).toEqual([
      '0 to 551 %51 %',
      '6 to 1511 %11 %',
      'From 161.1 %1.1 %',
    ]);
    await page.locator('#cap-chart summary').click();
    expect(await page.locator('#cap-chart tbody tr').allTextContents()).toEqual([
      '$0 to $100K1.1 %1.1 %',
      'From $100K0.35 %0.35 %',
    ]);
    await picture(page, 'launch', page.locator('#fees'));
    // Time passes, and the fees fall while the page is open.
    await page.getByRole('button', { name: 'Pause time' }).click();
    await expectText(page.locator('#quote-fees'), /Creator, 10 %/);
  });

  test('the price chart has its figures in a table', async () => {
    const page = await visit();
    await choosePool(page, 'Pro token');
    await amountOf(page).fill('10');
    await page.locator('#price-chart summary').click();
    const rows = await page.locator('#price-chart tbody tr').count();
    expect(rows).toBe(11);
    const prices = (await page.locator('#price-chart td').allTextContents()).map(numberOf);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    await expectText(
      page.locator('#price-chart .chart-now'),
      /^Your trade: [\d.₀-₉]+ SOL per token, fees included\.$/,
    );
    expect(await page.locator('#price-chart svg[role=img]').getAttribute('aria-label')).toMatch(
      /^What a token costs on average/,
    );
    await chooseSide(page, 'Sell');
    await expectText(page.locator('#price-chart th').first(), /^PRO sold$/);
  });
});
