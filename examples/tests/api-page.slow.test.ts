import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createExamples } from '../../scripts/examples.js';
import { createHandler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { type RunningServer, startServer } from '../../src/node/index.js';
import { paths } from '../../src/operations/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { furnish } from '../../tests/golden/scene.js';
import { PROGRAM, readJson } from '../../tests/http/support.js';
import { findChromium } from '../../tests/support/chromium.js';
import { HANG_MS } from '../../tests/support/hang.js';
import { launchBrowser } from './launch-browser.js';
import { overflow, violations } from './page-checks.js';

const examples: Readonly<Record<string, readonly string[]>> = createExamples();
const executablePath = findChromium();
if (executablePath === undefined && process.env.CI === 'true')
  throw new Error('The tests of the page need Chromium: set CHROMIUM_PATH, or install it.');

let server: RunningServer;
let browser: Browser;
let quote: string;
const problems: string[] = [];

/** Opens the page. What the browser complains about fails the test, except for the error answers that a test asks for. */
async function open(path = '/', { width = 1280, isPhone = false } = {}): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 800 },
    isMobile: isPhone,
    hasTouch: isPhone,
  });
  page.setDefaultTimeout(HANG_MS);
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
      problems.push(request.url());
  });
  await page.goto(server.url + path);
  return page;
}

describe.skipIf(executablePath === undefined)('the page', () => {
  beforeAll(async () => {
    if (executablePath === undefined) return;
    const ledger = await createEmbeddedLedger();
    const { rpc, pools } = ledger;
    await furnish(ledger);
    const mintSigner = () => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(5));
    const handler = createHandler({ client: createHeavenClient({ rpc }), mintSigner });
    server = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
    browser = await launchBrowser(executablePath);
    const { creator } = pools;
    quote = `{"program_id": "${PROGRAM}", "mint": "${creator.mint}", "config_version": 2, "max_sol_spend": 1000.5, "slippage_bps": 50}`;
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('calls a path, and shows every digit of the answer', async () => {
    const section = (await open()).locator('#quote-buy');
    await section.getByLabel('POST /quote/buy').fill(quote);
    await section.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => section.getByRole('status').textContent()).toMatch(/^200 OK \d+ ms$/);

    const answer = await fetch(`${server.url}/quote/buy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: quote,
    });
    const shown = (await section.locator('pre').textContent()) ?? '';
    expect(shown).toMatch(/^ {2}"minimum_out": \d{17},$/m);
    expect(readJson(shown)).toEqual(readJson(await answer.text()));
  });

  test.each([
    ['a laptop', {}, Object.values(paths)],
    ['a phone', { width: 390, isPhone: true }, [paths.quoteBuy, paths.buildBuy, paths.buildProTransferLp]],
  ])('on %s, Send gets the recorded answer to the example of each path', async (_, device, tried) => {
    const page = await open('/', device);
    for (const path of tried) {
      const section = page.locator(`#${path.slice(1).replaceAll('/', '-')}`);
      const send = section.getByRole('button', { name: 'Send' });
      await ('isPhone' in device ? send.tap() : send.click());
      const status = () => section.getByRole('status').textContent();
      await expect.poll(status, { message: path }).toMatch(/^200 OK \d+ ms$/);
      const shown = (await section.locator('pre').textContent()) ?? '';
      const [, answer = ''] = examples[path] ?? [];
      expect(readJson(shown), path).toEqual(readJson(answer));
    }
  });

  test.each([
    ['{"program_id": 1}', /"program_id/],
    ['{', /"malformed-json"/],
    ['"<b>"', /"error"/],
  ])('shows what is wrong with %s', async (request, expected) => {
    const section = (await open()).locator('#quote-buy');
    await section.getByLabel('POST /quote/buy').fill(request);
    await section.getByRole('button', { name: 'Send' }).press('Enter');
    await expect.poll(() => section.getByRole('status').textContent()).toMatch(/^400 Bad Request/);
    expect(await section.locator('pre').textContent()).toMatch(expected);
  });

  test('works where a server mounts it, without a slash at the end', async () => {
    const page = await open();
    await page.route('**/heaven**', async (route) => {
      const url = route.request().url().replace('/heaven', '');
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    await page.goto(`${server.url}/heaven#quote-buy`);
    const section = page.locator('#quote-buy');
    await section.getByLabel('POST /quote/buy').fill(quote);
    await section.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => section.getByRole('status').textContent()).toMatch(/^200/);
    expect(page.url()).toBe(`${server.url}/heaven/#quote-buy`);
  });

  test('writes the call as a command that a shell runs as it stands', async () => {
    const section = (await open()).locator('#quote-buy');
    await section.getByLabel('POST /quote/buy').fill(quote.replace('{', `{"note": "it's $HOME",\n`));
    await section.getByRole('button', { name: 'Copy as curl' }).click();
    const command = (await section.locator('pre').textContent()) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(stdout).toContain('"ignored_fields":["note"]');
  });

  test.each([360, 1280])(
    'at %i pixels in both themes: nothing overflows, and axe finds nothing',
    async (width) => {
      const page = await open('/', { width });
      await page.locator('details').evaluateAll((all) => {
        for (const details of all) details.setAttribute('open', '');
      });
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await overflow(page)).toBe(0);
      // Only colours depend on the theme.
      expect(await violations(page, ['color-contrast'])).toEqual([]);
    },
  );
});
