import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { pass, settle, turn } from '../support/clock.js';
import { errorOf } from '../support/errors.js';
import { createNode, type Does, delayed, refusing, rejecting, silent, unreachable } from '../support/rpc.js';
import { ask, failures, over, useFakeTime, well } from './support.js';

useFakeTime();

describe('8 requests in flight when their node fails', () => {
  const faults: readonly [string, Does][] = [
    ['can not be reached', unreachable],
    ['is unhealthy', refusing(-32005)],
    ['answers nothing', () => undefined],
  ];
  const times = Array.from({ length: 8 }, (_, index) => index);

  test.each(faults)('it %s: is skipped for a second', async (_, does) => {
    const nodes = [createNode(delayed(50, does)), createNode(well())];
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
    const limited = new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      statusCode: 429,
      message: '',
      headers: new Headers({ 'retry-after': '3' }),
    });
    const nodes = [createNode(delayed(10, rejecting(limited))), createNode(well())];
    const transport = over(nodes);
    await settle(Promise.all(times.map(() => ask(transport))));
    expect(failures.map(({ cooldownMs }) => cooldownMs)).toEqual(times.map(() => 3_000));
    nodes[0]!.does = unreachable;
    await pass(3_000);
    await ask(transport);
    expect(failures.at(-1)).toMatchObject({ node: 0, cooldownMs: 2_000 });
  });

  test('it recovered before the last of them failed: is skipped for a second', async () => {
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
    const rests = failures.filter(({ node }) => node === 0).map(({ cooldownMs }) => cooldownMs);
    expect(rests).toEqual([1_000, 1_000]);
  });
});

describe('an aborted request to a failed node', () => {
  test('does not end the cool-down of a node that failed in the meantime', async () => {
    const nodes = [createNode(silent), createNode(well())];
    const transport = over(nodes, { attemptTimeoutMs: 20_000 });
    const controller = new AbortController();
    const given = errorOf(ask(transport, {}, controller.signal));
    nodes[0]!.does = unreachable;
    await ask(transport);
    expect(failures).toMatchObject([{ node: 0, cooldownMs: 1_000 }]);
    controller.abort();
    await given;
    nodes[0]!.calls.length = 0;
    await ask(transport);
    expect(nodes[0]!.calls).toHaveLength(0);
  });
});
