import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { afterEach, expect, test } from 'vitest';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { eventually, freePort } from '../../tests/node/cli-support.js';
import { serveLedger } from '../../tests/support/node.js';
import { serveNotifications } from '../../tests/support/websocket.js';

// One reader and two servers, one of which has no node to fall back on, while everything between them breaks. Each answer is held
// against the quote that the ledger itself gives in the answer's slot.

const FAST_SLOT_MS = 100;
const MAX_AGE_MS = 3_000;
/** `shareReads` caches accounts for 150 ms; the rest is for clocks in whole milliseconds. */
const CACHED_MS = 150 + 5;
const root = fileURLToPath(new URL('../../', import.meta.url));
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function start(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd: root, env: { PATH, HOME, ...env }, stdio: 'ignore' });
  closing.push(() => child.kill('SIGKILL'));
  return child;
}

const startExample = (name: string, env: Record<string, string>) =>
  start(process.execPath, ['--import', 'tsx', `examples/fan-out/${name}.ts`], env);

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.signalCode === null) await once(child, 'exit');
}

/** A ledger that trades in each slot, and the quote in each. */
async function startLedger() {
  const ledger = await createEmbeddedLedger();
  const { pool, mint, configVersion } = ledger.pools.community;
  const body = JSON.stringify({
    program_id: HEAVEN_PROGRAM_ADDRESS,
    config_version: configVersion,
    mint,
    max_sol_spend: 1.5,
    slippage_bps: 50,
  });
  const headers = { 'content-type': 'application/json' };
  const direct = createHandler({ client: createHeavenClient({ rpc: ledger.rpc }) });
  const quotes = new Map<bigint, { readonly text: string; readonly since: number }>();
  async function nextSlot() {
    const since = Date.now();
    ledger.setSlot(ledger.slot + 1n);
    ledger.setReserves(pool, { tokenB: 40_000_000_000n + (ledger.slot % 97n) * 10_000_000n });
    const request = new Request('http://direct/quote/buy', { method: 'POST', headers, body });
    quotes.set(ledger.slot, { text: await (await direct(request)).text(), since });
  }
  let isOver = false;
  const ticking = (async () => {
    for (; !isOver; await pause(FAST_SLOT_MS)) await nextSlot();
  })();
  closing.push(() => {
    isOver = true;
    return ticking;
  });
  const quoteFrom = (url: string) => fetch(`${url}/quote/buy`, { method: 'POST', headers, body });
  return { ledger, quotes, quoteFrom, pool: `${mint}:${configVersion}` };
}

test.skipIf(!hasRedis)(
  'serves no wrong and no old quote while its connections, reader and Redis break (needs redis-server)',
  async () => {
    const { ledger, quotes, quoteFrom, pool } = await startLedger();
    const calls = { reader: 0, server: 0 };
    const nodeOf = async (whose: keyof typeof calls) => {
      const node = await serveLedger(() => {
        calls[whose] += 1;
        return ledger;
      });
      closing.push(() => node.close());
      return node.url;
    };
    const [readersNode, serversNode, socket, redisPort] = await Promise.all([
      nodeOf('reader'),
      nodeOf('server'),
      serveNotifications(ledger),
      freePort(),
    ]);
    closing.push(() => socket.close());
    const REDIS_URL = `redis://127.0.0.1:${redisPort}`;
    const startRedis = () =>
      start('redis-server', ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '']);
    const startReader = () =>
      startExample('reader', { REDIS_URL, RPC_URL: readersNode, WS_URL: socket.url, POOLS: pool });

    const wrong: string[] = [];
    /** Quotes from a server without a pause, and holds each answer against the ledger. */
    async function startServer(name: string, env: Record<string, string>) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      startExample('server', { REDIS_URL, PORT: `${port}`, MAX_AGE_MS: `${MAX_AGE_MS}`, ...env });
      await eventually(() => fetch(`${url}/healthz`).then(({ ok }) => ok));
      const seen = { answers: 0, errors: 0 };
      let [last, isOver] = [0n, false];
      const asking = (async () => {
        for (; !isOver; await pause(5)) {
          const askedAt = Date.now();
          const response = await quoteFrom(url);
          const text = await response.text();
          if (!response.ok) {
            seen.errors += 1;
            if (response.status !== 502 || !/"rpc-(behind|failed)"/.test(text))
              wrong.push(`${name}: ${text}`);
            continue;
          }
          seen.answers += 1;
          const slot = BigInt(/"slot":(\d+)/.exec(text)?.[1] as string);
          const { since } = quotes.get(slot + 1n) ?? { since: Number.POSITIVE_INFINITY };
          const age = askedAt - since;
          if (text !== quotes.get(slot)?.text) wrong.push(`${name}: another quote in slot ${slot}: ${text}`);
          if (slot < last) wrong.push(`${name}: slot ${slot} after ${last}`);
          if (age > MAX_AGE_MS + CACHED_MS) wrong.push(`${name}: slot ${slot} was over for ${age} ms`);
          last = slot;
        }
      })();
      closing.push(() => {
        isOver = true;
        return asking;
      });
      return seen;
    }

    let redis = startRedis();
    let reader = startReader();
    const backed = await startServer('backed', { RPC_URL: serversNode });
    const alone = await startServer('alone', {});

    /** Both answer, and neither asks the node nor fails. */
    const areFedByReader = () =>
      eventually(async () => {
        const before = { calls: calls.server, errors: alone.errors };
        const [first, second] = [backed.answers, alone.answers];
        await pause(1_500);
        return (
          calls.server === before.calls &&
          alone.errors === before.errors &&
          Math.min(backed.answers - first, alone.answers - second) > 2
        );
      });
    /** One gets its accounts from the node, and the other has none. */
    const areOnTheirOwn = () =>
      eventually(async () => {
        const [before, first, second] = [calls.server, backed.answers, alone.answers];
        await pause(1_000);
        return calls.server > before && backed.answers - first > 2 && alone.answers === second;
      });

    await areFedByReader();
    const healthy = { ...calls };

    const admin = await createClient({ url: REDIS_URL }).connect();
    const clients = String(await admin.sendCommand(['CLIENT', 'LIST'])).matchAll(
      /^id=(\d+) .* name=server .*$/gm,
    );
    const killed = [...clients].map(([, id = '']) => admin.sendCommand(['CLIENT', 'KILL', 'ID', id]));
    expect(await Promise.all(killed)).toEqual([1, 1]);
    admin.destroy();
    await areFedByReader();

    socket.drop();
    await areFedByReader();

    await kill(reader);
    await areOnTheirOwn();
    reader = startReader();
    await areFedByReader();

    // What was on its way when they stopped arrives late.
    for (const frozen of [reader, redis]) {
      frozen.kill('SIGSTOP');
      await areOnTheirOwn();
      frozen.kill('SIGCONT');
      await areFedByReader();
    }

    // Each notification arrives, but late: what follows is in order, and old.
    socket.delayMs = 2 * MAX_AGE_MS;
    await pause(2 * socket.delayMs);
    await areOnTheirOwn();
    socket.delayMs = 0;
    await areFedByReader();

    await kill(redis);
    await areOnTheirOwn();
    redis = startRedis();
    await areFedByReader();

    expect(wrong).toEqual([]);
    expect(backed.errors).toBe(0);
    expect(calls.reader).toBeGreaterThan(healthy.reader);
  },
);
