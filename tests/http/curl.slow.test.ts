import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { type RunningServer, startServer } from '../../src/node/index.js';
import { createMetrics } from '../../src/node/metrics.js';
import { paths } from '../../src/operations/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';

const SCRIPT = fileURLToPath(new URL('../../examples/http/curl.sh', import.meta.url));

/** The key of an address that ends in 777, found beforehand: nobody's, and for this test alone. */
const key = new Uint8Array(32);
new DataView(key.buffer).setUint32(0, 48_310);
const mintSigner = () => createKeyPairSignerFromPrivateKeyBytes(key);

let server: RunningServer;
beforeAll(async () => {
  const ledger = await createEmbeddedLedger();
  const metrics = createMetrics();
  const handler = createHandler({
    client: createHeavenClient({ rpc: ledger.rpc }),
    ledger,
    mintSigner,
    observe: metrics.request,
    documents: { '/metrics': metrics.document },
  });
  server = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
});
afterAll(() => server.close());

/** The script's exit code, and what it prints. */
const run = (BASE_URL: string) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, BASE_URL };
    const child = execFile('bash', [SCRIPT], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

test('the script calls every path with curl', async () => {
  const { code, stdout, stderr } = await run(server.url);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  const checked = lines.slice(0, -1);
  expect(lines.at(-1)).toBe(`${checked.length} calls checked`);
  for (const line of checked) expect(line).toMatch(/^ok {3}(GET|POST|OPTIONS) \/\S*(: 4\d\d [a-z-]+)?$/);

  const posted = new Set(checked.flatMap((line) => /^ok {3}POST ([^\s:]+)/.exec(line)?.[1] ?? []));
  posted.delete('/quote/everything');
  expect([...posted].sort()).toEqual(Object.values(paths).sort());
  expect(posted.size).toBe(29);
  for (const document of ['/', '/openapi.json', '/healthz', '/readyz', '/metrics'])
    expect(checked).toContain(`ok   GET ${document}`);
});

test('fails at an unexpected answer, and shows it', async () => {
  const body = '{"data":{"classification":"Creator"}}';
  const handler = () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const other = await startServer({ handler, port: 0, hostname: '127.0.0.1' });
  const { code, stdout, stderr } = await run(other.url);
  await other.close();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('FAIL POST /data/pool-info: data.');
  expect(stderr).toContain(body);
});

test('the script is executable', () => accessSync(SCRIPT, constants.X_OK));
