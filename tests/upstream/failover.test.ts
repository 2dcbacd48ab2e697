import type { RpcTransport } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { createFailoverTransport, type FailoverConfig, quoteBuy } from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger } from '../../src/testing/index.js';
import { pass, settle } from '../support/clock.js';
import { errorOf, expectRefusal, heavenError, refusalOf } from '../support/errors.js';
import {
  answerOf,
  clientOver,
  createNode,
  type Does,
  delayed,
  type FakeNode,
  refusing,
  silent,
  unreachable,
} from '../support/rpc.js';
import { failures, over, useFakeTime } from './support.js';

let ledger: EmbeddedLedger;

beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  // Addresses are derived once, and outside of the time that the tests make.
  await quote(ledger.transport);
});

useFakeTime();

/** A node whose answers hold its name. */
const nodeNamed = (name: unknown) => createNode(well(name));
/** So many nodes. The first does this. */
const createNodes = (count: number, first?: Does) => {
  const nodes = Array.from({ length: count }, (_, index) => nodeNamed(index));
  if (first !== undefined) nodes[0]!.does = first;
  return nodes;
};

const well =
  (value: unknown, slot: unknown = 1_000n): Does =>
  (call) =>
    answerOf(call, slot, value);

const payloadOf = (params: readonly unknown[] = [], method = 'getMultipleAccounts') => ({
  jsonrpc: '2.0',
  id: '1',
  method,
  params,
});

interface Answer {
  readonly result?: { readonly value: unknown };
  readonly error?: { readonly code: number };
}

/** Which node answered. */
const ask = async (transport: RpcTransport, payload: unknown = payloadOf(), signal?: AbortSignal) => {
  const response = await transport<Answer>({ payload, ...(signal ? { signal } : {}) });
  return response.result?.value;
};
const responseOf = (transport: RpcTransport, payload: unknown = payloadOf()) =>
  transport<Answer>({ payload });
const cooldowns = () => failures.map(({ cooldownMs }) => cooldownMs);
const askedOf = (nodes: readonly FakeNode[]) => nodes.map(({ calls }) => calls.length);

async function quote(transport: RpcTransport) {
  const { mint, configVersion } = ledger.pools.creator;
  return await quoteBuy(clientOver(transport), { configVersion, mint, maxSolSpend: 1, slippageBps: 50 });
}

describe('which node is asked', () => {
  test('the first, while it works', async () => {
    const nodes = createNodes(3);
    const transport = over(nodes);
    for (let times = 0; times < 5; times++) expect(await ask(transport)).toBe(0);
    expect(await Promise.all([ask(transport), ask(transport)])).toEqual([0, 0]);
    expect(askedOf(nodes)).toEqual([7, 0, 0]);
    expect(failures).toEqual([]);
  });

  const faults: readonly [string, Does, string][] = [
    ['can not be reached', unreachable, 'it could not be reached'],
    ['is unhealthy (-32005)', refusing(-32005), 'JSON-RPC error -32005'],
    ['limits requests in an HTTP 200', refusing(-32429), 'too many requests'],
    ['has an accident (-32603)', refusing(-32603), 'JSON-RPC error -32603'],
    ['answers nothing', () => undefined, 'no JSON-RPC answer'],
  ];
  test.each(faults)('the next, when it %s', async (_, does, reason) => {
    const nodes = createNodes(3, does);
    const transport = over(nodes);
    expect(await ask(transport)).toBe(1);
    expect(askedOf(nodes)).toEqual([1, 1, 0]);
    expect(failures).toEqual([{ node: 0, method: 'getMultipleAccounts', reason, cooldownMs: 1_000 }]);
    // It cools down.
    expect(await ask(transport)).toBe(1);
    expect(askedOf(nodes)).toEqual([1, 2, 0]);
  });

  test.each([-32016, -32601, -32010])('the next for %i, without a cool-down of the first', async (code) => {
    const nodes = createNodes(2, refusing(code));
    const transport = over(nodes);
    expect(await ask(transport)).toBe(1);
    expect(failures).toMatchObject([{ node: 0, cooldownMs: 0, reason: `JSON-RPC error ${code}` }]);
    nodes[0]!.does = well(0);
    expect(await ask(transport)).toBe(0);
  });

  test.each([-32602, -32002, 0])('no other for %i, an error of the request', async (code) => {
    const nodes = createNodes(2, refusing(code));
    const error = await responseOf(over(nodes)).catch(({ context }: { context: object }) => context);
    expect(error).toMatchObject(code === -32602 ? { __code: code } : { error: { code } });
    expect(askedOf(nodes)).toEqual([1, 0]);
    expect(failures).toEqual([]);
  });

  test('an account that is not there, or a result of null, is an answer', async () => {
    const nodes = createNodes(2, well(null));
    const transport = over(nodes);
    expect(await ask(transport)).toBe(null);
    nodes[0]!.does = () => ({ jsonrpc: '2.0', id: '1', result: null });
    expect(await responseOf(transport)).toMatchObject({ result: null });
    expect(askedOf(nodes)).toEqual([2, 0]);
  });
});

