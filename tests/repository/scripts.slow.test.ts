import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import manifest from '../../package.json';
import { findChromium } from '../support/chromium.js';

// Each npm script and each example in a fresh clone, where nothing is installed and nothing is built.

const root = fileURLToPath(new URL('../../', import.meta.url));

let temporary: string;
let clone: string;
let env: NodeJS.ProcessEnv;

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', [...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });

/**
 * The clone is installed once, by the real npm. Later installations only move what is installed back into place: `npm ci`
 * takes half a minute.
 */
const FAKE_NPM = `#!/bin/sh
if [ "$*" = "ci --no-audit --no-fund --loglevel=error" ] && [ -d ../installed ]; then exec mv ../installed node_modules; fi
exec "$REAL_NPM" "$@"
`;

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'scripts-'));
  clone = join(temporary, 'clone');
  const files = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const file of files)
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(clone, file));
  git(clone, 'init', '--quiet');
  git(clone, 'add', '--all');
  mkdirSync(join(temporary, 'bin'));
  writeFileSync(join(temporary, 'bin/npm'), FAKE_NPM);
  chmodSync(join(temporary, 'bin/npm'), 0o755);
  const { PATH = '', HOME, CHROMIUM_PATH, CI } = process.env;
  const REAL_NPM = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  env = {
    ...{ HOME, CHROMIUM_PATH, CI, REAL_NPM, npm_config_prefer_offline: 'true' },
    // Without this repository's own tools, which npm and npx put there.
    PATH: [
      `${temporary}/bin`,
      ...PATH.split(delimiter).filter((folder) => !/node_modules/.test(folder)),
    ].join(delimiter),
  };
  const { code, output } = await start('node', ['scripts/setup.mjs']).ended;
  expect([code, output]).toEqual([0, expect.stringContaining('Installing')]);
}, 300_000);
afterAll(() => rmSync(temporary, { recursive: true, force: true }), 120_000);

/** A program in the clone, with a process group of its own. */
function start(file: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const child = spawn(file, args, { cwd: clone, env: { ...env, ...more }, detached: true });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<{ readonly code: number | null; readonly output: string }>((resolve) =>
    child.once('close', (code) => {
      children.delete(child);
      resolve({ code, output });
    }),
  );
  return { child, output: () => output, ended };
}

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const { pid = 0 } of children) process.kill(-pid, 'SIGKILL');
});

/** Runs it to its end. */
async function run(file: string, args: readonly string[], more?: Readonly<Record<string, string>>) {
  const { code, output } = await start(file, args, more).ended;
  expect(code, output).toBe(0);
  return output;
}

const freePort = () =>
  new Promise<string>((resolve) => {
    const taken = createServer().listen(0, '127.0.0.1', () => {
      const { port } = taken.address() as AddressInfo;
      taken.close(() => resolve(String(port)));
    });
  });

/** Forgets what was built, and puts aside what is installed. */
function forget() {
  const installed = join(temporary, 'installed');
  if (!existsSync(installed)) renameSync(join(clone, 'node_modules'), installed);
  git(clone, 'clean', '--force', '-d', '-x', '--quiet');
}

interface Ending {
  /** Arguments and variables that make it short. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Printed near its end. */
  readonly prints: string;
}

/** Those that run to their end. */
const ENDING: Readonly<Record<string, Ending>> = {
  test: { args: ['tests/math/swap.test.ts'], prints: 'To run everything: npm run test:all' },
  'test:all': { args: ['--project', 'slow', 'tests/node/start.slow.test.ts'], prints: '1 passed' },
  // Of the two projects, the smaller one.
  types: { args: ['--showConfig'], prints: '"compilerOptions"' },
  lint: { prints: 'No fixes applied' },
  format: { prints: 'No fixes applied' },
  idl: { prints: '' },
  openapi: { prints: '' },
  'dapp:build': { prints: 'built in' },
  size: { prints: 'ok   everything' },
  bench: { env: { QUICK: '1' }, prints: '| quoteMany | 10 |' },
  load: { env: { SECONDS: '1', MEMORY_SECONDS: '0' }, prints: '| 512 |' },
};

/** Those that need Chromium. */
const IN_CHROMIUM: typeof ENDING = {
  screenshots: {
    args: ['--exclude', '**/dapp/!(states).*', '-t', 'the browsers of wallets'],
    prints: '1 passed',
  },
  'bench:frames': { env: { SECONDS: '0.1' }, prints: 'all that, crosshair moves' },
};

/** Those that serve until they are stopped, with a text of what they serve. */
const SERVING: Readonly<Record<string, { readonly path: string; readonly serves: string }>> = {
  start: { path: '/healthz', serves: '{"status":"ok"}' },
  dapp: { path: '/', serves: '<title>' },
  'docs:dev': { path: '/', serves: '<title>' },
  'docs:preview': { path: '/', serves: '<title>' },
};

/** Those that another script starts. */
const PARTS: Readonly<Record<string, keyof typeof manifest.scripts>> = {
  build: 'prepack',
  docs: 'predocs:preview',
  'docs:api': 'docs',
};

test('each script is tried here', () => {
  const scripts = Object.keys(manifest.scripts).filter((name) => !/^(?:pre|post)/.test(name));
  expect(scripts.sort()).toEqual(Object.keys({ ...ENDING, ...IN_CHROMIUM, ...SERVING, ...PARTS }).sort());
  for (const [name, other] of Object.entries(PARTS))
    expect(manifest.scripts[other]).toContain(`npm run --silent ${name}`);
});

describe('in a fresh clone', { timeout: 300_000 }, () => {
  beforeEach(forget);

  const runsToItsEnd = async (name: string, { args = [], env: variables, prints }: Ending) => {
    expect(await run('npm', ['run', name, '--', ...args], variables)).toContain(prints);
  };
  test.each(Object.entries(ENDING))('npm run %s', runsToItsEnd);
  test.runIf(findChromium() !== undefined || process.env.CI !== undefined).each(Object.entries(IN_CHROMIUM))(
    'npm run %s',
    runsToItsEnd,
  );

  test.each(Object.entries(SERVING))('npm run %s', async (name, { path, serves }) => {
    const port = await freePort();
    const { child, output, ended } = start('npm', ['run', name, '--', '--port', port]);
    const answer = async () => {
      if (child.exitCode !== null) throw new Error(`It ended:\n${output()}`);
      // `localhost`, as the tools say it, is one of two addresses.
      return await fetch(`http://localhost:${port}${path}`).then(
        (response) => response.text(),
        () => 'nothing yet',
      );
    };
    await expect.poll(answer, { timeout: 280_000, interval: 500 }).toContain(serves);
    process.kill(-(child.pid as number), 'SIGINT');
    await ended;
  });

  const [, ...commands] = readFileSync(join(root, 'examples/README.md'), 'utf8').split(
    /^npx tsx (?=examples)/m,
  );
  test.each(commands.map((text) => text.split('\n')[0] as string))(
    'npx tsx %s, after npm ci',
    async (example) => {
      await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
      expect(await run('npx', ['tsx', example])).not.toBe('');
    },
  );
});
