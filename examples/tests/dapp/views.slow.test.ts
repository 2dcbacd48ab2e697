import { readFileSync } from 'node:fs';
import type { Address } from '@solana/kit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { createHeavenClient, quoteInitialBuy } from '../../../src/index.js';
import { findPoolAddress } from '../../../src/program/index.js';
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

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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
    expect(await fact(page, 'Total cost').textContent()).toBe(`${sum.toFixed(6)} SOL`);
    // What it costs, typed, buys as much again.
    await page.getByRole('radio', { name: 'SOL', exact: true }).check({ force: true });
    await page.getByLabel(/^Amount in (%|SOL)/).fill(String(quote.costSol));
    await page.getByText(/^(50,000,000|49,999,99\d)/).waitFor();
    await page.getByRole('radio', { name: '% of supply' }).check({ force: true });
    await page.getByLabel(/^Amount in (%|SOL)/).fill('5');
    await expect
      .poll(() => page.getByText(/^50,000,000 DAWN/).textContent())
      .toBe(`50,000,000 DAWN, $${(Math.floor(quote.costUsd / 0.0101) / 100).toFixed(2)}`);

    await button(page, 'Review launch').click();
    await heading(page, 'Review launch').waitFor();
    expect(await inSheet(page, 'First purchase, at most').textContent()).toBe(cost);
    expect(await inSheet(page, 'of which rent').textContent()).toBe(rentAlone);
    expect(await inSheet(page, 'You buy').textContent()).toBe('50,000,000 DAWN');
    await confirm(page);
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
    await said(page, 'A new token in a community pool');
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
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
    await page.getByText(/^Choose a PNG/).waitFor({ state: 'detached' });
    // Its bytes count, and not its name.
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('a text') });
    await said(page, /^Choose a PNG/);
    // Nobody is offered what the chain would reject.
    expect(await page.getByRole('radio', { name: 'Creator token' }).count()).toBe(0);
  });

  test('lets its creator claim on a phone what the trades of others bring', async () => {
    const page = await visit({ view: 'launch', width: 390, height: 844 });
    await connect(page, PRACTICE);
    await fillLaunch(page);
    const picture = page.getByLabel('Image', { exact: true });
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
    await button(page, 'Review launch').click();
    await confirm(page);
    await heading(page, 'Launched').waitFor();
    expect([await picture.inputValue(), await page.getByLabel('Name').inputValue()]).toEqual(['', '']);
    await button(page, 'Trade it').click();
    await page.getByText('1 DAWN =').waitFor();
    await link(page, 'Pools').click();
    await heading(page, 'Nothing to claim yet').waitFor();
    expect(await heading(page, 'You can claim').count()).toBe(0);
    await button(page, 'Simulate a 5 SOL buy').click();
    // Half of what is bought in the launch's first slots.
    await page.getByText(/^Creator fees, DAWN\./).waitFor();
    await button(page, 'Claim from DAWN').click();
    await said(page, 'It succeeds. Your balance changes:');
    expect(await inSheet(page, 'You receive about').textContent()).toBe('2.5 SOL');
    // Another trade adds to what is claimed.
    const mint = new URL(page.url()).searchParams.get('pool') as Address;
    const pool = await findPoolAddress({ mint });
    await page.evaluate(
      `ledger.updatePool('${pool}', ({ creatorTradingFees }) => ({ creatorTradingFees: creatorTradingFees + 7n }))`,
    );
    await confirm(page);
    await heading(page, 'Claimed').waitFor();
    expect(await inSheet(page, 'You received').getAttribute('title')).toBe('2.500000007 SOL');
    await closeReceipt(page);
    await heading(page, 'You can claim').waitFor({ state: 'detached' });
  });

  test('keeps what was typed, in each unit, and says at the field what can’t be bought', async () => {
    const page = await visit({ view: 'launch' });
    await connect(page, PRACTICE);
    await fillLaunch(page);
    const amount = page.getByLabel(/^Amount in (%|SOL|Tokens)/);
    // Not by force: the form may still move under the click.
    const unit = (name: string) => page.locator('.segment label').filter({ hasText: name }).click();
    await amount.fill('5');
    await said(page, /^50,000,000 DAWN/);
    await unit('Tokens');
    expect(await amount.inputValue()).toBe('50000000');
    await unit('SOL');
    // 35 virtual SOL: 5 % cost 35 * 5 / 95, and 1 % of slippage.
    expect(await amount.inputValue()).toMatch(/^1\.86052631/);
    // (100 / 95) ** 2 times the price before.
    await said(page, /^\$3,180\.\d\d$/);
    await link(page, 'Pools').click();
    await link(page, 'Launch').click();
    expect([await page.getByLabel('Name').inputValue(), await amount.inputValue()]).toEqual([
      'Dawn token',
      expect.stringMatching(/^1\.8605/),
    ]);
    await unit('% of supply');
    for (const [typed, words] of [
      ['100', /^The pool keeps some tokens, so 100% can’t be bought/],
      ['99.9', /^It costs 34,9\d\d.* SOL\. You have 99\.9/],
    ] as const) {
      await amount.fill(typed);
      await amount.blur();
      await said(page, words);
      await button(page, 'Check the first purchase').waitFor();
      expect(await page.getByText(/custom error|instruction/).count()).toBe(0);
    }
  });

  test('that the wallet changed is never sent', async () => {
    const page = await visit({ view: 'launch' });
    await connect(page);
    await fillLaunch(page);
    await walletIn(page, { mode: 'change' });
    await button(page, 'Review launch').click();
    await button(page, 'Confirm launch').click();
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
    await button(page, 'Review deposit').click();
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
    await button(page, 'Review withdrawal').click();
    await confirm(page);
    await heading(page, 'Withdrawn').waitFor();
    await closeReceipt(page);
    await expect.poll(() => fact(page, 'Your share').textContent()).toMatch(/^0%/);
  });
});

