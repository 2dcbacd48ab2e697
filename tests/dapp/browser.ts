import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { computeBuy, computeSell, createClient, fetchPoolSnapshot, toSwapState } from '../../src/index.js';
import {
  createEmbeddedLedger,
  createSamplePoolFields,
  type EmbeddedLedger,
  type SamplePool,
} from '../../src/testing/index.js';
import { findChromium } from '../support/chromium.js';
import { type Cluster, startCluster } from './cluster.js';
import { type ServedPage, servePage, testKeys } from './page.js';
import { installTestWallet, type TestWallet, type TestWalletOptions } from './wallet.js';

// Opens the page in a browser, for its tests.

export const executablePath = findChromium();
if (executablePath === undefined && process.env.CI === 'true')
  throw new Error('The tests of examples/dapp need Chromium: set CHROMIUM_PATH, or install it.');
if (executablePath === undefined)
  console.warn('Skipped: the tests of examples/dapp. There is no Chromium in the PATH and no CHROMIUM_PATH.');

const IMAGES = fileURLToPath(new URL('../../docs/images', import.meta.url));
const keys = await testKeys();
export const [first, second] = keys as unknown as readonly [(typeof keys)[0], (typeof keys)[0]];

let browser: Browser;
export let served: ServedPage;
export const open: BrowserContext[] = [];
export const clusters: Cluster[] = [];
const uncaught: string[] = [];

/** One browser and one build of the page for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (executablePath === undefined) return;
    [browser, served] = await Promise.all([
      chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] }),
      servePage(),
    ]);
  }, 120_000);
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

export interface Visit {
  readonly wallet?: Partial<TestWalletOptions> | 'none';
  readonly dark?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly rpc?: string;
  /** The pool in the address of the page. */
  readonly pool?: string;
  /** Opens the page without waiting for a pool. */
  readonly at?: string;
  readonly noPool?: boolean;
  /** Opens this section. */
  readonly section?: 'launch' | 'pools';
  /** What the practice wallet adds. */
  readonly guards?: 'phantom' | 'solflare';
  /** The test moves the page's clock on. */
  readonly clock?: boolean;
  /** Types an amount as early as can be, and keeps in `firstQuote` when its quote was shown. */
  readonly stopwatch?: boolean;
  /** Whether the model starts with past trades, which change its prices. */
  readonly history?: boolean;
}

