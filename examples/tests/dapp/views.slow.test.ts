import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { createHeavenClient, quoteInitialBuy } from '../../../src/index.js';
import { createEmbeddedLedger } from '../../../src/testing/index.js';
import { violations } from '../page-checks.js';
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
  walletIn,
} from './browser.js';

// The views for launches and for pools.

useBrowser();

const PRACTICE = 'Practice wallet';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
/** The value of a term in the sheet. */
const inSheet = (page: Page, term: string) =>
  sheetOf(page).locator('.facts div').filter({ hasText: term }).locator('dd').first();

const sentBy = (page: Page) =>
  onLedger(page, ({ requests }) => requests.filter(({ method }) => method === 'sendTransaction').length);

async function fillLaunch(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Dawn token');
  await page.getByLabel('Symbol').fill('DAWN');
  await page.getByLabel('Metadata address').fill('https://example.com/tokens/PRO.json');
}

describe.skipIf(executablePath === undefined)('a launch', () => {
  test('shows its cost in the form and in the review, and lands with the checks of the wallet', async () => {
    const page = await visit({ view: 'launch', query: { guards: 'phantom' } });
    await connect(page, PRACTICE);
    await fillLaunch(page);
    await page.getByText('✕ The name there is “Pro token”').waitFor();
    await page.getByText('✓ The image can be shown').waitFor();
    // One request for an address, not one for each key.
    const read: string[] = [];
    page.on('request', (request) => /token|example/.test(request.url()) && read.push(request.url()));
    const address = page.getByLabel('Metadata address');
    await address.fill('');
    await address.pressSequentially('https://example.com/tokens/CREA.json', { delay: 20 });
    await page.getByText('✕ The name there is “Creator token”').waitFor();
    await address.fill('https://example.com/tokens/PRO.json');
    await page.getByText('✕ The name there is “Pro token”').waitFor();
    expect(read.map((url) => url.replace(/^.*\//, ''))).toEqual(['CREA.json', 'CREA.webp']);
    // Without a purchase, the rest is rent.
    const rentAlone = await fact(page, 'of which rent').textContent();
    await page.getByLabel(/^Amount in (%|SOL)/).fill('5');
    const client = createHeavenClient({ rpc: (await createEmbeddedLedger()).rpc });
    const tokenAmount = 50_000_000_000_000_000n;
    const quote = await quoteInitialBuy(client, { configVersion: 1, tokenAmount, slippageBps: 100 });
    const sol = (lamports: bigint) => `${(Number(lamports) / 1e9).toFixed(6)} SOL`;
    const cost = sol(quote.costLamports);
    const least = sol(quote.details.leastLamports);
    await expect.poll(() => fact(page, 'of which first purchase').textContent()).toBe(least);
    expect(await fact(page, 'Exchange fee of the purchase').textContent()).toBe('None');
    const parts = await page.locator('.plan .part dd').allTextContents();
    const sum = parts.reduce((all, part) => all + Number.parseFloat(part), 0);
    expect(await fact(page, 'Whole cost').textContent()).toBe(`${sum.toFixed(6)} SOL`);
    // What it costs, typed, buys as much again.
    await page.getByRole('radio', { name: 'SOL', exact: true }).check({ force: true });
    await page.getByLabel(/^Amount in (%|SOL)/).fill(String(quote.costSol));
    await page.getByText(/^(50,000,000|49,999,99\d)/).waitFor();
    await page.getByRole('radio', { name: '% of supply' }).check({ force: true });
    await page.getByLabel(/^Amount in (%|SOL)/).fill('5');
    await expect
      .poll(() => page.getByText(/^50,000,000 DAWN/).textContent())
      .toBe(`50,000,000 DAWN, $${(Math.floor(quote.costUsd / 0.0101) / 100).toFixed(2)}`);

    await button(page, 'Review the launch').click();
    await heading(page, 'Review the launch').waitFor();
    expect(await inSheet(page, 'First purchase, at most').textContent()).toBe(cost);
    expect(await inSheet(page, 'of which rent').textContent()).toBe(rentAlone);
    expect(await inSheet(page, 'You buy').textContent()).toBe('50,000,000 DAWN');
    await confirm(page, /^Sign and launch/);
    await heading(page, 'Launched').waitFor();
    await said(page, /\d checks?/);
    const mint = await inSheet(page, 'Mint').textContent();
    expect(mint).toMatch(/7$/);
    await button(page, 'Trade it').click();
    await page.getByRole('heading', { name: 'Dawn token DAWN / SOL' }).waitFor();
    expect(new URL(page.url()).searchParams.get('pool')).toBe(mint);
  });

  test('writes the metadata file, checks an image and says what kind of pool the chain accepts', async () => {
    const page = await visit({ view: 'launch' });
    await connect(page);
    await said(page, 'A community pool, which the exchange accepts now');
    expect(await button(page, 'Save the metadata file').getAttribute('aria-disabled')).toBe('true');
    await fillLaunch(page);
    await page.getByLabel('Description').fill('At dawn');
    await page.getByLabel('Image address').fill('ipfs://bafy/dawn.png');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save the metadata file').click(),
    ]);
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual({
      name: 'Dawn token',
      symbol: 'DAWN',
      description: 'At dawn',
      image: 'ipfs://bafy/dawn.png',
    });
    const picture = page.getByLabel('Image', { exact: true });
    await picture.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await said(page, /^Choose a PNG/);
    // Nobody is offered what the chain would reject.
    expect(await page.getByRole('radio', { name: 'Creator pool' }).count()).toBe(0);
  });

  test('lets its creator claim on a phone what the trades of others bring', async () => {
    const page = await visit({ view: 'launch', width: 390, height: 844 });
    await connect(page, PRACTICE);
    await fillLaunch(page);
    const picture = page.getByLabel('Image', { exact: true });
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('PNG') });
    await button(page, 'Review the launch').click();
    await confirm(page, /^Sign and launch/);
    await heading(page, 'Launched').waitFor();
    expect([await picture.inputValue(), await page.getByLabel('Name').inputValue()]).toEqual(['', '']);
    await button(page, 'Trade it').click();
    await page.getByText('1 DAWN =').waitFor();
    await page.getByRole('radio', { name: 'Position' }).check({ force: true });
    await said(page, 'Creator fees to claim: 0.000000 SOL.');
    await link(page, 'Claim in Pools').click();
    await heading(page, 'Nothing to claim yet').waitFor();
    expect(await heading(page, 'You can claim').count()).toBe(0);
    await button(page, 'Simulate a 5 SOL buy').click();
    // Half of what is bought in the launch's first slots.
    await page.getByText(/^Creator fees, DAWN\./).waitFor();
    await button(page, 'Claim from DAWN').click();
    await said(page, 'It succeeds. Your balance changes:');
    const claimed = await inSheet(page, 'To your wallet, about').textContent();
    expect(claimed).toBe('2.5 SOL');
    await confirm(page);
    await heading(page, 'Claimed').waitFor();
    expect(await inSheet(page, 'Claimed, at least').textContent()).toBe(claimed);
    await closeReceipt(page);
    await heading(page, 'You can claim').waitFor({ state: 'detached' });
  });

  test('that the wallet changed is never sent', async () => {
    const page = await visit({ view: 'launch' });
    await connect(page);
    await fillLaunch(page);
    await walletIn(page, { mode: 'change' });
    await button(page, 'Review the launch').click();
    await button(page, 'Sign and launch').click();
    await said(page, /Your wallet changed the launch before it signed it, so it was not sent/);
    expect(await sentBy(page)).toBe(0);
    await walletIn(page, { mode: 'refuse' });
    await page.getByRole('dialog').getByRole('button').last().click();
    await said(page, 'You rejected the request in your wallet. Nothing was sent.');
    expect(await sentBy(page)).toBe(0);
  });
});

