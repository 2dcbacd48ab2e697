import type { ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

import { createKeyPairSignerFromBytes, getAddressEncoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Progress } from '../../src/node/commands/grind.js';
import { type BundledCli, bundleCli } from './cli-support.js';

/** So long that it is never found by chance. */
const HOPELESS = '7777777';

let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli();
});
afterAll(() => cli?.remove());

let folders = 0;
/** A new folder to write in. */
function emptyFolder(): string {
  const folder = `${cli.folder}/${++folders}`;
  mkdirSync(folder);
  return folder;
}

const bytesIn = (text: string) => Uint8Array.from(JSON.parse(text) as number[]);

describe('grind', () => {
  test('prints the address, and writes its key where only the user can read it', async () => {
    const cwd = emptyFolder();
    const { code, stdout, stderr } = await cli.run(['grind', '--suffix', '7', '--out', 'mint.json'], { cwd });
    expect(code).toBe(0);
    const address = stdout.trimEnd();
    expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{31,43}7$/);
    const title = /^Searching for an address that ends in 7 on \d+ threads?: 58 tries on average\.\n/;
    expect(stderr).toMatch(title);
    expect(stderr).toMatch(/\nIts key is in mint\.json\. .*\n$/);
    expect(statSync(`${cwd}/mint.json`).mode & 0o777).toBe(0o600);
    expect(readdirSync(cwd)).toEqual(['mint.json']);
    const text = readFileSync(`${cwd}/mint.json`, 'utf8');
    expect(stderr).not.toContain(text.trim());
    // As other tools read it.
    const bytes = bytesIn(text);
    expect(bytes.length).toBe(64);
    expect((await createKeyPairSignerFromBytes(bytes)).address).toBe(address);
    expect(bytes.subarray(32)).toEqual(Uint8Array.from(getAddressEncoder().encode(address as never)));
  });

  test('keeps an existing file, and the target of a link', async () => {
    const cwd = emptyFolder();
    writeFileSync(`${cwd}/mint.json`, 'precious');
    symlinkSync('elsewhere.json', `${cwd}/link.json`);
    for (const name of ['mint.json', 'link.json']) {
      // Told before the search, which would never end.
      const ended = await cli.run(['grind', '--suffix', HOPELESS, '--out', name], { cwd });
      const stderr = `error (file-exists): ${name} already exists and was not changed. Name another file.\n`;
      expect(ended).toEqual({ code: 1, signal: null, stdout: '', stderr });
    }
    expect(readFileSync(`${cwd}/mint.json`, 'utf8')).toBe('precious');
    expect(existsSync(`${cwd}/elsewhere.json`)).toBe(false);
  });

  test.each([
    [['--suffix', '0'], 'invalid-input', '--suffix must be up to 7 base58 characters'],
    [['--suffix', '77777777'], 'invalid-input', '--suffix must be up to 7 base58 characters'],
    [['--out', 'missing/mint.json'], 'unwritable-file', "missing/mint.json can't be written: ENOENT"],
  ])('%j: exits with 1 before any search', async (args, code, told) => {
    const text = await cli.run(['grind', ...args]);
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toContain(`error (${code}): ${told}`);
    expect(text.stderr).not.toContain('Searching');
    const json = await cli.run(['grind', ...args, '--json']);
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout).error.code).toBe(code);
  });

  test('Ctrl-C stops it: 130, with no file and no noise, and progress before in lines', async () => {
    const cwd = emptyFolder();
    const onStderr = (stderr: string, child: ChildProcess) => {
      if (stderr.includes(' tried, ') && !child.killed) child.kill('SIGINT');
    };
    const args = ['grind', '--suffix', HOPELESS, '--out', 'mint.json'];
    const ended = await cli.run(args, { cwd, onStderr });
    expect(ended).toMatchObject({ code: 130, signal: null, stdout: '' });
    const lines = ended.stderr.trimEnd().split('\n');
    expect(lines[1]).toMatch(/^[\d,]+ tried, [\d,]+ a second, [\d,]+ min left on average$/);
    expect(lines.at(-1)).toMatch(/^Stopped: [\d,]+ addresses tried\.$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(ended.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test('progress shows the tries, the speed and the time left', () => {
  const progress = new Progress('777', 2);
  const title = 'Searching for an address that ends in 777 on 2 threads: 195,112 tries on average.';
  expect(progress.title).toBe(title);
  expect(progress.add(1_000, 100)).toBeUndefined();
  // 10000 in a second: 195112 / 10000 = 19.5 s.
  expect(progress.add(9_000, 1_000)).toBe('10,000 tried, 10,000 a second, 0.33 min left on average');
  expect(progress.add(5_000, 1_500)).toBeUndefined();
  expect(progress.add(180_112, 19_511)).toMatch(/^195,112 tried, /);
  expect(progress.attempts).toBe(195_112);
});
