import { type Address, address } from '@solana/kit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import { toNativeAmount } from '../../src/index.js';
import {
  findAssociatedTokenAddress,
  findProtocolConfigAddress,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import {
  amountOf,
  bought,
  connectPracticeWallet,
  connectTestWallet,
  executablePath,
  expectText,
  fact,
  heading,
  signButton,
  useBrowser,
  violations,
  walletIn,
} from './browser.js';
import { PURCHASE, reviewLaunch, visitLaunch } from './launching.js';
import type { TestWallet } from './wallet.js';

// Launches in the page, which the wallet signs first.

useBrowser();

const UNITS = 50_000_000_000_000_001n;
const SUPPLY = 1_000_000_000_000_000_000n;

const launchButton = (page: Page) => page.locator('#sign');

/** Native units in a token account, or the supply of a mint: undefined if it does not exist. */
const unitsAt = (page: Page, of: Address, offset: 64 | 36) =>
  page.evaluate(
    ([account, at]) => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      const data = ledger.getAccount(account)?.data;
      return data && new DataView(data.buffer, data.byteOffset).getBigUint64(at, true);
    },
    [of, offset] as const,
  );

/** Lamports of an account. */
const lamportsOf = (page: Page, of: Address) =>
  page.evaluate((account) => {
    const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
    return ledger.getAccount(account)?.lamports;
  }, of);

const sentOf = (page: Page) =>
  page.evaluate(() => {
    const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
    return ledger.requests.filter(({ method }) => method === 'sendTransaction').length;
  });

const letBlocksPass = (page: Page) =>
  page.evaluate(() => {
    const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
    ledger.setSlot(ledger.slot + 200n);
  });

const answer = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.answer());

describe.skipIf(executablePath === undefined)('a launch', () => {
  test.each([
    ['phantom', PURCHASE],
    ['solflare', ''],
    ['solflare', PURCHASE],
    [undefined, PURCHASE],
  ] as const)('with the checks of %s, buying %s: a pool that can be traded in', async (guards, purchase) => {
    const page = await visitLaunch({ wallet: 'none', ...(guards === undefined ? {} : { guards }) });
    await connectPracticeWallet(page);
    await reviewLaunch(page, purchase);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('review-title');
    const buying = purchase === '' ? '' : `, and buy ${formatAmount(UNITS, 9)} MINE for at most [\\d.]+ SOL`;
    await expectText(
      page.locator('#review-headline'),
      new RegExp(`^You create My tøken \\(MINE\\) and its pool${buying}\\.$`),
    );
    await expectText(page.locator('#review-trial-text'), /^It would succeed as things stand\.$/);
    await expectText(page.locator('#review-bytes'), /of 4,096 bytes, version 1/);
    const mint = address((await fact(page, 'review-facts', 'Mint').textContent()) ?? '');
    const pool = address((await fact(page, 'review-facts', 'Pool').textContent()) ?? '');
    expect(mint).toMatch(/7$/);
    expect([await unitsAt(page, mint, 36), await lamportsOf(page, pool)]).toEqual([undefined, undefined]);
    const change = (await fact(page, 'review-trial', 'SOL').textContent()) ?? '';
    const [, told = ''] = /^−([\d.]+) SOL$/.exec(change) ?? [];
    await launchButton(page).click();
    await heading(page, 'Launched').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('result-title');
    expect(await sentOf(page)).toBe(1);
    // The pool holds all tokens but those that were bought, and the wallet has paid what the trial said.
    const owner = await findProtocolConfigAddress({ version: 1 });
    const vault = await findAssociatedTokenAddress({ owner, mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS });
    const units = purchase === '' ? 0n : UNITS;
    expect(await unitsAt(page, mint, 36)).toBe(SUPPLY);
    expect(await unitsAt(page, vault, 64)).toBe(SUPPLY - units);
    expect(await lamportsOf(page, pool)).toBeGreaterThan(0n);
    const left = formatAmount(100_000_000_000n - toNativeAmount(told, 9), 9);
    await expectText(page.locator('#wallet-balance'), new RegExp(`^${left} SOL`));
    if (guards !== undefined)
      await expectText(fact(page, 'result-facts', 'Added by your wallet'), /^\d checks of its own$/);

    // The pool opens in the other section, with what was bought, and one can trade in it.
    await page.getByRole('button', { name: 'Trade it' }).click();
    await fact(page, 'pool-facts', 'Token').getByText('My tøken (MINE)').waitFor();
    expect(await fact(page, 'pool-facts', 'Mint').textContent()).toBe(mint);
    const held = purchase === '' ? '0' : formatAmount(UNITS, 9);
    await expectText(page.locator('#wallet-balance'), new RegExp(` and ${held} MINE$`));
    await amountOf(page).fill('1');
    await page.getByRole('button', { name: 'Review buy' }).click();
    await heading(page, 'Before you sign').waitFor();
    await signButton(page).click();
    await bought(page).waitFor();
  });
});

