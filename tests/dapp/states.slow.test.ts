import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import {
  amountOf,
  buildButton,
  connectTestWallet,
  executablePath,
  expectText,
  expectValue,
  loadedScripts,
  overflow,
  received,
  receiveOf,
  reviewBuy,
  served,
  useBrowser,
  violations,
  visit,
  visitCluster,
} from './browser.js';
import { states } from './states.js';

// Every state of the page: nothing overflows, and axe finds nothing. With SCREENSHOTS=1 each is also written as a picture in
// three widths and both themes to examples/dapp/screenshots.

useBrowser();

const FOLDER = fileURLToPath(new URL('../../examples/dapp/screenshots', import.meta.url));
const IMAGES = fileURLToPath(new URL('../../docs/images', import.meta.url));
const WIDTHS = [360, 768, 1280] as const;
const THEMES = ['light', 'dark'] as const;
const takesPictures = process.env.SCREENSHOTS === '1';

async function look(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      // The checks look at both themes and at the narrowest and widest page; the pictures are of all.
      const isChecked =
        (width === 360 && colorScheme === 'dark') || (width === 1280 && colorScheme === 'light');
      if (!isChecked && !takesPictures) continue;
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForTimeout(50);
      if (isChecked) {
        expect(await violations(page), `${name} ${width} ${colorScheme}`).toEqual([]);
        expect(await overflow(page), `${name} ${width}`).toBe(0);
      }
      if (!takesPictures) continue;
      mkdirSync(FOLDER, { recursive: true });
      if (name === 'ready' && width === 1280 && colorScheme === 'light')
        await page.screenshot({
          path: `${IMAGES}/dapp-light.png`,
          animations: 'disabled',
          caret: 'hide',
        });
      await page.screenshot({
        path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
        fullPage: (await page.locator('dialog[open]').count()) === 0,
        animations: 'disabled',
        caret: 'hide',
      });
    }
  }
}

describe.skipIf(executablePath === undefined).each(Object.entries(states))('states: %s', (_, group) => {
  test.each(Object.entries(group))(
    '%s',
    async (name, reach) => {
      await look(await reach(), name);
    },
    90_000,
  );
});

