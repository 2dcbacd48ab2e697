import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { npm } from '../../../tests/support/installed.js';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../../..', import.meta.url));

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A project that has installed the packed package, as a user would. */
export interface Consumer {
  readonly folder: string;
  /** The packed package. */
  readonly tarball: string;
  /** What the package holds, by path. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly packedSize: number;
  readonly unpackedSize: number;
  /** What npm installed beside kit and all that comes with kit: the package itself and what it depends on. */
  readonly besideKit: readonly { readonly name: string; readonly bytes: number }[];
  /** Runs Node on a file of the project and gives what it prints. */
  node(file: string, ...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Builds and packs a copy of the package, so that what lies in `dist` just now has no part in it. */
async function pack(folder: string) {
  const copy = join(folder, 'copy');
  await mkdir(copy);
  const left = new Set(
    ['node_modules', 'dist', '.git', 'tests', 'coverage', '.vitepress'].map((name) => join(root, name)),
  );
  await cp(root, copy, {
    recursive: true,
    filter: (path) =>
      !left.has(path.replace(/[\\/]$/, '')) && !/[\\/]node_modules([\\/]|$)/.test(path.slice(root.length)),
  });
  // Its own, and no link: what is bundled names the folder that it was found in.
  await npm(copy, 'ci', '--prefer-offline', '--ignore-scripts');
  // What lies about in a working copy must not get into the package.
  await mkdir(join(copy, 'examples/http/dist'), { recursive: true });
  await writeFile(join(copy, 'examples/http/dist/built.js'), '');
  await mkdir(join(copy, 'docs/api'), { recursive: true });
  await writeFile(join(copy, 'docs/api/generated.md'), '');
  await writeFile(join(copy, '.env'), 'RPC_URL=https://example.com/key');
  await writeFile(join(copy, 'examples/wallet.key'), '');

  await run(process.execPath, ['node_modules/tsup/dist/cli-default.js', '--silent'], { cwd: copy });
  const { stdout } = await npm(copy, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string; size: number }[] },
  ];
  return packed;
}

/** The packages of a lockfile that one of them needs, by their paths: '' is the root. */
function neededBy(from: string, packages: Readonly<Record<string, LockedPackage>>): Set<string> {
  const found = new Set<string>();
  const locate = (base: string, name: string): string | undefined => {
    for (; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
      const path = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
      if (packages[path] !== undefined) return path;
      if (base === '') return undefined;
    }
  };
  const visit = (path: string) => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {};
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys(dependencies), ...peers]) {
      const at = locate(path, name);
      if (at === undefined || found.has(at)) continue;
      found.add(at);
      visit(at);
    }
  };
  visit(from);
  return found;
}

async function lockedIn(path: string): Promise<Record<string, LockedPackage>> {
  return JSON.parse(await readFile(path, 'utf8')).packages;
}

/** The locked packages that a user gets along with the package: what it depends on, kit, and what these depend on. */
async function installedAlong(): Promise<readonly string[]> {
  const found = neededBy('', await lockedIn(join(root, 'package-lock.json')));
  // One inside another is copied with it.
  return [...found].filter((path) => path.lastIndexOf('node_modules/') === 0);
}

/** What npm says that it installed, without kit and what kit needs. A package's bytes are its own, without those inside it. */
async function installedBesideKit(project: string): Promise<Consumer['besideKit']> {
  const packages = await lockedIn(join(project, 'node_modules/.package-lock.json'));
  const ofKit = neededBy('node_modules/@solana/kit', packages).add('node_modules/@solana/kit');
  return await Promise.all(
    Object.keys(packages)
      .filter((path) => !ofKit.has(path))
      .map(async (path) => ({
        name: path.replace(/^.*node_modules\//, ''),
        bytes: await bytesIn(join(project, path)),
      })),
  );
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : await bytesIn(path);
      return (await stat(path)).size;
    }),
  );
  return sizes.reduce((total, size) => total + size, 0);
}

/** Packs the package and installs it in a new project, without any network: npm finds what it depends on in place. */
export async function installConsumer(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'heaven-consumer-'));
  try {
    return await installIn(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function installIn(folder: string): Promise<Consumer> {
  const project = join(folder, 'project');
  await mkdir(project);
  const [packed, along] = await Promise.all([pack(folder), installedAlong()]);
  for (const path of along) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await cp(join(root, path), join(project, path), { recursive: true });
  }
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/@solana/kit/package.json'), 'utf8'));
  const dependencies = { '@solana/kit': version, 'heaven-pools': `file:../${packed.filename}` };
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  // npm reinstalls a package that lacks the link to its program.
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink('../@solana/errors/bin/cli.mjs', join(project, 'node_modules/.bin/errors'));
  // An empty cache: nothing of this machine's helps. npm would ask a registry to check peers; `npm ls` checks them without.
  const cache = join(folder, 'cache');
  await npm(project, 'install', '--offline', '--legacy-peer-deps', '--cache', cache);
  await npm(project, 'ls', '--all', '--cache', cache);
  const besideKit = await installedBesideKit(project);
  for (const path of ['@types/node', 'undici-types', 'expect-type']) {
    await cp(join(root, 'node_modules', path), join(project, 'node_modules', path), { recursive: true });
  }
  await cp(fileURLToPath(new URL('app', import.meta.url)), project, { recursive: true });
  await cp(join(root, 'tests/types'), join(project, 'types'), { recursive: true });
  return {
    folder: project,
    tarball: join(folder, packed.filename),
    files: packed.files,
    packedSize: packed.size,
    unpackedSize: packed.unpackedSize,
    besideKit,
    node: (file, ...args) => runNode(project, file, ...args),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs Node on a file of a folder and gives what it prints. */
async function runNode(folder: string, file: string, ...args: readonly string[]): Promise<string> {
  // Without the variables of the test runner, such as BASE_URL.
  const env = { PATH: process.env.PATH };
  const { stdout, stderr } = await run(process.execPath, [file, ...args], { cwd: folder, env });
  if (stderr !== '') throw new Error(`${file} complains: ${stderr}`);
  return stdout.trim();
}

/** What `entry-points.mjs` prints in an app that has the packed package, and these versions of what it depends on. */
export async function runBeside(
  tarball: string,
  versions: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heaven-versions-'));
  try {
    const dependencies = { ...versions, 'heaven-pools': `file:${tarball}` };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    await npm(folder, 'install', '--ignore-scripts');
    const own = await readdir(join(folder, 'node_modules/heaven-pools'));
    if (own.includes('node_modules'))
      throw new Error('The package has a copy of its own of what the app has.');
    await cp(fileURLToPath(new URL('app/entry-points.mjs', import.meta.url)), join(folder, 'run.mjs'));
    return await runNode(folder, 'run.mjs');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
