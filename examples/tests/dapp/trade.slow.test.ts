import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import {
  computeBuy,
  createHeavenClient,
  fetchPoolSnapshot,
  formatAmount,
  toSwapState,
} from '../../../src/index.js';
import { deriveAssociatedTokenAddress } from '../../../src/solana/derived-addresses.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../../src/testing/index.js';
import { violations } from '../page-checks.js';
import {
  closeReceipt,
  confirm,
  connect,
  executablePath,
  fact,
  landed,
  onLedger,
  payOf,
  receiveOf,
  reviewTrade,
  sheetOf,
  useBrowser,
  visit,
  visitCluster,
  walletIn,
} from './browser.js';
import { testKey } from './page.js';

const RENT = 'Rent back for the closed token account';

describe.skipIf(executablePath === undefined)('a trade on the page', () => {
  useBrowser();

  test('buys what the library quotes, and sells it again for the proceeds in the receipt', async () => {
    const ledger = await createEmbeddedLedger();
    const { mint, configVersion } = ledger.pools.community;
    const snapshot = await fetchPoolSnapshot(createHeavenClient({ rpc: ledger.rpc }), {
      mint,
      configVersion,
    });
    const { amountOut } = computeBuy(toSwapState(snapshot), 1_500_000_000n);
    const exact = formatAmount(amountOut, snapshot.token.decimals, { digits: 'all', locale: 'en-GB' });
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await expect.poll(() => fact(page, 'SOL, with all fees').textContent()).toMatch(/^−1\.50/);
    await expect.poll(() => fact(page, 'Minimum received').textContent()).toMatch(/COMM$/);
    await expect.poll(() => fact(page, 'Exchange fees \\(included\\)').textContent()).toBe('0.016500 SOL');
    await sheetOf(page).getByText('Rent for new accounts, at most').waitFor();
    await confirm(page);
    await landed(page);
    expect(await fact(page, 'You received').textContent()).toBe(`${exact} COMM`);
    expect(await fact(page, 'Against the quote').textContent()).toBe('exactly as quoted');
    await closeReceipt(page);
    // The token's account is there now: another buy pays no rent that stays.
    await reviewTrade(page, '1');
    await sheetOf(page).getByText('Rent you get back at once').waitFor();
    expect(await sheetOf(page).getByText('Rent for new accounts').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Sell' }).check({ force: true });
    // A quarter of it is a short number.
    await page.getByRole('button', { name: '25%' }).click();
    await expect.poll(() => payOf(page).inputValue()).toMatch(/^[\d,]+$/);
    expect((await payOf(page).inputValue()).replace(/,|0+$/g, '').length).toBeLessThanOrEqual(6);
    await page.getByRole('button', { name: 'Max' }).click();
    await expect.poll(() => payOf(page).inputValue()).toBe(exact);
    // The sale of all of it closes the account.
    await page.getByText(/closes the token account: 0\.00151384 SOL of rent comes back/).waitFor();
    await page.getByRole('button', { name: 'Review sell' }).click();
    await sheetOf(page).getByText('Your balance changes').waitFor();
    const rent = await sheetOf(page).locator('.facts div', { hasText: RENT }).locator('dd').textContent();
    expect(rent).toBe('0.001514 SOL');
    await confirm(page);
    await landed(page);
    expect(await fact(page, 'You sold').textContent()).toBe(`${exact} COMM`);
    expect(await fact(page, RENT).textContent()).toBe(rent);
    // The pool keeps its fees on both ways.
    expect(await fact(page, 'You received').textContent()).toMatch(/^1\.43\d+ SOL$/);
    expect(await page.getByText(/^You received 1\.43\d+ SOL for/).count()).toBe(1);
    await closeReceipt(page);
    await reviewTrade(page, '1');
    await sheetOf(page).getByText('Rent for new accounts, at most').waitFor();
  });

  test('takes dollars for SOL, and says what they are', async () => {
    const page = await visit();
    await connect(page);
    await payOf(page).fill('2');
    await page.getByRole('button', { name: /switch between SOL and dollars/ }).click();
    expect(await payOf(page).inputValue()).toBe('164.03');
    await payOf(page).fill('1250.5');
    await page.getByRole('button', { name: /^15\.2468 SOL/ }).waitFor();
    await page.getByRole('button', { name: 'Review buy' }).click();
    await sheetOf(page).getByText('15.2468 SOL').waitFor();
    await page.keyboard.press('Escape');
    expect(await payOf(page).inputValue()).toBe('1,250.5');
    await page.getByRole('button', { name: 'Max' }).click();
    await expect.poll(() => payOf(page).inputValue()).toMatch(/^99\.9\d+$/);
  });

  test('works with the keyboard alone, and keeps the settings for the next visit', async () => {
    const page = await visit({ width: 390, height: 844 });
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at, body } = document;
        if (at === body) return '';
        return `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent} ${at?.id && document.querySelector(`label[for="${at.id}"]`)?.textContent}`;
      });
    const tabTo = async (name: RegExp) => {
      for (let tries = 0; tries < 40 && !name.test(await focused()); tries++) await press('Tab');
      expect(await focused()).toMatch(name);
    };
    await page.getByText('1 COMM =').waitFor();
    await tabTo(/0\.5%/);
    await press('Enter');
    await sheetOf(page).getByRole('heading', { name: 'Trade settings' }).waitFor();
    await press('ArrowRight');
    await press('Escape');
    await expect.poll(focused).toMatch(/Slippage 1%/);
    await page.reload();
    await page.getByText('1 COMM =').waitFor();
    await tabTo(/Connect/);
    await press('Enter');
    await sheetOf(page).getByRole('button', { name: 'Practice wallet' }).waitFor();
    await tabTo(/Test wallet/);
    await press('Enter');
    await expect.poll(focused).toMatch(/You pay/);
    await page.keyboard.type('1.5');
    await page.getByRole('button', { name: 'Review buy' }).waitFor();
    await press('Enter');
    await sheetOf(page).getByText('Your balance changes').waitFor();
    expect(await fact(page, 'Slippage').textContent()).toBe('1%');
    await tabTo(/Confirm buy/);
    await press('Enter');
    await landed(page);
    await expect.poll(focused).toMatch(/Done/);
    await press('Enter');
    await sheetOf(page).waitFor({ state: 'detached' });
  });

  test('warns once of a high slippage, without native amounts, and takes none that is not valid', async () => {
    const page = await visit();
    await connect(page);
    const field = sheetOf(page).getByLabel('Slippage in percent');
    await page.getByRole('button', { name: /^Slippage|^0\.5%/ }).click();
    await sheetOf(page).getByRole('radio', { name: '1%' }).check({ force: true });
    expect(await field.inputValue()).toBe('1');
    await field.fill('60');
    await sheetOf(page).getByRole('button', { name: 'Done' }).click();
    await sheetOf(page).getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Set the slippage' }).click();
    await field.fill('45');
    await page.keyboard.press('Enter');
    await reviewTrade(page, '1');
    expect(await sheetOf(page).locator('.warnings').allTextContents()).toEqual([
      expect.stringMatching(/^You allow 45% slippage\.[^\d]*$/),
    ]);
  });

  /** Makes the price worse for a buyer, after more slots than a quote is good for. */
  const movePrice = (page: Page) =>
    onLedger(page, (ledger) => {
      ledger.setReserves(ledger.pools.community.pool, { tokenB: 130_000_000_000n });
      ledger.setSlot(ledger.slot + 30n);
    });

  test('shows both minimums before it asks the wallet, once the price has moved', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    const before = await fact(page, 'Minimum received').textContent();
    await movePrice(page);
    await confirm(page);
    await page.getByText(`You saw: 1.5 SOL for at least ${before}.`).waitFor();
    expect(await page.evaluate('testWallet.asked')).toBe(0);
    expect(await fact(page, 'Minimum received').textContent()).not.toBe(before);
    expect(await violations(page)).toEqual([]);
    await confirm(page);
    await landed(page);
    expect(await fact(page, 'Against the quote').textContent()).toBe('exactly as quoted');
  });

  test('that fails by slippage is built again by one button', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    expect(await page.locator('[aria-current=step]').textContent()).toBe('Confirm in Test wallet');
    expect(await violations(page)).toEqual([]);
    await movePrice(page);
    await page.evaluate('testWallet.answer()');
    await page.getByText('The price moved past your slippage. Nothing was traded.').waitFor();
    expect(await violations(page)).toEqual([]);
    await walletIn(page, { mode: 'sign' });
    // The focus is on what helps.
    await page.keyboard.press('Enter');
    await page.getByText('This is up to date.').waitFor();
    await sheetOf(page).getByText('Your balance changes').waitFor();
    await confirm(page);
    await landed(page);
  });

  test('whose outcome is not known is followed further', async () => {
    const { page, cluster } = await visitCluster();
    await connect(page);
    await reviewTrade(page, '1');
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    await page.clock.install();
    cluster.isBroken = true;
    await page.evaluate('testWallet.answer()');
    await page.getByText(/^Signed, not sent yet; expires in (30|2\d) s\. The node didn’t answer/).waitFor();
    expect(await page.locator('[aria-current=step]').textContent()).toBe('Sent');
    expect(await violations(page)).toEqual([]);
    for (let seconds = 0; seconds < 90; seconds += 10) await page.clock.runFor(10_000);
    await page.getByRole('heading', { name: 'Not known yet' }).waitFor();
    expect(await violations(page)).toEqual([]);
    cluster.isBroken = false;
    await page.clock.resume();
    await page.getByRole('button', { name: 'Ask the node again' }).click();
    await landed(page);
  });

  test('lets the user sign again what was rejected, and what expired', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await walletIn(page, { mode: 'refuse' });
    await confirm(page);
    await page.getByText('You rejected the request in your wallet. Nothing was sent.').waitFor();
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    await onLedger(page, (ledger) => ledger.setSlot(ledger.slot + 400n));
    await walletIn(page, { mode: 'sign' });
    await page.evaluate('testWallet.answer()');
    await page.getByText('The transaction expired. Nothing was traded.').waitFor();
    await sheetOf(page).getByText('Your balance changes').waitFor();
    await confirm(page);
    await landed(page);
  });

  test('shows what a wallet signed instead, and sends it only when told so twice', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    const priority = await fact(page, 'of which priority').getAttribute('title');
    await walletIn(page, { mode: 'change' });
    await confirm(page);
    await page.getByRole('heading', { name: 'Your wallet changed the trade' }).waitFor();
    expect(await fact(page, 'Takes SOL').textContent()).toBe('1.5 SOL');
    expect(await fact(page, 'of which priority').textContent()).not.toBe(priority);
    expect(await fact(page, 'At least, to your wallet').textContent()).toMatch(/^3,[\d,.]+ COMM$/);
    expect(await violations(page)).toEqual([]);
    // By keyboard, and in two steps.
    await sheetOf(page).getByRole('button', { name: 'Send it…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/It can’t be undone/).waitFor();
    await confirm(page, /^Send it$/);
    await landed(page);
  });

  test('keeps the last quote while the node is away, and trades once it is back', async () => {
    const { page, cluster } = await visitCluster();
    await connect(page);
    await payOf(page).fill('1');
    await page.getByRole('button', { name: 'Review buy' }).waitFor();
    cluster.isBroken = true;
    await page.getByText(/The node didn't answer.*This quote may be old/).waitFor();
    cluster.isBroken = false;
    await expect.poll(() => page.getByText("The node didn't answer").count()).toBe(0);
    await page.getByRole('button', { name: 'Review buy' }).click();
    await confirm(page);
    await landed(page);
    expect(new URL(page.url()).searchParams.get('rpc')).toBe(cluster.url);
  });

  test('by the amount to receive pays what that costs now, and counts against it', async () => {
    const page = await visit();
    await connect(page);
    await receiveOf(page).fill('250000');
    await page.getByRole('button', { name: 'Review buy' }).click();
    await sheetOf(page).getByText('Your balance changes').waitFor();
    // 0.095593473 SOL give 250,000.002 COMM.
    expect(await sheetOf(page).locator('.review-leg').allInnerTexts()).toEqual([
      expect.stringMatching(/^You pay\s+0\.0955935 SOL\s+\$7\.84/),
      expect.stringMatching(/You receive about\s+250,000 COMM/),
    ]);
    expect(await fact(page, 'Minimum received').textContent()).toBe('248,750 COMM');
    await movePrice(page);
    await confirm(page);
    await page.getByText('You saw: 0.0955935 SOL for at least 248,750 COMM.').waitFor();
    expect(await sheetOf(page).locator('.review-leg').first().textContent()).toMatch(/^You pay0\.1\d+ SOL/);
    await confirm(page);
    await landed(page);
    expect(await fact(page, 'You received').textContent()).toMatch(/^250,000\.00\d+ COMM$/);
    expect(await fact(page, 'Against the quote').textContent()).toBe('exactly as quoted');
  });

  test('of dollars is worth what was typed, everywhere', async () => {
    const page = await visit();
    await connect(page);
    const switched = page.getByRole('button', { name: /switch between SOL and dollars/ });
    await switched.click();
    for (const dollars of ['10', '20', '50', '100']) {
      await payOf(page).fill(dollars);
      await page.getByRole('button', { name: 'Review buy' }).click();
      const first = sheetOf(page).locator('.review-leg').first();
      expect((await first.textContent())?.replace(/^.* SOL/, '')).toBe(`$${dollars}.00`);
      await page.keyboard.press('Escape');
      await switched.click();
      expect(await switched.textContent()).toContain(`$${dollars}.00`);
      await switched.click();
      expect(await payOf(page).inputValue()).toBe(dollars);
    }
  });

  test('rounds up what is paid', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page, '12.34567891');
    expect(await sheetOf(page).locator('.review-leg').first().textContent()).toMatch(/^You pay12\.3457 SOL/);
    await confirm(page);
    await landed(page);
    await page.getByText(/^You received .* for 12\.3457 SOL\.$/).waitFor();
  });

  test('is off while the node hangs, and says so', async () => {
    const { page, cluster } = await visitCluster();
    await connect(page);
    await payOf(page).fill('1');
    const review = page.getByRole('button', { name: 'Review buy' });
    await expect.poll(() => review.getAttribute('aria-disabled')).toBe('false');
    let hangs = true;
    await page.route(`${cluster.url}/**`, (route) => (hangs ? undefined : route.continue()));
    await page.getByText('The node hasn’t answered for 3 seconds. This quote may be old.').waitFor();
    expect(await review.getAttribute('aria-disabled')).toBe('true');
    expect(await receiveOf(page).getAttribute('class')).toBe('dimmed');
    expect(await violations(page)).toEqual([]);
    hangs = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => review.getAttribute('aria-disabled')).toBe('false');
  });

  test('that a wallet swapped for another shows that one, and is not sent if a part is not understood', async () => {
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    const units = BigInt(
      ((await fact(page, 'Minimum received').getAttribute('title')) ?? '').replace(/\D/g, ''),
    );
    const bytes = [...new Uint8Array(new BigUint64Array([units]).buffer)];
    await walletIn(page, { replace: [bytes, [1, 0, 0, 0, 0, 0, 0, 0]] });
    await confirm(page);
    expect(await fact(page, 'At least, to your wallet').textContent()).toBe('0.000000001 COMM');
    await sheetOf(page).getByRole('button', { name: 'Cancel' }).click();
    await reviewTrade(page);
    // Its first instruction, SetComputeUnitLimit, becomes one that is not known.
    await walletIn(page, {
      replace: [
        [2, 64, 13, 3],
        [77, 64, 13, 3],
      ],
    });
    await confirm(page);
    await page.getByText(/^It can’t be sent\. This page can’t read an instruction of Comp/).waitFor();
    expect(await sheetOf(page).getByRole('button', { name: /^Send/ }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  test('of everything goes on when dust arrives: the account stays open then', async () => {
    const { community } = (await createEmbeddedLedger()).pools;
    const page = await visit();
    await connect(page);
    await reviewTrade(page);
    await confirm(page);
    await landed(page);
    await closeReceipt(page);
    await page.getByRole('radio', { name: 'Sell' }).check({ force: true });
    await page.getByRole('button', { name: 'Max' }).click();
    await page.getByRole('button', { name: 'Review sell' }).click();
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    const { tokenProgram } = community;
    const owner = (await testKey()).address;
    await page.evaluate(
      (account) => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        const held = ledger.getAccount(account);
        if (held === undefined) throw new Error('There is no such account.');
        const data = Uint8Array.from(held.data);
        // The last byte of its amount.
        data[71] = 1;
        ledger.setAccount(account, { ...held, data });
      },
      await deriveAssociatedTokenAddress({ owner, mint: community.mint, tokenProgram }),
    );
    await walletIn(page, { mode: 'sign' });
    await page.evaluate('testWallet.answer()');
    await page.getByText(/Build the sale again: the account then stays open/).waitFor();
    await page.keyboard.press('Enter');
    await sheetOf(page).getByText('Your balance changes').waitFor();
    expect(await sheetOf(page).getByText(RENT).count()).toBe(0);
    await confirm(page);
    await landed(page);
  });

  test('is announced, and its side is kept for the next visit', async () => {
    const page = await visit();
    await connect(page);
    await payOf(page).fill('1.5');
    await page
      .locator('[role=status]', { hasText: /^You receive about 3\.\d+\sM COMM$/ })
      .waitFor({ state: 'attached' });
    await receiveOf(page).fill('250000');
    await page
      .locator('[role=status]', { hasText: /^You pay about 0\.0956 SOL$/ })
      .waitFor({ state: 'attached' });
    await page.getByRole('radio', { name: 'Sell' }).check({ force: true });
    await page.reload();
    await page.getByLabel('You sell').waitFor();
    expect(await page.getByRole('radio', { name: 'Sell' }).isChecked()).toBe(true);
  });

  test('needs a node: one on a closed port did not answer', async () => {
    const page = await visit();
    await page.getByRole('button', { name: /^Network/ }).click();
    await sheetOf(page).getByLabel('RPC URL of a node').fill('http://127.0.0.1:9');
    await page.keyboard.press('Enter');
    await sheetOf(page)
      .getByText(/^The node didn't answer\./)
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
