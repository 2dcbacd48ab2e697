import { beforeEach, describe, expect, test, vi } from 'vitest';
import { addressNumbered, WALLET } from '../support/addresses.js';
import { pass, settle, turn } from '../support/clock.js';
import { endOf, errorOf } from '../support/errors.js';
import { createNode, delayed, refusing, unreachable } from '../support/rpc.js';
import { ask, over, read, readBlockhash, SLOT, shared, useFakeTime, well } from './support.js';

useFakeTime();

describe('a request of a shared client that is aborted', () => {
  test('is rejected at once, and the others continue', async () => {
    const node = createNode(delayed(50, well()));
    const client = shared(node.transport);
    const controller = new AbortController();
    const given = [
      errorOf(read(client, [WALLET], controller.signal)),
      errorOf(read(client, [addressNumbered(1)], controller.signal)),
      errorOf(readBlockhash(client, controller.signal)),
    ];
    const kept = [
      read(client, [WALLET]),
      read(client, [WALLET], new AbortController().signal),
      read(client, [addressNumbered(2)]),
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
    expect(node.calls.map(({ payload }) => payload.method).sort()).toEqual([
      'getLatestBlockhash',
      'getMultipleAccounts',
    ]);
    expect((await read(client, [addressNumbered(1)])).value).toEqual([null]);
    expect(node.calls).toHaveLength(2);
  });

  test('after its answer changes nothing, and no listener stays on its signal', async () => {
    const node = createNode(well());
    const client = shared(node.transport);
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const response = await settle(read(client, [WALLET], signal));
    node.does = unreachable;
    expect(await settle(endOf(read(client, [addressNumbered(1)], signal)))).toBe('rpc-failed');
    await turn();
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
    controller.abort();
    expect((await read(client)).value).toEqual(response.value);
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

  test('does not affect reads, and is logged to the console', async () => {
    const node = createNode(well());
    const client = shared(node.transport, { observe: breaking });
    const reads = [read(client), read(client), read(client, [addressNumbered(1)])];
    const responses = await settle(Promise.all(reads));
    expect(responses.map(({ value }) => value)).toEqual([[null], [null], [null]]);
    expectTold(4);
    expect((await read(client)).value).toEqual([null]);
    expect((await settle(readBlockhash(client))).value).toMatchObject({ blockhash: WALLET });
    expectTold(4 + 1 + 2);
    expect(node.calls).toHaveLength(2);
  });

  test('of failures does not keep the next node from being asked, nor the first from its cooldown', async () => {
    const nodes = [createNode(unreachable), createNode(refusing(-32005)), createNode(well())];
    const transport = over(nodes, { observe: breaking });
    expect(await ask(transport)).toMatchObject({ result: { context: { slot: SLOT } } });
    expectTold(2);
    await ask(transport);
    expect(nodes.map(({ calls }) => calls.length)).toEqual([1, 1, 2]);
    nodes[2]!.does = unreachable;
    expect(await settle(endOf(read(shared(transport))))).toBe('rpc-failed');
  });
});
