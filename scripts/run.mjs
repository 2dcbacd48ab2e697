// `node scripts/run.mjs FOLDERS PROGRAM [ARGUMENT…]`: runs a program with the packages of some folders, such as `docs,examples`, and of
// the root, and says what to install if they are missing.
import { spawnSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';

import { isInstalled } from './packages.mjs';

const [named, program, ...args] = process.argv.slice(2);
const folders = [...new Set([...named.split(','), '.'])];
const missing = folders.filter((each) => !isInstalled(each));
if (missing.length > 0) {
  console.error(
    `Packages are missing, or not those of the lockfile. Install them: npm run setup ${missing.join(' ')}`,
  );
  process.exit(1);
}
const programs = folders.map((each) => resolve(each, 'node_modules/.bin'));
const { status } = spawnSync(program, args, {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, PATH: [...programs, process.env.PATH].join(delimiter) },
});
process.exit(status ?? 1);
