import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { parse, stringify } from 'lossless-json';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { createExamples } from '../../scripts/examples.js';
import { paths } from '../../src/operations/index.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type BundledCli, bundleCli, eventually, freePort, type ServeOptions, serve } from './cli-support.js';

// `heaven-pools serve` in a process of its own. How options are read is in options.test.ts.

const SECRET = 'S3CR3T-K3Y';
const OTHER_PROGRAM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';

let cli: BundledCli;
let ledger: EmbeddedLedger;
beforeAll(async () => {
  cli = await bundleCli();
  ledger = await createEmbeddedLedger();
});
const nodes = new Set<{ stop(): Promise<void> }>();
afterEach(async () => {
  cli.stop();
  await Promise.all([...nodes].map((node) => node.stop()));
});
afterAll(() => cli?.remove());

const start = (args: readonly string[] = [], env: ServeOptions['env'] = {}) => serve(cli, { args, env });

type Headers = Readonly<Record<string, string>>;
const JSON_TYPE = { 'content-type': 'application/json' };
const poolState = (programId: string = HEAVEN_PROGRAM_ADDRESS) =>
  JSON.stringify({ program_id: programId, mint: ledger.pools.creator.mint });
const send = async (url: string, init: RequestInit) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const post = (url: string, path: string, body: string, headers: Headers = {}) =>
  send(url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
const get = (url: string, path: string, headers: Headers = {}) => send(url + path, { headers });
const codeOf = (text: string) => (JSON.parse(text) as { error: { code: string } }).error.code;
/** Whether it takes no connections. */
const isClosed = async (url: string) => (await get(url, '/healthz').catch(() => undefined)) === undefined;

interface Payload {
  readonly method: string;
  readonly params: readonly unknown[];
}
interface Answer {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: Headers;
  readonly body: string;
}

/** An RPC node on a port of this machine, over the ledger. */
async function startNode() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    // A redirection arrives without one.
    if (text === '') return void response.writeHead(400).end();
    const payload = parse(text, null, BigInt as never) as Payload;
    node.payloads.push(payload);
    const body = async () => stringify(await ledger.transport({ payload } as never)) ?? '';
    const answer = (await node.instead()) ?? { body: await body() };
    const headers = { ...JSON_TYPE, ...answer.headers };
    response.writeHead(answer.status ?? 200, answer.statusText, headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const node = {
    port,
    url: `http://127.0.0.1:${port}`,
    payloads: [] as Payload[],
    /** What it does before it answers, or in place of that. */
    instead: async (): Promise<Answer | undefined> => undefined,
    stop: async () => {
      nodes.delete(node);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  nodes.add(node);
  return node;
}

const never = () => new Promise<never>(() => {});

describe('options', () => {
  test.each([
    ['--port', 'PORT'],
    ['--metrics-port', 'METRICS_PORT'],
  ])('a %s in use: says so, names it and %s, and ends', async (flag, variable) => {
    const { port } = await startNode();
    const ports = { '--port': '0', [flag]: String(port) };
    expect(await cli.run(['serve', ...Object.entries(ports).flat()], { env: { MINTS: '0' } })).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `heaven-pools could not start: Port ${port} is in use. Stop the program that uses it, or choose another with ${flag} (${variable}).\n`,
    });
  });

  test('each does what it says', async () => {
    const node = await startNode();
    const { url } = await start([], {
      RPC_URL: node.url,
      PROGRAM_IDS: `${HEAVEN_PROGRAM_ADDRESS}, ${OTHER_PROGRAM}`,
      COMMITMENT: 'processed',
      CACHE_MS: '60000',
      MAX_BODY_BYTES: '2000',
      CORS_ORIGINS: 'none',
    });
    const first = await post(url, '/data/pool-state', poolState(), { origin: 'https://app.example' });
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect(node.payloads).toMatchObject([
      { method: 'getMultipleAccounts', params: [expect.anything(), { commitment: 'processed' }] },
    ]);
    // From memory.
    expect((await post(url, '/data/pool-state', poolState())).text).toBe(first.text);
    expect(node.payloads.length).toBe(1);
    // The other program is served, though this network doesn't have it; a third one is not.
    const other = await post(url, '/data/pool-state', poolState(OTHER_PROGRAM));
    expect([other.status, codeOf(other.text)]).toEqual([404, 'account-not-found']);
    const third = await post(url, '/data/pool-state', poolState('11111111111111111111111111111112'));
    expect([third.status, codeOf(third.text)]).toEqual([422, 'unknown-program-id']);
    expect((await post(url, '/data/pool-state', ' '.repeat(2_001))).status).toBe(413);
    // The embedded ledger is a node at /rpc and says what it is; before a real one there is none.
    expect(first.headers.get('x-heaven-ledger')).toBe(null);
    expect((await post(url, '/rpc', '{"jsonrpc":"2.0","id":1,"method":"getHealth"}')).status).toBe(404);
    const { pool } = ledger.pools.pro;
    const body = JSON.stringify({ program_id: HEAVEN_PROGRAM_ADDRESS, pool });
    const hasty = await start([], { RPC_URL: node.url, RPC_TIMEOUT_MS: '1000' });
    node.instead = async () => ({ status: 429, headers: { 'retry-after': '7' }, body: '' });
    const limited = await post(hasty.url, '/data/pool-state', body);
    expect([limited.status, codeOf(limited.text)]).toEqual([502, 'rpc-rate-limited']);
    expect(limited.headers.get('retry-after')).toBe('7');
    const { text: metrics } = await get(hasty.url, '/metrics');
    const labels = `node="0",host="127.0.0.1:${node.port}"`;
    expect(metrics).toContain(`_node_failures_total{${labels},method="getMultipleAccounts"} 1\n`);
    expect(metrics).toMatch(new RegExp(`_node_cooldown_seconds\\{${labels}\\} [1-7]`));
    // This request.
    expect(metrics).toContain('\nheaven_http_requests_in_work 1\n');
    node.instead = never;
    const slow = await post(hasty.url, '/data/pool-state', body);
    expect([slow.status, codeOf(slow.text)]).toEqual([504, 'rpc-timeout']);
    expect(slow.text).toContain('within 1000 ms');
  });

  test('METRICS_PORT moves the metrics to a port of their own', async () => {
    const port = await freePort();
    const { url, stop } = await start([], { METRICS_PORT: String(port) });
    await post(url, '/data/pool-state', poolState());
    expect((await get(url, '/metrics')).status).toBe(404);
    const { text } = await get(`http://127.0.0.1:${port}`, '/metrics');
    expect(text).toContain('\nheaven_http_requests_total{path="/data/pool-state",status="200"} 1\n');
    await stop();
    expect(await isClosed(`http://127.0.0.1:${port}`)).toBe(true);
  });

  test('RATE_LIMIT counts callers behind trusted proxies, and no probes', async () => {
    const { url, logs } = await start([], { RATE_LIMIT: '2', TRUSTED_PROXIES: '1' });
    const ask = (forwarded: string, path = '/data/pool-state') =>
      post(url, path, poolState(), { 'x-forwarded-for': forwarded });
    expect([(await ask('192.0.2.1')).status, (await ask('192.0.2.1')).status]).toEqual([200, 200]);
    const refused = await ask('192.0.2.1');
    expect([refused.status, codeOf(refused.text)]).toEqual([429, 'rate-limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // Another name in front helps nobody, and others are served.
    expect((await ask('198.51.100.9, 192.0.2.1')).status).toBe(429);
    expect((await ask('192.0.2.1', '/rpc')).status).toBe(429);
    expect((await ask('192.0.2.2')).status).toBe(200);
    for (const path of ['/healthz', '/readyz'])
      expect((await get(url, path, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
    const noted = await eventually(() => logs().find(({ status }) => status === 429));
    expect(noted).toMatchObject({ level: 30, code: 'rate-limited', clientAddress: '192.0.2.1' });
  });
});

describe('on the embedded ledger', () => {
  test('is a node at /rpc, whose slot follows the time', async () => {
    const { url } = await start([], { MAX_BODY_BYTES: '2000' });
    const slotNow = async () => {
      const { text } = await post(url, '/rpc', '{"jsonrpc":"2.0","id":1,"method":"getSlot"}');
      return Number(JSON.parse(text).result);
    };
    const slot = await slotNow();
    expect(slot).toBeGreaterThanOrEqual(411_354_049);
    await eventually(async () => (await slotNow()) > slot + 1);
    expect((await post(url, '/rpc', `"${'x'.repeat(2_000)}"`)).status).toBe(413);
    expect((await post(url, '/rpc', '{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('prints one screen: where it serves, a quote and a transaction in words, and what to try next', async () => {
    // As a person starts it, without a word about its log.
    const { stdout, stderr, stop } = await start([], { LOG_LEVEL: '' });
    await eventually(() => stdout().endsWith('Ctrl-C stops it.\n'));
    expect(stdout()).toContain('  1.5 SOL buys about 98,415.3 LIGHT, at least 97,923.2.\n');
    const trade = '. Exchange: buy: pay at most 1.5 SOL for at least 97,923.235301757 of LIGHT.\n';
    expect(stdout()).toContain(trade);
    // Neither colours, nor the two requests in the log.
    for (const text of ['\u001b', '"level"']) expect(stdout()).not.toContain(text);
    const [, command = ''] = /^ {2}(curl .*)$/m.exec(stdout()) ?? [];
    const answer = execFileSync('bash', ['-c', `${command} --silent --fail`], { encoding: 'utf8' });
    expect(answer).toContain('"minimum_out":97923235301757,');
    await stop('SIGINT');
    expect(stdout().endsWith('Ctrl-C stops it.\nStopping.\n')).toBe(true);
    expect(stderr()).toBe('');
  });

  test.each(['info', 'error', 'silent'])(
    'says what it serves at the log level %s, and in each answer',
    async (level) => {
      const { url, stdout } = await start(['--host', '0.0.0.0'], { LOG_LEVEL: level, EMBEDDED: '1' });
      await eventually(() => stdout().includes('serves the embedded ledger (sample pools at made-up prices'));
      const { text, headers } = await get(url, '/readyz');
      expect([headers.get('x-heaven-ledger'), JSON.parse(text)]).toEqual([
        'embedded',
        { status: 'ready', ledger: 'embedded' },
      ]);
    },
  );

  test.each([
    ['--host', 'localhost'],
    ['--host', '127.0.0.2'],
    ['--host', '::1'],
    ['--program-ids', OTHER_PROGRAM],
    ['--program-ids', `${OTHER_PROGRAM},${HEAVEN_PROGRAM_ADDRESS}`],
  ])('is served with %s %s without a word', async (...option) => {
    const { code, stdout } = await cli.run(['serve', ...option, '--port', '0'], {
      env: { MINTS: '0' },
      onStdout: (text, child) => text.includes('Ctrl-C') && child.kill('SIGTERM'),
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('serves the embedded ledger')]);
  });

  test('gives each launch a mint of its own, which its thread has found', async () => {
    const { url } = await start([], { MINTS: '1' });
    const path = paths.buildCreateStandardLiquidityPool;
    const [request = ''] = createExamples()[path] ?? [];
    const launches = [await post(url, path, request), await post(url, path, request)];
    const mints = launches.map(({ text }) => (JSON.parse(text) as { readonly mint: string }).mint);
    for (const mint of mints) expect(mint).toMatch(/777$/);
    expect(new Set(mints).size).toBe(2);
  });

  test('its logs are a JSON object in each line, without what a caller may have put there', async () => {
    const { url, stop, logs, stdout } = await start();
    await post(url, '/data/pool-state', poolState(), { 'x-request-id': 'mine-1' });
    await post(url, '/quote/buy', '{', { 'x-request-id': 'mine-2' });
    await get(url, `/nowhere?key=${SECRET}`, { 'x-request-id': 'mine-3' });
    await get(url, '/healthz', { authorization: SECRET, 'x-request-id': `${SECRET} "{}` });
    await stop('SIGINT');
    const requests = logs().filter(({ requestId, path }) => requestId !== undefined && path !== '/healthz');
    expect(requests).toMatchObject([
      { requestId: 'mine-1', method: 'POST', path: '/data/pool-state', status: 200 },
      { requestId: 'mine-2', path: '/quote/buy', status: 400, code: 'malformed-json' },
      { requestId: 'mine-3', method: 'GET', path: 'unknown', status: 404, code: 'unknown-path' },
    ]);
    const measured = { time: expect.any(Number), durationMs: expect.any(Number) };
    for (const request of requests)
      expect(request).toMatchObject({ level: 30, clientAddress: '127.0.0.1', ...measured });
    expect(stdout()).not.toContain(SECRET);
  });

  test('its logs leave addresses out, and have names and ISO times, if told to', async () => {
    const { url, stop, logs } = await start(['--log-names'], { LOG_ADDRESSES: '0' });
    await get(url, '/healthz');
    await stop('SIGINT');
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    for (const line of logs()) {
      expect(line).toMatchObject({ level: expect.stringMatching(/^(info|warn)$/), time: iso });
      expect(line).not.toHaveProperty('clientAddress');
    }
    expect(logs()).toContainEqual(expect.objectContaining({ level: 'info', path: '/healthz' }));
  });
});

describe('stopping', () => {
  /** A server with a request in flight, whose node answers once it is let. */
  const inFlight = async (env: ServeOptions['env'] = {}) => {
    const node = await startNode();
    let open = () => {};
    const opened = new Promise<undefined>((resolve) => {
      open = () => resolve(undefined);
    });
    node.instead = () => opened;
    const served = await start([], { RPC_URL: node.url, ...env });
    const answer = post(served.url, '/data/pool-state', poolState(), { 'x-request-id': 'in-flight' }).catch(
      (error: unknown) => error,
    );
    await eventually(() => node.payloads.length > 0);
    return { served, open, answer };
  };

  test('names scripts of the repository only there', async () => {
    const shown = async (env: ServeOptions['env']) => {
      const { stdout } = await start([], { LOG_LEVEL: 'warn', ...env });
      await eventually(() => stdout().includes('Ctrl-C'));
      return stdout();
    };
    expect(await shown({})).not.toContain('npm ');
    expect(await shown({ npm_package_name: 'heaven-pools' })).toContain('npm run dapp');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s: finishes what is in flight', async (signal) => {
    const { served, open, answer } = await inFlight();
    served.child.kill(signal);
    await eventually(() => isClosed(served.url));
    open();
    const { status, headers } = (await answer) as Awaited<ReturnType<typeof get>>;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await served.exit).toEqual({ code: 0, signal: null });
    // Nothing of the logs is lost.
    expect(served.logs().filter(({ requestId }) => requestId === 'in-flight')).toHaveLength(1);
  });

  test.each(['trace', 'silent'])('leaves a line at the log level %s', async (level) => {
    const { stop, logs } = await start([], { LOG_LEVEL: level });
    await stop();
    expect(logs().filter(({ msg }) => msg === 'stopping')).toHaveLength(1);
  });

  test('a second signal: at once, unless both come from one Ctrl-C', async () => {
    const { served, answer } = await inFlight();
    // At the same time, whatever else the machine does.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) served.child.kill(signal);
    await eventually(() => isClosed(served.url));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(served.child.exitCode).toBeNull();
    served.child.kill('SIGTERM');
    expect(await served.exit).toEqual({ code: 1, signal: null });
    expect(await answer).toBeInstanceOf(Error);
  });

  test('does not wait for requests in flight too long', async () => {
    const { served, answer } = await inFlight({ GRACE_MS: '100' });
    await served.stop();
    expect(await answer).toBeInstanceOf(Error);
  });
});

describe('nodes that fail', () => {
  const UNCACHED = { CACHE_MS: '0', BLOCKHASH_MS: '0' };

  test('asks the next node, and waits for no node that hangs', async () => {
    const [first, second] = [await startNode(), await startNode()];
    first.instead = never;
    const { url, logs } = await start([], {
      ...UNCACHED,
      RPC_URL: `${first.url}/${SECRET}, ${second.url}/?api-key=${SECRET}`,
      RPC_ATTEMPT_MS: '3000',
    });
    expect((await post(url, '/data/pool-state', poolState())).status).toBe(200);
    expect([first.payloads.length, second.payloads.length]).toEqual([1, 1]);
    const noted = await eventually(() => logs().find(({ node }) => node === 0));
    expect(noted).toMatchObject({ level: 40, method: 'getMultipleAccounts' });
    const labels = `node="0",host="${new URL(first.url).host}",method="getMultipleAccounts"`;
    const counted = `heaven_rpc_node_failures_total{${labels}} 1`;
    expect((await get(url, '/metrics')).text).toContain(`\n${counted}\n`);
  });

  test('reveals the key in an RPC URL to nobody, however the node fails', async () => {
    const node = await startNode();
    const RPC_URL = `${node.url}/v2/${SECRET}?api-key=${SECRET}#${SECRET}`;
    const env = { ...UNCACHED, RPC_URL };
    const patient = await start(['--log-level', 'trace'], env);
    const hasty = await start(['--log-level', 'trace'], { ...env, RPC_TIMEOUT_MS: '1000' });
    const both = [patient, hasty];
    const seen: string[] = [];
    const ask = async (status: number, { url } = patient) => {
      const answers = await Promise.all([
        post(url, '/data/pool-state', poolState()),
        get(url, '/readyz'),
        get(url, '/metrics'),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([status, status === 200 ? 200 : 503, 200]);
      for (const { text, headers } of answers) seen.push(text, JSON.stringify([...headers]));
    };
    await ask(200);
    const error = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no ${SECRET}","data":"${SECRET}"},"id":"0"}`;
    const failures: readonly Answer[] = [
      { status: 500, statusText: `no /v2/${SECRET}`, body: `at /v2/${SECRET}` },
      { status: 401, body: `{"message":"invalid api key ${SECRET}"}` },
      { status: 429, headers: { 'retry-after': '2' }, body: SECRET },
      { status: 302, headers: { location: `/v3/${SECRET}` }, body: '' },
      { body: `<html>${SECRET}</html>` },
      { body: error },
    ];
    for (const failure of failures) {
      node.instead = async () => failure;
      // The answer of /readyz is cached.
      await expect.poll(async () => (await get(patient.url, '/readyz')).status).toBe(503);
      await ask(502);
    }
    node.instead = never;
    await ask(504, hasty);
    await node.stop();
    await ask(502);
    for (const { stop } of both) await stop();
    const logged = both.flatMap(({ logs }) => logs()).filter((line) => line.error !== undefined);
    expect(logged.length).toBeGreaterThanOrEqual(8);
    for (const { level, path, code, error: described } of logged) {
      expect([level, path]).toEqual([50, '/data/pool-state']);
      expect(described).toMatchObject({ code, message: expect.any(String) });
      expect(described).not.toHaveProperty('stack');
    }
    for (const { logs, stdout, stderr } of both) {
      for (const text of [...seen, stderr()]) expect(text).not.toContain(SECRET);
      for (const text of [`api-key=${SECRET}`, `/v2/${SECRET}`]) expect(stdout()).not.toContain(text);
      // Where it reads from is said without it.
      expect(logs()[0]?.msg).toContain(`127.0.0.1:${node.port}`);
    }
  });
});
