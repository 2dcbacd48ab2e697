import { describe, expect, test } from 'vitest';
import { pass, settle } from '../support/clock.js';
import { createNode, delayed, httpError, rejecting, unreachable } from '../support/rpc.js';
import { ask, failures, over, useFakeTime, well } from './support.js';

useFakeTime();

describe('8 requests in flight when their node fails', () => {
  const times = Array.from({ length: 8 }, (_, index) => index);

  test('it can not be reached: is skipped for a second', async () => {
    const nodes = [createNode(delayed(50, unreachable)), createNode(well())];
    const transport = over(nodes);
    // They fail one after another.
    const asked = times.map(async (index) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * index));
      return await ask(transport);
    });
    await settle(Promise.all(asked));
    expect(nodes.map(({ calls }) => calls.length)).toEqual([8, 8]);
    expect(failures.map(({ cooldownMs }) => cooldownMs)).toEqual(times.map(() => 1_000));
    nodes[0]!.does = well();
    await pass(999);
    await ask(transport);
    expect(nodes[0]!.calls).toHaveLength(8);
    await pass(1);
    await ask(transport);
    expect(nodes[0]!.calls).toHaveLength(9);
  });

  test('it sends retry-after: is skipped that long, and two seconds at the next failure without it', async () => {
    const limited = httpError(429, { 'retry-after': '3' });
    const nodes = [createNode(delayed(10, rejecting(limited))), createNode(well())];
    const transport = over(nodes);
    await settle(Promise.all(times.map(() => ask(transport))));
    expect(failures.map(({ cooldownMs }) => cooldownMs)).toEqual(times.map(() => 3_000));
    nodes[0]!.does = unreachable;
    await pass(3_000);
    await ask(transport);
    expect(failures.at(-1)).toMatchObject({ node: 0, cooldownMs: 2_000 });
  });
});
