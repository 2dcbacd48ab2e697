import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import {
  bought,
  clusters,
  connectTestWallet,
  executablePath,
  expectText,
  loadedScripts,
  reviewBuy,
  served,
  signButton,
  useBrowser,
  violations,
  visit,
  waitForPool,
} from './browser.js';
import { startCluster } from './cluster.js';
import { servePage } from './page.js';

// The page as it is built and loaded.

useBrowser();

describe.skipIf(executablePath === undefined)('the built page', () => {
  test('loads no testing code at first, and stays small', async () => {
    const scripts = readdirSync(`${served.folder}/assets`).filter((name) => name.endsWith('.js'));
    // What is there before a node answers is loaded at first, the rest on demand.
    const cluster = await startCluster();
    clusters.push(cluster);
    cluster.health = 'silent';
    const page = await visit({ rpc: cluster.url });
    await page.locator('#build[data-label^=Connecting]').waitFor();
    const first = await loadedScripts(page);
    const codeOf = (name: string) => readFileSync(`${served.folder}/assets/${name}`, 'utf8');
    const isIn = (names: readonly string[], text: string) =>
      names.some((name) => codeOf(name).includes(text));
    expect(isIn(first, 'Enter an amount')).toBe(true);
    // The model, and the review of a trade.
    for (const text of ['embedded ledger does not', 'It took too long: the cluster']) {
      expect(isIn(first, text), text).toBe(false);
      expect(isIn(scripts, text), text).toBe(true);
    }
    // The market comes after the first quote.
    expect(isIn(first, 'No trades yet.')).toBe(false);
    const sizes = first.map((name) => gzipSync(codeOf(name), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(75_000);
  });

  test('builds from the package as users install it, and works', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'heaven-consumer-'));
    const root = fileURLToPath(new URL('../..', import.meta.url));
    try {
      // The folder as somebody would copy it, without this repository's configuration.
      for (const name of ['index.html', 'logo.svg', 'style', 'src'])
        cpSync(join(root, 'examples/dapp', name), join(folder, name), { recursive: true });
      const modules = join(folder, 'node_modules');
      const installed = join(modules, 'heaven-pools');
      mkdirSync(join(modules, '@solana'), { recursive: true });
      mkdirSync(installed);
      for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !one.startsWith('.')))
        if (!existsSync(join(modules, name)))
          symlinkSync(join(root, 'node_modules', name), join(modules, name));
      for (const name of readdirSync(join(root, 'node_modules/@solana')))
        symlinkSync(join(root, 'node_modules/@solana', name), join(modules, '@solana', name));
      cpSync(join(root, 'package.json'), join(installed, 'package.json'));
      execFileSync(
        process.execPath,
        [join(root, 'scripts/build.mjs'), '--no-dts', '--out-dir', join(installed, 'dist')],
        { cwd: root },
      );
      const consumer = await servePage({ configFile: false, root: folder });
      try {
        const page = await visit({ at: consumer.url });
        await connectTestWallet(page);
        await reviewBuy(page, '1');
        await signButton(page).click();
        await bought(page).waitFor();
      } finally {
        await consumer.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);

  test('puts only text into the page', () => {
    const folder = fileURLToPath(new URL('../../examples/dapp/src', import.meta.url));
    for (const name of readdirSync(folder)) {
      expect(readFileSync(`${folder}/${name}`, 'utf8'), name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser/,
      );
    }
  });
});

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
