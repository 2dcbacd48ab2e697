import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { limitPerMinute } from '../../src/node/rate-limit.js';
import { connectRedis } from '../../src/node/redis.js';
import { settle, until } from '../support/clock.js';

const PASSWORD = 'a-secret';
const closing: (() => void)[] = [];
// The limiter's time stands still, so that an answer of Redis is never too late by itself.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.useRealTimers();
});

/** The words of the commands in a text of Redis' protocol. */
function* commandsIn(text: string) {
  const lines = text.split('\r\n');
  while (lines.length > 1) {
    const words = Number(lines.shift()?.slice(1));
    yield lines.splice(0, 2 * words).filter((_, index) => index % 2 === 1);
  }
}

/** A stand-in for Redis: it knows what the limiter needs. Silent, it takes connections and never answers. */
async function startRedis() {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const answerTo = ([name = '', ...args]: readonly string[]): string => {
    if (/^eval(sha)?$/i.test(name)) {
      const [, , key = '', points] = args;
      counts.set(key, (counts.get(key) ?? 0) + Number(points));
      return `*2\r\n:${counts.get(key)}\r\n:60000\r\n`;
    }
    return '+OK\r\n';
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (text: string) => {
      if (redis.isSilent) return;
      for (const command of commandsIn(text)) socket.write(answerTo(command));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const say = (reply: string) => {
    for (const socket of sockets) socket.write(`${reply}\r\n`);
  };
  const redis = { isSilent: false, counts, port: (server.address() as AddressInfo).port, stop, say };
  closing.push(stop);
  return redis;
}

/** The limiter of one server, and its log. */
function replica(port: number, most: number) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const counts = connectRedis(`redis://user:${PASSWORD}@127.0.0.1:${port}`, log);
  closing.push(counts.close);
  const fallback = vi.fn();
  const limit = limitPerMinute(most, { ...counts, onFallback: fallback });
  const client = counts.client as { readonly isReady: boolean };
  const ask = async (clientAddress: string) =>
    (await limit({ header: () => undefined, path: '/', clientAddress })) === undefined;
  /** It is connected, or connects again. */
  const isReady = () =>
    until(() => {
      if (!client.isReady) vi.advanceTimersToNextTimer();
      return client.isReady;
    });
  return { ask, lines, client, isReady, fallback };
}

/** How long an answer is waited for, in the limiter's time. */
async function timed<T>(answer: Promise<T>) {
  const began = performance.now();
  return { answer: await settle(answer), ms: performance.now() - began };
}

test('two servers share a count in Redis, whatever form an address has', async () => {
  const { port, counts } = await startRedis();
  const [one, two] = [replica(port, 3), replica(port, 3)];
  await Promise.all([one.isReady(), two.isReady()]);
  const answers = [
    await one.ask('192.0.2.1'),
    await two.ask('::ffff:192.0.2.1'),
    await one.ask('192.0.2.1:80'),
    await two.ask('192.0.2.1'),
    await one.ask('192.0.2.1'),
  ];
  expect(answers).toEqual([true, true, true, false, false]);
  expect(await two.ask('192.0.2.2')).toBe(true);
  expect(await one.ask('2001:db8:1:2::1')).toBe(true);
  expect(Object.fromEntries(counts)).toMatchObject({
    'heaven-pools:caller:192.0.2.2': 1,
    'heaven-pools:caller:2001:db8:1:2': 1,
    'heaven-pools:network:2001,db8,1': 1,
  });
  expect([...one.lines, ...two.lines]).toEqual([]);
  for (const { fallback } of [one, two]) expect(fallback).not.toHaveBeenCalled();
});

test('without Redis a server counts on its own, does not wait, and says so without the URL', async () => {
  const { port, stop } = await startRedis();
  stop();
  const { ask, lines, fallback } = replica(port, 2);
  for (const answer of [true, true, false]) expect(await timed(ask('192.0.2.1'))).toEqual({ answer, ms: 0 });
  expect(lines).toHaveLength(1);
  expect(lines.join()).toContain('"level":40');
  expect(fallback).toHaveBeenCalledTimes(3);
  expect(lines.join()).not.toMatch(new RegExp(`${PASSWORD}|redis://|${port}`));
});

test('when Redis falls silent, requests wait a moment and then not at all, until it is back', async () => {
  const redis = await startRedis();
  const { ask, lines, client, isReady } = replica(redis.port, 2);
  await isReady();
  expect(await ask('192.0.2.1')).toBe(true);
  redis.isSilent = true;
  const { answer, ms } = await timed(Promise.all(Array.from({ length: 4 }, () => ask('192.0.2.3'))));
  expect(answer).toEqual([true, true, false, false]);
  expect(ms).toBeLessThan(1_000);
  expect(client.isReady).toBe(false);
  expect(await timed(ask('192.0.2.3'))).toEqual({ answer: false, ms: 0 });
  expect(lines).toHaveLength(1);
  redis.isSilent = false;
  await isReady();
  expect([await ask('192.0.2.1'), await ask('192.0.2.1')]).toEqual([true, false]);
});

const UNASKED = ['+OK', '$-1', '*2\r\n:1\r\n:60000', '-ERR no', '_', '>2\r\n+subscribe\r\n_', 'words'];
test.each(UNASKED)(
  'after a reply that nobody asked for, %j, a server counts on its own until Redis is back',
  async (reply) => {
    const redis = await startRedis();
    const { ask, lines, client, isReady } = replica(redis.port, 2);
    await isReady();
    redis.say(reply);
    await until(() => !client.isReady);
    for (const answer of [true, true, false])
      expect(await timed(ask('192.0.2.1'))).toEqual({ answer, ms: 0 });
    expect(lines).toHaveLength(1);
    expect(redis.counts.size).toBe(0);
    await isReady();
    expect([await ask('192.0.2.4'), redis.counts.size]).toEqual([true, 1]);
  },
);

test.each(['+OK', '$-1', ':1', '*0'])('a reply that is no count, %j, does not count', async (reply) => {
  const redis = await startRedis();
  const { ask, isReady } = replica(redis.port, 1);
  await isReady();
  redis.isSilent = true;
  const asking = ask('192.0.2.1');
  redis.say(reply);
  expect(await asking).toBe(true);
  expect(await ask('192.0.2.1')).toBe(false);
});
