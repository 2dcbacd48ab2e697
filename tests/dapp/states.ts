import type { Page } from 'playwright-core';

import type { EmbeddedLedger } from '../../src/testing/index.js';
import {
  addProPool,
  amountOf,
  bought,
  buildButton,
  choosePool,
  clickConnect,
  connectPracticeWallet,
  connectTestWallet,
  expectText,
  findPool,
  heading,
  receiveOf,
  reviewBuy,
  setSlippage,
  signButton,
  timesAsked,
  visit,
  visitCluster,
  walletIn,
} from './browser.js';
import type { Cluster } from './cluster.js';
import { hostFiles } from './launching.js';

// Every state that the page can be in, each reached as a person reaches it.

const withLedger = (page: Page, change: (ledger: EmbeddedLedger) => void) =>
  page.evaluate(`(${change})(globalThis.ledger)`);

const trading = async (amount = '1.5'): Promise<Page> => {
  const page = await visit();
  await connectTestWallet(page);
  await amountOf(page).fill(amount);
  return page;
};

const reviewing = async (amount = '1.5'): Promise<Page> => {
  const page = await trading(amount);
  await buildButton(page).click();
  await heading(page, 'Before you sign').waitFor();
  return page;
};

const reviewingOn = async (prepare: (cluster: Cluster) => void) => {
  const there = await visitCluster(prepare);
  await connectTestWallet(there.page);
  await reviewBuy(there.page, '1');
  return there;
};

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

