import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createHandler } from '../../src/http/index.js';
import { parseJson, stringifyJson } from '../../src/http/json.js';
import { snakeCaseKeys } from '../../src/http/names.js';
import {
  buildBuy,
  buildCreateStandardLiquidityPool,
  createClient,
  findPools,
  getPoolInfo,
  getPoolState,
  grindMintAddress,
  type HeavenClient,
  inspectTransaction,
  quoteBuy,
  quoteInitialBuy,
  quoteProBuy,
  quoteProSell,
  quoteSell,
} from '../../src/index.js';
import { duration, grouped, shownNumber } from '../../src/node/commands/numbers.js';
import { aligned, printable, withoutKeys } from '../../src/node/commands/output.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { type LedgerNode, serveLedger } from '../support/node.js';
import { type BundledCli, bundleCli, type RunOptions } from './cli-support.js';

const SECRET = 'S3CR3T-K3Y';
const ON_LEDGER =
  'On the embedded ledger: sample pools, no market prices. Name a cluster with --rpc or RPC_URL.\n';
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

let cli: BundledCli;
let ledger: EmbeddedLedger;
let client: HeavenClient;
/** The ledger behind HTTP, at a slot of its own, so that its answers can be told from the embedded ledger's. */
let node: LedgerNode;
let nodeLedger: EmbeddedLedger;
/** A node that answers everything with 503 and its own URL. */
let broken: Server;
let brokenUrl: string;
/** Where nothing listens. */
let downUrl: string;

beforeAll(async () => {
  cli = await bundleCli();
  ledger = await createEmbeddedLedger();
  client = createClient({ rpc: ledger.rpc });
  nodeLedger = await createEmbeddedLedger();
  nodeLedger.setSlot(nodeLedger.slot + 1_000n);
  node = await serveLedger(() => nodeLedger);
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

const run = (args: string | readonly string[], options?: RunOptions) =>
  cli.run(typeof args === 'string' ? args.split(' ') : args, options);

/** The answer of a command that must be good, and quiet but for the note on the ledger. */
async function answerOf(args: string, options: RunOptions = {}): Promise<string> {
  const ended = await run(args, options);
  expect(ended).toMatchObject({ code: 0, signal: null });
  const isOnNode = args.includes('--rpc') || options.env?.RPC_URL !== undefined || args.startsWith('inspect');
  if (!args.startsWith('inspect')) expect(ended.stderr).toBe(isOnNode ? '' : ON_LEDGER);
  expect(ended.stdout.endsWith('\n')).toBe(true);
  return ended.stdout;
}

/** The values of a text answer by their labels. */
const valuesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, label, value] = /^ *(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
      return label === undefined || value === undefined ? [] : [[label, value]];
    }),
  );

const mintOf = (name: keyof EmbeddedLedger['pools']) => ledger.pools[name].mint;

// ---------------------------------------------------------------- the program

