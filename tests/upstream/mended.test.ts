import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type Address,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createClient,
  createFailoverTransport,
  type FailoverConfig,
  getPoolState,
  type HeavenClient,
  type HeavenRpc,
  isHeavenError,
  type NodeFailure,
  type ReadEvent,
  type SharedReadsConfig,
  shareReads,
} from '../../src/index.js';
import { type Call, clientOver } from '../http/support.js';

// What an attack on shared reads and failover found, and what was mended since. A `test` is not mended yet: with its
// mending it becomes a `test`.

let failures: NodeFailure[];
let unhandled: unknown[];
const noteUnhandled = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  failures = [];
  unhandled = [];
  process.on('unhandledRejection', noteUnhandled);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(async () => {
  await turn();
  process.off('unhandledRejection', noteUnhandled);
  const left = vi.getTimerCount();
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(left).toBe(0);
  expect(unhandled).toEqual([]);
});

type Request = Call & { readonly signal?: AbortSignal };
type Does = (request: Request) => unknown;

/** A node that does as it is told. */
interface Node {
  readonly transport: RpcTransport;
  readonly requests: Request[];
  does: Does;
}

function createNode(does: Does): Node {
  const node: Node = {
    requests: [],
    does,
    transport: (async (request: Request) => {
      node.requests.push(request);
      return await node.does(request);
    }) as RpcTransport,
  };
  return node;
}

const ADDRESS = 'AEWnEAoFTHRtg8FFsgjeqz7QXsP6QNy3CykhpG9iCNDD' as Address;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** An address that nothing is at; each number has its own. */
const nowhere = (number: number): Address =>
  `${ADDRESS.slice(0, -3)}${[1, 58, 58 * 58].map((unit) => ALPHABET[Math.floor(number / unit) % 58]).join('')}` as Address;

const SLOT = 411_000_000n;
const BLOCKHASH = { blockhash: ADDRESS, lastValidBlockHeight: 1_000n };

/** Of all accounts: there are none. */
const valueFor = ({ payload: { method, params } }: Call): unknown =>
  method === 'getLatestBlockhash' ? BLOCKHASH : (params[0] as readonly Address[]).map(() => null);
const answerOf = (request: Call, slot: unknown, value: unknown = valueFor(request)) => ({
  jsonrpc: '2.0',
  id: request.payload.id,
  result: { context: { slot }, value },
});
const leastOf = ({ payload: { params } }: Call): unknown =>
  (params.at(-1) as { readonly minContextSlot?: unknown }).minContextSlot;
const leastsOf = ({ requests }: Node) => requests.map(leastOf);

const well =
  (slot: unknown = SLOT): Does =>
  (request) =>
    answerOf(request, slot);
const holding =
  (slot: unknown, value: unknown): Does =>
  (request) =>
    answerOf(request, slot, value);
const refusing =
  (code: number): Does =>
  ({ payload: { id } }) => ({ jsonrpc: '2.0', id, error: { code, message: `error ${code}` } });
/** As a node should: it refuses what it has not reached. */
const honest =
  (slot: bigint): Does =>
  (request) => {
    const least = leastOf(request);
    return least !== undefined && slot < (least as bigint)
      ? refusing(-32016)(request)
      : answerOf(request, slot);
  };
const rejecting =
  (error: unknown): Does =>
  () =>
    Promise.reject(error);
const unreachable = rejecting(new TypeError('fetch failed'));
const silent: Does = () => new Promise(() => {});
const delayed =
  (ms: number, does: Does): Does =>
  async (request) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return await does(request);
  };

const over = (nodes: readonly Node[], config: FailoverConfig = {}) =>
  createFailoverTransport(
    nodes.map(({ transport }) => transport),
    { onFailure: (failure) => failures.push(failure), ...config },
  );
const shared = (transport: RpcTransport, config?: SharedReadsConfig, timeoutMs?: number): HeavenClient =>
  shareReads(clientOver(transport, timeoutMs), config);

const OURS = { commitment: 'confirmed', encoding: 'base64' } as const;
const read = (client: HeavenClient, addresses: readonly Address[] = [ADDRESS], abortSignal?: AbortSignal) =>
  client.rpc.getMultipleAccounts(addresses, OURS).send(abortSignal && { abortSignal });
const readBlockhash = (client: HeavenClient, abortSignal?: AbortSignal) =>
  client.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(abortSignal && { abortSignal });

const payloadOf = (config: unknown = {}) => ({
  jsonrpc: '2.0',
  id: '1',
  method: 'getMultipleAccounts',
  params: [[ADDRESS], config],
});
const ask = (transport: RpcTransport, config?: unknown, signal?: AbortSignal): Promise<unknown> =>
  transport({ payload: payloadOf(config), ...(signal && { signal }) });

/** How it ended: `served`, or the code of its error. */
const endOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'served',
    (error: unknown) => (isHeavenError(error) ? error.code : `not ours: ${String(error)}`),
  );
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`got ${inspect(value)}`),
    (error: unknown) => error,
  );

/** What follows of what has happened, without time passing. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
}

/** Lets time pass until it is settled, which it must be some time. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  let isOver = false;
  const settled = () => {
    isOver = true;
  };
  promise.then(settled, settled);
  const began = performance.now();
  for (let idle = 0; ; ) {
    await turn();
    if (isOver) return await promise;
    idle = vi.getTimerCount() === 0 ? idle + 1 : 0;
    if (idle > 20 || performance.now() - began > 300_000) throw new Error('it does not end');
    vi.advanceTimersToNextTimer();
  }
}

/** Reads again and again until that is `end`, half a second after each; how long it took. */
async function readUntil(client: HeavenClient, end: string, before: string): Promise<number> {
  const began = performance.now();
  for (;;) {
    const ended = await settle(endOf(read(client)));
    if (ended === end) return performance.now() - began;
    expect(ended).toBe(before);
    expect(performance.now() - began).toBeLessThan(100_000);
    await pass(500);
  }
}

