import { existsSync } from 'node:fs';

/** Where a Chromium is, or nothing on a machine without one. CI has one; `CHROMIUM_PATH` names another. */
export const chromiumPath: string | undefined = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== '' && existsSync(path));