describe('the program', () => {
  test('--help lists the commands and the exit codes', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect([...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual([
      'serve',
      'quote',
      'pool',
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
    ['quote buy', ['--max-sol-spend', '--slippage-bps', '--mint', '--pool', '--config-version', '--rpc']],
    ['quote sell', ['--amount-in-ui', '--slippage-bps', '--mint', '--pool', '--config-version', '--rpc']],
    ['quote initial-buy', ['--initial-purchase-percent', '--slippage', '--config-version', '--rpc']],
    ['pool', ['--mint', '--pool', '--creator', '--kind', '--config-version', '--all', '--rpc']],
    ['grind', ['--suffix', '--out', '--threads']],
    ['inspect', ['--file', '--owner', '--rpc']],
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
    ['qoute', '(Did you mean quote?)'],
    ['quote', 'Usage: heaven-pools quote'],
    ['quote boy', '(Did you mean buy?)'],
    ['quote buy --max-sol-spent 1', '(Did you mean --max-sol-spend?)'],
    ['quote buy --slippage-bps 50', "required option '--max-sol-spend <sol>' not specified"],
    ['quote buy --max-sol-spend 1', "required option '--slippage-bps <number>' not specified"],
    ['quote buy --max-sol-spend 1 --slippage-bps 1.5', 'It must be a whole number from 0 on.'],
    ['quote buy --max-sol-spend 1 --slippage-bps 50', 'Name a token with --mint, or a pool with --pool.'],
    ['quote buy 1.5', 'too many arguments'],
    ['pool --kind community', 'Allowed choices are standard, pro.'],
    ['pool --pool a --all', "option '--pool <address>' cannot be used with option '--all'"],
    ['pool --commitment sure', 'Allowed choices are processed, confirmed, finalized.'],
    ['pool --program-id x', '--program-id must be a base58 address'],
    ['inspect --program-id x AA==', '--program-id must be a base58 address'],
    ['inspect --file a AA==', 'Give the transaction or --file, not both.'],
    ['grind --threads 0', 'It must be a whole number from 1 to 256.'],
    ['pool --commitment sure', 'Allowed choices are processed, confirmed, finalized.'],
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
    for (const args of ['pool --all --json', '--help']) {
      const { code, signal, stderr } = await run(args, { onStart: (child) => child.stdout?.destroy() });
      expect({ args, code, signal }).toEqual({ args, code: 0, signal: null });
      expect(stderr.replace(ON_LEDGER, '')).toBe('');
    }
  });

  test('prints no control codes', async () => {
    const outputs = await Promise.all([
      run('pool'),
      run(`quote buy --mint ${mintOf('creator')} --max-sol-spend 1 --slippage-bps 50`, {
        env: { FORCE_COLOR: '1' },
      }),
      run('pool --all', { env: { NO_COLOR: '1' } }),
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
      'quote buy --help',
      'pool --help',
      'grind --help',
      'inspect --help',
      '--version',
      'nonsense',
    ]) {
      const { packages, ownBytes } = await loadedBy(args);
      expect({ args, packages }).toEqual({ args, packages: ['commander'] });
      // The program, its command, and what they share.
      expect(ownBytes).toBeLessThan(32_000);
    }
    const pool = await loadedBy('pool');
    expect(pool.packages).toContain('@solana/kit');
    for (const ofServer of ['pino', 'prom-client', 'zod']) expect(pool.packages).not.toContain(ofServer);
  } finally {
    thin.remove();
  }
}, 60_000);

// ---------------------------------------------------------------- nodes

describe('a node', () => {
  const quote = () => `quote buy --mint ${mintOf('creator')} --max-sol-spend 1.5 --slippage-bps 50`;

  test('is read from --rpc, from RPC_URL, and from a list', async () => {
    const slot = String(nodeLedger.slot);
    expect(valuesOf(await answerOf(`${quote()} --rpc ${node.url}`)).Slot).toBe(slot);
    expect(valuesOf(await answerOf(quote(), { env: { RPC_URL: node.url } })).Slot).toBe(slot);
    expect(valuesOf(await answerOf(`${quote()} --rpc ${brokenUrl},${node.url}`)).Slot).toBe(slot);
    // --rpc takes precedence, and an empty variable counts as unset.
    const env = { RPC_URL: brokenUrl };
    expect(valuesOf(await answerOf(`${quote()} --rpc ${node.url}`, { env })).Slot).toBe(slot);
    const { code, stderr } = await run(quote(), { env: { RPC_URL: '' } });
    expect([code, stderr]).toEqual([0, ON_LEDGER]);
    // But naming an empty node is an error: a sample's price must not pass for a market's.
    expect((await run([...quote().split(' '), '--rpc', ''])).code).toBe(2);
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
    const text = await run(`${quote()} --rpc ${url()}`);
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toBe(`error (rpc-failed): ${told}\n`);
    const json = await run(`${quote()} --json`, { env: { RPC_URL: url() } });
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
      `pool --rpc ftp://node.example/${SECRET}`,
      `pool --all --rpc ftp://node.example/${SECRET}`,
      `pool --all --rpc https://user:${SECRET}@node.example`,
      `pool --all --rpc https://node.example,${SECRET}`,
      `inspect AA== --rpc ${SECRET}`,
      `verify --rpc ftp://node.example/${SECRET}`,
      `pool --rcp=https://node.example/${SECRET}`,
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

// ---------------------------------------------------------------- quote

describe('quote', () => {
  test('buy matches a figure worked out by hand', async () => {
    // 400 SOL and 400000000 tokens of 6 decimals. At a market cap of $82,017 a buy pays 0.3 % to the protocol, 0.2 % to the
    // liquidity providers, 1 % to the creator and 0.1 % to the holders: 984000000 of 1000000000 lamports reach the curve.
    // 400000000000000 * 984000000 / 400984000000 = 981585300161.6…; 0.5 % less, rounded down, is 976677373660. The curve's average price is
    // 984 / 400984 = 24.5396… basis points worse, rounded up to 24.54.
    const { pool } = ledger.pools.pro;
    const terms = `--pool ${pool} --max-sol-spend 1 --slippage-bps 50`;
    const text = await answerOf(`quote buy ${terms}`);
    expect(valuesOf(text)).toMatchObject({
      In: '1 SOL',
      Out: '981,585.300161 tokens',
      'At least': '976,677.37366 tokens (slippage 0.5 %)',
      Fees: '0.016 SOL (16,000,000 lamports)',
      protocol: '0.003 SOL, 0.3 %',
      'liquidity providers': '0.002 SOL, 0.2 %',
      creator: '0.01 SOL, 1 %',
      reflection: '0.001 SOL, 0.1 %',
      'Price impact': '0.2454 %',
      Slot: '411354049',
    });
    const json = await answerOf(`quote buy ${terms} --json`);
    expect(json).toContain('"minimum_out":976677373660,');
    expect(json).toContain('"amount_out":981585300161,');
  });

  test("every kind prints its function's result as JSON, and text says the same", async () => {
    const { creator, pro } = ledger.pools;
    const standard = { configVersion: 2, mint: creator.mint };
    const ofPro = { configVersion: 3, mint: pro.mint, pool: pro.pool };
    const cases = [
      [
        `buy --config-version 2 --mint ${creator.mint} --max-sol-spend 0.123456789 --slippage-bps 0`,
        await quoteBuy(client, { ...standard, maxSolSpend: '0.123456789', slippageBps: 0 }),
      ],
      [
        `sell --mint ${creator.mint} --amount-in-ui 1234567.123456789 --slippage-bps 123`,
        await quoteSell(client, { ...standard, amountInUi: '1234567.123456789', slippageBps: 123 }),
      ],
      [
        `buy --pool ${pro.pool} --max-sol-spend 3 --slippage-bps 10000`,
        await quoteProBuy(client, { ...ofPro, maxSolSpend: 3, slippageBps: 10_000 }),
      ],
      [
        `sell --pool ${pro.pool} --mint ${pro.mint} --config-version 3 --amount-in-ui 250 --slippage-bps 1`,
        await quoteProSell(client, { ...ofPro, amountInUi: '250', slippageBps: 1 }),
      ],
      [
        'initial-buy --config-version 1 --initial-purchase-percent 5 --slippage 0.01',
        await quoteInitialBuy(client, { configVersion: 1, initialPurchasePercent: 5, slippage: '0.01' }),
      ],
      [
        'initial-buy --config-version 2 --initial-purchase-percent 0.5',
        await quoteInitialBuy(client, { configVersion: 2, initialPurchasePercent: '0.5' }),
      ],
    ] as const;
    for (const [args, expected] of cases) {
      expect(await answerOf(`quote ${args} --json`)).toBe(`${stringifyJson(snakeCaseKeys(expected))}\n`);
      const values = valuesOf(await answerOf(`quote ${args}`));
      const { totalFee, slot } = expected.details;
      expect(values.Fees).toContain(`(${grouped(String(totalFee))} lamports)`);
      expect(values.Slot).toBe(String(slot));
    }
  });

  test("accepts a standard pool's address too", async () => {
    const { mint, pool } = ledger.pools.creator;
    for (const trade of ['buy --max-sol-spend 1.5', 'sell --amount-in-ui 250000']) {
      const terms = `quote ${trade} --slippage-bps 50`;
      const [byMint, byPool] = await Promise.all([
        answerOf(`${terms} --mint ${mint}`),
        answerOf(`${terms} --pool ${pool}`),
      ]);
      expect(byPool).toBe(byMint);
      const json = await answerOf(`${terms} --mint ${mint} --pool ${pool} --config-version 2 --json`);
      expect(json).toBe(await answerOf(`${terms} --mint ${mint} --json`));
    }
  });

  test.each([
    ['9 --initial-purchase-percent 5', 'Name another --config-version, or another cluster.'],
    ['1 --initial-purchase-percent 100', 'The pool can give at most 999999998102646198 native units'],
  ])('initial-buy --config-version %s: what to do about it', async (terms, told) => {
    const { code, stdout, stderr } = await run(`quote initial-buy --config-version ${terms}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(told);
  });

  test('the JSON is what the HTTP interface takes', async () => {
    const { mint, creator: payer } = ledger.pools.creator;
    const answer = await answerOf(`quote buy --mint ${mint} --max-sol-spend 1.5 --slippage-bps 50 --json`);
    const handler = createHandler({ client });
    const post = async (path: string, body: string) =>
      await (
        await handler(
          new Request(`http://localhost${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          }),
        )
      ).text();
    const program_id = client.deployment.programAddress;
    const served = await post(
      '/quote/buy',
      stringifyJson({ program_id, config_version: 2, mint, max_sol_spend: 1.5, slippage_bps: 50 }),
    );
    expect(answer.trimEnd()).toBe(served);
    const built = await post(
      '/tx/buy',
      `{"payer":"${payer}","quote_response":${answer},"encoded_user_defined_event_data":""}`,
    );
    const { tx, details, ...others } = JSON.parse(built);
    expect([tx, others]).toEqual([expect.any(String), {}]);
    expect(details.required_signers).toEqual([payer]);
  });

  test('warns of a trade that moves its own price', async () => {
    const buy = (sol: string) =>
      answerOf(`quote buy --mint ${mintOf('creator')} --max-sol-spend ${sol} --slippage-bps 50`);
    expect(await buy('83')).not.toContain('Warning');
    expect(await buy('84')).toContain(
      '\nWarning: The average price of the trade is 5.0405 % worse than the price now',
    );
  });

  test('shows a launch window in the fees, and a token’s own fee', async () => {
    const launching = valuesOf(
      await answerOf(`quote buy --mint ${mintOf('launching')} --max-sol-spend 1 --slippage-bps 50`),
    );
    expect(launching).toMatchObject({ protocol: '0.01 SOL, 1 %', creator: '0.5 SOL, 50 %' });
    const { mint, tokenProgram } = nodeLedger.pools.community;
    const fee = { epoch: 0n, basisPoints: 100, maximum: 1_000_000_000n };
    nodeLedger.setMint(mint, tokenProgram, {
      decimals: 9,
      supply: 1_000_000_000_000_000_000n,
      transferFee: { older: fee, newer: fee },
    });
    const text = await answerOf(
      `quote sell --mint ${mint} --amount-in-ui 1000 --slippage-bps 50 --rpc ${node.url}`,
    );
    expect(valuesOf(text)).toMatchObject({ 'Transfer fee': '1 tokens' });
    expect(text).toMatch(/\nWarning: The token withholds 100 basis points of every transfer/);
  });

  test.each([
    [
      '--mint nonsense --max-sol-spend 1 --slippage-bps 50',
      'invalid-address',
      '--mint must be a base58 address',
    ],
    [
      '--pool nonsense --max-sol-spend 1 --slippage-bps 50',
      'invalid-address',
      '--pool must be a base58 address',
    ],
    [
      'MINT --max-sol-spend much --slippage-bps 50',
      'invalid-amount',
      '--max-sol-spend must be a non-negative',
    ],
    ['MINT --max-sol-spend -1 --slippage-bps 50', 'invalid-amount', '--max-sol-spend must be a non-negative'],
    ['MINT --max-sol-spend 0 --slippage-bps 50', 'zero-amount', ''],
    ['MINT --max-sol-spend 0.1234567891 --slippage-bps 50', 'too-many-decimals', '--max-sol-spend is'],
    ['MINT --max-sol-spend 1 --slippage-bps 10001', 'invalid-slippage', '--slippage-bps must be'],
    ['MINT --max-sol-spend 1 --slippage-bps 50 --config-version 1', 'config-version-mismatch', 'Use 2.'],
    ['MINT --max-sol-spend 1 --slippage-bps 50 --config-version 70000', 'invalid-input', '--config-version'],
    [
      '--mint So11111111111111111111111111111111111111112 --max-sol-spend 1 --slippage-bps 50',
      'pool-not-found',
      '',
    ],
  ])('buy %s: %s', async (args, code, told) => {
    const { mint, pool } = ledger.pools.creator;
    const terms = args.replace('MINT', `--mint ${mint}`).replace('POOL', `--pool ${pool}`);
    const text = await run(`quote buy ${terms}`);
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toMatch(new RegExp(`^${ON_LEDGER}error \\(${code}\\): .+\\n$`));
    expect(text.stderr).toContain(told);
    const json = await run(`quote buy ${terms} --json`);
    expect(json).toMatchObject({ code: 1, stderr: ON_LEDGER });
    expect(JSON.parse(json.stdout)).toEqual({
      error: { code, message: expect.any(String), details: expect.any(Object) },
    });
  });
});

// ---------------------------------------------------------------- pool

describe('pool', () => {
  test("lists the embedded ledger's sample pools, and accepts each of them", async () => {
    const text = await answerOf('pool');
    const [head, ...rows] = text.trimEnd().split('\n');
    expect(head).toMatch(/^POOL +KIND +CONFIG +TOKEN \(--mint\) +SOL RESERVE$/);
    expect(rows.map((row) => row.split(/ +/).slice(0, 4))).toEqual(
      Object.values(ledger.pools)
        .sort((a, b) => (a.pool < b.pool ? -1 : 1))
        .map(({ pool, kind, configVersion, mint }) => [pool, kind, String(configVersion), mint]),
    );
    expect(rows.map((row) => row.split(/ +/)[4]).sort()).toEqual(['1,558.777720473', '115', '35', '400']);
  });

  test.each([
    ['--kind pro', { kind: 'pro' }],
    ['--config-version 1', { configVersion: 1 }],
    ['--mint MINT --all', { mint: 'MINT' }],
    ['--creator CREATOR', { creator: 'CREATOR' }],
    ['--all', { all: true }],
    ['--kind pro --config-version 1', { kind: 'pro', configVersion: 1 }],
    ['--mint MINT --kind standard', { kind: 'standard', mint: 'MINT' }],
  ] as const)('%s lists what findPools finds', async (args, filters) => {
    const { mint, creator } = ledger.pools.community;
    const filled = Object.fromEntries(
      Object.entries(filters).map(([name, value]) => [
        name,
        value === 'MINT' ? mint : value === 'CREATOR' ? creator : value,
      ]),
    );
    const found = await findPools(client, filled);
    const terms = `pool ${args.replace('MINT', mint).replace('CREATOR', creator)}`;
    const expected = found.map(({ address, kind, configVersion, mint, creator, state }) => ({
      address,
      kind,
      configVersion,
      mint,
      creator,
      state,
    }));
    expect(await answerOf(`${terms} --json`)).toBe(`${stringifyJson(snakeCaseKeys(expected))}\n`);
    const text = await answerOf(terms);
    if (found.length === 0) expect(text).toBe('There is no such pool.\n');
    else
      expect(
        text
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((row) => row.split(' ')[0]),
      ).toEqual(found.map(({ address }) => address));
  });

  test('--json gives the info, the fees in force and the whole account', async () => {
    const { mint, pool, creator, configVersion } = ledger.pools.pro;
    const { fees, ...answer } = parseJson(await answerOf(`pool --pool ${pool} --json`)) as Record<
      string,
      unknown
    >;
    const expected = {
      address: pool,
      kind: 'pro',
      configVersion,
      mint,
      creator,
      slot: ledger.slot,
      info: await getPoolInfo(client, { mint, pool }),
      state: await getPoolState(client, { pool }),
    };
    expect(stringifyJson(answer)).toBe(stringifyJson(snakeCaseKeys(expected)));
    expect(JSON.parse(stringifyJson(fees))).toEqual({
      buy: { protocol: 30, liquidity_provider: 20, creator: 100, creator_protocol: 0, reflection: 10 },
      sell: { protocol: 30, liquidity_provider: 20, creator: 150, creator_protocol: 0, reflection: 10 },
    });
  });

  test('describes a standard pool', async () => {
    const { mint, pool, creator } = ledger.pools.creator;
    const text = await answerOf(`pool --mint ${mint}`);
    expect(text.startsWith(`Standard pool ${pool}\n`)).toBe(true);
    expect(valuesOf(text)).toMatchObject({
      Token: `${mint} (Token-2022, 9 decimals)`,
      Creator: creator,
      'Config version': '2 (Creator)',
      Reserves: '103,927,583.151068173 tokens',
      'Fees now': '1.5 %',
      'Market cap': '$1,138,754.92, at $82.02 per SOL',
      'Fee schedule': 'the config’s',
      'same-slot trading': 'off',
      migrated: 'yes',
      'Creator fees': '420.891248646 SOL to claim',
      claimable: 'yes',
      receiver: `${creator} (Creator)`,
      'claimed so far': '13,688.215097851 SOL by the creator, 0 SOL by others',
      Slot: '411354049',
    });
    expect(text).toMatch(/\n {2,}1,558\.777720473 SOL, of which 162 SOL virtual\n/);
    expect(text).toMatch(/\n {2}protocol +1 % up to a market cap of \$99,999\n +0\.5 % above\n/);
    expect(await answerOf(`pool --pool ${pool}`)).toBe(text);
  });

  test('describes a pro pool', async () => {
    const text = await answerOf(`pool --pool ${ledger.pools.pro.pool}`);
    expect(valuesOf(text)).toMatchObject({
      Reserves: '400,000,000 tokens',
      Liquidity: '400 LP tokens',
      'Fees now': 'buy 1.6 %, sell 2.1 %',
      'Fee schedule': 'the pool’s own',
      deposits: 'on',
      withdrawals: 'on',
      'creator fee': 'can be changed',
    });
    expect(text).toMatch(
      /\n {2}creator +buy 1 %, sell 1\.5 % up to a market cap of \$100,000\n +0\.5 % above\n/,
    );
  });

  test('describes a launch window, and the fees after it', async () => {
    const text = await answerOf(`pool --mint ${mintOf('launching')}`);
    expect(text).toMatch(
      /\n {2}creator +by slots after the launch, until slot 411354062:\n +50 % up to 5 slots\n +10 % up to 15 slots\n +then 0\.1 % at any market cap\n/,
    );
    expect(valuesOf(text)).toMatchObject({ 'Fees now': '51 %', claimable: 'nothing yet' });
    const later = await answerOf(`pool --mint ${mintOf('launching')} --rpc ${node.url}`);
    expect(later).toContain('by slots after the launch, over since slot 411354063:');
    expect(valuesOf(later)['Fees now']).toBe('1.1 %');
  });

  test.each([
    ['--mint So11111111111111111111111111111111111111112', 'pool-not-found'],
    ['--mint nonsense', 'invalid-address'],
    ['--creator nonsense', 'invalid-address'],
    ['--mint LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777 --config-version 1', 'config-version-mismatch'],
    ['--config-version 70000', 'invalid-input'],
  ])('%s: %s', async (args, code) => {
    const { stderr, ...ended } = await run(`pool ${args}`);
    expect(ended).toEqual({ code: 1, signal: null, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${ON_LEDGER}error \\(${code}\\): .+\\n$`));
  });

  test("exits with 1 and says what to do if the node doesn't answer such queries", async () => {
    const refusing = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          `{"jsonrpc":"2.0","id":"0","error":{"code":-32010,"message":"excluded, see https://node.example/${SECRET}"}}`,
        ),
    );
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/${SECRET}`;
    try {
      const { code, stderr } = await run(`pool --all --rpc ${url}`);
      expect(code).toBe(1);
      expect(stderr).toContain('error (rpc-method-unsupported): The RPC node refuses getProgramAccounts');
      expect(stderr).not.toContain(SECRET);
    } finally {
      refusing.close();
    }
  });
});

// ---------------------------------------------------------------- inspect

describe('inspect', () => {
  let buy: string;
  let launch: string;
  beforeAll(async () => {
    const { mint, configVersion, creator: payer } = ledger.pools.creator;
    const quoteResponse = await quoteBuy(client, {
      configVersion,
      mint,
      maxSolSpend: '1.5',
      slippageBps: 50,
    });
    buy = (await buildBuy(client, { payer, quoteResponse, encodedUserDefinedEventData: '' })).tx;
    launch = (
      await buildCreateStandardLiquidityPool(client, {
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
      })
    ).tx;
  });

  test('describes what a buy would do', async () => {
    const { creator: payer, mint } = ledger.pools.creator;
    const text = await answerOf(`inspect ${buy}`);
    expect(valuesOf(text)).toMatchObject({
      Transaction: 'version 0, 829 of 1,232 bytes',
      'Fee payer': payer,
      1: 'Allow 200000 compute units',
      7: `Exchange: buy: pay at most 1.5 SOL for at least 97923235301757 units of ${mint}`,
      signatures: '0.000005 SOL (5,000 lamports)',
      priority: '0.008 SOL (8,000,000 lamports): 200,000 compute units at 40,000,000 micro-lamports',
      total: '0.008005 SOL (8,005,000 lamports)',
      '1.508005 SOL (1,508,005,000 lamports), and the rent of accounts of 165 and 195 bytes': `from ${payer}`,
      [payer]: 'has yet to sign',
    });
    expect(text).toMatch(/\nCreates\n {2}token account \w+ {2}of \w+, if there is none\n/);
    expect(text).toMatch(new RegExp(`\nCloses\n {2}\\w+ {2}and pays its whole balance to ${payer}\n`));
    expect(text).not.toContain('Warning');
  });

  test('reads it from an argument, a file or stdin, alone, in lines, and as an HTTP answer', async () => {
    const expected = await answerOf(`inspect ${buy}`);
    const file = `${cli.folder}/buy.txt`;
    writeFileSync(file, `${buy.replace(/.{76}/g, '$&\n')}\n`);
    expect(await answerOf(`inspect --file ${file}`)).toBe(expected);
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
    expect(valuesOf(blind.stdout)[table]).toMatch(/^not known: /);
    expect(blind.stdout).toContain('anything  ');
    expect(blind.stdout).toContain('Warning: It takes accounts from the lookup table');
    const seen = await run(['inspect', launch, '--rpc', node.url]);
    expect(seen).toMatchObject({ code: 0, stderr: '' });
    expect(seen.stdout).not.toContain('Warning');
    expect(seen.stdout).toMatch(/\n {2}mint \w+ /);
    expect(seen.stdout).toMatch(/\n {2}pool \w+/);
    expect(seen.stdout).toContain('has signed, valid');
  });

  test('warns of a broken signature', async () => {
    const bytes = Uint8Array.from(atob(buy), (c) => c.charCodeAt(0));
    bytes.fill(7, 1, 65);
    const { code, stdout } = await run(['inspect', btoa(String.fromCharCode(...bytes))]);
    expect(code).toBe(0);
    expect(stdout).toContain('has signed, invalid');
    expect(stdout).toMatch(/\nWarning: The signature of \w+ is not valid/);
  });

  test.each([
    ['nonsense', ['inspect', 'nonsense'], '', 'malformed-data'],
    ['nothing', ['inspect'], ' \n', 'malformed-data'],
    ['an object without a transaction', ['inspect'], '{"error":{}}', 'malformed-data'],
    ['broken JSON', ['inspect'], '{"tx":', 'malformed-data'],
    ['a flood', ['inspect'], 'A'.repeat(100_000), 'malformed-data'],
    ['a file that is not there', ['inspect', '--file', 'missing.txt'], '', 'unreadable-file'],
    ['a folder', ['inspect', '--file', '.'], '', 'unreadable-file'],
    ['an owner that is none', ['inspect', '--owner', 'x', 'AA=='], '', 'invalid-address'],
  ] as const)('%s: 1, with the reason', async (_, args, input, code) => {
    const text = await run(args, { input });
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toMatch(new RegExp(`^error \\(${code}\\): .+\\n$`));
    const json = await run([...args, '--json'], { input });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code, message: expect.any(String) } });
  });

  test('exits with 1 if the node is down, without its URL', async () => {
    const { code, stderr } = await run(['inspect', launch, '--rpc', downUrl]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error \(rpc-failed\): /);
    expect(stderr).not.toContain(SECRET);
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
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['1234567.1234567', '1,234,567.1234567'],
    ['18446744073709551615', '18,446,744,073,709,551,615'],
  ])('grouped %s', (digits, expected) => expect(grouped(digits)).toBe(expected));

  test.each([
    [0, '0'],
    [0.0000149986951, '0.0000149987'],
    [1, '1'],
    [123456.789, '123,457'],
    [1e21, '1,000,000,000,000,000,000,000'],
    [99.99999, '100'],
    [1e-30, '0.000000000000000000000000000001'],
  ])('a number to six digits: %d', (value, expected) => expect(shownNumber(value)).toBe(expected));

  test.each([
    [0.25, '0.3 s'],
    [59.6, '60 s'],
    [130, '2 min'],
    [7_300, '2 h'],
    [1e9, '11,574 d'],
  ])('%d seconds', (seconds, expected) => expect(duration(seconds)).toBe(expected));

  test.each([
    ['at https://node.example/KEY now', 'at https://node.example/… now'],
    ['wss://node.example:8900/?key=KEY', 'wss://node.example:8900/…'],
    ['https://me:KEY@node.example', 'https://node.example/…'],
    ['https://node.example', 'https://node.example'],
    ['https://[KEY', 'https://…'],
    ['no URL', 'no URL'],
  ])('a text without keys: %s', (text, expected) => expect(withoutKeys(text)).toBe(expected));

  test('columns are as wide as their labels, and lines have no blank ends', () => {
    expect(aligned([['Title'], ['a', '1\n2'], ['long', ''], ['b', '3']])).toEqual([
      'Title',
      'a     1',
      '      2',
      'long',
      'b     3',
    ]);
  });

  test('contains nothing that a terminal would execute', () => {
    expect(printable('a\u001b[31mb\r\u202ec')).toBe('a\ufffd[31mb\ufffd\ufffdc');
  });
});