const isBehind: readonly [string, (slot: bigint) => Does][] = [
  ['answers of an older slot', well],
  ['refuses with -32016', honest],
];
const isGone: readonly [string, Does][] = [
  ['can not be reached', unreachable],
  ['is unhealthy', refusing(-32005)],
  ['is silent', silent],
];
const pairs = isBehind.flatMap(([lags, behind]) =>
  isGone.flatMap(([ails, gone]) => [
    [`${lags}, the second ${ails}`, [behind, () => gone]] as const,
    [`${ails}, the second ${lags}`, [() => gone, behind]] as const,
  ]),
);
const quickPairs = pairs.filter(([name]) => !name.includes('silent'));

describe('one node is behind and the other away: the first', () => {
  test.each(pairs)('%s: what is told is that they are behind', async (_, does) => {
    const transport = over(does.map((make) => createNode(make(SLOT - 1n))));
    const said = (await settle(ask(transport, { minContextSlot: SLOT }))) as object;
    expect(said).toMatchObject(
      'error' in said ? { error: { code: -32016 } } : { result: { context: { slot: SLOT - 1n } } },
    );
    expect(failures.map(({ node }) => node)).toEqual([0, 1]);
  });

  test.each(pairs)('%s: it is asked again, and served once it caught up', async (_, does) => {
    const nodes = does.map((make) => createNode(make(SLOT)));
    const client = shared(over(nodes, { attemptMs: 1_000 }), { accountsMs: 0 });
    await settle(read(client));
    for (const [index, make] of does.entries()) nodes[index]!.does = make(SLOT - 1n);
    setTimeout(() => {
      for (const [index, make] of does.entries()) nodes[index]!.does = make(SLOT + 1n);
    }, 300);
    expect((await settle(read(client))).context.slot).toBe(SLOT + 1n);
  });

  test.each(pairs)('%s: the error is rpc-behind when it does not catch up', async (_, does) => {
    const nodes = does.map((make) => createNode(make(SLOT)));
    const client = shared(over(nodes, { attemptMs: 1_000 }), { accountsMs: 0 });
    await settle(read(client));
    for (const [index, make] of does.entries()) nodes[index]!.does = make(SLOT - 1n);
    expect(await settle(errorOf(read(client)))).toMatchObject({
      code: 'rpc-behind',
      context: { method: 'getMultipleAccounts', minContextSlot: SLOT },
    });
  });

  test.each(quickPairs)('%s: a cluster that began anew is served after a minute', async (_, does) => {
    const nodes = does.map((make) => createNode(make(SLOT)));
    const client = shared(over(nodes), { accountsMs: 0 });
    await settle(read(client));
    for (const [index, make] of does.entries()) nodes[index]!.does = make(5n);
    const ms = await readUntil(client, 'served', 'rpc-behind');
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(63_000);
    expect((await settle(read(client))).context.slot).toBe(5n);
  });

  // Not mended: each read waits for the silent one four times, 20 seconds in all, and is thought to have been quiet.
  test.each(isBehind)(
    '%s, the second is silent for 5 seconds each time: a cluster that began anew is served after a minute',
    async (_, behind) => {
      const nodes = [createNode(behind(SLOT)), createNode(silent)];
      const client = shared(over(nodes), { accountsMs: 0 });
      await settle(read(client));
      nodes[0]!.does = behind(5n);
      expect(await readUntil(client, 'served', 'rpc-behind')).toBeGreaterThanOrEqual(60_000);
    },
  );
});

