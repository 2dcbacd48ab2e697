import type { Address, Rpc, RpcTransport, SolanaRpcApi } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  buildBuy,
  createFailoverTransport,
  type DetailedBuyQuote,
  getPoolState,
  type HeavenClient,
  type QuoteBuyInput,
  quoteBuy,
  type SharedReadEvent,
  type SharedReadsConfig,
  shareReads,
} from '../../src/index.js';
import { createEmbeddedLedger, type EmbeddedLedger, type LedgerAccount } from '../../src/testing/index.js';
import { addressNumbered, WALLET } from '../support/addresses.js';
import { pass, settle } from '../support/clock.js';
import { endOf, expectRefusal } from '../support/errors.js';
import { fc } from '../support/properties.js';
import {
  type Call,
  clientOver,
  createNode,
  type Does,
  type FakeNode,
  holding,
  refusing,
  unreachable,
} from '../support/rpc.js';
import { OURS, read, useFakeTime } from './support.js';

type PoolName = 'community' | 'creator' | 'launching';
const POOLS: readonly PoolName[] = ['community', 'creator', 'launching'];

let ledger: EmbeddedLedger;
let node: FakeNode;

beforeAll(async () => {
  ledger = await createEmbeddedLedger();
  // Addresses are derived once, and outside of the time that the tests make.
  for (const name of POOLS) await directly(name);
  await build(clientOver(ledger.transport), await directly());
  await directly('creator', { mint: WALLET }).catch(() => {});
});

beforeEach(async () => {
  ledger = await createEmbeddedLedger();
  node = createNode(inLedger);
});
useFakeTime();

const inLedger: Does = (call) => ledger.transport(call as never);

/** The node 20 ms away: its answers are of the time they were asked for. */
const distant = (async (call: Call) => {
  const away = new Promise((resolve) => setTimeout(resolve, 20));
  const [answer] = await Promise.allSettled([node.transport(call as never), away]);
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}) as RpcTransport;
const accountsOf = ({ payload: { params } }: Call) => params[0] as readonly Address[];

const shared = (config?: SharedReadsConfig, timeoutMs?: number): HeavenClient =>
  shareReads(clientOver(distant, timeoutMs), config);

const quoteIn = (
  client: HeavenClient,
  name: PoolName = 'creator',
  more: Partial<Omit<QuoteBuyInput, 'lamports' | 'maxSolSpend'>> & { readonly maxSolSpend?: string } = {},
) => {
  const { mint, configVersion } = ledger.pools[name];
  return quoteBuy(client, { configVersion, mint, maxSolSpend: '0.1', slippageBps: 100, ...more });
};
/** The same quote without anything in between. */
const directly = (name: PoolName = 'creator', more: Parameters<typeof quoteIn>[2] = {}) =>
  quoteIn(clientOver(ledger.transport), name, more);
const proState = (client: HeavenClient) => getPoolState(client, { pool: ledger.pools.pro.pool });
const build = (client: HeavenClient, quoteResponse: DetailedBuyQuote, abortSignal?: AbortSignal) =>
  buildBuy(client, { payer: WALLET, quoteResponse, encodedUserDefinedEventData: '', abortSignal });
/** Changes what the node answers of a pool. */
const trade = () => ledger.setReserves(ledger.pools.creator.pool, { tokenB: 163_000_000_000n });
const callsOf = (method: string) => node.calls.filter(({ payload }) => payload.method === method);

test('quotes and transactions of the same pool at once are one read and one block hash', async () => {
  const client = shared();
  const quote = await directly();
  const [quoted, ...built] = await settle(
    Promise.all([quoteIn(client), build(client, quote), build(client, quote)]),
  );
  expect(quoted).toEqual(quote);
  expect(node.calls.map(({ payload }) => payload.method).sort()).toEqual([
    'getLatestBlockhash',
    'getMultipleAccounts',
  ]);
  expect(new Set(built.map(({ tx }) => tx))).toHaveLength(1);
});

