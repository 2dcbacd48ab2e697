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
import { open } from './wire.js';

// A server whose log can't be written, one that has more to do than it may keep waiting, and one that stops under load.

let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli();
});
afterEach(() => cli.stop());
afterAll(() => cli?.remove());

const start = (options?: ServeOptions) => serve(cli, { stdio: ['ignore', 'ignore', 'inherit'], ...options });

/** A keep-alive connection that counts what it sends and what is answered in full. */
function keepAlive(port: number) {
  const { socket, opened, ended } = open(port);
  const connection = {
    sent: 0,
    answered: 0,
    /** Whether the server said that this connection ends. */
    isLast: false,
    /** Called after each answer. */
    onAnswer: () => {},
    opened,
    ended,
    /** Sends a whole request. */
    send: (path: string) => {
      connection.sent += 1;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    },
  };
  let text = '';
  socket.setNoDelay(true).on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = text.slice(0, end);
      const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1]);
      if (text.length < end + length) return;
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      text = text.slice(end + length);
      connection.answered += 1;
      connection.isLast ||= /^connection: close\r$/im.test(head);
      connection.onAnswer();
    }
  });
  return connection;
}

/** Sends requests whose lines, of some 160 bytes each, are more than a pipe and 1 MiB of waiting lines hold. All are answered. */
async function fillLog(port: number): Promise<void> {
  const connection = keepAlive(port);
  for (let count = 0; count < 16_000; count++) connection.send('/healthz');
  await eventually(() => connection.answered === 16_000, 60_000);
}

const droppedLines = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^heaven_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

/** Loses lines of its log and no request, and stops when told to. */
async function expectToGoOn({ url, port, stop }: Served): Promise<void> {
  await fillLog(port);
  await eventually(async () => (await droppedLines(url)) > 0);
  const signal = AbortSignal.timeout(5_000);
  const asking = Array.from({ length: 120 }, () => fetch(`${url}/healthz`, { signal }));
  for (const { status } of await Promise.all(asking)) expect(status).toBe(200);
  await stop();
}

describe("a log that can't be written", () => {
  test.runIf(process.platform === 'linux')(
    'on a full disk: all are answered, and lines counted',
    { timeout: 120_000 },
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
  }, 120_000);
});

test('more requests than may wait are told to come back', async () => {
  const { port } = await start({ env: { MAX_WAITING: '3', LOG_LEVEL: 'silent' } });
  // In one packet, so that they arrive together.
  const request = (last = '') => `GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n${last}\r\n`;
  const wire = open(port, request().repeat(9) + request('connection: close\r\n'));
  const answers = (await wire.ended).split(/(?=HTTP\/1\.1 \d)/);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual([
    ...Array(3).fill('200'),
    ...Array(7).fill('503'),
  ]);
  expect(answers[9]).toContain('retry-after: 1\r\n');
  expect(answers[9]).toContain('"code":"overloaded"');
});

test('stopping with 40 busy connections: answers every request sent, and sends nothing after the last answer', async () => {
  const { port, stop } = await start();
  const connections = Array.from({ length: 40 }, () => keepAlive(port));
  await Promise.all(connections.map(({ opened }) => opened));
  for (const [index, connection] of connections.entries()) {
    // Short answers and long ones.
    const path = index % 4 === 0 ? '/openapi.json' : '/healthz';
    connection.onAnswer = () => {
      if (!connection.isLast) connection.send(path);
    };
    connection.send(path);
  }
  await eventually(() => connections.every(({ answered }) => answered >= 5));
  await stop();
  await Promise.all(connections.map(({ ended }) => ended));
  for (const { sent, answered, isLast } of connections) expect([answered, isLast]).toEqual([sent, true]);
});