describe('a node’s address', () => {
  const NAME = 'alice';
  const SECRET = 's3cr3t';
  const HOST = 'one.example';
  const WORDS = new RegExp(`${NAME}|%61lice|${SECRET}|${HOST}`, 'i');
  const urls = [
    `https://${NAME}:${SECRET}@${HOST}`,
    `http://${NAME}:${SECRET}@${HOST}:8899/path?key=1`,
    `HTTPS://${NAME}@${HOST}/`,
    `https://:${SECRET}@${HOST}/`,
    `https://%61lice:${SECRET}%40@${HOST}/`,
    `https://${NAME}:${SECRET}@[::1]/`,
    `https://${NAME}\n:${SECRET}@${HOST}/`,
    `https://${SECRET}@${SECRET}@${HOST}/`,
  ];
  const makers: readonly [string, string, (url: string) => unknown][] = [
    ['createClient', 'rpcUrl', (rpcUrl) => createClient({ rpcUrl })],
    ['createFailoverTransport', 'nodes[0]', (url) => createFailoverTransport([url])],
    [
      'createFailoverTransport, among others,',
      'nodes[1]',
      (url) => createFailoverTransport([createNode(well()).transport, url]),
    ],
  ];
  test.each(makers.flatMap((maker) => urls.map((url) => [...maker, url] as const)))(
    '%s refuses one with a name or a password, and does not repeat it (%#)',
    (_, field, make, url) => {
      const error = vi.spyOn(console, 'error');
      let thrown: unknown;
      try {
        make(url);
      } catch (caught) {
        thrown = caught;
      }
      expect(thrown).toMatchObject({ code: 'invalid-input', context: { field } });
      const shown = inspect(thrown, { depth: 10, showHidden: true });
      expect(shown).not.toMatch(WORDS);
      expect(error).not.toHaveBeenCalled();
    },
  );

  test.each([
    `https://${HOST}/v2/${SECRET}`,
    `https://${HOST}/@${NAME}`,
    `https://${HOST}/?key=${NAME}:${SECRET}@x`,
    `https://${HOST}/#${NAME}@`,
  ])('may hold a key in %s', (url) => {
    expect(() => createClient({ rpcUrl: url })).not.toThrow();
    expect(() => createFailoverTransport([url])).not.toThrow();
  });

  const text = `connect ECONNREFUSED https://${NAME}:${SECRET}@${HOST}`;
  const coded = Object.assign(new Error(text), { code: 'ECONNREFUSED' });
  const errors: readonly [string, unknown, string][] = [
    ['an error', new Error(text), 'it could not be reached'],
    ['an error with a cause', new TypeError(text, { cause: new Error(text) }), 'it could not be reached'],
    ['a cause with a code', new TypeError(text, { cause: coded }), 'it could not be reached: ECONNREFUSED'],
    ['a cause that is a text', new Error(text, { cause: text }), 'it could not be reached'],
    ['a code that is no text', new Error(text, { cause: { code: [text] } }), 'it could not be reached'],
    ['a name', Object.assign(new Error(text), { name: text }), 'it could not be reached'],
    ['several errors', new AggregateError([coded], text), 'it could not be reached'],
    ['a text', text, 'it could not be reached'],
    ['an object', { message: text, name: text, toString: () => text }, 'it could not be reached'],
    [
      'an HTTP status',
      new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
        statusCode: 418,
        message: text,
        headers: new Headers({ 'retry-after': SECRET, location: `https://${HOST}` }),
      }),
      'HTTP 418',
    ],
    ['undefined', undefined, 'it could not be reached'],
    ['null', null, 'it could not be reached'],
  ];
  test.each(errors)('is not in the reason when a transport throws %s', async (_, error, reason) => {
    await ask(over([createNode(rejecting(error)), createNode(well())]));
    expect(failures).toEqual([{ node: 0, method: 'getMultipleAccounts', reason, restMs: 1_000 }]);
    expect(inspect(failures)).not.toMatch(WORDS);
  });

  test('is not in the reason when a JSON-RPC error holds it', async () => {
    const speaking: Does = () => ({ error: { code: -32005, message: text, data: { text } } });
    await ask(over([createNode(speaking), createNode(well())]));
    expect(failures).toMatchObject([{ reason: 'JSON-RPC error -32005' }]);
  });

  // Not mended: any text is taken for a code.
  test('is not in the reason when it is the code of a cause', async () => {
    await ask(over([createNode(rejecting(new Error('no', { cause: { code: text } }))), createNode(well())]));
    expect(inspect(failures)).not.toMatch(WORDS);
  });
});

describe('10,000 different reads of a silent node', () => {
  const MOST_WAITING = 10_000;
  const steps = Object.getPrototypeOf(new Map().entries()) as { next(): unknown };

  /** How many entries of maps are looked at one after the other meanwhile. */
  function countSteps(run: () => void): number {
    const { next } = steps;
    let count = 0;
    steps.next = function (this: object) {
      count += 1;
      return next.call(this);
    };
    try {
      run();
    } finally {
      steps.next = next;
    }
    return count;
  }

  const begin = (client: HeavenClient, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => endOf(read(client, [nowhere(from + index)])));
  const tally = (ends: readonly string[]) =>
    Object.fromEntries([...new Set(ends)].map((end) => [end, ends.filter((other) => other === end).length]));

  test('do not go through those that wait already', async () => {
    const node = createNode(silent);
    const client = shared(node.transport, {}, 1_000);
    let ends: Promise<string>[] = [];
    const count = countSteps(() => {
      ends = begin(client, MOST_WAITING);
    });
    // Each may look whether the oldest is to be forgotten.
    expect(count).toBeLessThanOrEqual(2 * MOST_WAITING);
    expect(tally(await settle(Promise.all(ends)))).toEqual({ 'rpc-timeout': MOST_WAITING });
  });

  test('do not go through those that were answered before', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsMs: 60_000 });
    await settle(Promise.all(begin(client, 2_000)));
    node.does = silent;
    let ends: Promise<string>[] = [];
    const count = countSteps(() => {
      ends = begin(client, 2_000, 2_000);
    });
    expect(count).toBeLessThanOrEqual(2 * 2_000);
    await settle(Promise.all(ends));
  });

  test('are the most: further ones are refused at once, those that wait are still shared', async () => {
    const node = createNode(silent);
    const client = shared(node.transport, {}, 1_000);
    const ends = begin(client, MOST_WAITING);
    const refused = await errorOf(read(client, [nowhere(MOST_WAITING)]));
    expect(refused).toMatchObject({ code: 'rpc-rate-limited', context: { method: 'getMultipleAccounts' } });
    expect(tally(await Promise.all(begin(client, 50, MOST_WAITING)))).toEqual({ 'rpc-rate-limited': 50 });
    // No time has passed, nothing was asked, and what is under way is not refused.
    expect(performance.now()).toBe(0);
    expect(node.requests).toEqual([]);
    const again = endOf(read(client, [nowhere(7)]));
    await pass(1);
    // Eight calls hold 100 each: there is room again.
    expect(node.requests).toHaveLength(8);
    const more = begin(client, 801, MOST_WAITING);
    expect(tally(await settle(Promise.all([...ends, again, ...more])))).toEqual({
      'rpc-timeout': MOST_WAITING + 1 + 800,
      'rpc-rate-limited': 1,
    });
  });

  test('cost the node few calls, and leave nothing behind', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const node = createNode(silent);
    const client = shared(node.transport, {}, 1_000);
    const seen: WeakRef<object>[] = [];
    await settle(
      Promise.all(
        Array.from({ length: MOST_WAITING + 100 }, (_, index) => {
          const addresses = [nowhere(index)];
          seen.push(new WeakRef(addresses));
          return endOf(read(client, addresses));
        }),
      ),
    );
    expect(node.requests.length).toBeLessThanOrEqual(16);
    expect(vi.getTimerCount()).toBe(0);
    // Nothing goes on, and there is room for as many again, which are not what was asked for before.
    await pass(10_000);
    const asked = node.requests.length;
    expect(asked).toBeLessThanOrEqual(16);
    node.does = well();
    const ends = await settle(Promise.all(begin(client, MOST_WAITING)));
    expect(tally(ends)).toEqual({ served: MOST_WAITING });
    expect(node.requests).toHaveLength(asked + MOST_WAITING / 100);
    node.requests.length = 0;
    await pass(150);
    await settle(read(client));
    await turn();
    collect();
    expect(seen.filter((addresses) => addresses.deref() !== undefined).length).toBeLessThan(10);
  });
});

