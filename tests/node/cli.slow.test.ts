import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { stringifyJson } from '../../src/base/json.js';
import { snakeCaseKeys } from '../../src/http/names.js';
import {
  buildBuy,
  buildCreateStandardLiquidityPool,
  createHeavenClient,
  grindMintAddress,
  type HeavenClient,
  inspectTransaction,
  quoteBuy,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { base64Of } from '../support/bytes.js';
import { launchOf } from '../support/ledger.js';
import { type LedgerNode, serveLedger } from '../support/node.js';
import { type BundledCli, bundleCli, freePort } from './cli-support.js';

const SECRET = 'S3CR3T-K3Y';
/** As wallets export it: 64 bytes in base58. */
const KEY = '5K'.repeat(44);

let cli: BundledCli;
let ledger: EmbeddedLedger;
/** Transactions in base64. The launch takes accounts from a lookup table. */
let buy: string;
let launch: string;
/** The ledger behind HTTP. */
let node: LedgerNode;
/** A node that answers everything with 503 and its own URL. */
let broken: Server;
let brokenUrl: string;
/** Where nothing listens. */
let downUrl: string;

beforeAll(async () => {
  cli = await bundleCli();
  ledger = await createEmbeddedLedger();
  [buy, launch] = await transactions(createHeavenClient({ rpc: ledger.rpc }));
  node = await serveLedger(() => ledger);
  broken = createServer((request, response) => response.writeHead(503).end(`${request.url} is down`));
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  brokenUrl = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/${SECRET}`;
  downUrl = `http://127.0.0.1:${await freePort()}/${SECRET}?api-key=${SECRET}`;
});
afterAll(async () => {
  cli?.remove();
  broken?.close();
  await node?.close();
});

async function transactions(client: HeavenClient): Promise<[buy: string, launch: string]> {
  const { mint, configVersion, creator: payer } = ledger.pools.creator;
  const quoteResponse = await quoteBuy(client, { configVersion, mint, maxSolSpend: '1.5', slippageBps: 50 });
  const bought = await buildBuy(client, { payer, quoteResponse, encodedUserDefinedEventData: '' });
  const launched = await buildCreateStandardLiquidityPool(client, {
    ...launchOf(payer, ledger),
    configVersion: 1,
    mintSigner: await grindMintAddress({ suffix: '' }),
  });
  return [bought.tx, launched.tx];
}

type RunOptions = Parameters<BundledCli['run']>[1];

const run = (args: string, options?: RunOptions) => cli.run(args.split(' '), options);

/** The answer of a command that must be good, and quiet. */
async function answerOf(args: string, options?: RunOptions): Promise<string> {
  const ended = await run(args, options);
  expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(ended.stdout.endsWith('\n')).toBe(true);
  return ended.stdout;
}

describe('the program', () => {
  test('--help lists the commands and the exit codes', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of ['serve', 'grind', 'inspect', 'verify'])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toContain('Exit codes: 0 good; 1 the answer is an error');
  });

  test.each([
    ['serve --host 0.0.0.0', 'RPC_URL', ''],
    ['serve', 'RPC_URL', ' \n'],
    ['serve', 'RATE_LIMIT_REDIS_URL', ''],
    ['verify', 'RPC_URL', ''],
    ['inspect AA==', 'RPC_URL', ' '],
  ])('%s does not start with an empty secret (%s=%j)', async (args, variable, value) => {
    const { code, stdout, stderr } = await run(args, { env: { [variable]: value } });
    expect({ code, stdout }).toEqual({ code: args.startsWith('serve') ? 1 : 2, stdout: '' });
    expect(stderr).toContain(`${variable} is empty. Set it to a URL, or unset it`);
  });

  test.each([
    ['inspct', '(Did you mean inspect?)'],
    ['verify', 'Name a node with --rpc (or RPC_URL)'],
    ['inspect --program-id x AA==', '--program-id must be a base58 address'],
    ['grind --threads 0', 'It must be a whole number from 1 to 256.'],
    ['grind --json --out -', 'drop --out -'],
    // Without the key of a node.
    [`inspect AA== --rpc ftp://node.example/${SECRET}`, '--rpc'],
    [`inspect AA== --rpc https://user:${SECRET}@node.example`, '--rpc'],
    [`verify --rcp=https://node.example/${SECRET}`, '--rcp'],
    [`https://node.example/${SECRET}`, 'https://node.example'],
    [`serve --rcp=https://node.example/${SECRET}`, '--rcp'],
    [`serve --rpc=ftp://node.example/${SECRET}`, '--rpc'],
    [`serve --rate-limit-redis-url=${SECRET}:6379`, '--rate-limit-redis-url'],
    // Without a secret key.
    ...['inspect ', 'grind --out ', 'serve --port=', 'serve --host '].map((args): [string, string] => [
      args + KEY,
      'what may hold a secret key',
    ]),
    ['serve --host 0.0.0.0', 'Set RPC_URL, or --embedded (EMBEDDED=1)'],
    ['serve --host ::', 'Set RPC_URL, or --embedded (EMBEDDED=1)'],
    ['serve --host my-server.example', 'Set RPC_URL, or --embedded (EMBEDDED=1)'],
    ['serve --embedded --rpc=https://node.example', 'leave one of them out'],
    ['serve --rpc=', '--rpc-url (RPC_URL)'],
    ['serve --rpc=,', '--rpc-url (RPC_URL)'],
  ])('wrong usage exits with 2, and 1 of the server: heaven-pools %s', async (args, told) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: args.startsWith('serve') ? 1 : 2, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr).not.toContain(SECRET);
    expect(stderr).not.toContain(KEY);
    expect(stderr).not.toMatch(/\n\s+at |node_modules|undefined/);
  });
});

