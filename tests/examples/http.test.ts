import { expect, test } from 'vitest';

import { createClient } from '../../src/index.js';
import { createHandler, startServer } from '../../src/node/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { hasControlCodes, runExample } from './run.js';

// LIGHT: 1.5 SOL less 50 and 100 basis points buy so many units, and 50 basis points of slippage are allowed.
const OUT = (103_927_583_151_068_173n * 1_477_500_000n) / (1_558_777_720_473n + 1_477_500_000n);
const MINIMUM = (OUT * 9_950n) / 10_000n;

test('it starts a server, and quotes, builds and reads with every digit', async () => {
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

test('it calls a server that is there, and sends every digit back', async () => {
  const { rpc } = await createEmbeddedLedger();
  const handler = createHandler({ client: createClient({ rpc }) });
  const bodies: string[] = [];
  const server = await startServer({
    handler: {
      endpoint: async (request, ...more) => {
        const answer = await handler.endpoint(request, ...more);
        bodies.push(`${request.path}`);
        return answer;
      },
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

test('a service that is down is a line, and no stack trace', async () => {
  const env = { BASE_URL: 'http://127.0.0.1:1' };
  expect(await runExample('http/fetch.mjs', [], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The service can not be reached.\n',
  });
});

test('what is no service of ours is told apart', async () => {
  const endpoint = async () => ({
    status: 503,
    headers: { 'content-type': 'text/html' },
    body: '<p>later</p>',
  });
  const server = await startServer({ handler: { endpoint }, port: 0, hostname: '127.0.0.1' });
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

test('--help, and what is none of its arguments', async () => {
  const help = await runExample('http/fetch.mjs', ['--help']);
  expect(help.code).toBe(0);
  expect(help.stdout).toMatch(/^Usage: \[BASE_URL=http:\/\/host:port\] node examples\/http\/fetch\.mjs\n/);
  expect(await runExample('http/fetch.mjs', ['--foo'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Unknown argument --foo. Try --help.\n',
  });
  expect((await runExample('http/fetch.mjs', [], { env: { BASE_URL: 'here' } })).stderr).toBe(
    'BASE_URL is no URL. Try --help.\n',
  );
});