describe('a node that is silent', () => {
  test('for its share of attemptTimeoutMs is reported, and the next is asked', async () => {
    const nodes = createNodes(2, silent);
    const began = performance.now();
    expect(await settle(ask(over(nodes, { attemptTimeoutMs: 700 })))).toBe(1);
    expect(performance.now() - began).toBe(350);
    expect(nodes[0]!.calls[0]?.signal?.aborted).toBe(true);
    expect(failures).toMatchObject([{ node: 0, reason: 'no answer within 350 ms', cooldownMs: 1_000 }]);
  });

  test('and answers late, before the next: its answer counts, and it is well again', async () => {
    const nodes = createNodes(2, delayed(600, well(0)));
    nodes[1]!.does = silent;
    const transport = over(nodes, { attemptTimeoutMs: 700 });
    expect(await settle(ask(transport))).toBe(0);
    expect(nodes[1]!.calls[0]?.signal?.aborted).toBe(true);
    expect(failures).toMatchObject([{ node: 0 }]);
    expect(await settle(ask(transport))).toBe(0);
  });

  test.each([1, 2, 3])('as all %i are: they cost one time limit together', async (count) => {
    const nodes = createNodes(count);
    for (const node of nodes) node.does = silent;
    const transport = over(nodes, { attemptTimeoutMs: 900 });
    for (const wanted of [900, 1_800]) {
      await settle(expectRefusal(quote(transport), 'rpc-timeout'));
      expect(performance.now()).toBe(wanted);
    }
    expect(failures.map(({ node }) => node).sort()).toEqual(nodes.flatMap((_, index) => [index, index]));
  });
});

describe('a result that is older than the minContextSlot of its request', () => {
  const payload = (minContextSlot: unknown) => payloadOf([[], { minContextSlot }]);

  test.each([[1_001n], [1_001]])('asks the next, without a cool-down: %s', async (least) => {
    const nodes = createNodes(2);
    nodes[1]!.does = well(1, 1_001n);
    const transport = over(nodes);
    for (let times = 0; times < 2; times++) expect(await ask(transport, payload(least))).toBe(1);
    expect(askedOf(nodes)).toEqual([2, 2]);
    expect(failures).toMatchObject([0, 0].map((node) => ({ node, reason: 'it is behind', cooldownMs: 0 })));
    expect(await ask(transport, payload(1_000n))).toBe(0);
  });

  test('is rpc-behind if the others are no better', async () => {
    const nodes = createNodes(3);
    nodes[2]!.does = unreachable;
    await expectRefusal(ask(over(nodes), payload(1_001n)), 'rpc-behind', { minContextSlot: 1_001n });
  });
});

