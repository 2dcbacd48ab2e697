import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// What only a few tests need: in `devDependencies` every clone would get it, and Bun and Deno alone are 200 MB.

const { platform, arch } = process;
const isWindows = platform === 'win32';

/** Packages that npm has put into a folder of their own. */
export interface Installed {
  readonly folder: string;
  remove(): void;
}

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
export const npm = (cwd: string, ...args: readonly string[]) =>
  promisify(execFile)('npm', [...args, ...QUIET], { cwd, maxBuffer: 1 << 26, shell: isWindows });

/**
 * Installs packages, each as `name@version`, in a new folder.
 *
 * @returns why npm can't install them, if so: without a registry the tests that need them are skipped
 */
export async function install(...packages: readonly string[]): Promise<Installed | string> {
  const folder = mkdtempSync(`${tmpdir()}/installed-`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await npm(folder, 'install', '--prefix', folder, '--ignore-scripts', '--prefer-offline', ...packages);
  } catch (error) {
    remove();
    return (error as Error).message.replace(/\s+/g, ' ').slice(0, 300);
  }
  return { folder, remove };
}

/** Puts a package of this repository beside the installed ones. */
export function link(folder: string, name: string): void {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), path, 'junction');
}

/** A program out of an installed package. */
export interface InstalledRuntime {
  /** The file to run. */
  readonly path: string;
  remove(): void;
}

const cpu = arch === 'arm64' ? 'aarch64' : arch;
const libc = platform === 'linux' ? '-glibc' : '';

/** Bun, or why npm can't install it. */
export const installBun = (): Promise<InstalledRuntime | string> =>
  installRuntime(`@oven/bun-${isWindows ? 'windows' : platform}-${cpu}`, '1.4.5', 'bin/bun');

/** Deno, or why npm can't install it. */
export const installDeno = (): Promise<InstalledRuntime | string> =>
  installRuntime(`@deno/${platform}-${arch}${libc}`, '2.9.6', 'deno');

async function installRuntime(name: string, version: string, file: string) {
  const installed = await install(`${name}@${version}`);
  if (typeof installed === 'string') return installed;
  const { folder, remove } = installed;
  return { path: `${folder}/node_modules/${name}/${file}${isWindows ? '.exe' : ''}`, remove };
}