const trade: Readonly<Record<string, () => Promise<Page>>> = {
  loading: async () => {
    const { page, cluster } = await visitCluster();
    cluster.health = 'silent';
    await page.reload();
    await expectText(buildButton(page), /Connecting…/);
    return page;
  },
  'not-connected': async () => {
    const { page, cluster } = await visitCluster();
    cluster.health = 'broken';
    await page.reload();
    await expectText(buildButton(page), /Check the network/);
    return page;
  },
  'no-pool': async () => {
    const { page } = await visitCluster();
    await page.goto(page.url().replace(/&pool=[^&#]*/, ''));
    await expectText(page.locator('#pool-status'), /Paste the address/);
    return page;
  },
  'no-wallet': async () => {
    const page = await visit();
    await amountOf(page).fill('1.5');
    return page;
  },
  empty: async () => {
    const page = await visit();
    await connectTestWallet(page);
    return page;
  },
  ready: async () => {
    const page = await visit({ history: true });
    await connectTestWallet(page);
    await amountOf(page).fill('1.5');
    await page.waitForTimeout(500);
    return page;
  },
  details: async () => {
    const page = await trading();
    await page.locator('#quote summary').click();
    return page;
  },
  receive: async () => {
    const page = await trading('');
    await receiveOf(page).fill('250000');
    await page.locator('#quote summary').click();
    return page;
  },
  'receive-wrong': async () => {
    const page = await trading('');
    await receiveOf(page).fill('1,5');
    return page;
  },
  'several-pools': async () => {
    const { page, ledger } = await visitCluster();
    const { mint } = await addProPool(ledger);
    await findPool(page, mint);
    await page.locator('#pool-list .pick', { hasText: 'Pro' }).first().click();
    await amountOf(page).fill('1.5');
    await page.locator('#quote summary').click();
    await page.locator('#quote-route li').first().waitFor();
    await expectText(page.locator('#candles'), /No trades yet/);
    return page;
  },
  slippage: async () => {
    const page = await trading();
    await page.locator('#slippage-button').click();
    return page;
  },
  'slippage-wrong': async () => {
    const page = await trading();
    await setSlippage(page, '70');
    return page;
  },
  'amount-wrong': () => trading('1,5'),
  'not-enough': () => trading('5000'),
  'large-impact': () => trading('60'),
  launching: async () => {
    const page = await trading('');
    await choosePool(page, 'Launching token');
    await amountOf(page).fill('1');
    return page;
  },
  offline: async () => {
    const page = await trading();
    await page.context().setOffline(true);
    await page.locator('#offline-note').waitFor();
    return page;
  },
  'node-down': async () => {
    const { page, cluster } = await visitCluster();
    await amountOf(page).fill('1');
    cluster.health = 'broken';
    await page.locator('#quote-outage').waitFor();
    return page;
  },
  'pool-closed': async () => {
    const page = await trading('');
    await choosePool(page, 'Pro token');
    await withLedger(page, (ledger) =>
      ledger.updatePool(ledger.pools.pro.pool, ({ allowlist }) => ({ allowlist: { ...allowlist, swap: 0 } })),
    );
    await expectText(buildButton(page), /Trading is off/);
    return page;
  },
  'pool-not-open': async () => {
    const page = await trading('');
    await choosePool(page, 'Pro token');
    await withLedger(page, (ledger) =>
      ledger.updatePool(ledger.pools.pro.pool, ({ info }) => ({
        info: { ...info, openAt: ledger.unixTimestamp + 11_520n },
      })),
    );
    await expectText(buildButton(page), /Opens in 3 h/);
    return page;
  },
};

const dialogs: Readonly<Record<string, () => Promise<Page>>> = {
  'wallet-choice': async () => {
    const page = await visit();
    await page.locator('#wallet-button').click();
    return page;
  },
  'wallet-none': async () => {
    const { page } = await visitCluster(undefined, { wallet: 'none' });
    await page.locator('#wallet-button').click();
    return page;
  },
  'wallet-refused': async () => {
    const page = await visit();
    await walletIn(page, { refusesToConnect: true });
    await clickConnect(page, 'Test wallet');
    await page.locator('#wallet-problem').waitFor();
    return page;
  },
  'wallet-connected': async () => {
    const page = await trading();
    await page.locator('#wallet-button').click();
    return page;
  },
  tokens: async () => {
    const page = await visit();
    await page.locator('#choose-token').click();
    return page;
  },
  'tokens-not-found': async () => {
    const page = await visit();
    await findPool(page, 'SysvarC1ock11111111111111111111111111111111');
    await page.locator('#find-problem').waitFor();
    return page;
  },
  network: async () => {
    const page = await visit();
    await page.locator('#network-button').click();
    return page;
  },
};

const reviews: Readonly<Record<string, () => Promise<Page>>> = {
  review: () => reviewing(),
  'review-receive': async () => {
    const page = await trading('');
    await receiveOf(page).fill('250000');
    await buildButton(page).click();
    await heading(page, 'Before you sign').waitFor();
    return page;
  },
  'review-steps': async () => {
    const page = await reviewing();
    await page.getByText('Each step of the transaction').click();
    return page;
  },
  'review-consent': () => reviewing('60'),
  'review-moved': async () => {
    const page = await reviewing();
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    await page.locator('#review-notice').waitFor();
    return page;
  },
  'review-would-fail': async () => {
    const page = await trading();
    await withLedger(page, (ledger) => ledger.setBehavior({ scripted: { buy: { custom: 6013 } } }));
    await buildButton(page).click();
    await expectText(signButton(page), /It would fail/);
    return page;
  },
  'wallet-asked': async () => {
    const page = await reviewing();
    await walletIn(page, { mode: 'wait' });
    await signButton(page).click();
    await expectText(signButton(page), /Confirm in your wallet/);
    return page;
  },
  'wallet-rejected': async () => {
    const page = await reviewing();
    await walletIn(page, { mode: 'refuse' });
    await signButton(page).click();
    await page.locator('#review-problem').waitFor();
    return page;
  },
  'wallet-changed': async () => {
    const page = await reviewing();
    await walletIn(page, { mode: 'change' });
    await signButton(page).click();
    await expectText(signButton(page), /Send what the wallet signed/);
    return page;
  },
  'wrong-network': async () => {
    const { page } = await reviewingOn(({ answers }) => answers.set('getGenesisHash', () => DEVNET));
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /not for Solana devnet/);
    return page;
  },
  expired: async () => {
    const page = await reviewing();
    await walletIn(page, { mode: 'wait' });
    await signButton(page).click();
    while ((await timesAsked(page)) === 0) await page.waitForTimeout(20);
    await withLedger(page, (ledger) => ledger.setSlot(ledger.slot + 200n));
    await page.evaluate('testWallet.answer()');
    await expectText(page.locator('#review-notice'), /It took too long/);
    return page;
  },
  sending: async () => {
    const { page } = await reviewingOn(({ answers }) =>
      answers.set('getSignatureStatuses', () => ({ context: { slot: 1n }, value: [null] })),
    );
    await signButton(page).click();
    await expectText(page.locator('#review-status'), /Waiting until the cluster confirms/);
    return page;
  },
  'stopped-waiting': async () => {
    const { page } = await reviewingOn(({ answers }) =>
      answers.set('getSignatureStatuses', () => ({ context: { slot: 1n }, value: [null] })),
    );
    await signButton(page).click();
    await expectText(page.locator('#review-status'), /Waiting until the cluster confirms/);
    await page.locator('#cancel').click();
    await page.locator('#trade-problem').waitFor();
    return page;
  },
  failed: async () => {
    const err = { InstructionError: [5, { Custom: 6013 }] };
    const { page } = await reviewingOn(({ answers }) => {
      const value = [{ slot: 1n, confirmations: null, confirmationStatus: 'confirmed', err, status: {} }];
      answers.set('getSignatureStatuses', () => ({ context: { slot: 1n }, value }));
      answers.set('getTransaction', () => null);
    });
    await signButton(page).click();
    await expectText(page.locator('#review-problem'), /failed/);
    return page;
  },
  receipt: async () => {
    const page = await reviewing();
    await signButton(page).click();
    await bought(page).waitFor();
    return page;
  },
  'receipt-guards': async () => {
    const page = await visit({ wallet: 'none', guards: 'phantom' });
    await connectPracticeWallet(page);
    await reviewBuy(page);
    await signButton(page).click();
    await bought(page).waitFor();
    return page;
  },
};

async function launching(purchase = ''): Promise<Page> {
  const page = await visit({ section: 'launch' });
  await connectTestWallet(page);
  await page.getByLabel('Name').fill('Sun bear');
  await page.getByLabel('Symbol').fill('BEAR');
  await page.getByLabel('Metadata URL').fill('https://example.com/bear.json');
  await page.getByLabel('Tokens to buy').fill(purchase);
  if (purchase !== '') await expectText(page.locator('#launch-cost, #launch-purchase-problem').first(), /./);
  return page;
}

async function pooling(tab: string): Promise<Page> {
  const page = await visit({ section: 'pools' });
  await connectTestWallet(page);
  await page.locator('#liquidity-choose').click();
  await page.locator('#pool-list .pick', { hasText: 'Pro token' }).click();
  await expectText(page.locator('#liquidity-name'), /Pro token/);
  await page.getByLabel(tab, { exact: true }).check();
  return page;
}

const views: Readonly<Record<string, () => Promise<Page>>> = {
  launch: async () => {
    const page = await visit({ section: 'launch' });
    await page.locator('#launch-cap-chart svg[role=img]').waitFor();
    return page;
  },
  'launch-filled': () => launching('50000000'),
  'launch-wrong': async () => {
    const page = await launching('1');
    await page.getByLabel('Symbol').fill('MUCHTOOLONG');
    await page.locator('#launch-build').click();
    await page.locator('#launch-symbol-problem').waitFor();
    return page;
  },
  'launch-review': async () => {
    const page = await launching('50000000');
    await page.locator('#launch-build').click();
    await heading(page, 'Before you sign the launch').waitFor();
    return page;
  },
  'launch-receipt': async () => {
    const page = await launching();
    await page.locator('#launch-build').click();
    await heading(page, 'Before you sign the launch').waitFor();
    await signButton(page).click();
    await heading(page, 'Launched').waitFor();
    return page;
  },
  'launch-file': async () => {
    const page = await launching();
    await hostFiles(page, {});
    await page.getByLabel('Image URL').fill('https://files.example.com/good.png');
    await page.locator('#preview-image img').waitFor();
    await page.getByRole('button', { name: 'Keep it in this page' }).click();
    await expectText(page.locator('#launch-uri-hint'), /calls the token Sun bear/);
    return page;
  },
  'launch-file-differs': async () => {
    const page = await views['launch-file']?.();
    if (page === undefined) throw new Error('There is no such state.');
    await page.getByLabel('Symbol').fill('SUN');
    await expectText(page.locator('#launch-differences'), /The symbol is/);
    return page;
  },
  'pools-creator': async () => {
    const page = await visit();
    await connectTestWallet(page);
    await choosePool(page, 'Creator token');
    await withLedger(page, (ledger) =>
      ledger.updatePool(ledger.pools.creator.pool, ({ info }) => ({
        creatorTradingFeeReceiver: 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB' as typeof info.creator,
      })),
    );
    await page.locator('#nav-pools').click();
    await page.getByLabel('Fees', { exact: true }).check();
    await page.getByRole('button', { name: 'Review claim of creator fees' }).waitFor();
    return page;
  },
  'pools-settings': () => pooling('Settings'),
  'pools-settings-switch': async () => {
    const page = await pooling('Settings');
    await page.locator('#setting').selectOption('withdraw');
    return page;
  },
  'pools-standard': async () => await visit({ section: 'pools' }),
  'pools-deposit': async () => {
    const page = await pooling('Deposit');
    await page.getByLabel('SOL to deposit').fill('1');
    await expectText(page.locator('#deposit-facts'), /Share of the pool/);
    return page;
  },
  'pools-withdraw': () => pooling('Withdraw'),
  'pools-fees': () => pooling('Fees'),
  'pools-create': () => pooling('Create'),
};
export const states = { trade, dialogs, reviews, views };
