import { describe, expect, test } from 'vitest';
import { WALLET } from '../support/addresses.js';
import { pass, settle } from '../support/clock.js';
import { endOf } from '../support/errors.js';
import { createNode } from '../support/rpc.js';
import { CLOCK, failures, honest, over, read, SLOT, shared, useFakeTime, well } from './support.js';

useFakeTime();

const FAR = 1_000_000n;
const readClock = (transport: ReturnType<typeof over>) =>
  transport({
    payload: { jsonrpc: '2.0', id: '1', method: 'getMultipleAccounts', params: [[CLOCK, WALLET], {}] },
  });
const servedOf = async (transport: ReturnType<typeof over>, times: number) => {
  const client = shared(transport, { accountsTtlMs: 0 });
  const ends: string[] = [];
  for (let index = 0; index < times; index++) {
    ends.push(await settle(endOf(read(client))));
    await pass(500);
  }
  return ends;
};

describe('one answer from the far future, then honest ones', () => {
  test('every read is served', async () => {
    const [liar, other] = [createNode(honest(SLOT)), createNode(honest(SLOT))];
    const transport = over([liar, other]);
    const client = shared(transport, { accountsTtlMs: 0 });
    expect(await settle(endOf(read(client)))).toBe('served');
    liar.does = (call) => {
      liar.does = honest(SLOT);
      return well(SLOT + FAR)(call);
    };
    const ends: string[] = [];
    for (let index = 0; index < 10; index++) ends.push(await settle(endOf(read(client))));
    expect(new Set(ends)).toEqual(new Set(['served']));
  });

  test('the honest twin, a node a few slots ahead, is used and raises what is asked of the next', async () => {
    const nodes = [createNode(honest(SLOT)), createNode(honest(SLOT))];
    const transport = over(nodes);
    const client = shared(transport, { accountsTtlMs: 0 });
    await settle(read(client));
    nodes[0]!.does = well(SLOT + 150n);
    expect((await settle(read(client))).context.slot).toBe(SLOT + 150n);
    expect(failures).toEqual([]);
    nodes[0]!.does = well(SLOT);
    expect(await settle(endOf(read(client)))).toBe('rpc-behind');
  });
});

describe('a node that is far ahead', () => {
  test('rests, and the next one is asked', async () => {
    const nodes = [createNode(well()), createNode(well())];
    const transport = over(nodes);
    await readClock(transport);
    nodes[0]!.does = well(SLOT + 151n);
    expect(await readClock(transport)).toMatchObject({ result: { context: { slot: SLOT } } });
    expect(failures).toMatchObject([
      {
        node: 0,
        reason: `it is at slot ${SLOT + 151n}, far ahead of the last one`,
        cooldownMs: 1_000,
      },
    ]);
    await readClock(transport);
    expect(nodes.map(({ calls }) => calls.length)).toEqual([2, 2]);
  });

  test('is not ahead if that much time has passed', async () => {
    const nodes = [createNode(well()), createNode(well())];
    const transport = over(nodes);
    await readClock(transport);
    await pass(200_000);
    nodes[0]!.does = well(SLOT + 1_000n);
    expect(await readClock(transport)).toMatchObject({ result: { context: { slot: SLOT + 1_000n } } });
    expect(failures).toEqual([]);
  });

  test('is believed if all are, as after sleep', async () => {
    const nodes = [createNode(well()), createNode(well())];
    const transport = over(nodes);
    await readClock(transport);
    for (const node of nodes) node.does = well(SLOT + FAR);
    expect(await readClock(transport)).toMatchObject({ result: { context: { slot: SLOT + FAR } } });
    failures.length = 0;
    expect(await servedOf(transport, 3)).toEqual(['served', 'served', 'served']);
    expect(failures).toEqual([]);
  });

  test('an older slot does not make the others look ahead', async () => {
    const nodes = [createNode(well()), createNode(well())];
    const transport = over(nodes);
    await readClock(transport);
    nodes[0]!.does = well(5n);
    await readClock(transport);
    nodes[0]!.does = well(SLOT + 10n);
    await readClock(transport);
    expect(failures).toEqual([]);
  });
});
