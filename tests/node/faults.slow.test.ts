import { closeSync, openSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import {
  type BundledCli,
  bundleCli,
  eventually,
  type Served,
  type ServeOptions,
  serve,
} from './cli-support.js';
import { keepAlive, open } from './wire.js';

// A server whose log can't be written, and one that has more to do than it may keep waiting.

let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli();
});
afterEach(() => cli.stop());
afterAll(() => cli?.remove());

const start = (options?: ServeOptions) => serve(cli, { stdio: ['ignore', 'ignore', 'inherit'], ...options });

/** Sends requests whose lines, of some 160 bytes each, are more than a pipe and 1 MiB of waiting lines hold. All are answered. */
async function fillLog(port: number): Promise<void> {
  const connection = keepAlive(port);
  for (let count = 0; count < 16_000; count++) connection.send('/healthz');
  await eventually(() => connection.answered === 16_000);
}

const droppedLines = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^heaven_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

/** Loses lines of its log and no request, and stops when told to. */
async function expectToGoOn({ url, port, stop }: Served): Promise<void> {
  await fillLog(port);
  await eventually(async () => (await droppedLines(url)) > 0);
  const asking = Array.from({ length: 120 }, () => fetch(`${url}/healthz`));
  for (const { status } of await Promise.all(asking)) expect(status).toBe(200);
  await stop();
}

describe("a log that can't be written", () => {
  test.runIf(process.platform === 'linux')(
    'on a full disk: all are answered, and lines counted',
    async () => {
      const full = openSync('/dev/full', 'w');
      const served = await start({ stdio: ['ignore', full, 'inherit'] });
      closeSync(full);
      await expectToGoOn(served);
    },
  );

  test('to a pipe that nobody reads: keeps a bounded number of lines, and stops when told to', async () => {
    const served = await start({ stdio: ['ignore', 'pipe', 'inherit'] });
    served.child.stdout?.pause();
    await expectToGoOn(served);
  });
});

test('more requests than may wait are told to come back', async () => {
  const { port } = await start({ env: { MAX_WAITING: '3', LOG_LEVEL: 'silent' } });
  // As many as a connection may have in work, in one packet, so that they arrive together.
  const request = (last = '') => `GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n${last}\r\n`;
  const wire = open(port, request().repeat(7) + request('connection: close\r\n'));
  const answers = (await wire.ended).split(/(?=HTTP\/1\.1 \d)/);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual([
    ...Array(3).fill('200'),
    ...Array(5).fill('503'),
  ]);
  expect(answers[7]).toContain('retry-after: 1\r\n');
  expect(answers[7]).toContain('"code":"overloaded"');
});
