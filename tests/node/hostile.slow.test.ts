import { afterAll, beforeAll, expect, test } from 'vitest';

import { createExamples } from '../../scripts/examples.js';
import { paths } from '../../src/operations.js';
import { type BundledCli, bundleCli, serve } from './cli-support.js';
import { open } from './wire.js';

// Callers that mean harm, against `serve` in a process of its own. For a full disk under its log, see
// faults.slow.test.ts.

const TIMEOUT_MS = 2_000;
let cli: BundledCli;
let url: string;
beforeAll(async () => {
  cli = await bundleCli();
  ({ url } = await serve(cli, { env: { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) } }));
});
afterAll(() => cli?.remove());

const opened = (text: string) => open(Number(new URL(url).port), text);

const post = (body: string) =>
  fetch(url + paths.quoteBuy, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const [example = ''] = createExamples()[paths.quoteBuy] ?? [];
const quote = () => post(example);

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
  let isOver = false;
  const over = Promise.all([...silent, ...slow].map(({ ended }) => ended)).finally(() => {
    isOver = true;
  });
  let slowest = 0;
  while (!isOver && performance.now() - started < 20_000) {
    const asked = performance.now();
    expect((await quote()).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  clearInterval(trickle);
  for (const text of await over) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
  // Connections are looked at once a second.
  expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + 4_000);
  expect(slowest).toBeLessThan(1_000);
  // Who has asked something may ask again on the same connection.
  for (const { socket } of kept) socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  const answers = () => kept.map(({ received }) => received().split('HTTP/1.1 200 ').length - 1);
  await expect.poll(answers).toEqual(repeat(256, () => 2));
});

test('bodies of 10 MB leave the process its memory', async () => {
  for (const { status } of await Promise.all(repeat(20, () => post(' '.repeat(10 << 20)))))
    expect(status).toBe(413);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(metrics) ?? [];
  expect(Number(bytes)).toBeLessThan(400e6);
  expect(metrics).not.toMatch(/^heaven_http_requests_total\{.*status="5\d\d"\}/m);
});
