import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';

import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getPublicKeyFromAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit';
import { build } from 'esbuild';
import { parse, stringify } from 'lossless-json';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { MintSupply } from '../../src/node/index.js';
import { paths } from '../../src/operations.js';
import { HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';

const SECRET = 'S3CR3T-K3Y';
const OTHER_PROGRAM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';
const root = fileURLToPath(new URL('../../', import.meta.url));

let bundle: string;
let ledger: EmbeddedLedger;
/** A supply without settings, and the first of its mints. */
let usual: MintSupply;
let usualMint: ReturnType<MintSupply['mintSigner']>;
let createMintSupply: typeof import('../../src/node/index.js')['createMintSupply'];
beforeAll(async () => {
  mkdirSync(`${root}node_modules/.cache`, { recursive: true });
  bundle = mkdtempSync(`${root}node_modules/.cache/serve-test-`);
  await build({
    entryPoints: ['cli', 'mint-worker', 'index'].map((name) => `${root}src/node/${name}.ts`),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // With the packages: a process then starts in a third of the time.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    outdir: bundle,
    logLevel: 'error',
  });
  ledger = await createEmbeddedLedger();
  ({ createMintSupply } = await import(pathToFileURL(`${bundle}/index.js`).href));
  // It takes some seconds, in which the rest is tested.
  usual = createMintSupply({ size: 1 });
  usualMint = usual.mintSigner({});
});

const children = new Set<ChildProcess>();
const nodes = new Set<Node>();
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([...nodes].map((node) => node.stop()));
  nodes.clear();
});
afterAll(async () => {
  await usual.close();
  rmSync(bundle, { recursive: true, force: true });
});

/** A run of the program. */
interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

type Environment = Readonly<Record<string, string>>;

function run(args: readonly string[], env: Environment = {}): Run {
  const child = spawn(process.execPath, [`${bundle}/cli.js`, ...args], {
    // Nothing of the surroundings: they may set the same variables.
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    }),
  );
  return { child, stdout: () => stdout, stderr: () => stderr, exit };
}

type Log = Readonly<Record<string, unknown>>;

interface Served extends Run {
  readonly url: string;
  readonly logs: () => readonly Log[];
}

/** Each line a JSON object. */
const logsOf = (text: string): readonly Log[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Log);

