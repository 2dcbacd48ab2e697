import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../..', import.meta.url));

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A project that has installed the packed package, as a user would. */
export interface Consumer {
  readonly folder: string;
  /** What the package holds, by path. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly packedSize: number;
  readonly unpackedSize: number;
  /** Runs Node on a file of the project and gives what it prints. */
  node(file: string, ...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

const npm = (cwd: string, ...args: readonly string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
  });

/** Builds and packs a copy of the package, so that what lies in `dist` just now has no part in it. */
async function pack(folder: string) {
  const copy = join(folder, 'copy');
  await mkdir(copy);
  const left = new Set(
    ['node_modules', 'dist', '.git', 'bench', 'tests', 'coverage', '.vitepress'].map((name) =>
      join(root, name),
    ),
  );
  await cp(root, copy, {
    recursive: true,
    filter: (path) =>
      !left.has(path.replace(/[\\/]$/, '')) && !/[\\/]node_modules([\\/]|$)/.test(path.slice(root.length)),
  });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  // What lies about in a working copy must not get into the package.
  await mkdir(join(copy, 'examples/http/dist'), { recursive: true });
  await writeFile(join(copy, 'examples/http/dist/built.js'), '');
  await mkdir(join(copy, 'docs/api'), { recursive: true });
  await writeFile(join(copy, 'docs/api/generated.md'), '');
  await writeFile(join(copy, '.env'), 'RPC_URL=https://example.com/key');
  await writeFile(join(copy, 'examples/wallet.key'), '');

  await run(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js'), '--silent'], {
    cwd: copy,
  });
  const { stdout } = await npm(copy, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string; size: number }[] },
  ];
  return packed;
}

/** The locked packages that a user gets along with the package: what it depends on, kit, and what these depend on. */
async function installedAlong(): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Set<string>();
  const locate = (from: string, name: string): string | undefined => {
    for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
      const path = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
      if (packages[path] !== undefined) return path;
      if (base === '') return undefined;
    }
  };
  const visit = (path: string, isRoot: boolean) => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {};
    const needed = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys(dependencies), ...needed]) {
      const at = locate(isRoot ? '' : path, name);
      if (at === undefined || found.has(at)) continue;
      found.add(at);
      visit(at, false);
    }
  };
  visit('', true);
  // One inside another is copied with it.
  return [...found].filter((path) => path.lastIndexOf('node_modules/') === 0);
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
  // npm takes a package anew that lacks the links to its programs.
  for (const name of ['errors', 'pino']) {
    await cp(join(root, 'node_modules/.bin', name), join(project, 'node_modules/.bin', name), {
      verbatimSymlinks: true,
    });
  }
  // An empty cache: nothing of this machine's helps. npm would ask a registry to check peers; `npm ls` checks them without.
  const cache = join(folder, 'cache');
  await npm(project, 'install', '--offline', '--legacy-peer-deps', '--cache', cache);
  await npm(project, 'ls', '--all', '--cache', cache);
  for (const path of ['@types/node', 'undici-types', 'expect-type']) {
    await cp(join(root, 'node_modules', path), join(project, 'node_modules', path), { recursive: true });
  }
  await cp(fileURLToPath(new URL('app', import.meta.url)), project, { recursive: true });
  await cp(join(root, 'tests/types'), join(project, 'types'), { recursive: true });
  return {
    folder: project,
    files: packed.files,
    packedSize: packed.size,
    unpackedSize: packed.unpackedSize,
    node: async (file, ...args) => {
      const { stdout, stderr } = await run(process.execPath, [file, ...args], { cwd: project });
      if (stderr !== '') throw new Error(`${file} complains: ${stderr}`);
      return stdout.trim();
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
