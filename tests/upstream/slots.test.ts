import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { addressNumbered } from '../support/addresses.js';
import { pass, settle } from '../support/clock.js';
import { endOf, errorOf } from '../support/errors.js';
import {
  createNode,
  type Does,
  type FakeNode,
  holding,
  refusing,
  silent,
  unreachable,
} from '../support/rpc.js';
import {
  ask,
  failures,
  honest,
  leastsOf,
  over,
  read,
  readBlockhash,
  readUntil,
  SLOT,
  shared,
  useFakeTime,
  well,
} from './support.js';

useFakeTime();

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
  const refusingPairs = pairs.filter(([name]) => name.includes('-32016'));
  test.each(refusingPairs)('%s: reports that they are behind', async (_, does) => {
    const transport = over(does.map((make) => createNode(make(SLOT - 1n))));
    const said = await settle(ask(transport, { minContextSlot: SLOT }));
    expect(said).toMatchObject({ error: { code: -32016 } });
    expect(failures.map(({ node }) => node)).toEqual([0, 1]);
  });

  test.each(pairs)('%s: retries, and serves it once it caught up', async (_, does) => {
    const nodes = does.map((make) => createNode(make(SLOT)));
    const client = shared(over(nodes, { attemptTimeoutMs: 1_000 }), { accountsTtlMs: 0 });
    await settle(read(client));
    for (const [index, make] of does.entries()) nodes[index]!.does = make(SLOT - 1n);
    setTimeout(() => {
      for (const [index, make] of does.entries()) nodes[index]!.does = make(SLOT + 1n);
    }, 300);
    expect((await settle(read(client))).context.slot).toBe(SLOT + 1n);
  });

  test.each(pairs)('%s: the error is rpc-behind when it does not catch up', async (_, does) => {
    const nodes = does.map((make) => createNode(make(SLOT)));
    const client = shared(over(nodes, { attemptTimeoutMs: 1_000 }), { accountsTtlMs: 0 });
    await settle(read(client));
    for (const [index, make] of does.entries()) nodes[index]!.does = make(SLOT - 1n);
    expect(await settle(errorOf(read(client)))).toMatchObject({
      code: 'rpc-behind',
      context: { method: 'getMultipleAccounts', minContextSlot: SLOT },
    });
  });

  test.each(quickPairs)('%s: a restarted cluster is served after a minute', async (_, does) => {
    const nodes = does.map((make) => createNode(make(SLOT)));
    const client = shared(over(nodes), { accountsTtlMs: 0 });
    await settle(read(client));
    for (const [index, make] of does.entries()) nodes[index]!.does = make(5n);
    const ms = await readUntil(client, 'served', 'rpc-behind');
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(63_000);
    expect((await settle(read(client))).context.slot).toBe(5n);
  });

  // Each read waits for the silent node four times, 20 seconds in all, which does not count as a quiet time.
  test.each(isBehind)(
    '%s, the second is silent for 5 seconds each time: a restarted cluster is served after a minute',
    async (_, behind) => {
      const nodes = [createNode(behind(SLOT)), createNode(silent)];
      const client = shared(over(nodes), { accountsTtlMs: 0 });
      await settle(read(client));
      nodes[0]!.does = behind(5n);
      expect(await readUntil(client, 'served', 'rpc-behind')).toBeGreaterThanOrEqual(60_000);
    },
  );
});

describe('a node that always answers -32016', () => {
  test.each([
    ['itself', (node: FakeNode) => node.transport],
    ['behind a failover transport', (node: FakeNode) => over([node])],
  ])('%s: is rpc-behind for a minute, then rpc-failed, and stops', async (_, transportOf) => {
    const node = createNode(well());
    const client = shared(transportOf(node), { accountsTtlMs: 0 });
    await settle(read(client));
    node.does = refusing(-32016);
    const ms = await readUntil(client, 'rpc-failed', 'rpc-behind');
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(63_000);
    node.calls.length = 0;
    await pass(300_000);
    expect(node.calls).toEqual([]);
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
    const client = shared(node.transport, { accountsTtlMs: 0, blockhashTtlMs: 0 });
    await settle(read(client));
    node.does = refusing(-32016);
    const began = performance.now();
    const seen = new Set<string>();
    while (performance.now() - began < 90_000) {
      const ends = [read(client), read(client, [addressNumbered(1)]), readBlockhash(client)].map(endOf);
      for (const end of await settle(Promise.all(ends))) seen.add(end);
      await pass(1_000);
    }
    expect([...seen].sort()).toEqual(['rpc-behind', 'rpc-failed']);
    node.calls.length = 0;
    await pass(60_000);
    expect(node.calls).toEqual([]);
  });

  test('to a request without a slot fails, and is not retried', async () => {
    const node = createNode(refusing(-32016));
    const client = shared(node.transport);
    for (const ask of [read, readBlockhash]) {
      node.calls.length = 0;
      expect(await settle(errorOf(ask(client)))).toMatchObject({
        code: 'rpc-failed',
        context: { rpcCode: -32016 },
      });
      expect(leastsOf(node)).toEqual([undefined]);
    }
  });
});

describe('a node that was behind once', () => {
  test('and answers of the mark since is not doubted for what was before', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsTtlMs: 0 });
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

describe("a slot that can't be", () => {
  const slots = [2n ** 53n, 2 ** 53, 2n ** 64n - 1n, 10n ** 30n, 1e300, -1n, -1, -(2n ** 63n)];
  const garbage = ['411000000', '', 1.5, null, {}, [], true, Number.NaN];
  const kinds = [
    ['alone', (node: FakeNode) => node.transport],
    ['behind a failover transport', (node: FakeNode) => over([node])],
  ] as const;
  const cases = kinds.flatMap(([kind, transportOf]) =>
    [...slots, ...garbage].map((slot) => [inspect(slot), kind, slot, transportOf] as const),
  );

  test.each(cases)(
    '%s of a node %s is not valid, the next good answer is served',
    async (_, __, slot, transportOf) => {
      const node = createNode(well(slot));
      const client = shared(transportOf(node), { accountsTtlMs: 10_000, blockhashTtlMs: 0 });
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
    const client = shared(node.transport, { accountsTtlMs: 0 });
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

describe('an answer of a later slot with the wrong number of accounts', () => {
  const values: readonly unknown[] = [[], [null, null], undefined, null, 'x', { length: 1 }];
  test.each(values.map((value) => [inspect(value), value] as const))(
    '(%s) is not valid, and does not move the mark',
    async (_, value) => {
      const node = createNode(well());
      const client = shared(node.transport, { accountsTtlMs: 0 });
      await settle(read(client));
      node.does = holding(SLOT + 9n, value);
      expect(await settle(endOf(read(client)))).toBe('rpc-invalid-response');
      node.does = well();
      expect((await settle(read(client))).context.slot).toBe(SLOT);
      expect(leastsOf(node)).toEqual([undefined, SLOT, SLOT]);
    },
  );

  test('does not clear the cache', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsTtlMs: 10_000 });
    await settle(read(client));
    node.does = holding(SLOT + 9n, []);
    expect(await settle(endOf(read(client, [addressNumbered(1)])))).toBe('rpc-invalid-response');
    expect((await read(client)).context.slot).toBe(SLOT);
    expect(node.calls).toHaveLength(2);
  });

  test('does not end the doubt of the mark', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { accountsTtlMs: 0 });
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
