import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

import { getAddressDecoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createExamples } from '../../scripts/examples.js';
import { paths } from '../../src/operations/index.js';
import { HEAVEN_PROGRAM_ADDRESS as PROGRAM } from '../../src/program/index.js';
import { type BundledCli, bundleCli, serve } from './cli-support.js';
import { open } from './wire.js';

// Callers and a node that mean harm, against `serve` in a process of its own. For a full disk under its log, see
// faults.slow.test.ts.

const examples: Readonly<Record<string, readonly string[]>> = createExamples();
/** How long a caller may take, and how long one may take by default. */
const [TIMEOUT_MS, DEFAULT_MS] = [5_000, 30_000];
let cli: BundledCli;
let url: string;
beforeAll(async () => {
  cli = await bundleCli();
  ({ url } = await serve(cli, { env: { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) } }));
});
afterAll(() => cli?.remove());

const opened = (text: string) => open(Number(new URL(url).port), text);

const post = async (base: string, path: string, body: BodyInit) => {
  const stream = body instanceof ReadableStream ? { duplex: 'half' } : {};
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...stream };
  const response = await fetch(base + path, init as RequestInit);
  return { status: response.status, text: await response.text() };
};
const codeOf = (text: string) => (JSON.parse(text) as { error: { code: string } }).error.code;
const exampleOf = (path: string) => examples[path]?.[0] ?? '';
const quote = () => post(url, paths.quoteBuy, exampleOf(paths.quoteBuy));

const repeat = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const head = (...lines: readonly string[]) =>
  ['POST /quote/buy HTTP/1.1', 'host: x', 'content-type: application/json', ...lines].join('\r\n');

test('512 idle sockets and 192 slow senders: dropped in time, and nobody waits for them', async () => {
  const silent = repeat(256, () => opened(''));
  const kept = repeat(256, () => opened('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'));
  const slow = [
    ...repeat(64, () => opened('POST /quote/buy HTTP/1.1\r\nhost:')),
    ...repeat(64, () => opened(`${head('content-length: 900')}\r\n\r\n{`)),
    ...repeat(64, () => opened(`${head('transfer-encoding: chunked')}\r\n\r\n1\r\n{\r\n`)),
  ];
  await Promise.all([...silent, ...kept, ...slow].map((wire) => wire.opened));
  const trickle = setInterval(() => {
    // Spaces where a header or a body goes on, and a whole chunk of one.
    for (const [index, { socket }] of slow.entries())
      if (!socket.destroyed) socket.write(index < 128 ? ' ' : '1\r\n \r\n');
  }, 100);
  const started = performance.now();
  const held = [...silent, ...slow];
  let dropped = 0;
  const over = Promise.all(
    held.map(async ({ ended }) => {
      const text = await ended;
      dropped += 1;
      return text;
    }),
  );
  let answered = 0;
  while (dropped < held.length) {
    expect((await quote()).status).toBe(200);
    if (dropped === 0) answered += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  clearInterval(trickle);
  for (const text of await over) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
  expect(performance.now() - started).toBeLessThan(DEFAULT_MS);
  // Answered while all of them were held.
  expect(answered).toBeGreaterThan(0);
  // Who has asked something may ask again on the same connection.
  for (const { socket } of kept) socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  const answers = () => kept.map(({ received }) => received().split('HTTP/1.1 200 ').length - 1);
  await expect.poll(answers).toEqual(repeat(256, () => 2));
});

describe('bodies', () => {
  const spaces = ' '.repeat(10 << 20);
  const lists = (count: number) => '['.repeat(count) + ']'.repeat(count);

  test.each<[string, () => BodyInit, number, string]>([
    ['10 MB', () => spaces, 413, 'body-too-large'],
    ['10 MB in chunks', () => new Blob([spaces]).stream(), 413, 'body-too-large'],
    ['30,000 lists in each other', () => lists(30_000), 413, 'body-too-large'],
    ['8,000 lists in each other', () => lists(8_000), 400, 'malformed-json'],
  ])('%s', async (_, body, status, code) => {
    const answer = await post(url, paths.quoteBuy, body());
    expect([answer.status, codeOf(answer.text)]).toEqual([status, code]);
    expect((await quote()).status).toBe(200);
  });

  test('leave the process its memory', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(metrics) ?? [];
    expect(Number(bytes)).toBeLessThan(400e6);
    expect(metrics).not.toMatch(/^heaven_http_requests_total\{.*status="5\d\d"\}/m);
  });
});

test('512 callers before a node that never answers: 504 in time, and the server stays alive', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const env = { RPC_URL: `http://127.0.0.1:${port}`, RPC_TIMEOUT_MS: '1000' };
  const { url: base } = await serve(cli, { env });
  // Each for a pool of its own.
  const asking = () => {
    const mint = getAddressDecoder().decode(randomBytes(32));
    return post(base, paths.getPoolState, JSON.stringify({ program_id: PROGRAM, mint }));
  };
  const waiting = Promise.all(repeat(512, asking));
  expect(await (await fetch(`${base}/healthz`)).text()).toBe('{"status":"ok"}');
  const ready = await fetch(`${base}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, '{"status":"not-ready","code":"rpc-timeout"}']);
  for (const { status, text } of await waiting) {
    expect([status, codeOf(text)]).toEqual([504, 'rpc-timeout']);
    expect(text).toContain('within 1000 ms');
  }
});