describe('several reads', () => {
  test('at most 100 accounts are asked for, and a read is never split', async () => {
    const client = shared();
    const reads = Array.from({ length: 60 }, (_, index) =>
      Array.from({ length: 1 + ((index * 7) % 40) }, (_, offset) =>
        addressNumbered((index % 50) * 40 + offset),
      ),
    );
    const responses = await settle(Promise.all(reads.map((addresses) => read(client, addresses))));
    expect(responses.map(({ value }) => value.length)).toEqual(reads.map(({ length }) => length));
    const asked = node.calls.map(accountsOf);
    for (const accounts of asked) {
      expect(accounts.length).toBeLessThanOrEqual(100);
      expect(new Set(accounts)).toHaveLength(accounts.length);
    }
    for (const addresses of reads)
      expect(asked.some((accounts) => addresses.every((address) => accounts.includes(address)))).toBe(true);
    expect(node.calls.length).toBeLessThan(reads.length / 3);
  });

  test('each gets its accounts in its order, as often as it asked for them', async () => {
    const client = shared();
    const { pro, creator } = ledger.pools;
    const asked = [
      [pro.pool, WALLET, pro.mint],
      [pro.mint, pro.pool],
      [creator.mint, pro.mint, creator.mint, WALLET],
      [],
    ];
    const responses = await settle(Promise.all(asked.map((addresses) => read(client, addresses))));
    const direct = await Promise.all(asked.map((addresses) => read(clientOver(ledger.transport), addresses)));
    expect(responses).toEqual(direct);
    expect(node.calls.map(accountsOf)).toEqual([[pro.pool, WALLET, pro.mint, creator.mint]]);
  });
});

test.each([1, 8])('at most %i calls are in flight, the others wait and are batched', async (most) => {
  let [inFlight, mostInFlight] = [0, 0];
  node.does = async (call) => {
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    await new Promise((resolve) => setTimeout(resolve, 20));
    inFlight -= 1;
    return await inLedger(call);
  };
  const client = shared({ maxConcurrentCalls: most });
  const reads: Promise<unknown>[] = [];
  for (let index = 0; index < 30; index++) {
    reads.push(read(client, [addressNumbered(index)]));
    await pass(1);
  }
  await settle(Promise.all(reads));
  expect(mostInFlight).toBe(most);
  expect(node.calls.flatMap(accountsOf).sort()).toEqual(
    Array.from({ length: 30 }, (_, index) => addressNumbered(index)).sort(),
  );
  expect(node.calls.length).toBeLessThan(30);
});

describe('memory', () => {
  test('accounts are cached for accountsTtlMs, counted from the request', async () => {
    const client = shared({ accountsTtlMs: 150 });
    const before = await settle(quoteIn(client));
    expect(performance.now()).toBeGreaterThanOrEqual(20);
    trade();
    await pass(119 - 20);
    expect(await quoteIn(client)).toEqual(before);
    expect(node.calls).toHaveLength(1);
    await pass(31);
    const after = await settle(quoteIn(client));
    expect(after).toEqual(await directly());
    expect(after).not.toEqual(before);
    expect(node.calls).toHaveLength(2);
  });

  test('a read in the last fifth of the time makes the next call, and only one', async () => {
    const client = shared({ accountsTtlMs: 150 });
    const before = await settle(quoteIn(client));
    trade();
    const after = await directly();
    await pass(120 - 20);
    expect(await Promise.all([quoteIn(client), quoteIn(client)])).toEqual([before, before]);
    await pass(20);
    expect(node.calls).toHaveLength(2);
    // Nobody waited.
    expect(await quoteIn(client)).toEqual(after);
    expect(node.calls).toHaveLength(2);
  });

  test('who comes after the time waits for the call that is under way', async () => {
    const client = shared({ accountsTtlMs: 150 });
    await settle(quoteIn(client));
    await pass(145 - 20);
    await quoteIn(client);
    await pass(5);
    trade();
    await settle(quoteIn(client));
    expect(node.calls).toHaveLength(2);
  });

  test('what was read ahead expires too, behind a younger read', async () => {
    const client = shared({ accountsTtlMs: 150 });
    const [one, other] = [[addressNumbered(1)], [addressNumbered(2)]];
    await settle(read(client, one));
    await pass(121 - 20);
    // Asked for again at 121, and answered after the other was asked for, at 131.
    await read(client, one);
    await pass(10);
    await settle(read(client, other));
    await pass(275 - 151);
    expect(node.calls).toHaveLength(3);
    await settle(read(client, one));
    expect(node.calls).toHaveLength(4);
  });

  test('a failed or slow refresh does not extend the cache', async () => {
    const client = shared({ accountsTtlMs: 150 });
    const first = await settle(quoteIn(client));
    await pass(100 - 20);
    node.does = unreachable;
    expect(await quoteIn(client)).toEqual(first);
    await pass(30);
    expect(await quoteIn(client)).toEqual(first);
    await pass(20);
    await expectRefusal(settle(quoteIn(client)), 'rpc-failed');
  });

  test('a block hash is cached for blockhashTtlMs, even when a newer slot was seen', async () => {
    const client = shared({ accountsTtlMs: 0, blockhashTtlMs: 2_000 });
    const quote = await directly();
    const { lifetime } = await settle(build(client, quote));
    ledger.setSlot(ledger.slot + 4n);
    await settle(proState(client));
    await pass(1_900);
    expect((await settle(build(client, quote))).lifetime).toEqual(lifetime);
    await pass(200);
    expect((await settle(build(client, quote))).lifetime).toEqual({
      ...lifetime,
      blockhash: expect.not.stringMatching(lifetime.blockhash),
      lastValidBlockHeight: ledger.slot + 150n,
    });
    expect(callsOf('getLatestBlockhash')).toHaveLength(2);
  });
});

