import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { COMMUNITY_LOOKUP_TABLE_ADDRESS, HEAVEN_PROGRAM_ADDRESS } from '../../src/program/index.js';
import { type BundledCli, bundleCli } from './cli-support.js';

let cli: BundledCli;
let folder: string;
beforeAll(async () => {
  cli = await bundleCli();
  folder = mkdtempSync(`${cli.folder}/`);
});
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});
afterAll(() => {
  cli.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A server in a process of its own. */
interface Served {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

interface ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdio?: StdioOptions;
  /** Another file to run. */
  readonly program?: string;
  /** What to start it with. Default: Node itself. */
  readonly command?: (
    node: string,
    args: readonly string[],
  ) => readonly [file: string, args: readonly string[]];
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function serve({
  env = {},
  stdio = ['ignore', 'ignore', 'inherit'],
  program = cli.path,
  command = (node, args) => [node, args],
}: ServeOptions = {}): Promise<Served> {
  const port = await freePort();
  const args = [program, 'serve', '--port', String(port)];
  const [file, given] = command(process.execPath, args);
  const child = spawn(file, given, {
    env: { PATH: process.env.PATH ?? '', MINTS: '0', LOG_LEVEL: 'info', ...env },
    stdio,
  });
  children.add(child);
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${url}/healthz`).then(({ ok }) => ok));
  return { url, port, child, exit };
}

/** Waits for something that comes about by itself. */
async function eventually(look: () => Promise<boolean> | boolean, ms = 20_000): Promise<void> {
  for (const deadline = Date.now() + ms; ; ) {
    if (await Promise.resolve(look()).catch(() => false)) return;
    if (Date.now() > deadline) throw new Error('It has not come about.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A keep-alive connection that counts what it sends and what is answered in full. */
interface KeptAlive {
  /** Sends a whole request. */
  readonly send: (path: string) => void;
  readonly sent: () => number;
  readonly answered: () => number;
  /** Whether the server said that this connection ends. */
  readonly isLast: () => boolean;
  /** Called after each answer. */
  onAnswer: () => void;
  readonly opened: Promise<unknown>;
  readonly closed: Promise<unknown>;
}

function keepAlive(port: number): KeptAlive {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const opened = new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A reset shows in what is missing.
  socket.on('error', () => {});
  let [sent, answered, isLast, text] = [0, 0, false, ''];
  const connection: KeptAlive = {
    send: (path) => {
      sent += 1;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    },
    sent: () => sent,
    answered: () => answered,
    isLast: () => isLast,
    onAnswer: () => {},
    opened,
    closed,
  };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = text.slice(0, end);
      const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1]);
      if (text.length < end + length) return;
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      text = text.slice(end + length);
      answered += 1;
      isLast ||= /^connection: close\r$/im.test(head);
      connection.onAnswer();
    }
  });
  return connection;
}

/** Asks so many times, a few at once, and gives how many were answered in time. */
async function ask(url: string, times: number): Promise<number> {
  let answered = 0;
  let asked = 0;
  const work = async () => {
    for (; asked < times; ) {
      asked += 1;
      const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) });
      if (ok) answered += 1;
    }
  };
  await Promise.allSettled([work(), work(), work(), work()]);
  return answered;
}

/** Sends requests whose lines, of some 160 bytes each, are more than a pipe and 1 MiB of waiting lines hold. All are answered. */
async function fillLog(port: number): Promise<void> {
  const connection = keepAlive(port);
  for (let count = 0; count < 16_000; count++) connection.send('/healthz');
  await eventually(() => connection.answered() === 16_000, 60_000);
}

const droppedLines = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^heaven_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

describe("a log that can't be written", () => {
  test.runIf(process.platform === 'linux')(
    'on a full disk: all are answered, and lines counted',
    async () => {
      const full = openSync('/dev/full', 'w');
      const { url, port, child, exit } = await serve({ stdio: ['ignore', full, 'inherit'] });
      closeSync(full);
      await fillLog(port);
      await eventually(async () => (await droppedLines(url)) > 0);
      expect(await ask(url, 120)).toBe(120);
      child.kill('SIGTERM');
      expect(await exit).toEqual({ code: 0, signal: null });
    },
  );

  test('at a file size limit: loses nothing, and is written again once there is room', async () => {
    const path = `${folder}/limited.log`;
    const log = openSync(path, 'a');
    const { url, child, exit } = await serve({
      stdio: ['ignore', log, 'inherit'],
      // In blocks of 512 bytes or 1 kB: for some hundreds of lines.
      command: (node, args) => ['/bin/sh', ['-c', 'ulimit -f 64 && exec "$0" "$@"', node, ...args]],
    });
    closeSync(log);
    expect(await ask(url, 600)).toBe(600);
    let text = '';
    const isFull = () => [64 * 512, 64 * 1_024].includes(statSync(path).size);
    await eventually(isFull);
    expect(await ask(url, 20)).toBe(20);
    await eventually(() => {
      // As log rotation does.
      if (isFull()) {
        text += readFileSync(path, 'utf8');
        truncateSync(path);
      }
      return (text + readFileSync(path, 'utf8')).split('"/healthz"').length > 620;
    });
    expect(await droppedLines(url)).toBe(0);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
    const lines = (text + readFileSync(path, 'utf8')).split('\n');
    for (const line of lines) if (line !== '') expect(JSON.parse(line)).toHaveProperty('msg');
    expect(lines.at(-2)).toContain('stopping');
  });

  test('to a pipe that nobody reads: keeps a bounded number of lines, and stops when told to', async () => {
    const { url, port, child, exit } = await serve({ stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.pause();
    await fillLog(port);
    await eventually(async () => (await droppedLines(url)) > 0);
    expect(await ask(url, 40)).toBe(40);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
  }, 120_000);

  test('to a reader that is gone: requests are answered, and a new reader gets the lines', async () => {
    const fifo = `${folder}/log.fifo`;
    execFileSync('mkfifo', [fifo]);
    // Open for reading as well, so that opening doesn't wait for a reader.
    const first = openSync(fifo, 'r+');
    const writing = openSync(fifo, 'w');
    const { url, child, exit } = await serve({ stdio: ['ignore', writing, 'inherit'] });
    closeSync(writing);
    closeSync(first);
    expect(await ask(url, 120)).toBe(120);
    const second = spawn('head', ['-n', '100', fifo], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.add(second);
    let text = '';
    second.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const read = new Promise((resolve) => second.once('close', resolve));
    await read;
    expect(text.split('\n').filter((line) => line.includes('"/healthz"')).length).toBeGreaterThan(90);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
  });
});

describe('stopping under load', () => {
  const open = async (port: number, count: number) => {
    const connections = Array.from({ length: count }, () => keepAlive(port));
    await Promise.all(connections.map(({ opened }) => opened));
    return connections;
  };
  const totals = (connections: readonly KeptAlive[]) => ({
    sent: connections.reduce((sum, { sent }) => sum + sent(), 0),
    answered: connections.reduce((sum, { answered }) => sum + answered(), 0),
  });

  test('40 busy connections: answers every request sent, and sends nothing after the last answer', async () => {
    const { port, child, exit } = await serve();
    const connections = await open(port, 40);
    for (const [index, connection] of connections.entries()) {
      // Short answers and long ones.
      const path = index % 4 === 0 ? '/openapi.json' : '/healthz';
      connection.onAnswer = () => {
        if (!connection.isLast()) connection.send(path);
      };
      connection.send(path);
    }
    await eventually(() => connections.every(({ answered }) => answered() >= 5));
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
    await Promise.all(connections.map(({ closed }) => closed));
    const { sent, answered } = totals(connections);
    expect(sent - answered).toBe(0);
    expect(connections.filter(({ isLast }) => !isLast())).toEqual([]);
  });

  test('answers a request sent on an idle connection just after the signal', async () => {
    const { port, child, exit } = await serve();
    const connections = await open(port, 40);
    for (const connection of connections) connection.send('/healthz');
    await eventually(() => connections.every(({ answered }) => answered() === 1));
    child.kill('SIGTERM');
    // The server has noticed: it takes no more connections.
    await eventually(() =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    for (const connection of connections) connection.send('/healthz');
    expect(await exit).toEqual({ code: 0, signal: null });
    await Promise.all(connections.map(({ closed }) => closed));
    expect(totals(connections)).toEqual({ sent: 80, answered: 80 });
    expect(connections.filter(({ isLast }) => !isLast())).toEqual([]);
  });

  test('idle connections do not delay it for long', async () => {
    const { port, child, exit } = await serve({ env: { GRACE_MS: '60000' } });
    const connections = await open(port, 10);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
    await Promise.all(connections.map(({ closed }) => closed));
  });
});

describe('RATE_LIMIT', () => {
  /** Asks once for each of some forwarded addresses, on one connection, and gives the statuses. */
  const askFrom = (port: number, addresses: readonly string[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      const statuses: number[] = [];
      let text = '';
      socket.on('data', (chunk: string) => {
        text += chunk;
        const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
        statuses.push(...heads.map(([, status]) => Number(status)));
        // What is left may have the beginning of another one.
        const last = heads.at(-1);
        text = text.slice(Math.max(last === undefined ? 0 : last.index + last[0].length, text.length - 20));
        if (statuses.length < addresses.length) return;
        socket.destroy();
        resolve(statuses);
      });
      socket.on('error', reject);
      // Refused for its type, if the limiter lets it pass.
      for (const address of addresses)
        socket.write(
          `POST /quote/buy HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\ncontent-length: 0\r\n\r\n`,
        );
    });
  const PASSED = 415;
  const LIMITED = 429;

  test('one caller has one count, however its address is written', async () => {
    const { port } = await serve({ env: { RATE_LIMIT: '1', TRUSTED_PROXIES: '1' } });
    for (const spellings of [
      [
        '192.0.2.1',
        '192.0.2.1:5678',
        '::ffff:192.0.2.1',
        '::FFFF:C000:201',
        '[::ffff:192.0.2.1]:443',
        '0:0:0:0:0:ffff:c000:0201',
        '192.000.002.001',
        '::ffff:192.0.02.1',
      ],
      [
        '2001:db8::1',
        '2001:DB8::1',
        '[2001:db8::1]',
        '[2001:db8::1]:443',
        '2001:0db8:0000:0000:0000:0000:0000:0001',
        '2001:db8:0:0:ffff:ffff:ffff:ffff',
        '2001:db8::192.0.2.1',
      ],
      ['fe80::1', 'fe80::1%eth0', '[fe80::2%25en1]:80', 'FE80:0::3%lo'],
      // No addresses: all of them together.
      [
        'unknown',
        '',
        '_hidden',
        '1.2.3',
        '256.1.1.1',
        '2001:db8::1::2',
        '2001:db8::1]/',
        '::ffff:1.2.3.4.5',
        '12345::',
        '1.2.3.4:x',
      ],
    ]) {
      const statuses = await askFrom(port, spellings);
      expect(statuses, spellings[0]).toEqual([PASSED, ...spellings.slice(1).map(() => LIMITED)]);
    }
    // Others are others.
    const others = [
      '192.0.2.2',
      '::ffff:192.0.2.3',
      '2001:db8:0:1::1',
      '2001:db8:1::1',
      '::192.0.2.1',
      '1::',
    ];
    expect(await askFrom(port, others)).toEqual(others.map(() => PASSED));
  });

  test('without a trusted proxy no header changes the caller', async () => {
    const { port } = await serve({ env: { RATE_LIMIT: '2' } });
    const spoofed = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1'];
    expect(await askFrom(port, spoofed)).toEqual([PASSED, PASSED, LIMITED, LIMITED]);
  });

  test('a flood of addresses clears no count, takes bounded memory and shuts nobody out', async () => {
    const { port } = await serve({ env: { RATE_LIMIT: '2', TRUSTED_PROXIES: '1', LOG_LEVEL: 'warn' } });
    expect(await askFrom(port, Array(3).fill('192.0.2.1'))).toEqual([PASSED, PASSED, LIMITED]);
    expect(await askFrom(port, ['192.0.2.2'])).toEqual([PASSED]);
    // 32,768 callers are counted each on its own.
    const networks = Array.from({ length: 32_768 }, (_, index) => `2001:db8:1:${index.toString(16)}::1`);
    const parts = Array.from({ length: 32 }, (_, index) =>
      networks.slice(index * 1_024, (index + 1) * 1_024),
    );
    await Promise.all(parts.map((part) => askFrom(port, part)));
    // More of them share one counter for their /48 network.
    const more = Array.from({ length: 2_000 }, (_, index) => `2001:db8:2:${index.toString(16)}::1`);
    const passed = (await askFrom(port, more)).filter((status) => status === PASSED);
    expect(passed.length).toBeLessThanOrEqual(2);
    expect(await askFrom(port, ['192.0.2.1', '192.0.2.2'])).toEqual([LIMITED, PASSED]);
    // Two of three at least: one may share the counter by chance.
    const honest = await askFrom(port, ['198.51.100.1', '203.0.113.1', '2001:db8:3::1']);
    expect(honest.filter((status) => status === PASSED).length).toBeGreaterThanOrEqual(2);
  }, 120_000);
});

test('more requests than may wait are told to come back, and the others are answered', async () => {
  const { url } = await serve({ env: { MAX_WAITING: '20', LOG_LEVEL: 'silent' } });
  const document = await (await fetch(`${url}/openapi.json`)).text();
  const answers = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const response = await fetch(`${url}/openapi.json`);
      return {
        status: response.status,
        wait: response.headers.get('retry-after'),
        text: await response.text(),
      };
    }),
  );
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { wait, text } of refused) {
    expect(wait).toBe('1');
    expect(JSON.parse(text).error.code).toBe('overloaded');
  }
  const answered = answers.filter(({ status }) => status === 200);
  expect(answered.length).toBe(answers.length - refused.length);
  expect(answered.every(({ text }) => text === document)).toBe(true);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
});

describe('a mint search thread that ends without an error', () => {
  /** Finds the same key each time: it is nobody's, and its address ends in 777. The second thread finds none. */
  const DYING_WORKER = `
    import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
    import { parentPort, threadId } from 'node:worker_threads';

    const seed = new Uint8Array(32);
    new DataView(seed.buffer).setUint32(0, 48_310);
    const key = createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = Uint8Array.from(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12));
    const half = createHash('sha512').update(seed).digest().subarray(0, 32);
    half[0] &= 248;
    half[31] = (half[31] & 127) | 64;
    const scalar = BigInt('0x' + half.reverse().toString('hex'));
    if (threadId === 2) setTimeout(() => process.exit(0), 300);
    else parentPort.postMessage({ attempts: 0, key: { publicKey, scalar } });
  `;

  test('does not stop the next one, and the waiting launches are served', async () => {
    const other = mkdtempSync(`${folder}/`);
    for (const name of readdirSync(cli.folder).filter((file) => file.endsWith('.js')))
      cpSync(`${cli.folder}/${name}`, `${other}/${name}`);
    writeFileSync(`${other}/mint-worker.js`, DYING_WORKER);
    const { url } = await serve({ program: `${other}/cli.js`, env: { MINTS: '1', LOG_LEVEL: 'silent' } });
    await eventually(async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes('\nheaven_mints_ready 1\n'),
    );
    const launch = async () => {
      const response = await fetch(`${url}/tx/create-standard-liquidity-pool`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          program_id: HEAVEN_PROGRAM_ADDRESS,
          payer: 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD',
          creator: 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD',
          name: 'A token',
          symbol: 'TOKEN',
          uri: 'https://example.com/token.json',
          initial_purchase_amount: 1_000_000_000,
          lut_address: COMMUNITY_LOOKUP_TABLE_ADDRESS,
          encoded_user_defined_event_data: '',
        }),
      });
      return { status: response.status, text: await response.text() };
    };
    // One gets the mint that is ready, two wait while the thread ends.
    const answers = await Promise.all([launch(), launch(), launch()]);
    for (const { status, text } of answers) {
      expect(status, text).toBe(200);
      expect(text).toMatch(/"mint":"\w+777"/);
    }
  });
});
