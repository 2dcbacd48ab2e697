import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createHeavenClient } from '../../src/index.js';
import { createHandler, startServer } from '../../src/node/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { type BundledCli, bundleCli } from '../node/cli-support.js';
import { hasControlCodes, runExample } from './run.js';

// LIGHT: 1.5 SOL less 50 and 100 basis points buy so many units, and 50 basis points of slippage are allowed.
const OUT = (103_927_583_151_068_173n * 1_477_500_000n) / (1_558_777_720_473n + 1_477_500_000n);
const MINIMUM = (OUT * 9_950n) / 10_000n;

test('starts a server, and quotes, builds and reads with every digit', async () => {
  const { code, stdout, stderr } = await runExample('http/fetch.mjs');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(hasControlCodes(stdout)).toBe(false);
  expect(stdout).toContain(`1.5 SOL buy at least ${MINIMUM} units: ${Number(MINIMUM) / 1e9} tokens`);
  expect(stdout).toContain(
    'the pool holds 103927583151068173 units; JSON.parse would say 103927583151068180',
  );
  expect(stdout).toContain('refused with 400 invalid-request (slippage_bps)');
  expect(stdout).toMatch(/^refused with 404 pool-not-found \(/m);
  const [, size] = /^the transaction to sign has (\d+) bytes$/m.exec(stdout) ?? [];
  expect(Number(size)).toBeGreaterThan(500);
  expect(stdout).toContain(`built of the parsed quote it has ${size} bytes`);
  expect(stdout).toContain(`the remote client: at least ${MINIMUM} units, ${size} bytes`);
});

test('calls a running server, and sends every digit back', async () => {
  const { rpc } = await createEmbeddedLedger();
  const handler = createHandler({ client: createHeavenClient({ rpc }) });
  const bodies: string[] = [];
  const server = await startServer({
    handler: async (request, caller) => {
      const answer = await handler(request, caller);
      bodies.push(new URL(request.url).pathname);
      return answer;
    },
    port: 0,
    hostname: '127.0.0.1',
  });
  try {
    const { code, stdout } = await runExample('http/fetch.mjs', [], { env: { BASE_URL: `${server.url}/` } });
    expect(code).toBe(0);
    expect(stdout).toContain(`${MINIMUM} units`);
    expect(bodies.filter((path) => path === '/tx/buy')).toHaveLength(3);
  } finally {
    await server.close();
  }
});

test('prints one line without a stack trace if the service is down', async () => {
  const env = { BASE_URL: 'http://127.0.0.1:1' };
  expect(await runExample('http/fetch.mjs', [], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The service can not be reached.\n',
  });
});

test('recognizes a server that is not this service', async () => {
  const handler = () =>
    new Response('<p>later</p>', { status: 503, headers: { 'content-type': 'text/html' } });
  const server = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
  try {
    const { code, stderr } = await runExample('http/fetch.mjs', [], { env: { BASE_URL: server.url } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: '/quote/buy answered 503 without an error of the service.\n',
    });
  } finally {
    await server.close();
  }
});

test('--help, and unknown arguments', async () => {
  const help = await runExample('http/fetch.mjs', ['--help']);
  expect(help.code).toBe(0);
  expect(help.stdout).toMatch(/^Usage: \[BASE_URL=http:\/\/host:port\] node examples\/http\/fetch\.mjs\n/);
  expect(await runExample('http/fetch.mjs', ['--foo'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Unknown argument --foo. Try --help.\n',
  });
  expect((await runExample('http/fetch.mjs', [], { env: { BASE_URL: 'here' } })).stderr).toBe(
    'BASE_URL is not a URL. Try --help.\n',
  );
});

describe('pool-life.sh', () => {
  const script = fileURLToPath(new URL('../../examples/http/pool-life.sh', import.meta.url));
  let cli: BundledCli;
  let url: string;
  beforeAll(async () => {
    cli = await bundleCli();
    url = await new Promise((resolve, reject) => {
      void cli
        .run(['serve', '--port', '0'], {
          env: { MINTS: '0' },
          onStart: ({ stdout }) =>
            stdout?.on('data', (text: string) => {
              const [, served] = / at (http:\S+)\n/.exec(text) ?? [];
              if (served !== undefined) resolve(served);
            }),
        })
        .then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)), reject);
    });
  }, 30_000);
  afterAll(() => cli.remove());

  const run = (baseUrl: string) =>
    promisify(execFile)('bash', [script], { env: { PATH: process.env.PATH ?? '', BASE_URL: baseUrl } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        stdout,
        stderr,
      }),
    );

  test("runs a pro pool's whole life with new keys and curl", { timeout: 180_000 }, async () => {
    const { code, stdout, stderr } = await run(url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const steps = stdout.split('\n').map((line) => line.slice(0, 19).trim());
    expect(steps).toEqual([
      'airdrop',
      'airdrop',
      'buy tokens',
      'create',
      'set fees',
      'add liquidity',
      'buy',
      'sell',
      'claim creator fees',
      'claim LP fees',
      'toggle',
      'toggle',
      'toggle',
      'transfer LP',
      'remove liquidity',
      'fee receiver',
      'done',
      '',
    ]);
    // LIGHT: 5 SOL less 150 basis points of fees.
    const out = (103_927_583_151_068_173n * 4_925_000_000n) / (1_558_777_720_473n + 4_925_000_000n);
    expect(stdout).toContain(`5 SOL for ${out} units`);
    expect(stdout).toContain(`holds ${out / 2n} units and 2000000000 lamports`);
  });

  /** The server behind something that changes its answers. */
  const through = async (change: (asked: string, answer: string) => string) => {
    const server = await startServer({
      handler: async (request) => {
        const body = await request.text();
        const headers = { 'content-type': 'application/json' };
        const { pathname } = new URL(request.url);
        const response = await fetch(`${url}${pathname}`, { method: 'POST', headers, body });
        return new Response(change(body, await response.text()), { status: response.status, headers });
      },
      port: 0,
      hostname: '127.0.0.1',
    });
    try {
      return await run(server.url);
    } finally {
      await server.close();
    }
  };

  test.each([
    [
      'a balance that is not there',
      (asked: string, answer: string) =>
        asked.includes('getBalance') ? answer.replace('20000000000', '1') : answer,
      /^FAIL \S+ did not get its SOL\n$/,
    ],
    [
      'a transaction that failed',
      (asked: string, answer: string) =>
        asked.includes('getSignatureStatuses')
          ? answer.replace('"err":null', '"err":"AccountNotFound"')
          : answer,
      /^FAIL the transaction \S+ failed: /,
    ],
  ])('ends at %s', { timeout: 60_000 }, async (_, change, message) => {
    const { code, stdout, stderr } = await through(change);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('ends if there is no node', { timeout: 60_000 }, async () => {
    const handler = createHandler({
      client: createHeavenClient({ rpc: (await createEmbeddedLedger()).rpc }),
    });
    const server = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
    const { code, stderr } = await run(server.url);
    await server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^FAIL \/rpc answered 404: /);
    expect((await run('http://127.0.0.1:1')).stderr).toContain('FAIL no answer from http://127.0.0.1:1;');
  });

  test('is executable', () => accessSync(script, constants.X_OK));
});
