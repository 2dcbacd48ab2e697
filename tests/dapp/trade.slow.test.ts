import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import {
  amountOf,
  bought,
  buildButton,
  choosePool,
  chooseSide,
  closeReceipt,
  connectPracticeWallet,
  connectTestWallet,
  exact,
  executablePath,
  expected,
  expectText,
  fact,
  first,
  heading,
  picture,
  poolNames,
  received,
  reviewBuy,
  setSlippage,
  signButton,
  signIt,
  sold,
  timesAsked,
  useBrowser,
  visit,
  waitForPool,
} from './browser.js';

// The page on the embedded ledger, as a person trades on it. With SCREENSHOTS=1 the pictures in docs/images are written.

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
