import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  test('installs in a fresh clone, and once', () => {
    expect(setUp()).toBe(0);
    expect(asked()).toContain('ci ');
    expect(setUp()).toBe(0);
    expect(asked().match(/^ci /gm)).toHaveLength(1);
    writeFileSync(`${clone}/package-lock.json`, '{"changed":true}');
    expect(setUp()).toBe(0);
    expect(asked().match(/^ci /gm)).toHaveLength(2);
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

  test('serves nothing if the build fails', () => {
    writeFileSync(`${clone}/bin/npm`, '#!/bin/sh\nexit 3\n');
    writeFileSync(`${clone}/dist/cli.js`, `console.log('served')`);
    const { status, stdout } = spawnSync(process.execPath, ['scripts/start.mjs'], { cwd: clone, env });
    expect([status, String(stdout)]).toEqual([3, '']);
  });
});