describe('a node that failed', () => {
  /** Asks ten times a second, and notes when the first node was asked. */
  const watch = async (node: FakeNode, transport: RpcTransport, ms: number) => {
    const times: number[] = [];
    const began = performance.now();
    while (performance.now() - began < ms) {
      const before = node.calls.length;
      await ask(transport);
      if (node.calls.length > before) times.push(performance.now() - began);
      vi.advanceTimersByTime(100);
    }
    return times;
  };

  test('is skipped for 1, 2, 4 … seconds, at most 30', async () => {
    const nodes = createNodes(2, unreachable);
    const transport = over(nodes);
    const times = await watch(nodes[0]!, transport, 120_000);
    expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
    expect(cooldowns()).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  test('is asked first again once it works, and its cool-down starts over', async () => {
    const nodes = createNodes(2, unreachable);
    const transport = over(nodes);
    await watch(nodes[0]!, transport, 5_000);
    expect(cooldowns()).toEqual([1_000, 2_000, 4_000]);
    nodes[0]!.does = well(0);
    await pass(2_000);
    expect(await ask(transport)).toBe(0);
    expect(await ask(transport)).toBe(0);
    nodes[0]!.does = unreachable;
    expect(await ask(transport)).toBe(1);
    expect(failures.at(-1)).toMatchObject({ cooldownMs: 1_000 });
  });

  test('is tried by one request at a time, the others do not wait for it', async () => {
    const nodes = createNodes(2);
    const transport = over(nodes, { attemptTimeoutMs: 500 });
    nodes[0]!.does = unreachable;
    await ask(transport);
    await pass(1_000);
    nodes[0]!.does = silent;
    nodes[0]!.calls.length = 0;
    const probe = ask(transport);
    expect(await Promise.all([ask(transport), ask(transport), ask(transport)])).toEqual([1, 1, 1]);
    await pass(249);
    expect(await ask(transport)).toBe(1);
    expect(nodes[0]!.calls.length).toBe(1);
    expect(await settle(probe)).toBe(1);
    expect(cooldowns()).toEqual([1_000, 2_000]);
    // It cools down from when it failed again.
    await pass(1_999);
    expect(await ask(transport)).toBe(1);
    expect(nodes[0]!.calls.length).toBe(1);
    nodes[0]!.does = well(0);
    await pass(1);
    expect(await ask(transport)).toBe(0);
  });

  test('is still asked when all are skipped, the shortest cool-down first', async () => {
    const nodes = createNodes(3);
    const transport = over(nodes);
    for (const node of nodes) node.does = unreachable;
    await errorOf(ask(transport));
    expect(cooldowns()).toEqual([1_000, 1_000, 1_000]);
    await errorOf(ask(transport));
    expect(askedOf(nodes)).toEqual([2, 2, 2]);
    nodes[2]!.does = well(2);
    expect(await ask(transport)).toBe(2);
    expect(await ask(transport)).toBe(2);
    expect(askedOf(nodes)).toEqual([3, 3, 4]);
  });
});

test.each([
  ['connection', unreachable, refusing(-32005), { error: { context: { __code: -32005 } } }],
  ['health', refusing(-32005), unreachable, { error: { message: 'fetch failed' } }],
  ['health too', refusing(-32005), refusing(-32603), { error: { context: { __code: -32603 } } }],
])(
  "when all fail, the first for its %s, the caller gets the last one's outcome",
  async (_, first, last, expected) => {
    const nodes = createNodes(2, first);
    nodes[1]!.does = last;
    const outcome = await responseOf(over(nodes)).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    );
    expect(outcome).toMatchObject(expected);
    expect(failures.map(({ node }) => node)).toEqual([0, 1]);
  },
);

test('when all fail, and one of them limits requests, the caller gets that: it will pass', async () => {
  const nodes = createNodes(2, refusing(-32429));
  nodes[1]!.does = unreachable;
  await expectRefusal(responseOf(over(nodes)), 'rpc-rate-limited');
});

test.each([
  [10, [1, 0], []],
  [460, [1, 1], [{ node: 0, reason: 'no answer within 450 ms' }]],
])(
  'a caller that gives up after %i ms ends at once, and no node is blamed for it',
  async (ms, asked, blamed) => {
    const nodes = createNodes(2, silent);
    nodes[1]!.does = silent;
    const transport = over(nodes, { attemptTimeoutMs: 900 });
    const controller = new AbortController();
    const error = errorOf(ask(transport, payloadOf(), controller.signal));
    await pass(ms);
    const reason = new Error('gone');
    controller.abort(reason);
    expect(await error).toBe(reason);
    expect(await errorOf(ask(transport, payloadOf(), controller.signal))).toBe(reason);
    const calls = nodes.flatMap((node) => node.calls);
    expect(calls.every(({ signal }) => signal?.aborted)).toBe(true);
    expect(askedOf(nodes)).toEqual(asked);
    expect(failures).toMatchObject(blamed);
    nodes[0]!.does = well(0);
    nodes[1]!.does = well(1);
    expect(await ask(transport)).toBe(blamed.length);
  },
);

describe('nodes by URL', () => {
  const KEY = 'a1b2c3-secret';
  const one = `https://one.example/v2/${KEY}`;
  const two = `https://two.example/?api-key=${KEY}`;
  let answers: Record<string, () => Response>;
  let fetched: string[];

  beforeEach(() => {
    answers = {};
    fetched = [];
    vi.stubGlobal('fetch', async (url: string, { body }: { readonly body: string }) => {
      fetched.push(new URL(url).hostname);
      const answer = answers[new URL(url).hostname];
      if (answer !== undefined) return answer();
      const response = await ledger.transport({ payload: JSON.parse(body) });
      return new Response(
        JSON.stringify(response, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
      );
    });
  });

  const status =
    (code: number, headers: Record<string, string> = {}) =>
    () =>
      new Response('', { status: code, headers });
  const body = (text: string) => () => new Response(text);
  const down = () => {
    throw new TypeError('fetch failed', { cause: new Error(`connect ECONNREFUSED ${one}`) });
  };
  const over = () => createFailoverTransport([one, two], { observe: (failure) => failures.push(failure) });

  test.each<[reason: string, () => Response]>([
    ['500', status(500)],
    ['403', status(403)],
    ['too many requests', status(429)],
    ['it is not JSON-RPC', body('too busy')],
    ['its id is not the id of the request', body('{"jsonrpc":"2.0","id":"no","result":1}')],
    ['its id is not the id of the request', body('{"jsonrpc":"2.0","result":1}')],
  ])('%s: asks the next one, and skips it for a while', async (reason, answer) => {
    answers['one.example'] = answer;
    const transport = over();
    await settle(quote(transport));
    await settle(quote(transport));
    expect(fetched).toEqual(['one.example', 'two.example', 'two.example']);
    expect(failures).toMatchObject([{ node: 0, cooldownMs: 1_000, reason: expect.stringContaining(reason) }]);
  });

  test.each([400, 413, 415])(
    '%i, which the request deserves: asks the next one, and skips none',
    async (code) => {
      answers['one.example'] = status(code);
      const transport = over();
      for (let times = 0; times < 2; times++) await settle(quote(transport));
      expect(fetched).toEqual(['one.example', 'two.example', 'one.example', 'two.example']);
      expect(failures).toMatchObject([0, 0].map((node) => ({ node, cooldownMs: 0, reason: `HTTP ${code}` })));
    },
  );

  test.each([
    ['7', 7_000, 429],
    ['7', 7_000, 503],
    ['3600', 30_000, 429],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 30_000, 429],
    ['Sat, 01 Jan 2000 00:00:00 GMT', 1_000, 429],
    ['-5', 1_000, 429],
    ['soon', 1_000, 429],
  ])('retry-after %j is a cool-down of %i ms, with %i', async (after, cooldownMs, code) => {
    answers['one.example'] = status(code, { 'retry-after': after });
    const transport = over();
    await settle(quote(transport));
    expect(failures).toMatchObject([{ cooldownMs }]);
    await pass(cooldownMs - 1);
    await settle(quote(transport));
    expect(fetched.filter((host) => host === 'one.example')).toHaveLength(1);
    await pass(1);
    delete answers['one.example'];
    await settle(quote(transport));
    expect(fetched.at(-1)).toBe('one.example');
  });

  test('all limit requests: the caller gets the retry-after', async () => {
    answers['one.example'] = status(500);
    answers['two.example'] = status(429, { 'retry-after': '3' });
    await expectRefusal(settle(quote(over())), 'rpc-rate-limited', { retryAfterSeconds: 3 });
  });

  test('no error reveals the URL or its key', async () => {
    answers['one.example'] = down;
    answers['two.example'] = down;
    const error = await settle(refusalOf(quote(over())));
    expect(failures).toHaveLength(2);
    const { message, context, cause } = error;
    const said = [message, context, cause ?? null, failures].map((one) => JSON.stringify(one));
    for (const text of [...said, String(error), String(cause)])
      expect(text).not.toMatch(/a1b2c3-secret|\.example/);
  });
});

test.each([
  ['an empty list', [], 'nodes'],
  ['no URL', ['one.example/secret'], 'nodes[0]'],
  ['another protocol', ['https://one.example', 'wss://two.example/secret'], 'nodes[1]'],
  ['an object', [{ url: 'https://one.example' }], 'nodes[0]'],
])('bad input: %s', async (_, nodes, field) => {
  const make = () => createFailoverTransport(nodes as unknown as string[]);
  const { message, context } = await expectRefusal(make, 'invalid-input', { field });
  expect(`${message} ${JSON.stringify(context)}`).not.toMatch(/example|secret/);
});

test.each([Number.NaN, 0, 2 ** 31, '5'])('attemptTimeoutMs may not be %s', (attemptTimeoutMs) => {
  const { transport } = nodeNamed(0);
  expect(() => createFailoverTransport([transport], { attemptTimeoutMs } as FailoverConfig)).toThrow(
    heavenError('invalid-input', { field: 'attemptTimeoutMs', value: attemptTimeoutMs }),
  );
});