describe.skipIf(executablePath === undefined)('the page', () => {
  test.each([
    [360, 800],
    [1280, 800],
  ] as const)('shows pay, receive and the button without scrolling at %i x %i', async (width, height) => {
    const page = await visit({ width, height });
    await connectTestWallet(page);
    await amountOf(page).fill('1.5');
    // The navigation lies over the bottom of a phone.
    const floor = width < 640 ? ((await page.locator('nav').boundingBox())?.y ?? 0) : height;
    for (const id of ['amount', 'receive', 'build']) {
      const box = await page.locator(`#${id}`).boundingBox();
      expect((box?.y ?? height) + (box?.height ?? 0), id).toBeLessThanOrEqual(floor);
    }
  });

  test('does not shift while quotes update, and shows the last input within 150 ms', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await amountOf(page).fill('1');
    await expectValue(receiveOf(page), /M$/);
    await page.waitForTimeout(1_000);
    await page.evaluate(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as PerformanceEntry & { readonly value: number }).value);
      }).observe({ type: 'layout-shift' });
    });
    for (const typed of ['1.', '1.2', '1.23', '3', '0.5', '1']) {
      const before = await received(page);
      const took = await page.evaluate(async (text) => {
        const field = document.getElementById('amount') as HTMLInputElement;
        const shown = document.getElementById('receive') as HTMLElement;
        const start = performance.now();
        const old = shown.title;
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        while (shown.title === old && performance.now() - start < 1_000)
          await new Promise((resolve) => setTimeout(resolve, 5));
        return performance.now() - start;
      }, typed);
      // "1." is what was there before.
      if (typed !== '1.') expect(took, typed).toBeLessThan(150);
      if (typed === '1.') expect(await received(page)).toBe(before);
    }
    for (let step = 1; step <= 6; step++) {
      const before = await received(page);
      await page.evaluate((by) => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        ledger.setSlot(ledger.slot + 1n);
        ledger.setReserves(ledger.pools.community.pool, {
          tokenB: 115_000_000_000n + BigInt(by) * 500_000_000n,
        });
      }, step);
      await expect.poll(() => received(page)).not.toBe(before);
    }
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)).toEqual([]);
  });

  test.each([
    [360, 800],
    [1280, 800],
  ] as const)('hardly moves while it loads at %i x %i', async (width, height) => {
    const page = await visit({ width, height, history: true });
    await page.locator('#trade-list tbody tr').first().waitFor();
    const moved = await page.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      let sum = 0;
      const observer = new PerformanceObserver(() => {});
      observer.observe({ type: 'layout-shift', buffered: true });
      for (const entry of observer.takeRecords())
        sum += (entry as PerformanceEntry & { readonly value: number }).value;
      return sum;
    });
    console.log(`Layout shift while loading, ${width} x ${height}: ${moved.toFixed(4)}`);
    expect(moved).toBeLessThan(0.02);
  });

  test('has its first quote before it loads anything else', async () => {
    const page = await visit({ history: true, stopwatch: true });
    await page.locator('#trade-list tbody tr').first().waitFor();
    const { firstQuote, scripts } = await page.evaluate(() => ({
      firstQuote: (globalThis as unknown as { firstQuote: number }).firstQuote,
      scripts: performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .map(({ name, startTime, responseEnd }) => ({ name, startTime, responseEnd })),
    }));
    console.log(`First quote on screen: ${firstQuote.toFixed(0)} ms after the navigation.`);
    const at = (part: string) => scripts.find(({ name }) => name.includes(`/${part}-`));
    // The ledger of practice mode does not wait for the page.
    expect(at('model')?.startTime).toBeLessThan(at('first')?.responseEnd ?? 0);
    // What lies below the quote comes after the pool.
    expect(at('trading')?.startTime).toBeGreaterThan(at('model')?.responseEnd ?? Number.POSITIVE_INFINITY);
  });

  test('asks twice before a trade that moves the price by 15 % or more', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await reviewBuy(page, '60');
    await expectText(page.locator('#consent-text'), /I understand that this trade moves the price/);
    await page.locator('#sign').click();
    await expectText(page.locator('#review-problem'), /Tick the box above/);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('consent');
    await page.keyboard.press('Space');
    await page.locator('#sign').click();
    await page.locator('#result').waitFor();
  });

  test('returns the focus when Escape closes a sheet', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await amountOf(page).fill('1');
    await page.locator('#choose-token').click();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('choose-token');
    await buildButton(page).click();
    await page.locator('#review').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#sheet').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
  });

  test('keeps the chosen theme', async () => {
    const page = await visit();
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.locator('#theme').click();
    const dark = await back();
    expect([light, dark]).toEqual(['rgb(244, 247, 251)', 'rgb(10, 13, 19)']);
    expect(await page.locator('#theme').getAttribute('aria-pressed')).toBe('true');
    await page.reload();
    expect(await back()).toBe(dark);
  });

  test('animates only without reduced motion', async () => {
    const page = await visit();
    const motions = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((one) => {
            const { animationName, transitionDuration } = getComputedStyle(one);
            return animationName !== 'none' || transitionDuration.split(', ').some((time) => time !== '0s');
          }).length,
      );
    expect(await motions()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await motions()).toBeGreaterThan(0);
  });

  test('the trading view and everything a trade needs is at most 165 KB of scripts without the embedded ledger', async () => {
    const { page } = await visitCluster();
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await page.locator('#review-close').click();
    const scriptsOf = async () => {
      const sizes = (await loadedScripts(page)).map(
        (name) => gzipSync(readFileSync(`${served.folder}/assets/${name}`), { level: 9 }).length,
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    const trading = await scriptsOf();
    await page.locator('#nav-launch').click();
    await page.locator('#launch-name').waitFor();
    await page.locator('#nav-pools').click();
    await page.locator('#deposit-sol').waitFor();
    const all = await scriptsOf();
    console.log(`Scripts, gzipped: ${trading / 1_000} KB to trade, ${all / 1_000} KB with all views.`);
    expect(trading).toBeGreaterThan(50_000);
    expect(trading).toBeLessThan(165_000);
    // The views for launches and for liquidity are loaded when they are wanted.
    expect(all).toBeGreaterThan(trading);
    expect(all).toBeLessThan(190_000);
  });
});
