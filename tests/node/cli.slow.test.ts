import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { stringifyJson } from '../../src/http/json.js';
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
import { printable, withoutKeys } from '../../src/node/commands/output.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type LedgerNode, serveLedger } from '../support/node.js';
import { type BundledCli, bundleCli, type RunOptions } from './cli-support.js';

const SECRET = 'S3CR3T-K3Y';
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

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
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  downUrl = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/${SECRET}?api-key=${SECRET}`;
  await new Promise((resolve) => gone.close(resolve));
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
    payer,
    creator: payer,
    name: 'A token',
    symbol: 'TOKEN',
    uri: 'https://example.com/token.json',
    configVersion: 1,
    initialPurchaseAmount: 0n,
    lutAddress: ledger.lookupTables.community,
    encodedUserDefinedEventData: '',
    mintSigner: await grindMintAddress({ suffix: '' }),
  });
  return [bought.tx, launched.tx];
}

const run = (args: string | readonly string[], options?: RunOptions) =>
  cli.run(typeof args === 'string' ? args.split(' ') : args, options);

/** The answer of a command that must be good, and quiet. */
async function answerOf(args: string, options: RunOptions = {}): Promise<string> {
  const ended = await run(args, options);
  expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(ended.stdout.endsWith('\n')).toBe(true);
  return ended.stdout;
}

// ---------------------------------------------------------------- the program

describe('the program', () => {
  test('--help lists the commands and the exit codes', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect([...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual([
      'serve',
      'grind',
      'inspect',
      'verify',
      'help',
    ]);
    expect(stdout).toContain('Exit codes: 0 good; 1 the answer is an error');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test("--version prints the package's version", async () => {
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test.each([
    ['grind', ['--suffix', '--out', '--threads']],
    ['inspect', ['--owner', '--recipient', '--rpc']],
    ['verify', ['--from', '--save', '--pools', '--program-id', '--rpc']],
  ])('%s --help lists its options and exit codes', async (command, options) => {
    const { code, stdout, stderr } = await run(`${command} --help`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const named = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(named).toEqual(expect.arrayContaining([...options, '--json', '--help']));
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/exit codes?:? 0/i);
  });

  test.each([
    ['', 'Usage: heaven-pools'],
    ['inspct', '(Did you mean inspect?)'],
    ['inspect --ownre x', '(Did you mean --owner?)'],
    ['inspect AA== AA==', 'too many arguments'],
    ['verify', 'Name a node with --rpc (or RPC_URL)'],
    ['verify --from a --save b', 'leave out --from'],
    ['inspect --program-id x AA==', '--program-id must be a base58 address'],
    ['grind --threads 0', 'It must be a whole number from 1 to 256.'],
    ['verify --rpc https://node.example --program-id x', '--program-id must be a base58 address'],
    ['grind --json --out -', 'drop --out -'],
    ['grind --suffix=', '--suffix must have at least one character.'],
  ])('wrong usage exits with 2: heaven-pools %s', async (args, told) => {
    const { code, stdout, stderr } = await run(args === '' ? [] : args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr).not.toMatch(/\n\s+at |node_modules|undefined/);
  });

  test('ends quietly when its reader goes away', async () => {
    for (const args of [`inspect ${buy} --json`, '--help']) {
      const { code, signal, stderr } = await run(args, { onStart: (child) => child.stdout?.destroy() });
      expect({ args, code, signal }).toEqual({ args, code: 0, signal: null });
      expect(stderr).toBe('');
    }
  });

  test('prints no control codes', async () => {
    const outputs = await Promise.all([
      run('--help', { env: { FORCE_COLOR: '1' } }),
      run(`inspect ${buy}`, { env: { FORCE_COLOR: '1' } }),
      run(`inspect ${launch}`, { env: { NO_COLOR: '1' } }),
    ]);
    for (const { stdout, stderr } of outputs) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    }
  });
});

test('a help text loads commander and no other package', async () => {
  const thin = await bundleCli({ withPackages: false });
  try {
    const list = `${thin.folder}/loaded.txt`;
    writeFileSync(
      `${thin.folder}/hook.mjs`,
      `import { appendFileSync } from 'node:fs';
export const load = (url, context, next) => {
  appendFileSync(${JSON.stringify(list)}, url + '\\n');
  return next(url, context);
};`,
    );
    writeFileSync(
      `${thin.folder}/register.mjs`,
      `import { register } from 'node:module';
