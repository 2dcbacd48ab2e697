import type { Address } from '@solana/kit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { formatAmount, shortenAddress } from '../../examples/dapp/src/format.js';
import { decodeLiquidityPoolState, parseAmount } from '../../src/index.js';
import type { EmbeddedLedger } from '../../src/testing/index.js';
import { STRANGER } from '../support/addresses.js';
import {
  bought,
  choosePool,
  closeReceipt,
  connectPracticeWallet,
  connectTestWallet,
  executablePath,
  expectText,
  fact,
  first,
  heading,
  nextSlot,
  received,
  reviewBuy,
  second,
  signButton,
  timesAsked,
  useBrowser,
  violations,
  visit,
  walletIn,
} from './browser.js';

// The pools view: liquidity in pro pools, and what the creator of a pool claims and changes.

useBrowser();

/** Buys community tokens, and fills the form for a pool of them. Returns how many there are. */
async function fillNewPool(page: Page, connect = connectTestWallet): Promise<string> {
  await connect(page);
  await reviewBuy(page, '2');
  const tokens = await received(page);
  await signButton(page).click();
  await bought(page).waitFor();
  await closeReceipt(page);
  await page.locator('#nav-pools').click();
  await page.getByLabel('Create', { exact: true }).check();
  await page.getByLabel('Tokens to start with').fill('100000');
  await page.getByLabel('SOL to start with').fill('10');
  return tokens ?? '';
}

/** The page at a pro pool that its wallet created, at one of the tabs. */
async function visitOwnPool(tab: string, connect = connectTestWallet): Promise<Page> {
  const page = await visit({ wallet: { versions: [0, 1] } });
  await fillNewPool(page, connect);
  await page.getByLabel('Fee for you as the creator').fill('1');
  await review(page, 'create', 'Before you create the pool');
  await signButton(page).click();
  await heading(page, 'Pool created').waitFor();
  await nextSlot(page);
  await page.getByRole('button', { name: 'Open it' }).click();
  await expectText(page.locator('#liquidity-name'), /^Community token, pro pool$/);
  await expectText(fact(page, 'creator-facts', 'Creator'), /^you$/);
  await page.getByLabel(tab, { exact: true }).check();
  return page;
}

describe.skipIf(executablePath === undefined)('liquidity', () => {
  test('is deposited, shown and withdrawn', async () => {
    const page = await visit();
    await connectTestWallet(page);
    await choosePool(page, 'Pro token');
    await reviewBuy(page, '5');
    await signButton(page).click();
    await bought(page).waitFor();
    await closeReceipt(page);
    await nextSlot(page);

    await page.locator('#nav-pools').click();
    await expectText(page.locator('#share-note'), /no share of this pool yet/);
    await page.getByLabel('SOL to deposit').fill('1');
    await expectText(page.locator('#deposit-facts'), /Share of the pool0\.\d+ %/);
    const least = (await fact(page, 'deposit-facts', 'LP tokens').textContent()) ?? '';
    await page.locator('#deposit-build').click();
    await heading(page, 'Before you deposit').waitFor();
    await signButton(page).click();
    await heading(page, 'Deposited').waitFor();
    await closeReceipt(page);
    await expectText(page.locator('#share-facts'), /LP tokens/);
    const held = (await fact(page, 'share-facts', 'LP tokens').textContent()) ?? '';
    expect(Number(held)).toBeGreaterThanOrEqual(Number(least));

    await page.getByLabel('Withdraw', { exact: true }).check();
    await page.getByLabel('LP tokens to return').fill('1000');
    await expectText(page.locator('#withdraw-lp-problem'), new RegExp(`You have ${held} LP tokens`));
    await page.locator('[data-withdraw="100"]').click();
    expect(await page.getByLabel('LP tokens to return').inputValue()).toBe(held);
    await expectText(page.locator('#withdraw-facts'), /SOL, at least/);
    await page.locator('#withdraw-build').click();
    await heading(page, 'Before you withdraw').waitFor();
    await signButton(page).click();
    await heading(page, 'Withdrawn').waitFor();
    await closeReceipt(page);
    await expectText(fact(page, 'share-facts', 'LP tokens'), /^0$/);
  }, 90_000);

  test('is created with a pool of its own', async () => {
    const page = await visit({ wallet: { versions: [0, 1] } });
    const tokens = await fillNewPool(page);
    await page.getByLabel('Tokens to start with').fill('1,000');
    await page.locator('#create-build').click();
    await expectText(
      page.locator('#create-tokens-problem'),
      /without a separator|with a point for the decimals/,
    );
    await page.getByLabel('Tokens to start with').fill('1000000');
    await page.getByLabel('SOL to start with').fill('1');
    await page.locator('#create-build').click();
    await heading(page, 'Before you create the pool').waitFor();
    expect(await page.locator('#review-headline').textContent()).toBe(
      'You create a pro pool with 1,000,000 COMM and 1 SOL.',
    );
    await signButton(page).click();
    await heading(page, 'Pool created').waitFor();
    await closeReceipt(page);
    const left = BigInt((tokens ?? '').replace(/[,.]/g, '')) - 1_000_000_000_000_000n;
    await expectText(page.locator('#wallet-balance'), new RegExp(`and ${formatAmount(left, 9)} COMM$`));
  }, 90_000);
});

