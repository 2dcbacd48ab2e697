import type { RpcTransport } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { createFailoverTransport, getPoolState } from '../../src/index.js';
import { WALLET } from '../support/addresses.js';
import { pass, settle, turn } from '../support/clock.js';
import { endOf, errorOf } from '../support/errors.js';
import { clientOver, createNode, delayed, rejecting, unreachable } from '../support/rpc.js';
import {
  ask,
  failures,
  over,
  read,
  readBlockhash,
  SLOT,
  shared,
  unhandled,
  useFakeTime,
  well,
} from './support.js';

useFakeTime();

describe('misbehaving nodes', () => {
  const aborted = AbortSignal.abort(new Error('gone'));

  test('a transport that rejects with undefined: asks the next one', async () => {
    const nodes = [createNode(rejecting(undefined)), createNode(well())];
    expect(await ask(over(nodes))).toMatchObject({ result: { context: { slot: SLOT } } });
    expect(failures).toMatchObject([{ node: 0, reason: 'it could not be reached', cooldownMs: 1_000 }]);
  });

  test.each([undefined, null, 'text', 5, {}])('all reject with %s: the read fails', async (reason) => {
    const transport = over([createNode(rejecting(reason)), createNode(rejecting(reason))]);
    expect(await errorOf(ask(transport))).toBe(reason);
    expect(await settle(endOf(read(shared(transport))))).toBe('rpc-failed');
    expect(await settle(endOf(getPoolState(clientOver(transport), { pool: WALLET })))).toBe('rpc-failed');
    expect(await settle(endOf(getPoolState(shared(transport), { pool: WALLET })))).toBe('rpc-failed');
  });

  const throwing = (() => {
    throw new Error('at once');
  }) as RpcTransport;

  test('a transport that throws at once, for a signal that is aborted, leaves no rejection to nobody', async () => {
    await errorOf(ask(createFailoverTransport([throwing, throwing]), {}, aborted));
    expect(await settle(endOf(read(shared(createFailoverTransport([throwing])))))).toBe('rpc-failed');
    await turn();
    expect(unhandled).toEqual([]);
  });

  test('nor does a node that fails after all who waited for it are gone', async () => {
    const client = shared(createNode(delayed(50, unreachable)).transport);
    const controller = new AbortController();
    const errors = [
      errorOf(read(client, [WALLET], controller.signal)),
      errorOf(readBlockhash(client, controller.signal)),
    ];
    await pass(10);
    controller.abort();
    expect(await Promise.all(errors)).toEqual([controller.signal.reason, controller.signal.reason]);
    await pass(100);
    expect(unhandled).toEqual([]);
  });
});
