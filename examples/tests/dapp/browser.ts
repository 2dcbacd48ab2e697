import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';
import { findChromium } from '../../../tests/support/chromium.js';
import { HANG_MS } from '../../../tests/support/hang.js';
import { type LedgerNode, serveLedger } from '../../../tests/support/node.js';
import { launchBrowser } from '../launch-browser.js';
import { type ServedPage, servePage, testKey } from './page.js';
import { installTestWallet, type TestWallet } from './wallet.js';

// Opens the page in a browser, for its tests.

export const executablePath = findChromium();
if (executablePath === undefined && process.env.CI === 'true')
  throw new Error('The tests of examples/dapp need Chromium: set CHROMIUM_PATH, or install it.');

const key = await testKey();

let browser: Browser;
let served: ServedPage;
const open: BrowserContext[] = [];
const clusters: LedgerNode[] = [];
const uncaught: string[] = [];

/** One browser and one build of the page for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (executablePath === undefined) return;
    browser = await launchBrowser(executablePath);
    served = await servePage();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((context) => context.close()));
    await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
    expect(uncaught.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });
}

interface Visit {
  readonly dark?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Of the address: `rpc`, `pool`, `guards`, `history`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly view?: 'launch' | 'pools';
  /** Whose browser it is: its language, its time zone. */
  readonly reader?: Pick<BrowserContextOptions, 'locale' | 'timezoneId'>;
}

/** Opens the page, with time standing still, so that each run sees the same. */
export async function visit(how: Visit = {}): Promise<Page> {
  const { dark, width = 1100, height = 900, query, view, reader } = how;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...reader,
  });
  open.push(context);
  context.setDefaultTimeout(HANG_MS);
  const page = await context.newPage();
  page.on('pageerror', (error) => uncaught.push(String(error)));
  // A test must not reach further than this machine.
  const isElsewhere = ({ hostname }: URL) => !['127.0.0.1', 'localhost'].includes(hostname);
  await context.route(isElsewhere, (route) => route.abort());
  await page.addInitScript(installTestWallet, key);
  const params = new URLSearchParams({ time: 'paused', history: 'none', ...query });
  await page.goto(`${served.url}?${params}${view === undefined ? '' : `#${view}`}`);
  return page;
}

/** A cluster on this machine, and the page on it, at one of its pools. */
export async function visitCluster({
  agrees = true,
  pool,
  ...size
}: Omit<Visit, 'query'> & { agrees?: boolean; pool?: string } = {}) {
  const ledger = await createEmbeddedLedger();
  const cluster = await serveLedger(() => ledger);
  clusters.push(cluster);
  ledger.setBalance(key.address, 10_000_000_000n);
  const page = await visit({
    ...size,
    query: { rpc: cluster.url, pool: pool ?? ledger.pools.community.mint },
  });
  if (agrees) await sheetOf(page).getByRole('button', { name: 'Connect to it' }).click();
  return { page, cluster, ledger };
}

export async function connect(page: Page, name = 'Test wallet'): Promise<void> {
  await page
    .getByRole('button', { name: /^Connect( wallet)?$/ })
    .first()
    .click();
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

export const payOf = (page: Page) => page.getByLabel(/^You (pay|sell)/);
export const receiveOf = (page: Page) => page.getByLabel(/^You receive/);
export const sheetOf = (page: Page) => page.getByRole('dialog');

/** The value of a term in a list of facts. */
export const fact = (page: Page, term: string) =>
  page
    .locator('.facts div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${term}`) }) })
    .locator('dd')
    .first();

/** Types an amount, and opens the review. */
export async function reviewTrade(page: Page, amount = '1.5', side: 'Buy' | 'Sell' = 'Buy'): Promise<void> {
  await page.getByRole('radio', { name: side }).check({ force: true });
  await payOf(page).fill(amount);
  await page.getByRole('button', { name: `Review ${side.toLowerCase()}` }).click();
  await sheetOf(page).getByText('Your balance changes').waitFor();
}

/** Confirms, twice if the page asks for it. */
export async function confirm(page: Page, name: RegExp = /^Confirm/): Promise<void> {
  const button = sheetOf(page).getByRole('button', { name });
  if ((await button.textContent())?.endsWith('…')) await button.click();
  await button.click();
}

export const landed = (page: Page) => sheetOf(page).getByText('Landed').waitFor();
export const closeReceipt = (page: Page) => page.getByRole('button', { name: 'Done' }).click();

export const walletIn = (page: Page, change: Partial<TestWallet>) =>
  page.evaluate((wanted) => {
    Object.assign((globalThis as unknown as { testWallet: TestWallet }).testWallet, wanted);
  }, change);

/** Changes the ledger in the page. */
export const onLedger = <T>(page: Page, change: (ledger: EmbeddedLedger) => T) =>
  page.evaluate(`(${change})(globalThis.ledger)`) as Promise<T>;

const FOLDERS = {
  docs: fileURLToPath(new URL('../../../docs/images', import.meta.url)),
  states: fileURLToPath(new URL('../../dapp/screenshots', import.meta.url)),
};

/** Writes a picture when asked to: of the docs, or of a state of the page. */
export async function picture(
  page: Page,
  name: string,
  folder: keyof typeof FOLDERS = 'docs',
): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  mkdirSync(FOLDERS[folder], { recursive: true });
  const path = `${FOLDERS[folder]}/${folder === 'docs' ? 'dapp-' : ''}${name}.png`;
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}
