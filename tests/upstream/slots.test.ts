import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { FailoverConfig, HeavenClient, SharedReadsConfig } from '../../src/index.js';
import { CLOCK_SYSVAR_ADDRESS } from '../support/addresses.js';
import { base64Of } from '../support/bytes.js';
import { pass, settle } from '../support/clock.js';
import { endOf, expectRefusal } from '../support/errors.js';
import { answerOf, createNode, type Does, holding, refusing, silent, unreachable } from '../support/rpc.js';
import {
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
/** A shared client over two nodes that have answered of `SLOT`, and what sets them to another. */
const readOver = async (does: readonly ((slot: bigint) => Does)[], config?: FailoverConfig) => {
  const nodes = does.map((make) => createNode(make(SLOT)));
  const client = shared(over(nodes, config), { accountsTtlMs: 0 });
  await settle(read(client));
  const goTo = (slot: bigint) => {
    for (const [index, make] of does.entries()) nodes[index]!.does = make(slot);
  };
  return { client, goTo };
};
/** A shared client of one node, which has answered of `SLOT`. */
const readOnce = async (config: SharedReadsConfig = {}) => {
  const node = createNode(well());
  const client = shared(node.transport, { accountsTtlMs: 0, ...config });
  await settle(read(client));
  return { node, client };
};
const slotOf = async (client: HeavenClient) => (await settle(read(client))).context.slot;
const endOfRead = (client: HeavenClient) => settle(endOf(read(client)));

const quickPairs = pairs.filter(([name]) => !name.includes('silent'));
test('a transport says of each node how many slots it lacks, and for how long it is the last resort', async () => {
  const nodes = [createNode(well()), createNode(well())];
  const transport = over(nodes);
  const healthy = { cooldownMs: 0, slotsBehind: 0 };
  expect(transport.nodes()).toEqual([healthy, healthy]);
  const client = shared(transport, { accountsTtlMs: 0 });
  await settle(read(client));
  const refusal = { code: -32016, message: 'behind', data: { contextSlot: SLOT - 7n } };
  for (const [behind, slotsBehind] of [
    [well(SLOT - 40n), 40],
    [({ payload: { id } }) => ({ jsonrpc: '2.0', id, error: refusal }), 7],
    // It says nothing new.
    [refusing(-32016), 7],
  ] as const satisfies readonly (readonly [Does, number])[]) {
    nodes[0]!.does = behind;
    expect(await slotOf(client)).toBe(SLOT);
    expect(transport.nodes()).toEqual([{ cooldownMs: 0, slotsBehind }, healthy]);
  }
  nodes[0]!.does = refusing(-32005);
  await settle(read(client));
  await pass(400);
  expect(transport.nodes()).toEqual([{ cooldownMs: 600, slotsBehind: 7 }, healthy]);
  await pass(600);
  nodes[0]!.does = well();
  await settle(read(client));
  expect(transport.nodes()).toEqual([healthy, healthy]);
});

describe('one node is behind and the other away: the first', () => {
  test.each(pairs)('%s: retries, and serves it once it caught up', async (_, does) => {
    const { client, goTo } = await readOver(does, { attemptTimeoutMs: 1_000 });
    goTo(SLOT - 1n);
    setTimeout(() => goTo(SLOT + 1n), 300);
    expect(await slotOf(client)).toBe(SLOT + 1n);
  });

  test.each(pairs)('%s: the error is rpc-behind when it does not catch up', async (_, does) => {
    const { client, goTo } = await readOver(does, { attemptTimeoutMs: 1_000 });
    goTo(SLOT - 1n);
    const context = { method: 'getMultipleAccounts', minContextSlot: SLOT };
    await settle(expectRefusal(read(client), 'rpc-behind', context));
    expect(await settle(endOf(readBlockhash(client)))).toBe('rpc-behind');
  });

  test.each(quickPairs)('%s: a restarted cluster is served after a minute', async (_, does) => {
    const { client, goTo } = await readOver(does);
    goTo(5n);
    const ms = await readUntil(client, 'served', 'rpc-behind');
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(63_000);
    expect(await slotOf(client)).toBe(5n);
  });
});

test('the first node always answers of an older slot: the second one serves every read', async () => {
  const nodes = [createNode(well(SLOT - 1n)), createNode(well())];
  const client = shared(over(nodes), { accountsTtlMs: 0, blockhashTtlMs: 0 });
  nodes[0]!.does = unreachable;
  await settle(read(client));
  nodes[0]!.does = well(SLOT - 1n);
  await pass(1_000);
  for (let times = 0; times < 3; times++) {
    expect(await slotOf(client)).toBe(SLOT);
    expect(await settle(endOf(readBlockhash(client)))).toBe('served');
  }
  expect(nodes.map(({ calls }) => calls.length)).toEqual([7, 7]);
});

test('a node that always answers -32016 is rpc-behind for a minute, then rpc-failed, and stops', async () => {
  const node = createNode(well());
  const client = shared(over([node]), { accountsTtlMs: 0 });
  await settle(read(client));
  node.does = refusing(-32016);
  const ms = await readUntil(client, 'rpc-failed', 'rpc-behind');
  expect(ms).toBeGreaterThanOrEqual(60_000);
  expect(ms).toBeLessThan(63_000);
  node.calls.length = 0;
  await pass(300_000);
  expect(node.calls).toEqual([]);
  // From here on it is asked once for each read.
  const context = { method: 'getMultipleAccounts', rpcCode: -32016 };
  await settle(expectRefusal(read(client), 'rpc-failed', context));
  expect(leastsOf(node)).toEqual([undefined]);
  node.does = well(7n);
  expect(await slotOf(client)).toBe(7n);
});

test('a node that was behind once and answers of the mark since is not doubted for what was before', async () => {
  const { node, client } = await readOnce();
  for (let times = 0; times < 10; times++) {
    node.does = well(SLOT - 1n);
    expect(await endOfRead(client)).toBe('rpc-behind');
    await pass(7_000);
    node.does = well();
    expect(await endOfRead(client)).toBe('served');
  }
});

const IMPOSSIBLE = [2n ** 53n, 1e300, -1n, '411000000', 1.5, null, {}, Number.NaN];
test.each(IMPOSSIBLE.map((slot) => [inspect(slot), slot] as const))(
  'the slot %s is not valid, does not move the mark, and the next good answer is served',
  async (_, slot) => {
    const { node, client } = await readOnce({ blockhashTtlMs: 0 });
    node.does = well(slot);
    await settle(expectRefusal(read(client), 'rpc-invalid-response', { method: 'getMultipleAccounts' }));
    expect(await settle(endOf(readBlockhash(client)))).toBe('rpc-invalid-response');
    node.does = well();
    expect(await slotOf(client)).toBe(SLOT);
    expect(leastsOf(node)).toEqual([undefined, SLOT, SLOT, SLOT]);
  },
);

describe('a slot far ahead', () => {
  const lagging = [...isBehind, ['answers as always', well] as const];

  test.each(
    [SLOT + 302n, SLOT + 1_000_000n, 2n ** 53n - 9n].flatMap((wrong) =>
      lagging.map(([name, make]) => [wrong, name, make] as const),
    ),
  )('of everything before, %s, costs nobody a read where the node then %s', async (wrong, _, make) => {
    const { node, client } = await readOnce();
    for (let times = 0n; times < 3n; times++) {
      node.does = well(wrong + times);
      expect(await slotOf(client)).toBe(wrong + times);
      node.does = make(SLOT + 1n);
      const began = performance.now();
      expect(await slotOf(client)).toBe(SLOT + 1n);
      expect(performance.now() - began).toBeLessThan(1_000);
    }
    // What was known before still holds.
    node.does = well(SLOT);
    expect(await endOfRead(client)).toBe('rpc-behind');
  });

  test.each([
    ['at most 300 ahead', SLOT + 300n, SLOT + 299n, 0],
    ['as after a pause', SLOT + 5_000n, SLOT + 4_999n, 0],
    ['for a minute', SLOT + 5_000n, SLOT + 1n, 60_000],
  ])('that is right, %s, is held to', async (_, slot, older, ms) => {
    for (const [, make] of isBehind) {
      const { node, client } = await readOnce();
      node.does = well(slot);
      await settle(read(client));
      await pass(ms);
      node.does = make(older);
      expect(await endOfRead(client)).toBe('rpc-behind');
    }
  });

  const CLOCK = [CLOCK_SYSVAR_ADDRESS];
  /** Answers of a slot, with the clock at `SLOT`. */
  const withClock =
    (slot: bigint): Does =>
    (call) => {
      const clock = new Uint8Array(40);
      new DataView(clock.buffer).setBigUint64(0, SLOT, true);
      return answerOf(call, slot, [{ owner: CLOCK_SYSVAR_ADDRESS, data: [base64Of(clock), 'base64'] }]);
    };

  test.each([
    [300n, 0],
    [301n, 1],
    [2n ** 52n, 1],
  ])(
    'of the clock in the first answer, by %s: node %i answers, and a liar becomes the last resort',
    async (by, answering) => {
      const nodes = [createNode(withClock(SLOT + by)), createNode(withClock(SLOT))];
      const client = shared(over(nodes), { accountsTtlMs: 0 });
      for (let times = 1; times <= 3; times++)
        expect((await settle(read(client, CLOCK))).context.slot).toBe(answering === 0 ? SLOT + by : SLOT);
      expect(nodes.map(({ calls }) => calls.length)).toEqual(answering === 0 ? [3, 0] : [1, 3]);
      const reason = 'its slot is far ahead of its clock';
      expect(failures).toMatchObject(answering === 0 ? [] : [{ node: 0, reason, cooldownMs: 1_000 }]);
    },
  );

  test('of the clock in the first answer of the only node is not held to', async () => {
    const node = createNode(withClock(SLOT + 301n));
    const client = shared(node.transport, { accountsTtlMs: 0 });
    await settle(read(client, CLOCK));
    node.does = withClock(SLOT);
    expect((await settle(read(client, CLOCK))).context.slot).toBe(SLOT);
  });
});

test('an answer of a later slot with the wrong number of accounts does not move the mark', async () => {
  const { node, client } = await readOnce();
  for (const value of [[], [null, null], undefined]) {
    node.does = holding(SLOT + 9n, value);
    expect(await endOfRead(client)).toBe('rpc-invalid-response');
  }
  node.does = well();
  expect(await slotOf(client)).toBe(SLOT);
  expect(new Set(leastsOf(node))).toEqual(new Set([undefined, SLOT]));
});
