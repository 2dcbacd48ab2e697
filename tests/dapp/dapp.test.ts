import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import { createClient, listTrades, quoteBest } from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import {
  addProPool,
  amountOf,
  bought,
  buildButton,
  choosePool,
  chooseSide,
  clickConnect,
  closeReceipt,
  clusters,
  connectPracticeWallet,
  connectTestWallet,
  connectTo,
  exact,
  executablePath,
  expected,
  expectText,
  expectValue,
  fact,
  findPool,
  first,
  heading,
  loadedScripts,
  overflow,
  picture,
  poolNames,
  received,
  receiveOf,
  reviewBuy,
  second,
  served,
  setSlippage,
  signButton,
  sold,
  timesAsked,
  useBrowser,
  violations,
  visit,
  visitCluster,
  waitForPool,
  walletIn,
} from './browser.js';
import { setTokenName, startCluster } from './cluster.js';
import { servePage } from './page.js';
import type { TestWallet } from './wallet.js';

/** Confirms, with the box ticked if the trade moves the price far. */
async function signIt(page: Page): Promise<void> {
  if (await page.locator('#consent').isVisible()) await page.locator('#consent').check();
  await signButton(page).click();
}

// The page in a browser, as a person uses it: every flow, every error, by keyboard, for screen readers, on a phone. One
// browser and one build of the page for all tests. With SCREENSHOTS=1 the pictures in docs/images are written.

useBrowser();