test('all who wait for a call get its error, and the next read makes a new call', async () => {
  const client = shared({ accountsTtlMs: 10_000 });
  node.does = unreachable;
  const ends = await settle(
    Promise.all([quoteIn(client), quoteIn(client), quoteIn(client, 'community')].map(endOf)),
  );
  expect(ends).toEqual(['rpc-failed', 'rpc-failed', 'rpc-failed']);
  expect(node.calls).toHaveLength(1);
  node.does = inLedger;
  expect(await settle(endOf(quoteIn(client)))).toBe('served');
  expect(node.calls).toHaveLength(2);
});

test('a silent node is a timeout for all who wait, each within its time', async () => {
  const silent = (() => new Promise(() => {})) as RpcTransport;
  const client = shareReads(clientOver(silent, 1_000), { maxConcurrentCalls: 1 });
  const ends: Promise<[string, number]>[] = [];
  for (const name of POOLS) {
    const began = performance.now();
    ends.push(endOf(quoteIn(client, name)).then((end) => [end, performance.now() - began]));
    await pass(50);
  }
  for (const [end, ms] of await settle(Promise.all(ends))) {
    expect(end).toBe('rpc-timeout');
    expect(ms).toBeLessThanOrEqual(1_000);
  }
  await pass(1_000);
});

describe('what is not shared', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => addressNumbered(index));
  const accounts =
    (config: object, addresses = [WALLET]) =>
    (rpc: Rpc<SolanaRpcApi>) =>
      rpc.getMultipleAccounts(addresses, config as typeof OURS);
  const OF_SLOT = { commitment: 'confirmed', minContextSlot: 5n } as const;
  const others: readonly [string, (rpc: Rpc<SolanaRpcApi>) => { send(): Promise<unknown> }][] = [
    ['another commitment', accounts({ commitment: 'processed', encoding: 'base64' })],
    ['no commitment', accounts({ encoding: 'base64' })],
    ['another encoding', accounts({ commitment: 'confirmed', encoding: 'base64+zstd' })],
    ['a part of the data', accounts({ ...OURS, dataSlice: { offset: 0, length: 8 } })],
    ['a slot of its own', accounts({ ...OURS, minContextSlot: 5n })],
    ['over 100 accounts', accounts(OURS, addresses(101))],
    ['a block hash of a slot of its own', (rpc) => rpc.getLatestBlockhash(OF_SLOT)],
    ['a block hash of another commitment', (rpc) => rpc.getLatestBlockhash({ commitment: 'finalized' })],
    ['a block hash without a config', (rpc) => rpc.getLatestBlockhash()],
    ['another method', (rpc) => rpc.getBalance(WALLET)],
    ['a method without params', (rpc) => rpc.getHealth()],
  ];
  test.each(others)('%s is passed on as it is, each time', async (_, request) => {
    const plain = clientOver(ledger.transport).rpc as Rpc<SolanaRpcApi>;
    const seen: SharedReadEvent[] = [];
    const client = shared({ observe: (event) => seen.push(event) });
    await settle(proState(client));
    node.calls.length = 0;
    seen.length = 0;
    const rpc = client.rpc as Rpc<SolanaRpcApi>;
    const ask = () => settle(request(rpc).send().catch(String));
    const expected = await request(plain).send().catch(String);
    expect([await ask(), await ask()]).toEqual([expected, expected]);
    const asked = ledger.requests.at(-1);
    expect(node.calls.map(({ payload: { method, params } }) => ({ method, params }))).toEqual([asked, asked]);
    expect(seen).toEqual([]);
  });

  test('a client of another commitment shares its own', async () => {
    const client = shareReads({ ...clientOver(distant), commitment: 'finalized' });
    await settle(Promise.all([quoteIn(client), quoteIn(client)]));
    expect(node.calls).toHaveLength(1);
    expect(node.calls[0]?.payload.params).toEqual([expect.anything(), { encoding: 'base64' }]);
  });
});

