// The packages of the root, and of each folder that has a package.json and a lockfile of its own.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stampOf = (folder) => join(folder, 'node_modules/.installed-lockfile');
const digestOf = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');

/** Whether a folder's packages are those of its lockfile. */
export function isInstalled(folder) {
  const stamp = stampOf(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(folder)) return true;
  // `npm install` was typed: npm writes this file last.
  const installed = statSync(join(folder, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs > statSync(join(folder, 'package-lock.json')).mtimeMs;
}

/** Installs a folder's packages where a fresh clone, or a changed lockfile, needs it. */
export function install(folder) {
  if (isInstalled(folder)) return;
  console.log(`Installing the packages of ${folder === '.' ? 'the root' : folder} (npm ci) …`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...options], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stampOf(folder), digestOf(folder));
}