describe.skipIf(executablePath === undefined)('the page on the embedded ledger', () => {
  test('says that it is a model, lists the pools, and quotes while the user types, without a call', async () => {
    const page = await visit();
    await expectText(page.locator('#model-note'), /no money moves/);
    expect(await poolNames(page)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Community token \(COMM\)Token .*Standard$/),
        expect.stringMatching(/Pro token \(PRO\)Token .*Pro$/),
      ]),
    );
    expect(await poolNames(page)).toHaveLength(4);
    await choosePool(page, 'Community token');
    const reads = () =>
      page.evaluate(() => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        return ledger.requests.filter(({ method }) => method === 'getMultipleAccounts').length;
      });
    // With time going on, notifications tell that the pool is as it was. Until they do it is read.
    await page.locator('#time').click();
    let before = -1;
    for (let now = await reads(); now !== before; now = await reads()) {
      before = now;
      await page.waitForTimeout(3_000);
    }
    for (const [typed, lamports] of [
      ['1', 1_000_000_000n],
      ['1.5', 1_500_000_000n],
      ['.25', 250_000_000n],
      ['2.', 2_000_000_000n],
    ] as const) {
      await amountOf(page).fill(typed);
      const { amountOut, totalFee, fees } = await expected('buy', 'community', lamports);
      expect(await received(page)).toBe(formatAmount(amountOut, 9));
      expect(await exact(fact(page, 'quote-facts', 'Minimum received'))).toBe(
        `${formatAmount((amountOut * 9_950n) / 10_000n, 9)} COMM`,
      );
      expect(await exact(fact(page, 'quote-fees', 'Total fees'))).toBe(`${formatAmount(totalFee, 9)} SOL`);
      expect(await exact(fact(page, 'quote-fees', 'Protocol, 1 %'))).toBe(
        `${formatAmount(fees.protocol, 9)} SOL`,
      );
      expect(await exact(fact(page, 'quote-fees', 'Creator, 0.1 %'))).toBe(
        `${formatAmount(fees.creator, 9)} SOL`,
      );
    }
    await setSlippage(page, '2.5');
    const { amountOut } = await expected('buy', 'community', 2_000_000_000n);
    expect(await exact(fact(page, 'quote-facts', 'Minimum received'))).toBe(
      `${formatAmount((amountOut * 9_750n) / 10_000n, 9)} COMM`,
    );
    await chooseSide(page, 'Sell');
    expect(await amountOf(page).inputValue()).toBe('');
    await amountOf(page).fill('250000');
    const sale = await expected('sell', 'community', 250_000_000_000_000n);
    expect(await received(page)).toBe(formatAmount(sale.amountOut, 9));
    // A screen reader announces the quote once it is stable.
    await expectText(
      page.locator('#quote-status'),
      new RegExp(`You get about ${formatAmount(sale.amountOut, 9)} SOL`),
    );
    expect(await reads()).toBe(before);
  });

  test('updates the quote when the pool moves', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await amountOf(page).fill('1');
    const before = await received(page);
    await page.getByRole('button', { name: 'Simulate a 5 SOL buy' }).click();
    await expect.poll(() => received(page)).not.toBe(before);
  });

  test('switching the pool clears the previous error, maximum and balance', async () => {
    const page = await visit();
    await choosePool(page, 'Creator token');
    await connectTestWallet(page);
    await reviewBuy(page, '1.5');
    await signButton(page).click();
    await bought(page).waitFor();
    await closeReceipt(page);
    await chooseSide(page, 'Sell');
    const hint = page.locator('#amount-hint');
    await expectText(hint, /^Balance [1-9]/);
    const held = (await exact(hint)) ?? '';
    expect(held).toMatch(/\d{3}/);
    await amountOf(page).fill('900000000');
    await expectText(buildButton(page), /^Not enough CREA: use [1-9]/);
    // Each text that the card shows between the two pools is kept.
    await page.evaluate(() => {
      const card = document.querySelector('.swap') as HTMLElement;
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      const look = () => {
        const pill = card.querySelector('#choose-token')?.textContent ?? '';
        if (!pill.includes('CREA')) seen.push(card.innerHTML);
      };
      new MutationObserver(look).observe(card, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
    await choosePool(page, 'Pro token');
    await expectText(hint, /^Balance 0$/);
    // What was typed in the one token means nothing in the other.
    expect(await amountOf(page).inputValue()).toBe('');
    await expectText(buildButton(page), /^Enter an amount$/);
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    expect(seen.length).toBeGreaterThan(0);
    for (const text of seen) {
      expect(text).not.toMatch(/CREA/);
      expect(text).not.toContain(held);
      expect(text).not.toMatch(/Not enough (?!PRO)/);
      expect(text).not.toMatch(/use [1-9]/);
    }
    // With nothing of this token, there is nothing to offer.
    await amountOf(page).fill('1');
    await expectText(buildButton(page), /^Not enough PRO$/);
    expect(await page.locator('.swap').textContent()).not.toMatch(/CREA/);
    // SOL is SOL in every pool.
    await chooseSide(page, 'Buy');
    await amountOf(page).fill('1.25');
    await choosePool(page, 'Community token');
    expect(await amountOf(page).inputValue()).toBe('1.25');
  });

  test('a buy is reviewed, signed by the wallet, executed and reported', async () => {
    const page = await visit();
    await choosePool(page, 'Creator token');
    await connectTestWallet(page);
    expect(await page.locator('#wallet-balance').textContent()).toBe('100 SOL and 0 CREA');
    await amountOf(page).fill('1.5');
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('review-title');
    const { amountOut } = await expected('buy', 'creator', 1_500_000_000n);
    expect(await page.locator('#review-headline').textContent()).toBe(
      `You pay 1.5 SOL and get about ${formatAmount(amountOut, 9)} CREA.`,
    );
    expect(await fact(page, 'review-facts', 'At least').textContent()).toBe(
      `${formatAmount((amountOut * 9_950n) / 10_000n, 9)} CREA`,
    );
    expect(await fact(page, 'review-fees', 'Signatures').textContent()).toBe('0.000005 SOL');
    expect(await fact(page, 'review-fees', 'Priority').textContent()).toBe('0.008 SOL');
    // 165 bytes that come back and at most 195 that stay.
    expect(await fact(page, 'review-fees', 'Rent for accounts').textContent()).toBe('0.00312928 SOL');
    expect(await fact(page, 'review-fees', 'Rent that comes back').textContent()).toBe('0.00148844 SOL');
    expect(await page.locator('#review-trial-text').textContent()).toBe('It would succeed as things stand.');
    expect(await fact(page, 'review-trial', 'Tokens').textContent()).toBe(
      `+${formatAmount(amountOut, 9)} CREA`,
    );
    await page.getByText('Each step of the transaction').click();
    const steps = await page.locator('#review-steps li').allTextContents();
    expect(steps).toContainEqual(
      `Exchange: buy: pay at most 1.5 SOL for at least ${formatAmount((amountOut * 9_950n) / 10_000n, 9)} of this token.`,
    );
    await picture(page, 'review', page.locator('#sheet'));
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('result-title');
    expect(await timesAsked(page)).toBe(1);
    expect(await fact(page, 'result-facts', 'Your tokens').textContent()).toBe(
      `+${formatAmount(amountOut, 9)} CREA`,
    );
    const [, spent] =
      /^−(\S+) SOL$/.exec((await fact(page, 'result-facts', 'Your SOL').textContent()) ?? '') ?? [];
    expect(Number(spent)).toBeGreaterThan(1.508);
    expect(Number(spent)).toBeLessThan(1.512);
    await expectText(page.locator('#wallet-balance'), new RegExp(`and ${formatAmount(amountOut, 9)} CREA$`));
    // Nothing spins, and the next trade can begin.
    await closeReceipt(page);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
    expect(await buildButton(page).textContent()).toBe('Enter an amount');
  });

  test('a sell of everything in a pro pool', async () => {
    const page = await visit({ wallet: 'none' });
    await choosePool(page, 'Pro token');
    await connectPracticeWallet(page);
    await reviewBuy(page, '2');
    await signButton(page).click();
    await bought(page).waitFor();
    await closeReceipt(page);
    // The pool does not let a wallet buy and sell in one slot, and the clock stands still here.
    await page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.setSlot(ledger.slot + 1n);
    });
    await chooseSide(page, 'Sell');
    await page.getByRole('button', { name: 'Max' }).click();
    const { amountOut } = await expected('buy', 'pro', 2_000_000_000n);
    expect((await amountOf(page).inputValue()).replace('.', '')).toBe(
      amountOut.toString().replace(/0+$/, ''),
    );
    await expectText(page.locator('#quote-notes'), /in the same slot/);
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    await signButton(page).click();
    await sold(page).waitFor();
    await expectText(page.locator('#wallet-balance'), / and 0 PRO$/);
  });

  test('Max of a buy leaves enough for fees and rent, and everything bought can be sold again', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await choosePool(page, 'Creator token');
    await expectText(page.locator('#amount-hint'), /^Balance 100$/);
    await page.getByRole('button', { name: 'Max' }).click();
    expect(Number(await amountOf(page).inputValue())).toBeGreaterThan(99.97);
    for (const side of ['Buy', 'Sell'] as const) {
      await chooseSide(page, side);
      await page.getByRole('button', { name: 'Max' }).click();
      await buildButton(page).click();
      await heading(page, 'Before you sign').waitFor();
      await heading(page, 'Your wallet, as tried on the model').waitFor();
      await expectText(page.locator('#review-trial-text'), /would succeed/);
      // The quote's warnings are repeated before the signature.
      const told = await page.locator('#quote-warnings li').allTextContents();
      expect(told[0]).toMatch(/fees aside, you get [\d.]+ % less than at the price now\.$/);
      expect(await page.locator('#review-warnings li').allTextContents()).toEqual(
        expect.arrayContaining(told),
      );
      await signIt(page);
      await (side === 'Buy' ? bought : sold)(page).waitFor();
      await closeReceipt(page);
    }
  });

  test('opens the pool in the URL, and puts the chosen pool there', async () => {
    const page = await visit();
    await choosePool(page, 'Pro token');
    const { pool } = (await createEmbeddedLedger()).pools.pro;
    expect(new URL(page.url()).searchParams.get('pool')).toBe(pool);
    await page.reload();
    await waitForPool(page);
    expect(await fact(page, 'pool-facts', 'Token').textContent()).toContain('Pro token');

    // A missing one is reported, and kept for the cluster that has it.
    const other = await visit({ pool: first.address });
    await expectText(other.locator('#find-problem'), /The pool of this link: .*nothing.*Is it on a cluster/);
    expect(new URL(other.url()).searchParams.get('pool')).toBe(first.address);
    await choosePool(other, 'Community token');
    expect(new URL(other.url()).searchParams.get('pool')).not.toBe(first.address);
  });
});

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

  test("a wallet that can't sign such transactions is not offered", async () => {
    const page = await visit({ wallet: { versions: ['legacy'] } });
    await expect
      .poll(() => page.locator('#wallet-choices button').allTextContents())
      .toEqual(['Connect Practice wallet']);
  });

  test('names of wallets and accounts are plain text without invisible characters', async () => {
    const page = await visit({ wallet: { name: '\u202eTest\u200b wallet', label: '\u202eMa\u2066in' } });
    await connectTestWallet(page);
    expect(await page.locator('#wallet-name').textContent()).toBe('Test wallet');
    await page.evaluate(() =>
      (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts([0, 1]),
    );
    await expectText(page.locator('#account option').first(), /^Main \(/);
  });

  test('the wallet refuses to connect, then to sign, then signs', async () => {
    const page = await visit();
    await walletIn(page, { refusesToConnect: true });
    await clickConnect(page, 'Test wallet');
    await expectText(page.locator('#wallet-problem'), /You refused it in the wallet/);
    await walletIn(page, { refusesToConnect: false, mode: 'refuse' });
    await connectTestWallet(page);
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /You refused it in the wallet. Nothing was sent./);
    expect(await signButton(page).textContent()).toBe('Confirm buy');
    await walletIn(page, { mode: 'garbage' });
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /not signed by it. Nothing was sent./);
    await walletIn(page, { mode: 'sign' });
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(3);
  });

  test('a wallet that never answers can be cancelled, and a late answer changes nothing', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await walletIn(page, { mode: 'wait' });
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(signButton(page), /Confirm in your wallet/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('#review').isVisible()).toBe(false);
    expect(await buildButton(page).textContent()).toBe('Review buy');
    const sent = () =>
      page.evaluate(() => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        return ledger.requests.filter(({ method }) => method === 'sendTransaction').length;
      });
    await page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.answer());
    await walletIn(page, { mode: 'sign' });
    await reviewBuy(page);
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await sent()).toBe(1);
  });

  test('a wallet that signs something else: the change is shown before it is sent', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await walletIn(page, { mode: 'change' });
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(page.locator('#review-notice'), /Your wallet changed the transaction/);
    expect(await page.locator('#review-steps li').first().textContent()).toBe('Allow 265536 compute units.');
    expect(await page.locator('#result').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Send what the wallet signed' }).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(1);
  });

  const letBlocksPass = (page: Page) =>
    page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.setSlot(ledger.slot + 200n);
    });

  test("the block hash is fetched when the button is pressed, so reading the review doesn't age it", async () => {
    const page = await visit();
    await connectTestWallet(page);
    await reviewBuy(page);
    await letBlocksPass(page);
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(1);
  });

  test('a block hash that expires while the wallet is open is replaced, and signed again', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await walletIn(page, { mode: 'wait' });
    await reviewBuy(page);
    await signButton(page).click();
    await expectText(signButton(page), /Confirm in your wallet/);
    await expectText(page.locator('#review-status'), /asks for your signature/);
    await expect.poll(() => timesAsked(page)).toBe(1);
    await letBlocksPass(page);
    await page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.answer());
    await expectText(page.locator('#review-notice'), /It took too long.*Sign it again/);
    await walletIn(page, { mode: 'sign' });
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(2);
  });

  test('a changed quote is reported, and reviewed again before it is signed', async () => {
    const page = await visit();
    await choosePool(page, 'Community token');
    await connectTestWallet(page);
    await reviewBuy(page);
    const before = await page.locator('#review-headline').textContent();
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    await expectText(page.locator('#review-notice'), /The price has moved: it would give about/);
    await signButton(page).click();
    await expectText(page.locator('#review-notice'), /This is the new quote/);
    expect(await page.locator('#review-headline').textContent()).not.toBe(before);
    expect(await timesAsked(page)).toBe(0);
    await signButton(page).click();
    await bought(page).waitFor();
  });

  test('a double click builds once and signs once', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await amountOf(page).fill('1');
    const count = (method: string) =>
      page.evaluate((of) => {
        const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
        return ledger.requests.filter((request) => request.method === of).length;
      }, method);
    await buildButton(page).dblclick();
    await heading(page, 'Before you sign').waitFor();
    // The block hash is fetched for the signature.
    expect(await count('getLatestBlockhash')).toBe(0);
    expect(await count('simulateTransaction')).toBe(1);
    await signButton(page).dblclick();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(1);
    expect(await count('getLatestBlockhash')).toBe(1);
    expect(await count('sendTransaction')).toBe(1);
  });

  test("a transaction that would fail can't be signed", async () => {
    const page = await visit();
    await connectTestWallet(page);
    await page.evaluate(() => {
      const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
      ledger.setBehavior({ scripted: { buy: { custom: 6013 }, pro_buy: { custom: 6013 } } });
    });
    await reviewBuy(page);
    await expectText(
      page.locator('#review-trial-text'),
      /It would fail as things stand, so it can't be signed.*ExceededSlippage/,
    );
    // It looks disabled, and does nothing when clicked all the same.
    await signButton(page).click({ force: true });
    expect(await timesAsked(page)).toBe(0);
    await page.getByRole('button', { name: 'Change it' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount');
  });

  test('the wallet switches the account, then disconnects', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await reviewBuy(page);
    const setAccounts = (which: readonly number[]) =>
      page.evaluate(
        (next) => (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts(next),
        which,
      );
    await setAccounts([1]);
    // A review for one account does not stay for another.
    await expect.poll(() => page.locator('#review').isVisible()).toBe(false);
    expect(await page.locator('#wallet-address').textContent()).toBe(
      `${second.address.slice(0, 4)}…${second.address.slice(-4)}`,
    );
    await setAccounts([0, 1]);
    await page.locator('#wallet-button').click();
    await page.getByLabel('Account').selectOption(first.address);
    expect(await page.locator('#wallet-address').textContent()).toBe(
      `${first.address.slice(0, 4)}…${first.address.slice(-4)}`,
    );
    await setAccounts([]);
    await page.getByRole('button', { name: 'Connect Test wallet' }).waitFor();
  });
});