register(${JSON.stringify(new URL(`file://${thin.folder}/hook.mjs`).href)});`,
    );
    const loadedBy = async (args: string) => {
      writeFileSync(list, '');
      await thin.run(args.split(' '), { execArgv: ['--import', `file://${thin.folder}/register.mjs`] });
      const urls = readFileSync(list, 'utf8').trim().split('\n');
      const packages = urls.flatMap(
        (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(url)?.[1] ?? [],
      );
      return {
        packages: [...new Set(packages)].sort(),
        ownBytes: urls
          .filter((url) => url.startsWith(`file://${thin.folder}/`) && !url.includes('register'))
          .reduce((sum, url) => sum + readFileSync(new URL(url)).length, 0),
      };
    };
    for (const args of [
      '--help',
      'grind --help',
      'inspect --help',
      'verify --help',
      '--version',
      'nonsense',
    ]) {
      const { packages, ownBytes } = await loadedBy(args);
      expect({ args, packages }).toEqual({ args, packages: ['commander'] });
      // The program, its command, and what they share.
      expect(ownBytes).toBeLessThan(32_000);
    }
    const { packages } = await loadedBy(`inspect ${buy}`);
    expect(packages).toContain('@solana/kit');
    for (const ofServer of ['pino', 'prom-client', 'ioredis', 'rate-limiter-flexible'])
      expect(packages).not.toContain(ofServer);
  } finally {
    thin.remove();
  }
}, 60_000);

// ---------------------------------------------------------------- nodes

describe('a node', () => {
  /** What only a node knows: the accounts of the launch's lookup table. */
  const isRead = (text: string) => !text.includes('It takes accounts from the lookup table');

  test('is read from --rpc, from RPC_URL, and from a list', async () => {
    const inspect = `inspect ${launch}`;
    expect(isRead(await answerOf(`${inspect} --rpc ${node.url}`))).toBe(true);
    expect(isRead(await answerOf(inspect, { env: { RPC_URL: node.url } }))).toBe(true);
    expect(isRead(await answerOf(`${inspect} --rpc ${brokenUrl},${node.url}`))).toBe(true);
    // --rpc takes precedence, and an empty variable counts as unset.
    expect(isRead(await answerOf(`${inspect} --rpc ${node.url}`, { env: { RPC_URL: brokenUrl } }))).toBe(
      true,
    );
    const { code, stdout } = await run(inspect, { env: { RPC_URL: '' } });
    expect([code, isRead(stdout)]).toEqual([0, false]);
    // But naming an empty node is an error.
    expect((await run([...inspect.split(' '), '--rpc', ''])).code).toBe(2);
  });

  test.each([
    [
      'answers with an error',
      () => brokenUrl,
      'The RPC node answered getMultipleAccounts with HTTP 503. Retry, or use another node.',
    ],
    [
      'is down',
      () => downUrl,
      'getMultipleAccounts did not get through to the RPC node (ECONNREFUSED). Check its URL, try again, or use another node.',
    ],
  ])('that %s: exits with 1, without its URL', async (_, url, told) => {
    const text = await run(`inspect ${launch} --rpc ${url()}`);
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toBe(`error (rpc-failed): ${told}\n`);
    const json = await run(`inspect ${launch} --json`, { env: { RPC_URL: url() } });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: {
        code: 'rpc-failed',
        message: expect.stringContaining(told),
        details: { method: 'getMultipleAccounts' },
      },
    });
    expect(json.stdout).not.toContain(SECRET);
  });

  test('with an invalid URL or a mistyped option: exits with 2, without printing the key', async () => {
    for (const args of [
      `inspect AA== --rpc ftp://node.example/${SECRET}`,
      `inspect AA== --rpc https://user:${SECRET}@node.example`,
      `inspect AA== --rpc https://node.example,${SECRET}`,
      `inspect AA== --rpc ${SECRET}`,
      `verify --rpc ftp://node.example/${SECRET}`,
      `verify --rcp=https://node.example/${SECRET}`,
      `https://node.example/${SECRET}`,
      `https://node.example?key=${SECRET}`,
      `serve --rcp=https://node.example/${SECRET}`,
      `serve --rpc=ftp://node.example/${SECRET}`,
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect({ args, code, stdout }).toEqual({ args, code: args.startsWith('serve') ? 1 : 2, stdout: '' });
      expect(stderr).toMatch(/^error: /);
      expect(stderr).not.toContain(SECRET);
    }
  });
});

// ---------------------------------------------------------------- inspect

