import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

// Bun and Deno are installed for the tests that run them only: in `devDependencies` every clone would get their 200 MB.

/** A program that npm has put into a folder of its own. */
export interface InstalledRuntime {
  /** The file to run. */
  readonly path: string;
  remove(): void;
}

const { platform, arch } = process;
const isWindows = platform === 'win32';
const cpu = arch === 'arm64' ? 'aarch64' : arch;
const libc = platform === 'linux' ? '-glibc' : '';

/** @throws if npm can't install it */
export const installBun = () =>
  install(`@oven/bun-${isWindows ? 'windows' : platform}-${cpu}`, '1.4.5', 'bin/bun');

/** @throws if npm can't install it */
export const installDeno = () => install(`@deno/${platform}-${arch}${libc}`, '2.9.6', 'deno');

async function install(name: string, version: string, file: string): Promise<InstalledRuntime> {
  const folder = mkdtempSync(`${tmpdir()}/runtime-`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const options = ['--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { shell: isWindows });
  } catch (error) {
    remove();
    throw error;
  }
  return { path: `${folder}/node_modules/${name}/${file}${isWindows ? '.exe' : ''}`, remove };
}
