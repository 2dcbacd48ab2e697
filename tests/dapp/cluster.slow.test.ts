import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { formatAmount } from '../../examples/dapp/src/format.js';
import { createClient, listTrades, quoteBest } from '../../src/index.js';
import {
  addProPool,
  amountOf,
  bought,
  buildButton,
  clickConnect,
  clusters,
  connectTestWallet,
  connectTo,
  exact,
  executablePath,
  expected,
  expectText,
  fact,
  findPool,
  heading,
  poolNames,
  received,
  receiveOf,
  reviewBuy,
  signButton,
  signIt,
  timesAsked,
  useBrowser,
  visit,
  visitCluster,
  waitForPool,
  walletIn,
} from './browser.js';
import { setTokenName, startCluster } from './cluster.js';
import type { TestWallet } from './wallet.js';

// The page on a cluster: a node on this machine, good or bad.

useBrowser();

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