describe('8 requests under way when their node fails', () => {
  const faults: readonly [string, Does][] = [
    ['can not be reached', unreachable],
    ['is unhealthy', refusing(-32005)],
    ['answers nothing', () => undefined],
  ];
  const times = Array.from({ length: 8 }, (_, index) => index);

  test.each(faults)('it %s: it rests for a second', async (_, does) => {
    const nodes = [createNode(delayed(50, does)), createNode(well())];
    const transport = over(nodes);
    // They fail one after the other.
    const asked = times.map(async (index) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * index));
      return await ask(transport);
    });
    await settle(Promise.all(asked));
    expect(nodes.map(({ requests }) => requests.length)).toEqual([8, 8]);
    expect(failures.map(({ restMs }) => restMs)).toEqual(times.map(() => 1_000));
    nodes[0]!.does = well();
    await pass(999);
    await ask(transport);
    expect(nodes[0]!.requests).toHaveLength(8);
    await pass(1);
    await ask(transport);
    expect(nodes[0]!.requests).toHaveLength(9);
  });

  test('it is silent: it rests for a second', async () => {
    const nodes = [createNode(silent), createNode(well())];
    const transport = over(nodes, { attemptMs: 200 });
    await settle(Promise.all(times.map(() => ask(transport))));
    expect(failures.map(({ restMs }) => restMs)).toEqual(times.map(() => 1_000));
  });

  test('it asks for rest: it gets that, and a second when it fails again without', async () => {
    const limited = new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      statusCode: 429,
      message: '',
      headers: new Headers({ 'retry-after': '3' }),
    });
    const nodes = [createNode(delayed(10, rejecting(limited))), createNode(well())];
    const transport = over(nodes);
    await settle(Promise.all(times.map(() => ask(transport))));
    expect(failures.map(({ restMs }) => restMs)).toEqual(times.map(() => 3_000));
    nodes[0]!.does = unreachable;
    await pass(3_000);
    await ask(transport);
    expect(failures.at(-1)).toMatchObject({ node: 0, restMs: 2_000 });
  });

  test('it rests for longer when it fails again after its rest', async () => {
    const nodes = [createNode(delayed(10, unreachable)), createNode(well())];
    const transport = over(nodes);
    const rests: number[] = [];
    for (const restMs of [1_000, 2_000, 4_000]) {
      await settle(Promise.all(times.map(() => ask(transport))));
      rests.push(...new Set(failures.splice(0).map((failure) => failure.restMs)));
      await pass(restMs);
    }
    expect(rests).toEqual([1_000, 2_000, 4_000]);
  });

  test('it was well again before the last of them failed: it rests for a second', async () => {
    const nodes = [createNode(delayed(50, unreachable)), createNode(well())];
    const transport = over(nodes);
    const late = ask(transport);
    await turn();
    nodes[0]!.does = unreachable;
    await ask(transport);
    nodes[0]!.does = well();
    nodes[1]!.does = unreachable;
    await ask(transport);
    nodes[1]!.does = well();
    await settle(late);
    const rests = failures.filter(({ node }) => node === 0).map(({ restMs }) => restMs);
    expect(rests).toEqual([1_000, 1_000]);
  });

  test('all nodes fail at once: each rests for a second', async () => {
    const nodes = [createNode(delayed(10, unreachable)), createNode(delayed(10, refusing(-32603)))];
    const transport = over(nodes);
    await settle(Promise.all(times.map(() => endOf(ask(transport)))));
    expect(new Set(failures.map(({ node, restMs }) => `${node}: ${restMs}`))).toEqual(
      new Set(['0: 1000', '1: 1000']),
    );
  });
});

