import type { RpcTransport } from '@solana/kit';
import { expect, test } from 'vitest';
import { createFailoverTransport, getPoolState } from '../../src/index.js';
import { WALLET } from '../support/addresses.js';
import { pass, settle, turn } from '../support/clock.js';
import { endOf, errorOf } from '../support/errors.js';
import { clientOver, createNode, delayed, rejecting, unreachable } from '../support/rpc.js';
import { ask, over, read, readBlockhash, shared, unhandled, useFakeTime } from './support.js';

useFakeTime();

const aborted = AbortSignal.abort(new Error('gone'));

test.each([undefined, 'text'])('nodes all reject with %s: the read fails', async (reason) => {
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
