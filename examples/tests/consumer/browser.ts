import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { HANG_MS } from '../../../tests/support/hang.js';
import { launchBrowser } from '../launch-browser.js';

/** Serves a folder, and runs a test on its page in a browser. Gives what the page complained about. */
export async function inBrowser(
  folder: string,
  executablePath: string,
  run: (page: Page) => Promise<void>,
  start = '/index.html',
): Promise<readonly string[]> {
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
  const server = createServer(async ({ url = '/' }, response) => {
    try {
      const content = await readFile(join(folder, url));
      response.setHeader('content-type', types[url.split('.').pop() ?? ''] ?? 'application/octet-stream');
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser(executablePath);
  const complaints: string[] = [];
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(HANG_MS);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !message.location().url.endsWith('/favicon.ico'))
        complaints.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${start}`);
    await run(page);
  } finally {
    await browser.close();
    server.close();
  }
  return complaints;
}