/** Makes the test wallet the creator of the standard pool with fees for its creator. */
const becomeCreator = (page: Page) =>
  page.evaluate((wallet) => {
    const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
    ledger.updatePool(ledger.pools.creator.pool, ({ info }) => ({
      info: { ...info, creator: wallet },
      creatorTradingFeeReceiver: wallet,
    }));
    ledger.setSlot(ledger.slot + 1n);
  }, first.address as Address);

/** What the wallet has. */
const solOf = async (page: Page): Promise<number> =>
  Number.parseFloat((await page.locator('#wallet-balance').textContent()) ?? '');

async function visitPools(name: string): Promise<Page> {
  const page = await visit();
  await connectTestWallet(page);
  await choosePool(page, name);
  await page.locator('#nav-pools').click();
  return page;
}

const review = async (page: Page, form: string, title: string) => {
  await page.locator(`#${form}-build`).click();
  await heading(page, title).waitFor();
  await expectText(page.locator('#review-trial-text'), /would succeed/);
};

/** What a step of the chosen fee says: its end, and the fees. */
const stepOf = (page: Page, step: number) =>
  page.locator(`#setting-fields input[aria-label$="step ${step}"]`);
const stepIn = (page: Page, step: number) =>
  stepOf(page, step).evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

async function fillStep(page: Page, step: number, values: readonly string[]): Promise<void> {
  for (const [index, value] of values.entries()) await stepOf(page, step).nth(index).fill(value);
}

async function sign(page: Page, title: string): Promise<void> {
  await signButton(page).click();
  await heading(page, title).waitFor();
  await closeReceipt(page);
}