describe.skipIf(executablePath === undefined)('a launch that the wallet does not sign', () => {
  test('is rejected or unsigned: nothing is sent, and it can be signed again', async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    await reviewLaunch(page);
    await expectText(page.locator('#review-bytes'), /of 1,232 bytes, version 0/);
    const mint = await fact(page, 'review-facts', 'Mint').textContent();
    await walletIn(page, { mode: 'refuse' });
    await launchButton(page).click();
    await expectText(page.locator('#review-problem'), /You refused it in the wallet. Nothing was sent./);
    await walletIn(page, { mode: 'garbage' });
    await launchButton(page).click();
    await expectText(page.locator('#review-problem'), /not signed by it. Nothing was sent./);
    expect(await sentOf(page)).toBe(0);
    // Back at the form, the mint that was found is kept.
    await page.locator('#cancel').click();
    await walletIn(page, { mode: 'sign' });
    await reviewLaunch(page);
    expect(await fact(page, 'review-facts', 'Mint').textContent()).toBe(mint);
    await launchButton(page).click();
    await heading(page, 'Launched').waitFor();
    expect(await sentOf(page)).toBe(1);
  });

  test('is changed: the change is shown, and never sent', async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    await reviewLaunch(page);
    await walletIn(page, { mode: 'change' });
    await launchButton(page).click();
    await expectText(page.locator('#review-notice'), /changed the launch.*it was not sent/);
    expect(await page.locator('#review-steps li').first().textContent()).toBe('Allow 465536 compute units.');
    expect(await launchButton(page).textContent()).toBe('Ask the wallet again');
    expect(await violations(page)).toEqual([]);
    await launchButton(page).click();
    await expectText(page.locator('#review-notice'), /it was not sent/);
    expect(await sentOf(page)).toBe(0);
    await walletIn(page, { mode: 'sign' });
    await launchButton(page).click();
    await heading(page, 'Launched').waitFor();
    expect(await sentOf(page)).toBe(1);
  });

  test('is signed too late: gets a fresh block hash, and is signed again', async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    await reviewLaunch(page);
    // Reading takes none of its time.
    await letBlocksPass(page);
    await walletIn(page, { mode: 'wait' });
    await launchButton(page).click();
    await expectText(page.locator('#review-status'), /asks for your signature/);
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.asked))
      .toBe(1);
    await letBlocksPass(page);
    await answer(page);
    await expectText(page.locator('#review-notice'), /It took too long.*Sign it again/);
    await walletIn(page, { mode: 'sign' });
    await launchButton(page).click();
    await heading(page, 'Launched').waitFor();
  });

  test('is cancelled: a late answer changes nothing', async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    await reviewLaunch(page);
    await walletIn(page, { mode: 'wait' });
    await launchButton(page).click();
    await expectText(launchButton(page), /Confirm in your wallet/);
    await page.locator('#cancel').click();
    expect(await page.locator('#review').isVisible()).toBe(false);
    await answer(page);
    await page.evaluate(() =>
      (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts([1]),
    );
    expect(await sentOf(page)).toBe(0);
  });
});
