import type { Page } from 'playwright-core';

import { heading, visit } from './browser.js';

// The launch view, as a person fills it.

export const visitLaunch = async (options: Parameters<typeof visit>[0] = {}): Promise<Page> =>
  await visit({ section: 'launch', ...options });

export async function fillLaunch(page: Page, purchase = ''): Promise<void> {
  await page.getByLabel('Name').fill('My tøken');
  await page.getByLabel('Symbol').fill('MINE');
  await page.getByLabel('Metadata URL').fill('https://example.com/token.json');
  await page.getByLabel('Tokens to buy').fill(purchase);
}

export async function reviewLaunch(page: Page, purchase = ''): Promise<void> {
  await fillLaunch(page, purchase);
  await page.getByRole('button', { name: 'Review the launch' }).click();
  await heading(page, 'Before you sign the launch').waitFor();
}

/** Part of the supply, and a unit. */
export const PURCHASE = '50000000.000000001';

export interface HostedFile {
  readonly contentType?: string;
  readonly body?: string | Buffer;
  readonly status?: number;
}

/** A host of files that any page may read, and an image on it: `good.png`. */
export async function hostFiles(page: Page, files: Readonly<Record<string, HostedFile>>): Promise<void> {
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext('2d')?.fillRect(0, 0, 8, 8);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  const all: Readonly<Record<string, HostedFile>> = {
    'good.png': { contentType: 'image/png', body: Buffer.from(png) },
    ...files,
  };
  await page.route('https://files.example.com/**', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      ...(all[new URL(route.request().url()).pathname.slice(1)] ?? { status: 404 }),
    }),
  );
}
