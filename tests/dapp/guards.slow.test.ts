import { describe, test } from 'vitest';

import {
  bought,
  buildButton,
  choosePool,
  chooseSide,
  closeReceipt,
  connectPracticeWallet,
  executablePath,
  expectText,
  fact,
  heading,
  nextSlot,
  reviewBuy,
  signButton,
  sold,
  useBrowser,
  visit,
} from './browser.js';

// Wallets that add assertions of their own to what they sign.

useBrowser();

describe.skipIf(executablePath === undefined)('a wallet that adds assertions', () => {
  test.each([
    ['phantom', 'Creator token'],
    ['phantom', 'Pro token'],
    ['solflare', 'Creator token'],
    ['solflare', 'Pro token'],
  ] as const)('%s buys and sells %s, without a second question', async (guards, pool) => {
    const page = await visit({ wallet: 'none', guards });
    await choosePool(page, pool);
    await connectPracticeWallet(page);
    await reviewBuy(page, '2');
    await signButton(page).click();
    await bought(page).waitFor();
    await expectText(fact(page, 'result-facts', 'Added by your wallet'), /^\d checks of its own$/);
    await closeReceipt(page);
    await nextSlot(page);
    await chooseSide(page, 'Sell');
    await page.getByRole('button', { name: 'Max' }).click();
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    await signButton(page).click();
    await sold(page).waitFor();
    await expectText(page.locator('#wallet-balance'), / and 0 /);
  });
});
