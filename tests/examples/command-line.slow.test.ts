import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generateKeyPairSigner, getBase58Encoder, isAddress } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { parseJson, stringifyJson } from '../../src/http/json.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { hasControlCodes, runExample } from './run.js';

const MINT = 'LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777';
const NOWHERE = 'http://127.0.0.1:1';
const NO_KEY = 'no-key.json';
const MAINS = ['bot/main.ts', 'launch/main.ts', 'pro-pool/main.ts'] as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  writeFileSync(join(folder, NO_KEY), '[1,2,3]');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(MAINS)('%s', (path) => {
  test('--help prints the usage, and does nothing else', async () => {
    const { code, stdout, stderr } = await runExample(path, ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npx tsx examples/${path} `));
    for (const option of ['--rpc URL', '--ws URL', '--keypair PATH', '--wallet ADDRESS', '--send', '--help'])
      expect(stdout).toContain(option);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('rejects an unknown option, in a sentence', async () => {
    expect(await runExample(path, ['--foo'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "Unknown option '--foo'. Try --help.\n",
    });
  });

  test('prints one line without a stack trace if the node is down', async () => {
    const options = ['--rpc', NOWHERE, ...(path.startsWith('launch') ? [] : ['--mint', MINT])];
    const { code, stderr } = await runExample(path, options);
    expect(code).toBe(1);
    // Accounts and block hash are read at the same time: either may fail first.
    expect(stderr).toMatch(
      /^(getMultipleAccounts|getLatestBlockhash) failed at the RPC node, or the node could not be reached\. Retry, or use another node\. \(rpc-failed\)\n$/,
    );
  });
});

test.each([
  // What all of them share.
  ['launch/main.ts', ['--send'], '--ws, --keypair, --wallet and --send go with --rpc'],
  ['launch/main.ts', ['--rpc', 'nowhere'], '--rpc must be a URL that begins with http:// or https://'],
  [
    'launch/main.ts',
    ['--rpc', NOWHERE, '--ws', NOWHERE],
    '--ws must be a URL that begins with ws:// or wss://',
  ],
  ['launch/main.ts', ['--rpc', NOWHERE, '--wallet', 'me'], '--wallet must be an address, and me is none'],
  ['launch/main.ts', ['--rpc', NOWHERE, '--send'], '--send needs --keypair'],
  [
    'launch/main.ts',
    ['--rpc', NOWHERE, '--keypair', NO_KEY],
    // Not what is in the file.
    '--keypair must be a file with a key: 64 numbers in JSON, as solana-keygen writes it',
  ],
  // Their own.
  ['bot/main.ts', ['--dip', 'x'], '--dip must be a percentage such as 1.5, and not x'],
  ['bot/main.ts', ['--size', '1e3'], '--size must be SOL, and not 1e3'],
  ['launch/main.ts', ['--percent', '101'], '--percent must be a number under 100, and not 101'],
  ['launch/main.ts', ['--rpc', NOWHERE, '--config', '2'], '--config 2 needs --lut'],
  ['pro-pool/main.ts', ['--sol', '0'], '--sol must be a whole number over 0, and not 0'],
  ['pro-pool/main.ts', ['--rpc', NOWHERE, '--mint', MINT, '--send'], '--send needs --trader and --heir'],
])('%s rejects %j', async (path, options, sentence) => {
  const given = options.map((option) => (option === NO_KEY ? join(folder, NO_KEY) : option));
  const { code, stdout, stderr } = await runExample(path, given);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\. Try --help\.\n$/);
  expect(stderr).toContain(sentence);
});

describe('an input error found by the library', () => {
  test('is printed with its message and code', async () => {
    const { code, stderr } = await runExample('launch/main.ts', ['--symbol', 'MUCHTOOLONG']);
    expect(code).toBe(1);
    expect(stderr).toBe('symbol has 11 bytes, and the metadata program allows 10. (invalid-input)\n');
  });
});

describe('on a cluster', () => {
  let ledger: EmbeddedLedger;
  let url: string;
  const methods: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const payload = parseJson(body) as { readonly method: string };
    methods.push(payload.method);
    const answer = await ledger.transport({ payload } as never);
    response.writeHead(200, { 'content-type': 'application/json' }).end(stringifyJson(answer));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  beforeEach(async () => {
    ledger = await createEmbeddedLedger();
    methods.length = 0;
  });

  /** A key file as solana-keygen writes it, of a wallet with 20 SOL. */
  async function keyFile(name: string): Promise<{ readonly path: string; readonly address: string }> {
    const { privateKey, publicKey } = (await crypto.subtle.generateKey('Ed25519', true, [
      'sign',
      'verify',
    ])) as CryptoKeyPair;
    const seed = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey)).slice(-32);
    const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify([...seed, ...point]));
    const { createKeyPairSignerFromBytes } = await import('@solana/kit');
    const { address } = await createKeyPairSignerFromBytes(Uint8Array.from([...seed, ...point]));
    ledger.setBalance(address, 20_000_000_000n);
    return { path, address };
  }

  test('without --send the launch is shown and simulated, and nothing is sent', async () => {
    const { path } = await keyFile('look.json');
    const { code, stdout, stderr } = await runExample('launch/main.ts', ['--rpc', url, '--keypair', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('it would succeed: -1.881253144 SOL');
    expect(stdout).toContain('Nothing was sent. With --keypair PATH --send it would be.');
    expect(methods).toContain('simulateTransaction');
    expect(methods).not.toContain('sendTransaction');
  });

  test('a wallet without SOL is warned that the launch would fail', async () => {
    const { address } = await generateKeyPairSigner();
    const { code, stdout } = await runExample('launch/main.ts', ['--rpc', url, '--wallet', address]);
    expect(code).toBe(0);
    expect(stdout).toContain('it would fail: The transaction failed: AccountNotFound.');
    expect(methods).not.toContain('sendTransaction');
  });

  test('with --send and a key the launch is sent, once', async () => {
    const { path, address } = await keyFile('send.json');
    const { code, stdout, stderr } = await runExample('launch/main.ts', [
      '--rpc',
      url,
      '--keypair',
      path,
      '--send',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('The pool');
    expect(methods.filter((method) => method === 'sendTransaction')).toHaveLength(1);
    expect(ledger.getAccount(address as never)?.lamports).toBe(20_000_000_000n - 1_881_253_144n);
  });

  test("does not send what the wallet can't pay, and exits with 1", async () => {
    const { path, address } = await keyFile('poor.json');
    ledger.setBalance(address as never, 1_000_000_000n);
    const { code, stdout, stderr } = await runExample('launch/main.ts', [
      '--rpc',
      url,
      '--keypair',
      path,
      '--send',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('it would fail: ');
    expect(stderr).toBe('Not sent: the launch would fail.\n');
    expect(methods).not.toContain('sendTransaction');
  });

  test('the creation of a pro pool is shown', async () => {
    const { pools } = ledger;
    const options = ['--rpc', url, '--mint', pools.creator.mint, '--wallet', pools.creator.creator];
    const { code, stdout } = await runExample('pro-pool/main.ts', [...options, '--tokens', '1000000000']);
    expect(code).toBe(0);
    expect(stdout).toContain('create_pro_liquidity_pool');
    expect(stdout).toContain('it would succeed: -10.');
    expect(hasControlCodes(stdout)).toBe(false);
    // No address in full but in what names one.
    for (const word of stdout.split(/[^1-9A-Za-z]/))
      if (word.length >= 32) expect(isAddress(word)).toBe(false);
    expect(getBase58Encoder().encode(pools.creator.mint)).toHaveLength(32);
    expect(methods).not.toContain('sendTransaction');
  });
});