describe.skipIf(executablePath === undefined)('the creator of a pool', () => {
  test('claims the fees of a standard pool', async () => {
    const fees = '420.891248646 SOL';
    const page = await visitPools('Creator token');
    await page.getByLabel('Fees', { exact: true }).check();
    await expectText(page.locator('#royalty-build'), /^Only for the creator$/);
    expect(await fact(page, 'creator-facts', 'Fees to claim').textContent()).toBe(fees);
    await becomeCreator(page);
    await expectText(fact(page, 'creator-facts', 'Creator'), /^you$/);
    expect(await violations(page)).toEqual([]);
    await review(page, 'royalty', 'Before you claim');
    expect(await page.locator('#review-headline').textContent()).toBe(
      `You claim about ${fees} of creator fees.`,
    );
    await sign(page, 'Claimed');
    await expectText(fact(page, 'royalty-facts', 'Fees to claim'), /^0 SOL$/);
    await expectText(page.locator('#royalty-build'), /^Nothing to claim$/);
    // 100 SOL and the fees, less what the transaction cost.
    const gained = (await solOf(page)) - 100 - Number.parseFloat(fees);
    expect(gained).toBeLessThan(0);
    expect(gained).toBeGreaterThan(-0.02);
  });

  test('claims the fees of a pro pool, once somebody has traded', async () => {
    const page = await visitOwnPool('Fees');
    await expectText(page.locator('#royalty-build'), /^Nothing to claim$/);
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    // 1 % of 5 SOL.
    await expectText(fact(page, 'royalty-facts', 'Fees to claim'), /^0\.05 SOL$/);
    const before = await solOf(page);
    await review(page, 'royalty', 'Before you claim');
    await sign(page, 'Claimed');
    await expectText(page.locator('#royalty-build'), /^Nothing to claim$/);
    expect((await solOf(page)) - before).toBeGreaterThan(0.03);
    // The liquidity is all the creator's, and so is its fee: half a percent.
    await expectText(fact(page, 'earned-facts', 'Fees to claim'), /^0\.025 SOL$/);
    await review(page, 'earned', 'Before you claim');
    await sign(page, 'Claimed');
    await expectText(fact(page, 'earned-facts', 'Fees to claim'), /^0 SOL$/);
  }, 60_000);

  test('sees why there is nothing to claim if the fees go to the community', async () => {
    const page = await visitPools('Community token');
    await expectText(page.locator('#creator-note'), /go to its community/);
    await page.getByLabel('Fees', { exact: true }).check();
    expect(await page.locator('#earned-build').isVisible()).toBe(false);
    await page.getByLabel('Deposit', { exact: true }).check();
    await expectText(page.locator('#deposit-build'), /^Choose a pro pool$/);
  });

  test('changes fees step by step, and only the creator can', async () => {
    const other = await visitPools('Pro token');
    await other.getByLabel('Settings', { exact: true }).check();
    await expectText(other.locator('#manage-build'), /^Only for the creator$/);
    await other.getByLabel('Setting', { exact: true }).selectOption('Fee for the creator');
    expect([await stepIn(other, 1), await stepIn(other, 2), await stepIn(other, 3)]).toEqual([
      ['100000', '1', '1.5'],
      ['', '0.5', '0.5'],
      ['', '', ''],
    ]);
    const page = await visitOwnPool('Settings');
    await expectText(page.locator('#manage-build'), /^Review change$/);
    await page.getByLabel('Setting', { exact: true }).selectOption('Fee for the creator');
    expect([await stepIn(page, 1), await stepIn(page, 2)]).toEqual([
      ['', '1', '1'],
      ['', '', ''],
    ]);
    expect(await violations(page)).toEqual([]);
    const buy = page.getByLabel('Buy, %, step 1', { exact: true });
    for (const wrong of ['', '101', '1.234', '1,5', '-1']) {
      await buy.fill(wrong);
      await page.locator('#manage-build').click();
      await expectText(page.locator('#manage-problem'), /^Step 1: type both fees as percentages/);
    }
    // The config of the exchange allows half at most.
    await buy.fill('50.01');
    await page.locator('#manage-build').click();
    await expectText(page.locator('#manage-problem'), /5001 basis points, but at most 5000/);
    await buy.fill('0.25');
    await fillStep(page, 1, ['250000.5', '0.25', '1.5']);
    await fillStep(page, 2, ['', '0.5', '0.5']);
    await review(page, 'manage', 'Before you change the pool');
    expect(await page.locator('#review-facts div').allTextContents()).toEqual([
      'Up to $250K0.25 % to buy, 1.5 % to sell',
      'Above0.5 % to buy, 0.5 % to sell',
    ]);
    await sign(page, 'Changed');
    await expect.poll(() => stepIn(page, 1)).toEqual(['250000.5', '0.25', '1.5']);
    expect(await stepIn(page, 2)).toEqual(['', '0.5', '0.5']);
    // What the view shows is the pool's account: the fees are in force.
    await page.locator('#liquidity-cap-chart summary').click();
    await expectText(page.locator('#liquidity-cap-chart tbody'), /\$250K1\.05 %2\.3 %/);
    // A schedule by slots goes before it while it lasts.
    await page.getByLabel('Setting', { exact: true }).selectOption('Fee for the creator, in the first slots');
    await fillStep(page, 1, ['15', '10', '20']);
    await review(page, 'manage', 'Before you change the pool');
    expect(await page.locator('#review-facts div').allTextContents()).toEqual([
      'Up to slot 1510 % to buy, 20 % to sell',
    ]);
    await sign(page, 'Changed');
    await expect.poll(() => page.locator('#setting-fields div.steps').count()).toBe(4);
  }, 60_000);

  test('switches features off and on', async () => {
    const page = await visitOwnPool('Settings');
    await page.getByLabel('Setting', { exact: true }).selectOption('Withdrawals');
    await expectText(page.locator('#setting-fields'), /^On now\.$/);
    await review(page, 'manage', 'Before you change the pool');
    await expectText(page.locator('#review-headline'), /^You switch withdrawals off in this pool\.$/);
    await expectText(page.locator('#review-warnings'), /the funds of every liquidity provider .* are locked/);
    await sign(page, 'Changed');
    await nextSlot(page);
    await expectText(page.locator('#setting-fields'), /^Off now\.$/);
    await review(page, 'manage', 'Before you change the pool');
    await expectText(page.locator('#review-headline'), /^You switch withdrawals on/);
  });
});

