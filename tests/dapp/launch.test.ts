import { type Address, address } from '@solana/kit';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import { createClient, quoteInitialBuy, toNativeAmount } from '../../src/index.js';
import {
  COMMUNITY_LOOKUP_TABLE_ADDRESS,
  findAssociatedTokenAddress,
  findProtocolConfigAddress,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import {
  amountOf,
  bought,
  clickConnect,
  clusters,
  connectPracticeWallet,
  connectTestWallet,
  executablePath,
  expectText,
  fact,
  first,
  heading,
  overflow,
  signButton,
  useBrowser,
  violations,
  visit,
  walletIn,
} from './browser.js';
import { startCluster } from './cluster.js';
import type { TestWallet } from './wallet.js';

// Launches in the page, which the wallet signs first.

useBrowser();

const PURCHASE = '50000000.000000001';
const UNITS = 50_000_000_000_000_001n;
const SUPPLY = 1_000_000_000_000_000_000n;

const visitLaunch = async (options: Parameters<typeof visit>[0] = {}): Promise<Page> => {
  const page = await visit({ section: 'launch', ...options });
  await heading(page, 'Launch a token').waitFor();
  return page;
};

const connect = async (page: Page): Promise<void> => {
  await connectTestWallet(page);
};

async function fill(page: Page, purchase = ''): Promise<void> {
  await page.getByLabel('Name').fill('My tøken');
  await page.getByLabel('Symbol').fill('MINE');
  await page.getByLabel('Metadata URL').fill('https://example.com/token.json');
  await page.getByLabel('Tokens to buy').fill(purchase);
}

async function review(page: Page, purchase = ''): Promise<void> {
  await fill(page, purchase);
  await page.getByRole('button', { name: 'Review the launch' }).click();
  await heading(page, 'Before you sign the launch').waitFor();
}

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
    await review(page, purchase);
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
  test('is refused, or signed by nobody: nothing is sent, and it can be signed again', async () => {
    const page = await visitLaunch();
    await connect(page);
    await review(page);
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
    await review(page);
    expect(await fact(page, 'review-facts', 'Mint').textContent()).toBe(mint);
    await launchButton(page).click();
    await heading(page, 'Launched').waitFor();
    expect(await sentOf(page)).toBe(1);
  });

  test('is changed: what the wallet signed is shown, and never sent', async () => {
    const page = await visitLaunch();
    await connect(page);
    await review(page);
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

  test('is signed too late: a fresh block hash, and signed again', async () => {
    const page = await visitLaunch();
    await connect(page);
    await review(page);
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

  test('is left: an answer that comes later changes nothing', async () => {
    const page = await visitLaunch();
    await connect(page);
    await review(page);
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

describe.skipIf(executablePath === undefined)('the launch form', () => {
  test('says what is wrong with a field, and what a purchase costs', async () => {
    const page = await visitLaunch();
    await connect(page);
    const submit = page.locator('#launch-build');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (const [field, typed, message] of [
      ['name', '', /^Type a name\.$/],
      ['name', 'é'.repeat(17), /^This has 34 bytes, and 32 are allowed/],
      ['symbol', 'TOOLONGTOKEN', /^This has 12 bytes, and 10 are allowed/],
      ['uri', 'token.json', /^Type a whole address/],
      ['purchase', '1,5', /^Use a point/],
      ['purchase', '1000000000', /not all of them can be bought/],
    ] as const) {
      await fill(page);
      await page.locator(`#launch-${field}`).fill(typed);
      await submit.click();
      await expectText(page.locator(`#launch-${field}-problem`), message);
      expect(await focused()).toBe(`launch-${field}`);
      expect(await violations(page)).toEqual([]);
    }
    await fill(page, PURCHASE);
    const ledger = await createEmbeddedLedger();
    // 5 % are a hundred-millionth of a token less.
    const { costLamports } = await quoteInitialBuy(createClient({ rpc: ledger.rpc }), {
      configVersion: 1,
      initialPurchasePercent: '5.0000000000000001',
      slippageBps: 100,
    });
    await expectText(
      page.locator('#launch-cost'),
      /^At most 3\.\d+ SOL \(\$[\d.,]+\), for 5 % of the supply/,
    );
    expect(await page.locator('#launch-cost').getAttribute('title')).toBe(
      `${formatAmount(costLamports, 9)} SOL`,
    );
    await page.evaluate(() =>
      (globalThis as unknown as { testWallet: TestWallet }).testWallet.setAccounts([]),
    );
    await expectText(submit, /^Connect wallet$/);
    await submit.click();
    await page.locator('#wallet-dialog').waitFor();
  }, 60_000);

  test('shows the image and the names of the metadata file, or says what is wrong with it', async () => {
    const page = await visitLaunch();
    const png = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(8, 8);
      canvas.getContext('2d')?.fillRect(0, 0, 8, 8);
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
    });
    const named = { name: 'Filed\u202e token', symbol: 'FILED' };
    const files: Readonly<Record<string, string>> = {
      'good.json': JSON.stringify({ ...named, image: 'https://files.example.com/good.png' }),
      'text.json': 'not JSON',
      'bare.json': JSON.stringify(named),
      'data.json': JSON.stringify({ ...named, image: 'data:image/png;base64,AAAA' }),
      'script.json': JSON.stringify({ ...named, image: 'javascript:alert(1)' }),
      'html.json': JSON.stringify({ ...named, image: 'https://files.example.com/page.html' }),
    };
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('https://files.example.com/**', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === 'good.png')
        return route.fulfill({ headers, contentType: 'image/png', body: Buffer.from(png) });
      if (name === 'page.html') return route.fulfill({ headers, contentType: 'text/html', body: '<p>' });
      const body = files[name];
      return route.fulfill({ headers, ...(body === undefined ? { status: 404 } : { body }) });
    });
    const uri = page.getByLabel('Metadata URL');
    const image = page.locator('#preview-image img');
    const type = async (address: string) => {
      await uri.fill(address);
      await uri.blur();
    };
    const at = (name: string) => `https://files.example.com/${name}`;
    await type(at('good.json'));
    await expectText(
      page.locator('#launch-uri-hint'),
      /^The file has an image, and calls the token Filed token \(FILED\)\.$/,
    );
    expect(await image.getAttribute('src')).toMatch(/^blob:/);
    expect(await page.locator('#preview-name').textContent()).toBe('Filed token');
    expect(await page.locator('#preview-symbol').textContent()).toBe('FILED');
    expect(await violations(page)).toEqual([]);
    const box = await page.locator('#launch-build').boundingBox();
    for (const [address, message] of [
      ['http://files.example.com/good.json', /^This is not an https: address/],
      ['javascript:alert(1)', /^This is not an https: address/],
      ['data:application/json,{}', /^This is not an https: address/],
      [at('text.json'), /^This file is not a JSON object/],
      [at('none.json'), /^This page could not read the file/],
      [at('bare.json'), /^This file names no image/],
      [at('data.json'), /^The image in this file is not at an https: address/],
      [at('script.json'), /^The image in this file is not at an https: address/],
      [at('html.json'), /^The image of this file can’t be shown/],
    ] as const) {
      await type(address);
      await expectText(page.locator('#launch-uri-hint'), message);
      expect(await image.count()).toBe(0);
    }
    expect(await violations(page)).toEqual([]);
    // Nothing moves away from under the pointer.
    expect(await page.locator('#launch-build').boundingBox()).toEqual(box);
    await fill(page);
    await connect(page);
    await type('javascript:alert(1)');
    await page.locator('#launch-build').click();
    await expectText(page.locator('#launch-uri-problem'), /^Type a whole address that begins with https/);
  }, 60_000);

  test('does not let one sign what the wallet can not pay', async () => {
    const page = await visitLaunch();
    await connect(page);
    await review(page, '900000000');
    await expectText(
      page.locator('#review-trial-text'),
      /^It would fail as things stand, so it can't be signed\./,
    );
    await launchButton(page).click({ force: true });
    expect(
      await page.evaluate(() => (globalThis as unknown as { testWallet: TestWallet }).testWallet.asked),
    ).toBe(0);
    await page.locator('#cancel').click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('launch-name');
  });

  test('is reached by keyboard and by link', async () => {
    const page = await visit();
    for (let step = 0; step < 2; step++) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('nav-launch');
    await page.keyboard.press('Enter');
    await heading(page, 'Launch a token').waitFor();
    expect(new URL(page.url()).hash).toBe('#launch');
    expect(await page.title()).toBe('Launch on Heaven');
    expect(await page.locator('#trade').isVisible()).toBe(false);
    await page.goBack();
    await page.locator('#trade').waitFor();
    expect(await page.locator('#launch').isVisible()).toBe(false);
    expect(await page.title()).toBe('Trade on Heaven');
  });

  test('tells how the search for an address goes on a cluster, and stops it', async () => {
    const cluster = await startCluster();
    clusters.push(cluster);
    cluster.ledger.setBalance(first.address as Address, 10_000_000_000n);
    const page = await visitLaunch({ rpc: cluster.url });
    await page.locator('#cluster-note').getByText('A real cluster').waitFor();
    await clickConnect(page, 'Test wallet');
    // The model's lookup table is not the cluster's: put there what the page names.
    const { lookupTables } = cluster.ledger;
    cluster.ledger.setAccount(
      COMMUNITY_LOOKUP_TABLE_ADDRESS,
      cluster.ledger.getAccount(lookupTables.community),
    );
    await fill(page);
    // The search stands still after its first tries, of which one in a thousand finds an address.
    await page.evaluate(() => {
      const original = globalThis.setTimeout;
      const held = ((run: () => void, ms: number) => (ms === 0 ? 0 : original(run, ms))) as typeof setTimeout;
      Object.assign(globalThis, { setTimeout: held, release: () => (globalThis.setTimeout = original) });
    });
    await page.getByRole('button', { name: 'Review the launch' }).click();
    await expectText(
      page.locator('#launch-progress'),
      /^Searching for an address of the token that ends in 777: 256 tried, 195,112 on average\.$/,
    );
    await page.evaluate(() => (globalThis as unknown as { release: () => void }).release());
    expect(await violations(page)).toEqual([]);
    await page.locator('#launch-stop').click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('launch-build');
    expect(await page.locator('#launch-progress').isVisible()).toBe(false);
    expect(await page.locator('#launch-build').textContent()).toBe('Review the launch');
    expect(cluster.methods).not.toContain('simulateTransaction');
  });

  test.each([
    ['phone', 360, 740, false],
    ['dark phone', 360, 740, true],
    ['desktop', 1100, 900, false],
    ['dark desktop', 1100, 900, true],
  ] as const)('axe finds nothing, and nothing overflows: %s', async (_, width, height, dark) => {
    const page = await visitLaunch({ width, height, dark });
    await connect(page);
    expect(await violations(page)).toEqual([]);
    await review(page, PURCHASE);
    await page.getByText('Each step of the transaction').click();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await launchButton(page).click();
    await heading(page, 'Launched').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
