import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIGHT } from '../../tests/mainnet/facts.js';
import { type BundledCli, bundleCli, serve } from '../../tests/node/cli-support.js';
import { hasControlCodes, runExample } from './run.js';

// LIGHT: 1.5 SOL less 50 and 100 basis points buy so many units, and 50 basis points of slippage are allowed.
const OUT = (LIGHT.reserveA * 1_477_500_000n) / (LIGHT.reserveB + 1_477_500_000n);
const MINIMUM = (OUT * 9_950n) / 10_000n;

test('starts a server, and quotes, builds and reads with every digit', async () => {
  const { code, stdout, stderr } = await runExample('http/fetch.mjs');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(hasControlCodes(stdout)).toBe(false);
  expect(stdout).toContain(`1.5 SOL buy at least ${MINIMUM} units: ${Number(MINIMUM) / 1e9} tokens`);
  expect(stdout).toContain(`the pool holds ${LIGHT.reserveA} units; JSON.parse would say 103927583151068180`);
  expect(stdout).toContain('refused with 400 invalid-request (slippage_bps)');
  expect(stdout).toMatch(/^refused with 404 pool-not-found \(/m);
  const [, size] = /^the transaction to sign has (\d+) bytes$/m.exec(stdout) ?? [];
  expect(Number(size)).toBeGreaterThan(500);
  expect(stdout).toContain(`built of the parsed quote it has ${size} bytes`);
  expect(stdout).toContain(`the remote client: at least ${MINIMUM} units, ${size} bytes`);
});

let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli();
});
afterAll(() => cli.remove());

describe('pool-life.sh', () => {
  const script = fileURLToPath(new URL('../http/pool-life.sh', import.meta.url));
  let url: string;
  beforeAll(async () => {
    ({ url } = await serve(cli));
  });

  test("runs a pro pool's whole life with new keys and curl", async () => {
    const env = { PATH: process.env.PATH ?? '', BASE_URL: url };
    const { stdout, stderr } = await promisify(execFile)('bash', [script], { env });
    expect(stderr).toBe('');
    const steps = stdout.split('\n').map((line) => line.slice(0, 19).trim());
    expect(steps.filter((step) => step !== '').length).toBe(17);
    expect(steps.slice(-3, -1)).toEqual(['fee receiver', 'done']);
    // LIGHT: 5 SOL less 150 basis points of fees.
    const out = (LIGHT.reserveA * 4_925_000_000n) / (LIGHT.reserveB + 4_925_000_000n);
    expect(stdout).toContain(`5 SOL for ${out} units`);
    expect(stdout).toContain(`holds ${out / 2n} units and 2000000000 lamports`);
  });
});

describe('a buy in another language', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await serve(cli));
  });

  /** Rust is compiled by hand: its packages come from a registry. */
  const LANGUAGES = {
    Python: { has: ['python3', '-c', 'import cryptography'], run: ['python3', 'trade.py'] },
    Go: { has: ['go', 'version'], run: ['go', 'run', 'go/main.go'] },
  } as const;

  /** The ledger's node behind an address with two machines. Once a transaction is sent, one is late, and the other's statuses are old. */
  async function startTwoMachines() {
    const LATE = 1_000_000_000;
    let [isSent, looks] = [false, 0];
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const { id, method } = JSON.parse(body);
      const headers = { 'content-type': 'application/json' };
      const { result, error } = await (await fetch(`${url}/rpc`, { method: 'POST', headers, body })).json();
      if (method === 'sendTransaction') isSent = true;
      if (isSent && method === 'getEpochInfo')
        Object.assign(result, { absoluteSlot: LATE, blockHeight: LATE });
      if (isSent && method === 'getSignatureStatuses') {
        looks += 1;
        if (looks < 3) result.value = [null];
        else result.context.slot = LATE;
      }
      const answer = isSent && method === 'getBlockHeight' ? LATE : result;
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer, error }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const close = () => server.close();
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, looks: () => looks, close };
  }

  for (const [language, { has, run }] of Object.entries(LANGUAGES)) {
    const isInstalled = spawnSync(has[0], has.slice(1)).status === 0;
    const buy = async (env: Readonly<Record<string, string>> = {}) => {
      const { PATH = '', HOME = '' } = process.env;
      const { stdout } = await promisify(execFile)(run[0], run.slice(1), {
        cwd: fileURLToPath(new URL('../http', import.meta.url)),
        env: { PATH, HOME, BASE_URL: url, ...env },
      });
      expect(stdout).toMatch(/^\w{86,88}: at least \d{14} units for 0\.5 SOL\nlanded\n$/m);
    };
    test.skipIf(!isInstalled)(`lands in ${language}`, () => buy());

    test.skipIf(!isInstalled)(`has not expired in ${language} for a machine that is behind`, async () => {
      const node = await startTwoMachines();
      await buy({ RPC_URL: node.url });
      expect(node.looks()).toBe(3);
      node.close();
    });
  }
});
