import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What comes in on stdin. Default: nothing. */
  readonly input?: string;
  readonly cwd?: string;
  /** Called with the process, and with all of its stderr so far at each piece. */
  readonly onStart?: (child: ChildProcess) => void;
  readonly onStderr?: (stderr: string, child: ChildProcess) => void;
  readonly execArgv?: readonly string[];
  /** Another file to run. */
  readonly program?: string;
}

/** The command line as one program in a folder of its own. */
export interface BundledCli {
  /** The file to run. */
  readonly path: string;
  readonly folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Ends what still runs, and removes the folder. */
  remove(): void;
}

/** @param options.withPackages With the packages in it, a process starts in a third of the time. */
export async function bundleCli({ withPackages = true } = {}): Promise<BundledCli> {
  mkdirSync(`${root}node_modules/.cache`, { recursive: true });
  const folder = mkdtempSync(`${root}node_modules/.cache/cli-test-`);
  await build({
    entryPoints: ['cli', 'mint-worker'].map((name) => `${root}src/node/${name}.ts`),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    ...(withPackages
      ? {
          banner: {
            js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
          },
        }
      : { packages: 'external' }),
    outdir: folder,
    logLevel: 'error',
  });
  const path = `${folder}/cli.js`;
  const children = new Set<ChildProcess>();
  return {
    path,
    folder,
    run: (
      args,
      { env = {}, input = '', cwd = folder, onStart, onStderr, execArgv = [], program = path } = {},
    ) =>
      new Promise((resolve, reject) => {
        const { PATH = '', HOME = '' } = process.env;
        const child = spawn(process.execPath, [...execArgv, program, ...args], {
          cwd,
          env: { PATH, HOME, ...env },
        });
        children.add(child);
        let [stdout, stderr] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          stdout += chunk;
        });
        child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
          stderr += chunk;
          onStderr?.(stderr, child);
        });
        // Who ends before it has read everything is not at fault.
        child.stdin.on('error', () => {});
        child.stdin.end(input);
        child.on('error', reject);
        child.on('close', (code, signal) => {
          children.delete(child);
          resolve({ code, signal, stdout, stderr });
        });
        onStart?.(child);
      }),
    remove: () => {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts `serve` on a free port, without mints in store, and gives its URL. It ends with the bundle. */
export const startServe = (cli: BundledCli, env: Readonly<Record<string, string>> = {}) =>
  new Promise<string>((resolve, reject) => {
    const onStart = ({ stdout }: ChildProcess) =>
      stdout?.on('data', (chunk: string) => {
        const [, url] = /"url":"(http:[^"]+)"/.exec(chunk) ?? [];
        if (url !== undefined) resolve(url);
      });
    cli
      .run(['serve', '--port', '0'], { env: { MINTS: '0', LOG_LEVEL: 'info', ...env }, onStart })
      .then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)), reject);
  });