describe('a node that always answers -32016', () => {
  test.each([
    ['itself', (node: Node) => node.transport],
    ['behind a failover transport', (node: Node) => over([node])],
  ])('%s: is rpc-behind for a minute, then rpc-failed, and nothing goes on', async (_, transportOf) => {
    const node = createNode(well());
    const client = shared(transportOf(node), { accountsMs: 0 });
    await settle(read(client));
    node.does = refusing(-32016);
    const ms = await readUntil(client, 'rpc-failed', 'rpc-behind');
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(63_000);
    node.requests.length = 0;
    await pass(300_000);
    expect(node.requests).toEqual([]);
    // From here on it is asked once for each read.
    expect(await settle(errorOf(read(client)))).toMatchObject({
      code: 'rpc-failed',
      context: { method: 'getMultipleAccounts', rpcCode: -32016 },
    });
    expect(leastsOf(node)).toEqual([undefined]);
    node.does = well(7n);
    expect((await settle(read(client))).context.slot).toBe(7n);
  });

  test('ends for all who wait at once, of accounts and of block hashes', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsMs: 0, blockhashMs: 0 });
    await settle(read(client));
    node.does = refusing(-32016);
    const began = performance.now();
    const seen = new Set<string>();
    while (performance.now() - began < 90_000) {
      const ends = [read(client), read(client, [nowhere(1)]), readBlockhash(client)].map(endOf);
      for (const end of await settle(Promise.all(ends))) seen.add(end);
      await pass(1_000);
    }
    expect([...seen].sort()).toEqual(['rpc-behind', 'rpc-failed']);
    node.requests.length = 0;
    await pass(60_000);
    expect(node.requests).toEqual([]);
  });

  test('to a request that needs no slot has failed, and is not asked again', async () => {
    const node = createNode(refusing(-32016));
    const client = shared(node.transport);
    for (const ask of [read, readBlockhash]) {
      node.requests.length = 0;
      expect(await settle(errorOf(ask(client)))).toMatchObject({
        code: 'rpc-failed',
        context: { rpcCode: -32016 },
      });
      expect(leastsOf(node)).toEqual([undefined]);
    }
  });
});

describe('a slot that can not be', () => {
  const slots = [2n ** 53n, 2 ** 53, 2n ** 64n - 1n, 10n ** 30n, 1e300, -1n, -1, -(2n ** 63n)];
  const garbage = ['411000000', '', 1.5, null, {}, [], true, Number.NaN];
  const kinds = [
    ['alone', (node: Node) => node.transport],
    ['behind a failover transport', (node: Node) => over([node])],
  ] as const;
  const cases = kinds.flatMap(([kind, transportOf]) =>
    [...slots, ...garbage].map((slot) => [inspect(slot), kind, slot, transportOf] as const),
  );

  test.each(cases)(
    '%s of a node %s is not valid, the next good answer is served',
    async (_, __, slot, transportOf) => {
      const node = createNode(well(slot));
      const client = shared(transportOf(node), { accountsMs: 10_000, blockhashMs: 0 });
      expect(await settle(errorOf(read(client)))).toMatchObject({
        code: 'rpc-invalid-response',
        context: { method: 'getMultipleAccounts' },
      });
      expect(await settle(endOf(readBlockhash(client)))).toBe('rpc-invalid-response');
      node.does = well(5n);
      expect((await settle(read(client))).context.slot).toBe(5n);
      expect(leastsOf(node)).toEqual([undefined, undefined, undefined]);
    },
  );

  test.each(slots)('%s does not move the mark', async (slot) => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsMs: 0 });
    await settle(read(client));
    node.does = well(slot);
    expect(await settle(endOf(read(client)))).toBe('rpc-invalid-response');
    node.does = well();
    expect(await settle(endOf(read(client)))).toBe('served');
    expect(leastsOf(node)).toEqual([undefined, SLOT, SLOT]);
  });

  test('2^53 - 1 and 0 can be', async () => {
    for (const slot of [0n, 2n ** 53n - 1n]) {
      const client = shared(createNode(well(slot)).transport);
      expect((await settle(read(client))).context.slot).toBe(slot);
    }
  });
});

describe('a read that is not as the SDK makes it', () => {
  const configs: readonly [string, object][] = [
    ['a part of the data', { ...OURS, dataSlice: { offset: 0, length: 8 } }],
    ['a slot of its own', { ...OURS, minContextSlot: 5n }],
    ['a later slot', { ...OURS, minContextSlot: SLOT + 5n }],
    ['both', { ...OURS, dataSlice: { offset: 8, length: 0 }, minContextSlot: 5n }],
    ['what nobody knows of', { ...OURS, extra: true }],
  ];
  test.each(configs)('%s is passed on as it is, each time, and not remembered', async (_, config) => {
    const node = createNode(well());
    const events: ReadEvent[] = [];
    const client = shared(node.transport, { accountsMs: 10_000, observe: (event) => events.push(event) });
    await settle(read(client));
    events.length = 0;
    node.requests.length = 0;
    const plain = createNode(well());
    await clientOver(plain.transport).rpc.getMultipleAccounts([ADDRESS], config).send();
    const made = () => client.rpc.getMultipleAccounts([ADDRESS], config).send();
    node.does = well(4n);
    const responses = await settle(Promise.all([made(), made()]));
    expect(responses.map(({ context }) => context.slot)).toEqual([4n, 4n]);
    const { params } = plain.requests[0]!.payload;
    expect(params[1]).toMatchObject(
      'minContextSlot' in config ? { minContextSlot: config.minContextSlot } : {},
    );
    expect(node.requests.map(({ payload }) => payload.params)).toEqual([params, params]);
    expect(events).toEqual([]);
    // What is remembered of the others is neither given nor taken away.
    expect((await read(client)).context.slot).toBe(SLOT);
  });

  test('nor is a block hash of a slot of its own', async () => {
    const node = createNode(well());
    const client = shared(node.transport);
    const made = () => client.rpc.getLatestBlockhash({ commitment: 'confirmed', minContextSlot: 5n }).send();
    await settle(readBlockhash(client));
    await settle(Promise.all([made(), made()]));
    expect(leastsOf(node)).toEqual([undefined, 5n, 5n]);
  });
});

