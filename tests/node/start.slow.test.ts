import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A clone with an npm that only notes what it is asked for. */
let clone: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  clone = mkdtempSync(`${tmpdir()}/start-test-`);
  for (const folder of ['bin', 'dist', 'node_modules']) mkdirSync(`${clone}/${folder}`);
  for (const name of ['setup', 'start']) cpSync(`${root}scripts/${name}.mjs`, `${clone}/scripts/${name}.mjs`);
  writeFileSync(`${clone}/package.json`, '{"type":"module"}');
  writeFileSync(`${clone}/package-lock.json`, '{}');
  writeFileSync(`${clone}/bin/npm`, '#!/bin/sh\necho "$@" >> asked\n');
  chmodSync(`${clone}/bin/npm`, 0o755);
  writeFileSync(`${clone}/asked`, '');
  env = { ...process.env, PATH: `${clone}/bin${delimiter}${process.env.PATH}` };
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const asked = () => readFileSync(`${clone}/asked`, 'utf8');

describe('scripts/setup.mjs', () => {
  const setUp = () => spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: clone, env }).status;
  const installedAt = (seconds: number) => {
    writeFileSync(`${clone}/node_modules/.package-lock.json`, '{}');
    utimesSync(`${clone}/node_modules/.package-lock.json`, seconds, seconds);
  };
  const now = () => Date.now() / 1000;

  test('installs in a fresh clone, and once', () => {
    expect(setUp()).toBe(0);
    expect(asked()).toContain('ci ');
    expect(setUp()).toBe(0);
    expect(asked().match(/^ci /gm)).toHaveLength(1);
    writeFileSync(`${clone}/package-lock.json`, '{"changed":true}');
    expect(setUp()).toBe(0);
    expect(asked().match(/^ci /gm)).toHaveLength(2);
  });

  test('not after npm install, unless the lockfile changed since', () => {
    installedAt(now() + 60);
    expect(setUp()).toBe(0);
    expect(asked()).toBe('');
    installedAt(now() - 60);
    expect(setUp()).toBe(0);
    expect(asked()).toContain('ci ');
  });
});

describe('scripts/start.mjs', () => {
  test('builds, and is the server itself: a signal reaches it', async () => {
    writeFileSync(
      `${clone}/dist/cli.js`,
      `process.on('SIGTERM', () => process.exit(7));
      setInterval(() => {}, 1000);
      console.log(process.pid, process.argv.slice(2).join(' '));`,
    );
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    expect(scripts.start).toBe('node scripts/start.mjs');
    const child = spawn(process.execPath, ['scripts/start.mjs', '--port', '0'], { cwd: clone, env });
    const code = new Promise((resolve) => child.once('close', resolve));
    const line = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    expect(line).toBe(`${child.pid} serve --port 0\n`);
    expect(asked()).toBe('run --silent build -- --no-dts\n');
    child.kill('SIGTERM');
    expect(await code).toBe(7);
  });

  test.skipIf(process.platform === 'win32')('stops when the shell before it is gone', async () => {
    writeFileSync(
      `${clone}/dist/cli.js`,
      `process.on('SIGTERM', () => process.exit());
      setInterval(() => {}, 1000);
      console.log('served');`,
    );
    const shell = spawn('sh', ['-c', 'node scripts/start.mjs; true'], { cwd: clone, env });
    // The server has its output, and so the end of that is the server's.
    const ended = new Promise((resolve) => shell.stdout.once('end', resolve));
    await new Promise((resolve) => shell.stdout.once('data', resolve));
    shell.kill('SIGTERM');
    await ended;
  });

  test('serves nothing if the build fails', () => {
    writeFileSync(`${clone}/bin/npm`, '#!/bin/sh\nexit 3\n');
    writeFileSync(`${clone}/dist/cli.js`, `console.log('served')`);
    const { status, stdout } = spawnSync(process.execPath, ['scripts/start.mjs'], { cwd: clone, env });
    expect([status, String(stdout)]).toEqual([3, '']);
  });
});
