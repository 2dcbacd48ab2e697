import { describe, expect, type Mock, test, vi } from 'vitest';

import { createHeavenClient, type SenderContext, submitTransaction } from '../../src/index.js';
import { settle } from '../support/clock.js';
import { heavenError } from '../support/errors.js';
import {
  buy,
  LAST,
  never,
  record,
  type Script,
  scripted,
  status,
  submitted,
  useFakeTime,
  useSignedBuy,
} from './support.js';

useSignedBuy();
useFakeTime();

/** A node that knows the transaction once it was sent. */
const nodeAfter = (send: Mock): Script => ({
  status: () => (send.mock.calls.length > 0 ? status('confirmed') : null),
  record: () => record,
});

const throwing = () => {
  throw new Error('429');
};

describe('a sender of the caller', () => {
  test('gets the signed bytes in place of the nodes', async () => {
    const send = vi.fn(async (_tx: string, { abortSignal }: SenderContext) => abortSignal.aborted);
    const { result, events, nodes } = await submitted(buy, [nodeAfter(send), {}], { send });
    expect(result).toMatchObject({ status: 'landed', signature: buy.signature, trades: [{ side: 'buy' }] });
    const context = { signature: buy.signature, abortSignal: expect.any(AbortSignal) };
    expect(send.mock.calls).toEqual([[buy.tx, context]]);
    expect(send.mock.settledResults).toEqual([{ type: 'fulfilled', value: false }]);
    expect(events[0]).toBe('sender accepted');
    expect(nodes.map((each) => each.count('sendTransaction'))).toEqual([0, 0]);
  });

  test('is called again until the node knows the transaction', async () => {
    const send = vi.fn(async () => {});
    const known = () => (send.mock.calls.length < 3 ? null : status('processed'));
    const options = { send, abortAfterMs: 20_000 };
    const { result, error, elapsed } = await submitted(buy, [{ status: known }], options);
    expect(result).toBeUndefined();
    expect(elapsed).toBeGreaterThanOrEqual(20_000);
    expect(error).toEqual(heavenError('aborted', { signature: buy.signature }));
    expect(send).toHaveBeenCalledTimes(3);
  });

  test('that never settles is abandoned after the time limit, and called again', async () => {
    const send = vi.fn((_tx: string, _context: SenderContext) => never());
    const { result, events } = await submitted(buy, [{}], { send, timeoutMs: 5_000 });
    expect(result?.status).toBe('expired');
    const failed = expect.stringContaining('sender failed: send did not settle within 5000 ms');
    expect(events).toContainEqual(failed);
    const signals = send.mock.calls.map(([, { abortSignal }]) => abortSignal);
    expect(signals.length).toBeGreaterThan(3);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test.each<[string, () => unknown, said: string]>([
    ['rejects', () => Promise.reject(new Error('429')), 'sender failed: 429'],
    ['throws', throwing, 'sender failed: 429'],
    ['never settles', never, '0 status'],
    ['resolves with something else', async () => ({ error: 'no' }), 'sender accepted'],
  ])('that %s proves nothing, and does not hold the outcome', async (_, answer, said) => {
    const send = vi.fn(answer as () => Promise<unknown>);
    const { result, events, elapsed } = await submitted(buy, [nodeAfter(send)], { send });
    expect(result?.status).toBe('landed');
    expect(events[0]).toContain(said);
    expect(elapsed).toBeLessThan(2_000);
  });
});

describe("an RPC that is listed twice, or is the client's own", () => {
  test('is sent the transaction once', async () => {
    const own = scripted(buy.signature, { status: () => status('confirmed'), record: () => record });
    const { rpc } = own;
    const other = scripted(buy.signature, {});
    const submitting = submitTransaction(createHeavenClient({ rpc }), buy.tx, {
      lastValidBlockHeight: LAST,
      rpcs: [rpc, other.rpc, other.rpc],
    });
    expect((await settle(submitting)).status).toBe('landed');
    expect([own, other].map((each) => each.count('sendTransaction'))).toEqual([1, 1]);
  });
});
