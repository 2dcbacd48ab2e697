import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
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
  /** Another file to run. */
  readonly program?: string;
}

/** The command line as one program in a folder of its own. */
export interface BundledCli {
  /** The file to run. */
  readonly path: string;
  readonly folder: string;
  /** What still runs. */
  readonly children: Set<ChildProcess>;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Ends what still runs. */
  stop(): void;
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
  const stop = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  return {
    path,
    folder,
    children,
    stop,
    run: (args, { env = {}, input = '', cwd = folder, onStart, onStderr, program = path } = {}) =>
      new Promise((resolve, reject) => {
        const { PATH = '', HOME = '' } = process.env;
        const child = spawn(process.execPath, [program, ...args], {
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
      stop();
      // A process that was told to stop may still write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Waits for something that comes about by itself. An error counts as not yet. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 20_000,
): Promise<T> {
  for (const deadline = Date.now() + ms; ; ) {
    const found = await Promise.resolve()
      .then(look)
      .catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error('It has not come about.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A port that is free now. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** A server in a process of its own. */
export interface Served {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Each line of its log. */
  readonly logs: () => readonly Readonly<Record<string, unknown>>[];
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface ServeOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdio?: StdioOptions;
}

/** Starts `serve` without mints in store and with all of its log, and waits until it answers. */
export async function serve(
  { path, children }: BundledCli,
  { args = [], env = {}, stdio = ['ignore', 'pipe', 'pipe'] }: ServeOptions = {},
): Promise<Served> {
  const port = await freePort();
  const child = spawn(process.execPath, [path, 'serve', '--port', String(port), ...args], {
    // Nothing of the surroundings: they may set the same variables.
    env: { PATH: process.env.PATH ?? '', MINTS: '0', LOG_LEVEL: 'info', ...env },
    stdio,
  });
  children.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${url}/healthz`).then(({ ok }) => ok));
  return {
    url,
    port,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    logs: () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    exit,
  };
}
