import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const find = (name: string, folder = '.'): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return entry.name === name ? [join(folder, name)] : [];
    return /^(?:\.|node_modules$|dist$)/.test(entry.name) ? [] : find(name, join(folder, entry.name));
  });
const lockfiles = find('package-lock.json');

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
}
const lockedIn = (lockfile: string): readonly (readonly [name: string, Locked])[] =>
  Object.entries<Locked>(JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => [path.replace(/^.*node_modules\//, ''), locked]);

test('each package.json has a lockfile', () => {
  const folders = find('package.json').map((file) => dirname(file));
  expect(folders).toEqual(expect.arrayContaining(['.', 'examples/mcp', 'tests/bench']));
  expect(lockfiles.map((file) => dirname(file))).toEqual(folders);
});

test('CONTRIBUTING lists the locked packages without integrity', () => {
  const guide = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');
  const [, paragraph = ''] = /Locked without integrity, [^:]*:([\s\S]*?)\n\n/.exec(guide) ?? [];
  const listed = [...paragraph.matchAll(/`([^`]+@\d[^`]*)`/g)].map(([, name]) => name);
  const bare = lockfiles.flatMap((file) =>
    lockedIn(file)
      .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([name, { version }]) => `${name}@${version}`),
  );
  expect(listed).toEqual(bare.sort());
});

test.each(lockfiles)('%s names no registry', (file) => {
  expect(lockedIn(file).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