const disconnect = async (page: Page) => {
  await page.locator('#wallet-button').click();
  await page.locator('#disconnect').click();
  await page.keyboard.press('Escape');
};

/** The receiver of the creator fees in the account of the pool that the page shows. */
async function receiverOnChain(page: Page): Promise<string> {
  const pool = (await fact(page, 'pool-facts', 'Pool').getAttribute('title')) as Address;
  const data = await page.evaluate((address) => {
    const { ledger } = globalThis as unknown as { ledger: EmbeddedLedger };
    return [...(ledger.getAccount(address)?.data ?? [])];
  }, pool);
  return decodeLiquidityPoolState(Uint8Array.from(data), pool).creatorTradingFeeReceiver;
}

const chooseReceiver = (page: Page) =>
  page.getByLabel('Setting', { exact: true }).selectOption('Receiver of the creator fees');
const receiverField = (page: Page) => page.getByLabel('New receiver');

describe.skipIf(executablePath === undefined)('the receiver of the creator fees', () => {
  test('is changed by the signatures of both wallets, and claims from then on', async () => {
    const page = await visitOwnPool('Settings');
    await page.evaluate(() => document.getElementById('other-trader')?.click());
    // 1 % of 5 SOL.
    await expectText(fact(page, 'creator-facts', 'Fees to claim'), /^0\.05 SOL$/);
    expect(await receiverOnChain(page)).toBe(first.address);
    await chooseReceiver(page);
    expect(await violations(page)).toEqual([]);
    for (const [wrong, problem] of [
      ['', /^Type the address of the wallet that receives/],
      ['11111', /^Type the address of the wallet that receives/],
      [first.address, /^This wallet receives the creator fees already/],
      [STRANGER, /no wallet in this browser shares this account/],
    ] as const) {
      await receiverField(page).fill(wrong);
      await page.locator('#manage-build').click();
      await expectText(page.locator('#receiver-problem'), problem);
    }
    await page.getByRole('button', { name: 'Use Test wallet' }).click();
    await expectText(page.locator('#receiver-problem'), /^Test wallet shares only the account that you use/);
    await page.getByRole('button', { name: 'Use Practice wallet' }).click();
    await expect.poll(() => receiverField(page).inputValue()).toMatch(/^\w{32,44}$/);
    const receiver = await receiverField(page).inputValue();
    expect(receiver).not.toBe(STRANGER);
    await review(page, 'manage', 'Before you change the pool');
    expect(await page.locator('#review-headline').textContent()).toBe(
      'You give the creator fees of this pool to another wallet.',
    );
    expect(await page.locator('#review-facts div').allTextContents()).toEqual([
      `Receives the fees from now on${receiver}`,
      `Received them until now${first.address}`,
      'Not claimed yet, for the new receiver0.05 SOL',
    ]);
    await expectText(page.locator('#review-warnings'), /Only the new receiver can claim from now on/);
    expect(await violations(page)).toEqual([]);
    await sign(page, 'Changed');
    expect(await receiverOnChain(page)).toBe(receiver);
    await nextSlot(page);
    await expectText(fact(page, 'creator-facts', 'Fees go to'), shortenAddress(receiver as Address));
    expect(await fact(page, 'creator-facts', 'Fees go to').getAttribute('title')).toBe(receiver);
    await page.getByLabel('Fees', { exact: true }).check();
    await expectText(page.locator('#royalty-build'), /^Only for the creator$/);
    await disconnect(page);
    await connectPracticeWallet(page);
    await review(page, 'royalty', 'Before you claim');
    await sign(page, 'Claimed');
    await expectText(fact(page, 'royalty-facts', 'Fees to claim'), /^0 SOL$/);
  }, 90_000);

  test('stays the same if the new one refuses, or gives no signature', async () => {
    const page = await visitOwnPool('Settings', connectPracticeWallet);
    const before = await receiverOnChain(page);
    await chooseReceiver(page);
    await page.getByRole('button', { name: 'Use Test wallet' }).click();
    await expect.poll(() => receiverField(page).inputValue()).toBe(first.address);
    await review(page, 'manage', 'Before you change the pool');
    for (const [mode, problem] of [
      ['refuse', /^You refused it in the wallet/],
      ['garbage', /./],
    ] as const) {
      await walletIn(page, { mode });
      await signButton(page).click();
      await expectText(page.locator('#review-problem'), problem);
    }
    expect(await timesAsked(page)).toBe(2);
    await walletIn(page, { mode: 'wait' });
    await signButton(page).click();
    await expectText(
      page.locator('#review-status'),
      /^Look at Test wallet: it asks for the signature of the/,
    );
    await page.locator('#cancel').click();
    expect(await receiverOnChain(page)).toBe(before);
  }, 60_000);
});