describe.skipIf(executablePath === undefined)('the pools', () => {
  test('take a deposit and give it back, with the checks of the wallet', async () => {
    const { pro } = (await createEmbeddedLedger()).pools;
    const page = await visit({ view: 'pools', query: { guards: 'solflare', pool: pro.pool } });
    await connect(page, PRACTICE);
    await button(page, 'Enter an amount').click();
    expect(await button(page, 'Enter an amount').getAttribute('class')).toMatch(/waits/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.type('1');
    await button(page, 'Not enough PRO').waitFor();
    await link(page, 'Trade').click();
    await reviewTrade(page, '5');
    await confirm(page);
    await landed(page);
    await closeReceipt(page);
    await onLedger(page, (ledger) => ledger.setSlot(ledger.slot + 1n));

    await link(page, 'Pools').click();
    await page.getByLabel('SOL to deposit').fill('1');
    await button(page, 'Review the deposit').click();
    await said(page, 'It succeeds. Your balance changes:');
    const least = await inSheet(page, 'Minimum received').getAttribute('title');
    await confirm(page);
    await heading(page, 'Deposited').waitFor();
    await said(page, /\d checks?/);
    await closeReceipt(page);
    await said(page, 'Your share');

    // Liquidity providers earn from the trades of others, and claim it here.
    expect(await heading(page, 'You can claim').count()).toBe(0);
    const row = page.locator('.pool-list button', { hasText: 'Pro token' });
    const before = await row.textContent();
    await button(page, 'Simulate a 5 SOL buy').click();
    await page.getByText(/^Someone bought 5 SOL: \+\d+\.\d%$/).waitFor();
    await expect.poll(() => row.textContent()).not.toBe(before);
    await button(page, 'Claim from PRO').click();
    expect(await violations(page)).toEqual([]);
    await said(page, 'It succeeds. Your balance changes:');
    await confirm(page);
    await heading(page, 'Claimed').waitFor();
    await closeReceipt(page);
    await heading(page, 'You can claim').waitFor({ state: 'detached' });

    await page.getByLabel('Withdraw').check({ force: true });
    await page.getByLabel('LP tokens to withdraw').fill('1000');
    await button(page, 'Check the amount').waitFor();
    await button(page, 'Max').click();
    const held = Number(await page.getByLabel('LP tokens to withdraw').inputValue());
    expect(held).toBeGreaterThanOrEqual(Number.parseFloat(least ?? ''));
    await button(page, 'Review the withdrawal').click();
    await confirm(page);
    await heading(page, 'Withdrawn').waitFor();
    await closeReceipt(page);
    await expect.poll(() => fact(page, 'Your share').textContent()).toMatch(/^0%/);
  });
});