describe('attemptMs', () => {
  const values: readonly unknown[] = [
    Number.NaN,
    0,
    -0,
    -1,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    3e9,
    2 ** 31,
    '5',
    '',
    null,
    true,
    5n,
    {},
    [5],
  ];
  test.each(values.map((value) => [inspect(value), value] as const))('may not be %s', (_, attemptMs) => {
    const { transport } = createNode(well());
    expect(() => createFailoverTransport([transport], { attemptMs } as FailoverConfig)).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        context: expect.objectContaining({ field: 'attemptMs', value: attemptMs }),
      }),
    );
  });

  test.each([1, 0.5, 2 ** 31 - 1, undefined])('may be %s', async (attemptMs) => {
    const node = createNode(well());
    const transport = createFailoverTransport([node.transport], { attemptMs } as FailoverConfig);
    expect(await ask(transport)).toMatchObject({ result: { context: { slot: SLOT } } });
  });
});

describe('a node that was behind once', () => {
  test.each([10_001, 60_000, 61_000, 3_600_000])(
    'is not believed to have been all along, when it was quiet for %i ms since',
    async (ms) => {
      const node = createNode(well());
      const client = shared(node.transport, { accountsMs: 0 });
      await settle(read(client));
      node.does = well(SLOT - 1n);
      expect(await settle(endOf(read(client)))).toBe('rpc-behind');
      await pass(ms);
      node.does = well(SLOT - 100n);
      expect(await settle(endOf(read(client)))).toBe('rpc-behind');
      expect(new Set(leastsOf(node).slice(1))).toEqual(new Set([SLOT]));
      // The minute begins anew.
      expect(await readUntil(client, 'served', 'rpc-behind')).toBeGreaterThanOrEqual(59_000);
    },
  );

  test('and answers of the mark since is not doubted for what was before', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsMs: 0 });
    await settle(read(client));
    for (let times = 0; times < 10; times++) {
      node.does = well(SLOT - 1n);
      expect(await settle(endOf(read(client)))).toBe('rpc-behind');
      await pass(7_000);
      node.does = well();
      expect(await settle(endOf(read(client)))).toBe('served');
    }
  });
});

describe('an answer of a later slot with the wrong number of accounts', () => {
  const values: readonly unknown[] = [[], [null, null], undefined, null, 'x', { length: 1 }];
  test.each(values.map((value) => [inspect(value), value] as const))(
    '(%s) is not valid, and does not move the mark',
    async (_, value) => {
      const node = createNode(well());
      const client = shared(node.transport, { accountsMs: 0 });
      await settle(read(client));
      node.does = (request) => ({ id: request.payload.id, result: { context: { slot: SLOT + 9n }, value } });
      expect(await settle(endOf(read(client)))).toBe('rpc-invalid-response');
      node.does = well();
      expect((await settle(read(client))).context.slot).toBe(SLOT);
      expect(leastsOf(node)).toEqual([undefined, SLOT, SLOT]);
    },
  );

  test('does not take what is remembered away', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsMs: 10_000 });
    await settle(read(client));
    node.does = holding(SLOT + 9n, []);
    expect(await settle(endOf(read(client, [nowhere(1)])))).toBe('rpc-invalid-response');
    expect((await read(client)).context.slot).toBe(SLOT);
    expect(node.requests).toHaveLength(2);
  });

  test('does not end the doubt of the mark', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsMs: 0 });
    await settle(read(client));
    const began = performance.now();
    let end = '';
    while (end !== 'served') {
      node.does = well(5n);
      end = await settle(endOf(read(client)));
      node.does = holding(SLOT, []);
      if (end !== 'served') expect(await settle(endOf(read(client)))).toBe('rpc-invalid-response');
      await pass(500);
      expect(performance.now() - began).toBeLessThan(70_000);
    }
    expect(performance.now() - began).toBeGreaterThanOrEqual(60_000);
  });
});

describe('an observer that throws', () => {
  const failure = new Error('the observer broke');
  const breaking = () => {
    throw failure;
  };
  let told: ReturnType<typeof vi.spyOn>;
  beforeEach(() => {
    told = vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  const expectTold = (times: number) => {
    expect(told.mock.calls).toHaveLength(times);
    for (const call of told.mock.calls) expect(call).toContain(failure);
  };

  test('does not disturb reads, and the console is told', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { observe: breaking });
    const reads = [read(client), read(client), read(client, [nowhere(1)])];
    const responses = await settle(Promise.all(reads));
    expect(responses.map(({ value }) => value)).toEqual([[null], [null], [null]]);
    expectTold(4);
    expect((await read(client)).value).toEqual([null]);
    expect((await settle(readBlockhash(client))).value).toMatchObject({ blockhash: ADDRESS });
    expectTold(4 + 1 + 2);
    expect(node.requests).toHaveLength(2);
  });

  test('does not disturb what is at hand', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { observe: breaking });
    const ask = () => settle(endOf(getPoolState(client, { pool: ADDRESS })));
    expect([await ask(), await ask()]).toEqual(['pool-not-found', 'pool-not-found']);
    expectTold(2 + 1);
    expect(node.requests).toHaveLength(1);
  });

  test('does not stand in for the error, nor keep a node that is behind from being asked again', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { observe: breaking, accountsMs: 0 });
    await settle(read(client));
    node.does = refusing(-32602);
    expect(await settle(errorOf(read(client)))).toMatchObject({
      code: 'rpc-failed',
      context: { rpcCode: -32602 },
    });
    node.does = well(SLOT - 1n);
    expect(await settle(endOf(read(client)))).toBe('rpc-behind');
    expect(node.requests).toHaveLength(1 + 1 + 4);
    expectTold(2 + 2 + 5);
  });

  test('leaves room for other calls', async () => {
    const node = createNode(unreachable);
    const client = shared(node.transport, { observe: breaking, maxConcurrentCalls: 1 });
    for (let times = 0; times < 3; times++) {
      expect(await settle(endOf(read(client)))).toBe('rpc-failed');
    }
    node.does = well();
    expect(await settle(endOf(read(client)))).toBe('served');
  });

  test('of failures does not keep the next node from being asked, nor the first from its rest', async () => {
    const nodes = [createNode(unreachable), createNode(refusing(-32005)), createNode(well())];
    const transport = over(nodes, { onFailure: breaking });
    expect(await ask(transport)).toMatchObject({ result: { context: { slot: SLOT } } });
    expectTold(2);
    await ask(transport);
    expect(nodes.map(({ requests }) => requests.length)).toEqual([1, 1, 2]);
    nodes[2]!.does = unreachable;
    expect(await settle(endOf(read(shared(transport))))).toBe('rpc-failed');
  });
});