/** Opens the page, with the model's time standing still so that each run sees the same. */
export async function visit({
  wallet = {},
  dark = false,
  width = 1100,
  height = 900,
  rpc,
  pool,
  at,
  noPool,
  guards,
  section,
  clock = false,
  history = false,
  stopwatch = false,
}: Visit = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  open.push(context);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  if (clock) await page.clock.install();
  if (stopwatch) await page.addInitScript(timeFirstQuote);
  page.on('pageerror', (error) => uncaught.push(String(error)));
  // The page is on this machine; a test must not reach further.
  await context.route(
    (url) => !['127.0.0.1', 'localhost'].includes(url.hostname),
    (route) => route.abort(),
  );
  if (wallet !== 'none')
    await page.addInitScript(installTestWallet, { name: 'Test wallet', keys, ...wallet });
  const query = new URLSearchParams({
    time: 'paused',
    ...(history ? {} : { history: 'none' }),
    ...(rpc === undefined ? {} : { rpc }),
    ...(pool === undefined ? {} : { pool }),
    ...(guards === undefined ? {} : { guards }),
  });
  await page.goto(`${at ?? served.url}?${query}${section === undefined ? '' : `#${section}`}`);
  // Before its view is loaded, the page ignores clicks.
  if (section !== undefined)
    await page.locator(section === 'launch' ? '#launch-name' : '#deposit-sol').waitFor({ state: 'attached' });
  if (rpc === undefined && !noPool && section === undefined) await waitForPool(page);
  return page;
}

/** Runs in the page: it may use nothing from outside. */
function timeFirstQuote(): void {
  addEventListener('DOMContentLoaded', () => {
    const field = document.getElementById('amount') as HTMLInputElement;
    const shown = document.getElementById('receive') as HTMLInputElement;
    field.value = '1.5';
    // Its title changes with it.
    const observer = new MutationObserver(() => {
      if (!/[1-9]/.test(shown.value)) return;
      Object.assign(globalThis, { firstQuote: performance.now() });
      observer.disconnect();
    });
    observer.observe(shown, { attributes: true });
  });
}

/** The names of the scripts that the page has loaded. */
export async function loadedScripts(page: Page): Promise<readonly string[]> {
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  return [...new Set(urls.filter((url) => url.endsWith('.js')).map((url) => basename(url)))];
}

export const waitForPool = (page: Page) => page.locator('#pool-facts').getByText('Price').waitFor();

/** Chooses a side by its switch at the top of the card. */
export const chooseSide = (page: Page, side: 'Buy' | 'Sell') =>
  page.getByLabel(side, { exact: true }).check();
/** All the digits of a figure that is shown in short. */
export const exact = async (locator: Locator): Promise<string | null> =>
  (await locator.getAttribute('title')) ?? (await locator.textContent());
/** All the digits of an amount of the card: in its title if it is computed. */
export const digitsOf = async (field: Locator): Promise<string> =>
  (await field.getAttribute('title')) || (await field.inputValue());
export const received = (page: Page) => digitsOf(receiveOf(page));
export const setSlippage = async (page: Page, percent: string): Promise<void> => {
  if (!(await page.locator('#slippage-panel').isVisible())) await page.locator('#slippage-button').click();
  await page.locator('#slippage').fill(percent);
};
/** Looks up the pools of an address, and stays in the dialog if that fails. */
export async function findPool(page: Page, address: string): Promise<void> {
  if (!(await page.locator('#token-dialog').isVisible())) await page.locator('#choose-token').click();
  await page.getByLabel('Mint or pool address').fill(address);
  await page.getByRole('button', { name: 'Find' }).click();
}
export async function connectTo(page: Page, rpcUrl: string): Promise<void> {
  if (!(await page.locator('#network-dialog').isVisible())) await page.locator('#network-button').click();
  await page.getByLabel('RPC URL').fill(rpcUrl);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}
/** The names of the known pools. */
export const poolNames = (page: Page) => page.locator('#pool-list .pick').allTextContents();
export const sold = (page: Page) => heading(page, 'Sold');
export const bought = (page: Page) => heading(page, 'Bought');
/** Closes the receipt. */
export const closeReceipt = (page: Page) => page.locator('#again').click();

/** Lets a slot of the ledger in the page pass. */
export const nextSlot = (page: Page) =>
  page.evaluate(() => {
    const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
    ledger.setSlot(ledger.slot + 1n);
  });

export const amountOf = (page: Page) => page.locator('#amount');
export const receiveOf = (page: Page) => page.locator('#receive');
export const buildButton = (page: Page) => page.locator('#build');
export const signButton = (page: Page) => page.locator('#sign');
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
export const walletIn = (page: Page, change: Partial<TestWallet>) =>
  page.evaluate((wanted) => {
    Object.assign((globalThis as unknown as { testWallet: TestWallet }).testWallet, wanted);
  }, change);
/** Confirms, with the box ticked if the trade moves the price far. */
export async function signIt(page: Page): Promise<void> {
  if (await page.locator('#consent').isVisible()) await page.locator('#consent').check();
  await signButton(page).click();
}

export const timesAsked = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.asked);

/** Adds a pro pool for the token of the ledger's creator pool. */
export async function addProPool(ledger: EmbeddedLedger): Promise<SamplePool> {
  const { mint, tokenProgram, token } = (await createSamplePoolFields()).creator;
  const about = { kind: 'pro', configVersion: 3, mint, tokenProgram, token, state: {} } as const;
  const reserve = { tokenA: 10n ** 16n, tokenB: 99_003_000_000n };
  return await ledger.addPool({ ...about, creator: second.address as Address, reserve });
}

