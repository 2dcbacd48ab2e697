import { type Address, getAddressDecoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import {
  amountOf,
  buildButton,
  choosePool,
  chooseSide,
  connectTestWallet,
  exact,
  executablePath,
  expectText,
  expectValue,
  fact,
  findPool,
  first,
  received,
  receiveOf,
  setSlippage,
  useBrowser,
  visit,
  visitCluster,
} from './browser.js';

// What a person types or chooses that can't be traded, told in words.

useBrowser();

describe.skipIf(executablePath === undefined)('explains what went wrong', () => {
  test('invalid amounts', async () => {
    const page = await visit();
    await connectTestWallet(page);
    for (const [typed, message] of [
      ['1,5', /Use a point/],
      ['abc', /Type the amount in digits/],
      ['-1', /Type the amount in digits/],
      ['1e3', /Type the amount in digits/],
      ['.', /Type the amount in digits/],
      ['1.2345678901', /An amount of SOL has at most 9 digits behind the point/],
      ['0', /Type an amount over 0/],
      ['0.0', /Type an amount over 0/],
      ['99999999999999', /more than there can be/],
    ] as const) {
      await amountOf(page).fill(typed);
      await expectText(page.locator('#amount-problem'), message);
      expect(await amountOf(page).getAttribute('aria-invalid'), typed).toBe('true');
      expect(await receiveOf(page).inputValue(), typed).toBe('');
      await buildButton(page).click();
      expect(await page.evaluate(() => document.activeElement?.id), typed).toBe('amount');
      await amountOf(page).fill('1');
      expect(await amountOf(page).getAttribute('aria-invalid'), typed).toBe(null);
      expect(await page.locator('#amount-problem').isVisible(), typed).toBe(false);
      expect(await receiveOf(page).inputValue(), typed).not.toBe('');
    }
    // So few tokens give no lamport.
    await chooseSide(page, 'Sell');
    await amountOf(page).fill('0.000000001');
    await expectText(page.locator('#amount-problem'), /too little to give anything/);
    // The virtual SOL of a standard pool can't be sold into.
    await amountOf(page).fill('5000000000');
    await expectText(page.locator('#amount-problem'), /does not hold enough/);
  });

  test('the button says what to do next, and does it', async () => {
    const page = await visit();
    expect(await page.locator('.problem:visible').count()).toBe(0);
    expect(await buildButton(page).textContent()).toBe('Connect wallet');
    await buildButton(page).click();
    await page.getByRole('button', { name: 'Connect Test wallet' }).click();
    await expectText(buildButton(page), /^Enter an amount$/);
    await page.locator('#price-line').focus();
    await buildButton(page).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
    expect(await page.locator('.problem:visible').count()).toBe(0);
    await amountOf(page).fill('1000');
    await expectText(buildButton(page), /^Not enough SOL: use 99\.\d+$/);
    await buildButton(page).click();
    expect(Number(await amountOf(page).inputValue())).toBeGreaterThan(99.9);
    await expectText(buildButton(page), /^Review buy$/);
    await amountOf(page).fill('1');
    await page.locator('#switch').click();
    // What one would have got is what one gives now, which the wallet does not have.
    await expectText(buildButton(page), /^Not enough COMM$/);
    expect(await page.getByLabel('Sell', { exact: true }).isChecked()).toBe(true);
  });

  test('invalid slippage', async () => {
    const page = await visit();
    await amountOf(page).fill('1');
    for (const typed of ['x', '-1', '50.01', '101', '0.125', '1e1']) {
      await setSlippage(page, typed);
      await expectText(
        page.locator('#slippage-problem'),
        /^Slippage (is a percentage from 0 to 50|can have two digits)/,
      );
      expect(await receiveOf(page).inputValue(), typed).toBe('');
      await setSlippage(page, '50');
      await expectText(page.locator('#quote-warnings'), /You allow 50 % of slippage/);
    }
    await setSlippage(page, '0');
    expect(await exact(fact(page, 'quote-facts', 'Minimum received'))).toBe(`${await received(page)} COMM`);
  });

  test('more than the wallet has, of SOL and of tokens', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await amountOf(page).fill('99.999');
    await expectText(
      page.locator('#amount-problem'),
      /You have 100 SOL, and fees and rent need some of it. You can spend up to 99\.\d+ SOL\./,
    );
    expect(await page.locator('#review').isVisible()).toBe(false);
    await chooseSide(page, 'Sell');
    await amountOf(page).fill('1');
    await expectText(page.locator('#amount-problem'), /You have 0 /);
  });

  test('addresses that are not a pool', async () => {
    const page = await visit();
    for (const [typed, message] of [
      ['', /Paste the address/],
      ['LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv', /not a Solana address/],
      ['0OIl', /not a Solana address/],
      [first.address, /nothing at this address/],
      ['SysvarC1ock11111111111111111111111111111111', /neither a token nor a pool/],
    ] as const) {
      await findPool(page, typed);
      await expectText(page.locator('#find-problem'), message);
      expect(await page.evaluate(() => document.activeElement?.id), typed).toBe('find-text');
      expect(await page.getByRole('button', { name: 'Find' }).getAttribute('aria-disabled')).toBe(null);
    }
    // The pool that was there is there still.
    expect(await page.locator('#pool-facts').getByText('Price').isVisible()).toBe(true);
  });

  test('a token without a pool', async () => {
    const page = await visit();
    const mint = getAddressDecoder().decode(new Uint8Array(32).fill(9));
    await page.evaluate((address) => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      const { mint: known } = ledger.pools.community;
      ledger.setAccount(address as Address, ledger.getAccount(known));
    }, mint);
    await findPool(page, mint);
    await expectText(page.locator('#find-problem'), /no pool for this token/);
  });

  test('a closed pool, and one that is not open yet', async () => {
    const page = await visit();
    await choosePool(page, 'Pro token');
    await page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.updatePool(ledger.pools.pro.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } }));
    });
    await expectText(page.locator('#pool-problem'), /Trading is switched off/);
    await page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.updatePool(ledger.pools.pro.pool, ({ allowlist, info }) => ({
        allowlist: { ...allowlist, swap: 1 },
        info: { ...info, openAt: 1_900_000_000n },
      }));
    });
    await expectText(page.locator('#pool-problem'), /not open yet. It opens at 17 Mar 2030/);
  });

  test('there is no wallet', async () => {
    const { page } = await visitCluster(undefined, { wallet: 'none' });
    await amountOf(page).fill('1');
    await expectValue(receiveOf(page), /M$/);
    await buildButton(page).click();
    await expectText(page.locator('#wallet-choices'), /No wallet found. Install a Solana wallet/);
    expect(await page.locator('#wallet-dialog').isVisible()).toBe(true);
  });
});
