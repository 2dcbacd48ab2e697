import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { executablePath, expectText, served, useBrowser, violations, visit, waitForPool } from './browser.js';

// The page before its scripts are there.

useBrowser();

/** Handles the scripts that the document names, and those that they load in turn. */
async function routeScripts(page: Page, first: (route: Route) => void, rest: (route: Route) => void) {
  const html = readFileSync(`${served.folder}/index.html`, 'utf8');
  await page.route(/\/assets\/.*\.js/, (route) => {
    const [name = ''] = /assets\/[^?]*/.exec(route.request().url()) ?? [];
    return html.includes(name) ? first(route) : rest(route);
  });
}

/** Holds requests until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, pass: (route: Route) => void opened.then(() => route.continue()) };
}

const isEnabled = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.map((one) => one.matches(':enabled')));
const BUTTONS = 'header button, .notes button, #trade button:not([hidden])';

describe.skipIf(executablePath === undefined)('until its scripts are there, the page', () => {
  test('disables the buttons that need them', async () => {
    const page = await visit({ at: 'about:blank', noPool: true });
    const [first, rest] = [gate(), gate()];
    await routeScripts(page, first.pass, rest.pass);
    await page.goto(`${served.url}?time=paused&history=none`, { waitUntil: 'commit' });
    await page.locator('#build').waitFor();
    expect(new Set(await isEnabled(page, BUTTONS))).toEqual(new Set([false]));
    expect(await violations(page)).toEqual([]);
    // What one types meanwhile is quoted later. Enter doesn't send the form.
    await page.locator('#receive').fill('250000');
    await page.keyboard.press('Enter');

    // The theme is there first.
    first.open();
    await page.locator('#theme:enabled').click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await isEnabled(page, '#wallet-button, #network-button, #build')).toEqual([false, false, false]);

    rest.open();
    await page.locator('#wallet-button').click();
    expect(await page.locator('#wallet-dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await waitForPool(page);
    expect(new Set(await isEnabled(page, BUTTONS))).toEqual(new Set([true]));
    expect(await page.locator('#amount').inputValue()).toMatch(/^0\.\d+$/);
    expect(new URL(page.url()).searchParams.has('side')).toBe(false);
  });

  test('says if they can not be loaded', async () => {
    const page = await visit({ at: 'about:blank', noPool: true });
    await routeScripts(
      page,
      (route) => void route.continue(),
      (route) => void route.abort(),
    );
    await page.goto(served.url);
    await expectText(page.locator('#connection-problem'), /could not be loaded. Check your connection/);
    expect(await isEnabled(page, '#theme, #wallet-button')).toEqual([true, false]);
  });
});