/** The value of a term in a list of facts. */
export const fact = (page: Page, list: string, term: string): Locator =>
  page
    .locator(`#${list} div`)
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${term}`) }) })
    .locator('dd');

export async function clickConnect(page: Page, name: string): Promise<void> {
  if (!(await page.locator('#wallet-dialog').isVisible())) await page.locator('#wallet-button').click();
  await page.getByRole('button', { name: `Connect ${name}` }).click();
}

export async function connectTestWallet(page: Page): Promise<void> {
  await clickConnect(page, 'Test wallet');
  await expectText(page.locator('#wallet-balance'), /SOL/);
}

export async function connectPracticeWallet(page: Page): Promise<void> {
  await clickConnect(page, 'Practice wallet');
  await expectText(page.locator('#wallet-balance'), /SOL/);
}

export async function reviewBuy(page: Page, amount = '1.5'): Promise<void> {
  await amountOf(page).fill(amount);
  await buildButton(page).click();
  await heading(page, 'Before you sign').waitFor();
}

export async function choosePool(page: Page, name: string): Promise<void> {
  await page.locator('#choose-token').click();
  await page.locator('#pool-list .pick', { hasText: name }).click();
  await fact(page, 'pool-facts', 'Token').getByText(name).waitFor();
}

export const expectValue = (field: Locator, value: RegExp) =>
  expect.poll(() => field.inputValue(), { timeout: 20_000, interval: 20 }).toMatch(value);

export const expectText = (locator: Locator, text: string | RegExp) =>
  expect.poll(() => locator.textContent(), { timeout: 20_000, interval: 20 }).toMatch(text);

/** What the library itself quotes on the same ledger. */
export async function expected(
  side: 'buy' | 'sell',
  name: 'community' | 'creator' | 'pro',
  amountIn: bigint,
) {
  const ledger = await createEmbeddedLedger();
  const { mint, configVersion, pool } = ledger.pools[name];
  const snapshot = await fetchPoolSnapshot(createClient({ rpc: ledger.rpc }), { mint, configVersion, pool });
  const state = toSwapState(snapshot);
  return side === 'buy' ? computeBuy(state, amountIn) : computeSell(state, amountIn);
}

/** A cluster on this machine, and the page on it, at one of its pools. */
export async function visitCluster(
  prepare: (cluster: Cluster) => void | Promise<void> = () => {},
  {
    pool = 'community',
    subscriptions = false,
    ...options
  }: Omit<Visit, 'pool'> & { readonly pool?: 'community' | 'pro'; readonly subscriptions?: boolean } = {},
): Promise<{ page: Page; cluster: Cluster; pool: SamplePool; ledger: EmbeddedLedger }> {
  const cluster = await startCluster({ subscriptions });
  clusters.push(cluster);
  const { ledger } = cluster;
  ledger.setBalance(first.address as Address, 10_000_000_000n);
  await prepare(cluster);
  const page = await visit({ ...options, rpc: cluster.url });
  await expectText(page.locator('#pool-status'), /Paste the address/);
  await findPool(page, ledger.pools[pool].mint);
  await waitForPool(page);
  return { page, cluster, pool: ledger.pools[pool], ledger };
}

export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Writes a picture for the docs, when asked to. */
export async function picture(page: Page, name: string, target?: Locator): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  mkdirSync(IMAGES, { recursive: true });
  const path = `${IMAGES}/dapp-${name}.png`;
  await page.evaluate(() => document.fonts.ready);
  await (target ?? page).screenshot({
    path,
    ...(target ? {} : { fullPage: true }),
    animations: 'disabled',
    caret: 'hide',
  } as never);
}
