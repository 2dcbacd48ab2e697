import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { shortenAddress } from '../../src/index.js';
import { setTokenMetadata } from '../../src/testing/index.js';
import {
  confirm,
  connect,
  executablePath,
  landed,
  onLedger,
  overflow,
  payOf,
  picture,
  receiveOf,
  reviewTrade,
  served,
  sheetOf,
  useBrowser,
  violations,
  visit,
  visitCluster,
} from './browser.js';

const SIZES = [
  [1440, 900],
  [820, 1100],
  [390, 844],
  [320, 700],
] as const;

/** Controls that are too small for a finger. The text of a link in a sentence may be. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, nav a, summary')].flatMap((control) => {
      const target = control.closest('.segment label') ?? control.closest('.consent') ?? control;
      const { width, height } = target.getBoundingClientRect();
      return width > 0 && (height < 43.5 || width < 24)
        ? [`${target.outerHTML.slice(0, 80)} ${width}x${height}`]
        : [];
    }),
  );

describe.skipIf(executablePath === undefined)('the states of the page', () => {
  useBrowser();

  describe.each(SIZES)('at %i pixels', (width, height) => {
    test.each(['light', 'dark'])('have no finding of axe and fit, in the %s theme', async (theme) => {
      const page = await visit({ width, height, dark: theme === 'dark', query: { history: 'all' } });
      const check = async (state: string) => {
        expect.soft(await violations(page), state).toEqual([]);
        expect.soft(await overflow(page), state).toBeLessThanOrEqual(0);
        if (width < 640) expect.soft(await smallTargets(page), state).toEqual([]);
        await picture(page, `${state}-${width}-${theme}`, 'states');
        if (width === 1440 && theme === 'light' && state === 'quote') await picture(page, 'light');
        if (width === 1440 && theme === 'light' && state === 'review') await picture(page, 'review');
      };
      await page.getByText('1 COMM =').waitFor();
      await page.getByRole('radio', { name: 'Trades' }).waitFor({ state: 'attached' });
      await check('empty');
      await page
        .getByRole('button', { name: /^Connect( wallet)?$/ })
        .first()
        .click();
      await check('wallets');
      await page.keyboard.press('Escape');
      await connect(page);
      await payOf(page).fill('1.5');
      await expect.poll(() => receiveOf(page).inputValue()).not.toBe('');
      await page.getByText('Details').click();
      await check('quote');
      await page.getByRole('button', { name: /^Slippage/ }).click();
      await check('settings');
      await page.getByRole('button', { name: /choose another token/ }).click();
      await sheetOf(page).getByText('Pro token').waitFor();
      await check('tokens');
      await page.keyboard.press('Escape');
      await reviewTrade(page, '40');
      await check('review');
      await confirm(page);
      await landed(page);
      await check('receipt');
    });
  });

  test('say so when offline, not connected, closed or not found', async () => {
    const page = await visit();
    await page.getByText('1 COMM =').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await onLedger(page, (ledger) =>
      ledger.updatePool(ledger.pools.community.pool, ({ allowlist }) => ({
        allowlist: { ...allowlist, swap: 0 },
      })),
    );
    await page.getByRole('button', { name: 'Trading is off' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const { page: lost, cluster } = await visitCluster({
      query: { pool: '11111111111111111111111111111111' },
    });
    await lost.getByText(/There is nothing at this address|neither a token nor a pool/).waitFor();
    await lost.getByRole('button', { name: 'Own cluster' }).click();
    await lost.getByLabel('RPC URL').fill('here');
    await lost.getByRole('button', { name: 'Connect', exact: true }).last().click();
    await lost.getByText('Type the whole address of a node').waitFor();
    await lost.getByLabel('RPC URL').fill(`${cluster.url}/key`);
    await cluster.close();
    await lost.getByRole('button', { name: 'Connect', exact: true }).last().click();
    await lost.getByText('The node does not answer.').waitFor();
    expect(new URL(lost.url()).searchParams.get('rpc')).toBe(cluster.url);
  });

  test('show the name of a token as text, without marks that change the direction, beside its mint', async () => {
    const { page, ledger } = await visitCluster();
    const { mint } = ledger.pools.community;
    await page.getByText(/^1 .* =/).waitFor();
    await setTokenMetadata(ledger, mint, { name: '<img src=x>\u202eevil', symbol: '<b>\u202eSOL', uri: '' });
    await page.reload();
    await page.getByRole('button', { name: /<b>SOL/ }).click();
    await sheetOf(page).getByText('<img src=x>evil').waitFor();
    await sheetOf(page).getByText(shortenAddress(mint)).waitFor();
  });

  test('lead to the browsers of wallets on a phone without one', async () => {
    const before = () =>
      // The practice wallet is there, too: this phone has none.
      addEventListener('wallet-standard:register-wallet', (event) => event.stopImmediatePropagation(), true);
    const page = await visit({ wallet: 'none', width: 390, height: 844, touch: true, before });
    await page
      .getByRole('button', { name: /^Connect( wallet)?$/ })
      .first()
      .click();
    const link = page.getByRole('link', { name: 'Open in Phantom' });
    const href = (await link.getAttribute('href')) ?? '';
    expect(href).toContain(`https://phantom.app/ul/browse/${encodeURIComponent(served.url)}`);
    expect(await violations(page)).toEqual([]);
  });

  test('show the first quote within a second, without a shift of the layout', async () => {
    const before = () => {
      const times = { shift: 0, firstQuote: 0 };
      Object.assign(globalThis, { times });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        })[])
          if (!entry.hadRecentInput) times.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
      const look = () => {
        const [pay, receive] = document.querySelectorAll<HTMLInputElement>('.amount input');
        if (pay?.value === '') {
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(pay, '1.5');
          pay.dispatchEvent(new Event('input', { bubbles: true }));
        }
        if (receive?.value) times.firstQuote ||= performance.now();
        else requestAnimationFrame(look);
      };
      look();
    };
    const times: { shift: number; firstQuote: number }[] = [];
    for (let visits = 0; visits < 3; visits += 1) {
      const page = await visit({ before, query: { history: 'all' } });
      await expect.poll(() => page.evaluate('times.firstQuote')).toBeGreaterThan(0);
      await page.getByRole('radio', { name: 'Trades' }).waitFor({ state: 'attached' });
      await page.waitForTimeout(1_500);
      times.push(await page.evaluate('times'));
      await page.context().close();
    }
    console.log('First quotes and layout shifts:', times);
    expect(Math.min(...times.map(({ firstQuote }) => firstQuote))).toBeLessThan(1_000);
    for (const { shift } of times) expect(shift).toBeLessThan(0.005);
  });

  test('need less than 290 KB of scripts to trade on a cluster, the chart included', async () => {
    const { page } = await visitCluster();
    await connect(page);
    await reviewTrade(page, '1');
    await confirm(page);
    await landed(page);
    const urls: string[] = await page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => name)',
    );
    const loaded = new Set(urls.map((url) => basename(url)));
    const scripts = readdirSync(join(served.folder, 'assets')).filter((name) => loaded.has(name));
    const sizes = scripts
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, gzipSync(readFileSync(join(served.folder, 'assets', name))).length] as const);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    console.log(`Scripts to trade: ${total} bytes gzipped`, Object.fromEntries(sizes));
    expect(sizes.map(([name]) => name).join()).not.toContain('practice');
    expect(total).toBeLessThan(290_000);
  });
});
