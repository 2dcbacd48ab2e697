import { afterEach, expect, test } from 'vitest';

import { type RunningServer, startServer } from '../../src/node/index.js';

// How a server starts, and fails to. What it does with connections is in tests/node/server.slow.test.ts.

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close().catch(() => {})));
});

const start = async (config: { readonly port?: number; readonly hostname?: string } = {}) => {
  const server = await startServer({ handler: () => new Response('served'), port: 0, ...config });
  running.push(server);
  return server;
};
const textOf = async (url: string) => await (await fetch(url)).text();

test('listens at the given host, and frees its port when it closes', async () => {
  const first = await start({ hostname: '127.0.0.1' });
  expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
  expect(await textOf(first.url)).toBe('served');
  await first.close();
  await expect(fetch(first.url)).rejects.toThrow();
  const second = await start({ hostname: '127.0.0.1', port: first.port });
  expect(await textOf(second.url)).toBe('served');
});

test('a port in use, an invalid one, and the host of another machine', async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await expect(start({ port: 70_000 })).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
  await expect(start({ hostname: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});

test('leaves the global Request and Response alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  await start();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