test('each read, and each call to the node, is observed', async () => {
  const events: SharedReadEvent[] = [];
  const client = shared({ observe: (event) => events.push(event) });
  const method = 'getMultipleAccounts';
  const { slot } = ledger;
  await settle(Promise.all([quoteIn(client), quoteIn(client), quoteIn(client, 'community')]));
  expect(events).toEqual([
    { type: 'read', method, from: 'new-call' },
    { type: 'read', method, from: 'in-flight-call' },
    { type: 'read', method, from: 'new-call' },
    { type: 'call', method, durationMs: 20, slot },
  ]);
  events.length = 0;
  await quoteIn(client);
  expect(events).toEqual([{ type: 'read', method, from: 'cache' }]);
});

test.each<[field: keyof SharedReadsConfig, values: readonly unknown[]]>([
  ['accountsTtlMs', [-1, Number.NaN, '150']],
  ['blockhashTtlMs', [-1, Number.NaN, null]],
  ['maxConcurrentCalls', [0, 0.5, 8n]],
])('the config rejects a wrong %s', async (field, values) => {
  for (const value of values)
    await expectRefusal(() => shareReads(clientOver(distant), { [field]: value }), 'invalid-input', {
      field,
    });
});

describe('over two nodes that fail, dawdle and go back', () => {
  const SLOTS = 40;
  const base = 411_400_000n;
  /** The pools as they are in each slot: no other slot has their reserves. */
  const poolsIn = new Map<bigint, readonly (readonly [Address, LedgerAccount])[]>();
  const goTo = (slot: bigint) => {
    ledger.setSlot(slot);
    for (const [pool, account] of poolsIn.get(slot) ?? []) ledger.setAccount(pool, account);
  };
  const makeSlot = (slot: bigint) => {
    const tokenB = 200_000_000_000n + (slot - base) * 1_000_000_000n;
    const pools = POOLS.map((name) => {
      const { pool } = ledger.pools[name];
      ledger.setReserves(pool, { tokenB });
      return [pool, ledger.getAccount(pool)!] as const;
    });
    poolsIn.set(slot, pools);
    goTo(slot);
  };
  const textOf = (quote: DetailedBuyQuote) =>
    JSON.stringify(quote, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

  const behavior = fc.record({
    delayMs: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 120 }) }, fc.constant(900)),
    /** How many slots it is behind the cluster. */
    lag: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 })),
    fault: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      fc.constantFrom(-32005, -32602, 'refused' as const, 'garbage' as const),
    ),
    /** Whether it heeds the slot that it is asked for. */
    isHonest: fc.boolean(),
  });
  const caller = fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 150 })),
    name: fc.constantFrom(...POOLS),
    wants: fc.constantFrom('quote' as const, 'quote' as const, 'quote' as const, 'transaction' as const),
    abortAfterMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      fc.integer({ min: 0, max: 100 }),
    ),
  });
  const behaviors = fc.array(behavior, { minLength: 1, maxLength: 25 });
  const scenario = fc.record({
    nodes: fc.tuple(behaviors, behaviors),
    callers: fc.array(caller, { minLength: 10, maxLength: 40 }),
    accountsTtlMs: fc.constantFrom(0, 150, 1_000),
    maxConcurrentCalls: fc.constantFrom(1, 2, 8),
  });

  test("a quote comes from one slot, never older than an earlier quote's", async () => {
    const slotOf = new Map<string, bigint>();
    for (let offset = -10; offset <= SLOTS; offset++) {
      makeSlot(base + BigInt(offset));
      for (const name of POOLS) slotOf.set(`${name} ${textOf(await directly(name))}`, ledger.slot);
    }
    expect(slotOf.size).toBe((SLOTS + 11) * POOLS.length);
    goTo(base);
    const quotes = new Map<PoolName, DetailedBuyQuote>();
    for (const name of POOLS) quotes.set(name, await directly(name));
    let served = 0;
    let asked = 0;

    const run = async ({ nodes, callers, accountsTtlMs, maxConcurrentCalls }: Scenario) => {
      const began = performance.now();
      const tip = () => {
        const passed = BigInt(Math.floor((performance.now() - began) / 200));
        return base + (passed > BigInt(SLOTS) ? BigInt(SLOTS) : passed);
      };
      const transportOf = (behaviors: Scenario['nodes'][number]): RpcTransport => {
        let calls = 0;
        return (async (call: Call) => {
          const { delayMs, lag, fault, isHonest } = behaviors[calls++ % behaviors.length]!;
          const slot = tip() - BigInt(lag);
          goTo(slot);
          const { params } = call.payload;
          const { minContextSlot = 0, ...config } = params.at(-1) as { readonly minContextSlot?: number };
          // Without the slot that is asked for: the ledger heeds it, and not every node does.
          const heedless = { ...call.payload, params: [...params.slice(0, -1), config] };
          const answered = ledger.transport({ payload: heedless });
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          if (fault === 'refused') throw new Error('connection refused');
          if (fault === 'garbage') return holding(undefined, [])(call);
          if (fault !== undefined) return refusing(fault)(call);
          if (isHonest && slot < minContextSlot) return refusing(-32016)(call);
          return await answered;
        }) as RpcTransport;
      };
      const transport = createFailoverTransport(nodes.map(transportOf), { attemptTimeoutMs: 500 });
      /** The newest slot that an answer to a caller was of, and that the node was heard to answer of. */
      let given = 0n;
      let heard = 0n;
      const client = shareReads(clientOver(transport, 3_000), {
        accountsTtlMs,
        maxConcurrentCalls,
        observe: (event) => {
          if (event.type !== 'call' || event.method !== 'getMultipleAccounts') return;
          if (event.slot !== undefined && event.slot > heard) heard = event.slot;
        },
      });

      const answers = callers.map(async ({ name, wants, abortAfterMs }, index) => {
        const waitMs = callers.slice(0, index + 1).reduce((total, { afterMs }) => total + afterMs, 0);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        const controller = new AbortController();
        const { signal: abortSignal } = controller;
        if (abortAfterMs !== undefined) setTimeout(() => controller.abort(), abortAfterMs);
        const least = given > heard ? given : heard;
        asked += 1;
        try {
          if (wants === 'transaction') {
            await build(client, quotes.get(name)!, abortSignal);
          } else {
            const quote = await quoteIn(client, name, { abortSignal });
            const slot = slotOf.get(`${name} ${textOf(quote)}`);
            expect(slot).toBeDefined();
            expect(slot).toBeGreaterThanOrEqual(least);
            if (slot! > given) given = slot!;
          }
          served += 1;
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(/^(rpc-(failed|behind|timeout|invalid-response)|aborted)$/),
          });
        }
      });
      await settle(Promise.all(answers));
      await pass(5_000);
      expect(vi.getTimerCount()).toBe(0);
    };
    type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

    await fc.assert(fc.asyncProperty(scenario, run), { numRuns: 40, seed: 20_260_406 });
    // It would hold of a service that serves nothing.
    expect(served / asked).toBeGreaterThan(0.5);
  });
});