describe('a request to a node that failed, which is aborted,', () => {
  const fail = async (nodes: readonly Node[]) => {
    const transport = over(nodes, { attemptMs: 20_000 });
    nodes[0]!.does = unreachable;
    await ask(transport);
    nodes[0]!.does = silent;
    nodes[0]!.requests.length = 0;
    return transport;
  };
  /** Asks the silent node, and gives up after so long. */
  const giveUp = async (transport: RpcTransport, ms: number, config?: unknown) => {
    const controller = new AbortController();
    const error = errorOf(ask(transport, config, controller.signal));
    await pass(ms);
    const reason = new Error('gone');
    controller.abort(reason);
    expect(await error).toBe(reason);
  };

  test('after its rest leaves that over: the next request asks it at once', async () => {
    const nodes = [createNode(unreachable), createNode(well())];
    const transport = await fail(nodes);
    await pass(1_000);
    for (let times = 1; times <= 3; times++) {
      await giveUp(transport, 10);
      expect(nodes[0]!.requests).toHaveLength(times);
    }
    nodes[0]!.does = well(7n);
    expect(await ask(transport)).toMatchObject({ result: { context: { slot: 7n } } });
    expect(failures).toHaveLength(1);
  });

  test('while it rests leaves its rest as it was', async () => {
    const nodes = [createNode(unreachable), createNode(well())];
    const transport = await fail(nodes);
    await pass(100);
    // It is asked as the last resort, as the other one is behind.
    await giveUp(transport, 50, { minContextSlot: SLOT + 1n });
    expect(nodes[0]!.requests).toHaveLength(1);
    nodes[0]!.does = well(7n);
    await pass(849);
    expect(await ask(transport)).toMatchObject({ result: { context: { slot: SLOT } } });
    await pass(1);
    expect(await ask(transport)).toMatchObject({ result: { context: { slot: 7n } } });
  });

  test('counts for nothing when it fails again', async () => {
    const nodes = [createNode(unreachable), createNode(well())];
    const transport = await fail(nodes);
    await pass(1_000);
    await giveUp(transport, 10);
    nodes[0]!.does = unreachable;
    await ask(transport);
    expect(failures.map(({ restMs }) => restMs)).toEqual([1_000, 2_000]);
  });

  // Not mended: the rest is put back to what it was when the request began, whatever has happened to the node since.
  test('does not end the rest of a node that failed while it was under way', async () => {
    const nodes = [createNode(silent), createNode(well())];
    const transport = over(nodes, { attemptMs: 20_000 });
    const controller = new AbortController();
    const given = errorOf(ask(transport, {}, controller.signal));
    nodes[0]!.does = unreachable;
    await ask(transport);
    expect(failures).toMatchObject([{ node: 0, restMs: 1_000 }]);
    controller.abort();
    await given;
    nodes[0]!.requests.length = 0;
    await ask(transport);
    expect(nodes[0]!.requests).toHaveLength(0);
  });

  test('does not bring back the rest of a node that is well again', async () => {
    const nodes = [createNode(unreachable), createNode(well())];
    const transport = await fail(nodes);
    const controller = new AbortController();
    const last = errorOf(ask(transport, { minContextSlot: SLOT + 1n }, controller.signal));
    await turn();
    nodes[0]!.does = well(SLOT + 1n);
    await ask(transport, { minContextSlot: SLOT + 1n });
    controller.abort();
    await last;
    nodes[0]!.requests.length = 0;
    await ask(transport);
    expect(nodes[0]!.requests).toHaveLength(1);
  });
});

