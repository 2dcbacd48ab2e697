import { spawn } from 'node:child_process';
import { connect } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type InstalledRuntime, installBun } from '../support/runtimes.js';
import { type BundledCli, bundleCli } from './cli-support.js';

let cli: BundledCli;
let bun: InstalledRuntime;
beforeAll(async () => {
  cli = await bundleCli();
  bun = await installBun();
}, 300_000);
afterAll(() => {
  cli?.remove();
  bun?.remove();
});

/** Starts `serve` on Bun. */
function serve() {
  const child = spawn(bun.path, [cli.path, 'serve'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0' },
  });
  const printed = { stdout: '', stderr: '' };
  const url = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed.stdout += chunk;
      const [, found] = /Serving at (http:\S+)\. Ctrl-C stops it\.\n/.exec(printed.stdout) ?? [];
      if (found) resolve(found);
    });
  });
  child.stderr.on('data', (chunk) => {
    printed.stderr += chunk;
  });
  const ended = new Promise<object>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, ...printed })),
  );
  return { child, url, ended };
}

test('serves, and SIGTERM ends it after the request in flight', async () => {
  const { child, url, ended } = serve();
  const { host, port } = new URL(await url);
  const shown =
    /^heaven-pools serves the embedded .*\n[\s\S]* 1\.5 SOL buys about [\s\S]* Ctrl-C stops it\.\n$/;
  // fetch keeps its connection, which is then idle.
  expect(await (await fetch(`http://${host}/healthz`)).text()).toBe('{"status":"ok"}');

  const body = JSON.stringify({
    program_id: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o',
    config_version: 2,
    mint: 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777',
    max_sol_spend: 1.5,
    slippage_bps: 50,
  });
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  const answered = new Promise((resolve) => socket.once('close', resolve));
  const head = `POST /quote/buy HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + body.slice(0, 9), () => resolve()));
  // Answered after the half-sent one has arrived.
  await fetch(`http://${host}/healthz`);
  child.kill('SIGTERM');
  await expect.poll(() => fetch(`http://${host}/healthz`).catch(() => 'refused')).toBe('refused');
  socket.write(body.slice(9));
  await answered;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('"minimum_out":97923235301757');
  expect(await ended).toEqual({ code: 0, signal: null, stdout: expect.stringMatching(shown), stderr: '' });
});
