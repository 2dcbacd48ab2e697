// Installs the dependencies when a fresh clone, or a changed lockfile, needs it. Every npm script runs this first, so that each works
// in a fresh clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';

const stamp = 'node_modules/.installed-lockfile';
const digest = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');

const isStamped = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
/** Whether `npm install` was typed: npm writes this file last. */
const isInstalled = () => {
  const installed = statSync('node_modules/.package-lock.json', { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs > statSync('package-lock.json').mtimeMs;
};

if (!isStamped() && !isInstalled()) {
  console.log('Installing dependencies (npm ci) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, digest);
}