test.each([
  ['answers with an error', () => brokenUrl, 'answered getMultipleAccounts with HTTP 503'],
  ['is down', () => downUrl, 'did not get through to the RPC node (ECONNREFUSED)'],
])('a node that %s: exits with 1, without its URL', async (_, url, told) => {
  const text = await run(`inspect ${launch} --rpc ${url()}`);
  expect(text).toMatchObject({ code: 1, stdout: '' });
  expect(text.stderr).toMatch(/^error \(rpc-failed\): /);
  expect(text.stderr).toContain(told);
  const json = await run(`inspect ${launch} --json`, { env: { RPC_URL: url() } });
  expect(json).toMatchObject({ code: 1, stderr: '' });
  const details = { method: 'getMultipleAccounts' };
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'rpc-failed', details } });
  expect(text.stderr + json.stdout).not.toContain(SECRET);
});

describe('inspect', () => {
  test('reads it from an argument or stdin, alone, in lines, and as an HTTP answer', async () => {
    const expected = await answerOf(`inspect ${buy}`);
    const { summary } = await inspectTransaction(buy);
    expect(expected.split('\n').slice(0, -1)).toEqual(summary);
    expect(await answerOf('inspect', { input: `${buy.replace(/.{76}/g, '$&\n')}\n` })).toBe(expected);
    expect(await answerOf('inspect', { input: `{"tx":"${buy}"}\n` })).toBe(expected);
  });

  test('--json gives what the function does', async () => {
    const owner = ledger.pools.creator.creator;
    const answer = JSON.parse(await answerOf(`inspect ${buy} --owner ${owner} --json`));
    const { instructions, debits, warnings, fees, summary } = await inspectTransaction(buy, { owner });
    const shown = { debits, warnings, fees, summary };
    expect(answer).toMatchObject(JSON.parse(stringifyJson(snakeCaseKeys(shown))));
    expect(answer.instructions).toHaveLength(instructions.length);
    expect(answer.instructions[6].data).toBe(base64Of(Uint8Array.from(instructions[6]!.data)));
  });

  test("reads lookup tables with --rpc, and says so if it doesn't", async () => {
    const table = ledger.lookupTables.community;
    const blind = await run(`inspect ${launch}`);
    const stderr = 'Nothing was fetched. With --rpc the lookup tables are read.\n';
    expect(blind).toMatchObject({ code: 0, stderr });
    expect(blind.stdout).toContain(`Warning: It takes accounts from the lookup table ${table}`);
    const seen = await answerOf(`inspect ${launch} --rpc ${node.url}`);
    expect(seen).not.toContain('Warning');
    expect(seen).toMatch(/\nCreates the mint \w+\.\n/);
    expect(seen).toMatch(/\nCreates the pool \w+\.\n/);
    expect(seen).toContain('has signed (valid).');
  });

  test.each([
    ['nothing', 'inspect', ' \n', 'malformed-data'],
    ['broken JSON', 'inspect', '{"tx":', 'malformed-data'],
    ['a flood', 'inspect', 'A'.repeat(100_000), 'malformed-data'],
    ['an owner that is none', 'inspect --owner x AA==', '', 'invalid-address'],
  ])('%s: 1, with the reason', async (_, args, input, code) => {
    const text = await run(args, { input });
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toMatch(new RegExp(`^error \\(${code}\\): .+\\n$`));
    const json = await run(`${args} --json`, { input });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code, message: expect.any(String) } });
  });
});