/** Waits for something that comes about by itself. */
async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined>,
  ms = 10_000,
): Promise<T> {
  for (const deadline = Date.now() + ms; ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error('It has not come about.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Starts the server program, on a free port unless told otherwise, and waits until it serves. */
async function serve(args: readonly string[] = [], env: Environment = {}): Promise<Served> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const started = run(['serve', ...port, ...args], { MINTS: '0', LOG_LEVEL: 'info', ...env });
  let ended = false;
  void started.exit.then(() => {
    ended = true;
  });
  const url = await eventually(() => {
    if (ended) throw new Error(`It ended: ${started.stderr()}`);
    return /"url":"(http:[^"]+)"/.exec(started.stdout())?.[1];
  });
  return { ...started, url, logs: () => logsOf(started.stdout()) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const poolState = (programId: string = HEAVEN_PROGRAM_ADDRESS) =>
  JSON.stringify({ program_id: programId, mint: ledger.pools.creator.mint });
const post = async (
  url: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const get = async (url: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const codeOf = (text: string) => (JSON.parse(text) as { error: { code: string } }).error.code;

interface Payload {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An RPC node on a port of this machine, over the ledger. */
interface Node {
  readonly port: number;
  readonly url: string;
  readonly payloads: Payload[];
  /** What it does in place of answering. */
  instead:
    | ((
        payload: Payload,
      ) => Promise<
        { status?: number; statusText?: string; headers?: Record<string, string>; body: string } | undefined
      >)
    | undefined;
  stop(): Promise<void>;
}

async function startNode(port = 0): Promise<Node> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    // A redirection arrives without one.
    if (text === '') return void response.writeHead(400).end();
    const payload = parse(text, null, BigInt as never) as unknown as Payload;
    node.payloads.push(payload);
    const other = await node.instead?.(payload);
    const {
      status = 200,
      statusText,
      headers = {},
      body,
    } = other ?? { body: stringify(await ledger.transport({ payload } as never)) };
    response.writeHead(status, statusText, { ...JSON_TYPE, ...headers }).end(body);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  const node: Node = {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    payloads: [],
    instead: undefined,
    stop: async () => {
      nodes.delete(node);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  nodes.add(node);
  return node;
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const node = await startNode();
  await node.stop();
  return node.port;
}

const until = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

/** Each option with its environment variable, its default as the help shows it, and values that it can't have. */
const OPTIONS: readonly (readonly [
  flag: string,
  env: string,
  fallback: string | undefined,
  wrong: readonly string[],
])[] = [
  ['--rpc-url', 'RPC_URL', 'the embedded ledger', ['node.example']],
  ['--port', 'PORT', '3000', ['65536', 'http']],
  ['--host', 'HOST', '127.0.0.1', []],
  ['--program-ids', 'PROGRAM_IDS', 'mainnet’s', [`${HEAVEN_PROGRAM_ADDRESS},heaven`]],
  ['--commitment', 'COMMITMENT', 'confirmed', ['fast']],
  ['--rpc-timeout', 'RPC_TIMEOUT_MS', '10000', ['0']],
  ['--rpc-attempt', 'RPC_ATTEMPT_MS', '3000', ['1e3']],
  ['--rpc-max-response', 'RPC_MAX_RESPONSE_BYTES', '16777216', ['0']],
  ['--rpc-calls', 'RPC_CALLS', '8', ['0']],
  ['--cache', 'CACHE_MS', '150', ['1.5']],
  ['--blockhash-cache', 'BLOCKHASH_MS', '2000', ['30001']],
  ['--mints', 'MINTS', '2', ['1001']],
  ['--max-body', 'MAX_BODY_BYTES', '65536', ['64k']],
  ['--timeout', 'REQUEST_TIMEOUT_MS', '30000', ['0']],
  ['--cors', 'CORS_ORIGINS', '*', ['https://app.example/path']],
  ['--cors-headers', 'CORS_HEADERS', 'content-type', ['x api key']],
  ['--max-waiting', 'MAX_WAITING', '1000', ['0', 'many']],
  ['--rate-limit', 'RATE_LIMIT', '0', ['some']],
  ['--rate-limit-redis-url', 'RATE_LIMIT_REDIS_URL', 'none', ['host:6379']],
  ['--trusted-proxies', 'TRUSTED_PROXIES', '0', ['11']],
  ['--metrics-port', 'METRICS_PORT', '0', ['65536']],
  ['--log-level', 'LOG_LEVEL', undefined, ['loud']],
  ['--grace', 'GRACE_MS', '10000', [' 1']],
];

describe('options', () => {
  test('the help names each, with its environment variable and default', async () => {
    const help = run(['serve', '--help']);
    expect(await help.exit).toEqual({ code: 0, signal: null });
    const text = help.stdout().replace(/\s+/g, ' ');
    for (const [flag, env, fallback] of OPTIONS) {
      const start = text.indexOf(` ${flag} <`);
      expect(start, flag).toBeGreaterThan(0);
      const end = text.indexOf(' --', start + 1);
      const said = text.slice(start, end < 0 ? undefined : end);
      expect(said, flag).toContain(`env: ${env})`);
      if (fallback !== undefined) expect(said, flag).toContain(`(default: ${fallback}`);
    }
    const named = [...help.stdout().matchAll(/^ {2}(?:--?[a-z-]+, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(named.sort()).toEqual([...OPTIONS.map(([flag]) => flag), '--help'].sort());
    for (const line of help.stdout().split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(help.stderr()).toBe('');
  });

  const wrongs = OPTIONS.flatMap(([flag, env, , values]) =>
    values.map((value) => [flag, env, value] as const),
  );
  test('rejects an invalid value, and names its option', async () => {
    const waiting: (readonly [args: readonly string[], env: Environment, name: string])[] = [
      ...wrongs.map(([flag, , value]) => [[`${flag}=${value}`], {}, flag] as const),
      ...wrongs
        .filter((_, index) => index % 7 === 0)
        .map(([, env, value]) => [[], { [env]: value }, env] as const),
      [['--nonsense'], {}, '--nonsense'],
      [['nonsense'], {}, 'argument'],
    ];
    // A few at a time: each is a process.
    const work = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [args, env, name] = next;
        const failed = run(['serve', ...args], env);
        const { code } = await failed.exit;
        expect({ name, code, stdout: failed.stdout() }).toEqual({ name, code: 1, stdout: '' });
        expect(failed.stderr(), name).toContain(name);
        expect(failed.stderr(), name).not.toMatch(/\n\s+at |node_modules|undefined/);
      }
    };
    await Promise.all([work(), work(), work()]);
  }, 60_000);

  test.each([
    ['--port', 'PORT'],
    ['--metrics-port', 'METRICS_PORT'],
  ])('a %s in use: says so, names %s=, and ends', async (flag, variable) => {
    const { port } = await startNode();
    const ports = { '--port': '0', [flag]: String(port) };
    const failed = run(['serve', ...Object.entries(ports).flat()]);
    expect(await failed.exit).toEqual({ code: 1, signal: null });
    expect(failed.stderr()).toBe(
      `heaven-pools could not start: Port ${port} is in use. Stop the program that uses it, or choose another port with ${variable}=.\n`,
    );
    expect(failed.stdout()).toBe('');
  });

  test('a flag overrides its variable, and an empty variable counts as unset', async () => {
    const empty = Object.fromEntries(OPTIONS.map(([, env]) => [env, '']));
    const taken = await startNode();
    const { url, logs } = await serve(
      ['--cors', 'https://flag.example', '--max-body', '300', '--log-level', 'info'],
      {
        ...empty,
        MINTS: '0',
        PORT: String(taken.port),
        CORS_ORIGINS: 'https://variable.example',
        MAX_BODY_BYTES: '1',
        LOG_LEVEL: 'silent',
      },
    );
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(url).not.toContain(String(taken.port));
    const origin = 'https://flag.example';
    const { status, headers } = await post(url, '/data/pool-state', poolState(), { origin });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect((await post(url, '/data/pool-state', ' '.repeat(301))).status).toBe(413);
    expect((await get(url, '/metrics')).status).toBe(200);
    await eventually(() => logs().some(({ path }) => path === '/data/pool-state'));
    expect(taken.payloads).toEqual([]);
  });

  test('--rpc and --program-id are the other commands’ names for two of them', async () => {
    const node = await startNode();
    const { url } = await serve(['--rpc', node.url, '--program-id', OTHER_PROGRAM]);
    const other = await post(url, '/data/pool-state', poolState(OTHER_PROGRAM));
    expect([other.status, codeOf(other.text)]).toEqual([404, 'pool-not-found']);
    expect(node.payloads.length).toBeGreaterThan(0);
    expect(codeOf((await post(url, '/data/pool-state', poolState())).text)).toBe('unknown-program-id');
  });

  test('each does what it says', async () => {
    const node = await startNode();
    const { url } = await serve([], {
      RPC_URL: node.url,
      PROGRAM_IDS: `${HEAVEN_PROGRAM_ADDRESS}, ${OTHER_PROGRAM}`,
      COMMITMENT: 'processed',
      RPC_TIMEOUT_MS: '1000',
      CACHE_MS: '60000',
      BLOCKHASH_MS: '30000',
      MAX_BODY_BYTES: '2000',
      REQUEST_TIMEOUT_MS: '5000',
      CORS_ORIGINS: 'none',
      RATE_LIMIT: '',
    });
    const first = await post(url, '/data/pool-state', poolState(), { origin: 'https://app.example' });
    expect(first.status).toBe(200);
    expect(first.headers.get('access-control-allow-origin')).toBeNull();
    expect(node.payloads.length).toBe(1);
    expect(node.payloads[0]).toMatchObject({
      method: 'getMultipleAccounts',
      params: [expect.anything(), { commitment: 'processed' }],
    });
    // From memory.
    expect((await post(url, '/data/pool-state', poolState())).text).toBe(first.text);
    expect(node.payloads.length).toBe(1);
    // The other program is served, though it has no such pool; a third one is not.
    const other = await post(url, '/data/pool-state', poolState(OTHER_PROGRAM));
    expect([other.status, codeOf(other.text)]).toEqual([404, 'pool-not-found']);
    const third = await post(url, '/data/pool-state', poolState('11111111111111111111111111111112'));
    expect([third.status, codeOf(third.text)]).toEqual([422, 'unknown-program-id']);
    expect(third.text).toContain(OTHER_PROGRAM);
    expect((await post(url, '/data/pool-state', ' '.repeat(2_001))).status).toBe(413);
    // A node that does not answer.
    node.instead = () => new Promise(() => {});
    const mint = ledger.pools.community.mint;
    const slow = await post(
      url,
      '/data/pool-state',
      JSON.stringify({ program_id: HEAVEN_PROGRAM_ADDRESS, mint }),
    );
    expect([slow.status, codeOf(slow.text)]).toEqual([504, 'rpc-timeout']);
  });
});

/** Prometheus’ text: each family’s kind, and the samples by their name and labels. */
function parseMetrics(text: string) {
  const kinds = new Map<string, string>();
  const helps = new Set<string>();
  const samples = new Map<string, number>();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const help = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/.exec(line);
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    const sample = /^([a-zA-Z_:][\w:]*)(\{[^{}]*\})? (\S+)$/.exec(line);
    if (help) {
      expect(helps.has(help[1]!), line).toBe(false);
      helps.add(help[1]!);
    } else if (type) {
      expect(kinds.has(type[1]!), line).toBe(false);
      kinds.set(type[1]!, type[2]!);
    } else {
      expect(sample, line).not.toBeNull();
      const [, name = '', labels = '', value = ''] = sample!;
      if (labels !== '')
        expect(labels).toMatch(
          /^\{[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(,[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*")*\}$/,
        );
      const family = kinds.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
      // What it is is said before.
      expect(kinds.has(family) && helps.has(family), line).toBe(true);
      if (family !== name) expect(['histogram', 'summary']).toContain(kinds.get(family));
      const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
      expect(
        /^nan$/i.test(value) || Number.isFinite(number) || number === Number.POSITIVE_INFINITY,
        line,
      ).toBe(true);
      expect(samples.has(name + labels), line).toBe(false);
      if (kinds.get(family) === 'counter') expect(number).toBeGreaterThanOrEqual(0);
      samples.set(name + labels, number);
    }
  }
  expect([...kinds.keys()].sort()).toEqual([...helps].sort());
  for (const [key, value] of samples) {
    const infinite = /^(\w+)_bucket\{le="\+Inf"(?:,(.*))?\}$/.exec(key);
    if (infinite)
      expect(samples.get(`${infinite[1]}_count${infinite[2] ? `{${infinite[2]}}` : ''}`)).toBe(value);
  }
  return { kinds, sample: (key: string) => samples.get(key) ?? 0 };
}

describe('on the embedded ledger', () => {
  test('serves the interface, and stops when told to', async () => {
    const served = await serve();
    const { url } = served;
    expect((await get(url, '/healthz')).text).toBe('{"status":"ok"}');
    expect((await get(url, '/readyz')).text).toBe('{"status":"ready"}');
    expect((await get(url, '/')).text).toMatch(/^<!doctype html>/);
    const document = JSON.parse((await get(url, '/openapi.json')).text) as { readonly paths: object };
    expect(Object.keys(document.paths).sort()).toEqual(Object.values(paths).sort());
    const { status, text } = await post(url, '/data/pool-state', poolState());
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveProperty('info');
    served.child.kill('SIGTERM');
    expect(await served.exit).toEqual({ code: 0, signal: null });
    await expect(get(url, '/healthz')).rejects.toThrow();
    expect(served.stderr()).toBe('');
  });

  test('is a node at /rpc, whose slot follows the time', async () => {
    const { url, logs } = await serve([], { CORS_ORIGINS: 'https://app.example', MAX_BODY_BYTES: '2000' });
    const rpc = (body: string, headers = {}) => post(url, '/rpc', body, headers);
    const ask = async (method: string) =>
      parse((await rpc(`{"jsonrpc":"2.0","id":1,"method":"${method}"}`)).text, null, BigInt as never) as {
        readonly result: bigint;
      };
    const { result: slot } = await ask('getSlot');
    expect(slot).toBeGreaterThanOrEqual(411_354_049n);
    await eventually(async () => (await ask('getSlot')).result > slot + 1n || undefined);

    const answered = await rpc('{"jsonrpc":"2.0","id":"a","method":"getHealth"}', {
      origin: 'https://app.example',
      'x-request-id': 'mine-9',
    });
    expect([answered.status, answered.text]).toEqual([200, '{"jsonrpc":"2.0","result":"ok","id":"a"}']);
    expect(answered.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(answered.headers.get('x-request-id')).toBe('mine-9');
    expect(await eventually(() => logs().find(({ requestId }) => requestId === 'mine-9'))).toMatchObject({
      path: '/rpc',
      status: 200,
    });
    expect((await rpc('{')).text).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
    );
    expect((await rpc('{"jsonrpc":"2.0","method":"getSlot"}')).text).toBe('');
    expect((await rpc(`"${'x'.repeat(2_000)}"`)).status).toBe(413);
    expect((await rpc('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    const wrong = await get(url, '/rpc');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const preflight = await fetch(`${url}/rpc`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
  });

  test('has no /rpc if a node is configured', async () => {
    const node = await startNode();
    const { url } = await serve([], { RPC_URL: node.url });
    const { status, text } = await post(url, '/rpc', '{"jsonrpc":"2.0","id":1,"method":"getHealth"}');
    expect([status, codeOf(text)]).toEqual([404, 'unknown-path']);
    expect(node.payloads).toEqual([]);
  });

  /** Starts it as a person does, without a word about its log, and waits for the last line of the screen. */
  const startScreen = async (env: Environment = {}) => {
    const started = run(['serve', '--port', '0'], { MINTS: '0', ...env });
    await eventually(() => started.stdout().endsWith('Ctrl-C stops it.\n'), 60_000);
    return started;
  };

  test('prints one screen: where it serves, a quote and a transaction in words, and what to try next', async () => {
    const started = await startScreen();
    const lines = started.stdout().split('\n');
    const url = / at (http:\S+)$/.exec(lines[0] ?? '')?.[1] ?? '';
    expect(lines[0]).toBe(`heaven-pools serves the embedded ledger (sample pools, no network) at ${url}`);
    expect(lines.at(-2)).toBe(`Serving at ${url}. Ctrl-C stops it.`);
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(lines).toContain(`Every path, with its fields and an example: ${url}/`);
    expect(lines).toContain('  1.5 SOL buys about 98,415.3 LIGHT, at least 97,923.2.');
    expect(lines).toContain(
      '  7. Exchange: buy: pay at most 1.5 SOL for at least 97,923.235301757 of LIGHT.',
    );
    expect(started.stdout()).toMatch(/^ {2}npm run dapp .*\n {2}npm test /m);
    // Neither colours, nor the two requests in the log.
    for (const text of ['\u001b', '"level"']) expect(started.stdout()).not.toContain(text);
    const [, command = ''] = /^ {2}(curl .*)$/m.exec(started.stdout()) ?? [];
    const answer = execFileSync('bash', ['-c', `${command} --silent --fail`], { encoding: 'utf8' });
    expect(answer).toContain('"minimum_out":97923235301757,');
    started.child.kill('SIGTERM');
    expect(await started.exit).toEqual({ code: 0, signal: null });
    expect(started.stderr()).toBe('');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints nothing more after %s',
    async (signal) => {
      const idle = await startScreen();
      const shown = idle.stdout();
      idle.child.kill(signal);
      expect(await idle.exit).toEqual({ code: 0, signal: null });
      expect([idle.stdout(), idle.stderr()]).toEqual([shown, '']);

      // Before the screen is complete: it is printed as a whole or not at all.
      const busy = run(['serve', '--port', '0'], { MINTS: '0' });
      await eventually(() => busy.stdout().includes('\n'));
      busy.child.kill(signal);
      expect(await busy.exit).toEqual({ code: 0, signal: null });
      expect(busy.stdout()).toMatch(/^heaven-pools serves .*\n(Every path[\s\S]*Ctrl-C stops it\.\n)?$/);
      expect(busy.stderr()).toBe('');
    },
    90_000,
  );

  test('its logs are a JSON object in each line', async () => {
    const served = await serve();
    const { url, logs } = served;
    await post(url, '/data/pool-state', poolState(), { 'x-request-id': 'mine-1' });
    await post(url, '/quote/buy', '{', { 'x-request-id': 'mine-2' });
    await get(url, `/nowhere?key=${SECRET}`, { 'x-request-id': 'mine-3' });
    await get(url, '/healthz', {
      authorization: SECRET,
      'x-request-id': `${SECRET} "\n{}`.replace('\n', ''),
    });
    served.child.kill('SIGINT');
    expect(await served.exit).toEqual({ code: 0, signal: null });
    const requests = logs().filter(({ requestId }) => requestId !== undefined);
    expect(
      requests.map(({ requestId, method, path, status, code }) => [requestId, method, path, status, code]),
    ).toEqual([
      ['mine-1', 'POST', '/data/pool-state', 200, undefined],
      ['mine-2', 'POST', '/quote/buy', 400, 'malformed-json'],
      ['mine-3', 'GET', 'unknown', 404, 'unknown-path'],
      [expect.any(String), 'GET', '/healthz', 200, undefined],
    ]);
    for (const { level, time, durationMs, clientAddress, error } of requests) {
      expect([level, clientAddress, error]).toEqual([30, '127.0.0.1', undefined]);
      expect(time).toBeTypeOf('number');
      expect(durationMs).toBeTypeOf('number');
    }
    expect(served.stdout()).not.toContain(SECRET);
    expect(logs().every(({ level, msg }) => typeof level === 'number' && typeof msg === 'string')).toBe(true);
  });

  test('LOG_LEVEL=silent: nothing at all', async () => {
    const port = await freePort();
    const quiet = run(['serve', '--port', String(port)], { MINTS: '0', LOG_LEVEL: 'silent' });
    const url = `http://127.0.0.1:${port}`;
    let isUp = false;
    for (const deadline = Date.now() + 10_000; !isUp && Date.now() < deadline; ) {
      isUp = await get(url, '/healthz').then(
        () => true,
        () => false,
      );
      if (!isUp) await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect((await post(url, '/data/pool-state', poolState())).status).toBe(200);
    quiet.child.kill('SIGTERM');
    expect(await quiet.exit).toEqual({ code: 0, signal: null });
    expect([quiet.stdout(), quiet.stderr()]).toEqual(['', '']);
  });
});

describe('metrics', () => {
  const REQUESTS = 'heaven_http_requests_total';
  test('are Prometheus’ text, and count', async () => {
    const { url } = await serve(['--mints', '1'], { CACHE_MS: '60000' });
    const read = async () => {
      const { status, headers, text } = await get(url, '/metrics');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4; charset=utf-8$/);
      return parseMetrics(text);
    };
    const before = await read();
    expect(Object.fromEntries([...before.kinds].filter(([name]) => name.startsWith('heaven_')))).toEqual({
      heaven_http_requests_total: 'counter',
      heaven_http_request_duration_seconds: 'histogram',
      heaven_reads_total: 'counter',
      heaven_rpc_calls_total: 'counter',
      heaven_rpc_call_duration_seconds: 'histogram',
      heaven_rpc_slot: 'gauge',
      heaven_rpc_node_failures_total: 'counter',
      heaven_log_lines_dropped_total: 'counter',
      heaven_mints_ready: 'gauge',
    });
    expect(before.kinds.has('process_cpu_seconds_total')).toBe(true);
    for (let count = 0; count < 3; count++) await post(url, '/data/pool-state', poolState());
    await post(url, '/data/pool-state', '{');
    await get(url, '/nowhere/"quotes"\\');
    await get(url, '/other');
    const after = await read();
    const grown = (key: string) => after.sample(key) - before.sample(key);
    expect(grown(`${REQUESTS}{path="/data/pool-state",status="200"}`)).toBe(3);
    expect(grown(`${REQUESTS}{path="/data/pool-state",status="400"}`)).toBe(1);
    expect(grown(`${REQUESTS}{path="unknown",status="404"}`)).toBe(2);
    expect(grown(`${REQUESTS}{path="/metrics",status="200"}`)).toBe(1);
    expect(grown('heaven_http_request_duration_seconds_count{path="/data/pool-state"}')).toBe(4);
    expect(after.sample('heaven_http_request_duration_seconds_sum{path="/data/pool-state"}')).toBeGreaterThan(
      0,
    );
    expect(grown('heaven_reads_total{method="getMultipleAccounts",from="new-call"}')).toBe(1);
    expect(grown('heaven_reads_total{method="getMultipleAccounts",from="cache"}')).toBe(2);
    expect(grown('heaven_rpc_calls_total{method="getMultipleAccounts",outcome="ok"}')).toBe(1);
    expect(grown('heaven_rpc_call_duration_seconds_count{method="getMultipleAccounts"}')).toBe(1);
    // The ledger moves on while it is served.
    const now = JSON.parse((await post(url, '/rpc', '{"jsonrpc":"2.0","id":1,"method":"getSlot"}')).text);
    expect(after.sample('heaven_rpc_slot')).toBeGreaterThanOrEqual(Number(ledger.slot));
    expect(after.sample('heaven_rpc_slot')).toBeLessThanOrEqual(now.result);
  });

  test('move to a port of their own', async () => {
    const port = await freePort();
    const { url, child, exit } = await serve([], { METRICS_PORT: String(port) });
    await post(url, '/data/pool-state', poolState());
    expect((await get(url, '/metrics')).status).toBe(404);
    const { status, text } = await get(`http://127.0.0.1:${port}`, '/metrics');
    expect(status).toBe(200);
    const { sample, kinds } = parseMetrics(text);
    expect(sample(`${REQUESTS}{path="/data/pool-state",status="200"}`)).toBe(1);
    // Without a supply there is no metric of it.
    expect(kinds.has('heaven_mints_ready')).toBe(false);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
    await expect(get(`http://127.0.0.1:${port}`, '/metrics')).rejects.toThrow();
  });
});

describe('RATE_LIMIT', () => {
  test('counts each address by the minute, and no probes', async () => {
    const { url, logs } = await serve([], { RATE_LIMIT: '3', TRUSTED_PROXIES: '1' });
    const ask = async (address: string, spoofed = '') =>
      await post(url, '/data/pool-state', poolState(), {
        'x-forwarded-for': `${spoofed}${address}`,
      });
    for (let count = 0; count < 3; count++) expect((await ask('192.0.2.1')).status).toBe(200);
    const refused = await ask('192.0.2.1');
    expect([refused.status, codeOf(refused.text)]).toEqual([429, 'rate-limited']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
    // Another name in front helps nobody, and others are served.
    expect((await ask('192.0.2.1', '198.51.100.9, ')).status).toBe(429);
    expect((await ask('192.0.2.2')).status).toBe(200);
    for (const path of ['/healthz', '/readyz'])
      expect((await get(url, path, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
    const asked = await post(url, '/rpc', '{}', { 'x-forwarded-for': '192.0.2.1' });
    expect([asked.status, Number(asked.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const noted = await eventually(() => logs().find(({ status }) => status === 429));
    expect(noted).toMatchObject({ level: 30, code: 'rate-limited', clientAddress: '192.0.2.1' });
  });

  test('counts an IPv6 /48 network as 16 of its /64 networks', async () => {
    const { url } = await serve([], { RATE_LIMIT: '1', TRUSTED_PROXIES: '1' });
    const ask = async (address: string) =>
      (await post(url, '/data/pool-state', poolState(), { 'x-forwarded-for': address })).status;
    for (let subnet = 0; subnet < 16; subnet++) expect(await ask(`2001:db8:1:${subnet}::7`)).toBe(200);
    expect(await ask('2001:db8:1:16::7')).toBe(429);
    expect(await ask('2001:db8:2:16::7')).toBe(200);
  });
});

describe('stopping', () => {
  const inFlight = async (env: Environment = {}) => {
    const node = await startNode();
    const gate = until();
    node.instead = async () => {
      await gate.opened;
      return undefined;
    };
    const served = await serve([], { RPC_URL: `${node.url}/${SECRET}`, ...env });
    const answer = post(served.url, '/data/pool-state', poolState(), { 'x-request-id': 'in-flight' }).catch(
      (error: unknown) => error,
    );
    await eventually(() => node.payloads.length > 0);
    return { served, gate, answer };
  };

  /** Waits until there are no new connections. */
  const refused = async (url: string) => {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
      const isRefused = await get(url, '/healthz').then(
        () => false,
        () => true,
      );
      if (isRefused) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('It still takes connections.');
  };

  test.each(['SIGTERM', 'SIGINT'] as const)('%s: finishes what is in flight', async (signal) => {
    const { served, gate, answer } = await inFlight();
    served.child.kill(signal);
    await refused(served.url);
    gate.open();
    expect(await answer).toMatchObject({ status: 200 });
    expect(((await answer) as { headers: Headers }).headers.get('connection')).toBe('close');
    expect(await served.exit).toEqual({ code: 0, signal: null });
    // Nothing of the logs is lost.
    expect(served.logs().filter(({ requestId }) => requestId === 'in-flight')).toHaveLength(1);
    expect(served.stdout()).not.toContain(SECRET);
  });

  test('a second signal: at once, unless both come from one Ctrl-C', async () => {
    const { served, answer } = await inFlight();
    served.child.kill('SIGINT');
    served.child.kill('SIGTERM');
    await refused(served.url);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(served.child.exitCode).toBeNull();
    const started = performance.now();
    served.child.kill('SIGTERM');
    const { code } = await served.exit;
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(code).toBe(1);
    expect(await answer).toBeInstanceOf(Error);
  });

  test('does not wait for requests in flight too long', async () => {
    const { served, answer } = await inFlight({ GRACE_MS: '100' });
    const started = performance.now();
    served.child.kill('SIGTERM');
    expect(await served.exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(await answer).toBeInstanceOf(Error);
  });
});

describe('nodes that fail', () => {
  const UNCACHED = { CACHE_MS: '0', BLOCKHASH_MS: '0' };

  test('asks another node until the first is back', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { url, logs, stdout } = await serve([], {
      ...UNCACHED,
      RPC_URL: `${first.url}/${SECRET}, ${second.url}/?api-key=${SECRET}`,
      RPC_ATTEMPT_MS: '3000',
    });
    const ask = async () => (await post(url, '/data/pool-state', poolState())).status;
    expect(await ask()).toBe(200);
    expect([first.payloads.length, second.payloads.length]).toEqual([1, 0]);

    await first.stop();
    for (let count = 0; count < 3; count++) expect(await ask()).toBe(200);
    expect(second.payloads.length).toBe(3);
    expect((await get(url, '/readyz')).status).toBe(200);
    const { sample } = parseMetrics((await get(url, '/metrics')).text);
    expect(sample('heaven_rpc_node_failures_total{node="0",method="getMultipleAccounts"}')).toBeGreaterThan(
      0,
    );

    const again = await startNode(first.port);
    const deadline = Date.now() + 10_000;
    while (again.payloads.length === 0 && Date.now() < deadline) {
      expect(await ask()).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(again.payloads.length).toBeGreaterThan(0);
    const asked = second.payloads.length;
    for (let count = 0; count < 3; count++) expect(await ask()).toBe(200);
    expect(second.payloads.length).toBe(asked);
    const noted = await eventually(() => logs().find(({ node }) => node === 0));
    expect(noted).toMatchObject({ level: 40, method: 'getMultipleAccounts' });
    expect(stdout()).not.toContain(SECRET);
  });

  test('does not wait for a node that hangs', async () => {
    const [first, second] = [await startNode(), await startNode()];
    first.instead = () => new Promise(() => {});
    const { url } = await serve([], {
      ...UNCACHED,
      RPC_URL: `${first.url},${second.url}`,
      RPC_ATTEMPT_MS: '400',
    });
    const started = performance.now();
    expect((await post(url, '/data/pool-state', poolState())).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect([first.payloads.length, second.payloads.length]).toEqual([1, 1]);
  });

  test('reveals the key in an RPC URL to nobody, however the node fails', async () => {
    const node = await startNode();
    const served = await serve(['--log-level', 'trace'], {
      ...UNCACHED,
      RPC_URL: `${node.url}/v2/${SECRET}?api-key=${SECRET}#${SECRET}`,
      RPC_TIMEOUT_MS: '1000',
    });
    const { url } = served;
    const seen: string[] = [];
    const ask = async (status: number) => {
      const answers = await Promise.all([
        post(url, '/data/pool-state', poolState()),
        get(url, '/readyz'),
        get(url, '/metrics'),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([status, status === 200 ? 200 : 503, 200]);
      for (const { text, headers } of answers) seen.push(text, JSON.stringify([...headers]));
    };
    await ask(200);
    const body = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no ${SECRET}","data":"${SECRET}"},"id":"0"}`;
    for (const [instead, status] of [
      [{ status: 500, body: `at /v2/${SECRET}` }, 502],
      [{ status: 500, statusText: `no /v2/${SECRET}`, body: '' }, 502],
      [{ status: 401, body: `{"message":"invalid api key ${SECRET}"}` }, 502],
      [{ status: 429, headers: { 'retry-after': '2' }, body: SECRET }, 502],
      [{ status: 200, body: `<html>${SECRET}</html>` }, 502],
      [{ status: 200, body }, 502],
      [{ status: 302, headers: { location: `/v3/${SECRET}` }, body: '' }, 502],
    ] as const) {
      node.instead = async () => instead;
      await ask(status);
    }
    node.instead = () => new Promise(() => {});
    await ask(504);
    await node.stop();
    await ask(502);
    served.child.kill('SIGTERM');
    await served.exit;
    // Errors are logged as what they are.
    const failures = served.logs().filter(({ error }) => error !== undefined);
    expect(failures.length).toBeGreaterThanOrEqual(8);
    for (const { level, requestId, path, status, code, error } of failures) {
      expect([level, path]).toEqual([50, '/data/pool-state']);
      expect([502, 504]).toContain(status);
      expect(requestId).toBeTypeOf('string');
      expect(error).toMatchObject({ code, message: expect.any(String) });
      expect(error).not.toHaveProperty('stack');
    }
    for (const text of [...seen, served.stderr()]) expect(text).not.toContain(SECRET);
    expect(served.stdout()).not.toContain(`api-key=${SECRET}`);
    expect(served.stdout()).not.toContain(`/v2/${SECRET}`);
    // Where it reads from is said without it.
    expect(served.logs()[0]?.msg).toContain(`127.0.0.1:${node.port}`);
  });
});

describe('a mint supply', () => {
  const supplies: MintSupply[] = [];
  const supplyOf = (config: Parameters<typeof createMintSupply>[0]) => {
    const supply = createMintSupply(config);
    supplies.push(supply);
    return supply;
  };
  afterEach(async () => {
    await Promise.all(supplies.splice(0).map((supply) => supply.close()));
  });
  const take = (supply: MintSupply, abortSignal?: AbortSignal) => supply.mintSigner({ abortSignal } as never);

  test('is filled up to its size, and again', async () => {
    const supply = supplyOf({ size: 3, suffix: '7' });
    await eventually(() => supply.ready === 3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(supply.ready).toBe(3);
    const { address } = await take(supply);
    expect(address).toMatch(/7$/);
    await eventually(() => supply.ready === 3);
  });

  test('gives each mint out once', async () => {
    const supply = supplyOf({ size: 2, suffix: '7' });
    // Some are ready, most are waited for, and some are asked for later.
    await eventually(() => supply.ready > 0);
    const first = await Promise.all(Array.from({ length: 12 }, () => take(supply)));
    const others: (typeof first)[number][] = [];
    for (let count = 0; count < 6; count++) others.push(await take(supply));
    const addresses = [...first, ...others].map(({ address }) => address);
    expect(new Set(addresses).size).toBe(18);
    for (const address of addresses) expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{31,43}7$/);
  });

  test('searches for each mint on request without mints in store', async () => {
    const supply = supplyOf({ size: 0, suffix: '' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(supply.ready).toBe(0);
    const [one, two] = await Promise.all([take(supply), take(supply)]);
    expect(one.address).not.toBe(two.address);
    expect(supply.ready).toBe(0);
  });

  test('its signers sign', async () => {
    const supply = supplyOf({ size: 1, suffix: '7' });
    const signer = await take(supply);
    const payer = ledger.pools.creator.creator;
    const transaction = pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(payer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: payer as string as Blockhash, lastValidBlockHeight: 5n },
          message,
        ),
      (message) =>
        appendTransactionMessageInstructions(
          [{ programAddress: HEAVEN_PROGRAM_ADDRESS, accounts: [{ address: signer.address, role: 3 }] }],
          message,
        ),
      (message) => compileTransaction(message),
    );
    const [signatures] = await signer.signTransactions([transaction as never]);
    expect(Object.keys(signatures!)).toEqual([signer.address]);
    const key = await getPublicKeyFromAddress(signer.address);
    const signature = signatures![signer.address]!;
    expect(await verifySignature(key, signature, transaction.messageBytes)).toBe(true);
    const altered = Uint8Array.from(transaction.messageBytes);
    altered[10]! ^= 1;
    expect(await verifySignature(key, signature, altered)).toBe(false);
  });

  test('an aborted request does not wait, and consumes no mint', async () => {
    // Seven characters are never found.
    const supply = supplyOf({ size: 0, suffix: '7777777' });
    const controller = new AbortController();
    const waiting = take(supply, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await expect(take(supply, AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });

    const plenty = supplyOf({ size: 0, suffix: '7' });
    const leaving = new AbortController();
    const left = take(plenty, leaving.signal).catch((error: unknown) => error);
    const staying = take(plenty);
    leaving.abort();
    expect(await left).toMatchObject({ code: 'aborted' });
    expect((await staying).address).toMatch(/7$/);
    // What was searched for in vain is there for the next.
    await eventually(() => plenty.ready === 1);
    expect((await take(plenty)).address).toMatch(/7$/);
  });

  test('a signal that fires later does not affect a mint already given', async () => {
    const supply = supplyOf({ size: 1, suffix: '' });
    const controller = new AbortController();
    const signer = await take(supply, controller.signal);
    controller.abort();
    expect(signer.address).toBeTypeOf('string');
    expect((await take(supply)).address).not.toBe(signer.address);
  });

  test('closes in the middle of a search, and more than once', async () => {
    const supply = supplyOf({ size: 2, suffix: '7777777' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    await supply.close();
    await supply.close();
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(supply.ready).toBe(0);
  });

  test('searches on request once it is closed', async () => {
    const supply = supplyOf({ size: 2, suffix: '7' });
    await eventually(() => supply.ready === 2);
    await supply.close();
    expect(supply.ready).toBe(0);
    expect((await take(supply)).address).toMatch(/7$/);
  });

  test('reports a failed search, and does not end the program', async () => {
    const errors: unknown[] = [];
    const supply = supplyOf({ size: 1, suffix: '0', observe: (error) => errors.push(error) });
    await eventually(() => errors.length > 0);
    expect(errors).toHaveLength(1);
    await expect(take(supply)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('searches on request for a mint whose thread ends without it', async () => {
    const other = mkdtempSync(`${bundle}/`);
    for (const name of readdirSync(bundle).filter((file) => file.endsWith('.js')))
      cpSync(`${bundle}/${name}`, `${other}/${name}`);
    writeFileSync(`${other}/mint-worker.js`, 'process.exit(3);');
    const dying: typeof import('../../src/node/index.js') = await import(
      pathToFileURL(`${other}/index.js`).href
    );
    const errors: unknown[] = [];
    const supply = dying.createMintSupply({
      size: 1,
      suffix: '7',
      observe: (error) => errors.push(error),
    });
    supplies.push(supply);
    // It waits for the thread.
    expect((await take(supply)).address).toMatch(/7$/);
    expect(errors[0]).toEqual(new Error('The search for a mint address ended with code 3.'));
    expect((await take(supply)).address).toMatch(/7$/);
    expect(supply.ready).toBe(0);
  });

  test('has mints that end in 777, unless configured otherwise', async () => {
    expect((await usualMint).address).toMatch(/777$/);
  }, 120_000);
});