describe.skipIf(executablePath === undefined)('a pro pool', () => {
  test.each([
    [1100, 900],
    [390, 844],
  ])('is created, earns, is claimed from and run, at %i pixels', async (width, height) => {
    const page = await visit({ width, height });
    const change = async (name: string) => {
      await button(page, name).click();
      await said(page, 'It succeeds. Your balance changes:');
      await confirm(page);
      await heading(page, 'Changed').waitFor();
      await closeReceipt(page);
    };
    await connect(page, PRACTICE);
    await reviewTrade(page, '5');
    await confirm(page);
    await landed(page);
    await closeReceipt(page);

    await link(page, 'Launch').click();
    await page.getByRole('radio', { name: 'Pro pool' }).check({ force: true });
    await button(page, 'Choose a token that you hold').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'COMM').click();
    await button(page, 'Enter both amounts').waitFor();
    await page.getByRole('button', { name: '50%' }).click();
    await page.getByRole('radio', { name: 'Price' }).check({ force: true });
    await page.getByLabel('Price of 1 COMM, in SOL').fill('0.000001');
    const sol = await page.getByText(/SOL for it: 1 COMM = /).textContent();
    await page.getByText('Fees', { exact: true }).click();
    const fee = (name: string) => page.getByRole('group', { name, exact: true });
    await fee('Creator fee').getByLabel('Buy %').fill('60');
    await said(page, 'The exchange allows at most 50%.');
    await button(page, 'Check: Creator fee').waitFor();
    await fee('Creator fee').getByLabel('Buy %').fill('2');
    await fee('First slots').getByRole('button', { name: 'Add a fee' }).click();
    await fee('First slots').getByLabel('Until slot').fill('5');
    await fee('First slots').getByLabel('Buy %').fill('10');
    await fee('First slots').getByLabel('Sell %').fill('10');
    await page.getByText('What it allows').click();
    await page.getByLabel(/^Buy and sell in one slot/).check();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Review new pool').click();
    await said(page, 'It succeeds. Your balance changes:');
    expect(await inSheet(page, 'Creator fee').textContent()).toBe('2% to buy, 1% to sell');
    expect(await inSheet(page, 'First slots').textContent()).toBe('10% to buy, 10% to sell');
    expect(await inSheet(page, 'Buy and sell in one slot').textContent()).toBe('On');
    expect(sol).toContain((await inSheet(page, 'and').textContent()) as string);
    await confirm(page);
    await heading(page, 'Created').waitFor();
    await button(page, 'See the pool').click();

    await page.getByRole('radio', { name: 'Manage' }).check({ force: true });
    await button(page, 'Nothing to claim yet').waitFor();
    await button(page, 'Simulate a 5 SOL buy').click();
    // 10 % of 5 SOL, in its first slots, as the exchange takes no part of it.
    await expect.poll(() => fact(page, 'To claim').textContent()).toBe('0.5 SOL');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Review claim').click();
    await confirm(page);
    await heading(page, 'Claimed').waitFor();
    expect(await inSheet(page, 'You received').textContent()).toBe('0.5 SOL');
    await closeReceipt(page);
    await expect.poll(() => fact(page, 'Claimed').textContent()).toBe('0.5 SOL');

    await button(page, 'Turn off Deposits').click();
    await said(page, 'Nobody can deposit.');
    await page.keyboard.press('Escape');
    await change('Turn off Deposits');
    await button(page, 'Turn on Deposits').waitFor();
    await page.getByRole('radio', { name: 'Liquidity fee' }).check({ force: true });
    await button(page, 'Add a fee').click();
    await page.getByLabel('Buy %').fill('0.25');
    await page.getByLabel('Sell %').fill('0.3');
    await change('Review change');
    expect(await page.getByLabel('Sell %').inputValue()).toBe('0.3');
    await button(page, 'Give them to Test wallet').click();
    expect(await inSheet(page, 'Who signs').textContent()).toBe('Practice wallet, then Test wallet');
    await page.keyboard.press('Escape');
    await change('Give them to Test wallet');
    await button(page, 'The receiver below claims them').waitFor();
    await change('Take them back');
    await button(page, 'Take them back').waitFor({ state: 'detached' });

    // From either side, and the most of both.
    await change('Turn on Deposits');
    await page.getByRole('radio', { name: 'Deposit' }).check({ force: true });
    await page.getByRole('radio', { name: 'COMM', exact: true }).check({ force: true });
    await button(page, 'Max').click();
    await button(page, 'Review deposit').click();
    await said(page, 'It succeeds. Your balance changes:');
    const about = await inSheet(page, 'You deposit').getAttribute('title');
    await confirm(page);
    await heading(page, 'Deposited').waitFor();
    expect(await inSheet(page, 'You deposited').getAttribute('title')).toBe(about);
  });
});
