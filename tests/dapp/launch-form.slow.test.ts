import { readFileSync } from 'node:fs';
import type { Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import { createClient, quoteInitialBuy } from '../../src/index.js';
import { COMMUNITY_LOOKUP_TABLE_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import {
  clickConnect,
  clusters,
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
} from './browser.js';
import { startCluster } from './cluster.js';
import { fillLaunch, hostFiles, PURCHASE, reviewLaunch, visitLaunch } from './launching.js';
import type { TestWallet } from './wallet.js';

// The form of a launch: its fields, the metadata file, and the search for an address.

useBrowser();

describe.skipIf(executablePath === undefined)('the launch form', () => {
  test('says what is wrong with a field, and what a purchase costs', async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    const submit = page.locator('#launch-build');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (const [field, typed, message] of [
      ['name', '', /^Type a name\.$/],
      ['name', 'é'.repeat(17), /^This has 34 bytes, and 32 are allowed/],
      ['symbol', 'TOOLONGTOKEN', /^This has 12 bytes, and 10 are allowed/],
      ['uri', 'token.json', /^Type a whole address/],
      ['purchase', '1,5', /with a point for the decimals/],
      ['purchase', '1000000000', /not all of them can be bought/],
    ] as const) {
      await fillLaunch(page);
      await page.locator(`#launch-${field}`).fill(typed);
      await submit.click();
      await expectText(page.locator(`#launch-${field}-problem`), message);
      expect(await focused()).toBe(`launch-${field}`);
      expect(await violations(page)).toEqual([]);
    }
    await fillLaunch(page, PURCHASE);
    const ledger = await createEmbeddedLedger();
    // 5 % are a hundred-millionth of a token less.
    const { costLamports } = await quoteInitialBuy(createClient({ rpc: ledger.rpc }), {
      configVersion: 1,
      initialPurchasePercent: '5.0000000000000001',
      slippageBps: 100,
    });
    await expectText(
      page.locator('#launch-cost'),
      /^At most 1\.86\d* SOL \(\$[\d.,]+\), for 5 % of the supply. The purchase pays no fee\./,
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
    const named = { name: 'Filed\u202e token', symbol: 'FILED' };
    const json = (content: object) => ({ body: JSON.stringify({ ...named, ...content }) });
    await hostFiles(page, {
      'good.json': json({ image: 'https://files.example.com/good.png' }),
      'text.json': { body: 'not JSON' },
      'bare.json': json({}),
      'data.json': json({ image: 'data:image/png;base64,AAAA' }),
      'script.json': json({ image: 'javascript:alert(1)' }),
      'html.json': json({ image: 'https://files.example.com/page.html' }),
      'page.html': { contentType: 'text/html', body: '<p>' },
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
      [at('data.json'), /^The image in this file is not at an https: or ipfs: address/],
      [at('script.json'), /^The image in this file is not at an https: or ipfs: address/],
      [at('html.json'), /^This image can’t be shown/],
    ] as const) {
      await type(address);
      await expectText(page.locator('#launch-uri-hint'), message);
      await expect.poll(() => image.count()).toBe(0);
    }
    expect(await violations(page)).toEqual([]);
    // Nothing moves away from under the pointer.
    expect(await page.locator('#launch-build').boundingBox()).toEqual(box);
    await fillLaunch(page);
    await connectTestWallet(page);
    await type('javascript:alert(1)');
    await page.locator('#launch-build').click();
    await expectText(page.locator('#launch-uri-problem'), /^Type a whole address that begins with https/);
  }, 60_000);

  test("writes a token's metadata file from an image URL, keeps it in practice mode, and says where form and file differ", async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    await hostFiles(page, { 'page.html': { contentType: 'text/html', body: '<p>' } });
    const image = page.getByLabel('Image URL');
    const problem = page.locator('#launch-image-problem');
    // Without a name there is no file to write.
    await page.getByRole('button', { name: 'Download token.json' }).click();
    await expectText(page.locator('#launch-name-problem'), /^Type a name/);
    await page.getByLabel('Name').fill('My tøken');
    await page.getByLabel('Symbol').fill('MINE');
    await page.getByLabel('Description').fill('Mine "alone"');
    for (const [typed, message] of [
      ['http://files.example.com/good.png', /^Type a whole address that begins with https:\/\/ or ipfs/],
      ['javascript:alert(1)', /^Type a whole address/],
      ['data:image/png;base64,AAAA', /^Type a whole address/],
      ['https://127.0.0.1/good.png', /^Type a whole address/],
      ['https://files.example.com/page.html', /^This image can’t be shown/],
    ] as const) {
      await image.fill(typed);
      await expectText(problem, message);
      expect(await page.locator('#preview-image img').count()).toBe(0);
    }
    await image.fill('https://files.example.com/good.png');
    await page.locator('#preview-image img[src^="blob:"]').waitFor();
    expect(await problem.isVisible()).toBe(false);
    const expectedFile = {
      name: 'My tøken',
      symbol: 'MINE',
      description: 'Mine "alone"',
      image: 'https://files.example.com/good.png',
    };
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download token.json' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('token.json');
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(expectedFile);
    await expectText(
      page.locator('#launch-kept'),
      /^Put this file at an address of yours, and paste the address/,
    );

    await page.getByRole('button', { name: 'Keep it in this page' }).click();
    expect(await page.getByLabel('Metadata URL').inputValue()).toMatch(
      /^https:\/\/example\.com\/tokens\/launch-1/,
    );
    await expectText(page.locator('#launch-kept'), /^Only this page knows that address/);
    await expectText(page.locator('#launch-uri-hint'), /calls the token My tøken \(MINE\)\.$/);
    expect(await page.locator('#launch-differences li').count()).toBe(0);
    await page.getByLabel('Symbol').fill('OURS');
    const told = 'The symbol is “MINE” in the file, and “OURS” in the form.';
    await expectText(page.locator('#launch-differences'), told);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Review the launch' }).click();
    await heading(page, 'Before you sign the launch').waitFor();
    await expectText(page.locator('#review-warnings'), told);
    await signButton(page).click();
    await heading(page, 'Launched').waitFor();
    await page.getByRole('button', { name: 'Trade it' }).click();
    await fact(page, 'pool-facts', 'Token').getByText('My tøken (OURS)').waitFor();
    await page.locator('#market-image img[src^="blob:"]').waitFor();
  }, 60_000);

  test("does not let the user sign what the wallet can't pay", async () => {
    const page = await visitLaunch();
    await connectTestWallet(page);
    await reviewLaunch(page, '900000000');
    await expectText(
      page.locator('#review-trial-text'),
      /^It would fail as things stand, so it can't be signed\./,
    );
    await signButton(page).click({ force: true });
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

  test('shows the progress of the address search on a cluster, and stops it', async () => {
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
    await fillLaunch(page);
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
    await connectTestWallet(page);
    expect(await violations(page)).toEqual([]);
    await reviewLaunch(page, PURCHASE);
    await page.getByText('Each step of the transaction').click();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await signButton(page).click();
    await heading(page, 'Launched').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
