// `node scripts/complete-lockfile.mjs [FOLDER]`, after `npm install`: npm drops optional packages that it can't reach from the lockfile, and then
// `npm ci` rejects it. npm looks them up again here. What the registry doesn't have is locked by its version alone, and printed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '.';
const file = join(folder, 'package-lock.json');

function change(edit) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  edit(lock.packages);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}

change((packages) => {
  for (const [path, { optional, integrity }] of Object.entries(packages))
    if (optional && !integrity) delete packages[path];
});

const options = ['--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved'];
const { status } = spawnSync('npm', ['install', ...options, '--loglevel=error'], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);

change((packages) => {
  const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (locked.has(name)) continue;
      const isExact = /^\d+\.\d+\.\d+(-|$)/.test(version);
      console.log(`${isExact ? 'without integrity' : 'left out'}: ${name}@${version} is not in the registry`);
      const at = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`;
      if (isExact) packages[at] = { version, ...(dev && { dev }), optional: true };
    }
});