describe('inspect', () => {
  test('describes what a buy would do', async () => {
    const { creator: payer, mint } = ledger.pools.creator;
    const lines = (await answerOf(`inspect ${buy}`)).split('\n');
    const { summary } = await inspectTransaction(buy);
    expect(lines.slice(0, -1)).toEqual(summary);
    expect(lines).toEqual(
      expect.arrayContaining([
        `7. Exchange: buy: pay at most 1.5 SOL for at least 97923235301757 units of ${mint}.`,
        `Fees: ${payer} pays 0.000005 SOL for signatures and 0.008 SOL of priority (200000 compute units at 40000000 micro-lamports).`,
        `May take 1.508005 SOL from ${payer}, and the rent of accounts of 165 and 195 bytes.`,
        `${payer} has yet to sign.`,
      ]),
    );
    expect(lines.join()).not.toContain('Warning');
  });

  test('reads it from an argument or stdin, alone, in lines, and as an HTTP answer', async () => {
    const expected = await answerOf(`inspect ${buy}`);
    expect(await answerOf('inspect', { input: `${buy.replace(/.{76}/g, '$&\n')}\n` })).toBe(expected);
    expect(await answerOf('inspect', { input: `${buy}\n` })).toBe(expected);
    expect(await answerOf('inspect', { input: `{"tx":"${buy}"}\n` })).toBe(expected);
  });

  test('--json gives what the function does', async () => {
    const owner = ledger.pools.creator.creator;
    const answer = JSON.parse(await answerOf(`inspect ${buy} --owner ${owner} --json`));
    const { debits, warnings, fees, instructions, summary } = await inspectTransaction(buy, { owner });
    const exact = (value: unknown) => JSON.parse(stringifyJson(snakeCaseKeys(value)));
    expect(answer).toMatchObject({
      debits: exact(debits),
      warnings: exact(warnings),
      fees: exact(fees),
      summary,
    });
    expect(answer.instructions).toHaveLength(instructions.length);
    expect(Uint8Array.from(atob(answer.instructions[6].data), (c) => c.charCodeAt(0))).toEqual(
      Uint8Array.from(instructions[6]!.data),
    );
  });

  test('--owner leaves out the debits of others', async () => {
    const mine = await answerOf(`inspect ${buy} --owner ${ledger.pools.creator.creator}`);
    expect(mine).toContain('1.508005 SOL');
    const other = await answerOf(`inspect ${buy} --owner ${ledger.pools.pro.creator}`);
    expect(other).not.toContain('May take');
  });

  test("reads lookup tables with --rpc, and says so if it doesn't", async () => {
    const table = ledger.lookupTables.community;
    const blind = await run(['inspect', launch]);
    expect(blind).toMatchObject({
      code: 0,
      stderr: 'Nothing was fetched. With --rpc the lookup tables are read.\n',
    });
    expect(blind.stdout).toContain(`Warning: It takes accounts from the lookup table ${table}`);
    const seen = await run(['inspect', launch, '--rpc', node.url]);
    expect(seen).toMatchObject({ code: 0, stderr: '' });
    expect(seen.stdout).not.toContain('Warning');
    expect(seen.stdout).toMatch(/\nCreates the mint \w+\.\n/);
    expect(seen.stdout).toMatch(/\nCreates the pool \w+\.\n/);
    expect(seen.stdout).toContain('has signed (valid).');
  });

  test('warns of a broken signature', async () => {
    const bytes = Uint8Array.from(atob(buy), (c) => c.charCodeAt(0));
    bytes.fill(7, 1, 65);
    const { code, stdout } = await run(['inspect', btoa(String.fromCharCode(...bytes))]);
    expect(code).toBe(0);
    expect(stdout).toContain('has signed (invalid).');
    expect(stdout).toMatch(/\nWarning: The signature of \w+ is not valid/);
  });

  test.each([
    ['nonsense', ['inspect', 'nonsense'], '', 'malformed-data'],
    ['nothing', ['inspect'], ' \n', 'malformed-data'],
    ['an object without a transaction', ['inspect'], '{"error":{}}', 'malformed-data'],
    ['broken JSON', ['inspect'], '{"tx":', 'malformed-data'],
    ['a flood', ['inspect'], 'A'.repeat(100_000), 'malformed-data'],
    ['an owner that is none', ['inspect', '--owner', 'x', 'AA=='], '', 'invalid-address'],
  ] as const)('%s: 1, with the reason', async (_, args, input, code) => {
    const text = await run(args, { input });
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toMatch(new RegExp(`^error \\(${code}\\): .+\\n$`));
    const json = await run([...args, '--json'], { input });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code, message: expect.any(String) } });
  });
});

// ---------------------------------------------------------------- verify

test("verify reads RPC_URL, and says in JSON why it can't read the cluster", async () => {
  const empty = await run('verify --json', { env: { RPC_URL: node.url } });
  expect(empty).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(empty.stdout).error).toMatchObject({
    code: 'account-not-found',
    details: { account: 'program' },
  });
  const down = await run('verify --json', { env: { RPC_URL: brokenUrl } });
  expect(down).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(down.stdout)).toMatchObject({ error: { code: 'rpc-failed', details: { status: 503 } } });
  expect(down.stdout).not.toContain(SECRET);
});

// ---------------------------------------------------------------- how things are printed

describe('what is printed', () => {
  test.each([
    ['at https://node.example/KEY now', 'at https://node.example/… now'],
    ['wss://node.example:8900/?key=KEY', 'wss://node.example:8900/…'],
    ['https://me:KEY@node.example', 'https://node.example/…'],
    ['https://node.example', 'https://node.example'],
    ['https://[KEY', 'https://…'],
    ['no URL', 'no URL'],
  ])('a text without keys: %s', (text, expected) => expect(withoutKeys(text)).toBe(expected));

  test('contains nothing that a terminal would execute', () => {
    expect(printable('a\u001b[31mb\r\u202ec')).toBe('a\ufffd[31mb\ufffd\ufffdc');
  });
});
