import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type BundledCli, bundleCli, eventually, type ServeOptions, serve } from './cli-support.js';

// A server whose log can't be written, one that has more to do than it may keep waiting, and one that stops under load.

let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli();
});
afterEach(() => cli.stop());
afterAll(() => cli?.remove());

const start = (options?: ServeOptions) => serve(cli, { stdio: ['ignore', 'ignore', 'inherit'], ...options });

/** A keep-alive connection that counts what it sends and what is answered in full. */
interface KeptAlive {
  /** Sends a whole request. */
  readonly send: (path: string) => void;
  readonly sent: () => number;
  readonly answered: () => number;
  /** Whether the server said that this connection ends. */
  readonly isLast: () => boolean;
  /** Called after each answer. */
  onAnswer: () => void;
  readonly opened: Promise<unknown>;
  readonly closed: Promise<unknown>;
}

function keepAlive(port: number): KeptAlive {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const opened = new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A reset shows in what is missing.
  socket.on('error', () => {});
  let [sent, answered, isLast, text] = [0, 0, false, ''];
  const connection: KeptAlive = {
    send: (path) => {
      sent += 1;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    },
    sent: () => sent,
    answered: () => answered,
    isLast: () => isLast,
    onAnswer: () => {},
    opened,
    closed,
  };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = text.slice(0, end);
      const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1]);
      if (text.length < end + length) return;
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      text = text.slice(end + length);
      answered += 1;
      isLast ||= /^connection: close\r$/im.test(head);
      connection.onAnswer();
    }
  });
  return connection;
}

/** Asks so many times, a few at once, and gives how many were answered in time. */
async function ask(url: string, times: number): Promise<number> {
  let answered = 0;
  let asked = 0;
  const work = async () => {
    for (; asked < times; ) {
      asked += 1;
      const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) });
      if (ok) answered += 1;
    }
  };
  await Promise.allSettled([work(), work(), work(), work()]);
  return answered;
}

/** Sends requests whose lines, of some 160 bytes each, are more than a pipe and 1 MiB of waiting lines hold. All are answered. */
async function fillLog(port: number): Promise<void> {
  const connection = keepAlive(port);
  for (let count = 0; count < 16_000; count++) connection.send('/healthz');
  await eventually(() => connection.answered() === 16_000, 60_000);
}

const droppedLines = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^heaven_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

describe("a log that can't be written", () => {
  test.runIf(process.platform === 'linux')(
    'on a full disk: all are answered, and lines counted',
    { timeout: 120_000 },
    async () => {
      const full = openSync('/dev/full', 'w');
      const { url, port, child, exit } = await start({ stdio: ['ignore', full, 'inherit'] });
      closeSync(full);
      await fillLog(port);
      await eventually(async () => (await droppedLines(url)) > 0);
      expect(await ask(url, 120)).toBe(120);
      child.kill('SIGTERM');
      expect(await exit).toEqual({ code: 0, signal: null });
    },
  );

  test('to a pipe that nobody reads: keeps a bounded number of lines, and stops when told to', async () => {
    const { url, port, child, exit } = await start({ stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.pause();
    await fillLog(port);
    await eventually(async () => (await droppedLines(url)) > 0);
    expect(await ask(url, 40)).toBe(40);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
  }, 120_000);
});

test('more requests than may wait are told to come back', async () => {
  const { port } = await start({ env: { MAX_WAITING: '3', LOG_LEVEL: 'silent' } });
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  // In one packet, so that they arrive together.
  const request = (last = '') => `GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n${last}\r\n`;
  socket.write(request().repeat(9) + request('connection: close\r\n'));
  let text = '';
  for await (const piece of socket) text += piece;
  const answers = text.split(/(?=HTTP\/1\.1 \d)/);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual([
    ...Array(3).fill('200'),
    ...Array(7).fill('503'),
  ]);
  expect(answers[9]).toContain('retry-after: 1\r\n');
  expect(answers[9]).toContain('"code":"overloaded"');
});

test('stopping with 40 busy connections: answers every request sent, and sends nothing after the last answer', async () => {
  const { port, child, exit } = await start();
  const connections = Array.from({ length: 40 }, () => keepAlive(port));
  await Promise.all(connections.map(({ opened }) => opened));
  for (const [index, connection] of connections.entries()) {
    // Short answers and long ones.
    const path = index % 4 === 0 ? '/openapi.json' : '/healthz';
    connection.onAnswer = () => {
      if (!connection.isLast()) connection.send(path);
    };
    connection.send(path);
  }
  await eventually(() => connections.every(({ answered }) => answered() >= 5));
  child.kill('SIGTERM');
  expect(await exit).toEqual({ code: 0, signal: null });
  await Promise.all(connections.map(({ closed }) => closed));
  for (const { sent, answered } of connections) expect(answered()).toBe(sent());
  expect(connections.filter(({ isLast }) => !isLast())).toEqual([]);
});