describe.skipIf(executablePath === undefined)('the page on a cluster', () => {
  test('is loaded again with the same node and pool', async () => {
    const { cluster, pool } = await visitCluster();
    const page = await visit();
    await connectTo(page, cluster.url);
    await expectText(page.locator('#pool-status'), /Paste the address/);
    await findPool(page, pool.mint);
    await waitForPool(page);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('rpc'), searchParams.get('pool')]).toEqual([cluster.url, pool.pool]);
    expect(await page.locator('#rpc-kept').isVisible()).toBe(false);
    await page.reload();
    await waitForPool(page);
    await expectText(page.locator('#cluster-note'), /A real cluster/);
    expect(await fact(page, 'pool-facts', 'Mint').textContent()).toBe(pool.mint);
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await heading(page, 'Your wallet, as tried on the cluster').waitFor();
  });

  test("an RPC URL that may hold a key is not put into the page's URL", async () => {
    const page = await visit();
    await page.route('https://node.example/**', async (route) => {
      const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
      const { id } = route.request().postDataJSON() ?? {};
      await route.fulfill({ headers, json: { jsonrpc: '2.0', id, result: '1'.repeat(32) } });
    });
    await connectTo(page, 'https://node.example/v2/secret');
    await expectText(page.locator('#rpc-kept'), /may hold a key/);
    expect(page.url()).not.toMatch(/rpc=|secret/);
  });

  test('polls without subscriptions, trades, and links to the explorer', async () => {
    const { page, ledger, pool } = await visitCluster();
    await expectText(page.locator('#cluster-note'), /A real cluster/);
    await amountOf(page).fill('1.5');
    const { amountOut } = await expected('buy', 'community', 1_500_000_000n);
    expect(await received(page)).toContain(formatAmount(amountOut, 9));
    ledger.setReserves(pool.pool, { tokenB: 120_000_000_000n });
    ledger.setSlot(ledger.slot + 1n);
    await expect
      .poll(() => fact(page, 'pool-facts', 'SOL in the pool').textContent(), { timeout: 20_000 })
      .toBe('120');
    await connectTestWallet(page);
    await reviewBuy(page, '1.5');
    await signButton(page).click();
    await bought(page).waitFor();
    const href = await page.getByRole('link', { name: 'See it in the explorer' }).getAttribute('href');
    const signature = await exact(fact(page, 'result-facts', 'Signature'));
    expect(href).toMatch(
      new RegExp(
        `^https://explorer\\.solana\\.com/tx/${signature}\\?cluster=custom&customUrl=http%3A%2F%2F127`,
      ),
    );
  });

  test('follows a pool through subscriptions if there are any, and then stops polling', async () => {
    const { page, cluster, ledger, pool } = await visitCluster(undefined, {
      subscriptions: true,
      clock: true,
    });
    const shown = () => fact(page, 'pool-facts', 'SOL in the pool').textContent();
    const reads = () => cluster.methods.filter((method) => method === 'getMultipleAccounts').length;
    /** Seconds with a slot each, whose notifications come in real time. */
    const passSeconds = async (count: number) => {
      for (let second = 0; second < count; second++) {
        ledger.setSlot(ledger.slot + 1n);
        await page.waitForTimeout(200);
        await page.clock.runFor(1_000);
      }
    };
    // Until the subscriptions are known to continue from the read.
    await expect
      .poll(
        async () => {
          const before = reads();
          await passSeconds(5);
          return reads() - before;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    const before = reads();
    ledger.setReserves(pool.pool, { tokenB: 120_000_000_000n });
    await expect.poll(shown, { timeout: 20_000 }).toBe('120');
    await passSeconds(10);
    expect(reads()).toBe(before);
  });

  test('finds standard pools by token through a node without searches', async () => {
    const { page } = await visitCluster(({ refused }) => {
      refused.add('getProgramAccounts');
    });
    await expectText(page.locator('#pool-facts'), /Standard, community fees/);
  });

  test('a pro pool by its token and by its address', async () => {
    const { page, pool } = await visitCluster(undefined, { pool: 'pro' });
    await expectText(page.locator('#pool-facts'), /KindPro/);
    await findPool(page, pool.pool);
    await expectText(page.locator('#pool-facts'), /KindPro/);
    expect(await poolNames(page)).toHaveLength(1);
  });

  test.each([
    ['broken', /The node does not answer/],
    ['error', /The node answered with an error/],
  ] as const)('a node that is %s from the start, and then recovers', async (health, message) => {
    const cluster = await startCluster();
    clusters.push(cluster);
    cluster.health = health;
    const page = await visit({ rpc: cluster.url });
    await expectText(page.locator('#connection-problem'), message);
    expect(await page.locator('#pool-status').textContent()).toBe('Not connected.');
    cluster.health = 'good';
    await connectTo(page, cluster.url);
    await expectText(page.locator('#cluster-note'), /A real cluster/);
  });

  test('reports a node that goes down, keeps the last state, and recovers by itself', async () => {
    const { page, cluster, ledger, pool } = await visitCluster();
    cluster.health = 'broken';
    const outage = /The node does not answer.*What you see is of slot/;
    await expectText(page.locator('#pool-outage.problem'), outage);
    await amountOf(page).fill('1');
    expect(await receiveOf(page).inputValue()).toMatch(/M$/);
    await expectText(page.locator('#quote-outage'), outage);
    await connectTestWalletWithoutBalance(page);
    await buildButton(page).click();
    await expectText(page.locator('#trade-problem'), /The node does not answer/);
    expect(await buildButton(page).textContent()).toBe('Review buy');
    ledger.setSlot(ledger.slot + 1n);
    ledger.setReserves(pool.pool, { tokenB: 121_000_000_000n });
    cluster.health = 'good';
    await expect
      .poll(() => fact(page, 'pool-facts', 'SOL in the pool').textContent(), { timeout: 20_000 })
      .toBe('121');
    expect(await page.locator('#pool-outage, #quote-outage').filter({ visible: true }).count()).toBe(0);
  });

  test('a node that is too slow', async () => {
    const { page, cluster } = await visitCluster(undefined, { clock: true });
    cluster.health = 'silent';
    await page.clock.runFor(20_000);
    await expectText(page.locator('#pool-outage'), /takes too long to answer.*What you see is of slot/);
    cluster.health = 'good';
    await page.clock.runFor(20_000);
    await expect.poll(() => page.locator('#pool-outage').textContent()).toBe('');
  });

  test('keeps asking when a node goes down while sending, and does not trade twice', async () => {
    const { page, cluster } = await visitCluster();
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await walletIn(page, { mode: 'wait' });
    await signButton(page).click();
    await expectText(signButton(page), /Confirm in your wallet/);
    cluster.health = 'broken';
    await page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.answer());
    await expectText(page.locator('#review-status'), /The node does not answer. The trade may be under way/);
    cluster.health = 'good';
    await bought(page).waitFor();
    expect(await fact(page, 'result-facts', 'You bought with').textContent()).toBe('1 SOL');
    expect(await timesAsked(page)).toBe(1);
  });

  test('the user can stop waiting, and learns that the transaction may still land', async () => {
    const { page, ledger, pool } = await visitCluster(({ answers }) => {
      answers.set('getSignatureStatuses', () => ({ context: { slot: 1n }, value: [null] }));
    });
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await signButton(page).click();
    await expectText(page.locator('#review-status'), /Waiting until the cluster confirms/);
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await expectText(page.locator('#trade-problem'), /may still happen/);
    // It stays until one types again, whatever comes from the pool.
    ledger.setSlot(ledger.slot + 1n);
    ledger.setReserves(pool.pool, { tokenB: 120_000_000_000n });
    await expect
      .poll(() => fact(page, 'pool-facts', 'SOL in the pool').textContent(), { timeout: 20_000 })
      .toBe('120');
    await expectText(page.locator('#trade-problem'), /may still happen/);
    // So does switching the account in the meantime.
    await reviewBuy(page, '1');
    await signButton(page).click();
    await expectText(page.locator('#review-status'), /Waiting until the cluster confirms/);
    await page.evaluate(() =>
      (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts([1]),
    );
    await expectText(page.locator('#trade-problem'), /may still happen/);
  });

  test('a token with several pools: offers all, and trades in the one that gives most', async () => {
    const { page, cluster } = await visitCluster();
    const { ledger } = cluster;
    const { creator: standard } = ledger.pools;
    const pro = await addProPool(ledger);
    const { mint } = pro;
    const client = createClient({ rpc: ledger.rpc });
    await findPool(page, mint);
    await expectText(page.locator('#find-status'), /2 pools trade this token/);
    await waitForPool(page);
    expect(await page.locator('#pool-list .pick', { hasText: mint.slice(0, 4) }).count()).toBe(2);
    await page.keyboard.press('Escape');
    await amountOf(page).fill('1.5');
    await page.locator('#quote summary').click();
    const input = { mint, lamports: 1_500_000_000n, slippageBps: 50 };
    const best = await quoteBest(client, { ...input, side: 'buy' });
    const [worse] = best.others;
    if (worse?.status !== 'lower') return expect.unreachable('the second pool takes the trade too');
    await expect.poll(() => received(page)).toBe(formatAmount(best.quote.details.amountOut, 9));
    expect(await exact(fact(page, 'quote-facts', 'Route'))).toBe(best.pool);
    const lines = await page.locator('#quote-route li').allTextContents();
    expect(lines[0]).toMatch(/gives most of 2 pools\.$/);
    expect(lines[1]).toMatch(/ less: its (fees are higher|price is worse)\.$|less: it holds less\.$/);
    expect(await page.locator('#best-pool').isVisible()).toBe(false);

    // The other stays selectable.
    const other = worse.pool === pro.pool ? pro : standard;
    await page.locator('#choose-token').click();
    await page.locator(`[data-pool="${other.pool}"]`).click();
    await expect.poll(() => exact(fact(page, 'quote-facts', 'Route'))).toBe(worse.pool);
    expect(await amountOf(page).inputValue()).toBe('1.5');
    expect(await received(page)).toBe(formatAmount(worse.quote.details.amountOut, 9));
    await connectTestWallet(page);
    await page.locator('#best-pool').click();
    await expect.poll(() => exact(fact(page, 'quote-facts', 'Route'))).toBe(best.pool);
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    await signIt(page);
    await bought(page).waitFor();
    const [trade] = (await listTrades(client, { pool: best.pool, limit: 1 })).trades;
    expect([trade?.pool, trade?.amountOut]).toEqual([best.pool, best.quote.details.amountOut]);
  });

  test('a transaction that never arrives is signed again with a fresh block hash', async () => {
    const { page, cluster, ledger } = await visitCluster(({ answers }) => {
      // The node takes it and loses it.
      answers.set(
        'sendTransaction',
        () => '1111111111111111111111111111111111111111111111111111111111111111',
      );
    });
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await signButton(page).click();
    await expectText(page.locator('#review-status'), /Waiting until the cluster confirms/);
    ledger.setSlot(ledger.slot + 200n);
    await expectText(page.locator('#review-notice'), /It took too long/);
    cluster.answers.delete('sendTransaction');
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await timesAsked(page)).toBe(2);
  });

  test('a transaction that fails on the cluster', async () => {
    const { page } = await visitCluster(({ answers }) => {
      answers.set('getSignatureStatuses', () => ({
        context: { slot: 1n },
        value: [
          {
            slot: 1n,
            confirmations: null,
            confirmationStatus: 'confirmed',
            err: { InstructionError: [5, { Custom: 6013 }] },
            status: {},
          },
        ],
      }));
      answers.set('getTransaction', () => null);
    });
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /failed, and nothing was traded/);
    expect(await signButton(page).textContent()).toBe('Confirm buy');
  });

  test('a wrong URL of a node', async () => {
    const page = await visit();
    await connectTo(page, 'node.example');
    await expectText(page.locator('#rpc-problem'), /beginning with https/);
    // The model is still there.
    expect(await page.locator('#model-note').isVisible()).toBe(true);
    expect(await page.locator('#connection-problem').isVisible()).toBe(false);

    // In the page's URL: it is reported at the top too.
    const other = await visit({ rpc: 'garbage' });
    await expectText(other.locator('#connection-problem'), /the RPC URL is not the address of a node/);
    await expectText(other.locator('#rpc-problem'), /beginning with https/);
    await connectTo(other, '');
    await waitForPool(other);
    expect(await other.locator('#connection-problem').isVisible()).toBe(false);
    expect(other.url()).not.toContain('rpc');
  });

  test.each([
    ['<img src=x onerror="globalThis.hacked = true">', '<b>SOL</b>'],
    ['\u202eevil\u0007 \u200b"><script>hacked()</script>', '</select>'],
  ])('a token named %s is plain text', async (name, symbol) => {
    const { page } = await visitCluster(
      async ({ ledger }) => await setTokenName(ledger, ledger.pools.community.mint, name, symbol),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: such a name has them
    const shown = [...name.replace(/[\u202e\u0007\u200b]/g, '')].slice(0, 32).join('');
    expect(await fact(page, 'pool-facts', 'Token').textContent()).toBe(`${shown} (${symbol.slice(0, 10)})`);
    await connectTestWallet(page);
    await reviewBuy(page, '1');
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await page.locator('main img, main b, main script').count()).toBe(0);
    expect(await page.evaluate(() => (globalThis as Record<string, unknown>).hacked)).toBe(undefined);
  });

  test('on a cluster the page loads nothing of the model', async () => {
    const { page } = await visitCluster();
    const scripts = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(scripts.filter((name) => /model/.test(name))).toEqual([]);
  });
});

