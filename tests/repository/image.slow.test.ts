import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { freePort } from '../node/cli-support.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The instructions of the image: continued lines joined, comments left out. */
const instructions = readFileSync(join(root, 'examples/deploy/Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [name = '', ...words] = line.split(' ');
    return { name, text: words.join(' ') };
  });

type Command = readonly [file: string, ...args: string[]];

/** What Docker is given of the repository. */
const context = new Set(readFileSync(join(root, '.dockerignore'), 'utf8').match(/(?<=^!).+/gm));

/** A stage of the image: its file system in a folder, and what its instructions have set. */
interface Stage {
  readonly folder: string;
  workdir: string;
  env: Record<string, string>;
  command?: Command;
  healthCheck?: Command;
}

const { PATH = '', HOME = '' } = process.env;
const commandIn = (text: string): Command => JSON.parse(text.slice(text.indexOf('[')));

/** Follows the Dockerfile in folders instead of containers, and returns the last stage. */
async function buildImage(temporary: string): Promise<Stage> {
  const stages: Stage[] = [];
  const named = new Map<string, Stage>();
  const last = () => stages.at(-1) as Stage;
  const inStage = ({ folder, workdir }: Stage, path: string) =>
    path.startsWith('/') ? join(folder, path) : join(folder, workdir, path);
  const follow: Readonly<Record<string, (text: string) => unknown>> = {
    FROM: (text) => {
      const stage = { folder: join(temporary, String(stages.length)), workdir: '/', env: { PATH, HOME } };
      stages.push(stage);
      named.set(/ AS (\w+)$/.exec(text)?.[1] ?? text, stage);
    },
    WORKDIR: (text) => {
      last().workdir = text;
      mkdirSync(inStage(last(), '.'), { recursive: true });
    },
    COPY: (text) => {
      const [, name, files = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? [];
      const paths = files.split(' ');
      const target = paths.pop() as string;
      for (const path of paths) {
        if (name === undefined && !context.has(path)) throw new Error(`.dockerignore leaves out ${path}`);
        const source = name === undefined ? join(root, path) : inStage(named.get(name) as Stage, path);
        // The content of a folder, or a file by its name.
        const into =
          statSync(source).isFile() && target.endsWith('/') ? join(target, basename(path)) : target;
        cpSync(source, inStage(last(), into), { recursive: true, verbatimSymlinks: true });
      }
    },
    RUN: (text) => {
      const env = { ...last().env, npm_config_prefer_offline: 'true' };
      return run('sh', ['-c', text], { cwd: inStage(last(), '.'), env });
    },
    ENV: (text) => {
      const added = Object.fromEntries(text.split(' ').map((pair) => pair.split('=')));
      last().env = { ...last().env, ...added };
    },
    CMD: (text) => {
      last().command = commandIn(text);
    },
    HEALTHCHECK: (text) => {
      last().healthCheck = commandIn(text);
    },
    // Only a container has these.
    EXPOSE: () => {},
    USER: () => {},
  };
  for (const { name, text } of instructions) {
    const step = follow[name];
    if (step === undefined) throw new Error(`This test does not follow ${name} ${text}`);
    await step(text);
  }
  return last();
}

let temporary: string;
let server: ChildProcess | undefined;
let image: Stage;
beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'image-'));
  image = await buildImage(temporary);
});
afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
});

test('the image does not start without a node', async () => {
  const { folder, workdir, env, command: [file, ...args] = [''] } = image;
  const ended = run(file, args, { cwd: join(folder, workdir), env });
  await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Set RPC_URL') });
});

test('the image starts, becomes healthy, quotes and stops', async () => {
  const { folder, workdir, command = ['', ''], healthCheck = ['', ''] } = image;
  const PORT = String(await freePort());
  const options = { cwd: join(folder, workdir), env: { ...image.env, PORT, EMBEDDED: '1' } };
  const [file, ...args] = command;
  const child = spawn(file, args, options);
  server = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));

  const [check, ...checkArgs] = healthCheck;
  await expect
    .poll(async () => {
      if (child.exitCode !== null) throw new Error(`It ended:\n${output}`);
      return await run(check, checkArgs, options).then(
        () => 'healthy',
        () => 'not yet',
      );
    })
    .toBe('healthy');
  const response = await fetch(`http://127.0.0.1:${PORT}/quote/buy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      program_id: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o',
      config_version: 2,
      mint: 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777',
      max_sol_spend: 1.5,
      slippage_bps: 50,
    }),
  });
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({ minimum_out: 97_923_235_301_757 }),
  ]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