describe.skipIf(executablePath === undefined)('a share of a pool', () => {
  test('is sent to another wallet, which then has it', async () => {
    const page = await visitOwnPool('Withdraw');
    const held = (await fact(page, 'share-facts', 'LP tokens').textContent()) ?? '';
    const pool = (await fact(page, 'pool-facts', 'Pool').getAttribute('title')) ?? '';
    const receiver = page.getByLabel('Receiver', { exact: true });
    await page.getByLabel('LP tokens to send').fill('1000000000');
    await receiver.fill(second.address);
    await page.locator('#transfer-build').click();
    await expectText(page.locator('#transfer-lp-problem'), new RegExp(`You have ${held} LP tokens`));
    await page.locator('[data-transfer="25"]').click();
    const sent = await page.getByLabel('LP tokens to send').inputValue();
    for (const [wrong, problem] of [
      ['', /^Type the address of the wallet that gets them/],
      [`${second.address}1`, /^Type the address of the wallet that gets them/],
      [first.address, /^This is your own wallet/],
    ] as const) {
      await receiver.fill(wrong);
      await page.locator('#transfer-build').click();
      await expectText(page.locator('#transfer-to-problem'), problem);
    }
    expect(await violations(page)).toEqual([]);
    // A pool is no wallet.
    await receiver.fill(pool);
    await review(page, 'transfer', 'Before you send your share');
    await expectText(page.locator('#review-warnings'), /is not a wallet: it belongs to the program/);
    await page.locator('#cancel').click();
    await receiver.fill(second.address);
    await review(page, 'transfer', 'Before you send your share');
    expect(await page.locator('#review-headline').textContent()).toBe(
      'You send a part of your share of this pool to another wallet.',
    );
    await expectText(page.locator('#review-facts'), new RegExp(`Receiver${second.address}$`));
    await expectText(page.locator('#review-warnings'), /Nobody can undo this/);
    expect(await page.locator('#review-warnings').textContent()).not.toMatch(/is not a wallet|NOT known/);
    await sign(page, 'Sent');
    await expect.poll(() => fact(page, 'share-facts', 'LP tokens').textContent()).not.toBe(held);
    // Read back as the receiver.
    await page.evaluate(() =>
      (
        globalThis as unknown as { testWallet: { setAccounts(which: readonly number[]): void } }
      ).testWallet.setAccounts([1]),
    );
    await expectText(fact(page, 'share-facts', 'LP tokens'), formatAmount(parseAmount(sent, 9), 9));
  }, 90_000);
});