describe('what no node should do', () => {
  const aborted = AbortSignal.abort(new Error('gone'));

  test('a transport that rejects with undefined: the next one is asked', async () => {
    const nodes = [createNode(rejecting(undefined)), createNode(well())];
    expect(await ask(over(nodes))).toMatchObject({ result: { context: { slot: SLOT } } });
    expect(failures).toMatchObject([{ node: 0, reason: 'it could not be reached', restMs: 1_000 }]);
  });

  test.each([undefined, null, 'text', 5, {}])('all reject with %s: the read fails', async (reason) => {
    const transport = over([createNode(rejecting(reason)), createNode(rejecting(reason))]);
    expect(await errorOf(ask(transport))).toBe(reason);
    expect(await settle(endOf(read(shared(transport))))).toBe('rpc-failed');
    expect(await settle(endOf(getPoolState(clientOver(transport), { pool: ADDRESS })))).toBe('rpc-failed');
    expect(await settle(endOf(getPoolState(shared(transport), { pool: ADDRESS })))).toBe('rpc-failed');
  });

  const texts = (values: readonly unknown[]) => values.map((value) => [inspect(value), value] as const);

  test.each(texts(['411000000', 'x', '', 1.5, Number.NaN, null, {}, [], true]))(
    'a slot of %s is passed on, as what it means is not for the transport to say',
    async (_, slot) => {
      const nodes = [createNode(well(slot)), createNode(well())];
      const answer = await ask(over(nodes), { minContextSlot: SLOT });
      expect(answer).toMatchObject({ result: { context: { slot } } });
      expect(nodes.map(({ requests }) => requests.length)).toEqual([1, 0]);
      expect(failures).toEqual([]);
    },
  );

  test.each(texts(['x', '5', '', 1.5, Number.NaN, Number.POSITIVE_INFINITY, null, {}, [], true]))(
    'a minContextSlot of %s is passed on, and any answer is taken',
    async (_, minContextSlot) => {
      const node = createNode(well(1n));
      const answer = await ask(over([node]), { minContextSlot });
      expect(answer).toMatchObject({ result: { context: { slot: 1n } } });
      expect(leastsOf(node)).toEqual([minContextSlot]);
      expect(failures).toEqual([]);
    },
  );

  const throwing = (() => {
    throw new Error('at once');
  }) as RpcTransport;

  test('a transport that throws at once, for a signal that is aborted, leaves no rejection to nobody', async () => {
    await errorOf(ask(createFailoverTransport([throwing, throwing]), {}, aborted));
    expect(await settle(endOf(read(shared(createFailoverTransport([throwing])))))).toBe('rpc-failed');
    await turn();
    expect(unhandled).toEqual([]);
  });

  test('nor does an rpc that throws at once, in the client itself', async () => {
    const method = () => ({
      send: () => {
        throw new Error('at once');
      },
    });
    const rpc = { getMultipleAccounts: method, getLatestBlockhash: method } as unknown as HeavenRpc;
    for (const client of [createClient({ rpc }), shareReads(createClient({ rpc }))]) {
      for (const abortSignal of [aborted, undefined]) {
        const end = await settle(endOf(getPoolState(client, { pool: ADDRESS, abortSignal })));
        expect(['aborted', 'rpc-failed']).toContain(end);
      }
      await turn();
      expect(unhandled).toEqual([]);
    }
  });

  test('nor does a node that fails after all who waited for it are gone', async () => {
    const client = shared(createNode(delayed(50, unreachable)).transport);
    const controller = new AbortController();
    const errors = [
      errorOf(read(client, [ADDRESS], controller.signal)),
      errorOf(readBlockhash(client, controller.signal)),
    ];
    await pass(10);
    controller.abort();
    expect(await Promise.all(errors)).toEqual([controller.signal.reason, controller.signal.reason]);
    await pass(100);
    expect(unhandled).toEqual([]);
  });
});

describe('a request of a shared client that is aborted', () => {
  test('is rejected at once, and the others go on', async () => {
    const node = createNode(delayed(50, well()));
    const client = shared(node.transport);
    const controller = new AbortController();
    const given = [
      errorOf(read(client, [ADDRESS], controller.signal)),
      errorOf(read(client, [nowhere(1)], controller.signal)),
      errorOf(readBlockhash(client, controller.signal)),
    ];
    const kept = [
      read(client, [ADDRESS]),
      read(client, [ADDRESS], new AbortController().signal),
      read(client, [nowhere(2)]),
      readBlockhash(client),
    ];
    await pass(10);
    const reason = new Error('gone');
    const time = performance.now();
    controller.abort(reason);
    expect(await Promise.all(given)).toEqual([reason, reason, reason]);
    expect(performance.now()).toBe(time);
    const responses = await settle(Promise.all(kept));
    expect(responses.map(({ context }) => context.slot)).toEqual([SLOT, SLOT, SLOT, SLOT]);
    // One call for the accounts, one for the block hash, and neither was given up.
    expect(node.requests.map(({ payload }) => payload.method).sort()).toEqual([
      'getLatestBlockhash',
      'getMultipleAccounts',
    ]);
    expect((await read(client, [nowhere(1)])).value).toEqual([null]);
    expect(node.requests).toHaveLength(2);
  });

  test('while it waits for room does not hold up the others', async () => {
    const node = createNode(delayed(50, well()));
    const client = shared(node.transport, { maxConcurrentCalls: 1 });
    const first = read(client, [nowhere(0)]);
    await pass(1);
    const controller = new AbortController();
    const given = errorOf(read(client, [nowhere(1)], controller.signal));
    const kept = read(client, [nowhere(2)]);
    await turn();
    controller.abort();
    expect(await given).toBe(controller.signal.reason);
    expect(await settle(endOf(Promise.all([first, kept])))).toBe('served');
    expect(node.requests).toHaveLength(2);
  });

  test('before it began asks nothing', async () => {
    const node = createNode(well());
    const client = shared(node.transport);
    const signal = AbortSignal.abort(new Error('gone'));
    expect(await errorOf(read(client, [ADDRESS], signal))).toBe(signal.reason);
    expect(await errorOf(readBlockhash(client, signal))).toBe(signal.reason);
    await pass(100);
    expect(node.requests).toEqual([]);
  });

  test('after its answer changes nothing, and no listener stays on its signal', async () => {
    const node = createNode(well());
    const client = shared(node.transport);
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const response = await settle(read(client, [ADDRESS], signal));
    node.does = unreachable;
    expect(await settle(endOf(read(client, [nowhere(1)], signal)))).toBe('rpc-failed');
    await turn();
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
    controller.abort();
    expect((await read(client)).value).toEqual(response.value);
  });
});
