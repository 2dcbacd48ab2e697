import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { expect, vi } from 'vitest';

import { HANG_MS } from '../support/hang.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages in CommonJS need it. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What comes in on stdin. Default: nothing. */
  readonly input?: string;
  readonly cwd?: string;
  /** Called with all of its stderr so far at each piece, and with the process. */
  readonly onStderr?: (stderr: string, child: ChildProcess) => void;
  /** The same for its stdout. */
  readonly onStdout?: (stdout: string, child: ChildProcess) => void;
}

/** The command line as one program in a folder of its own. */
export type BundledCli = Awaited<ReturnType<typeof bundleCli>>;

/** What a process has printed so far, and how it ends. Until then it is among the children. */
function follow(child: ChildProcess, children: Set<ChildProcess>) {
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (piece: string) => {
      printed[stream] += piece;
    });
  children.add(child);
  const exit = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    }),
  );
  return { printed, exit };
}

/** @param options.withPackages With the packages in it, a process starts in a third of the time. */
export async function bundleCli({ withPackages = true } = {}) {
  mkdirSync(`${root}node_modules/.cache`, { recursive: true });
  const folder = mkdtempSync(`${root}node_modules/.cache/cli-test-`);
  await build({
    entryPoints: ['cli', 'mint-worker'].map((name) => `${root}src/node/${name}.ts`),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: withPackages ? 'bundle' : 'external',
    banner: { js: withPackages ? REQUIRE : '' },
    outdir: folder,
    logLevel: 'error',
  });
  const path = `${folder}/cli.js`;
  const children = new Set<ChildProcess>();
  const stop = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  return {
    /** The file to run. */
    path,
    folder,
    /** What still runs. */
    children,
    /** Ends what still runs. */
    stop,
    run: async (
      args: readonly string[],
      { env = {}, input = '', cwd = folder, onStderr, onStdout }: RunOptions = {},
    ) => {
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn(process.execPath, [path, ...args], { cwd, env: { PATH, HOME, ...env } });
      const { printed, exit } = follow(child, children);
      child.stderr.on('data', () => onStderr?.(printed.stderr, child));
      child.stdout.on('data', () => onStdout?.(printed.stdout, child));
      // Who ends before it has read everything is not at fault.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      return { ...(await exit), ...printed };
    },
    /** Ends what still runs, and removes the folder. */
    remove: () => {
      stop();
      // A process that was told to stop may still write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

/** Waits for something that comes about by itself. An error counts as not yet. */
export const eventually = <T>(look: Look<T>): Promise<T> => {
  const once = async () => {
    const found = await look();
    if (found === undefined || found === false) throw new Error('It has not come about.');
    return found;
  };
  return vi.waitFor(once, { timeout: HANG_MS, interval: 10 });
};

/** A port that is free now. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** A server in a process of its own. */
export type Served = Awaited<ReturnType<typeof serve>>;

export interface ServeOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdio?: StdioOptions;
}

/** What `serve` gives up on. */
const LIMITS = ['RPC_TIMEOUT_MS', 'RPC_ATTEMPT_MS', 'REQUEST_TIMEOUT_MS', 'GRACE_MS'];
const LONG = Object.fromEntries(LIMITS.map((name) => [name, String(HANG_MS)]));

/** Starts `serve` without mints in store, with all of its log and in no hurry, and waits until it answers. */
export async function serve(
  { path, children }: BundledCli,
  { args = [], env = {}, stdio = ['ignore', 'pipe', 'pipe'] }: ServeOptions = {},
) {
  const port = await freePort();
  const child = spawn(process.execPath, [path, 'serve', '--port', String(port), ...args], {
    // Nothing of the surroundings: they may set the same variables.
    env: { PATH: process.env.PATH ?? '', MINTS: '0', LOG_LEVEL: 'info', ...LONG, ...env },
    stdio,
  });
  const { printed, exit } = follow(child, children);
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${url}/healthz`).then(({ ok }) => ok));
  return {
    url,
    port,
    child,
    exit,
    /** Tells it to stop, and expects that it ends well. */
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      expect(await exit).toEqual({ code: 0, signal: null });
    },
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    /** Each line of its log. */
    logs: (): readonly Readonly<Record<string, unknown>>[] =>
      printed.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
}
