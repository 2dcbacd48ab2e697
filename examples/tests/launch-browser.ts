import { type Browser, chromium } from 'playwright-core';

import { HANG_MS } from '../../tests/support/hang.js';

/** Starts a browser, however long that takes. */
export const launchBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: HANG_MS,
  });
