import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  createKeyPairFromPrivateKeyBytes,
  getAddressEncoder,
  getAddressFromPublicKey,
} from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type LedgerNode, serveLedger } from '../../tests/support/node.js';
import { runExample } from './run.js';

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

test.each(MAINS)('%s prints one line without a stack trace if the node is down', async (path) => {
  const options = ['--rpc', NOWHERE, ...(path.startsWith('launch') ? [] : ['--mint', MINT])];
  const { code, stderr } = await runExample(path, options);
  expect(code).toBe(1);
  // Accounts and block hash are read at the same time: either may fail first.
  expect(stderr).toMatch(/^(getMultipleAccounts|getLatestBlockhash) failed at .* \(rpc-failed\)\n$/);
});

test.each([
  ['launch/main.ts', ['--send'], '--ws, --keypair, --wallet and --send go with --rpc'],
  ['launch/main.ts', ['--rpc', NOWHERE, '--send'], '--send needs --keypair'],
  // Not what is in the file.
  ['launch/main.ts', ['--rpc', NOWHERE, '--keypair', NO_KEY], '--keypair must be a file with a key'],
  ['pro-pool/main.ts', ['--rpc', NOWHERE, '--mint', MINT, '--send'], '--send needs --trader and --heir'],
])('%s rejects %j', async (path, options, sentence) => {
  const given = options.map((option) => (option === NO_KEY ? join(folder, NO_KEY) : option));
  const { code, stdout, stderr } = await runExample(path, given);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\. Try --help\.\n$/);
  expect(stderr).toContain(sentence);
});

describe('on a cluster', () => {
  let ledger: EmbeddedLedger;
  let node: LedgerNode;
  beforeAll(async () => {
    node = await serveLedger(() => ledger);
  });
  afterAll(() => node?.close());
  beforeEach(async () => {
    ledger = await createEmbeddedLedger();
  });
  const asked = (name: string) => ledger.requests.filter(({ method }) => method === name).length;
  const launch = (path: string, ...more: readonly string[]) =>
    runExample('launch/main.ts', ['--rpc', node.url, '--keypair', path, ...more]);

  /** A key file as solana-keygen writes it, of a wallet with 20 SOL. */
  async function keyFile(name: string): Promise<{ readonly path: string; readonly address: Address }> {
    const seed = randomBytes(32);
    const { publicKey } = await createKeyPairFromPrivateKeyBytes(seed);
    const address = await getAddressFromPublicKey(publicKey);
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify([...seed, ...getAddressEncoder().encode(address)]));
    ledger.setBalance(address, 20_000_000_000n);
    return { path, address };
  }

  test.each([
    [0, []],
    [1, ['--send']],
  ])('the launch is shown and simulated, and sent %i times with %j', async (times, options) => {
    const { path, address } = await keyFile('key.json');
    const { code, stdout, stderr } = await launch(path, ...options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('it would succeed: -1.881253144 SOL');
    expect(asked('simulateTransaction')).toBeGreaterThan(0);
    expect(asked('sendTransaction')).toBe(times);
    expect(ledger.getAccount(address)?.lamports).toBe(20_000_000_000n - BigInt(times) * 1_881_253_144n);
  });

  test("does not send what the wallet can't pay, and exits with 1", async () => {
    const { path, address } = await keyFile('poor.json');
    ledger.setBalance(address, 1_000_000_000n);
    const { code, stdout, stderr } = await launch(path, '--send');
    expect(code).toBe(1);
    expect(stdout).toContain('it would fail: ');
    expect(stderr).toBe('Not sent: the launch would fail.\n');
    expect(asked('sendTransaction')).toBe(0);
  });
});
