import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { shortenAddress } from '../../../src/index.js';
import { setTokenMetadata } from '../../../src/testing/index.js';
import { overflow, violations } from '../page-checks.js';
import {
  closeReceipt,
  confirm,
  connect,
  executablePath,
  fact,
  landed,
  onLedger,
  payOf,
  picture,
  receiveOf,
  reviewTrade,
  sheetOf,
  useBrowser,
  visit,
  visitCluster,
  walletIn,
} from './browser.js';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
/** An address without an account. */
const NOTHING = 'Vote111111111111111111111111111111111111111';

const SIZES = [
  [1440, 900],
  [820, 1100],
  [390, 844],
  [320, 700],
] as const;

/** By how much the page moved by itself. */
const shift = (page: Page) =>
  page.evaluate(() => {
    const entries: (PerformanceEntry & { value?: number; hadRecentInput?: boolean })[] = [];
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    entries.push(...observer.takeRecords());
    return entries.reduce((sum, { value = 0, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
  });

/** Controls that are too small for a finger. The text of a link in a sentence may be. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, nav a, summary')].flatMap((control) => {
      const target = control.closest('.segment label') ?? control;
      const { width, height } = target.getBoundingClientRect();
      return width > 0 && (height < 43.5 || width < 24)
        ? [`${target.outerHTML.slice(0, 80)} ${width}x${height}`]
        : [];
    }),
  );

/** What is cut off in the list of trades. A trader's address may be. */
const cutTrades = (page: Page) =>
  page
    .locator('.trades td:not(:last-child)')
    .evaluateAll((cells) =>
      cells.flatMap((cell) => (cell.scrollWidth > cell.clientWidth ? [cell.textContent] : [])),
    );

/** Closes a dialog. After axe and a change of the theme, a busy browser may lose a key. */
const closeSheet = (page: Page) =>
  expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      return await sheetOf(page).count();
    })
    .toBe(0);

describe.skipIf(executablePath === undefined)('the states of the page', () => {
  useBrowser();

  test.each(SIZES)('have no finding of axe and fit, at %i pixels in both themes', async (width, height) => {
    const page = await visit({ width, height, query: { history: 'all' } });
    const check = async (state: string) => {
      expect.soft(await overflow(page), state).toBeLessThanOrEqual(0);
      if (width < 640) expect.soft(await smallTargets(page), state).toEqual([]);
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        // Only colours depend on the theme.
        const rules = theme === 'dark' ? ['color-contrast'] : undefined;
        expect.soft(await violations(page, rules), `${state}, ${theme}`).toEqual([]);
        await picture(page, `${state}-${width}-${theme}`, 'states');
      }
      if (width === 1440 && state === 'quote') await picture(page, 'light');
      if (width === 1440 && state === 'review') await picture(page, 'review');
    };
    await page.getByText('1 COMM =').waitFor();
    await page.getByRole('radio', { name: 'Trades' }).waitFor({ state: 'attached' });
    await page.locator('.trades td').first().waitFor();
    expect.soft(await cutTrades(page)).toEqual([]);
    await check('empty');
    await page
      .getByRole('button', { name: /^Connect( wallet)?$/ })
      .first()
      .click();
    await check('wallets');
    await closeSheet(page);
    await connect(page);
    await payOf(page).fill('1.5');
    await expect.poll(() => receiveOf(page).inputValue()).not.toBe('');
    // The details, closed, show what counts.
    await page.getByText(/^At least [\d.]+\sM COMM, impact 1\.2\d%$/).waitFor();
    expect.soft(await shift(page), 'layout shift').toBeLessThan(0.05);
    await page.getByText('Details').click();
    await check('quote');
    await page.getByRole('button', { name: /^Slippage|^0\.5%/ }).click();
    await sheetOf(page).getByRole('heading', { name: 'Trade settings' }).waitFor();
    await check('settings');
    await closeSheet(page);
    await page.getByRole('button', { name: /choose another token/ }).click();
    await sheetOf(page).getByText('Pro token').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(
      await sheetOf(page).getByLabel('Search').getAttribute('id'),
    );
    await check('tokens');
    await closeSheet(page);
    await reviewTrade(page, '40');
    await check('review');
    await walletIn(page, { mode: 'wait' });
    await confirm(page);
    await page.getByText('Open Test wallet and approve the request.').waitFor();
    await check('waiting');
    await page.evaluate('testWallet.answer()');
    await landed(page);
    await check('receipt');
    await closeReceipt(page);
    await page.locator('.own').first().waitFor({ state: 'attached' });
    // One price: in the head, in the card and in the list.
    const price = await page.locator('.token-price strong').textContent();
    await page.getByText(`1 COMM = ${price}`).waitFor();
    if (width > 360) expect(`${await page.locator('.own td:nth-child(5)').textContent()} SOL`).toBe(price);
    await check('traded');
    for (const view of ['Launch', 'Pools']) {
      await page.getByRole('link', { name: view }).click();
      await page
        .getByText(view === 'Launch' ? 'Total cost' : 'Pro, takes deposits')
        .first()
        .waitFor();
      await check(view.toLowerCase());
    }
  });

  describe('a link that names a node', () => {
    const asked = (page: Page) => sheetOf(page).getByRole('heading', { name: 'Connect to this node?' });
    const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('node'));

    test.each([
      [
        'https://api.mainnet-beta.solana.com.evil.example:8443/x',
        'api.mainnet-beta.solana.com.evil.example:8443',
        false,
      ],
      // The first letter is Cyrillic.
      ['https://\u0440pc.example', 'xn--pc-kmc.example', true],
      ['https://us\u00ader.example\uff0ecom', 'user.example.com', false],
    ])('%s is not connected to unless the user agrees: the page shows %s', async (rpc, host, isOdd) => {
      for (const [width, dark] of [
        [320, true],
        [1440, false],
      ] as const) {
        const page = await visit({ width, dark, query: { rpc } });
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        await page.reload();
        await asked(page).waitFor();
        await sheetOf(page).getByText(host, { exact: true }).waitFor();
        expect(
          await sheetOf(page)
            .getByText(/may imitate/)
            .count(),
        ).toBe(isOdd ? 1 : 0);
        expect.soft(await violations(page)).toEqual([]);
        expect.soft(await overflow(page)).toBeLessThanOrEqual(0);
        if (width < 640) expect.soft(await smallTargets(page)).toEqual([]);
        await picture(page, `link-${width}-${isOdd ? 'odd' : 'plain'}`, 'states');
        await page.keyboard.press('Escape');
        await page.getByText('Practice mode').waitFor();
        expect(new URL(page.url()).searchParams.has('rpc')).toBe(false);
        expect([
          await remembered(page),
          requests.filter((url) => /^(https?|wss?):\/\/(?!127\.0\.0\.1)/.test(url)),
        ]).toEqual([null, []]);
      }
    });

    test('is asked about once: then the page remembers it, but not another, and no key', async () => {
      const { page, cluster, ledger } = await visitCluster({ agrees: false });
      const agree = () => sheetOf(page).getByRole('button', { name: 'Connect to it' }).click();
      await asked(page).waitFor();
      expect([ledger.requests, await remembered(page)]).toEqual([[], null]);
      await agree();
      await page.getByText(/^1 .* =/).waitFor();
      expect(await remembered(page)).toBe(cluster.url);
      await page.reload();
      await page.getByText(/^1 .* =/).waitFor();
      expect(await asked(page).count()).toBe(0);
      const { origin } = new URL(page.url());
      await page.goto(`${origin}/?rpc=https://node.example/?api-key=0123456789`);
      await asked(page).waitFor();
      await agree();
      await page.getByRole('heading', { name: 'Not connected' }).waitFor();
      expect(await remembered(page)).toBe(cluster.url);
    });
  });

  test.each([SIZES[0], SIZES[3]])(
    'say what to do about a node at %i pixels that does not answer',
    async (width, height) => {
      const { page, cluster, ledger } = await visitCluster({ width, height, pool: '', dark: width < 640 });
      await page.getByRole('heading', { name: 'Choose a token' }).waitFor();
      // The launching pool is the newest.
      expect(await page.locator('.pool-list button').first().textContent()).toMatch(/0 SOL in the pool/);
      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await picture(page, `explore-${width}`, 'states');
      await page.getByLabel('Search').fill(ledger.pools.creator.mint);
      await page.locator('.pool-list button').first().click();
      await page.getByText(/^1 .* =/).waitFor();
      cluster.isBroken = true;
      await page.reload();
      await page.getByRole('heading', { name: 'Not connected' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await picture(page, `dead-node-${width}`, 'states');
      cluster.isBroken = false;
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText(/^1 .* =/).waitFor();
      cluster.isBroken = true;
      await page.reload();
      await page.getByRole('button', { name: 'Another node' }).click();
      await sheetOf(page).getByLabel('RPC URL of a node').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Back to practice' }).click();
      await page.getByText('1 COMM =').waitFor();
    },
  );

  test('never draw on the chart of the theme before, however fast prices change', async () => {
    const page = await visit({ query: { history: 'all' } });
    await page.locator('.chart canvas').first().waitFor();
    await onLedger(page, (ledger) => {
      setInterval(() => {
        ledger.setReserves(ledger.pools.community.pool, {
          tokenB: 130_000_000_000n + (ledger.slot % 2n) * 9_000_000_000n,
        });
        ledger.setSlot(ledger.slot + 1n);
      }, 1);
    });
    for (let round = 0; round < 30; round++)
      for (const colorScheme of ['dark', 'light'] as const) await page.emulateMedia({ colorScheme });
    // An error would come with the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.locator('.chart canvas').first().waitFor();
  });

  test('say that a node takes long, and ask it again', async () => {
    const { page, cluster } = await visitCluster({ width: 390, height: 844, agrees: false });
    let isSlow = true;
    // What is not continued is never answered.
    await page.route(`${cluster.url}/**`, (route) => (isSlow ? undefined : route.continue()));
    await sheetOf(page).getByRole('button', { name: 'Connect to it' }).click();
    await page.getByRole('heading', { name: 'Still connecting' }).waitFor();
    await page.getByText(/^127\.0\.0\.1:\d+ is slow to answer\. Press “Retry”, “Another node”/).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await picture(page, 'slow-node-390', 'states');
    isSlow = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(/^1 .* =/).waitFor();
  });

  test('say that a link names nothing, soon and for good, and find what an explorer’s link names', async () => {
    const { page, cluster, ledger } = await visitCluster({ pool: NOTHING });
    const answer = page.getByText('There is nothing at this address on this network.');
    await answer.waitFor({ timeout: 10_000 });
    const asked = ledger.requests.length;
    await page.waitForTimeout(2_000);
    expect([await answer.isVisible(), asked > 0, cluster.isBroken]).toEqual([true, true, false]);
    expect(await violations(page)).toEqual([]);
    const { mint, pool } = ledger.pools.creator;
    await page.getByLabel('Search').fill(`https://jup.ag/swap/${WRAPPED_SOL}-${mint}?ref=1`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^1 .* =/).waitFor();
    expect(new URL(page.url()).searchParams.get('pool')).toBe(pool);
    const link = new URL(page.url());
    link.searchParams.set('pool', `https://solscan.io/token/${ledger.pools.pro.mint}#holders`);
    await page.goto(link.href);
    await page.getByRole('radio', { name: 'Pool' }).check({ force: true });
    await fact(page, 'Kind').getByText('Pro').waitFor();
  });

  test('count only the SOL that can leave a pool, and give days their date in UTC', async () => {
    const reader = { locale: 'de-DE', timezoneId: 'America/New_York' };
    const page = await visit({ width: 390, height: 844, query: { history: 'all' }, reader });
    // 115 SOL, of which 35 are virtual.
    await page.locator('.token-stats').getByText('6.561,40').waitFor();
    await page
      .locator('.token-price')
      .getByText(/^▲ \+10,63\s%/)
      .waitFor();
    await page.getByRole('radio', { name: 'Pool' }).check({ force: true });
    expect(await fact(page, 'SOL in the pool').textContent()).toBe('80 SOL');
    expect(await fact(page, 'Virtual: can’t be withdrawn').textContent()).toBe('35 SOL');
    expect(await fact(page, 'Volume so far').textContent()).toMatch(/^1\.424,55/);
    await page.getByRole('radio', { name: '1d' }).check({ force: true });
    await page.getByText('As a table').click();
    await page.getByRole('columnheader', { name: 'Day (UTC)' }).waitFor();
    expect(await page.locator('.chart-foot tbody td').first().textContent()).toBe('06.04.26');
    // The reader's choices are kept.
    await page.reload();
    await page.locator('.token-stats').getByText('6.561,40').waitFor();
    for (const name of ['1d', 'Pool']) expect(await page.getByRole('radio', { name }).isChecked()).toBe(true);
  });

  test('say nothing to screen readers of what is still being read', async () => {
    const page = await visit({ query: { history: 'all' } });
    await page.getByText('Loading trades…').waitFor();
    expect(await page.getByText('No trades').count()).toBe(0);
    const read = await page.locator('main').ariaSnapshot();
    expect(read).not.toMatch(/\$00,000|\+0\.00%/);
    expect(await violations(page)).toEqual([]);
    await page.locator('.trades td').first().waitFor();
    // Without a past there is no change.
    const other = await visit();
    await other.getByText('No trades since the launch').waitFor();
    expect(await other.locator('main').ariaSnapshot()).not.toMatch(/0\.00%|TOKEN/);
  });

  test('tell apart what is chosen, focused and off where the system chooses the colours', async () => {
    for (const dark of [false, true]) {
      const page = await visit({ dark, query: { history: 'all' } });
      await page.emulateMedia({ forcedColors: 'active' });
      await connect(page);
      await page.locator('.chart canvas').first().waitFor();
      const styleOf = (selector: string, name: 'backgroundColor' | 'color' | 'outlineStyle') =>
        page
          .locator(selector)
          .first()
          .evaluate((element, property) => getComputedStyle(element)[property], name);
      for (const kind of ['.segment input', 'nav a']) {
        const [on, off] =
          kind === 'nav a'
            ? ['[aria-current]', ':not([aria-current])']
            : [':checked + span', ':not(:checked) + span'];
        expect(await styleOf(kind + on, 'backgroundColor')).not.toBe(
          await styleOf(kind + off, 'backgroundColor'),
        );
        expect(await styleOf(kind + on, 'color')).not.toBe(await styleOf(kind + on, 'backgroundColor'));
      }
      await page.keyboard.press('Tab');
      expect(await styleOf(':focus-visible', 'outlineStyle')).toBe('solid');
      await payOf(page).fill('1.5');
      await page.getByRole('button', { name: 'Review buy' }).waitFor();
      const on = await styleOf('.big', 'color');
      await page.locator('.big').evaluate((button) => button.setAttribute('aria-disabled', 'true'));
      expect(await styleOf('.big', 'color')).not.toBe(on);
      // Candles that rise, and those that fall.
      const colours = await page.locator('.chart canvas').evaluateAll((all) =>
        all.flatMap((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const context = (canvas as HTMLCanvasElement).getContext('2d');
          const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] };
          const found = new Set<string>();
          for (let at = 0; at < data.length; at += 4) {
            const [red = 0, green = 0] = [data[at], data[at + 1]];
            if (Math.abs(red - green) > 60) found.add(red > green ? 'red' : 'green');
          }
          return [...found];
        }),
      );
      expect([...new Set(colours)].sort()).toEqual(['green', 'red']);
      expect(await violations(page)).toEqual([]);
    }
  });

  test('grow with the font of the browser, and show the button on the smallest phone', async () => {
    for (const [width, height, standard] of [
      [320, 640, 16],
      [320, 640, 24],
      [390, 844, 32],
      [1440, 900, 24],
    ] as const) {
      const page = await visit({ width, height, query: { history: 'all' } });
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
      await page.reload();
      const state = `${width}, ${standard}`;
      const button = page.locator('.big');
      await page.getByText('1 COMM =').waitFor();
      if (standard === 16) {
        const tabs = await page.locator('nav').boundingBox();
        const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
        expect(y + height).toBeLessThanOrEqual(tabs?.y ?? 0);
      }
      for (const view of ['Trade', 'Pools']) {
        await page.getByRole('link', { name: view }).click();
        await page.locator('.facts, .token-stats').first().waitFor();
        expect.soft(await overflow(page), `${state}, ${view}`).toBeLessThanOrEqual(0);
      }
      expect(
        await page
          .locator('h2')
          .first()
          .evaluate((title) => getComputedStyle(title).fontSize),
      ).toBe(`${standard}px`);
      await picture(page, `font-${width}-${standard}`, 'states');
    }
  });

  test('keep a symbol that runs from right to left in its place', async () => {
    const { page, ledger } = await visitCluster();
    await page.getByText(/^1 .* =/).waitFor();
    await setTokenMetadata(ledger, ledger.pools.community.mint, {
      name: 'אסימון 1',
      symbol: 'שלום',
      uri: '',
    });
    await page.reload();
    const line = page.getByText('1 \u2068שלום\u2069 = ');
    await line.waitFor();
    // On the screen, too, the price stands right of the symbol.
    const [symbol, price] = await line.evaluate((element) => {
      const text = [...element.childNodes].map(({ textContent }) => textContent).join('');
      element.textContent = text;
      const leftOf = (part: string) => {
        const range = document.createRange();
        range.setStart(element.firstChild as Node, text.indexOf(part));
        range.setEnd(element.firstChild as Node, text.indexOf(part) + 1);
        return range.getBoundingClientRect().left;
      };
      return [leftOf('ש'), leftOf('0')];
    });
    expect(symbol).toBeLessThan(price as number);
    await page.getByRole('heading', { name: '\u2068אסימון 1\u2069' }).waitFor();
  });

  test('show the name of a token as text, without marks that change the direction, beside its mint', async () => {
    const { page, ledger } = await visitCluster();
    const { mint } = ledger.pools.community;
    await page.getByText(/^1 .* =/).waitFor();
    await setTokenMetadata(ledger, mint, { name: '<img src=x>\u202eevil', symbol: '<b>\u202eSOL', uri: '' });
    await page.reload();
    await page.getByRole('button', { name: /<b>SOL/ }).click();
    await sheetOf(page).getByText('<img src=x>evil').waitFor();
    await sheetOf(page).getByText(shortenAddress(mint)).waitFor();
  });
});
