import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';

import { createFailoverTransport, createHeavenClient, submitTransaction } from '../../src/index.js';
import { LAST, never, preflight, type SignedBuy, signedBuy, status, useFakeTime } from '../submit/support.js';
import { settle } from '../support/clock.js';
import { httpError } from '../support/rpc.js';

let buy: SignedBuy;
beforeAll(async () => {
  buy = await signedBuy();
});
useFakeTime();

const unreachable = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
const error = (code: number, data?: unknown) => ({ error: { code, message: '', data } });
const REJECTED = { error: preflight({ InstructionError: [6, { Custom: 6_002 }] }).error };

const late = async (ms: number, does: () => unknown) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return does();
};

/** A node that answers `sendTransaction` in its way, and all else as a node that has the transaction five seconds later. */
function nodeThat(sends: () => unknown): RpcTransport {
  const began = performance.now();
  return (async ({ payload }: Parameters<RpcTransport>[0]) => {
    const { id, method } = payload as { readonly id: string; readonly method: string };
    const elapsed = performance.now() - began;
    const results: Readonly<Record<string, unknown>> = {
      getEpochInfo: { blockHeight: 1_100 + Math.floor(elapsed / 200), absoluteSlot: 1 },
      getSignatureStatuses: {
        context: { slot: 1 },
        value: [elapsed > 5_000 ? status('confirmed') : null],
      },
      isBlockhashValid: { context: { slot: 1 }, value: false },
      getTransaction: null,
    };
    const answer = method === 'sendTransaction' ? await sends() : { result: results[method] };
    return { jsonrpc: '2.0', id, ...(answer as object) };
  }) as RpcTransport;
}

const outcomeOver = async (...sends: readonly (() => unknown)[]) => {
  const transport = createFailoverTransport(sends.map(nodeThat), { attemptTimeoutMs: 500 });
  const client = createHeavenClient({ rpc: createSolanaRpcFromTransport(transport) as never });
  return await settle(
    submitTransaction(client as never, buy.tx, { lastValidBlockHeight: LAST }).then(
      (result) => result.status,
      ({ code }: { readonly code: string }) => code,
    ),
  );
};

describe('a node may have sent a transaction on, and the next one rejects it: not failed', () => {
  test.each([
    ['is too slow', never],
    ['is cut off', () => Promise.reject(new TypeError('fetch failed'))],
    ['resets the connection', () => Promise.reject(unreachable('ECONNRESET'))],
    ['has an internal error', () => error(-32_603)],
    ['is behind a gateway that fails', () => Promise.reject(httpError(502))],
    ['is behind a gateway that is overloaded', () => Promise.reject(httpError(503, { 'retry-after': '9' }))],
    ['answers nothing', () => ({})],
  ])('the first one %s', async (_, first) => {
    expect(await outcomeOver(first, () => REJECTED)).toBe('landed');
    // Nor is it an error of the call that the next one has no such method.
    expect(await outcomeOver(first, () => error(-32_601))).toBe('landed');
  });
});

describe('a node has certainly not sent it on, and the next one rejects it: failed', () => {
  test.each([
    ['has too many requests', () => Promise.reject(httpError(429))],
    ['has too many requests, which it says late', () => late(300, () => error(-32_429))],
    ['rejects it too, late', () => late(300, () => REJECTED)],
    ['finds the request too long', () => Promise.reject(httpError(413))],
    ['accepts no connection', () => Promise.reject(unreachable('ECONNREFUSED'))],
    ['has no address', () => Promise.reject(unreachable('ENOTFOUND'))],
    ['does not take the key', () => Promise.reject(httpError(401))],
    ['has no such method', () => error(-32_601)],
    ['is behind', () => error(-32_005)],
  ])('the first one %s', async (_, first) => {
    expect(await outcomeOver(first, () => REJECTED)).toBe('failed');
  });
});

test('a node is too slow, and it or the next one takes it: sent', async () => {
  const takes = () => ({ result: buy.signature });
  expect(await outcomeOver(never, takes)).toBe('landed');
  expect(
    await outcomeOver(
      () => late(300, takes),
      () => REJECTED,
    ),
  ).toBe('landed');
});