async function connectTestWalletWithoutBalance(page: Page): Promise<void> {
  await clickConnect(page, 'Test wallet');
  await expectText(page.locator('#wallet-button'), /…$/);
}

describe.skipIf(executablePath === undefined)('fit for everybody', () => {
  test.each([false, true])(
    'axe finds nothing in any state (dark: %s)',
    async (dark) => {
      const page = await visit({ dark });
      expect(await violations(page)).toEqual([]);
      await choosePool(page, 'Launching token');
      await amountOf(page).fill('x');
      expect(await violations(page)).toEqual([]);
      await amountOf(page).fill('1');
      await page.locator('#price-chart summary').click();
      await page.locator('#slot-chart summary').click();
      await connectTestWallet(page);
      expect(await violations(page)).toEqual([]);
      await page.locator('#price-chart summary').click();
      await page.locator('#slot-chart summary').click();
      await choosePool(page, 'Community token');
      await amountOf(page).fill('1');
      await reviewBuy(page);
      await page.getByText('Each step of the transaction').click();
      expect(await violations(page)).toEqual([]);
      await walletIn(page, { mode: 'refuse' });
      await signButton(page).click();
      await expectText(page.locator('#review-problem'), /refused/);
      expect(await violations(page)).toEqual([]);
      await walletIn(page, { mode: 'sign' });
      await signButton(page).click();
      await bought(page).waitFor();
      expect(await violations(page)).toEqual([]);
    },
    60_000,
  );

  test('a phone never scrolls sideways', async () => {
    const page = await visit({ width: 360, height: 740 });
    expect(await overflow(page)).toBe(0);
    await connectTestWallet(page);
    await amountOf(page).fill('1.123456789');
    expect(await overflow(page)).toBe(0);
    await page.locator('#price-chart summary').click();
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    await page.getByText('Each step of the transaction').click();
    expect(await overflow(page)).toBe(0);
    await signButton(page).click();
    await bought(page).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  test('by keyboard alone, from the first key to the trade', async () => {
    const page = await visit();
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        return at.id || at.textContent || at.getAttribute('name') || '';
      });
    /** Tabs on until the focus is there, and never more than around the page. */
    const tabTo = async (name: string) => {
      const seen: string[] = [];
      for (let step = 0; step < 30; step++) {
        await press('Tab');
        const at = await focused();
        seen.push(at);
        const outline = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement;
          const shown =
            at instanceof HTMLInputElement && at.type === 'radio'
              ? (at.nextElementSibling as HTMLElement)
              : ((at.closest('.leg-main') && at instanceof HTMLInputElement ? at.closest('.leg') : at) ?? at);
          return getComputedStyle(shown).outlineStyle;
        });
        expect(outline, at).toBe('solid');
        if (at === name) return seen;
      }
      return expect.unreachable(`${name} is not among ${seen.join()}`);
    };
    await tabTo('wallet-button');
    await press('Enter');
    await tabTo('Connect Test wallet');
    await press('Enter');
    await expectText(page.locator('#wallet-balance'), /SOL/);
    expect(await focused()).toBe('wallet-button');
    expect(await tabTo('amount')).toEqual([
      'time',
      'other-trader',
      'side',
      'slippage-button',
      '¼',
      '½',
      'max',
      'amount',
    ]);
    await page.keyboard.type('1.5');
    await press('Enter');
    await heading(page, 'Before you sign').waitFor();
    expect(await focused()).toBe('review-title');
    await tabTo('sign');
    await press('Space');
    await bought(page).waitFor();
    expect(await focused()).toBe('result-title');
    await tabTo('again');
    await press('Enter');
    expect(await focused()).toBe('amount');
  });
});

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
