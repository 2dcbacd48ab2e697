import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Address } from '@solana/kit';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { parseJson, stringifyJson } from '../../src/http/json.js';
import { check } from '../../src/node/commands/check.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

const SECRET = 'S3CR3T-K3Y';
const root = fileURLToPath(new URL('../../', import.meta.url));

let ledger: EmbeddedLedger;
let server: Server;
let url: string;
let isDown = false;
beforeAll(async () => {
  // The embedded ledger as a node on a real port.
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (isDown) {
      response.writeHead(503).end(`${request.url} is down`);
      return;
    }
    const answer = await ledger.transport({ payload: parseJson(body) } as never);
    response.writeHead(200, { 'content-type': 'application/json' }).end(stringifyJson(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  isDown = false;
  ledger = await createEmbeddedLedger();
});

async function run(settings: Parameters<typeof check>[0]) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await check(settings, {
    print: (line) => printed.push(line),
    note: (line) => complained.push(line),
  });
  return { code, printed, complained };
}

describe('the check', () => {
  test('prints a line per assumption and config, and exits with 0 if nothing is refuted', async () => {
    const { code, printed, complained } = await run({ rpc: url });
    expect(code).toBe(0);
    expect(complained).toEqual([]);
    expect(printed[0]).toMatch(/^On the cluster at slot 411354049, program HEAVENoP2/);
    expect(printed.slice(1, 13).map((line) => line.split(' ')[0])).toEqual(
      Array.from({ length: 12 }, (_, index) => `A${index + 1}`),
    );
    expect(printed).toHaveLength(16);
    expect(printed[1]).toBe(
      'A1 the seeds of a pro pool: confirmed: 1 of 1 pro pools are where they are derived',
    );
    expect(printed[7]).toContain('could not tell: no sandwich-resistant pool was traded');
  });

  test('exits with 1 if something is refuted, and prints the right value', async () => {
    ledger.setBehavior({ rules: { priceAccounts: { pro_buy: false } } });
    const { code, printed } = await run({ rpc: url });
    expect(code).toBe(1);
    expect(printed[3]).toMatch(/^A3 .*: REFUTED: .*; it should be: pro_buy does not read the price accounts/);
  });

  test('writes what it found for --deployment, and reads such a file', async () => {
    const folder = mkdtempSync(`${tmpdir()}/check-`);
    const file = `${folder}/deployment.json`;
    ledger.setBehavior({ rules: { priceAccounts: { pro_buy: false } } });
    expect((await run({ rpc: url, write: file })).printed.at(-1)).toBe(
      `Wrote ${file}: use it with --deployment.`,
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      comment: expect.stringMatching(
        /^found on \d{4}-\d\d-\d\d by heaven-pools check on the cluster at slot 411354049$/,
      ),
      rules: { priceAccounts: { pro_buy: false } },
    });
    ledger.setBehavior();
    const again = await run({ rpc: url, deployment: file, json: true });
    expect(JSON.parse(again.printed[0] ?? '').deployment.rules.priceAccounts.pro_buy).toBe(false);
    const unwritable = await run({ rpc: url, write: `${folder}/none/file.json` });
    expect(unwritable).toMatchObject({
      code: 2,
      complained: [`${folder}/none/file.json can't be written: ENOENT.`],
    });
    writeFileSync(file, '{ "rules": { "slotsPerLeader": 9 } }');
    await expect(run({ rpc: url, deployment: file })).rejects.toThrow(
      /--deployment .*slotsPerLeader must be/,
    );
    await expect(run({ rpc: url, deployment: folder })).rejects.toThrow("can't be read");
    await expect(run({ rpc: url, deployment: `${file}x` })).rejects.toThrow("isn't there");
    rmSync(folder, { recursive: true });
  });

  test("exits with 2 if the cluster can't be read, without printing its URL", async () => {
    isDown = true;
    const { code, printed, complained } = await run({ rpc: url });
    expect(code).toBe(2);
    expect(printed).toEqual([]);
    expect(complained).toEqual([
      "The cluster can't be read: The RPC node answered getMultipleAccounts with HTTP 503. Retry, or use another node.",
    ]);
  });

  test('prints one JSON document with --json', async () => {
    const { code, printed } = await run({ rpc: url, json: true });
    expect(code).toBe(0);
    expect(printed).toHaveLength(1);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({
      where: 'cluster',
      slot: 411354049,
      findings: [{ assumption: 'A1', verdict: 'confirmed' }, ...Array(11).fill({})],
      publishedFees: [{ configVersion: 1 }, {}, {}],
      deployment: { programAddress: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o' },
    });
    expect(printed[0]).not.toContain(SECRET);
  });

  test('runs on the embedded ledger without a node, and says so', async () => {
    const { code, printed } = await run({});
    expect(code).toBe(0);
    expect(printed[0]).toMatch(/^On the embedded ledger/);
  });

  test('checks the given program at the given commitment', async () => {
    const programAddress = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as Address;
    ledger = await createEmbeddedLedger({ programAddress });
    const { code, printed } = await run({ rpc: url, programId: programAddress, commitment: 'processed' });
    expect(code).toBe(0);
    expect(printed[0]).toBe(`On the cluster at slot 411354049, program ${programAddress}:`);
    const asked = ledger.requests.flatMap(
      ({ params }) => stringifyJson(params).match(/"commitment":"\w+"/g) ?? [],
    );
    expect(new Set(asked)).toEqual(new Set(['"commitment":"processed"']));
    const other = await run({ programId: programAddress, json: true });
    expect(JSON.parse(other.printed[0] ?? '').deployment).toMatchObject({ programAddress });
  });
});

describe('the program', () => {
  let folder: string;
  beforeAll(async () => {
    mkdirSync(`${root}node_modules/.cache`, { recursive: true });
    folder = mkdtempSync(`${root}node_modules/.cache/check-test-`);
    await build({
      entryPoints: [`${root}src/node/cli.ts`],
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
      outfile: `${folder}/cli.js`,
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (...options: readonly string[]) =>
    new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
      const child = spawn(process.execPath, [`${folder}/cli.js`, 'check', ...options]);
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr.on('data', (chunk) => {
        output += chunk;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output }));
    });

  test('checks a node', async () => {
    const { code, output } = await start('--rpc', url);
    expect(code).toBe(0);
    expect(output).toContain('A4 the fees of a buy are taken from the SOL side: confirmed');
  });

  test("exits with 2, without the URL, if it can't read the node or the URL is invalid", async () => {
    isDown = true;
    const down = await start('--rpc', url);
    expect(down).toMatchObject({ code: 2 });
    expect(down.output).not.toContain(SECRET);
    const none = await start('--rpc', `ftp://node.example/${SECRET}`);
    expect(none.code).toBe(2);
    expect(none.output).toContain('--rpc must be an http: or https: URL');
    expect(none.output).not.toContain(SECRET);
  });
});
